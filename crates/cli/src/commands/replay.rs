//! `treegauge replay`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use treegauge_catalog::{DynPosition, GameSpec, open};
use treegauge_core::{Ending, Outcome as Result_, Player};
use treegauge_study::journal::{Header, Journal, Line, read_header};
use treegauge_study::{
    Fault, GamesHeader, MatchGame, MatchHeader, Part, RecordHeader, RecordedGame, Side,
    TournamentGame, TournamentHeader,
};

use super::show::{outcome_word, result_words};
use crate::exit::{Exit, Failure, OrExit, Outcome};
use crate::output::{counted, print, print_json, write_file};
use crate::report::beginning_words;
use crate::table::table;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The record, which `match`, `tournament` or `gauge` wrote with --record
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Show this game position by position; without it the games are listed by these names
    #[arg(long, value_name = "NAME")]
    game: Option<String>,

    /// Write a picture of each position of the game into this folder
    #[arg(long, value_name = "DIR", requires = "game")]
    svg_dir: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A game of a record, whatever it was played for.
struct Told {
    /// Names it in its record.
    name: String,
    /// Who has the first player and the second.
    sides: [String; 2],
    opening: Vec<String>,
    moves: Vec<String>,
    outcome: Result_,
    end: End,
}

/// What ended a game.
enum End {
    By(Ending),
    /// Whose fault, and what it was.
    Fault(Player, String),
}

impl Told {
    /// All moves in order.
    fn line(&self) -> impl Iterator<Item = &String> {
        self.opening.iter().chain(&self.moves)
    }

    fn plies(&self) -> usize {
        self.opening.len() + self.moves.len()
    }

    /// Who has a player.
    fn side(&self, player: Player) -> &str {
        &self.sides[player.index()]
    }

    /// Who won, by name.
    fn winner(&self) -> String {
        self.outcome
            .winner()
            .map_or("draw".to_owned(), |winner| format!("{} wins", self.side(winner)))
    }

    /// What ended it, in words.
    fn ended_by(&self) -> String {
        match &self.end {
            End::By(by) => by.to_string(),
            End::Fault(player, what) => format!("a fault: {} {what}", self.side(*player)),
        }
    }

    fn row(&self) -> Row {
        let [first, second] = self.sides.clone();
        let (ended_by, fault) = match &self.end {
            End::By(by) => (Some(by.to_string()), None),
            End::Fault(player, what) => (None, Some(format!("{} {what}", self.side(*player)))),
        };
        Row {
            name: self.name.clone(),
            first,
            second,
            outcome: outcome_word(self.outcome),
            plies: self.plies(),
            ended_by,
            fault,
        }
    }
}

/// A game in JSON.
#[derive(Serialize)]
struct Row {
    name: String,
    first: String,
    second: String,
    outcome: &'static str,
    plies: usize,
    ended_by: Option<String>,
    fault: Option<String>,
}

/// A record in JSON.
#[derive(Serialize)]
struct List<'a> {
    game: &'a str,
    holds: &'a str,
    seed: u64,
    players: &'a [(String, String)],
    games: Vec<Row>,
}

/// A game with its positions in JSON.
#[derive(Serialize)]
struct Whole<'a> {
    game: &'a str,
    #[serde(flatten)]
    row: Row,
    opening_plies: usize,
    positions: Vec<Step>,
}

/// A position of a game in JSON.
#[derive(Serialize)]
struct Step {
    /// The move that led to it; none at the beginning.
    #[serde(rename = "move")]
    m: Option<String>,
    position: String,
    turn: String,
}

/// A record that was read.
struct Read {
    common: GamesHeader,
    /// The names of the players in the games, with what they are.
    players: Vec<(String, String)>,
    games: Vec<Told>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let path = &arguments.file;
    let record = read(path)?;
    let common = &record.common;
    let bad = |error: String| Failure::new(Exit::Data, format!("{}: {error}", path.display()));
    let spec = GameSpec::parse(&common.game).map_err(|error| bad(error.to_string()))?;
    let game = open(&spec).map_err(|error| bad(error.to_string()))?;
    let mut start = match &common.position {
        Some(text) => game.position(text).map_err(|error| bad(error.to_string()))?,
        None => game.start(),
    };
    common.moves.iter().try_for_each(|m| start.play(m)).map_err(|error| bad(error.to_string()))?;
    let check = |told: &Told| {
        let failed = |reason| bad(format!("game {} does not replay: {reason}", told.name));
        positions(&*start, told).map_err(failed)
    };
    let Some(name) = &arguments.game else {
        record.games.iter().try_for_each(|told| check(told).map(drop))?;
        if arguments.json {
            return print_json(&List {
                game: &common.game,
                holds: &common.holds,
                seed: common.seed,
                players: &record.players,
                games: record.games.iter().map(Told::row).collect(),
            });
        }
        return print(&list(&record));
    };
    let told = record.games.iter().find(|told| told.name == *name).ok_or_else(|| {
        let message = format!("{} has no game {name:?}: `replay` lists them", path.display());
        Failure::new(Exit::Usage, message)
    })?;
    let positions = check(told)?;
    if let Some(folder) = &arguments.svg_dir {
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("cannot make {}: {error}", folder.display()))
            .or_data()?;
        for (ply, position) in positions.iter().enumerate() {
            write_file(&folder.join(format!("ply-{ply:04}.svg")), &position.svg())?;
        }
    }
    if !arguments.json {
        return print(&shown(&record, told, &positions));
    }
    let moves = std::iter::once(None).chain(told.line().cloned().map(Some));
    let steps = moves.zip(&positions).map(|(m, position)| Step {
        m,
        position: position.text(),
        turn: position.turn().to_string(),
    });
    print_json(&Whole {
        game: &common.game,
        row: told.row(),
        opening_plies: told.opening.len(),
        positions: steps.collect(),
    })
}

/// The positions of a game from its beginning to its end, or why it has none.
fn positions(start: &dyn DynPosition, told: &Told) -> Result<Vec<Box<dyn DynPosition>>, String> {
    let mut positions = vec![start.boxed_clone()];
    for (n, text) in told.line().enumerate() {
        let mut next = positions[n].boxed_clone();
        next.play(text).map_err(|error| format!("at ply {}, {error}", n + 1))?;
        positions.push(next);
    }
    let last = positions.last().expect("there is the beginning");
    let ended = last.ended();
    let found = ended.map_or("no result".to_owned(), |ended| {
        format!("{:?} by {}", outcome_word(ended.outcome), ended.by)
    });
    let agrees = match told.end {
        End::By(by) => ended.is_some_and(|e| (e.outcome, e.by) == (told.outcome, by)),
        // Whoever is at fault was to move, and lost.
        End::Fault(player, _) => {
            let lost = told.outcome == Result_::win_of(player.other());
            ended.is_none() && last.turn() == player && lost
        }
    };
    let recorded = || format!("{:?} by {}", outcome_word(told.outcome), told.ended_by());
    agrees
        .then_some(positions)
        .ok_or_else(|| format!("its moves lead to {found}, the record says {}", recorded()))
}

/// All games in a table.
fn list(record: &Read) -> String {
    let GamesHeader { game, holds, seed, position, moves, .. } = &record.common;
    let beginning = beginning_words(position.as_deref(), moves);
    let of = holds.trim_start_matches("games ");
    let mut text = format!(
        "{game}{beginning}: {} {of}, seed {seed}\n",
        counted(record.games.len() as u64, "game")
    );
    for (name, player) in &record.players {
        let _ = writeln!(text, "  {name} is {player}");
    }
    text.push('\n');
    if record.games.is_empty() {
        return text;
    }
    let rows = record.games.iter().map(|told| {
        let [first, second] = told.sides.clone();
        let plies = told.plies().to_string();
        [told.name.clone(), first, second, told.winner(), plies, told.ended_by()]
    });
    let header = ["game", "first player", "second player", "result", "plies", "ended by"];
    text.push_str(&table(header, rows, 4..5));
    text.push_str("\nEvery game replays to its result; --game NAME shows one.\n");
    text
}

/// A game in words and boards.
fn shown(record: &Read, told: &Told, positions: &[Box<dyn DynPosition>]) -> String {
    let named = |player: Player| {
        let side = told.side(player);
        let what = record.players.iter().find(|(name, _)| name == side);
        what.map_or(side.to_owned(), |(_, what)| format!("{side}, {what}"))
    };
    let mut text = format!(
        "{}, game {}: the first player, x, is {}; the second player, o, is {}\n\n{}",
        record.common.game,
        told.name,
        named(Player::First),
        named(Player::Second),
        positions[0].drawing()
    );
    for ((n, m), pair) in told.line().enumerate().zip(positions.windows(2)) {
        let turn = pair[0].turn();
        let side = told.side(turn);
        let random = if n < told.opening.len() { " (random opening)" } else { "" };
        let _ = write!(
            text,
            "\nply {}: the {turn} player, {side}, plays {m}{random}\n\n{}",
            n + 1,
            pair[1].drawing()
        );
    }
    let result = result_words(told.outcome);
    let winner = told.outcome.winner().map_or(String::new(), |won| format!(": {}", told.side(won)));
    let _ = writeln!(text, "\n{result}{winner} (ended by {})", told.ended_by());
    text
}

/// Reads a record of any kind.
fn read(path: &Path) -> Outcome<Read> {
    let header = read_header(path).or_data()?;
    let common: GamesHeader = fields(path, &header)?;
    let (players, games) = match &common.holds[..] {
        MatchHeader::HOLDS => {
            let MatchHeader { a, b, .. } = fields(path, &header)?;
            let games =
                told(path, |game: MatchGame| of_match(game.game.to_string(), game, ["a", "b"]))?;
            (vec![("a".to_owned(), a), ("b".to_owned(), b)], games)
        }
        TournamentHeader::HOLDS => {
            let TournamentHeader { players, .. } = fields(path, &header)?;
            let games = told(path, |game: TournamentGame| {
                let [a, b] = game.players.map(|player| (u64::from(player) + 1).to_string());
                of_match(game.name(), game.game, [&a, &b])
            })?;
            let number = |n: usize| (n + 1).to_string();
            (players.into_iter().enumerate().map(|(n, name)| (number(n), name)).collect(), games)
        }
        RecordHeader::HOLDS => {
            let GaugePlayers { iterations, skill_factor } = fields(path, &header)?;
            let games: Vec<Told> = told(path, of_gauge)?;
            let player = |name: &str, factor: u64| {
                (name.to_owned(), format!("uct(iterations={})", iterations * factor))
            };
            let players = [("x", 1), ("o", 1), ("weaker", 1), ("stronger", skill_factor)];
            (players.map(|(name, factor)| player(name, factor)).into(), games)
        }
        other => {
            let message = format!("{} holds {other:?}, which is no game", path.display());
            return Err(message).or_data();
        }
    };
    Ok(Read { common, players, games })
}

/// What the header of a gauge tells of the players.
#[derive(Deserialize)]
struct GaugePlayers {
    iterations: u64,
    skill_factor: u64,
}

/// The fields of a header.
fn fields<T: DeserializeOwned>(path: &Path, header: &Header) -> Outcome<T> {
    serde_json::from_value(header.clone().into())
        .map_err(|error| {
            format!("the first line of {} is none of a record: {error}", path.display())
        })
        .or_data()
}

/// The games of a record in order.
fn told<L: Line>(path: &Path, of: impl Fn(L) -> Told) -> Outcome<Vec<Told>> {
    let (_, mut games) = Journal::<L>::read(path).or_data()?;
    games.sort_by_cached_key(Line::key);
    Ok(games.into_iter().map(of).collect())
}

fn of_match(name: String, game: MatchGame, [a, b]: [&str; 2]) -> Told {
    let (first, second) = if game.first == Side::A { (a, b) } else { (b, a) };
    let end = match (game.by, &game.fault) {
        (Some(by), None) => End::By(by),
        (_, Some(Fault { side, kind, detail })) => {
            let player = if *side == game.first { Player::First } else { Player::Second };
            let more = if detail.is_empty() { String::new() } else { format!(" ({detail})") };
            End::Fault(player, format!("{}{more}", kind.words()))
        }
        // Whatever wrote that, the moves tell.
        (None, None) => End::By(Ending::Outcome),
    };
    Told {
        name,
        sides: [first.to_owned(), second.to_owned()],
        opening: game.opening,
        moves: game.moves,
        outcome: game.outcome,
        end,
    }
}

fn of_gauge(game: RecordedGame) -> Told {
    let (before, sides) = match (game.number.part, game.stronger) {
        (Part::SelfPlay, _) => ("", ["x", "o"]),
        (Part::Skill, Some(Player::First)) => ("skill-", ["stronger", "weaker"]),
        (Part::Skill, _) => ("skill-", ["weaker", "stronger"]),
    };
    Told {
        name: format!("{before}{}", game.number.game),
        sides: sides.map(str::to_owned),
        opening: game.record.opening,
        moves: game.record.plies.into_iter().map(|ply| ply.m).collect(),
        outcome: game.record.ended.outcome,
        end: End::By(game.record.ended.by),
    }
}
