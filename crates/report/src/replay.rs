//! The reports of a record of games and of one of its games.

use serde::{Deserialize, Serialize};
use treegauge_core::{Head, Outcome, Player, ReportKind, winner_json};
use treegauge_doc::{Block, Board, Cell, Column, Doc, Layout, Table, Wrap};

use crate::boards::{Boards, Document};
use crate::matches::beginning_words;
use crate::show::outcome_words;
use crate::words::counted;

/// The games of a record, each of which was replayed to its result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplayReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The canonical name of the game.
    pub game: String,
    /// What the record holds, as its first line has it.
    pub holds: String,
    /// The seed of the games.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// The position from which `moves` lead to the beginning; none for the start of the game.
    pub position: Option<String>,
    /// The moves before the games.
    pub moves: Vec<String>,
    /// The players: the name of each in the games, and what it is.
    pub players: Vec<(String, String)>,
    /// The games in order.
    pub games: Vec<ReplayedGame>,
}

/// A game of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplayedGame {
    /// Names it in its record.
    pub name: String,
    /// The name of the first player.
    pub first: String,
    /// The name of the second player.
    pub second: String,
    /// The result.
    #[serde(with = "winner_json")]
    pub outcome: Outcome,
    /// Its length, the opening included.
    pub plies: usize,
    /// What ended it, in words; none for a forfeit.
    pub ended_by: Option<String>,
    /// The player that forfeited the game, and how, in words.
    #[serde(rename = "fault")]
    pub forfeit: Option<String>,
}

impl ReplayedGame {
    /// The name of the player of a side.
    #[must_use]
    pub fn side(&self, player: Player) -> &str {
        match player {
            Player::First => &self.first,
            Player::Second => &self.second,
        }
    }

    /// The winner; `None` for a draw.
    #[must_use]
    pub fn winner(&self) -> Option<&str> {
        self.outcome.winner().map(|winner| self.side(winner))
    }
}

/// A game of a record, position by position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplayedGameReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The canonical name of the game.
    pub game: String,
    /// How it went.
    #[serde(flatten)]
    pub replayed: ReplayedGame,
    /// Random plies at its beginning.
    pub opening_plies: usize,
    /// The players of the record: the name of each in the games, and what it is.
    pub players: Vec<(String, String)>,
    /// The positions from the first to the last.
    pub positions: Vec<ReplayedPosition>,
}

/// A position of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplayedPosition {
    /// The move that led to it; none at the beginning.
    #[serde(rename = "move")]
    pub m: Option<String>,
    /// The position.
    pub position: String,
    /// The player to move, also where the game is over.
    pub turn: Player,
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

    fn doc(&self, _: &dyn Boards) -> Doc {
        let ReplayReport { game, holds, seed, .. } = self;
        let beginning = beginning_words(self.position.as_deref(), &self.moves);
        let of = holds.trim_start_matches("games ");
        let games = counted(self.games.len() as u64, "game");
        let mut lines = vec![format!("{game}{beginning}: {games} {of}, seed {seed}")];
        lines.extend(self.players.iter().map(|(name, player)| format!("  {name} is {player}")));
        let mut doc = Doc::new(format!("games of {game}"));
        doc.push(Block::Pages(vec![Block::heading(1, game.as_str())]));
        doc.push(Block::notes(lines));
        if self.games.is_empty() {
            return doc;
        }
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
                Cell::count(game.plies as u64),
                Cell::from(ended_by(game)),
            ]);
        }
        doc.push(table).push(Block::text("Every game replays to its result."));
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
        let mut doc = Doc::new(format!("a game of {}", self.game));
        doc.push(Block::Pages(vec![Block::heading(1, self.game.as_str())]));
        doc.push(Block::text(format!(
            "{}, game {}: the first player, x, is {}; the second player, o, is {}",
            self.game,
            game.name,
            named(Player::First),
            named(Player::Second),
        )));
        let mut turn = None;
        let mut shown = Vec::new();
        for (n, position) in self.positions.iter().enumerate() {
            let mut caption = "the start".to_owned();
            if let (Some(turn), Some(m)) = (turn, &position.m) {
                let side = game.side(turn);
                let random = if n <= self.opening_plies { " (random opening)" } else { "" };
                caption = format!("ply {n}: the {turn} player, {side}, plays {m}{random}");
                shown.push(Block::Terminal(vec![Block::text(caption.as_str())]));
            }
            let board = Board {
                position: position.position.clone(),
                picture: boards.svg(&position.position),
                text: boards.text(&position.position),
                caption: caption.into(),
                ..Board::default()
            };
            shown.push(board.into());
            turn = Some(position.turn);
        }
        let winner = game.winner().map_or(String::new(), |winner| format!(": {winner}"));
        let result = outcome_words(game.outcome);
        doc.push(Block::Group(Layout::Boards, shown));
        doc.push(Block::text(format!("{result}{winner} (ended by {})", ended_by(game))));
        doc
    }
}

/// What ended a game, in words.
fn ended_by(game: &ReplayedGame) -> String {
    match (&game.ended_by, &game.forfeit) {
        (Some(by), _) => by.clone(),
        (None, Some(forfeit)) => format!("a forfeit: {forfeit}"),
        (None, None) => "nothing".to_owned(),
    }
}
