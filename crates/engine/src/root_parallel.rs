//! Several independent searches of one position with summed counts of the moves.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use rand_core::Rng;
use rayon::prelude::*;
use treegauge_core::Player;
use treegauge_search::picture::Outline;
use treegauge_search::{
    Budget, Generator, Observer, Seed, Shape, ShapeOptions, Stopped, UctOptions, UctVariant,
};

use crate::line::{Line, MoveNumber};
use crate::uct::{Stop, TriedMove, UctFound, UctSearch};

/// Independent searches of one root.
///
/// Iterations, nodes and bytes of the budget are divided equally, and the first search has the
/// remainder. One seed is drawn from the caller's generator, and search n, counted from 0, uses the
/// generator of its child n. The searches run on rayon's current thread pool, each to the end of
/// its own budget or its own proof, so the result does not depend on the number of threads. The
/// move to play is the one with the best average over all searches. A result that one of them
/// proves is proved.
///
/// Source: Cazenave and Jouandeau 2007, "On the Parallelization of UCT" (single-run parallelization); Chaslot,
/// Winands and van den Herik 2008, "Parallel Monte-Carlo Tree Search" (root parallelization).
pub(crate) struct RootParallel {
    searches: Vec<Box<dyn UctSearch>>,
    /// Generators of the searches, which they continue with.
    generators: Vec<Generator>,
    /// Iterations of all searches together.
    budget: u32,
    /// Iterations requested since the last search began or was stopped.
    asked: u64,
    /// Iterations that each search has made since it began (`made`), and of these the ones made
    /// before it was last stopped (`made_before`).
    made: Vec<u32>,
    made_before: Vec<u32>,
    /// Moves tried by the last search, in their order.
    tried: Vec<(MoveNumber, TriedMove)>,
    /// Index of the search that proved a result, if any.
    prover: Option<usize>,
}

impl RootParallel {
    /// Creates `options.variant.threads` searches with `make`.
    pub(crate) fn new(
        options: UctOptions,
        make: &dyn Fn(UctOptions) -> Box<dyn UctSearch>,
    ) -> RootParallel {
        let variant = UctVariant { threads: 1, ..options.variant };
        let count = u64::from(options.variant.threads);
        let searches = (0..count).map(|n| {
            let part = |whole: u64| whole / count + if n == 0 { whole % count } else { 0 };
            let small = |whole: u32| part(whole.into()) as u32;
            let Budget { iterations_max, nodes_max, memory_bytes_max } = options.budget;
            let budget = Budget {
                iterations_max: small(iterations_max),
                nodes_max: small(nodes_max),
                memory_bytes_max: part(memory_bytes_max),
            };
            make(UctOptions { budget, variant, ..options })
        });
        RootParallel {
            searches: searches.collect(),
            generators: Vec::new(),
            budget: options.budget.iterations_max,
            asked: 0,
            made: Vec::new(),
            made_before: Vec::new(),
            tried: Vec::new(),
            prover: None,
        }
    }

    /// Creates a generator for every search.
    fn begin(&mut self, rng: &mut Generator) {
        let seed = Seed(rng.next_u64());
        let generator = |n| seed.child(n as u64).generator();
        self.generators = (0..self.searches.len()).map(generator).collect();
        self.asked = self.budget.into();
        self.made_before = vec![0; self.searches.len()];
    }

    /// Runs `search` for every search in parallel, each with its number and its generator.
    fn each(
        &mut self,
        stop: &mut Stop<'_>,
        search: impl Fn(&mut dyn UctSearch, usize, &mut Generator, &mut Stop<'_>) -> UctFound + Sync,
    ) -> Vec<UctFound> {
        let stop = Mutex::new(stop);
        let all = self.searches.par_iter_mut().zip(&mut self.generators).enumerate();
        let searched = all.map(|(n, (one, rng))| {
            let mut stop = || stop.lock().unwrap_or_else(PoisonError::into_inner)();
            search(&mut **one, n, rng, &mut stop)
        });
        searched.collect()
    }

    /// Combines the results of the searches.
    fn add_up(&mut self, at: &Line, found: &[UctFound]) -> UctFound {
        self.made = found.iter().map(|found| found.iterations).collect();
        if found.iter().any(|found| found.stopped == Stopped::Caller) {
            (self.asked, self.made_before) = (0, self.made.clone());
        }
        let mut tried: BTreeMap<MoveNumber, TriedMove> = BTreeMap::new();
        for search in &self.searches {
            for (number, own) in search.move_numbers(at).into_iter().zip(search.moves()) {
                tried.entry(number).and_modify(|all| *all = both(*all, own)).or_insert(own);
            }
        }
        self.tried = tried.into_iter().map(|(number, tried)| (number, clamped(tried))).collect();
        self.prover = found.iter().position(|found| found.proved.is_some());
        let turn = found[0].turn;
        let best = self.best(turn);
        let (visits, mean_for_first) = match best {
            Some((_, tried)) => (tried.visits, tried.mean_for(Player::First)),
            // All of these iterations count for the root.
            None => {
                let visits: u32 = found.iter().map(|found| found.visits).sum();
                let score = |found: &UctFound| found.mean_for_first * f64::from(found.visits);
                let score: f64 = found.iter().map(score).sum();
                (visits, if visits == 0 { 0.0 } else { score / f64::from(visits) })
            }
        };
        let stopped = |wanted: Stopped| found.iter().any(|found| found.stopped == wanted);
        UctFound {
            best: best.map(|(number, _)| number),
            mean_for_first,
            visits,
            legal_moves: found[0].legal_moves,
            turn,
            iterations: found.iter().map(|found| found.iterations).sum(),
            stopped: [Stopped::Decided, Stopped::Caller, Stopped::Nodes, Stopped::Memory]
                .into_iter()
                .find(|&wanted| stopped(wanted))
                .unwrap_or(Stopped::Iterations),
            proved: self.prover.and_then(|n| found[n].proved),
        }
    }

    /// Move with the best average for a player; among equals the better sure result comes first,
    /// then the order of the moves.
    fn best(&self, turn: Player) -> Option<(MoveNumber, TriedMove)> {
        let rank = |tried: &TriedMove| {
            let [low, high] = tried.bounds_for_first;
            let sure = if turn == Player::First { low } else { -high };
            let score = i64::from(turn.sign()) * i64::from(tried.score_for_first);
            (score, i64::from(tried.visits), sure)
        };
        self.tried.iter().copied().reduce(|best, one| {
            let (other, own) = (rank(&best.1), rank(&one.1));
            // Compares a/b > c/d without rounding.
            let (a, b) = (own.0 * other.1, other.0 * own.1);
            if a > b || a == b && own.2 > other.2 { one } else { best }
        })
    }
}

/// Combines the statistics of a move in two searches. The sums are at most those of one whole
/// search, or somewhat greater if trees are kept.
fn both(one: TriedMove, other: TriedMove) -> TriedMove {
    let [low, high] = one.bounds_for_first;
    let [other_low, other_high] = other.bounds_for_first;
    TriedMove {
        visits: one.visits.saturating_add(other.visits),
        score_for_first: one.score_for_first.saturating_add(other.score_for_first),
        bounds_for_first: [low.max(other_low), high.min(other_high)],
        legal_moves: one.legal_moves,
        tried_moves: one.tried_moves.max(other.tried_moves),
    }
}

/// Clamps the sum of results to the proved bounds.
fn clamped(tried: TriedMove) -> TriedMove {
    let visits = i64::from(tried.visits);
    let [low, high] = tried.bounds_for_first.map(|bound| i64::from(bound) * visits);
    let score_for_first = i64::from(tried.score_for_first).clamp(low, high) as i32;
    TriedMove { score_for_first, ..tried }
}

impl UctSearch for RootParallel {
    fn search(&mut self, at: &Line, rng: &mut Generator, stop: &mut Stop<'_>) -> UctFound {
        self.begin(rng);
        let found = self.each(stop, |search, _, rng, stop| search.search(at, rng, stop));
        self.add_up(at, &found)
    }

    fn grow(&mut self, at: &Line, more: u32, _: &mut Generator, stop: &mut Stop<'_>) -> UctFound {
        self.asked += u64::from(more);
        let (asked, count) = (self.asked, self.searches.len() as u64);
        let (made, before) = (self.made.clone(), self.made_before.clone());
        let found = self.each(stop, |search, n, rng, stop| {
            let part = asked / count + u64::from((n as u64) < asked % count);
            let part = u64::from(before[n]) + part;
            let more = part.saturating_sub(made[n].into()).min(u32::MAX.into());
            search.grow(at, more as u32, rng, stop)
        });
        self.add_up(at, &found)
    }

    fn tried_after(&self, at: &Line, moves: &[MoveNumber]) -> Option<Vec<(MoveNumber, TriedMove)>> {
        if moves.is_empty() {
            return Some(self.tried.clone());
        }
        self.searches[0].tried_after(at, moves)
    }

    fn principal_variation(&self, at: &Line) -> Vec<MoveNumber> {
        let best = self.best(at.turn()).map(|(number, _)| number);
        let of = self.prover.unwrap_or(0);
        let line = self.searches[of].principal_variation(at);
        if line.first().copied() == best { line } else { best.into_iter().collect() }
    }

    /// Runs the searches one after the other, so that the observer sees one search at a time.
    fn search_observed(
        &mut self,
        at: &Line,
        rng: &mut Generator,
        observer: &mut dyn Observer,
        stop: &mut Stop<'_>,
    ) -> UctFound {
        self.begin(rng);
        let search = |(search, rng): (&mut Box<dyn UctSearch>, &mut Generator)| {
            search.search_observed(at, rng, observer, stop)
        };
        let all = self.searches.iter_mut().zip(&mut self.generators);
        let found: Vec<UctFound> = all.map(search).collect();
        self.add_up(at, &found)
    }

    fn forget(&mut self) {
        self.searches.iter_mut().for_each(|search| search.forget());
    }

    fn moves(&self) -> Vec<TriedMove> {
        self.tried.iter().map(|&(_, tried)| tried).collect()
    }

    fn move_numbers(&self, _: &Line) -> Vec<MoveNumber> {
        self.tried.iter().map(|&(number, _)| number).collect()
    }

    fn shape(&self, options: ShapeOptions) -> Option<Shape> {
        self.searches[0].shape(options)
    }

    fn outline(&self, at: &Line, game: &str, seed: u64) -> Outline {
        let first = self.searches[0].outline(at, game, seed);
        let threads = self.searches.len() as u32;
        Outline { variant: UctVariant { threads, ..first.variant }, ..first }
    }

    fn proved_line(&self, at: &Line) -> Vec<String> {
        self.prover.map_or_else(Vec::new, |n| self.searches[n].proved_line(at))
    }

    fn node_count(&self) -> u32 {
        self.searches.iter().map(|search| search.node_count()).sum()
    }

    fn memory_bytes(&self) -> u64 {
        self.searches.iter().map(|search| search.memory_bytes()).sum()
    }
}
