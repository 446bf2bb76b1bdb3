//! Findings of random games of a text.

use std::sync::Arc;

use rand_core::Rng;
use treegauge_core::{Ending, Game, Outcome, Played, Plies, uniform_below};

use super::coverage::Coverage;
use super::{Warning, few, walk};
use crate::game::{MoveBits, RulesVisitor, TextRules, visit};
use crate::layout::MOVES_MAX;
use crate::state::BoardWord;
use crate::tree::{Owner, Program};

/// Number of random games of a lint.
pub const LINT_GAMES: u32 = 200;
/// Largest total number of plies of these games.
pub const LINT_PLIES: u32 = 200_000;

/// Largest number of hops that are tried to count ways to hop.
const HOPS_MAX: u64 = 3_000_000;

/// Statistics of random games of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RandomGames {
    /// Number of games.
    pub games: u32,
    /// Wins of the first player in games that the rules ended.
    pub first_wins: u32,
    /// Wins of the second player in games that the rules ended.
    pub second_wins: u32,
    /// Draws in games that the rules ended.
    pub draws: u32,
    /// Games stopped because a position occurred for the third time.
    pub repetitions: u32,
    /// Games stopped by the limit of plies without progress.
    pub quiet: u32,
    /// Games stopped by the ply cap, or by the limit of plies of all games.
    pub capped: u32,
    /// Total number of plies.
    pub plies: u32,
    /// Number of plies with only one legal move.
    pub forced: u32,
    /// Largest number of legal moves of a position.
    pub moves_max: u32,
    /// Number of positions in which ways to hop were counted: from the first on, of a game with
    /// chains of hops that only their ends tell apart.
    pub hop_positions: u32,
    /// Number of ways to hop in these positions.
    pub hop_ways: u64,
    /// Number of legal moves that these ways are.
    pub hop_moves: u64,
}

impl RandomGames {
    /// Number of games that the rules did not end.
    #[must_use]
    pub fn stopped(&self) -> u32 {
        self.repetitions + self.quiet + self.capped
    }
}

/// Plays random games. Returns warnings about what may not be intended, and the statistics.
pub(super) fn play(
    program: &Arc<Program>,
    rng: &mut dyn Rng,
    go_on: &mut dyn FnMut() -> bool,
) -> (Vec<Warning>, RandomGames) {
    visit(program, Plies(1_000), Lint { rng, go_on })
}

struct Lint<'a> {
    rng: &'a mut dyn Rng,
    go_on: &'a mut dyn FnMut() -> bool,
}

/// Observations from the games.
#[derive(Default)]
struct Seen {
    all: RandomGames,
    rules: Vec<u32>,
    kinds: Vec<bool>,
    moved_kinds: Vec<bool>,
    sites: Vec<bool>,
}

impl RulesVisitor for Lint<'_> {
    type Output = (Vec<Warning>, RandomGames);

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> Self::Output {
        let program = game.program().clone();
        let mut seen = Seen {
            rules: vec![0; program.body.end.len()],
            kinds: vec![false; program.kinds.len()],
            moved_kinds: vec![false; program.kinds.len()],
            sites: vec![false; program.board.len()],
            ..Seen::default()
        };
        let mut coverage = Coverage::of(&program, &game.code);
        let mut moves = Vec::new();
        let mut stopped = false;
        let hops_on = program.all_movers().iter().any(|mover| mover.is_reach());
        let mut hops_left = if hops_on { HOPS_MAX } else { 0 };
        for _ in 0..LINT_GAMES {
            if seen.all.plies >= LINT_PLIES || stopped || !(self.go_on)() {
                break;
            }
            let mut played = Played::start(&game);
            seen.look(&game, played.state());
            let ended = loop {
                if let Some(ended) = played.ended(&game) {
                    break ended;
                }
                // A single ply may take long.
                stopped |= seen.all.plies.is_multiple_of(8) && !(self.go_on)();
                if seen.all.plies >= LINT_PLIES || stopped {
                    break treegauge_core::Ended { by: Ending::Capped, outcome: Outcome::Draw };
                }
                game.moves_into(played.state(), &mut moves);
                seen.all.plies += 1;
                if hops_left > 0 {
                    let legal = moves.iter().map(|m| m.bits());
                    match game.code.hop_ways(played.state(), legal, &mut hops_left) {
                        Some([ways, moves]) => {
                            seen.all.hop_positions += 1;
                            seen.all.hop_ways += ways;
                            seen.all.hop_moves += moves;
                        }
                        None => hops_left = 0,
                    }
                }
                seen.all.forced += u32::from(moves.len() == 1);
                seen.all.moves_max = seen.all.moves_max.max(moves.len() as u32);
                coverage.look(played.state(), moves.iter().map(|m| m.bits()));
                let m = moves[uniform_below(self.rng, moves.len() as u32) as usize];
                if let (Some(rule), _) = game.code.looked_at(played.state(), m.bits()) {
                    seen.rules[rule] += 1;
                }
                let before = *played.state();
                played.play(&game, m);
                seen.moved(&game, &before, played.state());
                seen.look(&game, played.state());
            };
            seen.all.games += 1;
            coverage.game_over();
            let all = &mut seen.all;
            let count = match (ended.by, ended.outcome) {
                (Ending::Outcome, Outcome::FirstWins) => &mut all.first_wins,
                (Ending::Outcome, Outcome::SecondWins) => &mut all.second_wins,
                (Ending::Outcome, Outcome::Draw) => &mut all.draws,
                (Ending::Repetition, _) => &mut all.repetitions,
                (Ending::DrawPlies, _) => &mut all.quiet,
                // The cap, or any ending added later that stops games.
                _ => &mut all.capped,
            };
            *count += 1;
        }
        let mut warnings = seen.warnings(&program);
        if seen.all.games > 0 {
            let found = walk::walk(&program);
            warnings.extend(coverage.warnings(&program, seen.all.games, &found));
        }
        (warnings, seen.all)
    }
}

impl Seen {
    /// Notes the kinds and sites in use.
    fn look<W: BoardWord, M: MoveBits>(
        &mut self,
        game: &TextRules<W, M>,
        state: &crate::state::State<W>,
    ) {
        if game.program().board.is_pits() {
            return;
        }
        for kind in 0..self.kinds.len() {
            self.kinds[kind] |= !game.code.piece(state, kind as u8).is_zero();
        }
        state.occupied().ones().for_each(|site| self.sites[site as usize] = true);
    }

    /// Notes the kinds that left or reached a site.
    fn moved<W: BoardWord, M: MoveBits>(
        &mut self,
        game: &TextRules<W, M>,
        before: &crate::state::State<W>,
        after: &crate::state::State<W>,
    ) {
        if game.program().board.is_pits() {
            return;
        }
        for kind in 0..self.moved_kinds.len() {
            let sites = |state| game.code.piece(state, kind as u8);
            self.moved_kinds[kind] |= sites(before) != sites(after);
        }
    }

    fn warnings(&self, program: &Program) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let RandomGames { games, plies, forced, moves_max, draws, .. } = self.all;
        if games == 0 {
            return warnings;
        }
        let stopped = self.all.stopped();
        let [play, end] = ["play", "end"].map(|name| walk::section(program, name).place);
        let mut warn = |warning: Warning| warnings.push(warning);
        if 2 * stopped > games {
            let message = format!(
                "the rules ended few games: {stopped} of {games} random games went on until they were stopped"
            );
            warn(Warning::new("W3", end, message));
        }
        if 10 * forced > 8 * plies {
            let share = 100 * u64::from(forced) / u64::from(plies.max(1));
            let message =
                format!("there is little to choose: {share}% of the plies had one legal move");
            warn(Warning::new("W13", play, message));
        }
        if moves_max > 1_000 {
            let least = if moves_max as usize >= MOVES_MAX { "at least " } else { "" };
            let message =
                format!("a position had {least}{moves_max} moves, which makes searches shallow");
            warn(Warning::new("W10", play, message));
        }
        // Only games that the rules ended count.
        let ended = games - stopped;
        for (name, won) in [("first", self.all.first_wins), ("second", self.all.second_wins)] {
            if ended >= 20 && 100 * won > 95 * ended {
                let message = format!(
                    "the {name} player won {won} of {ended} random games that the rules ended"
                );
                warn(Warning::new("W12", play, message));
            }
        }
        if ended >= 20 && 100 * draws > 80 * ended {
            let message =
                format!("{draws} of {ended} random games that the rules ended were drawn");
            warn(Warning::new("W14", end, message));
        }
        if 2 * plies < 8 * games {
            let mean = f64::from(plies) / f64::from(games);
            warn(Warning::new("W15", end, format!("random games are over after {mean:.1} plies")));
        }
        for (n, (place, text)) in program.rule_places.iter().enumerate() {
            if self.rules[n] == 0 {
                let message = format!(
                    "this rule ended none of {games} random games, which may be as you want it: {text}"
                );
                warn(Warning::remark("W6", *place, message));
            }
        }
        if program.board.is_pits() {
            return warnings;
        }
        let declared = walk::section(program, "pieces");
        for (kind, of) in program.kinds.iter().enumerate() {
            let node = declared.rest().iter().find(|node| node.head() == Some(&of.name));
            let Some(node) = node else { continue };
            let name = &of.name;
            if !self.kinds[kind] {
                let message = format!("no `{name}` came to the board in {games} random games");
                warn(Warning::remark("W5", node.place, message));
            } else if !self.moved_kinds[kind] && of.owner != Owner::Neutral {
                let message = format!("no `{name}` moved in {games} random games");
                warn(Warning::remark("W5", node.place, message));
            }
        }
        let unused: Vec<&str> = program
            .board
            .sites()
            .filter(|&site| !self.sites[site as usize])
            .map(|site| program.board.names[site as usize].as_str())
            .collect();
        if !unused.is_empty() {
            let sites = if unused.len() == 1 { "site" } else { "sites" };
            let message = format!(
                "no piece stood on {} {sites} in {games} random games: {}",
                unused.len(),
                few(&unused)
            );
            warn(Warning::remark("W7", walk::section(program, "board").place, message));
        }
        warnings
    }
}
