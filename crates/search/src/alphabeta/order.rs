//! Move ordering: moves that refuted other positions come first.

use std::hash::{Hash, Hasher};

use treegauge_core::Player;

/// Number of history counts per player. A power of two.
const HISTORY_LEN: usize = 1 << 12;

/// Limit of history counts: they are halved before they reach the killers' scores.
const HISTORY_MAX: i32 = 1 << 28;

const FIRST: i32 = i32::MAX;
const KILLERS: [i32; 2] = [FIRST - 1, FIRST - 2];

/// Statistics of moves that do not depend on the position.
#[derive(Clone, Debug)]
pub(super) struct Order<M> {
    /// Last two moves that caused a cut-off at each ply from the root (Akl and Newborn 1977).
    killers: Vec<[Option<M>; 2]>,
    /// Cut-offs per move, weighed by the square of the depth below it (Schaeffer 1983, with the
    /// usual weight). Moves with equal hashes share a count; that affects the order but never a
    /// value.
    history: Vec<i32>,
}

impl<M: Copy + Eq + Hash> Order<M> {
    /// Creates empty statistics for lines of at most `plies`.
    pub(super) fn new(plies: usize) -> Self {
        Order { killers: vec![[None; 2]; plies], history: vec![0; 2 * HISTORY_LEN] }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.killers.fill([None; 2]);
        self.history.fill(0);
    }

    #[inline]
    fn place(turn: Player, m: M) -> usize {
        let mut hasher = Fold(0);
        m.hash(&mut hasher);
        turn.index() * HISTORY_LEN + (hasher.0 >> 32) as usize % HISTORY_LEN
    }

    /// Killers of a ply.
    #[inline]
    pub(super) fn killers(&self, ply: usize) -> [Option<M>; 2] {
        self.killers[ply]
    }

    /// Score of a move: higher ones are tried first. The move from the table comes first.
    #[inline]
    pub(super) fn score(
        &self,
        killers: [Option<M>; 2],
        turn: Player,
        m: M,
        known: Option<M>,
    ) -> i32 {
        // The last one that applies counts. Branches would be unpredictable, so there are none.
        let mut score = self.history[Self::place(turn, m)];
        for (special, its_score) in
            [(killers[1], KILLERS[1]), (killers[0], KILLERS[0]), (known, FIRST)]
        {
            score = if special == Some(m) { its_score } else { score };
        }
        score
    }

    /// Records that a move of `turn` caused a cut-off at `ply`, in a search to `depth`.
    #[inline]
    pub(super) fn cut_off(&mut self, ply: usize, turn: Player, m: M, depth: u32) {
        self.kill(ply, m);
        let count = &mut self.history[Self::place(turn, m)];
        *count += (depth * depth) as i32;
        if *count > HISTORY_MAX {
            self.history.iter_mut().for_each(|count| *count /= 2);
        }
    }

    /// Records a killer without changing the history.
    #[inline]
    pub(super) fn kill(&mut self, ply: usize, m: M) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
    }
}

/// Hasher of the few bytes of a move; the same on every machine.
struct Fold(u64);

impl Fold {
    #[inline]
    fn add(&mut self, word: u64) {
        // 2^64 / phi scatters neighbours over the upper bits.
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for Fold {
    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.add(u64::from(byte)));
    }
    #[inline]
    fn write_u8(&mut self, n: u8) {
        self.add(u64::from(n));
    }
    #[inline]
    fn write_u16(&mut self, n: u16) {
        self.add(u64::from(n));
    }
    #[inline]
    fn write_u32(&mut self, n: u32) {
        self.add(u64::from(n));
    }
    #[inline]
    fn write_u64(&mut self, n: u64) {
        self.add(n);
    }
    #[inline]
    fn write_usize(&mut self, n: usize) {
        self.add(n as u64);
    }
    // By default the width of an isize depends on the machine.
    #[inline]
    fn write_isize(&mut self, n: isize) {
        self.add(n as i64 as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_move_comes_first_then_killers_then_history() {
        let mut order = Order::<u16>::new(4);
        for (m, depth) in [(1, 2), (2, 3), (3, 1), (4, 5)] {
            order.cut_off(2, Player::First, m, depth);
        }
        let mut moves = [1u16, 2, 3, 4, 5, 6];
        let score = |m: &u16| order.score(order.killers(2), Player::First, *m, Some(5));
        moves.sort_by_key(|m| std::cmp::Reverse(score(m)));
        assert_eq!(moves, [5, 4, 3, 2, 1, 6]);
        // The history of one player does not affect the other's.
        assert_eq!(order.score([None; 2], Player::Second, 4, None), 0);
        assert_eq!(order.score([None; 2], Player::First, 4, None), 25);
    }

    #[test]
    fn counts_stay_below_the_killers() {
        let mut order = Order::<u16>::new(1);
        for _ in 0..10_000 {
            order.cut_off(0, Player::First, 1, 255);
            assert!(order.score([None; 2], Player::First, 1, None) <= HISTORY_MAX);
        }
    }
}
