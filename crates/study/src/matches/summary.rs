//! What the games of a match show.

use rustc_hash::FxHashSet;
use serde::Serialize;
use treegauge_core::Player;

use super::record::{Effort, FaultKind, MatchGame, Side};
use crate::compare::{Comparison, Pairs, Sprt, SprtReport};

/// A number for each player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Both<T> {
    /// That of a.
    pub a: T,
    /// That of b.
    pub b: T,
}

/// How often a player did something wrong.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FaultCount {
    /// Whose it was.
    pub side: Side,
    /// What it was.
    pub kind: FaultKind,
    /// Games that it ended.
    pub games: u64,
    /// The detail of the first of them.
    pub first_detail: String,
}

/// The result of a match.
///
/// Serialised, it is the body of `treegauge match --json`.
#[derive(Clone, Debug, Serialize)]
pub struct MatchSummary {
    /// Whether games that were asked for are missing.
    pub incomplete: bool,
    /// How many are.
    pub missing: u64,
    /// Who is better, and by how much.
    #[serde(flatten)]
    pub comparison: Comparison,
    /// The counts from which it comes.
    #[serde(skip)]
    pub pairs: Pairs,
    /// How many games were different sequences of moves.
    pub distinct_games: u64,
    /// The mean length of a game in plies, the opening included; `None` without games.
    pub plies: Option<f64>,
    /// What the searches of a took, and those of b.
    #[serde(skip)]
    pub effort: [Effort; 2],
    /// The mean depth in plies of the searches that tell one.
    pub depth: Both<Option<f64>>,
    /// The mean number of nodes a move.
    pub nodes: Both<Option<f64>>,
    /// Games that a player lost by doing something wrong.
    pub faults: Both<u64>,
    /// What that was.
    pub fault_kinds: Vec<FaultCount>,
    /// What the sequential test says, if there is one.
    pub sprt: Option<SprtReport>,
}

/// Whether two games have the same opening.
pub(super) fn is_pair(one: &MatchGame, other: &MatchGame) -> bool {
    one.game / 2 == other.game / 2
}

/// The pairs of some games in the order of their numbers; a game whose partner is not among them
/// counts alone.
#[must_use]
pub fn pairs_of(games: &[MatchGame]) -> Pairs {
    let mut pairs = Pairs::default();
    for pair in games.chunk_by(is_pair) {
        match pair {
            [one, other] => pairs.add(one.outcome, other.outcome),
            alone => alone.iter().for_each(|game| {
                let a = if game.first == Side::A { Player::First } else { Player::Second };
                pairs.add_single(game.outcome, a);
            }),
        }
    }
    pairs
}

impl MatchSummary {
    /// Sums up games in the order of their numbers, of which `wanted` were asked for.
    #[must_use]
    pub fn of(games: &[MatchGame], wanted: u32, sprt: Option<Sprt>) -> Self {
        let pairs = pairs_of(games);
        let missing = u64::from(wanted).saturating_sub(games.len() as u64);
        let distinct: FxHashSet<Vec<&String>> =
            games.iter().map(|game| game.opening.iter().chain(&game.moves).collect()).collect();
        let plies: usize = games.iter().map(|game| game.opening.len() + game.moves.len()).sum();
        let effort = [Side::A, Side::B].map(|side| {
            let efforts = games.iter().map(|game| game.effort[side.index()]);
            efforts.fold(Effort::default(), Effort::and)
        });
        let both = |of: fn(&Effort) -> Option<f64>| Both { a: of(&effort[0]), b: of(&effort[1]) };
        let mut fault_kinds: Vec<FaultCount> = Vec::new();
        for fault in games.iter().filter_map(|game| game.fault.as_ref()) {
            let same =
                |known: &&mut FaultCount| (known.side, known.kind) == (fault.side, fault.kind);
            match fault_kinds.iter_mut().find(same) {
                Some(known) => known.games += 1,
                None => fault_kinds.push(FaultCount {
                    side: fault.side,
                    kind: fault.kind,
                    games: 1,
                    first_detail: fault.detail.clone(),
                }),
            }
        }
        let of_side = |side: Side| {
            let own = fault_kinds.iter().filter(|fault| fault.side == side);
            own.map(|fault| fault.games).sum()
        };
        MatchSummary {
            incomplete: missing > 0,
            missing,
            comparison: pairs.comparison(),
            pairs,
            distinct_games: distinct.len() as u64,
            plies: mean_of(plies as u64, games.len() as u32),
            effort,
            depth: both(Effort::depth),
            nodes: both(Effort::nodes_a_move),
            faults: Both { a: of_side(Side::A), b: of_side(Side::B) },
            fault_kinds,
            sprt: sprt.map(|sprt| sprt.test(pairs.pentanomial())),
        }
    }
}

impl Effort {
    /// The mean depth in plies of the searches that tell one; `None` without any.
    #[must_use]
    pub fn depth(&self) -> Option<f64> {
        mean_of(self.depth_sum, self.searches)
    }

    /// The mean number of nodes a move; `None` without moves.
    #[must_use]
    pub fn nodes_a_move(&self) -> Option<f64> {
        mean_of(self.nodes, self.moves)
    }
}

fn mean_of(sum: u64, n: u32) -> Option<f64> {
    (n > 0).then(|| sum as f64 / f64::from(n))
}
