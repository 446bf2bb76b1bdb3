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
    let bits = place("PolicyBits1100(1)");
    let mut random = Random::new(seed);
    let one = |n: usize| {
        let noise_of = |n: usize, random: &mut Random| match n % 20 {
            0 => random.below(4) as f64,
            _ => 1.0,
        };
        let mut attributes: Vec<f64> = (0..known.len()).map(|n| noise_of(n, &mut random)).collect();
        attributes[quiet] = random.below(4) as f64;
        attributes[bits] = random.below(4) as f64;
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
    assert_eq!(evidence, [Evidence::Engine, Evidence::Solution]);
    let scores = card.scores(Evidence::Engine).unwrap();
    assert!(scores.rank_correlation.mean > 0.85, "{scores:?}");
    // The intervals of 200 problems rest on 20 errors each.
    assert!((0.65..0.88).contains(&scores.coverage.mean), "{scores:?}");
    assert_eq!((scores.problems, scores.games), (200, 100));
    // One of the attributes that the ratings follow from needs the engine.
    let of = |evidence| card.scores(evidence).unwrap().rank_correlation.mean;
    assert!(of(Evidence::Solution) > 0.6);

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
    assert!(inside.count() > 140);

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
    let some = known.iter().map(|one| Evidence::Solution.has(one).then_some(1.0));
    let (found, _) = trained.model.predict(None, &some.collect::<Vec<_>>(), &[], 1).unwrap();
    assert_eq!(found.evidence, Evidence::Solution);
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
    assert_eq!(read(""), Err(DifficultyError::Column("id".to_owned())));
    let nameless = row_error(table(|n, row| {
        if n == 7 {
            row[5].clear();
        }
    }));
    assert_eq!(nameless, (9, "it has a tree, but no name of an engine".to_owned()));
}

/// Table without some of its columns.
fn without_columns(text: &str, is_left_out: impl Fn(&str) -> bool) -> String {
    let titles: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let line = |line: &str| {
        let cells = line.split(',').zip(&titles).filter(|(_, title)| !is_left_out(title));
        cells.map(|(cell, _)| cell).collect::<Vec<_>>().join(",")
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n") + "\n"
}

#[test]
fn a_table_may_lack_columns_but_a_model_does_not_learn_from_it() {
    let text = table(|_, _| {});
    let whole = read(&text).unwrap();
    let known = chess_attributes(MeasuredWith::LEVELS);
    let column = |name: &str| DifficultyError::Column(name.to_owned());
    let some = read(&text.replacen("TreeSize", "Size", 1)).unwrap();
    assert_eq!(some.missing, ["TreeSize"]);
    assert_eq!(some.problems.len(), whole.problems.len());
    let trained = RatingModel::train(&some, String::new(), None, 1, &());
    assert_eq!(trained.unwrap_err(), column("TreeSize"));
    // Data frames drop columns without values.
    let no_networks = read(&without_columns(&text, |title| {
        title.starts_with("Network") || ["engine_options", "game"].contains(&title)
    }));
    let no_networks = no_networks.unwrap();
    assert!(no_networks.check_columns().is_ok() && !no_networks.missing.is_empty());
    assert_eq!(no_networks.measured, whole.measured);
    assert!(no_networks.problems.iter().all(|one| one.game.is_none()));

    let of_engine = known.iter().filter(|one| !Evidence::Networks.has(one));
    let of_engine: Vec<&str> = of_engine.map(|one| one.name.as_str()).collect();
    let no_engine = read(&without_columns(&text, |title| {
        of_engine.contains(&title) || MeasuredWith::COLUMNS.contains(&title)
    }));
    let no_engine = no_engine.unwrap();
    assert!(no_engine.check_columns().is_ok() && no_engine.problems.iter().all(|one| one.has_line));
    assert_eq!(no_engine.measured, MeasuredWith::default());

    for name in ["id", "fen", "given_rating", "solution", "engine", "depth"] {
        assert_eq!(read(&without_columns(&text, |title| title == name)), Err(column(name)));
    }
    let is_attribute = |title: &str| known.iter().any(|one| one.name == title);
    assert_eq!(read(&without_columns(&text, is_attribute)), Err(column(&known[0].name)));
}

/// The same table as pandas, spreadsheets and R write it.
#[test]
fn every_disguise_of_a_table_gives_the_same_problems() {
    let whole = |change: &dyn Fn(&str, String) -> String| {
        let titles: Vec<String> =
            table(|_, _| {}).lines().next().unwrap().split(',').map(str::to_owned).collect();
        table(|_, row| {
            for (cell, title) in row.iter_mut().zip(&titles) {
                *cell = change(title, std::mem::take(cell));
            }
        })
    };
    let plain = whole(&|_, cell| cell);
    let expected = read(&plain).unwrap();
    let numbered = |text: &str, first: &str| {
        let line = |(n, line): (usize, &str)| match n {
            0 => format!("{first},{line}\n"),
            n => format!("{},{line}\n", n - 1),
        };
        text.lines().enumerate().map(line).collect::<String>()
    };
    let is_number = |cell: &str| cell.parse::<f64>().is_ok();
    let is_id = |title: &str| title == "id" || title == "game";
    let real = |title: &str, cell: String| match cell.parse::<f64>() {
        Ok(number) if !is_id(title) => format!("{number:?}"),
        _ => cell,
    };
    let truth = |word: &'static str| {
        move |_: &str, cell: String| if cell == "false" { word.to_owned() } else { cell }
    };
    let mut texts = vec![
        numbered(&plain, ""),
        numbered(&plain, "Unnamed: 0"),
        whole(&real),
        whole(&truth("False")),
        whole(&truth("FALSE")),
        whole(&truth("0")),
        format!("\u{feff}{plain}"),
        plain.replace('\n', "\r\n"),
        plain.replace(['(', ')'], "."),
    ];
    for none in ["NaN", "<NA>", "nan", "NULL", "None"] {
        let fill = |_: &str, cell: String| if cell.is_empty() { none.to_owned() } else { cell };
        texts.push(whole(&fill));
    }
    let spreadsheet = whole(&|title, cell| match is_number(&cell) && !is_id(title) {
        true => cell.replace('.', "\u{1}"),
        false => cell,
    });
    let spreadsheet = spreadsheet.replace(',', ";").replace('\u{1}', ",");
    texts.extend([
        spreadsheet.clone(),
        format!("\u{feff}sep=;\r\n{}", spreadsheet.replace('\n', "\r\n")),
        format!("{spreadsheet}{}\n", ";".repeat(20)),
        spreadsheet.replace(';', "\t"),
    ]);
    for text in texts {
        let begin: String = text.chars().take(60).collect();
        let found = read(&text).unwrap_or_else(|error| panic!("{begin}: {error}"));
        assert_eq!(found, expected, "{begin}");
    }
    // A value that is not known is not the name of a game.
    let no_game = read(&whole(&|title, cell| {
        if title == "game" { "NaN".to_owned() } else { cell }
    }));
    assert!(no_game.unwrap().problems.iter().all(|one| one.game.is_none()));
    // What cannot be read is refused with its reason.
    for (bytes, part) in [
        (&b"PAR1\x15\x04"[..], "Parquet"),
        (b"PK\x03\x04\x14\0", "zip"),
        (b"\xFF\xFEi\0d\0", "UTF-16"),
        (&[plain.as_bytes(), b"\xE9\n"].concat(), "not UTF-8"),
    ] {
        let error = RatedProblems::read(bytes).unwrap_err().to_string();
        assert!(error.contains(part) && !error.contains('\n'), "{error}");
    }
    for (cell, problem) in
        [("01. Jan", "is not a finite number"), ("inf", "is not a finite number")]
    {
        let error = read(&whole(&|title, own| {
            if title == "TreeSize" { cell.to_owned() } else { own }
        }));
        let error = error.unwrap_err().to_string();
        assert!(error.starts_with("line 2: ") && error.contains(problem), "{error}");
    }
}

#[test]
fn an_evaluation_finds_planted_differences_and_keeps_its_parts_apart() {
    let report = DifficultyEvaluation::of(&data(planted(240, 150.0, 8)), false, 1, &()).unwrap();
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
    assert_eq!((problems, report.bands.len()), (240, 10));
    // Nothing is planted at level 5, but one attribute of the tree is.
    assert!(report.explosion.iter().all(|one| one.verdict == ClaimVerdict::CannotTell));
    let gain = report.tree_gain.unwrap();
    assert!(gain.mean_absolute_error.mean < 0.0 && gain.auc.is_some(), "{gain:?}");
    let left_out: Vec<ProblemAttributes> =
        report.left_out.iter().map(|one| one.attributes).collect();
    assert_eq!(left_out, [ProblemAttributes::Networks]);
    let sets: std::collections::BTreeSet<_> =
        report.extreme_scores.iter().map(|one| one.attributes).collect();
    assert!(sets.contains(&ProblemAttributes::TreeAndLengthAndMate));
}

#[test]
fn an_evaluation_has_the_sets_that_the_table_has() {
    use ProblemAttributes::{
        All, Counts, Facts, LengthAndMate, Moves, Networks, Plain, Policy, Tree, TreeAndPlain,
    };
    let known = chess_attributes(MeasuredWith::LEVELS);
    let mut problems = planted(110, 150.0, 8);
    let forget = |problem: &mut ProblemToLearn| {
        let cells = problem.attributes.iter_mut().zip(&known);
        let of_engine = cells.filter(|(_, one)| !Evidence::Solution.has(one));
        of_engine.for_each(|(cell, _)| *cell = None);
    };
    // An engine measured too few, and one has no solution.
    problems[15..].iter_mut().for_each(forget);
    problems[3].has_line = false;
    let rated = RatedProblems::new(MeasuredWith::default(), problems).unwrap();
    let report = DifficultyEvaluation::of(&rated, false, 1, &()).unwrap();
    assert_eq!((report.problems, report.other_problems), (109, 1));
    let mut sets: Vec<ProblemAttributes> =
        report.rating_scores.iter().map(|one| one.attributes).collect();
    sets.dedup();
    assert_eq!(sets, [Plain, LengthAndMate, Facts, Policy, All]);
    let left_out = |report: &DifficultyEvaluation| {
        report.left_out.iter().map(|one| one.attributes).collect::<Vec<_>>()
    };
    let of_tree =
        [Counts, Moves, Tree, TreeAndPlain, ProblemAttributes::TreeAndLengthAndMate, Networks];
    assert_eq!(left_out(&report), of_tree);
    assert!(report.left_out.iter().all(|one| one.missing.is_empty()));
    assert!(report.missing_attributes.is_empty() && report.explosion.is_empty());
    assert_eq!(report.tree_gain, None);
    let text = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<DifficultyEvaluation>(&text).unwrap(), report);

    // Columns of an older table.
    let mut older = data(planted(110, 150.0, 8));
    let policy = known.iter().find(|one| one.kind == AttributeKind::Policy).unwrap();
    older.missing = vec![policy.name.clone(), "TreeSize".to_owned()];
    let place = |name: &str| known.iter().position(|one| one.name == name).unwrap();
    for problem in &mut older.problems {
        older.missing.iter().for_each(|name| problem.attributes[place(name)] = None);
    }
    let usable = super::attribute_sets::UsableSets::of(&older, &known);
    assert_eq!(usable.problems.len(), 110);
    assert_eq!(usable.missing, ["TreeSize", &policy.name]);
    let lacks = |set| {
        let found = usable.left_out.iter().find(|one| one.attributes == set);
        found.map(|one| one.missing.clone())
    };
    assert_eq!(lacks(Policy), Some(vec![policy.name.clone()]));
    assert_eq!(lacks(Tree), Some(vec!["TreeSize".to_owned()]));
    assert_eq!((lacks(Moves), lacks(All), lacks(Facts)), (None, None, None));
}

/// The attribute is there in new tables, and no set mentions it for others.
#[test]
fn the_difficulty_of_guid_and_bratko_is_a_set_of_its_own_if_it_is_there() {
    let mut known = chess_attributes(MeasuredWith::LEVELS);
    known.retain(|one| one.name != "GuidBratko");
    let without = data(planted(110, 150.0, 8));
    let is_it = |set: ProblemAttributes| set == ProblemAttributes::GuidBratko;
    let sets = |data: &RatedProblems, known: &[crate::chess::ChessAttribute]| {
        let found = super::attribute_sets::UsableSets::of(data, known);
        assert!(!found.left_out.iter().any(|one| is_it(one.attributes)));
        found.sets.into_iter().find(|(set, _)| is_it(*set))
    };
    assert_eq!(sets(&without, &known), None);
    let mut with = without.clone();
    known.push(crate::chess::ChessAttribute {
        name: "GuidBratko".to_owned(),
        meaning: "difficulty of the position",
        kind: AttributeKind::Search,
        needs_solution: false,
        is_plain: false,
    });
    for problem in &mut with.problems {
        problem.attributes.truncate(known.len() - 1);
        problem.attributes.push(Some(problem.rating / 100.0));
    }
    assert_eq!(sets(&with, &known), Some((ProblemAttributes::GuidBratko, vec![known.len() - 1])));
    // The table lacks the column.
    with.missing = vec!["GuidBratko".to_owned()];
    with.problems.iter_mut().for_each(|one| one.attributes[known.len() - 1] = None);
    assert_eq!(sets(&with, &known), None);
}

/// A planted difference at level 5 is found, with its direction.
#[test]
fn the_claim_about_level_five_is_tested_on_easy_and_difficult_problems() {
    let known = chess_attributes(MeasuredWith::LEVELS);
    let place = |name: &str| known.iter().position(|one| one.name == name).unwrap();
    let [branching, kept] = ["Branching(5)", "Meaningful(5)"].map(place);
    let usable: Vec<usize> = (0..known.len()).collect();
    let tests = |easy: f64, difficult: f64| {
        let mut problems = planted(120, 0.0, 9);
        for (n, problem) in problems.iter_mut().enumerate() {
            let is_easy = n % 3 == 0;
            problem.rating = if is_easy { 800.0 } else { 2_200.0 };
            let level = if is_easy { easy } else { difficult };
            problem.attributes[branching] = Some(level + (n % 4) as f64);
            problem.attributes[kept] = Some(f64::from(u8::from(n % 12 > 1)));
        }
        let data = data(problems);
        let all: Vec<usize> = (0..120).collect();
        super::claims::explosion_tests(&data, &known, &usable, &all, 1).unwrap()
    };
    let found = tests(6.0, 1.0);
    let names: Vec<(&str, bool)> =
        found.iter().map(|one| (one.attribute.as_str(), one.is_deep)).collect();
    let expected = ["Branching(5)", "Meaningful(5)"];
    let expected = [false, true].map(|is_deep| expected.map(|name| (name, is_deep)));
    assert_eq!(names, expected.concat());
    assert_eq!((found[0].problems, found[0].medians), ([40, 80], [7.5, 2.5]));
    assert_eq!((found[0].auc.mean, found[0].verdict), (1.0, ClaimVerdict::Holds));
    assert_eq!(found[2].problems, [30, 70]);
    assert_eq!(tests(1.0, 6.0)[0].verdict, ClaimVerdict::DoesNotHold);
    assert_eq!(tests(1.0, 1.0)[0].verdict, ClaimVerdict::CannotTell);
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
