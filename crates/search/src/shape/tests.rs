use proptest::prelude::*;
use treegauge_core::{Game, Played, Plies};
use treegauge_games::connect_four::{ConnectFour, Sized};
use treegauge_games::dots_and_boxes::{self, DotsAndBoxes};
use treegauge_games::othello::Othello;

use super::*;
use crate::tree::by_hand::Nested;
use crate::{Budget, Seed, Uct};

/// Slow definition of each feature on a nested tree, without a shared walk.
struct Naive {
    root: Nested,
    sign: f64,
    options: ShapeOptions,
}

impl Naive {
    fn averages(&self) -> Vec<f64> {
        let average = |n: &Nested| self.sign * f64::from(n.score) / f64::from(n.visits);
        self.root.children.iter().map(average).collect()
    }

    fn nodes(nested: &Nested, depth: u32) -> Vec<(&Nested, u32)> {
        let below = nested.children.iter().flat_map(|child| Naive::nodes(child, depth + 1));
        std::iter::once((nested, depth)).chain(below).collect()
    }

    fn share(&self, holds: impl Fn(&Nested) -> bool) -> f64 {
        let nodes = Naive::nodes(&self.root, 0);
        nodes.iter().filter(|(node, _)| holds(node)).count() as f64 / nodes.len() as f64
    }

    fn variance(&self, values: &[f64]) -> f64 {
        let n = values.len() as f64;
        if n < 2.0 {
            return 0.0;
        }
        // The sum over pairs differs from the formula under test.
        let mut pairs = 0.0;
        for a in values {
            for b in values {
                pairs += (a - b) * (a - b);
            }
        }
        match self.options.variance {
            Variance::Population => pairs / (2.0 * n * n),
            Variance::Sample => pairs / (2.0 * n * (n - 1.0)),
        }
    }

    /// Every feature by name, except for the drift, which the tree does not show.
    fn values(&self) -> Vec<(&'static str, f64)> {
        let averages = self.averages();
        let greatest = averages.iter().copied().reduce(f64::max).unwrap_or(0.0);
        let least = averages.iter().copied().reduce(f64::min).unwrap_or(0.0);
        let nodes = Naive::nodes(&self.root, 0);
        let count = nodes.len() as f64;
        // Average that has exactly `rank - 1` others before it.
        let third = averages.len() as f64 / 3.0;
        let rank = match self.options.spread_third {
            SpreadThird::Up => third.ceil(),
            SpreadThird::Down => third.floor(),
            SpreadThird::Nearest => (third + 0.5 + 1e-9).floor(),
        }
        .max(1.0) as usize;
        let mut left = averages.clone();
        let mut at_rank = greatest;
        for _ in 0..rank.min(averages.len()) {
            let best = (0..left.len()).max_by(|&a, &b| left[a].total_cmp(&left[b])).unwrap();
            at_rank = left.swap_remove(best);
        }
        let deviation = self.variance(&averages).sqrt();
        let widths: Vec<f64> = self
            .root
            .children
            .iter()
            .map(|child| {
                let nodes = Naive::nodes(child, 1);
                nodes.iter().map(|(n, _)| f64::from(n.legal_moves)).sum::<f64>()
                    / nodes.len() as f64
            })
            .collect();
        let depths: Vec<f64> = self
            .root
            .children
            .iter()
            .map(|child| f64::from(Naive::nodes(child, 0).iter().map(|n| n.1).max().unwrap()))
            .collect();
        vec![
            ("legal_moves", f64::from(self.root.legal_moves)),
            ("depth", f64::from(nodes.iter().map(|n| n.1).max().unwrap())),
            ("best", greatest),
            ("worst", least),
            ("spread", greatest - least),
            ("spread_third", greatest - at_rank),
            ("mean_l1", averages.iter().sum::<f64>() / (averages.len().max(1)) as f64),
            ("var_l1", self.variance(&averages)),
            ("leaf_fraction", self.share(|node| node.visits < node.legal_moves)),
            (
                "uct_fraction",
                self.share(|node| match self.options.uct_nodes {
                    UctNodes::Strict => node.visits > node.legal_moves,
                    UctNodes::NonLeaf => node.visits >= node.legal_moves,
                }),
            ),
            (
                "effective_branching",
                averages.iter().filter(|&&a| a >= greatest - deviation - 1e-12).count() as f64,
            ),
            ("mean_depth", nodes.iter().map(|n| f64::from(n.1)).sum::<f64>() / count),
            (
                "mean_branching",
                nodes.iter().map(|n| f64::from(n.0.legal_moves)).sum::<f64>() / count,
            ),
            ("var_subtree_depth", self.variance(&depths)),
            ("var_subtree_width", self.variance(&widths)),
        ]
    }
}

/// Checks that each entry of the table returns the `expected` number of its name, and that none is
/// missing.
#[track_caller]
fn same_features(shape: &Shape, expected: &[(&str, f64)], within: f64) {
    for feature in FEATURES.iter().filter(|feature| feature.name != "score_drift") {
        let found = (feature.of)(shape);
        let (_, expected) = expected
            .iter()
            .find(|(name, _)| *name == feature.name)
            .unwrap_or_else(|| panic!("{} is stated a second time", feature.name));
        assert!((found - expected).abs() < within, "{}: {found} is not {expected}", feature.name);
    }
}

#[test]
fn the_table_has_every_field_once_in_the_order_of_the_json() {
    // Each field has another value, so that an entry that reads its neighbour fails.
    let mut fields = serde_json::to_value(Shape::default()).unwrap();
    let fields = fields.as_object_mut().unwrap();
    for (n, (_, value)) in fields.iter_mut().enumerate() {
        *value = (n as f64).into();
    }
    let shape: Shape = serde_json::from_value(fields.clone().into()).unwrap();
    let table: Vec<(&str, f64)> = FEATURES.iter().map(|f| (f.name, (f.of)(&shape))).collect();
    let fields: Vec<(&str, f64)> =
        fields.iter().map(|(name, value)| (name.as_str(), value.as_f64().unwrap())).collect();
    assert_eq!(table, fields);
    for feature in FEATURES {
        let texts = [feature.unit, feature.meaning, feature.source];
        assert!(texts.iter().all(|text| !text.is_empty()), "{}", feature.name);
        assert_eq!(Feature::named(feature.name).map(|f| f.meaning), Some(feature.meaning));
    }
}

fn options() -> impl Strategy<Value = ShapeOptions> {
    (0usize..3, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(third, sample, all, skip)| ShapeOptions {
            spread_third: [SpreadThird::Up, SpreadThird::Down, SpreadThird::Nearest][third],
            variance: if sample { Variance::Sample } else { Variance::Population },
            uct_nodes: if all { UctNodes::NonLeaf } else { UctNodes::Strict },
            unvisited: if skip { Unvisited::Skip } else { Unvisited::Zero },
        },
    )
}

fn agrees<G: Game>(game: &G, iterations: u32, plies: usize, seed: u64, options: ShapeOptions) {
    let mut rng = Seed(seed).generator();
    let mut played = Played::start(game);
    for _ in 0..plies {
        if let Some(m) = game.random_move(played.state(), &mut rng) {
            played.play(game, m);
        }
    }
    let mut uct = Uct::new(Budget::iterations(iterations));
    let search = uct.search(game, &played, &mut rng);
    let Some(shape) = Shape::of(search.tree(), search.turn(), search.drift(), options) else {
        assert!(played.ended(game).is_some());
        return;
    };
    let naive = Naive {
        root: Nested::of(search.tree(), NodeId::ROOT),
        sign: f64::from(search.turn().sign()),
        options,
    };
    same_features(&shape, &naive.values(), 1e-9);
    for feature in FEATURES {
        let (value, (least, most)) = ((feature.of)(&shape), feature.range);
        let inside = (least - 1e-9..=most + 1e-9).contains(&value);
        assert!(inside, "{}: {value} is not from {least} to {most}", feature.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_feature_is_what_it_says(
        iterations in 1u32..400, plies in 0usize..14, seed: u64, options in options()
    ) {
        let board = Sized::<u64>::new(4, 4, 3);
        agrees(&ConnectFour::new(board, Plies(100)), iterations, plies, seed, options);
        let boxes = DotsAndBoxes::new(dots_and_boxes::Sized::<u64>::new(2, 2), Plies(100));
        agrees(&boxes, iterations, plies, seed, options);
        // Othello with passes, and games that the cap ends inside the tree.
        agrees(&Othello::<4>::new(false, Plies(1_000)), iterations, plies, seed, options);
        agrees(&Othello::<6>::new(false, Plies(5)), iterations, plies, seed, options);
    }

    #[test]
    fn drift_is_what_shorter_searches_show(seed: u64, skip: bool) {
        let game = ConnectFour::new(Sized::<u64>::new(5, 4, 4), Plies(100));
        let unvisited = if skip { Unvisited::Skip } else { Unvisited::Zero };
        let averages = |iterations| {
            let mut uct = Uct::new(Budget::iterations(iterations));
            let search = uct.search(&game, &Played::start(&game), &mut Seed(seed).generator());
            let options = ShapeOptions { unvisited, ..ShapeOptions::default() };
            let shape = Shape::of(search.tree(), Player::First, search.drift(), options).unwrap();
            let naive = Naive {
                root: Nested::of(search.tree(), NodeId::ROOT),
                sign: 1.0,
                options,
            };
            (naive.averages(), shape.score_drift)
        };
        let (at_200, at_500) = (averages(200).0, averages(500).0);
        let (at_1000, drift) = averages(1_000);
        let apart = |a: &[f64], b: &[f64]| -> f64 {
            a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum()
        };
        let expected = apart(&at_200, &at_500) + apart(&at_500, &at_1000);
        prop_assert!((drift - expected).abs() < 1e-12, "{drift} is not {expected}");
        prop_assert_eq!(averages(499).1, 0.0);
    }
}

/// Leaf with one visit and this number of moves.
fn leaf(score: i32, legal_moves: u32) -> Nested {
    Nested::new(1, score, legal_moves, vec![])
}

/// Tree with every kind of node:
///
/// ```text
/// root, 9 visits, 3 moves
///   a  4 visits, score +2, 2 moves    -> a leaf with 3 moves (1 visit), a leaf with 1 (2 visits)
///   b  3 visits, score -3, finished
///   c  1 visit,  score 0,  4 moves
/// ```
fn example() -> Nested {
    let a2 = Nested::new(2, 0, 1, vec![leaf(1, 0)]);
    let a = Nested::new(4, 2, 2, vec![leaf(1, 3), a2]);
    let b = Nested::new(3, -3, 0, vec![]);
    let c = leaf(0, 4);
    Nested::new(9, 0, 3, vec![a, b, c])
}

#[test]
fn the_features_of_a_tree_made_by_hand() {
    let tree = example().tree();
    let of = |turn, options| Shape::of(&tree, turn, &MoveAverages::default(), options).unwrap();
    let shape = of(Player::First, ShapeOptions::default());
    // Averages 0.5, -1, 0: mean -1/6, squares about it 14/12, population variance 7/18.
    let variance = 7.0 / 18.0;
    // Nodes: root (0), a, b, c (1), two below a (2), one below that (3); 7 in all.
    let expected = [
        ("legal_moves", 3.0),
        ("depth", 3.0),
        ("best", 0.5),
        ("worst", -1.0),
        ("spread", 1.5),
        ("spread_third", 0.0),
        ("mean_l1", -1.0 / 6.0),
        ("var_l1", variance),
        // Fewer visits than moves: c and the first leaf below a.
        ("leaf_fraction", 2.0 / 7.0),
        // More visits than moves: root 9 > 3, a 4 > 2, b 3 > 0, a's second child 2 > 1, its child 1
        // > 0.
        ("uct_fraction", 5.0 / 7.0),
        // Within sqrt(7/18) = 0.62 of 0.5: a and c.
        ("effective_branching", 2.0),
        ("mean_depth", (3.0 + 4.0 + 3.0) / 7.0),
        ("mean_branching", (3.0 + 2.0 + 0.0 + 4.0 + 3.0 + 1.0 + 0.0) / 7.0),
        // Depths 2, 0, 0 below the moves: mean 2/3, variance 8/9.
        ("var_subtree_depth", 8.0 / 9.0),
        // Widths (2 + 3 + 1 + 0) / 4 = 1.5, 0 and 4: mean 11/6, mean square 18.25/3.
        ("var_subtree_width", 18.25 / 3.0 - (11.0 / 6.0) * (11.0 / 6.0)),
    ];
    same_features(&shape, &expected, 1e-12);
    assert_eq!(shape.score_drift, 0.0);

    // The same tree with the second player to move: averages -0.5, 1, 0.
    let shape = of(Player::Second, ShapeOptions::default());
    assert_eq!((shape.best, shape.worst, shape.effective_branching), (1.0, -0.5, 1.0));

    let sample = ShapeOptions { variance: Variance::Sample, ..ShapeOptions::default() };
    assert!((of(Player::First, sample).var_l1 - 7.0 / 12.0).abs() < 1e-12);
    let text = ShapeOptions { uct_nodes: UctNodes::NonLeaf, ..ShapeOptions::default() };
    let shape = of(Player::First, text);
    assert!((shape.uct_fraction + shape.leaf_fraction - 1.0).abs() < 1e-12);
}

#[test]
fn thirds_are_rounded_as_asked() {
    // Five moves with averages 1, 0.5, 0, -0.5, -1, each with 2 visits and a finished position.
    let children: Vec<Nested> =
        [2, 1, 0, -1, -2].iter().map(|&score| Nested::new(2, score, 0, vec![])).collect();
    let tree = Nested::new(11, 0, 5, children).tree();
    let third = |spread_third| {
        let options = ShapeOptions { spread_third, ..ShapeOptions::default() };
        Shape::of(&tree, Player::First, &MoveAverages::default(), options).unwrap().spread_third
    };
    assert_eq!(third(SpreadThird::Up), 0.5);
    assert_eq!(third(SpreadThird::Down), 0.0);
    assert_eq!(third(SpreadThird::Nearest), 0.5);
}

#[test]
fn a_move_exactly_one_deviation_below_the_best_is_plausible_whatever_the_rounding() {
    let options = ShapeOptions { variance: Variance::Sample, ..ShapeOptions::default() };
    for visits in 2..60 {
        for step in 1..=visits / 2 {
            // Three averages at equal distances: their sample deviation is that distance.
            let children: Vec<Nested> =
                [visits as i32, (visits - step) as i32, (visits - 2 * step) as i32]
                    .iter()
                    .map(|&score| Nested::new(visits, score, 0, vec![]))
                    .collect();
            let tree = Nested::new(3 * visits + 1, 0, 3, children).tree();
            let shape = Shape::of(&tree, Player::First, &MoveAverages::default(), options).unwrap();
            assert_eq!(shape.effective_branching, 2.0, "{step}/{visits}");
        }
    }
}

#[test]
fn a_root_that_tried_no_move_has_zero_averages_and_spreads() {
    let tree = leaf(1, 4).tree();
    let shape =
        Shape::of(&tree, Player::First, &MoveAverages::default(), ShapeOptions::default()).unwrap();
    assert_eq!(shape.legal_moves, 4.0);
    assert_eq!((shape.best, shape.worst, shape.mean_l1), (0.0, 0.0, 0.0));
    assert_eq!((shape.spread, shape.var_l1, shape.effective_branching), (0.0, 0.0, 0.0));
    assert_eq!(shape.leaf_fraction, 1.0);
    assert!(
        Shape::of(
            &Tree::<u8>::default(),
            Player::First,
            &MoveAverages::default(),
            ShapeOptions::default()
        )
        .is_none()
    );
}

#[test]
fn drift_adds_up_the_changes_between_checkpoints() {
    let drift = MoveAverages { averages: vec![vec![0.5], vec![0.25, -0.5], vec![0.75, 0.0]] };
    // |0.25 - 0.5| + |-0.5 - 0| + |0.75 - 0.25| + |0 + 0.5|
    assert!((drift.sum(Unvisited::Zero) - 1.75).abs() < 1e-12);
    assert!((drift.sum(Unvisited::Skip) - 1.25).abs() < 1e-12);
}

#[test]
fn a_thousand_iterations_have_three_checkpoints_and_two_differences() {
    let game = ConnectFour::new(Sized::<u64>::new(5, 5, 4), Plies(100));
    for (iterations, checkpoints) in [(199, 0), (200, 1), (999, 2), (1_000, 3), (10_000, 5)] {
        let mut uct = Uct::new(Budget::iterations(iterations));
        let search = uct.search(&game, &Played::start(&game), &mut Seed(1).generator());
        assert_eq!(search.drift().averages.len(), checkpoints, "{iterations} iterations");
    }
}
