//! Order of the variants of one game.
//!
//! A model that has not seen a family is often right about which of its variants is broken, even
//! where it cannot tell whether one of them is playable. How often is counted on known games.

use std::collections::BTreeMap;

use treegauge_catalog::{LibraryGroup, library_game};
use treegauge_gauge::vetted::{
    FamilyOrder, FamilyPairs, KindPairs, LabelSource, OrderedPair, PairScore, PairScores,
    VettedGame,
};
use treegauge_learn::Random;
use treegauge_stats::{Estimate, wilson};

use super::playable::PlayablePredictor;

/// Kind of families that no list names.
const OTHER: &str = "other";

/// Group of a family of games: of a built-in one, or of a game of the library; `None` for other
/// names.
#[must_use]
pub fn group_of(family: &str) -> Option<LibraryGroup> {
    Some(match family {
        "tic_tac_toe" | "wild_tic_tac_toe" | "mnk" | "qubic" | "connect_four" | "achi"
        | "nine_mens_morris" => LibraryGroup::Lines,
        "isolation" => LibraryGroup::Blocking,
        "breakthrough" => LibraryGroup::Race,
        "alak" | "alquerque" | "checkers" | "dipole" | "othello" | "dots_and_boxes" => {
            LibraryGroup::Capture
        }
        "kalah" | "oware" => LibraryGroup::Sowing,
        _ => library_game(family)?.group,
    })
}

/// Predictions of the parts of a model for a game; `None` for parts that have seen its family.
pub type Votes = Vec<Option<f64>>;

/// Game with its predictions, to be put in order within its family.
#[derive(Clone, Debug)]
pub struct Variant<'a> {
    /// Variants of one game have equal keys.
    pub key: String,
    /// Name of the family for readers.
    pub family: String,
    /// Name of the game's kind; `None` if it is unknown.
    pub kind: Option<&'static str>,
    /// Answer on the game.
    pub row: &'a VettedGame,
    /// Predictions for the game; empty if a plain flaw decides.
    pub votes: &'a [Option<f64>],
}

/// Share of the parts that put one game above another, of those that predict both; equal predictions
/// count half. `None` if no part predicts both.
fn agreement(one: &[Option<f64>], other: &[Option<f64>]) -> Option<f64> {
    let both = one.iter().zip(other).filter_map(|(one, other)| Some(((*one)?, (*other)?)));
    let points = both.map(|(one, other)| match one.total_cmp(&other) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    });
    mean(points)
}

/// Mean of the predictions by the parts that predict both games, for each of the two.
fn means(one: &[Option<f64>], other: &[Option<f64>]) -> Option<[f64; 2]> {
    let both = || one.iter().zip(other).filter_map(|(one, other)| Some(((*one)?, (*other)?)));
    Some([mean(both().map(|both| both.0))?, mean(both().map(|both| both.1))?])
}

fn mean(of: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, n) = of.fold((0.0, 0_u32), |(sum, n), x| (sum + x, n + 1));
    (n > 0).then(|| sum / f64::from(n))
}

/// Draws of the bootstrap of a share.
const DRAWS: usize = 2_000;

/// Share of pairs in the right order, from the pairs of each family and those in the right order, with
/// the interval of a bootstrap over families. Where all families agree, that of as many families, each
/// right or wrong as a whole, has a width.
fn share_of(families: &[(f64, f64)]) -> Estimate {
    let share = |drawn: &mut dyn Iterator<Item = &(f64, f64)>| {
        let (pairs, right) = drawn.fold((0.0, 0.0), |sums, one| (sums.0 + one.0, sums.1 + one.1));
        right / pairs
    };
    if families.is_empty() {
        return Estimate::UNRATED;
    }
    let mean = share(&mut families.iter());
    let mut random = Random::new(1);
    let mut draws: Vec<f64> = (0..DRAWS)
        .map(|_| share(&mut families.iter().map(|_| &families[random.below(families.len())])))
        .collect();
    draws.sort_by(f64::total_cmp);
    let (low, high) = (draws[DRAWS / 40], draws[DRAWS - 1 - DRAWS / 40]);
    let n = families.len() as u64;
    let whole = wilson(mean * n as f64, n);
    let is_open = low < high;
    Estimate {
        mean: Some(mean),
        low: if is_open { Some(low) } else { whole.low },
        high: if is_open { Some(high) } else { whole.high },
        n,
    }
}

/// Count of pairs by family.
#[derive(Debug, Default)]
struct ByFamily<'a>(BTreeMap<&'a str, (u32, f64)>);

impl<'a> ByFamily<'a> {
    fn add(&mut self, family: &'a str, right: f64) {
        let (pairs, all) = self.0.entry(family).or_default();
        *pairs += 1;
        *all += right;
    }

    fn score(&self) -> PairScore {
        let clusters: Vec<(f64, f64)> =
            self.0.values().map(|&(pairs, right)| (f64::from(pairs), right)).collect();
        PairScore {
            pairs: self.0.values().map(|(pairs, _)| pairs).sum(),
            right: self.0.values().map(|(_, right)| right).sum(),
            share: share_of(&clusters),
        }
    }

    /// Counts by kind of game, kinds in the order of their names.
    fn kinds(&self) -> Vec<KindPairs> {
        let mut kinds: BTreeMap<&str, Vec<FamilyPairs>> = BTreeMap::new();
        for (&family, &(pairs, right)) in &self.0 {
            let kind = group_of(family).map_or(OTHER, |group| group.name());
            let counts = FamilyPairs { family: family.to_owned(), pairs, right };
            kinds.entry(kind).or_default().push(counts);
        }
        let kind = |(kind, families): (&str, Vec<FamilyPairs>)| KindPairs {
            kind: kind.to_owned(),
            pairs: families.iter().map(|family| family.pairs).sum(),
            right: families.iter().map(|family| family.right).sum(),
            families,
        };
        kinds.into_iter().map(kind).collect()
    }
}

impl PlayablePredictor {
    /// Puts each pair of a played and a broken known game of one family in order, by the parts of the
    /// model that have not seen the family; `None` without such a pair.
    #[must_use]
    pub fn pairs(&self) -> Option<PairScores> {
        let basis = &self.basis;
        let groups = basis.groups();
        let by_origin = |n: &usize| basis.games[*n].by == Some(LabelSource::Origin);
        let known: Vec<usize> = (0..groups.len()).filter(by_origin).collect();
        let rows = basis.rows();
        let votes = |n: usize| self.bag.predictions(&rows[n], Some(groups[n]));
        let votes: BTreeMap<usize, Votes> = known.iter().map(|&n| (n, votes(n))).collect();
        let [mut all, mut unanimous, mut divided] = [(); 3].map(|()| ByFamily::default());
        for &played in known.iter().filter(|&&n| basis.games[n].target == 1.0) {
            let is_broken = |n: &&usize| basis.games[**n].target == 0.0;
            for &broken in known.iter().filter(is_broken) {
                if groups[played] != groups[broken] {
                    continue;
                }
                let (one, other) = (&votes[&played], &votes[&broken]);
                let Some([one_mean, other_mean]) = means(one, other) else { continue };
                let right = match one_mean.total_cmp(&other_mean) {
                    std::cmp::Ordering::Greater => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Less => 0.0,
                };
                let family = basis.games[played].group.as_str();
                all.add(family, right);
                match agreement(one, other) {
                    Some(0.0 | 1.0) => unanimous.add(family, right),
                    _ => divided.add(family, right),
                }
            }
        }
        let kinds = all.kinds();
        let [all, unanimous, divided] = [all, unanimous, divided].map(|one| one.score());
        (all.pairs > 0).then_some(PairScores { all, unanimous, divided, kinds })
    }
}

/// Puts the variants of each game in order, families in the order of their first game. Games without
/// an answer are left out, and so are families of one game.
#[must_use]
pub fn family_orders(variants: &[Variant<'_>], scores: Option<&PairScores>) -> Vec<FamilyOrder> {
    let mut keys: Vec<&str> = Vec::new();
    for variant in variants {
        if !keys.contains(&variant.key.as_str()) {
            keys.push(&variant.key);
        }
    }
    let order = |key: &str| {
        let is_answered = |row: &VettedGame| row.evidence.is_some() || row.playable.is_some();
        let mut own: Vec<&Variant<'_>> = Vec::new();
        for variant in variants.iter().filter(|one| one.key == key && is_answered(one.row)) {
            // A game may be listed twice.
            if own.iter().all(|known| known.row.game != variant.row.game) {
                own.push(variant);
            }
        }
        let probability = |one: &Variant<'_>| one.row.playable.map_or(-1.0, |of| of.probability);
        own.sort_by(|a, b| probability(b).total_cmp(&probability(a)));
        let kind = own.first().and_then(|variant| variant.kind);
        let is_doubtful = |kind: &&str| {
            let of_kind = |one: &&KindPairs| one.kind == *kind;
            scores
                .and_then(|scores| scores.kinds.iter().find(of_kind))
                .is_some_and(KindPairs::is_doubtful)
        };
        // Of two games with plain flaws none is the better one.
        let is_ordered = |two: &&[&Variant<'_>]| two.iter().any(|one| one.row.evidence.is_none());
        let is_asked = |own: &[&Variant<'_>]| own.iter().any(|one| one.row.evidence.is_none());
        let pairs = own.windows(2).filter(is_ordered).map(|two| pair(two[0], two[1], scores));
        (own.len() > 1).then(|| FamilyOrder {
            family: own[0].family.clone(),
            doubtful: kind.filter(is_doubtful).filter(|_| is_asked(&own)).map(str::to_owned),
            games: own.iter().map(|variant| variant.row.game.clone()).collect(),
            pairs: pairs.collect(),
        })
    };
    keys.into_iter().filter_map(order).collect()
}

fn pair(better: &Variant<'_>, worse: &Variant<'_>, scores: Option<&PairScores>) -> OrderedPair {
    let agree = agreement(better.votes, worse.votes);
    let score = scores.zip(agree).map(|(scores, agree)| match agree {
        0.0 | 1.0 => scores.unanimous,
        _ => scores.divided,
    });
    let right = score.filter(|score| score.pairs > 0).map(|score| score.share);
    let name = |variant: &Variant<'_>| variant.row.game.clone();
    OrderedPair { better: name(better), worse: name(worse), agree, right }
}
