//! Models of ratings on planted data, their tables, and games as sources of meaningful trees.

use std::sync::LazyLock;

use treegauge_core::ReportKind;
use treegauge_engine::{Engine, SolutionGame, StartingPoint, open};
use treegauge_learn::Random;
use treegauge_learn::learners::{Boosting, Mixture};
use treegauge_solve::{AnySolved, Options};

use super::reasons::parts_in_words;
use super::*;
use crate::chess::{AttributeKind, PeopleChoice, chess_attributes};
use crate::{MoveSource, Tree, TreeSettings, Value};

/// Problems whose rating follows from three attributes and noise; two come from each game. Most other
/// attributes are constant, which costs learners no time.
fn planted(count: usize, noise: f64, seed: u64) -> Vec<ProblemToLearn> {
    let known = chess_attributes(MeasuredWith::LEVELS);
    let place = |name: &str| known.iter().position(|one| one.name == name).unwrap();
    let (moves, quiet, winning) =
        (place("SolutionMoves"), place("QuietMoves"), place("PossibleMoves(1)"));
    let mut random = Random::new(seed);
    let one = |n: usize| {
        let noise_of = |n: usize, random: &mut Random| match n % 5 {
            0 => random.below(4) as f64,
            _ => 1.0,
        };
        let mut attributes: Vec<f64> = (0..known.len()).map(|n| noise_of(n, &mut random)).collect();
        attributes[quiet] = random.below(4) as f64;
        attributes[moves] = 1.0 + random.below(5) as f64;
        attributes[winning] = 5.0 + random.below(40) as f64;
        let rating = 500.0
            + 200.0 * attributes[moves]
            + 150.0 * attributes[quiet]
            + 10.0 * attributes[winning]
            + noise * (random.share() - 0.5);
        let game = Some((n / 2).to_string());
        ProblemToLearn {
            id: n.to_string(),
            fen: format!("{n} w - - 0 1"),
            game,
            rating,
            // Nothing of networks.
            attributes: known
                .iter()
                .zip(attributes)
                .map(|(one, value)| (one.kind != AttributeKind::Network).then_some(value))
                .collect(),
            has_line: true,
        }
    };
    (0..count).map(one).collect()
}

fn data(problems: Vec<ProblemToLearn>) -> RatedProblems {
    let measured = MeasuredWith {
        engine: "Fake".to_owned(),
        depth: 10,
        multi_pv: "adaptive".to_owned(),
        ..MeasuredWith::default()
    };
    RatedProblems::new(measured, problems).unwrap()
}

/// Tree without nodes, which contributes nothing.
fn no_tree() -> Tree {
    Tree {
        settings: TreeSettings::default(),
        nodes: Vec::new(),
        first_moves: Vec::new(),
        capped: false,
        material: None,
    }
}

fn train(data: &RatedProblems) -> TrainedRatingModel {
    let learner = || {
        Mixture(vec![Box::new(Boosting { trees: 80, rate: 0.15, depth: 3, ..Boosting::default() })])
    };
    RatingModel::train_by(&learner, data, "test".to_owned(), None, 1, &()).unwrap()
}

/// A model of planted differences.
static TRAINED: LazyLock<TrainedRatingModel> =
    LazyLock::new(|| train(&data(planted(200, 200.0, 1))));

#[test]
fn a_model_finds_what_ratings_follow_from_and_says_why() {
    let trained = &*TRAINED;
    let card = trained.model.card("digest".to_owned());
    let evidence: Vec<Evidence> = card.predictors.iter().map(|one| one.evidence).collect();
    assert_eq!(evidence, [Evidence::Engine, Evidence::Solution, Evidence::Position]);
    let scores = card.scores(Evidence::Engine).unwrap();
    assert!(scores.rank_correlation.mean > 0.85, "{scores:?}");
    assert!((0.72..0.88).contains(&scores.coverage.mean), "{scores:?}");
    assert_eq!((scores.problems, scores.games), (200, 100));
    // Two of the three attributes need the solution, and one the engine.
    let of = |evidence| card.scores(evidence).unwrap().rank_correlation.mean;
    assert!(of(Evidence::Position) < 0.6 && of(Evidence::Solution) > 0.6);

    let new = planted(200, 0.0, 2);
    let inside = new.iter().filter(|problem| {
        let (found, reasons) =
            trained.model.predict(Some(&no_tree()), &problem.attributes, &[], 3).unwrap();
        assert_eq!(found.evidence, Evidence::Engine);
        let chances = found.chances;
        assert!((chances.easy + chances.medium + chances.hard - 1.0).abs() < 1e-6);
        assert!(found.rating_low <= found.rating && found.rating <= found.rating_high);
        assert!(
            reasons.len() <= 3 && reasons.is_sorted_by(|a, b| a.effect.abs() >= b.effect.abs())
        );
        (found.rating_low..=found.rating_high).contains(&problem.rating)
    });
    assert!(inside.count() > 150);

    let known = chess_attributes(MeasuredWith::LEVELS);
    let long = known.iter().map(|one| match one.name.as_str() {
        "SolutionMoves" => Some(5.0),
        "PossibleMoves(1)" => Some(20.0),
        _ => Some(1.0),
    });
    let (_, reasons) = trained.model.predict(None, &long.collect::<Vec<_>>(), &[], 5).unwrap();
    let length = reasons.iter().find(|reason| reason.aspect == "length").unwrap();
    assert!(length.effect > 100.0 && length.words == "the solution has five moves", "{length:?}");

    assert!(trained.model.knows("7 w - - 9 30") && !trained.model.knows("7 b - - 9 30"));

    // The predictor of the evidence that there is answers.
    for evidence in [Evidence::Solution, Evidence::Position] {
        let some: Vec<Option<f64>> =
            known.iter().map(|one| evidence.has(one).then_some(1.0)).collect();
        let (found, _) = trained.model.predict(None, &some, &[], 1).unwrap();
        assert_eq!(found.evidence, evidence);
    }
    let none: Vec<Option<f64>> = vec![None; known.len()];
    assert!(trained.model.predict(None, &none, &[], 1).is_none());
}

#[test]
fn the_move_that_people_miss_most_often_is_a_reason() {
    let known = chess_attributes(MeasuredWith::LEVELS);
    let policy: Vec<usize> =
        (0..known.len()).filter(|&n| known[n].name.starts_with("PolicyBits")).collect();
    let mut problems = planted(200, 50.0, 3);
    for problem in &mut problems {
        problem.rating += 150.0 * problem.attributes[policy[0]].unwrap();
    }
    let trained = train(&data(problems));
    let choice = |number, chance, rival: &str| PeopleChoice {
        number,
        rating: 1500.0,
        solution: "Rd8".to_owned(),
        chance,
        rival: Some(rival.to_owned()),
        rival_chance: 0.41,
    };
    let said = |bits: f64, people: &[PeopleChoice]| {
        let row: Vec<Option<f64>> = (0..known.len())
            .map(|n| Some(if n == policy[0] { bits } else { 1.0 }))
            .zip(&known)
            .map(|(value, one)| value.filter(|_| Evidence::Engine.has(one)))
            .collect();
        let (_, reasons) = trained.model.predict(None, &row, people, 9).unwrap();
        let found = reasons.into_iter().find(|reason| reason.aspect == "people");
        found.map(|reason| (reason.effect > 0.0, reason.words))
    };
    let hidden = [choice(1, 0.3, "Kg1"), choice(2, 0.06, "Qxe5")];
    let words = "people rated 1500 play Qxe5 at move 2 in 41 of 100 cases, and Rd8 in 6";
    assert_eq!(said(3.0, &hidden), Some((true, words.to_owned())));
    let words = "people rated 1500 find Rd8 in 81 of 100 cases";
    assert_eq!(said(0.0, &[choice(1, 0.81, "Kg1")]), Some((false, words.to_owned())));
    // Words that would say the opposite of the effect are left out.
    assert_eq!((said(0.0, &hidden), said(3.0, &[])), (None, None));
}

/// The approximation is held against the sum over a normal distribution of the rating.
#[test]
fn the_chance_to_solve_is_the_expected_score_over_the_uncertainty_of_the_rating() {
    let of = |rating: f64, half_width: f64| PredictedDifficulty {
        rating,
        rating_low: rating - half_width,
        rating_high: rating + half_width,
        class: DifficultyClass::Easy,
        chances: ClassChances { easy: 1.0, medium: 0.0, hard: 0.0 },
        evidence: Evidence::Engine,
    };
    let elo = |gap: f64| 1.0 / (1.0 + 10.0_f64.powf(-gap / 400.0));
    for gap in [-600.0, -200.0, 0.0, 100.0, 400.0] {
        let exact = of(1500.0, 0.0).chance_to_solve(1500.0 + gap);
        assert!((exact - elo(gap)).abs() < 1e-9);
        for half_width in [150.0, 380.0] {
            let deviation = half_width * 2.0 / 2.563;
            let steps = (-400..=400).map(|n| f64::from(n) / 100.0);
            let weighted = steps.map(|z| ((-z * z / 2.0).exp(), elo(gap - z * deviation)));
            let (weights, sum) = weighted
                .fold((0.0, 0.0), |(all, sum), (weight, p)| (all + weight, sum + weight * p));
            let found = of(1500.0, half_width).chance_to_solve(1500.0 + gap);
            assert!((found - sum / weights).abs() < 0.02, "{gap}, {half_width}: {found}");
        }
    }
}

#[test]
fn a_model_is_read_back_and_broken_ones_are_refused() {
    let model = &TRAINED.model;
    let text = serde_json::to_string(model).unwrap();
    let read: RatingModel = serde_json::from_str(&text).unwrap();
    assert_eq!(read, *model);
    read.check().unwrap();
    for (from, to, part) in [
        ("\"SolutionMoves\"", "\"Brilliance\"", "no attribute \"Brilliance\""),
        ("\"lenders\":[[", "\"lenders\":[[1.0,", "are inconsistent"),
    ] {
        let broken: RatingModel = serde_json::from_str(&text.replacen(from, to, 1)).unwrap();
        assert!(broken.check().unwrap_err().contains(part), "{from}");
    }
    let other = text.replacen("\"schema\":1", "\"schema\":9", 1);
    assert!(serde_json::from_str::<RatingModel>(&other).is_err());
}

#[test]
fn shuffled_ratings_cannot_be_predicted() {
    let mut problems = planted(200, 100.0, 4);
    let mut ratings: Vec<f64> = problems.iter().map(|one| one.rating).collect();
    Random::new(7).shuffle(&mut ratings);
    problems.iter_mut().zip(ratings).for_each(|(one, rating)| one.rating = rating);
    let trained = train(&data(problems));
    let card = trained.model.card(String::new());
    let scores = card.scores(Evidence::Engine).unwrap();
    assert!(scores.rank_correlation.mean.abs() < 0.2, "{scores:?}");
    assert!(scores.coverage.mean > 0.7, "the intervals are wide then");
}

/// Problems of one game are all tested or all learned from; otherwise the model would know their
/// ratings.
#[test]
fn problems_of_a_game_are_never_tested_by_a_model_that_saw_one_of_them() {
    let known = chess_attributes(MeasuredWith::LEVELS);
    let mut random = Random::new(5);
    let mut problems = Vec::new();
    for game in 0..30 {
        let attributes: Vec<Option<f64>> = known.iter().map(|_| Some(random.share())).collect();
        let rating = 1_000.0 + 1_000.0 * random.share();
        for n in 0..4 {
            problems.push(ProblemToLearn {
                id: format!("{game}-{n}"),
                fen: String::new(),
                game: Some(game.to_string()),
                rating,
                attributes: attributes.clone(),
                has_line: true,
            });
        }
    }
    let card = train(&data(problems)).model.card(String::new());
    let scores = card.scores(Evidence::EngineAndNetworks).unwrap();
    assert!(scores.rank_correlation.mean < 0.4, "{scores:?}");
}

#[test]
fn too_few_problems_and_equal_ratings_are_refused() {
    let measured = MeasuredWith::default();
    let few = RatedProblems::new(measured.clone(), planted(99, 0.0, 1));
    assert_eq!(few, Err(DifficultyError::Few { found: 99 }));
    let mut equal = planted(120, 0.0, 1);
    equal.iter_mut().for_each(|one| one.rating = 1_500.0);
    assert_eq!(RatedProblems::new(measured, equal), Err(DifficultyError::Constant));
}

/// Table as `difficulty` writes it, with some cells changed.
fn table(change: impl Fn(usize, &mut Vec<String>)) -> String {
    let known = chess_attributes(MeasuredWith::LEVELS);
    let names = known.iter().map(|one| one.name.as_str());
    let header: Vec<&str> = ["id", "fen", "given_rating", "game", "solution"]
        .into_iter()
        .chain(MeasuredWith::COLUMNS)
        .chain(names)
        .collect();
    let mut text = format!("{}\n", header.join(","));
    for (n, problem) in planted(110, 50.0, 6).into_iter().enumerate() {
        let mut row: Vec<String> =
            [problem.id, problem.fen, problem.rating.to_string(), n.to_string(), "Ra8#".to_owned()]
                .into();
        row.extend(MeasuredWith { engine: "Fake".to_owned(), ..Default::default() }.cells());
        let cell = |value: &Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        row.extend(problem.attributes.iter().map(cell));
        change(n, &mut row);
        text.push_str(&format!("{}\n", row.join(",")));
    }
    text
}

fn read(text: &str) -> Result<RatedProblems, DifficultyError> {
    RatedProblems::read(text.as_bytes())
}

#[test]
fn a_table_is_read_and_its_errors_are_named() {
    let whole = read(&table(|_, _| {})).unwrap();
    assert_eq!((whole.problems.len(), whole.measured.engine.as_str()), (110, "Fake"));
    assert_eq!(whole.problems[3].attributes, planted(110, 50.0, 6)[3].attributes);
    // Unrated rows are left out.
    let unrated = read(&table(|n, row| {
        if n == 4 {
            row[2].clear();
        }
        if n == 5 {
            row[14..].iter_mut().for_each(String::clear);
        }
    }));
    assert_eq!(unrated.unwrap().problems.len(), 108);
    // A row without an engine has no settings and no attributes of searches.
    let known = chess_attributes(MeasuredWith::LEVELS);
    let without = read(&table(|n, row| {
        if n == 6 {
            row[5..14].iter_mut().for_each(String::clear);
            let cells = row[14..].iter_mut().zip(&known);
            let of_engine = cells.filter(|(_, one)| !Evidence::Solution.has(one));
            of_engine.for_each(|(cell, _)| cell.clear());
        }
    }));
    let without = without.unwrap();
    assert_eq!(without.problems.len(), 110);
    assert!(without.problems[6].has_line && without.problems[6].attributes[0].is_none());

    let row_error = |text: String| match read(&text).unwrap_err() {
        DifficultyError::Row { line, problem } => (line, problem),
        other => panic!("{other}"),
    };
    // Tables that went through pandas mark an unknown rating like this.
    let not_known = read(&table(|n, row| {
        if n == 7 {
            row[2] = "NaN".to_owned();
        }
    }));
    assert_eq!(not_known.unwrap().problems.len(), 109);
    for rating in ["1e308", "-1", "4001"] {
        let absurd = row_error(table(|n, row| {
            if n == 7 {
                row[2] = rating.to_owned();
            }
        }));
        assert_eq!(absurd.0, 9);
        assert!(absurd.1.contains("which is not from 0 to 4000"), "{}", absurd.1);
    }
    let short = row_error(table(|n, row| {
        if n == 7 {
            row.pop();
        }
    }));
    assert!(short.0 == 9 && short.1.contains("cells; the header has"), "{}", short.1);
    let mixed = read(&table(|n, row| {
        if n > 50 {
            row[7] = "12".to_owned();
        }
    }));
    assert!(matches!(mixed, Err(DifficultyError::Mixed { .. })), "{mixed:?}");
    let renamed = table(|_, _| {}).replacen("TreeSize", "Size", 1);
    assert_eq!(read(&renamed), Err(DifficultyError::Column("TreeSize".to_owned())));
    assert_eq!(read(""), Err(DifficultyError::Column("id".to_owned())));
}

#[test]
fn an_evaluation_finds_planted_differences_and_keeps_its_parts_apart() {
    let report = DifficultyEvaluation::of(&data(planted(160, 150.0, 8)), 1, &()).unwrap();
    let of = |set: ProblemAttributes| {
        let found = report.rating_scores.iter().filter(move |one| one.attributes == set);
        found.map(|one| one.rank_correlation.mean).fold(f64::MIN, f64::max)
    };
    // The rating follows from plain facts and one attribute of the tree.
    assert!(of(ProblemAttributes::All) > 0.85 && of(ProblemAttributes::Plain) > 0.6);
    assert!(of(ProblemAttributes::Moves).abs() < 0.3, "{}", of(ProblemAttributes::Moves));
    assert_eq!(report.sampled.iter().filter(|&&count| count >= 10).count(), 3);
    assert!(report.class_scores.iter().any(|one| one.accuracy.mean > 0.7));
    assert!(report.extreme_scores.iter().any(|one| one.auc.mean > 0.95));
    assert!((0.7..0.9).contains(&report.coverage.mean));
    let problems: usize = report.bands.iter().map(|band| band.problems).sum();
    assert_eq!((problems, report.bands.len()), (160, 10));
}

#[test]
fn classes_meet_half_way_between_the_means_of_the_source() {
    let [easy, medium, hard] = THESIS_CLASSES;
    assert!((f64::midpoint(easy, medium) - MEDIUM_FROM).abs() < 0.5);
    assert!((f64::midpoint(medium, hard) - HARD_FROM).abs() < 0.5);
    let of = DifficultyClass::of;
    assert_eq!(
        [of(1_461.9), of(1_462.0), of(1_879.0)],
        [DifficultyClass::Easy, DifficultyClass::Medium, DifficultyClass::Hard]
    );
}

#[test]
fn trees_are_put_in_words() {
    let words = |values: &[(&str, f64)]| {
        let values = values.to_vec();
        parts_in_words(&move |name: &str| {
            values.iter().find(|(known, _)| *known == name).map_or(0.0, |(_, value)| *value)
        })
    };
    assert_eq!(words(&[]), "");
    let wins = ("first moves win", 1.0);
    let mate = [wins, ("Meaningful(1)", 1.0), ("PossibleMoves(1)", 30.0)];
    assert_eq!(words(&mate), "one winning first move out of 30; the first move ends it");
    let cut = [mate[0], mate[1], mate[2], ("answers are cut off", 1.0)];
    assert_eq!(words(&cut), "one winning first move out of 30");
    let level = [("Meaningful(1)", 6.0), ("PossibleMoves(1)", 20.0), ("Meaningful(2)", 2.0)];
    assert_eq!(
        words(&level),
        "no move wins yet; six of 20 are about as good as the best; two replies"
    );
    let ends = [
        wins,
        ("a first move ends the game", 1.0),
        ("Meaningful(1)", 2.0),
        ("PossibleMoves(1)", 5.0),
        ("Meaningful(2)", 1.0),
    ];
    assert_eq!(words(&ends), "two winning first moves out of 5; a first move ends the game");
    let narrow = [wins, ("Meaningful(1)", 1.0), ("PossibleMoves(1)", 38.0), ("Meaningful(2)", 2.0)];
    let narrow = [&narrow[..], &[("Meaningful(3)", 2.0), ("NarrowSolution(3)", 2.0)]].concat();
    assert_eq!(
        words(&narrow),
        "one winning first move out of 38; two replies, each with a single answer"
    );
    let wide = [
        wins,
        ("Meaningful(1)", 12.0),
        ("PossibleMoves(1)", 30.0),
        ("Meaningful(2)", 1.0),
        ("Meaningful(3)", 4.0),
    ];
    assert_eq!(
        words(&wide),
        "12 winning first moves out of 30; one reply, with 4 winning answers in all"
    );
}

fn engine(name: &str) -> std::sync::Arc<dyn Engine> {
    open(&treegauge_catalog::GameSpec::parse(name).unwrap()).unwrap()
}

/// The exact tree of a game follows the definition: every move that wins by force, every answer
/// (all lose), and so on.
#[test]
fn a_solved_game_gives_exact_trees() {
    let engine = engine("tic_tac_toe");
    let start = engine.code(&engine.start());
    let solved = engine.rules().solve(&start, Options::default(), &()).unwrap();
    let AnySolved::Done(solution) = solved else { panic!("nothing stops it") };
    let game = SolutionGame::new(engine.clone(), solution);
    let mut line = engine.start();
    for text in ["a1", "b1"] {
        line.play_text(text).unwrap();
    }
    let mut source = GameSource::solved(&game, &());
    let listed = source.list(&line, 1, &|_| true).unwrap();
    assert_eq!(listed.legal, 7);
    let tree = Tree::build(&mut source, &line, TreeSettings::RESULTS).unwrap();
    assert!(tree_words(&tree).contains("winning first moves out of 7"));
    let start = Tree::build(&mut source, &engine.start(), TreeSettings::RESULTS).unwrap();
    assert!(tree_words(&start).starts_with("no move wins yet; nine of 9 are about as good"));
    assert!(tree.nodes.iter().all(|node| node.level == 0 || matches!(node.value, Value::Wins(_))));
    assert_eq!(
        puzzle_tree_words(&start, 3),
        "the win in three moves is deeper than the search sees; nine of 9 moves look about equally good"
    );
    assert_eq!(puzzle_tree_words(&tree, 3), tree_words(&tree));
    // A second search confirms that every kept move keeps the win, and that every winning move is
    // kept.
    let wins = |at: &treegauge_engine::Line| brute_force(at) == 1;
    let mut winning: Vec<String> = (0..line.move_count())
        .filter(|&n| {
            let mut after = line.clone();
            after.play(n);
            brute_force(&after) == -1
        })
        .map(|n| line.move_text(n))
        .collect();
    assert!(wins(&line) && winning.len() < 7);
    let mut kept: Vec<String> = tree.level(1).map(|node| node.played.clone()).collect();
    kept.sort();
    winning.sort();
    assert_eq!(kept, winning);
}

/// Result for the player to move with best play of both sides, by trying all moves: -1 to 1.
fn brute_force(at: &treegauge_engine::Line) -> i32 {
    if let Some(ended) = at.ended() {
        return ended.outcome.value_for(at.turn());
    }
    let value = |n| {
        let mut after = at.clone();
        let turn = at.turn();
        after.play(n);
        let worth = brute_force(&after);
        if after.turn() == turn { worth } else { -worth }
    };
    (0..at.move_count()).map(value).max().unwrap_or(0)
}

#[test]
fn searches_give_the_same_tree_each_time_and_refuse_to_know_too_little() {
    let engine = engine("connect_four(cols=5,rows=4)");
    let at = engine
        .begin(&StartingPoint { position: None, moves: vec!["c".into(), "c".into()] })
        .unwrap();
    let tree = |iterations| {
        let mut source = GameSource::searched(&engine, iterations, 0.7, 3, &());
        let settings = TreeSettings { win: 0.2, ..TreeSettings::RESULTS };
        Tree::build(&mut source, &at, settings)
    };
    let (first, again) = (tree(400).unwrap(), tree(400).unwrap());
    assert_eq!(first, again);
    assert!(first.nodes.len() > 3 && first.is_sound());
    let few = tree(2).unwrap_err().to_string();
    assert!(few.contains("2 iterations are too few for a position with 5 moves"), "{few}");
}
