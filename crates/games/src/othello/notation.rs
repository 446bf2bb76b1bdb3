//! Text notation and pictures of positions and moves.

use std::fmt::{self, Write};

use treegauge_core::{
    Actions, Board, Contents, Notation, PlaneShape, Planes, Player, PositionError, PositionReason,
    Tensor,
};

use super::rules::{NOWHERE, Othello, PASS, State, centre};
use crate::position::{PositionErrors, Reader, grid_text, letter, write_board, write_cell};
use treegauge_bits::Word;

fn disc_at(state: &State, row: u32, col: u32) -> Option<Player> {
    Player::BOTH.into_iter().find(|p| state.discs[p.index()].has(row * 8 + col))
}

fn symbol(state: &State, row: u32, col: u32) -> char {
    disc_at(state, row, col).map_or('.', letter)
}

fn cell_name(cell: u32) -> String {
    let mut name = String::new();
    write_cell(cell / 8, cell % 8, &mut name).expect("a string takes all text");
    name
}

impl<const N: u32> Othello<N> {
    /// Parses the cell of a last placement, which must hold a disc.
    fn read_last(reader: &mut Reader<'_>, player: Player) -> Option<u8> {
        let what = format!("the last cell of {} (or -)", letter(player));
        let (at, part) = reader.part(&what)?;
        let cell = match part.as_bytes() {
            b"-" => Some(NOWHERE),
            &[col, row] => {
                let (col, row) = (col.wrapping_sub(b'a'), row.wrapping_sub(b'1'));
                (u32::from(col) < N && u32::from(row) < N).then(|| row * 8 + col)
            }
            _ => None,
        };
        if cell.is_none() {
            reader.error(PositionReason::Unknown { found: part.to_owned(), at, expected: what });
        }
        cell
    }

    /// Notes every error of the discs on a board.
    pub(super) fn check_discs(all: u64, errors: &mut PositionErrors) {
        for cell in (centre::<N>() & !all).ones() {
            let name = cell_name(cell);
            errors.breaks(format!("{name} is empty, but the middle always holds discs"));
        }
    }

    /// Notes every error of the last placements on a board.
    pub(super) fn check_last(all: u64, turn: Player, last: [u8; 2], errors: &mut PositionErrors) {
        for (player, cell) in Player::BOTH.into_iter().zip(last) {
            let placed = all & !centre::<N>();
            if cell != NOWHERE && !placed.has(u32::from(cell)) {
                let (name, player) = (cell_name(u32::from(cell)), letter(player));
                errors.breaks(format!(
                    "no disc was ever placed on {name}, the last cell of {player}"
                ));
            }
        }
        let placements = all.count().saturating_sub(4);
        if placements == 0 && turn == Player::Second {
            errors.breaks("x begins, so o is not to move before a disc is placed");
        }
        if placements > 0 && last[0] == NOWHERE {
            errors.breaks("x begins, so x placed one of the discs");
        }
        if last[1] != NOWHERE && placements < 2 {
            errors.breaks("o cannot have placed a disc: x begins");
        }
        if last[0] == last[1] && last[0] != NOWHERE {
            errors.breaks("both players cannot have placed a disc on the same cell");
        }
    }
}

impl<const N: u32> Notation for Othello<N> {
    fn write_move(&self, _: &State, m: u8, out: &mut dyn Write) -> fmt::Result {
        if m == PASS {
            out.write_str("pass")
        } else {
            write_cell(u32::from(m / 8), u32::from(m % 8), out)
        }
    }

    fn write_position(&self, state: &State, out: &mut dyn Write) -> fmt::Result {
        write_board(N, N, |row, col| symbol(state, row, col), out)?;
        write!(out, " {}", letter(state.turn))?;
        if self.adjacent() {
            for cell in state.last {
                out.write_char(' ')?;
                if cell == NOWHERE {
                    out.write_char('-')?;
                } else {
                    write_cell(u32::from(cell / 8), u32::from(cell % 8), out)?;
                }
            }
        }
        Ok(())
    }

    fn parse_position(&self, text: &str) -> Result<State, PositionError> {
        let mut reader = Reader::new(text);
        let cells = reader.board(N, N, ".xo");
        let turn = reader.turn();
        let last = if self.adjacent() {
            let both = Player::BOTH.map(|player| Self::read_last(&mut reader, player));
            both[0].zip(both[1]).map(|(first, second)| [first, second])
        } else {
            Some([NOWHERE; 2])
        };
        let discs = cells.map(|cells| {
            let mut discs = [0u64; 2];
            for (row, col) in (0..N).flat_map(|row| (0..N).map(move |col| (row, col))) {
                for player in Player::BOTH {
                    if cells.at(row, col) == letter(player) {
                        discs[player.index()] |= u64::bit(row * 8 + col);
                    }
                }
            }
            Self::check_discs(discs[0] | discs[1], reader.errors());
            discs
        });
        let state = discs.zip(turn).zip(last);
        let state = state.map(|((discs, turn), last)| State { discs, turn, last });
        if let Some(State { discs, turn, last }) = state.filter(|_| self.adjacent()) {
            Self::check_last(discs[0] | discs[1], turn, last, reader.errors());
        }
        reader.finish(state)
    }

    fn board_text(&self, state: &State) -> String {
        grid_text(N, N, |row, col| symbol(state, row, col))
    }

    /// Draws a dot on the discs placed last, if the rules need them.
    fn board(&self, state: &State) -> Board {
        Board::squares(N, N, |row, col| {
            let is_last = state.last.contains(&((row * 8 + col) as u8));
            match disc_at(state, row, col) {
                Some(player) if is_last => {
                    Contents::piece(Some(player), "disc, placed last").with_text("\u{2022}")
                }
                disc => Contents::piece_or_empty(disc, "disc"),
            }
        })
    }
}

/// Ids are cells, and then a pass.
impl<const N: u32> Actions for Othello<N> {
    fn action_count(&self) -> u32 {
        N * N + 1
    }

    fn action_of(&self, _: &State, m: u8) -> u32 {
        if m == PASS { N * N } else { u32::from(m / 8) * N + u32::from(m % 8) }
    }
}

/// Planes: discs of each player, the turn, the last placement of each player if the rules need it.
impl<const N: u32> Tensor for Othello<N> {
    fn plane_shape(&self) -> PlaneShape {
        PlaneShape::Grid([N; 2])
    }

    fn write_planes(&self, state: &State, planes: &mut Planes<'_>) {
        planes.owners(|row, col| disc_at(state, row, col));
        planes.turn(state.turn);
        if self.adjacent() {
            for cell in state.last {
                let cell = (cell != NOWHERE).then(|| u32::from(cell));
                planes.marks(cell.map(|cell| cell / 8 * N + cell % 8));
            }
        }
    }
}
