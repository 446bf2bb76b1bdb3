//! Simplification of programs: constants are computed, and equivalent expressions get one form.

use crate::board::{Board, Site};
use crate::terms::Map;
use crate::tree::{
    Body, Compare, Cond, Effect, Mover, Moves, Num, Outcome, Owner, Program, Rule, Set, Settled,
    Verb, Who,
};

type Sites = Vec<Site>;

const YES: Cond<Sites> = Cond::And(Vec::new());
const NO: Cond<Sites> = Cond::Or(Vec::new());

/// Simplifies a program without changing its play.
pub(super) fn folded(program: &Program) -> Program {
    let fold = Fold { board: &program.board, only: only_kind(program) };
    let body = &program.body;
    let mut end = Vec::new();
    for rule in &body.end {
        let when = fold.cond(&rule.when);
        if when == NO {
            continue;
        }
        let always = when == YES;
        end.push(Rule { when, settled: rule.settled.map(&fold) });
        if always {
            break;
        }
    }
    let repetition = body.repetition.as_ref().map(|settled| settled.map(&fold));
    let drawn = |settled: &Settled<Sites>| settled.outcome == Outcome::Draw;
    let body = Body {
        play: fold.moves(&body.play),
        end,
        stuck: body.stuck.map(&fold),
        quiet: body.quiet.as_ref().map(|(plies, settled)| (*plies, settled.map(&fold))),
        // Repetition is a draw by default.
        repetition: repetition.filter(|settled| !drawn(settled)),
    };
    let turns = program.turns.as_ref().and_then(super::least_turns);
    Program { body, turns, ..program.clone() }
}

/// The only kind of pieces, if players own it; `None` if there are other kinds.
fn only_kind(program: &Program) -> Option<u8> {
    let owned = |kind: &u8| program.kinds[*kind as usize].owner != Owner::Neutral;
    let mut kinds = (0..program.kinds.len() as u8).filter(owned);
    let only = kinds.next()?;
    (kinds.next().is_none() && program.kinds.len() == 1).then_some(only)
}

struct Fold<'p> {
    board: &'p Board,
    /// The only kind of pieces, from [`only_kind`].
    only: Option<u8>,
}

impl Fold<'_> {
    fn constant(&self, set: &Set<Sites>, player: usize) -> Option<Sites> {
        match set {
            Set::Const(of) => Some(of[player].clone()),
            _ => None,
        }
    }

    /// Computes a set from constant ones, for each player; `None` if some set is not constant.
    fn compute(&self, sets: &[Set<Sites>], of: impl Fn(&[Sites]) -> Sites) -> Option<Set<Sites>> {
        let mut found = [Vec::new(), Vec::new()];
        for (player, found) in found.iter_mut().enumerate() {
            let sets: Option<Vec<Sites>> =
                sets.iter().map(|set| self.constant(set, player)).collect();
            *found = sorted(of(&sets?));
        }
        Some(Set::Const(found))
    }

    /// Flattens nested lists of the same kind, and merges the constants into one.
    fn flat(
        &self,
        sets: &[Set<Sites>],
        within: impl Fn(Set<Sites>) -> Result<Vec<Set<Sites>>, Set<Sites>>,
        of: impl Fn(&[Sites]) -> Sites,
    ) -> Vec<Set<Sites>> {
        let (mut constants, mut others) = (Vec::new(), Vec::new());
        for set in sets {
            let parts = within(self.set(set)).unwrap_or_else(|one| vec![one]);
            for part in parts {
                let list = if matches!(part, Set::Const(_)) { &mut constants } else { &mut others };
                if !list.contains(&part) {
                    list.push(part);
                }
            }
        }
        if let Some(constant) = (!constants.is_empty()).then(|| self.compute(&constants, of)) {
            others.extend(constant);
        }
        others
    }

    fn meet(&self, sets: &[Set<Sites>]) -> Set<Sites> {
        let within = |set| match set {
            Set::And(sets) => Ok(sets),
            other => Err(other),
        };
        let common = |sets: &[Sites]| {
            sets[0].iter().copied().filter(|site| sets.iter().all(|s| s.contains(site))).collect()
        };
        let mut sets = self.flat(sets, within, common);
        let nothing = Set::Const([Vec::new(), Vec::new()]);
        if sets.contains(&nothing) {
            return nothing;
        }
        let all: Sites = self.board.sites().collect();
        let everything = Set::Const([all.clone(), all]);
        if sets.len() > 1 {
            sets.retain(|set| *set != everything);
        }
        if sets.len() == 1 { sets.swap_remove(0) } else { Set::And(sets) }
    }

    fn join(&self, sets: &[Set<Sites>]) -> Set<Sites> {
        let within = |set| match set {
            Set::Or(sets) => Ok(sets),
            other => Err(other),
        };
        let together = |sets: &[Sites]| sets.concat();
        let mut sets = self.flat(sets, within, together);
        let all: Sites = self.board.sites().collect();
        let everything = Set::Const([all.clone(), all]);
        if sets.contains(&everything) {
            return everything;
        }
        let nothing = Set::Const([Vec::new(), Vec::new()]);
        if sets.len() > 1 {
            sets.retain(|set| *set != nothing);
        }
        if sets.len() == 1 { sets.swap_remove(0) } else { Set::Or(sets) }
    }

    /// Conjunction of conditions if `all` is set, otherwise their disjunction.
    fn joined(&self, parts: &[Cond<Sites>], all: bool) -> Cond<Sites> {
        let mut found: Vec<Cond<Sites>> = Vec::new();
        for part in parts {
            match self.cond(part) {
                Cond::Or(parts) if all && parts.is_empty() => return NO,
                Cond::And(parts) if !all && parts.is_empty() => return YES,
                Cond::And(parts) if all => found.extend(parts),
                Cond::Or(parts) if !all => found.extend(parts),
                one => found.push(one),
            }
        }
        match found.len() {
            1 => found.swap_remove(0),
            _ if all => Cond::And(found),
            _ => Cond::Or(found),
        }
    }

    fn moves(&self, moves: &Moves<Sites>) -> Moves<Sites> {
        let list = |parts: &[Moves<Sites>]| -> Vec<_> {
            parts.iter().map(|part| self.moves(part)).collect()
        };
        match moves {
            Moves::Mover(mover) => Moves::Mover(Box::new(self.mover(mover))),
            Moves::Or(parts) => {
                let within = |part| match part {
                    Moves::Or(parts) => parts,
                    one => vec![one],
                };
                Moves::Or(list(parts).into_iter().flat_map(within).collect())
            }
            Moves::FirstOf(parts) => {
                let within = |part| match part {
                    Moves::FirstOf(parts) => parts,
                    one => vec![one],
                };
                Moves::FirstOf(list(parts).into_iter().flat_map(within).collect())
            }
            Moves::Seq(parts) => Moves::Seq(list(parts)),
            Moves::If(cond, yes, no) => {
                let cond = self.cond(cond);
                let (yes, no) = (self.moves(yes), no.as_ref().map(|no| self.moves(no)));
                match (cond == YES, cond == NO, no) {
                    (true, _, _) => yes,
                    (_, true, Some(no)) => no,
                    (.., no) => Moves::If(cond, Box::new(yes), no.map(Box::new)),
                }
            }
        }
    }

    fn mover(&self, mover: &Mover<Sites>) -> Mover<Sites> {
        let only_if = mover.only_if.as_ref().map(|cond| self.cond(cond));
        let kind = match mover.verb {
            Verb::Place => mover.kind,
            _ => mover.kind.filter(|_| self.only.is_none()),
        };
        Mover {
            id: 0,
            verb: mover.verb.map(self),
            kind,
            to: self.set(&mover.to),
            then: self.effects(&mover.then),
            only_if: only_if.filter(|cond| *cond != YES),
        }
    }
}

impl Map<Sites, Sites> for Fold<'_> {
    fn sites(&self, sites: &Sites) -> Sites {
        let mut sites = sites.clone();
        sites.sort_unstable();
        sites
    }

    fn set(&self, set: &Set<Sites>) -> Set<Sites> {
        match set {
            Set::Mine(kind) => Set::Mine(kind.filter(|_| self.only.is_none())),
            Set::Theirs(kind) => Set::Theirs(kind.filter(|_| self.only.is_none())),
            Set::Piece(kind) if self.only == Some(*kind) && !self.board.is_pits() => Set::Occupied,
            Set::And(sets) => self.meet(sets),
            Set::Or(sets) => self.join(sets),
            Set::Not(set) => match self.set(set) {
                // Stores are not sites of play, so a double negation on a board of pits does not
                // cancel out.
                Set::Not(inner) if !self.board.is_pits() => *inner,
                inner => {
                    let playing = self.board.playing();
                    let all_but = |sets: &[Sites]| {
                        playing.iter().copied().filter(|site| !sets[0].contains(site)).collect()
                    };
                    let constant = self.compute(std::slice::from_ref(&inner), all_but);
                    constant.unwrap_or_else(|| Set::Not(Box::new(inner)))
                }
            },
            Set::FirstOf(sets) if sets.len() == 1 => self.set(&sets[0]),
            Set::Back(set, numbers) => Set::Back(Box::new(self.set(set)), sorted(numbers.clone())),
            other => other.map_parts(self),
        }
    }

    fn num(&self, num: &Num<Sites>) -> Num<Sites> {
        match num {
            Num::Count(set) => match self.set(set) {
                Set::Const([a, b]) if a.len() == b.len() => Num::Int(a.len() as i32),
                set => Num::Count(set),
            },
            Num::Add(parts) => {
                let (mut sum, mut others) = (0i32, Vec::new());
                for part in parts {
                    let parts = match self.num(part) {
                        Num::Add(parts) => parts,
                        one => vec![one],
                    };
                    for part in parts {
                        match part {
                            // Sums saturate, so a sum that would overflow is kept as it is.
                            Num::Int(n) if sum.checked_add(n).is_some() => sum += n,
                            other => others.push(other),
                        }
                    }
                }
                if sum != 0 || others.is_empty() {
                    others.push(Num::Int(sum));
                }
                if others.len() == 1 { others.swap_remove(0) } else { Num::Add(others) }
            }
            Num::Sub(a, b) => match (self.num(a), self.num(b)) {
                (Num::Int(a), Num::Int(b)) => Num::Int(a.saturating_sub(b)),
                (a, Num::Int(0)) => a,
                (a, b) => Num::Sub(Box::new(a), Box::new(b)),
            },
            other => other.map_parts(self),
        }
    }

    fn cond(&self, cond: &Cond<Sites>) -> Cond<Sites> {
        match cond {
            Cond::Compare(how, a, b) => compared(*how, self.num(a), self.num(b)),
            Cond::Some(set) => some(self.set(set)),
            Cond::None(set) => not(some(self.set(set))),
            Cond::Is(a, b) => match (a, b) {
                (a, b) if a == b => YES,
                (Who::Mover, Who::Opponent) | (Who::Opponent, Who::Mover) => NO,
                (Who::First, Who::Second) | (Who::Second, Who::First) => NO,
                // The four forms ask the same question: whether the mover is the first player.
                (a, b) => {
                    let turned = |who: &Who| matches!(who, Who::Opponent | Who::Second);
                    let who = if turned(a) == turned(b) { Who::First } else { Who::Second };
                    Cond::Is(Who::Mover, who)
                }
            },
            Cond::Not(cond) => not(self.cond(cond)),
            Cond::Even(n) => match self.num(n) {
                Num::Int(n) if n % 2 == 0 => YES,
                Num::Int(_) => NO,
                n => Cond::Even(n),
            },
            Cond::And(parts) => self.joined(parts, true),
            Cond::Or(parts) => self.joined(parts, false),
            other => other.map_parts(self),
        }
    }

    fn effects(&self, effects: &[Effect<Sites>]) -> Vec<Effect<Sites>> {
        let mut found = Vec::new();
        for effect in effects {
            match effect {
                Effect::If(cond, effects) => {
                    let (cond, effects) = (self.cond(cond), self.effects(effects));
                    if cond == YES {
                        found.extend(effects);
                    } else if cond != NO && !effects.is_empty() {
                        found.push(Effect::If(cond, effects));
                    }
                }
                other => found.push(other.map_parts(self)),
            }
        }
        found
    }

    fn outcome(&self, outcome: &Outcome<Sites>) -> Outcome<Sites> {
        match outcome {
            Outcome::Lose(who) => Outcome::Win(who.other()),
            other => other.map_parts(self),
        }
    }
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort_unstable();
    list.dedup();
    list
}

fn some(set: Set<Sites>) -> Cond<Sites> {
    match &set {
        Set::Const([a, b]) if a.is_empty() == b.is_empty() => {
            if a.is_empty() {
                NO
            } else {
                YES
            }
        }
        _ => Cond::Some(set),
    }
}

fn not(cond: Cond<Sites>) -> Cond<Sites> {
    match cond {
        Cond::Not(inner) => *inner,
        Cond::And(parts) if parts.is_empty() => NO,
        Cond::Or(parts) if parts.is_empty() => YES,
        Cond::Is(a, Who::First) => Cond::Is(a, Who::Second),
        Cond::Is(a, Who::Second) => Cond::Is(a, Who::First),
        other => Cond::Not(Box::new(other)),
    }
}

/// Expresses a comparison by equality or less-than only, and a test for an empty count as a test
/// for an empty set.
fn compared(how: Compare, a: Num<Sites>, b: Num<Sites>) -> Cond<Sites> {
    use Num::{Count, Int};
    if let (Int(a), Int(b)) = (&a, &b) {
        return if how.holds(*a, *b) { YES } else { NO };
    }
    if a == b {
        return if how.holds(0, 0) { YES } else { NO };
    }
    let less = |a, b| Cond::Compare(Compare::Less, a, b);
    match (how, a, b) {
        (Compare::Equal, Count(set), Int(0)) | (Compare::Equal, Int(0), Count(set)) => {
            not(some(set))
        }
        (Compare::Less, Count(set), Int(1)) | (Compare::AtMost, Count(set), Int(0)) => {
            not(some(set))
        }
        (Compare::Greater, Int(1), Count(set)) | (Compare::AtLeast, Int(0), Count(set)) => {
            not(some(set))
        }
        (Compare::Greater, Count(set), Int(0)) | (Compare::AtLeast, Count(set), Int(1)) => {
            some(set)
        }
        (Compare::Less, Int(0), Count(set)) | (Compare::AtMost, Int(1), Count(set)) => some(set),
        (Compare::Greater, Num::Made(family, set), Int(0))
        | (Compare::AtLeast, Num::Made(family, set), Int(1))
        | (Compare::Less, Int(0), Num::Made(family, set))
        | (Compare::AtMost, Int(1), Num::Made(family, set)) => Cond::Makes(family, set),
        (Compare::Less, a, b) | (Compare::Greater, b, a) => less(a, b),
        // For whole numbers, at most n means less than n + 1.
        (Compare::AtMost, a, Int(n)) | (Compare::AtLeast, Int(n), a) if n < i32::MAX => {
            less(a, Int(n + 1))
        }
        (Compare::AtMost, Int(n), a) | (Compare::AtLeast, a, Int(n)) if n > i32::MIN => {
            less(Int(n - 1), a)
        }
        (Compare::AtMost, a, b) | (Compare::AtLeast, b, a) => not(less(b, a)),
        (Compare::Equal, a, b) => Cond::Compare(Compare::Equal, a, b),
    }
}
