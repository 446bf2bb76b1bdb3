//! Tests of whole runs: threads and interruptions do not change a run, and bad games fall at the
//! expected gates.

use std::sync::{Arc, Mutex, PoisonError};

use rayon::ThreadPoolBuilder;
use treegauge_catalog::rules::Genome;
use treegauge_core::{Phase, Progress, Watch};
use treegauge_dataset::collect::{CollectPlan, DatasetHeader};
use treegauge_dataset::vet::DataPlan;
use treegauge_search::Seed;
use treegauge_store::journal::Piece;
use treegauge_store::{PieceSink, Shard};

use super::candidate::{Candidate, engine_of};
use super::*;

const LINES: &str = r#"(game "Three"
  (board (grid 3 3 (diagonals all))) (pieces (stone each))
  (play (place stone))
  (end (if (makes (line 3)) (win mover)) (stuck draw)))"#;

const RACE: &str = r#"(game "Race"
  (board (grid 4 4)) (pieces (man each))
  (start (put each man (home 1)))
  (play (or (step man forward) (step man forward-diagonal (to (or empty theirs)))))
  (end (if (in to (far 1)) (win mover)) (if (none theirs) (win mover))))"#;

fn genomes() -> Vec<Genome> {
    [LINES, RACE].map(|source| Genome::read(source).unwrap()).to_vec()
}

/// Plan of few and weak games.
fn plan() -> GeneratePlan {
    let small = |games, iterations| GaugeBudget {
        games,
        iterations,
        skill_games: 0,
        playout_moves: 20_000_000,
    };
    GeneratePlan {
        candidates: 18,
        generation: 6,
        best: 2,
        control: 0.2,
        glance: [6, 6],
        budgets: Budgets {
            random_games: [10, 20],
            random_moves: 40_000,
            listed: 20,
            perft_leaves: 500,
            glance_playout_moves: 2_000_000,
            chosen: 0.5,
            quick: small(3, 8),
            thorough: small(4, 8),
        },
        ..GeneratePlan::default()
    }
}

fn study(plan: GeneratePlan) -> GenerateStudy<'static> {
    GenerateStudy::new(plan, genomes(), None).unwrap()
}

/// Stores lines in memory.
#[derive(Default)]
struct Kept(Mutex<Vec<CandidateLine>>);

impl PieceSink<CandidateLine> for Kept {
    fn keep(&self, line: &CandidateLine) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(line.clone());
    }
}

impl Kept {
    fn sorted(self) -> Vec<CandidateLine> {
        let mut lines = self.0.into_inner().unwrap();
        lines.sort_by_key(Piece::key);
        lines
    }
}

/// Runs a plan; returns the report and the new lines in order.
fn run(plan: GeneratePlan, known: Vec<CandidateLine>) -> (GenerateReport, Vec<CandidateLine>) {
    let kept = Kept::default();
    let report = study(plan).run(known, &kept, &(), &()).unwrap();
    (report, kept.sorted())
}

#[test]
fn a_run_does_not_depend_on_threads() {
    let of = |threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (report, lines) = pool.install(|| run(plan(), Vec::new()));
        (serde_json::to_string(&report).unwrap(), serde_json::to_string(&lines).unwrap())
    };
    assert_eq!(of(1), of(3));
}

#[test]
fn a_run_goes_on_from_any_of_its_lines() {
    let (report, lines) = run(plan(), Vec::new());
    // Lines of a killed run: some finished work, in any order of the threads.
    for keep in [1, lines.len() / 2, lines.len()] {
        let known: Vec<CandidateLine> =
            (0..keep).map(|n| lines[n * 7 % lines.len()].clone()).collect();
        let mut known = known;
        known.sort_by_key(Piece::key);
        known.dedup_by_key(|line| line.key());
        let (again, new) = run(plan(), known.clone());
        assert_eq!(again, report, "after {keep} lines");
        let mut all = [known, new].concat();
        all.sort_by_key(Piece::key);
        assert_eq!(all, lines, "nothing is done twice after {keep} lines");
    }
}

#[test]
fn a_stop_ends_a_run_and_loses_nothing_that_is_done() {
    struct Stops(Kept);
    impl Watch for Stops {
        fn stop(&self) -> bool {
            self.0.0.lock().unwrap().len() >= 8
        }
    }
    let stops = Stops(Kept::default());
    let stopped = study(plan()).run(Vec::new(), &stops.0, &stops, &());
    assert!(matches!(stopped, Err(GenerateError::Interrupted)));
    let known = stops.0.sorted();
    assert!(known.len() >= 8);
    assert_eq!(run(plan(), known).0, run(plan(), Vec::new()).0);
}

#[test]
fn what_enters_a_gate_has_passed_the_one_before() {
    let (report, lines) = run(plan(), Vec::new());
    let controls: u64 = report.controls.iter().map(|control| control.candidates).sum();
    assert!(controls > 0, "a fifth of 18 is a control");
    assert_eq!(report.gates[0].entered + controls, 18);
    // Undecided games go on with those that passed.
    let goes_on = |gate: &GateCount| gate.passed + gate.open.unwrap_or(0);
    for pair in report.gates.windows(2) {
        assert_eq!(goes_on(&pair[0]), pair[1].entered);
    }
    for gate in &report.gates {
        let fell: u64 = gate.fell.iter().map(|fallen| fallen.count).sum();
        assert_eq!(fell + gate.unrated + goes_on(gate), gate.entered);
    }
    assert_eq!(goes_on(&report.gates[6]), report.best.len() as u64);
    for control in lines.iter().filter(|line| line.control) {
        let played = control.work != Work::Play || control.glance.is_some();
        let no_game = control.fell.as_ref().is_some_and(|fall| {
            fall.gate == Gate::Make
                || fall.reason.is_duplicate()
                || fall.reason == Rejection::OverBudget
        });
        assert!(played || no_game, "no gate stops {control:?}");
    }
}

#[test]
fn the_lineage_of_a_game_ends_at_the_texts_of_the_start() {
    let (report, _) = run(GeneratePlan { control: 0.0, ..plan() }, Vec::new());
    assert!(!report.best.is_empty(), "a run of two sound games finds a third");
    for game in &report.best {
        assert_eq!(game.lineage[0].game, game.game);
        for ancestor in &game.lineage {
            let is_start = matches!(ancestor.game, Origin::Start(_));
            assert_eq!(ancestor.parents.is_empty(), is_start, "{ancestor:?}");
            for parent in &ancestor.parents {
                assert!(game.lineage.iter().any(|one| one.game == *parent), "{parent}");
            }
        }
        assert!(Genome::read(&game.source).unwrap().program().is_ok());
        assert!(game.differences.iter().any(|one| one.measure == "plies"));
    }
}

#[test]
fn candidates_of_every_generation_can_be_made_again() {
    let (_, lines) = run(plan(), Vec::new());
    let header = study(plan()).header();
    let mut texts = 0;
    // Candidates of every generation.
    for line in lines.iter().filter(|line| line.work == Work::Play) {
        let Origin::Made(number) = line.game else { continue };
        if number % 2 == 1 {
            continue;
        }
        match &line.made {
            Some(made) => assert_eq!(again(&header, &lines, number).unwrap(), made.source),
            None => assert!(again(&header, &lines, number).is_err()),
        }
        texts += usize::from(line.made.is_some());
    }
    assert!(texts > 4, "{texts}");
    let lacks_first: Vec<CandidateLine> =
        lines.iter().filter(|line| line.game != Origin::Made(0)).cloned().collect();
    let missing = again(&header, &lacks_first, 17).unwrap_err();
    assert!(
        missing.to_string().contains("lacks") && missing.to_string().contains("game 0"),
        "{missing}"
    );
}

#[test]
fn a_journal_with_other_texts_is_refused() {
    let (_, mut lines) = run(plan(), Vec::new());
    let is_made = |line: &&mut CandidateLine| line.game == Origin::Made(1) && line.made.is_some();
    let line = lines.iter_mut().find(is_made).unwrap();
    line.made.as_mut().unwrap().source.push_str("; changed");
    let refused = study(plan()).run(lines, &(), &(), &()).unwrap_err();
    assert!(matches!(refused, GenerateError::Changed { game: Origin::Made(1) }), "{refused}");
}

#[test]
fn islands_are_merged_by_their_lines() {
    let part = |index| GeneratePlan { shard: Shard { index, count: 2 }, ..plan() };
    let parts = [0, 1].map(|index| run(part(index), Vec::new()));
    let mut lines: Vec<CandidateLine> = parts.iter().flat_map(|part| part.1.clone()).collect();
    lines.sort_by_key(Piece::key);
    // Both parts have played the start texts, with equal results.
    lines.dedup();
    let mut keys: Vec<_> = lines.iter().map(Piece::key).collect();
    keys.dedup();
    assert_eq!(keys.len(), lines.len());
    let header = GenerateHeader { part: None, ..study(part(0)).header() };
    let whole = merged(&header, &lines, None).unwrap();
    let entered = |report: &GenerateReport| report.gates[0].entered;
    assert_eq!(entered(&whole), entered(&parts[0].0) + entered(&parts[1].0));
    let cells: usize = parts.iter().map(|part| part.0.cells).sum();
    assert_eq!(whole.cells, cells);
    assert!(whole.best.len() <= 2);
    for game in &whole.best {
        let of_part = parts.iter().flat_map(|part| &part.0.best).find(|one| one.game == game.game);
        assert_eq!(of_part, Some(game), "a merge judges nothing anew");
    }
    let lacks_second: Vec<CandidateLine> = parts[0].1.clone();
    assert!(matches!(merged(&header, &lacks_second, None), Err(GenerateError::Missing { .. })));
}

#[test]
fn all_candidates_may_be_controls() {
    let plan = GeneratePlan { control: 1.0, candidates: 4, ..plan() };
    let (report, _) = run(plan, Vec::new());
    assert!(report.best.is_empty());
    assert_eq!(report.gates[0].entered, 0);
    assert_eq!(report.cells, 0, "nothing descends from a control");
    assert_eq!(report.controls.iter().map(|control| control.candidates).sum::<u64>(), 4);
}

/// Returns the fall of a text by its rules, in random games, or in games of a weak search.
fn fall_of(source: &str) -> Option<(Gate, Rejection)> {
    let genome = Genome::read(source).unwrap();
    let candidate = Candidate::start(0, &genome);
    if let Some(fall) = candidate.fell {
        return Some((fall.gate, fall.reason));
    }
    let engine = engine_of(Origin::Start(0), source).unwrap();
    let program = engine.info().spec.program().cloned().map(Arc::new);
    if let Some(fall) = program.as_ref().and_then(|program| lint::lint(program, &())) {
        return Some((fall.gate, fall.reason));
    }
    let budgets = Budgets { random_games: [50, 400], random_moves: 300_000, ..plan().budgets };
    let (_, fell) = RandomPlay::of(engine.as_ref(), &budgets, Seed(1), &()).unwrap();
    if let Some(fall) = fell {
        return Some((fall.gate, fall.reason));
    }
    let collect = CollectPlan { iterations: 60, instances: 16, ..CollectPlan::default() };
    let glance = DataPlan { header: DatasetHeader::of(&collect), instances: 16 };
    let (_, fell) = Glance::of(&engine, &glance, None, Seed(1), &()).unwrap();
    fell.map(|fall| (fall.gate, fall.reason))
}

/// Writes a game of stones on a small board with these rules.
fn stones(board: &str, play: &str, end: &str) -> String {
    format!("(game \"planted\" (board ({board})) (pieces (stone each)) (play {play}) (end {end}))")
}

#[test]
fn planted_bad_games_fall_where_they_should() {
    let place = "(place stone)";
    let cases = [
        // The board has nothing to move.
        (
            stones("grid 3 3", "(step stone orthogonal)", "(stuck draw)"),
            (Gate::Make, Rejection::NoFirstMove),
        ),
        (stones("grid 2 1", place, "(stuck (lose mover))"), (Gate::Random, Rejection::Short)),
        (stones("grid 3 3", place, "(stuck draw)"), (Gate::Random, Rejection::Drawn)),
        // Nine sites: the second player finds none free for the fifth stone.
        (stones("grid 3 3", place, "(stuck (lose mover))"), (Gate::Random, Rejection::OneSided)),
    ];
    for (source, expected) in cases {
        assert_eq!(fall_of(&source), Some(expected), "{source}");
    }
    let endless = r#"(game "endless" (board (grid 4 4)) (pieces (man each))
        (start (put each man (home 1))) (play (step man orthogonal)) (end (if (none theirs) (win mover))))"#;
    assert_eq!(fall_of(endless), Some((Gate::Random, Rejection::Stopped)));
    // One man walks along a row of sites: it has one move, or none.
    let forced = r#"(game "forced" (board (grid 1 9)) (pieces (man each))
        (start (put each man (home 1))) (play (step man forward)) (end (stuck (lose mover))))"#;
    assert!(matches!(
        fall_of(forced),
        Some((Gate::Random, Rejection::Forced | Rejection::OneSided))
    ));
    // A stone on the last row wins at once, which random games seldom find.
    let at_once = stones("grid 1 12", place, "(if (in to (far 1)) (win mover)) (stuck draw)");
    assert_eq!(fall_of(&at_once), Some((Gate::Lint, Rejection::WonAtOnce)));
    // A stone beside the opponent's wins. The second player's first stone can, as a search finds.
    let beside = "(if (some (and (next to) theirs)) (win mover)) (stuck draw)";
    let soon = stones("grid 5 5", place, beside);
    assert_eq!(fall_of(&soon), Some((Gate::Glance, Rejection::Short)));
    // In this Connect Four a line loses; games are long, and neither side has much of an advantage.
    let sound = r#"(game "sound" (board (grid 7 6)) (play (place (to supported)))
        (end (if (makes (line 4)) (lose mover)) (stuck draw)))"#;
    assert_eq!(fall_of(sound), None);
}

#[test]
fn a_game_over_budget_is_unrated() {
    let engine = engine_of(Origin::Start(0), RACE).unwrap();
    let budgets = Budgets { random_moves: 300, ..plan().budgets };
    let (seen, fell) = RandomPlay::of(engine.as_ref(), &budgets, Seed(1), &()).unwrap();
    assert!(seen.games >= 1 && seen.moves <= 300, "{seen:?}");
    assert_eq!(fell.map(|fall| fall.reason), Some(Rejection::OverBudget));
    let tight = Budgets { glance_playout_moves: 1, ..plan().budgets };
    let (report, _) =
        run(GeneratePlan { budgets: tight, candidates: 6, control: 0.0, ..plan() }, vec![]);
    assert_eq!(report.gates[3].passed, 0);
    assert_eq!(report.gates[3].unrated, report.gates[3].entered, "unrated, never bad");
}

#[test]
fn moves_that_are_listed_count_for_more() {
    let pushed = LINES.replace("(place stone)", "(seq (place stone) (place stone))");
    let [with_loop, without] = [LINES, &pushed].map(|source| {
        let engine = engine_of(Origin::Start(0), source).unwrap();
        let budgets = plan().budgets;
        let seen = RandomPlay { games: 10, plies: 60, moves: 300, ..RandomPlay::default() };
        budgets.playout_moves(engine.as_ref(), &seen, 2, 100)
    });
    // Two games of 100 iterations per move: 6 moves, playouts of 3 plies, 5 moves per ply.
    assert_eq!(with_loop, 2 * 100 * 6 * 3 * 5);
    assert_eq!(without, plan().budgets.listed * with_loop);
}

#[test]
fn the_same_game_in_other_words_falls() {
    let renamed = LINES.replace("stone", "disc").replace("Three", "Trio");
    let mut history = history::History::new(Box::leak(Box::new(plan())), &[], Vec::new());
    for (n, (source, expected)) in
        [(LINES, None), (&renamed[..], Some(Rejection::SameText)), (RACE, None)]
            .into_iter()
            .enumerate()
    {
        let mut candidate = Candidate::start(n as u32, &Genome::read(source).unwrap());
        history.note_identity(&mut candidate);
        assert_eq!(candidate.fell.map(|fall| fall.reason), expected, "{source}");
    }
}

#[test]
fn a_gate_that_cannot_tell_has_not_been_passed() {
    let budgets = Budgets { chosen: 1.0, ..plan().budgets };
    let plan = || GeneratePlan { control: 0.0, best: 1, candidates: 30, budgets, ..plan() };
    let (_, mut lines) = run(plan(), Vec::new());
    // Make the quick gauge undecided on every game that it does not stop.
    let mut open: Vec<Origin> = Vec::new();
    for line in lines.iter_mut().filter(|line| line.work == Work::Quick && line.fell.is_none()) {
        let Some(gauged) = &mut line.gauged else { continue };
        gauged.verdict.flawed = None;
        open.push(line.game);
    }
    assert!(open.len() > 1, "{open:?}");
    lines.retain(|line| line.work != Work::Thorough);
    let count = open.len() as u64;
    let (report, new) = run(plan(), lines.clone());
    for gate in &report.gates {
        let fell: u64 = gate.fell.iter().map(|one| one.count).sum();
        let all = fell + gate.unrated + gate.open.unwrap() + gate.passed;
        assert_eq!(gate.entered, all, "{gate:?}");
    }
    assert_eq!((report.gates[5].open, report.gates[5].passed), (Some(count), 0));
    assert_eq!(report.sound.unwrap().mean, Some(0.0));
    assert!(report.kept.mean > Some(0.0), "they go on all the same");
    for game in &report.best {
        assert!(game.open_gates().contains(&Gate::Quick));
        assert_eq!(game.lineage[0].open, game.open_gates());
    }

    // A game that passes precedes the undecided ones in the thorough gauge.
    let first = new.iter().find(|line| line.work == Work::Thorough).expect("a finalist").game;
    let other = *open.iter().find(|&&game| game != first).unwrap();
    let mut judged = lines;
    let line = judged.iter_mut().find(|line| line.game == other && line.work == Work::Quick);
    line.unwrap().gauged.as_mut().unwrap().verdict.flawed = Some(false);
    let (report, found) = run(plan(), judged.clone());
    assert_eq!((report.gates[5].open, report.gates[5].passed), (Some(count - 1), 1));
    assert!(found.iter().all(|line| line.game == other), "{found:?}");

    // A complete journal of an older program, which took the best games whatever the answer,
    // remains valid.
    let header = GenerateHeader { part: None, ..study(plan()).header() };
    let gauged = new.into_iter().filter(|line| line.work == Work::Thorough);
    let old: Vec<CandidateLine> = judged.into_iter().chain(gauged).collect();
    let report = merged(&header, &old, None).unwrap();
    assert!(report.best.iter().all(|game| game.game == first));
}

/// Stores all progress reports.
#[derive(Default)]
struct Told(Mutex<Vec<Progress>>);

impl Watch for Told {
    fn progress(&self, progress: Progress) {
        self.0.lock().unwrap().push(progress);
    }
}

#[test]
fn progress_covers_the_thorough_gauges_from_the_beginning() {
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let told = |known: Vec<CandidateLine>| {
        let told = Told::default();
        let kept = Kept::default();
        pool.install(|| study(plan()).run(known, &kept, &told, &())).unwrap();
        (told.0.into_inner().unwrap(), kept.sorted())
    };
    let (progress, lines) = told(Vec::new());
    assert!(progress.iter().all(|now| now.done <= now.known));
    assert!(progress.is_sorted_by_key(|now| now.done));
    let last = progress.last().unwrap();
    assert_eq!((last.phase, last.done), (Phase::Gauges, last.known));
    let gauges = lines.iter().filter(|line| line.work == Work::Thorough).count() as u64;
    assert_eq!(last.games, Some((gauges, gauges)));
    // After the last candidate, only the thorough gauges remain.
    let played = progress.iter().rfind(|now| now.phase == Phase::Candidates).unwrap();
    let thorough = last.known - played.done;
    assert!(
        thorough > last.known / 10 && played.known > played.done + thorough / 4,
        "{played:?} {last:?}"
    );

    // A continued run does not report earlier work as its own.
    let known: Vec<CandidateLine> =
        lines.into_iter().filter(|line| line.work != Work::Thorough).collect();
    let (progress, _) = told(known);
    assert_eq!(progress.len() as u64, gauges);
    assert_eq!(progress.last().unwrap().done, last.known);
}
