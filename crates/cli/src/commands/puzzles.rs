//! `treegauge puzzles`.

use std::path::PathBuf;
use std::rc::Rc;

use clap::Args;
use serde::Serialize;
use treegauge_core::{Game, KeyCode, Keyed, Notation, Played, Player};
use treegauge_solve::{
    Erased, Form, InterestOptions, Other, Puzzle, PuzzleCounts, PuzzleOptions, PuzzleTree, Puzzles,
    Rules, RulesVisitor, Solution, Terms, TreeFacts, TreeLimits, TreeNode, Value, Watch, interest,
    puzzles, solution_tree,
};

use super::play;
use crate::exit::{Failure, OrExit, Outcome};
use crate::output::{check_file, counted, plies, print, print_json, write_file};
use crate::report::{self, Line, Sheet, SheetPuzzle};
use crate::solving::{Bar, SolveArgs, Source, with_rules, worth_moves, worth_words};

/// The most positions of a solution in JSON, and the most plies: each ply nests two levels deeper,
/// and common readers take no more than 128.
const JSON_LIMITS: TreeLimits = TreeLimits { nodes_max: 10_000, plies_max: 50 };

/// The most of a solution in text.
const TEXT_LIMITS: TreeLimits = TreeLimits { nodes_max: 60, plies_max: 50 };

/// The most of a solution on paper.
const SHEET_LIMITS: TreeLimits = TreeLimits { nodes_max: 150, plies_max: 50 };

/// Different positions of a solution that are looked at to count all of it.
const COUNTED_MAX: usize = 1_000_000;

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

    /// How the terms of interestingness are put together
    #[arg(long, value_name = "FORM", value_parser = ["clamped", "literal"], default_value = "clamped")]
    form: String,

    /// Print JSON
    #[arg(long, conflicts_with = "play")]
    json: bool,

    /// Write a sheet to print, the solutions on pages of their own
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Play the first puzzle against perfect play
    #[arg(long)]
    play: bool,

    #[command(flatten)]
    solve: SolveArgs,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let source = Source::parse(&arguments.source)?;
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
        let form = if arguments.form == "literal" { Form::Literal } else { Form::Clamped };
        let options = InterestOptions { form, ..InterestOptions::default() };
        let watch = Bar::new();
        let interesting = interest(&solution, options, &watch);
        let wanted = PuzzleOptions {
            mate_in: arguments.mate_in,
            top: arguments.top as usize,
            unique: arguments.unique,
        };
        let found = interesting.map(|interesting| {
            let found = puzzles(&solution, |index| interesting.of(index), wanted, || watch.stop());
            let terms = found.puzzles.iter().map(|p| interesting.terms(&solution, p.index));
            (terms.collect::<Vec<_>>(), found)
        });
        watch.finish();
        let Some((terms, found)) = found.filter(|(_, found)| !found.stopped) else {
            return Err(Failure::interrupted("interrupted before the puzzles were found"));
        };
        let telling = Telling {
            game: self.source.spec().to_string(),
            arguments,
            solution: &solution,
            found: &found,
            terms: &terms,
        };
        if let Some(path) = &arguments.html {
            write_file(path, &report::sheet(&telling.sheet()))?;
        }
        if arguments.play {
            let Some(puzzle) = found.puzzles.first() else {
                return Err(telling.none()).or_data();
            };
            print(&format!("{}\n", task(rules.game(), puzzle)))?;
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
            return print_json(&telling.json());
        }
        print(&telling.text())
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
    terms: &'a [Terms],
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
        format!("{} has no wins {wanted}{unique}", self.game)
    }

    fn each(&self) -> impl Iterator<Item = (&Puzzle<G>, &Terms)> {
        self.found.puzzles.iter().zip(self.terms)
    }

    fn tree(&self, puzzle: &Puzzle<G>, limits: TreeLimits) -> PuzzleTree<G> {
        solution_tree(self.solution, &puzzle.state, limits)
    }

    /// How many positions the whole solution has, in words.
    fn cut_note(
        &self,
        facts: &mut TreeFacts<'_, G>,
        puzzle: &Puzzle<G>,
        tree: &PuzzleTree<G>,
    ) -> Option<String> {
        (tree.cut > 0).then(|| {
            let all = match facts.tree_nodes(&puzzle.state, COUNTED_MAX) {
                Some(u64::MAX) => "more than 10^19".to_owned(),
                Some(n) => n.to_string(),
                None => "many more".to_owned(),
            };
            format!(
                "Cut (...): {} of {all} positions of the solution are shown, each counted for every line that leads there; --json has about {}.",
                tree.nodes.len(),
                JSON_LIMITS.nodes_max
            )
        })
    }

    /// What the numbers behind the interestingness are, in words.
    fn terms_words(&self, terms: &Terms) -> String {
        let part = |part: Option<f64>| 100.0 * part.unwrap_or(0.0);
        format!(
            "interestingness {:.2} % ({}): immediate {:.2} % ({} winning, {} losing, {} losing at once, {} tying, {} endless), accumulated {:.2} %",
            100.0 * terms.interestingness,
            self.arguments.form,
            part(terms.immediate),
            terms.winning,
            terms.losing,
            terms.losing_at_once,
            terms.ties,
            terms.draws,
            part(terms.accumulated),
        )
    }

    /// Moves that do the same, told together.
    fn groups(
        &self,
        state: &G::State,
        others: &[Other<G::Move>],
        does: impl Fn(&Other<G::Move>) -> String,
    ) -> String {
        let text = |other: &Other<G::Move>| self.rules().move_text(state, other.m);
        let groups = others.chunk_by(|a, b| (a.value, a.plies) == (b.value, b.plies));
        let groups = groups.map(|group| {
            let moves: Vec<String> = group.iter().map(text).collect();
            format!("{} {}", moves.join(" "), does(&group[0]))
        });
        groups.collect::<Vec<_>>().join("; ")
    }

    fn slower(&self, state: &G::State, others: &[Other<G::Move>]) -> String {
        self.groups(state, others, |other| format!("in {}", other.plies))
    }

    fn missteps(&self, state: &G::State, others: &[Other<G::Move>]) -> String {
        self.groups(state, others, |other| format!("({})", worth_words(other.value, other.plies)))
    }

    /// What is said of the first move beside the solution.
    fn first_moves(&self, tree: &PuzzleTree<G>) -> Vec<String> {
        let root = &tree.nodes[0];
        let Some(step) = &root.step else { return vec![] };
        let mut lines = Vec::new();
        if !step.slower.is_empty() {
            lines.push(format!("Slower wins: {}.", self.slower(&root.state, &step.slower)));
        }
        lines.push(if step.missteps.is_empty() {
            "No first move loses the win.".to_owned()
        } else {
            format!("Missteps: {}.", self.missteps(&root.state, &step.missteps))
        });
        lines
    }

    /// The lines of a solution, those without a choice in one.
    fn lines(&self, tree: &PuzzleTree<G>) -> Vec<Line> {
        /// A child to be written at a depth.
        struct Open {
            parent: usize,
            child: usize,
            depth: usize,
        }
        let mut lines = Vec::new();
        let push = |open: &mut Vec<Open>, parent: usize, depth: usize| {
            let children = tree.nodes[parent].children.iter().rev();
            open.extend(children.map(|&child| Open { parent, child, depth }));
        };
        let mut open = Vec::new();
        push(&mut open, 0, 0);
        let mixed = may_move_again(tree);
        while let Some(Open { mut parent, mut child, depth }) = open.pop() {
            let mut text = String::new();
            loop {
                text.push_str(&self.move_words(&tree.nodes[parent], &tree.nodes[child], mixed));
                parent = child;
                match tree.nodes[parent].children.as_slice() {
                    [only] => child = *only,
                    _ => break,
                }
                text.push(' ');
            }
            if tree.nodes[parent].cut {
                text.push_str(" ...");
            }
            push(&mut open, parent, depth + 1);
            lines.push(Line { depth, text });
        }
        lines
    }

    /// A move of a solution: marked when it is the only win and when it ends the game, with the
    /// slower wins when there are any, and in brackets when it is the loser's in a `mixed` solution.
    fn move_words(&self, parent: &TreeNode<G>, child: &TreeNode<G>, mixed: bool) -> String {
        let m = child.last_move.expect("a move led to a child");
        let mut text = self.rules().move_text(&parent.state, m);
        if parent.step.is_some() && parent.is_unique() == Some(true) {
            text.push('!');
        }
        if child.children.is_empty() && !child.cut {
            text.push('#');
        }
        if mixed && !parent.winner_to_move() {
            text = format!("[{text}]");
        }
        // Those of the first move are told apart.
        if let Some(step) = &parent.step
            && parent.plies > 0
            && !step.slower.is_empty()
        {
            text.push_str(&format!(" (slower: {})", self.slower(&parent.state, &step.slower)));
        }
        text
    }

    fn text(&self) -> String {
        if self.found.puzzles.is_empty() {
            return self.none() + "\n";
        }
        let mut text =
            format!("{}: {}\n", self.game, counted(self.found.puzzles.len() as u32, "puzzle"));
        let mut facts = TreeFacts::new(self.solution);
        for (n, (puzzle, terms)) in self.each().enumerate() {
            let tree = self.tree(puzzle, TEXT_LIMITS);
            text += &format!("\nPuzzle {}. {}\n\n", n + 1, task(self.rules(), puzzle));
            text += &self.rules().draw_text(&puzzle.state);
            text += &format!("position: {}\n", self.rules().position_text(&puzzle.state));
            text += &format!("{}\n\nSolution ({}):\n", self.terms_words(terms), uniqueness(puzzle));
            for line in self.lines(&tree) {
                text += &format!("{:1$}{2}\n", "", 2 + 2 * line.depth, line.text);
            }
            for line in
                self.first_moves(&tree).into_iter().chain(self.cut_note(&mut facts, puzzle, &tree))
            {
                text += &format!("{line}\n");
            }
        }
        text += &format!("\n{LEGEND}\n\n");
        text + &self.left_out()
    }

    fn left_out(&self) -> String {
        let sum = |of: fn(&PuzzleCounts) -> u64| self.found.counts.iter().map(of).sum::<u64>();
        format!(
            "Left out among those looked at: {} whose solution merges with that of a puzzle, {} that ask the same as one, {} with a second way to win, {} of another number of moves.\n",
            sum(|c| c.merged),
            sum(|c| c.same),
            sum(|c| c.not_unique),
            sum(|c| c.other_mate_in),
        )
    }

    fn sheet(&self) -> Sheet {
        let mut facts = TreeFacts::new(self.solution);
        let puzzles = self.each().map(|(puzzle, terms)| {
            let tree = self.tree(puzzle, SHEET_LIMITS);
            let mut notes = self.first_moves(&tree);
            notes.extend(self.cut_note(&mut facts, puzzle, &tree));
            SheetPuzzle {
                task: task(self.rules(), puzzle),
                svg: self.rules().draw_svg(&puzzle.state),
                position: self.rules().position_text(&puzzle.state),
                uniqueness: uniqueness(puzzle),
                terms: self.terms_words(terms),
                lines: self.lines(&tree),
                notes,
            }
        });
        Sheet {
            game: self.game.clone(),
            puzzles: puzzles.collect(),
            none: self.none(),
            legend: LEGEND,
            left_out: self.left_out(),
        }
    }

    fn json(&self) -> Report {
        let mut facts = TreeFacts::new(self.solution);
        let puzzles = self.each().map(|(puzzle, terms)| {
            let tree = self.tree(puzzle, JSON_LIMITS);
            PuzzleReport {
                position: self.rules().position_text(&puzzle.state),
                turn: self.rules().turn(&puzzle.state).to_string(),
                remoteness: puzzle.remoteness,
                mate_in: puzzle.mate_in,
                interestingness: puzzle.interestingness,
                terms: TermsReport {
                    immediate: terms.immediate,
                    accumulated: terms.accumulated,
                    winning: terms.winning,
                    losing: terms.losing,
                    losing_at_once: terms.losing_at_once,
                    ties: terms.ties,
                    draws: terms.draws,
                },
                unique: puzzle.unique.every_move,
                unique_first_move: puzzle.unique.first_move,
                main_line: self.main_line(&tree),
                solution: self.node(&tree, 0),
                solution_positions: facts.tree_nodes(&puzzle.state, COUNTED_MAX),
                shown_positions: tree.nodes.len(),
                cut_positions: tree.cut,
                drawing: self.rules().draw_text(&puzzle.state),
                svg: self.rules().draw_svg(&puzzle.state),
            }
        });
        Report {
            game: self.game.clone(),
            form: self.arguments.form.clone(),
            mate_in: self.arguments.mate_in,
            top: self.arguments.top,
            unique_only: self.arguments.unique,
            puzzles: puzzles.collect(),
            by_remoteness: self.found.counts.iter().map(CountsReport::of).collect(),
        }
    }

    fn main_line(&self, tree: &PuzzleTree<G>) -> Vec<String> {
        let mut line = Vec::new();
        let mut parent = &tree.nodes[0];
        while let Some(&child) = parent.children.first() {
            let child = &tree.nodes[child];
            line.extend(child.last_move.map(|m| self.rules().move_text(&parent.state, m)));
            parent = child;
        }
        line
    }

    /// A position with all that is below it. The depth of the recursion is limited as the tree is.
    fn node(&self, tree: &PuzzleTree<G>, at: usize) -> NodeReport {
        let node = &tree.nodes[at];
        let others = |others: &[Other<G::Move>]| {
            others.iter().map(|other| OtherReport::of(self.rules(), &node.state, other)).collect()
        };
        NodeReport {
            to_move: match (node.valued.remoteness, node.winner_to_move()) {
                (0, _) => None,
                (_, true) => Some("winner"),
                (_, false) => Some("loser"),
            },
            remoteness: node.valued.remoteness,
            unique: node.is_unique(),
            slower: node.step.as_ref().map(|step| others(&step.slower)),
            missteps: node.step.as_ref().map(|step| others(&step.missteps)),
            cut: node.cut,
            moves: node
                .children
                .iter()
                .map(|&child| MoveReport {
                    m: self.rules().move_text(
                        &node.state,
                        tree.nodes[child].last_move.expect("a move led to a child"),
                    ),
                    then: self.node(tree, child),
                })
                .collect(),
        }
    }
}

/// How solutions are written.
const LEGEND: &str = "A line without choice is written in one; what is further in answers what is \
above it. Of the winner the quickest wins are shown, of the loser all defences, those that last \
longest first. !: no other move wins. #: the game is over. Where a player may move twice in a row, the \
loser's moves are in [brackets]. Plies count from before the move, the move included.";

/// Whether somebody moves twice in a row in a solution.
fn may_move_again<G: Keyed>(tree: &PuzzleTree<G>) -> bool {
    tree.nodes.iter().any(|node| {
        let mut children = node.children.iter().map(|&child| &tree.nodes[child]);
        children.any(|child| {
            child.valued.remoteness > 0 && child.winner_to_move() == node.winner_to_move()
        })
    })
}

#[derive(Serialize)]
struct Report {
    game: String,
    form: String,
    mate_in: Option<u32>,
    top: u32,
    unique_only: bool,
    puzzles: Vec<PuzzleReport>,
    by_remoteness: Vec<CountsReport>,
}

#[derive(Serialize)]
struct PuzzleReport {
    position: String,
    turn: String,
    remoteness: u16,
    mate_in: u32,
    interestingness: f64,
    terms: TermsReport,
    unique: bool,
    unique_first_move: bool,
    main_line: Vec<String>,
    solution: NodeReport,
    /// Null when there are too many to count.
    solution_positions: Option<u64>,
    shown_positions: usize,
    cut_positions: usize,
    drawing: String,
    svg: String,
}

#[derive(Serialize)]
struct TermsReport {
    immediate: Option<f64>,
    accumulated: Option<f64>,
    winning: u32,
    losing: u32,
    losing_at_once: u32,
    ties: u32,
    draws: u32,
}

#[derive(Serialize)]
struct NodeReport {
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
    then: NodeReport,
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
            merged: counts.merged,
            same: counts.same,
            not_unique: counts.not_unique,
            other_mate_in: counts.other_mate_in,
        }
    }
}
