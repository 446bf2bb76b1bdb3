//! Counts of move sequences by length and result, which detect equal games.

use std::sync::Arc;

use treegauge_core::{Game, Outcome, Plies, Watch};
use xxhash_rust::xxh3::xxh3_64;

use crate::game::{MoveBits, RulesVisitor, TextRules, visit};
use crate::state::BoardWord;
use crate::tree::Program;

/// Largest length of counted sequences. A game with one move per ply would otherwise never end the
/// count.
const PLIES_MAX: usize = 64;

/// Number of leaves between two checks of the watch: some milliseconds of work.
const WATCHED_LEAVES: u64 = 16_384;

/// Numbers of move sequences of a game by length, and of those that end the game, by result. Two
/// games that differ only in words, names or a rotation of the board have the same signature.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PerftSignature {
    plies: Vec<[u64; 4]>,
}

impl PerftSignature {
    /// Counts for each ply from the first: all sequences of this length, and those that end with a
    /// win of the first player, with a win of the second player and with a draw. Only completely
    /// counted plies are included.
    #[must_use]
    pub fn plies(&self) -> &[[u64; 4]] {
        &self.plies
    }

    /// Hash of all counts.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let bytes: Vec<u8> = self.plies.iter().flatten().flat_map(|n| n.to_le_bytes()).collect();
        xxh3_64(&bytes)
    }
}

/// Counts a game up to the last ply with at most `leaves_max` sequences. All plies together have at
/// most four times that number. Repetition and ply limits do not end sequences. `None` if `watch`
/// requests a stop.
pub fn perft_signature(
    program: &Arc<Program>,
    leaves_max: u64,
    watch: &dyn Watch,
) -> Option<PerftSignature> {
    visit(program, Plies(1_000), Counted { leaves_max, watch })
}

struct Counted<'w> {
    leaves_max: u64,
    watch: &'w dyn Watch,
}

impl RulesVisitor for Counted<'_> {
    type Output = Option<PerftSignature>;

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> Option<PerftSignature> {
        let mut plies = Vec::new();
        let mut left = self.leaves_max.saturating_mul(4);
        let mut lists = Vec::new();
        while plies.len() < PLIES_MAX {
            lists.push(Vec::new());
            let most = left.min(self.leaves_max);
            let mut ply = Ply { counts: [0; 4], leaves_max: most, watch: self.watch };
            match ply.count(&game, &game.start(), &mut lists) {
                Reached::All if ply.counts[0] > 0 => plies.push(ply.counts),
                Reached::All | Reached::TooMany => break,
                Reached::Stop => return None,
            }
            left -= ply.counts[0];
        }
        Some(PerftSignature { plies })
    }
}

/// Outcome of counting one ply.
enum Reached {
    All,
    TooMany,
    Stop,
}

/// Counter of one ply.
struct Ply<'w> {
    counts: [u64; 4],
    leaves_max: u64,
    watch: &'w dyn Watch,
}

impl Ply<'_> {
    /// Counts the sequences with one ply per list. The lists hold the moves during the count.
    fn count<W: BoardWord, M: MoveBits>(
        &mut self,
        game: &TextRules<W, M>,
        state: &crate::State<W>,
        lists: &mut [Vec<M>],
    ) -> Reached {
        let outcome = game.outcome(state);
        let Some((moves, lists)) = lists.split_first_mut() else {
            self.counts[0] += 1;
            match outcome {
                Some(Outcome::FirstWins) => self.counts[1] += 1,
                Some(Outcome::SecondWins) => self.counts[2] += 1,
                Some(Outcome::Draw) => self.counts[3] += 1,
                None => {}
            }
            return if self.counts[0] > self.leaves_max {
                Reached::TooMany
            } else if self.counts[0].is_multiple_of(WATCHED_LEAVES) && self.watch.stop() {
                Reached::Stop
            } else {
                Reached::All
            };
        };
        if outcome.is_some() {
            return Reached::All;
        }
        game.moves_into(state, moves);
        for &m in moves.iter() {
            let mut after = *state;
            game.play(&mut after, m);
            match self.count(game, &after, lists) {
                Reached::All => {}
                reached => return reached,
            }
        }
        Reached::All
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Text;

    fn counted(source: &str, leaves_max: u64) -> PerftSignature {
        let program = Text::read(source).and_then(|text| text.check()).unwrap();
        perft_signature(&Arc::new(program), leaves_max, &()).unwrap()
    }

    const TIC_TAC_TOE: &str = "(game \"T\" (board (grid 3 3)) (play (place))
        (end (if (makes (line 3)) (win mover)) (stuck draw)))";

    /// Source: the numbers of games of tic-tac-toe by length are well known. 1,440 end in the fifth
    /// ply, 5,328 in the sixth, 47,952 in the seventh, 72,576 in the eighth, and 127,872 in the
    /// ninth, 46,080 of these drawn (Henry Bottomley, "How many Tic-Tac-Toe games are possible?").
    #[test]
    fn sequences_of_tic_tac_toe_are_counted_by_length_and_result() {
        let signature = counted(TIC_TAC_TOE, 250_000);
        let [five, six, seven, eight, nine] = signature.plies()[4..] else { panic!("nine plies") };
        assert_eq!(five, [15_120, 1_440, 0, 0]);
        assert_eq!(six, [54_720, 0, 5_328, 0]);
        assert_eq!(seven, [148_176, 47_952, 0, 0]);
        assert_eq!(eight, [200_448, 0, 72_576, 0]);
        assert_eq!(nine, [127_872, 81_792, 0, 46_080]);
    }

    #[test]
    fn a_ply_with_too_many_sequences_is_not_counted() {
        let plies = |leaves_max| counted(TIC_TAC_TOE, leaves_max).plies().len();
        assert_eq!((plies(9), plies(71), plies(72), plies(504)), (1, 1, 2, 3));
    }

    #[test]
    fn another_rule_gives_another_number() {
        let misere = TIC_TAC_TOE.replace("(win mover)", "(lose mover)");
        assert_ne!(counted(TIC_TAC_TOE, 20_000), counted(&misere, 20_000));
        assert_ne!(counted(TIC_TAC_TOE, 20_000).hash(), counted(&misere, 20_000).hash());
        let renamed = TIC_TAC_TOE.replace("\"T\"", "\"Noughts\"");
        assert_eq!(counted(TIC_TAC_TOE, 20_000).hash(), counted(&renamed, 20_000).hash());
    }

    #[test]
    fn a_watch_stops_the_count() {
        struct Stop;
        impl Watch for Stop {
            fn stop(&self) -> bool {
                true
            }
        }
        let program = Text::read(TIC_TAC_TOE).and_then(|text| text.check()).unwrap();
        assert_eq!(perft_signature(&Arc::new(program), 200_000, &Stop), None);
    }
}
