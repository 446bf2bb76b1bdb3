//! Results of predicting people's ratings of games, in words and tables.

use treegauge_dataset::evaluate::{AttributeSet, EvaluateReport, RatingProtocol, RatingResult};
use treegauge_doc::{Cell, Column, Table, Wrap};
use treegauge_gauge::vetted::Question;
use treegauge_learn::Score;

use crate::evaluate::share;
use crate::words::{counted, grouped};

/// Results of one question to people.
pub(crate) struct OfQuestion<'a> {
    report: &'a EvaluateReport,
    question: Question,
}

impl OfQuestion<'_> {
    /// Questions that have results.
    pub(crate) fn all(report: &EvaluateReport) -> impl Iterator<Item = OfQuestion<'_>> {
        Question::BOTH
            .into_iter()
            .map(move |question| OfQuestion { report, question })
            .filter(|one| one.results().next().is_some())
    }

    fn results(&self) -> impl Iterator<Item = &RatingResult> {
        self.report.ratings.iter().filter(|result| result.question == self.question)
    }

    fn find(
        &self,
        set: AttributeSet,
        learner: &str,
        protocol: RatingProtocol,
    ) -> Option<&RatingResult> {
        self.results().find(|result| {
            result.attributes == set && result.learner == learner && result.protocol == protocol
        })
    }

    /// Question and number of games.
    pub(crate) fn title(&self) -> String {
        let games = self.results().next().map_or(0, |result| result.games);
        let games = counted(games as u64, "game");
        match self.question {
            Question::Fun => format!("Fun that people expect, 0 to 100 ({games})"),
            Question::Payoff => {
                format!("Result that people expect for the first player, -1 to 1 ({games})")
            }
        }
    }

    /// Share of the differences between games that is predicted.
    pub(crate) fn verdict(&self) -> String {
        let nested = self.results().find(|result| result.protocol == RatingProtocol::Nested);
        let Some(score) = nested.and_then(|result| result.r_squared) else {
            return "cannot tell, because all games have the same rating.".to_owned();
        };
        format!(
            "predictions for held-out games explain {} of the differences between games (R2).",
            share(Some(score))
        )
    }

    /// Published results, with the choice of attributes and learner, in a sentence.
    fn published_words(&self) -> String {
        let published: Vec<String> = self
            .question
            .published()
            .iter()
            .map(|(model, r_squared)| format!("{model} {r_squared:.2}"))
            .collect();
        format!(
            "Attributes and learner were chosen without the held-out games. Published fits to the games themselves: {}.",
            published.join(", ")
        )
    }

    /// Table with a row per set of attributes and learner.
    pub(crate) fn table(&self) -> Table {
        let columns = [
            Column::left("attributes"),
            Column::left("learner"),
            Column::interval("R2, one tenth held out"),
            Column::interval("R2, one category held out"),
        ];
        let mut table = Table::new(self.question.name(), columns).wrapped(Wrap::Cards);
        let text = |score: Option<Score>| Cell::number(share(score), score.map(|score| score.mean));
        for one in self.results().filter(|one| one.protocol == RatingProtocol::TenFold) {
            let out = self.find(one.attributes, &one.learner, RatingProtocol::CategoryOut);
            table.push([
                Cell::from(one.attributes.words()),
                Cell::from(one.learner.as_str()),
                text(one.r_squared),
                out.map_or_else(|| Cell::number("", None), |out| text(out.r_squared)),
            ]);
        }
        table
    }

    /// Notes about the rows of the table.
    pub(crate) fn notes(&self) -> Vec<String> {
        let mut notes = vec![self.published_words()];
        let mean = |set| {
            let one = self.find(set, "mixture", RatingProtocol::TenFold)?;
            one.r_squared.map(|score| score.mean)
        };
        if let (Some(without), Some(with)) =
            (mean(AttributeSet::RulesAndPlayers), mean(AttributeSet::All))
        {
            notes.push(format!(
                "Search trees change the mixture's R2 from {without:.2}, by rules and players, to {with:.2}."
            ));
        }
        let weights = self.report.rating_weights.iter();
        let most: Vec<String> = weights
            .filter(|weight| weight.question == self.question)
            .take(6)
            .map(|weight| format!("{} ({:.3})", weight.attribute, weight.loss))
            .collect();
        if !most.is_empty() {
            notes.push(format!(
                "Most important attributes (R2 lost if a game gets those of another game): {}.",
                most.join(", ")
            ));
        }
        let curve: Vec<String> = self
            .curve()
            .map(|(games, r_squared)| format!("{} {r_squared:.2}", counted(games as u64, "game")))
            .collect();
        if !curve.is_empty() {
            notes.push(format!("R2 by the number of games learned from: {}.", curve.join(", ")));
        }
        notes
    }

    /// Learning curve: numbers of games, each with its R2.
    pub(crate) fn curve(&self) -> impl Iterator<Item = (usize, f64)> {
        let own = self.report.learning_curve.iter().filter(|one| one.question == self.question);
        own.map(|one| (one.games, one.r_squared))
    }
}

/// Note about all numbers on ratings.
pub(crate) fn ratings_footnote(report: &EvaluateReport) -> String {
    format!(
        "R2 is 1 less the squared errors as a part of those of the mean rating: 1 is perfect, and less than 0 \
         is worse than the mean. Intervals are 95%, by the bootstrap over categories ({} resamples). Of the \
         learners `kernel_ridge` is ridge regression with a Gaussian kernel, `extra_trees` are trees with random \
         thresholds, `boosting` are boosted trees, and `mixture` is the mean of these three. Seed {}.",
        grouped(report.draws as u64),
        report.seed
    )
}
