//! Reference interpreter: the definition of the language, slow and written to be read.
//!
//! It plays directly on the typed tree with lists and tables, one site at a time. Tests check that
//! fast play agrees with it: the same moves, the same positions after them, the same results.

mod effects;
mod expressions;
mod moves;

use std::collections::BTreeSet;
use std::sync::Arc;

use treegauge_core::{Outcome as GameOutcome, Player};

use crate::board::Site;
use crate::layout::{Layout, MOVES_MAX};
use crate::position::Position;
use crate::tree::{Program, Settled, Stuck};

type Sites = BTreeSet<Site>;

/// Legal move: its text, the position after it, and whether it is irreversible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Played {
    pub(crate) text: String,
    pub(crate) after: Position,
    /// Whether the move is progress, which restarts the count of `quiet`.
    pub(crate) progress: bool,
    /// Movers of the parts of the move, by their indices.
    pub(crate) movers: Vec<usize>,
}

/// Interpreter of one program.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub(crate) program: Arc<Program>,
    hops_max: usize,
    /// Largest number of evaluations of `only-if` in one ply.
    asked_max: u32,
}

/// Position in the middle of a move.
#[derive(Clone, Debug)]
struct Moment {
    at: Position,
    mover: Player,
    to: Sites,
    from: Sites,
    over: Sites,
    taken: Sites,
    again: bool,
    progress: bool,
    text: String,
    movers: Vec<usize>,
}

impl Reference {
    pub(crate) fn new(program: Arc<Program>) -> Reference {
        let layout = Layout::of(&program);
        let (hops_max, asked_max) =
            layout.map_or((1, 0), |layout| (layout.hops_max, layout.asked_max));
        Reference { program, hops_max, asked_max }
    }

    fn moment(&self, at: &Position, mover: Player) -> Moment {
        Moment {
            at: at.clone(),
            mover,
            to: Sites::new(),
            from: Sites::new(),
            over: Sites::new(),
            taken: Sites::new(),
            again: false,
            progress: false,
            text: String::new(),
            movers: Vec::new(),
        }
    }

    /// Legal moves of a position, or its result if the game is over. One method returns both,
    /// because either needs all moves.
    pub(crate) fn moves(&self, at: &Position) -> Result<Vec<Played>, GameOutcome> {
        if let Some(outcome) = at.result {
            return Err(outcome);
        }
        let moves = self.complete(at, at.turn);
        if !moves.is_empty() {
            return Ok(moves);
        }
        match &self.program.body.stuck {
            Stuck::Ends(settled) => Err(self.settle(at, settled)),
            Stuck::Pass(outcome) => {
                let after = self.passed(at);
                if self.complete(&after, at.turn.other()).is_empty() {
                    return Err(self.result(&self.moment(at, at.turn), outcome));
                }
                let text = "pass".to_owned();
                Ok(vec![Played { text, after, progress: false, movers: Vec::new() }])
            }
        }
    }

    /// Result of a game that a limit ends: its effects are applied, then its result is evaluated.
    pub(crate) fn settle(&self, at: &Position, settled: &Settled<Vec<Site>>) -> GameOutcome {
        let mut moment = self.moment(at, at.turn);
        self.effects(&mut moment, &settled.effects);
        self.result(&moment, &settled.outcome)
    }

    /// Position after a player who is stuck has passed.
    fn passed(&self, at: &Position) -> Position {
        let mut after = at.clone();
        self.next_turn(&mut after, false);
        after
    }

    fn next_turn(&self, at: &mut Position, again: bool) {
        let plies = u32::from(at.plies) + 1;
        at.plies = plies.min(self.program.memory.plies) as u16;
        if again {
            return;
        }
        match &self.program.turns {
            None => at.turn = at.turn.other(),
            Some(turns) => {
                at.place = turns.after(usize::from(at.place)) as u8;
                at.turn = turns.seats[usize::from(at.place)];
            }
        }
    }

    /// All moves that `play` describes for a player.
    fn complete(&self, at: &Position, mover: Player) -> Vec<Played> {
        let start = self.moment(at, mover);
        let mut played: Vec<Played> = Vec::new();
        let mut texts = BTreeSet::new();
        let found = self.play(&start, &self.program.body.play);
        let mut asked = 0;
        let within = found.into_iter().take_while(|found| {
            asked += u32::from(found.is_none());
            asked <= self.asked_max
        });
        for mut moment in within.flatten().take(MOVES_MAX) {
            // Two moves with the same text count as one; the first described counts.
            if !texts.insert(moment.text.clone()) {
                continue;
            }
            self.finish(&mut moment);
            let Moment { text, at: after, progress, movers, .. } = moment;
            played.push(Played { text, after, progress, movers });
        }
        played
    }

    /// Applies the rules of `end` after a move, and passes the turn.
    fn finish(&self, moment: &mut Moment) {
        for rule in &self.program.body.end {
            if self.cond(moment, &rule.when) {
                self.effects(moment, &rule.settled.effects);
                moment.at.result = Some(self.result(moment, &rule.settled.outcome));
                break;
            }
        }
        self.next_turn(&mut moment.at, moment.again);
    }
}
