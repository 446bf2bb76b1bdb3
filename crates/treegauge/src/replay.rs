//! Replaying the games of a record.

use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use treegauge_catalog::{GameSpec, with_path};
use treegauge_core::winner_json::winner_word;
use treegauge_core::{Ending, Outcome, Player, ReportHeader, Watch};
use treegauge_engine::{Line, StartingPoint};
use treegauge_gauge::{GamePart, RecordHeader, RecordedGame};
use treegauge_matches::{
    MatchGame, MatchHeader, RecordedForfeit, Side, TournamentGame, TournamentHeader,
};
use treegauge_report::{ReplayReport, ReplayedGame, ReplayedGameReport, ReplayedPosition};
use treegauge_store::journal::{Header, Journal, Piece};
use treegauge_store::{GamesHeader, Planned, Shard};

use crate::game::ReadGame;
use crate::records::{bad, header_of};
use crate::solved::read_beside;
use crate::{Error, ErrorKind, Game};

/// A record of games of any kind, read from its file.
pub struct RecordedGames {
    game: Game,
    start: Line,
    common: GamesHeader,
    /// Names of the players in the games, each with its specification.
    players: Vec<(String, String)>,
    games: Vec<GameOfRecord>,
    /// Number of games that the record is to have; `None` if its header does not say.
    planned: Option<u64>,
    /// Path of the file, for messages.
    file: String,
}

impl RecordedGames {
    /// Reads a record written by `match`, `tournament` or `gauge`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is not a record or is damaged, or its games cannot begin as
    /// recorded.
    pub fn read(path: &Path) -> Result<RecordedGames, Error> {
        RecordedGames::read_with(path, &Game::parse)
    }

    /// Reads a record as [`RecordedGames::read`] does, its game opened by `read`.
    pub(crate) fn read_with(path: &Path, read: ReadGame<'_>) -> Result<RecordedGames, Error> {
        let file = path.display().to_string();
        let header = header_of(path)?;
        let common: GamesHeader = fields(path, &header)?;
        let (players, games) = games_of(path, &common, &header)?;
        let planned = planned_games(&common, &header, players.len() as u64);
        let planned = planned.map_err(|problem| bad(format!("{file}: {problem}")))?;
        let bad = |error: Error| bad(format!("{file}: {error}"));
        let spec = GameSpec::parse(common.shown()).ok();
        let game = match spec.as_ref().and_then(|spec| spec.text_path()) {
            Some(text) => read_beside(&with_path(&common.game, text), path, read),
            None => read(common.shown()),
        };
        let game = game.map_err(bad)?;
        if game.info().canonical_name != common.game {
            let there = game.name();
            return Err(crate::records::bad(format!(
                "{file}: the games are of {}, and {there} has changed since",
                common.game
            )));
        }
        let from = StartingPoint { position: common.position.clone(), moves: common.moves.clone() };
        let start = game.begin(&from).map_err(bad)?;
        Ok(RecordedGames { game, start, common, players, games, planned, file })
    }

    /// Game of the record.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Sentence about the planned games that the record lacks; `None` if it has all of them, or
    /// does not say how many are planned.
    #[must_use]
    pub fn missing_words(&self) -> Option<String> {
        let there = self.games.len() as u64;
        let planned = self.planned.filter(|planned| *planned > there)?;
        Some(format!(
            "{} has {there} of {planned} planned games; the command that wrote it plays the rest",
            self.file
        ))
    }

    /// Replays all games.
    ///
    /// # Errors
    ///
    /// If a game does not lead to its recorded result, or `watch` says stop
    /// ([`ErrorKind::Interrupted`]).
    pub fn replay(&self, watch: &dyn Watch) -> Result<ReplayReport, Error> {
        for game in &self.games {
            if watch.stop() {
                return Err(Error::interrupted("not all games are replayed"));
            }
            self.positions(game)?;
        }
        Ok(ReplayReport {
            head: ReportHeader::NEW,
            game: self.game.name(),
            holds: self.common.holds.clone(),
            seed: self.common.seed,
            position: self.common.position.clone(),
            moves: self.common.moves.clone(),
            players: self.players.clone(),
            games: self.games.iter().map(GameOfRecord::row).collect(),
        })
    }

    /// Replays the game with this name, position by position.
    ///
    /// # Errors
    ///
    /// If the record does not have this game, or it does not lead to its recorded result.
    pub fn replay_game(&self, name: &str) -> Result<ReplayedGameReport, Error> {
        let game = self.games.iter().find(|game| game.name == name).ok_or_else(|| {
            let message = format!(
                "{} has no game {name:?}; `replay` without --game lists the games",
                self.file
            );
            Error::new(ErrorKind::Usage, message)
        })?;
        let moves = std::iter::once(None).chain(game.line().cloned().map(Some));
        let steps = moves.zip(self.positions(game)?).map(|(m, line)| ReplayedPosition {
            m,
            position: line.position_text(),
            turn: line.turn(),
        });
        Ok(ReplayedGameReport {
            head: ReportHeader::NEW,
            positions: steps.collect(),
            replayed: game.row(),
            opening_plies: game.opening.len(),
            game: self.game.name(),
            players: self.players.clone(),
        })
    }

    fn positions(&self, game: &GameOfRecord) -> Result<Vec<Line>, Error> {
        let name = &game.name;
        positions(&self.start, game)
            .map_err(|reason| bad(format!("{}: game {name} does not replay: {reason}", self.file)))
    }
}

/// A game of a record of any kind.
struct GameOfRecord {
    /// Name of the game in the record.
    name: String,
    /// Names of the first player and of the second.
    sides: [String; 2],
    opening: Vec<String>,
    moves: Vec<String>,
    outcome: Outcome,
    end: End,
}

/// End of a game: a rule or a forfeit.
enum End {
    By(Ending),
    /// Player that forfeited, and the reason.
    Forfeit(Player, String),
}

impl GameOfRecord {
    /// All moves in order.
    fn line(&self) -> impl Iterator<Item = &String> {
        self.opening.iter().chain(&self.moves)
    }

    fn plies(&self) -> usize {
        self.opening.len() + self.moves.len()
    }

    /// Name of a player.
    fn side(&self, player: Player) -> &str {
        &self.sides[player.index()]
    }

    /// End of the game in words.
    fn ended_by(&self) -> String {
        match &self.end {
            End::By(by) => by.to_string(),
            End::Forfeit(player, what) => format!("a forfeit: {} {what}", self.side(*player)),
        }
    }

    fn row(&self) -> ReplayedGame {
        let [first, second] = self.sides.clone();
        let (ended_by, forfeit) = match &self.end {
            End::By(by) => (Some(by.to_string()), None),
            End::Forfeit(player, what) => (None, Some(format!("{} {what}", self.side(*player)))),
        };
        ReplayedGame {
            name: self.name.clone(),
            first,
            second,
            outcome: self.outcome,
            plies: self.plies(),
            ended_by,
            forfeit,
        }
    }
}

/// Positions of a game from its beginning to its end, or the reason why its moves do not lead to
/// its result.
fn positions(start: &Line, game: &GameOfRecord) -> Result<Vec<Line>, String> {
    let mut positions = vec![start.clone()];
    for (n, text) in game.line().enumerate() {
        let mut next = positions[n].clone();
        next.play_text(text).map_err(|error| format!("at ply {}, {error}", n + 1))?;
        positions.push(next);
    }
    let last = positions.last().expect("there is the beginning");
    let ended = last.ended();
    let found = ended.map_or("no result".to_owned(), |ended| {
        format!("{:?} by {}", winner_word(ended.outcome), ended.by)
    });
    let agrees = match game.end {
        End::By(by) => ended.is_some_and(|e| (e.outcome, e.by) == (game.outcome, by)),
        // The player that forfeited was to move, and lost.
        End::Forfeit(player, _) => {
            let lost = game.outcome == Outcome::win_of(player.other());
            ended.is_none() && last.turn() == player && lost
        }
    };
    let recorded = || format!("{:?} by {}", winner_word(game.outcome), game.ended_by());
    agrees
        .then_some(positions)
        .ok_or_else(|| format!("its moves lead to {found}, the record says {}", recorded()))
}

/// Names of the players in a record, each with its specification.
type Players = Vec<(String, String)>;

/// Players and games of a record of any kind.
fn games_of(
    path: &Path,
    common: &GamesHeader,
    header: &Header,
) -> Result<(Players, Vec<GameOfRecord>), Error> {
    Ok(match &common.holds[..] {
        MatchHeader::HOLDS => {
            let MatchHeader { a, b, .. } = fields(path, header)?;
            let games = games_in(path, |game: MatchGame| {
                of_match(game.game.to_string(), game, ["a", "b"])
            })?;
            (vec![("a".to_owned(), a), ("b".to_owned(), b)], games)
        }
        TournamentHeader::HOLDS => {
            let TournamentHeader { players, .. } = fields(path, header)?;
            let games = games_in(path, |game: TournamentGame| {
                let [a, b] = game.players.map(|player| (u64::from(player) + 1).to_string());
                of_match(game.name(), game.game, [&a, &b])
            })?;
            let number = |n: usize| (n + 1).to_string();
            (players.into_iter().enumerate().map(|(n, name)| (number(n), name)).collect(), games)
        }
        RecordHeader::HOLDS => {
            let GaugePlayers { iterations, skill_factor } = fields(path, header)?;
            let uct = |iterations: u64| format!("uct(iterations={iterations})");
            let own = ["x", "o", "weaker"].map(|name| (name.to_owned(), uct(iterations)));
            let mut players = Players::from(own);
            players.push(("stronger".to_owned(), uct(iterations * skill_factor)));
            let games = games_in(path, |game: RecordedGame| {
                if let Some(iterations) = game.number.iterations {
                    for name in ["x", "o"].map(|name| side_of_rung(name, iterations)) {
                        if !players.iter().any(|(known, _)| *known == name) {
                            players.push((name, uct(u64::from(iterations))));
                        }
                    }
                }
                of_gauge(game)
            })?;
            (players, games)
        }
        other => {
            return Err(bad(format!(
                "{} holds {other:?}, which are not games that can be replayed",
                path.display()
            )));
        }
    })
}

/// Number of games that a record is to have, by the plan in its header. Records of `gauge` have no
/// plan there.
fn planned_games(
    common: &GamesHeader,
    header: &Header,
    players: u64,
) -> Result<Option<u64>, String> {
    let pairings = match &common.holds[..] {
        MatchHeader::HOLDS => 1,
        TournamentHeader::HOLDS => players.saturating_mul(players.saturating_sub(1)) / 2,
        _ => return Ok(None),
    };
    let plan = Planned::of(header)?;
    Ok(plan.and_then(|Planned { games, part, .. }| {
        let part = part.unwrap_or(Shard::WHOLE);
        let of_pairing = (0..games?).filter(|game| part.has(*game)).count() as u64;
        Some(pairings.saturating_mul(of_pairing))
    }))
}

/// Fields of a gauge's header about the players.
#[derive(Deserialize)]
struct GaugePlayers {
    iterations: u64,
    skill_factor: u64,
}

/// Fields of a header as a typed value.
fn fields<T: DeserializeOwned>(path: &Path, header: &Header) -> Result<T, Error> {
    serde_json::from_value(header.clone().into()).map_err(|error| {
        bad(format!("{} is not a record: invalid header: {error}", path.display()))
    })
}

/// Games of a record, in order.
fn games_in<L: Piece>(
    path: &Path,
    of: impl FnMut(L) -> GameOfRecord,
) -> Result<Vec<GameOfRecord>, Error> {
    let mut games = Journal::<L>::read(path)?.lines;
    games.sort_by_cached_key(Piece::key);
    Ok(games.into_iter().map(of).collect())
}

fn of_match(name: String, game: MatchGame, [a, b]: [&str; 2]) -> GameOfRecord {
    let (first, second) = if game.first == Side::A { (a, b) } else { (b, a) };
    let end = match (game.by, &game.forfeit) {
        (Some(by), None) => End::By(by),
        (_, Some(RecordedForfeit { side, kind, detail })) => {
            let player = if *side == game.first { Player::First } else { Player::Second };
            let more = if detail.is_empty() { String::new() } else { format!(" ({detail})") };
            End::Forfeit(player, format!("{}{more}", kind.words()))
        }
        // Neither a rule nor a forfeit is recorded, so the moves decide.
        (None, None) => End::By(Ending::Outcome),
    };
    GameOfRecord {
        name,
        sides: [first.to_owned(), second.to_owned()],
        opening: game.opening,
        moves: game.moves,
        outcome: game.outcome,
        end,
    }
}

/// Name of a player in games of another strength than the record's own.
fn side_of_rung(player: &str, iterations: u32) -> String {
    format!("{player}-{iterations}")
}

fn of_gauge(game: RecordedGame) -> GameOfRecord {
    let (before, sides) = match (game.number.part, game.stronger) {
        (GamePart::SelfPlay, _) => (String::new(), ["x", "o"].map(str::to_owned)),
        (GamePart::Skill, Some(Player::First)) => {
            ("skill-".to_owned(), ["stronger", "weaker"].map(str::to_owned))
        }
        (GamePart::Skill, _) => ("skill-".to_owned(), ["weaker", "stronger"].map(str::to_owned)),
        (GamePart::Ladder, _) => {
            let iterations = game.number.iterations.unwrap_or(0);
            (format!("{iterations}-"), ["x", "o"].map(|player| side_of_rung(player, iterations)))
        }
    };
    GameOfRecord {
        name: format!("{before}{}", game.number.game),
        sides,
        opening: game.record.opening,
        moves: game.record.plies.into_iter().map(|ply| ply.m).collect(),
        outcome: game.record.ended.outcome,
        end: End::By(game.record.ended.by),
    }
}
