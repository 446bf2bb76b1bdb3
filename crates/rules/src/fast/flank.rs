//! Runs along lines: where a piece that is placed would enclose opposing ones, for all sites at
//! once, and how far a piece can go.

use treegauge_bits::Word;

use super::Code;
use super::code::Arc1;
use crate::state::BoardWord;
use crate::tree::{Cond, Dirs, Effect, Mover, Set, Verb};

/// Both ways along the lines of one displacement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis<W> {
    /// How many bits one step goes, and two; 0 where the word has no room for two, nor a run.
    by: u32,
    twice: u32,
    /// Where steps up the bits arrive, and steps down; nowhere if the text has no such direction.
    up: W,
    down: W,
}

/// The runs that begin beside own pieces, by axis: those that lead up the bits, and those that lead
/// down.
pub(crate) type Runs<W, const AXES: usize> = [[W; 2]; AXES];

/// The directions in which runs are looked for.
///
/// All runs are found by parallel prefix, as Othello programs do it: the runs that begin one step
/// from an own piece grow by one site, then by two at a time.
#[derive(Clone, Debug)]
pub(crate) struct Axes<W> {
    /// Of each player.
    axes: [Vec<Axis<W>>; 2],
    /// How many sites the longest run has.
    pub(crate) longest: u32,
    /// How often runs of two grow by two, so that the longest is found.
    pub(crate) growths: u32,
}

/// The axes of a board that has no levels, and how often runs grow on one of at most eight rows and
/// columns where they leave room for both ends.
pub(crate) const FEW_AXES: usize = 4;
pub(crate) const FEW_GROWTHS: u32 = 2;

/// The axes of a board that has levels.
pub(crate) const MANY_AXES: usize = 13;

/// `through` in unbroken runs that begin one step from `from`.
#[inline(always)]
fn fill<W: Word>(
    from: W,
    through: W,
    growths: u32,
    step: impl Fn(W) -> W,
    two_steps: impl Fn(W) -> W,
) -> W {
    let pairs = through & step(through);
    let mut filled = through & step(from);
    filled |= through & step(filled);
    for _ in 0..growths {
        filled |= pairs & two_steps(filled);
    }
    filled
}

impl<W: Word> Axis<W> {
    /// An axis that leads nowhere.
    const NONE: Axis<W> = Axis { by: 1, twice: 2, up: W::ZERO, down: W::ZERO };

    /// The runs of `other` that begin beside `own`, up and down.
    #[inline(always)]
    fn runs(&self, own: W, other: W, growths: u32) -> [W; 2] {
        let Axis { by, twice, .. } = *self;
        [
            fill(own, other & self.up, growths, |set| set << by, |set| set << twice),
            fill(own, other & self.down, growths, |set| set >> by, |set| set >> twice),
        ]
    }

    /// The sites just behind runs.
    #[inline(always)]
    fn behind(&self, [up, down]: [W; 2]) -> W {
        up << self.by & self.up | down >> self.by & self.down
    }

    /// The runs that lead to a site, walked back.
    #[inline(always)]
    fn back(&self, [up, down]: [W; 2], site: W, growths: u32) -> W {
        let Axis { by, twice, .. } = *self;
        fill(site & self.up, up, growths, |set| set >> by, |set| set >> twice)
            | fill(site & self.down, down, growths, |set| set << by, |set| set << twice)
    }
}

impl<W: BoardWord> Axes<W> {
    /// The axes of runs that end at own pieces, from there: against the directions. `None` where
    /// steps of one direction have several displacements, as at a seam, so that bits do not rise or
    /// fall along it.
    pub(crate) fn against(code: &Code<W>, dirs: &Dirs) -> Option<Axes<W>> {
        Axes::of(code, dirs, 2, |arc| (arc.up == 0, arc.from))
    }

    /// The axes of runs that begin at a piece, along the directions.
    pub(crate) fn along(code: &Code<W>, dirs: &Dirs) -> Option<Axes<W>> {
        Axes::of(code, dirs, 1, |arc| (arc.up > 0, arc.go(arc.from)))
    }

    /// The axes of runs that leave out some sites of a line, the ends. `way` says of an arc whether
    /// its runs lead up the bits, and where their steps arrive.
    fn of(
        code: &Code<W>,
        dirs: &Dirs,
        ends: u32,
        way: impl Fn(&Arc1<W>) -> (bool, W),
    ) -> Option<Axes<W>> {
        let mut longest = 0;
        let mut axes: [Vec<Axis<W>>; 2] = [Vec::new(), Vec::new()];
        for (player, axes) in axes.iter_mut().enumerate() {
            for &d in &dirs[player] {
                let arc = match &code.arcs[d as usize][..] {
                    [] => continue,
                    [arc] => arc,
                    _ => return None,
                };
                let (mut length, mut at) = (1, arc.from);
                while !at.is_zero() {
                    at = arc.go(at) & arc.from;
                    length += 1;
                }
                // A line of nothing but ends has no run.
                if length <= ends {
                    continue;
                }
                longest = longest.max(length - ends);
                let by = arc.up + arc.down;
                let twice = if 2 * by < W::BITS { 2 * by } else { 0 };
                let (up, into) = way(arc);
                // Drawn lines of one displacement may meet; no run goes on from one to another.
                let free = |axis: &Axis<W>| if up { axis.up } else { axis.down }.is_zero();
                let known = axes.iter().position(|axis| axis.by == by && free(axis));
                let n = known.unwrap_or_else(|| {
                    axes.push(Axis { by, twice, ..Axis::NONE });
                    axes.len() - 1
                });
                if up {
                    axes[n].up = into;
                } else {
                    axes[n].down = into;
                }
            }
        }
        // Two sites of a run are found without growing.
        let growths = longest.saturating_sub(2).div_ceil(2);
        Some(Axes { axes, longest, growths })
    }

    /// The axes of a mover that places a piece and has to take or turn what it encloses.
    pub(crate) fn of_mover(code: &Code<W>, mover: &Mover<W>) -> Option<Axes<W>> {
        let places = mover.verb == Verb::Place
            && mover.to.is_free()
            && mover.only_if == Some(Cond::Some(Set::Taken));
        let [effect] = &mover.then[..] else { return None };
        let dirs = match effect {
            Effect::Capture(Set::Custodial(dirs, None)) => dirs,
            // A piece that belongs to one player only would be enclosed and stay.
            Effect::Flip(Set::Custodial(dirs, None)) if code.all_change_sides() => dirs,
            _ => return None,
        };
        if !places {
            return None;
        }
        Axes::against(code, dirs)
    }

    /// The sites, with a piece or not, at which a player would enclose a run.
    #[inline]
    pub(crate) fn reach(&self, player: usize, own: W, other: W) -> W {
        self.axes[player]
            .iter()
            .fold(W::ZERO, |all, axis| all | axis.behind(axis.runs(own, other, self.growths)))
    }

    /// The axes of a player in a fixed number; `None` where there are more.
    pub(crate) fn fixed<const AXES: usize>(&self, player: usize) -> Option<Fixed<W, AXES>> {
        let mut axes = [Axis::NONE; AXES];
        let own = &self.axes[player];
        axes.get_mut(..own.len())?.copy_from_slice(own);
        Some(Fixed(axes))
    }
}

/// The axes of a player in a number that the compiler knows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fixed<W, const AXES: usize>([Axis<W>; AXES]);

impl<W: Word, const AXES: usize> Fixed<W, AXES> {
    /// The runs beside own pieces, and the sites behind them.
    #[inline(always)]
    pub(crate) fn runs(&self, own: W, other: W, growths: u32) -> (Runs<W, AXES>, W) {
        let mut behind = W::ZERO;
        let mut runs = [[W::ZERO; 2]; AXES];
        for (axis, runs) in self.0.iter().zip(&mut runs) {
            *runs = axis.runs(own, other, growths);
            behind |= axis.behind(*runs);
        }
        (runs, behind)
    }

    /// The sites of `free` in unbroken lines from a site.
    #[inline(always)]
    pub(crate) fn lines(&self, site: W, free: W, growths: u32) -> W {
        self.0.iter().fold(W::ZERO, |all, axis| {
            let [up, down] = axis.runs(site, free, growths);
            all | up | down
        })
    }

    /// The runs that lead to a site.
    #[inline(always)]
    pub(crate) fn enclosed(&self, runs: &Runs<W, AXES>, site: W, growths: u32) -> W {
        let axes = self.0.iter().zip(runs);
        axes.fold(W::ZERO, |all, (axis, runs)| all | axis.back(*runs, site, growths))
    }
}

impl<W: BoardWord> Code<W> {
    /// Whether every piece that a player owns may belong to the other.
    pub(crate) fn all_change_sides(&self) -> bool {
        self.kinds.iter().all(|kind| kind.neutral || kind.players == [true; 2])
    }

    /// Unbroken runs of theirs, of at most `most`, between the site of `to` and a piece of the
    /// mover.
    pub(crate) fn custodial(&self, now: &super::Moment<W>, dirs: &[u8], most: Option<u32>) -> W {
        let mine = now.state.owners[now.mover.index()];
        let theirs = now.state.owners[now.mover.other().index()];
        let most = most.unwrap_or(u32::MAX);
        let mut found = W::ZERO;
        for &d in dirs {
            let arcs = &self.arcs[d as usize];
            let (mut run, mut length, mut at) = (W::ZERO, 0, super::sets::go(arcs, now.to));
            // A run that comes back to where it was goes round the board.
            while !(at & theirs & !run).is_zero() {
                run |= at;
                length += 1;
                at = super::sets::go(arcs, at);
            }
            if length > 0 && length <= most && !(at & mine).is_zero() {
                found |= run;
            }
        }
        found
    }
}
