//! Budgets of `gauge` and `compare`.

use crate::common::run;

#[test]
fn a_budget_is_raised_where_a_game_has_many_moves() {
    let few = "--games 2 --solve-limit 0 --budget quick";
    let ran = run(format!("gauge 'mnk(rows=6,cols=6,k=4)' --model none --json {few}"));
    let said = "moves, so the players use 1,000 iterations per move instead of 500";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(report["iterations"], 1_000);
    // The game with the most moves decides for all variants, which are played alike.
    let ran = run(format!("compare 'mnk(rows=6,cols=4..6,k=4)' --json {few}"));
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let games = report["games"].as_array().unwrap();
    assert!(games.len() == 3 && games.iter().all(|game| game["iterations"] == 1_000));
}

#[test]
fn a_budget_stays_where_the_user_says_so_or_far_more_is_needed() {
    let few = "--games 1 --skill-games 0 --ladder 1/16 --solve-limit 0 --model none --budget quick";
    for (game, more) in
        [("mnk(rows=6,cols=6,k=4)", "--iterations 60"), ("mnk(rows=14,cols=14)", "")]
    {
        let ran = run(format!("gauge '{game}' {few} {more}"));
        assert!(!ran.stderr.contains("instead of"), "{game}: {}", ran.stderr);
    }
}

#[test]
fn a_budget_that_is_too_small_for_a_verdict_says_so_before_and_after() {
    let few =
        "--games 1 --skill-games 0 --ladder 1/16,1/8 --solve-limit 0 --model none --budget quick";
    let ran = run(format!("gauge 'mnk(rows=14,cols=14)' {few}"));
    let said = "moves, too many for 500 iterations per move: the verdict will probably be that it cannot be told; `--";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    assert!(ran.stderr.contains("on two cores"), "{}", ran.stderr);
    let said = "iterations per move may be enough: ";
    assert!(ran.stdout.contains(said), "{}", ran.stdout);
    // Games of enough iterations say nothing.
    let ran = run(format!("gauge tic_tac_toe {few} --iterations 5,000"));
    assert!(!ran.stderr.contains("too many"), "{}", ran.stderr);
}

#[test]
fn the_budget_that_is_named_before_is_named_after() {
    // Players of Atari Go meet more moves than random games do.
    let few = "--games 1 --skill-games 0 --ladder 1,4 --solve-limit 0 --model none --budget quick";
    let ran = run(format!("gauge atari_go {few}"));
    let said = ran.stderr.split_once("`--budget normal` may be enough and takes about ");
    let (_, time) = said.unwrap_or_else(|| panic!("{}", ran.stderr));
    let time = time.lines().next().unwrap_or_default();
    assert!(time.ends_with(" on two cores"), "{time}");
    let said =
        format!("5,000 iterations per move may be enough: `--budget normal` takes about {time}.");
    assert!(ran.stdout.contains(&said), "{}", ran.stdout);
}
