//! Text and pictures.

use std::fmt::{self, Write};

use treegauge_core::{Game, Notation, Player, PositionError, PositionReason};

use super::rules::{FingerGame, State, kind};
use crate::position::{PositionErrors, Reader, letter};
use crate::svg::{CELL, MARGIN, Svg, colour};

/// The texts of the kinds of moves, in the order of the list.
const KINDS: [&str; 9] = ["LL", "LR", "RL", "RR", "LO", "RO", "S1", "S2", "S3"];

/// Reads the left and the right hand of a player.
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

/// Notes which rules a position breaks.
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

    /// The hands of the second player above those of the first, a stroke for each finger.
    fn board_text(&self, state: &State) -> String {
        let mut text = String::from("   left  right\n");
        for player in Player::BOTH.into_iter().rev() {
            let [left, right] = state.hands()[player.index()]
                .map(|n| if n == 0 { "-".to_owned() } else { "|".repeat(usize::from(n)) });
            let _ = writeln!(text, "{}  {left:<4}  {right}", letter(player));
        }
        text
    }

    fn board_svg(&self, state: &State) -> String {
        let palm = 2.0 * CELL;
        let mut svg = Svg::new(2.0 * palm + 3.0 * MARGIN, 2.0 * CELL + 4.0 * MARGIN);
        for (row, player) in Player::BOTH.into_iter().rev().enumerate() {
            let y = 1.5 * MARGIN + row as f64 * (CELL + MARGIN);
            svg.text(
                MARGIN / 2.0,
                y + CELL / 2.0,
                15.0,
                colour::LABEL,
                &letter(player).to_string(),
            );
            for (side, &fingers) in state.hands()[player.index()].iter().enumerate() {
                let x = MARGIN + side as f64 * (palm + MARGIN);
                let (fill, finger) = match player {
                    Player::First => (colour::BOARD, colour::FIRST),
                    Player::Second => (colour::BOARD_DARK, colour::SECOND_EDGE),
                };
                svg.rect(x, y, palm, CELL, fill);
                for n in 0..fingers {
                    let x = x + palm * (f64::from(n) + 1.0) / 5.0;
                    svg.line(x, y + 8.0, x, y + CELL - 8.0, 6.0, finger);
                }
                svg.text(
                    x + palm / 2.0,
                    y + CELL + MARGIN / 2.0,
                    13.0,
                    colour::LABEL,
                    ["L", "R"][side],
                );
            }
        }
        svg.finish()
    }
}
