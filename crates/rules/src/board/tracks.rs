//! Closed tracks of boards, along which pieces ride.

use super::Site;

/// Largest number of places of all tracks of a board. A site counts as often as tracks come to it.
pub(crate) const TRACK_PLACES_MAX: usize = 256;

/// Closed way over a board: lines of sites, each joined to the next by a bend, and the last to the
/// first.
///
/// A way may cross itself, so its places are numbered: several of them may be one site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Track {
    /// Site of each place, in order.
    pub(crate) sites: Vec<Site>,
    /// Whether a bend leads from each place to the next.
    pub(crate) bends: Vec<bool>,
}

/// Way of a ride: the sites that a piece comes to in turn, each with the number of bends before it.
pub(crate) type Ride = Vec<(Site, u32)>;

impl Track {
    pub(crate) fn new(lines: &[Vec<Site>]) -> Track {
        let ends = |line: &Vec<Site>| (1..=line.len()).map(|n| n == line.len()).collect::<Vec<_>>();
        Track { sites: lines.concat(), bends: lines.iter().flat_map(ends).collect() }
    }

    /// Lines between the bends.
    pub(crate) fn lines(&self) -> Vec<&[Site]> {
        let ends = (0..self.sites.len()).filter(|&place| self.bends[place]);
        let mut begin = 0;
        let line = |end: usize| {
            let line = &self.sites[begin..=end];
            begin = end + 1;
            line
        };
        ends.map(line).collect()
    }

    /// Number of bends.
    pub(crate) fn bend_count(&self) -> u32 {
        self.bends.iter().filter(|&&bend| bend).count() as u32
    }

    /// Places in the order of a ride that begins at a place, either way, and goes round once. Each comes
    /// with whether a bend leads to it. The place of the beginning is not among them.
    pub(crate) fn round(&self, begin: usize, is_back: bool) -> impl Iterator<Item = (usize, bool)> {
        let count = self.sites.len();
        (1..count).map(move |steps| match is_back {
            false => ((begin + steps) % count, self.bends[(begin + steps - 1) % count]),
            true => {
                let place = (begin + count - steps) % count;
                (place, self.bends[place])
            }
        })
    }

    /// Rides of a piece from a site over a board without other pieces. The piece passes its own site,
    /// which it does not stand on any more.
    pub(crate) fn rides(&self, from: Site) -> Vec<Ride> {
        let begins = (0..self.sites.len()).filter(|&place| self.sites[place] == from);
        let ways = begins.flat_map(|begin| [false, true].map(|is_back| (begin, is_back)));
        let ride = |(begin, is_back): (usize, bool)| {
            let mut bends = 0;
            let mut ride = Ride::new();
            for (place, is_bend) in self.round(begin, is_back) {
                bends += u32::from(is_bend);
                if self.sites[place] != from {
                    ride.push((self.sites[place], bends));
                }
            }
            ride
        };
        ways.map(ride).collect()
    }

    /// Form that is the same wherever the track begins and whichever way it is read, with the number of
    /// each site.
    pub(crate) fn form(&self, number: impl Fn(Site) -> u64) -> Vec<(u64, bool)> {
        let count = self.sites.len();
        let at = |place: usize| number(self.sites[place]);
        let onward = (0..count).map(|place| (at(place), self.bends[place])).collect::<Vec<_>>();
        let back = (0..count).rev().map(|place| {
            let before = (place + count - 1) % count;
            (at(place), self.bends[before])
        });
        let back: Vec<(u64, bool)> = back.collect();
        let least = onward.iter().chain(&back).min().copied();
        let turned = [onward, back].into_iter().flat_map(|way| {
            let begins = (0..count).filter(|&n| Some(way[n]) == least).collect::<Vec<_>>();
            begins.into_iter().map(move |n| [&way[n..], &way[..n]].concat())
        });
        turned.min().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Track that comes to its first site twice.
    fn eight() -> Track {
        Track::new(&[vec![0, 1, 2], vec![3, 0, 4]])
    }

    #[test]
    fn a_ride_goes_round_once_and_counts_bends() {
        let rides = eight().rides(0);
        let onward = vec![(1, 0), (2, 0), (3, 1), (4, 1)];
        let back = vec![(4, 1), (3, 1), (2, 2), (1, 2)];
        assert_eq!(rides[..2], [onward, back]);
        assert_eq!(
            rides[2..],
            [vec![(4, 0), (1, 1), (2, 1), (3, 2)], vec![(3, 0), (2, 1), (1, 1), (4, 2)]]
        );
        assert_eq!(eight().rides(5), Vec::<Ride>::new());
        assert_eq!(eight().lines(), [[0, 1, 2], [3, 0, 4]]);
    }

    #[test]
    fn a_track_has_one_form_wherever_it_begins() {
        let form = |lines: &[Vec<Site>]| Track::new(lines).form(u64::from);
        let same = form(&[vec![0, 1, 2], vec![3, 0, 4]]);
        assert_eq!(form(&[vec![3, 0, 4], vec![0, 1, 2]]), same);
        assert_eq!(form(&[vec![4, 0, 3], vec![2, 1, 0]]), same);
        assert_ne!(form(&[vec![0, 1, 2, 3], vec![0, 4]]), same);
        assert_ne!(form(&[vec![0, 1, 2, 3, 0, 4]]), same);
    }
}
