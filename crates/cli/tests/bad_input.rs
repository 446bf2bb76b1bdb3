//! Whatever is typed, the answer is the right exit code and a message that helps, and nothing on
//! standard output.

use std::fs;

use proptest::prelude::*;

use crate::common::{DATA, Ran, USAGE, refused, run, solved, stdout};

#[test]
fn commands_and_flags_that_do_not_exist() {
    refused(&[], USAGE, &["Usage"]);
    refused(&["gage", "connect_four"], USAGE, &["gage", "gauge"]);
    refused(&["gauge"], USAGE, &["<GAME>"]);
    refused(&["gauge", "connect_four", "--game", "3"], USAGE, &["--game", "--games"]);
    refused(&["search", "connect_four", "--iteration", "5"], USAGE, &["--iterations"]);
    refused(&["show", "connect_four", "extra"], USAGE, &["extra"]);
    refused(&["perft", "connect_four"], USAGE, &["--depth"]);
    refused(&["bench", "--signature", "achi"], USAGE, &["--signature", "GAMES"]);
    refused(&["bench", "--solve"], USAGE, &["GAMES"]);
    refused(&["bench", "achi", "--threads", "2"], USAGE, &["--solve"]);
    refused(&["gauge", "connect_four", "--budget", "fast"], USAGE, &["fast", "quick"]);
    refused(&["search", "connect_four", "--style", "wiliams"], USAGE, &["williams"]);
}

#[test]
fn games_that_do_not_exist() {
    for command in [
        &["gauge"][..],
        &["search"],
        &["solve"],
        &["puzzles"],
        &["show"],
        &["play"],
        &["bench"],
        &["perft", "--depth", "2"],
    ] {
        let with = |game: &'static str| [command, &[game]].concat();
        refused(&with("conect_four"), USAGE, &["\"conect_four\"", "`connect_four`"]);
        refused(&with("othelo(size=6)"), USAGE, &["\"othelo\"", "`othello`"]);
        refused(
            &with("connect_four(cols=7,row=6)"),
            USAGE,
            &["no parameter \"row\"", "character 21", "`rows`"],
        );
        refused(
            &with("connect_four(cols=21)"),
            USAGE,
            &["`cols`", "\"21\"", "character 19", "1 to 20"],
        );
    }
    refused(&["show", "othello(size=5)"], USAGE, &["4 | 6 | 8"]);
    refused(&["show", "tic_tac_toe(misere=yes)"], USAGE, &["true or false"]);
    refused(&["show", "one_to_ten(target=0)"], USAGE, &["1 to 1000000"]);
    refused(&["show", "one_to_ten(target=-1)"], USAGE, &["1 to 1000000"]);
    refused(
        &["show", "one_to_ten(ply_cap=99999999999999999999)"],
        USAGE,
        &["ply_cap", "1 to 1000000"],
    );
}

#[test]
fn games_that_are_not_written_as_games() {
    refused(&["show", ""], USAGE, &["there is no name"]);
    refused(&["show", "connect_four(cols=7"], USAGE, &["character 13", "closed"]);
    refused(&["show", "connect_four(cols)"], USAGE, &["\"cols\"", "character 14", "param=value"]);
    refused(&["show", "connect_four(cols=5,cols=6)"], USAGE, &["a second time", "character 21"]);
    refused(&["show", "connect.four"], USAGE, &["\"connect.four\" is not a name"]);
    refused(&["show", "connect_four)("], USAGE, &["is not a name"]);
}

#[test]
fn a_parameter_written_as_an_option_is_explained() {
    let tip = "tip: `size` is a parameter of the game: 'othello(size=6)'";
    refused(&["gauge", "othello", "--size", "6"], USAGE, &["unexpected argument '--size'", tip]);
    let ran = run(&["gauge", "othello", "--size", "6"]);
    assert!(!ran.stderr.contains("-- --size"), "{}", ran.stderr);
}

#[test]
fn files_that_are_no_reports_are_named_by_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let solution = solved(folder.path(), "achi.tgs", &["achi"]);
    refused(&["report", &solution], DATA, &["not the JSON of a report", "`probe`"]);
    let record = folder.path().join("record.jsonl").to_str().unwrap().to_owned();
    let few = ["--games", "2", "--skill-games", "0", "--iterations", "20", "--ladder", "1"];
    stdout(&[&["gauge", "achi"], &few[..], &["--record", &record]].concat());
    refused(&["report", &record], DATA, &["record of a gauge", "`replay`"]);
    let players = ["--a", "random", "--b", "random", "--games", "2"];
    let record = folder.path().join("match.jsonl").to_str().unwrap().to_owned();
    stdout(&[&["match", "achi"], &players[..], &["--record", &record]].concat());
    refused(&["report", &record], DATA, &["this is a record", "`merge`"]);
}

#[test]
fn positions_that_are_none() {
    for command in
        [&["show"][..], &["search"], &["gauge"], &["solve"], &["play"], &["perft", "--depth", "1"]]
    {
        let with = |rest: &[&'static str]| [command, rest].concat();
        refused(
            &with(&["tic_tac_toe", "--position", "x?./.../... o"]),
            DATA,
            &["\"x?./.../... o\"", "\"?\"", "character 2"],
        );
        refused(&with(&["tic_tac_toe", "--position", ""]), DATA, &["bad position \"\""]);
        refused(
            &with(&["tic_tac_toe", "--moves", "a1 b2 a1"]),
            DATA,
            &["move 3", "\"a1\" is not a legal move", "nearest", "`b1`"],
        );
        refused(
            &with(&["tic_tac_toe(k=2)", "--moves", "a1, c3, b1, b2"]),
            DATA,
            &["move 4", "the game is over", "\"b2\""],
        );
    }
    refused(&["show", "connect_four", "--position", "x......"], DATA, &["6", "player to move"]);
    refused(&["show", "othello", "--moves", "z9"], DATA, &["\"z9\""]);
    // A comma inside a move belongs to it.
    let large = ["show", "dots_and_boxes(rows=12,cols=12)", "--moves", "h10,3 h10,4"];
    assert!(stdout(&large).contains("the first player is to move"));
    // Limits that allow no tree at all.
    for limit in ["--memory-max", "--nodes-max"] {
        let arguments = ["search", "connect_four", "--iterations", "10", limit, "0"];
        assert_eq!(run(&arguments).code, Some(2), "{limit} 0");
    }
    refused(
        &["search", "connect_four", "--memory-max", "1"],
        USAGE,
        &["the limits allow not even one node"],
    );
}

#[test]
fn a_finished_game_cannot_be_searched() {
    refused(
        &["search", "tic_tac_toe(k=2)", "--moves", "a1 c3 b1"],
        DATA,
        &["over", "nothing to search"],
    );
}

#[test]
fn numbers_out_of_range() {
    let huge = "99999999999999999999999";
    refused(&["search", "tic_tac_toe", "--iterations", "0"], USAGE, &["--iterations", "0"]);
    refused(&["search", "tic_tac_toe", "--iterations", huge], USAGE, &["--iterations", huge]);
    refused(&["search", "tic_tac_toe", "--iterations", "-5"], USAGE, &["-5"]);
    refused(&["search", "tic_tac_toe", "--iterations", "1.5"], USAGE, &["1.5", "whole number"]);
    refused(&["search", "tic_tac_toe", "--nodes-max", "0"], USAGE, &["--nodes-max", "0"]);
    refused(&["search", "tic_tac_toe", "--seed", huge], USAGE, &["--seed"]);
    refused(&["gauge", "tic_tac_toe", "--iterations", "0"], USAGE, &["--iterations", "0"]);
    refused(&["gauge", "tic_tac_toe", "--threads", "0"], USAGE, &["--threads", "0"]);
    refused(&["gauge", "tic_tac_toe", "--threads", huge], USAGE, &["--threads"]);
    refused(&["gauge", "tic_tac_toe", "--games", huge], USAGE, &["--games"]);
    refused(&["gauge", "tic_tac_toe", "--games", "0"], USAGE, &["--games", "1 to 1000000"]);
    refused(&["gauge", "tic_tac_toe", "--fail-on", "ugly"], USAGE, &["ugly", "drawish", "any"]);
    refused(&["gauge", "tic_tac_toe", "--opening-plies", huge], USAGE, &["--opening-plies"]);
    refused(&["perft", "tic_tac_toe", "--depth", "0"], USAGE, &["--depth", "0"]);
    refused(&["bench", "--iterations", "0"], USAGE, &["--iterations", "0"]);
    refused(&["solve", "tic_tac_toe", "--threads", "0"], USAGE, &["--threads", "0"]);
    refused(&["solve", "tic_tac_toe", "--memory-max", "1Q"], USAGE, &["1Q", "500M or 1.5G"]);
    for minutes in ["-1", "NaN", "inf", "soon", huge] {
        let argument = format!("--checkpoint-minutes={minutes}");
        refused(&["solve", "tic_tac_toe", &argument], USAGE, &[minutes, "number of minutes"]);
    }
    for flag in ["--mate-in", "--top", "--play"] {
        for number in ["0", "-1", "two", huge] {
            let argument = format!("{flag}={number}");
            refused(&["puzzles", "tic_tac_toe", &argument], USAGE, &[flag, number]);
        }
    }
    refused(&["puzzles", "tic_tac_toe", "--form", "round"], USAGE, &["round", "literal"]);
    refused(&["puzzles", "tic_tac_toe", "--json", "--play"], USAGE, &["cannot be used with"]);
    for flag in ["--draw-rate-max", "--share-max", "--capped-max"] {
        for value in ["NaN", "inf", "1.5", "-0.1", "half"] {
            let argument = format!("{flag}={value}");
            refused(&["gauge", "tic_tac_toe", &argument], USAGE, &[flag, "a share from 0 to 1"]);
        }
    }
    for flag in ["--plies-min", "--plies-max"] {
        for value in ["NaN", "-inf", "1e300"] {
            let argument = format!("{flag}={value}");
            refused(&["gauge", "tic_tac_toe", &argument], USAGE, &[flag, "number of plies"]);
        }
    }
    for value in ["NaN", "inf", "-1", "1e9"] {
        let argument = format!("--cp={value}");
        refused(&["search", "tic_tac_toe", &argument], USAGE, &["--cp", "0 to 1000"]);
    }
    for value in ["NaN", "0", "-1", "1e9"] {
        let argument = format!("--seconds={value}");
        refused(&["bench", "tic_tac_toe", &argument], USAGE, &["--seconds", "0.01 to 3600"]);
    }
}

#[test]
fn players_that_do_not_exist() {
    let play = |player: &'static str| ["play", "tic_tac_toe", "--first", player];
    refused(&play("humann"), USAGE, &["\"humann\"", "human, random, intuitive, uct"]);
    refused(&play("uct(iterations=0)"), USAGE, &["`iterations`", "\"0\"", "1 to"]);
    refused(&play("uct(cp=NaN)"), USAGE, &["`cp`", "\"NaN\"", "0 to 1000"]);
    refused(&play("uct(depth=3)"), USAGE, &["\"depth\"", "character 5"]);
    refused(&play("uct(iterations=5"), USAGE, &["\"uct(iterations=5\"", "closed"]);
    refused(&play(""), USAGE, &["there is no name"]);
    refused(&play("perfct(file=x)"), USAGE, &["did you mean `perfect`?"]);
    refused(&play("perfect"), USAGE, &["perfect(file=PATH)"]);
    refused(&play("perfect(file=)"), USAGE, &["character 9", "`param=value`"]);
    refused(&play("perfect(path=x)"), USAGE, &["\"path\"", "character 9", "`file`"]);
    refused(&play("perfect(file=x"), USAGE, &["closed"]);
    refused(&play("perfect(file=/none)"), DATA, &["cannot read /none"]);
    refused(&["play"], USAGE, &["<GAME>"]);
}

#[test]
fn files_that_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (missing, plain, good) = (path("missing/file"), path("plain"), path("good"));
    fs::write(&plain, "kept").unwrap();
    let below = path("plain/file");
    let taken = folder.path().to_str().unwrap();
    let search = ["search", "tic_tac_toe", "--iterations", "50"];
    for bad in [&missing, &below, taken] {
        refused(&["show", "tic_tac_toe", "--svg", bad], DATA, &["cannot write", bad]);
        for flag in ["--svg", "--dot", "--tree-json"] {
            refused(&[&search[..], &[flag, bad]].concat(), DATA, &["cannot write", bad]);
        }
        // Known before the work: the other file of the same run is not written either.
        refused(
            &[&search[..], &["--dot", &good, "--tree-json", bad]].concat(),
            DATA,
            &["cannot write"],
        );
        // Known before the games, too: at these numbers they would take hours.
        refused(
            &["gauge", "othello", "--games", "1000", "--iterations", "100000", "--html", bad],
            DATA,
            &["cannot write", bad],
        );
    }
    for bad in [&missing, &below, taken] {
        // Known before the work, which would take more memory than there is.
        refused(&["solve", "connect_four", "-o", bad], DATA, &["cannot write", bad]);
        refused(&["puzzles", "connect_four", "--html", bad], DATA, &["cannot write", bad]);
    }
    refused(&["play", "tic_tac_toe", "--log-trees", &below], DATA, &["cannot make", &below]);
    let left: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["plain"], "nothing half-written is left behind");
    assert_eq!(fs::read_to_string(plain).unwrap(), "kept");
}

#[test]
fn a_file_is_replaced_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("board.svg");
    fs::write(&path, "x".repeat(1 << 20)).unwrap();
    let ran = run(&["show", "tic_tac_toe", "--svg", path.to_str().unwrap(), "--force"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let svg = fs::read_to_string(&path).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>\n<!-- treegauge -->"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// A pipe, a terminal or the null device must be written to; renaming a file onto it would put
/// an ordinary file in its place.
#[cfg(unix)]
#[test]
fn a_device_is_written_to_and_not_replaced() {
    use std::os::unix::fs::FileTypeExt;
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
    assert!(made.success());
    // Who reads and writes a pipe need not wait for another end.
    let mut reader = fs::File::options().read(true).write(true).open(&pipe).unwrap();
    let ran = run(&["show", "tic_tac_toe", "--svg", pipe.to_str().unwrap()]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo(), "the pipe is still one");
    let mut begin = [0; 4];
    std::io::Read::read_exact(&mut reader, &mut begin).unwrap();
    assert_eq!(&begin, b"<svg");
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
        survives(&run(&["show", "--", &game]))?;
    }

    #[test]
    fn any_position_is_searched_or_refused(
        game in prop::sample::select(vec![
            "tic_tac_toe", "connect_four", "othello", "breakthrough", "dots_and_boxes",
            "dots_corridor", "one_to_ten",
        ]),
        position in texts(r"([.xo0-9|:-]{0,8}/){0,8}[.xo0-9]{0,8} [xo]( [0-9]{1,2}){0,2}"),
    ) {
        let at = format!("--position={position}");
        survives(&run(&["search", game, "--iterations", "20", &at]))?;
    }

    #[test]
    fn any_moves_are_played_or_refused(moves in texts("([a-hA-H][1-8][ ,]){0,12}")) {
        let moves = format!("--moves={moves}");
        survives(&run(&["show", "othello", &moves]))?;
    }

    #[test]
    fn any_player_plays_or_is_refused(
        player in texts(r"(human|random|uct|Uct)(\((iterations|cp)=[0-9.e-]{0,2}(,cp=[0-9.]{0,2})?\)?)?"),
    ) {
        let player = format!("--second={player}");
        survives(&run(&["play", "tic_tac_toe", "--first=random", &player]))?;
    }
}

#[test]
fn a_record_of_other_games_is_refused_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.jsonl");
    let path = file.to_str().unwrap();
    let gauge = |seed: &str| {
        run(&[
            "gauge",
            "tic_tac_toe",
            "--games",
            "3",
            "--iterations",
            "20",
            "--seed",
            seed,
            "--record",
            path,
        ])
    };
    assert_eq!(gauge("1").code, Some(0));
    let kept = fs::read(&file).unwrap();
    let ran = gauge("2");
    assert_eq!(ran.code, Some(65));
    assert!(ran.stderr.contains("`seed` is 1 there and 2 here"), "{}", ran.stderr);
    assert_eq!(fs::read(&file).unwrap(), kept);
    fs::write(&file, "a letter to my aunt\n").unwrap();
    let ran = gauge("1");
    assert_eq!(ran.code, Some(65));
    assert!(ran.stderr.contains("at line 1"), "{}", ran.stderr);
    assert_eq!(fs::read(&file).unwrap(), b"a letter to my aunt\n");
    let ran = run(&["gauge", "tic_tac_toe", "--record", folder.path().to_str().unwrap()]);
    assert_eq!(ran.code, Some(65));
    assert!(ran.stderr.contains("it is a folder, not a file"), "{}", ran.stderr);
}

/// Every command that reads the file of a solved game.
fn readers(file: &str) -> [Vec<&str>; 6] {
    [
        vec!["probe", file],
        vec!["verify", file],
        vec!["puzzles", file],
        vec!["interest", file],
        vec!["play", "--perfect", file],
        vec!["play", "tic_tac_toe", "--perfect", file],
    ]
}

#[test]
fn files_that_solve_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = solved(folder.path(), "file", &["tic_tac_toe"]);
    let whole = fs::read(&file).unwrap();
    let with = |contents: &[u8], expected: &[&str]| {
        fs::write(&file, contents).unwrap();
        for reader in readers(&file) {
            refused(&reader, DATA, &[&["cannot read", &file], expected].concat());
        }
        assert_eq!(fs::read(&file).unwrap(), contents, "reading changes nothing");
    };
    with(b"", &["not a solution file"]);
    with(b"a letter to my aunt", &["not a solution file"]);
    with(&whole[..whole.len() - 1], &["cut short", "bytes"]);
    with(&whole[..100], &["cut short"]);
    with(&[&whole[..], b"more"].concat(), &["should have"]);
    let flipped = |place: usize| {
        let mut bytes = whole.clone();
        bytes[place] ^= 1;
        bytes
    };
    with(&flipped(whole.len() / 2), &["damaged", "block 0"]);
    with(&flipped(whole.len() - 1), &["damaged"]);
    with(&flipped(100), &["damaged", "header"]);
    fs::remove_file(&file).unwrap();
    for reader in readers(&file) {
        refused(&reader, DATA, &["cannot read", &file]);
    }
    for reader in readers(folder.path().to_str().unwrap()) {
        refused(&reader, DATA, &["not a file"]);
    }
    // A word is rather a slip in a game's name.
    refused(&["puzzles", "tic_tac_to"], USAGE, &["`tic_tac_toe`", "nor is there such a file"]);
}

#[test]
fn what_only_solving_uses_is_refused_with_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = solved(folder.path(), "file", &["tic_tac_toe"]);
    for command in ["puzzles", "interest"] {
        let expected = ["--symmetry", "cannot be used with a FILE", "solved already"];
        refused(&[command, &file, "--symmetry"], USAGE, &expected);
        assert!(!stdout(&[command, &file, "--threads", "1"]).is_empty());
    }
    refused(&["interest", &file, "--start", "--symmetry"], USAGE, &["--symmetry"]);
}

#[test]
fn a_file_that_does_not_fit_into_memory_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = solved(folder.path(), "file", &["tic_tac_toe"]);
    let memory = |size: &'static str| ["--memory-max", size];
    for command in ["puzzles", "interest", "verify"] {
        let expected = ["cannot read", "and 10.0 KB is allowed; --memory-max allows more"];
        refused(&[&[command, &file], &memory("10K")[..]].concat(), USAGE, &expected);
        let enough = [&[command, &file], &memory("1M")[..]].concat();
        assert_eq!(stdout(&enough), stdout(&[command, &file]));
    }
    // Rating the positions of a game that cycles takes more than solving it.
    let file = solved(folder.path(), "cycles", &["achi(men=4)"]);
    let rate = ["interest", &file, "--memory-max", "300K"];
    refused(&rate, USAGE, &["cannot rate the positions", "300 KB is allowed; --memory-max allows"]);
    let csv = folder.path().join("all.csv").to_str().unwrap().to_owned();
    let table = ["interest", "connect_four(cols=4,rows=4)", "--memory-max", "5M", "--csv", &csv];
    let Ran { code, stdout: report, stderr } = run(&table);
    assert_eq!(code, Some(USAGE));
    assert!(report.contains("161029 of them"), "the report needs no table: {report}");
    assert!(stderr.contains("cannot put the positions in order: this takes"), "{stderr}");
    assert!(!std::path::Path::new(&csv).exists());
}

#[test]
fn files_of_other_games_and_positions_that_are_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let line = ["tic_tac_toe", "--moves", "a1 a2 b1 b2"];
    let file = solved(folder.path(), "file", &line);
    let other = ["play", "tic_tac_toe(size=4)", "--perfect", &file];
    refused(&other, DATA, &["solves `tic_tac_toe`, not `tic_tac_toe(size=4)`"]);
    let player = format!("perfect(file={file})");
    let other = ["play", "achi", "--second", &player];
    refused(&other, DATA, &["solves `tic_tac_toe`, not `achi`"]);
    // The start of the game lies before that of the file.
    let start = ["--position", ".../.../... x"];
    let not_there = ["`.../.../... x` is not in", "no line from `.../oo./xx. x` leads there"];
    refused(&[&["probe", &file], &start[..]].concat(), DATA, &not_there);
    refused(&[&["play", "--perfect", &file], &start[..]].concat(), DATA, &not_there);
    refused(&["play", "tic_tac_toe", "--second", &player], DATA, &not_there);
    // A line in the file, and one that leaves it.
    assert!(stdout(&["probe", &file, "--moves", "c3 c2"]).contains("The game is over"));
    refused(&["probe", &file, "--moves", "a1"], DATA, &["move 1: \"a1\" is not a legal move"]);
}

#[test]
fn games_that_cannot_be_solved() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let file = path("file");
    let small = ["--memory-max", "1M"];
    let solve = ["solve", "othello", "-o", &file];
    let expected = ["at least", " MB, and 1.00 MB is allowed", "--memory-max"];
    refused(&[&solve[..], &small].concat(), USAGE, &expected);
    refused(&[&["puzzles", "othello"], &small[..]].concat(), USAGE, &expected);
    // With fewer bytes than the next level takes nothing can be said of the whole.
    let levels = "levels, and how many more there are is not known yet";
    refused(&[&solve[..], &small].concat(), USAGE, &[levels, "--symmetry needs less"]);
    let four = ["solve", "connect_four(cols=4,rows=4)", "--threads", "1"];
    let four = [&four[..], &["--symmetry", "--memory-max", "850000"]].concat();
    let about =
        "an estimate that may be wrong by a factor of three; --memory-max allows more, and a";
    refused(&four, USAGE, &[" levels, and if their number keeps growing as it did, ", about]);
    // Without a file nothing is written now and then.
    let every = ["solve", "tic_tac_toe", "--checkpoint-minutes", "1"];
    refused(&every, USAGE, &["--checkpoint-minutes", "--output <FILE>|--resume <CHECKPOINT>"]);
    // Refused after a checkpoint was written, too; with more memory it would continue from there.
    let often = ["--checkpoint-minutes", "0.00001"];
    refused(&[&solve[..], &small, &often].concat(), USAGE, &expected);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    fs::remove_file(path("file.checkpoint")).unwrap();
    let without = run(&["solve", "one_to_ten", "--symmetry"]);
    assert_eq!(without.code, Some(0));
    assert!(without.stderr.contains("one_to_ten has no symmetries"), "{}", without.stderr);
    let moved = ["solve", "tic_tac_toe", "--symmetry", "--moves", "a1 b1"];
    refused(&moved, USAGE, &["moves the start"]);
    let solve = ["solve", "tic_tac_toe", "-o", &file];
    refused(&[&solve[..], &["--resume", &path("none")]].concat(), DATA, &["cannot read", "none"]);
    fs::write(path("letter"), "a letter to my aunt").unwrap();
    let letter = path("letter");
    refused(
        &[&solve[..], &["--resume", &letter]].concat(),
        DATA,
        &[&letter, "this is not a checkpoint"],
    );
    // A checkpoint next to the output that belongs to something else is kept.
    fs::write(path("file.checkpoint"), "a letter to my aunt").unwrap();
    refused(&solve, DATA, &["file.checkpoint", "remove it to begin anew"]);
    let mut left: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["file.checkpoint", "letter"], "nothing half-written is left behind");
}
