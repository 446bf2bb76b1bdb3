//! Difficulty of problems: chess puzzles by an engine, positions of any game by its solution or a
//! search.

use std::io::Read;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use treegauge_core::{Clock, Phase, Progress, ReportHeader, ReportKind, Watch};
use treegauge_difficulty::chess::uci::{EngineOptions, Program, UciEngine, UciError};
use treegauge_difficulty::chess::{
    Analyser, Cache, ChessMove, EngineSource, MeasureOptions, Measurement, MultiPv, Position,
    Puzzle, Puzzles, Work, chess_attributes, measure, measure_all,
};
use treegauge_difficulty::{
    BadRow, DifficultyError, DifficultyEvaluation, DifficultyReport, DistanceRule, GameSource,
    GradedPuzzle, GradedReport, LineSourceError, MeasuredWith, MoveSource, PredictedProblem,
    ProblemReport, RatedProblems, RatingModel, RatingModelCard, ScoreUnit, TrainedRatingModel,
    Tree, TreeSettings, attribute_names, attributes, puzzle_tree_words, tree_words,
};
use treegauge_engine::{Line, SolvedGame, StartingPoint};
use treegauge_learn::LearnError;
use treegauge_report::{
    ChessAnswer, ChessAnswers, PRACTICE_BYTES_MAX, PRACTICE_PROBLEMS_MAX, chess_practice,
    practice_page,
};
use treegauge_solve::report::PuzzlesReport;
use treegauge_store::{Sheet, read};

use crate::models::{
    MODEL_BYTES_MAX, ModelOrigin, ZSTD_MAGIC, check_reads_back, digest_of, expanded, parsed,
};
use crate::{Error, ErrorKind, Game};

/// A rating model with the digest of its text.
#[derive(Clone, Debug)]
pub struct StoredRatingModel {
    /// The model.
    pub model: RatingModel,
    /// XXH3 digest of the JSON of the model, as 16 hexadecimal digits.
    pub digest: String,
}

/// File of the model that ships with the program.
pub(crate) static STANDARD_BYTES: &[u8] = include_bytes!("../data/difficulty.model.zst");

impl StoredRatingModel {
    /// Wraps a newly trained model.
    ///
    /// # Errors
    ///
    /// If it has numbers that are not finite, which its file could not hold.
    pub fn of(model: RatingModel) -> Result<StoredRatingModel, Error> {
        check_reads_back(&model)?;
        let digest = digest_of(&rating_model_file(&model, false));
        Ok(StoredRatingModel { model, digest })
    }

    /// Origin and scores of the model.
    #[must_use]
    pub fn card(&self) -> RatingModelCard {
        self.model.card(self.digest.clone())
    }

    /// Reads a model from the bytes of its file.
    ///
    /// # Errors
    ///
    /// If they are not a rating model, or one of another schema.
    pub fn parse(bytes: &[u8]) -> Result<StoredRatingModel, Error> {
        StoredRatingModel::of_bytes(bytes, ModelOrigin::File)
    }

    fn of_bytes(bytes: &[u8], origin: ModelOrigin) -> Result<StoredRatingModel, Error> {
        let (model, digest) = parsed(bytes, origin, RatingModel::of_json)?;
        Ok(StoredRatingModel { model, digest })
    }

    /// Reads a model from its file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is not a rating model.
    pub fn read(path: &Path) -> Result<StoredRatingModel, Error> {
        let data = |error: &dyn std::fmt::Display| {
            Error::new(ErrorKind::Data, format!("{}: {error}", path.display()))
        };
        let bytes = read(path, MODEL_BYTES_MAX).map_err(|error| data(&error))?;
        StoredRatingModel::parse(&bytes).map_err(|error| data(&error))
    }

    /// Model that ships with the program.
    #[must_use]
    pub fn standard() -> &'static StoredRatingModel {
        static STANDARD: LazyLock<StoredRatingModel> = LazyLock::new(|| {
            StoredRatingModel::of_bytes(STANDARD_BYTES, ModelOrigin::Program)
                .expect("the model next to the code is one")
        });
        &STANDARD
    }
}

/// File content of a model: its JSON, with `compressed` as a zstd stream.
#[must_use]
pub fn rating_model_file(model: &RatingModel, compressed: bool) -> Vec<u8> {
    crate::models::file_of(model, compressed)
}

/// Reason that a puzzle has no rating.
const NEEDS_ENGINE: &str = "its solution is unknown, and there is no engine to find it";

/// Settings of rating chess puzzles.
#[derive(Clone)]
pub struct DifficultyRun {
    /// Settings of the measurement.
    pub options: MeasureOptions,
    /// Ratings of the people of the networks in `options`, ascending; empty without networks.
    pub networks: Vec<f64>,
    /// Number of engines that work at once. The result does not depend on it.
    pub engines: usize,
    /// Cache of engine answers; `None` to ask the engine every time.
    pub cache: Option<Arc<Cache>>,
    /// Number of reasons per rating.
    pub reasons: usize,
    /// Whether rows keep their attributes.
    pub keep_attributes: bool,
    /// Whether rows keep their trees.
    pub keep_trees: bool,
}

impl DifficultyRun {
    /// Description of the measurement; `None` without an engine. Starts the engine to ask for its
    /// name.
    ///
    /// # Errors
    ///
    /// If the engine cannot be started.
    pub fn measured_with(&self, watch: &dyn Watch) -> Result<Option<MeasuredWith>, Error> {
        let MeasureOptions { engine, settings, multi_pv, distances, .. } = &self.options;
        let Some(options) = engine else { return Ok(None) };
        let engine = UciEngine::start(options.clone(), watch).map_err(engine_error)?;
        Ok(Some(MeasuredWith {
            engine: engine.name().to_owned(),
            engine_options: {
                let given = options.more.iter().map(|(name, value)| format!("{name}={value}"));
                given.collect::<Vec<_>>().join("; ")
            },
            depth: options.depth,
            multi_pv: match multi_pv {
                MultiPv::Adaptive => "adaptive".to_owned(),
                MultiPv::Fixed(lines) => lines.to_string(),
            },
            settings: *settings,
            distances: *distances,
        }))
    }

    /// Rates the puzzles of a file by a model, or only measures them if `model` is `None`, and
    /// passes them on in order, with invalid rows as [`BadRow`]. `known` is the known number of
    /// puzzles, for the progress. A puzzle with a failed engine stays unrated.
    ///
    /// # Errors
    ///
    /// If `watch` says stop. Finished puzzles have been passed on by then. A thread that waits for
    /// more of the file is left behind.
    pub fn rate<R: Read + Send + 'static>(
        &self,
        puzzles: Puzzles<R>,
        known: u64,
        model: Option<&StoredRatingModel>,
        watch: &dyn Watch,
        take: &mut dyn FnMut(Result<PredictedProblem, BadRow>),
    ) -> Result<Work, Error> {
        let mut done = 0;
        let cache = self.cache.as_ref();
        let options = self.options_for(model);
        let found = measure_all(puzzles, &options, self.engines, cache, watch, |row| {
            take(match row {
                Ok((puzzle, measured)) => Ok(self.rated(&puzzle, measured, model)),
                Err(error) => Err(BadRow { line: error.line, problem: error.problem }),
            });
            done += 1;
            watch.progress(Progress::new(Phase::Problems, done, known.max(done)));
        });
        found.map_err(|error| match error {
            UciError::Stopped => Error::interrupted("not all puzzles are rated"),
            error => engine_error(error),
        })
    }

    /// Settings of the measurement, with trees cut off as the model knows them.
    fn options_for(&self, model: Option<&StoredRatingModel>) -> MeasureOptions {
        let mut options = self.options.clone();
        if let Some(model) = model {
            options.model_nodes = model.model.measured.settings.nodes_max;
        }
        options
    }

    fn rated(
        &self,
        puzzle: &Puzzle,
        measured: Result<Measurement, UciError>,
        model: Option<&StoredRatingModel>,
    ) -> PredictedProblem {
        let mut row = PredictedProblem {
            id: puzzle.id.clone(),
            line: puzzle.line,
            fen: puzzle.position.fen(),
            last_move: puzzle.last_move(),
            solution: puzzle.solution_text(),
            given_moves: puzzle.solution.len(),
            has_line: puzzle.has_line,
            given_rating: puzzle.rating,
            game: puzzle.game.clone(),
            themes: puzzle.themes.clone(),
            difficulty: None,
            p_solve: None,
            known: model.is_some_and(|one| one.model.knows(&puzzle.position.fen())),
            reasons: Vec::new(),
            people: Vec::new(),
            words: String::new(),
            completed: false,
            soundness: None,
            note: None,
            unrated: None,
            unread: puzzle.unread.clone(),
            capped: false,
            attributes: Vec::new(),
            tree: None,
        };
        match measured {
            Err(error) => row.unrated = Some(error.to_string()),
            Ok(measurement) => {
                let for_model = measurement.attributes_for_model();
                let Measurement { tree, attributes, solution, soundness, words, people, .. } =
                    measurement;
                row.completed = is_completed(puzzle, &solution);
                row.solution = Puzzle { solution, ..puzzle.clone() }.solution_text();
                row.soundness = soundness;
                row.people = people;
                let is_rated = soundness.is_none_or(|verdict| verdict.is_rated(puzzle.has_line));
                let model = model.filter(|_| is_rated);
                let found = model.and_then(|one| {
                    one.model.predict(tree.as_ref(), &for_model, &row.people, self.reasons)
                });
                if model.is_some() && found.is_none() && tree.is_none() {
                    row.unrated = Some(NEEDS_ENGINE.to_owned());
                }
                (row.difficulty, row.reasons) =
                    found.map_or((None, Vec::new()), |(a, b)| (Some(a), b));
                row.words = tree.as_ref().map(tree_words).unwrap_or_default();
                row.note = Some(words).filter(|words| !words.is_empty());
                row.capped = tree.as_ref().is_some_and(|tree| tree.capped);
                row.attributes = if self.keep_attributes { attributes } else { Vec::new() };
                row.tree = tree.filter(|_| self.keep_trees);
            }
        }
        row
    }

    /// Meaningful tree of a position and its difficulty. `moves` is the solution, in any usual
    /// spelling; the engine's if it is empty.
    ///
    /// # Errors
    ///
    /// If the text is not a position or the game is over there, a move is not legal, the engine
    /// fails, or `watch` says stop.
    pub fn show(
        &self,
        fen: &str,
        moves: &str,
        model: Option<&StoredRatingModel>,
        watch: &dyn Watch,
    ) -> Result<ProblemReport, Error> {
        let position = Position::parse(fen).map_err(|error| Error::new(ErrorKind::Data, error))?;
        let puzzle = Puzzle::with_solution(position.clone(), moves);
        let puzzle = puzzle.map_err(|error| Error::new(ErrorKind::Data, error))?;
        let (measured, engine) = match (self.measured_with(watch)?, &self.options.engine) {
            (Some(measured), Some(engine)) => (measured, engine.clone()),
            _ => return Err(Error::new(ErrorKind::Engine, "a tree needs an engine")),
        };
        let mut analyser = Analyser::new(engine, self.cache.clone());
        let options = self.options_for(model);
        let measurement = measure(Some(&mut analyser), &puzzle, &options, watch);
        let measurement = measurement.map_err(engine_error)?;
        let for_model = measurement.attributes_for_model();
        let Measurement { tree, solution, soundness, words, people, .. } = measurement;
        let tree = tree.expect("an engine builds a tree");
        let is_rated = soundness.is_none_or(|verdict| verdict.is_rated(puzzle.has_line));
        let found = model
            .filter(|_| is_rated)
            .and_then(|one| one.model.predict(Some(&tree), &for_model, &people, self.reasons));
        let (difficulty, reasons) = found.map_or((None, Vec::new()), |(a, b)| (Some(a), b));
        let completed = is_completed(&puzzle, &solution);
        let without_solution = difficulty.is_some() && !puzzle.has_line;
        let solution = Puzzle { solution, ..puzzle }.solution_text();
        Ok(ProblemReport {
            head: ReportHeader::NEW,
            without_solution,
            game: "chess".to_owned(),
            position: position.fen(),
            source: measured.words(),
            measured: Some(measured),
            networks: self.networks.clone(),
            unit: ScoreUnit::Centipawns,
            attributes: attribute_names(self.options.settings.levels),
            values: treegauge_difficulty::attributes(&tree, self.options.distances),
            guess_probability: tree.guess_probability(),
            words: tree_words(&tree),
            solution,
            completed,
            soundness,
            note: Some(words).filter(|words| !words.is_empty()),
            difficulty,
            reasons,
            model: model.map(StoredRatingModel::card),
            people,
            tree,
        })
    }
}

/// Engine that finds the best moves of single positions of chess. It starts on demand.
pub struct ChessEngine {
    analyser: Analyser,
}

impl ChessEngine {
    /// An engine that searches each position to `depth` plies, in at most `answer_max`.
    ///
    /// # Errors
    ///
    /// If the file is not a program.
    pub fn open(
        path: &Path,
        depth: u32,
        answer_max: Duration,
        clock: Arc<dyn Clock>,
    ) -> Result<ChessEngine, Error> {
        let program = Program::open(path, &()).map_err(engine_error)?;
        let more = Vec::new();
        let options = EngineOptions { program, depth, hash_megabytes: 4, more, answer_max, clock };
        Ok(ChessEngine { analyser: Analyser::new(options, None) })
    }

    /// The engine of a run, with its cache; `None` if the run has no engine.
    pub(crate) fn of(run: &DifficultyRun) -> Option<ChessEngine> {
        let engine = run.options.engine.clone()?;
        Some(ChessEngine { analyser: Analyser::new(engine, run.cache.clone()) })
    }

    /// Best move of a position; `None` if the game is over, the engine fails, or `watch` says stop.
    pub fn best(&mut self, position: &Position, watch: &dyn Watch) -> Option<ChessAnswer> {
        let mut source = EngineSource::new(&mut self.analyser, MultiPv::Fixed(1), watch);
        let listed = source.list(position, 1, &|_| true).ok()?;
        let &(played, value) = listed.moves.first()?;
        Some(ChessAnswer { played, value })
    }
}

/// Writes a practice file: one HTML file in which rated chess problems are solved without a server.
/// `rows` are indices of the report, in the order of the file. `answers` gives the best answers to
/// wrong moves, such as [`ChessEngine::best`].
///
/// # Errors
///
/// If no problem has a solution or there are too many problems, or they do not fit into a file
/// ([`ErrorKind::Limit`]).
pub fn chess_practice_file(
    report: &DifficultyReport,
    rows: &[usize],
    answers: ChessAnswers<'_>,
) -> Result<String, Error> {
    let limit = |message: String| Err(Error::new(ErrorKind::Limit, message));
    if rows.len() > PRACTICE_PROBLEMS_MAX {
        let count = rows.len();
        return limit(format!(
            "a practice file has up to {PRACTICE_PROBLEMS_MAX} problems, and these are {count}"
        ));
    }
    let practice = chess_practice(report, rows, answers);
    if practice.problems.is_empty() {
        return limit("none of these problems has a solution to practise".to_owned());
    }
    let page = practice_page(&practice);
    if page.len() > PRACTICE_BYTES_MAX {
        return limit("these problems do not fit into a practice file of 2 MB".to_owned());
    }
    Ok(page)
}

/// Names of all attributes of puzzles.
#[must_use]
pub fn puzzle_attribute_names() -> Vec<String> {
    chess_attributes(MeasuredWith::LEVELS).into_iter().map(|one| one.name).collect()
}

fn engine_error(error: UciError) -> Error {
    match error {
        UciError::Stopped => Error::interrupted("the engine had not answered yet"),
        error => Error::new(ErrorKind::Engine, error),
    }
}

/// Source of the values of a game's moves.
pub enum MoveValues<'a> {
    /// Solution of the game.
    Solved(&'a dyn SolvedGame),
    /// UCT search of each position.
    Searched {
        /// Iterations of a search.
        iterations: u32,
        /// Exploration constant C_p on rewards in \[0, 1\], 0 or more.
        cp: f64,
        /// Seed of the searches.
        seed: u64,
    },
}

impl MoveValues<'_> {
    fn words(&self) -> String {
        match self {
            MoveValues::Solved(_) => "the solution of the game".to_owned(),
            MoveValues::Searched { iterations, seed, .. } => {
                format!("UCT searches of {iterations} iterations for each position, seed {seed}")
            }
        }
    }
}

/// Meaningful tree of a position of a catalog game, for the player to move there.
///
/// # Errors
///
/// If the game is over there, the solution lacks a position, the searches are too short, or `watch`
/// says stop.
pub fn problem_tree(
    game: &Game,
    at: &Line,
    values: &MoveValues<'_>,
    settings: TreeSettings,
    watch: &dyn Watch,
) -> Result<ProblemReport, Error> {
    if at.ended().is_some() {
        return Err(Error::new(ErrorKind::Data, "the game is over in this position"));
    }
    let mut source = match values {
        MoveValues::Solved(solved) => GameSource::solved(*solved, watch),
        MoveValues::Searched { iterations, cp, seed } => {
            GameSource::searched(game.engine(), *iterations, *cp, *seed, watch)
        }
    };
    let tree = Tree::build(&mut source, at, settings).map_err(|error| match error {
        LineSourceError::Interrupted => Error::interrupted("the tree is not complete"),
        LineSourceError::Iterations { .. } => Error::new(ErrorKind::Usage, error),
        error => Error::new(ErrorKind::Data, error),
    })?;
    let names = attribute_names(settings.levels);
    let found = attributes(&tree, DistanceRule::PerMove);
    Ok(ProblemReport {
        head: ReportHeader::NEW,
        without_solution: false,
        game: game.name(),
        position: at.position_text(),
        source: values.words(),
        measured: None,
        networks: Vec::new(),
        unit: ScoreUnit::MeanResult,
        words: tree_words(&tree),
        attributes: names,
        values: found,
        guess_probability: tree.guess_probability(),
        solution: Vec::new(),
        completed: false,
        soundness: None,
        note: None,
        difficulty: None,
        reasons: Vec::new(),
        model: None,
        people: Vec::new(),
        tree,
    })
}

/// Grades puzzles found by `puzzles`, by the trees of their positions.
///
/// # Errors
///
/// As [`problem_tree`], and if a position has errors.
pub fn grade_puzzles(
    game: &Game,
    puzzles: &PuzzlesReport,
    values: &MoveValues<'_>,
    settings: TreeSettings,
    watch: &dyn Watch,
) -> Result<GradedReport, Error> {
    let mut report = GradedReport {
        head: ReportHeader::NEW,
        game: game.name(),
        source: values.words(),
        attributes: attribute_names(settings.levels),
        rows: Vec::new(),
    };
    for (n, puzzle) in puzzles.puzzles.iter().enumerate() {
        let from = StartingPoint { position: Some(puzzle.position.clone()), moves: Vec::new() };
        let at = game.begin(&from).map_err(|error| Error::new(ErrorKind::Data, error))?;
        let found = problem_tree(game, &at, values, settings, watch)?;
        report.rows.push(GradedPuzzle {
            number: puzzle.number,
            position: found.position,
            mate_in: puzzle.mate_in,
            interestingness: puzzle.interestingness,
            guess_probability: found.guess_probability,
            words: puzzle_tree_words(&found.tree, puzzle.mate_in),
            values: found.values,
        });
        let done = n as u64 + 1;
        watch.progress(Progress::new(Phase::Problems, done, puzzles.puzzles.len() as u64));
    }
    report.rows.sort_by(|a, b| a.guess_probability.total_cmp(&b.guess_probability));
    Ok(report)
}

/// Reads the report of puzzles that `puzzles --json` printed.
///
/// # Errors
///
/// If it cannot be read, or is not such a report.
pub fn puzzles_of(report: impl Read) -> Result<PuzzlesReport, Error> {
    let data = |error: &dyn std::fmt::Display| Error::new(ErrorKind::Data, error.to_string());
    let mut bytes = Vec::new();
    let read = report.take(TABLE_BYTES_MAX).read_to_end(&mut bytes);
    read.map_err(|error| data(&error))?;
    let report: PuzzlesReport = serde_json::from_slice(&bytes).map_err(|error| {
        let what = "the file is JSON, not a list of puzzles, which `puzzles --json` prints";
        data(&format!("{what}: {error}"))
    })?;
    report.check().map_err(|error| data(&error))?;
    Ok(report)
}

/// Reads a table of rated problems with all their attributes, as `difficulty` writes it.
///
/// # Errors
///
/// If the file cannot be read, lacks columns, or has too few rated problems.
pub fn rated_problems(path: &Path) -> Result<RatedProblems, Error> {
    let data = |error: &dyn std::fmt::Display| {
        Error::new(ErrorKind::Data, format!("{}: {error}", path.display()))
    };
    let bytes = read(path, TABLE_BYTES_MAX).map_err(|error| data(&error))?;
    let text = expanded(&bytes, EXPANDED_BYTES_MAX).map_err(|error| data(&error))?;
    RatedProblems::read(&text[..]).map_err(|error| data(&error))
}

/// Tests whether a file is a table of rated problems, plain or compressed by zstd, by its column
/// titles.
#[must_use]
pub fn is_puzzle_table(path: &Path) -> bool {
    let titles = || -> std::io::Result<bool> {
        let mut begin = Vec::new();
        std::fs::File::open(path)?.take(1 << 20).read_to_end(&mut begin)?;
        let mut text: Box<dyn Read + '_> = Box::new(&begin[..]);
        if begin.starts_with(&ZSTD_MAGIC) {
            text = Box::new(zstd::Decoder::new(&begin[..])?);
        }
        let sheet = Sheet::open(text.take(1 << 20), &TABLE_TITLES)?;
        Ok(TABLE_TITLES.iter().all(|title| sheet.column(title).is_some()))
    };
    path.is_file() && titles().unwrap_or(false)
}

/// Titles that all tables of rated problems have together, and no other table.
const TABLE_TITLES: [&str; 3] = ["id", "fen", "given_rating"];

/// Greatest length of the text of a compressed table, in bytes.
const EXPANDED_BYTES_MAX: u64 = 1 << 28;

/// Greatest length of a table of problems, in bytes: half a million problems.
const TABLE_BYTES_MAX: u64 = 1 << 30;

/// Trains a model that predicts ratings.
///
/// # Errors
///
/// If there are too few problems, or `watch` says stop.
pub fn train_difficulty(
    data: &RatedProblems,
    name: String,
    date: Option<String>,
    seed: u64,
    watch: &dyn Watch,
) -> Result<TrainedRatingModel, Error> {
    RatingModel::train(data, name, date, seed, watch).map_err(learn_error)
}

/// Evaluates how well ratings can be predicted; with `networks`, by networks too.
///
/// # Errors
///
/// If there are too few problems, or `watch` says stop.
pub fn evaluate_difficulty(
    data: &RatedProblems,
    networks: bool,
    seed: u64,
    watch: &dyn Watch,
) -> Result<DifficultyEvaluation, Error> {
    DifficultyEvaluation::of(data, networks, seed, watch).map_err(learn_error)
}

fn learn_error(error: DifficultyError) -> Error {
    match error {
        DifficultyError::Learn(LearnError::Interrupted) => Error::interrupted("nothing is learned"),
        error => Error::new(ErrorKind::Data, error),
    }
}

/// Tests whether the engine added moves to the solution of a puzzle.
fn is_completed(puzzle: &Puzzle, solution: &[ChessMove]) -> bool {
    solution.len() > puzzle.solution.len()
}
