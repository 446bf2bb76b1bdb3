//! One game of a match.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::time::Duration;

use treegauge_core::{Ended, Game, Notation, Outcome, Played, Player};
use treegauge_search::Chooser;

use super::record::{Effort, Fault, FaultKind, MatchGame, Side};
use super::{Match, opening};

/// What a player may use for a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Nodes, as he counts them.
    pub nodes_max: Option<u64>,
    /// Time, with what is allowed for the clock's own inexactness.
    pub time_max: Option<Duration>,
}

/// Someone who takes part in a match.
pub trait Competitor<G: Game>: Sync {
    /// The player for one game, who knows nothing of other games.
    fn seat(&self) -> Box<dyn Chooser<G> + '_>;

    /// What he may use for a move.
    fn limits(&self) -> Limits {
        Limits::default()
    }

    /// Whether all his moves are drawn as [`RandomChooser`](treegauge_search::RandomChooser) draws
    /// them. Games between two such players can be played without asking either.
    fn is_chance(&self) -> bool {
        false
    }
}

/// The time since some moment.
pub trait Clock: Sync {
    /// Never less than it was before.
    fn now(&self) -> Duration;
}

impl<G: Notation> Match<'_, G> {
    /// Plays a game; `None` when [`Match::progress`] said stop before it was over.
    pub(super) fn game(&self, number: u32) -> Option<MatchGame> {
        let first = Side::of_first(number);
        let game = self.game;
        let mut table = Table { game, played: self.start.clone(), moves: Vec::new() };
        let streams = self.plan.streams();
        let chance = |trial| streams.opening(number / 2, trial);
        let mut moves = Vec::new();
        opening(game, &mut self.start.clone(), self.plan.opening_plies, chance, &mut moves);
        moves.into_iter().for_each(|m| table.play(m));
        let opening = std::mem::take(&mut table.moves);
        let mut seats = self.competitors.map(|competitor| competitor.seat());
        let limits = self.competitors.map(|competitor| competitor.limits());
        let mut effort = [Effort::default(); 2];
        let mut rng = streams.game(number);
        let (outcome, by, fault) = loop {
            if let Some(Ended { outcome, by }) = table.played.ended(game) {
                break (outcome, Some(by), None);
            }
            let turn = game.turn(table.played.state());
            let side = if turn == Player::First { first } else { first.other() };
            let seat = &mut seats[side.index()];
            let begin = self.clock.now();
            // Whatever state a player that failed leaves behind is not looked at again.
            let chosen =
                catch_unwind(AssertUnwindSafe(|| seat.choose(game, &table.played, &mut rng)));
            let time = self.clock.now().saturating_sub(begin);
            // What stops a match may have stopped the player at a move that is not his best.
            if self.progress.stop().load(Ordering::Relaxed) {
                return None;
            }
            let lost = |kind, detail| {
                let fault = Fault { side, kind, detail };
                (Outcome::win_of(turn.other()), None, Some(fault))
            };
            let choice = match chosen {
                Err(panic) => break lost(FaultKind::Panic, message(panic.as_ref())),
                Ok(None) => break lost(FaultKind::NoMove, String::new()),
                Ok(Some(choice)) => choice,
            };
            let spent = seat.last_spent();
            let own = &mut effort[side.index()];
            own.moves += 1;
            own.nodes += spent.nodes;
            own.searches += u64::from(spent.depth.is_some());
            own.depth_sum += u64::from(spent.depth.unwrap_or(0));
            let Limits { nodes_max, time_max } = limits[side.index()];
            if time_max.is_some() {
                own.time_us += time.as_micros() as u64;
            }
            if let Some(max) = nodes_max.filter(|&max| spent.nodes > max) {
                break lost(FaultKind::Nodes, format!("{} of {max}", spent.nodes));
            }
            if let Some(max) = time_max.filter(|&max| time > max) {
                let [time, max] = [time, max].map(|time| time.as_secs_f64() * 1e3);
                let detail = format!("{time:.1} ms, where {max:.1} are tolerated");
                break lost(FaultKind::Time, detail);
            }
            if !game.is_legal(table.played.state(), choice.m) {
                break lost(FaultKind::IllegalMove, format!("{:?}", choice.m));
            }
            table.play(choice.m);
        };
        Some(MatchGame {
            game: number,
            first,
            opening,
            moves: table.moves,
            outcome,
            by,
            fault,
            effort,
        })
    }
}

/// A game in progress, with its moves in words.
struct Table<'a, G: Game> {
    game: &'a G,
    played: Played<G>,
    moves: Vec<String>,
}

impl<G: Notation> Table<'_, G> {
    fn play(&mut self, m: G::Move) {
        self.moves.push(self.game.move_text(self.played.state(), m));
        self.played.play(self.game, m);
    }
}

/// What a panic says.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}
