//! Positions and labels of the marks of an axis.

/// Marks at equal distances, each at a round number with an exact label.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ticks {
    first: i64,
    last: i64,
    /// The distance is this factor times a power of ten: 1, 2 or 5.
    factor: i64,
    power: i32,
}

/// Kind of a quantity: counted or measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantity {
    /// A count. Marks lie at whole numbers.
    Whole,
    /// A measured number. Marks may lie at fractions.
    Measured,
}

impl Ticks {
    /// Marks from at most `least` to at least `greatest`, with at most `steps` distances between
    /// the two, apart from the rounding of the ends. Ends that are not finite, too large, equal or
    /// out of order result in marks at 0 and 1.
    pub(crate) fn of(least: f64, greatest: f64, steps: u32, quantity: Quantity) -> Ticks {
        const GREATEST: f64 = 1e15;
        let is_sound = least < greatest && least.abs() <= GREATEST && greatest.abs() <= GREATEST;
        // Numbers closer than this to each other are indistinguishable beside numbers of their
        // size.
        let closest = 1e-9 * least.abs().max(greatest.abs());
        if !is_sound || greatest - least < closest.max(1e-12) {
            return Ticks { first: 0, last: 1, factor: 1, power: 0 };
        }
        let wanted = (greatest - least) / f64::from(steps.max(1));
        let mut power = wanted.log10().floor() as i32 - 1;
        if quantity == Quantity::Whole {
            power = power.max(0);
        }
        loop {
            for factor in [1, 2, 5] {
                let step = size(factor, power);
                if step >= wanted * (1.0 - 1e-9) {
                    let slack = 1e-9;
                    let first = (least / step + slack).floor() as i64;
                    let last = (greatest / step - slack).ceil() as i64;
                    return Ticks { first, last: last.max(first + 1), factor, power };
                }
            }
            power += 1;
        }
    }

    /// Distance of two neighbouring marks.
    pub(crate) fn step(&self) -> f64 {
        size(self.factor, self.power)
    }

    /// Position of the first mark.
    pub(crate) fn least(&self) -> f64 {
        self.place(self.first)
    }

    /// Position of the last mark.
    pub(crate) fn greatest(&self) -> f64 {
        self.place(self.last)
    }

    /// Positions and labels of the marks, from the first to the last.
    pub(crate) fn marks(&self) -> impl Iterator<Item = (f64, String)> + '_ {
        let digits = usize::try_from(-self.power).unwrap_or(0);
        (self.first..=self.last).map(move |n| {
            let place = self.place(n);
            (place, format!("{place:.digits$}"))
        })
    }

    fn place(&self, n: i64) -> f64 {
        // A division yields the exact decimal number; a product with 0.1 does not.
        let units = (n * self.factor) as f64;
        match self.power {
            power @ 0.. => units * 10f64.powi(power),
            power => units / 10f64.powi(-power),
        }
    }
}

fn size(factor: i64, power: i32) -> f64 {
    factor as f64 * 10f64.powi(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: &Ticks) -> Vec<String> {
        ticks.marks().map(|(_, label)| label).collect()
    }

    #[test]
    fn marks_are_round_numbers() {
        let whole = |least, greatest| labels(&Ticks::of(least, greatest, 4, Quantity::Whole));
        assert_eq!(whole(0.0, 9.2), ["0", "5", "10"]);
        assert_eq!(whole(0.0, 8.0), ["0", "2", "4", "6", "8"]);
        assert_eq!(whole(0.0, 1.0), ["0", "1"]);
        assert_eq!(whole(-383.0, 212.0), ["-400", "-200", "0", "200", "400"]);
        let measured = labels(&Ticks::of(0.0, 1.1, 5, Quantity::Measured));
        assert_eq!(measured, ["0.0", "0.5", "1.0", "1.5"]);
        for (least, greatest) in [(0.0, 0.0), (1.0, 0.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
            assert_eq!(whole(least, greatest), ["0", "1"]);
        }
    }

    /// Checks many ranges of all sizes: a label is the number of its mark, marks are equidistant
    /// and enclose the range, and their number is at most `steps + 3`.
    #[test]
    fn labels_are_true() {
        let mut state = 1_u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        for _ in 0..20_000 {
            let size = 10f64.powf(18.0 * random() - 6.0);
            let least = if random() < 0.5 { 0.0 } else { size * (2.0 * random() - 1.0) };
            let greatest = least + size * (0.01 + random());
            for quantity in [Quantity::Whole, Quantity::Measured] {
                for steps in [2, 4, 6, 10] {
                    let ticks = Ticks::of(least, greatest, steps, quantity);
                    let marks: Vec<(f64, String)> = ticks.marks().collect();
                    let case = format!("{least} to {greatest} in {steps}: {marks:?}");
                    for (place, label) in &marks {
                        let said: f64 = label.parse().unwrap();
                        assert_eq!(said, *place, "{case}");
                        assert!(quantity == Quantity::Measured || !label.contains('.'), "{case}");
                    }
                    for pair in marks.windows(2) {
                        let apart = pair[1].0 - pair[0].0;
                        assert!((apart / ticks.step() - 1.0).abs() < 1e-6, "{case}");
                    }
                    let slack = 1e-6 * ticks.step();
                    assert!(ticks.least() <= least + slack, "{case}");
                    assert!(ticks.greatest() >= greatest - slack, "{case}");
                    assert!((2..=steps as usize + 3).contains(&marks.len()), "{case}");
                }
            }
        }
    }
}
