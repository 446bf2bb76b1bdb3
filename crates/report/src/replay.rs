//! Reports of a record of games and of one of its games.

use serde::{Deserialize, Serialize};
use treegauge_core::{Ending, Outcome, Player, ReportHeader, ReportKind, winner_json};
use treegauge_doc::{Block, Board, Cell, Column, Doc, Layout, Svg, Table, Tone, Wrap};

use crate::about_game::{heading, rules, title_of};
use crate::boards::{Boards, Document};
use crate::lead::{notes, verdict};
use crate::matches::beginning_words;
use crate::words::{command, count_cell, counted_grouped, plies};

/// Games of a record, each replayed to its result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplayReport {
    /// Kind and schema version of the report.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Canonical name of the game.
    pub game: String,
    /// Content of the record, as in its header.
    pub holds: String,
    /// Seed of the games.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// Position before `moves`; `None` for the start of the game.
    pub position: Option<String>,
    /// Moves from `position` to the beginning of the recorded games.
    pub moves: Vec<String>,
    /// Players: the name of each in the games, and its specification.
    pub players: Vec<(String, String)>,
    /// Games in the order of the record.
    pub games: Vec<ReplayedGame>,
}

/// A game of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplayedGame {
    /// Name of the game in its record.
    pub name: String,
    /// Name of the first player.
    pub first: String,
    /// Name of the second player.
    pub second: String,
    /// Result of the game.
    #[serde(with = "winner_json")]
    pub outcome: Outcome,
    /// Length in plies, including the opening.
    pub plies: usize,
    /// Rule that ended the game, in words; `None` for a forfeit.
    pub ended_by: Option<String>,
    /// Player that forfeited the game and the reason, in words; `None` if no player did.
    #[serde(rename = "fault")]
    pub forfeit: Option<String>,
}

impl ReplayedGame {
    /// Name of the player on a side.
    #[must_use]
    pub fn side(&self, player: Player) -> &str {
        match player {
            Player::First => &self.first,
            Player::Second => &self.second,
        }
    }

    /// Name of the winner; `None` for a draw.
    #[must_use]
    pub fn winner(&self) -> Option<&str> {
        self.outcome.winner().map(|winner| self.side(winner))
    }
}

/// A game of a record, position by position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplayedGameReport {
    /// Kind and schema version of the report.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Canonical name of the game.
    pub game: String,
    /// Players, result and length of the game.
    #[serde(flatten)]
    pub replayed: ReplayedGame,
    /// Number of random plies at the beginning of the game.
    pub opening_plies: usize,
    /// Players of the record: the name of each in the games, and its specification.
    pub players: Vec<(String, String)>,
    /// Positions from the first to the last.
    pub positions: Vec<ReplayedPosition>,
}

/// A position of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplayedPosition {
    /// Move that led to the position; `None` for the first one.
    #[serde(rename = "move")]
    pub m: Option<String>,
    /// Text of the position.
    pub position: String,
    /// Player to move, even if the game is over.
    pub turn: Player,
}

impl ReplayedGameReport {
    /// Picture of each position, with the move that led to it marked.
    #[must_use]
    pub fn pictures(&self, boards: &dyn Boards) -> Vec<Svg> {
        let of = |(n, at): (usize, &ReplayedPosition)| {
            let before = n.checked_sub(1).map(|before| &self.positions[before].position);
            let reached =
                before.zip(at.m.as_deref()).and_then(|(from, m)| boards.reached(from, &[m]));
            reached.map_or_else(|| boards.svg(&at.position), |reached| reached.svg())
        };
        self.positions.iter().enumerate().map(of).collect()
    }
}

impl ReportKind for ReplayReport {
    const KIND: &'static str = "replay";
}

impl ReportKind for ReplayedGameReport {
    const KIND: &'static str = "replayed_game";
}

impl Document for ReplayReport {
    fn game(&self) -> Option<&str> {
        Some(&self.game)
    }

    fn doc(&self, boards: &dyn Boards) -> Doc {
        let ReplayReport { game, holds, seed, .. } = self;
        let beginning = beginning_words(self.position.as_deref(), &self.moves);
        let of = holds.trim_start_matches("games ");
        let games = counted_grouped(self.games.len() as u64, "game");
        let name = format!("{game}{beginning}");
        let title = title_of(game, boards);
        let mut doc = Doc::new(format!("games of {title}"));
        doc.push(heading(&title, game));
        let lead = match self.games.len() {
            0 => format!("The record has no games yet ({of})."),
            1 => format!("1 game {of}, and it replays to its result."),
            _ => format!("{games} {of}, and all replay to their results."),
        };
        doc.extend(verdict(Tone::Good, "The record is right", &name, &lead));
        let players = self.players.iter().map(|(name, player)| format!("{name} is {player}"));
        doc.extend(notes(players.chain([format!("seed {seed}")]).collect()));
        let Some(first) = self.games.first() else {
            doc.extend(rules(boards));
            return doc;
        };
        let columns = [
            Column::left("game"),
            Column::left("first player"),
            Column::left("second player"),
            Column::left("result"),
            Column::right("plies"),
            Column::left("ended by"),
        ];
        let mut table = Table::new("games", columns).wrapped(Wrap::Cards);
        for game in &self.games {
            let winner = game.winner().map_or("draw".to_owned(), |winner| format!("{winner} wins"));
            table.push([
                Cell::from(game.name.as_str()),
                Cell::from(game.first.as_str()),
                Cell::from(game.second.as_str()),
                Cell::from(winner),
                count_cell(game.plies as u64),
                Cell::from(ended_by(game)),
            ]);
        }
        doc.push(table).extend(rules(boards));
        let show = command("replay", &["FILE", "--game", &first.name]);
        doc.next(format!("{show} shows a game move by move."));
        doc
    }
}

impl Document for ReplayedGameReport {
    fn game(&self) -> Option<&str> {
        Some(&self.game)
    }

    fn doc(&self, boards: &dyn Boards) -> Doc {
        let game = &self.replayed;
        let named = |player: Player| {
            let side = game.side(player);
            let what = self.players.iter().find(|(name, _)| name == side);
            what.map_or(side.to_owned(), |(_, what)| format!("{side}, {what}"))
        };
        let title = title_of(&self.game, boards);
        let mut doc = Doc::new(format!("a game of {title}"));
        doc.push(heading(&title, &self.game));
        let winner = game.outcome.winner().map_or("the game was drawn".to_owned(), |winner| {
            format!("{}, the {winner} player, won", game.side(winner))
        });
        // The last position shows an end by the rules.
        let by = ended_by(game);
        let cause = match by == Ending::Outcome.to_string() {
            true => String::new(),
            false => format!(" (ended by {by})"),
        };
        let lead = format!("{winner} after {}{cause}.", plies(game.plies as u64));
        let name = format!("{}, game {}", self.game, game.name);
        doc.extend(verdict(Tone::Good, "Result", &name, &lead));
        let sides = [
            format!("the first player is {}", named(Player::First)),
            format!("the second player is {}", named(Player::Second)),
        ];
        doc.extend(notes(sides.into()));
        let mut turn = None;
        let mut shown = Vec::new();
        for ((n, position), picture) in self.positions.iter().enumerate().zip(self.pictures(boards))
        {
            let mut caption = "the start".to_owned();
            if let (Some(turn), Some(m)) = (turn, &position.m) {
                let side = game.side(turn);
                let random = if n <= self.opening_plies { " (random opening)" } else { "" };
                let words =
                    |m: &str| format!("ply {n}: the {turn} player, {side}, plays {m}{random}");
                shown.push(Block::TextOnly(vec![Block::text(words(m))]));
                // A page keeps code in a caption on one line.
                caption = words(&format!("`{m}`"));
            }
            let board = Board {
                position: position.position.clone(),
                picture,
                text: boards.text(&position.position),
                caption: caption.into(),
                ..Board::default()
            };
            shown.push(board.into());
            turn = Some(position.turn);
        }
        doc.push(Block::Group(Layout::Boards, shown)).extend(rules(boards));
        doc
    }
}

/// End of a game in words: the rule or the forfeit.
fn ended_by(game: &ReplayedGame) -> String {
    match (&game.ended_by, &game.forfeit) {
        (Some(by), _) => by.clone(),
        (None, Some(forfeit)) => format!("a forfeit: {forfeit}"),
        (None, None) => "no rule".to_owned(),
    }
}
