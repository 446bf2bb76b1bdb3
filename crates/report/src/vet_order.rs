//! Order of the variants of each game in a vetting, and its reliability.

use treegauge_dataset::vet::VetReport;
use treegauge_doc::Block;
use treegauge_gauge::vetted::{
    Chance, FamilyOrder, FamilyPairs, KindPairs, OrderedPair, PairScore, PairScores,
};
use treegauge_stats::Estimate;

use crate::vet::chance;
use crate::words::counted;

/// The order of the variants of each game, with its reliability.
pub(crate) fn order_blocks(report: &VetReport) -> Vec<Block> {
    let lines: Vec<String> = report.families.iter().flat_map(order_words).collect();
    if lines.is_empty() {
        return Vec::new();
    }
    let scores = report.model.scores.playable.last().and_then(|one| one.pairs.as_ref());
    let worth = scores.map(|scores| format!("{} {}", pairs_words(scores), doubtful_words(scores)));
    let notes = worth.into_iter().map(|words| words.trim_end().to_owned());
    let heading = Block::heading(2, "Variants of one game, the better first");
    vec![
        Block::PagesOnly(vec![heading]),
        Block::TextOnly(vec![Block::text("Variants of one game, the better first:")]),
        Block::notes(lines.into_iter().chain(notes)),
    ]
}

/// The most pairs of neighbours of a family that are printed.
const PAIRS_MAX: usize = 10;

/// Order of the variants of a game, a line for each pair of neighbours.
fn order_words(order: &FamilyOrder) -> Vec<String> {
    let doubt = order.doubtful.as_ref().map_or_else(String::new, |kind| {
        format!(" (doubtful: of games of the kind `{kind}` the model puts too few pairs in the right order)")
    });
    let pair = |pair: &OrderedPair| {
        let OrderedPair { better, worse, agree, right } = pair;
        let Some(agree) = agree else {
            return format!("  {better} before {worse}, which has a plain flaw");
        };
        let right = right.filter(|right| right.mean.is_some()).map_or_else(String::new, |right| {
            format!("; of known pairs like this {} were in the right order", percent_of(&right))
        });
        format!(
            "  {better} before {worse}: {:.0}% of the model's parts agree{right}",
            100.0 * agree
        )
    };
    let lines = order.pairs.iter().take(PAIRS_MAX).map(pair);
    let left = order.pairs.len().saturating_sub(PAIRS_MAX);
    let left =
        (left > 0).then(|| format!("  and {} more; JSON has all", counted(left as u64, "pair")));
    std::iter::once(format!("{}{doubt}:", order.family)).chain(lines).chain(left).collect()
}

/// Share of known pairs in the right order.
pub(crate) fn pairs_words(scores: &PairScores) -> String {
    let PairScore { pairs, right, share } = scores.all;
    format!(
        "Of {} of a played and a broken variant in families that it had not seen the model put {} in the right \
         order: {}.",
        counted(u64::from(pairs), "pair"),
        halves(right),
        percent_of(&share)
    )
}

/// Kinds of games whose order is doubtful; empty if there is none.
pub(crate) fn doubtful_words(scores: &PairScores) -> String {
    let family =
        |one: &FamilyPairs| format!("{} {} of {}", one.family, halves(one.right), one.pairs);
    let kind = |one: &KindPairs| {
        let families: Vec<String> = one.families.iter().map(family).collect();
        format!(
            "`{}` ({} of {} right: {})",
            one.kind,
            halves(one.right),
            one.pairs,
            families.join(", ")
        )
    };
    let kinds: Vec<String> =
        scores.kinds.iter().filter(|one| one.is_doubtful()).map(kind).collect();
    if kinds.is_empty() {
        return String::new();
    }
    format!("Do not rely on its order of games of these kinds: {}.", kinds.join(" and "))
}

/// A number of pairs, with a half for a pair without an order.
fn halves(right: f64) -> String {
    if right.fract() == 0.0 { format!("{right:.0}") } else { format!("{right:.1}") }
}

/// A share with its interval in percent.
fn percent_of(share: &Estimate) -> String {
    let Some(mean) = share.mean else { return "unknown".to_owned() };
    match (share.low, share.high) {
        (Some(low), Some(high)) => chance(Chance { probability: mean, low, high }),
        _ => format!("{:.0}%", 100.0 * mean),
    }
}
