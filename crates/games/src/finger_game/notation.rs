//! Text notation and pictures of positions and moves.

use std::fmt::{self, Write};

use treegauge_core::{
    Actions, Board, Cell, CellMark, CellShape, Contents, Game, Notation, PathCell, PlaneShape,
    Planes, Player, PositionError, PositionReason, Role, Tensor, counted,
};

use super::rules::{FingerGame, State, kind};
use crate::position::{PositionErrors, Reader, letter};

/// Texts of the kinds of moves, in the order of the list.
const KINDS: [&str; 9] = ["LL", "LR", "RL", "RR", "LO", "RO", "S1", "S2", "S3"];

/// Letters of the hands.
const SIDES: [&str; 2] = ["L", "R"];

/// Parses the left and the right hand of a player.
fn read_hands(reader: &mut Reader<'_>, player: Player) -> Option<[u8; 2]> {
    let what = format!("the left and right hand of {}", letter(player));
    let (at, part) = reader.part(&what)?;
    let hands = match part.as_bytes() {
        [left @ b'0'..=b'4', right @ b'0'..=b'4'] => Some([left - b'0', right - b'0']),
        _ => None,
    };
    if hands.is_none() {
        reader.error(PositionReason::Unknown {
            found: part.to_owned(),
            at,
            expected: format!("{what} (two digits from 0 to 4)"),
        });
    }
    hands
}

/// Notes every rule that a position breaks.
pub(super) fn check(state: &State, errors: &mut PositionErrors) {
    let (turn, waiting) = (state.turn(), state.turn().other());
    if state.hands()[waiting.index()] == [0, 0] {
        let (waiting, turn) = (letter(waiting), letter(turn));
        errors.breaks(format!("{waiting} has no fingers left, so {turn} is not to move"));
    }
}

impl Notation for FingerGame {
    fn write_move(&self, _: &State, m: u8, out: &mut dyn Write) -> fmt::Result {
        out.write_str(KINDS[usize::from(kind(m))])
    }

    fn write_position(&self, state: &State, out: &mut dyn Write) -> fmt::Result {
        for [left, right] in state.hands() {
            write!(out, "{left}{right} ")?;
        }
        out.write_char(letter(self.turn(state)))
    }

    fn parse_position(&self, text: &str) -> Result<State, PositionError> {
        let mut reader = Reader::new(text);
        let first = read_hands(&mut reader, Player::First);
        let second = read_hands(&mut reader, Player::Second);
        let turn = reader.turn();
        let state = first.zip(second).zip(turn).map(|((first, second), turn)| {
            let state = State::of([first, second], turn);
            check(&state, reader.errors());
            state
        });
        reader.finish(state)
    }

    /// Draws the hands of the second player above those of the first, a stroke for each finger.
    fn board_text(&self, state: &State) -> String {
        let mut text = String::from("   left  right\n");
        for player in Player::BOTH.into_iter().rev() {
            let [left, right] = state.hands()[player.index()]
                .map(|n| if n == 0 { "-".to_owned() } else { "|".repeat(usize::from(n)) });
            let _ = writeln!(text, "{}  {left:<4}  {right}", letter(player));
        }
        text
    }

    /// Represents hands as cells: `xL` is the left hand of the first player.
    fn board(&self, state: &State) -> Board {
        let mut board = Board::new(4.6, 2.6);
        for (row, player) in Player::BOTH.into_iter().rev().enumerate() {
            let y = 0.5 + 1.6 * row as f64;
            board.label(-0.3, y, letter(player));
            for (side, &count) in state.hands()[player.index()].iter().enumerate() {
                let name = format!("{}{}", letter(player), SIDES[side]);
                let words = counted(count, "finger");
                let hand = Contents::new(words, CellMark::Fingers { owner: player, count });
                let x = 1.0 + 2.6 * side as f64;
                board.label(x, y + 0.8, SIDES[side]);
                board.cells.push(Cell::new(name, (x, y), CellShape::Hand, hand));
            }
        }
        board
    }

    /// Returns the tapping hand and the tapped hand; for a split the giving hand and the other one.
    fn move_cells(&self, state: &State, m: u8, board: &Board) -> Vec<PathCell> {
        let (own, other) = (letter(state.turn()), letter(state.turn().other()));
        let kind = KINDS[usize::from(kind(m))];
        let hands = state.hands()[state.turn().index()];
        let ends = match kind.split_at(1) {
            ("S", _) if hands[0] > 0 => [format!("{own}L"), format!("{own}R")],
            ("S", _) => [format!("{own}R"), format!("{own}L")],
            ("L", "O") => [format!("{own}L"), format!("{own}R")],
            ("R", "O") => [format!("{own}R"), format!("{own}L")],
            (hand, tapped) => [format!("{own}{hand}"), format!("{other}{tapped}")],
        };
        let touches = ends.iter().zip([Role::From, Role::To]);
        touches
            .filter_map(|(name, role)| Some(PathCell { cell: board.cell(name)?, role }))
            .collect()
    }
}

/// Ids are kinds of moves.
impl Actions for FingerGame {
    fn action_count(&self) -> u32 {
        KINDS.len() as u32
    }

    fn action_of(&self, _: &State, m: u8) -> u32 {
        u32::from(kind(m))
    }
}

/// Planes: fingers of the left and the right hand of each player, the turn.
impl Tensor for FingerGame {
    fn plane_shape(&self) -> PlaneShape {
        PlaneShape::Cells(2)
    }

    fn write_planes(&self, state: &State, planes: &mut Planes<'_>) {
        for hands in state.hands() {
            planes.numbers(|_, side| f32::from(hands[side as usize]));
        }
        planes.turn(state.turn());
    }
}
