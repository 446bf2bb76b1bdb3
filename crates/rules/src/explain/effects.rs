//! Phrases for effects and results.

use super::Speaker;
use super::conditions::amount;
use super::nouns::{a, list, plural, possessive};
use super::sets::Phrase;
use crate::board::Site;
use crate::tree::{Effect, Num, Outcome, Set, Settled, Side, Who};

type EffectOf = Effect<Vec<Site>>;

impl Speaker<'_> {
    /// Clauses for several effects. Each could be a sentence.
    pub(super) fn effects(&self, effects: &[EffectOf]) -> Vec<String> {
        effects.iter().map(|effect| self.effect(effect)).collect()
    }

    /// Clause for one effect.
    pub(super) fn effect(&self, effect: &EffectOf) -> String {
        let mover = &self.voice.mover;
        match effect {
            Effect::Capture(set) => format!("this captures {}", self.pieces_on(set)),
            Effect::Flip(set) => {
                format!("this turns {} into {} own", self.pieces_on(set), possessive(mover))
            }
            Effect::Put(side, kind, set) => {
                let noun = self.kind(Some(*kind));
                let whose = match side {
                    Side::Neutral | Side::Of(Who::Mover) => String::new(),
                    Side::Of(who) => format!(" of {}", self.who(*who)),
                };
                // The site that a piece leaves is empty, and so are free sites; other sites may
                // hold pieces.
                let free = matches!(set, Set::From) || set.is_free();
                match self.phrase(set) {
                    Phrase::Whole(text) => {
                        let only = if free { "" } else { " if that is empty" };
                        format!("{}{whose} is put on {text}{only}", a(&noun))
                    }
                    phrase => {
                        let only = if free { "" } else { " that are empty" };
                        let sites = phrase.many(self.site());
                        let sites = sites.trim_start_matches("all ");
                        format!("{}{whose} are put on all {sites}{only}", plural(&noun))
                    }
                }
            }
            Effect::Become(kind) => {
                format!("{} becomes {}", self.actor(), a(&self.kind(Some(*kind))))
            }
            Effect::Add(n, who) => {
                let who = self.who(*who);
                match n {
                    Num::Int(n) if *n < 0 => format!("{who} loses {}", amount(-n, "point")),
                    Num::Int(n) => format!("{who} scores {}", amount(*n, "point")),
                    Num::Made(family, set) => format!(
                        "{who} scores a point for every {} that it makes",
                        self.pattern(*family, &self.made_of(*family, set))
                    ),
                    Num::Count(set) => format!(
                        "{who} scores a point for every {}",
                        self.phrase(set).counted(self.site(), false)
                    ),
                    n => format!("{who} scores as many points as {}", self.num(n)),
                }
            }
            Effect::Again => format!("{mover} moves again"),
            Effect::If(cond, effects) => {
                let when = self.cond(cond, true);
                let actor = self.actor();
                let effects: Vec<String> = effects
                    .iter()
                    .map(|effect| match effect {
                        // The condition has already named the piece, pits or player, so the clause
                        // refers back.
                        Effect::Become(kind) if when.starts_with(&actor) => {
                            format!("it becomes {}", a(&self.kind(Some(*kind))))
                        }
                        Effect::Collect(set @ Set::Back(..))
                            if when.contains(&self.in_pits(set)) =>
                        {
                            format!("{mover} takes the seeds of that run into its store")
                        }
                        Effect::Again if when.starts_with(mover.as_str()) => {
                            "it moves again".to_owned()
                        }
                        effect => self.effect(effect),
                    })
                    .collect();
                format!("if {when}, {}", list(&effects, "and"))
            }
            Effect::Collect(set) => {
                let sites = self.in_pits(set);
                format!("{mover} takes the seeds of {sites} into its store")
            }
            Effect::Claim(set) => {
                format!("{mover} claims {} and takes the seeds there", self.in_pits(set))
            }
            Effect::Sweep => "each player takes the seeds of its row into its store".to_owned(),
        }
    }

    /// Clause for a result, such as `the player wins`.
    pub(super) fn outcome(&self, outcome: &Outcome<Vec<Site>>) -> String {
        match outcome {
            Outcome::Win(who) => format!("{} wins", self.who(*who)),
            Outcome::Lose(who) => format!("{} loses", self.who(*who)),
            Outcome::Draw => "the game is a draw".to_owned(),
            Outcome::Most(n) => self.compared(n, true),
            Outcome::Least(n) => self.compared(n, false),
        }
    }

    fn compared(&self, n: &Num<Vec<Site>>, most: bool) -> String {
        let more = if most { "more" } else { "fewer" };
        let pits = self.program.board.is_pits();
        let short = match n {
            Num::Score(Who::Mover) if pits => Some(format!("with {more} seeds in its store")),
            Num::Score(Who::Mover) => Some(format!("with {more} points")),
            Num::Count(Set::Mine(kind)) if !pits => {
                Some(format!("with {more} {} on the board", plural(&self.kind(*kind))))
            }
            Num::Largest(Set::Mine(kind)) if !pits => {
                let size = if most { "larger" } else { "smaller" };
                let of = plural(&self.kind(*kind));
                Some(format!("whose largest group of {of} is {size}"))
            }
            _ => None,
        };
        let whose = short.unwrap_or_else(|| {
            let its = self.with_voice(super::Voice::of("it"));
            let greater = if most { "greater" } else { "less" };
            format!("for which {} is {greater}", its.num(n))
        });
        format!("the player {whose} wins, and if both have the same the game is a draw")
    }

    /// One clause for effects followed by a result.
    pub(super) fn settled(&self, settled: &Settled<Vec<Site>>) -> String {
        let mut clauses = self.effects(&settled.effects);
        clauses.push(self.outcome(&settled.outcome));
        match &clauses[..] {
            [only] => only.clone(),
            all => {
                let (last, before) = all.split_last().expect("there is one");
                format!("{}; then {last}", list(before, "and"))
            }
        }
    }
}
