//! The sections of a file.

use treegauge_core::Player;
use xxhash_rust::xxh3::xxh3_64;

use super::moves::PARTS_MAX;
use super::{Checker, Sites, When};
use crate::board::{
    Board, BuildError, Diagonals, GridOptions, Shape, Wrap, build_graph, build_shape,
};
use crate::error::{Mistake, Place};
use crate::layout::{Layout, part_count};
use crate::reader::{Is, Node, SECTIONS};
use crate::tree::{
    Body, KindOf, Memory, OptionValue, Outcome, Owner, Program, Put, Rule, Settled, Stuck, Turns,
    Who,
};
use crate::words::WORDS;

/// The greatest number of kinds of pieces that players own, and of neutral ones.
const KINDS_MAX: usize = 4;

/// The options of a text with their defaults.
pub(crate) fn options_of(game: &Node) -> Result<Vec<OptionValue>, Vec<Mistake>> {
    let mut options: Vec<OptionValue> = Vec::new();
    let mut mistakes = Vec::new();
    let section = game.rest().iter().find(|node| node.head() == Some("options"));
    for node in section.map_or(&[][..], |section| section.rest()) {
        let pattern = "an option is written `(name 3 1 19)`: default, lowest, highest";
        let Is::List(parts) = &node.is else {
            mistakes
                .push(Mistake::new(node.place, "an option stands in parentheses").hint(pattern));
            continue;
        };
        let numbers: Vec<i32> = parts
            .iter()
            .skip(1)
            .filter_map(|part| match part.is {
                Is::Number(number) => Some(number as i32),
                _ => None,
            })
            .collect();
        let (Some(Is::Word(name)), [value, lowest, highest], 4) =
            (parts.first().map(|part| &part.is), &numbers[..], parts.len())
        else {
            mistakes.push(Mistake::new(node.place, "this is not an option").hint(pattern));
            continue;
        };
        let (value, lowest, highest) = (*value, *lowest, *highest);
        if !(lowest..=highest).contains(&value) {
            let message = format!("the default {value} is not from {lowest} to {highest}");
            mistakes.push(Mistake::new(parts[1].place, message).hint(pattern));
        } else if options.iter().any(|option| option.name == *name) {
            let message = format!("there is a second option `{name}`");
            mistakes.push(Mistake::new(parts[0].place, message));
        } else if is_word(name) || matches!(name.as_str(), "file" | "digest" | "ply_cap") {
            let message = format!("`{name}` is a word, so it cannot name an option");
            mistakes.push(Mistake::new(parts[0].place, message));
        } else {
            options.push(OptionValue {
                name: name.clone(),
                value,
                default: value,
                lowest,
                highest,
            });
        }
    }
    if mistakes.is_empty() { Ok(options) } else { Err(mistakes) }
}

fn is_word(name: &str) -> bool {
    WORDS.iter().any(|word| word.name == name)
        || matches!(name, "each" | "neutral" | "exactly" | "no" | "must" | "may" | "own")
        || matches!(name, "then" | "only-if" | "at-most" | "chain" | "offsets" | "mirror")
}

/// The text as it is hashed: one line, without `about`.
fn normal_text(game: &Node) -> String {
    let mut node = game.clone();
    if let Is::List(items) = &mut node.is {
        items.retain(|item| item.head() != Some("about"));
    }
    node.text()
}

/// Checks a whole text.
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
                normal: normal_text(game),
                options,
            },
        ),
        _ => Err(mistakes),
    }
}

/// A program whose moves and positions are not too large.
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

/// What the sections say besides what the checker knows.
struct Read {
    name: String,
    about: Option<String>,
    start: Vec<Put>,
    seeds: u8,
    body: Body<Sites>,
    cap: Option<u32>,
    allowed: Vec<String>,
}

#[derive(Default)]
struct Limits {
    quiet: Option<(u32, Settled<Sites>)>,
    repetition: Option<Settled<Sites>>,
    cap: Option<u32>,
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
        if name.len() > 80 || name.chars().any(char::is_control) {
            self.mistake(Mistake::new(game.place, "the name has more than 80 letters"));
        }
        let mut found: Vec<(&str, &Node)> = Vec::new();
        for node in rest {
            let place = node.head_place();
            let head = match (&node.is, node.head()) {
                (Is::List(_), Some(head)) => head,
                _ => {
                    self.mistake(
                        Mistake::new(node.place, "a section is wanted here")
                            .hint(format!("sections are {}", SECTIONS.join(", "))),
                    );
                    continue;
                }
            };
            if !SECTIONS.contains(&head) {
                let mistake = Mistake::new(place, format!("there is no section `{head}`"))
                    .near(head, SECTIONS.iter().copied());
                let mistake = if mistake.nearest.is_some() {
                    mistake
                } else {
                    mistake.hint(format!("sections are {}", SECTIONS.join(", ")))
                };
                self.mistake(mistake);
                // It was meant to be that section, so nobody is asked for it again.
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
            self.kinds = vec![KindOf { name: "stone".to_owned(), owner: Owner::Each, hand: None }];
        }
        self.turns = section("turns").and_then(|node| self.turns(node));
        let (start, seeds) = section("start").map_or((Vec::new(), 0), |node| self.start(node));
        if self.board.is_pits() && seeds == 0 {
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
        let allowed = allow.iter().map(Node::text).map(|code| code.to_ascii_uppercase()).collect();
        let body = Body {
            play: play?,
            end,
            stuck: stuck.unwrap_or(Stuck::Ends(Settled {
                effects: Vec::new(),
                outcome: Outcome::Lose(Who::Mover),
            })),
            quiet: limits.quiet,
            repetition: limits.repetition,
        };
        Some(Read { name, about, start, seeds, body, cap: limits.cap, allowed })
    }

    /// The one thing in a section.
    fn one<'n>(&mut self, node: &'n Node, name: &str, example: &str) -> Option<&'n Node> {
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

    fn board(&mut self, section: &Node) -> Option<Board> {
        let node = self.one(section, "board", "(board (grid 8 8))")?;
        let shapes = ["grid", "rhombus", "hexagon", "rings", "lattice", "pits", "graph"];
        let head = node.head().unwrap_or_default();
        if !shapes.contains(&head) || matches!(node.is, Is::Word(_)) {
            let mistake = Mistake::new(node.head_place(), format!("there is no board `{}`", node.text()))
                .near(head, shapes)
                .hint("boards are (grid 8 8), (rhombus 11 11), (hexagon 5), (rings 3), (lattice 4 4), (pits 6) and (graph ..)");
            return self.fail(mistake);
        }
        let mut sizes = Vec::new();
        let mut options = Vec::new();
        for part in node.rest() {
            match part.is {
                Is::List(_) => options.push(part),
                _ => sizes.push(self.int(part)?),
            }
        }
        let wanted = match head {
            "grid" => 2..=3,
            "rhombus" | "lattice" => 2..=2,
            "graph" => 0..=0,
            _ => 1..=1,
        };
        if !wanted.contains(&sizes.len()) {
            let message = format!("`{head}` has {} numbers", sizes.len());
            let hint = match head {
                "grid" => "columns and rows, as in (grid 7 6), and perhaps levels",
                "rhombus" | "lattice" => "columns and rows, as in (lattice 4 4)",
                "graph" => "it has lines, as in (graph (line a b c))",
                "hexagon" => "the cells of a side, as in (hexagon 5)",
                "rings" => "how many rings, as in (rings 3)",
                _ => "the pits of one player, as in (pits 6)",
            };
            return self.fail(Mistake::new(node.head_place(), message).hint(hint));
        }
        let place = node.head_place();
        if head == "graph" {
            return self.graph(node, &options);
        }
        let shape = match head {
            "grid" => Shape::Grid {
                cols: sizes[0],
                rows: sizes[1],
                levels: sizes.get(2).copied().unwrap_or(1),
            },
            "rhombus" => Shape::Rhombus { cols: sizes[0], rows: sizes[1] },
            "hexagon" => Shape::Hexagon { side: sizes[0] },
            "rings" => Shape::Rings { rings: sizes[0] },
            "lattice" => Shape::Lattice { cols: sizes[0], rows: sizes[1] },
            _ => Shape::Pits { pits: sizes[0] },
        };
        // Once without holes, so that their names are known.
        let plain = self.built(place, build_shape(shape, GridOptions::default(), &[]))?;
        let mut grid = GridOptions::default();
        let mut holes = Vec::new();
        for option in options {
            if head != "grid" {
                let message = format!("`{head}` takes no `{}`", option.head().unwrap_or("("));
                return self.fail(Mistake::new(option.place, message).hint("a grid does"));
            }
            let word = option.rest().first().and_then(Node::head).unwrap_or_default();
            match option.head() {
                Some("diagonals") => match Diagonals::of(word) {
                    Some(diagonals) => grid.diagonals = diagonals,
                    None => {
                        return self.fail(Mistake::new(
                            option.place,
                            "diagonals are all, alternate or none",
                        ));
                    }
                },
                Some("wrap") => {
                    grid.wrap = match word {
                        "columns" => Wrap { columns: true, rows: false },
                        "rows" => Wrap { columns: false, rows: true },
                        "both" => Wrap { columns: true, rows: true },
                        _ => {
                            return self.fail(Mistake::new(
                                option.place,
                                "what wraps is columns, rows or both",
                            ));
                        }
                    }
                }
                Some("holes") => {
                    self.board = plain.clone();
                    self.board_unknown = false;
                    for node in option.rest() {
                        holes.push(self.site(node)?);
                    }
                    self.board_unknown = true;
                }
                _ => {
                    let written = option.head().unwrap_or_default();
                    let mistake =
                        Mistake::new(option.place, format!("a grid takes no `{written}`"))
                            .near(written, ["diagonals", "wrap", "holes"])
                            .hint("it takes diagonals, wrap and holes");
                    return self.fail(mistake);
                }
            }
        }
        let board = self.built(place, build_shape(shape, grid, &holes))?;
        if board.sites().next().is_none() {
            return self.fail(Mistake::new(place, "the board has no sites"));
        }
        Some(board)
    }

    fn built(&mut self, place: Place, board: Result<Board, BuildError>) -> Option<Board> {
        board.map_err(|BuildError(message)| self.mistake(Mistake::new(place, message))).ok()
    }

    fn graph(&mut self, node: &Node, options: &[&Node]) -> Option<Board> {
        let mut lines = Vec::new();
        for option in options {
            if option.head() != Some("line") || option.rest().len() < 2 {
                return self.fail(
                    Mistake::new(option.place, "a drawn board has lines of two sites or more")
                        .hint("for example (graph (line a b c) (line a d))"),
                );
            }
            let names: Vec<String> = option.rest().iter().map(Node::text).collect();
            for (n, name) in names.iter().enumerate() {
                let place = option.rest()[n].place;
                if !name.chars().all(|c| c.is_ascii_alphanumeric()) {
                    return self.fail(
                        Mistake::new(place, format!("`{name}` cannot name a site"))
                            .hint("names are small letters and digits"),
                    );
                }
                if names[..n].contains(name) {
                    let message = format!("the line comes to `{name}` a second time");
                    return self.fail(Mistake::new(place, message));
                }
            }
            lines.push(names);
        }
        if lines.is_empty() {
            return self.fail(
                Mistake::new(node.place, "the board has no lines")
                    .hint("for example (graph (line a b c) (line a d))"),
            );
        }
        self.built(node.head_place(), build_graph(&lines))
    }

    fn pieces(&mut self, section: &Node) -> Vec<KindOf> {
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

    fn turns(&mut self, section: &Node) -> Option<Turns> {
        let (mut opening, mut cycle) = (Vec::new(), Vec::new());
        let pattern = "for example (turns (opening first) (cycle second first))";
        for node in section.rest() {
            let seats = match node.head() {
                Some("opening") => &mut opening,
                Some("cycle") => &mut cycle,
                _ => {
                    return self.fail(
                        Mistake::new(node.place, "turns have an opening and a cycle").hint(pattern),
                    );
                }
            };
            for seat in node.rest() {
                seats.push(match seat.head() {
                    Some("first") => Player::First,
                    Some("second") => Player::Second,
                    _ => {
                        return self.fail(
                            Mistake::new(seat.place, "a turn is that of first or second")
                                .hint(pattern),
                        );
                    }
                });
            }
        }
        if cycle.is_empty() {
            return self.fail(Mistake::new(section.place, "the turns have no cycle").hint(pattern));
        }
        if opening.len() + cycle.len() > 250 {
            return self.fail(Mistake::new(section.place, "there are more than 250 turns"));
        }
        let all: Vec<Player> = opening.iter().chain(&cycle).copied().collect();
        for player in Player::BOTH {
            if !all.contains(&player) {
                let name = if player == Player::First { "first" } else { "second" };
                let message = format!("the {name} player never moves");
                return self.fail(Mistake::new(section.place, message).hint(pattern));
            }
        }
        Some(Turns { cycle: opening.len(), seats: all })
    }

    fn start(&mut self, section: &Node) -> (Vec<Put>, u8) {
        let (mut puts, mut seeds) = (Vec::new(), 0);
        for node in section.rest() {
            match node.head() {
                Some("put") => {
                    self.put(node, &mut puts);
                }
                Some("seeds") if node.rest().len() == 1 => {
                    if !self.board.is_pits() && !self.board_unknown {
                        self.mistake(Mistake::new(node.place, "only pits have seeds"));
                        continue;
                    }
                    // All seeds together are counted in a byte.
                    let most = 255 / (2 * self.board.pits().max(1)) as i32;
                    if let Some(n) = self.int_in(&node.rest()[0], "the seeds of a pit", 1, most) {
                        seeds = n as u8;
                    }
                }
                _ => {
                    self.mistake(
                        Mistake::new(node.place, "a start has put and seeds")
                            .hint("for example (start (put each man (home 2)))"),
                    );
                }
            }
        }
        (puts, seeds)
    }

    fn put(&mut self, node: &Node, puts: &mut Vec<Put>) -> Option<()> {
        let rest = node.rest();
        let pattern = "a piece is put by `(put each man (home 2))`";
        if !(2..=3).contains(&rest.len()) {
            return self.fail(Mistake::new(node.place, "this does not put a piece").hint(pattern));
        }
        if self.board.is_pits() {
            return self.fail_of_board(
                Mistake::new(node.place, "pits have no pieces").hint("for example (seeds 4)"),
            );
        }
        let players: &[Option<Player>] = match rest[0].head() {
            Some("each") => &[Some(Player::First), Some(Player::Second)],
            Some("first") => &[Some(Player::First)],
            Some("second") => &[Some(Player::Second)],
            Some("neutral") => &[None],
            _ => {
                return self.fail(
                    Mistake::new(rest[0].place, "each, first, second or neutral is wanted here")
                        .hint(pattern),
                );
            }
        };
        let neutral = players[0].is_none();
        let kind = if rest.len() == 3 {
            self.kind(&rest[1])
        } else {
            let first = self.kinds.iter().position(|k| (k.owner == Owner::Neutral) == neutral);
            first.map(|kind| kind as u8)
        };
        let kind_place = if rest.len() == 3 { &rest[1] } else { &rest[0] };
        let set = self.set(&rest[rest.len() - 1], When::Before);
        let (Some(kind), Some(set)) = (kind, set) else { return None };
        self.owned(kind_place, kind, neutral)?;
        for &player in players {
            if let (Owner::Only(owner), Some(player)) = (self.kinds[kind as usize].owner, player)
                && owner != player
            {
                let name = self.kinds[kind as usize].name.clone();
                let message = format!("`{name}` belongs to one player only");
                return self.fail(Mistake::new(kind_place.place, message));
            }
            let mover = player.unwrap_or(Player::First);
            let Some(sites) = self.fixed(&set, mover) else {
                return self.fail(
                    Mistake::new(rest[rest.len() - 1].place, "nothing stands on the board yet")
                        .hint("say where by sites, rows, home, edges and the like"),
                );
            };
            for site in sites {
                if puts.iter().any(|put| put.site == site) {
                    let name = self.board.names[site as usize].clone();
                    let message = format!("a piece stands on `{name}` already");
                    return self.fail_of_board(Mistake::new(node.place, message));
                }
                puts.push(Put { player, kind, site });
            }
        }
        Some(())
    }

    /// The sites of a set that is the same in every position.
    fn fixed(&self, set: &crate::tree::Set<Sites>, mover: Player) -> Option<Sites> {
        use crate::tree::Set;
        let many = |sets: &[Set<Sites>]| -> Option<Vec<Sites>> {
            sets.iter().map(|set| self.fixed(set, mover)).collect()
        };
        Some(match set {
            Set::Const(of) => of[mover.index()].clone(),
            Set::And(sets) => {
                let sets = many(sets)?;
                let all = |site: &u16| sets.iter().all(|set| set.contains(site));
                self.board.sites().filter(all).collect()
            }
            Set::Or(sets) => {
                let sets = many(sets)?;
                let any = |site: &u16| sets.iter().any(|set| set.contains(site));
                self.board.sites().filter(any).collect()
            }
            Set::Not(set) => {
                let set = self.fixed(set, mover)?;
                self.board.sites().filter(|site| !set.contains(site)).collect()
            }
            Set::FirstOf(sets) => {
                many(sets)?.into_iter().find(|set| !set.is_empty()).unwrap_or_default()
            }
            Set::Next(set, dirs) => {
                let set = self.fixed(set, mover)?;
                let dirs = &dirs[mover.index()];
                let of = |&site: &u16| {
                    let next = |&d: &u8| self.board.directions[d as usize].next[site as usize];
                    dirs.iter().filter_map(next).collect::<Vec<_>>()
                };
                let mut sites: Sites = set.iter().flat_map(of).collect();
                sites.sort_unstable();
                sites.dedup();
                sites
            }
            _ => return None,
        })
    }

    fn end(&mut self, section: &Node) -> (Vec<Rule<Sites>>, Option<Stuck<Sites>>) {
        let (mut rules, mut stuck) = (Vec::new(), None);
        for node in section.rest() {
            match node.head() {
                Some("if") if node.rest().len() >= 2 => {
                    let rest = node.rest();
                    let when = self.cond(&rest[0], When::OfMove);
                    let settled = self.settled(&rest[1..]);
                    if let (Some(when), Some(Settled { effects, outcome })) = (when, settled) {
                        self.rule_places.push((node.place, node.text()));
                        rules.push(Rule { when, effects, outcome });
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

    /// Effects and then a result.
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

    fn limits(&mut self, section: &Node) -> Limits {
        let mut limits = Limits::default();
        for node in section.rest() {
            let rest = node.rest();
            match node.head() {
                Some("quiet") if !rest.is_empty() => {
                    let n = self.int_in(&rest[0], "a number of plies", 1, 100_000);
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
