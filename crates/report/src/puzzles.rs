//! Report of puzzles as text and as a sheet to print.

use treegauge_core::Player;
use treegauge_doc::{Block, Board, Doc, Figure, Svg, Words};
use treegauge_solve::report::{
    FromPlay, JSON_POSITIONS_MAX, OtherMove, PuzzleReport, PuzzlesReport, SolutionPosition,
    SolutionSize,
};
use treegauge_solve::{ForcedOptions, InterestOptions, MateIn, PuzzleCounts};

use crate::about_game::{rules, sheet_rules, title_of};
use crate::boards::{Boards, Document};
use crate::interest::{TOGETHER, choices_words, letter, percent, terms_words};
use crate::lead::reasons;
use crate::pictures;
use crate::sheet::{Sheet, SheetPuzzle, body, colour, has_marks, has_men, sheet};
use crate::solution::{Line, grouped, legend, slower_words, solution_lines};
use crate::words::{command, counted, counted_grouped, grouped as grouped_n, plies};

/// Task of a puzzle in a sentence: the player that wins, and the number of its own moves and of
/// plies.
#[must_use]
pub fn puzzle_task(turn: Player, mate_in: u32, remoteness: u16) -> String {
    format!(
        "The {turn} player, {}, is to move and wins in {} ({}).",
        letter(turn),
        counted(mate_in, "move"),
        plies(remoteness)
    )
}

/// Explains why a game has no puzzles. `mate_in` is the range of the winner's moves (`None` for any
/// number); `unique` restricts the search to unique solutions.
#[must_use]
pub fn no_puzzles_words(
    game: &str,
    mate_in: Option<(u32, u32)>,
    unique: bool,
    counts: &[PuzzleCounts],
) -> String {
    let asked = match mate_in {
        Some((n, greatest)) if n == greatest => {
            format!("in which the winner makes {}", counted(n, "move"))
        }
        Some((least, MateIn::MOST)) => {
            format!("in which the winner makes {} or more", counted(least, "move"))
        }
        Some((least, greatest)) => {
            format!("in which the winner makes {least} to {greatest} moves")
        }
        None => "in one move or more".to_owned(),
    };
    let unique = if unique { ", with a unique solution" } else { "" };
    match left_out(counts, |counts| counts.asking_nothing) {
        0 => format!("{game} has no forced wins {asked}{unique}"),
        nothing => format!(
            "{game} has no puzzles {asked}{unique}: in {} examined, no move ever loses the win",
            counted(nothing, "win")
        ),
    }
}

impl Document for PuzzlesReport {
    fn game(&self) -> Option<&str> {
        Some(&self.game)
    }

    fn doc(&self, boards: &dyn Boards) -> Doc {
        let mut doc = puzzles_doc(self, true);
        let mut blocks =
            vec![Block::heading(1, format!("Puzzles of {}", title_of(&self.game, boards)))];
        if self.puzzles.is_empty() {
            blocks.push(Block::text(format!("{}.", none_found_words(self))));
        }
        blocks.extend(self.puzzles.iter().map(|puzzle| {
            let board = Board {
                position: puzzle.position.clone(),
                picture: boards.svg(&puzzle.position),
                caption: puzzle.position.as_str().into(),
                ..Board::default()
            };
            Block::Columns(vec![
                vec![board.into()],
                vec![
                    Block::heading(3, format!("Puzzle {}", puzzle.number)),
                    Block::text(task(puzzle)),
                    solution(self, puzzle),
                ],
            ])
        }));
        blocks.extend(reasons(method(self), Vec::new()));
        blocks.extend(rules(boards));
        doc.push(Block::PagesOnly(blocks));
        doc
    }

    fn picture(&self, boards: &dyn Boards) -> Option<Figure> {
        pictures::puzzles::picture(self, boards)
    }

    fn sheet(&self, boards: &dyn Boards) -> Option<String> {
        Some(puzzles_sheet(self, boards, true))
    }
}

/// Folded solution of a puzzle.
fn solution(report: &PuzzlesReport, puzzle: &PuzzleReport) -> Block {
    let written = Written::of(puzzle);
    let lines =
        written.lines.iter().map(|line| format!("{:1$}{2}\n", "", 2 * line.depth, line.text));
    let mut blocks = vec![
        Block::text(format!("Main line: {} ({})", main_line(puzzle), uniqueness(report, puzzle))),
        Block::Preformatted(lines.collect()),
    ];
    let notes = written.first_move.into_iter();
    blocks.push(Block::notes(notes.chain([written.size, interest_words(report, puzzle)])));
    Block::Fold { summary: "Solution".into(), is_line: true, blocks }
}

/// Document for a terminal, with or without the solutions.
#[must_use]
pub fn puzzles_doc(report: &PuzzlesReport, solutions: bool) -> Doc {
    let PuzzlesReport { game, puzzles, .. } = report;
    let mut doc = Doc::new(format!("puzzles of {game}"));
    if puzzles.is_empty() {
        let none = Block::text(format!("{}.", none_found_words(report)));
        doc.push(Block::TextOnly(vec![none]));
        doc.next = next(report).map(Words::from).unwrap_or_default();
        return doc;
    }
    let mut blocks = vec![Block::text(lead(report))];
    let mut all = Vec::new();
    for puzzle in puzzles {
        let mut text = format!("Puzzle {}. {}\n\n", puzzle.number, task(puzzle));
        text += &puzzle.drawing;
        text += &format!("position: {}\n", puzzle.position);
        if !solutions {
            blocks.push(Block::Preformatted(text));
            continue;
        }
        let written = Written::of(puzzle);
        text += &format!("\nMain line: {}\n", main_line(puzzle));
        text += &format!("Solution ({}):\n", uniqueness(report, puzzle));
        for line in &written.lines {
            text += &format!("{:1$}{2}\n", "", 2 + 2 * line.depth, line.text);
        }
        for line in written.first_move {
            text += &format!("{line}\n");
        }
        blocks.push(Block::Preformatted(text));
        let details = Block::notes([written.size, interest_words(report, puzzle)]);
        let summary = format!("Puzzle {}", puzzle.number).into();
        blocks.push(Block::Fold { summary, is_line: true, blocks: vec![details] });
        all.push(written.lines);
    }
    if solutions {
        let mut text =
            "How to read the solutions, which follow one quickest win and every defence:\n"
                .to_owned();
        for (sign, meaning) in signs(report, all.iter().map(Vec::as_slice)) {
            text += &format!("  {sign:<17}  {meaning}\n");
        }
        blocks.insert(1, Block::Preformatted(text));
        blocks.extend(reasons(method(report), Vec::new()));
    }
    doc.push(Block::TextOnly(blocks));
    doc.next = next(report).map(Words::from).unwrap_or_default();
    doc
}

/// Signs of the solutions, with their meanings.
fn signs<'a>(
    report: &PuzzlesReport,
    solutions: impl Iterator<Item = &'a [Line]> + Clone,
) -> Vec<(&'static str, &'static str)> {
    let meaning = |(sign, meaning)| match (sign, report.from_play) {
        ("!", Some(_)) => (sign, "the only move that wins so quickly"),
        _ => (sign, meaning),
    };
    legend(solutions).map(meaning).collect()
}

/// Number of puzzles, and the moves that they take.
fn lead(report: &PuzzlesReport) -> String {
    let puzzles = counted_grouped(report.puzzles.len() as u64, "puzzle");
    let moves = || report.puzzles.iter().map(|puzzle| puzzle.mate_in);
    let wins = match (moves().min().unwrap_or_default(), moves().max().unwrap_or_default()) {
        (least, greatest) if least == greatest => format!("a win in {}", counted(least, "move")),
        (least, greatest) => {
            format!("from a win in {} to one in {greatest}", counted(least, "move"))
        }
    };
    let lead = format!("{}: {puzzles}, {wins}.", report.game);
    match &report.from_play {
        None => lead,
        Some(from_play) => {
            format!("{lead} Each is a proven win, found in {}.", games_words(from_play))
        }
    }
}

/// Games that puzzles were found in.
fn games_words(from_play: &FromPlay) -> String {
    let games = counted_grouped(from_play.played.games, "game");
    format!("{games} of the search against itself")
}

/// Positions that were tried, and the limits of the proofs.
fn proofs_words(from_play: &FromPlay) -> String {
    let FromPlay { played, plies_max, nodes_max, won, not_won, undecided } = *from_play;
    let most = plies(plies_max);
    let undecided = match undecided {
        0 => String::new(),
        n => format!(
            ", and for {} the limit of {} searched positions was too low",
            grouped_n(n),
            grouped_n(nodes_max)
        ),
    };
    format!(
        "The last {} of each game were tried ({} iterations per move): of {}, {} are won within {most}, {} \
         are not{undecided}. Only the quickest wins were looked for, so a move that wins later may count as one that does not win.",
        plies(played.last_plies),
        grouped_n(played.iterations),
        counted_grouped(from_play.tried(), "position"),
        grouped_n(won),
        grouped_n(not_won),
    )
}

/// Command that may help a reader of the report most; `None` if it does not follow from the report.
fn next(report: &PuzzlesReport) -> Option<String> {
    if let Some(from_play) = &report.from_play {
        return next_from_play(report, from_play);
    }
    if report.options != InterestOptions::default() {
        return None;
    }
    if report.puzzles.is_empty() {
        let is_narrow = report.mate_in.is_some() || report.unique_only;
        return is_narrow
            .then(|| format!("{} looks for all puzzles.", command("puzzles", &[&report.game])));
    }
    let mate_in = report.mate_in.map(|least| match report.mate_in_max {
        Some(MateIn::MOST) => format!("{least}.."),
        Some(greatest) if greatest != least => format!("{least}..{greatest}"),
        _ => least.to_string(),
    });
    let top = report.top.to_string();
    let mut arguments = vec![report.game.as_str()];
    arguments.extend(mate_in.iter().flat_map(|mate_in| ["--mate-in", mate_in]));
    let count = report.count.map(|count| count.to_string());
    match &count {
        Some(count) => arguments.extend(["--count", count.as_str()]),
        None if report.top != 1 => arguments.extend(["--top", top.as_str()]),
        None => {}
    }
    if report.unique_only {
        arguments.push("--unique");
    }
    arguments.extend(["--play", "1"]);
    Some(format!("{} plays puzzle 1 against perfect play.", command("puzzles", &arguments)))
}

/// Command that looks in more games, if few puzzles were found.
fn next_from_play(report: &PuzzlesReport, from_play: &FromPlay) -> Option<String> {
    if report.puzzles.len() >= FEW_PUZZLES {
        return None;
    }
    let games = from_play.played.games.saturating_mul(10).to_string();
    let most = from_play.plies_max.to_string();
    let mut arguments = vec![report.game.as_str(), "--from-play", "--games", &games];
    if from_play.plies_max != ForcedOptions::default().plies_max {
        arguments.extend(["--plies", &most]);
    }
    Some(format!("{} looks in more games.", command("puzzles", &arguments)))
}

/// Number of puzzles below which more games may help.
const FEW_PUZZLES: usize = 10;

/// Quickest win against the longest defence.
fn main_line(puzzle: &PuzzleReport) -> String {
    format!("{}#", puzzle.main_line.join(" "))
}

/// Page of the puzzles to print. With `solutions`, the solutions follow on separate pages.
#[must_use]
pub fn puzzles_sheet(report: &PuzzlesReport, boards: &dyn Boards, solutions: bool) -> String {
    sheet(&sheet_of(report, boards, solutions))
}

/// Contents of [`puzzles_sheet`], for a page with [`SHEET_STYLE`](crate::SHEET_STYLE).
#[must_use]
pub fn puzzles_sheet_body(report: &PuzzlesReport, boards: &dyn Boards, solutions: bool) -> String {
    body(&sheet_of(report, boards, solutions))
}

fn sheet_of(report: &PuzzlesReport, boards: &dyn Boards, solutions: bool) -> Sheet {
    let puzzles = report.puzzles.iter().map(|puzzle| {
        let written = Written::of(puzzle);
        let mut notes = written.first_move;
        notes.push(written.size);
        let svg = boards.svg(&puzzle.position);
        SheetPuzzle {
            task: sheet_task(puzzle, &svg),
            interest: interest_words(report, puzzle),
            svg,
            position: puzzle.position.clone(),
            main_line: main_line(puzzle),
            uniqueness: uniqueness(report, puzzle),
            lines: written.lines,
            notes,
        }
    });
    let puzzles: Vec<SheetPuzzle> = puzzles.collect();
    Sheet {
        title: title_of(&report.game, boards),
        rules: sheet_rules(boards),
        solutions,
        legend: signs(report, puzzles.iter().map(|puzzle| &puzzle.lines[..])),
        puzzles,
        none: none_found_words(report),
        method: method(report),
    }
}

/// Printed form of a solution.
struct Written {
    lines: Vec<Line>,
    /// Size of the solution, in a sentence or two.
    size: String,
    /// Comments on the first move.
    first_move: Vec<String>,
}

impl Written {
    fn of(puzzle: &PuzzleReport) -> Written {
        let written = &puzzle.written;
        let size = if written.cut_positions == 0 {
            format!("All defences: {}.", size_words(&written.size))
        } else {
            format!(
                "The solution is too long to print whole: it has {}. The {} nearest to the puzzle and the \
                 main line are printed; ... marks moves that are left out. The JSON has {}.",
                size_words(&written.size),
                written.positions.len(),
                match written.size.cut {
                    false => "them all".to_owned(),
                    true => format!("up to {JSON_POSITIONS_MAX}"),
                }
            )
        };
        let comes_to: Vec<String> = written.comes_to.iter().map(u64::to_string).collect();
        let comes_to = match comes_to.as_slice() {
            [] => String::new(),
            [one] => format!(" Lines of it come to puzzle {one}."),
            many => format!(" Lines of it come to puzzles {}.", many.join(", ")),
        };
        Written {
            lines: solution_lines(&written.positions),
            size: size + &comes_to,
            first_move: written.positions.first().map(first_move).unwrap_or_default(),
        }
    }
}

/// Slower first moves and missteps; empty if the solution does not list them.
fn first_move(root: &SolutionPosition) -> Vec<String> {
    let (Some(slower), Some(missteps)) = (&root.slower, &root.missteps) else { return vec![] };
    let mut lines = Vec::new();
    if !slower.is_empty() {
        lines.push(format!("Slower first moves: {}.", slower_words(slower)));
    }
    lines.push(if missteps.is_empty() {
        "No first move loses the win.".to_owned()
    } else {
        let does = |other: &OtherMove| match other.plies {
            None | Some(0) => format!("({})", other.words),
            Some(1) => format!("({} ply)", other.words),
            Some(_) => format!("({} plies)", other.words),
        };
        let is_known = missteps.iter().all(|other| other.value.is_some());
        let win = if is_known { "win" } else { "quick win" };
        format!("First moves that throw the {win} away: {}.", grouped(missteps, does))
    });
    lines
}

/// Number of positions and lines of a solution.
fn size_words(size: &SolutionSize) -> String {
    let positions = counted(size.positions, "different position");
    match size.lines {
        _ if size.cut => format!("more than {positions}"),
        Some(lines) => format!("{positions}, {} of play", counted(lines, "line")),
        None => format!("{positions}, and more lines of play than 64 bits can count"),
    }
}

fn task(puzzle: &PuzzleReport) -> String {
    puzzle_task(puzzle.turn, puzzle.mate_in, puzzle.remoteness)
}

/// Task of a puzzle on a sheet, with the player as the picture shows it.
fn sheet_task(puzzle: &PuzzleReport, picture: &Svg) -> String {
    let turn = puzzle.turn;
    let player = if has_men(picture) {
        format!("The {turn} player ({})", colour(turn))
    } else if has_marks(picture, &puzzle.position) {
        format!("{} (the {turn} player)", letter(turn).to_ascii_uppercase())
    } else {
        format!("The {turn} player")
    };
    let moves = counted(puzzle.mate_in, "move");
    format!("{player} is to move and wins in {moves}.")
}

fn uniqueness(report: &PuzzlesReport, puzzle: &PuzzleReport) -> String {
    // In a game that is not solved, moves that win later are not known.
    let wins = if report.from_play.is_some() { "wins so quickly" } else { "wins" };
    match (puzzle.unique, puzzle.unique_first_move) {
        (true, _) => format!(
            "unique: only one move {wins} at every turn of the winner, whatever the defence"
        ),
        (false, true) => format!("only one first move {wins}; later there are second ways"),
        (false, false) => "several first moves win".to_owned(),
    }
}

/// Explains, without a full stop, why a report has no puzzles.
#[must_use]
pub fn none_found_words(report: &PuzzlesReport) -> String {
    let PuzzlesReport { game, mate_in, mate_in_max, unique_only, by_remoteness, .. } = report;
    let Some(from_play) = &report.from_play else {
        let mate_in = mate_in.map(|least| (least, mate_in_max.unwrap_or(least)));
        return no_puzzles_words(game, mate_in, *unique_only, by_remoteness);
    };
    let (games, most) = (games_words(from_play), plies(from_play.plies_max));
    match from_play.won {
        0 => format!("{game}: no win within {most} was found in {games}"),
        won => format!(
            "{game}: {} within {most} found in {games}, and no puzzle as asked for",
            counted_grouped(won, "win")
        ),
    }
}

fn interest_words(report: &PuzzlesReport, puzzle: &PuzzleReport) -> String {
    let within = report.from_play.map(|_| puzzle.remoteness);
    let sentences = terms_words(&puzzle.terms, report.options, within);
    format!("Interestingness {}. {}", percent(puzzle.interestingness), sentences.join(" "))
}

/// Origin of the puzzles, the method of computing the interestingness, and the wins left out.
fn method(report: &PuzzlesReport) -> Vec<String> {
    let mut sentences: Vec<String> = report.from_play.iter().map(proofs_words).collect();
    sentences.push(format!("Interestingness is {TOGETHER}. {}", choices_words(report.options)));
    sentences.push(left_out_words(&report.by_remoteness));
    sentences
}

fn left_out(counts: &[PuzzleCounts], of: fn(&PuzzleCounts) -> u64) -> u64 {
    counts.iter().map(of).sum()
}

fn left_out_words(counts: &[PuzzleCounts]) -> String {
    let parts = [
        (left_out(counts, |c| c.asking_nothing), "in which no move ever loses the win"),
        (left_out(counts, |c| c.merged), "whose solution merges with that of a puzzle"),
        (left_out(counts, |c| c.same), "whose solution is that of a puzzle, move by move"),
        (left_out(counts, |c| c.not_unique), "with a second way to win"),
        (left_out(counts, |c| c.other_mate_in), "of another number of moves"),
    ];
    let parts = parts.into_iter().filter(|(n, _)| *n > 0);
    let parts: Vec<String> = parts.map(|(n, words)| format!("{n} {words}")).collect();
    match parts.is_empty() {
        true => "No win was left out.".to_owned(),
        false => format!("Wins left out: {}.", parts.join(", ")),
    }
}
