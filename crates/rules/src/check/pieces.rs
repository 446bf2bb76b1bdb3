//! Checks of the section `pieces`.

use treegauge_core::Player;

use super::Checker;
use super::options::is_word;
use crate::error::Mistake;
use crate::reader::{Is, Node};
use crate::tree::{KindOf, Owner};

/// Largest number of kinds of pieces that players own, and of neutral kinds.
const KINDS_MAX: usize = 4;

impl Checker<'_> {
    pub(super) fn pieces(&mut self, section: &Node) -> Vec<KindOf> {
        let mut kinds: Vec<KindOf> = Vec::new();
        let pattern = "a kind is written `(man each)` or `(man each (hand 9))`";
        for node in section.rest() {
            let parts = match &node.is {
                Is::List(parts) if (2..=3).contains(&parts.len()) => parts,
                _ => {
                    self.mistake(
                        Mistake::new(node.place, "this is not a kind of piece").hint(pattern),
                    );
                    continue;
                }
            };
            let Is::Word(name) = &parts[0].is else {
                self.mistake(
                    Mistake::new(parts[0].place, "a kind begins with its name").hint(pattern),
                );
                continue;
            };
            if is_word(name) || !name.starts_with(|c: char| c.is_ascii_lowercase()) {
                let message = format!("`{name}` is a word, so it cannot name a kind of piece");
                self.mistake(Mistake::new(parts[0].place, message));
                continue;
            }
            if kinds.iter().any(|kind| kind.name == *name) {
                let message = format!("there is a second kind `{name}`");
                self.mistake(Mistake::new(parts[0].place, message));
                continue;
            }
            let owners = ["each", "first", "second", "neutral"];
            let owner = match parts[1].head() {
                Some("each") => Owner::Each,
                Some("first") => Owner::Only(Player::First),
                Some("second") => Owner::Only(Player::Second),
                Some("neutral") => Owner::Neutral,
                other => {
                    let other = other.unwrap_or_default();
                    let mistake =
                        Mistake::new(parts[1].place, format!("`{other}` cannot own pieces"))
                            .near(other, owners)
                            .hint("owners are each, first, second and neutral");
                    self.mistake(mistake);
                    continue;
                }
            };
            let mut hand = None;
            if let Some(part) = parts.get(2) {
                if part.head() != Some("hand") || part.rest().len() != 1 {
                    self.mistake(
                        Mistake::new(part.place, "only a hand can follow here").hint(pattern),
                    );
                    continue;
                }
                let Some(n) = self.int_in(&part.rest()[0], "a hand", 0, 255) else { continue };
                if owner == Owner::Neutral {
                    self.mistake(Mistake::new(part.place, "a neutral kind cannot be in a hand"));
                    continue;
                }
                hand = Some(n as u8);
            }
            kinds.push(KindOf { name: name.clone(), owner, hand });
        }
        for neutral in [false, true] {
            let count = kinds.iter().filter(|k| (k.owner == Owner::Neutral) == neutral).count();
            if count > KINDS_MAX {
                let who = if neutral { "neutral kinds" } else { "kinds that players own" };
                let message = format!("there are {count} {who}, and {KINDS_MAX} are the most");
                self.mistake(Mistake::new(section.place, message));
            }
        }
        kinds
    }
}
