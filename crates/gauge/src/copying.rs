//! A player that copies the moves of the other under a symmetry of the board.
//!
//! In some games such a player wins whatever the other does: Cram on a board with even sides is the
//! textbook case (Gardner 1974). Self-play rarely shows it, since a search does not know that it may
//! copy. Moves are copied by the cells that they touch, so any game with a board can be tried.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use treegauge_core::{Board, Cell, CellNumber, MovePath, PathCell, Player, Role, Watch};
use treegauge_engine::{Engine, Line, MoveNumber};
use treegauge_search::{Generator, Seed};
use treegauge_stats::{Estimate, wilson};

use super::Plan;

/// Name of the flaw of games that are won by copying.
pub(super) const COPIED: &str = "copied";

/// Games against random moves that copying must win before it is tried against searches.
const RANDOM_GAMES: u64 = 200;

/// Least number of games against the searches of each strength; a plan with more games of self-play
/// has as many.
pub(super) const GAMES_MIN: u32 = 20;

/// Share of games won by copying above which a game has the flaw.
pub(super) const SHARE_OF_FLAW: f64 = 0.8;

/// Plies after which a game of the first trial is given up.
const PLIES_MAX: u32 = 400;

/// Most ways of copying that are tried against searches.
const WAYS_MAX: usize = 3;

/// Symmetry of a board under which moves are copied. Each is its own inverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Symmetry {
    /// Rotation by 180 degrees.
    HalfTurn,
    /// Reflection that exchanges left and right.
    LeftRight,
    /// Reflection that exchanges top and bottom.
    TopBottom,
    /// Reflection at the diagonal from the upper left to the lower right.
    Diagonal,
    /// Reflection at the diagonal from the lower left to the upper right.
    Antidiagonal,
}

impl Symmetry {
    const ALL: [Symmetry; 5] = [
        Symmetry::HalfTurn,
        Symmetry::LeftRight,
        Symmetry::TopBottom,
        Symmetry::Diagonal,
        Symmetry::Antidiagonal,
    ];

    /// The change of each move in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Symmetry::HalfTurn => "turned by 180 degrees",
            Symmetry::LeftRight => "with left and right exchanged",
            Symmetry::TopBottom => "with top and bottom exchanged",
            Symmetry::Diagonal => "reflected at the diagonal from the upper left",
            Symmetry::Antidiagonal => "reflected at the diagonal from the lower left",
        }
    }

    /// Image of a point, relative to the centre of the board.
    fn of(self, [x, y]: [f64; 2]) -> [f64; 2] {
        match self {
            Symmetry::HalfTurn => [-x, -y],
            Symmetry::LeftRight => [-x, y],
            Symmetry::TopBottom => [x, -y],
            Symmetry::Diagonal => [y, x],
            Symmetry::Antidiagonal => [-y, -x],
        }
    }

    /// Images of all cells; `None` if a cell has no image, or if every cell is its own.
    fn images(self, board: &Board) -> Option<Vec<CellNumber>> {
        let middle = |of: fn(&Cell) -> f64| {
            let (least, most) = board
                .cells
                .iter()
                .map(of)
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), x| {
                    (least.min(x), most.max(x))
                });
            f64::midpoint(least, most)
        };
        let (x, y) = (middle(|cell| cell.x), middle(|cell| cell.y));
        // Distances of cells are much greater than the errors of their places.
        let place = |[x, y]: [f64; 2]| [(1e3 * x).round() as i64, (1e3 * y).round() as i64];
        let at: HashMap<[i64; 2], CellNumber> = (board.cells.iter().enumerate())
            .map(|(n, cell)| (place([cell.x - x, cell.y - y]), n))
            .collect();
        let image = |cell: &Cell| at.get(&place(self.of([cell.x - x, cell.y - y]))).copied();
        let images: Vec<CellNumber> = board.cells.iter().map(image).collect::<Option<_>>()?;
        let moves_a_cell = images.iter().enumerate().any(|(cell, &image)| cell != image);
        moves_a_cell.then_some(images)
    }
}

/// A way of copying that won all games against random moves, and its games against searches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Copying {
    /// Symmetry under which moves are copied.
    pub symmetry: Symmetry,
    /// Player who copies.
    pub copier: Player,
    /// First move of a player who begins, which is its own image; `None` if the other begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_move: Option<String>,
    /// Games against searches, the weakest first.
    pub against: Vec<CopiedGames>,
}

/// Games of a player that copies against a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopiedGames {
    /// Iterations per move of the search.
    pub iterations: u32,
    /// Number of games.
    pub games: u32,
    /// Games that the player who copies won.
    pub won: u32,
}

impl CopiedGames {
    /// Share of games won, 0 to 1.
    pub(super) fn share(&self) -> Estimate {
        wilson(f64::from(self.won), u64::from(self.games))
    }
}

/// The work was stopped before all games were over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;

impl Copying {
    /// Looks for a way of copying that wins: of the ways that beat random moves, up to three are
    /// played against the searches of the two greatest strengths of a plan, until one wins more than
    /// [`SHARE_OF_FLAW`] of its games. Returns that way, or the first; `None` if there is none.
    ///
    /// The result depends on the game, the start and the plan alone.
    ///
    /// # Errors
    ///
    /// If `watch` says stop.
    pub(super) fn of(
        engine: &dyn Engine,
        start: &Line,
        plan: &Plan,
        seed: Seed,
        watch: &dyn Watch,
    ) -> Result<Option<Copying>, Stopped> {
        let (mut first, mut tried) = (None, 0);
        for way in Way::all(start) {
            if !way.beats_random_moves(start, seed.child(0), watch)? {
                continue;
            }
            let copying = way.against_searches(engine, start, plan, seed, watch)?;
            let is_won = copying.share().low.is_some_and(|low| low > SHARE_OF_FLAW);
            tried += 1;
            if is_won {
                return Ok(Some(copying));
            }
            first.get_or_insert(copying);
            if tried == WAYS_MAX {
                break;
            }
        }
        Ok(first)
    }

    /// Share of the games won at all strengths, 0 to 1.
    pub(super) fn share(&self) -> Estimate {
        let sum = |of: fn(&CopiedGames) -> u32| self.against.iter().map(of).sum::<u32>();
        wilson(f64::from(sum(|one| one.won)), u64::from(sum(|one| one.games)))
    }

    /// The way of copying in words, to follow the player.
    pub(super) fn words(&self) -> String {
        let begins = self.first_move.as_ref().map(|m| format!("begins with {m} and "));
        format!(
            "{}copies each move of the other player, {}",
            begins.unwrap_or_default(),
            self.symmetry.words()
        )
    }
}

/// A way of copying.
struct Way {
    /// Board of the start: cells have the same names and places in all positions.
    board: Arc<Board>,
    symmetry: Symmetry,
    images: Vec<CellNumber>,
    copier: Player,
    first: Option<MoveNumber>,
}

impl Way {
    /// The ways of copying in a game from `start`: for the player who does not begin, and for the
    /// other after each first move that is its own image.
    fn all(start: &Line) -> impl Iterator<Item = Way> {
        let board = Arc::new(start.board());
        let paths = start.paths(&board);
        let turn = start.turn();
        Symmetry::ALL.into_iter().flat_map(move |symmetry| {
            let images = symmetry.images(&board);
            let second = images.clone().map(|images| Way {
                board: board.clone(),
                symmetry,
                images,
                copier: turn.other(),
                first: None,
            });
            let own: Vec<Way> = images
                .into_iter()
                .flat_map(|images| {
                    let is_own = |path: &[PathCell]| {
                        !path.is_empty() && sorted(path) == sorted(&mapped(path, &images))
                    };
                    let numbers = (0..paths.len()).filter(|&n| is_own(&paths[n].path));
                    let way = |n: usize| Way {
                        board: board.clone(),
                        symmetry,
                        images: images.clone(),
                        copier: turn,
                        first: Some(n as MoveNumber),
                    };
                    numbers.map(way).collect::<Vec<_>>()
                })
                .collect();
            second.into_iter().chain(own)
        })
    }

    /// Whether copying is always legal and wins against random moves.
    fn beats_random_moves(
        &self,
        start: &Line,
        seed: Seed,
        watch: &dyn Watch,
    ) -> Result<bool, Stopped> {
        for game in 0..RANDOM_GAMES {
            let mut rng: Generator = seed.child(game).generator();
            let won = self.wins(start, watch, &mut |line| {
                let is_long = line.ply().0 - start.ply().0 >= PLIES_MAX;
                line.random_move(&mut rng).filter(|_| !is_long)
            })?;
            if won != Some(true) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn against_searches(
        &self,
        engine: &dyn Engine,
        start: &Line,
        plan: &Plan,
        seed: Seed,
        watch: &dyn Watch,
    ) -> Result<Copying, Stopped> {
        let strengths = plan.strengths();
        let strongest = &strengths[strengths.len().saturating_sub(2)..];
        let games = plan.games.max(GAMES_MIN);
        let numbers: Vec<(u32, u32)> = strongest
            .iter()
            .flat_map(|&iterations| (0..games).map(move |game| (iterations, game)))
            .collect();
        let won: Vec<bool> = numbers
            .par_iter()
            .with_max_len(1)
            .map(|&(iterations, game)| {
                let seed = seed.child(u64::from(iterations)).child(u64::from(game));
                let mut rng = seed.generator();
                let mut uct = engine.uct_with(plan.options(iterations));
                let won = self.wins(start, watch, &mut |line| {
                    let mut is_stopped = false;
                    let found = uct.search(line, &mut rng, &mut || {
                        is_stopped |= watch.stop();
                        is_stopped
                    });
                    found.choose(&mut rng).filter(|_| !is_stopped)
                })?;
                won.ok_or(Stopped)
            })
            .collect::<Result<_, Stopped>>()?;
        let against = strongest.iter().map(|&iterations| {
            let of = numbers.iter().zip(&won).filter(|((own, _), _)| *own == iterations);
            CopiedGames { iterations, games, won: of.filter(|(_, won)| **won).count() as u32 }
        });
        Ok(Copying {
            symmetry: self.symmetry,
            copier: self.copier,
            first_move: self.first.map(|number| start.move_text(number)),
            against: against.collect(),
        })
    }

    /// Whether copying wins a game in which `other` chooses the moves of the other player; `None` if
    /// `other` gives up. A game in which a move cannot be copied is not won. Moves of one turn are
    /// copied in their order.
    fn wins(
        &self,
        start: &Line,
        watch: &dyn Watch,
        other: &mut dyn FnMut(&Line) -> Option<MoveNumber>,
    ) -> Result<Option<bool>, Stopped> {
        let mut line = start.clone();
        let mut open: VecDeque<MovePath> = VecDeque::new();
        let mut first = self.first;
        loop {
            if let Some(ended) = line.ended() {
                return Ok(Some(ended.outcome.winner() == Some(self.copier)));
            }
            if watch.stop() {
                return Err(Stopped);
            }
            let number = if line.turn() == self.copier {
                let reply = first.take().or_else(|| self.reply(&line, &open.pop_front()?));
                let Some(reply) = reply else { return Ok(Some(false)) };
                reply
            } else {
                let Some(number) = other(&line) else { return Ok(None) };
                open.push_back(line.paths(&self.board).swap_remove(number as usize));
                number
            };
            line.play(number);
        }
    }

    /// The legal move that touches the images of the cells of a move; of several, the one in the same
    /// order, and that says the same beside the names of its cells.
    fn reply(&self, line: &Line, copied: &MovePath) -> Option<MoveNumber> {
        let MovePath { text, path, .. } = copied;
        let wanted = mapped(path, &self.images);
        let in_any_order = sorted(&wanted);
        let paths = line.paths(&self.board);
        let is_image = |&n: &usize| sorted(&paths[n].path) == in_any_order;
        let images: Vec<usize> = (0..paths.len()).filter(is_image).collect();
        let same: Vec<usize> = images
            .into_iter()
            .filter(|&n| {
                let MovePath { text: other, path: touched, choice } = &paths[n];
                choice.is_none() || self.bare(other, touched) == self.bare(text, path)
            })
            .collect();
        let in_order = same.iter().find(|&&n| paths[n].path == wanted);
        in_order.or(same.first()).map(|&n| n as MoveNumber)
    }

    /// Text of a move without the names of its cells: what it says beside them, such as a kind of piece.
    fn bare(&self, text: &str, path: &[PathCell]) -> String {
        let names = path.iter().map(|touched| self.board.cells[touched.cell].name.as_str());
        names.fold(text.to_owned(), |text, name| text.replacen(name, "", 1))
    }
}

fn mapped(path: &[PathCell], images: &[CellNumber]) -> Vec<PathCell> {
    path.iter().map(|one| PathCell { cell: images[one.cell], role: one.role }).collect()
}

fn sorted(path: &[PathCell]) -> Vec<(CellNumber, Role)> {
    let mut cells: Vec<(CellNumber, Role)> = path.iter().map(|one| (one.cell, one.role)).collect();
    cells.sort_by_key(|&(cell, role)| (cell, role as u8));
    cells
}

#[cfg(test)]
mod tests {
    use treegauge_catalog::GameSpec;

    use super::*;

    fn symmetries(game: &str) -> Vec<Symmetry> {
        let engine = treegauge_engine::open(&GameSpec::parse(game).unwrap()).unwrap();
        let board = engine.start().board();
        let all = Symmetry::ALL.into_iter().filter_map(|symmetry| {
            let images = symmetry.images(&board)?;
            // Each symmetry is its own inverse.
            assert!((0..images.len()).all(|cell| images[images[cell]] == cell), "{game}");
            Some(symmetry)
        });
        all.collect()
    }

    #[test]
    fn boards_have_the_symmetries_that_one_sees() {
        use Symmetry::{Antidiagonal, Diagonal, HalfTurn, LeftRight, TopBottom};
        let all = [HalfTurn, LeftRight, TopBottom, Diagonal, Antidiagonal];
        assert_eq!(symmetries("tic_tac_toe"), all);
        assert_eq!(symmetries("dots_and_boxes(rows=2,cols=2)"), all);
        assert_eq!(symmetries("connect_four"), all[..3]);
        // A rhombus of hexagons.
        assert_eq!(symmetries("hex(size=4)"), [HalfTurn]);
    }

    #[test]
    fn kinds_of_pieces_are_copied() {
        let game = "wild_tic_tac_toe";
        let engine = treegauge_engine::open(&GameSpec::parse(game).unwrap()).unwrap();
        let start = engine.start();
        let board = Arc::new(start.board());
        let symmetry = Symmetry::HalfTurn;
        let images = symmetry.images(&board).unwrap();
        let copier = Player::Second;
        let way = Way { board: board.clone(), symmetry, images, copier, first: None };
        let paths = start.paths(&board);
        let mut copied = 0;
        for (number, path) in paths.iter().enumerate() {
            let mut line = start.clone();
            line.play(number as MoveNumber);
            // The middle is its own image.
            let Some(reply) = way.reply(&line, path) else { continue };
            let reply = line.paths(&board).swap_remove(reply as usize);
            let words = |one: &MovePath| way.bare(&one.text, &one.path);
            assert_eq!(words(&reply), words(path));
            assert_ne!(reply.path, path.path);
            copied += 1;
        }
        assert_eq!((copied, paths.len()), (16, 18));
    }
}
