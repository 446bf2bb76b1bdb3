//! In which words a text says what the typed tree has as sites: for whoever reads its rules again.

use crate::board::{Region, Site};
use crate::tree::{Kind, Owner, Set};

/// A family of sets by its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pattern {
    Line {
        length: i32,
        /// By their numbers on the board.
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

/// The words of a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Said {
    /// Sets that are the same in every position, for both players.
    regions: Vec<([Vec<Site>; 2], Region)>,
    /// One for each family of the program.
    pub(crate) patterns: Vec<Pattern>,
    /// The offsets of leaps, by the number of the mover.
    pub(crate) leaps: Vec<(usize, Vec<(i32, i32)>)>,
    pub(crate) start: Vec<Placed>,
}

impl Said {
    /// Notes the word of a set. The first word for the same sites is kept.
    pub(crate) fn note(&mut self, sites: &[Vec<Site>; 2], region: Region) {
        if self.region(sites).is_none() {
            self.regions.push((sites.clone(), region));
        }
    }

    /// The word of a set.
    pub(crate) fn region(&self, sites: &[Vec<Site>; 2]) -> Option<&Region> {
        self.regions.iter().find(|(known, _)| known == sites).map(|(_, region)| region)
    }

    /// The offsets of a leap.
    pub(crate) fn leap(&self, mover: usize) -> &[(i32, i32)] {
        let known = self.leaps.iter().find(|(id, _)| *id == mover);
        known.map_or(&[], |(_, offsets)| offsets)
    }
}
