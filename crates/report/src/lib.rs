//! Reports as text, web pages, charts and tables.
//!
//! A report is a value. The crate that measures an experiment defines its report; this crate
//! defines the reports of single positions, of searches, of records and of the catalog. It turns
//! all of them into text for a terminal, a self-contained web page or a table. It measures nothing,
//! judges nothing and prints nothing: every function returns a string or writes to its writer
//! argument.

mod about_game;
pub mod boards;
mod bounds;
mod chart;
mod check;
mod coach;
mod compare;
mod corridor;
mod dataset;
mod dataset_text;
mod difficulty;
mod effectiveness;
mod estimates;
mod evaluate;
mod evaluate_baselines;
mod evaluate_doc;
mod evaluate_features;
mod evaluate_networks;
mod evaluate_ratings;
mod evaluate_shapes;
mod evaluate_strengths;
mod evaluate_vetting;
mod games;
mod gauge;
mod generate;
mod interest;
mod interest_charts;
mod interest_csv;
mod landscape;
mod lead;
mod matches;
mod names;
mod outlook;
mod parquet_table;
mod perft;
mod pictures;
mod power;
mod practice;
mod probe;
mod puzzles;
mod refused;
mod replay;
mod saved;
mod search;
mod sheet;
mod show;
mod solution;
mod solve;
mod solving;
mod tasks;
mod templates;
mod ticks;
mod tournament;
mod trees;
mod verify;
mod vet;
mod vet_order;
mod words;

#[cfg(test)]
mod solve_tests;

pub use about_game::{sheet_rules, title_of};
pub use boards::{Boards, Document, GameBoards, NoBoards, ReachedBoard};
pub use bounds::check_bounds;
pub use check::{CheckError, CheckReport, CheckWarning, RandomGamesReport};
pub use coach::coach_words;
pub use corridor::{corridor_csv, corridor_svg};
pub use dataset::{TableWriter, aggregate_parquet};
pub use dataset_text::{missing_parts_words, missing_words};
pub use difficulty::{
    ChessAnswer, ChessAnswers, ChessDefence, ChessSolving, DifficultyTable, DifficultyTableFormat,
    ExplainedProblem, FirstMove, ProblemCard, ProblemList, RatingStep, TableAttributes, TreeRow,
    WORKSHEET_PROBLEMS_MAX, WORKSHEET_STYLE, chess_practice, chess_solving, nearest_problems,
    numbered_line, problem_dot, problem_svg, solution_line, worksheet_boards, worksheet_key,
    worksheet_page,
};
pub use games::{
    EvaluatorListing, GameListing, GameOrigin, GamesReport, LibraryListing, ParameterListing,
    PresetListing, ShortListing, StudyRules,
};
pub use gauge::{highlight_words, tree_features};
pub use generate::{GeneratedAncestor, GeneratedGame, generated_games};
pub use interest::{interest_words, position_task_text};
pub use interest_csv::write_interest_csv;
pub use names::{NameRow, NamesReport};
pub use outlook::{finding_words, found_words, small_words};
pub use parquet_table::{ParquetCell, ParquetColumn, ParquetTable};
pub use perft::{PerftDivision, PerftReport};
pub use practice::{
    BOARD_SCRIPT, BOARD_STYLE, PRACTICE_BYTES_MAX, PRACTICE_PROBLEMS_MAX, Practice, PracticeAnswer,
    PracticeMove, PracticeNode, PracticeProblem, PracticeThen, SOLVING_SCRIPT, practice_page,
};
pub use puzzles::{
    no_puzzles_words, none_found_words, puzzle_task, puzzles_doc, puzzles_sheet, puzzles_sheet_body,
};
pub use refused::{large_words, refused_words, two_digits};
pub use replay::{ReplayReport, ReplayedGame, ReplayedGameReport, ReplayedPosition};
pub use saved::{SavedError, SavedKind, read_saved};
pub use search::{
    AlphaBetaSearchReport, SearchReport, SearchedMove, TOP_MOVES_DEFAULT, search_doc, variant_words,
};
pub use sheet::SHEET_STYLE;
pub use show::{RulesParagraph, RulesSection, ShowReport, ShownBoard, outcome_words, result_words};
pub use solving::{Judgement, defence_words, judged, refutation_words};
pub use tasks::{ChoiceListing, FieldListing, TaskListing, TasksReport};
pub use templates::{FamilyWithoutText, TemplateListing, TemplatesReport};
pub use treegauge_doc::{
    Block, Board, Colophon, Doc, Figure, STYLE, Svg, TextStyle, Tone, plain_table as table,
};
pub use trees::{CUT_TREE_BOARDS_DEFAULT, TREE_BOARDS_DEFAULT, cut_tree_svg, tree_svg};
pub use vet::EXPLAINED_MAX;
pub use words::{counted, grouped, listed, plies, value_sentence};
