//! Test for rules that are the same for both players.
//!
//! The normal form of a program is compared with that of the program with exchanged players, under
//! each image of the board and in each order of the kinds. If two forms are equal, each position
//! has an exchanged counterpart that is played in the same way. The player who begins does not
//! matter.

use super::write::{As, Writer};
use super::{Image, board_images, fold, kind_orders, mapped_directions};
use crate::board::{Board, Shape, Site};
use crate::tree::Program;

/// Comparison of the rules of the two players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sides {
    /// The rules are the same under an image of the board, given as the image of each site; `None`
    /// for a drawn board, whose image is unknown.
    Same(Option<Vec<Site>>),
    /// No rotation or reflection of the board makes these sections the same. They are in the order
    /// of texts, for the image with the fewest differences.
    Differ(Vec<&'static str>),
}

/// Compares the rules of the two players of a program.
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
            // Of two images with equally many differences, one that keeps `start` the same is
            // better.
            let rank = |differ: &Vec<&str>| (differ.len(), differ.contains(&"start"));
            if least.as_ref().is_none_or(|least| rank(&differ) < rank(least)) {
                least = Some(differ);
            }
        }
    }
    Sides::Differ(least.unwrap_or_default())
}

/// The identity, and the images of the board under which the players may be exchanged.
fn images(board: &Board) -> (Image, Vec<Image>) {
    let sites: Vec<Site> = (0..board.len() as Site).collect();
    let itself = |sites: &Vec<Site>| Image {
        sites: sites.clone(),
        dirs: (0..board.directions.len() as u8).collect(),
    };
    match board.shape {
        // Images of a drawn board are not searched. Forms without sites and directions are equal if
        // they are equal under any image, so what differs here differs under every image.
        Shape::Graph => {
            let none =
                || Image { sites: vec![0; board.len()], dirs: vec![0; board.directions.len()] };
            (none(), vec![none()])
        }
        // The players' pits lie opposite each other, and so do their stores.
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
