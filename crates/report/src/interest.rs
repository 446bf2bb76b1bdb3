//! Report of interestingness.

use std::fmt::Write;

use treegauge_core::Player;
use treegauge_doc::{
    Block, Board, Cell, Column, Doc, Figure, Layout, Role, Scale, Table, Tone, Words, plain_table,
};
use treegauge_solve::report::{
    InterestAnalysis, InterestPosition, InterestReport, InterestTerms, KeptPositionReport,
    WinsOfRemoteness, value_words,
};
use treegauge_solve::{
    Children, Draws, Endless, Form, InterestOptions, LoseChildren, Value, Valued,
};

use crate::boards::{Boards, Document};
use crate::chart::Charts;
use crate::pictures;
use crate::words::{counted, plies};

/// Greatest number of printed rows of the table. JSON and the page have all of them.
const ROWS_MAX: usize = 60;

/// Greatest number of pictured positions on the page, besides the most interesting one. More would
/// make the page too large for a browser.
const PICTURES_MAX: usize = 24;

/// Definition of interestingness.
const MEANING: &str = "Interestingness measures how well a forced win is hidden, from 0 to 100%. A \
win has much of it when many of its moves that look playable throw the win away (the immediate \
term), and when the positions after its winning moves have much of it in turn (the accumulated \
term). A lost position has the mean of the positions after its moves. Ties, endless play and \
finished games have 1% by definition. A win in one move can have much of it as well: one winning \
move among four, where the other three throw the win away, gives 50%. After M. Johnson, \
Interestingness, GamesCrafters 2006.";

/// Limits of interestingness.
const UNSEEN: &str = "What it does not see: people. Every move counts as equally tempting, however \
odd it looks, unless the answer punishes it at once. It rates forced wins only, so a position that \
is balanced has 1% however rich its play is. It does not ask whether a game would ever come to a \
position, only what could happen from there.";

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
        Some(Valued { value: Value::Draw, .. }) if endless == Endless::Undecided => {
            "has a value that repetition or quiet plies decide, and so the moves before".to_owned()
        }
        Some(Valued { value: Value::Draw, .. }) | None => {
            "can play without end, and no more".to_owned()
        }
        Some(Valued { remoteness: 0, .. }) => return "the game is over".to_owned(),
        Some(Valued { value: Value::Tie, remoteness }) => {
            return format!(
                "with best play the game is a tie, after {}; the {turn} player, {letter}, is to move",
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
    let mut lines = terms_words(terms, options);
    if terms.immediate.is_some() {
        let percent = percent(place.interestingness);
        lines.push(format!("Together {percent}: {TOGETHER}."));
    }
    lines
}

/// Formula that combines both terms.
pub(crate) const TOGETHER: &str = "1 - sqrt((1 - immediate) (1 - accumulated))";

/// Parts of both terms, one sentence per line.
pub(crate) fn terms_words(terms: &InterestTerms, options: InterestOptions) -> Vec<String> {
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
    for (n, one, many) in [
        (terms.winning, "wins", "win"),
        (terms.losing, "loses, but not at once", "lose, but not at once"),
        (terms.losing_at_once, "loses at once", "lose at once"),
        (terms.ties, "leads to a tie", "lead to a tie"),
        (terms.draws, "leads to endless play", "lead to endless play"),
    ] {
        if n > 0 {
            kinds.push(format!("{n} {}", if n == 1 { one } else { many }));
        }
    }
    vec![
        format!("{}: {}.", counted(terms.children, noun), kinds.join("; ")),
        format!("Immediate {}: {}.", percent(immediate), immediate_words(terms, options, noun)),
        format!(
            "Accumulated {}: the mean of what comes after {}.",
            percent(accumulated),
            averaged_words(terms, noun)
        ),
    ]
}

/// Origin of the immediate term.
fn immediate_words(terms: &InterestTerms, options: InterestOptions, noun: &str) -> String {
    let draws = if options.draws == Draws::Tie { terms.draws } else { 0 };
    let missteps = terms.losing + terms.ties + draws;
    let counted = counted(missteps + terms.winning, noun);
    let least =
        if missteps == 0 && options.form == Form::Clamped { "; 1% is the least" } else { "" };
    if missteps == 0 && terms.losing_at_once > 0 {
        let plain = match terms.losing_at_once {
            1 => "1 loses".to_owned(),
            n => format!("{n} lose"),
        };
        return format!("no misstep counts, since {plain} at once, which tempts no player{least}");
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
    format!("{thrown} the win away{aside}{least}")
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
            "{n} of the {} positions lie on a cycle of moves or depend on one: they were computed in {}, until no value changed (the least fixed point).",
            analysis.positions,
            counted(analysis.sweeps, "sweep")
        ),
    };
    format!("{} {sweeps}", choices_words(analysis.options))
}

/// Options in words.
pub(crate) fn choices_words(options: InterestOptions) -> String {
    let form = match options.form {
        Form::Literal => {
            "The immediate term may be 0, so that easy wins have less than 1% (form literal)"
        }
        Form::Clamped => "The immediate term is at least 1% (form clamped)",
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
    format!("{form}; {averaged}; {counted}; {draws}.")
}

/// Sentence about the most interesting position.
pub(crate) fn most_words(analysis: &InterestAnalysis) -> String {
    match &analysis.most_interesting {
        None => {
            "No position is a win in a number of moves that is known, so nothing more can be said."
                .to_owned()
        }
        Some(most) if most.position == analysis.start.position => {
            "No position is more interesting than the start.".to_owned()
        }
        Some(most) => format!(
            "The most interesting position has {}: {}.",
            percent(most.interestingness),
            standing(most, analysis.endless)
        ),
    }
}

pub(crate) fn start_words(analysis: &InterestAnalysis) -> String {
    let start = &analysis.start;
    format!(
        "The start has an interestingness of {}: {}.",
        percent(start.interestingness),
        standing(start, analysis.endless)
    )
}

/// Picture of a position, and the reasons for its interestingness.
fn drawn_text(place: &InterestPosition, boards: &dyn Boards, options: InterestOptions) -> String {
    let board = boards.text(&place.position);
    let mut text = format!("{}\n\nposition: {}\n", board.trim_end(), place.position);
    for line in place_words(place, options) {
        let _ = writeln!(text, "{line}");
    }
    text
}

/// Text for a terminal.
fn interest_text(report: &InterestReport, boards: &dyn Boards) -> String {
    let analysis = &report.analysis;
    let options = analysis.options;
    let mut text = format!(
        "{}: how interesting its positions are ({} of them)\n\n{}\n\n{}\n{}\n",
        analysis.game,
        analysis.positions,
        start_words(analysis),
        drawn_text(&analysis.start, boards, options),
        most_words(analysis)
    );
    if let Some(most) = &analysis.most_interesting {
        if most.position != analysis.start.position {
            let _ = write!(text, "\n{}", drawn_text(most, boards, options));
            if let Some(words) = wins_words(most) {
                let _ = writeln!(text, "{words}");
            }
        }
        text.push_str("\nThe wins by their plies to the end:\n\n");
        text.push_str(&rows_text(analysis));
    }
    let _ = write!(text, "\n{MEANING}\n\n{UNSEEN}\n\n{}\n", method(analysis));
    text
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
        let _ = writeln!(text, "({hidden} rows in the middle are left out; the JSON has them all)");
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
        let text = kept_position_text(self, boards, None);
        doc.push(Block::Terminal(vec![Block::Preformatted(text)]));
        let board = Board::alone(position.position.as_str(), boards.svg(&position.position));
        doc.push(Block::Pages(vec![
            Block::heading(1, game.as_str()),
            Block::text(format!("{}.", has_words(position))),
            board.into(),
            Block::note(format!(
                "From the analysis that the file keeps. {}",
                choices_words(*options)
            )),
        ]));
        doc
    }

    fn picture(&self, boards: &dyn Boards) -> Option<Figure> {
        pictures::interest::position(self, boards)
    }
}

/// Text of a position whose analysis a solution file stores. `play` is the command that plays on
/// from there; `None` if it is unknown.
#[must_use]
pub fn kept_position_text(
    report: &KeptPositionReport,
    boards: &dyn Boards,
    play: Option<&str>,
) -> String {
    let KeptPositionReport { game, options, position, .. } = report;
    let mut text = format!(
        "{game}: {}\n\n{}\nFrom the analysis that the file keeps. {}\n",
        has_words(position),
        drawn_text(position, boards, *options),
        choices_words(*options),
    );
    if let Some(play) = play {
        let _ = writeln!(text, "\nTo play from here against perfect play:\n  {play}");
    }
    text
}

/// Introduction to playing a game from a position.
#[must_use]
pub fn position_task_text(place: &InterestPosition) -> String {
    format!("From {}: {}.\n\n", place.position, has_words(place))
}

pub(crate) fn has_words(place: &InterestPosition) -> String {
    format!(
        "{}, interestingness {}",
        standing(place, Endless::Draw),
        percent(place.interestingness)
    )
}

impl Document for InterestReport {
    fn game(&self) -> Option<&str> {
        Some(&self.analysis.game)
    }

    fn doc(&self, boards: &dyn Boards) -> Doc {
        let mut doc = Doc::new(format!("interestingness of {}", self.analysis.game));
        doc.push(Block::Terminal(vec![Block::Preformatted(interest_text(self, boards))]));
        doc.extend(histogram(&self.analysis)).push(Block::Pages(on_page(self, boards)));
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
        table.push([Cell::from(class), Cell::count(wins), Cell::from(bar)]);
    }
    Some(Block::Charts(vec![Block::text("All wins by their interestingness:"), table.into()]))
}

/// Blocks of a page, with pictures of the positions.
fn on_page(report: &InterestReport, boards: &dyn Boards) -> Vec<Block> {
    let analysis = &report.analysis;
    let positions = analysis.positions;
    let mut blocks = vec![
        Block::heading(1, analysis.game.as_str()),
        Block::note(format!("How interesting its positions are ({positions} of them). {MEANING}")),
        Block::Verdict {
            tone: Tone::Good,
            headline: Words::default(),
            lead: format!("{} {}", start_words(analysis), most_words(analysis)).into(),
            points: Vec::new(),
        },
    ];
    let most = analysis.most_interesting.as_ref();
    if let Some(most) = most.filter(|most| most.position != analysis.start.position) {
        blocks.push(Block::heading(2, "The most interesting position"));
        blocks.push(place(most, boards, analysis));
        blocks.extend(wins_words(most).map(Block::text));
    }
    blocks.push(Block::heading(2, "The start"));
    blocks.push(place(&analysis.start, boards, analysis));
    blocks.extend(landscape(report));
    blocks.extend(rows(analysis));
    blocks.extend(pictures(analysis, boards));
    let read = [
        UNSEEN.to_owned(),
        "Where pieces belong to players, the dark ones are those of the first player, x, and the light ones those of the second, o.".to_owned(),
        "A position is won in n plies when the winner can force the end in n plies and the loser can delay it that long; both players' moves count.".to_owned(),
        method(analysis),
    ];
    blocks.push(Block::heading(2, "How to read this"));
    blocks.push(Block::List(Role::Note, read.map(Words::from).into()));
    blocks
}

/// Two charts by the plies to the end: the numbers of positions by value, and the interestingness
/// of the wins.
fn landscape(report: &InterestReport) -> [Block; 2] {
    let mut charts = Charts::default();
    let mut values = "How many positions are how far from the end with best play, by their value for the player to move; the scale is logarithmic.".to_owned();
    if report.draw > 0 {
        values += &format!(" From {} more, play never ends.", report.draw);
    }
    let wins = "How interesting the wins are. Each grey dot stands for the wins within one twentieth of the scale, the larger the more of the wins of its length they are; point at it for their number.";
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
    let words = format!(": {}.", standing(place, analysis.endless));
    let reasons = place_words(place, analysis.options).into_iter().map(Words::from);
    let said = vec![
        Block::text(Words::default().and_strong(percent(place.interestingness)).and(words)),
        Block::List(Role::Plain, reasons.collect()),
    ];
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
            Cell::count(u64::from(row.most.remoteness.unwrap_or_default())),
            Cell::count(row.wins),
            Cell::number(percent(row.mean), Some(row.mean)),
            Cell::number(percent(row.max), Some(row.max)),
            Cell::from(row.most.position.as_str()),
        ]);
    }
    let heading = Block::heading(2, "The wins by their plies to the end");
    let blocks = Block::Pages(vec![heading, table.clone().into()]);
    (!table.rows.is_empty()).then_some(blocks)
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
