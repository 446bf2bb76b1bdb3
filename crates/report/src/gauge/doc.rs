//! Document of a gauge.

use treegauge_core::Outcome;
use treegauge_doc::{
    Block, Board, Cell, Column, Doc, Figure, Layout, Paragraph, ParagraphStyle, Scale, Svg, Table,
    Tone, Words, Wrap,
};
use treegauge_gauge::vetted::{Playability, Vetted};
use treegauge_gauge::{
    Evidence, FeatureSummary, FlawState, GaugeReport, Highlight, HighlightKind, HighlightPly,
    MEASURES, Plan, REFERENCE, Unit,
};
use treegauge_search::FEATURES;

use super::card::{charts_by_strength, lead_and_reasons, verdict};
use super::known::known_games;
use super::{by_strength, exact_words, how_played};
use crate::about_game::{heading, rules, title_of};
use crate::boards::{Boards, Document};
use crate::chart::Charts;
use crate::estimates::{SHARE_SCALE, estimate_words, share_chart};
use crate::pictures;
use crate::search::proved_words;
use crate::trees::{TREE_BOARDS_DEFAULT, tree_picture};
use crate::vet::{playable_words, unasked_words, vetted_words};
use crate::words::{
    UCT_WORDS, command, count_cell, counted, counted_grouped, grouped, per_move, plies,
};

/// Greatest number of games with a shown course. More would make the page too large for a browser.
const CURVES_MAX: usize = 60;

/// Greatest number of first moves with shown results.
const FIRST_MOVES_MAX: usize = 10;

/// Name of the table of the features of search trees.
const FEATURE_TABLE: &str = "features";

impl Document for GaugeReport {
    fn game(&self) -> Option<&str> {
        Some(&self.game)
    }

    fn doc(&self, boards: &dyn Boards) -> Doc {
        let gauge = &self.gauge;
        let mut charts = Charts::default();
        let title = title_of(self.shown_name(), boards);
        let mut doc = Doc::new(format!("gauge of {title}"));
        doc.push(heading(&title, &self.game));
        if gauge.incomplete {
            let (played, planned) = (gauge.games, counted_grouped(gauge.games_planned, "game"));
            let is_missing_others = gauge.measured("skill_depth").n
                < u64::from(gauge.skill_games_planned)
                || gauge.ladder.iter().any(|rung| rung.games < gauge.games_planned);
            let others = match is_missing_others {
                _ if played < gauge.games_planned => "",
                true => ", but not those of other strengths",
                false => ", but not those of a player who copies",
            };
            doc.push(Block::warning(format!(
                "INCOMPLETE: {} of {planned} at {} are over{others}.",
                grouped(played),
                per_move(gauge.iterations)
            )));
        }
        doc.extend(judgement(self));
        doc.extend(typical_course(self));
        doc.extend(courses(self, boards, &mut charts));
        let board = Board {
            position: self.position.clone(),
            picture: boards.svg(&self.position),
            caption: "where the games begin".into(),
            is_alone: true,
            ..Board::default()
        };
        if gauge.games == 0 && gauge.measured("skill_depth").n == 0 {
            doc.push(board).extend(rules(boards));
            return doc;
        }
        doc.push(Block::PagesOnly(vec![Block::heading(2, "Flaws")]));
        doc.push(Block::Group(Layout::Pair, vec![flaws(self).into(), board.into()]));
        doc.extend(rules(boards));
        doc.extend(strengths(self)).push(Block::Columns(vec![first_moves(self)]));
        doc.push(Block::PagesOnly(vec![Block::heading(2, "Measurements")]));
        doc.extend(measures(self));
        doc.push(Block::fold("Length and choice", lengths(self, &mut charts)));
        doc.extend(curves(self, &mut charts));
        doc.extend(features(self));
        doc.extend(search_tree(self, boards));
        doc.push(how_to_read());
        doc.next = next(self).map(Words::from).unwrap_or_default();
        doc
    }

    fn picture(&self, boards: &dyn Boards) -> Option<Figure> {
        pictures::gauge::picture(self, boards)
    }
}

/// Table of the features of the search trees; `None` if no trees were measured.
#[must_use]
pub fn tree_features(report: &GaugeReport) -> Option<Doc> {
    if report.gauge.tree.trees == 0 {
        return None;
    }
    let mut doc = Doc::default();
    doc.push(feature_table(report)).push(Block::text(format!(
        "{}, one per move; the intervals count the games, in which trees are alike.",
        counted(report.gauge.tree.trees, "tree")
    )));
    Some(doc)
}

/// The verdict, and whether a model calls the game playable; reasons and methods in folds.
fn judgement(report: &GaugeReport) -> Vec<Block> {
    let gauge = &report.gauge;
    let name = match &report.title {
        Some(title) => format!("{title} ({})", report.game),
        None => report.game.clone(),
    };
    let charts = charts_by_strength(&[gauge]).into_iter().flatten();
    let charts = charts.map(|picture| Figure { picture, ..Figure::default() }.into()).collect();
    let (lead, reasons) = lead_and_reasons(gauge);
    let mut first = vec![Paragraph::new(ParagraphStyle::Plain, format!("{name}: {lead}"))];
    let playable = playable(report);
    first
        .extend(playable.iter().map(|words| Paragraph::new(ParagraphStyle::Plain, words.as_str())));
    let mut blocks = vec![Block::TextOnly(vec![Block::Lines(first)]), verdict(gauge)];
    blocks.push(Block::Group(Layout::SmallCharts, charts));
    blocks.extend(playable.map(|words| Block::PagesOnly(vec![Block::text(words)])));
    let mut details: Vec<Words> = reasons.iter().map(|reason| reason.as_str().into()).collect();
    details.extend(exact_words(gauge).map(Words::from));
    details.extend(report.proved.as_ref().map(|proved| proved_words(proved).into()));
    details.extend(report.model_unasked.as_ref().map(|one| unasked_words(one).into()));
    details.push(how_played(report).into());
    blocks
        .push(Block::fold("Reasons and method", vec![Block::List(ParagraphStyle::Plain, details)]));
    blocks.extend(report.vetted.as_ref().map(model_verdict));
    blocks
}

/// Whether the game is playable, in words; `None` if that was not asked. Words that the verdict has already
/// are not repeated.
fn playable(report: &GaugeReport) -> Option<String> {
    let answer = &report.vetted.as_ref()?.verdict;
    let (lead, _) = lead_and_reasons(&report.gauge);
    let is_said = answer.evidence.as_ref().is_some_and(|flaw| lead.contains(&flaw.words));
    Some(match is_said && answer.verdict == Playability::No {
        true => "Playable? No, because of the flaw above.".to_owned(),
        false => playable_words(answer),
    })
}

/// The answer of a model with its reasons.
fn model_verdict(vetted: &Vetted) -> Block {
    let (verdict, reasons) = vetted_words(vetted);
    let reasons = reasons.into_iter().map(Words::from).collect();
    let blocks = vec![Block::text(verdict), Block::List(ParagraphStyle::Plain, reasons)];
    Block::fold("The model of playable games", blocks)
}

/// The command that may help a reader of the report most.
fn next(report: &GaugeReport) -> Option<String> {
    let gauge = &report.gauge;
    let (game, verdict) = (report.argument(), &gauge.verdict);
    let one = std::slice::from_ref(report);
    let has = |state| verdict.flags.iter().any(|judged| judged.state == state);
    if gauge.incomplete || gauge.games == 0 {
        return None;
    }
    if let Some(needed) = verdict.iterations_needed {
        let command = again("gauge", one, gauge.games_planned, needed);
        return Some(format!(
            "{command} plays more strongly, which may be enough to judge the game."
        ));
    }
    if has(FlawState::Yes) {
        return Some(match &report.variants {
            Some(variants) => {
                format!("{} shows the effect of a parameter.", command("compare", &[variants]))
            }
            None => format!("{} lets you try it yourself.", command("play", &[game])),
        });
    }
    if has(FlawState::CannotTell) {
        let command = again("gauge", one, gauge.games_planned.saturating_mul(4), gauge.iterations);
        return Some(format!("{command} narrows the intervals."));
    }
    if has(FlawState::DependsOnStrength) {
        let command = again("gauge", one, gauge.games_planned, gauge.iterations.saturating_mul(4));
        return Some(format!("{command} plays more strongly."));
    }
    let usual = Plan::default();
    if verdict.flawed == Some(false) && gauge.iterations < usual.iterations {
        let command = again("gauge", one, gauge.games_planned, usual.iterations);
        return Some(format!("{command} plays more strongly, which may show more."));
    }
    if report.model_unasked.is_some() {
        let command = command("vet", &[game]);
        return Some(format!("{command} compares its search trees with those of known games."));
    }
    Some(match &report.variants {
        Some(variants) => {
            format!("{} shows the effect of a parameter.", command("compare", &[variants]))
        }
        None => format!("{} lets you try it yourself.", command("play", &[game])),
    })
}

/// The command that gauges games with other numbers of games and iterations. Settings that the
/// reports cannot write as options are those of "the same command".
///
/// # Panics
///
/// Without a game.
pub(crate) fn again(name: &str, reports: &[GaugeReport], games: u32, iterations: u32) -> String {
    let (gauge, usual) = (&reports[0].gauge, Plan::default());
    let is_plain = reports.iter().all(has_usual_settings);
    let number = |name: &str, value: u32| [name.to_owned(), value.to_string()];
    let changed = |value: u32, planned: u32, usual: u32| {
        if is_plain { value != usual } else { value != planned }
    };
    let mut options = Vec::new();
    if changed(games, gauge.games_planned, usual.games) {
        options.extend(number("--games", games));
    }
    if changed(iterations, gauge.iterations, usual.iterations) {
        options.extend(number("--iterations", iterations));
    }
    if !is_plain {
        return format!("the same command with `{}`", options.join(" "));
    }
    let games = reports.iter().map(GaugeReport::argument);
    let words: Vec<&str> = games.chain(options.iter().map(String::as_str)).collect();
    command(name, &words)
}

/// Tests whether the game, the games and the iterations are all that a command must name to repeat
/// the report.
fn has_usual_settings(report: &GaugeReport) -> bool {
    let (gauge, usual) = (&report.gauge, Plan::default());
    let of_plan = Plan { iterations: gauge.iterations, ..Plan::default() }.strengths();
    let strengths = gauge.ladder.iter().map(|rung| rung.iterations);
    !report.moved
        && report.vetted.is_none()
        && gauge.seed == usual.seed
        && gauge.cp == usual.cp
        && gauge.expansion == usual.expansion
        && gauge.variant == usual.variant
        && gauge.opening_plies == usual.opening_plies
        && gauge.skill_factor == usual.skill_factor
        && gauge.skill_games_planned == gauge.games_planned
        && gauge.solve_limit == usual.solve_limit
        && gauge.shape_options == usual.shape
        && gauge.thresholds == usual.thresholds
        && strengths.eq(of_plan)
}

/// Courses of a typical game, the most dramatic one and the most one-sided one.
fn courses(report: &GaugeReport, boards: &dyn Boards, charts: &mut Charts) -> Option<Block> {
    let gauge = &report.gauge;
    if gauge.highlights.is_empty() {
        return None;
    }
    let mut blocks = vec![Block::heading(2, "How games go")];
    for highlight in &gauge.highlights {
        blocks.push(Block::heading(3, highlight_words(highlight)));
        let curve = gauge.curves.iter().find(|curve| curve.game == highlight.game);
        let curve = curve.filter(|curve| !curve.values.is_empty()).map(|curve| {
            let alt =
                format!("the value of game {} for the first player, ply by ply", highlight.game);
            let picture = charts.curve(curve, highlight.moves.len());
            Figure { picture, alt, is_on_paper: true, is_long: true, ..Figure::default() }.into()
        });
        let boards = highlight.turns.iter().map(|turn| {
            let board = Board {
                position: turn.position.clone(),
                picture: boards.svg(&turn.position),
                caption: turn_words(turn).into(),
                ..Board::default()
            };
            board.into()
        });
        blocks.push(Block::Group(Layout::Course, curve.into_iter().chain(boards).collect()));
        let moves = Paragraph::new(ParagraphStyle::Moves, highlight.moves.join(" "));
        blocks.push(Block::Paragraph(moves));
    }
    blocks.push(Block::note(
        "Curves: the value for the first player, from -1 (lost) to 1 (won), with its 95% interval. \
         Boards: where that value changed most, and the end. Games have the numbers of the record.",
    ));
    Some(Block::PagesOnly(blocks))
}

/// Course of a typical game in one line; `None` if there is none.
fn typical_course(report: &GaugeReport) -> Option<Block> {
    const CHARS_MAX: usize = 60;
    let gauge = &report.gauge;
    let is_typical = |one: &&Highlight| one.shown == HighlightKind::Typical;
    let typical = gauge.highlights.iter().find(is_typical)?;
    let curve = gauge.curves.iter().find(|curve| curve.game == typical.game)?;
    let values: Vec<f64> = curve.values.iter().map(|value| value.mean).collect();
    let line = Scale { least: -1.0, greatest: 1.0 }.sparkline(&values, CHARS_MAX);
    let lines = [
        format!("{}.", highlight_words(typical)),
        format!("  {line}  its value for the first player, ply by ply"),
    ];
    (!line.is_empty()).then(|| Block::Charts(vec![Block::notes(lines)]))
}

/// The reason for showing a game, its number, result and length, in words.
#[must_use]
pub fn highlight_words(highlight: &Highlight) -> String {
    let what = match highlight.shown {
        HighlightKind::Typical => "A typical game",
        HighlightKind::MostDramatic => "The most dramatic game",
        HighlightKind::MostOneSided => "The game with the greatest mean lead",
    };
    let plies = plies(highlight.moves.len() as u64);
    format!("{what}: game {}, {} after {plies}", highlight.game, who_won(highlight.outcome))
}

fn turn_words(turn: &HighlightPly) -> String {
    match turn.values {
        Some([before, after]) => format!(
            "ply {}, {}: from {} to {} for the first player",
            turn.ply,
            turn.m,
            signed(before),
            signed(after)
        ),
        None => format!("the end: ply {}, {}", turn.ply, turn.m),
    }
}

/// Value with its sign and two digits after the point, never a negative zero.
fn signed(value: f64) -> String {
    format!("{:+.2}", (100.0 * value).round() / 100.0 + 0.0)
}

/// Every flaw with its state and the measurement at the two greatest strengths.
fn flaws(report: &GaugeReport) -> Table {
    let gauge = &report.gauge;
    let flags = &gauge.verdict.flags;
    let is_weak = gauge.verdict.iterations_needed.is_some();
    let rows: Vec<_> = flags.iter().map(|judged| (judged, gauge.evidence(judged))).collect();
    let at = rows.iter().find_map(|(_, found)| found.as_ref().map(|found| &found.at[..]));
    let strengths: Vec<u32> = at.unwrap_or(&[]).iter().map(|(iterations, _)| *iterations).collect();
    let mut columns = vec![Column::left("flaw"), Column::left("has it")];
    columns.extend(
        strengths
            .iter()
            .map(|&iterations| Column::left(format!("{} iterations", grouped(iterations)))),
    );
    let has_both = rows
        .iter()
        .any(|(_, found)| found.as_ref().is_some_and(|found| !found.together.is_empty()));
    let has_both = has_both && strengths.len() > 1;
    columns.extend(has_both.then(|| Column::left("both")));
    columns.push(Column::left("a flaw if"));
    let mut table = Table::new("flaws", columns);
    for (judged, found) in rows {
        let words = match judged.state {
            FlawState::CannotTell if is_weak => "cannot tell: weak play",
            state => match found.as_ref().and_then(|found| found.other_with_best_play) {
                Some(true) => "no; with best play YES",
                Some(false) => "YES; with best play no",
                None => state_words(state),
            },
        };
        let state = Cell::from(words).toned(tone(judged.state));
        let mut row = vec![Cell::from(judged.words()), state];
        let measured = |n: usize| found.as_ref().and_then(|found| found.at.get(n));
        row.extend(
            (0..strengths.len())
                .map(|n| Cell::from(measured(n).map_or("", |(_, words)| words.as_str()))),
        );
        let text = |of: fn(&Evidence) -> &str| Cell::from(found.as_ref().map_or("", of));
        row.extend(has_both.then(|| text(|found| &found.together)));
        row.push(text(|found| &found.limit));
        table.push(row);
    }
    table
}

/// Word of a flag's state.
const fn state_words(state: FlawState) -> &'static str {
    match state {
        FlawState::Yes => "YES",
        FlawState::No => "no",
        FlawState::CannotTell => "cannot tell",
        FlawState::DependsOnStrength => "depends on strength",
    }
}

const fn tone(state: FlawState) -> Tone {
    match state {
        FlawState::Yes => Tone::Bad,
        FlawState::No => Tone::Good,
        FlawState::CannotTell | FlawState::DependsOnStrength => Tone::Undecided,
    }
}

/// All strengths, the weaker ones too.
fn strengths(report: &GaugeReport) -> Option<Block> {
    let table = by_strength(&report.gauge)?;
    Some(Block::fold("By the strength of the players", vec![table.into()]))
}

fn first_moves(report: &GaugeReport) -> Vec<Block> {
    let moves = &report.gauge.first_moves;
    if moves.len() < 2 {
        return Vec::new();
    }
    let points = "points of the first player (95% interval)";
    let columns = [Column::left("first move"), Column::right("games"), Column::left(points)];
    let mut table = Table::new("first_moves", columns);
    for one in moves.iter().take(FIRST_MOVES_MAX) {
        let points = &one.first_player;
        table.push([
            Cell::from(one.m.as_str()),
            count_cell(points.n),
            Cell::number(estimate_words(points, Unit::Share), points.mean),
        ]);
    }
    let mut blocks = vec![Block::heading(3, "By first move"), table.into()];
    if moves.len() > FIRST_MOVES_MAX {
        let note = format!("The {FIRST_MOVES_MAX} most common of {}.", moves.len());
        blocks.push(Block::note(note));
    }
    vec![Block::PagesOnly(blocks)]
}

fn measures(report: &GaugeReport) -> Vec<Block> {
    let at = format!("measure at {} iterations", grouped(report.gauge.iterations));
    let known = known_games(report);
    let mut columns =
        vec![Column::left(at), Column::left("value (95% interval)"), Column::right("n")];
    columns.push(Column::chart(SHARE_SCALE));
    columns.extend(known.as_ref().map(|known| Column::left(known.title())));
    columns.push(Column::note(""));
    let mut table = Table::new("measures", columns);
    for measure in MEASURES {
        let estimate = report.gauge.measured(measure.name);
        let mut row = vec![
            Cell::from(measure.title),
            Cell::number(estimate_words(&estimate, measure.unit), estimate.mean),
            count_cell(estimate.n),
            if measure.unit == Unit::Share { share_chart(&estimate) } else { Cell::default() },
        ];
        row.extend(known.as_ref().map(|known| Cell::from(known.words(measure))));
        row.push(Cell::from(report.gauge.meaning(measure)));
        table.push(row);
    }
    let mut blocks = vec![table.into()];
    if known.is_none() {
        let note = format!(
            "No comparison with other games: theirs are known at {} iterations per move from the start, with the \
             default C_p and no random openings.",
            REFERENCE.iterations
        );
        blocks.push(Block::PagesOnly(vec![Block::note(note)]));
    }
    blocks
}

fn lengths(report: &GaugeReport, charts: &mut Charts) -> Vec<Block> {
    let figure = |name, alt: &str, picture: Option<Svg>| {
        let alt = alt.to_owned();
        picture.map(|picture| {
            Figure { name, picture, alt, is_on_paper: true, ..Figure::default() }.into()
        })
    };
    let lengths = charts.lengths(&report.gauge.lengths);
    let branching = charts.branching(&report.gauge.branching_by_ply);
    let figures = [
        figure("lengths", "games by their length", lengths),
        figure("branching", "legal moves by ply", branching),
    ];
    vec![Block::Group(Layout::Charts, figures.into_iter().flatten().collect())]
}

fn curves(report: &GaugeReport, charts: &mut Charts) -> Option<Block> {
    let curves = &report.gauge.curves;
    let plies_max = report.gauge.lengths.iter().max().copied().unwrap_or(0) as usize;
    let shown = curves.iter().take(CURVES_MAX).filter(|curve| !curve.values.is_empty());
    let figures: Vec<Block> = shown
        .map(|curve| {
            let caption = format!("{}: {}", curve.game, who_won(curve.outcome)).into();
            let picture = charts.curve(curve, plies_max);
            Figure { picture, caption, is_on_paper: true, ..Figure::default() }.into()
        })
        .collect();
    if figures.is_empty() {
        return None;
    }
    let mut note = "The value for the first player, from -1 (lost) to 1 (won), ply by ply: the mean of the latest values \
                    that both players' searches gave to their own moves, since each overrates its own. The band is its \
                    95% interval."
        .to_owned();
    if curves.len() > CURVES_MAX {
        note += &format!(" The first {CURVES_MAX} of {} games.", curves.len());
    }
    let blocks = vec![Block::note(note), Block::Group(Layout::Curves, figures)];
    Some(Block::PagesOnly(vec![Block::fold("The course of each game", blocks)]))
}

const fn who_won(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::FirstWins => "the first player wins",
        Outcome::SecondWins => "the second player wins",
        Outcome::Draw => "a draw",
    }
}

fn features(report: &GaugeReport) -> Option<Block> {
    let gauge = &report.gauge;
    if gauge.tree.trees == 0 {
        return None;
    }
    let mut blocks = vec![
        Block::note(format!(
            "{}, one per move; values are for the player to move. Intervals are at 95% and count the games: the trees \
             of a game are alike.",
            counted(gauge.tree.trees, "tree")
        )),
        feature_table(report).into(),
    ];
    if known_games(report).is_some() {
        blocks.push(Block::note(format!("Known games: {}", REFERENCE.source)));
    }
    Some(Block::fold("The shape of the search trees", blocks))
}

fn feature_table(report: &GaugeReport) -> Table {
    let gauge = &report.gauge;
    let known = known_games(report);
    let mut columns = vec![Column::left("shape of the trees"), Column::left("unit")];
    columns.push(Column::interval("mean (95% interval)"));
    columns.extend(["variance", "min", "max"].map(Column::right));
    columns.extend(["mean (first player)", "mean (second player)"].map(Column::interval));
    columns.extend(known.as_ref().map(|known| Column::left(known.title())));
    let mut table = Table::new(FEATURE_TABLE, columns).wrapped(Wrap::Cards);
    for feature in FEATURES {
        let all = gauge.tree.get(feature.name);
        let mut row = vec![
            Cell::from(feature.name).noted(feature.meaning),
            Cell::from(feature.unit),
            mean(all),
        ];
        let spreads = [
            |s: &FeatureSummary| s.variance,
            |s: &FeatureSummary| s.min,
            |s: &FeatureSummary| s.max,
        ];
        row.extend(spreads.map(|of| spread(all, of)));
        row.extend(gauge.tree_by_player.iter().map(|tree| mean(tree.get(feature.name))));
        row.extend(known.as_ref().map(|known| Cell::from(known.feature_words(feature.name))));
        table.push(row);
    }
    table
}

/// A number of a feature; `-` if no tree has the feature.
fn spread(of: Option<&FeatureSummary>, number: fn(&FeatureSummary) -> f64) -> Cell {
    let value = of.map(number);
    Cell::number(value.map_or("-".to_owned(), four_digits), value)
}

/// Mean of a feature with its interval; `-` if no tree has the feature.
fn mean(of: Option<&FeatureSummary>) -> Cell {
    let Some(feature) = of else { return Cell::number("-", None) };
    let mean = four_digits(feature.mean);
    let words = match (feature.low, feature.high) {
        (Some(low), Some(high)) => {
            format!("{mean} ({} to {})", four_digits(low), four_digits(high))
        }
        _ => mean,
    };
    Cell::number(words, Some(feature.mean))
}

/// Number with four digits after the point below 10, two below 1,000, and none from there on.
fn four_digits(x: f64) -> String {
    // Adding 0 after rounding turns a negative zero into 0.
    let x = (x * 1e4).round() / 1e4 + 0.0;
    match x.abs() {
        a if a >= 1_000.0 => format!("{x:.0}"),
        a if a >= 10.0 => format!("{x:.2}"),
        _ => format!("{x:.4}"),
    }
}

fn search_tree(report: &GaugeReport, boards: &dyn Boards) -> Option<Block> {
    let picture = tree_picture(report.search_tree.as_ref()?, boards, TREE_BOARDS_DEFAULT);
    let note = Block::note("From where the games begin, at the iterations of the games.");
    let tree = Figure { name: "search_tree", picture, is_wide: true, ..Figure::default() };
    Some(Block::PagesOnly(vec![Block::fold("A search tree", vec![note, tree.into()])]))
}

/// Sources of the definitions of the features, each once.
fn feature_sources() -> String {
    let mut sources: Vec<&str> = FEATURES.iter().map(|feature| feature.source).collect();
    sources.dedup();
    sources.join("; ")
}

fn how_to_read() -> Block {
    let mut items = vec![
        Words::from(UCT_WORDS),
        Words::from(
            "Intervals are at 95%: Wilson's for shares, Student's t, corrected for skewness, for means, order statistics \
         for the median. Shares and means have no interval of zero width: that all games of a sample went one way does \
         not show that every game would.",
        ),
    ];
    let explained = MEASURES.iter().filter(|measure| !measure.explanation.is_empty());
    items.extend(explained.map(|measure| {
        let rest = format!(": {} ({})", measure.explanation, measure.source);
        Words::default().and_strong(measure.title).and(rest)
    }));
    items.push(Words::from(format!(
        "The features are from {}; C_p is the exploration constant of UCT.",
        feature_sources()
    )));
    items.push(Words::from(
        "A UCT player is not an expert: the verdict is about UCT at the strengths that it names.",
    ));
    Block::fold("How to read this", vec![Block::List(ParagraphStyle::Note, items)])
}
