//! Report of interestingness.

use std::fmt::Write;

use treegauge_core::Player;
use treegauge_doc::{
    Block, Board, Cell, Column, Doc, Figure, Layout, ParagraphStyle, Scale, Table, Tone, Words,
    plain_table,
};
use treegauge_solve::report::{
    InterestAnalysis, InterestPosition, InterestReport, InterestTerms, KeptPositionReport,
    WinsOfRemoteness, value_words,
};
use treegauge_solve::{
    Children, Draws, Endless, ExactValue, Form, InterestOptions, LoseChildren, Ties, Value,
};

use crate::about_game::{heading, rules, title_of};
use crate::boards::{Boards, Document};
use crate::chart::Charts;
use crate::lead::{reasons, verdict};
use crate::pictures;
use crate::words::{command, count_cell, counted, counted_grouped, grouped, plies};

/// Greatest number of printed rows of the table. JSON and the page have all of them.
const ROWS_MAX: usize = 60;

/// Greatest number of pictured positions on the page, besides the most interesting one. More would
/// make the page too large for a browser.
const PICTURES_MAX: usize = 24;

/// Definition of interestingness in a sentence.
const SHORT_MEANING: &str =
    "Interestingness measures how well a forced win is hidden, from 0 to 100%.";

/// Definition of interestingness.
const MEANING: &str = "A win has a high interestingness when many of its moves that look playable throw the win away (the immediate \
term), and when the positions after its winning moves have a high one in turn (the accumulated \
term). A lost position has the mean of the positions after its moves. Ties, endless play and \
finished games have 1% by definition. A win in one move can have a high one too: one winning move \
among four, where the other three throw the win away, gives 50%. After M. Johnson, \
Interestingness, GamesCrafters 2006.";

/// Limits of interestingness.
fn unseen(form: Form) -> String {
    let tempting = match form {
        Form::Clamped | Form::Literal => {
            "Every move counts as equally tempting, however odd it looks, unless the answer punishes it at once"
        }
        Form::Forcing => {
            "A move counts as the more tempting the fewer answers it leaves, however odd it looks, unless the answer punishes it at once"
        }
    };
    format!(
        "Interestingness does not model people. {tempting}. Only forced wins are rated: a balanced position has 1% however rich its play is. Whether a game would ever reach the position does not count."
    )
}

/// Share in percent with two digits, as the published program shows it.
pub(crate) fn percent(x: f64) -> String {
    format!("{:.2}%", 100.0 * x)
}

/// Letter of a player in pictures.
pub(crate) fn letter(player: Player) -> char {
    match player {
        Player::First => 'x',
        Player::Second => 'o',
    }
}

/// Player to move and its result with best play.
fn standing(place: &InterestPosition, endless: Endless) -> String {
    let turn = &place.turn;
    let letter = letter(*turn);
    let prospect = match place.valued() {
        Some(ExactValue { value: Value::Draw, .. }) if endless == Endless::Undecided => {
            "has a value that depends on the moves before, through repetition or quiet plies"
                .to_owned()
        }
        Some(ExactValue { value: Value::Draw, .. }) | None => {
            "can force endless play, but not a win".to_owned()
        }
        Some(ExactValue { remoteness: 0, .. }) => return "the game is over".to_owned(),
        Some(ExactValue { value: Value::Tie, remoteness }) => {
            return format!(
                "with best play the game is a draw, after {}; the {turn} player, {letter}, is to move",
                plies(remoteness)
            );
        }
        Some(valued) => value_words(valued.value, valued.plies().map(plies)),
    };
    format!("the {turn} player, {letter}, is to move and {prospect}")
}

/// Winning moves in a sentence; `None` if no move wins.
fn wins_words(place: &InterestPosition) -> Option<String> {
    match &place.quickest_wins[..] {
        [] => None,
        [only] if place.terms.as_ref().is_some_and(|terms| terms.winning == 1) => {
            Some(format!("The winning move is {only}."))
        }
        [only] => Some(format!("The quickest winning move is {only}.")),
        several => Some(format!("The quickest winning moves are {}.", several.join(", "))),
    }
}

/// Reasons for the interestingness of a position, one sentence per line.
pub(crate) fn place_words(place: &InterestPosition, options: InterestOptions) -> Vec<String> {
    let Some(terms) = &place.terms else { return Vec::new() };
    let mut lines = terms_words(terms, options, None);
    if terms.immediate.is_some() {
        let percent = percent(place.interestingness);
        lines.push(format!("Together {percent}: {TOGETHER}."));
    }
    lines
}

/// Interestingness of a position with its terms, in sentences.
#[must_use]
pub fn interest_words(analysis: &InterestAnalysis, place: &InterestPosition) -> Vec<String> {
    let mut lines = vec![format!("Interestingness {}.", percent(place.interestingness))];
    lines.extend(place_words(place, analysis.options));
    lines
}

/// Formula that combines both terms.
pub(crate) const TOGETHER: &str = "1 - sqrt((1 - immediate) (1 - accumulated))";

/// Parts of both terms, one sentence per line. `within` are the plies of the quickest win, if moves that
/// do not win as quickly were not looked at; `None` in a solved game.
pub(crate) fn terms_words(
    terms: &InterestTerms,
    options: InterestOptions,
    within: Option<u16>,
) -> Vec<String> {
    let noun = if options.children == Children::Positions { "next position" } else { "move" };
    let accumulated = terms.accumulated.unwrap_or_default();
    let Some(immediate) = terms.immediate else {
        let all = match terms.children {
            1 => format!("The only {noun} loses"),
            n => format!("All {n} {noun}s lose"),
        };
        let mean = percent(accumulated);
        return vec![format!("{all}: {mean} is the mean of what comes after.")];
    };
    let mut kinds = Vec::new();
    let (tie, ties) = match within {
        Some(within) => {
            let within = plies(within);
            (format!("does not win within {within}"), format!("do not win within {within}"))
        }
        None => ("leads to a tie".to_owned(), "lead to a tie".to_owned()),
    };
    for (n, one, many) in [
        (terms.winning, "wins", "win"),
        (terms.losing, "loses, but not at once", "lose, but not at once"),
        (terms.losing_at_once, "loses at once", "lose at once"),
        (terms.ties, tie.as_str(), ties.as_str()),
        (terms.draws, "leads to endless play", "lead to endless play"),
    ] {
        if n > 0 {
            kinds.push(format!("{n} {}", if n == 1 { one } else { many }));
        }
    }
    vec![
        format!("{}: {}.", counted(terms.children, noun), kinds.join("; ")),
        format!(
            "Immediate {}: {}.",
            percent(immediate),
            immediate_words(terms, options, noun, within)
        ),
        format!(
            "Accumulated {}: the mean of what comes after {}.",
            percent(accumulated),
            averaged_words(terms, noun)
        ),
    ]
}

/// Origin of the immediate term; see [`terms_words`].
fn immediate_words(
    terms: &InterestTerms,
    options: InterestOptions,
    noun: &str,
    within: Option<u16>,
) -> String {
    let draws = if options.draws == Draws::Tie { terms.draws } else { 0 };
    let missteps = terms.losing + terms.ties - terms.ties_at_once + draws;
    let counted = counted(missteps + terms.winning, noun);
    let least =
        if missteps == 0 && options.form != Form::Literal { "; 1% is the least" } else { "" };
    if missteps == 0 && terms.losing_at_once > 0 {
        let plain = match terms.losing_at_once {
            1 => "1 loses".to_owned(),
            n => format!("{n} lose"),
        };
        return format!(
            "no misstep counts, because {plain} at once, which tempts no player{least}"
        );
    }
    let thrown = match missteps {
        0 => format!("none of {counted} throws"),
        1 => format!("1 of {counted} throws"),
        n => format!("{n} of {counted} throw"),
    };
    let aside = match (terms.losing_at_once, terms.draws - draws) {
        (0, 0) => "",
        (_, 0) => ", those that lose at once left out",
        (0, _) => ", those to endless play left out",
        _ => ", those that lose at once and those to endless play left out",
    };
    let win = if within.is_some() { "quick win" } else { "win" };
    let quick_ties = if terms.ties_at_once > 0 { ", quick ties left out" } else { "" };
    let weighted = match options.form {
        Form::Clamped | Form::Literal => "",
        Form::Forcing => ", each weighted by 1 / (1 + moves that it leaves)",
    };
    format!("{thrown} the {win} away{aside}{quick_ties}{weighted}{least}")
}

/// Moves that the accumulated term averages over.
fn averaged_words(terms: &InterestTerms, noun: &str) -> String {
    match (terms.averaged, terms.winning) {
        (_, 1) => format!("the winning {noun}"),
        (averaged, winning) if averaged < winning => {
            format!("the quickest {averaged} of the {winning} winning {noun}s")
        }
        (_, winning) => format!("the {winning} winning {noun}s"),
    }
}

/// Options in words, and the passes of the computation.
fn method(analysis: &InterestAnalysis) -> String {
    let sweeps = match analysis.positions_in_loops {
        0 => "No position depends on itself, so one pass gave the numbers.".to_owned(),
        n => format!(
            "{} of the {} positions lie on a cycle of moves or depend on one: they were computed in {}, until no value changed (the least fixed point).",
            grouped(n),
            grouped(analysis.positions),
            counted_grouped(analysis.sweeps, "sweep")
        ),
    };
    let Held { forcing, published } = HELD_AGAINST_PEOPLE;
    let held = match analysis.options.form {
        Form::Clamped | Form::Literal => format!(
            "It does not follow what people find hard in chess problems that mate in equally many moves: rank correlation with their ratings {published}; `--form forcing` has {forcing}."
        ),
        Form::Forcing => format!(
            "It follows what people find hard in chess problems that mate in equally many moves: rank correlation with their ratings {forcing}; the published form has {published}."
        ),
    };
    format!("{} {held} {sweeps}", choices_words(analysis.options))
}

/// Rank correlations, with 95% intervals, of forms of interestingness with people's ratings of 1,388 chess
/// problems that mate in one to three moves.
struct Held {
    /// Of the form `forcing`.
    forcing: &'static str,
    /// Of the published form.
    published: &'static str,
}

/// From `record/2026-11-29-interest-of-mates.md`.
const HELD_AGAINST_PEOPLE: Held =
    Held { forcing: "0.22 (0.17 to 0.27)", published: "0.00 (-0.05 to 0.05)" };

/// Options in words.
pub(crate) fn choices_words(options: InterestOptions) -> String {
    let form = match options.form {
        Form::Literal => {
            "The immediate term may be 0, so that easy wins have less than 1% (form literal)"
        }
        Form::Clamped => "The immediate term is at least 1% (form clamped)",
        Form::Forcing => {
            "The immediate term is at least 1%, and a move that leaves n moves has the weight 1 / (1 + n) in it (form forcing)"
        }
    };
    let averaged = match options.lose_children {
        LoseChildren::Fastest => "a win averages over its quickest winning moves only",
        LoseChildren::All => "a win averages over all its winning moves, slow ones too",
    };
    let counted = match options.children {
        Children::Positions => "two moves to one position count once",
        Children::Moves => "two moves to one position count twice",
    };
    let draws = match options.draws {
        Draws::Skip => "a move to endless play does not count",
        Draws::Tie => "a move to endless play counts as a tie",
    };
    let ties = match options.ties {
        Ties::All => "",
        Ties::Late => "; a move to a tie that ends in at most one ply does not count",
    };
    format!("{form}; {averaged}; {counted}; {draws}{ties}.")
}

/// Verdict: the most interesting position, then the start.
pub(crate) fn lead(analysis: &InterestAnalysis) -> String {
    let InterestAnalysis { start, endless, .. } = analysis;
    let rated = |name: &str, place: &InterestPosition| {
        let percent = percent(place.interestingness);
        format!("{name} has an interestingness of {percent}: {}.", standing(place, *endless))
    };
    let start_words = match start.valued() {
        Some(ExactValue { remoteness: 0, .. }) => "The game is over at the start.".to_owned(),
        Some(ExactValue { value: Value::Win | Value::Lose, .. }) => rated("The start", start),
        // The 1% of the definition says nothing about such a start.
        _ => format!("The start has no forced win to rate: {}.", standing(start, *endless)),
    };
    match &analysis.most_interesting {
        None => format!("No position is a forced win of known length. {start_words}"),
        Some(most) if most.position == start.position => {
            rated("The start is the most interesting position and", start)
        }
        Some(most) => format!("{} {start_words}", rated("The most interesting position", most)),
    }
}

/// Picture of a position with its text.
fn drawn_text(place: &InterestPosition, boards: &dyn Boards) -> String {
    let board = boards.text(&place.position);
    format!("{}\n\nposition: {}\n", board.trim_end(), place.position)
}

/// Most interesting position; the start if no position is a forced win.
fn shown(analysis: &InterestAnalysis) -> &InterestPosition {
    analysis.most_interesting.as_ref().unwrap_or(&analysis.start)
}

/// Reasons and tables for a terminal.
fn details(analysis: &InterestAnalysis, boards: &dyn Boards) -> Vec<Block> {
    let most = shown(analysis);
    let mut blocks = Vec::new();
    let list = |place: &InterestPosition| {
        let words = place_words(place, analysis.options).into_iter().map(Words::from).collect();
        Block::List(ParagraphStyle::Plain, words)
    };
    if most.terms.is_some() {
        blocks.extend([Block::text("The most interesting position:"), list(most)]);
    }
    if most.position != analysis.start.position {
        blocks.push(Block::text("The start:"));
        blocks.push(Block::Preformatted(drawn_text(&analysis.start, boards)));
        blocks.push(list(&analysis.start));
    }
    if !analysis.by_remoteness.is_empty() {
        blocks.push(Block::text("The wins by their plies to the end:"));
        blocks.push(Block::Preformatted(rows_text(analysis)));
    }
    blocks
}

fn rows_text(analysis: &InterestAnalysis) -> String {
    let rows = &analysis.by_remoteness;
    let hidden = rows.len().saturating_sub(ROWS_MAX);
    // The shortest and the longest wins matter most.
    let shown = rows
        .iter()
        .enumerate()
        .filter(|(n, _)| *n < ROWS_MAX / 2 || *n >= ROWS_MAX / 2 + hidden)
        .map(|(_, row)| {
            [
                row.most.remoteness.unwrap_or_default().to_string(),
                row.wins.to_string(),
                percent(row.mean),
                percent(row.max),
                row.most.position.clone(),
            ]
        });
    let header = ["plies", "wins", "mean", "maximum", "position of the maximum"];
    let mut text = plain_table(header, shown, 0..4);
    if hidden > 0 {
        let rows = counted_grouped(hidden as u64, "row");
        let _ = writeln!(text, "({rows} in the middle are left out; the JSON has all)");
    }
    text
}

impl Document for KeptPositionReport {
    fn game(&self) -> Option<&str> {
        Some(&self.game)
    }

    fn doc(&self, boards: &dyn Boards) -> Doc {
        let KeptPositionReport { game, options, position, .. } = self;
        let mut doc = Doc::new(format!("a position of {game}"));
        doc.push(heading(&title_of(game, boards), game));
        let headline = format!("Interestingness {}", percent(position.interestingness));
        doc.extend(verdict(Tone::Good, &headline, game, &format!("{}.", has_words(position))));
        doc.push(Block::TextOnly(vec![Block::Preformatted(drawn_text(position, boards))]));
        doc.push(Board::alone(position.position.as_str(), boards.svg(&position.position)));
        let mut sentences = place_words(position, *options);
        sentences.push("The analysis is saved in the file.".to_owned());
        sentences.push(choices_words(*options));
        doc.extend(reasons(sentences, Vec::new())).extend(rules(boards));
        doc
    }

    fn picture(&self, boards: &dyn Boards) -> Option<Figure> {
        pictures::interest::position(self, boards)
    }
}

/// Introduction to playing a game from a position.
#[must_use]
pub fn position_task_text(place: &InterestPosition) -> String {
    format!("From {}: {}.\n\n", place.position, has_words(place))
}

pub(crate) fn has_words(place: &InterestPosition) -> String {
    format!(
        "{}, with an interestingness of {}",
        standing(place, Endless::Draw),
        percent(place.interestingness)
    )
}

impl Document for InterestReport {
    fn game(&self) -> Option<&str> {
        Some(&self.analysis.game)
    }

    fn doc(&self, boards: &dyn Boards) -> Doc {
        let analysis = &self.analysis;
        let mut doc = Doc::new(format!("interestingness of {}", analysis.game));
        doc.push(heading(&title_of(&analysis.game, boards), &analysis.game));
        let most = shown(analysis);
        let headline = match &analysis.most_interesting {
            Some(most) => format!("Most interesting: {}", percent(most.interestingness)),
            None => "No forced win".to_owned(),
        };
        doc.extend(verdict(Tone::Good, &headline, &analysis.game, &lead(analysis)));
        doc.push(Block::note(SHORT_MEANING));
        let mut board = vec![Block::Preformatted(drawn_text(most, boards))];
        board.extend(wins_words(most).map(Block::text));
        doc.push(Block::TextOnly(board));
        doc.extend(histogram(analysis)).push(Block::PagesOnly(on_page(self, boards)));
        let sentences = [
            format!("{} were rated. {MEANING}", counted_grouped(analysis.positions, "position")),
            unseen(analysis.options.form),
            method(analysis),
        ];
        let details = vec![
            Block::TextOnly(details(analysis, boards)),
            Block::PagesOnly(vec![Block::List(ParagraphStyle::Note, READ.map(Words::from).into())]),
        ];
        doc.extend(reasons(sentences.into(), details)).extend(rules(boards));
        if analysis.most_interesting.is_some() {
            let puzzles = command("puzzles", &[&analysis.game]);
            doc.next(format!("{puzzles} prints such wins with their solutions."));
        }
        doc
    }

    fn picture(&self, boards: &dyn Boards) -> Option<Figure> {
        pictures::interest::picture(self, boards)
    }
}

/// Wins by their interestingness, in classes of 10%; `None` if there are none.
fn histogram(analysis: &InterestAnalysis) -> Option<Block> {
    const CLASSES: usize = 10;
    let mut classes = [0_u64; CLASSES];
    for row in &analysis.by_remoteness {
        for (n, wins) in row.bins.iter().enumerate() {
            let class = &mut classes[n * CLASSES / row.bins.len()];
            *class = class.saturating_add(*wins);
        }
    }
    let most = classes.into_iter().max().filter(|most| *most > 0)?;
    let columns = [Column::right("interestingness"), Column::right("wins"), Column::chart("")];
    let mut table = Table::new("histogram", columns);
    for (n, wins) in classes.into_iter().enumerate() {
        let bar = Scale { least: 0.0, greatest: most as f64 }.bar(wins as f64);
        let class = format!("{} to {}%", 10 * n, 10 * (n + 1));
        table.push([Cell::from(class), count_cell(wins), Cell::from(bar)]);
    }
    Some(Block::Charts(vec![Block::text("All wins by their interestingness:"), table.into()]))
}

/// Help with the pictures of a page.
const READ: [&str; 2] = [
    "Where pieces belong to players, the dark ones are those of the first player, x, and the light ones those of the second, o.",
    "A position is won in n plies when the winner can force the end in n plies and the loser can delay it that long; both players' moves count.",
];

/// Blocks of a page, with pictures of the positions.
fn on_page(report: &InterestReport, boards: &dyn Boards) -> Vec<Block> {
    let analysis = &report.analysis;
    let mut blocks = Vec::new();
    let most = analysis.most_interesting.as_ref();
    if let Some(most) = most.filter(|most| most.position != analysis.start.position) {
        blocks.push(Block::heading(2, "The most interesting position"));
        blocks.push(place(most, boards, analysis));
        blocks.extend(wins_words(most).map(Block::text));
    }
    blocks.push(Block::heading(2, "The start"));
    blocks.push(place(&analysis.start, boards, analysis));
    blocks.extend(landscape(report));
    blocks.extend(pictures(analysis, boards));
    blocks.extend(rows(analysis));
    blocks
}

/// Two charts by the plies to the end: the numbers of positions by value, and the interestingness
/// of the wins.
fn landscape(report: &InterestReport) -> [Block; 2] {
    let mut charts = Charts::default();
    let mut values = "Positions by the plies to the end with best play and by the value for the player to move, on a logarithmic scale.".to_owned();
    if report.draw > 0 {
        values += &format!(" From {} more, play never ends.", grouped(report.draw));
    }
    let wins = "Interestingness of the wins by the plies to the end. Each grey dot stands for the wins within one twentieth of the scale; its size is their share of the wins of that length. Point at it for their number.";
    let figures = [
        ("values", charts.values_by_remoteness(&report.table), values.as_str()),
        ("interest", charts.interest_by_remoteness(&report.analysis.by_remoteness), wins),
    ];
    let figures = figures.into_iter().filter_map(|(name, picture, caption)| {
        let caption = caption.into();
        let picture = picture?;
        Some(Figure { name, picture, caption, is_on_paper: true, ..Figure::default() }.into())
    });
    [Block::heading(2, "The landscape"), Block::Group(Layout::Charts, figures.collect())]
}

/// A position with the reasons for its interestingness.
fn place(place: &InterestPosition, boards: &dyn Boards, analysis: &InterestAnalysis) -> Block {
    let board = Board {
        position: place.position.clone(),
        picture: boards.svg(&place.position),
        caption: place.position.as_str().into(),
        is_alone: true,
        ..Board::default()
    };
    let standing = standing(place, analysis.endless);
    // The 1% of the definition says nothing about a position without a forced win.
    let is_rated =
        matches!(place.valued(), Some(ExactValue { value: Value::Win | Value::Lose, .. }));
    let lead = match is_rated {
        true => Words::default()
            .and_strong(percent(place.interestingness))
            .and(format!(": {standing}.")),
        false => Words::default().and(format!("No forced win to rate: {standing}.")),
    };
    let reasons = place_words(place, analysis.options).into_iter().map(Words::from);
    let said = vec![Block::text(lead), Block::List(ParagraphStyle::Plain, reasons.collect())];
    Block::Columns(vec![vec![board.into()], said])
}

/// Table of the wins by the plies to the end.
fn rows(analysis: &InterestAnalysis) -> Option<Block> {
    let columns = [
        Column::right("plies"),
        Column::right("wins"),
        Column::right("mean"),
        Column::right("maximum"),
        Column::left("position of the maximum"),
    ];
    let mut table = Table::new("wins", columns);
    for row in &analysis.by_remoteness {
        table.push([
            count_cell(u64::from(row.most.remoteness.unwrap_or_default())),
            count_cell(row.wins),
            Cell::number(percent(row.mean), Some(row.mean)),
            Cell::number(percent(row.max), Some(row.max)),
            Cell::from(row.most.position.as_str()),
        ]);
    }
    let summary = "The wins by their plies to the end";
    (!table.rows.is_empty()).then(|| Block::fold(summary, vec![table.into()]))
}

/// The most interesting win of each remoteness, at most [`PICTURES_MAX`] of them, in the order of
/// the rows.
fn pictured(rows: &[WinsOfRemoteness]) -> Vec<&InterestPosition> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    // The sort is stable: among equals the shorter wins come first.
    order.sort_by(|&a, &b| rows[b].max.total_cmp(&rows[a].max));
    order.truncate(PICTURES_MAX);
    order.sort_unstable();
    order.into_iter().map(|n| &rows[n].most).collect()
}

/// Most interesting win of each remoteness, with pictures.
fn pictures(analysis: &InterestAnalysis, boards: &dyn Boards) -> Vec<Block> {
    let rows = &analysis.by_remoteness;
    let pictured = pictured(rows);
    if pictured.is_empty() {
        return Vec::new();
    }
    let terms = |terms: &InterestTerms| {
        let share = |term: Option<f64>| percent(term.unwrap_or_default());
        format!(" Immediate {}, accumulated {}.", share(terms.immediate), share(terms.accumulated))
    };
    let mut blocks = vec![Block::heading(2, "The most interesting win of each length")];
    if pictured.len() < rows.len() {
        let note = format!("The {} most interesting of {} lengths.", pictured.len(), rows.len());
        blocks.push(Block::note(note));
    }
    let figures = pictured.into_iter().map(|most| {
        let found = most.terms.as_ref().map_or_else(String::new, terms);
        let words = format!(": {}.{found}", standing(most, analysis.endless));
        let board = Board {
            position: most.position.clone(),
            picture: boards.svg(&most.position),
            caption: Words::default().and_strong(percent(most.interestingness)).and(words),
            ..Board::default()
        };
        board.into()
    });
    blocks.push(Block::Group(Layout::Boards, figures.collect()));
    blocks
}
