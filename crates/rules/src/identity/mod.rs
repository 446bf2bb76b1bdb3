//! Identity of a game: a number that is the same for two texts that differ in wording only.
//!
//! The normal form is written from the checked tree, not from the text. It has no names, comments
//! or defaults, and every region is a list of sites. The tree is simplified, and interchangeable
//! parts are sorted. Of the forms for all images of the board and all orders of the kinds of
//! pieces, the smallest is the normal form.

mod fold;
mod order;
mod sides;
mod write;

use std::collections::BTreeSet;

use treegauge_core::Player;
use xxhash_rust::xxh3::xxh3_128;

use crate::board::{Board, Shape, Site};
use crate::symmetry::images;
use crate::tree::{Kind, Owner, Program, Turns};

pub(crate) use sides::{Sides, sides};
use write::{As, Writer};

/// Rotation or reflection of a board that keeps all its links and lines.
struct Image {
    /// Image of each site.
    sites: Vec<Site>,
    /// Image of each direction.
    dirs: Vec<u8>,
}

/// Version of the normal form. Files contain identities, so a change of the form that alters them
/// must increase the version.
const VERSION: u64 = 1;

/// Hash of the normal form.
pub(crate) fn identity(program: &Program) -> u128 {
    let folded = fold::folded(program);
    let orders = kind_orders(&folded, As::Itself);
    let least = board_images(&folded.board)
        .iter()
        .flat_map(|image| orders.iter().map(move |kinds| (image, kinds)))
        .map(|(image, kinds)| Writer::new(&folded, image, kinds, As::Itself).program())
        .min()
        .expect("every board has itself as an image");
    let words = std::iter::once(VERSION).chain(least);
    xxh3_128(&words.flat_map(u64::to_le_bytes).collect::<Vec<u8>>())
}

/// Images of a board, the identity included.
fn board_images(board: &Board) -> Vec<Image> {
    let itself = Image {
        sites: (0..board.len() as Site).collect(),
        dirs: (0..board.directions.len() as u8).collect(),
    };
    let mut found = vec![itself];
    if board.is_pits() || matches!(board.shape, Shape::Graph) {
        return found;
    }
    let mut known = BTreeSet::from([found[0].sites.clone()]);
    for sites in images(board) {
        if known.insert(sites.clone())
            && let Some(dirs) = mapped_directions(board, &sites)
        {
            found.push(Image { sites, dirs });
        }
    }
    found
}

/// Image of each direction; `None` if the image of some direction is not a direction.
fn mapped_directions(board: &Board, image: &[Site]) -> Option<Vec<u8>> {
    let of = |site: Site| image[site as usize];
    let mut dirs: Vec<u8> = Vec::new();
    for direction in &board.directions {
        let becomes = |other: usize| {
            let to = &board.directions[other];
            board.sites().all(|site| {
                let (at, from) = (of(site) as usize, site as usize);
                to.next[at] == direction.next[from].map(of)
                    && to.line[at] == direction.line[from].map(of)
            })
        };
        let free = |other: &usize| !dirs.contains(&(*other as u8));
        let found = (0..board.directions.len()).filter(free).find(|&other| becomes(other))?;
        dirs.push(found as u8);
    }
    Some(dirs)
}

/// Permitted orders of the kinds of pieces. Kinds that players own come first, and each place keeps
/// the same owners and hands.
fn kind_orders(program: &Program, how: As) -> Vec<Vec<Kind>> {
    let count = program.kinds.len();
    let class = |kind: usize| {
        let of = &program.kinds[kind];
        let owner = match of.owner {
            Owner::Each => 0,
            Owner::Only(player) => {
                1 + usize::from((player == Player::Second) != (how == As::Exchanged))
            }
            Owner::Neutral => 3,
        };
        (owner, of.hand)
    };
    let mut classes: Vec<_> = (0..count).map(class).collect();
    classes.sort_unstable();
    // `orders[n][place]` is the kind at that place.
    let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
    for wanted in &classes {
        let longer = |order: &Vec<usize>| -> Vec<Vec<usize>> {
            (0..count)
                .filter(|kind| !order.contains(kind) && class(*kind) == *wanted)
                .map(|kind| [&order[..], &[kind]].concat())
                .collect()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    let numbers = |order: &Vec<usize>| {
        let place = |kind| order.iter().position(|&at| at == kind).expect("each kind has a place");
        (0..count).map(|kind| place(kind) as Kind).collect()
    };
    orders.iter().map(numbers).collect()
}

/// Shortest opening and cycle that give the same turns; `None` if players alternate.
fn least_turns(turns: &Turns) -> Option<Turns> {
    let (opening, cycle) = turns.seats.split_at(turns.cycle);
    let (mut opening, mut cycle) = (opening.to_vec(), cycle.to_vec());
    let repeats = |n: &usize| {
        cycle.len().is_multiple_of(*n) && (0..cycle.len()).all(|at| cycle[at] == cycle[at % n])
    };
    let period = (1..=cycle.len()).find(repeats).unwrap_or(cycle.len());
    cycle.truncate(period);
    while opening.last().is_some_and(|last| Some(last) == cycle.last()) {
        opening.pop();
        cycle.rotate_right(1);
    }
    let alternate = opening.is_empty() && cycle == Player::BOTH;
    let at = opening.len();
    (!alternate).then(|| Turns { seats: [opening, cycle].concat(), cycle: at })
}
