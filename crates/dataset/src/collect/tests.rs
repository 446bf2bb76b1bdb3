//! Collections that are split into parts, stopped and continued.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::ThreadPoolBuilder;
use treegauge_catalog::GameSpec;
use treegauge_core::Player;
use treegauge_store::journal::Piece;

use super::*;
use crate::aggregate::{
    Aggregate, Aggregator, GameAggregate, Resampler, Source, Split, attribute_names,
};

fn games(names: &[&str]) -> Vec<Arc<dyn Engine>> {
    names
        .iter()
        .map(|name| treegauge_engine::open(&GameSpec::parse(name).unwrap()).unwrap())
        .collect()
}

const GAMES: [&str; 3] = ["tic_tac_toe", "dots_and_boxes(rows=2,cols=2)", "broken_achi"];

fn plan() -> CollectPlan {
    CollectPlan { iterations: 40, instances: 5, seed: 3, ..CollectPlan::default() }
}

/// Keeps instances in memory, and stops the run after a number of them.
struct Kept {
    instances: Mutex<Vec<Instance>>,
    left: AtomicU32,
}

impl Kept {
    fn up_to(left: u32) -> Kept {
        Kept { instances: Mutex::default(), left: left.into() }
    }

    fn sorted(self) -> Vec<Instance> {
        let mut instances = self.instances.into_inner().unwrap();
        instances.sort_by_key(Instance::key);
        instances
    }
}

impl PieceSink<Instance> for Kept {
    fn keep(&self, instance: &Instance) {
        self.left.fetch_sub(1, Ordering::Relaxed);
        self.instances.lock().unwrap().push(instance.clone());
    }
}

impl Watch for Kept {
    fn stop(&self) -> bool {
        // Counting below 0 wraps around.
        !(1..u32::MAX / 2).contains(&self.left.load(Ordering::Relaxed))
    }
}

fn collected(names: &[&str], plan: &CollectPlan) -> Vec<Instance> {
    let kept = Kept::up_to(1_000);
    let done = collect(&games(names), plan, names.len(), &FxHashSet::default(), &kept, &kept);
    assert!(done.is_complete());
    kept.sorted()
}

#[test]
fn an_instance_depends_on_nothing_but_its_own_number() {
    let all = collected(&GAMES, &plan());
    assert_eq!(all.len(), 15);
    let run = |threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| collected(&GAMES, &plan()))
    };
    assert!(run(1) == all && run(4) == all);
    // Other games beside it, more instances, and shards make no difference.
    let alone = collected(&GAMES[1..2], &CollectPlan { instances: 2, ..plan() });
    assert!(alone.iter().all(|instance| all.contains(instance)));
    let parts = (0..3).flat_map(|index| {
        collected(&GAMES, &CollectPlan { shard: Shard { index, count: 3 }, ..plan() })
    });
    let mut parts: Vec<Instance> = parts.collect();
    parts.sort_by_key(Instance::key);
    assert!(parts == all);
    // Seeds depend on everything that identifies an instance.
    let seeds: BTreeSet<u64> = all.iter().map(|instance| instance.seed).collect();
    assert_eq!(seeds.len(), 15);
    for other in [CollectPlan { seed: 4, ..plan() }, CollectPlan { iterations: 41, ..plan() }] {
        assert!(collected(&GAMES, &other).iter().all(|one| !seeds.contains(&one.seed)));
    }
}

#[test]
fn a_stopped_collection_continues() {
    let all = collected(&GAMES, &plan());
    let first = Kept::up_to(4);
    let done = collect(&games(&GAMES), &plan(), GAMES.len(), &FxHashSet::default(), &first, &first);
    assert_eq!(done.planned, 15);
    assert!(!done.is_complete() && done.played >= 4);
    let mut instances = first.sorted();
    let known = instances.iter().map(Instance::key).collect();
    let second = Kept::up_to(1_000);
    let done = collect(&games(&GAMES), &plan(), GAMES.len(), &known, &second, &second);
    assert!(done.is_complete());
    instances.extend(second.sorted());
    instances.sort_by_key(Instance::key);
    assert!(instances == all);
}

#[test]
fn trees_are_those_of_the_searches() {
    let plan = CollectPlan { iterations: 200, instances: 1, ..plan() };
    let all = collected(&["connect_four(cols=4,rows=4)"], &plan);
    let game = &games(&["connect_four(cols=4,rows=4)"])[0];
    let [instance] = &all[..] else { panic!("one instance is planned") };
    // Repeats the searches of the game, with the generator of the instance.
    let mut rng = Seed(instance.seed).generator();
    let mut uct = game.uct(Budget::iterations(200), DEFAULT_CP);
    let mut line = game.start();
    for row in instance.rows() {
        let found = uct.search(&line, &mut rng, &mut || false);
        let shape = uct.shape(ShapeOptions::default()).unwrap();
        let features: Vec<f64> = FEATURES.iter().map(|feature| (feature.of)(&shape)).collect();
        assert_eq!((row.features(), row.player()), (&features[..], line.turn()));
        assert_eq!(row.value(), found.value().unwrap());
        line.play(found.best.unwrap());
    }
    assert_eq!(line.ended(), Some(instance.record.ended));
    assert_eq!(instance.record.opening, Vec::<String>::new());
}

#[test]
fn random_expansion_sees_all_moves_of_a_wide_board() {
    let opening = |expansion| {
        let plan = CollectPlan { iterations: 10, instances: 60, expansion, ..plan() };
        let all = collected(&["mnk(rows=9,cols=9,k=4,ply_cap=2)"], &plan);
        all.iter().map(|one| one.record.plies[0].m.clone()).collect::<BTreeSet<_>>()
    };
    // Ten iterations try nine moves; in the order of the game, those of one side of the board.
    assert!(opening(Expansion::Order).len() <= 9);
    assert!(opening(Expansion::Random).len() > 25);
}

#[test]
fn rows_have_a_cell_for_each_column() {
    let all = collected(&GAMES[..1], &plan());
    let header = DatasetHeader::of(&plan());
    let [trees, instances] = [tree_columns(), instance_columns()];
    for instance in &all {
        assert_eq!(instance_cells(instance, &header).len(), instances.len());
        for row in instance.rows() {
            let cells = tree_cells(&row, &header);
            assert_eq!(cells.len(), trees.len());
            for (cell, column) in cells.iter().zip(&trees) {
                let kind = match cell {
                    TableCell::Text(_) => ColumnType::Text,
                    TableCell::Whole(_) => ColumnType::Whole,
                    TableCell::Real(_) => ColumnType::Real,
                };
                assert_eq!(kind, column.kind, "{}", column.name);
            }
        }
    }
}

#[test]
fn damaged_instances_are_refused() {
    let good = &collected(&GAMES[..1], &plan())[0];
    assert_eq!(good.check(), Ok(()));
    let mut fewer = good.clone();
    fewer.trees.pop();
    let mut short = good.clone();
    short.trees[1].pop();
    let mut wrong = good.clone();
    wrong.trees[0][2] = 1.5;
    for (bad, part) in [(fewer, "trees of"), (short, "15 features"), (wrong, "best of the tree")] {
        let reason = bad.check().unwrap_err();
        assert!(reason.contains(part), "{reason}");
    }
}

fn summed_up(instances: &[Instance]) -> Aggregate {
    let mut folds = Aggregator::new(&DatasetHeader::of(&plan()));
    instances.iter().for_each(|instance| folds.add(instance));
    folds.finish()
}

#[test]
fn attributes_are_those_of_all_trees_of_a_game() {
    let all = collected(&GAMES, &plan());
    let sum = summed_up(&all);
    assert_eq!(sum.games.len(), 3);
    let [unsplit, split] = Split::BOTH.map(|split| sum.table(split).unwrap());
    assert_eq!((unsplit.columns().len(), split.columns().len()), (64, 128));
    for (prefix, player) in
        [("", None), ("first.", Some(Player::First)), ("second.", Some(Player::Second))]
    {
        let table = if player.is_none() { &unsplit } else { &split };
        for game in &sum.games {
            let row = table.find(&game.game).unwrap();
            for (n, feature) in FEATURES.iter().enumerate() {
                let values: Vec<f64> = all
                    .iter()
                    .filter(|instance| instance.game == game.game)
                    .flat_map(Instance::rows)
                    .filter(|row| player.is_none_or(|player| row.player() == player))
                    .map(|row| row.features()[n])
                    .collect();
                let count = values.len() as f64;
                let mean = values.iter().sum::<f64>() / count;
                let squares: f64 = values.iter().map(|x| (x - mean).powi(2)).sum();
                let expected = [
                    ("max", values.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
                    ("min", values.iter().copied().fold(f64::INFINITY, f64::min)),
                    ("mean", mean),
                    ("variance", squares / count),
                ];
                for (summary, expected) in expected {
                    let name = format!("{prefix}{}.{summary}", feature.name);
                    let column = table.columns().iter().position(|one| *one == name).unwrap();
                    let found = table.row(row)[column];
                    assert!((found - expected).abs() < 1e-9, "{name}: {found} is not {expected}");
                }
            }
        }
    }
}

/// Tests whether two rows have the same counts and, but for rounding, the same attributes.
fn is_alike(one: &GameAggregate, other: &GameAggregate) -> bool {
    let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * a.abs().max(1.0);
    (&one.game, one.instances, one.trees, one.results)
        == (&other.game, other.instances, other.trees, other.results)
        && one.attributes.iter().zip(&other.attributes).all(near)
}

#[test]
fn a_resample_is_the_summary_of_instances_drawn_with_replacement() {
    let all = collected(&GAMES, &plan());
    let own: Vec<Instance> = all.iter().filter(|one| one.game == all[0].game).cloned().collect();
    let [one, two, three] = &own[..3] else { panic!("the plan has at least three") };
    let resampler = |instances: &[&Instance]| {
        let mut resampler = Resampler::new(&DatasetHeader::of(&plan()));
        instances.iter().for_each(|instance| resampler.add(instance));
        resampler
    };
    // Three instances have ten samples. Each is summed up here by itself.
    let instances = [one, two, three];
    let mut samples = Vec::new();
    for n in 0..27 {
        let drawn = [n / 9, n / 3 % 3, n % 3].map(|place: usize| instances[place].clone());
        let sum = summed_up(&drawn).only(&[Source::Trees, Source::TreesByPlayer]);
        if !samples.iter().any(|known| is_alike(known, &sum.games[0])) {
            samples.push(sum.games[0].clone());
        }
    }
    let of_three = resampler(&instances);
    let mut found = BTreeSet::new();
    for seed in 0..100 {
        let resample = of_three.resample(seed);
        assert_eq!(resample.attributes, attribute_names());
        assert_eq!(resample, of_three.resample(seed), "a seed has one resample");
        let place = samples.iter().position(|known| is_alike(known, &resample.games[0]));
        found.insert(place.expect("each resample is one of the samples"));
    }
    assert_eq!(found.len(), samples.len(), "all samples are drawn");
    assert!(samples.len() > 3, "the instances differ");
}

#[test]
fn a_table_of_attributes_is_read_back() {
    let sum = summed_up(&collected(&GAMES, &plan()));
    let text = sum.csv();
    assert_eq!(Aggregate::read_csv(text.as_bytes()).unwrap(), sum);
    assert_eq!(sum.only(&[Source::Trees, Source::TreesByPlayer]).attributes, attribute_names());
    let split = sum.only(&[Source::TreesByPlayer]);
    assert_eq!(Aggregate::read_csv(split.csv().as_bytes()).unwrap(), split);
    let refused = |text: &str| Aggregate::read_csv(text.as_bytes()).unwrap_err().to_string();
    let header = "game,iterations,instances,trees,depth.mean\n";
    let row = "othello,10,1,60,3.5\n";
    let cases = [
        ("iterations,trees\n1,2\n".to_owned(), "no column `game`"),
        (header.to_owned(), "has no game"),
        (format!("{header}othello,10,1,60,deep\n"), "line 2: depth.mean is \"deep\""),
        (format!("{header}othello,10,1,60,NaN\n"), "NaN, and numbers must be finite"),
        (format!("{header}othello,10,1,60,inf\n"), "inf, and numbers must be finite"),
        (format!("{header}{row}{row}"), "two rows named \"othello\""),
        (format!("{header}{row}achi,20,1,60,3\n"), "line 3: 20 iterations"),
        (format!("{header}othello,10,1\n"), "fields"),
    ];
    for (text, part) in cases {
        let error = refused(&text);
        assert!(error.contains(part), "{part:?} is not in {error:?}");
    }
}

fn with_players(players: &[&str]) -> CollectPlan {
    let players = players.iter().map(|text| PlayerSpec::parse(text).unwrap()).collect();
    CollectPlan { players, instances: 8, ..plan() }
}

#[test]
fn players_meet_each_other_and_themselves_in_both_seats() {
    let plan = with_players(&["random", "intuitive", "uct(iterations=200)"]);
    let all = collected(&["mnk(rows=3,cols=3,k=3)"], &plan);
    let pool = ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    assert!(pool.install(|| collected(&["mnk(rows=3,cols=3,k=3)"], &plan)) == all);
    // Self-play is the same as in a plan without players.
    let alone = collected(
        &["mnk(rows=3,cols=3,k=3)"],
        &CollectPlan { players: Vec::new(), ..plan.clone() },
    );
    for (with, without) in all.iter().zip(&alone) {
        assert_eq!((&with.record, &with.trees), (&without.record, &without.trees));
        assert_eq!((with.player_games.len(), without.player_games.len()), (9, 0));
        assert_eq!(with.check(), Ok(()));
    }
    let mut fewer = all[0].clone();
    fewer.player_games.pop();
    assert!(fewer.check().unwrap_err().contains("8 games between players"));
    let header = DatasetHeader::of(&plan);
    let columns = player_game_columns().len();
    for row in all[0].player_game_rows() {
        assert_eq!(player_game_cells(&row, &header).len(), columns);
        assert!((5..=9).contains(&row.game.plies));
    }
    let mut folds = Aggregator::new(&header);
    all.iter().for_each(|instance| folds.add(instance));
    let sum = folds.finish();
    let attribute = |name: &str| {
        let place = sum.attributes.iter().position(|known| known == name);
        sum.games[0].attributes[place.unwrap_or_else(|| panic!("no attribute {name}"))]
    };
    let uct = "uct(iterations=200)";
    // The third player in the first seat against the first player: the seventh game.
    let values: Vec<f64> = all
        .iter()
        .map(|one| f64::from(one.player_games[6].ended.outcome.value() + 1) / 2.0)
        .collect();
    let points = values.iter().sum::<f64>() / 8.0;
    assert_eq!(attribute(&format!("players.{uct}:random.first_points")), points);
    assert_eq!(attribute(&format!("players.{uct}:random.bias")), (points - 0.5).abs());
    let plies: Vec<f64> = all.iter().map(|one| f64::from(one.player_games[6].plies)).collect();
    let mean = plies.iter().sum::<f64>() / 8.0;
    let squares: f64 = plies.iter().map(|x| (x - mean).powi(2)).sum();
    let close = |name: &str, expected: f64| {
        let found = attribute(&format!("players.{uct}:random.{name}"));
        assert!((found - expected).abs() < 1e-9, "{name}: {found} is not {expected}");
    };
    close("plies.mean", mean);
    close("plies.ln", mean.ln());
    close("plies.deviation", (squares / 8.0).sqrt() / mean);
    let other = attribute(&format!("players.random:{uct}.first_points"));
    let skill = attribute(&format!("players.{uct}>random.points"));
    assert!((skill - (points + 1.0 - other) / 2.0).abs() < 1e-12);
    assert!(skill > 0.6, "{skill}");
}

#[test]
fn players_whose_games_depend_on_more_than_the_plan_are_refused() {
    let refused = |game: &str, players: &[&str]| {
        with_players(players).check_players(&games(&[game])).unwrap_err().to_string()
    };
    assert!(refused("othello", &["intuitive"]).contains("cannot play othello"));
    assert!(refused("othello", &["alphabeta(time_ms=5)"]).contains("depend on time"));
    assert!(refused("othello", &["perfect(file=x.tgs)"]).contains("depend on a file"));
    assert!(refused("othello", &["random", "random"]).contains("random is listed twice"));
    let many: Vec<String> = (1..=17).map(|n| format!("uct(iterations={n})")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert!(refused("othello", &many).contains("16 are the most"));
}

#[test]
fn play_rules_and_exact_values_are_attributes() {
    let all = collected(&GAMES, &plan());
    let sum = summed_up(&all).with_rules().unwrap().with_solved(&games(&GAMES), &()).unwrap();
    let attribute = |game: &str, name: &str| {
        let place = sum.attributes.iter().position(|known| known == name);
        let row = sum.games.iter().find(|row| row.game == game).unwrap();
        row.attributes[place.unwrap_or_else(|| panic!("no attribute {name}"))]
    };
    for row in &sum.games {
        let own: Vec<&Instance> = all.iter().filter(|one| one.game == row.game).collect();
        let mean = |of: &dyn Fn(&Instance) -> f64| {
            own.iter().map(|one| of(one)).sum::<f64>() / own.len() as f64
        };
        let plies = mean(&|one| one.record.len() as f64);
        assert!((attribute(&row.game, "play.plies") - plies).abs() < 1e-12);
        let draws = mean(&|one| f64::from(u8::from(one.record.ended.outcome.value() == 0)));
        assert!((attribute(&row.game, "play.draw_rate") - draws).abs() < 1e-12);
    }
    // Tic-tac-toe has 5,478 positions and is a tie after nine plies. Williams's broken Achi has 4 x
    // 4 points and three men.
    let tic_tac_toe = |name| attribute("tic_tac_toe", name);
    assert_eq!(tic_tac_toe("solved.known"), 1.0);
    assert_eq!(tic_tac_toe("solved.value_for_first"), 0.0);
    assert_eq!(tic_tac_toe("solved.remoteness"), 9.0);
    assert!((tic_tac_toe("solved.positions_log10") - 5_478.0_f64.log10()).abs() < 1e-12);
    assert_eq!(tic_tac_toe("rules.k"), 3.0);
    assert_eq!(tic_tac_toe("rules.misere"), 0.0);
    assert_eq!(attribute("dots_and_boxes(rows=2,cols=2)", "rules.rows"), 2.0);
    assert_eq!(tic_tac_toe("rules.rows"), 0.0, "tic_tac_toe has a size and no rows");
    assert_eq!(attribute("achi(size=4)", "rules.adjacency=lines"), 1.0);
    assert_eq!(attribute("achi(size=4)", "rules.adjacency=king"), 0.0);
    let text = sum.csv();
    assert_eq!(Aggregate::read_csv(text.as_bytes()).unwrap(), sum);
    for source in Source::ALL {
        let only = sum.only(&[source]);
        let others = [Source::Players, Source::Webs, Source::WebsByPlayer];
        assert_eq!(only.attributes.is_empty(), others.contains(&source), "{}", source.name());
        assert!(only.attributes.iter().all(|name| Source::of(name) == source));
    }
}

#[test]
fn missing_instances_are_counted_by_game() {
    let missing = |planned, unfinished| {
        let games = [("achi", 4), ("forms", 6), ("othello", 5)];
        MissingInstances::of(20, planned, unfinished, games)
    };
    let found = missing(6, false).unwrap();
    assert_eq!((found.iterations, found.planned, found.count()), (20, 6, 3));
    let games: Vec<&str> = found.games.iter().map(|game| &game.game[..]).collect();
    assert_eq!(games, ["achi", "othello"]);
    assert_eq!(missing(4, false), None);
    assert_eq!(missing(4, true).map(|found| (found.count(), found.unfinished)), Some((0, true)));
}
