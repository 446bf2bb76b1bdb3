//! Measures how interesting, how difficult and how good games and game positions are, from the
//! shape of their search trees.
//!
//! Programs depend on this library: one surface over the crates behind it, with one [`Error`] and
//! one [`Watch`] for all long work. It prints nothing and reads no clock: a caller with a time
//! budget passes a [`Clock`].
//!
//! - [`Game::parse`] opens a game by name, and [`Game::engine`] returns its [`Engine`].
//! - [`search()`] searches a position, [`GaugeRun`] judges a game by self-play, [`MatchRun`] and
//!   [`TournamentRun`] compare players.
//! - [`solve()`] finds the value of every position of a game and returns a [`Solution`], which
//!   rates positions and finds puzzles; [`open_solution`], [`probe`] and [`verify`] work on its
//!   file.
//! - [`CollectRun`] collects self-play of many games, [`evaluate`] measures how well learners do on
//!   it, [`train`] stores what they learned in a model, and [`VetRun`] applies a model to other
//!   games.
//! - [`GenerateRun`] makes games by changing and crossing texts of others, and judges them.
//! - [`DifficultyRun`] rates chess puzzles by an engine, [`problem_tree`] builds the meaningful
//!   tree of a position of any game.
//! - All results are reports: plain values that are written to JSON, read back, and turned into
//!   text and pages by [`report`].
//!
//! ```
//! use treegauge::{Game, SearchOptions, search};
//!
//! let game = Game::parse("connect_four(cols=5,rows=4)").unwrap();
//! let mut line = game.start();
//! line.play_text("c").unwrap();
//! let found = search(&game, &line, &SearchOptions::default(), &()).unwrap();
//! assert_eq!(found.report.moves.len(), 5);
//! ```
//!
//! The folder `examples` has whole programs: `gauge_a_game`, `solve_and_probe`, `play_a_match` and
//! `search_and_picture`.

pub mod board {
    //! Positions as boards, for pictures, mouse input and screen readers; the players of a game.

    pub use treegauge_core::{
        Board, Cell, CellMark, CellNumber, CellOutline, CellShape, Chessman, Curve, MovePath,
        Outcome, PathCell, Player as Side, Role,
    };
}

pub mod catalog {
    //! Families of games, and the words of texts that describe games.

    pub use treegauge_catalog::rules::{
        EXAMPLES, FRAME, FrameWord, Sort, TEXT_BYTES_MAX, WORDS, Word, WordExample,
        beyond_language, is_game, words_for, words_of,
    };
    pub use treegauge_catalog::{
        FAMILIES, Family, GameSpec, LibraryGame, LibraryGroup, TEXT_FAMILY, family, library,
        library_game,
    };
}

pub mod chess {
    //! Chess: positions, moves and files of problems; engines of the Universal Chess Interface, and
    //! caches of their answers.

    pub use treegauge_difficulty::chess::uci::UciError;
    pub use treegauge_difficulty::chess::{
        Cache, ChessMove, Ending, MoveError, Position, PositionError, Puzzle, PuzzleFormat,
        Puzzles, PuzzlesError, RowError, board_symbols,
    };
    pub use treegauge_difficulty::{
        BadRow, DifficultyClass, PredictedDifficulty, PredictedProblem,
    };
}

pub mod engine {
    //! Games in progress, and the players that choose moves in them.

    pub use treegauge_core::{Capability, Ended, Ending};
    pub use treegauge_engine::{
        Agent, Choice, Competitor, Engine, EvaluatorSpec, ExactMove, Forfeit, GameInfo, Line,
        MoveNumber, PLAYERS, PerfectPlayer, PlayError, Player, PlayerSpec, PositionValues,
        RandomGamesPlan, RandomPlayer, SearchedMove, Seat, Session, SolvedGame, StartingPoint,
        UctFound, UctPlayer, open_solved,
    };
}

pub mod external {
    //! Games and players of another program, which a process makes known under a name: the text of
    //! such a game or player is then taken wherever any other is.
    //!
    //! Such games are played, searched, gauged and collected. They are not solved, and searches do
    //! not merge their positions.

    pub use treegauge_catalog::{
        EXTERNAL_FAMILY, ExternalPosition, ExternalRules, Reached, register_external,
    };
    pub use treegauge_engine::{ExternalPlayer, register_external_player};
}

pub mod grammar {
    //! Text form of games, players and evaluators, and its errors.

    pub use treegauge_grammar::{Error, Role, count, nearest, parse_size};
}

pub mod report {
    //! Reports: the results of all work, and their documents.

    pub use treegauge_core::{ReportHeader, ReportKind};
    pub use treegauge_dataset::aggregate::AttributesReport;
    pub use treegauge_dataset::collect::DatasetReport;
    pub use treegauge_dataset::evaluate::EvaluateReport;
    pub use treegauge_dataset::vet::{ModelReport, VetReport};
    pub use treegauge_difficulty::{
        DifficultyReport, GradedReport, ProblemReport, RatingModelReport,
    };
    pub use treegauge_gauge::corridor::CorridorReport;
    pub use treegauge_gauge::{CompareReport, GaugeReport, Highlight, MEASURES, Measure};
    pub use treegauge_generate::{GenerateReport, Origin};
    pub use treegauge_matches::{MatchReport, TournamentReport};
    pub use treegauge_report::{
        AlphaBetaSearchReport, BOARD_SCRIPT, BOARD_STYLE, Block, Board, Boards,
        CUT_TREE_BOARDS_DEFAULT, CheckError, CheckReport, CheckWarning, ChessAnswer, ChessSolving,
        ChoiceListing, Colophon, Doc, Document, ExplainedProblem, FieldListing, Figure, FirstMove,
        GamesReport, GeneratedAncestor, GeneratedGame, Judgement, NameRow, NamesReport, NoBoards,
        PRACTICE_PROBLEMS_MAX, PerftReport, ProblemCard, ProblemList, RandomGamesReport,
        RatingStep, ReachedBoard, ReplayReport, ReplayedGameReport, RulesParagraph, RulesSection,
        SHEET_STYLE, SOLVING_SCRIPT, STYLE, SearchReport, ShowReport, ShownBoard, Svg,
        TOP_MOVES_DEFAULT, TREE_BOARDS_DEFAULT, TemplatesReport, TextStyle, Tone, TreeRow,
        WORKSHEET_PROBLEMS_MAX, WORKSHEET_STYLE, chess_solving, coach_words, counted, cut_tree_svg,
        finding_words, found_words, generated_games, grouped, highlight_words, interest_words,
        missing_words, nearest_problems, none_found_words, numbered_line, outcome_words,
        puzzle_task, puzzles_sheet_body, refused_words, result_words, search_doc, small_words,
        solution_line, table, tree_svg, two_digits, value_sentence, variant_words,
        worksheet_boards, worksheet_key,
    };
    pub use treegauge_solve::report::{
        FromPlay, InterestPosition, InterestReport, LandscapeReport, ProbeReport, ProbedMove,
        PuzzlesReport, RemotenessCounts, SolveReport, VerifyReport, value_words,
    };
    pub use treegauge_stats::PowerReport;
}

pub mod search {
    //! Options of searches, and pictures of their trees.

    pub use treegauge_search::picture;
    pub use treegauge_search::{
        AlphaBetaLimits, AlphaBetaOptions, Budget, DEFAULT_CP, Expansion, FEATURES, Feature,
        Observer, Seed, Shape, ShapeOptions, Stopped, UctOptions, UctPhase, UctVariant,
    };
}

pub mod solve {
    //! Exact solving: its options, values, and solutions in memory and in files.

    pub use treegauge_solve::file::{
        Header, Landscape, Wanted, is_solution_file, with_section, write_file,
    };
    pub use treegauge_solve::{
        Endless, ExactValue, ForcedOptions, InterestOptions, Options, Phase, Progress, Reduction,
        Solution, Solvable, TierTable, Value, size_words, solve,
    };
}

mod check;
mod collecting;
mod corridor;
mod dataset;
mod difficulty;
mod error;
mod file_kinds;
mod game;
mod gauge;
mod generating;
mod list_games;
mod lists;
mod matches;
mod merge;
mod models;
mod places;
mod position;
mod power;
mod problems;
mod ranges;
mod records;
mod replay;
mod searched;
mod solved;
mod table;
pub mod tasks;
mod templates;
mod training;
mod variants;
mod vetting;

pub use check::{CheckedText, check, check_source, format_rules, format_source};
pub use collecting::CollectRun;
pub use corridor::CorridorRun;
pub use dataset::{
    DatasetContent, DatasetTable, LabelsByConditions, MergedDataset, Summed, add_attributes,
    add_webs, aggregate, dataset_content, dataset_files, evaluate, evaluate_ratings, is_dataset,
    labels_by_conditions, merge_datasets,
};
pub use difficulty::{
    ChessEngine, DifficultyRun, MoveValues, StoredRatingModel, chess_practice_file,
    evaluate_difficulty, grade_puzzles, is_puzzle_table, problem_tree, puzzle_attribute_names,
    puzzles_of, rated_problems, rating_model_file, train_difficulty,
};
pub use error::{Error, ErrorKind, Remedy, without_system_codes};
pub use file_kinds::{FileKind, kind_hint};
pub use game::{Game, opening_name, rules_text};
pub use gauge::GaugeRun;
pub use generating::{
    DEFAULT_STARTS, GenerateRun, TextBoards, edited_texts, generated_files, is_generated,
    merge_generated, remake_candidate,
};
pub use list_games::{game_origin, list_games, name_games};
pub use lists::{corpus, games_of, listed_games, listed_players, ratings};
pub use matches::{MatchOptions, MatchRun, TournamentRun};
pub use merge::{MergeOptions, Merged, MergedReport, MissingGames, merge};
pub use models::{StoredModel, model_file};
pub use places::{
    OutputFile, Places, TableFormat, cannot_read, cannot_write, input_name, make_folder, not_ours,
};
pub use position::{perft, positions_by_ply, show};
pub use power::{PowerSource, power};
pub use problems::{ReadProblem, ReadProblems, expanded_text, read_problems};
pub use records::cut_words;
pub use replay::RecordedGames;
pub use searched::{SearchOptions, Searched, alpha_beta_tree, search, search_alpha_beta};
pub use solved::{
    Defence, ForcedWins, FromPlayOptions, PracticePuzzle, PuzzleSet, Rated, Solution, SolutionFile,
    SolveOutlook, Solved, Unfinished, WonPosition, WonState, forced_wins, forced_wins_from_play,
    may_name_solution, open_solution, open_solution_with, practice_file, probe, read_unfinished,
    solve, solve_outlook, solved_game_of, solved_game_with, symmetry_saves, verify,
};
pub use table::{Column, Table, Values};
pub use templates::{template, templates};
pub use training::{DatasetGap, Labels, Training, train};
pub use treegauge_core::{Clock, NoClock, Phase, Progress, Watch};
pub use treegauge_dataset::collect::ColumnType;
pub use treegauge_engine::{CutBound, CutLimits, CutNode, CutTree};
pub use treegauge_engine::{
    Engine, EvaluatorSpec, Line, Player, PlayerSpec, Session, StartingPoint,
};
pub use treegauge_engine::{GrowingSearch, PlyValues, PositionValues, ValueSource, value_history};
pub use treegauge_gauge::{Plan, REFERENCE};
pub use treegauge_matches::{Fixture, MatchPlan, Matches};
pub use treegauge_solve::PuzzleTask;
pub use treegauge_store::{Record, Shard, memory};
pub use variants::variants;
pub use vetting::VetRun;

/// Compiles and runs the example in the book.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
struct Book;
