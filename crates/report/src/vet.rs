//! Report of a model's verdicts on games.

use std::fmt::Write;

use treegauge_core::readable_name;
use treegauge_dataset::vet::{ModelReport, NEAREST, NEAREST_MIN, VetReport};
use treegauge_doc::{
    Block, Cell, Column, Doc, Figure, Layout, Medium, Scale, Table, Tone, Words, Wrap,
};
use treegauge_gauge::vetted::{
    Chance, Decided, LabelSource, ModelCard, Playability, PlayableScores, PredictedRating,
    Question, RatingScores, Reason, SourceChance, Vetted, VettedGame,
};
use treegauge_gauge::{ModelCost, PlainFlawKind};

use crate::boards::{Boards, Document};
use crate::chart::{Charts, INK};
use crate::effectiveness::{EFFECTIVENESS_WORDS, effectiveness_chart};
use crate::estimates::SHARE_SCALE;
use crate::evaluate::{percent, share, source_words};
use crate::evaluate_baselines::{trained_baselines, trained_words};
use crate::lead::untitled_verdict;
use crate::pictures;
use crate::vet_order::{doubtful_words, order_blocks, pairs_words};
use crate::words::{command, counted, fixed, grouped, per_move};

/// The most games whose reasons are printed.
pub const EXPLAINED_MAX: usize = 5;

impl Document for VetReport {
    fn doc(&self, _: &dyn Boards) -> Doc {
        let mut doc = Doc::new("a vetting");
        if self.incomplete {
            doc.push(Block::warning("INCOMPLETE: not all games are judged."));
        }
        let verdict = Block::Verdict {
            tone: Tone::Undecided,
            headline: summary(self).into(),
            lead: Words::default(),
            points: Vec::new(),
        };
        let title = Block::heading(1, "Which of these games are playable?");
        doc.push(Block::PagesOnly(vec![title, verdict]));
        doc.push(Block::TextOnly(vec![Block::text(summary(self))]));
        doc.push(games_table(self));
        doc.push(Block::TextOnly(vec![Block::fold("Reasons", reasons_of_all(self))]));
        doc.extend(order_blocks(self));
        doc.push(Block::fold("Columns", vec![Block::notes(table_notes(self))]));
        doc.extend(worth(self));
        doc.push(Block::fold("The model", vec![Block::notes(model_text(&self.model).lines())]));
        doc.next = next(self).map(Words::from).unwrap_or_default();
        doc
    }

    fn picture(&self, boards: &dyn Boards) -> Option<Figure> {
        pictures::vet::picture(self, boards)
    }
}

/// The verdict of each game with its reasons, the best first; of many games only the first.
fn reasons_of_all(report: &VetReport) -> Vec<Block> {
    let is_explained = |row: &&VettedGame| predicts_playable(report) || row.unrated.is_some();
    let rows = report.ranked().into_iter().filter(is_explained).take(EXPLAINED_MAX);
    let rows = rows.map(|row| {
        let mut lines = vec![format!("{}: {}.", row.game, why(row))];
        let standards = row.standards.iter();
        let standards = standards
            .map(|one| format!("{}{}: {}", BY, like_words(one.by), chance(one.chance)))
            .filter(|_| row.playable.is_some());
        let reasons = reasons(row, &questions(report));
        lines.extend(standards.chain(reasons).map(|one| format!("  {one}")));
        Block::notes(lines)
    });
    rows.collect()
}

/// The command that may help a reader of the report most: self-play finds flaws where the model cannot tell.
/// `None` if every game has a plain flaw.
fn next(report: &VetReport) -> Option<String> {
    let is_open = |row: &&VettedGame| row.unrated.is_none() && row.evidence.is_none();
    let best = report.ranked().into_iter().find(is_open)?;
    let game = best.input.as_ref().unwrap_or(&best.game);
    Some(format!("{} looks for flaws in it.", command("gauge", &[game])))
}

impl Document for ModelReport {
    fn doc(&self, _: &dyn Boards) -> Doc {
        let mut doc = Doc::new("a model of games");
        let title = match predicts(&self.model) {
            true => "A model of playable games",
            false => "A model of people's ratings of games",
        };
        doc.push(Block::PagesOnly(vec![Block::heading(1, title)]));
        let lead = model_lead(&self.model);
        doc.extend(untitled_verdict(&lead));
        doc.extend(trained_words(self).map(Block::text));
        let lines = model_text(&self.model);
        let mut reasons = vec![Block::notes(lines.lines())];
        reasons.extend(trained_baselines(self));
        doc.push(Block::fold("Reasons and method", reasons));
        doc
    }
}

/// Precision of a model for games of held-out families, in a sentence or two.
fn model_lead(model: &ModelCard) -> String {
    let playable = model.scores.playable.last().map(|scores| {
        let share = scores.accuracy.map_or_else(
            || "It is not known how often its answers are right".to_owned(),
            |score| format!("{} of its answers are right", percent(Some(score))),
        );
        format!(
            "{share} for games of held-out families; it learned from {} playable and {} unplayable games.",
            scores.playable, scores.unplayable
        )
    });
    let ratings = model.scores.ratings.iter().map(|scores| {
        format!(
            "Predictions explain {} of the differences between people's ratings ({}; R2).",
            share(scores.r_squared),
            scores.question.name()
        )
    });
    playable.into_iter().chain(ratings).collect::<Vec<_>>().join(" ")
}

/// Tests whether a model predicts playability.
const fn predicts(model: &ModelCard) -> bool {
    !model.scores.playable.is_empty()
}

/// Place of the small chart: behind the game, the verdict and the probability that it shows.
const AFTER_PLAYABLE: usize = 3;

/// Table with a row per game, the best first.
fn games_table(report: &VetReport) -> Table {
    let columns = header(report).into_iter().enumerate().map(|(n, title)| match n {
        0 => Column::left(title),
        1 if predicts_playable(report) => Column::left(title),
        2 => Column::interval(title),
        // A terminal has the reason instead.
        _ if title.starts_with(BY) => Column::interval(title).only(Medium::Pages),
        _ => Column::interval(title),
    });
    let mut columns: Vec<Column> = columns.collect();
    if predicts_playable(report) {
        columns.insert(AFTER_PLAYABLE, Column::chart(SHARE_SCALE));
    }
    let reason = Column::left("why");
    columns.push(if predicts_playable(report) { reason } else { reason.only(Medium::Pages) });
    let mut table = Table::new("games", columns).wrapped(Wrap::Cards);
    for row in report.ranked() {
        let mut cells: Vec<Cell> = cells(report, row).into_iter().map(Cell::from).collect();
        let is_judged = row.playable.is_some() || row.evidence.is_some();
        if let Some(verdict) = cells.get_mut(1).filter(|_| is_judged) {
            verdict.tone = Some(tone(row.verdict));
        }
        if predicts_playable(report) {
            let chart = row.playable.map(|Chance { probability, low, high }| {
                Scale::SHARES.interval(Some(probability), Some(low), Some(high))
            });
            cells.insert(AFTER_PLAYABLE, Cell::from(chart.unwrap_or_default()));
        }
        let details =
            std::iter::once(format!("{}.", why(row))).chain(reasons(row, &questions(report)));
        let details = details.map(Words::from).collect();
        cells.push(Cell::from(answer_of_table(row)).detailed(details));
        table.push(cells);
    }
    table
}

/// Charts of the share of playable games after vetting, one per strength.
fn worth(report: &VetReport) -> Option<Block> {
    let mut charts = Charts::default();
    let figures: Vec<Block> = report
        .model
        .scores
        .playable
        .iter()
        .map(|scores| {
            let figure = Figure {
                picture: effectiveness_chart(&[("", &scores.confusion, INK)], &mut charts),
                caption: format!("at {}", per_move(scores.iterations)).into(),
                is_on_paper: true,
                ..Figure::default()
            };
            figure.into()
        })
        .collect();
    let heading = Block::heading(2, "Precision of the model");
    let blocks =
        vec![heading, Block::text(EFFECTIVENESS_WORDS), Block::Group(Layout::Charts, figures)];
    predicts_playable(report).then_some(Block::PagesOnly(blocks))
}

/// Sentence about why no model was asked about a gauged game.
pub(crate) fn unasked_words(unasked: &ModelCost) -> String {
    let ModelCost { needed, gauged } = *unasked;
    format!(
        "Whether it is playable was not asked: the model needs {} iterations of self-play per ply of a game, more than a \
         tenth of the {} of this gauge; `vet` asks it.",
        grouped(needed),
        grouped(gauged)
    )
}

/// Verdict of a model on a gauged game with its reliability, and the reasons that moved the verdict
/// most.
pub(crate) fn vetted_words(vetted: &Vetted) -> (String, Vec<String>) {
    let Vetted { model, verdict } = vetted;
    if verdict.evidence.is_some() {
        return (format!("No model was asked: {}.", why(verdict)), Vec::new());
    }
    let mut text = format!("Model {}: {}.", model.name, why(verdict));
    let scores = model.scores.playable.last();
    let decided = |by: Option<LabelSource>| {
        scores.and_then(|scores| scores.decided.iter().find(|one| one.by == by))
    };
    let mut say = |of: &Decided, which: &str| {
        let games = counted(of.games as u64, "game");
        let right = match of.decided {
            0 => String::new(),
            _ => format!(", {:.0}% of them right", of.right_percent()),
        };
        let _ = write!(text, " It gave a verdict on {} of {games} {which}{right}.", of.decided);
    };
    if let Some(all) = decided(None) {
        say(all, "of held-out families");
        // The source of the labels decides how reliable the verdict is.
        let by = verdict.known.as_ref().map(|known| known.by);
        if let Some((by, own)) = by.and_then(|by| Some((by, decided(Some(by))?))) {
            say(own, &format!("labelled by {}, as this one is", source_words(by)));
        }
    }
    (text, verdict.reasons.iter().map(reason_words).collect())
}

/// Origin and scores of a model, as text.
fn model_text(model: &ModelCard) -> String {
    let mut lines = vec![title(model)];
    lines.extend(model.scores.playable.iter().flat_map(scores_words));
    lines.extend(model.scores.ratings.iter().map(rating_words));
    lines.join("\n")
}

fn title(model: &ModelCard) -> String {
    let date = model.date.as_ref().map_or_else(String::new, |date| format!(", {date}"));
    format!(
        "Model {}{date}, digest {}, trained by treegauge {}.",
        model.name, model.digest, model.version
    )
}

/// Scores of the answers to the question whether a game is playable.
fn scores_words(scores: &PlayableScores) -> Vec<String> {
    let mut lines = vec![format!(
        "Playable, at {}: learned from {} playable and {} unplayable games of {} families. \
         For held-out families {} of its answers are right, AUC {}.",
        per_move(scores.iterations),
        scores.playable,
        scores.unplayable,
        scores.groups,
        percent(scores.accuracy),
        share(scores.auc)
    )];
    if let Some((all, by_source)) = scores.decided.split_first() {
        lines.push(decided_words(all, by_source));
    }
    if let Some(pairs) = &scores.pairs {
        lines.push(
            format!("{} {}", pairs_words(pairs), doubtful_words(pairs)).trim_end().to_owned(),
        );
    }
    // Games of one family have no interval.
    let with_auc = scores.by_source.iter().filter(|one| one.auc.is_some());
    let own: Vec<String> =
        with_auc.map(|one| format!("{} {}", source_words(one.by), share(one.auc))).collect();
    if !own.is_empty() {
        lines.push(format!("AUC by source of the labels (0.5 is a guess): {}.", own.join("; ")));
    }
    let effectiveness = |prevalence: f64| {
        scores.confusion.effectiveness(prevalence).map(|found| {
            format!("{:.0}% if {:.0}% of all games are", 100.0 * found, 100.0 * prevalence)
        })
    };
    let points: Vec<String> = [0.01, 0.1, 0.5].into_iter().filter_map(effectiveness).collect();
    if !points.is_empty() {
        lines.push(format!(
            "Share of playable games among those with a probability above 50%: {}.",
            points.join(", ")
        ));
    }
    lines
}

/// Number of games with a verdict, and the share of right verdicts.
fn decided_words(all: &Decided, by_source: &[Decided]) -> String {
    let right = |one: &Decided| match one.decided {
        0 => format!("none of {}", one.games),
        n if one.right == n => format!("{n} of {}, all of them right", one.games),
        n => format!("{n} of {}, {:.0}% of them right", one.games, one.right_percent()),
    };
    if all.decided == 0 {
        let games = counted(all.games as u64, "game");
        return format!("It gives a verdict on none of these {games}.");
    }
    let mut text = format!("It gives a verdict on {}", right(all));
    if by_source.len() > 1 {
        let own = |one: &Decided| Some(format!("{} {}", source_words(one.by?), right(one)));
        let parts: Vec<String> = by_source.iter().filter_map(own).collect();
        text += &format!("; by source of the labels: {}", parts.join("; "));
    }
    text + ". It cannot tell for the others."
}

fn rating_words(scores: &RatingScores) -> String {
    format!(
        "People's ratings ({}): learned from {}; in 10-fold cross-validation R2 {}, correlation {}.",
        scores.question.name(),
        counted(scores.games as u64, "rated game"),
        share(scores.r_squared),
        share(scores.correlation)
    )
}

/// Result in a sentence.
pub(crate) fn summary(report: &VetReport) -> String {
    let games = counted(report.rows.len() as u64, "game");
    let Some(scores) = report.model.scores.playable.last() else {
        return format!("{games}. The model does not predict whether a game is playable.");
    };
    if let [row] = &report.rows[..] {
        let game = &row.game;
        if let Some(flaw) = &row.evidence {
            return format!("{game} is unplayable: {}.", flaw.words);
        }
        let players = format!("by self-play at {}", per_move(scores.iterations));
        let Some(all) = row.playable.filter(|_| row.unrated.is_none()) else {
            return format!("Cannot tell whether {game} is playable: {}.", grounds(row));
        };
        let chance = chance(all);
        return match row.verdict {
            Playability::Yes => {
                format!("{game} is probably playable: the chance is {chance}, {players}.")
            }
            Playability::No => {
                format!("{game} is probably not playable: the chance is {chance}, {players}.")
            }
            Playability::CannotTell if all.verdict() == Playability::CannotTell => {
                format!(
                    "Cannot tell whether {game} is playable: the chance is {chance}, {players}."
                )
            }
            Playability::CannotTell => format!(
                "Cannot tell whether {game} is playable: {} ({players}).",
                open_words(row, all)
            ),
        };
    }
    let count = |verdict| report.rows.iter().filter(|row| row.verdict == verdict).count();
    let by_flaws = match report.rows.iter().filter(|row| row.evidence.is_some()).count() {
        0 => String::new(),
        n => format!(" ({n} by plain flaws)"),
    };
    format!(
        "{games}: {} playable, {} unplayable{by_flaws}, cannot tell for {} (self-play at {}).",
        count(Playability::Yes),
        count(Playability::No),
        count(Playability::CannotTell),
        per_move(scores.iterations)
    )
}

fn header(report: &VetReport) -> Vec<String> {
    let mut header: Vec<String> = vec!["game".to_owned()];
    if !report.model.scores.playable.is_empty() {
        header.extend(["verdict", "chance playable"].map(str::to_owned));
        header.extend(sources(report).into_iter().map(|by| format!("{BY}{}", like_words(by))));
    }
    for question in questions(report) {
        header.push(match question {
            Question::Fun => "fun, 0 to 100".to_owned(),
            Question::Payoff => "payoff for the first player, -1 to 1".to_owned(),
        });
    }
    header
}

/// Beginning of the title of a probability by the labels of one source.
const BY: &str = "playable, by ";

/// Words for the known games that have labels of this source.
const fn like_words(by: LabelSource) -> &'static str {
    match by {
        LabelSource::Origin => "published or broken games",
        LabelSource::Solution => "solved games",
        LabelSource::Ratings => "rated games",
        LabelSource::Conditions => "games by conditions",
    }
}

/// Tests whether the model of a report predicts playability.
const fn predicts_playable(report: &VetReport) -> bool {
    predicts(&report.model)
}

/// Notes about the columns of the table.
fn table_notes(report: &VetReport) -> Vec<String> {
    let mut notes = Vec::new();
    let words = |by| {
        let like = like_words(by);
        let from = match by {
            LabelSource::Origin => "their origin",
            LabelSource::Solution => "their exact value",
            LabelSource::Ratings => "people's ratings",
            LabelSource::Conditions => "their self-play",
        };
        format!("`{BY}{like}` only the games labelled by {from}")
    };
    let own: Vec<String> = sources(report).into_iter().map(words).collect();
    if !own.is_empty() {
        notes.push(format!(
            "Probability that a game is playable, with its 95% interval: `chance playable` uses all labelled games, {}.",
            own.join(", ")
        ));
    }
    let is_blank = |row: &VettedGame, question: Question| match question {
        Question::Fun => row.fun.is_none(),
        Question::Payoff => row.payoff.is_none(),
    };
    let asked = questions(report);
    if report.rows.iter().any(|row| asked.iter().any(|&question| is_blank(row, question))) {
        let names: Vec<&str> = asked.iter().map(|question| question.name()).collect();
        notes.push(format!(
            "If {} {} blank, people rated no game of the family, or the game is unlike those that they rated.",
            names.join(" and "),
            if names.len() == 1 { "is" } else { "are" }
        ));
    } else if asked.is_empty()
        && !report.model.scores.ratings.is_empty()
        && !predicts_playable(report)
    {
        notes.push("The model predicts ratings only for families that people rated.".to_owned());
    }
    notes
}

/// Label sources of the standards in all rows, sorted, each once.
fn sources(report: &VetReport) -> Vec<LabelSource> {
    let mut sources: Vec<LabelSource> =
        report.rows.iter().flat_map(|row| row.standards.iter().map(|one| one.by)).collect();
    sources.sort_unstable();
    sources.dedup();
    sources
}

/// Questions that the model answers for at least one of the games.
fn questions(report: &VetReport) -> Vec<Question> {
    let has = |question: &Question| {
        report.rows.iter().any(|row| match question {
            Question::Fun => row.fun.is_some(),
            Question::Payoff => row.payoff.is_some(),
        })
    };
    Question::BOTH.into_iter().filter(has).collect()
}

fn cells(report: &VetReport, row: &VettedGame) -> Vec<String> {
    let mut cells = vec![row.game.clone()];
    if !report.model.scores.playable.is_empty() {
        cells.push(verdict_words(row.verdict).to_owned());
        cells.push(row.playable.map_or_else(String::new, chance));
        for by in sources(report) {
            let own = row.standards.iter().find(|one| one.by == by);
            cells.push(own.map_or_else(String::new, |one| chance(one.chance)));
        }
    }
    for question in questions(report) {
        cells.push(match question {
            Question::Fun => rating(row.fun, 0),
            Question::Payoff => rating(row.payoff, 2),
        });
    }
    cells
}

pub(crate) const fn verdict_words(verdict: Playability) -> &'static str {
    match verdict {
        Playability::Yes => "playable",
        Playability::No => "unplayable",
        Playability::CannotTell => "cannot tell",
    }
}

pub(crate) const fn tone(verdict: Playability) -> Tone {
    match verdict {
        Playability::Yes => Tone::Good,
        Playability::No => Tone::Bad,
        Playability::CannotTell => Tone::Undecided,
    }
}

pub(crate) fn chance(Chance { probability, low, high }: Chance) -> String {
    let [probability, low, high] = [probability, low, high].map(|p| 100.0 * p);
    format!("{probability:.0}% ({low:.0} to {high:.0}%)")
}

fn rating(rating: Option<PredictedRating>, digits: usize) -> String {
    rating.map_or_else(String::new, |PredictedRating { mean, low, high, rated }| {
        let text = |x: f64| fixed(x, digits);
        let rated = rated.map_or_else(String::new, |rated| format!("; rated {}", text(rated)));
        format!("{} ({} to {}){rated}", text(mean), text(low), text(high))
    })
}

/// Reasons of a verdict, the most similar known games, and the reason why an answer is missing that
/// other games have.
fn reasons(row: &VettedGame, asked: &[Question]) -> Vec<String> {
    let mut lines: Vec<String> = row.reasons.iter().map(reason_words).collect();
    if !row.nearest.is_empty() {
        let near: Vec<String> = row
            .nearest
            .iter()
            .map(|near| format!("{} ({:.1})", readable_name(&near.game), near.distance))
            .collect();
        let which =
            if row.known.is_some() { "nearest games of other families" } else { "nearest games" };
        lines.push(format!("{which} (distance in standard deviations): {}", near.join("; ")));
    }
    for question in asked {
        let missing = match question {
            Question::Fun => &row.fun_missing,
            Question::Payoff => &row.payoff_missing,
        };
        if let Some(missing) = missing {
            lines.push(format!("no prediction of {}: {}", question.name(), missing.words));
        }
    }
    lines
}

fn reason_words(reason: &Reason) -> String {
    let Reason { words, effect, .. } = reason;
    let moves = if *effect > 0.0 { "raises" } else { "lowers" };
    let points = format!("{:.0}", 100.0 * effect.abs());
    let unit = if points == "1" { "point" } else { "points" };
    format!("{words} ({moves} the probability by {points} percentage {unit})")
}

/// The question whether a game is playable, with the answer in a few words.
pub(crate) fn playable_words(row: &VettedGame) -> String {
    format!("Playable? {}.", answer(row))
}

/// The players between whom the evidence is a flaw, if others may have a fair game.
fn strong_players(row: &VettedGame) -> Option<&'static str> {
    match row.evidence.as_ref()?.flaw {
        PlainFlawKind::OneSidedStrongPlay | PlainFlawKind::DrawnStrongPlay => Some("such players"),
        PlainFlawKind::ForcedWinAhead => Some("players who look five plies ahead"),
        _ => None,
    }
}

/// The answer in a few words, with the reason if there is none.
fn answer(row: &VettedGame) -> String {
    if let Some(why) = &row.unrated {
        return format!("Cannot tell ({why})");
    }
    if let Some(flaw) = &row.evidence {
        let no = strong_players(row).map(|players| format!("Not between {players}"));
        return format!("{}: {}", no.as_deref().unwrap_or("No"), flaw.words);
    }
    let Some(all) = row.playable else {
        return "The model does not say".to_owned();
    };
    match row.verdict {
        Playability::Yes => format!("Probably: {}", chance(all)),
        Playability::No => format!("Probably not: {}", chance(all)),
        Playability::CannotTell if all.verdict() == Playability::CannotTell => {
            format!("Cannot tell: by its likeness to known games the chance is {}", chance(all))
        }
        Playability::CannotTell => format!("Cannot tell ({})", open_words(row, all)),
    }
}

/// The reason that the table gives beside the verdict.
fn answer_of_table(row: &VettedGame) -> String {
    if let Some(flaw) = &row.evidence {
        return flaw.words.clone();
    }
    match (&row.unrated, row.playable, row.verdict) {
        (Some(why), ..) => why.clone(),
        (None, Some(all), Playability::CannotTell) => open_words(row, all),
        (None, Some(_), _) => match row.reasons.first() {
            Some(Reason { words, .. }) => words.split(';').next().unwrap_or(words).to_owned(),
            None => "it is like games with this label".to_owned(),
        },
        (None, None, _) => grounds(row),
    }
}

/// The reason that nothing can be said, in a few words.
fn open_words(row: &VettedGame, all: Chance) -> String {
    if row.outside_training {
        return "it is unlike all games that the model knows".to_owned();
    }
    if all.verdict() == Playability::CannotTell {
        return "the interval contains 50%".to_owned();
    }
    let differs = |one: &&SourceChance| one.is_kin && one.chance.verdict() != all.verdict();
    match row.standards.iter().find(differs).map(|one| one.by) {
        Some(LabelSource::Origin) => "the model knows too few published games like it".to_owned(),
        Some(LabelSource::Solution) => "the model knows too few solved games like it".to_owned(),
        Some(LabelSource::Ratings) => "the model knows too few rated games like it".to_owned(),
        Some(LabelSource::Conditions) => "the model knows too few games like it".to_owned(),
        None => "weaker players say otherwise".to_owned(),
    }
}

/// The verdict with what it follows from.
fn why(row: &VettedGame) -> String {
    if let Some(players) = strong_players(row) {
        return format!("not between {players}, because {}", grounds(row));
    }
    if row.unrated.is_some() || row.playable.is_none() && row.evidence.is_none() {
        return grounds(row);
    }
    format!("{}, because {}", verdict_words(row.verdict), grounds(row))
}

/// Grounds of the verdict.
fn grounds(row: &VettedGame) -> String {
    if let Some(why) = &row.unrated {
        return why.clone();
    }
    if let Some(flaw) = &row.evidence {
        let label = row.known.as_ref().map_or_else(String::new, |known| {
            let label = if known.playable { "playable" } else { "unplayable" };
            format!("; it is labelled {label} by {}", source_words(known.by))
        });
        return format!("{}{label}", flaw.words);
    }
    let Some(all) = row.playable else {
        return "the model does not predict whether it is playable".to_owned();
    };
    let mut grounds = if row.outside_training {
        "it is unlike all games that the model learned from".to_owned()
    } else if row.verdict == Playability::CannotTell {
        what_is_open(row)
    } else {
        format!("the probability that it is playable is {}", chance(all))
    };
    if let Some(known) = &row.known {
        let label = if known.playable { "playable" } else { "unplayable" };
        let same = known
            .game
            .as_ref()
            .map_or_else(String::new, |game| format!("the same game as {game}, is "));
        let is = if same.is_empty() { "" } else { "is " };
        let _ = write!(
            grounds,
            "; it is {same}labelled {label} by {}, and {is}judged here by models trained without its family",
            source_words(known.by)
        );
    }
    grounds
}

/// Reason why the model cannot give a verdict.
fn what_is_open(row: &VettedGame) -> String {
    let open = |chance: &Chance| chance.verdict() == Playability::CannotTell;
    let range =
        |chance: Chance| format!("{:.0} to {:.0}%", 100.0 * chance.low, 100.0 * chance.high);
    // A verdict needs an interval on one side of a half.
    let interval = |chance: Chance| {
        let range = range(chance);
        let half = if open(&chance) { ", contains 50%" } else { "" };
        format!(
            "the 95% interval of the probability{} {range}{half}",
            if open(&chance) { "," } else { " is" }
        )
    };
    if let Some(all) = row.playable.filter(open) {
        return interval(all);
    }
    let all = row.playable.map(|all| all.verdict());
    let kin = row.standards.iter().find(|one| one.is_kin && Some(one.chance.verdict()) != all);
    if let Some(kin) = kin {
        return format!(
            "at least {NEAREST_MIN} of the {NEAREST} nearest known games are labelled by {}, and by such labels alone {}",
            source_words(kin.by),
            interval(kin.chance)
        );
    }
    let strongest = row.strengths.last().map(|one| one.chance.verdict());
    let contradicts = row
        .strengths
        .iter()
        .find(|one| !open(&one.chance) && Some(one.chance.verdict()) != strongest);
    contradicts.map_or_else(
        || "the model knows too few games like it".to_owned(),
        |one| format!("at {} {}", per_move(one.iterations), interval(one.chance)),
    )
}

#[cfg(test)]
mod tests {
    use treegauge_gauge::PlainFlaw;
    use treegauge_gauge::vetted::StrengthChance;

    use super::*;

    const OPEN: Chance = Chance { probability: 0.5, low: 0.19, high: 0.95 };
    const GOOD: Chance = Chance { probability: 0.9, low: 0.7, high: 0.97 };
    const BAD: Chance = Chance { probability: 0.1, low: 0.02, high: 0.3 };

    #[test]
    fn verdicts_are_counted_in_words() {
        let of = |by, games, decided, right| Decided { by, games, decided, right };
        let origin = Some(LabelSource::Origin);
        assert_eq!(
            decided_words(&of(None, 27, 0, 0), &[of(origin, 27, 0, 0)]),
            "It gives a verdict on none of these 27 games."
        );
        assert_eq!(
            decided_words(&of(None, 27, 1, 0), &[of(origin, 27, 1, 0)]),
            "It gives a verdict on 1 of 27, 0% of them right. It cannot tell for the others."
        );
        let solved = of(Some(LabelSource::Solution), 7, 0, 0);
        assert_eq!(
            decided_words(&of(None, 27, 4, 4), &[of(origin, 20, 4, 4), solved]),
            "It gives a verdict on 4 of 27, all of them right; by source of the labels: origin 4 of 20, all of \
             them right; exact solution none of 7. It cannot tell for the others."
        );
    }

    #[test]
    fn evidence_about_strong_players_is_no_verdict_on_others() {
        let row = |flaw| {
            let words = "the second player wins all 80 games".to_owned();
            VettedGame::flawed("hexapawn", PlainFlaw { flaw, words })
        };
        let (all, strong) =
            (row(PlainFlawKind::OneSidedPlay), row(PlainFlawKind::OneSidedStrongPlay));
        assert_eq!(playable_words(&all), "Playable? No: the second player wins all 80 games.");
        let words = "Playable? Not between such players: the second player wins all 80 games.";
        assert_eq!(playable_words(&strong), words);
        assert_eq!((all.verdict, strong.verdict), (Playability::No, Playability::CannotTell));
        assert_eq!(why(&all), "unplayable, because the second player wins all 80 games");
        let words = "not between such players, because the second player wins all 80 games";
        assert_eq!(why(&strong), words);
        let drawn = row(PlainFlawKind::DrawnStrongPlay);
        assert_eq!(playable_words(&drawn), playable_words(&strong));
        assert_eq!(drawn.verdict, Playability::CannotTell);
        let ahead = row(PlainFlawKind::ForcedWinAhead);
        let words = "Playable? Not between players who look five plies ahead: the second player wins all 80 games.";
        assert_eq!(
            (playable_words(&ahead).as_str(), ahead.verdict),
            (words, Playability::CannotTell)
        );
    }

    #[test]
    fn what_is_open_is_said() {
        let standard = |chance| SourceChance { by: LabelSource::Origin, chance, is_kin: true };
        let strength =
            |chance| StrengthChance { iterations: 1_000, chance, outside_training: false };
        let row = |all, kin, weak| VettedGame {
            playable: Some(all),
            standards: vec![standard(kin)],
            strengths: vec![strength(weak), strength(all)],
            ..VettedGame::unrated("achi", None)
        };
        let half = "the 95% interval of the probability, 19 to 95%, contains 50%";
        let kin = "at least 3 of the 10 nearest known games are labelled by origin, and by such labels alone";
        assert_eq!(what_is_open(&row(OPEN, GOOD, GOOD)), half);
        assert_eq!(what_is_open(&row(GOOD, OPEN, GOOD)), format!("{kin} {half}"));
        // Labels of its kin may also imply the opposite.
        let opposite = "the 95% interval of the probability is 2 to 30%";
        assert_eq!(what_is_open(&row(GOOD, BAD, GOOD)), format!("{kin} {opposite}"));
        let weak = format!("at 1,000 iterations per move {opposite}");
        assert_eq!(what_is_open(&row(GOOD, GOOD, BAD)), weak);
    }
}
