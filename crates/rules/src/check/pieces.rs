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
        let pattern =
            "a kind is written `(man each)`, `(man each (hand 9))` or `(man each (letter m))`";
        for node in section.rest() {
            let parts = match &node.is {
                Is::List(parts) if (2..=4).contains(&parts.len()) => parts,
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
                    let message = match other {
                        "" => format!("the owner of `{name}` is missing"),
                        _ => format!("`{other}` cannot own pieces"),
                    };
                    let mistake = Mistake::new(parts[1].place, message)
                        .near(other, owners)
                        .hint("owners are each, first, second and neutral");
                    self.mistake(mistake);
                    continue;
                }
            };
            let (mut hand, mut letter) = (None, None);
            for part in &parts[2..] {
                match part.head() {
                    Some("hand") if hand.is_none() => hand = self.hand_of(part, owner),
                    Some("letter") if letter.is_none() => letter = self.letter_of(part),
                    Some(twice @ ("hand" | "letter")) => {
                        let message = format!("there is a second `{twice}`");
                        self.mistake(Mistake::new(part.place, message));
                    }
                    other => {
                        let message = "only a hand or a letter can follow here";
                        let mistake = Mistake::new(part.place, message);
                        let near = mistake.near(other.unwrap_or_default(), ["hand", "letter"]);
                        self.mistake(near.hint(pattern));
                    }
                }
            }
            let same = |kind: &&KindOf| letter.is_some() && kind.letter == letter;
            if let (Some(other), Some(c)) = (kinds.iter().find(same), letter) {
                let message =
                    format!("the letter of `{}` is `{}` too", other.name, c.to_ascii_lowercase());
                self.mistake(
                    Mistake::new(node.place, message).hint("each kind has its own letter"),
                );
                continue;
            }
            kinds.push(KindOf { name: name.clone(), owner, hand, letter });
        }
        let has_owned = kinds.iter().any(|kind| kind.owner != Owner::Neutral);
        let reserved = |kind: &&KindOf| has_owned && matches!(kind.letter, Some('X' | 'O'));
        if let Some(kind) = kinds.iter().find(reserved) {
            let message = format!("`{}` cannot have the letter x or o", kind.name);
            let mistake = Mistake::new(section.place, message);
            self.mistake(mistake.hint("x and o stand for pieces of the players"));
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

    /// Number of pieces in hand.
    fn hand_of(&mut self, part: &Node, owner: Owner) -> Option<u8> {
        let [number] = part.rest() else {
            let mistake = Mistake::new(part.place, "a hand is one number");
            return self.fail(mistake.hint("for example (man each (hand 9))"));
        };
        let n = self.int_in(number, "a hand", 0, 255)?;
        if owner == Owner::Neutral {
            return self.fail(Mistake::new(part.place, "a neutral kind cannot be in a hand"));
        }
        Some(n as u8)
    }

    /// Letter of a kind on boards and in positions, as a capital.
    fn letter_of(&mut self, part: &Node) -> Option<char> {
        let word = match part.rest() {
            [Node { is: Is::Word(word), .. }] => &word[..],
            _ => "",
        };
        match word.as_bytes() {
            [c @ b'a'..=b'z'] => Some(char::from(c.to_ascii_uppercase())),
            _ => {
                let mistake = Mistake::new(part.place, "a letter is one of a to z");
                self.fail(mistake.hint("for example (man each (letter m))"))
            }
        }
    }
}
