//! Board of sowing games: two rows of houses with a store each.
//!
//! The text of a position is the houses of the first player from that player's left, separated by
//! commas, the store, the houses and the store of the second player in the same way, and the player
//! to move: `4,4,4,4,4,4 0 4,4,4,4,4,4 0 x`.

use std::fmt::{self, Write};
use std::sync::Arc;

use treegauge_core::{
    Board, Cell, CellShape, Contents, PathCell, Planes, Player, PositionReason, Role,
};

use crate::position::{Reader, letter};
use treegauge_bits::NTH_IN_BYTE;

/// Greatest number of houses of a player.
pub(crate) const MAX_HOUSES: u32 = 7;

/// Byte of a side that is the store, and the place of the last seed if it falls there.
pub(crate) const STORE: u32 = 7;

/// Offset of the last seed's place if it falls into a house of the opponent.
pub(crate) const BEYOND: u32 = 8;

/// One in every byte.
pub(crate) const ONES: u64 = 0x0101_0101_0101_0101;

/// Highest bit of every byte.
pub(crate) const HIGHS: u64 = 0x8080_8080_8080_8080;

/// Houses, stores and player to move.
///
/// Eight bytes for each player: byte i is house i + 1, counted from the player's left, and byte 7
/// is the store. There are at most 255 seeds, so no byte overflows. Example: the houses 4, 4, 0, 5,
/// 5, 5 and one seed in the store are `0x0100_0505_0500_0404`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(crate) sides: [u64; 2],
    pub(crate) turn: Player,
}

impl State {
    /// State with `seeds` in each of `houses` houses of both players.
    pub(crate) fn start(houses: u32, seeds: u32) -> State {
        State { sides: [(ONES & mask(houses)) * u64::from(seeds); 2], turn: Player::First }
    }

    /// Sides of the player to move and of the other player.
    #[inline]
    pub(crate) fn split(&self) -> (u64, u64) {
        (self.sides[self.turn.index()], self.sides[self.turn.other().index()])
    }

    /// State from the player to move, that player's side and the other side.
    #[inline]
    pub(crate) fn join(turn: Player, own: u64, other: u64) -> State {
        State { sides: if turn == Player::First { [own, other] } else { [other, own] }, turn }
    }

    /// Key: the side of the first player, above it the houses of the second. In place of the second
    /// store, which holds the rest of the seeds, it has the player to move.
    pub(crate) fn key(&self) -> u128 {
        let houses = self.sides[1] & mask(STORE);
        u128::from(self.sides[0])
            | u128::from(houses) << 64
            | (self.turn.index() as u128) << (64 + 8 * STORE)
    }

    /// State of a key, with `total` seeds in all.
    pub(crate) fn unkey(key: u128, total: u32) -> State {
        let first = key as u64;
        let houses = (key >> 64) as u64 & mask(STORE);
        let turn = Player::BOTH[(key >> (64 + 8 * STORE)) as usize & 1];
        let stored = u64::from(total) - sum(first) - sum(houses);
        State { sides: [first, houses | stored << (8 * STORE)], turn }
    }

    /// State of a key; `None` unless all seeds are in `houses` houses and the stores, at most
    /// `total` in all.
    pub(crate) fn try_unkey(key: u128, houses: u32, total: u32) -> Option<State> {
        let (first, second) = (key as u64, (key >> 64) as u64 & mask(STORE));
        let seeds = [first, second].into_iter().flat_map(u64::to_le_bytes).map(u32::from);
        let rows = (first & mask(STORE)) | second;
        let sound = rows & !mask(houses) == 0
            && seeds.sum::<u32>() <= total
            && key >> (64 + 8 * STORE) <= 1;
        sound.then(|| State::unkey(key, total))
    }
}

/// Writes the planes of a tensor: seeds in the houses and then in the store of each player, the
/// turn.
pub(crate) fn write_planes(state: &State, houses: u32, planes: &mut Planes<'_>) {
    for side in state.sides {
        planes.numbers(|_, cell| at(side, if cell == houses { STORE } else { cell }) as f32);
    }
    planes.turn(state.turn);
}

/// Mask of the bytes of `houses` houses.
#[inline]
pub(crate) const fn mask(houses: u32) -> u64 {
    (1 << (8 * houses)) - 1
}

/// Number of seeds in a house, counted from 0, or in the store.
#[inline]
pub(crate) const fn at(side: u64, house: u32) -> u64 {
    side >> (8 * house) & 0xff
}

/// Sum of all bytes, which must be at most 255.
#[inline]
pub(crate) const fn sum(bytes: u64) -> u64 {
    bytes.wrapping_mul(ONES) >> 56
}

/// Side after `seeds`, whole bytes of its houses, went to its store.
#[inline]
pub(crate) const fn stored(side: u64, seeds: u64) -> u64 {
    side - seeds + (sum(seeds) << (8 * STORE))
}

/// Houses that have seeds, as the lowest bits of bytes. `houses` has an empty byte 7.
#[inline]
pub(crate) const fn occupied(houses: u64) -> u64 {
    (((houses & !HIGHS) + !HIGHS) | houses) >> 7 & ONES
}

/// Number of the `n`-th house of a set, given as lowest bits of bytes 0 to 6.
#[inline]
pub(crate) fn nth(some: u64, n: u32) -> u32 {
    // Bit 8 i is moved to bit 56 + i, which no other product of two bits reaches.
    let bits = some.wrapping_mul(0x0102_0408_1020_4080) >> 56;
    u32::from(NTH_IN_BYTE[bits as usize][n as usize & 7])
}

/// Seeds that a sowing adds, as seen by the player who sows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sowing {
    pub(crate) own: u64,
    pub(crate) other: u64,
    /// Place of the last seed: an own house from 0, [`STORE`], or [`BEYOND`] plus a house of the
    /// opponent.
    pub(crate) last: u32,
}

/// Sowings of every number of seeds from every house.
///
/// This is a table rather than a loop over the seeds: a sowing is then two additions, and the table
/// of 6 houses with 4 seeds, 7 KiB, stays in the fastest cache.
#[derive(Clone, Debug)]
pub(crate) struct Sowings {
    table: Arc<[Sowing]>,
    /// Number of possible seed counts, including 0.
    numbers: usize,
}

impl Sowings {
    /// Computes the sowings of at most `total` seeds, with the own store or without, and over the
    /// house of origin or skipping it.
    pub(crate) fn new(houses: u32, total: u32, own_store: bool, over_origin: bool) -> Sowings {
        let mut table = Vec::new();
        for origin in 0..houses {
            let mut places: Vec<u32> = (0..houses).collect();
            if own_store {
                places.push(STORE);
            }
            places.extend((0..houses).map(|house| BEYOND + house));
            places.rotate_left(origin as usize + 1);
            if !over_origin {
                places.pop();
            }
            let mut sowing = Sowing { last: origin, ..Sowing::default() };
            table.push(sowing);
            for &place in places.iter().cycle().take(total as usize) {
                let side = if place < BEYOND { &mut sowing.own } else { &mut sowing.other };
                *side += 1 << (8 * (place % BEYOND));
                sowing.last = place;
                table.push(sowing);
            }
        }
        Sowings { table: table.into(), numbers: total as usize + 1 }
    }

    /// Sowing of `seeds` from a house.
    #[inline]
    pub(crate) fn of(&self, house: u32, seeds: u64) -> Sowing {
        self.table[house as usize * self.numbers + seeds as usize]
    }
}

/// Writes a position.
pub(crate) fn write_position(houses: u32, state: &State, out: &mut dyn Write) -> fmt::Result {
    for side in state.sides {
        for house in 0..houses {
            let comma = if house == 0 { "" } else { "," };
            write!(out, "{comma}{}", at(side, house))?;
        }
        write!(out, " {} ", at(side, STORE))?;
    }
    out.write_char(letter(state.turn))
}

/// Parses a position with `total` seeds in all and notes every error.
pub(crate) fn read_position(reader: &mut Reader<'_>, houses: u32, total: u32) -> Option<State> {
    let sides = Player::BOTH.map(|player| read_side(reader, player, houses, total));
    let turn = reader.turn();
    let [Some(first), Some(second)] = sides else { return None };
    let seeds = first.iter().chain(&second).sum::<u32>();
    if seeds != total {
        reader.breaks(format!("there are {seeds} seeds, not {total}"));
        return None;
    }
    let side = |seeds: Vec<u32>| {
        let (stored, houses) = seeds.split_last().expect("a side has a store");
        houses.iter().rev().fold(0, |side, &n| side << 8 | u64::from(n))
            | u64::from(*stored) << (8 * STORE)
    };
    Some(State { sides: [side(first), side(second)], turn: turn? })
}

/// Parses the seeds in the houses and in the store of a player.
fn read_side(reader: &mut Reader<'_>, player: Player, houses: u32, total: u32) -> Option<Vec<u32>> {
    let x = letter(player);
    let part = reader.part(&format!("the row of houses of {x}"));
    let stored = reader.number(&format!("the store of {x}"), 0..=i64::from(total));
    let (begin, part) = part?;
    let (mut seeds, mut sound, mut at) = (Vec::new(), true, begin);
    for number in part.split(',') {
        let n = number.parse().ok().filter(|&n: &u32| n <= total);
        if n.is_none() {
            reader.error(PositionReason::Unknown {
                found: number.to_owned(),
                at,
                expected: format!("a number of seeds (0 to {total})"),
            });
            sound = false;
        }
        seeds.push(n.unwrap_or(0));
        at += number.chars().count() + 1;
    }
    if seeds.len() != houses as usize {
        reader.breaks(format!("{x} has {} houses, not {houses}", seeds.len()));
        sound = false;
    }
    seeds.push(stored? as u32);
    sound.then_some(seeds)
}

/// Draws the second player's houses above those of the first; seeds move counter-clockwise.
pub(crate) fn board_text(houses: u32, state: &State) -> String {
    let [first, second] = state.sides;
    let mut text = String::new();
    let mut line = |begin: &str, cells: &mut dyn Iterator<Item = u64>, end: &str| {
        let _ = write!(text, "{begin:7}");
        for cell in cells {
            let _ = write!(text, "{cell:>4}");
        }
        text.push_str(end);
        text.push('\n');
    };
    let numbers = 1..=u64::from(houses);
    line("", &mut numbers.clone().rev(), "");
    let store = format!("o {:>3}", at(second, STORE));
    line(&store, &mut (0..houses).rev().map(|house| at(second, house)), "");
    let store = format!("{:>5} x", at(first, STORE));
    line("", &mut (0..houses).map(|house| at(first, house)), &store);
    line("", &mut numbers.clone(), "");
    text
}

/// Represents the houses in two rows between the stores. `x3` is the third house of the first
/// player from that player's left.
pub(crate) fn board(houses: u32, state: &State) -> Board {
    let mut board = Board::new(f64::from(houses + 2), 2.0);
    for player in Player::BOTH {
        let side = state.sides[player.index()];
        let is_first = player == Player::First;
        let (y, label) = if is_first { (1.5, 2.3) } else { (0.5, -0.3) };
        let mut pit = |name: String, x: u32, y: f64, seeds: u64, text: String| {
            let x = f64::from(if is_first { x } else { houses + 1 - x }) + 0.5;
            let pit = Cell::new(name, (x, y), CellShape::Pit, Contents::seeds(seeds));
            board.cells.push(pit.owned_by(player));
            board.label(x, label, text);
        };
        for house in 0..houses {
            let number = (house + 1).to_string();
            let name = format!("{}{number}", letter(player));
            pit(name, house + 1, y, at(side, house), number);
        }
        let x = letter(player);
        pit(format!("store {x}"), houses + 1, 1.0, at(side, STORE), x.to_string());
    }
    board
}

/// Returns the house that a move takes seeds from.
pub(crate) fn move_cells(houses: u32, state: &State, house: u8) -> Vec<PathCell> {
    let cell = state.turn.index() * (houses as usize + 1) + usize::from(house);
    vec![PathCell { cell, role: Role::From }]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn bytes_are_a_list_of_numbers(list in prop::collection::vec(0u64..=36, 7)) {
            let side = list.iter().rev().fold(0, |side, n| side << 8 | n);
            for (house, &n) in list.iter().enumerate() {
                prop_assert_eq!(at(side, house as u32), n);
            }
            prop_assert_eq!(sum(side), list.iter().sum::<u64>());
            let full: Vec<u32> = (0..7).filter(|&i| list[i as usize] > 0).collect();
            let some = occupied(side);
            prop_assert_eq!(sum(some), full.len() as u64);
            for (n, &house) in full.iter().enumerate() {
                prop_assert_eq!(nth(some, n as u32), house);
            }
        }

        #[test]
        fn a_house_may_hold_more_than_half_of_a_byte(house in 0u32..7, seeds in 1u64..=255) {
            prop_assert_eq!(occupied(seeds << (8 * house)), 1 << (8 * house));
        }

        #[test]
        fn sowing_goes_from_place_to_place(
            houses in 1u32..=7, own_store: bool, over_origin: bool, seeds in 0u64..=100
        ) {
            let sowings = Sowings::new(houses, 100, own_store, over_origin);
            for origin in 0..houses {
                let (mut own, mut other, mut place) = (0u64, 0u64, origin);
                let mut left = seeds;
                while left > 0 {
                    place = match place {
                        p if p + 1 < houses => p + 1,
                        p if p + 1 == houses && own_store => STORE,
                        p if p < BEYOND => BEYOND,
                        p if p + 1 < BEYOND + houses => p + 1,
                        _ => 0,
                    };
                    if place != origin || over_origin {
                        let side = if place < BEYOND { &mut own } else { &mut other };
                        *side += 1 << (8 * (place % 8));
                        left -= 1;
                    }
                }
                let sowing = sowings.of(origin, seeds);
                prop_assert_eq!((sowing.own, sowing.other, sowing.last), (own, other, place));
            }
        }
    }
}
