//! `treegauge search --player alphabeta(...)`.

use treegauge::engine::{Line, PlayerSpec};
use treegauge::report::{Document, NoBoards};
use treegauge::{Game, search_alpha_beta};

use crate::common::clock;
use crate::exit::{Failure, Outcome};
use crate::interrupt::{self, Stop};
use crate::output::{print, print_report};
use crate::terminal::terminal;

/// Searches as a player of alpha-beta.
pub(super) fn run(game: &Game, at: &Line, player: &PlayerSpec, json: bool) -> Outcome {
    interrupt::flag();
    let report = search_alpha_beta(game, at, player, &clock(), &Stop)?;
    if json {
        print_report(&report)?
    } else {
        print(&report.doc(&NoBoards).text(terminal()))?
    }
    if interrupt::requested() {
        return Err(Failure::interrupted("interrupted: the search is shorter than was asked for"));
    }
    Ok(())
}
