//! `treegauge play`.

use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use treegauge_catalog::{Entry, Visitor, nearest};
use treegauge_core::{Keyed, Notation, Outcome as Result_, Played, Player};
use treegauge_search::draw::{self, Limits, Style};
use treegauge_search::{Budget, Chooser, ChooserError, ChooserSpec, Generator, Seed, Uct};

use super::show::result_words;
use crate::common::{DEFAULT_SEED, PositionArgs, game_spec, play_text};
use crate::exit::{Exit, Failure, OrExit, Outcome};
use crate::output::{print, write_file};

/// Iterations behind a hint.
const HINT_ITERATIONS: u32 = 10_000;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The game, as `games` lists it
    game: String,

    #[command(flatten)]
    at: PositionArgs,

    /// Who has the first player: human, random or uct(iterations=N,cp=X)
    #[arg(long, value_name = "PLAYER", default_value = "human")]
    first: String,

    /// Who has the second player
    #[arg(long, value_name = "PLAYER", default_value = "uct(iterations=10000)")]
    second: String,

    /// Seed of all chance
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    seed: u64,

    /// Write each tree the computer searched into this folder, as JSON and DOT
    #[arg(long, value_name = "DIR")]
    log_trees: Option<PathBuf>,
}

const HELP: &str = "\
Type a move as it is listed, or one of
  hint     what a short search would play
  moves    the legal moves
  undo     take back your last move and the answer to it
  resign   give the game up
  quit     leave without a result
";

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let spec = game_spec(&arguments.game)?;
    let sides = [&arguments.first, &arguments.second];
    let sides = [0, 1].map(|n| player(sides[n]));
    let [first, second] = sides;
    if let Some(folder) = &arguments.log_trees {
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("cannot make {}: {error}", folder.display()))
            .or_data()?;
    }
    let visitor = Play { arguments, spec: spec.to_string(), sides: [first?, second?] };
    spec.with_game(visitor).or_usage()?
}

/// Reads a player, with the nearest name where there is no such one.
fn player(text: &str) -> Outcome<ChooserSpec> {
    ChooserSpec::parse(text)
        .map_err(|error| match &error {
            ChooserError::Name { name } => {
                let near = nearest(name, ChooserSpec::NAMES).unwrap_or_default();
                format!("{error}; the nearest is `{near}`")
            }
            ChooserError::Parameter { player, name, .. } => {
                let known = ChooserSpec::parameters(player).unwrap_or_default();
                match nearest(name, known.iter().copied()) {
                    Some(near) => format!("{error}; the nearest is `{near}`"),
                    None => format!("{error}; it has none"),
                }
            }
            _ => error.to_string(),
        })
        .or_usage()
}

struct Play<'a> {
    arguments: &'a Arguments,
    spec: String,
    sides: [ChooserSpec; 2],
}

impl Visitor for Play<'_> {
    type Output = Outcome;

    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> Outcome {
        let played = self.arguments.at.played(&entry.game)?;
        Table {
            game: &entry.game,
            spec: &self.spec,
            seats: self.sides.map(ChooserSpec::build),
            labels: self.sides.map(|side| side.to_string()),
            sides: self.sides,
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

/// Plays on from a point: a person on one side, perfect play on the other.
pub(crate) fn against<G: Notation>(
    game: &G,
    spec: &str,
    start: Played<G>,
    person: Player,
    perfect: Box<dyn Chooser<G>>,
) -> Outcome {
    // Whoever is no person only has to be told from one.
    let mut sides = [ChooserSpec::Random; 2];
    let mut labels = ["perfect".to_owned(), "perfect".to_owned()];
    let mut seats = [None, None];
    sides[person.index()] = ChooserSpec::Human;
    labels[person.index()] = ChooserSpec::Human.to_string();
    seats[person.other().index()] = Some(perfect);
    Table {
        game,
        spec,
        labels,
        sides,
        seats,
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

/// A game being played at the terminal.
struct Table<'a, G: Notation> {
    game: &'a G,
    spec: &'a str,
    /// What the players are called.
    labels: [String; 2],
    sides: [ChooserSpec; 2],
    /// A person has no chooser.
    seats: [Option<Box<dyn Chooser<G>>>; 2],
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
        if self.sides.contains(&ChooserSpec::Human) {
            print("Type help for the commands.\n")?;
        }
        self.draw()?;
        loop {
            if let Some(ended) = self.played.ended(self.game) {
                let by = ended.by;
                return print(&format!("{} (ended by {by})\n", result_words(ended.outcome)));
            }
            let turn = self.game.turn(self.played.state());
            if self.seats[turn.index()].is_some() {
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

    fn computer_moves(&mut self, turn: Player) -> Outcome {
        let chooser = self.seats[turn.index()].as_mut().expect("the seat is a computer's");
        let choice = chooser
            .choose(self.game, &self.played, &mut self.rng)
            .ok_or_else(|| Failure::new(Exit::Internal, "the computer found no move"))?;
        let text = self.game.move_text(self.played.state(), choice.m);
        if let (Some(folder), Some(search)) = (self.log_trees, chooser.last_search()) {
            // Trees of an earlier game in the same folder are kept.
            let named = |n: u32| folder.join(format!("tree-{n:04}.json"));
            self.trees = (self.trees + 1..).find(|&n| !named(n).exists()).unwrap_or(u32::MAX);
            let outline =
                draw::outline(self.game, self.spec, self.seed, self.played.state(), &search);
            let name = format!("tree-{:04}", self.trees);
            write_file(&folder.join(format!("{name}.json")), &draw::json(&outline))?;
            let picked = draw::pick(&outline, Style::Plain, Limits::default());
            write_file(&folder.join(format!("{name}.dot")), &draw::dot(&picked))?;
        }
        self.played.play(self.game, choice.m);
        self.moves.push(choice.m);
        let value = choice.value.map_or(String::new(), |value| {
            format!(" (value {value:+.2} for the {turn} player, -1 to 1)")
        });
        print(&format!("\nthe {turn} player plays {text}{value}\n"))?;
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

    /// The three best moves of a short search.
    fn hint(&self) -> Outcome {
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

    /// Takes back moves until a person is to move again, at least one.
    fn undo(&mut self) -> Outcome {
        let person = |player: Player| self.sides[player.index()] == ChooserSpec::Human;
        let mut kept = self.moves.len();
        let mut found = None;
        while kept > 0 {
            kept -= 1;
            let played = self.replayed(kept);
            if person(self.game.turn(played.state())) {
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
