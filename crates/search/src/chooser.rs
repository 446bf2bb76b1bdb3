//! What chooses a move in a game: a small trait and its text forms.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;
use treegauge_core::{Call, CallError, Evaluator, Game, Keyed, Played, below};

use crate::random::Generator;
use crate::uct::{DEFAULT_CP, Search};
use crate::{AlphaBeta, AlphaBetaLimits, AlphaBetaOptions, AlphaBetaReport, Budget, Uct};

/// A move with what is known about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice<M> {
    /// The move.
    pub m: M,
    /// The value expected of it for the player who makes it, -1 to 1, where the chooser has
    /// one.
    pub value: Option<f64>,
}

/// What a choice took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Nodes that were looked at, as the chooser counts them: iterations of UCT, positions of
    /// alpha-beta.
    pub nodes: u64,
    /// The plies to which everything was searched, where that has a meaning.
    pub depth: Option<u32>,
}

/// Chooses moves: a person, chance, a search.
pub trait Chooser<G: Game> {
    /// Chooses a move in a game that has not ended; `None` gives the game up.
    fn choose(
        &mut self,
        game: &G,
        played: &Played<G>,
        rng: &mut Generator,
    ) -> Option<Choice<G::Move>>;

    /// What the last choice took.
    fn last_spent(&self) -> Spent {
        Spent::default()
    }

    /// The search behind the last choice, if there was one.
    fn last_search(&self) -> Option<Search<'_, G>> {
        None
    }
}

/// Chooses uniformly.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomChooser;

impl<G: Game> Chooser<G> for RandomChooser {
    fn choose(
        &mut self,
        game: &G,
        played: &Played<G>,
        rng: &mut Generator,
    ) -> Option<Choice<G::Move>> {
        game.random_move(played.state(), rng).map(|m| Choice { m, value: None })
    }
}

/// Chooses by a UCT search from an empty tree each time.
#[derive(Clone, Debug)]
pub struct UctChooser<G: Game> {
    uct: Uct<G>,
}

impl<G: Game> UctChooser<G> {
    /// A chooser around a search.
    #[must_use]
    pub fn new(uct: Uct<G>) -> Self {
        UctChooser { uct }
    }
}

impl<G: Game> Search<'_, G> {
    /// The move to play and its value. With fewer than two iterations, when no move was tried,
    /// a move is drawn; `None` only where there is no move.
    pub fn choose(
        &self,
        game: &G,
        played: &Played<G>,
        rng: &mut Generator,
    ) -> Option<Choice<G::Move>> {
        if let Some(id) = self.best_child() {
            let node = self.tree().node(id);
            let value = f64::from(self.turn().sign()) * node.mean();
            return Some(Choice { m: node.last_move(), value: Some(value) });
        }
        let mut moves = Vec::new();
        game.moves_into(played.state(), &mut moves);
        let n = below(rng, u32::try_from(moves.len()).ok().filter(|&n| n > 0)?);
        Some(Choice { m: moves[n as usize], value: None })
    }
}

impl<G: Game> Chooser<G> for UctChooser<G> {
    fn choose(
        &mut self,
        game: &G,
        played: &Played<G>,
        rng: &mut Generator,
    ) -> Option<Choice<G::Move>> {
        self.uct.search(game, played, rng).choose(game, played, rng)
    }

    fn last_spent(&self) -> Spent {
        Spent { nodes: u64::from(self.uct.last().iterations()), depth: None }
    }

    fn last_search(&self) -> Option<Search<'_, G>> {
        Some(self.uct.last())
    }
}

/// Makes what is asked during one search whether to stop.
type Stops = Box<dyn FnMut() -> Box<dyn FnMut() -> bool> + Send>;

/// Chooses by alpha-beta. What one search learns of positions helps the next ones of its game.
pub struct AlphaBetaChooser<G: Keyed> {
    search: AlphaBeta<G>,
    evaluator: Arc<dyn Evaluator<G>>,
    limits: AlphaBetaLimits,
    stops: Stops,
    last: Option<AlphaBetaReport<G::Move>>,
}

impl<G: Keyed> AlphaBetaChooser<G> {
    /// A chooser with `limits` for each move.
    #[must_use]
    pub fn new(
        options: AlphaBetaOptions,
        evaluator: Arc<dyn Evaluator<G>>,
        limits: AlphaBetaLimits,
    ) -> Self {
        AlphaBetaChooser {
            search: AlphaBeta::new(options),
            evaluator,
            limits,
            stops: Box::new(|| Box::new(|| false)),
            last: None,
        }
    }

    /// The same with searches that can be ended: `begin` is called at the beginning of each and
    /// gives the closure that is asked in it, as by [`AlphaBeta::search_until`].
    #[must_use]
    pub fn with_stops(
        mut self,
        begin: impl FnMut() -> Box<dyn FnMut() -> bool> + Send + 'static,
    ) -> Self {
        self.stops = Box::new(begin);
        self
    }

    /// Forgets what it knows from earlier games, so that the next one does not depend on them.
    pub fn forget(&mut self) {
        self.search.forget();
    }

    /// What the search behind the last choice found, if there was one.
    #[must_use]
    pub fn last_report(&self) -> Option<&AlphaBetaReport<G::Move>> {
        self.last.as_ref()
    }
}

impl<G: Keyed> fmt::Debug for AlphaBetaChooser<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("AlphaBetaChooser");
        debug.field("evaluator", &self.evaluator).field("limits", &self.limits);
        debug.finish_non_exhaustive()
    }
}

impl<G: Keyed> Chooser<G> for AlphaBetaChooser<G> {
    /// The value is known only where the search has proved it: an evaluator's is on no scale.
    fn choose(
        &mut self,
        game: &G,
        played: &Played<G>,
        _: &mut Generator,
    ) -> Option<Choice<G::Move>> {
        let mut stop = (self.stops)();
        let evaluator = self.evaluator.as_ref();
        let report = self.search.search_until(game, played, evaluator, self.limits, &mut stop);
        let value = report.decided().map(f64::from);
        let choice = report.best.map(|m| Choice { m, value });
        self.last = Some(report);
        choice
    }

    fn last_spent(&self) -> Spent {
        self.last.as_ref().map_or(Spent::default(), |report| Spent {
            nodes: report.nodes,
            depth: Some(report.depth),
        })
    }
}

/// A player as it is written: `human`, `random` or `uct(iterations=N,cp=X)`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ChooserSpec {
    /// A person, whom the program asks.
    Human,
    /// [`RandomChooser`].
    Random,
    /// [`UctChooser`].
    Uct {
        /// Iterations a move, 1 or more.
        iterations: u32,
        /// The exploration constant on rewards in \[0, 1\].
        cp: f64,
    },
}

/// Why a text is no player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ChooserError {
    /// It is not even of the form `name(param=value,...)`.
    #[error("bad player {text:?}: {error}")]
    Form {
        /// The text.
        text: String,
        /// What is wrong with it.
        error: CallError,
    },
    /// There is no such player.
    #[error("there is no player {name:?}; players are {}", ChooserSpec::FORMS.join(", "))]
    Name {
        /// The name.
        name: String,
    },
    /// The player has no such parameter.
    #[error("player `{player}` has no parameter {name:?} (character {at})")]
    Parameter {
        /// The player.
        player: String,
        /// The parameter.
        name: String,
        /// The character at which it stands.
        at: usize,
    },
    /// A value is out of range or not a number.
    #[error(
        "`{name}` of player `{player}` cannot be {value:?} (character {at}): it takes {expected}"
    )]
    Value {
        /// The player.
        player: String,
        /// The parameter.
        name: String,
        /// The value.
        value: String,
        /// The character at which the parameter stands.
        at: usize,
        /// What it takes.
        expected: String,
    },
}

impl ChooserSpec {
    /// The forms that [`ChooserSpec::parse`] reads.
    pub const FORMS: [&str; 3] = ["human", "random", "uct(iterations=N,cp=X)"];

    /// The parameters of a player, if there is such a one.
    #[must_use]
    pub fn parameters(player: &str) -> Option<&'static [&'static str]> {
        match player {
            "human" | "random" => Some(&[]),
            "uct" => Some(&["iterations", "cp"]),
            _ => None,
        }
    }

    /// The names of all players.
    pub const NAMES: [&str; 3] = ["human", "random", "uct"];

    /// The iterations of `uct` when none are given.
    pub const DEFAULT_ITERATIONS: u32 = 10_000;

    /// Reads a player.
    ///
    /// # Errors
    ///
    /// When the text is not one of [`ChooserSpec::FORMS`], with the place of the fault.
    ///
    /// ```
    /// use treegauge_search::ChooserSpec;
    /// let player = ChooserSpec::parse("uct(iterations=500)").unwrap();
    /// assert_eq!(player.to_string(), "uct(iterations=500)");
    /// assert!(ChooserSpec::parse("uct(iterations=0)").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<ChooserSpec, ChooserError> {
        let call = Call::parse(text)
            .map_err(|error| ChooserError::Form { text: text.to_owned(), error })?;
        let Some(known) = Self::parameters(&call.name) else {
            return Err(ChooserError::Name { name: call.name });
        };
        if let Some(odd) = call.arguments.iter().find(|a| !known.contains(&a.name.as_str())) {
            return Err(ChooserError::Parameter {
                player: call.name.clone(),
                name: odd.name.clone(),
                at: odd.at,
            });
        }
        let bad = |name: &str, value: &str, expected: &str| ChooserError::Value {
            player: call.name.clone(),
            name: name.to_owned(),
            value: value.to_owned(),
            at: call.arguments.iter().find(|a| a.name == name).map_or(1, |a| a.at),
            expected: expected.to_owned(),
        };
        Ok(match call.name.as_str() {
            "human" => ChooserSpec::Human,
            "random" => ChooserSpec::Random,
            _ => ChooserSpec::Uct {
                iterations: match call.value("iterations") {
                    None => Self::DEFAULT_ITERATIONS,
                    Some(text) => text
                        .parse()
                        .ok()
                        .filter(|n| (1..=Budget::ITERATIONS_MAX).contains(n))
                        .ok_or_else(|| {
                            let expected =
                                format!("a whole number from 1 to {}", Budget::ITERATIONS_MAX);
                            bad("iterations", text, &expected)
                        })?,
                },
                cp: match call.value("cp") {
                    None => DEFAULT_CP,
                    Some(text) => text
                        .parse()
                        .ok()
                        .filter(|cp: &f64| (0.0..=1_000.0).contains(cp))
                        .ok_or_else(|| bad("cp", text, "a number from 0 to 1000"))?,
                },
            },
        })
    }

    /// The player of this form for a game; `None` for [`ChooserSpec::Human`], whom only the
    /// program can ask.
    #[must_use]
    pub fn build<G: Game>(self) -> Option<Box<dyn Chooser<G>>> {
        match self {
            ChooserSpec::Human => None,
            ChooserSpec::Random => Some(Box::new(RandomChooser)),
            ChooserSpec::Uct { iterations, cp } => {
                let uct = Uct::new(Budget::iterations(iterations)).with_cp(cp);
                Some(Box::new(UctChooser::new(uct)))
            }
        }
    }
}

impl fmt::Display for ChooserSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChooserSpec::Human => f.write_str("human"),
            ChooserSpec::Random => f.write_str("random"),
            // The default has no short form in decimals.
            ChooserSpec::Uct { iterations, cp } if *cp == DEFAULT_CP => {
                write!(f, "uct(iterations={iterations})")
            }
            ChooserSpec::Uct { iterations, cp } => {
                write!(f, "uct(iterations={iterations},cp={cp})")
            }
        }
    }
}
