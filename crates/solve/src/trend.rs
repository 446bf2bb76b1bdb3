//! Extrapolation of the number of positions from its growth level by level.

/// Sizes of levels from the start on: tiers, or sets of positions at one distance from the start.
///
/// In most games the growth factor of the levels falls steadily, so that their sizes rise and fall
/// like a bell curve. The logarithms of the last few factors are continued by a line to the end of
/// the bell. Over all levels of 24 games for which an estimate was made, the greatest error was a
/// factor of 3.3. For the whole of Connect Four (4.5 * 10^12 positions) an estimate was possible
/// when one of 700 positions was known. The tests have some of these games.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trend {
    /// Logarithms of the sizes.
    logs: Vec<f64>,
    found: u64,
    /// Number of found positions in levels of unknown sizes.
    skipped: u64,
    /// Whether a level was smaller than the one two before it (`fell`), and whether a later one was
    /// larger again (`waves`). Such waves repeat, and each looks like the end.
    fell: bool,
    waves: bool,
    /// Estimates after each of the last levels.
    estimates: [Option<f64>; STEADY],
}

/// Number of growth factors that the line is fitted to.
const FACTORS: usize = 8;

/// Smallest number of levels for an estimate.
const LEVELS_MIN: usize = 6;

/// Smallest number of positions for an estimate.
const FOUND_MIN: u64 = 1_000;

/// Number of estimates in a row that must agree, and the greatest factor between two neighbours.
const STEADY: usize = 3;
const STEADY_FACTOR: f64 = 1.5;

/// Greatest number of extrapolated levels. A wider curve does not count as a bell.
const LEVELS_AHEAD: usize = 2_000;

impl Trend {
    /// Adds a complete level with this number of positions.
    pub(crate) fn add(&mut self, len: u64) {
        self.found += len;
        self.logs.push((len as f64).ln());
        if let [.., before, _, last] = self.logs[..] {
            // Compared over two levels, because in many games every other level is large.
            self.waves |= self.fell && last > before;
            self.fell |= last < before;
        }
        self.estimates.rotate_left(1);
        self.estimates[STEADY - 1] = self.continued();
    }

    /// Skips levels of unknown sizes with this number of positions in all.
    pub(crate) fn skip(&mut self, len: u64) {
        self.found += len;
        self.skipped += len;
    }

    /// Number of complete levels; 0 if some were skipped.
    pub(crate) fn levels(&self) -> u64 {
        if self.skipped > 0 { 0 } else { self.logs.len() as u64 }
    }

    /// Estimated number of all positions; `None` if the levels do not suffice for an estimate.
    pub(crate) fn expected(&self) -> Option<u64> {
        if self.waves || self.found < FOUND_MIN {
            return None;
        }
        let is_steady = self.estimates.windows(2).all(|pair| match pair {
            [Some(a), Some(b)] => a.max(*b) <= STEADY_FACTOR * a.min(*b),
            _ => false,
        });
        self.estimates[STEADY - 1].filter(|_| is_steady).map(|positions| positions as u64)
    }

    /// Number of positions if the trend continues; `None` if there are too few levels or the curve
    /// has no end.
    fn continued(&self) -> Option<f64> {
        let levels = self.logs.len();
        if levels < LEVELS_MIN {
            return None;
        }
        // Factors over two levels, as above; each belongs to the level between them.
        let factors = self.logs.windows(3).map(|logs| (logs[2] - logs[0]) / 2.0);
        let points: Vec<(f64, f64)> =
            factors.enumerate().map(|(n, y)| (n as f64 + 1.5, y)).collect();
        let points = &points[points.len().saturating_sub(FACTORS)..];
        let mean =
            |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / points.len() as f64;
        let (x_mean, y_mean) = (mean(|point| point.0), mean(|point| point.1));
        // Line of least squares.
        let across: f64 = points.iter().map(|(x, y)| (x - x_mean) * (y - y_mean)).sum();
        let slope = across / points.iter().map(|(x, _)| (x - x_mean).powi(2)).sum::<f64>();
        if slope >= 0.0 {
            return None;
        }
        let mut log = *self.logs.last()?;
        let mut positions = self.found as f64;
        for level in levels..levels + LEVELS_AHEAD {
            log += y_mean + slope * (level as f64 - x_mean);
            if log < 0.0 {
                return Some(positions);
            }
            positions += log.exp();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Estimates after each level, as fractions of the true number.
    fn estimates(levels: &[u64]) -> Vec<Option<f64>> {
        let all: u64 = levels.iter().sum();
        let mut trend = Trend::default();
        let after = |&len| {
            trend.add(len);
            trend.expected().map(|positions| positions as f64 / all as f64)
        };
        levels.iter().map(after).collect()
    }

    #[test]
    fn bells_are_continued() {
        // Positions of Connect Four by plies: J. Tromp, the Fhourstones page; OEIS A212693.
        let connect_four = [
            1,
            7,
            49,
            238,
            1_120,
            4_263,
            16_422,
            54_859,
            184_275,
            558_186,
            1_662_623,
            4_568_683,
            12_236_101,
            30_929_111,
            75_437_595,
            176_541_259,
            394_591_391,
            858_218_743,
            1_763_883_894,
            3_568_259_802,
            6_746_155_945,
            12_673_345_045,
            22_010_823_988,
            38_263_228_189,
            60_830_813_459,
            97_266_114_959,
            140_728_569_039,
            205_289_508_055,
            268_057_611_944,
            352_626_845_666,
            410_378_505_447,
            479_206_477_733,
            488_906_447_183,
            496_636_890_702,
            433_471_730_336,
            370_947_887_723,
            266_313_901_222,
            183_615_682_381,
            104_004_465_349,
            55_156_010_773,
            22_695_896_495,
            7_811_825_938,
            1_459_332_899,
        ];
        assert_eq!(connect_four.iter().sum::<u64>(), 4_531_985_219_092);
        let estimates = estimates(&connect_four);
        assert!(estimates[..18].iter().all(Option::is_none));
        assert!(estimates[20..].iter().all(|part| part.is_some_and(|part| part > 0.9)));
        assert!(estimates.iter().flatten().all(|part| *part < 3.3));
        assert!(estimates[36..].iter().flatten().all(|part| (0.99..1.05).contains(part)));
    }

    #[test]
    fn levels_that_were_skipped_are_counted() {
        let bell = [100, 400, 1_300, 3_500, 7_600, 13_000, 18_000, 20_000, 18_000, 13_000, 7_600];
        let (mut whole, mut later) = (Trend::default(), Trend::default());
        bell.iter().for_each(|&len| whole.add(len));
        later.skip(1_800);
        bell[3..].iter().for_each(|&len| later.add(len));
        assert_eq!((whole.levels(), later.levels()), (11, 0));
        // These have fewer factors to fit.
        let [whole, later] = [whole, later].map(|trend| trend.expected().expect("it is a bell"));
        assert!((107_000..110_000).contains(&whole), "{whole}");
        assert!((107_000..110_000).contains(&later), "{later}");
    }

    #[test]
    fn waves_and_growth_without_end_are_not() {
        let doubles: Vec<u64> = (0..40).map(|n| 1 << n).collect();
        assert!(estimates(&doubles).iter().all(Option::is_none));
        // The same bell twice.
        let bell = [1, 9, 60, 300, 1_000, 2_500, 4_500, 5_500, 4_400, 2_600, 1_100, 310];
        let alone = estimates(&bell);
        assert!(alone[9].is_some_and(|part| (0.8..1.2).contains(&part)), "{alone:?}");
        let waves = estimates(&[bell, bell].concat());
        assert!(waves[15..].iter().all(Option::is_none), "{waves:?}");
        assert!(estimates(&[1, 2, 3, 4, 5, 4, 3, 2, 1]).iter().all(Option::is_none), "few");
    }
}
