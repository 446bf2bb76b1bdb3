//! Wording of a text for what the typed tree stores as sites, used to explain the rules.

use crate::board::{Region, Site};
use crate::tree::{Kind, Owner, Set};

/// Wording of a family of sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pattern {
    Line {
        length: i32,
        /// Directions, as their indices on the board.
        dirs: Vec<u8>,
        exactly: bool,
    },
    Shape(Vec<(i32, i32)>),
    Boxes,
}

/// Pieces that `start` puts on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    pub(crate) owner: Owner,
    pub(crate) kind: Kind,
    pub(crate) on: Set<Vec<Site>>,
}

/// Wording of a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Said {
    /// Regions named in the text, with their sites for both players.
    regions: Vec<([Vec<Site>; 2], Region)>,
    /// Wording of each family of the program.
    pub(crate) patterns: Vec<Pattern>,
    /// Offsets of leaps, with the index of their mover.
    pub(crate) leaps: Vec<(usize, Vec<(i32, i32)>)>,
    pub(crate) start: Vec<Placed>,
}

impl Said {
    /// Records the region that names a set. Only the first name for the same sites is kept.
    pub(crate) fn note(&mut self, sites: &[Vec<Site>; 2], region: Region) {
        if self.region(sites).is_none() {
            self.regions.push((sites.clone(), region));
        }
    }

    /// Region that names a set; `None` if the text does not name it.
    pub(crate) fn region(&self, sites: &[Vec<Site>; 2]) -> Option<&Region> {
        self.regions.iter().find(|(known, _)| known == sites).map(|(_, region)| region)
    }

    /// Offsets of a leap; empty if the mover does not leap.
    pub(crate) fn leap(&self, mover: usize) -> &[(i32, i32)] {
        let known = self.leaps.iter().find(|(id, _)| *id == mover);
        known.map_or(&[], |(_, offsets)| offsets)
    }
}
