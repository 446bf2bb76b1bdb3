//! Games that repetition, quiet plies or what is shared out at the end decide: every command says
//! the same of them as alpha-beta, which plays with the history of the game. And limits of memory.

use crate::common::{DATA, Fields, Room, USAGE, run, solved, stdout};

/// Two men go round a board of four cells; only a limit ends the game.
fn round<'n>(room: &Room, name: &'n str, limits: &str) -> &'n str {
    let text = format!(
        "(game \"Round\" (board (grid 2 2)) (pieces (man each))\n\
         (start (put first man (sites a1)) (put second man (sites b2)))\n\
         (play (step man orthogonal)) (end (stuck (lose mover))) (limits {limits}))\n"
    );
    room.write(name, text)
}

/// Pong Hau K'i, whose third repetition is won by the second player.
fn pong(room: &Room) -> &'static str {
    let text = "(game \"Pong\" (board (graph (line a c b) (line d c e) (line a d) (line b e) (line d e)))\n\
                (pieces (stone each))\n\
                (start (put first stone (sites a b)) (put second stone (sites d e)))\n\
                (play (step stone all)) (end (stuck (lose mover)))\n\
                (limits (repetition (win second))))\n";
    room.write("pong.rules", text)
}

/// Options of a gauge whose games do not matter.
const FEW: &str = "--games 2 --iterations 20 --model none";

#[test]
fn solve_gauge_and_probe_agree_with_alpha_beta() {
    let room = Room::new();
    for game in [
        pong(&room),
        round(&room, "quiet.rules", "(quiet 6 (win first))"),
        round(&room, "repetition.rules", "(repetition (lose mover))"),
        round(&room, "both.rules", "(quiet 5 (win second)) (repetition (win second))"),
        "oware(houses=1,seeds=4)",
    ] {
        let alpha_beta = room.json(format!("search {game} --player 'alphabeta(depth=24)'"));
        let expected = alpha_beta.word("/decided");
        solved(&room, "file", game);
        let value = |start: &serde_json::Value| {
            let known = if start["by_history"].is_null() { "/value" } else { "/by_history" };
            start.word(known).to_owned()
        };
        assert_eq!(value(&room.json(format!("solve {game}"))["start"]), expected, "{game}");
        assert_eq!(value(&room.json("probe file")), expected, "probe {game}");
        let gauge = room.json(format!("gauge {game} {FEW}"));
        assert_eq!(gauge["solved"]["value"], expected, "gauge {game}");
        assert!(room.stdout("verify file").contains("right. All "), "verify {game}");
    }
}

#[test]
fn endless_play_is_won_in_words_and_by_perfect_play() {
    let room = Room::new();
    let game = pong(&room);
    let text = room.stdout(format!("solve {game} --explain"));
    assert!(text.contains("the first player, to move, loses by endless play."), "{text}");
    assert!(text.contains("By endless play 22 are won and 22 are lost."), "{text}");
    let report = room.json(format!("solve {game}"));
    assert_eq!((&report["draw"], &report["endless"]), (&0.into(), &"second_wins".into()));
    assert_eq!(report["endless_win"], 22);
    assert_eq!(report.whole("/win") + report.whole("/lose"), 56);
    solved(&room, "file", game);
    let players = "'perfect(file=file)' random --games 40 --opening-plies 0";
    let report = room.json(format!("match {game} {players}"));
    // As the second player it wins all 20 games.
    assert_eq!((&report["pentanomial"][0], &report["pentanomial"][1]), (&0.into(), &0.into()));
}

/// Demands that neither a match nor an evaluator takes the solution in `file`.
fn is_not_known(room: &Room, game: &str, why: &str) {
    let played = format!("match {game} 'perfect(file=file)' random --games 2");
    room.refused(played, DATA, &[why]);
    let searched = format!("search {game} --player 'alphabeta(eval=perfect(file=file),depth=2)'");
    room.refused(searched, DATA, &[why]);
}

/// A race of two men on a board of 2 x 6, which the first player wins in nine plies unless a limit stops it.
fn race(room: &Room, limits: &str) -> &'static str {
    let text = format!(
        "(game \"Race\" (board (grid 2 6)) (pieces (man each))\n\
         (start (put first man (sites a1)) (put second man (sites b6))) (play (step man orthogonal))\n\
         (end (if (in to (far 1)) (win mover)) (stuck (lose mover))) (limits {limits}))\n"
    );
    room.write("race.rules", text)
}

#[test]
fn no_command_claims_a_win_that_a_limit_of_plies_stops() {
    let room = Room::new();
    for (name, limits, words) in [
        ("quiet_win", "(quiet 4 (win second))", "4 plies without progress"),
        ("quiet_draw", "(quiet 4)", "4 plies without progress"),
        ("cap", "(cap 6)", "6 plies"),
    ] {
        let game = race(&room, limits);
        solved(&room, "file", game);
        let not_known =
            format!("Not known: the rules stop a game after {words}. Without this limit");
        assert!(room.stdout(format!("solve {game}")).contains(&not_known), "solve {name}");
        assert!(room.stdout("probe file").contains(&not_known), "probe {name}");
        let limit = &room.json("probe file")["limit"];
        assert_eq!(limit["without_progress"], name != "cap", "{limit}");
        let text = room.stdout(format!("gauge {game} {FEW} --explain"));
        let not_solved = format!("Not solved: the rules stop a game after {words}, and best play");
        assert!(text.contains(&not_solved) && !text.contains("Solved: "), "{text}");
        let gauge = room.json(format!("gauge {game} {FEW}"));
        assert_eq!(gauge["unsolved"]["reason"], "limit");
        assert!(gauge["solved"].is_null());
        // Who wins endless play decides some positions of the first game.
        match name {
            "quiet_win" => is_not_known(&room, game, "perfect play is not known"),
            _ => is_not_known(&room, game, &format!("the rules stop it after {words}")),
        }
        if name != "cap" {
            let puzzles = room.json(format!("puzzles {game}"));
            let wins = puzzles.list("/puzzles");
            assert!(!wins.is_empty() && wins.iter().all(|one| one.whole("/remoteness") <= 4));
        }
    }
    // Without a limit in its way the same race is solved.
    let solve = format!("solve {}", race(&room, "(quiet 40)"));
    let sure = "With best play the first player, to move, wins in 9";
    assert!(room.stdout(solve).contains(sure));
    // Where the history decides perfect play is not known either.
    let game = "oware(houses=2,seeds=2)";
    solved(&room, "file", game);
    is_not_known(&room, game, "perfect play is not known");
}

/// A cap that the rules have may come before the third repetition, which the second player waits for.
#[test]
fn a_win_by_endless_play_is_not_claimed_where_a_cap_may_come_first() {
    let room = Room::new();
    // Four cells for each man and two sides to move: 24 positions at most, so 48 plies are enough.
    for (cap, is_known) in [("(cap 10)", false), ("(cap 60)", true), ("", true)] {
        let game = round(&room, "round.rules", &format!("(repetition (win second)) {cap}"));
        let solve = room.json(format!("solve {game}"));
        assert_eq!(solve["start"]["value"], "lose", "{cap}: {solve}");
        assert_eq!(solve["start"].get("limit").is_none(), is_known, "{cap}: {solve}");
        solved(&room, "file", game);
        assert_eq!(room.json("probe file").get("limit").is_none(), is_known, "{cap}");
        let gauge = room.json(format!("gauge {game} {FEW}"));
        assert_eq!(gauge["solved"].is_null(), !is_known, "{cap}: {gauge}");
        let players = "'perfect(file=file)' random --games 2 --opening-plies 0";
        let play = format!("match {game} {players}");
        let decided = |depth: u32| {
            let player = format!("alphabeta(depth={depth})");
            room.json(format!("search {game} --player '{player}'"))["decided"].clone()
        };
        if is_known {
            assert_eq!(decided(24), "lose", "{cap}");
            room.stdout(&play);
        } else {
            assert_ne!(decided(12), "lose", "{cap}: the cap comes first");
            room.refused(&play, DATA, &["perfect play is not known", "after 10 plies"]);
        }
    }
}

#[test]
fn a_file_that_does_not_fit_into_memory_is_refused() {
    let room = Room::new();
    solved(&room, "file", "tic_tac_toe");
    for command in ["puzzles", "interest", "verify"] {
        let expected = ["cannot read", "and 10.0 KB is allowed; --memory-max allows more"];
        room.refused(format!("{command} file --memory-max 10K"), USAGE, &expected);
        let enough = room.stdout(format!("{command} file --memory-max 1M"));
        assert_eq!(enough, room.stdout(format!("{command} file --threads 1")));
    }
    // Rating the positions of a game that cycles takes more than solving it.
    solved(&room, "cycles", "achi(men=4)");
    let expected = ["cannot rate the positions", "300 KB is allowed; --memory-max allows"];
    room.refused("interest cycles --memory-max 300K", USAGE, &expected);
    let table = "interest 'connect_four(cols=4,rows=4)' --memory-max 5M --csv all.csv --explain";
    let ran = room.run(table);
    assert_eq!(ran.code, Some(USAGE));
    assert!(ran.stdout.contains("161,029 positions"), "the report needs no table: {}", ran.stdout);
    let why = "cannot put the positions in order: this takes";
    assert!(ran.stderr.contains(why), "{}", ran.stderr);
    assert!(!room.has("all.csv"));
}

#[test]
fn games_that_do_not_fit_into_memory_are_refused() {
    let room = Room::new();
    let expected = ["at least", " MB, and 1.00 MB is allowed", "--memory-max"];
    room.refused("puzzles 'connect_four(cols=6,rows=5)' --memory-max 1M", USAGE, &expected);
    let hopeless = ["othello has about 10^28 positions", "far too many", "'othello(size=4)'"];
    room.refused("puzzles othello", USAGE, &hopeless);
    room.refused("interest othello", USAGE, &hopeless);
    // With fewer bytes than the next level takes nothing can be said of the whole.
    let levels = "levels, and the number of the others is not known yet";
    let solve = "solve othello -o file --memory-max 1M";
    room.refused(solve, USAGE, &[&expected[..], &[levels, "--symmetry needs less"]].concat());
    let four = "solve 'connect_four(cols=4,rows=4)' --threads 1 --symmetry --memory-max 850000";
    let about =
        "an estimate that may be wrong by a factor of three); --memory-max allows more, and a";
    room.refused(four, USAGE, &[" levels, and if their number keeps growing as it did, ", about]);
    // Refused after a checkpoint was written, too; with more memory it would continue from there.
    room.refused(format!("{solve} --checkpoint-minutes 0.00001"), USAGE, &expected);
    assert_eq!(room.names("."), ["file.checkpoint"], "nothing half-written is left behind");
    let without = run("solve one_to_ten --symmetry");
    assert_eq!(without.code, Some(0));
    assert!(without.stderr.contains("one_to_ten has no symmetries"), "{}", without.stderr);
    // A comma inside a move belongs to it.
    let large = "show 'dots_and_boxes(rows=12,cols=12)' --moves 'h10,3 h10,4'";
    assert!(stdout(large).contains("the first player is to move"));
}
