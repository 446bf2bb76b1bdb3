//! Checks of the section `start`.

use treegauge_core::Player;

use super::{Checker, When};
use crate::error::Mistake;
use crate::facts::fixed;
use crate::reader::Node;
use crate::said::Placed;
use crate::tree::{Owner, Put};

impl Checker<'_> {
    pub(super) fn start(&mut self, section: &Node) -> (Vec<Put>, u8) {
        let (mut puts, mut seeds) = (Vec::new(), 0);
        for node in section.rest() {
            match node.head() {
                Some("put") => {
                    self.put(node, &mut puts);
                }
                Some("seeds") if node.rest().len() == 1 => {
                    if !self.board.is_pits() && !self.board_unknown {
                        self.mistake(Mistake::new(node.place, "only pits have seeds"));
                        continue;
                    }
                    // The total number of seeds must fit into one byte.
                    let most = 255 / (2 * self.board.pits().max(1)) as i32;
                    if let Some(n) = self.int_in(&node.rest()[0], "the seeds of a pit", 1, most) {
                        seeds = n as u8;
                    }
                }
                _ => {
                    self.mistake(
                        Mistake::new(node.place, "a start has put and seeds")
                            .hint("for example (start (put each man (home 2)))"),
                    );
                }
            }
        }
        (puts, seeds)
    }

    fn put(&mut self, node: &Node, puts: &mut Vec<Put>) -> Option<()> {
        let rest = node.rest();
        let pattern = "a piece is put by `(put each man (home 2))`";
        if !(2..=3).contains(&rest.len()) {
            return self.fail(Mistake::new(node.place, "this does not put a piece").hint(pattern));
        }
        if self.board.is_pits() {
            return self.fail_of_board(
                Mistake::new(node.place, "pits have no pieces").hint("for example (seeds 4)"),
            );
        }
        let players: &[Option<Player>] = match rest[0].head() {
            Some("each") => &[Some(Player::First), Some(Player::Second)],
            Some("first") => &[Some(Player::First)],
            Some("second") => &[Some(Player::Second)],
            Some("neutral") => &[None],
            _ => {
                return self.fail(
                    Mistake::new(rest[0].place, "expected each, first, second or neutral")
                        .hint(pattern),
                );
            }
        };
        let neutral = players[0].is_none();
        let kind = if rest.len() == 3 {
            self.kind(&rest[1])
        } else {
            let first = self.kinds.iter().position(|k| (k.owner == Owner::Neutral) == neutral);
            first.map(|kind| kind as u8)
        };
        let kind_place = if rest.len() == 3 { &rest[1] } else { &rest[0] };
        let set = self.set(&rest[rest.len() - 1], When::Before);
        let (Some(kind), Some(set)) = (kind, set) else { return None };
        self.owned(kind_place, kind, neutral)?;
        for &player in players {
            if let (Owner::Only(owner), Some(player)) = (self.kinds[kind as usize].owner, player)
                && owner != player
            {
                let name = self.kinds[kind as usize].name.clone();
                let message = format!("`{name}` belongs to one player only");
                return self.fail(Mistake::new(kind_place.place, message));
            }
            let mover = player.unwrap_or(Player::First);
            let Some(sites) = fixed(&self.board, &set, mover) else {
                return self.fail(
                    Mistake::new(rest[rest.len() - 1].place, "nothing stands on the board yet")
                        .hint("say where by sites, rows, home, edges and the like"),
                );
            };
            for site in sites {
                if puts.iter().any(|put| put.site == site) {
                    let name = self.board.names[site as usize].clone();
                    let message = format!("a piece stands on `{name}` already");
                    let mistake = Mistake::new(node.place, message);
                    let is_of_each = players.len() > 1
                        && puts.iter().any(|put| put.site == site && put.player != player);
                    let hint = "`each` puts pieces of both players there; `(home 1)` is a row of each player's own";
                    return self.fail_of_board(if is_of_each {
                        mistake.hint(hint)
                    } else {
                        mistake
                    });
                }
                puts.push(Put { player, kind, site });
            }
        }
        let owner = match players {
            [None] => Owner::Neutral,
            [Some(player)] => Owner::Only(*player),
            _ => Owner::Each,
        };
        self.said.start.push(Placed { owner, kind, on: set });
        Some(())
    }
}
