//! Runs of empty sites in the lines from each site, kept from position to position.
//!
//! A move changes few sites. Only the runs of sites behind a changed one, up to the next occupied
//! site, become longer or shorter, so a ply costs a few steps along each line in place of a count of
//! all runs.

use treegauge_bits::{each_bit, has_bit};

use super::Code;
use super::code::NOWHERE;
use crate::board::Site;
use crate::state::BoardWord;

/// Direction along which runs are counted.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Index of the direction on the board, and that of the opposite direction among the lines.
    pub(super) d: usize,
    pub(super) back: usize,
    /// Whether its runs belong to the sums.
    is_summed: bool,
}

/// Directions of a board that lead straight from site to site and never back.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    pub(super) lines: Vec<Line>,
    /// Number of sites of the board.
    sites: usize,
    /// Runs on an empty board by line and site, and their sum by site.
    lengths: Vec<u16>,
    sums: Vec<u16>,
}

/// Runs of empty sites in a position.
#[derive(Clone, Debug)]
pub(super) struct Sights<W> {
    occupied: W,
    lengths: Vec<u16>,
    sums: Vec<u16>,
}

impl Lines {
    /// Lines of some directions, which contain the opposite of each of them; those of `summed` add
    /// to the sums. `None` if lines may meet again, or steps of one direction have several
    /// displacements.
    pub(super) fn of<W: BoardWord>(code: &Code<W>, used: &[u8], summed: &[u8]) -> Option<Lines> {
        let index = |d: usize| used.iter().position(|&one| usize::from(one) == d);
        let mut lines = Vec::new();
        for &d in used {
            let is_summed = summed.contains(&d);
            let d = usize::from(d);
            let back = code.back[d];
            if code.arcs[d].len() != 1 || code.back[back] != d {
                return None;
            }
            lines.push(Line { d, back: index(back)?, is_summed });
        }
        let sites = code.program.board.len();
        let (mut lengths, mut sums) = (vec![0; lines.len() * sites], vec![0; sites]);
        for site in 0..sites {
            let mut seen = W::bit(site as u32);
            for (n, line) in lines.iter().enumerate() {
                let next = &code.next[line.d];
                let (mut at, mut length) = (next[site], 0);
                while at != NOWHERE {
                    if !code.all.has(at.into()) || seen.has(at.into()) {
                        return None;
                    }
                    seen.set(at.into());
                    length += 1;
                    at = next[usize::from(at)];
                }
                lengths[n * sites + site] = length;
                if line.is_summed {
                    sums[site] += length;
                }
            }
        }
        Some(Lines { lines, sites, lengths, sums })
    }

    /// Index of a direction among the lines.
    pub(super) fn index(&self, d: u8) -> Option<usize> {
        self.lines.iter().position(|line| line.d == usize::from(d))
    }
}

impl<W: BoardWord> Sights<W> {
    /// Runs of an empty board.
    pub(super) fn new(lines: &Lines) -> Sights<W> {
        let (lengths, sums) = (lines.lengths.clone(), lines.sums.clone());
        Sights { occupied: W::ZERO, lengths, sums }
    }

    /// Runs along a line by site.
    #[inline]
    pub(super) fn along(&self, line: usize) -> &[u16] {
        let sites = self.sums.len();
        &self.lengths[line * sites..(line + 1) * sites]
    }

    /// Sums of runs by site.
    #[inline]
    pub(super) fn sums(&self) -> &[u16] {
        &self.sums
    }

    /// Brings the runs up to date.
    pub(super) fn look(&mut self, code: &Code<W>, lines: &Lines, occupied: W) {
        let sites = lines.sites;
        each_bit(self.occupied ^ occupied, |site| {
            self.occupied ^= W::bit(site);
            let is_blocked = has_bit(self.occupied, site);
            let site = site as usize;
            for (n, line) in lines.lines.iter().enumerate() {
                let lengths = &mut self.lengths[n * sites..(n + 1) * sites];
                let back = &code.next[lines.lines[line.back].d];
                let mut run = if is_blocked { 0 } else { lengths[site] + 1 };
                let mut at: Site = back[site];
                // Sites behind an occupied one see no further than that.
                while at != NOWHERE {
                    let length = &mut lengths[usize::from(at)];
                    if line.is_summed {
                        let sum = &mut self.sums[usize::from(at)];
                        *sum = *sum + run - *length;
                    }
                    *length = run;
                    if has_bit(self.occupied, at.into()) {
                        break;
                    }
                    run += 1;
                    at = back[usize::from(at)];
                }
            }
        });
    }
}
