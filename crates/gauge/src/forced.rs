//! Search for a win that one player can force within a few plies.

use treegauge_core::{Player, Watch, counted};
use treegauge_engine::{Line, MoveNumber};

/// Plies within which a gauge looks for a forced win: the third move of the player who begins.
pub(super) const PLIES_MAX: u32 = 5;

/// Search for a win of a player.
pub(super) struct Forced<'a> {
    player: Player,
    /// Positions that may be made, and those that are left of them.
    positions_max: u32,
    left: u32,
    /// Number of the move that decided last, by the plies that were left. In the next position it has
    /// about the same number, so that moves near it are tried first.
    decisive: [u32; PLIES_MAX as usize + 1],
    watch: &'a dyn Watch,
}

/// Reason that a search for a win has no answer.
pub(super) enum GivenUp {
    /// The positions were too many.
    Positions,
    /// The watch said stop.
    Stopped,
}

impl<'a> Forced<'a> {
    /// Search that may make this many positions; it looks at most [`PLIES_MAX`] plies ahead.
    pub(super) fn new(player: Player, positions_max: u32, watch: &'a dyn Watch) -> Forced<'a> {
        Forced { player, positions_max, left: positions_max, decisive: Default::default(), watch }
    }

    /// Tests whether the player wins within some plies, whatever the other does.
    pub(super) fn wins(&mut self, line: &Line, plies: u32) -> Result<bool, GivenUp> {
        if let Some(ended) = line.ended() {
            return Ok(ended.outcome.winner() == Some(self.player));
        }
        if plies == 0 {
            return Ok(false);
        }
        if self.watch.stop() {
            return Err(GivenUp::Stopped);
        }
        let is_own = line.turn() == self.player;
        let mut numbers: Vec<u32> = (0..line.move_count()).collect();
        let last = self.decisive[plies as usize];
        numbers.sort_by_key(|number| number.abs_diff(last));
        for number in numbers {
            self.left = self.left.checked_sub(1).ok_or(GivenUp::Positions)?;
            let mut next = line.clone();
            next.play(number as MoveNumber);
            if self.wins(&next, plies - 1)? == is_own {
                self.decisive[plies as usize] = number;
                return Ok(is_own);
            }
        }
        Ok(!is_own)
    }

    /// The win in words, with the first move if the player makes it.
    pub(super) fn words(&self, start: &Line, plies: u32) -> String {
        let (player, within) = (self.player, counted(plies, "ply"));
        let is_winning = |number: &u32| {
            let mut next = start.clone();
            next.play(*number as MoveNumber);
            let mut search = Forced::new(player, self.positions_max, self.watch);
            search.wins(&next, plies - 1).unwrap_or(false)
        };
        let first =
            (start.turn() == player).then(|| (0..start.move_count()).find(is_winning)).flatten();
        let begins = first
            .map_or_else(String::new, |m| format!(" with {}", start.move_text(m as MoveNumber)));
        format!("the {player} player wins within {within}{begins}, whatever the other player does")
    }
}
