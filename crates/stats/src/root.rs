//! Zero crossings of functions.

/// Finds where `f` changes from below 0 to 0 or more between `low` and `high`. Returns the upper
/// end of a bracket at most `width` wide.
///
/// Alternates two steps of the Illinois method (Dowell and Jarratt 1971) with one bisection, so
/// that the bracket always narrows.
pub(super) fn crossing(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64, width: f64) -> f64 {
    let (mut below, mut above) = (f(low), f(high));
    for step in 1.. {
        let middle = f64::midpoint(low, high);
        if high - low <= width || middle <= low || middle >= high {
            break;
        }
        let line = low + (high - low) * (below / (below - above));
        let next = if step % 3 != 0 && low < line && line < high { line } else { middle };
        let value = f(next);
        // Illinois: the value at the end that stays is halved.
        if value >= 0.0 {
            (high, above, below) = (next, value, below / 2.0);
        } else {
            (low, below, above) = (next, value, above / 2.0);
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crossing_is_found_from_above() {
        let root = crossing(|x| x * x * x - 2.0, 0.0, 100.0, 1e-12);
        assert!((0.0..1e-11).contains(&(root - 2f64.cbrt())));
        let jump = crossing(|x| if x < 0.3 { -1.0 } else { 5.0 }, 0.0, 1.0, 1e-9);
        assert!((0.0..=1e-9).contains(&(jump - 0.3)));
    }
}
