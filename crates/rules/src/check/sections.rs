//! Checks of the sections of a file.

use xxhash_rust::xxh3::xxh3_64;

use super::ends::Limits;
use super::{Checker, Sites, When};
use crate::board::{GridOptions, Shape, build_shape};
use crate::error::{Mistake, WARNINGS, is_code};
use crate::layout::{Layout, part_count};
use crate::reader::{Is, Node, SECTIONS};
use crate::said::Said;
use crate::tree::{
    Body, KindOf, Memory, OptionValue, Outcome, Owner, Program, Put, Settled, Stuck, Who,
};
use crate::words::PARTS_MAX;

/// Normal form of the text, which is hashed: one line, without `about`.
fn normal_text(game: &Node) -> String {
    let mut node = game.clone();
    if let Is::List(items) = &mut node.is {
        items.retain(|item| item.head() != Some("about"));
    }
    node.text()
}

/// Checks a whole text and returns its program, or every mistake found.
pub(crate) fn program(game: &Node, options: Vec<OptionValue>) -> Result<Program, Vec<Mistake>> {
    let dummy = Shape::Grid { cols: 22, rows: 22, levels: 1 };
    let dummy = build_shape(dummy, GridOptions::default(), &[]).expect("it is a board");
    let mut checker = Checker {
        options: &options,
        mistakes: Vec::new(),
        board: dummy,
        board_unknown: true,
        kinds: Vec::new(),
        turns: None,
        families: Vec::new(),
        family_bytes: 0,
        said: Said::default(),
        memory: Memory::default(),
        movers: 0,
        mover_places: Vec::new(),
        rule_places: Vec::new(),
        again: None,
    };
    let read = checker.sections(game);
    let Checker {
        mistakes,
        board,
        kinds,
        turns,
        families,
        said,
        memory,
        movers,
        mover_places,
        rule_places,
        ..
    } = checker;
    match read {
        Some(read) if mistakes.is_empty() => sized(
            game,
            Program {
                name: read.name,
                about: read.about,
                board,
                kinds,
                start: read.start,
                seeds: read.seeds,
                turns,
                families,
                body: read.body,
                cap: read.cap,
                memory,
                movers,
                mover_places,
                rule_places,
                allowed: read.allowed,
                digest: xxh3_64(normal_text(game).as_bytes()),
                said,
                game: game.clone(),
                normal: normal_text(game),
                options,
            },
        ),
        _ => Err(mistakes),
    }
}

/// Returns the program if its moves and positions are not too large.
fn sized(game: &Node, program: Program) -> Result<Program, Vec<Mistake>> {
    let section = |name: &str| {
        let found = game.rest().iter().find(|node| node.head() == Some(name));
        found.map_or(game.place, |node| node.place)
    };
    let parts = part_count(&program.body.play);
    if parts > PARTS_MAX {
        let message = format!("a move has up to {parts} parts, and {PARTS_MAX} are the most");
        return Err(vec![Mistake::new(section("play"), message)]);
    }
    if Layout::of(&program).is_none() {
        let message = "the moves of this game are too long: they need more than 63 bits";
        let hint = "fewer parts or a smaller board would fit";
        return Err(vec![Mistake::new(section("play"), message).hint(hint)]);
    }
    if program.size().is_none() {
        let message = "the positions of this game are too large: they need more than 1,024 bits";
        let hint = "fewer kinds or a smaller board would fit";
        return Err(vec![Mistake::new(section("board"), message).hint(hint)]);
    }
    Ok(program)
}

/// Tests whether a character turns the direction of writing, so that a reader sees another text.
fn is_of_direction(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Contents of the sections, apart from those that the checker holds.
struct Read {
    name: String,
    about: Option<String>,
    start: Vec<Put>,
    seeds: u8,
    body: Body<Sites>,
    cap: Option<u32>,
    allowed: Vec<String>,
}

impl Checker<'_> {
    fn sections(&mut self, game: &Node) -> Option<Read> {
        if game.head() != Some("game") || matches!(game.is, Is::Word(_)) {
            return self.fail(
                Mistake::new(game.place, "a file begins with `(game \"Name\"`").hint(
                    "for example (game \"Three\" (board (grid 3 3)) (play (place)) (end ..))",
                ),
            );
        }
        let rest = game.rest();
        let (name, rest) = match rest.first().map(|node| &node.is) {
            Some(Is::Text(name)) => (name.clone(), &rest[1..]),
            _ => {
                self.mistake(
                    Mistake::new(game.place, "the game has no name")
                        .hint("the name stands in quotation marks: (game \"Three in a row\" .."),
                );
                (String::new(), rest)
            }
        };
        let at_name = game.rest().first().map_or(game.place, |node| node.place);
        if name.len() > 80 {
            let message = format!("the name has {} bytes, and 80 are the most", name.len());
            self.mistake(Mistake::new(at_name, message));
        }
        if let Some(c) = name.chars().find(|&c| c.is_control() || is_of_direction(c)) {
            let message = format!("the name has the character {c:?}, which cannot be seen");
            self.mistake(Mistake::new(at_name, message).hint("letters, digits and signs can"));
        }
        if name.trim().is_empty()
            && matches!(game.rest().first().map(|node| &node.is), Some(Is::Text(_)))
        {
            self.mistake(
                Mistake::new(at_name, "the name is empty")
                    .hint("the name stands in quotation marks: (game \"Three in a row\" .."),
            );
        }
        let mut found: Vec<(&str, &Node)> = Vec::new();
        for node in rest {
            let place = node.head_place();
            let head = match (&node.is, node.head()) {
                (Is::List(_), Some(head)) => head,
                _ => {
                    self.mistake(
                        Mistake::new(node.place, "expected a section")
                            .hint(format!("sections are {}", SECTIONS.join(", "))),
                    );
                    continue;
                }
            };
            if !SECTIONS.contains(&head) {
                let mistake = Mistake::new(place, format!("unknown section `{head}`"))
                    .near(head, SECTIONS.iter().copied());
                let mistake = if mistake.nearest.is_some() {
                    mistake
                } else {
                    mistake.hint(format!("sections are {}", SECTIONS.join(", ")))
                };
                self.mistake(mistake);
                // The misspelt section counts as present, so that it is not also reported as
                // missing.
                if let Some(meant) = self.mistakes.last().and_then(|m| m.nearest.clone())
                    && let Some(meant) = SECTIONS.iter().find(|s| **s == meant)
                {
                    found.push((meant, node));
                }
                continue;
            }
            if found.iter().any(|(name, _)| *name == head) {
                self.mistake(Mistake::new(place, format!("there is a second section `{head}`")));
                continue;
            }
            found.push((head, node));
        }
        let section = |name: &str| found.iter().find(|(n, _)| *n == name).map(|(_, node)| *node);
        for (needed, example) in [
            ("board", "(board (grid 3 3))"),
            ("play", "(play (place))"),
            ("end", "(end (if (makes (line 3)) (win mover)) (stuck draw))"),
        ] {
            if section(needed).is_none() {
                self.mistake(
                    Mistake::new(game.place, format!("the game has no section `{needed}`"))
                        .hint(format!("for example {example}")),
                );
            }
        }
        if let Some(board) = section("board").and_then(|node| self.board(node)) {
            self.board = board;
            self.board_unknown = false;
        }
        self.kinds = section("pieces").map_or_else(Vec::new, |node| self.pieces(node));
        if self.kinds.is_empty() {
            self.kinds = vec![KindOf {
                name: "stone".to_owned(),
                owner: Owner::Each,
                hand: None,
                letter: None,
            }];
        }
        self.turns = section("turns").and_then(|node| self.turns(node));
        let before = self.mistakes.len();
        let (start, seeds) = section("start").map_or((Vec::new(), 0), |node| self.start(node));
        if self.board.is_pits() && seeds == 0 && self.mistakes.len() == before {
            let place = section("board").map_or(game.place, |node| node.place);
            self.mistake(
                Mistake::new(place, "the pits are empty at the start")
                    .hint("for example (start (seeds 4))"),
            );
        }
        let play = section("play").and_then(|node| {
            let one = self.one(node, "play", "(play (place))")?;
            self.moves(one, When::Before)
        });
        let (end, stuck) = section("end").map_or((Vec::new(), None), |node| self.end(node));
        let limits = section("limits").map_or_else(Limits::default, |node| self.limits(node));
        if let (Some(place), true) = (self.again, self.turns.is_some()) {
            self.mistake(
                Mistake::new(place, "`again` cannot stand in a game with `turns`")
                    .hint("say whose turn it is in one of the two ways"),
            );
        }
        let about = section("about").and_then(|node| match node.rest() {
            [Node { is: Is::Text(text), .. }] => Some(text.clone()),
            _ => {
                let mistake = Mistake::new(node.place, "`about` is followed by a text")
                    .hint("for example (about \"Played with stones.\")");
                self.fail(mistake)
            }
        });
        let allow = section("allow").map_or(&[][..], |node| node.rest());
        let allowed = allow.iter().filter_map(|node| self.allowed(node)).collect();
        let mut body = Body {
            play: play?,
            end,
            stuck: stuck.unwrap_or(Stuck::Ends(Settled {
                effects: Vec::new(),
                outcome: Outcome::Lose(Who::Mover),
            })),
            quiet: limits.quiet,
            repetition: limits.repetition,
        };
        body.merge_ways();
        Some(Read { name, about, start, seeds, body, cap: limits.cap, allowed })
    }

    /// Returns the code of a warning that the check leaves out.
    fn allowed(&mut self, node: &Node) -> Option<String> {
        let code = node.text().to_ascii_uppercase();
        if is_code(&code) {
            return Some(code);
        }
        let message = format!("`{}` is not the code of a warning", node.text());
        let hint = format!("codes are W1 to W{WARNINGS}, as in (allow W8)");
        self.fail(Mistake::new(node.place, message).hint(hint))
    }

    /// Returns the only expression in a section. Records a mistake if there are more or none.
    pub(super) fn one<'n>(
        &mut self,
        node: &'n Node,
        name: &str,
        example: &str,
    ) -> Option<&'n Node> {
        match node.rest() {
            [one] => Some(one),
            [] => {
                let message = format!("the section `{name}` is empty");
                self.fail(Mistake::new(node.place, message).hint(format!("for example {example}")))
            }
            [_, more, ..] => {
                let message = format!("the section `{name}` has more than one thing in it");
                let hint = match name {
                    "play" => "several ways to move stand in `(or .. ..)`",
                    _ => example,
                };
                self.fail(Mistake::new(more.place, message).hint(hint))
            }
        }
    }
}
