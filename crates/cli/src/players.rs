//! Players as they are written on the command line: those of the search, and perfect ones.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use treegauge_catalog::{Entry, nearest};
use treegauge_core::{Call, Evaluator, Game, KeyCode, Keyed, Notation, Played, Plies, below};
use treegauge_search::{
    AlphaBetaChooser, AlphaBetaLimits, AlphaBetaOptions, Choice, Chooser, ChooserError,
    ChooserSpec, Generator, Margin, Mobility, RandomValue, Seed, Spent, UctValue,
};
use treegauge_solve::{CodeOf, Value};
use treegauge_study::{Competitor, Limits};

use crate::common::DEFAULT_SEED;
use crate::exit::{Exit, Failure, OrExit, Outcome};
use crate::interrupt;
use crate::solving::{Asked, WorthMove, rules_of};

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

/// Alpha-beta as it is written: `alphabeta(eval=NAME,nodes=N)`, with `depth=N` or `time_ms=N` in
/// place of the nodes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AlphaBetaSpec {
    eval: String,
    budget: MoveBudget,
}

/// What a search may use for a move.
#[derive(Clone, Copy, Debug, PartialEq)]
enum MoveBudget {
    Nodes(u64),
    Depth(u32),
    TimeMs(u64),
}

impl fmt::Display for AlphaBetaSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, number) = match self.budget {
            MoveBudget::Nodes(nodes) => ("nodes", nodes),
            MoveBudget::Depth(depth) => ("depth", u64::from(depth)),
            MoveBudget::TimeMs(time) => ("time_ms", time),
        };
        write!(f, "alphabeta(eval={},{name}={number})", self.eval)
    }
}

impl AlphaBetaSpec {
    const PARAMETERS: [&str; 4] = ["eval", "nodes", "depth", "time_ms"];

    /// The nodes when no budget is given.
    const DEFAULT_NODES: u64 = 20_000;

    fn of(call: &Call) -> Outcome<AlphaBetaSpec> {
        let bad = |message: String| Err(Failure::new(Exit::Usage, message));
        let known = Self::PARAMETERS;
        if let Some(odd) = call.arguments.iter().find(|a| !known.contains(&a.name.as_str())) {
            return bad(format!(
                "player `alphabeta` has no parameter {:?} (character {}); it has {}",
                odd.name,
                odd.at,
                known.join(", ")
            ));
        }
        let budgets = call.arguments.iter().filter(|argument| argument.name != "eval");
        let budget = match budgets.collect::<Vec<_>>().as_slice() {
            [] => MoveBudget::Nodes(Self::DEFAULT_NODES),
            [one] => {
                let most = match one.name.as_str() {
                    "nodes" => 1_000_000_000_000,
                    "depth" => u64::from(AlphaBetaLimits::DEPTH_MAX.0),
                    _ => 86_400_000,
                };
                let Some(number) = one.value.parse().ok().filter(|n| (1..=most).contains(n)) else {
                    return bad(format!(
                        "`{}` of player `alphabeta` cannot be {:?} (character {}): it takes a whole \
                         number from 1 to {most}",
                        one.name, one.value, one.at
                    ));
                };
                match one.name.as_str() {
                    "nodes" => MoveBudget::Nodes(number),
                    "depth" => MoveBudget::Depth(number as u32),
                    _ => MoveBudget::TimeMs(number),
                }
            }
            [_, second, ..] => {
                return bad(format!(
                    "player `alphabeta` has one budget, nodes, depth or time_ms, and `{}` (character \
                     {}) is a second one",
                    second.name, second.at
                ));
            }
        };
        Ok(AlphaBetaSpec { eval: call.value("eval").unwrap_or("mobility").to_owned(), budget })
    }

    /// The player for a game. Ctrl-C ends his search as the end of his time does.
    pub(crate) fn chooser<G: Notation + Keyed>(
        &self,
        evaluator: Arc<dyn Evaluator<G>>,
    ) -> AlphaBetaChooser<G> {
        let limits = match self.budget {
            MoveBudget::Nodes(nodes) => AlphaBetaLimits::nodes(nodes),
            MoveBudget::Depth(depth) => AlphaBetaLimits::depth(Plies(depth)),
            MoveBudget::TimeMs(_) => AlphaBetaLimits::nodes(u64::MAX),
        };
        let chooser = AlphaBetaChooser::new(AlphaBetaOptions::default(), evaluator, limits);
        let MoveBudget::TimeMs(time) = self.budget else {
            return chooser.with_stops(|| Box::new(interrupt::requested));
        };
        let time = Duration::from_millis(time);
        chooser.with_stops(move || {
            let begin = Instant::now();
            Box::new(move || begin.elapsed() >= time || interrupt::requested())
        })
    }

    /// What judges the positions of a game for the player.
    pub(crate) fn evaluator<G: Notation + Keyed>(
        &self,
        entry: &Entry<G>,
        canonical: &str,
    ) -> Outcome<Arc<dyn Evaluator<G>>> {
        evaluator(entry, &self.eval, canonical)
    }
}

/// The evaluators of every game, as they are written.
const EVALUATORS: [&str; 4] =
    ["mobility", "uct(iterations=N,cp=X)", "random(seed=S)", "perfect(file=PATH)"];

/// The evaluator of a game that is written so: one that every game has, or one of its own.
/// `canonical` is the game's one text.
pub(crate) fn evaluator<G: Notation + Keyed>(
    entry: &Entry<G>,
    text: &str,
    canonical: &str,
) -> Outcome<Arc<dyn Evaluator<G>>> {
    let bad = |message: String| Err(Failure::new(Exit::Usage, message));
    // What is no call at all is told of below.
    let call = Call::parse(text).ok();
    let name = call.as_ref().map_or("", |call| call.name.as_str());
    match (name, call.as_ref(), entry.margins()) {
        ("mobility", Some(call), _) if call.arguments.is_empty() => Ok(Arc::new(Mobility)),
        ("margin", Some(call), Some(margin)) if call.arguments.is_empty() => {
            Ok(Arc::new(Margin::new(margin)))
        }
        ("margin", Some(call), None) if call.arguments.is_empty() => {
            bad("the game has no scores, so `margin` evaluates nothing; `mobility` does".to_owned())
        }
        ("uct", ..) => match ChooserSpec::parse(text).map_err(words).or_usage()? {
            ChooserSpec::Uct { iterations, cp } => {
                Ok(Arc::new(UctValue::new(iterations, cp, Seed(DEFAULT_SEED))))
            }
            _ => unreachable!("it begins with `uct`"),
        },
        ("random", Some(call), _) => {
            if let Some(odd) = call.arguments.iter().find(|argument| argument.name != "seed") {
                let name = &odd.name;
                return bad(format!(
                    "evaluator `random` has no parameter {name:?}; its one is `seed`"
                ));
            }
            let seed = call.value("seed").map_or(Ok(DEFAULT_SEED), str::parse).map_err(|_| {
                let seed = call.value("seed").unwrap_or_default();
                let message = format!(
                    "`seed` of evaluator `random` cannot be {seed:?}: it takes a whole number from 0"
                );
                Failure::new(Exit::Usage, message)
            })?;
            Ok(Arc::new(RandomValue::new(Seed(seed))))
        }
        ("perfect", Some(call), _) => {
            let path = perfect(call, "evaluator")?;
            Ok(Arc::new(PerfectValue::<G>(asked(entry, &path, canonical)?)))
        }
        (_, _, margin) => entry
            .evaluator(text)
            .map(Arc::from)
            .map_err(|error| {
                let margin = if margin.is_some() { "margin, " } else { "" };
                format!("{error}; every game like it has {margin}{}", EVALUATORS.join(", "))
            })
            .or_usage(),
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

/// The value that is known of each position: sooner won is better, later lost too.
struct PerfectValue<G: Keyed>(Asked<CodeOf<G>>);

impl<G: Keyed> fmt::Debug for PerfectValue<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PerfectValue")
    }
}

impl<G: Keyed> PerfectValue<G> {
    /// A win that is no plies away; more than any number of plies.
    const WIN: i32 = 1 << 28;
}

impl<G: Notation + Keyed> Evaluator<G> for PerfectValue<G> {
    /// # Panics
    ///
    /// When the file lacks the position or is damaged. In a match that is a fault of the player.
    fn evaluate(&self, game: &G, state: &G::State) -> i32 {
        let worth = self.0.worth(&game.key(state).code());
        let worth = worth.unwrap_or_else(|Failure { error, .. }| {
            panic!("{}", error.map_or(String::new(), |error| error.to_string()))
        });
        let plies = i32::from(worth.remoteness);
        match worth.value {
            Value::Win => Self::WIN - plies,
            Value::Lose => plies - Self::WIN,
            Value::Tie | Value::Draw => 0,
        }
    }
}

/// A search that takes part in a match.
struct AlphaBetaPlayer<G: Keyed> {
    evaluator: Arc<dyn Evaluator<G>>,
    spec: AlphaBetaSpec,
    /// Those that have played their games and know nothing of them any more: a new table for each
    /// game would take longer than a short game.
    idle: Mutex<Vec<AlphaBetaChooser<G>>>,
}

impl<G: Keyed> AlphaBetaPlayer<G> {
    fn idle(&self) -> MutexGuard<'_, Vec<AlphaBetaChooser<G>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A search in a game.
struct AlphaBetaSeat<'a, G: Keyed> {
    player: &'a AlphaBetaPlayer<G>,
    /// None while it searches, so that one that fails is not used again.
    chooser: Option<AlphaBetaChooser<G>>,
    spent: Spent,
}

impl<G: Keyed> Chooser<G> for AlphaBetaSeat<'_, G> {
    fn choose(
        &mut self,
        game: &G,
        played: &Played<G>,
        rng: &mut Generator,
    ) -> Option<Choice<G::Move>> {
        let mut chooser = self.chooser.take()?;
        let choice = chooser.choose(game, played, rng);
        self.spent = chooser.last_spent();
        self.chooser = Some(chooser);
        choice
    }

    fn last_spent(&self) -> Spent {
        self.spent
    }
}

impl<G: Keyed> Drop for AlphaBetaSeat<'_, G> {
    fn drop(&mut self) {
        if let Some(mut chooser) = self.chooser.take() {
            chooser.forget();
            self.player.idle().push(chooser);
        }
    }
}

impl<G: Notation + Keyed> Competitor<G> for AlphaBetaPlayer<G> {
    fn seat(&self) -> Box<dyn Chooser<G> + '_> {
        let idle = self.idle().pop();
        let chooser = idle.unwrap_or_else(|| self.spec.chooser(self.evaluator.clone()));
        Box::new(AlphaBetaSeat { player: self, chooser: Some(chooser), spent: Spent::default() })
    }

    fn limits(&self) -> Limits {
        match self.spec.budget {
            MoveBudget::Nodes(nodes) => Limits { nodes_max: Some(nodes), time_max: None },
            MoveBudget::Depth(_) => Limits::default(),
            // A busy machine may stop a thread for a moment, which is nobody's fault.
            MoveBudget::TimeMs(time) => {
                let time_max = Some(Duration::from_millis(2 * time + 500));
                Limits { nodes_max: None, time_max }
            }
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
            let evaluator = spec.evaluator(entry, canonical)?;
            let idle = Mutex::new(Vec::new());
            Ok(Box::new(AlphaBetaPlayer { evaluator, spec: spec.clone(), idle }))
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
