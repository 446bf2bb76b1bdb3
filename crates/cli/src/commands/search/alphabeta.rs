//! `treegauge search --player`: alpha-beta.

use treegauge::engine::{AlphaBetaPlayer, Line, PlayerSpec};
use treegauge::report::alphabeta_search_text;
use treegauge::{Error, Game, search_alpha_beta};

use crate::common::clock;
use crate::exit::{Exit, Failure, Outcome};
use crate::interrupt::{self, Stop};
use crate::output::{print, print_report};

/// Searches with the player of that text form, which must be alpha-beta.
pub(super) fn run(game: &Game, at: &Line, player: &str, json: bool) -> Outcome {
    let spec = PlayerSpec::parse(player).map_err(Error::from)?;
    if spec.get::<AlphaBetaPlayer>().is_none() {
        let message = format!(
            "--player takes alphabeta(eval=NAME,nodes=N); without it UCT searches, and {player} \
             is neither"
        );
        return Err(Failure::new(Exit::Usage, message));
    }
    interrupt::flag();
    let report = search_alpha_beta(game, at, &spec, &clock(), &Stop)?;
    if json {
        print_report(&report)?
    } else {
        print(&alphabeta_search_text(&report))?
    }
    if interrupt::requested() {
        return Err(Failure::interrupted("interrupted: the search is shorter than was asked for"));
    }
    Ok(())
}
