//! The rules of a text in plain English, from the typed tree: what a designer has said.
//!
//! Each part of the tree has a phrase. A player is called by the [`Voice`] of the sentence, and the
//! piece of the move by what it did last.

mod board;
mod conditions;
mod directions;
mod effects;
mod end;
mod moves;
mod nouns;
mod pieces;
mod places;
mod sets;

use std::fmt;

use treegauge_core::Player;

use crate::tree::{Kind, Owner, Program, Who};
pub(crate) use nouns::in_number;
use nouns::{noun, possessive};

/// The rules of a game in sentences, under headings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The parts, in the order in which they are read.
    pub sections: Vec<Section>,
}

/// A heading and what stands below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The heading, without punctuation.
    pub heading: String,
    /// The paragraphs, at least one.
    pub paragraphs: Vec<Paragraph>,
}

/// One paragraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paragraph {
    /// How deep it stands in a list: 0 for a paragraph of its own, 1 for an item of the paragraph
    /// before it, and so on.
    pub level: usize,
    /// Its sentences; those that lead to a list end with a colon.
    pub text: String,
}

/// The columns of a line of text.
const WIDTH: usize = 100;

impl fmt::Display for Explanation {
    /// Sections with their headings underlined, and lists with hyphens.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, section) in self.sections.iter().enumerate() {
            if n > 0 {
                writeln!(f)?;
            }
            writeln!(f, "{}", section.heading)?;
            for paragraph in &section.paragraphs {
                let (first, next) = match paragraph.level {
                    0 => ("  ".to_owned(), "  ".to_owned()),
                    n => (format!("{}- ", "  ".repeat(n)), "  ".repeat(n + 1)),
                };
                let mut line = first;
                let mut is_new = true;
                for word in paragraph.text.split(' ') {
                    if !is_new && line.chars().count() + 1 + word.chars().count() > WIDTH {
                        writeln!(f, "{line}")?;
                        line.clone_from(&next);
                        is_new = true;
                    }
                    if !is_new {
                        line.push(' ');
                    }
                    line.push_str(word);
                    is_new = false;
                }
                writeln!(f, "{line}")?;
            }
        }
        Ok(())
    }
}

/// The rules of a program in plain English.
#[must_use]
pub fn explain(program: &Program) -> Explanation {
    let speaker = Speaker { program, voice: Voice::of("the player"), actor: String::new() };
    let mut sections = Vec::new();
    let mut add = |heading: &str, paragraphs: Vec<Paragraph>| {
        if !paragraphs.is_empty() {
            sections.push(Section { heading: heading.to_owned(), paragraphs });
        }
    };
    if let Some(about) = &program.about {
        add("About", vec![Paragraph { level: 0, text: about.clone() }]);
    }
    add("Board", speaker.board());
    add("Pieces", speaker.pieces());
    add("Turns", speaker.turns());
    let mut last = speaker.clone();
    add("Moves", last.moves_section());
    add("End", last.end_section());
    add("Limits", speaker.limits());
    add("Options", speaker.options());
    Explanation { sections }
}

/// What players are called in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Voice {
    /// Who moves, or has moved.
    mover: String,
    /// The other one.
    other: String,
    /// Who moves, where `it` would be the piece.
    object: String,
}

impl Voice {
    /// A sentence about this player.
    fn of(mover: &str) -> Voice {
        let other = match mover {
            "it" => "its opponent",
            _ => "the opponent",
        };
        Voice { mover: mover.to_owned(), other: other.to_owned(), object: mover.to_owned() }
    }

    /// A sentence about a player that has just moved a piece.
    fn after_move() -> Voice {
        Voice { object: "that player".to_owned(), ..Voice::of("it") }
    }
}

/// Whoever explains a program: what players and the piece of the move are called at the moment.
#[derive(Clone, Debug)]
struct Speaker<'p> {
    program: &'p Program,
    voice: Voice,
    /// The piece that moved last in this move, `the man moved`; empty before a move.
    actor: String,
}

impl Speaker<'_> {
    /// The same in another voice.
    fn with_voice(&self, voice: Voice) -> Self {
        Speaker { voice, ..self.clone() }
    }

    fn who(&self, who: Who) -> String {
        match who {
            Who::Mover => self.voice.mover.clone(),
            Who::Opponent => self.voice.other.clone(),
            Who::First => "the first player".to_owned(),
            Who::Second => "the second player".to_owned(),
        }
    }

    /// Whose something is.
    fn whose(&self, who: Who) -> String {
        possessive(&self.who(who))
    }

    /// What the sites of the board are called.
    fn site(&self) -> &'static str {
        use crate::board::Shape;
        match self.program.board.shape {
            Shape::Grid { .. } | Shape::Rhombus { .. } | Shape::Hexagon { .. } => "cell",
            Shape::Rings { .. } | Shape::Graph => "point",
            Shape::Lattice { .. } => "edge",
            Shape::Pits { .. } => "pit",
        }
    }

    /// The noun of a kind of piece; of any kind that players own if `None`.
    fn kind(&self, kind: Option<Kind>) -> String {
        match kind {
            Some(kind) => noun(&self.program.kinds[kind as usize].name),
            None => {
                let mut owned =
                    self.program.kinds.iter().filter(|kind| kind.owner != Owner::Neutral);
                match (owned.next(), owned.next()) {
                    (Some(only), None) => noun(&only.name),
                    _ => "piece".to_owned(),
                }
            }
        }
    }
}

/// A paragraph that is no item of a list.
fn plain(text: impl Into<String>) -> Paragraph {
    Paragraph { level: 0, text: text.into() }
}

fn player_name(player: Player) -> &'static str {
    match player {
        Player::First => "the first player",
        Player::Second => "the second player",
    }
}
