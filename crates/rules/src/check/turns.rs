//! Checks of the section `turns`.

use treegauge_core::Player;

use super::Checker;
use crate::error::Mistake;
use crate::reader::Node;
use crate::tree::Turns;

impl Checker<'_> {
    pub(super) fn turns(&mut self, section: &Node) -> Option<Turns> {
        let (mut opening, mut cycle) = (Vec::new(), Vec::new());
        let pattern = "for example (turns (opening first) (cycle second first))";
        for node in section.rest() {
            let seats = match node.head() {
                Some("opening") => &mut opening,
                Some("cycle") => &mut cycle,
                _ => {
                    return self.fail(
                        Mistake::new(node.place, "turns have an opening and a cycle").hint(pattern),
                    );
                }
            };
            for seat in node.rest() {
                seats.push(match seat.head() {
                    Some("first") => Player::First,
                    Some("second") => Player::Second,
                    _ => {
                        return self.fail(
                            Mistake::new(seat.place, "a turn is that of first or second")
                                .hint(pattern),
                        );
                    }
                });
            }
        }
        if cycle.is_empty() {
            return self.fail(Mistake::new(section.place, "the turns have no cycle").hint(pattern));
        }
        if opening.len() + cycle.len() > 250 {
            return self.fail(Mistake::new(section.place, "there are more than 250 turns"));
        }
        let all: Vec<Player> = opening.iter().chain(&cycle).copied().collect();
        for player in Player::BOTH {
            if !all.contains(&player) {
                let name = if player == Player::First { "first" } else { "second" };
                let message = format!("the {name} player never moves");
                return self.fail(Mistake::new(section.place, message).hint(pattern));
            }
        }
        Some(Turns { cycle: opening.len(), seats: all })
    }
}
