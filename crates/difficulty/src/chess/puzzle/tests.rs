use super::*;

const HEADER: &str =
    "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags";
/// Two rows of the Lichess database of puzzles (CC0).
const ROWS: [&str; 2] = [
    "9eZCm,8/5p1p/6p1/4p1k1/4P3/1K3PP1/7P/8 b - - 0 44,f7f5 b3c4 f5e4 f3e4 g5g4 c4d5,2361,75,93,531,crushing endgame,https://lichess.org/KPq4H66x/black#88,",
    "h8VYu,2k4r/p4p1p/1p1R4/3Qp2q/8/2P3n1/PP3KP1/8 b - - 7 36,g3h1 f2g1 h5f5 d5a8 c8c7 d6c6 c7d7 a8b7,2642,85,92,1628,advantage,https://lichess.org/x3JjNggA/black#72,",
];

fn read(text: &[u8]) -> Vec<Result<Puzzle, RowError>> {
    Puzzles::open(text).unwrap().collect()
}

fn problem(text: &[u8]) -> (u64, String) {
    let mut all = read(text);
    assert_eq!(all.len(), 1);
    let error = all.remove(0).unwrap_err();
    (error.line, error.problem)
}

#[test]
fn a_line_without_an_end_ends_the_file() {
    let mut puzzles = Puzzles::open(std::io::repeat(b'a')).unwrap();
    let error = puzzles.next().unwrap().unwrap_err();
    assert_eq!(error.problem, "the line has no end within 1 GB");
    assert!(puzzles.next().is_none());
}

#[test]
fn a_table_of_the_database_begins_before_the_opponents_move() {
    let text = format!("\u{feff}{HEADER}\r\n{}\r\n{}\r\n", ROWS[0], ROWS[1]);
    let puzzles: Vec<Puzzle> = read(text.as_bytes()).into_iter().map(Result::unwrap).collect();
    let commented = format!("# a comment\n#\n{HEADER}\n# another\n{}\n", ROWS[0]);
    let again: Vec<Puzzle> = read(commented.as_bytes()).into_iter().map(Result::unwrap).collect();
    assert_eq!((again.len(), again[0].line), (1, 5));
    let first = &puzzles[0];
    assert_eq!((first.id.as_str(), first.line, first.rating), ("9eZCm", 2, Some(2361.0)));
    assert_eq!(first.themes, ["crushing", "endgame"]);
    assert_eq!(first.game.as_deref(), Some("KPq4H66x"));
    assert!(first.position.white_to_move(), "Black moved, and White is to solve it");
    assert_eq!(first.position.san(first.solution[0]), "Kc4");
    assert_eq!((first.solution.len(), puzzles[1].solution.len()), (5, 7));
    assert_eq!(puzzles[1].line, 3);
}

#[test]
fn lines_are_epd_or_fen() {
    let text = "# mate in one\n\n6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id \"back; rank\";\n\
                6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 3 40\n6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 3 40 bm Rd8;";
    let puzzles: Vec<Puzzle> = read(text.as_bytes()).into_iter().map(Result::unwrap).collect();
    let found: Vec<(&str, u64, usize)> =
        puzzles.iter().map(|one| (one.id.as_str(), one.line, one.solution.len())).collect();
    assert_eq!(found, [("back; rank", 3, 1), ("4", 4, 0), ("5", 5, 1)]);
    assert!(puzzles[1].position.fen().ends_with("3 40"));
}

#[test]
fn a_row_with_an_error_is_reported_and_the_rest_is_read() {
    let [first, second] = ROWS;
    let broken = first.replace("b3c4", "b3c6");
    let text = format!("{HEADER}\n{broken}\n{second}\n");
    let found = read(text.as_bytes());
    let error = found[0].as_ref().unwrap_err().to_string();
    assert!(error.starts_with("line 2: \"b3c6\" is not a legal move in 8/7p/"), "{error}");
    assert_eq!(found[1].as_ref().unwrap().id, "h8VYu");

    let with = |from: &str, to: &str| {
        problem(format!("{HEADER}\n{}\n", first.replace(from, to)).as_bytes())
    };
    assert!(with("1K3PP1", "1K3PP2").1.starts_with("the FEN has an error"));
    assert!(with("2361", "much").1.contains("\"much\", which is not a number"));
    assert!(with("2361", "NaN").1.contains("not a number"));
    for rating in ["1e308", "-1", "4000.5", "inf"] {
        let problem = with("2361", rating).1;
        assert!(problem.contains("which is not from 0 to 4000"), "{problem}");
    }
    assert!(with(" b3c4 f5e4 f3e4 g5g4 c4d5", "").1.contains("no solution"));
    assert!(with("f7f5 b3c4 f5e4 f3e4 g5g4 c4d5", "").1.contains("`Moves` is empty"));
    assert_eq!(
        problem(format!("{HEADER}\nx\n").as_bytes()).1,
        "the cell of column `FEN` is missing"
    );
    let not_utf_8 = [HEADER.as_bytes(), b"\n", &first.as_bytes()[..30], b"\xFF,f7f5\n"].concat();
    assert_eq!(problem(&not_utf_8), (2, NOT_UTF_8.to_owned()));
    assert_eq!(problem(b"\xFF\xFE\n"), (1, NOT_UTF_8.to_owned()));
    assert_eq!(problem(b"nonsense\n").0, 1);
    assert!(matches!(Puzzles::open(&b"{\"schema\":1}"[..]), Err(PuzzlesError::Json)));
    assert!(problem(b"a,6k1/5ppp/8 w - - 0 1,d1d8\n").1.contains("begins with a header"));
    assert!(Puzzles::open(&b"# nothing else\n"[..]).is_err());
    let long = [&vec![b'x'; 2 * LINE_BYTES_MAX as usize][..], b"\n# the end\n"].concat();
    assert_eq!(problem(&long), (1, "the line is too long".to_owned()));
    assert!(
        problem(b"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd9;").1.contains("\"Rd9\" is not a legal")
    );
}

const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -";

fn one(line: &str) -> Puzzle {
    let mut all = read(line.as_bytes());
    assert_eq!(all.len(), 1, "{line}");
    all.remove(0).unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn solution(line: &str) -> Vec<String> {
    one(line).solution_text()
}

#[test]
fn the_kind_of_a_file_follows_from_more_than_its_first_byte() {
    let kind = |text: &str| Puzzles::open(text.as_bytes()).map(|puzzles| puzzles.format());
    let fen = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    let tag = format!("[FEN \"{fen}\"]\n\n1. Rd8# *\n");
    for text in [tag.clone(), format!("; a remark\n\n; another\n{tag}"), format!("%made\n{tag}")] {
        assert_eq!(kind(&text).unwrap(), PuzzleFormat::Pgn, "{text}");
    }
    for text in
        [format!("[a],{fen},Rd8#\n"), format!("{{a}},{fen},Rd8#\n"), format!("PAR1x,{fen},Rd8#\n")]
    {
        assert_ne!(kind(&text).unwrap(), PuzzleFormat::Pgn, "{text}");
    }
    // A table of a data frame begins with an empty title.
    assert_eq!(kind(&format!(";FEN;Moves\n0;{fen};d1d8\n")).unwrap(), PuzzleFormat::Table);
    for text in ["{}", "{\n  \"fen\": \"8/8\"}", "[{\"fen\": \"8/8\"}]", "[\n  {}\n]"] {
        assert!(matches!(kind(text), Err(PuzzlesError::Json)), "{text}");
    }
}

#[test]
fn best_moves_are_a_set() {
    let a = one(&format!("{BACK_RANK} bm Rd8 Kf1; id \"x\";"));
    let b = one(&format!("{BACK_RANK} bm Kf1, Rd8, Kf1; id \"x\";"));
    assert_eq!(a, b);
    assert_eq!((a.best.len(), a.solution.len(), a.has_line), (2, 1, true));
    let quiet = one(&format!("{BACK_RANK} bm Rd7 Kf1;"));
    assert_eq!((quiet.best.len(), quiet.has_line), (2, false));
    let with_line = one(&format!("{BACK_RANK} bm Rd7; pv Rd8#;"));
    assert_eq!((with_line.best.len(), with_line.has_line), (2, true));
    assert_eq!(with_line.solution, one(&format!("{BACK_RANK} bm Rd8;")).solution);
}

#[test]
fn what_stands_behind_a_fen_is_read_or_named() {
    for behind in [
        "bm Rd8;",
        ";bm Rd8",
        "; bm Rd8\0",
        " 12 40; bm Rd8",
        " 12 40;bm d1d8;",
        " 0 1, Rd8#",
        ", Rd8#",
        " 0 1 Rd8#",
        " 0 1|a name|1. Rd8# 1-0|1. e4 e5",
        "|a name|Rd8",
        " 0 1 1. Rd8#",
        "pv d1d8;",
        "bm Rd8; c0 \"a;b\"; D1 \"x\"; acd 9;",
    ] {
        let line = format!("{BACK_RANK} {behind}")
            .replace("- ;", "-;")
            .replace("- ,", "-,")
            .replace("- |", "-|");
        assert_eq!((solution(&line), one(&line).unread), (vec!["Rd8#".to_owned()], None), "{line}");
    }
    let counted = one(&format!("{BACK_RANK} 12 40; bm Rd8"));
    assert!(counted.position.fen().ends_with(" 12 40"));
    assert_eq!(one(&format!("{BACK_RANK} 0 1|a name|Rd8|")).id, "a name");
    assert_eq!(one(&format!("{BACK_RANK}; id A.02 \0")).id, "A.02");
    assert_eq!(solution(&format!("{BACK_RANK} 0 1, 1. Rd7 h6 2. Rd8+")), ["Rd7", "h6", "Rd8+"]);
    assert_eq!(solution(&format!("{BACK_RANK} bm #1;")), [""; 0]);
    for (behind, unread) in [
        ("0 1 x y z", "\"x y z\" is not read"),
        (
            "0 1; nonsense; bm Rd8 mate 1;",
            "\"nonsense\", \"mate\" in `bm`, \"1\" in `bm` is not read",
        ),
    ] {
        assert_eq!(one(&format!("{BACK_RANK} {behind}")).unread.as_deref(), Some(unread));
    }
    for (behind, part) in [
        (", Rd9", "\"Rd9\" is not a legal move"),
        ("0 1|x|Qd8|", "\"Qd8\" is not a legal move"),
        ("bm;", "`bm` names no move"),
    ] {
        let problem = problem(format!("{BACK_RANK} {behind}").as_bytes()).1;
        assert!(problem.contains(part), "{problem}");
    }
}

#[test]
fn a_move_that_may_be_several_is_called_ambiguous() {
    let problem = problem(b"7k/8/8/8/6R1/8/8/K5R1 w - - bm Rg3+;").1;
    assert!(problem.contains("\"Rg3+\" is ambiguous in "), "{problem}");
    assert!(problem.ends_with("it may be R1g3, R4g3"), "{problem}");
}

#[test]
fn positions_in_which_the_game_is_over_are_no_puzzles() {
    for (line, part) in [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
        ("3R2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", "mate"),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "no side can be mated"),
    ] {
        assert!(problem(line.as_bytes()).1.contains(part), "{line}");
    }
    let table = "FEN,Moves\n6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1,d1d8 g8h8\n";
    assert!(problem(table.as_bytes()).1.contains("goes on with g8h8 after"));
}

#[test]
fn a_file_without_puzzles_or_columns_is_refused() {
    let error = |text: &str| match Puzzles::open(text.as_bytes()) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("{text}"),
    };
    assert_eq!(error(""), "the file has no puzzles");
    assert_eq!(error("PuzzleId,Moves\nx,y\n"), "the table has no column `FEN`");
    assert_eq!(error("PuzzleId,FEN\nx,y\n"), "the table has no column `Moves`");
    assert_eq!(read(format!("{HEADER}\n").as_bytes()), []);
}

/// A table whose positions are the solver's, in the forms in which people keep it.
#[test]
fn tables_of_people_are_read_in_any_usual_form() {
    let fen = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    for text in [
        format!("fen,solution,rating\n{fen},Rd8#,1500\n"),
        format!("\u{feff},Fen,Best Move,Elo\r\n0,{fen},1. Rd1-d8#,1500.0\r\n"),
        format!("sep=;\nRating;FEN;Solution\n1500,0;\"{fen}\";\"d1d8\"\n"),
        format!("\n\nposition\tkey_move\trating\n{fen}\tRd8!\t1500\n"),
    ] {
        let found = one(&text);
        let parts = (found.solution_text().join(" "), found.rating, found.position.fen());
        assert_eq!(parts, ("Rd8#".to_owned(), Some(1500.0), fen.to_owned()), "{text}");
    }
}

#[test]
fn a_table_of_the_database_needs_no_titles_and_has_any_separator() {
    for separator in [",", ";", "\t"] {
        let row = ROWS[0].replace(',', separator);
        for text in [row.clone(), format!("{}\n{row}", HEADER.replace(',', separator))] {
            let found = one(&text);
            assert_eq!((found.id.as_str(), found.solution.len()), ("9eZCm", 5), "{text}");
            assert_eq!((found.rating, found.game.as_deref()), (Some(2361.0), Some("KPq4H66x")));
            assert_eq!(found.themes, ["crushing", "endgame"]);
        }
    }
}

#[test]
fn moves_begin_with_the_solvers_where_somebody_says_so() {
    let text = format!("fen,moves\n{BACK_RANK},d1d8\n");
    assert!(problem(text.as_bytes()).1.contains("--solver-first"));
    let found: Vec<_> = Puzzles::open(text.as_bytes()).unwrap().solver_first().collect();
    assert_eq!(found[0].as_ref().unwrap().solution_text(), ["Rd8#"]);
}

#[test]
fn a_key_move_is_no_whole_solution_and_the_opponents_last_move_is_left_out() {
    let table = |moves: &str, themes: &str| {
        let before = "6k1/5ppp/8/8/8/7P/5PP1/3R2K1 b - - 0 1";
        one(&format!("FEN,Moves,Themes\n{before},{moves},{themes}\n"))
    };
    assert!(!table("h7h6 d1d7", "endgame").has_line);
    assert!(table("h7h6 d1d7", "endgame oneMove").has_line);
    assert!(table("g8h8 d1d8", "").has_line, "it mates");
    let whole = table("h7h6 d1d7 g8h7 d7d8", "");
    assert_eq!((whole.solution.len(), whole.unread), (3, None));
    let longer = table("h7h6 d1d7 g8h7", "");
    assert_eq!((longer.solution.len(), longer.has_line), (1, false));
    assert!(table("h7h6 d1d7 g8h7", "oneMove").has_line);
    assert!(longer.unread.unwrap().contains("the opponent's move at the end"));
    let line = format!("{BACK_RANK} pv Rd7 h6 Kf1 h5;");
    assert_eq!(solution(&line), ["Rd7", "h6", "Kf1"]);
}

#[test]
fn a_solution_ends_when_the_game_is_over() {
    let error = read(format!("{BACK_RANK} pv 1.Rd8# Kh8 2.Kf1;").as_bytes()).remove(0).unwrap_err();
    assert!(error.to_string().contains("goes on with Kh8 after Rd8#"), "{error}");
}

#[test]
fn fields_behind_the_side_to_move_may_be_missing() {
    let board = "6k1/5ppp/8/8/8/8/5PPP/3R2K1";
    for (line, end) in [
        (format!("{board} w bm Rd8;"), "w - - 0 1"),
        (format!("{board} w;bm Rd8;"), "w - - 0 1"),
        (format!("{board} w, Rd8"), "w - - 0 1"),
        (format!("{board} w Rd8"), "w - - 0 1"),
        (format!("{board} w 1. Rd8"), "w - - 0 1"),
        (format!("{board} w - bm Rd8;"), "w - - 0 1"),
        (format!("{board} w ce 9000; bm Rd8;"), "w - - 0 1"),
        (format!("{board} w - acd 9; bm Rd8;"), "w - - 0 1"),
        (format!("{board} w - Rd8"), "w - - 0 1"),
        (format!("{board} w - - 5 bm Rd8;"), "w - - 5 1"),
        (format!("{board} w - - 5; bm Rd8;"), "w - - 5 1"),
        (format!("{board} W \u{2013} \u{2013} bm Rd8;"), "w - - 0 1"),
        (format!("\"{board} w - - 0 1\" bm Rd8;"), "w - - 0 1"),
        (format!("\"{board} w - - 0 1\",\"Rd8#\""), "w - - 0 1"),
        (format!("{board}_w_-_-_3_9 bm Rd8;"), "w - - 3 9"),
    ] {
        let found = one(&line);
        assert_eq!(found.position.fen(), format!("{board} {end}"), "{line}");
        assert_eq!(
            (found.solution_text().join(" "), found.unread),
            ("Rd8#".into(), None),
            "{line}"
        );
    }
    assert_eq!(one(&format!("{board} b")).position.fen(), format!("{board} b - - 0 1"));
    for line in [board.to_owned(), format!("{board}; bm Rd8;"), format!("{board}, Rd8")] {
        let problem = problem(line.as_bytes()).1;
        assert!(problem.contains("the side to move is missing"), "{problem}");
    }
    let table = format!("FEN,Solution\n{board} w,Rd8\n{board},Rd8\n");
    let found = read(table.as_bytes());
    assert_eq!(found[0].as_ref().unwrap().solution_text(), ["Rd8#"]);
    assert!(found[1].as_ref().unwrap_err().problem.contains("side to move is missing"));
}

#[test]
fn best_moves_have_any_usual_spelling() {
    for moves in [
        "1.Rd8;",
        "1. Rd8;",
        "1... Rd8;",
        "1\u{2026}Rd8",
        "rd8;",
        "\u{2656}d8;",
        "\u{265C}d8#;",
        "R\u{D7}d8;",
        "Rd8",
        "Rd8.",
        "Rd8 id \"x\";",
        "Rd8 c5 \"a comment\"",
        "Rd8, am Kf1; id \"x",
    ] {
        let found = one(&format!("{BACK_RANK} bm {moves}"));
        assert_eq!(found.best.len(), 1, "{moves}");
        assert_eq!(
            (found.solution_text().join(" "), found.unread),
            ("Rd8#".into(), None),
            "{moves}"
        );
    }
    let found = one(&format!("{BACK_RANK} bm Rd8 am Kf1 id \"x\""));
    assert_eq!((found.id.as_str(), found.avoided.len()), ("x", 1));
    assert_eq!(one(&format!("{BACK_RANK} bm Rd8; id \"\";")).id, "1");
    let ambiguous = problem(b"7k/8/8/8/6R1/8/8/K5R1 w - - bm rg3;").1;
    assert!(ambiguous.ends_with("it may be R1g3, R4g3"), "{ambiguous}");
    assert!(ambiguous.contains("\"rg3\" is ambiguous in "), "{ambiguous}");
}

#[test]
fn a_right_that_the_men_contradict_is_left_out_and_named() {
    let castling = "is not read";
    for (fen, kept, unread) in [
        (
            "6k1/5ppp/8/8/8/8/5PPP/R4RK1 w KQkq - 0 1",
            "w - - 0 1",
            "castling KQkq (king or rook not at home) is not read",
        ),
        (
            "r3k2r/8/8/8/8/8/8/1R2K2R w KQkq - 0 1",
            "w Kkq - 0 1",
            "castling Q (king or rook not at home) is not read",
        ),
        (
            "6k1/5ppp/8/4p3/8/8/5PPP/3R2K1 w - d6 0 1",
            "w - - 0 1",
            "en passant square d6 (no pawn has just passed it) is not read",
        ),
        (
            "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w K e4",
            "w - - 0 1",
            "castling K (king or rook not at home), en passant square e4 (no pawn has just passed it) is not read",
        ),
    ] {
        for text in [
            format!("{fen} bm Kh1;"),
            format!("FEN,Solution\n{fen},Kh1\n"),
            format!("[FEN \"{fen}\"]\n\n1. Kh1 *\n"),
        ] {
            if fen.contains("K2R") {
                continue;
            }
            let found = one(&text);
            assert!(found.position.fen().ends_with(kept), "{text}: {}", found.position.fen());
            assert_eq!(found.unread.as_deref(), Some(unread), "{text}");
        }
        let found = one(fen);
        assert!(found.position.fen().ends_with(kept), "{fen}: {}", found.position.fen());
        assert!(found.unread.unwrap().ends_with(castling));
    }
    for (fen, part) in [
        ("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R2K3R w KQkq - 0 1", "Chess960"),
        ("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", "Chess960"),
        ("4k3/8/8/8/8/8/8/R3K3 w X - 0 1", "has 'X', not one of K, Q, k and q"),
        ("4k3/8/8/8/8/8/8/R3K3 w Q x 0 1", "the fourth field, en passant"),
    ] {
        assert!(problem(fen.as_bytes()).1.contains(part), "{fen}");
    }
}

#[test]
fn letters_beyond_utf_8_and_words_behind_a_solution_lose_no_row() {
    let latin = [BACK_RANK.as_bytes(), b" bm Rd8; id \"Mart\xEDn\";"].concat();
    let found = read(&latin).remove(0).unwrap();
    assert_eq!((found.id.as_str(), found.solution.len()), ("Mart\u{ed}n", 1));
    let cut = one(&format!("{BACK_RANK} bm Rd7; pv Rd7 h6 Rd8+ Kh7 Kf;"));
    assert_eq!((cut.solution.len(), cut.has_line), (3, true));
    let unread = "\"Kf\", the opponent's move at the end of the solution is not read";
    assert_eq!(cut.unread.as_deref(), Some(unread));
    for moves in ["1-0", "1.", ""] {
        let table = format!("FEN,Moves\n{BACK_RANK},{moves}\n");
        assert!(problem(table.as_bytes()).1.contains("`Moves` is empty"));
    }
}

#[test]
fn a_game_is_named_by_its_address() {
    let game = |address: &str| {
        let table = format!("FEN,Solution,Game\n{BACK_RANK} 0 1,Rd8,{address}\n");
        one(&table).game.unwrap()
    };
    assert_eq!(game("https://lichess.org/KPq4H66x/black#88"), "KPq4H66x");
    for address in ["https://www.chess.com/game/live/7", "https://lichess.org/study/x/y", "g7"] {
        assert_eq!(game(address), address);
    }
}

#[test]
fn words_around_a_fen_lose_no_row() {
    let fen = format!("{BACK_RANK} 0 1");
    for (line, id) in [
        (format!("1. {fen}, Rd8"), "1"),
        (format!("No 7: {fen} Rd8#"), "No 7"),
        (format!("FEN: {fen} bm Rd8;"), "1"),
        (format!("3) \"{fen}\" bm Rd8; id \"x\";"), "x"),
    ] {
        let found = one(&line);
        let parts = (found.id.as_str(), found.solution_text().join(" "), found.position.fen());
        assert_eq!(parts, (id, "Rd8#".to_owned(), fen.clone()), "{line}");
    }
    for line in [format!("{fen} White mates"), fen.replace("- - 0 1", "White mates")] {
        assert_eq!(one(&line).unread.unwrap(), "\"White mates\" is not read");
    }
}

#[test]
fn a_numbered_line_of_best_moves_is_a_solution() {
    let found = one(&format!("{BACK_RANK} bm 1. Rd7 h6 2. Rd8+;"));
    assert_eq!(found.solution_text(), ["Rd7", "h6", "Rd8+"]);
    assert_eq!((found.best.len(), found.has_line), (1, true));
    for moves in ["Rd7 h6", "1. Rd7 h6 2. Rd9", "1. Rd9"] {
        assert!(
            problem(format!("{BACK_RANK} bm {moves};").as_bytes()).1.contains("not a legal move")
        );
    }
}
