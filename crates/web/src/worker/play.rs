//! Positions of a game in progress, the values of their moves, and the replies of players.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use treegauge::board::Side;
use treegauge::engine::{
    Choice, Competitor, Player, PlayerSpec, Seat, Session, SolvedGame, UctPlayer,
};
use treegauge::report::{ShowReport, ShownBoard, coach_words, grouped, result_words, value_words};
use treegauge::search::UctVariant;
use treegauge::{Clock, Error, ErrorKind, PlyValues, ValueSource, show, value_history};

use super::kept::{At, Kept, Until};
use super::{Inside, Reply};
use crate::workspace::Workspace;

/// The time for searches of values. The rest of the time of the request is for the answer.
const VALUES_TIME: Duration = Duration::from_millis(4_300);

/// A position of a game in progress.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Position {
    /// Name of the game with its parameters.
    pub(crate) name: String,
    /// Position in which the game began, if it is not the start of the game.
    pub(crate) start: Option<String>,
    /// All moves of the game, also those after the position that is shown.
    pub(crate) line: Vec<Played>,
    /// Number of moves before the position.
    pub(crate) ply: usize,
    pub(crate) shown: ShowReport,
    pub(crate) board: ShownBoard,
    /// End of the game in words: the result, and the rule that ended it if the position does not
    /// show it.
    pub(crate) ended: Option<String>,
    /// The move that was typed, as the game writes it, or the reason why it cannot be played.
    pub(crate) typed: Option<Result<String, String>>,
    /// Solution files of the game.
    pub(crate) solutions: Vec<String>,
}

/// A move of a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Played {
    pub(crate) text: String,
    pub(crate) by: Side,
}

/// The move of a player.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Answered {
    pub(crate) text: String,
    pub(crate) by: Side,
    /// Value of the move in words; empty if the player has none.
    pub(crate) value: String,
    /// Knowledge of the player about the move.
    pub(crate) choice: serde_json::Value,
}

/// Values of the moves at some plies.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Values {
    pub(crate) plies: Vec<PlyValues>,
    /// Sentences about the moves that were played, one a ply; empty where nothing is known.
    pub(crate) coach: Vec<String>,
    /// Cells that the moves of each ply touch, by ply and number of the move.
    pub(crate) cells: Vec<Vec<Vec<usize>>>,
    /// Whether all plies have the iterations that were asked for.
    pub(crate) is_complete: bool,
}

/// Source of values.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ValuesFrom {
    pub(crate) iterations: u32,
    pub(crate) seed: u64,
    /// File of the solved game, which is asked instead of a search.
    pub(crate) solution: Option<String>,
}

pub(super) fn position(
    kept: &mut Kept,
    workspace: &Workspace,
    at: &At,
    ply: Option<usize>,
    typed: Option<&str>,
) -> Result<Reply, Error> {
    let (game, whole) = kept.line(workspace, at)?;
    let mut line = whole.start();
    let ply = ply.unwrap_or(usize::MAX).min(at.moves.len());
    let mut played = Vec::new();
    let mut here = None;
    for number in whole.played() {
        if played.len() == ply {
            here = Some(line.clone());
        }
        played.push(Played { text: line.move_text(number), by: line.turn() });
        line.play(number);
    }
    let here = here.unwrap_or(line);
    let ended = here.ended();
    Ok(Reply::Position(Box::new(Position {
        name: game.name(),
        start: at.position.as_ref().map(|_| whole.start().position_text()),
        line: played,
        ply,
        shown: show(&game, &here),
        board: ShownBoard::of(&here),
        ended: ended.map(|end| result_words(end.outcome, Some(&end.by.to_string()))),
        typed: typed.map(|text| match here.move_number(text) {
            Ok(number) => Ok(here.move_text(number)),
            Err(error) => Err(error.to_string()),
        }),
        solutions: kept.solutions(workspace, &game),
    })))
}

pub(super) fn values(
    kept: &mut Kept,
    workspace: &Workspace,
    at: &At,
    (first, last): (usize, usize),
    from: &ValuesFrom,
) -> Result<Reply, Error> {
    let end = Instant::now() + VALUES_TIME;
    let (game, line) = kept.line(workspace, at)?;
    let played = line.played();
    let solved = match &from.solution {
        Some(name) => Some(solution(kept, workspace, &game, name)?),
        None => None,
    };
    let variant = UctVariant { solver: true, ..UctVariant::default() };
    let uct = UctPlayer { variant, iterations: from.iterations, ..UctPlayer::default() };
    let mut values = Values { is_complete: true, ..Values::default() };
    let mut here = line.start();
    for ply in 0..=last.min(played.len()) {
        let next = played.get(ply).copied();
        if ply >= first {
            let before = at.until(ply);
            let key = (before.clone(), from.iterations, from.seed);
            // A position that the solved game does not have is searched.
            let exact = solved.as_ref().and_then(|solved| {
                let (source, ply) = (ValueSource::Solution(&**solved), ply as u32);
                let found = value_history(&**game.engine(), &here, ply..ply + 1, &source, &());
                found.ok()?.into_iter().next()
            });
            let known = exact.or_else(|| kept.values.get(&key).cloned());
            let known = match known {
                Some(known) => Some(known),
                None if Instant::now() >= end => None,
                None => {
                    let search = kept.search(workspace, &before, uct, from.seed, &Until(end))?;
                    let found = search.found();
                    let is_whole = found.iterations >= from.iterations
                        || found.proved.is_some()
                        || found.legal_moves == 0;
                    values.is_complete &= is_whole;
                    let valued = PlyValues {
                        ply: ply as u32,
                        turn: here.turn(),
                        played: None,
                        values: search.values(),
                    };
                    if is_whole {
                        kept.remember(key, valued.clone());
                    }
                    Some(valued)
                }
            };
            let Some(known) = known else {
                values.is_complete = false;
                break;
            };
            let valued = PlyValues { ply: ply as u32, played: next, ..known };
            values.cells.push(cells_of(&here));
            values.coach.push(coach_words(&valued).unwrap_or_default());
            values.plies.push(valued);
        }
        if let Some(next) = next {
            here.play(next);
        }
    }
    Ok(Reply::Values(values))
}

/// The greatest number of moves of a position whose cells are listed.
const CELLS_OF_MOVES_MAX: u32 = 1_000;

/// Cells that each move of a position touches; empty if there are too many moves.
fn cells_of(line: &treegauge::Line) -> Vec<Vec<usize>> {
    if line.move_count() > CELLS_OF_MOVES_MAX {
        return Vec::new();
    }
    let paths = line.paths(&line.board());
    paths.iter().map(|path| path.path.iter().map(|touch| touch.cell).collect()).collect()
}

/// A solution file of the workspace that solves a game.
fn solution(
    kept: &mut Kept,
    workspace: &Workspace,
    game: &treegauge::Game,
    name: &str,
) -> Result<Arc<dyn SolvedGame>, Error> {
    let file = super::solved::open(kept, workspace, name)?;
    if file.game().info().canonical_name == game.info().canonical_name {
        return Ok(file.as_solved_game());
    }
    let message = format!("{name} solves {}, not {}", file.game().name(), game.name());
    Err(Error::new(ErrorKind::Data, message))
}

/// The time since the start of the clock, for players with a time budget.
pub(super) struct SystemClock(pub(super) Instant);

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

pub(super) fn reply(
    kept: &mut Kept,
    workspace: &Workspace,
    at: &At,
    player: &str,
    seed: u64,
) -> Result<Reply, Error> {
    let (game, line) = kept.line(workspace, at)?;
    let files = Inside(workspace);
    let spec = PlayerSpec::parse(player)?;
    for file in spec.files() {
        treegauge::tasks::Files::path(&files, file)?;
    }
    let spec = spec.with_files(&|file| {
        treegauge::tasks::Files::path(&files, file).unwrap_or_else(|_| file.to_owned())
    });
    let clock: Arc<dyn Clock> = Arc::new(SystemClock(Instant::now()));
    let by = line.turn();
    let agent = Player::open(&spec, game.engine(), &line, &clock)?.agent();
    let mut seats = [Seat::Person, Seat::Person];
    seats[by.index()] = Seat::Agent(agent);
    // As the command line: the generator begins with the seed at the position of `--moves`.
    let mut session = Session::new(game.engine().clone(), line, seats, None, seed);
    let turn = session.agent_moves(false, &())?;
    let turn = turn.ok_or_else(|| Error::new(ErrorKind::Data, "the game is over"))?;
    let choice = serde_json::to_value(turn.choice).unwrap_or_default();
    let iterations = spec.get::<UctPlayer>().map(|uct| uct.iterations);
    let value = choice_words(&turn.choice, by, iterations);
    Ok(Reply::Answered(Answered { text: turn.text, by, value, choice }))
}

/// Value of a choice of the player `by` in words, after a search of some iterations.
fn choice_words(choice: &Choice, by: Side, iterations: Option<u32>) -> String {
    match (choice.proved, choice.exact, choice.value) {
        (Some(1..), ..) => "It wins by force.".to_owned(),
        (Some(0), ..) => "Neither player can win by force.".to_owned(),
        (Some(_), ..) => "It loses by force.".to_owned(),
        (None, Some(exact), _) => {
            format!("Exact value: {}.", value_words(exact.value, exact.plies()))
        }
        (None, None, Some(value)) => {
            // Adding 0 leaves no negative zero.
            let value = (-100.0 * value).round() / 100.0 + 0.0;
            let searched = iterations.map_or_else(String::new, |iterations| {
                format!(" at {} iterations", grouped(u64::from(iterations)))
            });
            format!("{value:+.2} for the {} player{searched}, from -1 to 1.", by.other())
        }
        (None, None, None) => String::new(),
    }
}
