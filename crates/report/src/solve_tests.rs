//! Tests that a report read back from its own JSON is shown unchanged.

use std::fmt::Debug;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use treegauge_catalog::GameSpec;
use treegauge_core::{KeyCode, Watch};
use treegauge_solve::file::{SolutionFile, write_file};
use treegauge_solve::report::{
    FoundPuzzles, InterestReport, KeptPositionReport, ProbeReport, PuzzlesReport, SolveReport,
    VerifyReport, check_kept, keep_interest, kept_interest, solution_positions,
};
use treegauge_solve::verify::verify;
use treegauge_solve::{
    AnySolvable, Children, Draws, Form, InterestOptions, LoseChildren, Options, PuzzleOptions,
    Solvable, Ties, Wins, interest, puzzles, solution_graph, solve, with_rules,
};

use super::*;
use crate::about_game::tests::{OwnGame, assert_named};
use crate::solution::solution_lines;

const GAMES: [&str; 3] = ["tic_tac_toe", "achi", "dots_and_boxes(rows=2,cols=2)"];

/// Rules of a game for the solver.
fn rules_of(game: &str) -> AnySolvable {
    treegauge_engine::open(&GameSpec::parse(game).unwrap()).unwrap().rules()
}

/// Reads a report back from its JSON. The JSON must name its kind and schema, and a reader must
/// refuse another schema or kind.
#[track_caller]
fn read_back<R: Serialize + DeserializeOwned + PartialEq + Debug>(report: &R, kind: &str) -> R {
    let text = serde_json::to_string(report).unwrap();
    assert!(
        text.starts_with(&format!("{{\"schema\":1,\"kind\":\"{kind}\",\"game\":")),
        "{text:.80}"
    );
    let read: R = serde_json::from_str(&text).unwrap();
    assert_eq!(&read, report);
    let next = text.replacen("\"schema\":1", "\"schema\":2", 1);
    assert!(serde_json::from_str::<R>(&next).is_err());
    let other = text.replacen(kind, "other", 1);
    assert!(serde_json::from_str::<R>(&other).is_err());
    read
}

struct Stop;

impl Watch for Stop {
    fn stop(&self) -> bool {
        true
    }
}

fn text(report: &impl Document, boards: &dyn Boards) -> String {
    report.doc(boards).text(EXPLAINED_TEXT)
}

/// Text with reasons.
const EXPLAINED_TEXT: TextStyle =
    TextStyle { columns: None, colour: false, explain: true, charts: false };

fn check<K: KeyCode>(rules: Solvable<K>, name: &str) {
    let name = name.to_owned();
    let boards = GameBoards(&rules);
    let options = Options { symmetry: true, ..Options::default() };
    let solution = solve(&rules, rules.start(), options, &()).unwrap().done().unwrap();
    let solution = Arc::new(solution);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solved");
    let header = write_file(&path, &solution, &name, None, &()).unwrap();

    let mut solved =
        SolveReport::new(name.clone(), &solution, header.digest, Some(header.file_bytes));
    assert_eq!(text(&read_back::<SolveReport>(&solved, "solve"), &boards), text(&solved, &boards));
    assert_named(&solved);
    (solved.cpu_s, solved.peak_memory_bytes) = (Some(0.1), Some(12_345_678));
    assert!(text(&solved, &boards).contains("0.10 s of CPU time, at most 12 MB of memory\n"));
    assert_eq!(text(&read_back::<SolveReport>(&solved, "solve"), &boards), text(&solved, &boards));

    let file = SolutionFile::open(&path, rules.clone(), &name).unwrap();
    let report = ProbeReport::new(name.clone(), &file, rules.start()).unwrap();
    assert_named(&report);
    let probed = text(&report, &boards);
    assert!(probed.contains(&rules.board_text(rules.start())));
    assert_eq!(text(&read_back::<ProbeReport>(&report, "probe"), &boards), probed);

    let verdict = verify(&file, None, &()).unwrap();
    let report = VerifyReport::new(name.clone(), &rules, &verdict);
    assert!(text(&report, &boards).contains("The solution is right. All "));
    assert_eq!(
        text(&read_back::<VerifyReport>(&report, "verify"), &boards),
        text(&report, &boards)
    );

    let choices = InterestOptions {
        form: Form::Literal,
        lose_children: LoseChildren::Fastest,
        children: Children::Positions,
        draws: Draws::Skip,
        ties: Ties::Late,
    };
    for options in [InterestOptions::default(), choices] {
        let found = interest(&solution, options, None, &()).unwrap();
        let report = InterestReport::new(name.clone(), &solution, &found);
        let read = read_back(&report, "interest");
        assert_eq!(text(&read, &boards), text(&report, &boards));
        let page = report.doc(&boards).page();
        // The picture has a name in addition.
        let picture = rules.board(rules.start()).svg();
        assert!(page.contains(picture.strip_prefix("<svg").unwrap()));
        assert_eq!(read.doc(&boards).page(), page);

        keep_interest(&path, &report.analysis).unwrap();
        let file = SolutionFile::open(&path, rules.clone(), &name).unwrap();
        let kept = kept_interest(&file).unwrap();
        assert_eq!(kept, report.analysis);
        let most = kept.most_interesting_of(None).unwrap().clone();
        check_kept(&file, &most).unwrap();
        let position = KeptPositionReport::new(&kept, most);
        let read = read_back(&position, "interest_position");
        assert_eq!(text(&read, &boards), text(&position, &boards));

        let asked = PuzzleOptions { top: 2, ..PuzzleOptions::default() };
        let picked = puzzles(&solution, |index| found.of(index), asked, &());
        let all = FoundPuzzles::new(name.clone(), solution.clone(), &found, asked, picked.clone());
        let mut report = all.report(&()).unwrap();
        assert!(report.puzzles.len() > 1);
        // The JSON has no pictures: they follow from the positions.
        let drawn = puzzles_sheet(&report, &boards, true);
        let first = rules.parse_position(&report.puzzles[0].position).unwrap();
        assert_eq!(report.puzzles[0].svg, rules.board(first).svg());
        assert!(drawn.contains(&report.puzzles[0].svg));
        let is_marked = drawn.contains(" player) is to move and wins in ");
        assert_eq!(is_marked, name == "tic_tac_toe");
        let named = puzzles_sheet(&report, &OwnGame, true);
        let end = "<h1>Find the win: Own Three</h1><p class=\"rules\"><b>End</b>. A player wins";
        assert!(named.contains(end), "{named}");
        report.puzzles.iter_mut().for_each(|puzzle| puzzle.svg.clear());
        let read = read_back(&report, "puzzles");
        assert_eq!(puzzles_doc(&read, true), puzzles_doc(&report, true));
        assert_eq!(puzzles_sheet(&read, &boards, true), drawn);

        // Puzzles written one by one have the same fields and more.
        let text = serde_json::to_string(&all.streamed(&())).unwrap();
        let streamed: PuzzlesReport = serde_json::from_str(&text).unwrap();
        let mut drawn = streamed.clone();
        for (again, puzzle) in drawn.puzzles.iter_mut().zip(&picked.puzzles) {
            again.svg = rules.board(puzzle.state).svg();
        }
        assert_eq!(serde_json::to_string(&drawn).unwrap(), text);
        assert_eq!(puzzles_doc(&streamed, true), puzzles_doc(&report, true));
        assert!(streamed.puzzles.iter().all(|puzzle| puzzle.quickest.is_some()));
        assert!(serde_json::to_string(&all.streamed(&Stop)).is_err());
        assert!(all.report(&Stop).is_none());
        for (puzzle, found) in streamed.puzzles.iter().zip(&picked.puzzles) {
            let graph = solution_graph(&solution, found.state, Wins::All, usize::MAX);
            let quickest = &puzzle.quickest.as_ref().unwrap().solution;
            assert_eq!(quickest.positions.len(), graph.nodes.len());
            assert_eq!(quickest.lines, graph.lines());
        }
    }
}

#[test]
fn reports_of_solved_games_read_back_are_shown_as_they_were() {
    for game in GAMES {
        with_rules!(rules_of(game), rules => check(rules, game));
    }
}

/// Lines of the solution of a puzzle, written up to `positions_max` positions.
fn written<K: KeyCode>(rules: Solvable<K>, positions_max: usize) -> Vec<String> {
    let solved = solve(&rules, rules.start(), Options::default(), &()).unwrap();
    let puzzle = rules.parse_position(".../..x/o.. x").unwrap();
    let graph = solution_graph(&solved.done().unwrap(), puzzle, Wins::First, positions_max);
    let lines = solution_lines(&solution_positions(&rules, &graph, true));
    lines.iter().map(|line| format!("{}{}", " ".repeat(line.depth), line.text)).collect()
}

#[test]
fn what_is_left_out_of_a_solution_is_marked() {
    let tic_tac_toe = rules_of("tic_tac_toe");
    let written = |max| with_rules!(tic_tac_toe.clone(), rules => written(rules, max));
    // Positions of the main line are written whatever the limit.
    let least = [
        "c1!",
        " c3: b2!",
        "  b1: a2# (or a3; slower: b3 in 3)",
        "  a2, a3, b3: ...",
        " b1, a2, b2, a3, b3: ...",
    ];
    assert_eq!(written(0), least);
    assert!(!written(usize::MAX).concat().contains("..."));
    assert!(written(usize::MAX).contains(&"  a3: a2!#".to_owned()));
}
