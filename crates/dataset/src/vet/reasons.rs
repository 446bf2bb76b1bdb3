//! Reasons that a game is predicted to be playable or not.

use treegauge_gauge::Measure;
use treegauge_gauge::vetted::Reason;
use treegauge_learn::Random;
use treegauge_search::FEATURES;

use super::playable::{Measured, PlayablePredictor};

/// Minimum effect of a reason, as a difference of probabilities.
const EFFECT_MIN: f64 = 0.01;

/// Number of known games that lend their attributes.
const LENDERS: usize = 24;

/// Kinds of attributes that moved the probability of a row most, at most `count`. The effect of a
/// kind is the probability less its mean when all attributes of the kind come from known games.
/// These games are always the same ones, chosen at random.
pub(super) fn reasons(
    predictor: &PlayablePredictor,
    row: &[f64],
    group: Option<usize>,
    count: usize,
) -> Vec<Reason> {
    let probability = |row: Vec<f64>| {
        let measured = Measured { row, without_parts: Vec::new() };
        predictor.chances(&measured, group)[0].probability
    };
    let whole = probability(row.to_vec());
    let attributes = &predictor.basis.attributes;
    let mut kinds: Vec<String> = Vec::new();
    for attribute in attributes {
        let kind = attribute.kind();
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let rows = predictor.basis.rows();
    let mut lenders: Vec<&Vec<f64>> = rows.iter().collect();
    Random::new(1).shuffle(&mut lenders);
    lenders.truncate(LENDERS);
    let reason = |kind: String| {
        let own: Vec<usize> =
            (0..attributes.len()).filter(|&n| attributes[n].kind() == kind).collect();
        let lent = lenders.iter().map(|lender| {
            let mut row = row.to_vec();
            own.iter().for_each(|&n| row[n] = lender[n]);
            probability(row)
        });
        let effect = whole - lent.sum::<f64>() / lenders.len() as f64;
        let shown = own.iter().find(|&&n| attributes[n].name.ends_with(".mean")).or(own.first());
        let words = shown.map_or_else(String::new, |&n| {
            let [unplayable, playable] =
                [0.0, 1.0].map(|class| predictor.basis.quartiles(n, class));
            words_of(&kind, row[n], playable, unplayable, effect)
        });
        Reason { feature: kind, effect, words }
    };
    let mut reasons: Vec<Reason> =
        kinds.into_iter().map(reason).filter(|reason| reason.effect.abs() >= EFFECT_MIN).collect();
    reasons.sort_by(|a, b| b.effect.abs().total_cmp(&a.effect.abs()));
    reasons.truncate(count);
    reasons
}

/// Reason in words, with the middle half of the values of the playable and of the unplayable known
/// games.
fn words_of(
    kind: &str,
    value: f64,
    playable: Option<[f64; 2]>,
    unplayable: Option<[f64; 2]>,
    effect: f64,
) -> String {
    let of_tree = FEATURES.iter().find(|feature| feature.name == kind);
    let of_play = kind.strip_prefix("play.").and_then(Measure::named);
    let what = match (of_tree, of_play) {
        (Some(feature), _) => format!("{} ({kind})", feature.meaning),
        (_, Some(measure)) => measure.title.to_owned(),
        _ => kind.to_owned(),
    };
    let moves = if effect > 0.0 { "for" } else { "against" };
    let range = |[low, high]: [f64; 2]| format!("{} to {}", short(low), short(high));
    let of_class = |class: &str, middle: Option<[f64; 2]>| {
        middle.map(|middle| format!("of {class} games {}", range(middle)))
    };
    let middles = [of_class("playable", playable), of_class("unplayable", unplayable)];
    let middles: Vec<String> = middles.into_iter().flatten().collect();
    let mut words = format!("{moves} it: {what} {}", short(value));
    if !middles.is_empty() {
        words += &format!("; the middle half {}", middles.join(", "));
    }
    words
}

/// Number with three significant digits, but at most four decimals.
fn short(x: f64) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    let digits = (2 - x.abs().log10().floor() as i32).clamp(0, 4);
    let text = format!("{x:.*}", digits as usize);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}
