//! Rules of a text in plain English, written from the typed tree so that designers can compare them
//! with their intent.
//!
//! Each part of the tree has a phrase. The [`Voice`] of a sentence names the players. The piece
//! that moves is named by its last action.

mod board;
mod conditions;
mod constant;
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

/// Rules of a game as sentences under headings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Sections in reading order.
    pub sections: Vec<Section>,
}

/// Heading with the paragraphs below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Heading, without punctuation.
    pub heading: String,
    /// Paragraphs; at least one.
    pub paragraphs: Vec<Paragraph>,
}

/// Paragraph of an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paragraph {
    /// Depth in a list: 0 for a paragraph of its own, 1 for an item of the paragraph before it, and
    /// so on.
    pub level: usize,
    /// Sentences of the paragraph. One that introduces a list ends with a colon.
    pub text: String,
}

/// Largest width of a line of text, in columns.
const WIDTH: usize = 100;

impl fmt::Display for Explanation {
    /// Writes sections with underlined headings, and lists with hyphens.
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

/// Explains the rules of a program in plain English.
#[must_use]
pub fn explain(program: &Program) -> Explanation {
    let program = Program { body: constant::without_constants(&program.body), ..program.clone() };
    let program = &program;
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

/// Names of the players in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Voice {
    /// Name of the player who moves or has moved.
    mover: String,
    /// Name of the opponent.
    other: String,
    /// Name of the player who moves where `it` would mean the piece.
    object: String,
}

impl Voice {
    /// Voice of a sentence about this player.
    fn of(mover: &str) -> Voice {
        let other = match mover {
            "it" => "its opponent",
            _ => "the opponent",
        };
        Voice { mover: mover.to_owned(), other: other.to_owned(), object: mover.to_owned() }
    }

    /// Voice of a sentence about a player who has just moved a piece.
    fn after_move() -> Voice {
        Voice { object: "that player".to_owned(), ..Voice::of("it") }
    }
}

/// Writer of an explanation, with the current names of players and moving piece.
#[derive(Clone, Debug)]
struct Speaker<'p> {
    program: &'p Program,
    voice: Voice,
    /// Phrase for the piece that moved last in this move, such as `the man moved`; empty before a
    /// move.
    actor: String,
}

impl Speaker<'_> {
    /// Copy of the speaker with another voice.
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

    /// Possessive form of a player's name.
    fn whose(&self, who: Who) -> String {
        possessive(&self.who(who))
    }

    /// Noun for the sites of the board.
    fn site(&self) -> &'static str {
        self.program.board.site_noun()
    }

    /// Noun for a kind of piece. If `None`, it covers every kind that players own.
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

/// Paragraph that does not belong to a list.
fn plain(text: impl Into<String>) -> Paragraph {
    Paragraph { level: 0, text: text.into() }
}

fn player_name(player: Player) -> &'static str {
    match player {
        Player::First => "the first player",
        Player::Second => "the second player",
    }
}
