//! Files that the program reads and writes: nothing is lost, and nothing is overwritten that is not its
//! own.

use std::fs;

use crate::common::{DATA, Ran, Room, USAGE, run, run_with, solved};

/// A room with a solved game, a record and a letter.
fn desk() -> Room {
    let room = Room::new();
    solved(&room, "game", "tic_tac_toe");
    room.stdout("match tic_tac_toe random random --games 4 --record record");
    room.write("letter", "a letter to my aunt\n");
    room
}

#[cfg(unix)]
#[test]
fn links_do_not_hide_that_two_files_are_one() {
    let room = desk();
    fs::hard_link(room.at("game"), room.at("hard")).unwrap();
    std::os::unix::fs::symlink("game", room.at("soft")).unwrap();
    let before = room.files(".");
    for name in ["hard", "soft"] {
        let command = format!("interest game --csv {name} --force");
        room.refused(command, USAGE, &["cannot write", name, "this command reads it"]);
        assert!(room.files(".") == before);
    }
}

#[test]
fn what_a_command_has_written_it_writes_again() {
    let room = desk();
    for (name, command) in [
        ("page", "puzzles tic_tac_toe --html"),
        ("table", "interest tic_tac_toe --csv"),
        ("board", "show tic_tac_toe --svg"),
        ("picture", "solve tic_tac_toe --svg"),
        ("tree", "search tic_tac_toe --iterations 20 --svg"),
        ("graph", "search tic_tac_toe --iterations 20 --dot"),
        ("nodes", "search tic_tac_toe --iterations 20 --tree-json"),
    ] {
        // An empty file is nobody's.
        room.write(name, "");
        for _ in 0..2 {
            room.stdout(format!("{command} {name}"));
        }
    }
    room.stdout("solve tic_tac_toe -o game");
    room.stdout("solve achi -o game --force");
    // A longer file is replaced whole.
    room.write("letter", "x".repeat(1 << 20));
    room.stdout("show tic_tac_toe --svg letter --force");
    let svg = room.text("letter");
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>\n<!-- treegauge -->"));
}

/// A pipe, a terminal or the null device must be written to; renaming a file onto it would put
/// an ordinary file in its place.
#[cfg(unix)]
#[test]
fn a_device_is_written_to_and_not_replaced() {
    use std::os::unix::fs::FileTypeExt;
    let room = Room::new();
    make_pipe(&room);
    // Who reads and writes a pipe need not wait for another end.
    let mut reader = fs::File::options().read(true).write(true).open(room.at("pipe")).unwrap();
    room.stdout("show tic_tac_toe --svg pipe");
    let kind = fs::symlink_metadata(room.at("pipe")).unwrap().file_type();
    assert!(kind.is_fifo(), "the pipe is still one");
    let mut begin = [0; 4];
    std::io::Read::read_exact(&mut reader, &mut begin).unwrap();
    assert_eq!(&begin, b"<svg");
}

/// Makes a named pipe of the name `pipe`.
#[cfg(unix)]
pub(crate) fn make_pipe(room: &Room) {
    let made = std::process::Command::new("mkfifo").arg(room.at("pipe")).status();
    assert!(made.expect("mkfifo runs").success());
}

#[test]
fn a_saved_analysis_is_not_thrown_away() {
    let room = desk();
    room.stdout("interest game --save");
    let kept = room.bytes("game");
    let solve = "solve tic_tac_toe -o game";
    room.refused(solve, DATA, &["section", "would be lost", "--force"]);
    assert!(room.bytes("game") == kept);
    room.stdout(format!("{solve} --force"));
    assert!(room.bytes("game").len() < kept.len());
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_followed_and_read_only_files_respected() {
    use std::os::unix::fs::PermissionsExt;
    let room = Room::new();
    fs::create_dir(room.at("elsewhere")).unwrap();
    for (link, command) in [
        ("page", "puzzles tic_tac_toe --html"),
        ("solution", "solve tic_tac_toe -o"),
        ("games", "gauge tic_tac_toe --games 2 --iterations 20 --record"),
    ] {
        let target = room.at("elsewhere").join(link);
        std::os::unix::fs::symlink(&target, room.at(link)).unwrap();
        for _ in 0..2 {
            room.stdout(format!("{command} {link}"));
            assert!(room.at(link).is_symlink() && target.is_file(), "{link}");
        }
        let before = fs::read(&target).unwrap();
        fs::set_permissions(&target, fs::Permissions::from_mode(0o444)).unwrap();
        // A record that is complete is not written again but for its order.
        let again = format!("{command} {link} --force");
        let ran = room.run(&again);
        assert_eq!(ran.code, Some(DATA), "{link}: {}", ran.stderr);
        assert!(ran.stderr.contains("cannot write"), "{link}: {}", ran.stderr);
        assert!(fs::read(&target).unwrap() == before, "{link}");
    }
}

/// Commands that read a solution, and others, with what they read in place of `FILE`.
const READERS: [&str; 18] = [
    "probe FILE",
    "verify FILE",
    "interest FILE",
    "interest FILE --start",
    "puzzles FILE",
    "play --perfect FILE",
    "play GAME --first perfect(file=FILE) --second random",
    "match GAME perfect(file=FILE) random --games 8",
    "tournament GAME perfect(file=FILE) random --games 8",
    "match GAME alphabeta(eval=perfect(file=FILE),depth=1) random --games 8",
    "search GAME --player alphabeta(eval=perfect(file=FILE),depth=2)",
    "report FILE",
    "replay FILE",
    "merge FILE",
    "match --power --record FILE",
    "collect --games FILE -o /no/such/folder",
    "aggregate FILE",
    "evaluate FILE",
];

/// A command on a file.
fn on(room: &Room, reader: &str, path: &str) -> Ran {
    room.run(reader.replace("FILE", path).replace("GAME", "one_to_ten"))
}

/// A file that says to be huge is not read as a whole.
#[cfg(target_os = "linux")]
#[test]
fn only_files_are_read_and_none_of_a_terabyte() {
    let room = Room::new();
    make_pipe(&room);
    fs::File::create(room.at("sparse")).unwrap().set_len(1 << 40).unwrap();
    for path in ["pipe", ".", "/dev/zero", "/dev/null", "sparse"] {
        for reader in READERS {
            let ran = on(&room, reader, path);
            assert_eq!(ran.code, Some(DATA), "{reader} of {path}: {}", ran.stderr);
            let is_named = path == "sparse" || ran.stderr.contains("not a file");
            assert!(is_named, "{reader}: {}", ran.stderr);
        }
        for record in ["gauge tic_tac_toe --games 1 --record", "solve tic_tac_toe --resume"] {
            let ran = room.run(format!("{record} {path}"));
            assert_eq!(ran.code, Some(DATA), "{record} {path}: {}", ran.stderr);
        }
    }
}

/// The answer of a command to a file must not change when the file is damaged, unless it says so.
#[test]
fn every_flipped_bit_is_found_by_every_command_or_does_not_matter() {
    let room = Room::new();
    solved(&room, "game", "one_to_ten");
    let good = room.bytes("game");
    let readers = &READERS[..11];
    let answers: Vec<Ran> = readers.iter().map(|reader| on(&room, reader, "game")).collect();
    // Every bit under every command would be some 50,000 runs: the commands take turns, and a bit or two
    // of each byte are flipped. The tests of the format flip all.
    for (turn, bit) in (0..good.len() * 8).step_by(7).enumerate() {
        let mut bad = good.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        room.write("game", &bad);
        let n = turn % readers.len();
        let found = on(&room, readers[n], "game");
        let same = found.code == answers[n].code && found.stdout == answers[n].stdout;
        let says = found.code == Some(DATA) && found.stderr.contains("game");
        assert!(same || says, "bit {bit} under {:?}: {found:?}", readers[n]);
    }
}

#[test]
fn files_that_are_cut_or_damaged_solve_nothing() {
    let room = Room::new();
    solved(&room, "file", "tic_tac_toe");
    let whole = room.bytes("file");
    let with = |contents: &[u8], expected: &[&str]| {
        room.write("file", contents);
        for reader in ["probe", "verify", "puzzles", "interest", "play --perfect"] {
            let expected = [&["cannot read", "file"], expected].concat();
            room.refused(format!("{reader} file"), DATA, &expected);
        }
        assert_eq!(room.bytes("file"), contents, "reading changes nothing");
    };
    with(b"", &["not a solution file"]);
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
}

#[test]
fn a_match_with_a_record_goes_on_when_its_damaged_file_is_whole_again() {
    let room = Room::new();
    let game = "connect_four(cols=4,rows=4)";
    solved(&room, "game", &format!("'{game}'"));
    let good = room.bytes("game");
    let play = |record: &str| {
        let players = format!("match '{game}' 'perfect(file=game)' random --games 40");
        room.run(format!("{players} --threads 1 --record {record}"))
    };
    let expected = play("whole");
    assert_eq!(expected.code, Some(0), "{}", expected.stderr);
    let mut kept = Vec::new();
    for eighth in 1..8 {
        let mut bad = good.clone();
        bad[good.len() * eighth / 8] ^= 1;
        room.write("game", &bad);
        let ran = play("record");
        if ran.code == Some(0) {
            assert_eq!(ran.stdout, expected.stdout);
            continue;
        }
        assert_eq!((ran.code, &ran.stdout[..]), (Some(DATA), ""), "{}", ran.stderr);
        assert!(ran.stderr.contains("the file is damaged: block"), "{}", ran.stderr);
        kept.push(room.text("record").lines().count());
    }
    assert!(kept.iter().any(|&lines| lines > 1), "games that were over are kept: {kept:?}");
    room.write("game", &good);
    assert_eq!(play("record").stdout, expected.stdout);
    assert!(room.bytes("record") == room.bytes("whole"));
}

/// A result that cannot be written is printed all the same.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_does_not_take_the_result_away() {
    for command in [
        "interest tic_tac_toe --csv",
        "puzzles tic_tac_toe --html",
        "gauge tic_tac_toe --games 2 --iterations 20 --html",
        "match tic_tac_toe random random --games 4 --html",
        "match tic_tac_toe random random --games 4 --svg",
        "search tic_tac_toe --iterations 20 --dot",
    ] {
        let ran = run(format!("{command} /dev/full"));
        assert_eq!(ran.code, Some(DATA), "{command}: {}", ran.stderr);
        assert!(ran.stderr.contains("cannot write /dev/full: No space left"), "{}", ran.stderr);
        assert!(ran.stdout.len() > 100, "{command} prints its result: {:?}", ran.stdout);
    }
}

/// Result of a shell line in which `PROGRAM` is the program.
#[cfg(unix)]
fn shell(room: &Room, line: &str) -> std::process::Output {
    let line = line.replace("PROGRAM", env!("CARGO_BIN_EXE_treegauge"));
    let mut bash = std::process::Command::new("bash");
    bash.args(["-c", &line]).current_dir(room.at("")).output().expect("there is a shell")
}

/// A run whose games cannot be kept does not play on.
#[cfg(target_os = "linux")]
#[test]
fn a_record_that_cannot_grow_ends_the_run() {
    let room = Room::new();
    let play = "match tic_tac_toe random 'uct(iterations=50)' --games 100000 --record record";
    // Files of this process and its children may not grow beyond 4 KB.
    let output = shell(&room, &format!("trap '' XFSZ; ulimit -f 4; exec PROGRAM {play}"));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(DATA), "{stderr}");
    assert!(stderr.contains("the games are not all kept: cannot write"), "{stderr}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("tic_tac_toe"), "what was played");
    // What was kept is whole, and the run goes on from it.
    let lines = room.text("record");
    assert!(lines.ends_with('\n') && lines.lines().count() > 5);
    room.stdout("replay record");
}

/// The reader of the report may leave before the record is put in order.
#[cfg(unix)]
#[test]
fn a_record_is_finished_though_nobody_reads_the_report() {
    let room = Room::new();
    let gauge = "PROGRAM gauge tic_tac_toe --games 12 --iterations 30 --threads 2 --record";
    assert!(shell(&room, &format!("{gauge} piped | true")).status.success());
    assert!(shell(&room, &format!("{gauge} plain > /dev/null")).status.success());
    assert!(room.bytes("piped") == room.bytes("plain"));
}

#[test]
fn a_game_without_its_end_is_reported() {
    let room = desk();
    let whole = room.bytes("record");
    room.write("record", &whole[..whole.len() - 10]);
    for reader in ["replay record", "merge record", "match --power --record record"] {
        let said = room.run(reader).stderr;
        assert!(
            said.contains("the last line of") && said.contains("has no end"),
            "{reader}: {said}"
        );
    }
}

#[test]
fn long_input_has_a_short_answer() {
    let long = "x".repeat(131_000);
    for command in [
        "show tic_tac_toe --position",
        "show connect_four --moves",
        "show",
        "match tic_tac_toe random",
        "search tic_tac_toe --iterations",
        "report",
    ] {
        let ran = run(format!("{command} {long}"));
        assert!(matches!(ran.code, Some(USAGE | DATA)), "{:?}", ran.code);
        assert!(ran.stderr.len() < 10_000, "{command}: {} bytes", ran.stderr.len());
    }
    let ran = run_with("play tic_tac_toe", &long);
    assert_eq!(ran.code, Some(DATA), "{}", ran.stderr);
    assert!(ran.stderr.contains("a line has over"), "{}", ran.stderr);
}

#[test]
fn texts_of_users_give_no_orders_to_terminals() {
    let red = "\u{1b}[31mred\u{7}";
    for command in [
        "show tic_tac_toe --position",
        "show tic_tac_toe --moves",
        "show",
        "gauge tic_tac_toe",
        "report",
        "match tic_tac_toe random",
        "gauge tic_tac_toe --games",
    ] {
        let ran = run(format!("{command} {red}"));
        let control = |c: char| c.is_control() && c != '\n' && c != '\t';
        assert!(!ran.stderr.contains(control), "{command}: {:?}", ran.stderr);
        assert!(!ran.stdout.contains(control), "{command}: {:?}", ran.stdout);
    }
}
