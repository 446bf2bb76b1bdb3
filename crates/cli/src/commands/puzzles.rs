//! `treegauge puzzles`.

use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;

use clap::Args;
use serde::ser::{Error, SerializeSeq};
use serde::{Serialize, Serializer};
use treegauge_core::{Game, KeyCode, Keyed, Notation, Played, Player};
use treegauge_solve::{
    Erased, Other, Puzzle, PuzzleCounts, PuzzleOptions, Puzzles, Rules, RulesVisitor, Solution,
    SolutionGraph, SolutionNode, Value, Watch, Wins, interest, puzzles, solution_graph,
};

use super::interest::{Choices, PlaceTerms, rounded};
use super::play;
use crate::exit::{Failure, OrExit, Outcome};
use crate::interrupt;
use crate::output::{check_file, counted, plies, print, print_json, write_file};
use crate::report::{self, Line, Sheet, SheetPuzzle};
use crate::solving::{Bar, SolveArgs, Source, with_rules, worth_moves, worth_words};

/// The most positions of a solution in JSON: more would be a file that few programs read.
const JSON_POSITIONS_MAX: usize = 1_000_000;

/// The most positions of a solution in text and on paper, where they fill some twenty pages.
const WRITTEN_POSITIONS_MAX: usize = 5_000;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The game, as `games` lists it, or a file that `solve` wrote
    #[arg(value_name = "GAME|FILE")]
    source: String,

    /// Only puzzles in which the winner makes so many moves of his own (moves, not plies)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    mate_in: Option<u32>,

    /// The most puzzles of each remoteness
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    top: u32,

    /// Only puzzles in which only one move wins at every turn of the winner, whatever the defence
    #[arg(long)]
    unique: bool,

    /// Print JSON
    #[arg(long, conflicts_with = "play")]
    json: bool,

    /// Write a sheet to print, the solutions on pages of their own
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Play a puzzle against perfect play: the first, or the N-th of those that are found
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    play: Option<Option<u32>>,

    #[command(flatten)]
    choices: Choices,

    #[command(flatten)]
    solve: SolveArgs,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let source = Source::parse(&arguments.source)?;
    arguments.solve.fit(&source)?;
    if let Some(path) = &arguments.html {
        check_file(path)?;
    }
    let pool = arguments.solve.pool()?;
    let visitor = Find { arguments, source: &source };
    pool.install(|| with_rules(source.spec(), visitor))?
}

struct Find<'a> {
    arguments: &'a Arguments,
    source: &'a Source,
}

impl RulesVisitor for Find<'_> {
    type Output = Outcome;

    fn visit<K: KeyCode>(self, rules: Rules<Erased<K>>) -> Outcome {
        let arguments = self.arguments;
        let solution = self.source.solution(&rules, &arguments.solve)?;
        let watch = Bar::new();
        let interesting = interest(&solution, arguments.choices.options(), &watch);
        let wanted = PuzzleOptions {
            mate_in: arguments.mate_in,
            top: arguments.top as usize,
            unique: arguments.unique,
        };
        let found = interesting.map(|interesting| {
            let found = puzzles(&solution, |index| interesting.of(index), wanted, || watch.stop());
            let terms = |puzzle: &Puzzle<_>| {
                let terms = PlaceTerms::of(&interesting.terms(&solution, puzzle.index));
                terms.expect("a win has moves")
            };
            (found.puzzles.iter().map(terms).collect::<Vec<_>>(), found)
        });
        watch.finish();
        let Some((terms, found)) = found.filter(|(_, found)| !found.stopped) else {
            return Err(Failure::interrupted("interrupted before the puzzles were found"));
        };
        let mut telling = Telling {
            game: self.source.spec().to_string(),
            arguments,
            solution: &solution,
            found: &found,
            terms: &terms,
            classes: HashMap::new(),
        };
        let states = found.puzzles.iter().map(|puzzle| &puzzle.state);
        telling.classes = states.zip(1..).map(|(state, n)| (telling.class(state), n)).collect();
        if let Some(path) = &arguments.html {
            write_file(path, &report::sheet(&telling.sheet()?))?;
        }
        if let Some(number) = arguments.play {
            let puzzle = telling.chosen(number.unwrap_or(1)).or_data()?;
            print(&telling.to_play(number.unwrap_or(1), puzzle))?;
            let played = Played::from_state(puzzle.state);
            let person = rules.game().turn(&puzzle.state);
            let get = |state: &K| {
                let valued = solution.get(state);
                Ok(valued.expect("a solution has what can be reached"))
            };
            let perfect = Rc::new(|state: &K| worth_moves(rules.game(), state, get));
            return play::against(rules.game(), &telling.game, played, person, perfect);
        }
        if arguments.json {
            // A report that was stopped halfway is not printed.
            return print_json(&telling.json()).map_err(|error| going_on().err().unwrap_or(error));
        }
        print(&telling.text()?)
    }
}

/// Fails when Ctrl-C was pressed: solutions may be long.
fn going_on() -> Outcome {
    match interrupt::requested() {
        true => Err(Failure::interrupted("interrupted before all solutions were written")),
        false => Ok(()),
    }
}

/// What the puzzle asks for.
fn task<G: Keyed>(game: &G, puzzle: &Puzzle<G>) -> String {
    let turn = game.turn(&puzzle.state);
    let letter = match turn {
        Player::First => 'x',
        Player::Second => 'o',
    };
    format!(
        "The {turn} player, {letter}, is to move and wins in {} ({}).",
        counted(puzzle.mate_in, "move"),
        plies(puzzle.remoteness)
    )
}

fn uniqueness<G: Game>(puzzle: &Puzzle<G>) -> &'static str {
    match (puzzle.unique.every_move, puzzle.unique.first_move) {
        (true, _) => "unique: only one move wins at every turn of the winner, whatever the defence",
        (false, true) => "only one first move wins; later there are second ways",
        (false, false) => "several first moves win",
    }
}

/// What is told of the puzzles of a game.
struct Telling<'a, G: Keyed> {
    game: String,
    arguments: &'a Arguments,
    solution: &'a Solution<G>,
    found: &'a Puzzles<G>,
    terms: &'a [PlaceTerms],
    /// The numbers of the puzzles, counted from 1.
    classes: HashMap<G::Key, usize>,
}

/// A solution as it is printed.
struct Written {
    lines: Vec<Line>,
    /// How much it is, a sentence or two.
    size: String,
    /// What is said of the first move beside it.
    first_move: Vec<String>,
}

impl<G: Notation + Keyed> Telling<'_, G> {
    fn rules(&self) -> &G {
        self.solution.rules().game()
    }

    /// That nothing was found.
    fn none(&self) -> String {
        let wanted = match self.arguments.mate_in {
            Some(n) => format!("in which the winner makes {}", counted(n, "move")),
            None => "with a move to make".to_owned(),
        };
        let unique = if self.arguments.unique { ", with a unique solution" } else { "" };
        let nothing = self.left_out(|counts| counts.asking_nothing);
        match nothing {
            0 => format!("{} has no wins {wanted}{unique}", self.game),
            _ => format!(
                "{} has no puzzles {wanted}{unique}: in {} that was looked at, no move ever loses the win",
                self.game,
                counted(nothing, "win")
            ),
        }
    }

    /// The puzzle of a number, counted from 1.
    fn chosen(&self, number: u32) -> Result<&Puzzle<G>, String> {
        let all = &self.found.puzzles;
        let there = || match all.len() {
            0 => self.none(),
            1 => format!("there is 1 puzzle, and no puzzle {number}"),
            count => format!("there are {count} puzzles, and no puzzle {number}"),
        };
        all.get(number as usize - 1).ok_or_else(there)
    }

    /// What is said before a puzzle is played.
    fn to_play(&self, number: u32, puzzle: &Puzzle<G>) -> String {
        let another = match self.found.puzzles.len() {
            1 => "the only one; --top K and --mate-in N find others".to_owned(),
            count => format!("of {count}; --play N plays another, --mate-in N finds longer ones"),
        };
        format!("Puzzle {number} ({another}). {}\n\n", task(self.rules(), puzzle))
    }

    fn each(&self) -> impl Iterator<Item = (&Puzzle<G>, &PlaceTerms)> {
        self.found.puzzles.iter().zip(self.terms)
    }

    /// A solution with one winning move at each turn, as much as can be printed of it.
    fn written(&self, puzzle: &Puzzle<G>) -> Written {
        let graph = |positions_max| {
            solution_graph(self.solution, &puzzle.state, Wins::First, positions_max)
        };
        let printed = graph(WRITTEN_POSITIONS_MAX);
        let size = if printed.cut == 0 {
            format!("All defences: {}.", size_words(&printed))
        } else {
            let whole = graph(JSON_POSITIONS_MAX);
            format!(
                "Too long to be written out whole: it has {}. The {} nearest to the puzzle and the \
                 main line are here; ... stands where moves are left out. --json has {}.",
                size_words(&whole),
                printed.nodes.len(),
                match whole.cut {
                    0 => "them all".to_owned(),
                    _ => format!("up to {JSON_POSITIONS_MAX}"),
                }
            )
        };
        let comes_to: Vec<String> = self.comes_to(&printed).iter().map(usize::to_string).collect();
        let comes_to = match comes_to.as_slice() {
            [] => String::new(),
            [one] => format!(" Lines of it come to puzzle {one}."),
            many => format!(" Lines of it come to puzzles {}.", many.join(", ")),
        };
        Written {
            lines: report::solution_lines(self.solution.rules(), &printed),
            size: size + &comes_to,
            first_move: self.first_move(&printed.nodes[0]),
        }
    }

    /// A position, the same for all its images.
    fn class(&self, state: &G::State) -> G::Key {
        let game = self.rules();
        let symmetries = self.solution.rules().symmetries();
        symmetries.map_or_else(
            || game.key(state),
            |symmetries| game.key(&(symmetries.canonical)(game, state)),
        )
    }

    /// The other puzzles to which a solution comes, by their numbers, counted from 1.
    fn comes_to(&self, graph: &SolutionGraph<G>) -> Vec<usize> {
        let mut found: Vec<usize> = graph.nodes[1..]
            .iter()
            .filter_map(|node| self.classes.get(&self.class(&node.state)).copied())
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What is said of the first move beside the solution.
    fn first_move(&self, root: &SolutionNode<G>) -> Vec<String> {
        let Some(step) = &root.step else { return vec![] };
        let mut lines = Vec::new();
        if !step.slower.is_empty() {
            let slower = report::slower_words(self.rules(), &root.state, &step.slower);
            lines.push(format!("Slower first moves: {slower}."));
        }
        lines.push(if step.missteps.is_empty() {
            "No first move loses the win.".to_owned()
        } else {
            let does =
                |other: &Other<G::Move>| format!("({})", worth_words(other.value, other.plies));
            let missteps = report::grouped(self.rules(), &root.state, &step.missteps, does);
            format!("Missteps: {missteps}.")
        });
        lines
    }

    fn terms_words(&self, puzzle: &Puzzle<G>, terms: &PlaceTerms) -> String {
        let sentences = report::terms_words(terms, &self.arguments.choices);
        let percent = report::percent(puzzle.interestingness);
        format!("Interestingness {percent}. {}", sentences.join(" "))
    }

    /// How interestingness was reckoned.
    fn reckoning(&self) -> String {
        let choices = report::choices_words(&self.arguments.choices);
        format!("Interestingness is {}. {choices}", report::TOGETHER)
    }

    fn text(&self) -> Outcome<String> {
        if self.found.puzzles.is_empty() {
            return Ok(self.none() + "\n");
        }
        let mut text =
            format!("{}: {}\n", self.game, counted(self.found.puzzles.len() as u32, "puzzle"));
        for (n, (puzzle, terms)) in self.each().enumerate() {
            going_on()?;
            let written = self.written(puzzle);
            text += &format!("\nPuzzle {}. {}\n\n", n + 1, task(self.rules(), puzzle));
            text += &self.rules().draw_text(&puzzle.state);
            text += &format!("position: {}\n\n", self.rules().position_text(&puzzle.state));
            text += &format!("Solution ({}):\n", uniqueness(puzzle));
            for line in &written.lines {
                text += &format!("{:1$}{2}\n", "", 2 + 2 * line.depth, line.text);
            }
            for line in written.first_move {
                text += &format!("{line}\n");
            }
            text += &format!("{}\n{}\n", written.size, self.terms_words(puzzle, terms));
        }
        text += "\nHow to read the solutions:\n";
        for (sign, meaning) in report::LEGEND {
            text += &format!("  {sign:<17}  {meaning}\n");
        }
        text += &format!("\n{}\n\n{}\n", self.reckoning(), self.left_out_words());
        Ok(text + "To play a puzzle against perfect play, add --play N, N its number.\n")
    }

    fn left_out(&self, of: fn(&PuzzleCounts) -> u64) -> u64 {
        self.found.counts.iter().map(of).sum()
    }

    fn left_out_words(&self) -> String {
        let parts = [
            (self.left_out(|c| c.asking_nothing), "in which no move ever loses the win"),
            (self.left_out(|c| c.merged), "whose solution merges with that of a puzzle"),
            (self.left_out(|c| c.same), "that ask the same as a puzzle, move by move"),
            (self.left_out(|c| c.not_unique), "with a second way to win"),
            (self.left_out(|c| c.other_mate_in), "of another number of moves"),
        ];
        let parts = parts.into_iter().filter(|(n, _)| *n > 0);
        let parts: Vec<String> = parts.map(|(n, words)| format!("{n} {words}")).collect();
        match parts.is_empty() {
            true => "Of the wins that were looked at, none was left out.".to_owned(),
            false => format!("Left out of the wins that were looked at: {}.", parts.join(", ")),
        }
    }

    fn sheet(&self) -> Outcome<Sheet> {
        let puzzles = self.each().map(|(puzzle, terms)| {
            going_on()?;
            let written = self.written(puzzle);
            let mut notes = written.first_move;
            notes.extend([written.size, self.terms_words(puzzle, terms)]);
            Ok(SheetPuzzle {
                task: task(self.rules(), puzzle),
                svg: self.rules().draw_svg(&puzzle.state),
                position: self.rules().position_text(&puzzle.state),
                uniqueness: uniqueness(puzzle),
                lines: written.lines,
                notes,
            })
        });
        Ok(Sheet {
            game: self.game.clone(),
            puzzles: puzzles.collect::<Outcome<_>>()?,
            none: self.none(),
            reckoning: self.reckoning(),
            left_out: self.left_out_words(),
        })
    }

    fn json(&self) -> Report<'_, G> {
        Report {
            game: self.game.clone(),
            choices: self.arguments.choices.clone(),
            mate_in: self.arguments.mate_in,
            top: self.arguments.top,
            unique_only: self.arguments.unique,
            puzzles: PuzzleReports(self),
            by_remoteness: self.found.counts.iter().map(CountsReport::of).collect(),
        }
    }

    fn main_line(&self, graph: &SolutionGraph<G>) -> Vec<String> {
        let mut node = &graph.nodes[0];
        let mut line = Vec::new();
        while let Some(&(m, next)) = node.moves.first() {
            line.push(self.rules().move_text(&node.state, m));
            node = &graph.nodes[next];
        }
        line
    }

    fn node_report(&self, id: usize, node: &SolutionNode<G>) -> NodeReport {
        let others = |others: &[Other<G::Move>]| {
            others.iter().map(|other| OtherReport::of(self.rules(), &node.state, other)).collect()
        };
        NodeReport {
            id,
            position: self.rules().position_text(&node.state),
            to_move: match (node.is_over(), node.winner_to_move()) {
                (true, _) => None,
                (_, true) => Some("winner"),
                (_, false) => Some("loser"),
            },
            remoteness: node.valued.remoteness,
            unique: node.is_unique(),
            slower: node.step.as_ref().map(|step| others(&step.slower)),
            missteps: node.step.as_ref().map(|step| others(&step.missteps)),
            cut: node.cut,
            moves: node
                .moves
                .iter()
                .map(|&(m, then)| MoveReport { m: self.rules().move_text(&node.state, m), then })
                .collect(),
        }
    }
}

/// How many positions and lines a solution has.
fn size_words<G: Game>(graph: &SolutionGraph<G>) -> String {
    let positions = counted(graph.nodes.len() as u64, "different position");
    match graph.lines() {
        _ if graph.cut > 0 => format!("more than {positions}"),
        Some(lines) => format!("{positions}, {} of play", counted(lines, "line")),
        None => format!("{positions}, and more lines of play than 64 bits can count"),
    }
}

#[derive(Serialize)]
#[serde(bound = "G: Notation + Keyed")]
struct Report<'a, G: Keyed> {
    game: String,
    #[serde(flatten)]
    choices: Choices,
    mate_in: Option<u32>,
    top: u32,
    unique_only: bool,
    puzzles: PuzzleReports<'a, G>,
    by_remoteness: Vec<CountsReport>,
}

/// The puzzles, whose solutions are made while they are written: all of them at once may take a lot
/// of memory.
struct PuzzleReports<'a, G: Keyed>(&'a Telling<'a, G>);

impl<G: Notation + Keyed> Serialize for PuzzleReports<'_, G> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let telling = self.0;
        let rules = telling.rules();
        let mut list = serializer.serialize_seq(Some(telling.found.puzzles.len()))?;
        for (n, (puzzle, terms)) in telling.each().enumerate() {
            if interrupt::requested() {
                return Err(S::Error::custom("interrupted"));
            }
            let (state, limit) = (&puzzle.state, JSON_POSITIONS_MAX);
            let graph = solution_graph(telling.solution, state, Wins::All, limit);
            list.serialize_element(&PuzzleReport {
                number: n + 1,
                position: rules.position_text(state),
                turn: rules.turn(state).to_string(),
                remoteness: puzzle.remoteness,
                mate_in: puzzle.mate_in,
                interestingness: rounded(puzzle.interestingness),
                terms,
                unique: puzzle.unique.every_move,
                unique_first_move: puzzle.unique.first_move,
                main_line: telling.main_line(&graph),
                comes_to: telling.comes_to(&graph),
                solution: SolutionReport {
                    distinct_positions: (graph.cut == 0).then_some(graph.nodes.len()),
                    lines: graph.lines(),
                    cut_positions: graph.cut,
                    positions: NodeReports(telling, &graph),
                },
                drawing: rules.draw_text(state),
                svg: rules.draw_svg(state),
            })?;
        }
        list.end()
    }
}

#[derive(Serialize)]
#[serde(bound = "G: Notation + Keyed")]
struct PuzzleReport<'a, G: Keyed> {
    /// Counted from 1.
    number: usize,
    position: String,
    turn: String,
    remoteness: u16,
    mate_in: u32,
    interestingness: f64,
    terms: &'a PlaceTerms,
    unique: bool,
    unique_first_move: bool,
    main_line: Vec<String>,
    /// The numbers of other puzzles, or their images, that are among the positions.
    comes_to: Vec<usize>,
    solution: SolutionReport<'a, G>,
    drawing: String,
    svg: String,
}

/// A solution as a list, so that readers need no deep nesting, and each position is there once.
#[derive(Serialize)]
#[serde(bound = "G: Notation + Keyed")]
struct SolutionReport<'a, G: Keyed> {
    /// Null when moves are left out.
    distinct_positions: Option<usize>,
    /// Null when moves are left out or there are too many to count.
    lines: Option<u64>,
    /// The positions whose moves are left out.
    cut_positions: usize,
    /// The first is the puzzle.
    positions: NodeReports<'a, G>,
}

/// The positions of a solution.
struct NodeReports<'a, G: Keyed>(&'a Telling<'a, G>, &'a SolutionGraph<G>);

impl<G: Notation + Keyed> Serialize for NodeReports<'_, G> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let nodes = self.1.nodes.iter().enumerate();
        serializer.collect_seq(nodes.map(|(id, node)| self.0.node_report(id, node)))
    }
}

#[derive(Serialize)]
struct NodeReport {
    id: usize,
    position: String,
    to_move: Option<&'static str>,
    remoteness: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    unique: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slower: Option<Vec<OtherReport>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missteps: Option<Vec<OtherReport>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    cut: bool,
    moves: Vec<MoveReport>,
}

#[derive(Serialize)]
struct MoveReport {
    #[serde(rename = "move")]
    m: String,
    /// The id of the position that it leads to.
    then: usize,
}

#[derive(Serialize)]
struct OtherReport {
    #[serde(rename = "move")]
    m: String,
    value: &'static str,
    plies: Option<u32>,
    words: String,
}

impl OtherReport {
    fn of<G: Notation>(game: &G, state: &G::State, other: &Other<G::Move>) -> Self {
        OtherReport {
            m: game.move_text(state, other.m),
            value: other.value.name(),
            plies: (other.value != Value::Draw).then_some(other.plies),
            words: worth_words(other.value, other.plies),
        }
    }
}

#[derive(Serialize)]
struct CountsReport {
    remoteness: u16,
    stored_wins: u64,
    picked: u64,
    asking_nothing: u64,
    merged: u64,
    same: u64,
    not_unique: u64,
    other_mate_in: u64,
}

impl CountsReport {
    fn of(counts: &PuzzleCounts) -> Self {
        CountsReport {
            remoteness: counts.remoteness,
            stored_wins: counts.wins,
            picked: counts.picked,
            asking_nothing: counts.asking_nothing,
            merged: counts.merged,
            same: counts.same,
            not_unique: counts.not_unique,
            other_mate_in: counts.other_mate_in,
        }
    }
}
