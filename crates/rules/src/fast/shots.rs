//! Moves of two parts in which a piece slides and another piece is then placed in an unbroken line
//! from it, as an amazon shoots its arrow.
//!
//! A position has thousands of such moves. They are counted by the lengths of runs: a sliding piece
//! sees from its new site what that site has seen before, and in the direction that it came from
//! also its old site and what that saw. The lengths are kept from ply to ply and change only on the
//! lines through sites that have changed.

use treegauge_bits::{each_bit, has_bit};

use super::code::{Duplicates, NOWHERE};
use super::{Code, Moment};
use crate::board::Site;
use crate::layout::Part;
use crate::state::BoardWord;
use crate::tree::{Moves, Set, Verb};

/// Direction along which runs are counted.
#[derive(Clone, Debug)]
struct Line {
    /// Index of the direction on the board, and that of the opposite direction among the lines.
    d: usize,
    back: usize,
    /// Whether pieces are placed along it.
    is_ray: bool,
}

/// Game whose moves are such.
#[derive(Clone, Debug)]
pub(crate) struct Shots {
    slide: usize,
    place: usize,
    /// Largest number of steps of a slide.
    steps_max: u32,
    lines: Vec<Line>,
    /// Lines of slides by player, in the order of the directions.
    slides: [Vec<usize>; 2],
    /// Runs on an empty board by line and site, and their sum over the rays of each site.
    lengths: Vec<u16>,
    sums: Vec<u16>,
}

/// Slide from one site to another, with the number of moves up to the last with this slide.
#[derive(Clone, Copy, Debug)]
struct Slide {
    from: Site,
    to: Site,
    end: u32,
}

/// Runs of empty sites in a position, and the slides that were counted with them.
#[derive(Debug)]
pub(super) struct Seen<W> {
    occupied: W,
    lengths: Vec<u16>,
    sums: Vec<u16>,
    slides: Vec<Slide>,
    /// Origin and present site of each piece while its slides are counted.
    pieces: Vec<[Site; 2]>,
}

impl Shots {
    /// Shots of a program; `None` if its moves have another form or lines may meet again.
    pub(super) fn of<W: BoardWord>(code: &Code<W>) -> Option<Shots> {
        let Moves::Seq(parts) = &code.body.play else { return None };
        let [Moves::Mover(slide), Moves::Mover(place)] = &parts[..] else { return None };
        let Verb::Slide(dirs, steps_max) = &slide.verb else { return None };
        let (Verb::Place, Set::Rays(from, rays)) = (&place.verb, &place.to) else { return None };
        let plain =
            [slide, place].iter().all(|mover| mover.then.is_empty() && mover.only_if.is_none());
        let of = code.kinds[place.kind.unwrap_or(0) as usize];
        let may_place = !of.has_hand && (of.neutral || of.players == [true; 2]);
        let fits = plain
            && may_place
            && **from == Set::To
            && slide.to == Set::Empty
            && !code.by_site[slide.id]
            && code.duplicates == Duplicates::Never
            && code.is_mutual();
        let sorted = rays.clone().map(|mut rays| {
            rays.sort_unstable();
            rays.dedup();
            rays
        });
        if !fits || sorted[0] != sorted[1] {
            return None;
        }
        let rays = &sorted[0];
        let mut used: Vec<u8> = dirs.iter().flatten().chain(rays).copied().collect();
        used.sort_unstable();
        used.dedup();
        let index = |d: usize| used.iter().position(|&one| usize::from(one) == d);
        let mut lines = Vec::new();
        for &d in &used {
            let d = usize::from(d);
            let back = code.back[d];
            if code.arcs[d].len() != 1 || code.back[back] != d {
                return None;
            }
            lines.push(Line { d, back: index(back)?, is_ray: rays.contains(&(d as u8)) });
        }
        let slides = dirs
            .clone()
            .map(|dirs| -> Option<Vec<usize>> { dirs.iter().map(|&d| index(d.into())).collect() });
        let [Some(first), Some(second)] = slides else { return None };
        let slides = [first, second];
        // From its new site, a piece sees the one that it has left.
        if !slides.iter().flatten().all(|&line| lines[lines[line].back].is_ray) {
            return None;
        }
        let sites = code.program.board.len();
        let (mut lengths, mut sums) = (vec![0; lines.len() * sites], vec![0; sites]);
        for site in 0..sites {
            let mut seen = W::bit(site as u32);
            for (n, line) in lines.iter().enumerate() {
                let next = &code.next[line.d];
                let (mut at, mut length) = (next[site], 0);
                while at != NOWHERE {
                    if !code.all.has(at.into()) {
                        return None;
                    }
                    if line.is_ray {
                        if seen.has(at.into()) {
                            return None;
                        }
                        seen.set(at.into());
                    }
                    length += 1;
                    at = next[usize::from(at)];
                }
                lengths[n * sites + site] = length;
                if line.is_ray {
                    sums[site] += length;
                }
            }
        }
        let (slide, place) = (slide.id, place.id);
        Some(Shots { slide, place, steps_max: *steps_max, lines, slides, lengths, sums })
    }
}

impl<W: BoardWord> Seen<W> {
    pub(super) fn new(shots: &Shots) -> Seen<W> {
        Seen {
            occupied: W::ZERO,
            lengths: shots.lengths.clone(),
            sums: shots.sums.clone(),
            slides: Vec::new(),
            pieces: Vec::new(),
        }
    }

    /// Brings the runs up to date.
    fn look(&mut self, code: &Code<W>, shots: &Shots, occupied: W) {
        let sites = self.sums.len();
        each_bit(self.occupied ^ occupied, |site| {
            self.occupied ^= W::bit(site);
            let is_blocked = has_bit(self.occupied, site);
            let site = site as usize;
            for (n, line) in shots.lines.iter().enumerate() {
                let lengths = &mut self.lengths[n * sites..(n + 1) * sites];
                let back = &code.next[shots.lines[line.back].d];
                let mut run = if is_blocked { 0 } else { lengths[site] + 1 };
                let mut at = back[site];
                // Sites behind an occupied one see no further than that.
                while at != NOWHERE {
                    let length = &mut lengths[usize::from(at)];
                    if line.is_ray {
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

    /// Counts the moves of a player.
    pub(super) fn count(&mut self, code: &Code<W>, shots: &Shots, now: &Moment<W>) -> u32 {
        self.look(code, shots, now.state.occupied());
        let sites = self.sums.len();
        let movable = code.movable(now, &code.movers[shots.slide]);
        self.slides.clear();
        let mut count = 0;
        for &line in &shots.slides[now.mover.index()] {
            let Line { d, back, .. } = shots.lines[line];
            let next = &code.next[d];
            let ahead = &self.lengths[line * sites..(line + 1) * sites];
            let behind = &self.lengths[back * sites..(back + 1) * sites];
            self.pieces.clear();
            let pieces = &mut self.pieces;
            each_bit(movable, |site| pieces.push([site as Site; 2]));
            let mut steps = 0;
            while steps < shots.steps_max {
                steps += 1;
                self.pieces.retain(|&[from, _]| u32::from(ahead[usize::from(from)]) >= steps);
                if self.pieces.is_empty() {
                    break;
                }
                for [from, at] in &mut self.pieces {
                    *at = next[usize::from(*at)];
                    let sees = self.sums[usize::from(*at)] + 1 + behind[usize::from(*from)];
                    count += u32::from(sees);
                    self.slides.push(Slide { from: *from, to: *at, end: count });
                }
            }
        }
        count
    }

    /// Code of the `n`-th of the counted moves.
    pub(super) fn nth(&self, code: &Code<W>, shots: &Shots, now: &Moment<W>, n: u32) -> u64 {
        let index = self.slides.partition_point(|slide| slide.end <= n);
        let begin = if index == 0 { 0 } else { self.slides[index - 1].end };
        let Slide { from, to, .. } = self.slides[index];
        let slide =
            Part { mover: shots.slide, from: from.into(), to: to.into(), ..Part::default() };
        let mut then = *now;
        code.part(&mut then, 0, &slide);
        let open = code.set(&then, &code.movers[shots.place].to);
        let to = open.nth(n - begin) as usize;
        let place = Part { mover: shots.place, to, ..Part::default() };
        code.layout.encode(0, &slide) | code.layout.encode(1, &place)
    }
}
