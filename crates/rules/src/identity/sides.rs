//! Whether the rules are the same for both players.
//!
//! The normal form of a program is compared with that of the same program in which the players are
//! exchanged, under each image of the board and in each order of the kinds. Where two are equal, each
//! position has an exchanged one that is played in the same way. Who begins does not count.

use super::write::{As, Writer};
use super::{Image, board_images, fold, kind_orders, mapped_directions};
use crate::board::{Board, Shape, Site};
use crate::tree::Program;

/// How the rules of the players compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sides {
    /// They are the same when the board is turned so: each site with where it goes. Of a board that is
    /// drawn the turn is not known.
    Same(Option<Vec<Site>>),
    /// No turn or mirror image of the board makes these sections the same, in the order of texts: those of
    /// the image with the fewest.
    Differ(Vec<&'static str>),
}

/// How the rules of the players of a program compare.
pub(crate) fn sides(program: &Program) -> Sides {
    let folded = fold::folded(program);
    let (own, images) = images(&folded.board);
    let orders = kind_orders(&folded, As::Sides);
    let wanted = Writer::new(&folded, &own, &orders[0], As::Sides).sections();
    let mut least: Option<Vec<&'static str>> = None;
    for image in &images {
        for kinds in &kind_orders(&folded, As::Exchanged) {
            let found = Writer::new(&folded, image, kinds, As::Exchanged).sections();
            let differ: Vec<&str> = wanted
                .iter()
                .zip(&found)
                .filter(|(wanted, found)| wanted != found)
                .map(|((name, _), _)| *name)
                .collect();
            if differ.is_empty() {
                let is_known = folded.board.shape != Shape::Graph;
                return Sides::Same(is_known.then(|| image.sites.clone()));
            }
            // Of two images one under which the pieces stand alike is meant.
            let rank = |differ: &Vec<&str>| (differ.len(), differ.contains(&"start"));
            if least.as_ref().is_none_or(|least| rank(&differ) < rank(least)) {
                least = Some(differ);
            }
        }
    }
    Sides::Differ(least.unwrap_or_default())
}

/// The board as it is, and its images under which the players may be exchanged.
fn images(board: &Board) -> (Image, Vec<Image>) {
    let sites: Vec<Site> = (0..board.len() as Site).collect();
    let itself = |sites: &Vec<Site>| Image {
        sites: sites.clone(),
        dirs: (0..board.directions.len() as u8).collect(),
    };
    match board.shape {
        // The images of a drawn board are not looked for. Without sites and directions the forms are
        // equal where they are under any image; so what differs does so under all.
        Shape::Graph => {
            let none =
                || Image { sites: vec![0; board.len()], dirs: vec![0; board.directions.len()] };
            (none(), vec![none()])
        }
        // The pits of the players lie opposite each other, and so do the stores.
        Shape::Pits { pits } => {
            let pits = pits as Site;
            let other = |&site: &Site| match site {
                pit if pit < 2 * pits => (pit + pits) % (2 * pits),
                store => 4 * pits + 1 - store,
            };
            let sites_other: Vec<Site> = sites.iter().map(other).collect();
            let dirs = mapped_directions(board, &sites_other);
            let image = dirs.map(|dirs| Image { sites: sites_other, dirs });
            (itself(&sites), image.into_iter().collect())
        }
        _ => (itself(&sites), board_images(board)),
    }
}
