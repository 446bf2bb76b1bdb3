//! Models of planted data.

use std::collections::BTreeSet;
use std::sync::Mutex;

use rustc_hash::FxHashSet;
use treegauge_catalog::GameSpec;
use treegauge_core::ReportKind;
use treegauge_gauge::vetted::{
    Chance, FamilyOrder, KindPairs, KnownLabel, LabelSource, Near, PairScore, PairScores,
    Playability, PredictedRating, Predicts, VettedGame,
};
use treegauge_gauge::{PlainFlaw, PlainFlawKind};
use treegauge_learn::Random;
use treegauge_stats::Estimate;
use treegauge_store::PieceSink;
use treegauge_store::journal::Piece;

use super::*;
use crate::aggregate::{Aggregate, GameAggregate, GameResults};
use crate::collect::{CollectPlan, DatasetHeader, Instance, collect};
use crate::evaluate::BaselineAttributes;
use crate::{Corpus, HumanRatings, LabelledGame, RatedGame};

/// Number of groups in the planted data, and of games in each.
const GROUPS: usize = 8;
const EACH: usize = 6;

const ATTRIBUTES: [&str; 3] = ["worst.mean", "best.mean", "play.plies"];

/// Canonical name of a game of a group.
fn name(group: usize, n: usize) -> String {
    let text = format!("mnk(rows={},cols={},k=3)", 3 + group, 3 + n);
    GameSpec::parse(&text).unwrap().canonical()
}

/// Dataset whose first attribute is the class of a game plus noise of this width.
fn data(iterations: u32, noise: f64, seed: u64) -> TrainingData {
    let mut random = Random::new(seed);
    let mut row = |group: usize, n: usize| {
        let signal = class(group, n) + noise * (random.share() - 0.5);
        GameAggregate {
            game: name(group, n),
            instances: 10,
            trees: 100,
            results: None,
            attributes: vec![signal, random.share(), 10.0 * random.share()],
        }
    };
    let games = (0..GROUPS).flat_map(|group| (0..EACH).map(move |n| (group, n)));
    TrainingData {
        plan: DataPlan {
            header: DatasetHeader::of(&CollectPlan { iterations, ..CollectPlan::default() }),
            instances: 10,
        },
        aggregate: Aggregate {
            iterations,
            attributes: ATTRIBUTES.map(str::to_owned).to_vec(),
            games: games.map(|(group, n)| row(group, n)).collect(),
        },
    }
}

/// Class of a game: half of the games of each group are playable.
fn class(_: usize, n: usize) -> f64 {
    f64::from(u8::from(n.is_multiple_of(2)))
}

/// Labels of all games: those of the first groups by origin, those of the others by solution.
fn labels(class: impl Fn(usize, usize) -> f64) -> Corpus {
    let games = (0..GROUPS).flat_map(|group| (0..EACH).map(move |n| (group, n)));
    let label = |(group, n): (usize, usize)| LabelledGame {
        game: name(group, n),
        name: None,
        playable: class(group, n) == 1.0,
        rating: None,
        group: format!("group {group}"),
        by: if group < GROUPS / 2 { LabelSource::Origin } else { LabelSource::Solution },
        says: None,
        here: None,
        reason: None,
        solved: None,
    };
    Corpus { games: games.map(label).collect() }
}

const OPTIONS: TrainOptions = TrainOptions { seed: 1, replicates: 20, draws: 200 };

fn trained(datasets: &[TrainingData], labels: &Corpus) -> Model {
    let trained = Trained::playable(datasets, labels, OPTIONS, &()).unwrap();
    trained.model("planted".to_owned(), None, None)
}

/// Measurement of a game with these attributes, by the plan of a dataset.
fn measurement(of: &TrainingData, game: &str, row: [f64; 3]) -> Measurement {
    let only = |row: [f64; 3]| Aggregate {
        games: vec![GameAggregate {
            game: game.to_owned(),
            instances: 10,
            trees: 100,
            results: None,
            attributes: row.to_vec(),
        }],
        ..of.aggregate.clone()
    };
    let part = |n: usize| only(row.map(|x| x + 0.001 * n as f64));
    let without_parts = (0..PARTS).map(part).collect();
    Measurement { plan: of.plan.clone(), whole: only(row), without_parts }
}

#[test]
fn a_planted_difference_is_learned_and_predicted_for_games_that_are_new() {
    let data = data(1_000, 0.5, 1);
    let model = trained(std::slice::from_ref(&data), &labels(class));
    let scores = &model.playable[0].scores;
    assert!(scores.auc.unwrap().mean > 0.95, "{:?}", scores.auc);
    assert_eq!((scores.playable, scores.unplayable, scores.groups), (24, 24, GROUPS));
    let standards: Vec<_> = model.playable[0].standards.iter().map(|one| one.by).collect();
    assert_eq!(standards, [None, Some(LabelSource::Origin), Some(LabelSource::Solution)]);
    let judged = |signal| {
        let game = "othello";
        model.judge(game, game, &[measurement(&data, game, [signal, 0.5, 5.0])])
    };
    let (good, bad) = (judged(1.0), judged(0.0));
    assert_eq!((good.verdict, bad.verdict), (Playability::Yes, Playability::No));
    let [good_chance, bad_chance] = [&good, &bad].map(|game| game.playable.unwrap());
    assert!(good_chance.low > 0.5 && bad_chance.high < 0.5);
    assert!(good_chance.low <= good_chance.probability && good_chance.probability <= 1.0);
    // The attribute that separates the classes is the reason; it speaks for one class and against
    // the other.
    assert_eq!(
        (good.reasons[0].feature.as_str(), bad.reasons[0].feature.as_str()),
        ("worst", "worst")
    );
    assert!(good.reasons[0].effect > 0.1 && bad.reasons[0].effect < -0.1);
    assert!(good.reasons[0].words.starts_with("for it: "), "{}", good.reasons[0].words);
    assert!(bad.reasons[0].words.starts_with("against it: "), "{}", bad.reasons[0].words);
    assert_eq!(good.nearest.len(), 3);
    assert!(good.nearest.is_sorted_by(|a, b| a.distance <= b.distance));
}

/// Dataset of noise, in which the games of one class are longer; of results all games have the same.
fn data_of_lengths() -> TrainingData {
    let mut data = data(1_000, 100.0, 1);
    for (place, game) in data.aggregate.games.iter_mut().enumerate() {
        game.trees = if class(place / EACH, place % EACH) == 1.0 { 100 } else { 40 };
        let [first_wins, draws, second_wins] = [6, 2, 2];
        let (plies_min, plies_max) = (1, 30);
        game.results = Some(GameResults { first_wins, draws, second_wins, plies_min, plies_max });
    }
    data
}

#[test]
fn a_training_says_what_the_length_of_games_tells_without_trees() {
    let data = data_of_lengths();
    let trained =
        Trained::playable(std::slice::from_ref(&data), &labels(class), OPTIONS, &()).unwrap();
    let of = |wanted: BaselineAttributes| {
        trained.baselines.iter().find(|one| one.attributes == wanted).unwrap()
    };
    let right = |wanted| of(wanted).accuracy.unwrap().mean;
    assert_eq!(trained.baselines.len(), BaselineAttributes::ALL.len());
    assert_eq!(right(BaselineAttributes::Length), 1.0);
    assert_eq!(right(BaselineAttributes::Play), 1.0);
    assert_eq!(of(BaselineAttributes::Length).unplayable_found.unwrap().mean, 1.0);
    assert!(right(BaselineAttributes::Draws) <= 0.5 && right(BaselineAttributes::Bias) <= 0.5);
    let [gain] = trained.trees_gain[..] else { panic!("{:?}", trained.trees_gain) };
    assert!(gain.accuracy.unwrap().mean <= 0.0 && gain.auc.unwrap().mean <= 0.0, "{gain:?}");
    // Search trees alone are the model: every score is the same.
    let (trees, scores) = (of(BaselineAttributes::Trees), &trained.playable[0].scores);
    assert!(scores.accuracy.unwrap().mean < 0.8, "{:?}", scores.accuracy);
    assert_eq!((trees.accuracy, trees.auc), (scores.accuracy, scores.auc));
    assert_eq!(trees.iterations, 1_000);
}

#[test]
fn trees_add_to_results_that_say_nothing() {
    let mut data = data_of_lengths();
    let planted = self::data(1_000, 0.5, 1);
    for (game, planted) in data.aggregate.games.iter_mut().zip(planted.aggregate.games) {
        game.trees = 70;
        game.attributes = planted.attributes;
    }
    let trained =
        Trained::playable(std::slice::from_ref(&data), &labels(class), OPTIONS, &()).unwrap();
    let [gain] = trained.trees_gain[..] else { panic!("{:?}", trained.trees_gain) };
    assert!(gain.accuracy.unwrap().low > 0.2 && gain.auc.unwrap().low > 0.2, "{gain:?}");
    // A table without results has no baselines.
    let trained = Trained::playable(&[self::data(1_000, 0.5, 1)], &labels(class), OPTIONS, &());
    let trained = trained.unwrap();
    assert!(trained.baselines.is_empty() && trained.trees_gain.is_empty());
}

#[test]
fn labels_that_say_nothing_give_no_verdict() {
    // A coin decides the labels in each round: the mean area is that of a guess.
    let data = data(1_000, 0.5, 1);
    let mut areas = Vec::new();
    let mut decided = 0;
    for seed in 1..=6 {
        let mut random = Random::new(seed);
        let mut coins: Vec<f64> =
            (0..GROUPS * EACH).map(|n| f64::from(u8::from(n % 2 == 0))).collect();
        random.shuffle(&mut coins);
        let model =
            trained(std::slice::from_ref(&data), &labels(|group, n| coins[group * EACH + n]));
        let scores = &model.playable[0].scores;
        areas.push(scores.auc.unwrap().mean);
        decided += scores.decided[0].decided;
    }
    let mean = areas.iter().sum::<f64>() / areas.len() as f64;
    assert!((0.35..0.65).contains(&mean), "{areas:?}");
    assert!(decided <= 6 * GROUPS * EACH / 10, "{decided} verdicts without reason");
}

#[test]
fn a_known_game_is_judged_by_models_that_have_not_seen_its_group() {
    // In the last group the attribute says the opposite.
    let is_odd = |group: usize| group == GROUPS - 1;
    let turned = |group: usize, n: usize| {
        if is_odd(group) { 1.0 - class(group, n) } else { class(group, n) }
    };
    let data = data(1_000, 0.2, 1);
    let model = trained(std::slice::from_ref(&data), &labels(turned));
    let game = name(GROUPS - 1, 0);
    let row = data.aggregate.games.iter().find(|row| row.game == game).unwrap();
    let row: [f64; 3] = row.attributes.clone().try_into().unwrap();
    let judged = model.judge(&game, &game, &[measurement(&data, &game, row)]);
    let label = |name: Option<&str>| {
        let game = name.map(str::to_owned);
        Some(KnownLabel { playable: false, by: LabelSource::Solution, game })
    };
    assert_eq!(judged.known, label(None));
    // By all other groups it is playable.
    assert!(judged.playable.unwrap().probability > 0.5);
    // The nearest games are ones that the models have seen.
    let seen = |near: &Near| (0..EACH).all(|n| near.game != name(GROUPS - 1, n));
    assert!(judged.nearest.iter().all(seen), "{:?}", judged.nearest);
    // The same game is known under another name: here the board is turned, so games differ move by
    // move.
    let game = name(0, 1);
    let row = data.aggregate.games.iter().find(|row| row.game == game).unwrap();
    let row: [f64; 3] = row.attributes.clone().try_into().unwrap();
    let turned = GameSpec::parse("mnk(rows=4,cols=3,k=3)").unwrap().canonical();
    let mut model = model;
    // The turned board is also known under its own name.
    model.playable[0].basis.games.retain(|known| known.game != turned);
    let judged = model.judge(&turned, &turned, &[measurement(&data, &turned, row)]);
    assert_eq!(judged.known.and_then(|known| known.game), Some(game));
}

#[test]
fn a_game_unlike_all_known_ones_gets_no_verdict() {
    let data = data(1_000, 0.5, 1);
    let model = trained(std::slice::from_ref(&data), &labels(class));
    let judged = |row| {
        let game = "othello";
        model.judge(game, game, &[measurement(&data, game, row)])
    };
    assert!(!judged([1.0, 0.5, 5.0]).outside_training);
    // The first game is beyond the range of every attribute, the second far beyond that of one.
    for row in [[1.5, 1.5, 15.0], [1.0, 0.5, 1_000.0]] {
        let far = judged(row);
        assert!(far.outside_training, "{row:?}");
        assert_eq!(far.verdict, Playability::CannotTell);
        assert!(far.playable.is_some());
    }
}

#[test]
fn a_verdict_that_another_strength_contradicts_is_none() {
    let (weak, strong) = (data(100, 0.5, 1), data(1_000, 0.5, 2));
    // Datasets may be in any order; predictors are sorted by strength.
    let model = trained(&[strong.clone(), weak.clone()], &labels(class));
    let strengths: Vec<u32> =
        model.playable.iter().map(|predictor| predictor.scores.iterations).collect();
    assert_eq!(strengths, [100, 1_000]);
    let judged = |at_weak, at_strong| {
        let game = "othello";
        let of = |data: &TrainingData, signal| measurement(data, game, [signal, 0.5, 5.0]);
        model.judge(game, game, &[of(&weak, at_weak), of(&strong, at_strong)])
    };
    assert_eq!(judged(1.0, 1.0).verdict, Playability::Yes);
    assert_eq!(judged(0.0, 0.0).verdict, Playability::No);
    let split = judged(0.0, 1.0);
    assert_eq!(split.verdict, Playability::CannotTell);
    assert_eq!(split.strengths.len(), 2);
    assert_eq!(split.playable, Some(split.strengths[1].chance));
}

#[test]
fn verdicts_come_from_intervals() {
    use Playability::{CannotTell, No, Yes};
    let of = |low, high| Chance { probability: f64::midpoint(low, high), low, high }.verdict();
    assert_eq!([of(0.6, 0.9), of(0.1, 0.4), of(0.4, 0.9)], [Yes, No, CannotTell]);
    for (verdicts, expected) in [
        (&[][..], CannotTell),
        (&[Yes], Yes),
        (&[CannotTell, Yes], Yes),
        (&[No, Yes], CannotTell),
        (&[Yes, CannotTell], CannotTell),
    ] {
        assert_eq!(Playability::uncontradicted(verdicts), expected, "{verdicts:?}");
    }
}

#[test]
fn training_says_what_it_lacks() {
    let data = data(1_000, 0.5, 1);
    let error = |labels: &Corpus| {
        Trained::playable(std::slice::from_ref(&data), labels, OPTIONS, &()).unwrap_err()
    };
    let one_class = labels(|_, _| 1.0);
    assert_eq!(
        error(&one_class).to_string(),
        "the dataset has 48 playable and 0 unplayable games with labels; at least 10 of each are needed: collect more games, and label them"
    );
    let mut few = labels(class);
    few.games.truncate(12);
    assert!(matches!(error(&few), TrainError::FewLabelled { playable: 6, unplayable: 6 }));
    let mut twice = labels(class);
    let again = twice.games[0].clone();
    twice.games.push(again);
    assert!(matches!(error(&twice), TrainError::Twice(_)));
    let mut one_group = labels(class);
    one_group.games.iter_mut().for_each(|game| "one".clone_into(&mut game.group));
    assert_eq!(
        error(&one_group).to_string(),
        "all 48 labelled games of the dataset are of the `group` \"one\"; at least two groups are needed"
    );
    let mut no_game = labels(class);
    "no_game".clone_into(&mut no_game.games[0].game);
    assert!(error(&no_game).to_string().contains("no_game"));
}

/// Ratings of all games, computed from their attributes by `fun`.
fn ratings(data: &TrainingData, fun: impl Fn(&GameAggregate) -> f64) -> HumanRatings {
    let rated = |row: &GameAggregate| RatedGame {
        game: row.game.clone(),
        category: row.game.clone(),
        fun: Some(fun(row)),
        payoff: None,
    };
    HumanRatings { games: data.aggregate.games.iter().map(rated).collect() }
}

/// Planted data with an attribute of games between players.
fn data_of_players() -> TrainingData {
    let mut data = data(10, 0.5, 3);
    let width = data.aggregate.attributes.len();
    "players.random:random.draws".clone_into(&mut data.aggregate.attributes[width - 1]);
    data
}

#[test]
fn ratings_are_predicted_within_the_error_that_is_stated() {
    let data = data_of_players();
    let all = ratings(&data, |row| 20.0 + 6.0 * row.attributes[2]);
    let (known, new): (Vec<_>, Vec<_>) =
        all.games.into_iter().enumerate().partition(|(n, _)| n % 4 != 0);
    let games = |list: Vec<(usize, RatedGame)>| list.into_iter().map(|(_, game)| game).collect();
    let (known, new): (HumanRatings, Vec<RatedGame>) =
        (HumanRatings { games: games(known) }, games(new));
    let trained = Trained::ratings(std::slice::from_ref(&data), &known, OPTIONS, &()).unwrap();
    let [predictor] = &trained.ratings[..] else { panic!("one question was answered") };
    assert!(predictor.scores.r_squared.unwrap().mean > 0.9);
    let rows = |game: &str| predictor.basis.row(&[&data.aggregate], game).unwrap();
    let predicted = new.iter().filter_map(|game| {
        let found = predictor.predict(&rows(&game.game), &game.game)?;
        Some((found, game.fun.unwrap()))
    });
    let predicted: Vec<_> = predicted.collect();
    let inside = |(found, fun): &&(PredictedRating, f64)| (found.low..=found.high).contains(fun);
    let count = predicted.iter().filter(inside).count();
    assert!(predicted.len() >= 10 && count + 2 >= predicted.len(), "{count} of {predicted:?}");
    assert!(predicted.iter().all(|(found, _)| (0.0..=100.0).contains(&found.low)));
    assert!(predicted.iter().all(|(found, _)| found.rated.is_none()));
    // A game far outside the known ones is not predicted.
    assert_eq!(predictor.predict(&[1e6], "othello"), None);
    // A known game is predicted by a model that has not seen it.
    let game = &known.games[5];
    let found = predictor.predict(&rows(&game.game), &game.game).unwrap();
    assert_eq!(found.rated, game.fun);
    assert_eq!(found.mean, predictor.left_out[5].clamp(0.0, 100.0));
    assert_ne!(found.mean, predictor.model.predict(&rows(&game.game)));
}

#[test]
fn ratings_that_say_nothing_are_errors() {
    let data = data_of_players();
    let error = |ratings: &HumanRatings| {
        Trained::ratings(std::slice::from_ref(&data), ratings, OPTIONS, &())
            .unwrap_err()
            .to_string()
    };
    let constant = ratings(&data, |_| 50.0);
    assert_eq!(
        error(&constant),
        "the fun of all games is rated the same, so there is nothing to predict"
    );
    let mut few = ratings(&data, |row| row.attributes[2]);
    few.games.truncate(3);
    assert!(error(&few).starts_with("too few rated games: the datasets have 3, and at least"));
}

#[test]
fn a_model_takes_what_it_lacks_from_another_one() {
    let data = data(1_000, 0.5, 1);
    let players = data_of_players();
    let ratings = ratings(&players, |row| 20.0 + 6.0 * row.attributes[2]);
    let of_ratings = Trained::ratings(std::slice::from_ref(&players), &ratings, OPTIONS, &())
        .unwrap()
        .model("fun".to_owned(), None, None);
    let both = Trained::playable(std::slice::from_ref(&data), &labels(class), OPTIONS, &())
        .unwrap()
        .model("both".to_owned(), Some("2026-01-01".to_owned()), Some(of_ratings.clone()));
    assert_eq!(both.ratings, of_ratings.ratings);
    let iterations: Vec<u32> = both.plans().iter().map(|plan| plan.header.iterations).collect();
    assert_eq!(iterations, [10, 1_000]);
    // Ratings are predicted only for families that people rated.
    let plans = both.plans();
    assert!(both.asks(plans[0], "mnk(rows=9,cols=9)") && !both.asks(plans[0], "othello"));
    assert!(both.asks(plans[1], "othello"));
    let card = both.card("0".to_owned());
    let predicts: Vec<Predicts> = card.trained_on.iter().map(|one| one.predicts).collect();
    assert_eq!(predicts, [Predicts::Playable, Predicts::Fun]);
    let digests: BTreeSet<&str> = card.trained_on.iter().map(|one| one.digest.as_str()).collect();
    assert!(digests.len() == 2 && digests.iter().all(|digest| digest.len() == 16));
}

#[test]
fn a_damaged_model_is_refused() {
    let data = data(1_000, 0.5, 1);
    let model = trained(std::slice::from_ref(&data), &labels(class));
    assert_eq!(model.check(), Ok(()));
    let text = serde_json::to_string(&model).unwrap();
    assert_eq!(serde_json::from_str::<Model>(&text).unwrap(), model);
    type Damage = fn(&mut Model);
    let damages: [(Damage, &str); 15] = [
        (
            |m| m.playable[0].basis.data[0].instances = 1_000_000_000,
            "1000000000 instances, and 1000000 are the most",
        ),
        (
            |m| m.playable[0].basis.data[0].header.iterations = u32::MAX,
            "4294967295 iterations, and 40000000 are the most",
        ),
        (|m| m.playable[0].basis.data[0].header.cp = -1.0, "C_p = -1"),
        (
            |m| {
                let players = (1..=17).map(|n| format!("uct(iterations={n})"));
                m.playable[0].basis.data[0].header.players = players.collect();
            },
            "17 players, and 16 are the most",
        ),
        (
            |m| "wurst.mean".clone_into(&mut m.playable[0].basis.attributes[0].name),
            "this program does not know its attribute \"wurst.mean\"",
        ),
        (
            |m| "rules.wurst".clone_into(&mut m.playable[0].basis.attributes[0].name),
            "this program does not know its attribute \"rules.wurst\"",
        ),
        (|m| m.playable.clear(), "predicts nothing"),
        (|m| m.playable[0].basis.games[3].row.truncate(2), "has other attributes than the rest"),
        (|m| m.playable[0].basis.games[3].row[0] = f32::NAN, "not finite"),
        (|m| m.playable[0].basis.attributes[0].data = 7, "refers to a missing dataset"),
        (|m| m.playable[0].basis.games.clear(), "games or attributes are missing"),
        (|m| m.playable[0].basis.data[0].instances = 0, "no iterations or no instances"),
        (
            |m| "wurst".clone_into(&mut m.playable[0].basis.data[0].header.features[3]),
            "this program does not know its tree feature \"wurst\"",
        ),
        (|m| m.playable[0].standards[0].draws.truncate(1), "lacks the calibration of a model"),
        (|m| m.playable[0].standards.clear(), "lacks the calibration of a model"),
    ];
    for (damage, why) in damages {
        let mut damaged = model.clone();
        damage(&mut damaged);
        let found = damaged.check().unwrap_err();
        assert!(found.contains(why), "{found}, and not {why}");
    }
    // A program with more features than the one that trained the model can use it.
    let mut older = model;
    older.playable[0].basis.data[0].header.features.pop();
    "rules.k1".clone_into(&mut older.playable[0].basis.attributes[0].name);
    assert_eq!(older.check(), Ok(()));
}

#[test]
fn reasons_name_the_values_of_both_classes() {
    let data = data(1_000, 0.5, 1);
    let model = trained(std::slice::from_ref(&data), &labels(class));
    let judged =
        model.judge("othello", "othello", &[measurement(&data, "othello", [0.0, 0.5, 5.0])]);
    let words = &judged.reasons[0].words;
    assert!(words.contains("(worst) 0; the middle half of playable games 0."), "{words}");
    assert!(words.contains(", of unplayable games -0."), "{words}");
}

/// Keeps instances in memory.
#[derive(Default)]
struct Kept(Mutex<Vec<Instance>>);

impl PieceSink<Instance> for Kept {
    fn keep(&self, instance: &Instance) {
        self.0.lock().unwrap().push(instance.clone());
    }
}

#[test]
fn a_measurement_does_not_depend_on_the_games_beside_it() {
    let plan = DataPlan {
        header: DatasetHeader::of(&CollectPlan { iterations: 20, ..CollectPlan::default() }),
        instances: 7,
    };
    let measured = |games: &[&str]| {
        let engines: Vec<_> = games
            .iter()
            .map(|text| treegauge_engine::open(&GameSpec::parse(text).unwrap()).unwrap())
            .collect();
        let kept = Kept::default();
        collect(&engines, &plan.collect_plan(5).unwrap(), 9, &FxHashSet::default(), &kept, &());
        let mut all = kept.0.into_inner().unwrap();
        all.sort_by_key(Instance::key);
        let mut measuring = Measuring::new(&plan);
        all.iter().for_each(|instance| measuring.add(instance));
        measuring.finish()
    };
    let (alone, beside) = (measured(&["tic_tac_toe"]), measured(&["achi", "tic_tac_toe"]));
    let row = |aggregate: &Aggregate| {
        let row = aggregate.games.iter().find(|row| row.game.starts_with("tic_tac_toe")).unwrap();
        let tree = aggregate.attributes.iter().position(|name| name == "worst.mean").unwrap();
        (row.instances, row.attributes[tree])
    };
    assert_eq!(row(&alone.whole), row(&beside.whole));
    assert_eq!(row(&alone.whole).0, 7);
    // With seven instances, two of the parts have two.
    let left: Vec<u64> = alone.without_parts.iter().map(|part| row(part).0).collect();
    assert_eq!(left, [5, 5, 6, 6, 6]);
}

#[test]
fn pairs_of_unseen_families_are_counted() {
    let data = data(1_000, 0.5, 1);
    let model = trained(std::slice::from_ref(&data), &labels(class));
    let pairs = model.playable[0].pairs().unwrap();
    // The first groups are labelled by origin: three played and three broken games each.
    let of_origin = (GROUPS / 2 * 9) as u32;
    assert_eq!(
        (pairs.all.pairs, pairs.unanimous.pairs + pairs.divided.pairs),
        (of_origin, of_origin)
    );
    assert!(pairs.all.right >= 0.9 * f64::from(of_origin), "{pairs:?}");
    assert!(pairs.all.share.low < pairs.all.share.mean);
    let [other] = &pairs.kinds[..] else { panic!("{pairs:?}") };
    assert_eq!((other.kind.as_str(), other.pairs, other.families.len()), ("other", of_origin, 4));
    assert!(!other.is_doubtful());
    // Where the labels are turned, the order is wrong in as many pairs.
    let is_odd = |group: usize| group < 2;
    let turned =
        labels(|group, n| if is_odd(group) { 1.0 - class(group, n) } else { class(group, n) });
    let model = trained(std::slice::from_ref(&data), &turned);
    let pairs = model.playable[0].pairs().unwrap();
    let odd: Vec<f64> = pairs.kinds[0].families.iter().map(|family| family.right).collect();
    assert!(odd[..2].iter().sum::<f64>() < 9.0 && odd[2..].iter().sum::<f64>() > 9.0, "{odd:?}");
    // A model without labels by origin has none.
    let mut solved = labels(class);
    solved.games.iter_mut().for_each(|game| game.by = LabelSource::Solution);
    assert_eq!(trained(std::slice::from_ref(&data), &solved).playable[0].pairs(), None);
}

#[test]
fn variants_are_put_in_order_within_their_family() {
    let row = |game: &str, probability: f64| VettedGame {
        playable: Some(Chance { probability, low: 0.0, high: 1.0 }),
        ..VettedGame::unrated(game, None)
    };
    let flaw = PlainFlaw { flaw: PlainFlawKind::NoChoice, words: "nothing matters".to_owned() };
    let flawed = |game: &str| VettedGame::flawed(game, flaw.clone());
    let rows = [
        row("race(n=1)", 0.2),
        row("other", 0.5),
        flawed("race(n=2)"),
        row("race(n=3)", 0.7),
        row("race(n=4)", 0.1),
        VettedGame::unrated("race(n=5)", Some("it is over at its start".to_owned())),
    ];
    let votes = [
        vec![Some(0.3), Some(0.2), None, Some(0.1)],
        vec![Some(0.5); 4],
        Vec::new(),
        vec![Some(0.8), Some(0.9), Some(0.1), Some(0.6)],
        vec![Some(0.2), Some(0.4), Some(0.1), Some(0.0)],
        Vec::new(),
    ];
    let variants: Vec<Variant<'_>> = rows
        .iter()
        .zip(&votes)
        .map(|(row, votes)| Variant {
            key: row.game.split('(').next().unwrap().to_owned(),
            family: row.game.split('(').next().unwrap().to_owned(),
            kind: Some("race"),
            row,
            votes,
        })
        .collect();
    let score = |pairs, right, mean| PairScore {
        pairs,
        right,
        share: Estimate { mean: Some(mean), low: Some(0.1), high: Some(0.95), n: 3 },
    };
    let kind = KindPairs { kind: "race".to_owned(), pairs: 4, right: 1.0, families: Vec::new() };
    let scores = PairScores {
        all: score(20, 15.0, 0.75),
        unanimous: score(10, 9.0, 0.9),
        divided: score(10, 6.0, 0.6),
        kinds: vec![kind],
    };
    let orders = family_orders(&variants, Some(&scores));
    let [order] = &orders[..] else { panic!("{orders:?}") };
    assert_eq!((order.family.as_str(), order.doubtful.as_deref()), ("race", Some("race")));
    assert_eq!(order.games, ["race(n=3)", "race(n=1)", "race(n=4)", "race(n=2)"]);
    let agree: Vec<Option<f64>> = order.pairs.iter().map(|pair| pair.agree).collect();
    // Three parts predict both of the first two games, and the same for the next two.
    assert_eq!(agree, [Some(1.0), Some(2.0 / 3.0), None]);
    let right: Vec<Option<f64>> =
        order.pairs.iter().map(|pair| pair.right.and_then(|right| right.mean)).collect();
    assert_eq!(right, [Some(0.9), Some(0.6), None]);
    let [order] = &family_orders(&variants, None)[..] else { panic!("one family") };
    assert_eq!((&order.doubtful, order.pairs[0].right), (&None, None));
    // Games with plain flaws have no order among themselves.
    let rows = [flawed("race(n=2)"), row("race(n=3)", 0.7), flawed("race(n=6)")];
    let of = |row| Variant {
        key: "race".to_owned(),
        family: "race".to_owned(),
        kind: Some("race"),
        row,
        votes: &[],
    };
    let variants: Vec<Variant<'_>> = rows.iter().map(of).collect();
    let [order] = &family_orders(&variants, Some(&scores))[..] else { panic!("one family") };
    assert_eq!(order.games, ["race(n=3)", "race(n=2)", "race(n=6)"]);
    let pairs = |order: &FamilyOrder| -> Vec<(String, String)> {
        order.pairs.iter().map(|pair| (pair.better.clone(), pair.worse.clone())).collect()
    };
    assert_eq!(pairs(order), [("race(n=3)".to_owned(), "race(n=2)".to_owned())]);
    let variants: Vec<Variant<'_>> = rows.iter().step_by(2).map(of).collect();
    let [order] = &family_orders(&variants, Some(&scores))[..] else { panic!("one family") };
    assert_eq!((&order.doubtful, pairs(order)), (&None, Vec::new()));
}
