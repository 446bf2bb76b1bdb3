//! Runs along lines: the sites where a placed piece would enclose opposing ones, for all sites at
//! once, and the sites that a piece can slide to.

use treegauge_bits::{Word, has_bit};

use super::Code;
use super::code::{Arc1, NOWHERE};
use crate::state::BoardWord;
use crate::tree::{Cond, Dirs, Effect, Mover, Set, Verb};

/// Both directions along lines of one displacement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis<W> {
    /// Displacement in bits of one step and of two steps. `twice` is 0 if two steps exceed the
    /// word; no run is then that long.
    by: u32,
    twice: u32,
    /// Sites where steps up the bits arrive, and steps down. Empty if the text has no such
    /// direction.
    up: W,
    down: W,
}

/// Runs that begin beside own pieces, by axis: those up the bits, then those down.
pub(crate) type Runs<W, const AXES: usize> = [[W; 2]; AXES];

/// Axes along which runs are searched.
///
/// All runs are found by parallel prefix, as in Othello programs: runs that begin one step from an
/// own piece grow by one site, then by two at a time.
#[derive(Clone, Debug)]
pub(crate) struct Axes<W> {
    /// Axes of each player.
    axes: [Vec<Axis<W>>; 2],
    /// Number of sites of the longest possible run.
    pub(crate) longest: u32,
    /// Number of growths by two sites after which the longest run is complete.
    pub(crate) growths: u32,
}

/// Number of axes on a board without levels. [`FEW_GROWTHS`] is the number of growths on a board of
/// at most eight rows and columns, where runs leave room for both ends.
pub(crate) const FEW_AXES: usize = 4;
pub(crate) const FEW_GROWTHS: u32 = 2;

/// Number of axes on a board with levels.
pub(crate) const MANY_AXES: usize = 13;

/// Sites of `through` in unbroken runs that begin one step from `from`.
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
    /// Axis without any steps.
    const NONE: Axis<W> = Axis { by: 1, twice: 2, up: W::ZERO, down: W::ZERO };

    /// Runs of `other` that begin beside `own`: up the bits, then down.
    #[inline(always)]
    fn runs(&self, own: W, other: W, growths: u32) -> [W; 2] {
        let Axis { by, twice, .. } = *self;
        [
            fill(own, other & self.up, growths, |set| set << by, |set| set << twice),
            fill(own, other & self.down, growths, |set| set >> by, |set| set >> twice),
        ]
    }

    /// Sites directly behind the ends of runs.
    #[inline(always)]
    fn behind(&self, [up, down]: [W; 2]) -> W {
        up << self.by & self.up | down >> self.by & self.down
    }

    /// Sites of the runs that lead to a site, followed backwards from it.
    #[inline(always)]
    fn back(&self, [up, down]: [W; 2], site: W, growths: u32) -> W {
        let Axis { by, twice, .. } = *self;
        fill(site & self.up, up, growths, |set| set >> by, |set| set >> twice)
            | fill(site & self.down, down, growths, |set| set << by, |set| set << twice)
    }
}

impl<W: BoardWord> Axes<W> {
    /// Axes of runs that end at own pieces, followed from there: against the directions. `None` if
    /// the steps of one direction have several displacements, as at a seam, so that bits do not
    /// steadily rise or fall along it.
    pub(crate) fn against(code: &Code<W>, dirs: &Dirs) -> Option<Axes<W>> {
        Axes::of(code, dirs, 2, |arc| (arc.up == 0, arc.from))
    }

    /// Axes of runs that begin at a piece, along the directions. `None` as in [`Axes::against`].
    pub(crate) fn along(code: &Code<W>, dirs: &Dirs) -> Option<Axes<W>> {
        Axes::of(code, dirs, 1, |arc| (arc.up > 0, arc.go(arc.from)))
    }

    /// Axes of runs that exclude `ends` sites of each line. For a shift, `way` returns whether its
    /// runs lead up the bits, and the sites where its steps arrive.
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
                // A line that consists of its excluded ends has no runs.
                if length <= ends {
                    continue;
                }
                longest = longest.max(length - ends);
                let by = arc.up + arc.down;
                let twice = if 2 * by < W::BITS { 2 * by } else { 0 };
                let (up, into) = way(arc);
                // Drawn lines of one displacement may meet. They need separate axes, because no run
                // continues from one line to another.
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
        // Runs of two sites are complete without growing.
        let growths = longest.saturating_sub(2).div_ceil(2);
        Some(Axes { axes, longest, growths })
    }

    /// Axes of a mover that may only place a piece where it captures or flips enclosed pieces;
    /// `None` for other movers.
    pub(crate) fn of_mover(code: &Code<W>, mover: &Mover<W>) -> Option<Axes<W>> {
        let places = mover.verb == Verb::Place
            && mover.to.is_free()
            && mover.only_if == Some(Cond::Some(Set::Taken));
        let [effect] = &mover.then[..] else { return None };
        let dirs = match effect {
            Effect::Capture(Set::Custodial(dirs, None)) => dirs,
            // An enclosed piece that only one player may own would stay.
            Effect::Flip(Set::Custodial(dirs, None)) if code.all_change_sides() => dirs,
            _ => return None,
        };
        if !places {
            return None;
        }
        Axes::against(code, dirs)
    }

    /// Sites, occupied or not, where a player would enclose a run.
    #[inline]
    pub(crate) fn reach(&self, player: usize, own: W, other: W) -> W {
        self.axes[player]
            .iter()
            .fold(W::ZERO, |all, axis| all | axis.behind(axis.runs(own, other, self.growths)))
    }

    /// Axes of a player as an array of fixed length; `None` if there are more than `AXES`.
    pub(crate) fn fixed<const AXES: usize>(&self, player: usize) -> Option<Fixed<W, AXES>> {
        let mut axes = [Axis::NONE; AXES];
        let own = &self.axes[player];
        axes.get_mut(..own.len())?.copy_from_slice(own);
        Some(Fixed(axes))
    }
}

/// Axes of a player, with a number known at compile time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fixed<W, const AXES: usize>([Axis<W>; AXES]);

impl<W: Word, const AXES: usize> Fixed<W, AXES> {
    /// Runs beside own pieces, and the sites behind them.
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

    /// Sites of `free` in unbroken lines from a site.
    #[inline(always)]
    pub(crate) fn lines(&self, site: W, free: W, growths: u32) -> W {
        self.0.iter().fold(W::ZERO, |all, axis| {
            let [up, down] = axis.runs(site, free, growths);
            all | up | down
        })
    }

    /// Sites of the runs that lead to a site.
    #[inline(always)]
    pub(crate) fn enclosed(&self, runs: &Runs<W, AXES>, site: W, growths: u32) -> W {
        let axes = self.0.iter().zip(runs);
        axes.fold(W::ZERO, |all, (axis, runs)| all | axis.back(*runs, site, growths))
    }
}

impl<W: BoardWord> Code<W> {
    /// Tests whether every piece owned by one player may belong to the other.
    pub(crate) fn all_change_sides(&self) -> bool {
        self.kinds.iter().all(|kind| kind.neutral || kind.players == [true; 2])
    }

    /// Unbroken runs of at most `most` opposing pieces between the site of `to` and a piece of the
    /// mover.
    pub(crate) fn custodial(&self, now: &super::Moment<W>, dirs: &[u8], most: Option<u32>) -> W {
        let mine = now.state.owners[now.mover.index()];
        let theirs = now.state.owners[now.mover.other().index()];
        let most = most.unwrap_or(u32::MAX);
        // Shifts of long words take longer than steps from site to site.
        if W::BITS > 64 && now.to.is_single() {
            return self.custodial_by_site(now.to.lowest(), [mine, theirs], dirs, most);
        }
        let mut found = W::ZERO;
        for &d in dirs {
            let arcs = &self.arcs[d as usize];
            let (mut run, mut length, mut at) = (W::ZERO, 0, super::sets::go(arcs, now.to));
            // A run that returns to its own sites circles the board.
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

    /// The same runs from one site, followed from site to site.
    fn custodial_by_site(&self, to: u32, [mine, theirs]: [W; 2], dirs: &[u8], most: u32) -> W {
        let mut found = W::ZERO;
        for &d in dirs {
            let next = &self.next[d as usize];
            let (mut run, mut length, mut at) = (W::ZERO, 0, next[to as usize]);
            // A run that returns to its own sites circles the board.
            while at != NOWHERE && has_bit(theirs, at.into()) && !has_bit(run, at.into()) {
                run.set(at.into());
                length += 1;
                at = next[usize::from(at)];
            }
            if length > 0 && length <= most && at != NOWHERE && has_bit(mine, at.into()) {
                found |= run;
            }
        }
        found
    }
}
