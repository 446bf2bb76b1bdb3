//! Loop for games where a placed piece flips the runs that it encloses.

use rand_core::Rng;
use treegauge_bits::Choices;
use treegauge_core::{Playout, PlayoutLimits};

use super::Mechanism;
use crate::fast::flank::{Axes, FEW_AXES, FEW_GROWTHS, Fixed, MANY_AXES, Runs};
use crate::fast::{Code, Moment};
use crate::state::{BoardWord, State};
use crate::tree::{Cond, Effect, Mover, Moves, Set, Verb};

/// Game of flips.
#[derive(Clone, Debug)]
pub(crate) struct Flips<W> {
    axes: OwnAxes<W>,
    growths: u32,
    mover: Mover<W>,
    /// Whether a piece may be placed only where it flips something.
    must: bool,
    /// Whether a piece may be placed on any empty site, apart from the requirement to flip.
    anywhere: bool,
}

#[derive(Clone, Debug)]
enum OwnAxes<W> {
    Few([Fixed<W, FEW_AXES>; 2]),
    Many(Box<[Fixed<W, MANY_AXES>; 2]>),
}

impl<W: BoardWord> Flips<W> {
    pub(super) fn of(code: &Code<W>) -> Option<Flips<W>> {
        let Moves::Mover(mover) = &code.body.play else { return None };
        let [Effect::Flip(Set::Custodial(dirs, None))] = &mover.then[..] else { return None };
        let kind = code.kinds[mover.kind.unwrap_or(0) as usize];
        let must = match &mover.only_if {
            None => false,
            Some(Cond::Some(Set::Taken)) => true,
            Some(_) => return None,
        };
        let free = mover.verb == Verb::Place && mover.to.is_free();
        if !free || kind.has_hand || kind.neutral || !code.all_change_sides() {
            return None;
        }
        let flank = Axes::against(code, dirs)?;
        let growths = flank.growths;
        let few = flank.fixed(0).zip(flank.fixed(1)).filter(|_| growths <= FEW_GROWTHS);
        let axes = match few {
            Some((first, second)) => OwnAxes::Few([first, second]),
            None => OwnAxes::Many(Box::new([flank.fixed(0)?, flank.fixed(1)?])),
        };
        let anywhere = mover.to == Set::Empty;
        Some(Flips { axes, growths, mover: (**mover).clone(), must, anywhere })
    }

    pub(super) fn run<R: Rng + ?Sized>(
        &self,
        code: &Code<W>,
        state: &mut State<W>,
        limits: PlayoutLimits,
        choices: Choices<'_, R>,
    ) -> Playout {
        match &self.axes {
            OwnAxes::Few(axes) => {
                super::run(&Few { game: self, axes }, code, state, limits, choices)
            }
            OwnAxes::Many(axes) => {
                super::run(&Many { game: self, axes }, code, state, limits, choices)
            }
        }
    }

    /// Runs of a position, and the sites where a piece may be placed.
    #[inline(always)]
    fn offer<const AXES: usize>(
        &self,
        axes: &[Fixed<W, AXES>; 2],
        growths: u32,
        code: &Code<W>,
        now: &Moment<W>,
        offer: &mut (Runs<W, AXES>, W),
    ) -> u32 {
        let player = now.mover.index();
        let (own, other) = (now.state.owners[player], now.state.owners[1 - player]);
        let to = if self.anywhere {
            code.all & !now.state.occupied()
        } else {
            code.set(now, &self.mover.to)
        };
        let (runs, behind) = axes[player].runs(own, other, growths);
        let to = if self.must { to & behind } else { to };
        *offer = (runs, to);
        to.count()
    }

    #[inline(always)]
    fn make<const AXES: usize>(
        &self,
        axes: &[Fixed<W, AXES>; 2],
        growths: u32,
        code: &Code<W>,
        now: &mut Moment<W>,
        (runs, to): &(Runs<W, AXES>, W),
        n: u32,
    ) {
        let player = now.mover.index();
        let site = to.nth(n);
        let turned = axes[player].enclosed(runs, W::bit(site), growths);
        code.place(now, &self.mover, site);
        now.state.owners[player] |= turned;
        now.state.owners[1 - player] &= !turned;
        now.taken = turned;
    }
}

/// Game with few axes and short runs.
struct Few<'a, W> {
    game: &'a Flips<W>,
    axes: &'a [Fixed<W, FEW_AXES>; 2],
}

impl<W: BoardWord> Mechanism<W> for Few<'_, W> {
    type Offer = (Runs<W, FEW_AXES>, W);

    fn room(&self) -> Self::Offer {
        ([[W::ZERO; 2]; FEW_AXES], W::ZERO)
    }

    #[inline(always)]
    fn offer(&self, code: &Code<W>, now: &Moment<W>, offer: &mut Self::Offer) -> u32 {
        self.game.offer(self.axes, FEW_GROWTHS, code, now, offer)
    }

    #[inline(always)]
    fn make(&self, code: &Code<W>, now: &mut Moment<W>, offer: &Self::Offer, n: u32) {
        self.game.make(self.axes, FEW_GROWTHS, code, now, offer, n);
    }
}

/// Game with many axes or long runs.
struct Many<'a, W> {
    game: &'a Flips<W>,
    axes: &'a [Fixed<W, MANY_AXES>; 2],
}

impl<W: BoardWord> Mechanism<W> for Many<'_, W> {
    type Offer = (Runs<W, MANY_AXES>, W);

    fn room(&self) -> Self::Offer {
        ([[W::ZERO; 2]; MANY_AXES], W::ZERO)
    }

    #[inline(always)]
    fn offer(&self, code: &Code<W>, now: &Moment<W>, offer: &mut Self::Offer) -> u32 {
        self.game.offer(self.axes, self.game.growths, code, now, offer)
    }

    #[inline(always)]
    fn make(&self, code: &Code<W>, now: &mut Moment<W>, offer: &Self::Offer, n: u32) {
        self.game.make(self.axes, self.game.growths, code, now, offer, n);
    }
}
