//! Effects of a change on the measures of a game: better, worse, or not distinguishable.

use treegauge_doc::{Block, Cell, Column, Table, Tone, Wrap};
use treegauge_gauge::{
    CompareReport, FlawSide, GaugeReport, MEASURES, Measure, MeasureDifference, Thresholds,
};

use super::difference_words;
use crate::estimates::chance_words;
use crate::words::grouped;
use treegauge_stats::Estimate;

/// Effect of a change on a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    Better,
    Worse,
    /// A real difference of a measure that is neither good nor bad.
    Different,
    NotDistinguishable,
}

/// Greatest number of games that a cell names.
const GAMES_MAX: f64 = 100_000.0;

/// Table of the effects: a row for each measure that a flaw rests on, or whose difference is real;
/// `None` if there are no such measures.
pub(super) fn block(report: &CompareReport) -> Option<Block> {
    let (first, others) = report.games.split_first()?;
    let columns = others.iter().map(|game| Column::left(game.game.as_str()));
    let columns = std::iter::once(Column::left("measure")).chain(columns);
    let mut table = Table::new("effects", columns).wrapped(Wrap::Cards);
    for measure in MEASURES {
        let of = |game: &&GaugeReport| {
            let is_own =
                |one: &&MeasureDifference| one.measure == measure.name && one.b == game.game;
            report.differences.iter().find(is_own).filter(|one| one.difference.mean.is_some())
        };
        let found: Vec<Option<&MeasureDifference>> = others.iter().map(|game| of(&game)).collect();
        let is_shown = !measure.judged.is_empty() && found.iter().any(Option::is_some);
        if !is_shown && !found.iter().flatten().any(|one| one.real) {
            continue;
        }
        let cells = found.into_iter().zip(others).map(|(difference, game)| match difference {
            Some(difference) => cell(measure, difference, first, game),
            None => Cell::from("not measured"),
        });
        table.push(std::iter::once(Cell::from(measure.title)).chain(cells));
    }
    let note = format!(
        "Each game against {}. Better means further from a flaw. The number of games is that at which the 95% interval \
         of the difference would exclude 0, if the difference stayed as it is.",
        first.game
    );
    (!table.rows.is_empty()).then(|| {
        let heading = Block::heading(2, "Better, worse or not distinguishable");
        Block::PagesOnly(vec![heading, Block::note(note), table.into()])
    })
}

fn cell(measure: &Measure, one: &MeasureDifference, a: &GaugeReport, b: &GaugeReport) -> Cell {
    let value = |game: &GaugeReport| game.gauge.measured(measure.name).mean;
    let effect = effect(measure, one.real, [value(a), value(b)], &a.gauge.thresholds);
    let (word, tone) = match effect {
        Effect::Better => ("better", Some(Tone::Good)),
        Effect::Worse => ("worse", Some(Tone::Bad)),
        Effect::Different => ("different", None),
        Effect::NotDistinguishable => ("not distinguishable", Some(Tone::Undecided)),
    };
    let mut words = difference_words(one, measure.unit);
    if effect == Effect::NotDistinguishable {
        words.push_str("; ");
        words.push_str(&needed_words(one));
    }
    let cell = Cell::from(word).noted(words);
    tone.map_or(cell.clone(), |tone| cell.toned(tone))
}

/// Number of games of each variant that would show a difference, in words.
fn needed_words(one: &MeasureDifference) -> String {
    let by_itself = chance_words(false, &one.difference);
    if by_itself != chance_words(false, &Estimate::UNRATED) {
        return by_itself.to_owned();
    }
    match one.difference.n_to_exclude(0.0) {
        Some(games) if games <= GAMES_MAX => {
            let games = games.max(1.0).ceil() as u64;
            // The number is rough, so it has two digits.
            let unit = 10_u64.pow(games.max(10).ilog10() - 1);
            format!("about {} games of each would show it", grouped(games.div_ceil(unit) * unit))
        }
        Some(_) => "more than 100,000 games of each would be needed".to_owned(),
        None => "no difference was seen".to_owned(),
    }
}

/// Effect of a change of a measure between two values.
fn effect(
    measure: &Measure,
    is_real: bool,
    values: [Option<f64>; 2],
    thresholds: &Thresholds,
) -> Effect {
    if !is_real {
        return Effect::NotDistinguishable;
    }
    let good = |value: Option<f64>| distance_from_flaws(measure, value?, thresholds);
    match values.map(good) {
        [Some(a), Some(b)] if b > a => Effect::Better,
        [Some(a), Some(b)] if b < a => Effect::Worse,
        _ => Effect::Different,
    }
}

/// Distance of a value from the flaws of its measure; `None` if the measure has none. A measure with
/// a flaw on each side has 0 between them, unless they are those of both players.
fn distance_from_flaws(measure: &Measure, value: f64, thresholds: &Thresholds) -> Option<f64> {
    let limits = measure.judged.iter().flat_map(|threshold| {
        threshold.flags.iter().map(|flag| (flag.side, thresholds.get(threshold.name)))
    });
    let limits: Vec<(FlawSide, f64)> = limits.collect();
    let distance = |(side, limit): &(FlawSide, f64)| match side {
        FlawSide::Above => limit - value,
        FlawSide::Below => value - limit,
        FlawSide::ComplementAbove => limit - (1.0 - value),
    };
    let nearest = limits.iter().map(distance).reduce(f64::min)?;
    let has = |side: FlawSide| limits.iter().any(|(other, _)| *other == side);
    let is_between = has(FlawSide::Above) && has(FlawSide::Below);
    Some(if is_between { nearest.min(0.0) } else { nearest })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, values: [f64; 2]) -> Effect {
        let measure = Measure::named(name).unwrap();
        effect(measure, true, values.map(Some), &Thresholds::default())
    }

    #[test]
    fn better_is_further_from_a_flaw() {
        assert_eq!(of("draw_rate", [0.5, 0.2]), Effect::Better);
        assert_eq!(of("draw_rate", [0.2, 0.5]), Effect::Worse);
        assert_eq!(of("first_player", [0.3, 0.55]), Effect::Better);
        assert_eq!(of("first_player", [0.5, 0.2]), Effect::Worse);
        assert_eq!(of("completion", [0.7, 0.9]), Effect::Better);
        assert_eq!(of("plies.median", [30.0, 60.0]), Effect::Different, "neither is a flaw");
        assert_eq!(of("plies.median", [30.0, 1.0]), Effect::Worse);
        assert_eq!(of("branching", [3.0, 9.0]), Effect::Different, "no flaw rests on it");
        let measure = Measure::named("draw_rate").unwrap();
        let open = effect(measure, false, [Some(0.5), Some(0.2)], &Thresholds::default());
        assert_eq!(open, Effect::NotDistinguishable);
    }

    #[test]
    fn the_number_of_games_is_rough() {
        let of = |mean, low, high, n| MeasureDifference {
            measure: "draw_rate".to_owned(),
            a: String::new(),
            b: String::new(),
            difference: Estimate { mean, low, high, n },
            real: false,
        };
        let words = needed_words(&of(Some(0.1), Some(-0.1), Some(0.3), 123));
        assert_eq!(words, "about 500 games of each would show it");
        let words = needed_words(&of(Some(0.0001), Some(-0.1), Some(0.3), 123));
        assert_eq!(words, "more than 100,000 games of each would be needed");
        let words = needed_words(&of(Some(0.0), Some(-0.1), Some(0.1), 9));
        assert_eq!(words, "no difference was seen");
        let words = needed_words(&of(Some(0.1), Some(0.01), Some(0.2), 9));
        assert!(words.ends_with("but not among this many"), "{words}");
    }
}
