//! Moves of two parts in which a piece slides and another piece is then placed in an unbroken line
//! from it, as an amazon shoots its arrow.
//!
//! A position has thousands of such moves. They are counted by the lengths of runs: a sliding piece
//! sees from its new site what that site has seen before, and in the direction that it came from
//! also its old site and what that saw. The lengths are kept from ply to ply and change only on the
//! lines through sites that have changed.

use treegauge_bits::each_bit;

use super::duplicates::Duplicates;
use super::lines::{Line, Lines, Sights};
use super::{Code, Moment};
use crate::board::Site;
use crate::layout::Part;
use crate::state::BoardWord;
use crate::tree::{Moves, Set, Verb};

/// Game whose moves are such.
#[derive(Clone, Debug)]
pub(crate) struct Shots {
    slide: usize,
    place: usize,
    /// Largest number of steps of a slide.
    steps_max: u32,
    /// Lines of slides and shots. The sums are those of the shots.
    lines: Lines,
    /// Lines of slides by player, in the order of the directions.
    slides: [Vec<usize>; 2],
}

/// Runs of empty sites in a position, and the moves that were counted with them.
#[derive(Debug)]
pub(super) struct Seen<W> {
    sights: Sights<W>,
    /// Number of moves up to the last that slides along a line, in the order of the lines.
    ends: Vec<u32>,
}

impl Shots {
    /// Shots of a program; `None` if its moves have another form or lines may meet again.
    pub(super) fn of<W: BoardWord>(code: &Code<W>) -> Option<Shots> {
        let Moves::Seq(parts) = &code.body.play else { return None };
        let [Moves::Mover(slide), Moves::Mover(place)] = &parts[..] else { return None };
        let Verb::Slide(dirs, steps_max) = &slide.verb else { return None };
        let (Verb::Place, Set::Rays(from, rays)) = (&place.verb, &place.to) else { return None };
        let plain =
            [slide, place].iter().all(|mover| mover.then.is_empty() && mover.only_if.is_none());
        let of = code.kinds[place.kind.unwrap_or(0) as usize];
        let may_place = !of.has_hand && (of.neutral || of.players == [true; 2]);
        let fits = plain
            && may_place
            && **from == Set::To
            && slide.to == Set::Empty
            && !code.by_site[slide.id]
            && code.duplicates == Duplicates::Never
            && code.is_mutual();
        let sorted = rays.clone().map(|mut rays| {
            rays.sort_unstable();
            rays.dedup();
            rays
        });
        if !fits || sorted[0] != sorted[1] {
            return None;
        }
        let rays = &sorted[0];
        let mut used: Vec<u8> = dirs.iter().flatten().chain(rays).copied().collect();
        used.sort_unstable();
        used.dedup();
        let lines = Lines::of(code, &used, rays)?;
        let slides = dirs
            .clone()
            .map(|dirs| -> Option<Vec<usize>> { dirs.iter().map(|&d| lines.index(d)).collect() });
        let [Some(first), Some(second)] = slides else { return None };
        let slides = [first, second];
        // From its new site, a piece sees the one that it has left.
        let is_ray = |line: usize| rays.contains(&(lines.lines[line].d as u8));
        if !slides.iter().flatten().all(|&line| is_ray(lines.lines[line].back)) {
            return None;
        }
        let (slide, place) = (slide.id, place.id);
        Some(Shots { slide, place, steps_max: *steps_max, lines, slides })
    }
}

impl<W: BoardWord> Seen<W> {
    pub(super) fn new(shots: &Shots) -> Seen<W> {
        Seen { sights: Sights::new(&shots.lines), ends: Vec::new() }
    }

    /// Counts the moves of a player.
    pub(super) fn count(&mut self, code: &Code<W>, shots: &Shots, now: &Moment<W>) -> u32 {
        self.sights.look(code, &shots.lines, now.state.occupied());
        let movable = code.movable(now, &code.movers[shots.slide]);
        self.ends.clear();
        let mut count = 0;
        for &line in &shots.slides[now.mover.index()] {
            let (next, ahead, behind) = self.around(code, shots, line);
            let sums = self.sights.sums();
            each_bit(movable, |site| {
                let mut at = site as usize;
                // From each new site the piece sees its old one and what lies behind that.
                let more = 1 + u32::from(behind[at]);
                for _ in 0..u32::from(ahead[at]).min(shots.steps_max) {
                    at = usize::from(next[at]);
                    count += u32::from(sums[at]) + more;
                }
            });
            self.ends.push(count);
        }
        count
    }

    /// Next sites along a line, and the runs ahead of and behind each site.
    fn around<'a>(
        &'a self,
        code: &'a Code<W>,
        shots: &Shots,
        line: usize,
    ) -> (&'a [Site], &'a [u16], &'a [u16]) {
        let Line { d, back, .. } = shots.lines.lines[line];
        (&code.next[d], self.sights.along(line), self.sights.along(back))
    }

    /// Code of the `n`-th of the counted moves, in the order of directions, distances and sites.
    pub(super) fn nth(&self, code: &Code<W>, shots: &Shots, now: &Moment<W>, n: u32) -> u64 {
        let index = self.ends.partition_point(|&end| end <= n);
        let mut left = n - if index == 0 { 0 } else { self.ends[index - 1] };
        let line = shots.slides[now.mover.index()][index];
        let (next, ahead, behind) = self.around(code, shots, line);
        let movable = code.movable(now, &code.movers[shots.slide]);
        let mut pieces: Vec<[usize; 2]> =
            movable.ones().map(|site| [site as usize, site as usize]).collect();
        let (mut steps, mut slide) = (0, None);
        while slide.is_none() {
            steps += 1;
            for [from, at] in pieces.iter_mut().filter(|[from, _]| ahead[*from] >= steps) {
                *at = usize::from(next[*at]);
                let sees = u32::from(self.sights.sums()[*at] + 1 + behind[*from]);
                if left < sees {
                    slide = Some((*from, *at));
                    break;
                }
                left -= sees;
            }
        }
        let (from, to) = slide.expect("the loop has found a slide");
        let slide = Part { mover: shots.slide, from, to, ..Part::default() };
        let mut then = *now;
        code.part(&mut then, 0, &slide);
        let open = code.set(&then, &code.movers[shots.place].to);
        let to = open.nth(left) as usize;
        let place = Part { mover: shots.place, to, ..Part::default() };
        code.layout.encode(0, &slide) | code.layout.encode(1, &place)
    }
}
