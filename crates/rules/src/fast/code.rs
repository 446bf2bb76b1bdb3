//! Program compiled for a word type: constants are words, and directions are shifts.

use std::collections::BTreeMap;
use std::sync::Arc;

use treegauge_bits::Word;

use super::duplicates::{Duplicates, duplicates, overlaps_itself};
use super::flank::Axes;
use super::forecast::{Filter, Forecast, branches};
use super::routes::Routes;
use super::shots::Shots;
use super::simpler::Simpler;
use super::sowing::Sowings;
use crate::board::{Board, Site};
use crate::facts::Flow;
use crate::layout::Layout;
use crate::state::{BoardWord, KINDS, KeyLayout, Limbs};
use crate::terms::Map;
use crate::tree::{Body, Chain, Cond, Mover, Moves, Owner, Program, Set, Stuck, Verb};

/// Marks a missing site in a table of next sites.
pub(crate) const NOWHERE: Site = Site::MAX;

/// Shift of sites: a direction, or the part of it with one displacement. All sites of `from` move
/// up by `up` bits or down by `down` bits; one of the two is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arc1<W> {
    pub(crate) up: u32,
    pub(crate) down: u32,
    pub(crate) from: W,
}

impl<W: Word> Arc1<W> {
    /// Sites that the sites of a set lead to.
    #[inline]
    pub(crate) fn go(&self, set: W) -> W {
        let set = set & self.from;
        if self.up > 0 { set << self.up } else { set >> self.down }
    }
}

/// One set of a family, with the neighbouring sites that must not belong to the pattern.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member<W> {
    pub(crate) sites: W,
    pub(crate) ends: W,
}

/// Family of sets, indexed by site.
#[derive(Clone, Debug)]
pub(crate) struct FamilyCode<W> {
    pub(crate) members: Vec<Member<W>>,
    /// For each site, the members that contain it.
    pub(crate) through: Vec<Vec<Member<W>>>,
    /// The same members as lists of sites, the nearest to the site first; empty if comparing words
    /// takes less time.
    pub(crate) paths: Vec<Vec<Path>>,
}

/// Member of a family as lists of its other sites and of its ends.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub(crate) sites: Vec<Site>,
    pub(crate) ends: Vec<Site>,
}

impl Path {
    /// Path through a site. Most members lack a site beside it, which is asked first.
    fn of<W: Word>(member: &Member<W>, site: u32) -> Path {
        let mut sites: Vec<Site> =
            member.sites.ones().filter(|&one| one != site).map(|one| one as Site).collect();
        sites.sort_by_key(|&one| u32::from(one).abs_diff(site));
        Path { sites, ends: member.ends.ones().map(|one| one as Site).collect() }
    }
}

/// Class of a kind, owned or neutral, and its index within the class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KindCode {
    pub(crate) neutral: bool,
    pub(crate) number: usize,
    /// Whether each player may own the kind.
    pub(crate) players: [bool; 2],
    pub(crate) has_hand: bool,
    pub(crate) onward: bool,
}

/// Method of testing the condition of a rule of `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Check<W> {
    /// The opponent has no pieces.
    NoneTheirs,
    /// The moved piece has arrived in a region, which is given for each player.
    Reached([W; 2]),
    /// Any other condition, evaluated from the tree.
    Asked,
}

impl<W: Word> Check<W> {
    fn of(when: &Cond<W>, pits: u32) -> Check<W> {
        match when {
            Cond::None(Set::Theirs(None)) if pits == 0 => Check::NoneTheirs,
            Cond::In(Set::To, Set::Const(region)) => Check::Reached(*region),
            _ => Check::Asked,
        }
    }
}

/// Program compiled for boards that fit into one word.
#[derive(Clone, Debug)]
pub(crate) struct Code<W> {
    pub(crate) program: Arc<Program>,
    pub(crate) body: Body<W>,
    /// Test of each rule of `end`.
    pub(crate) checks: Vec<Check<W>>,
    /// Movers by their index.
    pub(crate) movers: Vec<Mover<W>>,
    /// Whether the lanes of each mover must be made site by site.
    pub(crate) by_site: Vec<bool>,
    /// Axes of each mover that may place a piece only where it encloses opposing ones; `None` for
    /// other movers.
    pub(crate) flanks: Vec<Option<Axes<W>>>,
    /// Forecast of the `only-if` of each mover.
    pub(crate) filters: Vec<Option<Filter<W>>>,
    /// Forecast of the `if` that follows each mover as the rest of its `seq`.
    pub(crate) branches: Vec<Option<Forecast<W>>>,
    /// Lines of moves that slide a piece and place another in line with it.
    pub(crate) shots: Option<Shots>,
    /// Jumps from each site, by player, of each mover whose chains count by their ends: the site
    /// hopped over and the site of landing. Empty for movers whose sets depend on the way.
    pub(crate) jumps: Vec<Vec<Vec<Vec<[Site; 2]>>>>,
    /// Hops of each mover of chains whose lanes would take longer.
    pub(crate) routes: Vec<Option<Routes>>,
    /// Rides of each mover along tracks, by the site where they begin; `None` for other movers. Movers
    /// that pass the same number of bends share them.
    pub(crate) rides: Vec<Option<Arc<Rides<W>>>>,
    pub(crate) layout: Layout,
    pub(crate) key: KeyLayout,
    pub(crate) flow: Flow,
    pub(crate) cyclic: bool,
    pub(crate) lasting: bool,
    /// Ways to move that may have the same text and are then one move.
    pub(crate) duplicates: Duplicates,
    /// Whether texts of placements name the kind of piece.
    pub(crate) names_kinds: bool,
    /// Whether moves may be compared by their ids in place of their texts.
    pub(crate) ids_fit: bool,
    /// Whether the id of a later part depends on the board after the parts before it.
    pub(crate) ids_need_board: bool,
    /// Whether a later part of a `seq` has an `only-if`.
    pub(crate) asks_later: bool,
    pub(crate) kinds: Vec<KindCode>,
    /// All sites of the board.
    pub(crate) all: W,
    /// All sites but the stores.
    pub(crate) playing: W,
    /// Next sites by direction and site; [`NOWHERE`] if there is none.
    pub(crate) next: Vec<Vec<Site>>,
    pub(crate) back: Vec<usize>,
    pub(crate) arcs: Vec<Vec<Arc1<W>>>,
    /// Shifts from every site to all its neighbours.
    pub(crate) spread: Vec<Arc1<W>>,
    /// Sites beside each site; empty if [`Code::spread`] finds them faster.
    pub(crate) beside: Vec<W>,
    /// Shifts from every site to the one above it.
    pub(crate) above: Vec<Arc1<W>>,
    pub(crate) families: Vec<FamilyCode<W>>,
    /// Targets of leaps by mover and site.
    pub(crate) leaps: Vec<Vec<W>>,
    /// Mirror image of each site in the long diagonal; the site itself if it has no image.
    pub(crate) mirror: Vec<Site>,
    pub(crate) pits: u32,
    /// Sowings of each mover that sows.
    pub(crate) sowings: Vec<Option<Sowings<W>>>,
}

/// Groups a table of next sites into shifts of equal displacement.
fn arcs_of<W: Word>(next: &[Option<Site>]) -> Vec<Arc1<W>> {
    let mut arcs: Vec<Arc1<W>> = Vec::new();
    for (from, to) in next.iter().enumerate() {
        let Some(to) = *to else { continue };
        let (from, to) = (from as u32, u32::from(to));
        let (up, down) = (to.saturating_sub(from), from.saturating_sub(to));
        match arcs.iter_mut().find(|arc| (arc.up, arc.down) == (up, down)) {
            Some(arc) => arc.from.set(from),
            None => arcs.push(Arc1 { up, down, from: W::bit(from) }),
        }
    }
    arcs
}

/// Largest number of shifts to all neighbours that take less time than steps from site to site.
const SHIFTS_MAX: usize = 8;

/// Sites beside each site; empty if shifts are faster.
fn beside_of<W: Word>(next: &[Vec<Site>], spread: &[Arc1<W>]) -> Vec<W> {
    if spread.len() <= SHIFTS_MAX && W::BITS <= 128 {
        return Vec::new();
    }
    let sites = next.first().map_or(0, Vec::len);
    let of = |site: usize| {
        let ends = next.iter().map(|next| next[site]).filter(|&to| to != NOWHERE);
        word_of(&ends.collect::<Vec<Site>>())
    };
    (0..sites).map(of).collect()
}

/// Jumps from each site by player, if a mover makes chains that count by their ends, and its sets
/// do not depend on the way; otherwise empty.
fn jumps_of<W: Word>(next: &[Vec<Site>], mover: &Mover<W>) -> Vec<Vec<Vec<[Site; 2]>>> {
    let Verb::Hop { dirs, over, chain: Chain::Reach } = &mover.verb else { return Vec::new() };
    let is_fixed = matches!(over, Set::Occupied | Set::Mine(None) | Set::Theirs(None));
    if !is_fixed || mover.to != Set::Empty {
        return Vec::new();
    }
    let of = |dirs: &Vec<u8>, site: usize| {
        let jump = |&d: &u8| {
            let next = &next[d as usize];
            let over = next[site];
            let land = if over == NOWHERE { NOWHERE } else { next[usize::from(over)] };
            (land != NOWHERE).then_some([over, land])
        };
        dirs.iter().filter_map(jump).collect()
    };
    let sites = next.first().map_or(0, Vec::len);
    dirs.iter().map(|dirs| (0..sites).map(|site| of(dirs, site)).collect()).collect()
}

/// Ride along a track past the bends that its mover must pass.
#[derive(Clone, Debug)]
pub(crate) struct Ride<W> {
    /// Sites that come before, which must be empty.
    pub(crate) before: W,
    /// Sites where the piece may arrive, in the order of the way.
    pub(crate) sites: Vec<Site>,
}

/// Rides from each site.
pub(crate) type Rides<W> = Vec<Vec<Ride<W>>>;

/// Rides past at least this many bends.
fn rides_of<W: Word>(board: &Board, bends: u32) -> Rides<W> {
    let ride = |way: Vec<(Site, u32)>| {
        let (after, before): (Vec<_>, Vec<_>) =
            way.into_iter().partition(|&(_, passed)| passed >= bends);
        let before: Vec<Site> = before.into_iter().map(|(site, _)| site).collect();
        let sites: Vec<Site> = after.into_iter().map(|(site, _)| site).collect();
        (!sites.is_empty()).then(|| Ride { before: word_of(&before), sites })
    };
    let from = |site: Site| {
        let ways = board.tracks.iter().flat_map(|track| track.rides(site));
        ways.filter_map(ride).collect()
    };
    (0..board.len() as Site).map(from).collect()
}

pub(crate) fn word_of<W: Word>(sites: &[Site]) -> W {
    let mut word = W::ZERO;
    sites.iter().for_each(|&site| word.set(u32::from(site)));
    word
}

/// Converts sets of sites to words.
struct OnBits;

impl<W: Word> Map<Vec<Site>, W> for OnBits {
    fn sites(&self, sites: &Vec<Site>) -> W {
        word_of(sites)
    }
}

impl<W: BoardWord> Code<W> {
    /// Tests whether the states of a program fit into this word and its key.
    pub(crate) fn fits(program: &Program) -> bool {
        let bits = match seed_bits(program) {
            Some(bits) => bits.max(u128::BITS),
            None => program.board.len() as u32,
        };
        bits <= W::BITS && key_layout(program).bits() <= W::Key::BITS
    }

    /// Compiles a program that satisfies [`Code::fits`].
    pub(crate) fn of(program: Arc<Program>) -> Code<W> {
        let board = &program.board;
        let arcs: Vec<Vec<Arc1<W>>> = board.directions.iter().map(|d| arcs_of(&d.next)).collect();
        let sites: Vec<Site> = board.sites().collect();
        let pits = board.pits() as u32;
        let playing = if pits > 0 { &sites[..2 * pits as usize] } else { &sites[..] };
        let playing = word_of(playing);
        let mut body: Body<W> = program.body.map(&OnBits);
        // The loop of sowing compiles its conditions itself.
        if pits == 0 {
            body = body.map(&Simpler { arcs: &arcs, playing });
        }
        let mut movers: Vec<Mover<W>> = Vec::new();
        body.play.each_mover(&mut |mover| movers.push(mover.clone()));
        let next: Vec<Vec<Site>> = board
            .directions
            .iter()
            .map(|d| d.next.iter().map(|to| to.unwrap_or(NOWHERE)).collect())
            .collect();
        let mut spread: Vec<Arc1<W>> = Vec::new();
        for arc in arcs.iter().flatten() {
            match spread.iter_mut().find(|known| (known.up, known.down) == (arc.up, arc.down)) {
                Some(known) => known.from |= arc.from,
                None => spread.push(*arc),
            }
        }
        let mut above = vec![None; board.len()];
        for site in board.sites() {
            if let Some(below) = board.below(site) {
                above[below as usize] = Some(site);
            }
        }
        let families = program.families.iter().map(|family| {
            let member = |(sites, ends): &(Vec<Site>, Vec<Site>)| Member {
                sites: word_of(sites),
                ends: word_of(ends),
            };
            let members: Vec<Member<W>> = family.sets.iter().map(member).collect();
            let through = |site: u32| {
                members.iter().copied().filter(|member| member.sites.has(site)).collect()
            };
            let through: Vec<Vec<Member<W>>> = (0..board.len() as u32).map(through).collect();
            let paths = |(site, members): (usize, &Vec<Member<W>>)| {
                members.iter().map(|member| Path::of(member, site as u32)).collect()
            };
            let are_wide = W::BITS > 128;
            let paths = through.iter().enumerate().filter(|_| are_wide).map(paths).collect();
            FamilyCode { members, through, paths }
        });
        let families = families.collect();
        let leaps = movers.iter().map(|mover| match &mover.verb {
            Verb::Leap(to) => to.iter().map(|sites| word_of(sites)).collect(),
            _ => Vec::new(),
        });
        let leaps = leaps.collect();
        let (mut owned, mut neutral) = (0, 0);
        let kinds = program.kinds.iter().enumerate().map(|(n, kind)| {
            let is_neutral = kind.owner == Owner::Neutral;
            let count = if is_neutral { &mut neutral } else { &mut owned };
            *count += 1;
            KindCode {
                neutral: is_neutral,
                number: *count - 1,
                players: [0, 1]
                    .map(|p| program.may_own(n as u8, Some(treegauge_core::Player::BOTH[p]))),
                has_hand: kind.hand.is_some(),
                onward: program.leads_onward(n as u8),
            }
        });
        let kinds = kinds.collect();
        let total = 2 * pits * u32::from(program.seeds);
        let sowings = movers.iter().map(|mover| match mover.verb {
            Verb::Sow { stores, skip_origin, .. } => {
                Some(Sowings::new(pits, total, stores, skip_origin))
            }
            _ => None,
        });
        let sowings = sowings.collect();
        let mirror = |site: usize| {
            let [x, y, z] = board.at[site];
            board.site_at([y, x, z]).unwrap_or(site as Site)
        };
        let by_site = |m: &Mover<W>| {
            m.is_reach() || matches!(m.verb, Verb::Ride(_)) || overlaps_itself(&program, m)
        };
        let by_site = movers.iter().map(by_site).collect();
        let mut known: BTreeMap<u32, Arc<Rides<W>>> = BTreeMap::new();
        let rides = movers.iter().map(|mover| match mover.verb {
            Verb::Ride(bends) => {
                let made = || Arc::new(rides_of(&program.board, bends));
                Some(known.entry(bends).or_insert_with(made).clone())
            }
            _ => None,
        });
        let rides = rides.collect();
        let beside = beside_of(&next, &spread);
        let jumps = movers.iter().map(|mover| jumps_of(&next, mover)).collect();
        let mut code = Code {
            beside,
            jumps,
            rides,
            layout: Layout::of(&program).expect("the checker has seen that moves fit"),
            key: key_layout(&program),
            flow: program.flow(),
            cyclic: program.is_cyclic(),
            lasting: program.progress_is_lasting(),
            duplicates: duplicates(&program),
            names_kinds: program.places_kinds(),
            asks_later: asks_later(&program.body.play),
            all: word_of(&sites),
            playing,
            back: board.directions.iter().map(|d| d.back).collect(),
            mirror: (0..board.len()).map(mirror).collect(),
            above: arcs_of(&above),
            checks: body.end.iter().map(|rule| Check::of(&rule.when, pits)).collect(),
            body,
            movers,
            by_site,
            kinds,
            next,
            arcs,
            spread,
            families,
            leaps,
            pits,
            sowings,
            program,
            flanks: Vec::new(),
            filters: Vec::new(),
            branches: Vec::new(),
            routes: Vec::new(),
            shots: None,
            ids_fit: false,
            ids_need_board: false,
        };
        code.routes = code.movers.iter().map(|mover| Routes::of(&code, mover)).collect();
        code.flanks = code.movers.iter().map(|mover| Axes::of_mover(&code, mover)).collect();
        if code.flanks.iter().any(Option::is_some) && code.duplicates != Duplicates::Never {
            code.duplicates = Duplicates::Any;
        }
        let filters = code.movers.iter().zip(&code.flanks).map(|(mover, flank)| match flank {
            Some(_) => None,
            None => Filter::of_mover(&code, mover),
        });
        code.filters = filters.collect();
        code.branches = branches(&code);
        code.shots = Shots::of(&code);
        code.ids_fit = code.can_compare_ids();
        code.ids_need_board = code.later_ids_need_board();
        code
    }

    /// Tests whether a player who is stuck passes.
    #[inline]
    pub(crate) fn passes(&self) -> bool {
        matches!(self.body.stuck, Stuck::Pass(_))
    }
}

/// Number of bits of the seeds of a state, a byte for each pit and store; `None` on boards without
/// pits.
fn seed_bits(program: &Program) -> Option<u32> {
    let pits = program.board.pits() as u32;
    (pits > 0).then_some(8 * (2 * pits + 2))
}

/// Fields in the key of a program's states.
fn key_layout(program: &Program) -> KeyLayout {
    let pits = program.board.is_pits();
    let neutral = |wanted: bool| {
        let kinds = program.kinds.iter();
        kinds.filter(|kind| (kind.owner == Owner::Neutral) == wanted).count()
    };
    let most = neutral(false).max(neutral(true));
    let mut hands = [false; KINDS];
    let owned = program.kinds.iter().filter(|kind| kind.owner != Owner::Neutral);
    for (n, kind) in owned.enumerate() {
        hands[n] = kind.hand.is_some();
    }
    let bits = |n: u32| u32::BITS - n.leading_zeros();
    KeyLayout {
        sites: seed_bits(program).map_or(program.board.len() as u32, |bits| bits.max(u128::BITS)),
        planes: [true, !pits, !pits && neutral(true) > 0, !pits && most > 1, !pits && most > 2],
        hands: if pits { [false; KINDS] } else { hands },
        score: program.memory.score,
        last: program.memory.last,
        plies: bits(program.memory.plies),
        claims: if program.memory.claims { 2 * program.board.pits() as u32 } else { 0 },
        place: program.turns.as_ref().map_or(0, |turns| bits(turns.seats.len() as u32)),
    }
}

/// Tests whether a later part of a `seq` has an `only-if`.
fn asks_later<C>(moves: &Moves<C>) -> bool {
    fn asks<C>(moves: &Moves<C>) -> bool {
        match moves {
            Moves::Mover(mover) => mover.only_if.is_some(),
            Moves::Or(parts) | Moves::FirstOf(parts) | Moves::Seq(parts) => parts.iter().any(asks),
            Moves::If(_, yes, no) => asks(yes) || no.as_ref().is_some_and(|no| asks(no)),
        }
    }
    match moves {
        Moves::Mover(_) => false,
        Moves::Seq(parts) => asks_later(&parts[0]) || parts[1..].iter().any(asks),
        Moves::Or(parts) | Moves::FirstOf(parts) => parts.iter().any(asks_later),
        Moves::If(_, yes, no) => asks_later(yes) || no.as_ref().is_some_and(|no| asks_later(no)),
    }
}
