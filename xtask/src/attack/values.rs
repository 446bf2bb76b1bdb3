//! `values`: small games that end by limits. `solve`, `gauge` and alpha-beta must agree on their
//! values.
//!
//! Alpha-beta plays with the history of the game and does not use the solver. If it decides a game,
//! its result is that of the rules.

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::attack::arena::Arena;
use crate::attack::job::{Job, Ran};
use crate::attack::random::Random;
use crate::attack::{Class, DOCUMENTED};

const BOARDS: [(&str, &str, &str); 4] = [
    ("(grid 2 2)", "a1", "b2"),
    ("(grid 3 1)", "a1", "c1"),
    ("(grid 3 2)", "a1 b1", "c2"),
    ("(graph (line a b c d) (line d e a))", "a", "c"),
];

const MOVES: [&str; 3] = [
    "(step man orthogonal)",
    "(or (step man orthogonal) (pass))",
    "(step man orthogonal (to (or empty theirs)))",
];

const RESULTS: [&str; 7] = [
    "(win first)",
    "(win second)",
    "(lose first)",
    "(win mover)",
    "(lose mover)",
    "draw",
    "(most (count mine))",
];

const STUCK: [&str; 3] = ["(stuck (lose mover))", "(stuck draw)", "(stuck (win mover))"];

pub(crate) struct Values;

impl Class for Values {
    fn name(&self) -> &'static str {
        "values"
    }

    fn quick(&self) -> u64 {
        40
    }

    fn attempt(&mut self, arena: &Arena<'_>, random: &mut Random, _: u64) -> Result<()> {
        fs::write(arena.path("game.rules"), game(random))?;
        let search = ["search", "game.rules", "--player", "alphabeta(depth=16)", "--json"];
        let searched = arena.run(&Job::new(search).patience(Duration::from_secs(20)))?;
        let solved = arena.run(&Job::new(["solve", "game.rules", "--json", "-o", "game.tgs"]))?;
        for ran in [&searched, &solved] {
            if let Some(wrong) = ran.wrong_end(&DOCUMENTED) {
                arena.fault(format!("a small game: {wrong}"), ran);
            }
        }
        // Both commands may refuse the text.
        if searched.code != Some(0) || solved.code != Some(0) {
            return Ok(());
        }
        let (searched, solve) = (json(&searched)?, json(&solved)?);
        let Some(expected) = searched["decided"].as_str() else { return Ok(()) };
        let start = &solve["start"];
        // A limit of quiet plies may come before a more distant end; the report says so.
        let beyond = start["remoteness"].as_u64() > solve["quiet_plies"].as_u64()
            && solve["quiet_plies"].is_u64();
        if let Some(found) = known(&solve).filter(|found| *found != expected && !beyond) {
            arena.fault(format!("solve says {found} where alpha-beta says {expected}"), &solved);
        }
        let gauge = "gauge game.rules --games 2 --iterations 20 --ladder none --model none --json";
        let gauged = arena.run(&Job::new(gauge.split(' ')))?;
        if let Some(wrong) = gauged.wrong_end(&DOCUMENTED) {
            arena.fault(format!("gauge of a small game: {wrong}"), &gauged);
        }
        if gauged.code == Some(0) && !beyond {
            let value = &json(&gauged)?["solved"]["value"];
            let found = value.as_str().map(|value| if value == "draw" { "tie" } else { value });
            if found.is_some_and(|found| found != expected) {
                arena.fault("gauge says another value than alpha-beta", &gauged);
            }
        }
        let verified = arena.run(&Job::new(["verify", "game.tgs"]))?;
        if verified.code != Some(0) {
            arena.fault("verify contradicts solve", &verified);
        }
        Ok(())
    }
}

/// Value of the start in the words of alpha-beta; `None` if the solution does not know it.
fn known(solve: &Value) -> Option<&str> {
    let start = &solve["start"];
    match (start["by_history"].as_str(), start["value"].as_str()?) {
        (Some(value), _) => Some(value),
        (None, "draw") if solve["endless"] == "undecided" => None,
        (None, "draw") => Some("tie"),
        (None, value) => Some(value),
    }
}

fn json(ran: &Ran) -> Result<Value> {
    serde_json::from_slice(&ran.stdout).context("the report is not JSON")
}

/// A game of two or three men on a small board, with limits.
fn game(random: &mut Random) -> String {
    let (board, first, second) = random.pick(&BOARDS);
    let mut limits = String::new();
    if !random.one_in(4) {
        limits += &format!(" (repetition {})", random.pick(&RESULTS));
    }
    if random.one_in(2) {
        limits += &format!(" (quiet {} {})", 1 + random.below(12), random.pick(&RESULTS));
    }
    let limits = if limits.is_empty() { limits } else { format!("\n  (limits{limits})") };
    format!(
        "(game \"Small\"\n  (board {board})\n  (pieces (man each))\n  (start (put first man (sites \
         {first})) (put second man (sites {second})))\n  (play {})\n  (end (if (none theirs) (win \
         mover)) {}){limits})\n",
        random.pick(&MOVES),
        random.pick(&STUCK),
    )
}
