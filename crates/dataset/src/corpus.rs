//! Corpora of labelled games to learn from, with the source of each label.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use treegauge_catalog::GameSpec;
use treegauge_gauge::vetted::LabelSource;
use treegauge_gauge::{Thresholds, thresholds};
use treegauge_solve::Value;

use crate::aggregate::Aggregate;

/// List of labelled games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Corpus {
    /// Games, each once.
    #[serde(rename = "game", default)]
    pub games: Vec<LabelledGame>,
}

/// Game with its labels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabelledGame {
    /// Game in the notation of the catalog.
    pub game: String,
    /// Name of the game in its source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether it is playable.
    pub playable: bool,
    /// Quality, 1 to 5; `None` if it is not rated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<f64>,
    /// Group of variants of each other: a learner that has seen one of them knows something of the
    /// others.
    pub group: String,
    /// Source of the label.
    #[serde(default)]
    pub by: LabelSource,
    /// Rules of the game in its source, in other words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub says: Option<String>,
    /// Rules that are played here, and the parameters of other readings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub here: Option<String>,
    /// Reason for the label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Exact value behind a label by solution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solved: Option<SolvedLabel>,
}

/// Result of solving a game from its start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolvedLabel {
    /// Value for the player to move.
    pub value: Value,
    /// Plies of best play; `None` for endless play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remoteness: Option<u16>,
    /// Number of reachable positions.
    pub positions: u64,
    /// Number of reachable positions that are won or lost.
    pub decided: u64,
}

impl SolvedLabel {
    /// Tests whether the game is playable by its exact value; `None` if the value does not decide
    /// it.
    ///
    /// It is unplayable if best play wins within 6 plies. It is also unplayable if less than 2% of
    /// the positions are won or lost, and nobody wins with best play or best play is endless. It is
    /// playable if best play wins after 12 plies or more. It is also playable if 30% or more of the
    /// positions are won or lost, and best play is a tie after 10 plies or more, or a draw.
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

/// Reason that a corpus cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CorpusError {
    /// The text is not TOML, or lacks a field.
    #[error("{}", .0.to_string().trim_end())]
    Toml(#[from] toml::de::Error),
    /// The list is empty.
    #[error("it lists no games; each game begins with a line `[[game]]`")]
    Empty,
    /// A game is listed twice.
    #[error("the game {0:?} is listed twice")]
    Twice(String),
    /// A label contradicts the exact value beside it.
    #[error("the label of {0:?} contradicts its exact value")]
    Solved(String),
    /// A label claims to come from conditions of self-play.
    #[error(
        "the label of {0:?} is by conditions, which are computed from self-play and not listed"
    )]
    Conditions(String),
    /// A rating is outside the scale.
    #[error("the rating of {game:?} is {rating}, and ratings are 1 to 5")]
    Rating {
        /// Game in the notation of the catalog.
        game: String,
        /// Rating of the game.
        rating: f64,
    },
}

impl Corpus {
    /// Reads a corpus in TOML.
    ///
    /// # Errors
    ///
    /// When the text is not such a list, the list is empty, a game is listed twice, or a label or
    /// rating is invalid.
    ///
    /// ```
    /// use treegauge_dataset::Corpus;
    ///
    /// let text = "[[game]]\ngame = \"othello\"\nplayable = true\ngroup = \"othello\"\n";
    /// assert_eq!(Corpus::parse(text).unwrap().games.len(), 1);
    /// ```
    pub fn parse(text: &str) -> Result<Corpus, CorpusError> {
        Corpus::checked(toml::from_str(text)?)
    }

    /// Corpus of some labelled games.
    ///
    /// # Errors
    ///
    /// As [`Corpus::parse`], for games that are not given as text.
    pub fn of(games: Vec<LabelledGame>) -> Result<Corpus, CorpusError> {
        Corpus::checked(Corpus { games })
    }

    fn checked(corpus: Corpus) -> Result<Corpus, CorpusError> {
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

/// Flaws that Williams 2010, chapter 3, calls drawish, biased, short and long.
const CONDITIONS: [&str; 5] = ["drawish", "biased_first", "biased_second", "too_short", "too_long"];

/// Error: the dataset lacks a measure of its play.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the dataset has no attribute play.{0}")]
pub struct NoMeasure(String);

impl Corpus {
    /// Labels games by the four conditions of Williams 2010. A game is playable if it is neither
    /// drawish nor biased nor short nor long, by the means of its self-play and the default limits
    /// of a gauge. A game of `groups` keeps its group; any other game has the group of its family.
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
                says: None,
                here: None,
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
        assert!(games.iter().all(|game| game.says.is_some() && game.here.is_some()));
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

    /// Game of the corpus; paths of texts begin at the root of the repository.
    fn spec_of(game: &LabelledGame) -> GameSpec {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let read = |path: &str| std::fs::read_to_string(format!("{root}/{path}"));
        let spec = GameSpec::parse_with(&game.game, &mut |path| {
            read(path).map_err(|error| error.to_string())
        });
        spec.unwrap_or_else(|error| panic!("{}: {error}", game.game))
    }

    #[test]
    fn the_large_corpus_has_games_of_all_kinds_each_once() {
        let games = large().games;
        let names: BTreeSet<String> = games.iter().map(|game| spec_of(game).canonical()).collect();
        assert_eq!(names.len(), games.len());
        let by_name = |game: &&LabelledGame| !game.game.ends_with(".rules");
        for game in games.iter().filter(by_name) {
            let canonical = spec_of(game).canonical();
            assert_eq!(treegauge_core::readable_name(&canonical), game.game);
        }
        let count = |by, playable| {
            games.iter().filter(|game| game.by == by && game.playable == playable).count()
        };
        for playable in [true, false] {
            assert!(count(LabelSource::Origin, playable) >= 60);
            assert!(count(LabelSource::Solution, playable) >= 65);
            assert!(count(LabelSource::Ratings, playable) >= 20);
        }
        assert!(games.iter().all(|game| game.reason.is_some()));
        // The games of Williams are among them, with his labels.
        for known in &WILLIAMS_2010.games {
            let name = GameSpec::parse(&known.game).unwrap().canonical();
            // A game whose rules differ in his text is there by its published rules.
            let family = name.split('(').next().unwrap();
            let is_it =
                |game: &&LabelledGame| game.game == name || known.playable && game.game == family;
            let found = games.iter().find(is_it).unwrap_or_else(|| panic!("no {name}"));
            assert_eq!((found.playable, &found.group), (known.playable, &known.group));
        }
        // A text is a published game that was broken, which is in its group.
        let texts: Vec<&LabelledGame> = games.iter().filter(|game| !by_name(game)).collect();
        assert!(texts.len() >= 25);
        for broken in texts {
            assert!(!broken.playable && broken.by == LabelSource::Origin, "{}", broken.game);
            let reason = broken.reason.as_deref().unwrap();
            let of = reason.strip_prefix("broken ").and_then(|rest| rest.split(": ").next());
            let published = games.iter().find(|game| Some(&game.game[..]) == of);
            let published = published.unwrap_or_else(|| panic!("{reason}"));
            assert!(published.playable && published.group == broken.group, "{}", broken.game);
        }
        let solved = |game: &&LabelledGame| game.by == LabelSource::Solution;
        assert!(games.iter().filter(solved).all(|game| game.solved.is_some()));
    }

    #[test]
    fn labels_by_solution_come_out_again() {
        let mut solved = 0;
        for game in large().games {
            let Some(label) = game.solved.filter(|label| label.positions <= 20_000) else {
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
        // A value equal to the limit is not a flaw.
        assert_eq!(words(5), None);
        assert!(labels.iter().all(|game| game.playable == game.reason.is_none()));
        // A game and its broken twin share a group; the group of an unlisted game is its family.
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
        assert!(refused(&format!("{one}{label}")).contains("contradicts its exact value"));
        assert!(refused(&format!("{one}fun = 9\n")).contains("unknown field `fun`"));
    }
}
