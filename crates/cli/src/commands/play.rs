//! `treegauge play`.

use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use clap::Args;
use clap::builder::styling::{AnsiColor, Style as Colour};
use treegauge_catalog::{Entry, Visitor};
use treegauge_core::{Game, KeyCode, Keyed, Notation, Outcome as Result_, Played, Player};
use treegauge_search::draw::{self, Limits, Style};
use treegauge_search::{Budget, Chooser, Generator, Seed, Uct};
use treegauge_solve::{CodeOf, Value};

use super::show::result_words;
use crate::common::{DEFAULT_SEED, PositionArgs, game_spec, play_text};
use crate::exit::{Exit, Failure, OrExit, Outcome};
use crate::output::{print, write_file};
use crate::players::{PlayerSpec, best_of};
use crate::solving::{Asked, WorthMove, rules_of, spec_of_file};

/// Iterations behind a hint.
const HINT_ITERATIONS: u32 = 10_000;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The game, as `games` lists it; with --perfect it may be left out, or must be that of FILE
    #[arg(required_unless_present = "perfect")]
    game: Option<String>,

    #[command(flatten)]
    at: PositionArgs,

    /// Who has the first player: human, random, uct(iterations=N,cp=X),
    /// alphabeta(eval=NAME,nodes=N) or perfect(file=PATH)
    /// [default: human]
    #[arg(long, value_name = "PLAYER")]
    first: Option<String>,

    /// Who has the second player [default: uct(iterations=10000), with --perfect the perfect player]
    #[arg(long, value_name = "PLAYER")]
    second: Option<String>,

    /// Play against the file of a solved game, from where it begins; hints tell what every move is
    /// worth
    #[arg(long, value_name = "FILE")]
    perfect: Option<PathBuf>,

    /// Seed of all chance
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    seed: u64,

    /// Write each tree the computer searched into this folder, as JSON and DOT
    #[arg(long, value_name = "DIR")]
    log_trees: Option<PathBuf>,
}

const HELP: &str = "\
Type a move as it is listed, or one of
  hint     what every move is worth with --perfect, else what a short search would play
  moves    the legal moves
  undo     take back your last move and the answer to it
  resign   give the game up
  quit     leave without a result
";

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let spec = match (&arguments.game, &arguments.perfect) {
        (Some(game), _) => game_spec(game)?,
        (None, Some(path)) => spec_of_file(path)?,
        (None, None) => unreachable!("clap wants the game or the file"),
    };
    let sides = sides(arguments)?;
    if let Some(folder) = &arguments.log_trees {
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("cannot make {}: {error}", folder.display()))
            .or_data()?;
    }
    let canonical = spec.canonical();
    let visitor = Play { arguments, spec: spec.to_string(), canonical, sides };
    spec.with_game(visitor).or_usage()?
}

/// Who plays the two sides.
fn sides(arguments: &Arguments) -> Outcome<[PlayerSpec; 2]> {
    let named = |side: &Option<String>| side.as_deref().map(PlayerSpec::parse).transpose();
    let [first, second] = [named(&arguments.first)?, named(&arguments.second)?];
    let perfect = arguments.perfect.clone().map(PlayerSpec::Perfect);
    let second = match (second, &perfect) {
        (Some(second), _) => second,
        (None, Some(perfect)) => perfect.clone(),
        (None, None) => PlayerSpec::parse("uct(iterations=10000)")?,
    };
    // Who takes the second side alone plays against perfect play too.
    let opponent = perfect.filter(|_| second == PlayerSpec::HUMAN);
    Ok([first.or(opponent).unwrap_or(PlayerSpec::HUMAN), second])
}

struct Play<'a> {
    arguments: &'a Arguments,
    spec: String,
    canonical: String,
    sides: [PlayerSpec; 2],
}

impl Visitor for Play<'_> {
    type Output = Outcome;

    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> Outcome {
        let game = &entry.game.clone();
        // Of files only four types are compiled, not one for each game.
        let rules = rules_of(entry.clone()).erase();
        let open = |path: &Path| Asked::open(path, rules.clone(), &self.canonical);
        let mut start = Played::start(game);
        let mut hints = None;
        if let Some(path) = &self.arguments.perfect {
            let file = open(path)?;
            start = Played::from_state(game.unkey(G::Key::of_code(file.start())));
            hints = Some(worths(game, file));
        }
        let played = self.arguments.at.played_from(game, start)?;
        let seat = |side: &PlayerSpec| {
            Ok(match side {
                PlayerSpec::Chooser(chooser) => chooser.build().map_or(Seat::Person, Seat::Chooser),
                PlayerSpec::AlphaBeta(search) => {
                    let evaluator = search.evaluator(&entry, &self.canonical)?;
                    Seat::Chooser(Box::new(search.chooser(evaluator)))
                }
                PlayerSpec::Perfect(path) => Seat::Perfect(worths(game, open(path)?)),
            })
        };
        let seats = [seat(&self.sides[0])?, seat(&self.sides[1])?];
        // What a file cannot play is told before the game begins.
        let files = seats.iter().filter_map(|seat| match seat {
            Seat::Perfect(worths) => Some(worths),
            Seat::Person | Seat::Chooser(_) => None,
        });
        for worths in files.chain(&hints) {
            worths(played.state())?;
        }
        Table {
            game,
            spec: &self.spec,
            labels: self.sides.map(|side| side.to_string()),
            seats,
            hints,
            start: played.clone(),
            played,
            moves: Vec::new(),
            seed: self.arguments.seed,
            rng: Seed(self.arguments.seed).generator(),
            log_trees: self.arguments.log_trees.as_deref(),
            trees: 0,
        }
        .sit()
    }
}

/// Tells what the moves of a position are worth to the player who makes them, best first.
pub(crate) type Worths<'a, G> =
    Rc<dyn Fn(&<G as Game>::State) -> Outcome<Vec<WorthMove<<G as Game>::Move>>> + 'a>;

/// What a file tells of the moves of a game.
fn worths<'a, G: Notation + Keyed>(game: &'a G, file: Asked<CodeOf<G>>) -> Worths<'a, G> {
    Rc::new(move |state| {
        let rows = file.moves(&game.key(state).code())?;
        let mut moves = Vec::new();
        if !rows.is_empty() {
            game.moves_into(state, &mut moves);
        }
        let rows = rows.into_iter();
        Ok(rows.map(|row| WorthMove { m: moves[row.m.number()], worth: row.worth }).collect())
    })
}

/// Plays on from a point: a person on one side, perfect play, which also gives the hints, on the
/// other.
pub(crate) fn against<G: Notation>(
    game: &G,
    spec: &str,
    start: Played<G>,
    person: Player,
    perfect: Worths<'_, G>,
) -> Outcome {
    let mut labels = ["perfect".to_owned(), "perfect".to_owned()];
    let mut seats = [Seat::Perfect(perfect.clone()), Seat::Perfect(perfect.clone())];
    labels[person.index()] = PlayerSpec::HUMAN.to_string();
    seats[person.index()] = Seat::Person;
    Table {
        game,
        spec,
        labels,
        seats,
        hints: Some(perfect),
        played: start.clone(),
        start,
        moves: Vec::new(),
        seed: DEFAULT_SEED,
        rng: Seed(DEFAULT_SEED).generator(),
        log_trees: None,
        trees: 0,
    }
    .sit()
}

/// Who chooses the moves of a side.
enum Seat<'a, G: Game> {
    Person,
    Chooser(Box<dyn Chooser<G>>),
    Perfect(Worths<'a, G>),
}

/// A game being played at the terminal.
struct Table<'a, G: Notation> {
    game: &'a G,
    spec: &'a str,
    /// What the players are called.
    labels: [String; 2],
    seats: [Seat<'a, G>; 2],
    /// What tells the hints, where the game is solved.
    hints: Option<Worths<'a, G>>,
    start: Played<G>,
    played: Played<G>,
    moves: Vec<G::Move>,
    seed: u64,
    rng: Generator,
    log_trees: Option<&'a Path>,
    trees: u32,
}

/// What a person did at his turn.
enum Turn {
    Moved,
    Resigned,
    Left,
}

impl<G: Notation> Table<'_, G> {
    fn sit(mut self) -> Outcome {
        print(&format!(
            "{}: the first player, x, is {}; the second player, o, is {}; seed {}\n",
            self.spec, self.labels[0], self.labels[1], self.seed
        ))?;
        if Player::BOTH.iter().any(|&player| self.is_person(player)) {
            print("Type help for the commands.\n")?;
        }
        self.draw()?;
        loop {
            if let Some(ended) = self.played.ended(self.game) {
                let by = ended.by;
                return print(&format!("{} (ended by {by})\n", result_words(ended.outcome)));
            }
            let turn = self.game.turn(self.played.state());
            if !self.is_person(turn) {
                self.computer_moves(turn)?;
                continue;
            }
            match self.person_moves(turn)? {
                Turn::Moved => {}
                Turn::Left => return print("The game is left unfinished.\n"),
                Turn::Resigned => {
                    let won = result_words(Result_::win_of(turn.other()));
                    return print(&format!("the {turn} player resigns: {won}\n"));
                }
            }
        }
    }

    fn draw(&self) -> Outcome {
        print(&format!("\n{}", self.game.draw_text(self.played.state())))
    }

    fn is_person(&self, player: Player) -> bool {
        matches!(self.seats[player.index()], Seat::Person)
    }

    fn computer_moves(&mut self, turn: Player) -> Outcome {
        let (m, words) = match &mut self.seats[turn.index()] {
            Seat::Person => unreachable!("a person is asked"),
            Seat::Perfect(worths) => {
                let rows = worths(self.played.state())?;
                let row = best_of(&rows, &mut self.rng).ok_or_else(no_move)?;
                (row.m, format!(" ({})", row.words()))
            }
            Seat::Chooser(chooser) => {
                let choice =
                    chooser.choose(self.game, &self.played, &mut self.rng).ok_or_else(no_move)?;
                if let (Some(folder), Some(search)) = (self.log_trees, chooser.last_search()) {
                    // Trees of an earlier game in the same folder are kept.
                    let named = |n: u32| folder.join(format!("tree-{n:04}.json"));
                    self.trees =
                        (self.trees + 1..).find(|&n| !named(n).exists()).unwrap_or(u32::MAX);
                    let state = self.played.state();
                    let outline = draw::outline(self.game, self.spec, self.seed, state, &search);
                    let name = format!("tree-{:04}", self.trees);
                    write_file(&folder.join(format!("{name}.json")), &draw::json(&outline))?;
                    let picked = draw::pick(&outline, Style::Plain, Limits::default());
                    write_file(&folder.join(format!("{name}.dot")), &draw::dot(&picked))?;
                }
                let words = choice.value.map_or(String::new(), |value| {
                    format!(" (value {value:+.2} for the {turn} player, -1 to 1)")
                });
                (choice.m, words)
            }
        };
        let text = self.game.move_text(self.played.state(), m);
        self.played.play(self.game, m);
        self.moves.push(m);
        print(&format!("\nthe {turn} player plays {text}{words}\n"))?;
        self.draw()
    }

    fn person_moves(&mut self, turn: Player) -> Outcome<Turn> {
        loop {
            let letter = match turn {
                Player::First => 'x',
                Player::Second => 'o',
            };
            print(&format!("{letter} to move> "))?;
            std::io::stdout().flush().ok();
            let mut line = Vec::new();
            let read = std::io::stdin()
                .lock()
                .read_until(b'\n', &mut line)
                .map_err(|error| format!("cannot read the move: {error}"))
                .or_data()?;
            // What is no text is no move either, and is answered as such.
            let line = String::from_utf8_lossy(&line);
            if !std::io::stdin().is_terminal() {
                print("\n")?;
            }
            if read == 0 {
                return Ok(Turn::Left);
            }
            match line.trim() {
                "" => {}
                "help" | "?" => print(HELP)?,
                "quit" => return Ok(Turn::Left),
                "resign" => return Ok(Turn::Resigned),
                "moves" => print(&format!("{}\n", self.legal().join(" ")))?,
                "hint" => self.hint()?,
                "undo" => self.undo()?,
                text => match play_text(self.game, &mut self.played, text) {
                    Ok(m) => {
                        self.moves.push(m);
                        self.draw()?;
                        return Ok(Turn::Moved);
                    }
                    Err(error) => print(&format!("{error}; type help for the commands\n"))?,
                },
            }
            if self.game.turn(self.played.state()) != turn {
                return Ok(Turn::Moved);
            }
        }
    }

    fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.game.moves_into(self.played.state(), &mut moves);
        moves.iter().map(|&m| self.game.move_text(self.played.state(), m)).collect()
    }

    /// What every move is worth where the game is solved, else the three best of a short search.
    fn hint(&self) -> Outcome {
        if let Some(worths) = &self.hints {
            let rows = worths(self.played.state())?;
            return print(&self.worth_hint(&rows, has_colours()));
        }
        let mut uct = Uct::new(Budget::iterations(HINT_ITERATIONS));
        // A generator of its own: asking for a hint changes nothing in the game.
        let mut rng = Seed(self.seed).child(u64::from(self.played.ply().0)).generator();
        let search = uct.search(self.game, &self.played, &mut rng);
        let sign = f64::from(search.turn().sign());
        let tree = search.tree();
        let mut tried: Vec<_> = tree.children(treegauge_search::NodeId::ROOT).iter().collect();
        tried.sort_by(|a, b| (sign * b.mean()).total_cmp(&(sign * a.mean())));
        let hints: Vec<String> = tried
            .iter()
            .take(3)
            .map(|child| {
                let text = self.game.move_text(self.played.state(), child.last_move());
                format!("{text} ({:+.2}, {} visits)", sign * child.mean(), child.visits())
            })
            .collect();
        print(&format!("hint (values for you, -1 to 1): {}\n", hints.join(", ")))
    }

    /// The moves of a position by what they are worth.
    fn worth_hint(&self, rows: &[WorthMove<G::Move>], colours: bool) -> String {
        let mut hint =
            "hint (what each move is worth to you, best first, with the plies to the end):\n"
                .to_owned();
        for group in rows.chunk_by(|a, b| a.worth == b.worth) {
            let words = group[0].words();
            let colour = if colours { colour(group[0].worth.value) } else { Colour::new() };
            hint += &format!("  {colour}{words}:");
            for row in group {
                hint += &format!(" {}", self.game.move_text(self.played.state(), row.m));
            }
            hint += &format!("{colour:#}\n");
        }
        hint
    }

    /// Takes back moves until a person is to move again, at least one.
    fn undo(&mut self) -> Outcome {
        let mut kept = self.moves.len();
        let mut found = None;
        while kept > 0 {
            kept -= 1;
            let played = self.replayed(kept);
            if self.is_person(self.game.turn(played.state())) {
                found = Some((kept, played));
                break;
            }
        }
        match found {
            Some((kept, played)) => {
                self.moves.truncate(kept);
                self.played = played;
                print("taken back\n")?;
                self.draw()
            }
            None => print("there is nothing to take back\n"),
        }
    }

    fn replayed(&self, count: usize) -> Played<G> {
        let mut played = self.start.clone();
        for &m in &self.moves[..count] {
            played.play(self.game, m);
        }
        played
    }
}

fn no_move() -> Failure {
    Failure::new(Exit::Internal, "the computer found no move")
}

/// Whether texts may be coloured: on a terminal whose user has not said no.
fn has_colours() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|text| !text.is_empty());
    std::io::stdout().is_terminal() && !refused
}

/// The colour of what a move leads to.
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
    fn hints_have_the_colour_of_what_moves_are_worth() {
        let text = |value| format!("{0}a1{0:#}", colour(value));
        assert_eq!(text(Value::Win), "\u{1b}[32ma1\u{1b}[0m");
        assert_eq!(text(Value::Tie), "\u{1b}[33ma1\u{1b}[0m");
        assert_eq!(text(Value::Draw), "\u{1b}[34ma1\u{1b}[0m");
        assert_eq!(text(Value::Lose), "\u{1b}[31ma1\u{1b}[0m");
        assert_eq!(format!("{0}a1{0:#}", Colour::new()), "a1");
    }
}
