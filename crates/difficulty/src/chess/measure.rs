//! Attributes of puzzles: of their meaningful trees, of short searches of the solution's moves, and
//! of position and solution.

use std::collections::{BTreeMap, HashSet};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::{DistanceRule, FAMILIES, Tree, TreeSettings, Value, attribute_names, attributes};
use treegauge_core::Watch;
use treegauge_human::MovePredictor;
use treegauge_human::policy::Policy;

use crate::chess::analyser::Analyser;
use crate::chess::cache::Cache;
use crate::chess::completion::completed;
use crate::chess::facts::{fact_names, facts};
use crate::chess::people::{PeopleChoice, people, people_choices, people_names, turns};
use crate::chess::position::{ChessMove, Position};
use crate::chess::puzzle::{Puzzle, RowError};
use crate::chess::soundness::Soundness;
use crate::chess::source::{EngineSource, MultiPv};
use crate::chess::uci::{EngineOptions, Glance, UciError};

/// Settings of a measurement.
#[derive(Clone)]
pub struct MeasureOptions {
    /// Settings of the engine; `None` to measure what needs no engine.
    pub engine: Option<EngineOptions>,
    /// Settings of the trees.
    pub settings: TreeSettings,
    /// Number of moves that the engine lists per position.
    pub multi_pv: MultiPv,
    /// Rule by which the distances of moves are added up.
    pub distances: DistanceRule,
    /// Networks that predict people's moves; `None` without them.
    pub networks: Option<Arc<dyn MovePredictor>>,
    /// Number of kept moves at which the trees were cut off from which the model of ratings learned.
    pub model_nodes: u32,
    /// Rating of the people whose moves are reported beside those of the solution.
    pub people: f64,
}

/// Tree and attributes of one puzzle.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// Meaningful tree; `None` without an engine.
    pub tree: Option<Tree>,
    /// Attributes in the order of [`chess_attributes`]; `None` for one that is undefined, or that
    /// needs an engine, networks or a solution that were not given.
    pub attributes: Vec<Option<f64>>,
    /// The first of these as they are of the tree that is cut off as the model of ratings knows it;
    /// `None` if the tree is not larger.
    of_cut_tree: Option<Vec<Option<f64>>>,
    /// Solution: that of the file, or as the engine completes it if the file has no whole one. Empty if
    /// the position has no moves.
    pub solution: Vec<ChessMove>,
    /// Whether the solution is a whole line, of the file or of the engine.
    pub is_whole: bool,
    /// Verdict on the puzzle; `None` without an engine.
    pub soundness: Option<Soundness>,
    /// Verdict in words; empty for a sound puzzle.
    pub words: String,
    /// Moves that people play at the moves of the solution, by the networks or else by the shipped
    /// policy; empty if the puzzle has no whole solution.
    pub people: Vec<PeopleChoice>,
}

impl Measurement {
    /// Attributes for the model of ratings: of the tree as the model knows it.
    #[must_use]
    pub fn attributes_for_model(&self) -> Vec<Option<f64>> {
        let mut all = self.attributes.clone();
        if let Some(cut) = &self.of_cut_tree {
            all[..cut.len()].copy_from_slice(cut);
        }
        all
    }
}

/// Part of a puzzle that an attribute describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AttributeKind {
    /// The meaningful tree, with the number of the attribute's family in Stoiljkovikj 2015, 1 to
    /// 17.
    Tree(u8),
    /// Searches of the engine.
    Search,
    /// Position.
    Position,
    /// Moves of the solution.
    Solution,
    /// Moves of people at the solution's moves, as the shipped policy predicts them.
    Policy,
    /// The same, as networks predict them.
    Network,
}

impl AttributeKind {
    /// Tests whether such an attribute needs an engine.
    #[must_use]
    pub fn is_of_engine(self) -> bool {
        matches!(self, AttributeKind::Tree(_) | AttributeKind::Search)
    }
}

/// Name and description of one attribute of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChessAttribute {
    /// Name.
    pub name: String,
    /// Description in words.
    pub meaning: &'static str,
    /// Part of the puzzle that it describes.
    pub kind: AttributeKind,
    /// Whether it is defined only for a puzzle with a solution.
    pub needs_solution: bool,
    /// Whether it is one of the few that people use to grade problems without a computer.
    pub is_plain: bool,
}

/// Names and descriptions of the attributes of the engine's searches, apart from those of the tree.
const SEARCHED: [(&str, &str); 7] = [
    (
        "GuessBits",
        "the probability to find the moves of the tree by chance, as the negative binary logarithm",
    ),
    ("BestScore", "the value of the best first move in centipawns, at most 1,000 as of a mate"),
    (
        "SecondScore",
        "the value of the second-best first move, at least -1,000; -1,000 if there is none",
    ),
    ("ScoreGap", "BestScore less SecondScore"),
    (
        "FoundFromDepth",
        "the depth from which on the engine considers the first move of the solution best; its last depth plus one if it never does",
    ),
    ("BestMoves", "different moves that the engine considers best on the way to its depth"),
    (
        "GuidBratko",
        "the difficulty of a position of Guid and Bratko 2006: over the depths from 3 on at which another move becomes best, the sum of its value less that of the second-best move, in centipawns",
    ),
];

/// Names and descriptions of the attributes of short searches of all moves. Each has a value for
/// each of the player's first three moves, and their mean.
const GLANCES: [(&str, &str); 5] = [
    ("FirstSightRank", "legal moves that a search of one ply values higher than the solution's"),
    (
        "FirstSightGap",
        "value of the solution's move less that of the best other one in a search of one ply, -1,000 to 1,000 centipawns",
    ),
    ("GlanceRank", "legal moves that a search of four plies values higher than the solution's"),
    (
        "GlanceGap",
        "value of the solution's move less that of the best other one in a search of four plies, -1,000 to 1,000 centipawns",
    ),
    (
        "GlanceRivals",
        "other moves that look at most a pawn worse than the solution's, or better, to a search of four plies",
    ),
];

/// Number of the player's moves that get a short search.
const GLANCED: usize = 3;
const GLANCE_DEPTH: u32 = 4;

/// Bound of scores in centipawns: beyond it one side wins anyway.
const SCORE_MAX: f64 = 1_000.0;

/// Attributes of puzzles, for trees with `levels` levels.
#[must_use]
pub fn chess_attributes(levels: u8) -> Vec<ChessAttribute> {
    let own = |name: String, meaning, kind| ChessAttribute {
        name,
        meaning,
        kind,
        needs_solution: false,
        is_plain: false,
    };
    let mut all: Vec<ChessAttribute> = attribute_names(levels)
        .into_iter()
        .map(|name| {
            let family = name.split('(').next().unwrap_or_default();
            let family = FAMILIES.iter().find(|one| one.name == family).expect("it is a family");
            own(name, family.meaning, AttributeKind::Tree(family.number))
        })
        .collect();
    let searched = SEARCHED
        .iter()
        .map(|&(name, meaning)| own(name.to_owned(), meaning, AttributeKind::Search));
    all.extend(searched);
    for (name, meaning) in GLANCES {
        for part in ["1", "2", "3", "mean"] {
            all.push(ChessAttribute {
                needs_solution: part != "1",
                ..own(format!("{name}({part})"), meaning, AttributeKind::Search)
            });
        }
    }
    all.extend(fact_names().map(|(name, fact)| ChessAttribute {
        name,
        meaning: fact.meaning,
        kind: if fact.needs_solution() { AttributeKind::Solution } else { AttributeKind::Position },
        needs_solution: fact.needs_solution(),
        is_plain: fact.is_plain,
    }));
    for (prefix, kind) in [("Policy", AttributeKind::Policy), ("Network", AttributeKind::Network)] {
        all.extend(people_names(prefix).into_iter().map(|(name, meaning)| ChessAttribute {
            needs_solution: true,
            ..own(name, meaning, kind)
        }));
    }
    all
}

/// Measures a puzzle: what its engine finds, if there is one, and what needs no engine.
///
/// # Errors
///
/// When the engine fails.
pub fn measure(
    analyser: Option<&mut Analyser>,
    puzzle: &Puzzle,
    options: &MeasureOptions,
    watch: &dyn Watch,
) -> Result<Measurement, UciError> {
    let mut found = match analyser {
        Some(analyser) => by_engine(analyser, puzzle, options, watch)?,
        None => Measurement {
            tree: None,
            attributes: vec![None; attribute_count_of_engine(options.settings.levels)],
            of_cut_tree: None,
            solution: puzzle.solution.clone(),
            is_whole: puzzle.has_line,
            soundness: None,
            words: String::new(),
            people: Vec::new(),
        },
    };
    let position = &puzzle.position;
    let has_line = found.is_whole;
    let line = if has_line { &found.solution[..] } else { &[] };
    let known = facts(position, puzzle.before.as_ref(), line);
    found.attributes.extend(
        fact_names()
            .zip(known)
            .map(|((_, fact), value)| (has_line || !fact.needs_solution()).then_some(value)),
    );
    let turns = turns(position, puzzle.before.as_ref(), line);
    let policy: &dyn MovePredictor = Policy::shipped();
    let networks = options.networks.as_deref();
    for predictor in [Some(policy), networks] {
        match predictor.filter(|_| has_line) {
            Some(predictor) => {
                let values = people(predictor, &turns);
                found.attributes.extend(values.into_iter().map(Some));
            }
            None => found.attributes.extend(people_names("").iter().map(|_| None)),
        }
    }
    let predictor = networks.unwrap_or(policy);
    found.people = people_choices(predictor, options.people, &turns);
    Ok(found)
}

/// Number of the attributes that need an engine: the first of [`chess_attributes`].
fn attribute_count_of_engine(levels: u8) -> usize {
    chess_attributes(levels).iter().take_while(|one| one.kind.is_of_engine()).count()
}

/// Builds the meaningful tree of a puzzle and computes the attributes that need an engine.
fn by_engine(
    analyser: &mut Analyser,
    puzzle: &Puzzle,
    options: &MeasureOptions,
    watch: &dyn Watch,
) -> Result<Measurement, UciError> {
    let mut source = EngineSource::new(analyser, options.multi_pv, watch);
    let tree = Tree::build(&mut source, &puzzle.position, options.settings)?;
    let best_by_depth: Vec<ChessMove> = source.problem_best_by_depth().to_vec();
    let (soundness, words) = Soundness::of(puzzle, &tree);
    let line = solution_of(&mut source, &tree, puzzle)?;
    let is_whole = !line.is_empty();
    let first = line.first().copied();
    let best = if puzzle.best.is_empty() { first.as_slice() } else { &puzzle.best };
    let of_tree = |tree: &Tree| {
        let mut values = attributes(tree, options.distances);
        values.extend(searched(tree, &best_by_depth, best).map(Some));
        values
    };
    let mut values = of_tree(&tree);
    let is_larger = tree.nodes.len() > options.model_nodes as usize;
    let of_cut_tree = is_larger.then(|| of_tree(&tree.cut(options.model_nodes)));
    values.push(Some(guid_bratko(analyser, &puzzle.position, options, watch)?));
    let glances = glanced(analyser, &puzzle.position, &line, watch)?;
    for glance in &glances {
        let [first, second, third] = *glance;
        let mean =
            glance.iter().flatten().sum::<f64>() / glance.iter().flatten().count().max(1) as f64;
        let rest = [second, third].map(|value| Some(value.unwrap_or(0.0)));
        values.push(Some(first.unwrap_or(0.0)));
        values.extend([rest[0], rest[1], Some(mean)].map(|value| value.filter(|_| is_whole)));
    }
    Ok(Measurement {
        tree: Some(tree),
        attributes: values,
        of_cut_tree,
        solution: line,
        is_whole,
        soundness: Some(soundness),
        words,
        people: Vec::new(),
    })
}

/// Solution of a puzzle: that of the file, or the one that the engine completes from the first move
/// that [`first_of`] returns.
fn solution_of(
    source: &mut EngineSource<'_>,
    tree: &Tree,
    puzzle: &Puzzle,
) -> Result<Vec<ChessMove>, UciError> {
    if puzzle.has_line {
        return Ok(puzzle.solution.clone());
    }
    match first_of(tree, puzzle) {
        None => Ok(Vec::new()),
        Some(first) => completed(source, &puzzle.position, first),
    }
}

/// First move of a puzzle without a line: the tree's best move among those that the file names, or
/// the tree's best move if the file names none.
fn first_of(tree: &Tree, puzzle: &Puzzle) -> Option<ChessMove> {
    let listed = tree.first_moves.iter();
    let mut listed = listed.filter_map(|one| puzzle.position.parse_move(&one.played).ok());
    if puzzle.best.is_empty() {
        return listed.next();
    }
    listed.find(|one| puzzle.best.contains(one)).or(puzzle.solution.first().copied())
}

/// Attributes in the order of [`SEARCHED`], except the last; `best` holds the moves that count as found.
fn searched(
    tree: &Tree,
    best_by_depth: &[ChessMove],
    best: &[ChessMove],
) -> impl Iterator<Item = f64> {
    let score = |n: usize| tree.first_moves.get(n).map_or(-SCORE_MAX, |one| bounded(one.value));
    let stays = best_by_depth.iter().rev().take_while(|found| best.contains(found)).count();
    let different: HashSet<&ChessMove> = best_by_depth.iter().collect();
    [
        -tree.guess_probability().log2(),
        score(0),
        score(1),
        score(0) - score(1),
        (best_by_depth.len() - stays + 1) as f64,
        different.len() as f64,
    ]
    .into_iter()
}

/// Difficulty of a position of Guid and Bratko 2006.
fn guid_bratko(
    analyser: &mut Analyser,
    position: &Position,
    options: &MeasureOptions,
    watch: &dyn Watch,
) -> Result<f64, UciError> {
    let depth = options.engine.as_ref().map_or(0, |engine| engine.depth);
    let check = |glance: &Glance| legal_only(glance, position).map(|()| glance.by_depth.clone());
    let by_depth = analyser.glance(position, 2, depth, check, watch)?;
    Ok(changes_of_mind(&by_depth))
}

/// Sum of the differences between the best two moves at each depth, from 3 on, at which another move
/// has become best. Depths that the engine did not finish are left out.
fn changes_of_mind(by_depth: &[Vec<(ChessMove, Value)>]) -> f64 {
    let depths = by_depth.iter().skip(1).filter_map(|moves| match &moves[..] {
        [best, second, ..] => Some((best.0, bounded(best.1) - bounded(second.1))),
        _ => None,
    });
    let depths: Vec<(ChessMove, f64)> = depths.collect();
    let changes = depths.windows(2).filter(|pair| pair[0].0 != pair[1].0);
    // The sum of nothing is -0.
    changes.fold(0.0, |sum, pair| sum + pair[1].1.abs())
}

/// Tests that the moves of an answer, which may come from a cache, are legal.
fn legal_only(glance: &Glance, position: &Position) -> Result<(), UciError> {
    let illegal = glance.by_depth.iter().flatten().find(|(played, _)| !position.is_legal(*played));
    illegal
        .map_or(Ok(()), |(played, _)| Err(UciError::Wrong(format!("{played} is not a legal move"))))
}

/// Values of all moves of a position after each depth of a short search.
fn seen(
    analyser: &mut Analyser,
    position: &Position,
    watch: &dyn Watch,
) -> Result<Vec<Vec<(ChessMove, Value)>>, UciError> {
    let legal = position.moves().len() as u32;
    let check = |glance: &Glance| {
        let last = glance.by_depth.last().map_or(0, Vec::len);
        let wanted = glance.lines_max.map_or(legal, |most| most.min(legal));
        if last != wanted as usize {
            return Err(UciError::Wrong(format!("{last} moves instead of {wanted}")));
        }
        legal_only(glance, position).map(|()| glance.by_depth.clone())
    };
    analyser.glance(position, legal, GLANCE_DEPTH, check, watch)
}

fn bounded(value: Value) -> f64 {
    match value {
        Value::Loses(_) => -SCORE_MAX,
        Value::Score(score) => score.clamp(-SCORE_MAX, SCORE_MAX),
        Value::Wins(_) => SCORE_MAX,
    }
}

/// Values of each attribute of [`GLANCES`] for the player's first moves in a line; `None` after its
/// end.
fn glanced(
    analyser: &mut Analyser,
    problem: &Position,
    line: &[ChessMove],
    watch: &dyn Watch,
) -> Result<[[Option<f64>; GLANCED]; GLANCES.len()], UciError> {
    let mut found = [[None; GLANCED]; GLANCES.len()];
    let mut position = problem.clone();
    for (n, pair) in line.chunks(2).take(GLANCED).enumerate() {
        let played = pair[0];
        let by_depth = seen(analyser, &position, watch)?;
        let last = by_depth.last().map_or(&[][..], Vec::as_slice);
        // A depth that the engine did not finish is empty; the last one is not.
        let first = by_depth.first().filter(|moves| !moves.is_empty());
        let [shallow, deep] = [first.map_or(last, Vec::as_slice), last];
        let seen = [Seen::of(shallow, played), Seen::of(deep, played)];
        let values = [seen[0].rank, seen[0].gap, seen[1].rank, seen[1].gap, seen[1].rivals];
        for (found, value) in found.iter_mut().zip(values) {
            found[n] = Some(value);
        }
        for &next in pair {
            position = position.after(next);
        }
    }
    Ok(found)
}

/// Comparison of one move with all others in a search.
struct Seen {
    rank: f64,
    gap: f64,
    rivals: f64,
}

impl Seen {
    fn of(moves: &[(ChessMove, Value)], played: ChessMove) -> Seen {
        let own = moves.iter().find(|(one, _)| *one == played);
        let own = own.map_or(-SCORE_MAX, |(_, value)| bounded(*value));
        let others =
            || moves.iter().filter(|(one, _)| *one != played).map(|(_, value)| bounded(*value));
        let best = others().fold(-SCORE_MAX, f64::max);
        Seen {
            rank: others().filter(|&other| other > own).count() as f64,
            gap: (own - best).clamp(-SCORE_MAX, SCORE_MAX),
            rivals: others().filter(|&other| other >= own - 100.0).count() as f64,
        }
    }
}

/// One row of a puzzle file: the error in the row, or its puzzle with the measurement or the error
/// of the engine.
pub type MeasuredRow = Result<(Puzzle, Result<Measurement, UciError>), RowError>;

/// Interval at which a worker that waits for a puzzle checks whether the work should stop.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Capacity of the channel for measured rows, per engine.
const WAITING: usize = 64;

/// Measures puzzles with several engines at once, or on several threads without an engine, and passes them to `take` in the order of the
/// file. The rows do not depend on the number of engines.
///
/// A separate thread reads the puzzles. If their file blocks, such as a pipe that somebody holds
/// open, that thread is left behind when `watch` says stop.
///
/// # Errors
///
/// [`UciError::Stopped`] if `watch` says stop; `take` has then received the rows before the first
/// one that is missing. [`UciError::Start`] if the reading thread cannot be started.
pub fn measure_all(
    puzzles: impl Iterator<Item = Result<Puzzle, RowError>> + Send + 'static,
    options: &MeasureOptions,
    engines: usize,
    cache: Option<&Arc<Cache>>,
    watch: &dyn Watch,
    mut take: impl FnMut(MeasuredRow),
) -> Result<Work, UciError> {
    let engines = engines.max(1);
    let (read, rows) = sync_channel(engines);
    let reader = thread::Builder::new().name("puzzles".to_owned());
    let reader = reader.spawn(move || {
        for row in puzzles.enumerate() {
            if read.send(row).is_err() {
                return;
            }
        }
    });
    reader.map_err(|error| UciError::Start(error.to_string()))?;
    let rows = Mutex::new(rows);
    let next = || loop {
        let rows = rows.lock().unwrap_or_else(PoisonError::into_inner);
        // Several workers may have waited for the lock.
        if watch.stop() {
            return None;
        }
        match rows.recv_timeout(LOOK_EVERY) {
            Ok(row) => return Some(row),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => {}
        }
    };
    let (sender, receiver) = sync_channel(engines * WAITING);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..engines)
            .map(|_| {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    let engine = options.engine.clone();
                    let mut analyser = engine.map(|engine| Analyser::new(engine, cache.cloned()));
                    while let Some((n, row)) = next() {
                        let measured = row.map(|puzzle| {
                            let found = measure(analyser.as_mut(), &puzzle, options, watch);
                            (puzzle, found)
                        });
                        let is_stopped = matches!(measured, Ok((_, Err(UciError::Stopped))));
                        if is_stopped || sender.send((n, measured)).is_err() {
                            break;
                        }
                    }
                    analyser.as_ref().map(Work::of).unwrap_or_default()
                })
            })
            .collect();
        drop(sender);
        let mut waiting: BTreeMap<usize, MeasuredRow> = BTreeMap::new();
        let mut next = 0;
        for (n, row) in receiver {
            waiting.insert(n, row);
            while let Some(row) = waiting.remove(&next) {
                take(row);
                next += 1;
            }
        }
        let mut work = Work::default();
        for worker in workers {
            work.add(worker.join().expect("a worker does not panic"));
        }
        if watch.stop() { Err(UciError::Stopped) } else { Ok(work) }
    })
}

/// Numbers of searches of the engines of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Searches that the engines did.
    pub searched: u64,
    /// Searches that the cache answered.
    pub remembered: u64,
    /// Name that the engine reports; empty if no engine was running at the end.
    pub engine: String,
}

impl Work {
    fn of(analyser: &Analyser) -> Work {
        let engine = analyser.name().unwrap_or_default().to_owned();
        Work { searched: analyser.searched(), remembered: analyser.remembered(), engine }
    }

    fn add(&mut self, other: Work) {
        self.searched += other.searched;
        self.remembered += other.remembered;
        if self.engine.is_empty() {
            self.engine = other.engine;
        }
    }
}
