//! Small charts of characters, for tables on a terminal.

/// Width of a chart in a table, in characters.
pub const CHART_CHARS: usize = 20;

/// Scale of a chart: the numbers at its two ends.
///
/// ```
/// use treegauge_doc::Scale;
///
/// assert_eq!(Scale::SHARES.interval(Some(0.5), Some(0.2), Some(0.7)), "····──────●────·····");
/// assert_eq!(Scale::SHARES.bar(0.36), "███████▎");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Number at the left end.
    pub least: f64,
    /// Number at the right end.
    pub greatest: f64,
}

impl Scale {
    /// Shares of a whole.
    pub const SHARES: Scale = Scale { least: 0.0, greatest: 1.0 };

    /// Interval as a line, with a dot at the mean. A missing end is the end of the scale, and
    /// without a mean the chart is empty. What lies beyond the scale is drawn at its end.
    #[must_use]
    pub fn interval(self, mean: Option<f64>, low: Option<f64>, high: Option<f64>) -> String {
        let Some(mean) = mean.filter(|mean| mean.is_finite()) else { return String::new() };
        let ends = match (low, high) {
            (None, None) => [mean, mean],
            (low, high) => [low.unwrap_or(self.least), high.unwrap_or(self.greatest)],
        };
        let ([first, last], dot) = (ends.map(|end| self.char_of(end)), self.char_of(mean));
        let one = |n: usize| match n {
            n if n == dot => '●',
            n if (first..=last).contains(&n) => '─',
            _ => '·',
        };
        (0..CHART_CHARS).map(one).collect()
    }

    /// Bar from the left end to a value, in eighths of a character.
    #[must_use]
    pub fn bar(self, value: f64) -> String {
        let eighths = (self.share(value) * 8.0 * CHART_CHARS as f64).round() as usize;
        let part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
        "█".repeat(eighths / 8) + part
    }

    /// Values one after the other, each as a block of eight heights. More than `most` values are
    /// thinned out; the first and the last one stay.
    #[must_use]
    pub fn sparkline(self, values: &[f64], most: usize) -> String {
        let shown = values.len().min(most.max(2));
        let one = |n: usize| {
            let at = if shown < values.len() { n * (values.len() - 1) / (shown - 1) } else { n };
            ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']
                [((self.share(values[at]) * 8.0) as usize).min(7)]
        };
        (0..shown).map(one).collect()
    }

    /// Place of a value on the scale, from 0 to 1.
    fn share(self, value: f64) -> f64 {
        ((value - self.least) / (self.greatest - self.least)).clamp(0.0, 1.0)
    }

    /// Character of [`Scale::interval`] that stands for a value.
    fn char_of(self, value: f64) -> usize {
        ((self.share(value) * CHART_CHARS as f64) as usize).min(CHART_CHARS - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::Scale;

    #[test]
    fn an_interval_is_a_line_with_a_dot() {
        let of = |mean, low, high| Scale::SHARES.interval(Some(mean), low, high);
        assert_eq!(of(0.0, Some(0.0), Some(0.04)), "●···················");
        assert_eq!(of(1.0, Some(0.9), Some(1.0)), "··················─●");
        assert_eq!(of(0.52, Some(0.41), Some(0.63)), "········──●──·······");
        assert_eq!(of(0.5, None, None), "··········●·········");
        assert_eq!(of(0.5, Some(0.45), None), "·········─●─────────");
        assert_eq!(of(7.0, Some(-3.0), Some(9.0)), "───────────────────●");
        assert_eq!(Scale::SHARES.interval(None, Some(0.1), None), "");
        let ratings = Scale { least: 500.0, greatest: 3_000.0 };
        let found = ratings.interval(Some(1_500.0), Some(1_100.0), Some(1_900.0));
        assert_eq!(found, "····────●───········");
    }

    #[test]
    fn a_bar_is_as_long_as_its_value() {
        let counts = Scale { least: 0.0, greatest: 80.0 };
        let bars = [0.0, 1.0, 2.0, 80.0, 90.0].map(|count| counts.bar(count));
        assert_eq!(bars, ["", "▎", "▌", &"█".repeat(20), &"█".repeat(20)]);
    }

    #[test]
    fn a_sparkline_has_the_first_and_the_last_value() {
        let values = Scale { least: -1.0, greatest: 1.0 };
        assert_eq!(values.sparkline(&[-1.0, 0.0, 0.5, 1.0], 60), "▁▅▇█");
        let many: Vec<f64> = (0..=1_000).map(|n| f64::from(n) / 500.0 - 1.0).collect();
        assert_eq!(values.sparkline(&many, 8), "▁▂▃▄▅▆▇█");
        assert_eq!(values.sparkline(&[], 8), "");
    }
}
