//! For any input the answer is the right exit code and a message that helps, nothing on standard output, and no
//! file of the folder changes; and games at the terminal.
//!
//! The lists of `lists` have a command in each line, with the words behind `<` typed at it, one a line. What stands
//! behind `$` must succeed, and `NAME <- TEXT` writes a file. `INSTA_UPDATE=always cargo test -p treegauge-cli refusals`
//! writes the answers; read them.

use proptest::prelude::*;

use crate::common::{DATA, Ran, Room, USAGE, run};

/// The commands of a list with what they answered, as `answer` has it.
fn transcript(list: &str, answer: impl Fn(&str, &Ran) -> String) -> String {
    let room = Room::new();
    let mut text = String::new();
    let mut before = room.files(".");
    for line in list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(command) = line.strip_prefix("$ ") {
            room.stdout(command);
            before = room.files(".");
        } else if let Some((name, contents)) = line.split_once(" <- ") {
            room.write(name, contents.replace("\\n", "\n"));
            before = room.files(".");
            text += &format!("{line}\n\n");
        } else {
            let (command, typed) = line.split_once(" <").unwrap_or((line, ""));
            let typed: String = typed.split_whitespace().map(|word| format!("{word}\n")).collect();
            let ran = room.run_with(command, &typed);
            assert!(!ran.stderr.contains("panicked"), "{line}: {}", ran.stderr);
            assert!(room.files(".") == before, "{line} changed a file");
            text += &format!("$ {line}\n{}\n\n", answer(line, &ran));
        }
    }
    text
}

/// The refusals of the commands of a list.
fn answers(list: &str) -> String {
    transcript(list, |line, ran| {
        let code = ran.code.expect("no signal ended it");
        assert!(matches!(code, USAGE | DATA | 69), "{line}: {ran:?}");
        assert_eq!(ran.stdout, "", "{line} prints no data");
        // The usage is that of the help.
        let usage = ["\n\nUsage:", "\n\nFor more information"].map(|at| ran.stderr.find(at));
        let end = usage.into_iter().flatten().min().unwrap_or(ran.stderr.len());
        format!("{code}: {}", ran.stderr[..end].trim_end())
    })
}

#[test]
fn what_is_typed_at_games() {
    insta::assert_snapshot!(transcript(include_str!("lists/plays.txt"), |line, ran| {
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{line}: {}", ran.stdout);
        // No control characters are echoed, and there are no colours but on a terminal.
        assert!(!ran.stdout.contains('\u{1b}'), "{line}: {}", ran.stdout);
        ran.stdout.replace(env!("CARGO_BIN_EXE_treegauge"), "treegauge")
    }));
}

#[test]
fn games_positions_and_players() {
    insta::assert_snapshot!(answers(include_str!("lists/games.txt")));
}

#[test]
fn matches_and_records() {
    insta::assert_snapshot!(answers(include_str!("lists/matches.txt")));
}

#[test]
fn searches() {
    insta::assert_snapshot!(answers(include_str!("lists/searches.txt")));
}

#[test]
fn solved_games() {
    insta::assert_snapshot!(answers(include_str!("lists/solved.txt")));
}

#[test]
fn studies() {
    insta::assert_snapshot!(answers(include_str!("lists/studies.txt")));
}

#[test]
fn files() {
    insta::assert_snapshot!(answers(include_str!("lists/files.txt")));
}

/// Text that is nearly right as well as text that is anything: what can be typed, so no NUL.
fn texts(nearly: &'static str) -> impl Strategy<Value = String> {
    let anything = proptest::string::string_regex("[^\0]{0,24}").unwrap();
    prop_oneof![proptest::string::string_regex(nearly).unwrap(), anything]
}

fn survives(ran: &Ran) -> Result<(), TestCaseError> {
    prop_assert!(matches!(ran.code, Some(0 | USAGE | DATA)), "{ran:?}");
    prop_assert!(!ran.stderr.contains("panicked"), "{ran:?}");
    prop_assert!(ran.code == Some(0) || ran.stdout.is_empty(), "{ran:?}");
    prop_assert!(ran.code == Some(0) || !ran.stderr.trim().is_empty(), "{ran:?}");
    Ok(())
}

proptest! {
    // Each case starts a process; the parsers have property tests of their own.
    #![proptest_config(ProptestConfig {
        cases: 16,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_game_is_shown_or_refused(
        game in texts(r"(connect_four|othello|dots_and_boxes|one_to_ten)\((cols|rows|size|k|target)=[0-9-]{0,3}\)?"),
    ) {
        survives(&run(["show", "--", &game]))?;
    }

    #[test]
    fn any_position_is_searched_or_refused(
        game in prop::sample::select(vec![
            "tic_tac_toe", "connect_four", "othello", "breakthrough", "dots_and_boxes",
            "dots_corridor", "one_to_ten",
        ]),
        position in texts(r"([.xo0-9|:-]{0,8}/){0,8}[.xo0-9]{0,8} [xo]( [0-9]{1,2}){0,2}"),
    ) {
        survives(&run(["search", game, "--iterations=20", &format!("--position={position}")]))?;
    }

    #[test]
    fn any_moves_are_played_or_refused(moves in texts("([a-hA-H][1-8][ ,]){0,12}")) {
        survives(&run(["show", "othello", &format!("--moves={moves}")]))?;
    }

    #[test]
    fn any_player_plays_or_is_refused(
        player in texts(r"(human|random|uct|Uct)(\((iterations|cp)=[0-9.e-]{0,2}(,cp=[0-9.]{0,2})?\)?)?"),
    ) {
        survives(&run(["play", "tic_tac_toe", "--first=random", &format!("--second={player}")]))?;
    }
}
