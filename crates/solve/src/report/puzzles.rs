//! Report of puzzles, with their solutions.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::de::IgnoredAny;
use serde::ser::{Error, SerializeSeq};
use serde::{Deserialize, Serialize, Serializer};
use treegauge_core::{KeyCode, Player, ReportHeader, ReportKind, Watch};

use super::interest::InterestTerms;
use super::rounded;
use super::value_words::value_words;
use crate::any::{AnyPuzzles, PuzzleTask};
use crate::interest::{Interest, InterestOptions};
use crate::puzzle::{
    Other, Puzzle, PuzzleCounts, PuzzleOptions, Puzzles, SolutionGraph, SolutionNode, Wins,
    first_images, solution_graph,
};
use crate::rules::Solvable;
use crate::solution::Solution;
use crate::value::Value;

/// Most positions of a solution in JSON: few programs could read a larger file.
pub const JSON_POSITIONS_MAX: usize = 1_000_000;

/// Most positions of a solution in text and on paper, where they fill some twenty pages.
pub const WRITTEN_POSITIONS_MAX: usize = 5_000;

/// Puzzles of a game.
///
/// `L` is the type of the list of puzzles. [`FoundPuzzles::streamed`] uses one that computes the
/// puzzles while they are written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PuzzlesReport<L: PuzzleList = Vec<PuzzleReport>> {
    /// Schema and kind of the report.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Name of the game.
    pub game: String,
    /// Choices that the definition of interestingness leaves open.
    #[serde(flatten)]
    pub options: InterestOptions,
    /// Requested number of the winner's moves; the smallest if it is a range, null for any.
    pub mate_in: Option<u32>,
    /// Greatest requested number of the winner's moves; 65535 for no limit, null for any.
    #[serde(default)]
    pub mate_in_max: Option<u32>,
    /// Most puzzles of each remoteness.
    pub top: u64,
    /// Most puzzles in all, spread over the remotenesses; null for no limit.
    #[serde(default)]
    pub count: Option<u64>,
    /// Whether only puzzles with unique solutions were requested.
    pub unique_only: bool,
    /// Origin of the puzzles, if they are forced wins of a game that is not solved; null if the game is
    /// solved.
    #[serde(default)]
    pub from_play: Option<FromPlay>,
    /// Puzzles by ascending remoteness, the most interesting first.
    pub puzzles: L,
    /// Counts of the wins of each remoteness, with the reasons for which wins were left out.
    pub by_remoteness: Vec<PuzzleCounts>,
}

/// Games of a search against itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedGames {
    /// Number of games.
    pub games: u64,
    /// Iterations of the search for each move.
    pub iterations: u32,
    /// Plies at the end of each game whose positions were tried.
    pub last_plies: u32,
    /// Random seed.
    pub seed: u64,
}

/// Origin of puzzles of a game that is not solved: forced wins among positions of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FromPlay {
    /// The games.
    #[serde(flatten)]
    pub played: PlayedGames,
    /// Most plies of a win.
    pub plies_max: u16,
    /// Most positions that were searched for each position that was tried.
    pub nodes_max: u64,
    /// Positions that the player to move wins.
    pub won: u64,
    /// Positions without a win within the plies.
    pub not_won: u64,
    /// Positions for which the search had too few nodes.
    pub undecided: u64,
}

impl FromPlay {
    /// Number of positions that were tried.
    #[must_use]
    pub fn tried(&self) -> u64 {
        self.won + self.not_won + self.undecided
    }
}

impl<L: PuzzleList> ReportKind for PuzzlesReport<L> {
    const KIND: &'static str = "puzzles";

    fn check(&self) -> Result<(), String> {
        self.puzzles.check()
    }
}

/// List of the puzzles of a report.
pub trait PuzzleList {
    /// Checks that the moves of solutions read from a file lead to positions of these solutions.
    ///
    /// # Errors
    ///
    /// A message that says what does not fit.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }
}

/// Puzzles whose solutions by all quickest wins were skipped.
impl PuzzleList for Vec<PuzzleReport<IgnoredAny>> {}

impl PuzzlesReport {
    /// Reads a report without the solutions that follow all quickest wins, which may be long.
    ///
    /// # Errors
    ///
    /// When the text is not such a report.
    pub fn read_written(text: &str) -> serde_json::Result<PuzzlesReport> {
        let read: PuzzlesReport<Vec<PuzzleReport<IgnoredAny>>> = serde_json::from_str(text)?;
        let puzzles = read.puzzles.into_iter().map(|puzzle| PuzzleReport {
            number: puzzle.number,
            position: puzzle.position,
            turn: puzzle.turn,
            remoteness: puzzle.remoteness,
            mate_in: puzzle.mate_in,
            interestingness: puzzle.interestingness,
            terms: puzzle.terms,
            unique: puzzle.unique,
            unique_first_move: puzzle.unique_first_move,
            main_line: puzzle.main_line,
            quickest: None,
            written: puzzle.written,
            drawing: puzzle.drawing,
            svg: puzzle.svg,
        });
        let report = PuzzlesReport {
            head: ReportHeader::NEW,
            game: read.game,
            options: read.options,
            mate_in: read.mate_in,
            mate_in_max: read.mate_in_max,
            top: read.top,
            count: read.count,
            unique_only: read.unique_only,
            from_play: read.from_play,
            puzzles: puzzles.collect::<Vec<PuzzleReport>>(),
            by_remoteness: read.by_remoteness,
        };
        report.check().map_err(serde::de::Error::custom)?;
        Ok(report)
    }
}

impl PuzzleList for Vec<PuzzleReport> {
    fn check(&self) -> Result<(), String> {
        for puzzle in self {
            let written = &puzzle.written.positions;
            let all = puzzle.quickest.as_ref().map(|quickest| &quickest.solution.positions);
            if !is_solution(written) || all.is_some_and(|all| !is_solution(all)) {
                return Err(format!("the solution of puzzle {} is damaged", puzzle.number));
            }
        }
        Ok(())
    }
}

/// Tests whether a list of positions is a valid solution: all moves lead to positions of the list
/// that are nearer to the end, so that no line comes back, each id is the position's place, and the
/// moves suit the side to move.
fn is_solution(positions: &[SolutionPosition]) -> bool {
    let fits = |(place, here): (usize, &SolutionPosition)| {
        let nearer = |step: &SolutionMove| {
            positions.get(step.then).is_some_and(|next| next.remoteness < here.remoteness)
        };
        let images = here.images.iter().enumerate();
        here.id == place
            && here.moves.iter().all(nearer)
            && (here.images.is_empty() || here.images.len() == here.moves.len())
            && images.into_iter().all(|(n, &image)| image <= n)
            && (here.cut || here.to_move.is_none() || !here.moves.is_empty())
    };
    !positions.is_empty() && positions.iter().enumerate().all(fits)
}

/// Puzzle with its solution. `P` is the list of positions in [`PuzzleSolution`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PuzzleReport<P = Vec<SolutionPosition>> {
    /// Number of the puzzle, from 1.
    pub number: u64,
    /// Position as text.
    pub position: String,
    /// Player to move, who wins.
    pub turn: Player,
    /// Plies to the end.
    pub remoteness: u16,
    /// Number of those plies that the winner makes.
    pub mate_in: u32,
    /// Interestingness, from 0 to 1.
    pub interestingness: f64,
    /// Terms of the interestingness.
    pub terms: InterestTerms,
    /// Whether only one move wins at every turn of the winner, whatever the defence.
    pub unique: bool,
    /// Whether only one first move wins.
    pub unique_first_move: bool,
    /// Main line: the first quickest win against the first longest defence.
    pub main_line: Vec<String>,
    /// Solution with all quickest wins; left out if only text is made.
    #[serde(flatten)]
    pub quickest: Option<QuickestSolution<P>>,
    /// Solution as it is written for people.
    pub written: WrittenSolution,
    /// Board as text for a terminal.
    pub drawing: String,
    /// Board as an SVG document. It is derived from the position and not read back, since a file
    /// could hold anything there.
    #[serde(skip_deserializing)]
    pub svg: String,
}

/// Solution of a puzzle that follows all quickest winning moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QuickestSolution<P = Vec<SolutionPosition>> {
    /// Numbers of other puzzles that occur, themselves or as images, among the positions,
    /// ascending.
    pub comes_to: Vec<u64>,
    /// Positions and moves.
    pub solution: PuzzleSolution<P>,
}

/// Solution as a list, so that readers need no deep nesting and each position occurs once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PuzzleSolution<P = Vec<SolutionPosition>> {
    /// Number of positions; null if moves are left out.
    pub distinct_positions: Option<u64>,
    /// Number of lines of moves to an end; null if moves are left out or there are too many to
    /// count.
    pub lines: Option<u64>,
    /// Number of positions whose moves are left out.
    pub cut_positions: u64,
    /// Positions in the order of their plies from the puzzle, which is the first.
    pub positions: P,
}

/// Solution of a puzzle that follows one quickest winning move at each turn of the winner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WrittenSolution {
    /// Size of the whole solution.
    pub size: SolutionSize,
    /// Numbers of other puzzles that occur, themselves or as images, among the positions,
    /// ascending.
    pub comes_to: Vec<u64>,
    /// Number of positions whose moves are left out here.
    pub cut_positions: u64,
    /// Positions in the order of their plies from the puzzle, which is the first: those nearest to
    /// it and the main line.
    pub positions: Vec<SolutionPosition>,
}

/// Size of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolutionSize {
    /// Number of positions; if `cut`, the number of those examined.
    pub positions: u64,
    /// Number of lines of moves to an end; null if `cut` or there are too many to count.
    pub lines: Option<u64>,
    /// Whether the solution has more positions than were examined.
    pub cut: bool,
}

/// Position of a solution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolutionPosition {
    /// Place of the position in the list; moves refer to it.
    pub id: usize,
    /// Position as text.
    pub position: String,
    /// Side to move; null if the game is over.
    pub to_move: Option<SolutionSide>,
    /// Plies to the end.
    pub remoteness: u16,
    /// At a turn of the winner, whether no other move wins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unique: Option<bool>,
    /// At a turn of the winner, moves that win as quickly and are not among `moves`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub as_quick: Vec<String>,
    /// At a turn of the winner, moves that win, but not as quickly; quicker ones first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slower: Option<Vec<OtherMove>>,
    /// At a turn of the winner, moves that lose the win.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missteps: Option<Vec<OtherMove>>,
    /// Whether the moves are left out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// In a symmetric position at a turn of the loser: for each of `moves`, the place of the first
    /// move that it is an image of. A move without an earlier image has its own place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<usize>,
    /// Moves of the solution.
    pub moves: Vec<SolutionMove>,
}

/// Side of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SolutionSide {
    /// Player who wins.
    Winner,
    /// Opponent of the winner.
    Loser,
}

/// Move of a solution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolutionMove {
    /// Move as text.
    #[serde(rename = "move")]
    pub m: String,
    /// Id of the position that the move leads to.
    pub then: usize,
}

/// Move of the winner that is not part of the solution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherMove {
    /// Move as text.
    #[serde(rename = "move")]
    pub m: String,
    /// Result of the move for the winner; null if it is only known not to win as quickly as the moves
    /// of the solution.
    pub value: Option<Value>,
    /// Plies to the end, counting this move; null for endless play, and if the result is not known.
    pub plies: Option<u32>,
    /// Value in words, as written by [`value_words`](super::value_words), or the plies within which the
    /// move does not win.
    pub words: String,
}

/// Puzzles that were found in a solved game, from which reports are made.
#[derive(Clone, Debug)]
pub struct FoundPuzzles<K> {
    game: String,
    options: InterestOptions,
    asked: PuzzleOptions,
    solutions: Solutions<K>,
    found: Puzzles<K>,
    terms: Vec<InterestTerms>,
    /// Origin of the puzzles; `None` if the game is solved.
    from_play: Option<FromPlay>,
    /// Numbers of the puzzles, from 1, by the class of their position: images share one number.
    numbers: FxHashMap<K, u64>,
}

/// Solutions that puzzles are of.
#[derive(Clone, Debug)]
enum Solutions<K> {
    /// One that has all of them.
    Whole(Arc<Solution<K>>),
    /// One for each.
    Proofs(Vec<Arc<Solution<K>>>),
}

impl<K> Solutions<K> {
    /// Solution of puzzle `n`, counted from 0.
    fn of(&self, n: usize) -> &Solution<K> {
        match self {
            Solutions::Whole(solution) => solution,
            Solutions::Proofs(proofs) => &proofs[n],
        }
    }
}

impl<K: KeyCode> FoundPuzzles<K> {
    /// Puzzles of a solution of `game`, `found` with the options `asked`.
    ///
    /// # Panics
    ///
    /// When the interestingness or the puzzles are those of another solution.
    #[must_use]
    pub fn new(
        game: String,
        solution: Arc<Solution<K>>,
        interest: &Interest<K>,
        asked: PuzzleOptions,
        found: Puzzles<K>,
    ) -> Self {
        let terms = |puzzle: &Puzzle<K>| {
            let terms = InterestTerms::of(&interest.terms(&solution, puzzle.index));
            terms.expect("a win has moves")
        };
        let terms = found.puzzles.iter().map(terms).collect();
        let options = interest.options();
        let solutions = Solutions::Whole(solution);
        let numbers = FxHashMap::default();
        let new = FoundPuzzles {
            game,
            options,
            asked,
            solutions,
            found,
            terms,
            from_play: None,
            numbers,
        };
        new.numbered()
    }

    /// Puzzles that are forced wins of a game that is not solved: the starts of some proofs, with their
    /// terms of the interestingness. A tie of a proof is not reported as one.
    ///
    /// # Panics
    ///
    /// When a puzzle has no proof.
    #[must_use]
    pub fn proven(
        game: String,
        options: InterestOptions,
        asked: PuzzleOptions,
        found: Puzzles<K>,
        proofs: impl Iterator<Item = (Arc<Solution<K>>, InterestTerms)>,
        from_play: FromPlay,
    ) -> Self {
        let mut proofs: FxHashMap<K, _> =
            proofs.map(|(proof, terms)| (proof.start(), (proof, terms))).collect();
        let own = found.puzzles.iter().map(|puzzle| proofs.remove(&puzzle.state));
        let (solutions, terms) = own.map(|own| own.expect("a puzzle has a proof")).unzip();
        let solutions = Solutions::Proofs(solutions);
        let (numbers, from_play) = (FxHashMap::default(), Some(from_play));
        let new =
            FoundPuzzles { game, options, asked, solutions, found, terms, from_play, numbers };
        new.numbered()
    }

    /// The same puzzles with their numbers.
    fn numbered(self) -> Self {
        let classes = (0..self.found.puzzles.len())
            .map(|n| self.solutions.of(n).rules().class(self.found.puzzles[n].state));
        let numbers = classes.zip(1..).collect();
        FoundPuzzles { numbers, ..self }
    }

    /// Report for text and tables: without the solutions that follow all quickest wins. Asks
    /// `watch` before each puzzle; `None` if it says stop.
    #[must_use]
    pub fn report(&self, watch: &dyn Watch) -> Option<PuzzlesReport> {
        let puzzles = (0..self.found.puzzles.len())
            .map(|n| (!watch.stop()).then(|| self.puzzle(n, None)))
            .collect::<Option<_>>()?;
        Some(self.report_of(puzzles))
    }

    /// Whole report, to be written at once. The puzzles are computed while they are written, since
    /// all solutions together may take a lot of memory. Asks `watch` before each puzzle; writing
    /// fails if it says stop.
    #[must_use]
    pub fn streamed<'s>(&'s self, watch: &'s dyn Watch) -> PuzzlesReport<StreamedPuzzles<'s, K>> {
        self.report_of(StreamedPuzzles { all: self, watch })
    }

    fn report_of<L: PuzzleList>(&self, puzzles: L) -> PuzzlesReport<L> {
        PuzzlesReport {
            head: ReportHeader::NEW,
            game: self.game.clone(),
            options: self.options,
            mate_in: self.asked.mate_in.map(|asked| asked.least),
            mate_in_max: self.asked.mate_in.map(|asked| asked.greatest),
            top: self.asked.top as u64,
            count: self.asked.count.map(|count| count as u64),
            unique_only: self.asked.unique,
            from_play: self.from_play,
            puzzles,
            by_remoteness: self.found.counts.clone(),
        }
    }

    /// Puzzle `n`, counted from 0. `quickest` is its solution that follows all quickest wins, if
    /// wanted.
    fn puzzle<P>(&self, n: usize, quickest: Option<QuickestSolution<P>>) -> PuzzleReport<P> {
        let puzzle = &self.found.puzzles[n];
        let (solution, state) = (self.solutions.of(n), puzzle.state);
        let rules = solution.rules();
        let written = solution_graph(solution, state, Wins::First, WRITTEN_POSITIONS_MAX);
        PuzzleReport {
            number: n as u64 + 1,
            position: rules.position_text(state),
            turn: rules.turn(state),
            remoteness: puzzle.remoteness,
            mate_in: puzzle.mate_in,
            interestingness: rounded(puzzle.interestingness),
            terms: self.terms[n].clone(),
            unique: puzzle.unique.every_move,
            unique_first_move: puzzle.unique.first_move,
            // The main line follows the first of the quickest wins.
            main_line: main_line(rules, &written),
            quickest,
            written: self.written(solution, state, &written),
            drawing: rules.board_text(state),
            svg: rules.board(state).svg(),
        }
    }

    fn written(
        &self,
        solution: &Solution<K>,
        state: K,
        graph: &SolutionGraph<K>,
    ) -> WrittenSolution {
        let size = match graph.cut {
            0 => size(graph),
            _ => size(&solution_graph(solution, state, Wins::First, JSON_POSITIONS_MAX)),
        };
        WrittenSolution {
            size,
            comes_to: self.comes_to(solution.rules(), graph),
            cut_positions: graph.cut as u64,
            positions: solution_positions(solution.rules(), graph, self.from_play.is_none()),
        }
    }

    /// Numbers of the other puzzles that occur among the positions of a solution.
    fn comes_to(&self, rules: &Solvable<K>, graph: &SolutionGraph<K>) -> Vec<u64> {
        let mut found: Vec<u64> = graph.nodes[1..]
            .iter()
            .filter_map(|node| self.numbers.get(&rules.class(node.state)).copied())
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

fn main_line<K: KeyCode>(rules: &Solvable<K>, graph: &SolutionGraph<K>) -> Vec<String> {
    let mut node = &graph.nodes[0];
    let mut line = Vec::new();
    while let Some(&(m, next)) = node.moves.first() {
        line.push(rules.move_text(node.state, m));
        node = &graph.nodes[next];
    }
    line
}

impl<K: KeyCode> AnyPuzzles for FoundPuzzles<K> {
    fn len(&self) -> usize {
        self.found.puzzles.len()
    }

    fn counts(&self) -> &[PuzzleCounts] {
        &self.found.counts
    }

    fn task(&self, n: usize) -> Option<PuzzleTask> {
        let &Puzzle { state, remoteness, mate_in, .. } = self.found.puzzles.get(n)?;
        let rules = self.solutions.of(n).rules();
        let (position, turn) = (rules.position_text(state), rules.turn(state));
        Some(PuzzleTask { position, turn, remoteness, mate_in })
    }

    fn report(&self, watch: &dyn Watch) -> Option<PuzzlesReport> {
        self.report(watch)
    }

    fn json(&self, watch: &dyn Watch) -> serde_json::Result<String> {
        serde_json::to_string(&self.streamed(watch))
    }
}

/// Positions of a solution, with the images of the loser's moves in symmetric positions. Without
/// `is_solved` the solution is one of [`forced_wins`](crate::forced_wins), and ties are not known.
#[must_use]
pub fn solution_positions<K: KeyCode>(
    rules: &Solvable<K>,
    graph: &SolutionGraph<K>,
    is_solved: bool,
) -> Vec<SolutionPosition> {
    let position = |(id, node): (usize, &SolutionNode<K>)| {
        let mut position = position(rules, id, node, is_solved);
        if position.to_move == Some(SolutionSide::Loser) {
            let moves: Vec<u32> = node.moves.iter().map(|&(m, _)| m).collect();
            let images = first_images(rules, node.state, &moves);
            if !images.iter().copied().eq(0..moves.len()) {
                position.images = images;
            }
        }
        position
    };
    graph.nodes.iter().enumerate().map(position).collect()
}

fn position<K: KeyCode>(
    rules: &Solvable<K>,
    id: usize,
    node: &SolutionNode<K>,
    is_solved: bool,
) -> SolutionPosition {
    let text = |m| rules.move_text(node.state, m);
    let unknown = match node.valued.remoteness {
        1 => "no win in 1 ply".to_owned(),
        plies => format!("no win within {plies} plies"),
    };
    let other = |other: &Other| match (is_solved, other.value) {
        (false, Value::Tie) => {
            OtherMove { m: text(other.m), value: None, plies: None, words: unknown.clone() }
        }
        (_, value) => OtherMove {
            m: text(other.m),
            value: Some(value),
            plies: (other.plies > 0).then_some(other.plies),
            words: value_words(value, (other.plies > 0).then_some(other.plies)),
        },
    };
    let others = |others: &[Other]| others.iter().map(other).collect();
    let as_quick = node.step.iter().flat_map(|step| &step.as_quick);
    SolutionPosition {
        id,
        position: rules.position_text(node.state),
        to_move: match (node.is_over(), node.winner_to_move()) {
            (true, _) => None,
            (_, true) => Some(SolutionSide::Winner),
            (_, false) => Some(SolutionSide::Loser),
        },
        remoteness: node.valued.remoteness,
        unique: node.is_unique(),
        as_quick: as_quick.map(|&m| text(m)).collect(),
        slower: node.step.as_ref().map(|step| others(&step.slower)),
        missteps: node.step.as_ref().map(|step| others(&step.missteps)),
        cut: node.cut,
        images: Vec::new(),
        moves: node.moves.iter().map(|&(m, then)| SolutionMove { m: text(m), then }).collect(),
    }
}

fn size<K: KeyCode>(graph: &SolutionGraph<K>) -> SolutionSize {
    SolutionSize { positions: graph.nodes.len() as u64, lines: graph.lines(), cut: graph.cut > 0 }
}

/// Puzzles that are computed while they are written.
pub struct StreamedPuzzles<'s, K> {
    all: &'s FoundPuzzles<K>,
    watch: &'s dyn Watch,
}

impl<K> PuzzleList for StreamedPuzzles<'_, K> {}

impl<K: KeyCode> Serialize for StreamedPuzzles<'_, K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let all = self.all;
        let mut list = serializer.serialize_seq(Some(all.found.puzzles.len()))?;
        for (n, puzzle) in all.found.puzzles.iter().enumerate() {
            if self.watch.stop() {
                return Err(S::Error::custom("interrupted"));
            }
            let (state, limit) = (puzzle.state, JSON_POSITIONS_MAX);
            let solution = all.solutions.of(n);
            let graph = solution_graph(solution, state, Wins::All, limit);
            let quickest = QuickestSolution {
                comes_to: all.comes_to(solution.rules(), &graph),
                solution: PuzzleSolution {
                    distinct_positions: (graph.cut == 0).then_some(graph.nodes.len() as u64),
                    lines: graph.lines(),
                    cut_positions: graph.cut as u64,
                    positions: StreamedPositions {
                        rules: solution.rules(),
                        graph: &graph,
                        is_solved: all.from_play.is_none(),
                    },
                },
            };
            list.serialize_element(&all.puzzle(n, Some(quickest)))?;
        }
        list.end()
    }
}

/// Positions of a solution that are converted while they are written.
pub struct StreamedPositions<'s, K> {
    rules: &'s Solvable<K>,
    graph: &'s SolutionGraph<K>,
    is_solved: bool,
}

impl<K: KeyCode> Serialize for StreamedPositions<'_, K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let nodes = self.graph.nodes.iter().enumerate();
        serializer
            .collect_seq(nodes.map(|(id, node)| position(self.rules, id, node, self.is_solved)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(id: usize, remoteness: u16, then: &[usize]) -> SolutionPosition {
        let side = [SolutionSide::Loser, SolutionSide::Winner][usize::from(remoteness % 2)];
        let moves = then.iter().map(|&then| SolutionMove { m: then.to_string(), then }).collect();
        SolutionPosition {
            id,
            position: String::new(),
            to_move: (remoteness > 0).then_some(side),
            remoteness,
            unique: None,
            as_quick: Vec::new(),
            slower: None,
            missteps: None,
            cut: false,
            images: Vec::new(),
            moves,
        }
    }

    #[test]
    fn a_solution_whose_moves_lead_nowhere_or_back_is_none() {
        let sound = || {
            vec![
                position(0, 3, &[1]),
                position(1, 2, &[2, 2]),
                position(2, 1, &[3]),
                position(3, 0, &[]),
            ]
        };
        assert!(is_solution(&sound()));
        assert!(!is_solution(&[]));
        assert!(!is_solution(&sound()[..3]), "a position is missing");
        let damaged = |damage: fn(&mut Vec<SolutionPosition>)| {
            let mut positions = sound();
            damage(&mut positions);
            assert!(!is_solution(&positions), "{positions:?}");
        };
        damaged(|positions| positions[2].moves[0].then = 0);
        damaged(|positions| positions[2].moves[0].then = usize::MAX);
        damaged(|positions| positions[2].moves.clear());
        damaged(|positions| positions[1].id = 2);
        damaged(|positions| positions[1].images = vec![0]);
        damaged(|positions| positions[1].images = vec![0, 2]);
        damaged(|positions| drop(positions.remove(1)));
        let mut cut = sound();
        (cut[2].cut, cut[2].moves) = (true, Vec::new());
        assert!(is_solution(&cut), "moves that are left out");
    }
}
