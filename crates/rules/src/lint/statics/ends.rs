//! Lints of the end of a game: whether the game can end, and whether each rule of `end` can hold:
//! W3, W4 and W6.

use treegauge_core::Player;

use super::reach::{Reach, is_none, players_of};
use crate::board::Site;
use crate::lint::Warning;
use crate::lint::walk::{Found, Item, section};
use crate::tree::{Cond, Effect, Program, Set, Verb};

pub(super) fn warnings(program: &Program, found: &[Found<'_>], reach: &Reach) -> Vec<Warning> {
    let mut warnings = Vec::new();
    warnings.extend(endless(program));
    let checker = Checker { program, reach };
    for part in found {
        let Item::Rule(n) = part.item else { continue };
        let rule = &program.body.end[n];
        let players = players_of(&rule.when);
        let reason = match &players[..] {
            [] => Some("no player is meant by it".to_owned()),
            players => checker.never(&rule.when, players),
        };
        if let Some(reason) = reason {
            let message = format!("this rule can never hold: {reason}");
            warnings.push(Warning::new("W6", part.place(), message));
        }
    }
    warnings
}

/// Warning that a game may go on until a limit stops it.
fn endless(program: &Program) -> Option<Warning> {
    let is_piece =
        |set: &Set<_>| matches!(set, Set::Theirs(_) | Set::Mine(_) | Set::Occupied | Set::Piece(_));
    // If every move captures and none adds a piece, the number of pieces falls with every move.
    let always_captures = program.all_movers().iter().all(|mover| match &mover.verb {
        Verb::Step(_) | Verb::Slide(..) | Verb::Leap(_) | Verb::Fly | Verb::Ride(_) => {
            is_piece(&mover.to)
        }
        Verb::Hop { over, .. } => {
            is_piece(over) && mover.then.contains(&Effect::Capture(Set::Over))
        }
        Verb::Remove => true,
        _ => false,
    });
    let captures = always_captures && !program.flow().enter;
    let runs_out = Player::BOTH.into_iter().any(|player| program.runs_out(player));
    let always_ends = program.always_adds() || program.must_end();
    if !program.is_cyclic() || captures || runs_out || always_ends {
        return None;
    }
    // Being stuck is a proper end if the text names its result. Random games show whether it
    // occurs.
    if section(program, "end").rest().is_empty() {
        return Some(Warning::new(
            "W3",
            section(program, "end").place,
            "no rule ends this game: it goes on until a player cannot move, a position comes back or a limit \
             stops it",
        ));
    }
    let limited = program.body.quiet.is_some() || program.body.repetition.is_some();
    (!limited && program.cap.is_none()).then(|| {
        Warning::remark(
            "W4",
            section(program, "end").place,
            "this game may go on for ever: only a position that comes back or the cap stops it; `(limits \
             (quiet 100))` would too",
        )
    })
}

struct Checker<'p> {
    program: &'p Program,
    reach: &'p Reach,
}

impl Checker<'_> {
    /// Reason why a condition can never hold for any of `players`; `None` if it may hold.
    fn never(&self, cond: &Cond<Vec<Site>>, players: &[Player]) -> Option<String> {
        let program = self.program;
        let board = &program.board;
        let most = |set: &Set<Vec<Site>>, player| self.reach.most(program, set, player);
        match cond {
            Cond::And(parts) => parts.iter().find_map(|part| self.never(part, players)),
            Cond::Or(parts) => {
                let reasons: Option<Vec<String>> =
                    parts.iter().map(|part| self.never(part, players)).collect();
                reasons.map(|reasons| reasons.join(", and "))
            }
            Cond::None(set @ (Set::Mine(None) | Set::Theirs(None))) if !board.is_pits() => {
                let flow = program.flow();
                let flips = program.flips();
                let there = Player::BOTH
                    .iter()
                    .all(|&player| program.start.iter().any(|put| put.player == Some(player)));
                let whose = if *set == Set::Mine(None) { "the mover's" } else { "the opponent's" };
                (there && !flow.leave && !flips)
                    .then(|| format!("no move captures, so that {whose} pieces stay"))
            }
            Cond::Some(Set::Taken) => {
                let flow = program.flow();
                (!flow.leave && !program.flips()).then(|| "no move captures or flips".to_owned())
            }
            Cond::In(Set::To, within) if !board.is_pits() => {
                let never = players.iter().all(|&player| {
                    let arrives = self.reach.arrivals(board, player);
                    let within = most(within, player);
                    !arrives.iter().zip(&within).any(|(&a, &b)| a && b)
                });
                never.then(|| "no move brings a piece there".to_owned())
            }
            Cond::In(set, within) if !board.is_pits() => {
                let never = players.iter().all(|&player| {
                    let (set, within) = (most(set, player), most(within, player));
                    !set.iter().zip(&within).any(|(&a, &b)| a && b)
                });
                never.then(|| "no piece can come there".to_owned())
            }
            Cond::Makes(family, set) if !board.is_pits() => {
                let never = players.iter().all(|&player| {
                    let set = most(set, player);
                    let can = |sites: &[Site]| sites.iter().all(|&site| set[site as usize]);
                    !program.families[*family].sets.iter().any(|(sites, _)| can(sites))
                });
                never.then(|| "the pieces cannot come to its sites".to_owned())
            }
            Cond::Connects(set, ends) if !board.is_pits() => {
                let never = players.iter().all(|&player| {
                    let set = most(set, player);
                    ends.iter().any(|end| {
                        let end = most(end, player);
                        !set.iter().zip(&end).any(|(&a, &b)| a && b)
                    })
                });
                never.then(|| "the pieces cannot touch all of these".to_owned())
            }
            Cond::Some(set) if !board.is_pits() => {
                let never = players.iter().all(|&player| is_none(&most(set, player)));
                never.then(|| "the set is always empty".to_owned())
            }
            _ => None,
        }
    }
}
