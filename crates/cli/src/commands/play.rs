//! `treegauge play`.

use std::io::{BufRead, BufReader, IsTerminal, Read, Write};
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use clap::builder::styling::{AnsiColor, Style as Colour};
use treegauge::engine::{
    Competitor, Line, PLAYERS, PerfectPlayer, Player, PlayerSpec, PositionValues, Seat, Session,
    SolvedGame, StartingPoint, open_solved,
};
use treegauge::grammar::{Error as GrammarError, Role, count};
use treegauge::report::{coach_words, outcome_words, result_words, value_words};
use treegauge::search::picture::{self, Limits, Outline, Style};
use treegauge::solve::Value;
use treegauge::{Error, Game, PlyValues, may_name_solution, solved_game_of};
use treegauge_core::{Ended, Outcome as GameResult, Player as Side};

use crate::common::{clock, game};
use crate::exit::{Exit, Failure, Outcome};
use crate::files::{make_folder, to_read, to_write};
use crate::interrupt::{self, Stop};
use crate::output::{print, shortened};
use crate::resume;
use crate::standard_input::StandardInput;
use crate::terminal::has_colours;
use crate::thinking::Thinking;
use treegauge::FileKind;
use treegauge::tasks::with_players;
use treegauge::tasks::{DEFAULT_SEED, PositionArgs};

/// Iterations of the search for a hint in a game that is not solved.
const HINT_ITERATIONS: u32 = 10_000;

/// The maximum number of moves in such a hint.
const HINT_MOVES: usize = 3;

pub(super) const EXAMPLES: &[&str] = &[
    "play othello",
    "play connect_four --first 'uct(iterations=5000)' --second human",
    "play achi.tgs",
];

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Game, as `games` lists it, or a file that `solve` wrote, to play against it as --perfect does
    #[arg(value_name = "GAME|FILE", required_unless_present = "perfect")]
    game: Option<String>,

    #[arg(long, value_name = "PLAYER", help = format!(
        "{} [default: {HUMAN}]",
        with_players("First player: human")
    ))]
    first: Option<String>,

    /// Second player [default: uct(iterations=10000), with a solution the perfect player]
    #[arg(long, value_name = "PLAYER")]
    second: Option<String>,

    /// Play against the file of a solved game, from its start; hints give the value of every move
    #[arg(long, value_name = "FILE")]
    perfect: Option<PathBuf>,

    /// Random seed
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, value_parser = count::<u64>(..))]
    seed: u64,

    /// Write each tree that the computer searches into this folder, as JSON and DOT
    #[arg(long, value_name = "DIR")]
    log_trees: Option<PathBuf>,

    #[command(flatten)]
    at: PositionArgs,
}

const HELP: &str = "\
Type a move as it is listed, or one of
  hint     the value of every move if the game is solved, else what a short search would play
  moves    the legal moves
  history  the moves so far, and the command that continues from here
  undo     take back your last move and the answer to it
  resign   give the game up
  quit     leave without a result
";

/// The text form of a seat: a person or a player.
#[derive(Clone, Debug, PartialEq)]
enum SeatSpec {
    Person,
    Player(PlayerSpec),
}

impl SeatSpec {
    fn parse(text: &str) -> Outcome<SeatSpec> {
        if text.trim() == HUMAN {
            return Ok(SeatSpec::Person);
        }
        let player = PlayerSpec::parse(text).map_err(|error| match error {
            // Only `play` knows people.
            GrammarError::Name { role: role @ Role::Player, found, at, .. } => {
                let names = PLAYERS.iter().map(|form| form.name);
                GrammarError::unknown(role, &found, at, iter::once(HUMAN).chain(names))
            }
            other => other,
        });
        let player = player.map_err(Error::from)?;
        player.files().into_iter().try_for_each(to_read)?;
        Ok(SeatSpec::Player(player))
    }

    fn label(&self) -> String {
        match self {
            SeatSpec::Person => HUMAN.to_owned(),
            SeatSpec::Player(player) => player.to_string(),
        }
    }
}

/// The maximum length of a line.
const LINE_BYTES_MAX: u64 = 1 << 16;

/// The text form of a person.
const HUMAN: &str = "human";

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let (game, perfect) = game_and_file(arguments)?;
    let specs = seats(arguments, perfect.as_deref())?;
    if let Some(folder) = &arguments.log_trees {
        make_folder(folder)?;
    }
    let solved = |path: &Path| -> Result<Arc<dyn SolvedGame>, Error> {
        Ok(Arc::from(open_solved(game.engine(), path)?))
    };
    let hints = perfect.as_deref().map(solved).transpose()?;
    // With a solution the game begins where the file does.
    let start = arguments.at.line_from(&game, || match &hints {
        Some(solved) => solved.start(),
        None => game.start(),
    })?;
    if let Some(solved) = &hints {
        solved.value(&start).map_err(Error::from)?;
    }
    let seat = |spec: &SeatSpec| -> Result<Seat, Error> {
        Ok(match spec {
            SeatSpec::Person => Seat::Person,
            SeatSpec::Player(spec) => {
                Seat::Agent(Player::open(spec, game.engine(), &start, &clock())?.agent())
            }
        })
    };
    let seats = [seat(&specs[0])?, seat(&specs[1])?];
    let session = Session::new(game.engine().clone(), start, seats, hints, arguments.seed);
    Prompt {
        name: game.name(),
        labels: specs.map(|spec| spec.label()),
        session,
        log_trees: arguments.log_trees.as_deref(),
        trees: 0,
        input: None,
        moves_before: Some(arguments.at.beginning().moves),
        is_puzzle: false,
    }
    .run()
}

/// The game, and the file of its solution if there is one. A game may be the name of such a file.
fn game_and_file(arguments: &Arguments) -> Outcome<(Game, Option<PathBuf>)> {
    arguments.perfect.as_deref().map_or(Ok(()), to_read)?;
    let perfect = arguments.perfect.clone();
    let Some(name) = &arguments.game else {
        let path = perfect.as_deref().expect("clap requires the game or the file");
        return Ok((solved_game_of(path)?, perfect));
    };
    let path = PathBuf::from(name);
    match game(name) {
        Err(_) if may_name_solution(name) => {
            to_read(&path)?;
            Ok((solved_game_of(&path)?, perfect.or(Some(path))))
        }
        named => Ok((named?, perfect)),
    }
}

/// The two seats.
fn seats(arguments: &Arguments, perfect: Option<&Path>) -> Outcome<[SeatSpec; 2]> {
    let named = |side: &Option<String>| side.as_deref().map(SeatSpec::parse).transpose();
    let [first, second] = [named(&arguments.first)?, named(&arguments.second)?];
    let perfect = perfect.map(Path::to_owned);
    let perfect = perfect.map(|file| SeatSpec::Player(PlayerSpec::of(PerfectPlayer::new(file))));
    let second = match (second, &perfect) {
        (Some(second), _) => second,
        (None, Some(perfect)) => perfect.clone(),
        (None, None) => SeatSpec::parse("uct(iterations=10000)")?,
    };
    // A person who takes only the second seat also plays against perfect play.
    let opponent = perfect.filter(|_| second == SeatSpec::Person);
    Ok([first.or(opponent).unwrap_or(SeatSpec::Person), second])
}

/// Continues from a position: a person plays the side to move against perfect play, which also gives hints.
pub(crate) fn against(game: &Game, position: &str, solved: Arc<dyn SolvedGame>) -> Outcome {
    let from = StartingPoint { position: Some(position.to_owned()), moves: Vec::new() };
    let start = game.begin(&from)?;
    let mut labels = ["perfect".to_owned(), "perfect".to_owned()];
    let mut seats = [0, 1].map(|_| Seat::perfect(solved.clone()));
    let person = start.turn().index();
    labels[person] = HUMAN.to_owned();
    seats[person] = Seat::Person;
    let session = Session::new(game.engine().clone(), start, seats, Some(solved), DEFAULT_SEED);
    let prompt = Prompt {
        name: game.name(),
        labels,
        session,
        log_trees: None,
        trees: 0,
        input: None,
        moves_before: None,
        is_puzzle: true,
    };
    prompt.run()
}

/// A session at the terminal.
struct Prompt<'a> {
    name: String,
    /// The names of the players.
    labels: [String; 2],
    session: Session,
    log_trees: Option<&'a Path>,
    trees: u32,
    /// The source of the moves of a person; opened for the first move.
    input: Option<BufReader<StandardInput>>,
    /// The moves of `--moves`; `None` if the command has no such option.
    moves_before: Option<Vec<String>>,
    /// Whether the person solves a puzzle: each of their moves is judged.
    is_puzzle: bool,
}

/// The action of a person at their turn.
enum Answer {
    Moved,
    Resigned,
    Left,
}

impl Prompt<'_> {
    fn run(mut self) -> Outcome {
        print(&format!(
            "{}: the first player, x, is {}; the second player, o, is {}; seed {}\n",
            self.name,
            self.labels[0],
            self.labels[1],
            self.session.seed()
        ))?;
        if Side::BOTH.iter().any(|&player| self.session.is_person(player)) {
            print("Type help for the commands.\n")?;
        }
        self.print_board()?;
        loop {
            if let Some(Ended { by, outcome }) = self.line().ended() {
                let result = result_words(outcome, Some(&by.to_string()));
                return print(&format!("{result}\n{}", self.score_sheet()));
            }
            let turn = self.line().turn();
            if !self.session.is_person(turn) {
                self.agent_moves()?;
                continue;
            }
            match self.person_moves(turn)? {
                Answer::Moved => {}
                Answer::Left => {
                    return print(&format!("The game is left unfinished.\n{}", self.history()));
                }
                Answer::Resigned => {
                    let won = outcome_words(GameResult::win_of(turn.other()));
                    let result = format!("the {turn} player resigns: {won}\n");
                    return print(&(result + &self.score_sheet()));
                }
            }
        }
    }

    fn line(&self) -> &Line {
        self.session.line()
    }

    fn print_board(&self) -> Outcome {
        print(&format!("\n{}", self.line().board_text()))
    }

    /// The moves so far, numbered by their plies.
    fn score_sheet(&self) -> String {
        let moves = self.session.move_texts();
        if moves.is_empty() {
            return "No move has been made.\n".to_owned();
        }
        let numbered = moves.iter().enumerate().map(|(n, m)| format!("{}. {m}", n + 1));
        format!("{}\n", numbered.collect::<Vec<_>>().join(" "))
    }

    /// The moves so far, and the command that continues the game.
    fn history(&self) -> String {
        let Some(before) = &self.moves_before else { return self.score_sheet() };
        let moves = [&before[..], &self.session.move_texts()].concat();
        let command = match &moves[..] {
            [] => resume::same_command(),
            moves => resume::command_with_value("--moves", &moves.join(" ")),
        };
        format!("{}to continue:\n  {command}\n", self.score_sheet())
    }

    fn agent_moves(&mut self) -> Outcome {
        let thinking = Thinking::begin();
        let moved = self.session.agent_moves(self.log_trees.is_some(), &Stop);
        drop(thinking);
        let moved = moved.map_err(Error::from)?.expect("it is the turn of an agent");
        if let (Some(folder), Some(outline)) = (self.log_trees, &moved.outline) {
            self.log_tree(folder, outline)?;
        }
        let turn = moved.player;
        let words = match (moved.choice.exact, moved.choice.value) {
            _ if moved.choice.proved.is_some() => {
                let result = match moved.choice.proved {
                    Some(1..) => format!("the {turn} player wins by force"),
                    Some(0) => "neither player can win by force".to_owned(),
                    _ => format!("the {turn} player loses by force"),
                };
                format!(
                    " (proved, repetitions aside: {result}, for example by {})",
                    moved.proved_line.join(" ")
                )
            }
            (Some(exact), _) => format!(" ({})", value_words(exact.value, exact.plies())),
            (None, Some(value)) => {
                // Adding 0 leaves no negative zero.
                let value = (100.0 * value).round() / 100.0 + 0.0;
                format!(" (value {value:+.2} for the {turn} player, -1 to 1)")
            }
            (None, None) => String::new(),
        };
        print(&format!("\nthe {turn} player plays {}{words}\n", moved.text))?;
        self.print_board()
    }

    /// Writes a tree as JSON and for GraphViz; trees of an earlier game in the folder remain.
    fn log_tree(&mut self, folder: &Path, outline: &Outline) -> Outcome {
        let named = |n: u32| folder.join(format!("tree-{n:04}.json"));
        self.trees = (self.trees + 1..).find(|&n| !named(n).exists()).unwrap_or(u32::MAX);
        to_write(&named(self.trees), FileKind::TreeJson)?.write(&picture::json(outline))?;
        let picked = picture::pick(outline, Style::Plain, Limits::default());
        let dot = to_write(&named(self.trees).with_extension("dot"), FileKind::TreeDot)?;
        Ok(dot.write(&picture::dot(&picked))?)
    }

    fn person_moves(&mut self, turn: Side) -> Outcome<Answer> {
        loop {
            let letter = match turn {
                Side::First => 'x',
                Side::Second => 'o',
            };
            print(&format!("{letter} to move> "))?;
            std::io::stdout().flush().ok();
            let mut line = Vec::new();
            let input = self.input.get_or_insert_with(|| BufReader::new(StandardInput::open()));
            let mut input = input.take(LINE_BYTES_MAX);
            let read = match input.read_until(b'\n', &mut line) {
                Ok(read) => read,
                Err(_) if interrupt::requested() => {
                    return Err(Failure::interrupted("interrupted"));
                }
                Err(error) => {
                    return Err(Failure::new(Exit::Data, format!("cannot read the move: {error}")));
                }
            };
            if line.len() as u64 == LINE_BYTES_MAX && !line.ends_with(b"\n") {
                let message =
                    format!("cannot read the move: a line has over {LINE_BYTES_MAX} bytes");
                return Err(Failure::new(Exit::Data, message));
            }
            // Invalid text is answered like an illegal move.
            let line = String::from_utf8_lossy(&line);
            if !std::io::stdin().is_terminal() {
                print("\n")?;
            }
            if read == 0 {
                return Ok(Answer::Left);
            }
            match line.trim() {
                "" => {}
                "help" | "?" => print(HELP)?,
                "quit" => return Ok(Answer::Left),
                "resign" => return Ok(Answer::Resigned),
                "moves" => print(&format!("{}\n", self.line().moves().join(" ")))?,
                "hint" => self.hint()?,
                "history" => print(&self.history())?,
                "undo" => self.undo()?,
                text => {
                    let values = self.is_puzzle.then(|| self.values()).transpose()?;
                    match self.session.person_moves(text) {
                        Ok(()) => {
                            self.print_board()?;
                            values.map_or(Ok(()), |values| self.judge(turn, values))?;
                            return Ok(Answer::Moved);
                        }
                        Err(error) => {
                            let error = shortened(&error.to_string()).into_owned();
                            print(&format!("{error}; type help for the commands\n"))?;
                        }
                    }
                }
            }
            if self.line().turn() != turn {
                return Ok(Answer::Moved);
            }
        }
    }

    fn hint(&self) -> Outcome {
        let thinking = Thinking::begin();
        let values = self.values()?;
        drop(thinking);
        print(&hint_words(&values, has_colours()))
    }

    /// Values of the moves of the current position.
    fn values(&self) -> Outcome<PositionValues> {
        Ok(self.session.hint(HINT_ITERATIONS, &(), &mut |_| {}).map_err(Error::from)?)
    }

    /// Judges the last move of the solver of a puzzle by the values before it.
    fn judge(&self, turn: Side, values: PositionValues) -> Outcome {
        let moves = self.session.moves();
        let ply = moves.len().saturating_sub(1) as u32;
        let at = PlyValues { ply, turn, played: moves.last().copied(), values };
        let Some(words) = coach_words(&at) else { return Ok(()) };
        let solved = self.line().ended().map(|end| end.outcome) == Some(GameResult::win_of(turn));
        let more = match at.given_away() {
            _ if solved => " Solved.",
            Some(lost) if lost > 0.0 => " `undo` takes it back.",
            _ => "",
        };
        print(&format!("{words}{more}\n"))
    }

    fn undo(&mut self) -> Outcome {
        if !self.session.undo() {
            return print("there is nothing to take back\n");
        }
        print("taken back\n")?;
        self.print_board()
    }
}

/// A hint for the terminal.
fn hint_words(values: &PositionValues, colours: bool) -> String {
    match values {
        PositionValues::Solution { moves } => {
            let mut words =
                "hint (the value of each move for you, best first, with the plies to the end):\n"
                    .to_owned();
            for group in moves.chunk_by(|a, b| (a.value, a.plies) == (b.value, b.plies)) {
                let (value, plies) = (group[0].value, group[0].plies);
                let colour = if colours { colour(value) } else { Colour::new() };
                words += &format!("  {colour}{}:", value_words(value, plies));
                group.iter().for_each(|row| words += &format!(" {}", row.text));
                words += &format!("{colour:#}\n");
            }
            words
        }
        PositionValues::Search { proved: Some(result), line, .. } => {
            let result = match result {
                1.. => "you win by force",
                0 => "neither of you can win by force",
                _ => "you lose by force",
            };
            format!(
                "hint (proved, repetitions aside): {result}, for example by {}\n",
                line.join(" ")
            )
        }
        PositionValues::Search { moves, .. } => {
            let moves = moves.iter().take(HINT_MOVES);
            let moves: Vec<String> = moves
                .map(|m| format!("{} ({:+.2}, {} visits)", m.text, m.value, m.visits))
                .collect();
            format!("hint (values for you, -1 to 1): {}\n", moves.join(", "))
        }
        _ => String::new(),
    }
}

/// The colour of the value of a move.
fn colour(value: Value) -> Colour {
    let colour = match value {
        Value::Win => AnsiColor::Green,
        Value::Tie => AnsiColor::Yellow,
        Value::Draw => AnsiColor::Blue,
        Value::Lose => AnsiColor::Red,
    };
    colour.on_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_have_the_colour_of_the_values_of_moves() {
        let text = |value| format!("{0}a1{0:#}", colour(value));
        assert_eq!(text(Value::Win), "\u{1b}[32ma1\u{1b}[0m");
        assert_eq!(text(Value::Tie), "\u{1b}[33ma1\u{1b}[0m");
        assert_eq!(text(Value::Draw), "\u{1b}[34ma1\u{1b}[0m");
        assert_eq!(text(Value::Lose), "\u{1b}[31ma1\u{1b}[0m");
        assert_eq!(format!("{0}a1{0:#}", Colour::new()), "a1");
    }
}
