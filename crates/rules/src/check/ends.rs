//! Checks of the sections `end` and `limits`.

use super::{Checker, Sites, When};
use crate::error::Mistake;
use crate::reader::Node;
use crate::tree::{Outcome, Rule, Settled, Stuck};
use crate::words::Int;

/// Contents of the section `limits`.
#[derive(Default)]
pub(super) struct Limits {
    pub(super) quiet: Option<(u32, Settled<Sites>)>,
    pub(super) repetition: Option<Settled<Sites>>,
    pub(super) cap: Option<u32>,
}

impl Checker<'_> {
    pub(super) fn end(&mut self, section: &Node) -> (Vec<Rule<Sites>>, Option<Stuck<Sites>>) {
        let (mut rules, mut stuck) = (Vec::new(), None);
        for node in section.rest() {
            match node.head() {
                Some("if") if node.rest().len() >= 2 => {
                    let rest = node.rest();
                    let when = self.cond(&rest[0], When::OfMove);
                    let settled = self.settled(&rest[1..]);
                    if let (Some(when), Some(settled)) = (when, settled) {
                        self.rule_places.push((node.place, node.text()));
                        rules.push(Rule { when, settled });
                    }
                }
                Some("stuck") if stuck.is_none() && !node.rest().is_empty() => {
                    stuck = self.stuck(node);
                }
                Some("stuck") if stuck.is_some() => {
                    self.mistake(Mistake::new(node.place, "there is a second `stuck`"));
                }
                _ => {
                    self.mistake(
                        Mistake::new(node.place, "an end has rules with if, and perhaps stuck")
                            .hint("for example (if (none theirs) (win mover)), (stuck draw)"),
                    );
                }
            }
        }
        (rules, stuck)
    }

    /// Parses effects followed by a result.
    fn settled(&mut self, nodes: &[Node]) -> Option<Settled<Sites>> {
        let (last, effects) = nodes.split_last()?;
        let effects = self.effects(effects);
        let outcome = self.result(last);
        Some(Settled { effects: effects?, outcome: outcome? })
    }

    fn stuck(&mut self, node: &Node) -> Option<Stuck<Sites>> {
        let rest = node.rest();
        if rest[0].head() == Some("pass") {
            return match rest {
                [] | [_] => Some(Stuck::Pass(Outcome::Draw)),
                [_, result] => Some(Stuck::Pass(self.result(result)?)),
                [_, _, more, ..] => {
                    self.fail(Mistake::new(more.place, "only a result can follow `pass`"))
                }
            };
        }
        Some(Stuck::Ends(self.settled(rest)?))
    }

    pub(super) fn limits(&mut self, section: &Node) -> Limits {
        let mut limits = Limits::default();
        self.each_once(&section.rest().iter().collect::<Vec<_>>(), &["quiet", "repetition", "cap"]);
        for node in section.rest() {
            let rest = node.rest();
            match node.head() {
                Some("quiet") if !rest.is_empty() => {
                    let n = self.int_of(&rest[0], Int::Quiet);
                    let settled = if rest.len() == 1 {
                        Some(Settled { effects: Vec::new(), outcome: Outcome::Draw })
                    } else {
                        self.settled(&rest[1..])
                    };
                    limits.quiet = n.map(|n| n as u32).zip(settled);
                }
                Some("repetition") if !rest.is_empty() => {
                    limits.repetition = self.settled(rest);
                }
                Some("cap") if rest.len() == 1 => {
                    let n = self.int_in(&rest[0], "a number of plies", 1, 1_000_000);
                    limits.cap = n.map(|n| n as u32);
                }
                _ => {
                    self.mistake(
                        Mistake::new(node.place, "limits are quiet, repetition and cap")
                            .hint("for example (quiet 100), (repetition draw), (cap 500)"),
                    );
                }
            }
        }
        limits
    }
}
