//! Corridor experiment: how often a search finds the one correct move (Williams 2010, figures 5.14
//! and 5.15).
//!
//! In a corridor of Dots and Boxes the player to move should take all boxes, one after the other.
//! Each such move leaves one legal move fewer, and every other move loses all remaining boxes. A
//! search without transpositions visits the boxes in every order.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use treegauge_core::{Phase, Progress, ReportHeader, ReportKind, Watch};
use treegauge_engine::Engine;
use treegauge_search::{
    BackUp, Budget, DEFAULT_CP, Expansion, Merge, MoveCounts, Seed, UctOptions, UctVariant,
};
use treegauge_stats::{Estimate, Z, wilson};
use treegauge_store::PieceSink;
use treegauge_store::journal::Piece;

/// Corridors to search, and the searches of each.
#[derive(Clone, Debug, PartialEq)]
pub struct CorridorPlan {
    /// Lengths of the corridors, in boxes.
    pub lengths: Vec<u32>,
    /// Iterations per search; each number is a strength of its own.
    pub iterations: Vec<u32>,
    /// UCT variants, as differences from the search of Williams 2010.
    pub variants: Vec<UctVariant>,
    /// Number of searches for each variant, number of iterations and length.
    pub searches: u32,
    /// Exploration constant `C_p` for rewards in \[0, 1\].
    pub cp: f64,
    /// Random seed.
    pub seed: u64,
}

impl Default for CorridorPlan {
    /// Corridors of 1 to 24 boxes, and five variants: plain trees, webs with both kinds of back-up,
    /// and trees and webs with a solver.
    fn default() -> Self {
        let solved = |merge| UctVariant { merge, solver: true, ..UctVariant::default() };
        let web = UctVariant { merge: Merge::Equal, ..UctVariant::default() };
        CorridorPlan {
            lengths: (1..=24).collect(),
            iterations: vec![100, 1_000, 10_000],
            variants: vec![
                UctVariant::default(),
                web,
                UctVariant { back_up: BackUp::All, ..web },
                solved(Merge::None),
                solved(Merge::Equal),
            ],
            searches: 500,
            cp: DEFAULT_CP,
            seed: 1,
        }
    }
}

/// Shares of correct moves over corridors, as measured by [`corridor`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CorridorReport {
    /// Kind and schema version of the report.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Random seed.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// Exploration constant `C_p` for rewards in \[0, 1\].
    pub cp: f64,
    /// Whether the run stopped before all planned searches were made.
    pub incomplete: bool,
    /// Points in the order of variant, then iterations, then length.
    pub points: Vec<CorridorPoint>,
}

impl ReportKind for CorridorReport {
    const KIND: &'static str = "corridor";
}

/// Result of the searches with one variant, number of iterations and length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CorridorPoint {
    /// Length of the corridor, in boxes.
    pub length: u32,
    /// Iterations per search.
    pub iterations: u32,
    /// Rule by which positions share one node.
    pub merge: Merge,
    /// Nodes that the result of a playout updates.
    #[serde(rename = "backup")]
    pub back_up: BackUp,
    /// Source of the visit counts and results that the selection of moves reads.
    pub counts: MoveCounts,
    /// Whether the search proves values.
    pub solver: bool,
    /// Number of searches made.
    pub searches: u32,
    /// Share of these searches that chose the correct move: figure 5.14.
    pub first_move: Estimate,
    /// Probability of taking all boxes: the product of `first_move` over this length and all
    /// smaller ones, as in figure 5.15. `None` if one of these lengths has no searches.
    pub full_capture: Option<Estimate>,
}

/// Header of the journal of corridor searches: everything that their results depend on. Under equal
/// headers, searches with equal keys are equal. Lengths, iterations, variants and the number of
/// searches are not in the header, so another plan can reuse the same journal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CorridorHeader {
    /// Version of the format: 1.
    pub schema: u32,
    /// Content of the file: [`CorridorHeader::HOLDS`].
    pub holds: String,
    /// Version of the program that searches.
    pub version: String,
    /// Random seed.
    #[serde(serialize_with = "treegauge_core::seed_json::serialize")]
    pub seed: u64,
    /// Exploration constant `C_p` for rewards in \[0, 1\].
    pub cp: f64,
}

impl CorridorHeader {
    /// Value of `holds` in every such header.
    pub const HOLDS: &str = "searches of corridors";

    /// Creates the header for the searches of a plan.
    #[must_use]
    pub fn of(plan: &CorridorPlan) -> Self {
        CorridorHeader {
            schema: 1,
            holds: Self::HOLDS.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            seed: plan.seed,
            cp: plan.cp,
        }
    }
}

/// One finished search, as stored in the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorridorSearch {
    /// UCT variant, as differences from the search of Williams 2010.
    #[serde(flatten)]
    pub variant: UctVariant,
    /// Iterations of the search.
    pub iterations: u32,
    /// Length of the corridor, in boxes.
    pub length: u32,
    /// Number of the search, counted from 0.
    pub search: u32,
    /// Whether it chose the correct move.
    pub correct: bool,
}

/// Variant, iterations and length.
type Corner = (UctVariant, u32, u32);

impl CorridorSearch {
    fn corner(&self) -> Corner {
        (self.variant, self.iterations, self.length)
    }
}

impl Piece for CorridorSearch {
    type Key = (Corner, u32);

    const PIECES: &'static str = "searches";

    fn key(&self) -> Self::Key {
        (self.corner(), self.search)
    }

    fn check(&self) -> Result<(), String> {
        Ok(self.variant.check()?)
    }
}

impl CorridorPoint {
    /// Returns the UCT variant of the searches.
    #[must_use]
    pub fn variant(&self) -> UctVariant {
        let &CorridorPoint { merge, back_up, counts, solver, .. } = self;
        UctVariant { merge, back_up, counts, solver, ..UctVariant::default() }
    }
}

/// Number of searches in one unit of parallel work.
const BATCH: u32 = 10;

/// Searches corridors on rayon's current thread pool. `engine_of` returns the game for a length.
///
/// Each search has a generator of its own, seeded by length, iterations and number. So the result
/// does not depend on the threads, and all variants search with the same random numbers. Searches
/// in `known`, from an interrupted run with the same seed and `C_p`, are not repeated; new ones go
/// to `keep`. If `watch` says stop, the report covers the searches made so far and is marked
/// incomplete.
///
/// # Panics
///
/// If a variant reuses its tree or runs more than one thread, which a [`CorridorPoint`] cannot
/// express.
#[must_use]
pub fn corridor(
    plan: &CorridorPlan,
    engine_of: &(dyn Fn(u32) -> Arc<dyn Engine> + Sync),
    known: &[CorridorSearch],
    keep: &dyn PieceSink<CorridorSearch>,
    watch: &dyn Watch,
) -> CorridorReport {
    let is_plain = |variant: &UctVariant| !variant.reuse && variant.threads == 1;
    assert!(plan.variants.iter().all(is_plain), "each search grows one tree of its own");
    let mut corners: Vec<Corner> = Vec::new();
    for &variant in &plan.variants {
        for &iterations in &plan.iterations {
            corners.extend(plan.lengths.iter().map(|&length| (variant, iterations, length)));
        }
    }
    let known: FxHashMap<_, bool> =
        known.iter().map(|search| (search.key(), search.correct)).collect();
    // Searches made and correct searches, by corner.
    let mut counts = vec![(0u32, 0u32); corners.len()];
    let mut open: Vec<(usize, u32)> = Vec::new();
    for (n, &corner) in corners.iter().enumerate() {
        for search in 0..plan.searches {
            match known.get(&(corner, search)) {
                Some(&correct) => add(&mut counts[n], correct),
                None => open.push((n, search)),
            }
        }
    }
    let planned = u64::from(plan.searches) * corners.len() as u64;
    let done = AtomicU64::new(planned - open.len() as u64);
    let same_corner = open.chunk_by(|(one, _), (other, _)| one == other);
    let batches: Vec<&[(usize, u32)]> =
        same_corner.flat_map(|open| open.chunks(BATCH as usize)).collect();
    let made = batches.par_iter().with_max_len(1).map(|batch| {
        let searches = searches(plan, engine_of, corners[batch[0].0], batch, keep, watch);
        let more = searches.len() as u64;
        let done = done.fetch_add(more, Ordering::Relaxed) + more;
        watch.progress(Progress::new(Phase::Searches, done, planned));
        searches
    });
    for (n, correct) in made.flatten().collect::<Vec<_>>() {
        add(&mut counts[n], correct);
    }
    let point = |(&(variant, iterations, length), &(made, right)): (&_, &(u32, u32))| {
        let UctVariant { merge, back_up, counts: of, solver, .. } = variant;
        let lesser = (1..=length).map(|length| {
            let at = corners.iter().position(|&corner| corner == (variant, iterations, length))?;
            Some(counts[at])
        });
        CorridorPoint {
            length,
            iterations,
            merge,
            back_up,
            counts: of,
            solver,
            searches: made,
            first_move: wilson(right.into(), made.into()),
            full_capture: lesser.collect::<Option<Vec<_>>>().and_then(|counts| product(&counts)),
        }
    };
    let incomplete = counts.iter().any(|&(made, _)| made < plan.searches);
    let points = corners.iter().zip(&counts).map(point).collect();
    CorridorReport { head: ReportHeader::NEW, seed: plan.seed, cp: plan.cp, incomplete, points }
}

/// Counts one search.
fn add((made, right): &mut (u32, u32), correct: bool) {
    *made += 1;
    *right += u32::from(correct);
}

/// Makes a batch of searches of one corridor until `watch` says stop. Each element of `batch` is
/// the index of the corner and the number of the search; the result pairs the index with whether
/// the search found the correct move.
fn searches(
    plan: &CorridorPlan,
    engine_of: &(dyn Fn(u32) -> Arc<dyn Engine> + Sync),
    (variant, iterations, length): Corner,
    batch: &[(usize, u32)],
    keep: &dyn PieceSink<CorridorSearch>,
    watch: &dyn Watch,
) -> Vec<(usize, bool)> {
    let engine = engine_of(length);
    let start = engine.start();
    let (budget, expansion) = (Budget::iterations(iterations), Expansion::Order);
    let mut uct = engine.uct_with(UctOptions { budget, cp: plan.cp, expansion, variant });
    let mut made = Vec::new();
    for &(corner, search) in batch {
        // A search polls `watch` only now and then, and a short search never does.
        if watch.stop() {
            break;
        }
        let seed = Seed(plan.seed).child(length.into()).child(iterations.into());
        let mut rng = seed.child(search.into()).generator();
        let mut stopped = false;
        let found = uct.search(&start, &mut rng, &mut || {
            stopped |= watch.stop();
            stopped
        });
        // The legal moves are in wall order, and only the first closes a box. A search that visited
        // no move chooses at random.
        let correct = found.choose(&mut rng) == Some(0);
        if stopped {
            break;
        }
        keep.keep(&CorridorSearch { variant, iterations, length, search, correct });
        made.push((corner, correct));
    }
    made
}

/// Product of shares with its 95% interval, from the (made, correct) searches of each. A single
/// share has Wilson's interval. Several shares have the interval of the profile likelihood of the
/// product (Wilks 1938). That interval is too narrow if all searches behind a share, or none, were
/// correct. So it is widened to contain, for each share, the interval of the product if all other
/// shares were known exactly. `None` if a share has no searches.
fn product(counts: &[(u32, u32)]) -> Option<Estimate> {
    let shares: Vec<Estimate> =
        counts.iter().map(|&(made, right)| wilson(right.into(), made.into())).collect();
    if let [share] = shares[..] {
        return share.mean.map(|_| share);
    }
    let mean = shares.iter().map(|share| share.mean).product::<Option<f64>>()?;
    let [mut low, mut high] = ends_of_product(counts);
    for (n, share) in shares.iter().enumerate() {
        let others = shares.iter().enumerate().filter(|(other, _)| *other != n);
        let others: f64 = others.filter_map(|(_, share)| share.mean).product();
        low = low.min(others * share.low?);
        high = high.max(others * share.high?);
    }
    let n = shares.iter().map(|share| share.n).min()?;
    Some(Estimate { mean: Some(mean), low: Some(low), high: Some(high), n })
}

/// Ends of the interval of products whose profile log-likelihood is at most [`HALF_CHI_SQUARE`]
/// below the maximum.
///
/// For a given product, the likeliest shares are `(right + shift) / (made + shift)` with one common
/// `shift`, which may be negative. So the product is a function of the shift.
fn ends_of_product(counts: &[(u32, u32)]) -> [f64; 2] {
    /// Shift beyond every interval in which some search was wrong.
    const SHIFT_MAX: f64 = 1e12;
    let counts = || counts.iter().map(|&(made, right)| (f64::from(made), f64::from(right)));
    let at = |shift: f64| counts().map(|(made, right)| (right + shift) / (made + shift)).product();
    let likelihood = |shift: f64| -> f64 {
        let term = |n: f64, p: f64| if n == 0.0 { 0.0 } else { n * p.ln() };
        let of = |(made, right): (f64, f64)| {
            let wrong = (made - right) / (made + shift);
            term(right, (right + shift) / (made + shift)) + term(made - right, wrong)
        };
        counts().map(of).sum()
    };
    let least = likelihood(0.0) - HALF_CHI_SQUARE;
    // Bisects between a shift inside the interval and one outside it.
    let end = |mut allowed: f64, mut not: f64| -> f64 {
        for _ in 0..100 {
            let middle = f64::midpoint(allowed, not);
            if likelihood(middle) > least { allowed = middle } else { not = middle }
        }
        at(allowed)
    };
    let with_wrong = counts().filter(|(made, right)| right < made).map(|(_, right)| right);
    let Some(fewest) = with_wrong.reduce(f64::min) else {
        // All searches were correct: the likeliest way to a smaller product lowers only the share
        // with the fewest searches.
        let made = counts().map(|(made, _)| made).fold(f64::INFINITY, f64::min);
        return [f64::exp(-HALF_CHI_SQUARE / made), 1.0];
    };
    let low = if fewest == 0.0 { 0.0 } else { end(0.0, -fewest) };
    let mut beyond = 1.0;
    while likelihood(beyond) > least && beyond < SHIFT_MAX {
        beyond *= 2.0;
    }
    [low, end(0.0, beyond)]
}

/// Half of the 95% quantile of the chi-square distribution with one degree of freedom.
const HALF_CHI_SQUARE: f64 = Z * Z / 2.0;

#[cfg(test)]
mod tests {
    use treegauge_catalog::GameSpec;
    use treegauge_core::uniform_below;
    use treegauge_engine::open;

    use super::*;

    fn engine_of(length: u32) -> Arc<dyn Engine> {
        open(&GameSpec::parse(&format!("dots_corridor(length={length})")).unwrap()).unwrap()
    }

    fn plan() -> CorridorPlan {
        let lengths = (1..=6).collect();
        CorridorPlan { lengths, iterations: vec![30, 300], searches: 25, ..CorridorPlan::default() }
    }

    #[test]
    fn longer_corridors_are_harder_and_more_iterations_help() {
        let report = corridor(&plan(), &engine_of, &[], &(), &());
        assert_eq!(report.points.len(), 5 * 2 * 6);
        let share = |variant: usize, iterations: usize, length: usize| {
            let point = &report.points[(variant * 2 + iterations) * 6 + length - 1];
            assert_eq!((point.length as usize, point.searches), (length, 25));
            point.first_move.mean.unwrap()
        };
        for variant in 0..5 {
            assert_eq!(share(variant, 0, 1), 1.0, "one wall is the only move");
            assert_eq!(share(variant, 1, 2), 1.0);
            assert!(share(variant, 0, 6) < share(variant, 0, 2));
        }
        assert_eq!(share(4, 1, 6), 1.0, "a web with a solver proves a short corridor");
        for variant in report.points.chunks(6) {
            let mut product = 1.0;
            for point in variant {
                product *= point.first_move.mean.unwrap();
                let full = point.full_capture.unwrap();
                assert!((full.mean.unwrap() - product).abs() < 1e-12);
                assert!(full.low.unwrap() <= product && product <= full.high.unwrap());
            }
        }
    }

    /// Says stop after a number of searches, and collects them.
    struct StopAfter {
        searches: std::sync::Mutex<Vec<CorridorSearch>>,
        most: usize,
    }

    impl PieceSink<CorridorSearch> for StopAfter {
        fn keep(&self, search: &CorridorSearch) {
            self.searches.lock().unwrap().push(*search);
        }
    }

    impl Watch for StopAfter {
        fn stop(&self) -> bool {
            self.searches.lock().unwrap().len() >= self.most
        }
    }

    #[test]
    fn a_run_goes_on_to_the_same_report_wherever_it_was_stopped() {
        let plan = CorridorPlan { lengths: vec![1, 2, 3], searches: 12, ..plan() };
        let whole = corridor(&plan, &engine_of, &[], &(), &());
        let mut known = Vec::new();
        for more in [1, 3, 40, 200, 1_000] {
            let before = known.len();
            let (searches, most) = (std::sync::Mutex::new(known.clone()), before + more);
            let stop = StopAfter { searches, most };
            let report = corridor(&plan, &engine_of, &known, &stop, &stop);
            known = stop.searches.into_inner().unwrap();
            assert!(known.len() > before, "each run does something");
            let made: u32 = report.points.iter().map(|point| point.searches).sum();
            assert_eq!(made as usize, known.len());
            assert_eq!(report.incomplete, known.len() < 5 * 2 * 3 * 12);
            assert_eq!(report == whole, !report.incomplete);
        }
        // Searches outside the plan do not count.
        let fewer = CorridorPlan { searches: 7, lengths: vec![1, 3], ..plan.clone() };
        let of_known = corridor(&fewer, &engine_of, &known, &(), &());
        assert_eq!(of_known, corridor(&fewer, &engine_of, &[], &(), &()));
    }

    #[test]
    fn a_product_needs_all_lesser_lengths() {
        let plan = CorridorPlan { lengths: vec![1, 3], searches: 3, ..plan() };
        let report = corridor(&plan, &engine_of, &[], &(), &());
        let full = |n: usize| report.points[n].full_capture.is_some();
        assert!(full(0) && !full(1));
    }

    #[test]
    fn the_interval_of_a_product_holds_it_as_often_as_it_says() {
        let mut rng = Seed(3).generator();
        let mut found_right =
            |p: f64| f64::from(uniform_below(&mut rng, 1 << 24)) < p * f64::from(1 << 24);
        // Near shares of 0 or 1 the interval covers the truth more often than 95%.
        let cases: [(&[f64], _); 6] = [
            (&[0.99, 0.9, 0.8, 0.95], 925..=975),
            (&[0.6, 0.9, 0.3, 0.5], 925..=975),
            (&[0.95; 12], 925..=975),
            (&[0.999; 10], 930..=1_000),
            (&[0.999, 0.998, 1.0, 0.99], 930..=1_000),
            (&[0.01, 0.9, 0.9, 0.9], 925..=1_000),
        ];
        for (shares, held_in) in cases {
            let truth: f64 = shares.iter().product();
            for searches in [20, 60, 200] {
                let held = (0..1_000).filter(|_| {
                    let counts = shares.iter().map(|&p| {
                        let right = (0..searches).filter(|_| found_right(p)).count() as u32;
                        (searches, right)
                    });
                    let found = product(&counts.collect::<Vec<_>>()).unwrap();
                    found.low.unwrap() <= truth && truth <= found.high.unwrap()
                });
                let held = held.count();
                eprintln!("{searches} searches of each of {shares:?}: {held} of 1,000");
                assert!(held_in.contains(&held), "{searches} of {shares:?}: {held} of 1,000");
            }
        }
    }

    #[test]
    fn the_product_of_one_share_has_its_interval_and_more_shares_make_none_narrower() {
        for right in [0, 1, 20, 39, 40] {
            assert_close(product(&[(40, right)]).unwrap(), wilson(right.into(), 40));
        }
        let ends = |shares: usize| {
            let found = product(&vec![(40, 40); shares]).unwrap();
            [found.low.unwrap(), found.mean.unwrap(), found.high.unwrap()]
        };
        for shares in 1..8 {
            assert!(ends(shares + 1)[0] <= ends(shares)[0]);
            assert_eq!(ends(shares)[1..], [1.0, 1.0]);
        }
        assert_eq!(product(&[(40, 40), (0, 0)]), None);
    }

    #[test]
    fn the_interval_of_a_product_is_that_of_its_likelihood_on_a_grid() {
        for counts in [[(20, 15), (30, 10)], [(12, 12), (9, 4)], [(10, 0), (10, 7)]] {
            let log = |(made, right): (u32, u32), p: f64| {
                let term = |n: u32, p: f64| if n == 0 { 0.0 } else { f64::from(n) * p.ln() };
                term(right, p) + term(made - right, 1.0 - p)
            };
            let steps = (1..=1_000).map(|n| f64::from(n) / 1_000.0);
            // Greatest likelihood of a given product, over all first shares compatible with it.
            let of_product = |product: f64| {
                let allowed = steps.clone().filter(|&p| p >= product);
                let found = allowed.map(|p| log(counts[0], p) + log(counts[1], product / p));
                found.fold(f64::NEG_INFINITY, f64::max)
            };
            let best = steps.clone().map(of_product).fold(f64::NEG_INFINITY, f64::max);
            let held = |&product: &f64| of_product(product) > best - HALF_CHI_SQUARE;
            let held: Vec<f64> = steps.clone().filter(held).collect();
            let [low, high] = ends_of_product(&counts);
            assert!((held[0] - low).abs() < 0.004, "{counts:?}: {} {low}", held[0]);
            assert!((held[held.len() - 1] - high).abs() < 0.004, "{counts:?}: {high}");
        }
    }

    fn assert_close(one: Estimate, other: Estimate) {
        assert_eq!(one.n, other.n);
        for (one, other) in [(one.mean, other.mean), (one.low, other.low), (one.high, other.high)] {
            assert!((one.unwrap() - other.unwrap()).abs() < 1e-12);
        }
    }
}
