//! Results of learners that tell playable games from the others, in words and tables.

use std::borrow::Cow;
use std::fmt::Write;

use treegauge_dataset::aggregate::{Shapes, Split};
use treegauge_dataset::collect::MissingInstances;
use treegauge_dataset::evaluate::{
    ClassResult, ConditionLabels, DatasetGames, EvaluateReport, Observed, Protocol, QualityResult,
    TieBreaks, TreePicture,
};
use treegauge_doc::{Cell, Column, Table, Tone, Wrap};
use treegauge_gauge::vetted::{LabelSource, SourceScore};
use treegauge_learn::Score;
use treegauge_stats::{n_to_correlate, n_to_tell};

use crate::dataset_text::missing_words;
use crate::evaluate_baselines::adds;
use crate::evaluate_ratings::ratings_footnote;
use crate::evaluate_shapes::shapes_words;
use crate::words::{count_cell, counted, fixed, grouped, per_move};

/// Share of playable games for the effectiveness: that of Williams 2010, section 5.3.
const PREVALENCE: f64 = 0.01;

/// Least gain over a constant answer that makes a learner useful, as a share of right answers.
const GAP: f64 = 0.2;

/// Greatest share of right answers that a useful learner is expected to have.
const RIGHT_MAX: f64 = 0.99;

/// Correlation that enough games should show.
const SOME_CORRELATION: f64 = 0.5;

/// Probability with which enough games show a useful learner.
const POWER: f64 = 0.8;

/// Definition of labels by conditions; `None` if the evaluation does not use them.
pub(crate) fn conditions_words(report: &EvaluateReport) -> Option<String> {
    let ConditionLabels { seed, iterations, playable, games } = report.conditions?;
    Some(format!(
        "Here a game is playable if it is neither drawish nor biased nor too short nor too long in other self-play, \
         at {} with seed {seed} ({playable} of {}). So learners predict from trees how games end, not whether \
         people would play them.",
        per_move(iterations),
        counted(games as u64, "game"),
    ))
}

/// Sentence about the missing instances of each incomplete dataset.
pub(crate) fn incomplete_words(report: &EvaluateReport) -> Vec<String> {
    let words =
        |one: &MissingInstances| format!("{}: {}", per_move(one.iterations), missing_words(one));
    report.incomplete.iter().map(words).collect()
}

/// Heading of the observations.
pub(crate) const OBSERVED_WORDS: &str =
    "Observations of Williams 2010 (table 3.1) in 20 games of self-play each, and the same here:";

/// Table with a row per observation of Williams 2010.
pub(crate) fn observed_table(report: &EvaluateReport) -> Table {
    let columns = [
        Column::left("game"),
        Column::interval("iterations per move"),
        Column::left("published"),
        Column::left("here: first player, draws, second player; plies"),
        Column::left("agrees"),
    ];
    let mut table = Table::new("observed", columns).wrapped(Wrap::Cards);
    for one in &report.observed {
        let Observed { published, games, results, .. } = one;
        let plies = match (results.plies_min, results.plies_max) {
            (least, most) if least == most => most.to_string(),
            (least, most) => format!("{least} to {most}"),
        };
        table.push([
            Cell::from(published.game.as_str()),
            count_cell(u64::from(published.iterations)),
            Cell::from(published.says.as_str()),
            Cell::from(format!(
                "{}, {}, {} of {games}; {plies}",
                results.first_wins, results.draws, results.second_wins
            )),
            Cell::from(agreement(one)),
        ]);
    }
    table
}

/// Words for whether Williams 2010 and a dataset agree about a game.
fn agreement(one: &Observed) -> String {
    let differs = one.p.is_some_and(|p| p < 0.05);
    let mut words = Vec::new();
    if let Some(p) = one.p {
        let sign = if p < 0.01 { "" } else { "= " };
        let differ = if differs { "differ" } else { "agree" };
        words.push(format!("results {differ} (p {sign}{})", p_words(p)));
    }
    if let Some(within) = one.within_plies {
        words.push(if within { "length agrees" } else { "some games are longer" }.to_owned());
    }
    words.join("; ")
}

/// P-value with two digits.
fn p_words(p: f64) -> String {
    if p < 0.01 { "< 0.01".to_owned() } else { format!("{p:.2}") }
}

/// Names of learners in reports, each with a description.
const LEARNERS: [(&str, &str); 16] = [
    ("tree", "a decision tree"),
    ("svm", "a support vector machine"),
    ("svm_gaussian", "a support vector machine with a Gaussian kernel"),
    ("forest", "a random forest"),
    ("boosting", "boosted trees"),
    ("logistic", "logistic regression on all attributes"),
    ("logistic_8", "logistic regression on the 8 attributes that predict best alone"),
    ("bayes", "naive Bayes"),
    ("neighbours", "the 5 nearest games"),
    ("best_attribute", "one threshold on the attribute that predicts best"),
    ("branching", "one threshold on the mean number of legal moves"),
    ("constant", "the more frequent class for all games"),
    ("network", "a network of 10 units"),
    ("network_small", "a network of 3 units"),
    ("network_long", "a network of 10 units, trained for longer"),
    ("network_deep", "a network with layers of 10 and 5 units"),
];

/// Descriptions of the learners in a report.
fn learners_words(report: &EvaluateReport) -> String {
    let is_there = |name: &str| report.results.iter().any(|result| result.learner == name);
    let own = LEARNERS.iter().filter(|(name, _)| is_there(name));
    let own: Vec<String> = own.map(|(name, what)| format!("`{name}` is {what}")).collect();
    format!("Learners: {}.", own.join(", "))
}

/// Notes about all numbers of the report.
pub(crate) fn footnotes(report: &EvaluateReport) -> Vec<String> {
    let mut lines = Vec::new();
    if !report.results.is_empty() {
        lines.push(learners_words(report));
        lines.push(footnote(report));
    }
    if !report.ratings.is_empty() {
        lines.push(ratings_footnote(report));
    }
    lines
}

/// Fewest games with an interval. Of fewer, resamples are too much alike.
const INTERVAL_GAMES_MIN: usize = 10;

/// Note about all numbers on playable games.
fn footnote(report: &EvaluateReport) -> String {
    let play = match report.play_resamples {
        0 => ", and do not cover which games of self-play happened to be played".to_owned(),
        count => {
            let again = counted(count as u64, "resample");
            format!(
                " and over the self-play of each game ({again}; all learners but networks are trained and tested again \
                 with each)"
            )
        }
    };
    format!(
        "Intervals are 95%, by the bootstrap over groups of games ({} resamples){play}; there is none for fewer than \
         {INTERVAL_GAMES_MIN} games or where all resamples agree, since it would be too narrow. p is that of the one-sided t-test \
         of Williams 2010 against a classifier that guesses by the shares of the classes. A confusion lists the \
         unplayable games (predicted unplayable, predicted playable), then the playable ones. In leave-one-out \
         cross-validation a learner sees the twins of a held-out game; with a held-out group it does not. A constant \
         answer moves away from held-out games, so its correlation is below 0. Seed {}.",
        grouped(report.draws as u64),
        report.seed
    )
}

/// Searches behind a set of attributes, in words.
pub(crate) const fn split_words(split: Split, shapes: Shapes) -> &'static str {
    match (split, shapes) {
        (Split::None, Shapes::Trees) => "all trees of a game together",
        (Split::Player, Shapes::Trees) => "trees of each player apart",
        (Split::None, Shapes::Webs) => "all webs of a game together",
        (Split::Player, Shapes::Webs) => "webs of each player apart",
        (Split::None, Shapes::Both) => "all trees and all webs of a game together",
        (Split::Player, Shapes::Both) => "trees and webs of each player apart",
    }
}

/// Results of one dataset, one split and one kind of shapes.
pub(crate) struct OfDataset<'a> {
    pub(crate) report: &'a EvaluateReport,
    pub(crate) games: &'a DatasetGames,
}

impl OfDataset<'_> {
    /// All datasets, in the order of the report.
    pub(crate) fn all(report: &EvaluateReport) -> impl Iterator<Item = OfDataset<'_>> {
        report.games.iter().map(move |games| OfDataset { report, games })
    }

    /// Table with a row per learner.
    pub(crate) fn table(&self) -> Table {
        let mut titles = vec!["leave one out", "p", "confusion"];
        titles.extend(self.is_published().then_some("published"));
        titles.extend(["group held out", "AUC, group held out"]);
        let columns = titles.into_iter().map(Column::interval);
        let columns = [Column::left("learner")].into_iter().chain(columns);
        let mut table = Table::new("learners", columns).wrapped(Wrap::Cards);
        for result in self.results(Protocol::LeaveOneOut) {
            table.push(self.row(result));
        }
        table
    }

    /// Tests whether Williams 2010 published a result for one of these learners.
    fn is_published(&self) -> bool {
        self.results(Protocol::LeaveOneOut).any(|result| result.published.is_some())
    }

    pub(crate) fn results(&self, protocol: Protocol) -> impl Iterator<Item = &ClassResult> {
        let DatasetGames { iterations, split, shapes, .. } = *self.games;
        let own = move |result: &&ClassResult| {
            (result.iterations, result.split, result.shapes) == (iterations, split, shapes)
                && result.protocol == protocol
        };
        self.report.results.iter().filter(own)
    }

    /// Iterations, searches and numbers of games of the dataset.
    pub(crate) fn title(&self) -> String {
        let DatasetGames { iterations, split, shapes, playable, unplayable, .. } = *self.games;
        format!(
            "{}, {}: {playable} playable and {unplayable} unplayable games",
            per_move(iterations),
            split_words(split, shapes),
        )
    }

    /// Warning about missing labelled games; `None` if all are there.
    pub(crate) fn missing_words(&self) -> Option<String> {
        let DatasetGames { missing, iterations, .. } = *self.games;
        let (there, dataset) = (self.games(), per_move(iterations));
        let all = counted((there + missing) as u64, "labelled game");
        (missing > 0)
            .then(|| format!("INCOMPLETE: the dataset at {dataset} has {there} of the {all}."))
    }

    /// Notes about the rows of the table.
    pub(crate) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for result in self.results(Protocol::LeaveOneOut) {
            if let Some(p) = result.permutation_p {
                let (learner, permutations) = (&result.learner, self.report.permutations);
                notes.push(format!(
                    "`{learner}`: p = {p:.2} by {permutations} permutations of the labels."
                ));
            }
            if let Some(TieBreaks { orders, least, greatest }) = result.tie_breaks {
                let learner = &result.learner;
                let [least, greatest] =
                    [least, greatest].map(|share| format!("{:.0}%", 100.0 * share));
                let range = if least == greatest {
                    format!("is {least} for every choice among equally good splits")
                } else {
                    format!(
                        "is from {least} to {greatest}, depending on the choice among equally good splits"
                    )
                };
                notes.push(format!(
                    "`{learner}`: its accuracy {range} ({} of the attributes).",
                    counted(orders as u64, "order")
                ));
            }
            if let Some(note) = result.published.as_ref().and_then(|one| one.note.as_ref()) {
                notes.push(format!("`{}`, published: {note}.", result.learner));
            }
        }
        notes.extend(self.unlike_constant());
        notes.extend(self.against_itself());
        notes.extend(self.by_source());
        notes.extend(self.effectiveness());
        notes
    }

    /// Explains the leave-one-out accuracy of `constant`, if it is lower than the share of the more
    /// frequent class.
    fn unlike_constant(&self) -> Option<String> {
        let constant = self.results(Protocol::LeaveOneOut).find(|one| one.learner == "constant");
        let right = constant?.accuracy?.mean;
        (right < self.constant()).then(|| {
            format!(
                "`constant` is right about {:.0}% of held-out games, although a constant answer to all of them would be \
                 right about {:.0}%: while a game is held out, the other class is the more frequent one.",
                100.0 * right,
                100.0 * self.constant()
            )
        })
    }

    /// Explains an area near 0 of learners that give every game the same answer; `None` if no
    /// learner has one.
    fn against_itself(&self) -> Option<String> {
        const NEAR_0: f64 = 0.05;
        let results = self.results(Protocol::LeaveOneOut).chain(self.results(Protocol::Grouped));
        let mut learners: Vec<String> = results
            .filter(|one| one.auc.is_some_and(|auc| auc.mean <= NEAR_0))
            .map(|one| format!("`{}`", one.learner))
            .collect();
        learners.sort();
        learners.dedup();
        (!learners.is_empty()).then(|| {
            format!(
                "The leave-one-out AUC near 0 of {}, in JSON, is an artefact and not a finding: a constant answer is the \
                 share of playable games among the others, which is lower whenever a playable game is held out.",
                learners.join(", ")
            )
        })
    }

    /// Scores of the best learner by source of the labels; `None` if there are none.
    fn by_source(&self) -> Option<String> {
        let nested = self.results(Protocol::Nested).next()?;
        let words = |one: &SourceScore| {
            let source = source_words(one.by);
            let games = counted((one.playable + one.unplayable) as u64, "game");
            if one.accuracy.is_none() {
                // The bootstrap resamples groups, so one group has no interval.
                return format!("{source} ({games} of one group) cannot tell");
            }
            let auc = one.auc.map_or_else(String::new, |_| format!(", AUC {}", share(one.auc)));
            format!("{source} ({games}) right about {}{auc}", percent(one.accuracy))
        };
        let all: Vec<String> = nested.by_source.iter().map(words).collect();
        (!all.is_empty())
            .then(|| format!("The best learner by the source of the labels: {}.", all.join("; ")))
    }

    /// Decision tree trained on all games.
    pub(crate) fn picture(&self) -> Option<&TreePicture> {
        let DatasetGames { iterations, split, shapes, .. } = *self.games;
        self.report
            .trees
            .iter()
            .find(|tree| (tree.iterations, tree.split, tree.shapes) == (iterations, split, shapes))
    }

    fn row(&self, one: &ClassResult) -> Vec<Cell> {
        let honest = self.results(Protocol::Grouped).find(|other| other.learner == one.learner);
        let [unplayable, playable] =
            one.confusion.counts.map(|row| format!("{:.0},{:.0}", row[0], row[1]));
        let published = one.published.as_ref().map(|published| {
            let [unplayable, playable] =
                published.confusion.counts.map(|row| format!("{},{}", row[0], row[1]));
            format!("{:.0}% {unplayable};{playable}", 100.0 * published.accuracy)
        });
        let score = |words: String, score: Option<Score>| {
            Cell::number(words, score.map(|score| score.mean))
        };
        let mut cells = vec![
            Cell::from(one.learner.as_str()),
            score(percent(self.shown_score(one.accuracy)), one.accuracy),
            Cell::number(one.p.map_or_else(String::new, p_words), one.p),
            Cell::from(format!("{unplayable};{playable}")),
        ];
        cells.extend(self.is_published().then(|| Cell::from(published.unwrap_or_default())));
        let accuracy = honest.and_then(|one| one.accuracy);
        let auc = honest.and_then(|one| one.auc);
        let words = (percent(self.shown_score(accuracy)), share(self.shown_score(auc)));
        cells.extend([score(words.0, accuracy), score(words.1, auc)]);
        cells
    }

    /// Verdict on the best learner, chosen without the games that it is tested on: whether it beats
    /// a constant answer, or ranks playable games above the others.
    pub(crate) fn verdict(&self) -> Answer {
        let constant = self.constant();
        let nested = self.results(Protocol::Nested).next();
        let Some((score, auc)) = nested.and_then(|result| Some((result.accuracy?, result.auc)))
        else {
            return Answer::new(Tone::Undecided, "Cannot tell", ": no learner was evaluated");
        };
        let ranks = auc.is_some_and(|auc| auc.low > 0.5);
        let (is_more, is_less) = (score.low > constant, score.high < constant);
        let fails = |one: &SourceScore| one.auc.is_none_or(|auc| auc.low <= 0.5);
        let of_sources =
            || self.results(Protocol::Nested).flat_map(|result| result.by_source.iter());
        if ranks && !is_less && of_sources().any(fails) {
            let rest = ": search trees tell playable games from unplayable ones for some sources of labels, but not \
                        reliably for the others";
            Answer::new(Tone::Good, "In part", rest)
        } else if is_more && ranks && self.gain().is_some_and(|gain| !adds(gain)) {
            let rest = ": search trees tell playable games from unplayable ones, but perhaps no better than how \
                        long the games are and how they end";
            Answer::new(Tone::Good, "Yes", rest)
        } else if is_more && ranks {
            let rest = ": search trees tell playable games from unplayable ones";
            Answer::new(Tone::Good, "Yes", rest)
        } else if is_more {
            let rest = ": the predictions are right more often than a constant answer, but do not reliably rank \
                        playable games above unplayable ones";
            Answer::new(Tone::Undecided, "Cannot tell", rest)
        } else if ranks && is_less {
            let rest = ": the predictions rank playable games above unplayable ones, but are right less often than \
                        a constant answer";
            Answer::new(Tone::Undecided, "Cannot tell", rest)
        } else if ranks {
            let rest = ": search trees rank playable games above unplayable ones, though perhaps no more answers \
                        are right than with a constant one";
            Answer::new(Tone::Good, "Yes", rest)
        } else if is_less && self.is_too_small() {
            let rest = format!(
                ": {} are too few; it takes about {} to see a learner that is right about {:.0}%, where a constant \
                 answer is right about {:.0}%",
                counted(self.games() as u64, "game"),
                grouped(self.games_needed()),
                100.0 * self.useful(),
                100.0 * self.constant(),
            );
            Answer::new(Tone::Undecided, "Cannot tell", rest)
        } else if is_less {
            let rest = ": predictions from search trees are worse than a constant answer";
            Answer::new(Tone::Bad, "No", rest)
        } else {
            let rest = " whether search trees tell playable games from unplayable ones";
            Answer::new(Tone::Undecided, "Cannot tell", rest)
        }
    }

    /// Share of right answers of the best learner and its simpler rivals, in a sentence; `None` if
    /// no learner was evaluated.
    pub(crate) fn score_words(&self) -> Option<String> {
        let best = self.results(Protocol::Nested).next()?.accuracy?;
        let DatasetGames { playable, unplayable, .. } = *self.games;
        let attribute = self.best_attribute().map_or_else(String::new, |score| {
            format!("the best single attribute about {:.0}%, ", 100.0 * score.mean)
        });
        let games = grouped((playable + unplayable) as u64);
        if best.mean <= self.constant() {
            return Some(format!(
                "No learner beats a constant answer: the best is right about {} of {games} held-out games, {attribute}a \
                 constant answer about {:.0}%.",
                percent(self.shown_score(Some(best))),
                100.0 * self.constant()
            ));
        }
        Some(format!(
            "The best learner is right about {} of {} held-out games, {attribute}a constant answer about {:.0}%.",
            percent(self.shown_score(Some(best))),
            games,
            100.0 * self.constant()
        ))
    }

    /// The score without its interval if there are too few games for one.
    pub(crate) fn shown_score(&self, score: Option<Score>) -> Option<Score> {
        let without = |Score { mean, .. }| Score { mean, low: mean, high: mean };
        if self.games() < INTERVAL_GAMES_MIN { score.map(without) } else { score }
    }

    fn games(&self) -> usize {
        self.games.playable + self.games.unplayable
    }

    /// Share of right answers of a useful learner.
    fn useful(&self) -> f64 {
        (self.constant() + GAP).min(RIGHT_MAX)
    }

    /// Number of games that a no takes. That a learner is worse than a constant answer says nothing
    /// of search trees where a useful learner would seldom be seen.
    fn games_needed(&self) -> u64 {
        let games = n_to_tell(self.constant(), self.useful(), POWER);
        games.map_or(u64::MAX, |games| games.ceil() as u64)
    }

    fn is_too_small(&self) -> bool {
        (self.games() as u64) < self.games_needed()
    }

    /// Share of right answers of the more frequent class.
    pub(crate) fn constant(&self) -> f64 {
        let DatasetGames { playable, unplayable, .. } = *self.games;
        playable.max(unplayable) as f64 / (playable + unplayable) as f64
    }

    /// Accuracy of the best single attribute for groups that are held out.
    fn best_attribute(&self) -> Option<Score> {
        let mut results = self.results(Protocol::Grouped);
        results.find(|result| result.learner == "best_attribute")?.accuracy
    }

    /// Row of the table of datasets.
    fn summary_row(&self) -> Vec<Cell> {
        let DatasetGames { iterations, split, shapes, playable, unplayable, .. } = *self.games;
        let nested = self.results(Protocol::Nested).next();
        let (accuracy, auc) = (nested.and_then(|one| one.accuracy), nested.and_then(|one| one.auc));
        let single = self.best_attribute();
        let score = |words: String, score: Option<Score>| {
            Cell::number(words, score.map(|score| score.mean))
        };
        let constant = self.constant();
        let answer = self.verdict();
        vec![
            count_cell(u64::from(iterations)),
            Cell::from(split_words(split, shapes)),
            count_cell((playable + unplayable) as u64),
            Cell { tone: Some(answer.tone), ..Cell::from(answer.headline) },
            score(percent(self.shown_score(accuracy)), accuracy),
            score(share(self.shown_score(auc)), auc),
            score(percent(self.shown_score(single)), single),
            Cell::number(format!("{:.0}%", 100.0 * constant), Some(constant)),
        ]
    }

    /// Words for whether the attributes of webs do better than those of trees.
    pub(crate) fn difference_words(&self) -> Option<String> {
        shapes_words(self.report, self.games)
    }

    /// Effectiveness of the most effective learner when vetting 1,000 games with 10 playable ones.
    fn effectiveness(&self) -> Option<String> {
        let mut best: Option<(f64, &ClassResult)> = None;
        for result in self.results(Protocol::LeaveOneOut) {
            let Some(found) = result.confusion.effectiveness(PREVALENCE) else { continue };
            if best.is_none_or(|(most, _)| found > most) {
                best = Some((found, result));
            }
        }
        let (effectiveness, result) = best?;
        let [unplayable, playable] = result.confusion.counts;
        let n: f64 = unplayable.iter().sum();
        let mut text = format!(
            "Precision of `{}` by its leave-one-out errors, for 1,000 games with 10 playable ones: {:.1}% of the games \
             that it passes would be playable",
            result.learner,
            100.0 * effectiveness
        );
        if unplayable[1] == 0.0 {
            // No error among n: the greatest error rate that has this outcome with a probability of
            // 5%.
            let rate = 1.0 - 0.05_f64.powf(1.0 / n);
            let recall = playable[1] / playable.iter().sum::<f64>();
            let least = PREVALENCE * recall / (PREVALENCE * recall + (1.0 - PREVALENCE) * rate);
            let _ = write!(
                text,
                "; but no error among {n:.0} unplayable games is compatible with an error rate of up to {:.0}%, at \
                 which the precision is {:.1}%",
                100.0 * rate,
                100.0 * least
            );
        }
        Some(text + ".")
    }

    /// Decision tree trained on all games, line by line; empty if there is none.
    pub(crate) fn tree_words(&self) -> Vec<String> {
        let Some(tree) = self.picture() else { return Vec::new() };
        let mut lines = vec!["Decision tree of all games:".to_owned()];
        lines.extend(tree.text().lines().map(|line| format!("  {line}")));
        let used = tree.used.iter().take(5);
        let used: Vec<String> =
            used.map(|one| format!("{} ({})", one.attribute, one.count)).collect();
        if !used.is_empty() {
            lines.push(format!(
                "Attributes in the decisions of the leave-one-out trees: {}.",
                used.join(", ")
            ));
        }
        lines
    }
}

/// Answer to the question of an evaluation.
pub(crate) struct Answer {
    /// Colour of the answer.
    pub(crate) tone: Tone,
    /// Answer in two words.
    pub(crate) headline: &'static str,
    /// Rest of the sentence, without its full stop.
    rest: Cow<'static, str>,
}

impl Answer {
    fn new(tone: Tone, headline: &'static str, rest: impl Into<Cow<'static, str>>) -> Answer {
        Answer { tone, headline, rest: rest.into() }
    }

    /// The whole sentence.
    pub(crate) fn words(&self) -> String {
        format!("{}{}.", self.headline, self.rest)
    }
}

/// Table with a row per dataset: the result of the best learner and of its simpler rivals.
pub(crate) fn summary_table(report: &EvaluateReport) -> Table {
    let columns = [
        Column::right("iterations"),
        Column::left("attributes of"),
        Column::right("games"),
        Column::left("answer"),
        Column::interval("best learner right"),
        Column::interval("AUC"),
        Column::interval("best single attribute right"),
        Column::right("constant answer right"),
    ];
    let mut table = Table::new("datasets", columns).wrapped(Wrap::Cards);
    OfDataset::all(report).for_each(|one| table.push(one.summary_row()));
    table
}

/// The dataset whose verdict is said first: the strongest searches, those of a game together.
pub(crate) fn main_dataset(report: &EvaluateReport) -> Option<OfDataset<'_>> {
    OfDataset::all(report).max_by_key(|one| {
        let DatasetGames { iterations, split, shapes, .. } = *one.games;
        (iterations, split == Split::None, shapes == Shapes::Trees)
    })
}

/// Introduction to the ratings, with the result of Williams 2010.
pub(crate) const fn quality_words() -> &'static str {
    "Ratings from 1 to 5, predicted for held-out groups of games. Williams 2010 found a correlation of 0.28 and \
     printed the complement of its p-value: it is 0.14, not 0.86."
}

/// Warning about correlations of few games, in a sentence; `None` if there are enough.
pub(crate) fn few_games_words(report: &EvaluateReport) -> Option<String> {
    let needed = n_to_correlate(SOME_CORRELATION, POWER)?.ceil();
    let least = report.quality.iter().map(|one| one.games).min()?;
    ((least as f64) < needed).then(|| {
        format!(
            "{} are too few for a correlation: it takes {needed:.0} to see a true one of {SOME_CORRELATION}.",
            counted(least as u64, "game")
        )
    })
}

/// Table with a row per dataset and learner.
pub(crate) fn quality_table(report: &EvaluateReport) -> Table {
    let columns = ["iterations", "split", "shapes", "learner"].map(Column::left).into_iter();
    let columns = columns.chain(["games", "correlation", "R2"].map(Column::interval));
    let mut table = Table::new("quality", columns).wrapped(Wrap::Cards);
    for one in &report.quality {
        let QualityResult { iterations, split, shapes, learner, games, correlation, r_squared } =
            one;
        table.push([
            count_cell(u64::from(*iterations)),
            Cell::from(split.name()),
            Cell::from(shapes.name()),
            Cell::from(learner.as_str()),
            count_cell(*games as u64),
            Cell::number(share(*correlation), correlation.map(|score| score.mean)),
            Cell::number(
                share_above(*r_squared, LEAST_R_SQUARED),
                r_squared.map(|score| score.mean),
            ),
        ]);
    }
    table
}

/// Source of a label, in words.
pub(crate) const fn source_words(by: LabelSource) -> &'static str {
    match by {
        LabelSource::Origin => "origin",
        LabelSource::Solution => "exact solution",
        LabelSource::Ratings => "people's ratings",
        LabelSource::Conditions => "conditions of self-play",
    }
}

/// Share in percent with its interval, if it has one; empty if undefined.
pub(crate) fn percent(score: Option<Score>) -> String {
    score.map_or_else(String::new, |Score { mean, low, high }| {
        let interval = format!(" ({:.0} to {:.0}%)", 100.0 * low, 100.0 * high);
        format!("{:.0}%{}", 100.0 * mean, if low < high { interval } else { String::new() })
    })
}

/// Number with its interval, if it has one.
pub(crate) fn share(score: Option<Score>) -> String {
    share_above(score, f64::NEG_INFINITY)
}

/// Least R2 that is written out. A lower one says only that predictions are useless; its size has
/// no meaning.
const LEAST_R_SQUARED: f64 = -10.0;

/// Number with its interval. Numbers below `least` are written as `below {least}`.
fn share_above(score: Option<Score>, least: f64) -> String {
    let number = |x: f64| if x < least { format!("below {least}") } else { fixed(x, 2) };
    score.map_or_else(
        || "undefined".to_owned(),
        |Score { mean, low, high }| {
            let [mean_words, low_words, high_words] = [mean, low, high].map(number);
            match low < high {
                true => format!("{mean_words} ({low_words} to {high_words})"),
                false => mean_words,
            }
        },
    )
}

#[cfg(test)]
pub(crate) mod tests {
    use treegauge_learn::scores::Confusion;

    use super::*;

    #[test]
    fn an_r_squared_far_below_0_is_not_written_out() {
        // All resamples agree, or there were too few games for an interval.
        let same = Some(Score { mean: 0.5, low: 0.5, high: 0.5 });
        assert_eq!((percent(same), share(same)), ("50%".to_owned(), "0.50".to_owned()));
        let score = Score { mean: -694_516.2, low: -2e6, high: -0.31 };
        assert_eq!(share_above(Some(score), LEAST_R_SQUARED), "below -10 (below -10 to -0.31)");
    }

    /// Report on as many playable as unplayable games with one result, that of the best learner.
    pub(crate) fn report(best: &ClassResult, of_each: usize) -> EvaluateReport {
        let games = DatasetGames {
            iterations: 1_000,
            split: Split::None,
            shapes: Shapes::Trees,
            playable: of_each,
            unplayable: of_each,
            missing: 0,
        };
        let text = format!(
            "{{\"schema\":1,\"kind\":\"evaluation\",\"seed\":1,\"draws\":9,\"permutations\":0,\"games\":{},\
             \"datasets\":{},\"trees\":[],\"quality\":[]}}",
            serde_json::to_string(&[games]).unwrap(),
            serde_json::to_string(&[best]).unwrap()
        );
        serde_json::from_str(&text).unwrap()
    }

    pub(crate) fn score([low, high]: [f64; 2]) -> Option<Score> {
        Some(Score { mean: f64::midpoint(low, high), low, high })
    }

    /// Result of the best learner with these intervals of its accuracy and its AUC.
    pub(crate) fn best(accuracy: [f64; 2], auc: [f64; 2]) -> ClassResult {
        ClassResult {
            iterations: 1_000,
            split: Split::None,
            shapes: Shapes::Trees,
            learner: "best".to_owned(),
            protocol: Protocol::Nested,
            confusion: Confusion::default(),
            accuracy: score(accuracy),
            balanced_accuracy: None,
            auc: score(auc),
            brier: None,
            p: None,
            permutation_p: None,
            tie_breaks: None,
            published: None,
            by_source: Vec::new(),
            predictions: Vec::new(),
        }
    }

    fn said(accuracy: [f64; 2], auc: [f64; 2], of_each: usize) -> String {
        let report = report(&best(accuracy, auc), of_each);
        OfDataset::all(&report).next().unwrap().verdict().words()
    }

    #[test]
    fn games_of_one_group_have_no_share_of_right_answers() {
        let [some, none] = [(LabelSource::Origin, Some([0.6, 0.8])), (LabelSource::Ratings, None)]
            .map(|(by, range)| {
                let accuracy = range.and_then(score);
                SourceScore { by, playable: 5, unplayable: 2, accuracy, auc: accuracy }
            });
        let best = ClassResult { by_source: vec![some, none], ..best([0.6, 0.9], [0.6, 0.9]) };
        let notes = OfDataset::all(&report(&best, 10)).next().unwrap().notes();
        assert_eq!(
            notes,
            [
                "The best learner by the source of the labels: origin (7 games) right about 70% (60 to 80%), AUC 0.70 \
              (0.60 to 0.80); people's ratings (7 games of one group) cannot tell."
            ]
        );
    }

    #[test]
    fn accuracy_and_area_must_not_contradict_each_other() {
        for (accuracy, auc, expected) in [
            ([0.6, 0.9], [0.6, 0.9], "Yes: search trees tell"),
            ([0.55, 0.8], [0.35, 0.9], "Cannot tell: the predictions are right more often"),
            ([0.4, 0.7], [0.6, 0.9], "Yes: search trees rank"),
            ([0.2, 0.4], [0.6, 0.9], "Cannot tell: the predictions rank"),
            ([0.2, 0.4], [0.3, 0.6], "No: predictions from search trees are worse"),
            ([0.4, 0.6], [0.4, 0.6], "Cannot tell whether search trees tell"),
        ] {
            let found = said(accuracy, auc, 30);
            assert!(found.starts_with(expected), "{accuracy:?} {auc:?}: {found}");
        }
        // Too few games to see a useful learner give no reason for a no.
        assert_eq!(
            said([0.2, 0.4], [0.3, 0.6], 5),
            "Cannot tell: 10 games are too few; it takes about 47 to see a learner that is right about 70%, where a \
             constant answer is right about 50%."
        );
    }

    #[test]
    fn small_p_values_are_not_zero() {
        assert_eq!([0.001, 0.01, 0.5].map(p_words), ["< 0.01", "0.01", "0.50"]);
    }
}
