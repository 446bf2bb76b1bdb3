//! Games with labels: what learners learn from, and where each label comes from.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use treegauge_catalog::GameSpec;
use treegauge_gauge::vetted::LabelSource;
use treegauge_gauge::{Thresholds, thresholds};
use treegauge_solve::Value;

use crate::aggregate::Aggregate;

/// A list of labelled games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Corpus {
    /// The games.
    #[serde(rename = "game", default)]
    pub games: Vec<LabelledGame>,
}

/// A game with its labels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabelledGame {
    /// The game as the registry writes it.
    pub game: String,
    /// What its source calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether it is playable.
    pub playable: bool,
    /// Its quality, 1 to 5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<f64>,
    /// Games that are variants of each other have one group: a learner that has seen one of them has
    /// seen something of the others.
    pub group: String,
    /// Where its label comes from.
    #[serde(default)]
    pub by: LabelSource,
    /// Why it has its label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The exact value behind a label by solution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solved: Option<SolvedLabel>,
}

/// What a solve of a game from its start finds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolvedLabel {
    /// The value for the player to move.
    pub value: Value,
    /// The plies of best play; nothing for endless play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remoteness: Option<u16>,
    /// The positions that can be reached.
    pub positions: u64,
    /// Those of them that are won or lost.
    pub decided: u64,
}

impl SolvedLabel {
    /// Whether the game is playable by its exact value, or nothing where the value does not say. It is
    /// unplayable where best play wins within 6 plies, or nobody wins with best play and less than 2% of
    /// the positions are won or lost; the same share of them where repetition or quiet plies decide. It is
    /// playable where best play wins after 12 plies or more, or nobody wins, not before ply 10, and 30% or
    /// more of the positions are won or lost.
    ///
    /// The limits are this project's own.
    #[must_use]
    pub fn playable(&self) -> Option<bool> {
        let share = self.decided as f64 / self.positions as f64;
        match (self.value, self.remoteness) {
            (Value::Win | Value::Lose, Some(0..=6)) => Some(false),
            (Value::Win | Value::Lose, Some(12..)) => Some(true),
            (Value::Tie | Value::Draw, _) | (_, None) if share < 0.02 => Some(false),
            (Value::Tie, Some(10..)) | (Value::Draw, _) if share >= 0.30 => Some(true),
            _ => None,
        }
    }
}

/// Why a corpus cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CorpusError {
    /// It is no TOML, or lacks a field.
    #[error("{}", .0.to_string().trim_end())]
    Toml(#[from] toml::de::Error),
    /// It has no game.
    #[error("it lists no game; the lines of one begin with `[[game]]`")]
    Empty,
    /// A game stands there twice.
    #[error("the game {0:?} is listed twice")]
    Twice(String),
    /// A label contradicts the exact value beside it.
    #[error("the exact value of {0:?} does not make it what its label says")]
    Solved(String),
    /// A label says that it comes from conditions of self-play.
    #[error(
        "the label of {0:?} is by conditions, which are computed from self-play and not listed"
    )]
    Conditions(String),
    /// A rating lies outside the scale.
    #[error("the rating of {game:?} is {rating}, and ratings are 1 to 5")]
    Rating {
        /// The game.
        game: String,
        /// Its rating.
        rating: f64,
    },
}

impl Corpus {
    /// Reads a corpus in TOML.
    ///
    /// # Errors
    ///
    /// When the text is no such list, it has no game, or a game stands there twice.
    ///
    /// ```
    /// use treegauge_dataset::Corpus;
    ///
    /// let text = "[[game]]\ngame = \"othello\"\nplayable = true\ngroup = \"othello\"\n";
    /// assert_eq!(Corpus::parse(text).unwrap().games.len(), 1);
    /// ```
    pub fn parse(text: &str) -> Result<Corpus, CorpusError> {
        let corpus: Corpus = toml::from_str(text)?;
        if corpus.games.is_empty() {
            return Err(CorpusError::Empty);
        }
        let mut seen = rustc_hash::FxHashSet::default();
        for game in &corpus.games {
            if !seen.insert(&game.game) {
                return Err(CorpusError::Twice(game.game.clone()));
            }
            if game.by == LabelSource::Conditions {
                return Err(CorpusError::Conditions(game.game.clone()));
            }
            if let Some(rating) = game.rating.filter(|rating| !(1.0..=5.0).contains(rating)) {
                return Err(CorpusError::Rating { game: game.game.clone(), rating });
            }
            if game.solved.is_some_and(|solved| solved.playable() != Some(game.playable)) {
                return Err(CorpusError::Solved(game.game.clone()));
            }
        }
        Ok(corpus)
    }
}

/// The flaws that Williams 2010, chapter 3, calls drawish, biased, short and long.
const CONDITIONS: [&str; 5] = ["drawish", "biased_first", "biased_second", "too_short", "too_long"];

/// A dataset lacks a measure of its play.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the dataset has no attribute play.{0}")]
pub struct NoMeasure(String);

impl Corpus {
    /// Labels by the four conditions of Williams 2010: a game is playable that is neither drawish nor biased
    /// nor short nor long, by the means of its self-play and the default limits of a gauge. Groups are
    /// those of the same games in `groups`; any other game has the group of its family.
    ///
    /// # Errors
    ///
    /// When the dataset lacks a measure.
    pub fn by_conditions(play: &Aggregate, groups: &Corpus) -> Result<Corpus, NoMeasure> {
        let canonical = |text: &str| GameSpec::parse(text).ok().map(|spec| spec.canonical());
        let groups: BTreeMap<String, &str> = groups
            .games
            .iter()
            .filter_map(|game| Some((canonical(&game.game)?, &game.group[..])))
            .collect();
        let limits = Thresholds::default();
        let flags = thresholds().flat_map(|(measure, threshold)| {
            threshold.flags.iter().map(move |flag| (measure, threshold, flag))
        });
        let mut conditions = Vec::new();
        for (measure, threshold, flag) in flags {
            if CONDITIONS.contains(&flag.name) {
                let name = format!("play.{}", measure.name);
                let place = play.attributes.iter().position(|attribute| *attribute == name);
                let place = place.ok_or_else(|| NoMeasure(measure.name.to_owned()))?;
                conditions.push((place, limits.get(threshold.name), flag));
            }
        }
        let games = play.games.iter().map(|row| {
            let flaws: Vec<&str> = conditions
                .iter()
                .filter(|(place, limit, flag)| {
                    flag.side.is_flaw(flag.side.value_of_flaw(row.attributes[*place]), *limit)
                })
                .map(|(_, _, flag)| flag.words)
                .collect();
            let family = row.game.split('(').next().unwrap_or(&row.game);
            LabelledGame {
                game: row.game.clone(),
                name: None,
                playable: flaws.is_empty(),
                rating: None,
                group: groups.get(&row.game).copied().unwrap_or(family).to_owned(),
                by: LabelSource::Conditions,
                reason: (!flaws.is_empty()).then(|| flaws.join(", ")),
                solved: None,
            }
        });
        Ok(Corpus { games: games.collect() })
    }
}

/// The 28 games of Williams 2010.
pub static WILLIAMS_2010: LazyLock<Corpus> = LazyLock::new(|| {
    Corpus::parse(include_str!("../data/williams_2010.toml"))
        .expect("the list next to the code is a corpus")
});

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use treegauge_solve::{AnySolved, Endless, Options};

    use super::*;
    use crate::aggregate::GameAggregate;

    #[test]
    fn the_games_of_williams_are_games() {
        let games = &WILLIAMS_2010.games;
        let playable = games.iter().filter(|game| game.playable);
        assert!(playable.clone().all(|game| game.rating.is_some()));
        assert_eq!((games.len(), playable.count()), (28, 17));
        let names: BTreeSet<String> =
            games.iter().map(|game| GameSpec::parse(&game.game).unwrap().canonical()).collect();
        assert_eq!(names.len(), 28);
        // Each broken game is in the group of the game that was broken.
        for broken in games.iter().filter(|game| !game.playable) {
            assert_eq!(broken.game.strip_prefix("broken_"), Some(&broken.group[..]));
            assert!(games.iter().any(|game| game.playable && game.group == broken.group));
        }
    }

    fn large() -> Corpus {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/corpus.toml");
        Corpus::parse(&std::fs::read_to_string(path).unwrap()).unwrap()
    }

    #[test]
    fn the_large_corpus_has_games_of_all_kinds_each_once() {
        let games = large().games;
        let names: BTreeSet<String> =
            games.iter().map(|game| GameSpec::parse(&game.game).unwrap().canonical()).collect();
        assert_eq!(names.len(), games.len());
        assert!(games.iter().all(|game| names.contains(&game.game)), "each has its canonical name");
        let count = |by, playable| {
            games.iter().filter(|game| game.by == by && game.playable == playable).count()
        };
        for playable in [true, false] {
            assert!(count(LabelSource::Origin, playable) >= 35);
            assert!(count(LabelSource::Solution, playable) >= 100);
            assert!(count(LabelSource::Ratings, playable) >= 20);
        }
        assert!(games.iter().all(|game| game.reason.is_some()));
        // Those of Williams are among them with his labels.
        for known in &WILLIAMS_2010.games {
            let name = GameSpec::parse(&known.game).unwrap().canonical();
            let found = games.iter().find(|game| game.game == name).unwrap();
            assert_eq!((found.playable, &found.group), (known.playable, &known.group));
        }
        let solved = |game: &&LabelledGame| game.by == LabelSource::Solution;
        assert!(games.iter().filter(solved).all(|game| game.solved.is_some()));
    }

    #[test]
    fn labels_by_solution_come_out_again() {
        let mut solved = 0;
        for game in large().games {
            let Some(label) = game.solved.filter(|label| label.positions <= 5_000) else {
                continue;
            };
            let engine = treegauge_engine::open(&GameSpec::parse(&game.game).unwrap()).unwrap();
            let start = engine.code(&engine.start());
            let found = engine.rules().solve(&start, Options::default(), &()).unwrap();
            let AnySolved::Done(solution) = found else { panic!("{} is not solved", game.game) };
            let digest = solution.digest(None, &()).unwrap();
            let found = solution.report(game.game.clone(), digest, None);
            assert!(
                found.start.value != Value::Draw
                    || found.endless != Endless::Undecided
                    || found.start.by_history.is_some(),
                "the value of {} is not known",
                game.game
            );
            let value = found.start.by_history.unwrap_or(found.start.value);
            let root = (value, found.start.remoteness, found.positions);
            assert_eq!(root, (label.value, label.remoteness, label.positions), "{}", game.game);
            assert_eq!(found.win + found.lose, label.decided, "{}", game.game);
            solved += 1;
        }
        assert!(solved > 60, "{solved}");
    }

    #[test]
    fn conditions_are_those_of_a_gauge() {
        let row = |game: &str, [draw_rate, first_player, median]: [f64; 3]| GameAggregate {
            game: GameSpec::parse(game).unwrap().canonical(),
            instances: 20,
            trees: 60,
            results: None,
            attributes: vec![median, draw_rate, first_player],
        };
        let names = ["play.plies.median", "play.draw_rate", "play.first_player"];
        let mut play = Aggregate {
            iterations: 100,
            attributes: names.map(str::to_owned).to_vec(),
            games: vec![
                row("othello", [0.1, 0.5, 60.0]),
                row("achi", [0.7, 0.5, 60.0]),
                row("broken_achi", [0.0, 0.9, 60.0]),
                row("forms", [0.0, 0.1, 60.0]),
                row("mnk", [0.0, 0.9, 3.0]),
                row("alak", [0.6, 0.75, 300.0]),
            ],
        };
        let labels = Corpus::by_conditions(&play, &WILLIAMS_2010).unwrap().games;
        let words = |n: usize| labels[n].reason.as_deref();
        assert_eq!(words(0), None);
        assert_eq!(words(1), Some("drawish"));
        assert_eq!(words(2), Some("biased towards the first player"));
        assert_eq!(words(3), Some("biased towards the second player"));
        assert_eq!(words(4), Some("biased towards the first player, too short"));
        // Equal to the limits is no flaw.
        assert_eq!(words(5), None);
        assert!(labels.iter().all(|game| game.playable == game.reason.is_none()));
        // A game and its broken twin are one group; a game that is not listed has its family.
        let groups: Vec<&str> = labels.iter().map(|game| &game.group[..]).collect();
        assert_eq!(groups, ["othello", "achi", "achi", "forms", "mnk", "alak"]);
        play.attributes.swap_remove(1);
        assert_eq!(
            Corpus::by_conditions(&play, &WILLIAMS_2010).unwrap_err().to_string(),
            "the dataset has no attribute play.draw_rate"
        );
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let one = "[[game]]\ngame = \"othello\"\nplayable = true\ngroup = \"othello\"\n";
        let refused = |text: &str| Corpus::parse(text).unwrap_err().to_string();
        assert!(refused("").starts_with("it lists no game"));
        assert_eq!(refused(&one.repeat(2)), "the game \"othello\" is listed twice");
        assert!(refused(&format!("{one}rating = 9\n")).contains("ratings are 1 to 5"));
        assert!(refused("[[game]]\ngame = \"othello\"\n").contains("playable"));
        assert!(refused(&format!("{one}by = \"conditions\"\n")).contains("not listed"));
        let label = "solved = { value = \"win\", remoteness = 3, positions = 9, decided = 9 }\n";
        assert!(refused(&format!("{one}{label}")).contains("does not make it what its label says"));
        assert!(refused(&format!("{one}fun = 9\n")).contains("unknown field `fun`"));
    }
}
