//! Evaluations of planted data.

use std::sync::atomic::{AtomicU64, Ordering};

use treegauge_core::{Phase, Progress};
use treegauge_gauge::vetted::LabelSource;
use treegauge_learn::Random;

use super::*;
use crate::LabelledGame;
use crate::aggregate::{GameAggregate, GameResults, attribute_names};

const GROUPS: usize = 6;
const EACH: usize = 4;

/// Signal in one attribute of a game.
#[derive(Clone, Copy)]
enum Planted {
    /// Class of the game.
    Class,
    /// Group of the game, so that twins are known by each other.
    Group,
    /// Noise only.
    Noise,
}

fn name(group: usize, n: usize) -> String {
    format!("mnk(rows={},cols={},k=3)", 3 + group, 3 + n)
}

/// Class of a game. With a planted group, all games of a group have one class.
fn class(planted: Planted, group: usize, n: usize) -> bool {
    match planted {
        Planted::Group => (group * 7 % 5).is_multiple_of(2),
        Planted::Class | Planted::Noise => n.is_multiple_of(2),
    }
}

/// Table of attributes of trees, all noise but one, and its labels.
fn table(planted: Planted, seed: u64) -> (Aggregate, Corpus) {
    table_of(EACH, planted, seed)
}

/// As `table`, with `each` games in each group.
fn table_of(each: usize, planted: Planted, seed: u64) -> (Aggregate, Corpus) {
    let few = |name: &String| ["worst.", "spread."].iter().any(|few| name.contains(few));
    let attributes: Vec<String> = attribute_names().into_iter().filter(few).collect();
    let told = attributes.iter().position(|name| name == "worst.mean").unwrap();
    let mut random = Random::new(seed);
    let mut games = Vec::new();
    let mut labels = Vec::new();
    for (group, n) in (0..GROUPS).flat_map(|group| (0..each).map(move |n| (group, n))) {
        let mut row: Vec<f64> = attributes.iter().map(|_| random.share()).collect();
        match planted {
            Planted::Class => row[told] = f64::from(u8::from(class(planted, group, n))),
            Planted::Group => row[told] = 10.0 * group as f64,
            Planted::Noise => {}
        }
        games.push(GameAggregate {
            game: GameSpec::parse(&name(group, n)).unwrap().canonical(),
            instances: 5,
            trees: 50,
            results: Some(GameResults::default()),
            attributes: row,
        });
        labels.push(LabelledGame {
            game: name(group, n),
            name: None,
            playable: class(planted, group, n),
            rating: (matches!(planted, Planted::Class) && n == 0).then_some(group as f64),
            group: group.to_string(),
            by: LabelSource::Origin,
            says: None,
            here: None,
            reason: None,
            solved: None,
        });
    }
    (Aggregate { iterations: 1_000, attributes, games }, Corpus { games: labels })
}

const OPTIONS: EvaluateOptions =
    EvaluateOptions { seed: 1, draws: 200, permutations: 19, networks: false };

/// For tests that ask for no permutations, which take most of the time.
const UNPERMUTED: EvaluateOptions = EvaluateOptions { permutations: 0, ..OPTIONS };

/// Greatest costs of fits that were reported as done and as planned.
#[derive(Default)]
struct Costs {
    done: AtomicU64,
    planned: AtomicU64,
}

impl Watch for Costs {
    fn progress(&self, progress: Progress) {
        assert_eq!(progress.phase, Phase::Fits);
        self.done.fetch_max(progress.done, Ordering::Relaxed);
        self.planned.fetch_max(progress.known, Ordering::Relaxed);
    }
}

/// Report on planted data; checks that exactly the planned fits are made.
fn evaluated(options: EvaluateOptions, planted: Planted, seed: u64) -> EvaluateReport {
    let (table, labels) = table(planted, seed);
    evaluated_by(options, table, &labels)
}

fn evaluated_by(options: EvaluateOptions, table: Aggregate, labels: &Corpus) -> EvaluateReport {
    let cost_of = |split: Split| {
        labelled(&table, labels, &split.sources(Shapes::Trees)).unwrap().cost(&options, 0)
    };
    let planned: u64 = Split::BOTH.into_iter().map(cost_of).sum();
    let costs = Costs::default();
    let report = evaluate(&[table], labels, options, &costs).unwrap();
    let [done, known] = [costs.done, costs.planned].map(AtomicU64::into_inner);
    assert_eq!([done, known], [planned; 2]);
    report
}

#[test]
fn baselines_show_what_the_length_of_games_tells_without_trees() {
    let (mut table, labels) = table(Planted::Noise, 3);
    for (game, label) in table.games.iter_mut().zip(&labels.games) {
        game.trees = if label.playable { 100 } else { 20 };
        let [first_wins, draws, second_wins] = [3, 1, 1];
        let (plies_min, plies_max) = (1, 30);
        let results = GameResults { first_wins, draws, second_wins, plies_min, plies_max };
        game.results = Some(results);
    }
    let report = evaluated_by(UNPERMUTED, table, &labels);
    for split in Split::BOTH {
        let of = |attributes: BaselineAttributes| {
            let is_it = |one: &&Baseline| (one.split, one.attributes) == (split, attributes);
            report.baselines.iter().find(is_it).unwrap()
        };
        let right = |attributes| of(attributes).accuracy.unwrap().mean;
        assert_eq!(right(BaselineAttributes::Length), 1.0);
        assert_eq!(right(BaselineAttributes::Play), 1.0);
        assert_eq!(of(BaselineAttributes::Length).unplayable_found.unwrap().mean, 1.0);
        // All games have the same results, and trees are noise.
        assert!(right(BaselineAttributes::Draws) <= 0.5);
        assert!(right(BaselineAttributes::Bias) <= 0.5);
        assert!(right(BaselineAttributes::Trees) < 0.8);
        let gain = report.trees_gain.iter().find(|gain| gain.split == split).unwrap();
        assert!(gain.accuracy.unwrap().mean <= 0.0 && gain.auc.unwrap().mean <= 0.0, "{gain:?}");
    }
    assert_eq!(report.baselines.len(), 2 * BaselineAttributes::ALL.len());
}

#[test]
fn networks_find_planted_classes_and_nothing_in_noise() {
    let accuracies = |planted| {
        let (table, labels) = table(planted, 3);
        let options = EvaluateOptions { networks: true, ..UNPERMUTED };
        let report = evaluated_by(options, table, &labels);
        // Of ratings there are enough in one table only.
        let is_rated = matches!(planted, Planted::Class);
        assert_eq!(report.networks.len(), if is_rated { 8 } else { 4 });
        let of = |protocol| {
            let is_it = |one: &&NetworksResult| {
                (one.split, one.protocol) == (Split::None, protocol)
                    && one.target == NetworkTarget::Playable
            };
            report.networks.iter().find(is_it).unwrap().clone()
        };
        [Protocol::LeaveOneOut, Protocol::Grouped].map(of)
    };
    for one in accuracies(Planted::Class) {
        let best = one.best().unwrap().agreement.unwrap();
        assert!(best.mean > 0.8 && one.chosen.unwrap().mean > 0.75, "{one:?}");
        assert!(one.networks.iter().all(|other| other.agreement.unwrap().mean <= best.mean));
        let counts: f64 = one.networks.iter().flat_map(|one| one.counts.iter().flatten()).sum();
        assert!((counts - (one.games * one.networks.len()) as f64).abs() < 1e-6);
        assert_eq!(one.repeats, REPEATS);
    }
    for one in accuracies(Planted::Noise) {
        assert!(one.chosen.unwrap().mean < 0.75, "{one:?}");
    }
}

fn of<'a>(report: &'a EvaluateReport, learner: &str, protocol: Protocol) -> &'a ClassResult {
    let is = |one: &&ClassResult| {
        one.learner == learner && one.protocol == protocol && one.split == Split::None
    };
    report.results.iter().find(is).unwrap()
}

fn auc_of(report: &EvaluateReport, learner: &str, protocol: Protocol) -> f64 {
    of(report, learner, protocol).auc.unwrap().mean
}

#[test]
fn labels_of_many_games_are_permuted_by_ten_folds() {
    let (table, labels) = table_of(17, Planted::Class, 1);
    let known = labelled(&table, &labels, &Split::None.sources(Shapes::Trees)).unwrap();
    let cost = |permutations| known.cost(&EvaluateOptions { permutations, ..OPTIONS }, 0);
    let all = contenders(&known.table);
    let of_source: u64 = all.iter().filter(|one| one.of_source).map(|one| one.cost).sum();
    assert_eq!(cost(3) - cost(0), of_source * (3 + 1) * 10);

    let costs = Costs::default();
    let rows = known.table.rows().collect();
    let Labelled { playable, groups, .. } = &known;
    let examples = Examples::new(Task::Classes, rows, playable.clone(), groups.clone()).unwrap();
    assert_eq!(examples.len(), 102);
    let Contender { learner, cost, .. } = contenders(&known.table).remove(0);
    let evaluation = Evaluation {
        iterations: table.iterations,
        split: Split::None,
        shapes: Shapes::Trees,
        known: labelled(&table, &labels, &Split::None.sources(Shapes::Trees)).unwrap(),
        resampled: Vec::new(),
        options: OPTIONS,
        is_of_source: false,
        fits: &Fits::new(10, &costs),
    };
    assert_eq!(evaluation.accuracy(&*learner, cost, &examples).unwrap(), 1.0);
    assert_eq!(costs.done.into_inner(), 10 * cost);
}

#[test]
fn an_attribute_that_says_the_class_is_found() {
    let report = evaluated(OPTIONS, Planted::Class, 1);
    for protocol in [Protocol::LeaveOneOut, Protocol::Grouped] {
        assert_eq!(of(&report, "tree", protocol).confusion.counts, [[12.0, 0.0], [0.0, 12.0]]);
    }
    assert!(auc_of(&report, "best", Protocol::Nested) > 0.95);
    let tree = of(&report, "tree", Protocol::LeaveOneOut);
    assert!((tree.permutation_p.unwrap() - 0.05).abs() < 1e-9, "the least of 19 permutations");
    assert!(tree.p.unwrap() < 0.001);
    let picture = report.trees.iter().find(|tree| tree.split == Split::None).unwrap();
    assert_eq!(picture.used[0].attribute, "worst.mean");
    assert_eq!(picture.used.len(), 1);
    // Published results are about other games.
    assert!(report.results.iter().all(|result| result.published.is_none()));
    assert!(report.observed.is_empty());
}

#[test]
fn noise_is_found_to_say_nothing() {
    let reports = [1, 2, 3, 4].map(|seed| evaluated(UNPERMUTED, Planted::Noise, seed));
    let mean = |learner: &str, protocol: Protocol| {
        reports.iter().map(|report| auc_of(report, learner, protocol)).sum::<f64>() / 4.0
    };
    // A choice among learners or attributes finds nothing of value in 8 attributes of 24 games.
    let nested = mean("best", Protocol::Nested);
    assert!((0.25..0.68).contains(&nested), "{nested}");
    let selected = mean("best_attribute", Protocol::LeaveOneOut);
    assert!(selected < 0.68, "{selected}");
}

#[test]
fn what_twins_say_of_each_other_is_seen_by_leaving_groups_out() {
    let report = evaluated(UNPERMUTED, Planted::Group, 1);
    let tree = |protocol| auc_of(&report, "tree", protocol);
    assert!(tree(Protocol::LeaveOneOut) > 0.9, "{}", tree(Protocol::LeaveOneOut));
    assert!(tree(Protocol::Grouped) < 0.7, "{}", tree(Protocol::Grouped));
}

#[test]
fn labels_and_games_that_do_not_fit_are_errors() {
    let (table, labels) = table(Planted::Class, 1);
    let error = |table: &Aggregate, labels: &Corpus| {
        evaluate(std::slice::from_ref(table), labels, OPTIONS, &()).unwrap_err().to_string()
    };
    let change = |change: &dyn Fn(&mut Corpus)| {
        let mut changed = labels.clone();
        change(&mut changed);
        error(&table, &changed)
    };
    let found = change(&|labels| "no_game".clone_into(&mut labels.games[2].game));
    assert!(found.contains("\"no_game\" of the labels"), "{found}");
    let found = change(&|labels| {
        let mut again = labels.games[0].clone();
        "mnk(cols=3,rows=3,k=3)".clone_into(&mut again.game);
        labels.games.push(again);
    });
    assert!(found.contains("are the same game"), "{found}");
    let found = change(&|labels| labels.games.iter_mut().for_each(|game| game.playable = true));
    assert!(found.contains("24 playable and 0 unplayable"), "{found}");
    let found = change(&|labels| labels.games.clear());
    assert!(found.contains("0 playable and 0 unplayable"), "{found}");
    let only_play = table.only(&[Source::Play]);
    assert!(error(&only_play, &labels).contains("no attribute of search trees"));
    let mut infinite = table.clone();
    infinite.games[0].attributes[0] = f64::INFINITY;
    assert!(error(&infinite, &labels).contains("finite"), "{}", error(&infinite, &labels));
}

#[test]
fn constant_attributes_are_no_error_and_say_nothing() {
    let (mut table, labels) = table(Planted::Noise, 1);
    table.games.iter_mut().for_each(|game| game.attributes.fill(2.5));
    let report = evaluate(&[table], &labels, OPTIONS, &()).unwrap();
    for result in &report.results {
        let (learner, auc) = (&result.learner, result.auc.unwrap().mean);
        assert!(auc <= 0.5 + 1e-9, "{learner}: {auc}");
    }
}

#[test]
fn resamples_of_self_play_widen_intervals_and_move_no_score() {
    let (dataset, labels) = table(Planted::Class, 1);
    // Resamples in which the planted attribute says the opposite for the games of some groups.
    let told = dataset.attributes.iter().position(|name| name == "worst.mean").unwrap();
    let turned = |groups: usize| {
        let mut turned = dataset.clone();
        let games = turned.games.iter_mut().take(groups * EACH);
        games.for_each(|game| game.attributes[told] = 1.0 - game.attributes[told]);
        turned
    };
    let costs = Costs::default();
    let datasets = std::slice::from_ref(&dataset);
    let run = |resampled: &[Vec<Aggregate>]| {
        evaluate_resampled(datasets, resampled, &labels, UNPERMUTED, &costs).unwrap()
    };
    let plain = evaluate(datasets, &labels, UNPERMUTED, &()).unwrap();
    assert_eq!(run(&[]), plain);
    let alike = run(&[vec![dataset.clone(), dataset.clone()]]);
    assert_eq!(alike.play_resamples, 2);
    assert_eq!(EvaluateReport { play_resamples: 0, ..alike }, plain, "nothing differs");
    let [done, planned] = [&costs.done, &costs.planned].map(|cost| cost.load(Ordering::Relaxed));
    assert_eq!(done, planned);

    let varied = run(&[vec![turned(3), turned(0), turned(3)]]);
    let of = |report: &EvaluateReport| {
        let best = report.results.iter().find(|one| one.learner == "tree").unwrap();
        best.accuracy.unwrap()
    };
    assert_eq!(of(&varied).mean, of(&plain).mean);
    assert_eq!(of(&plain).low, 1.0, "the planted attribute tells all classes");
    assert!(of(&varied).low < 0.7, "{:?}", of(&varied));
}

#[test]
fn results_that_could_not_be_told_apart_are_refused() {
    let (dataset, labels) = table(Planted::Class, 1);
    let run = |datasets: &[Aggregate], labels: &Corpus| evaluate(datasets, labels, UNPERMUTED, &());
    // The same dataset twice, after one with other iterations.
    let other = Aggregate { iterations: 10, ..dataset.clone() };
    let error = run(&[other, dataset.clone(), dataset.clone()], &labels).unwrap_err();
    assert!(matches!(error, EvaluateError::Alike { places: [1, 2], iterations: 1_000 }), "{error}");
    // A table of one split is evaluated for that split; two tables together have both.
    let parts = [Source::Trees, Source::TreesByPlayer].map(|source| dataset.only(&[source]));
    let of_player = run(&parts[1..], &labels).unwrap();
    assert!(of_player.games.iter().all(|games| games.split == Split::Player));
    assert_eq!(
        run(&parts, &labels).unwrap().results,
        run(std::slice::from_ref(&dataset), &labels).unwrap().results
    );
    let mut one_group = labels;
    one_group.games.iter_mut().for_each(|game| "one".clone_into(&mut game.group));
    assert!(
        run(&[dataset], &one_group).unwrap_err().to_string().contains("of the `group` \"one\"")
    );
}

#[test]
fn results_stand_in_the_order_of_the_iterations() {
    let (dataset, labels) = table(Planted::Class, 1);
    let few = Aggregate { iterations: 10, ..dataset.clone() };
    let options = UNPERMUTED;
    let report = evaluate(&[dataset, few], &labels, options, &()).unwrap();
    let mut order: Vec<u32> = report.results.iter().map(|result| result.iterations).collect();
    order.dedup();
    assert_eq!(order, [10, 1_000]);
}

/// Dataset with planted signals in its trees and webs, and its labels.
fn with_webs(trees: Planted, webs: Planted) -> (Aggregate, Corpus) {
    let (of_trees, labels) = table(trees, 1);
    let (of_webs, _) = table(webs, 2);
    (of_trees.with_webs(&of_webs).unwrap(), labels)
}

#[test]
fn webs_stand_beside_trees_and_both_together() {
    let (dataset, labels) = with_webs(Planted::Noise, Planted::Class);
    let options = UNPERMUTED;
    let report = evaluate(std::slice::from_ref(&dataset), &labels, options, &()).unwrap();
    let seen: Vec<_> = report.games.iter().map(|games| (games.split, games.shapes)).collect();
    let all = |split| Shapes::ALL.map(|shapes| (split, shapes));
    assert_eq!(seen, [all(Split::None), all(Split::Player)].concat());
    let best = |shapes| {
        let is = |one: &&ShapesDifference| {
            one.shapes == shapes && one.split == Split::None && one.protocol == Protocol::Nested
        };
        let found = report.shapes.iter().find(is).unwrap();
        (found.accuracy.unwrap(), found.auc.unwrap())
    };
    for shapes in [Shapes::Webs, Shapes::Both] {
        let (accuracy, area) = best(shapes);
        assert!(accuracy.low > 0.0 && area.low > 0.0, "{shapes:?}: {accuracy:?} {area:?}");
    }
    let of_trees = |one: &&ShapesDifference| one.shapes == Shapes::Trees;
    assert_eq!(report.shapes.iter().filter(of_trees).count(), 0);
    // Results for trees are the same as without the webs.
    let (plain, _) = table(Planted::Noise, 1);
    let plain = evaluate(&[plain], &labels, options, &()).unwrap();
    let trees = report.results.iter().filter(|result| result.shapes == Shapes::Trees);
    assert!(trees.eq(plain.results.iter()));
    assert!(plain.shapes.is_empty());
}

#[test]
fn the_same_attributes_make_no_difference() {
    let (of_trees, labels) = table(Planted::Class, 1);
    let dataset = of_trees.clone().with_webs(&of_trees).unwrap();
    let options = UNPERMUTED;
    let report = evaluate(&[dataset], &labels, options, &()).unwrap();
    let webs = report.shapes.iter().filter(|one| one.shapes == Shapes::Webs);
    for ShapesDifference { learner, accuracy, auc, .. } in webs {
        for score in [accuracy, auc] {
            let score = score.unwrap();
            assert_eq!((score.mean, score.low, score.high), (0.0, 0.0, 0.0), "{learner}");
        }
    }
}

#[test]
fn webs_of_other_searches_or_games_are_refused() {
    let (trees, _) = table(Planted::Noise, 1);
    let other = Aggregate { iterations: 10, ..trees.clone() };
    let error = trees.clone().with_webs(&other).unwrap_err().to_string();
    assert_eq!(error, "the webs have 10 iterations per move and the trees 1000");
    let mut fewer = trees.clone();
    let lost = fewer.games.pop().unwrap().game;
    let error = trees.clone().with_webs(&fewer).unwrap_err().to_string();
    assert_eq!(error, format!("the webs of {lost} are missing"));
    // Games that only the webs have are left out.
    let games = fewer.games.len();
    assert_eq!(fewer.with_webs(&trees).unwrap().games.len(), games);
}
