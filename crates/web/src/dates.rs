//! Days and times of seconds since 1970, in UTC.

/// The day, as 2026-11-27.
pub(crate) fn day(seconds: u64) -> String {
    let (year, month, day) = civil(seconds / 86_400);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The minute, as 2026-11-27 09:30.
pub(crate) fn minute(seconds: u64) -> String {
    let of_day = seconds % 86_400;
    format!("{} {:02}:{:02}", day(seconds), of_day / 3600, of_day % 3600 / 60)
}

/// Year, month and day of the days since 1970 (Howard Hinnant, chrono-compatible low-level date
/// algorithms, `civil_from_days`).
fn civil(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + 400 * era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_times_have_their_dates() {
        assert_eq!(minute(0), "1970-01-01 00:00");
        assert_eq!(day(951_782_400), "2000-02-29");
        assert_eq!(minute(1_795_744_800), "2026-11-27 02:00");
    }
}
