//! Ply limits, which the values of positions ignore.

use std::fmt;

use serde::{Deserialize, Serialize};
use treegauge_core::KeyCode;

use crate::rules::Solvable;
use crate::value::{ExactValue, Value};

/// Limit of plies that may stop a game before the end of best play, so that the result may differ
/// from the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlyLimit {
    /// Number of plies after which the rules stop a game.
    pub plies: u32,
    /// Whether only plies without progress count.
    pub without_progress: bool,
}

impl PlyLimit {
    /// Limit that may stop best play from a position with the value `valued` before its end.
    /// `positions` is the number of positions that can be reached. `None` if no limit can come
    /// first, or best play is an endless draw.
    ///
    /// The winner of endless play waits for the third occurrence of a position. It comes after at
    /// most two plies for each position, so a smaller cap may come first. For endless play, a cap
    /// that is not a rule of the game is ignored: the program sets it so that games end.
    #[must_use]
    pub fn before<K: KeyCode>(
        rules: &Solvable<K>,
        valued: ExactValue,
        positions: u64,
    ) -> Option<PlyLimit> {
        let Some(remoteness) = valued.plies().map(u32::from) else {
            let plies = rules.ply_cap().0;
            let is_won = matches!(valued.value, Value::Win | Value::Lose);
            let may_come =
                is_won && rules.is_capped_by_rules() && u64::from(plies) <= 2 * positions;
            return may_come.then_some(PlyLimit { plies, without_progress: false });
        };
        let quiet =
            rules.quiet_plies().map(|plies| PlyLimit { plies: plies.0, without_progress: true });
        let cap = PlyLimit { plies: rules.ply_cap().0, without_progress: false };
        let limits = quiet.into_iter().chain([cap]).filter(|limit| limit.plies < remoteness);
        limits.min_by_key(|limit| limit.plies)
    }
}

impl fmt::Display for PlyLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = if self.plies == 1 { "ply" } else { "plies" };
        let progress = if self.without_progress { " without progress" } else { "" };
        write!(f, "{} {unit}{progress}", self.plies)
    }
}
