//! Numbering of small sets of points.

/// Greatest number of points.
pub(crate) const POINTS_MAX: usize = 25;

/// Binomial coefficients: `CHOICES[k][n]` is the number of ways to choose `k` of `n` points.
const CHOICES: [[u32; POINTS_MAX + 1]; POINTS_MAX + 1] = {
    let mut choices = [[0; POINTS_MAX + 1]; POINTS_MAX + 1];
    choices[0] = [1; POINTS_MAX + 1];
    let mut k = 1;
    while k <= POINTS_MAX {
        let mut n = 1;
        while n <= POINTS_MAX {
            choices[k][n] = choices[k][n - 1] + choices[k - 1][n - 1];
            n += 1;
        }
        k += 1;
    }
    choices
};

/// Sets of at most a given number of points, numbered without gaps: smaller sets first, and those
/// of one size by their highest points. This is the combinatorial number system (Knuth, TAOCP 4A,
/// 7.2.1.3).
#[derive(Clone, Debug)]
pub(crate) struct Subsets {
    /// Number of the first set of each size, and at the end the number of all sets.
    firsts: Vec<u32>,
}

impl Subsets {
    /// Numbers the sets of at most `size_max` of `points` points.
    ///
    /// # Panics
    ///
    /// When there are more than [`POINTS_MAX`] points.
    pub(crate) fn new(points: u32, size_max: u32) -> Self {
        let mut firsts = vec![0];
        for choices in &CHOICES[..=size_max as usize] {
            firsts.push(firsts[firsts.len() - 1] + choices[points as usize]);
        }
        Subsets { firsts }
    }

    /// Number of sets.
    #[inline]
    pub(crate) fn count(&self) -> u32 {
        self.firsts[self.firsts.len() - 1]
    }

    /// Number of a set.
    ///
    /// # Panics
    ///
    /// When it is too large.
    #[inline]
    pub(crate) fn number(&self, mut set: u32) -> u32 {
        let mut size = 0;
        let mut number = 0;
        while set != 0 {
            size += 1;
            number += CHOICES[size][set.trailing_zeros() as usize];
            set &= set - 1;
        }
        self.firsts[size] + number
    }

    /// Set with a number.
    ///
    /// # Panics
    ///
    /// When the number is not below [`Subsets::count`].
    #[inline]
    pub(crate) fn set(&self, number: u32) -> u32 {
        assert!(number < self.count(), "there are {} sets", self.count());
        let size = self.firsts.partition_point(|&first| first <= number) - 1;
        let mut rest = number - self.firsts[size];
        let mut set = 0;
        let mut point = POINTS_MAX;
        for choices in CHOICES[1..=size].iter().rev() {
            point -= 1;
            while choices[point] > rest {
                point -= 1;
            }
            rest -= choices[point];
            set |= 1 << point;
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lead_to_all_sets_and_back() {
        for (points, size_max) in [(1, 1), (9, 3), (9, 9), (16, 3), (16, 7), (25, 3)] {
            let subsets = Subsets::new(points, size_max);
            let sizes = (0u32..1 << points).map(u32::count_ones);
            let count = sizes.filter(|&size| size <= size_max).count();
            assert_eq!(subsets.count() as usize, count);
            let mut before = None;
            for number in 0..subsets.count() {
                let set = subsets.set(number);
                assert_eq!(subsets.number(set), number);
                let rank = (set.count_ones(), set);
                assert!(set >> points == 0 && set.count_ones() <= size_max);
                assert!(before.is_none_or(|before| before < rank), "{set:b}");
                before = Some(rank);
            }
        }
    }
}
