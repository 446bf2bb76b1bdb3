//! What random games say about a text.

use std::sync::Arc;

use rand_core::Rng;
use treegauge_core::{Game, Outcome, Played, Plies, uniform_below};

use crate::error::{Mistake, Place};
use crate::game::{MoveBits, Rules, RulesVisitor, visit};
use crate::state::BoardWord;
use crate::tree::{Owner, Program};

/// The random games of a lint.
pub const LINT_GAMES: u32 = 200;
/// The greatest number of plies of all of them.
pub const LINT_PLIES: u32 = 200_000;

/// Something about a text that may be meant, and probably is not.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// Its code, which `(allow CODE)` silences.
    pub code: &'static str,
    /// Where it is.
    pub place: Place,
    /// What it is, in one sentence without a full stop.
    pub message: String,
}

/// What there is to be said of a program after random games; `rng` makes all choices, and `go_on` is
/// asked before each game.
pub fn lint<R: Rng>(
    program: &Arc<Program>,
    rng: &mut R,
    go_on: &mut dyn FnMut() -> bool,
) -> Vec<Warning> {
    let mut warnings = visit(program, Plies(1_000), Lint { rng, go_on });
    warnings.retain(|warning| !program.allowed.iter().any(|code| code == warning.code));
    warnings.sort_by_key(|warning| (warning.place, warning.code));
    warnings
}

/// Why nobody could play a program: it is over before it begins, or every first move ends it.
pub(crate) fn unplayable(program: &Arc<Program>) -> Option<Mistake> {
    visit(program, Plies(1_000), Opening).map(|message| {
        let place = program.mover_places.first().map_or(program.game.place, |mover| mover.0);
        Mistake::new(place, message)
    })
}

struct Opening;

impl RulesVisitor for Opening {
    type Output = Option<String>;

    fn visit<W: BoardWord, M: MoveBits>(self, game: Rules<W, M>) -> Option<String> {
        let start = game.start();
        if game.outcome(&start).is_some() {
            return Some("the first player has no legal first move".to_owned());
        }
        let ends = |m: M| {
            let mut after = start;
            game.play(&mut after, m);
            after.rest.result.is_some()
        };
        let mut moves = Vec::new();
        game.moves_into(&start, &mut moves);
        moves.iter().all(|&m| ends(m)).then(|| "every first move ends the game".to_owned())
    }
}

struct Lint<'a, R> {
    rng: &'a mut R,
    go_on: &'a mut dyn FnMut() -> bool,
}

/// What was seen in the games.
#[derive(Default)]
struct Seen {
    games: u32,
    plies: u32,
    forced: u32,
    unfinished: u32,
    results: [u32; 3],
    moves_max: u32,
    rules: Vec<u32>,
    movers: Vec<u64>,
    kinds: Vec<bool>,
    moved_kinds: Vec<bool>,
    sites: Vec<bool>,
}

impl<R: Rng> RulesVisitor for Lint<'_, R> {
    type Output = Vec<Warning>;

    fn visit<W: BoardWord, M: MoveBits>(self, game: Rules<W, M>) -> Vec<Warning> {
        let program = game.program().clone();
        let mut seen = Seen {
            rules: vec![0; program.body.end.len()],
            movers: vec![0; program.movers],
            kinds: vec![false; program.kinds.len()],
            moved_kinds: vec![false; program.kinds.len()],
            sites: vec![false; program.board.len()],
            ..Seen::default()
        };
        let mut moves = Vec::new();
        for _ in 0..LINT_GAMES {
            if seen.plies >= LINT_PLIES || !(self.go_on)() {
                break;
            }
            let mut played = Played::start(&game);
            seen.look(&game, played.state());
            let ended = loop {
                if let Some(ended) = played.ended(&game) {
                    break ended;
                }
                if seen.plies >= LINT_PLIES {
                    break treegauge_core::Ended {
                        by: treegauge_core::Ending::Capped,
                        outcome: Outcome::Draw,
                    };
                }
                game.moves_into(played.state(), &mut moves);
                seen.plies += 1;
                seen.forced += u32::from(moves.len() == 1);
                seen.moves_max = seen.moves_max.max(moves.len() as u32);
                // Which movers offered a move: few moves are enough to see it.
                let step = moves.len().div_ceil(40);
                for m in moves.iter().step_by(step) {
                    for mover in game.code.looked_at(played.state(), m.bits()).1 {
                        seen.movers[mover] += 1;
                    }
                }
                let m = moves[uniform_below(self.rng, moves.len() as u32) as usize];
                let (rule, movers) = game.code.looked_at(played.state(), m.bits());
                movers.iter().for_each(|&mover| seen.movers[mover] += 1);
                if let Some(rule) = rule {
                    seen.rules[rule] += 1;
                }
                let before = *played.state();
                played.play(&game, m);
                seen.moved(&game, &before, played.state());
                seen.look(&game, played.state());
            };
            seen.games += 1;
            seen.unfinished += u32::from(ended.by != treegauge_core::Ending::Outcome);
            seen.results[(ended.outcome.value() + 1) as usize] += 1;
        }
        seen.warnings(&program)
    }
}

impl Seen {
    /// Notes which kinds and sites are used.
    fn look<W: BoardWord, M: MoveBits>(
        &mut self,
        game: &Rules<W, M>,
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

    /// Notes which kinds left or came to a site.
    fn moved<W: BoardWord, M: MoveBits>(
        &mut self,
        game: &Rules<W, M>,
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
        let games = self.games;
        let top = Place { line: 1, column: 1 };
        let mut warn = |code, place, message: String| {
            warnings.push(Warning { code, place, message });
        };
        if games == 0 {
            return warnings;
        }
        if 2 * self.unfinished > games {
            let n = self.unfinished;
            warn(
                "W3",
                top,
                format!(
                    "the rules ended few games: {n} of {games} random games went on until a limit"
                ),
            );
        }
        if 10 * self.forced > 8 * self.plies {
            let share = 100 * u64::from(self.forced) / u64::from(self.plies.max(1));
            warn(
                "W13",
                top,
                format!("there is little to choose: {share}% of the plies had one legal move"),
            );
        }
        if self.moves_max > 1_000 {
            let n = self.moves_max;
            warn("W10", top, format!("a position had {n} moves, which makes searches shallow"));
        }
        let [second, draws, first] = self.results;
        for (name, won) in [("first", first), ("second", second)] {
            if 100 * won > 95 * games {
                warn("W12", top, format!("the {name} player won {won} of {games} random games"));
            }
        }
        if 100 * draws > 80 * games {
            warn("W14", top, format!("{draws} of {games} random games were drawn"));
        }
        if 2 * self.plies < 8 * games {
            let mean = f64::from(self.plies) / f64::from(games);
            warn("W15", top, format!("random games are over after {mean:.1} plies"));
        }
        for (n, (place, text)) in program.rule_places.iter().enumerate() {
            if self.rules[n] == 0 {
                warn("W6", *place, format!("this rule never held in {games} random games: {text}"));
            }
        }
        for (n, (place, verb)) in program.mover_places.iter().enumerate() {
            if self.movers[n] == 0 {
                warn(
                    "W8",
                    *place,
                    format!("this `{verb}` was never possible in {games} random games"),
                );
            }
        }
        if program.board.is_pits() {
            return warnings;
        }
        let named = program.kinds.iter().enumerate().filter(|(_, kind)| kind.name != "stone");
        for (kind, of) in named {
            if !self.kinds[kind] {
                warn("W5", top, format!("no {} ever came to the board", of.name));
            } else if !self.moved_kinds[kind] && of.owner != Owner::Neutral {
                warn("W5", top, format!("no {} ever moved", of.name));
            }
        }
        let unused: Vec<&str> = program
            .board
            .sites()
            .filter(|&site| !self.sites[site as usize])
            .map(|site| program.board.names[site as usize].as_str())
            .collect();
        if !unused.is_empty() {
            let few: Vec<&str> = unused.iter().take(8).copied().collect();
            let more = if unused.len() > few.len() { ", .." } else { "" };
            let message =
                format!("no piece ever stood on {} sites: {}{more}", unused.len(), few.join(", "));
            warn("W7", top, message);
        }
        warnings
    }
}
