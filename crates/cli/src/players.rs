//! Players as they are written on the command line: those of the search, and perfect ones.

mod alphabeta;
mod evaluators;

use std::fmt;
use std::path::{Path, PathBuf};

use treegauge_catalog::{Entry, nearest};
use treegauge_core::{Call, Game, KeyCode, Keyed, Notation, Played, below};
use treegauge_search::{Choice, Chooser, ChooserError, ChooserSpec, Generator};
use treegauge_solve::CodeOf;
use treegauge_study::{Competitor, Limits};

use crate::exit::{Exit, Failure, OrExit, Outcome};
use crate::solving::{Asked, WorthMove, rules_of};

use alphabeta::AlphaBetaPlayer;

pub(crate) use alphabeta::AlphaBetaSpec;
pub(crate) use evaluators::{EVALUATORS, evaluator};

/// Who plays a side.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PlayerSpec {
    /// A person, chance or UCT.
    Chooser(ChooserSpec),
    /// Alpha-beta.
    AlphaBeta(AlphaBetaSpec),
    /// The file of the solved game.
    Perfect(PathBuf),
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerSpec::Chooser(chooser) => chooser.fmt(f),
            PlayerSpec::AlphaBeta(search) => search.fmt(f),
            PlayerSpec::Perfect(path) => write!(f, "perfect(file={})", path.display()),
        }
    }
}

impl PlayerSpec {
    /// A person.
    pub(crate) const HUMAN: PlayerSpec = PlayerSpec::Chooser(ChooserSpec::Human);

    /// Whether all his moves are drawn.
    pub(crate) fn is_chance(&self) -> bool {
        *self == PlayerSpec::Chooser(ChooserSpec::Random)
    }

    /// Reads a player, with the nearest name where there is no such one.
    pub(crate) fn parse(text: &str) -> Outcome<PlayerSpec> {
        // What is no call at all is told of below.
        match Call::parse(text) {
            Ok(call) if call.name == "perfect" => perfect(&call, "player").map(Self::Perfect),
            Ok(call) if call.name == "alphabeta" => AlphaBetaSpec::of(&call).map(Self::AlphaBeta),
            _ => ChooserSpec::parse(text).map(PlayerSpec::Chooser).map_err(words).or_usage(),
        }
    }
}

/// What knows all values; `role` is what it is for.
fn perfect(call: &Call, role: &str) -> Outcome<PathBuf> {
    if let Some(odd) = call.arguments.iter().find(|argument| argument.name != "file") {
        let message = format!(
            "{role} `perfect` has no parameter {:?} (character {}); its one is `file`",
            odd.name, odd.at
        );
        return Err(Failure::new(Exit::Usage, message));
    }
    call.value("file").map(PathBuf::from).ok_or_else(|| {
        let message =
            format!("{role} `perfect` wants the file of a solved game: perfect(file=PATH)");
        Failure::new(Exit::Usage, message)
    })
}

/// Why a text is no player, with what was perhaps meant.
fn words(error: ChooserError) -> String {
    match &error {
        ChooserError::Name { name } => {
            let names = ChooserSpec::NAMES.into_iter().chain(["alphabeta", "perfect"]);
            let near = nearest(name, names).unwrap_or_default();
            format!(
                "{error}, alphabeta(eval=NAME,nodes=N), perfect(file=PATH); the nearest is `{near}`"
            )
        }
        ChooserError::Parameter { player, name, .. } => {
            let known = ChooserSpec::parameters(player).unwrap_or_default();
            match nearest(name, known.iter().copied()) {
                Some(near) => format!("{error}; the nearest is `{near}`"),
                None => format!("{error}; it has none"),
            }
        }
        _ => error.to_string(),
    }
}

/// The file of a solved game, opened for the type of game. Of files only four types are compiled,
/// not one for each game.
fn asked<G: Notation + Keyed>(
    entry: &Entry<G>,
    path: &Path,
    canonical: &str,
) -> Outcome<Asked<CodeOf<G>>> {
    Asked::open(path, rules_of(entry.clone()).erase(), canonical)
}

/// A player of a match. `start` is where games begin: what a file does not have is told before the
/// first of them.
pub(crate) fn competitor<G: Notation + Keyed>(
    entry: &Entry<G>,
    player: &PlayerSpec,
    canonical: &str,
    start: &G::State,
) -> Outcome<Box<dyn Competitor<G>>> {
    match player {
        PlayerSpec::Chooser(ChooserSpec::Human) => {
            let message = "people do not play matches; `treegauge play` asks them for moves";
            Err(Failure::new(Exit::Usage, message))
        }
        PlayerSpec::Chooser(chooser) => Ok(Box::new(Searching(*chooser))),
        PlayerSpec::AlphaBeta(spec) => {
            Ok(Box::new(AlphaBetaPlayer::new(spec.clone(), spec.evaluator(entry, canonical)?)))
        }
        PlayerSpec::Perfect(path) => {
            let file = asked(entry, path, canonical)?;
            file.worth(&entry.game.key(start).code())?;
            Ok(Box::new(Perfect::<G>(file)))
        }
    }
}

/// One of the choosers.
struct Searching(ChooserSpec);

impl<G: Game> Competitor<G> for Searching {
    fn seat(&self) -> Box<dyn Chooser<G> + '_> {
        self.0.build().expect("people do not play matches")
    }

    fn limits(&self) -> Limits {
        let nodes_max = match self.0 {
            ChooserSpec::Uct { iterations, .. } => Some(u64::from(iterations)),
            _ => None,
        };
        Limits { nodes_max, time_max: None }
    }

    fn is_chance(&self) -> bool {
        self.0 == ChooserSpec::Random
    }
}

/// Whoever knows all values.
struct Perfect<G: Keyed>(Asked<CodeOf<G>>);

impl<G: Notation + Keyed> Competitor<G> for Perfect<G> {
    fn seat(&self) -> Box<dyn Chooser<G> + '_> {
        Box::new(PerfectSeat(self))
    }
}

struct PerfectSeat<'a, G: Keyed>(&'a Perfect<G>);

impl<G: Notation + Keyed> Chooser<G> for PerfectSeat<'_, G> {
    fn choose(
        &mut self,
        game: &G,
        played: &Played<G>,
        rng: &mut Generator,
    ) -> Option<Choice<G::Move>> {
        let rows = self.0.0.moves(&game.key(played.state()).code()).ok()?;
        let best = best_of(&rows, rng)?;
        let mut moves = Vec::new();
        game.moves_into(played.state(), &mut moves);
        Some(Choice { m: moves[best.m.number()], value: None })
    }
}

/// The best of some moves, best first; of equals one is drawn, so that games differ.
pub(crate) fn best_of<'a, M>(
    rows: &'a [WorthMove<M>],
    rng: &mut Generator,
) -> Option<&'a WorthMove<M>> {
    let best = rows.chunk_by(|a, b| a.worth == b.worth).next()?;
    best.get(below(rng, best.len() as u32) as usize)
}
