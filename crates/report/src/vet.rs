//! What a model says of games.

use std::fmt::Write;

use maud::{PreEscaped, html as markup};
use treegauge_study::vet::{
    Chance, Decided, ModelCard, PlayableScores, PredictedRating, RatingScores, Reason, Verdict,
    VetReport, Vetted, VettedGame,
};
use treegauge_study::{LabelSource, Question};

use crate::Terminal;
use crate::chart::{Charts, INK};
use crate::effectiveness::{EFFECTIVENESS_WORDS, effectiveness_chart};
use crate::evaluate::{grouped, percent, share, source_words};
use crate::page::page;
use crate::table::table_on;
use crate::terminal::Tone;
use crate::words::counted;

/// Games whose reasons are printed: those of more would hide the table.
const EXPLAINED: usize = 5;

/// What is said of games, as text.
#[must_use]
pub fn vet_text(report: &VetReport, terminal: Terminal) -> String {
    let mut text = format!("{}\n\n", summary(report));
    let header = header(report);
    let columns = header.len();
    let rows = report.rows.iter().map(|row| {
        let mut cells = cells(report, row);
        if let Some(verdict) = cells.get_mut(1) {
            *verdict = terminal.paint(verdict, tone(row.verdict));
        }
        cells
    });
    text.push_str(&table_on(terminal, header, rows, 2..columns));
    if report.rows.len() <= EXPLAINED {
        for row in &report.rows {
            for line in explained(row) {
                let _ = write!(text, "\n{line}");
            }
            text.push('\n');
        }
    }
    let _ = writeln!(text, "\n{}", short_text(&report.model));
    text
}

/// What a model says of a gauged game: the verdict in a sentence and what its verdicts are worth in
/// another, and what moved it most.
pub(crate) fn vetted_words(vetted: &Vetted) -> (String, Vec<String>) {
    let Vetted { model, verdict } = vetted;
    let mut text = format!("Is it playable? Model {}: {}.", model.name, why(verdict));
    if let Some(all) = model.scores.playable.last().and_then(|scores| scores.decided.first()) {
        let _ = write!(
            text,
            " Of {} whose family it had not seen it gave a verdict on {}",
            counted(all.games as u64, "game"),
            all.decided
        );
        if all.decided > 0 {
            let _ = write!(text, ", {:.0}% of them right", all.right_percent());
        }
        text.push('.');
    }
    (text, verdict.reasons.iter().map(reason_words).collect())
}

/// What is to be known of a model, as text.
#[must_use]
pub fn model_text(model: &ModelCard) -> String {
    let mut lines = vec![title(model)];
    lines.extend(model.scores.playable.iter().flat_map(playable_words));
    lines.extend(model.scores.ratings.iter().map(rating_words));
    lines.join("\n")
}

/// The same of the strongest self-play alone: what a reader of its answers must know.
fn short_text(model: &ModelCard) -> String {
    let mut lines = vec![title(model)];
    lines.extend(model.scores.playable.last().into_iter().flat_map(playable_words));
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

/// How well it is known whether games are playable.
fn playable_words(scores: &PlayableScores) -> Vec<String> {
    let mut lines = vec![format!(
        "Playable, at {} iterations per move: learned from {} playable and {} unplayable games of {} families. \
         Of games of families that it has not seen it is right about {}, AUC {}.",
        grouped(scores.iterations),
        scores.playable,
        scores.unplayable,
        scores.groups,
        percent(scores.accuracy),
        share(scores.auc)
    )];
    if let Some((all, by_source)) = scores.decided.split_first() {
        let right = |one: &Decided| match one.decided {
            0 => format!("{} none of {}", one.by.map_or("all", source_words), one.games),
            n => format!(
                "{} {n} of {}, of which {:.0}% are right",
                one.by.map_or("all", source_words),
                one.games,
                one.right_percent()
            ),
        };
        let parts: Vec<String> = std::iter::once(all).chain(by_source).map(right).collect();
        lines.push(format!(
            "It gives a verdict on these of them, by where labels come from: {}. Of the others it cannot tell.",
            parts.join("; ")
        ));
    }
    // Games of one family give no interval.
    let with_auc = scores.by_source.iter().filter(|one| one.auc.is_some());
    let own: Vec<String> =
        with_auc.map(|one| format!("{} {}", source_words(one.by), share(one.auc))).collect();
    if !own.is_empty() {
        lines.push(format!("AUC by where labels come from (0.5 is a guess): {}.", own.join("; ")));
    }
    let effectiveness = |prevalence: f64| {
        scores
            .confusion
            .effectiveness(prevalence)
            .map(|found| format!("{:.0}% where {:.0}% are", 100.0 * found, 100.0 * prevalence))
    };
    let points: Vec<String> = [0.01, 0.1, 0.5].into_iter().filter_map(effectiveness).collect();
    if !points.is_empty() {
        lines.push(format!(
            "Of the games with a probability above a half, so many would be playable: {}.",
            points.join(", ")
        ));
    }
    lines
}

fn rating_words(scores: &RatingScores) -> String {
    format!(
        "What people say of {}: learned from {}; by tenths left out, R2 {}, correlation {}.",
        scores.question.name(),
        counted(scores.games as u64, "rated game"),
        share(scores.r_squared),
        share(scores.correlation)
    )
}

/// What was found, in a sentence.
fn summary(report: &VetReport) -> String {
    let games = counted(report.rows.len() as u64, "game");
    let Some(scores) = report.model.scores.playable.last() else { return games + "." };
    let count = |verdict| report.rows.iter().filter(|row| row.verdict == verdict).count();
    format!(
        "{games} in self-play of {} iterations per move: {} playable, {} unplayable, cannot tell for {}.",
        grouped(scores.iterations),
        count(Verdict::Yes),
        count(Verdict::No),
        count(Verdict::CannotTell)
    )
}

fn header(report: &VetReport) -> Vec<String> {
    let mut header: Vec<String> = vec!["game".to_owned()];
    if !report.model.scores.playable.is_empty() {
        header.extend(["verdict", "playable"].map(str::to_owned));
        header.extend(sources(report).into_iter().map(|by| format!("by {}", source_words(by))));
    }
    for question in questions(report) {
        header.push(match question {
            Question::Fun => "fun, 0 to 100".to_owned(),
            Question::Payoff => "payoff, -1 to 1".to_owned(),
        });
    }
    header
}

/// The sources of labels that are standards of their own.
fn sources(report: &VetReport) -> Vec<LabelSource> {
    let mut sources: Vec<LabelSource> =
        report.rows.iter().flat_map(|row| row.standards.iter().map(|one| one.by)).collect();
    sources.sort_unstable();
    sources.dedup();
    sources
}

/// What the model predicts people to say of at least one of the games.
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

const fn verdict_words(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Yes => "playable",
        Verdict::No => "unplayable",
        Verdict::CannotTell => "cannot tell",
    }
}

/// The class of a verdict in style sheets.
const fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Yes => "tone sound",
        Verdict::No => "tone flawed",
        Verdict::CannotTell => "tone open",
    }
}

const fn tone(verdict: Verdict) -> Tone {
    match verdict {
        Verdict::Yes => Tone::Good,
        Verdict::No => Tone::Bad,
        Verdict::CannotTell => Tone::Open,
    }
}

fn chance(Chance { probability, low, high }: Chance) -> String {
    let [probability, low, high] = [probability, low, high].map(|p| 100.0 * p);
    format!("{probability:.0}% ({low:.0} to {high:.0}%)")
}

fn rating(rating: Option<PredictedRating>, digits: usize) -> String {
    rating.map_or_else(String::new, |PredictedRating { mean, low, high, rated }| {
        let rated = rated.map_or_else(String::new, |rated| format!("; rated {rated:.digits$}"));
        format!("{mean:.digits$} ({low:.digits$} to {high:.digits$}){rated}")
    })
}

/// Why a game has its verdict, in lines.
fn explained(row: &VettedGame) -> Vec<String> {
    let mut lines = vec![format!("{}: {}.", row.game, why(row))];
    lines.extend(row.reasons.iter().map(|reason| format!("  {}", reason_words(reason))));
    if !row.nearest.is_empty() {
        let near: Vec<String> = row
            .nearest
            .iter()
            .map(|near| format!("{} ({:.1})", near.game, near.distance))
            .collect();
        lines.push(format!(
            "  most like it, with the distance in standard deviations: {}",
            near.join("; ")
        ));
    }
    lines
}

fn reason_words(reason: &Reason) -> String {
    format!("{} ({:+.0} points)", reason.words, 100.0 * reason.effect)
}

/// The verdict with what it follows from.
fn why(row: &VettedGame) -> String {
    if row.unrated.is_some() || row.playable.is_none() {
        return grounds(row);
    }
    format!("{}, because {}", verdict_words(row.verdict), grounds(row))
}

/// What the verdict follows from.
fn grounds(row: &VettedGame) -> String {
    if let Some(why) = &row.unrated {
        return why.clone();
    }
    let Some(all) = row.playable else {
        return "the model does not predict whether it is playable".to_owned();
    };
    let mut grounds = if row.outside_training {
        "it is unlike all games that were learned from".to_owned()
    } else if row.verdict == Verdict::CannotTell {
        what_is_open(row)
    } else {
        format!("the probability that it is playable is {}", chance(all))
    };
    if let Some(known) = row.known {
        let label = if known.playable { "playable" } else { "unplayable" };
        let _ = write!(
            grounds,
            "; it is labelled {label} by {}, and judged here by models that have not seen its family",
            source_words(known.by)
        );
    }
    grounds
}

/// Why nothing can be said.
fn what_is_open(row: &VettedGame) -> String {
    let open = |chance: &Chance| chance.verdict() == Verdict::CannotTell;
    let range =
        |chance: Chance| format!("{:.0} to {:.0}%", 100.0 * chance.low, 100.0 * chance.high);
    if let Some(all) = row.playable.filter(open) {
        return format!("the probability that it is playable is {}", range(all));
    }
    let kin = row.standards.iter().find(|one| one.is_kin && open(&one.chance));
    if let Some(kin) = kin {
        return format!(
            "the games most like it are labelled by {}, and by such labels the probability is {}",
            source_words(kin.by),
            range(kin.chance)
        );
    }
    let strongest = row.strengths.last().map(|one| one.chance.verdict());
    let contradicts = row
        .strengths
        .iter()
        .find(|one| !open(&one.chance) && Some(one.chance.verdict()) != strongest);
    contradicts.map_or_else(
        || "too little is known of games like it".to_owned(),
        |one| {
            let iterations = grouped(one.iterations);
            format!("at {iterations} iterations per move the probability is {}", range(one.chance))
        },
    )
}

/// What is said of games, as one self-contained page.
#[must_use]
pub fn vet_html(report: &VetReport) -> String {
    let mut charts = Charts::default();
    let body = markup! {
        h1 { "Which of these games are playable?" }
        div.verdict.open { b { (summary(report)) } }
        div.wide {
            table {
                tr { @for title in header(report) { th { (title) } } th { "why" } }
                @for row in &report.rows {
                    tr {
                        @for (n, cell) in cells(report, row).iter().enumerate() {
                            @if n == 0 { td.name { (cell) } }
                            @else if n == 1 && row.playable.is_some() { td { span class=(class(row.verdict)) { (cell) } } }
                            @else { td { (cell) } }
                        }
                        td {
                            details {
                                summary.line { (grounds(row)) }
                                ul { @for line in explained(row).iter().skip(1) { li { (line) } } }
                            }
                        }
                    }
                }
            }
        }
        @if !report.model.scores.playable.is_empty() {
            h2 { "What the vetting is worth" }
            p { (EFFECTIVENESS_WORDS) }
            div.charts {
                @for scores in &report.model.scores.playable {
                    figure {
                        div.paper { (PreEscaped(effectiveness_chart(&[("", &scores.confusion, INK)], &mut charts))) }
                        figcaption { "at " (grouped(scores.iterations)) " iterations per move" }
                    }
                }
            }
        }
        @for line in model_text(&report.model).lines() { p.note { (line) } }
    };
    page("a vetting", &body)
}
