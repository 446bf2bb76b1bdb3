//! Tests of ratings against a slow iteration, matches of two players and simulated tables.

use proptest::prelude::*;
use treegauge_core::uniform_below;
use treegauge_search::Seed;

use super::likelihood::share;
use super::*;
use crate::matrix::product;
use crate::testing::{OUTCOMES, any_pairs, finite, pairs_of};
use crate::{elo, expected_score};

/// Generates connected tables of two to five players.
fn any_table() -> impl Strategy<Value = CrossTable> {
    (2usize..6).prop_flat_map(|n| {
        prop::collection::vec(any_pairs(), n * (n - 1) / 2).prop_map(move |encounters| {
            let mut table = CrossTable::new(n);
            for ((a, b), pairs) in couples(n).zip(encounters) {
                table.add(a, b, pairs);
                // Neighbours have met at least twice.
                if b == a + 1 {
                    table.add(a, b, pairs_of([0, 0, 1, 0, 0]));
                }
            }
            table
        })
    })
}

/// Simulates players of these Elo ratings. Every two of them play a number of random pairs, without
/// draws.
fn simulated(elos: &[f64], pairs: u32, seed: u64) -> CrossTable {
    let mut table = CrossTable::new(elos.len());
    let mut rng = Seed(seed).generator();
    for (a, b) in couples(elos.len()) {
        let score = expected_score(elos[a] - elos[b]);
        let mut win = |share: f64| {
            OUTCOMES[if f64::from(uniform_below(&mut rng, 1 << 30)) < share * 2f64.powi(30) {
                2
            } else {
                0
            }]
        };
        let mut played = Pairs::default();
        for _ in 0..pairs {
            played.add(win(score), win(1.0 - score));
        }
        table.add(a, b, played);
    }
    table
}

/// Computes the most likely ratings by the slow iteration of Hunter (2004, section 2).
fn minorised(table: &CrossTable) -> Vec<f64> {
    let n = table.players();
    let mut strengths = vec![1.0; n];
    for _ in 0..20_000 {
        strengths = (0..n)
            .map(|a| {
                let others =
                    || (0..n).filter(move |&b| b != a).map(move |b| (b, table.encounter(a, b)));
                let points: f64 = others().map(|(_, pairs)| pairs.points()).sum();
                let chances: f64 = others()
                    .map(|(b, pairs)| pairs.games() as f64 / (strengths[a] + strengths[b]))
                    .sum();
                points / chances
            })
            .collect();
        let mean = strengths.iter().map(|s: &f64| s.ln()).sum::<f64>() / n as f64;
        strengths.iter_mut().for_each(|s| *s /= mean.exp());
    }
    strengths.iter().map(|s| ELO_PER_LOGIT * s.ln()).collect()
}

fn elos(ratings: &Ratings) -> Vec<f64> {
    ratings.ratings.iter().map(|rating| rating.elo.mean.unwrap()).collect()
}

#[test]
fn ratings_are_those_of_the_slow_iteration() {
    let mut table = CrossTable::new(4);
    table.add(0, 1, pairs_of([3, 8, 20, 12, 9]));
    table.add(2, 1, pairs_of([1, 2, 5, 9, 4]));
    table.add(3, 0, pairs_of([12, 10, 9, 2, 1]));
    table.add(2, 3, pairs_of([0, 1, 9, 12, 16]));
    let ratings = rate(&table, &()).unwrap();
    assert!(!ratings.separated);
    for (fast, slow) in elos(&ratings).iter().zip(minorised(&table)) {
        assert!((fast - slow).abs() < 1e-6, "{fast} {slow}");
    }
}

#[test]
fn two_players_are_rated_as_their_match_is() {
    let pairs = pairs_of([80, 0, 250, 0, 120]);
    let mut table = CrossTable::new(2);
    table.add(0, 1, pairs);
    let ratings = rate(&table, &()).unwrap();
    let difference = ratings.differences[0];
    let match_ = pairs.comparison();
    assert!((difference.elo.mean.unwrap() - match_.elo.mean.unwrap()).abs() < 1e-6);
    assert!((difference.elo.low.unwrap() - match_.elo.low.unwrap()).abs() < 1e-5);
    assert!((difference.elo.high.unwrap() - match_.elo.high.unwrap()).abs() < 1e-5);
    assert!((difference.p_value - match_.p_value.unwrap()).abs() < 1e-12);
    assert_eq!(ratings.fit, None);
    assert_eq!((difference.better, difference.worse, difference.real), (0, 1, true));
}

#[test]
fn a_player_that_wins_everything_is_rated_without_a_bound() {
    let mut table = CrossTable::new(4);
    for other in 1..4 {
        table.add(0, other, pairs_of([0, 0, 0, 0, 20]));
    }
    table.add(1, 2, pairs_of([1, 2, 14, 2, 1]));
    table.add(1, 3, pairs_of([0, 0, 0, 0, 20]));
    table.add(2, 3, pairs_of([0, 0, 0, 0, 20]));
    let ratings = rate(&table, &()).unwrap();
    assert!(ratings.separated);
    let elo = |player: usize| ratings.ratings[player].elo;
    assert!(ratings.ratings.iter().all(|rating| finite(rating.elo)));
    assert!(elo(0).mean > elo(1).mean && elo(2).mean > elo(3).mean);
    assert!(elo(0).high.is_none() && elo(0).low.is_some());
    assert!(elo(3).low.is_none() && elo(3).high.is_some());
    assert!(elo(1).low.is_some() && elo(1).high.is_some());
    let of = |a: usize, b: usize| {
        *ratings.differences.iter().find(|d| [d.better, d.worse] == [a, b]).unwrap()
    };
    assert!(of(0, 1).real && of(0, 1).elo.high.is_none());
    let equal = ratings.differences[3];
    assert!(!equal.real && equal.elo.high.is_some() && equal.p_value > 0.9);
}

#[test]
fn players_that_never_met_cannot_be_compared() {
    let mut table = CrossTable::new(5);
    assert_eq!(rate(&CrossTable::new(1), &()), Err(RatingsError::TooFew { players: 1 }));
    table.add(0, 3, pairs_of([0, 0, 4, 0, 0]));
    table.add(1, 4, pairs_of([0, 0, 4, 0, 0]));
    let groups = vec![vec![0, 3], vec![1, 4], vec![2]];
    assert_eq!(rate(&table, &()), Err(RatingsError::Disconnected { groups }));
    table.add(2, 4, pairs_of([0, 0, 0, 0, 1]));
    table.add(2, 3, pairs_of([0, 0, 0, 0, 1]));
    assert!(rate(&table, &()).is_ok());
}

#[test]
fn a_cycle_is_found_and_fits_no_ratings() {
    let mut table = CrossTable::new(4);
    table.add(0, 2, pairs_of([0, 0, 20, 0, 30]));
    table.add(2, 1, pairs_of([0, 0, 20, 0, 30]));
    table.add(1, 0, pairs_of([0, 0, 20, 0, 30]));
    for other in 0..3 {
        table.add(3, other, pairs_of([5, 0, 40, 0, 5]));
    }
    let ratings = rate(&table, &()).unwrap();
    assert_eq!(ratings.cycles.len(), 1);
    assert_eq!(ratings.cycles[0].players, [0, 2, 1]);
    assert!(ratings.cycles[0].p_value < 1e-4);
    let fit = ratings.fit.unwrap();
    assert_eq!(fit.degrees_of_freedom, 3);
    assert!(fit.p_value < 1e-6);
    assert!(ratings.differences.iter().all(|d| !d.real));
    // By hand: each of the three took 30 of 100 points more than expected, with a standard
    // deviation of 4.4, and all players have equal ratings.
    assert!((134.0..144.0).contains(&fit.chi_squared), "{fit:?}");
}

#[test]
fn intervals_hold_all_truths_at_once_and_the_fit_has_its_distribution() {
    let truth = [120.0, 40.0, 0.0, -30.0, -130.0];
    let (mut missed, mut poor, mut squares, mut false_) = (0, 0, 0.0, 0);
    let runs = 400;
    for run in 0..runs {
        let ratings = rate(&simulated(&truth, 40, run), &()).unwrap();
        let outside = |e: Estimate, truth: f64| {
            e.above(truth) == crate::ThresholdSide::Above || e.high.unwrap() < truth
        };
        missed += u64::from(ratings.ratings.iter().any(|r| outside(r.elo, truth[r.player])));
        false_ += u64::from(
            ratings.differences.iter().any(|d| d.real && truth[d.better] <= truth[d.worse]),
        );
        let fit = ratings.fit.unwrap();
        assert_eq!(fit.degrees_of_freedom, 6);
        squares += fit.chi_squared;
        poor += u64::from(fit.p_value < 0.05);
        assert!(ratings.cycles.is_empty());
    }
    // Three standard errors of 5% are 3.3 points.
    assert!((3..=33).contains(&missed), "{missed}");
    assert!(false_ <= 20, "{false_}");
    assert!((6..=33).contains(&poor), "{poor}");
    // The mean of chi-squared is its degrees of freedom; three standard errors are 0.52.
    let mean = squares / runs as f64;
    assert!((5.4..6.6).contains(&mean), "{mean}");
}

#[test]
fn ratings_are_json_with_nulls() {
    let mut table = CrossTable::new(2);
    table.add(0, 1, pairs_of([0, 0, 0, 0, 1]));
    let json = serde_json::to_value(rate(&table, &()).unwrap()).unwrap();
    assert!(json["ratings"][0]["elo"]["high"].is_null());
    assert!(json["ratings"][0]["elo"]["mean"].as_f64().unwrap() > 0.0);
    assert_eq!(json["separated"], true);
    assert!(json["fit"].is_null());
}

#[test]
fn the_most_lopsided_results_are_rated() {
    // Two encounters of a million wins and a draw: each player is far better than the next.
    let mut won = pairs_of([0, 0, 0, 0, 1]);
    for _ in 0..20 {
        won += won;
    }
    won += pairs_of([0, 0, 0, 1, 0]);
    let mut table = CrossTable::new(3);
    table.add(0, 1, won);
    table.add(1, 2, won);
    let ratings = rate(&table, &()).unwrap();
    let step = elo(won.points() / won.games() as f64).unwrap();
    for (found, expected) in elos(&ratings).iter().zip([step, 0.0, -step]) {
        assert!((found - expected).abs() < 1e-3, "{found} {expected}");
    }
    assert!(!ratings.separated && ratings.ratings.iter().all(|r| finite(r.elo)));
}

#[test]
fn an_inverse_is_one() {
    let matrix = vec![vec![4.0, 1.0, 0.5], vec![1.0, 3.0, -1.0], vec![0.5, -1.0, 2.0]];
    let one = product(&matrix, &inverse(matrix.clone()));
    for (i, j) in (0..9).map(|cell| (cell / 3, cell % 3)) {
        assert!((one[i][j] - f64::from(u8::from(i == j))).abs() < 1e-12);
    }
}

proptest! {
    #[test]
    fn two_players_are_never_rated_against_their_match(
        counts in [0u64..12, 0..12, 0..12, 0..12, 0..12], kind in 0usize..4,
    ) {
        // Also without draws, and one-sided.
        let kept = [[1; 5], [1, 0, 1, 0, 1], [0, 0, 1, 1, 1], [0, 0, 0, 0, 1]][kind];
        let mut pairs = pairs_of(std::array::from_fn(|half| counts[half] * kept[half]));
        prop_assume!(pairs.pairs() > 0);
        pairs.add_single(OUTCOMES[counts[0] as usize % 3], treegauge_core::Player::First);
        let mut table = CrossTable::new(2);
        table.add(0, 1, pairs);
        let ratings = rate(&table, &()).unwrap();
        let difference = ratings.differences[0];
        let seen = if difference.better == 0 { pairs } else { pairs.swapped() }.comparison();
        let near = |x: Option<f64>, y: Option<f64>| match (x, y) {
            (Some(x), Some(y)) => (x - y).abs() < 1e-4 * (1.0 + x.abs()),
            (x, y) => x == y,
        };
        prop_assert!((difference.p_value - seen.p_value.unwrap()).abs() < 1e-9);
        prop_assert_eq!(difference.real, seen.score.low > Some(0.5));
        prop_assert!(near(difference.elo.low, seen.elo.low), "{difference:?} {seen:?}");
        prop_assert!(near(difference.elo.high, seen.elo.high), "{difference:?} {seen:?}");
        // A rating is half of the difference, with half of its interval.
        let rating = ratings.ratings[difference.better].elo;
        let half = |end: Option<f64>| end.map(|end| end / 2.0);
        prop_assert!(near(rating.low, half(difference.elo.low)), "{rating:?} {difference:?}");
        prop_assert!(near(rating.high, half(difference.elo.high)), "{rating:?} {difference:?}");
    }

    #[test]
    fn numbers_are_finite_and_sum_to_zero(table in any_table()) {
        let ratings = rate(&table, &()).unwrap();
        prop_assert!(elos(&ratings).iter().sum::<f64>().abs() < 1e-6);
        for e in ratings.ratings.iter().map(|r| r.elo).chain(ratings.differences.iter().map(|d| d.elo)) {
            prop_assert!(finite(e));
            prop_assert!(e.low.is_none_or(|low| low < e.mean.unwrap()));
            prop_assert!(e.high.is_none_or(|high| high > e.mean.unwrap()));
            prop_assert!(ratings.separated || (e.low.is_some() && e.high.is_some()));
        }
        for d in &ratings.differences {
            prop_assert!((0.0..=1.0).contains(&d.p_value));
            prop_assert!(!d.real || d.p_value < 0.05 + 1e-9);
        }
        if let Some(fit) = ratings.fit {
            prop_assert!(fit.chi_squared.is_finite() && (0.0..=1.0).contains(&fit.p_value));
        }
    }

    #[test]
    fn the_scores_expected_are_the_scores(table in any_table()) {
        // At the maximum, the expected points of every player equal the actual points.
        let ratings = rate(&table, &()).unwrap();
        prop_assume!(!ratings.separated);
        let elo = elos(&ratings);
        for a in 0..table.players() {
            let (mut points, mut expected, mut games) = (0.0, 0.0, 0.0);
            for b in (0..table.players()).filter(|&b| b != a) {
                let pairs = table.encounter(a, b);
                points += pairs.points();
                games += pairs.games() as f64;
                expected += pairs.games() as f64 * expected_score(elo[a] - elo[b]);
            }
            prop_assert!((points - expected).abs() < 1e-6 * games, "{points} {expected}");
        }
    }

    #[test]
    fn exchanging_the_numbers_of_players_changes_nothing(table in any_table()) {
        let n = table.players();
        let mut turned = CrossTable::new(n);
        for (a, b) in couples(n) {
            turned.add(n - 1 - a, n - 1 - b, table.encounter(a, b));
        }
        let (one, other) = (rate(&table, &()).unwrap(), rate(&turned, &()).unwrap());
        for player in 0..n {
            let (a, b) = (one.ratings[player].elo, other.ratings[n - 1 - player].elo);
            for (x, y) in [(a.mean, b.mean), (a.low, b.low), (a.high, b.high)] {
                prop_assert_eq!(x.is_some(), y.is_some());
                prop_assert!((x.unwrap_or(0.0) - y.unwrap_or(0.0)).abs() < 1e-3);
            }
        }
        prop_assert_eq!(one.cycles.len(), other.cycles.len());
    }

    #[test]
    fn exchanging_all_results_negates_the_ratings(table in any_table()) {
        let n = table.players();
        let mut turned = CrossTable::new(n);
        for (a, b) in couples(n) {
            turned.add(a, b, table.encounter(b, a));
        }
        let (one, other) = (rate(&table, &()).unwrap(), rate(&turned, &()).unwrap());
        for (x, y) in elos(&one).iter().zip(elos(&other)) {
            prop_assert!((x + y).abs() < 1e-3);
        }
        prop_assert_eq!(one.fit.is_some(), other.fit.is_some());
    }
}

#[test]
fn the_elo_of_a_share_is_its_inverse_in_log_odds() {
    assert!((elo(share(1.0)).unwrap() - ELO_PER_LOGIT).abs() < 1e-9);
}

/// Returns the intervals of all contrasts, tested along paths or by refitting, whatever the number
/// of players.
fn judged(table: &CrossTable, by_path: bool) -> Vec<[Option<f64>; 2]> {
    let n = table.players();
    let met: Vec<Met> = table.played().map(Met::new).collect();
    let strengths = likeliest(&met, n, 0.0, &()).unwrap();
    let covariance = covariance(&met, &strengths, 0.0);
    let freedom = table.played().map(|(.., pairs)| pairs.score().n).sum::<u64>() as f64;
    let paths = by_path.then(|| Paths::new(&met, &strengths, 0.0));
    let judge = Judge { met: &met, strengths: &strengths, covariance: &covariance, freedom, paths };
    let ratings = (0..n).map(Contrast::Rating);
    let differences = couples(n).map(|(a, b)| Contrast::Difference(a, b));
    let ends = |contrast| {
        let test = judge.test(contrast, 0.0);
        let estimate = test.interval(judge.point(n), (false, false), 0);
        [estimate.low, estimate.high]
    };
    ratings.chain(differences).map(ends).collect()
}

#[test]
fn paths_come_close_to_fits() {
    let tables = [(8, 4, 1), (12, 3, 2), (17, 1, 3), (17, 6, 4)].map(|of| {
        let (n, pairs, seed) = of;
        let truth: Vec<f64> = (0..n).map(|n| 30.0 * f64::from(n)).collect();
        simulated(&truth, pairs, seed)
    });
    // Also a ring, in which everybody met only two others.
    let mut ring = CrossTable::new(16);
    let whole = simulated(&[0.0; 16], 12, 6);
    for a in 0..16 {
        let b = (a + 1) % 16;
        ring.add(a, b, whole.encounter(a, b));
    }
    for table in tables.iter().chain([&ring]) {
        let (slow, fast) = (judged(table, false), judged(table, true));
        let off: Vec<f64> = slow
            .iter()
            .zip(&fast)
            .flat_map(|(slow, fast)| {
                let [slow, fast] = [slow, fast].map(|ends| ends.map(Option::unwrap));
                let width = slow[1] - slow[0];
                [0, 1].map(|end| (slow[end] - fast[end]).abs() / width)
            })
            .collect();
        let worst = off.iter().copied().fold(0.0, f64::max);
        let mean = off.iter().sum::<f64>() / off.len() as f64;
        eprintln!("{} players: mean {mean:.4}, at most {worst:.4}", table.players());
        assert!(worst < 0.08 && mean < 0.01, "{} players: {mean} {worst}", table.players());
    }
}

#[test]
fn many_players_are_rated_until_they_are_stopped() {
    struct StopAfter(std::sync::atomic::AtomicU32);
    impl Watch for StopAfter {
        fn stop(&self) -> bool {
            self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= 50
        }
    }
    let truth: Vec<f64> = (0..30).map(|n| 10.0 * f64::from(n)).collect();
    let table = simulated(&truth, 1, 9);
    let stop = StopAfter(0.into());
    assert_eq!(rate(&table, &stop), Err(RatingsError::Interrupted));
    let ratings = rate(&table, &()).unwrap();
    assert_eq!(ratings.differences.len(), 30 * 29 / 2);
    let (first, last) = (ratings.ratings[0].elo, ratings.ratings[29].elo);
    assert!(first.mean < last.mean && first.low.unwrap() < first.high.unwrap());
}
