//! Game in progress without its type.

use std::any::Any;
use std::fmt::{self, Debug};
use std::hash::{Hash, Hasher};

use thiserror::Error;
use treegauge_core::{
    Board, Ended, Ending, Look, MovePath, PathCell, Player, Plies, PositionError,
};
use treegauge_grammar::nearest;
use treegauge_search::Generator;

/// Beginning of a game: a position, and moves from there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StartingPoint {
    /// Position as text; `None` for the start of the game.
    pub position: Option<String>,
    /// Moves from the position, as text.
    pub moves: Vec<String>,
}

/// Reason that a game cannot begin at a [`StartingPoint`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BeginError {
    /// The text of the position has errors.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A move cannot be played.
    #[error("move {number}: {error}")]
    Move {
        /// Number of the move, from 1.
        number: usize,
        /// Reason that it cannot be played.
        error: PlayError,
    },
}

/// Reason that a move cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The game has ended.
    #[error("the game is over by {by}, so {text:?} cannot be played")]
    Over {
        /// Text of the move.
        text: String,
        /// Rule that ended the game.
        by: Ending,
    },
    /// The text is not a legal move.
    #[error("{text:?} is not a legal move here; {}", hint.words())]
    Move {
        /// Text of the move.
        text: String,
        /// Hint at the move that was probably meant.
        hint: MoveHint,
    },
    /// The text is a loose spelling of several legal moves.
    #[error("{text:?} may mean {}", moves.iter().map(|m| format!("`{m}`")).collect::<Vec<_>>().join(" or "))]
    Ambiguous {
        /// Text of the move.
        text: String,
        /// Moves that it may mean.
        moves: Vec<String>,
    },
    /// The number is not that of a legal move.
    #[error("move {number} is out of range: there are {legal} legal moves, counted from 0")]
    Number {
        /// Number of the move.
        number: MoveNumber,
        /// Number of legal moves.
        legal: u32,
    },
    /// The id is not that of a legal move.
    #[error("action {action} is {}", not_legal(*action, *count))]
    Action {
        /// Id of the move.
        action: u32,
        /// Number of ids of the game.
        count: u32,
    },
    /// The moves of the game have no ids.
    #[error("the moves of this game have no ids; play them by their texts or their numbers")]
    NoActions,
}

/// Hint for the author of an illegal move.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MoveHint {
    /// The text is several moves in one word; this is the first.
    Joined(String),
    /// This legal move is spelled similarly.
    Nearest(String),
    /// No guess is possible.
    Examples {
        /// The first legal moves.
        moves: Vec<String>,
        /// Number of the other legal moves.
        others: usize,
    },
}

/// Number of legal moves that a hint lists as examples.
const EXAMPLES: usize = 4;

/// Letters of a text from which a guess says more than a list of moves: another cell than the one
/// that was meant is one letter away.
const GUESSED_MIN: usize = 4;

/// Reason that an id is not that of a legal move.
fn not_legal(action: u32, count: u32) -> String {
    if action < count {
        return "not legal here".to_owned();
    }
    format!("out of range: there are {count}, counted from 0")
}

impl MoveHint {
    fn of(text: &str, moves: &[String]) -> MoveHint {
        let begins = |m: &&String| {
            let rest = text.strip_prefix(m.as_str());
            // The rest is also at least as long as a move.
            rest.is_some_and(|rest| moves.iter().any(|other| other.len() <= rest.len()))
        };
        if let Some(first) = moves.iter().filter(begins).max_by_key(|m| m.len()) {
            return MoveHint::Joined(first.clone());
        }
        let names = || moves.iter().map(String::as_str);
        let is_long = text.chars().count() >= GUESSED_MIN;
        match is_long.then(|| nearest(text, names())).flatten() {
            Some(nearest) => MoveHint::Nearest(nearest.to_owned()),
            None => MoveHint::Examples {
                moves: names().take(EXAMPLES).map(str::to_owned).collect(),
                others: moves.len().saturating_sub(EXAMPLES),
            },
        }
    }

    fn words(&self) -> String {
        match self {
            MoveHint::Joined(first) => {
                format!("`{first}` is; separate moves by spaces")
            }
            MoveHint::Nearest(nearest) => format!("the nearest legal move is `{nearest}`"),
            MoveHint::Examples { moves, others } => {
                let mut listed: Vec<String> = moves.iter().map(|m| format!("`{m}`")).collect();
                match others {
                    0 => {}
                    1 => listed.push("1 other".to_owned()),
                    others => listed.push(format!("{others} others")),
                }
                match listed.split_last() {
                    Some((only, [])) => format!("the only legal move is {only}"),
                    Some((last, first)) => format!("legal are {} and {last}", first.join(", ")),
                    None => "there is no legal move".to_owned(),
                }
            }
        }
    }
}

/// Text of a move without letter case, space, hyphens, and the `x` of captures between two cells.
fn loose(text: &str) -> String {
    let signs: Vec<char> = text.to_lowercase().chars().filter(|c| !c.is_whitespace()).collect();
    let is_capture = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| signs.get(before));
        let after = signs.get(at + 1);
        signs[at] == 'x'
            && before.is_some_and(char::is_ascii_digit)
            && after.is_some_and(char::is_ascii_lowercase)
    };
    let kept = (0..signs.len()).filter(|&at| signs[at] != '-' && !is_capture(at));
    kept.map(|at| signs[at]).collect()
}

/// Number of a legal move of a position, from 0: its place in the game's order of moves.
pub type MoveNumber = u32;

/// Game in progress of any type: a position with the part of its history that the rules need. A
/// move is its number in the game's order of moves; text is made on demand.
pub struct Line(pub(crate) Box<dyn ErasedLine>);

/// Operations that a [`Line`] needs of the game behind it.
pub(crate) trait ErasedLine: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn boxed_clone(&self) -> Box<dyn ErasedLine>;
    fn turn(&self) -> Player;
    fn ply(&self) -> Plies;
    fn ended(&self) -> Option<Ended>;
    fn margin(&self) -> Option<i32>;
    fn move_count(&self) -> u32;
    fn move_text(&self, number: MoveNumber) -> String;
    fn move_texts(&self) -> Vec<String>;
    fn move_number(&self, text: &str) -> Option<MoveNumber>;
    fn play(&mut self, number: MoveNumber);
    fn undo(&mut self) -> bool;
    fn random_move(&self, rng: &mut Generator) -> Option<MoveNumber>;
    fn random_plies(&mut self, plies: u32, rng: &mut Generator) -> Vec<MoveNumber>;
    fn looks_into(&self, looks: &mut Vec<Look>) -> bool;
    fn action_count(&self) -> Option<u32>;
    /// Adds the ids of the legal moves of an unfinished game, in the order of their numbers.
    fn actions_into(&self, actions: &mut Vec<u32>) -> bool;
    /// Plays a move of an unfinished game; `false` if no legal move has the id.
    fn play_action(&mut self, action: u32) -> bool;
    fn tensor_shape(&self) -> Option<Vec<u32>>;
    fn write_tensor(&self, out: &mut [f32]) -> bool;
    fn position_text(&self) -> String;
    fn board_text(&self) -> String;
    fn board(&self) -> Board;
    fn move_cells(&self, number: MoveNumber, board: &Board) -> Vec<PathCell>;
    fn paths(&self, board: &Board) -> Vec<(String, Vec<PathCell>)>;
    fn start(&self) -> Line;
    fn numbers(&self) -> Vec<MoveNumber>;
    fn is_same(&self, other: &dyn ErasedLine) -> bool;
    fn hash(&self, hasher: &mut dyn Hasher);
}

impl Line {
    /// Player to move; also defined if the game is over.
    #[must_use]
    pub fn turn(&self) -> Player {
        self.0.turn()
    }

    /// Number of plies played since the beginning.
    #[must_use]
    pub fn ply(&self) -> Plies {
        self.0.ply()
    }

    /// End of the game; `None` while it goes on.
    #[must_use]
    pub fn ended(&self) -> Option<Ended> {
        self.0.ended()
    }

    /// First player's score minus the second's; `None` if the game has no scores.
    #[must_use]
    pub fn margin(&self) -> Option<i32> {
        self.0.margin()
    }

    /// Number of legal moves; 0 if the game has ended.
    #[must_use]
    pub fn move_count(&self) -> u32 {
        if self.ended().is_some() { 0 } else { self.0.move_count() }
    }

    /// Number of ids of the game's moves; `None` if its moves have none. See [`Line::actions_into`].
    #[must_use]
    pub fn action_count(&self) -> Option<u32> {
        self.0.action_count()
    }

    /// Replaces the contents of `actions` with the ids of the legal moves, in ascending order;
    /// empty if the game has ended. An id is below [`Line::action_count`] and stands for the same
    /// text of a move in all positions of the game. Returns `false` if the game's moves have no
    /// ids.
    ///
    /// ```
    /// use treegauge_catalog::GameSpec;
    ///
    /// let game = GameSpec::parse("connect_four").unwrap();
    /// let mut line = treegauge_engine::open(&game).unwrap().start();
    /// let mut actions = Vec::new();
    /// assert!(line.actions_into(&mut actions));
    /// assert_eq!(actions, [0, 1, 2, 3, 4, 5, 6]);
    /// line.play_action(3).unwrap();
    /// assert_eq!(line.played_texts(), ["d"]);
    /// ```
    pub fn actions_into(&self, actions: &mut Vec<u32>) -> bool {
        let has_ids = self.numbered_actions_into(actions);
        actions.sort_unstable();
        has_ids
    }

    /// The same as [`Line::actions_into`], in the order of the numbers of the moves.
    fn numbered_actions_into(&self, actions: &mut Vec<u32>) -> bool {
        actions.clear();
        if self.ended().is_some() {
            return self.action_count().is_some();
        }
        self.0.actions_into(actions)
    }

    /// Id of a legal move; `None` if the game's moves have no ids.
    ///
    /// # Panics
    ///
    /// When no legal move has this number.
    #[must_use]
    pub fn action_of(&self, number: MoveNumber) -> Option<u32> {
        let mut actions = Vec::new();
        self.numbered_actions_into(&mut actions).then(|| actions[number as usize])
    }

    /// Number of the legal move with this id.
    ///
    /// # Errors
    ///
    /// When the game has ended, the id is not that of a legal move, or the game's moves have no
    /// ids.
    pub fn action_number(&self, action: u32) -> Result<MoveNumber, PlayError> {
        let mut actions = Vec::new();
        self.numbered_actions_into(&mut actions);
        let number = actions.iter().position(|&of| of == action);
        number.map(|number| number as MoveNumber).ok_or_else(|| self.refused_action(action))
    }

    /// Text of the legal move with this id.
    ///
    /// # Errors
    ///
    /// As [`Line::action_number`].
    pub fn action_text(&self, action: u32) -> Result<String, PlayError> {
        Ok(self.move_text(self.action_number(action)?))
    }

    /// Plays the legal move with this id, without its text or number.
    ///
    /// # Errors
    ///
    /// As [`Line::action_number`]; nothing changes then.
    pub fn play_action(&mut self, action: u32) -> Result<(), PlayError> {
        if self.ended().is_none() && self.0.play_action(action) {
            return Ok(());
        }
        Err(self.refused_action(action))
    }

    #[cold]
    fn refused_action(&self, action: u32) -> PlayError {
        match (self.action_count(), self.ended()) {
            (None, _) => PlayError::NoActions,
            (Some(count), _) if action >= count => PlayError::Action { action, count },
            (_, Some(Ended { by, .. })) => PlayError::Over { text: action.to_string(), by },
            (Some(count), None) => PlayError::Action { action, count },
        }
    }

    /// Shape of the tensors of the game: the number of planes, then the sizes of a plane; `None` if
    /// the game has no tensors.
    #[must_use]
    pub fn tensor_shape(&self) -> Option<Vec<u32>> {
        self.0.tensor_shape()
    }

    /// Writes the position as numbers: planes by owner and kind of piece, the turn, and the further
    /// parts of the key, in row-major order of [`Line::tensor_shape`]. Two positions of a game have
    /// equal tensors exactly if they are equal. Returns `false` if the game has no tensors.
    ///
    /// ```
    /// use treegauge_catalog::GameSpec;
    ///
    /// let game = GameSpec::parse("connect_four").unwrap();
    /// let mut line = treegauge_engine::open(&game).unwrap().start();
    /// assert_eq!(line.tensor_shape().unwrap(), [3, 6, 7]);
    /// line.play_text("d").unwrap();
    /// let mut tensor = vec![0.0; 3 * 6 * 7];
    /// assert!(line.write_tensor(&mut tensor));
    /// assert_eq!(tensor[3], 1.0, "the first player has the cell d1");
    /// assert_eq!(tensor[2 * 6 * 7..], [1.0; 6 * 7], "the second player is to move");
    /// ```
    ///
    /// # Panics
    ///
    /// When the length of `out` is not the product of the shape.
    pub fn write_tensor(&self, out: &mut [f32]) -> bool {
        self.0.write_tensor(out)
    }

    /// Text of a legal move.
    ///
    /// # Panics
    ///
    /// When no legal move has this number.
    #[must_use]
    pub fn move_text(&self, number: MoveNumber) -> String {
        self.0.move_text(number)
    }

    /// Legal moves in their order, as text; empty if the game has ended.
    #[must_use]
    pub fn moves(&self) -> Vec<String> {
        if self.ended().is_some() { Vec::new() } else { self.0.move_texts() }
    }

    /// Number of the legal move with this text; letter case and surrounding space are ignored.
    ///
    /// # Errors
    ///
    /// When the game has ended or the text is not a legal move; the error hints at the move that
    /// was probably meant.
    pub fn move_number(&self, text: &str) -> Result<MoveNumber, PlayError> {
        if let Some(Ended { by, .. }) = self.ended() {
            return Err(PlayError::Over { text: text.to_owned(), by });
        }
        self.0.move_number(text).ok_or_else(|| {
            let text = text.trim();
            PlayError::Move { text: text.to_owned(), hint: MoveHint::of(text, &self.moves()) }
        })
    }

    /// Number of the legal move with this text, or else with a loose spelling of it: `a2a3` or `a2
    /// a3` for `a2-a3`, `a2b3` or `a2-b3` for `a2xb3`.
    ///
    /// # Errors
    ///
    /// As [`Line::move_number`]; also when several legal moves have that spelling.
    pub fn spelt_move_number(&self, text: &str) -> Result<MoveNumber, PlayError> {
        let exact = self.move_number(text);
        let Err(PlayError::Move { .. }) = exact else { return exact };
        let (moves, meant) = (self.moves(), loose(text));
        let alike: Vec<usize> = (0..moves.len()).filter(|&n| loose(&moves[n]) == meant).collect();
        match &alike[..] {
            [] => exact,
            [only] => Ok(*only as MoveNumber),
            several => Err(PlayError::Ambiguous {
                text: text.trim().to_owned(),
                moves: several.iter().map(|&n| moves[n].clone()).collect(),
            }),
        }
    }

    /// Plays a legal move of a game that has not ended.
    ///
    /// # Panics
    ///
    /// When no legal move has this number.
    pub fn play(&mut self, number: MoveNumber) {
        self.0.play(number);
    }

    /// Plays the legal move with this number.
    ///
    /// # Errors
    ///
    /// When the game has ended or no legal move has this number; nothing changes then.
    pub fn try_play(&mut self, number: MoveNumber) -> Result<(), PlayError> {
        let legal = self.move_count();
        if number < legal {
            self.play(number);
            return Ok(());
        }
        Err(match self.ended() {
            Some(Ended { by, .. }) => PlayError::Over { text: number.to_string(), by },
            None => PlayError::Number { number, legal },
        })
    }

    /// Takes back the last move. Returns `false` if none was played since the start; nothing
    /// changes then. A finished game goes on again.
    pub fn undo(&mut self) -> bool {
        self.0.undo()
    }

    /// Line before its first move: the position in which it began.
    #[must_use]
    pub fn start(&self) -> Line {
        self.0.start()
    }

    /// Numbers of the moves played since the start.
    #[must_use]
    pub fn played(&self) -> Vec<MoveNumber> {
        self.0.numbers()
    }

    /// Texts of the moves played since the start.
    #[must_use]
    pub fn played_texts(&self) -> Vec<String> {
        self.start().line_texts(&self.played())
    }

    /// Plays the move with this text and returns its number.
    ///
    /// # Errors
    ///
    /// As [`Line::move_number`]; nothing changes then.
    pub fn play_text(&mut self, text: &str) -> Result<MoveNumber, PlayError> {
        let number = self.move_number(text)?;
        self.play(number);
        Ok(number)
    }

    /// Plays moves one after the other.
    ///
    /// # Errors
    ///
    /// When a move cannot be played; the moves before it have been played.
    pub fn play_texts<T: AsRef<str>>(&mut self, texts: &[T]) -> Result<(), BeginError> {
        for (n, text) in texts.iter().enumerate() {
            let played = self.play_text(text.as_ref());
            played.map_err(|error| BeginError::Move { number: n + 1, error })?;
        }
        Ok(())
    }

    /// Plays up to `plies` uniformly random moves, fewer if the game ends, and returns their
    /// numbers.
    pub fn random_plies(&mut self, plies: u32, rng: &mut Generator) -> Vec<MoveNumber> {
        self.0.random_plies(plies, rng)
    }

    /// Random legal move, all equally likely; `None` if the position ends the game.
    pub fn random_move(&self, rng: &mut Generator) -> Option<MoveNumber> {
        self.0.random_move(rng)
    }

    /// Replaces the contents of `looks` with the looks of the legal moves at a glance, in their
    /// order; empty if the game has ended. Returns whether the game defines how its moves look.
    pub fn looks_into(&self, looks: &mut Vec<Look>) -> bool {
        looks.clear();
        let has_looks = self.0.looks_into(looks);
        if self.ended().is_some() {
            looks.clear();
        }
        has_looks
    }

    /// Texts of moves that are played from here one after the other.
    ///
    /// # Panics
    ///
    /// When one of them is not legal in its position.
    #[must_use]
    pub fn line_texts(&self, numbers: &[MoveNumber]) -> Vec<String> {
        let mut line = self.clone();
        let text = |&number: &MoveNumber| {
            let text = line.move_text(number);
            line.play(number);
            text
        };
        numbers.iter().map(text).collect()
    }

    /// Position as text, including the player to move.
    #[must_use]
    pub fn position_text(&self) -> String {
        self.0.position_text()
    }

    /// Picture of the position for a terminal: several lines, each with a line end.
    #[must_use]
    pub fn board_text(&self) -> String {
        self.0.board_text()
    }

    /// Picture of the position as one SVG document.
    #[must_use]
    pub fn board_svg(&self) -> String {
        self.board().svg()
    }

    /// Position as a board of cells.
    #[must_use]
    pub fn board(&self) -> Board {
        self.0.board()
    }

    /// Cells of [`Line::board`] that a legal move touches, in the order in which a player touches
    /// them; empty for a move without cells, such as a pass. [`Line::paths`] is faster for all
    /// moves.
    ///
    /// # Panics
    ///
    /// When no legal move has this number.
    #[must_use]
    pub fn move_cells(&self, number: MoveNumber) -> Vec<PathCell> {
        self.0.move_cells(number, &self.board())
    }

    /// Legal moves in their order, with the cells that each touches; empty if the game has ended.
    /// `board` must be that of this position.
    #[must_use]
    pub fn paths(&self, board: &Board) -> Vec<MovePath> {
        if self.ended().is_some() {
            return Vec::new();
        }
        MovePath::of_all(self.0.paths(board))
    }
}

/// Two lines are equal if they have the same game, first position and moves.
impl PartialEq for Line {
    fn eq(&self, other: &Line) -> bool {
        self.0.is_same(&*other.0)
    }
}

impl Eq for Line {}

impl Hash for Line {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.hash(hasher);
    }
}

impl Clone for Line {
    fn clone(&self) -> Self {
        Line(self.0.boxed_clone())
    }
}

impl Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Line").field(&self.position_text()).finish()
    }
}
