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
    let is_flawed =
        |game: &&String| report.rows.iter().any(|row| row.game == **game && row.evidence.is_some());
    let words = |order: &FamilyOrder| {
        let flawed: Vec<&String> = order.games.iter().filter(is_flawed).collect();
        order_words(order, &flawed)
    };
    let lines: Vec<String> = report.families.iter().flat_map(words).collect();
    if lines.is_empty() {
        return Vec::new();
    }
    let is_by_model = |order: &FamilyOrder| order.pairs.iter().any(|pair| pair.agree.is_some());
    let scores = report.model.scores.playable.last().and_then(|one| one.pairs.as_ref());
    let scores = scores.filter(|_| report.families.iter().any(is_by_model));
    let worth = scores.map(|scores| format!("{} {}", pairs_words(scores), doubtful_words(scores)));
    let notes = worth.into_iter().map(|words| words.trim_end().to_owned());
    let heading = match report.families.iter().any(|order| !order.pairs.is_empty()) {
        true => "Variants of one game, the better first",
        false => "Variants of one game",
    };
    vec![
        Block::PagesOnly(vec![Block::heading(2, heading)]),
        Block::TextOnly(vec![Block::text(format!("{heading}:"))]),
        Block::notes(lines.into_iter().chain(notes)),
    ]
}

/// The most pairs of neighbours of a family that are printed.
const PAIRS_MAX: usize = 10;

/// Order of the variants of a game, a line for each pair of neighbours. Those with plain flaws come
/// last, and have no order.
fn order_words(order: &FamilyOrder, flawed: &[&String]) -> Vec<String> {
    let listed = |games: &[&String]| match games.split_last() {
        Some((_, most)) if most.len() >= PAIRS_MAX => format!(
            "{} and {} more",
            joined(&games[..PAIRS_MAX]),
            counted((most.len() + 1 - PAIRS_MAX) as u64, "game")
        ),
        Some((last, most)) if !most.is_empty() => format!("{} and {last}", joined(most)),
        _ => joined(games),
    };
    if flawed.len() == order.games.len() {
        let all = listed(flawed);
        return vec![format!(
            "{}: {all} have plain flaws, so they are not put in order",
            order.family
        )];
    }
    let doubt = order.doubtful.as_ref().map_or_else(String::new, |kind| {
        format!(" (doubtful: of games of the kind `{kind}` the model puts too few pairs in the right order)")
    });
    let pair = |pair: &OrderedPair| {
        let OrderedPair { better, worse, agree, right } = pair;
        let Some(agree) = agree else {
            return match flawed {
                [] | [_] => format!("  {better} before {worse}, which has a plain flaw"),
                several => format!("  {better} before {}, which have plain flaws", listed(several)),
            };
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

/// Names with commas between them.
fn joined(games: &[&String]) -> String {
    games.iter().map(|game| game.as_str()).collect::<Vec<_>>().join(", ")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_with_plain_flaws_are_not_put_in_order() {
        let names = ["a", "b", "c"].map(str::to_owned);
        let pair = |better: &str, worse: &str, agree| OrderedPair {
            better: better.to_owned(),
            worse: worse.to_owned(),
            agree,
            right: None,
        };
        let order = |games: &[String], pairs| FamilyOrder {
            family: "cram".to_owned(),
            doubtful: None,
            games: games.to_vec(),
            pairs,
        };
        let [a, b, c] = &names;
        let all = order(&names, Vec::new());
        let words = "cram: a, b and c have plain flaws, so they are not put in order";
        assert_eq!(order_words(&all, &[a, b, c]), [words]);
        let two = order(&names, vec![pair("a", "b", None)]);
        let words = ["cram:", "  a before b and c, which have plain flaws"];
        assert_eq!(order_words(&two, &[b, c]), words);
        let one = order(&names, vec![pair("a", "b", Some(0.9)), pair("b", "c", None)]);
        let words = [
            "cram:",
            "  a before b: 90% of the model's parts agree",
            "  b before c, which has a plain flaw",
        ];
        assert_eq!(order_words(&one, &[c]), words);
        let many: Vec<String> = (0..13).map(|n| format!("g{n}")).collect();
        let flawed: Vec<&String> = many.iter().collect();
        let words = order_words(&order(&many, Vec::new()), &flawed);
        assert!(
            words[0].starts_with("cram: g0, ") && words[0].contains("g9 and 3 games more have")
        );
    }
}
