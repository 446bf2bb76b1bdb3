use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;
use treegauge_core::{Game, Keyed, Notation};
use treegauge_games::connect_four::ConnectFour;
use treegauge_games::tic_tac_toe::TicTacToe;
use treegauge_testkit::explore::reachable;

use super::*;
use crate::{Options, Reduction, Rules, Solution, solve};

fn solved<G: Keyed>(rules: &Rules<G>, symmetry: bool) -> Solution<G> {
    let options = Options { symmetry, ..Options::default() };
    solve(rules, &rules.game().start(), options, &()).unwrap().done().unwrap()
}
