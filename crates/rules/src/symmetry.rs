//! Rotations and reflections of a board that leave a game unchanged.

use std::collections::BTreeSet;

use treegauge_core::Symmetric;

use crate::board::{Board, Shape, Site, Track};
use crate::game::{MoveBits, TextRules};
use crate::layout::Part as MovePart;
use crate::state::{BoardWord, State};
use crate::tree::{Dirs, Part, Program, Set, Verb};

/// Symmetries of a program, each as the image of all sites. The identity comes first.
pub(crate) fn symmetries(program: &Program) -> Vec<Vec<Site>> {
    let board = &program.board;
    let identity: Vec<Site> = (0..board.len() as Site).collect();
    let mut found = vec![identity];
    if board.is_pits() || matches!(board.shape, Shape::Graph) {
        return found;
    }
    let seen = Seen::of(program);
    for image in images(board) {
        if !found.contains(&image) && keeps(program, &seen, &image) {
            found.push(image);
        }
    }
    found
}

/// Map of coordinates.
type Map = dyn Fn([i32; 3]) -> [i32; 3];

/// Rotations and reflections that map every site to a site.
pub(crate) fn images(board: &Board) -> Vec<Vec<Site>> {
    // Coordinates are doubled and relative to the centre, so that they are whole numbers.
    let mut least = [i32::MAX; 3];
    let mut most = [i32::MIN; 3];
    for at in &board.at {
        for axis in 0..3 {
            least[axis] = least[axis].min(at[axis]);
            most[axis] = most[axis].max(at[axis]);
        }
    }
    let sum: Vec<i32> = (0..3).map(|axis| least[axis] + most[axis]).collect();
    let centred = |at: [i32; 3]| [2 * at[0] - sum[0], 2 * at[1] - sum[1], 2 * at[2] - sum[2]];
    let mut maps: Vec<Box<Map>> = Vec::new();
    if board.shape.is_hex() {
        // Axial coordinates: a rotation by 60 degrees, and a reflection.
        for turns in 0..6 {
            for mirror in [false, true] {
                maps.push(Box::new(move |[mut x, mut y, z]| {
                    if mirror {
                        (x, y) = (y, x);
                    }
                    for _ in 0..turns {
                        (x, y) = (-y, x + y);
                    }
                    [x, y, z]
                }));
            }
        }
    } else {
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        for order in orders {
            for signs in 0..8 {
                maps.push(Box::new(move |at| {
                    let turn = |axis: usize| {
                        let x = at[order[axis]];
                        if signs >> axis & 1 == 0 { x } else { -x }
                    };
                    [turn(0), turn(1), turn(2)]
                }));
            }
        }
        if let Shape::Rings { rings } = board.shape {
            // The rings may be turned inside out.
            let inside_out = move |x: i32, y: i32| {
                let ring = x.abs().max(y.abs()) / 2;
                let other = rings + 1 - ring;
                let scale = |x: i32| x.signum() * if x == 0 { 0 } else { 2 * other };
                (scale(x), scale(y))
            };
            let plain: Vec<_> = std::mem::take(&mut maps);
            for map in plain {
                let map: std::rc::Rc<Map> = map.into();
                let again = map.clone();
                maps.push(Box::new(move |at| map(at)));
                maps.push(Box::new(move |at| {
                    let [x, y, z] = again(at);
                    let (x, y) = inside_out(x, y);
                    [x, y, z]
                }));
            }
        }
    }
    let mut found = Vec::new();
    for map in maps {
        let mut image: Vec<Site> = (0..board.len() as Site).collect();
        let mut reached = BTreeSet::new();
        let whole = board.sites().all(|site| {
            let [x, y, z] = map(centred(board.at[site as usize]));
            let at = [x + sum[0], y + sum[1], z + sum[2]];
            if at.iter().any(|x| x % 2 != 0) {
                return false;
            }
            let Some(to) = board.site_at(at.map(|x| x / 2)) else { return false };
            image[site as usize] = to;
            reached.insert(to)
        });
        if whole {
            // Indices that are not sites take the remaining indices as images, so that the map
            // stays a permutation.
            let rest: Vec<Site> =
                (0..board.len() as Site).filter(|site| !reached.contains(site)).collect();
            let holes = (0..board.len()).filter(|&site| !board.on[site]);
            for (hole, to) in holes.zip(rest) {
                image[hole] = to;
            }
            found.push(image);
        }
    }
    found
}

/// Parts of a program that a symmetry must preserve.
#[derive(Default)]
struct Seen {
    consts: Vec<Vec<Site>>,
    dirs: Vec<Vec<u8>>,
    leaps: Vec<Vec<Vec<Site>>>,
    falls: bool,
    swaps: bool,
    rides: bool,
}

impl Seen {
    fn of(program: &Program) -> Seen {
        let mut seen = Seen::default();
        program.body.walk(&mut |part| match part {
            Part::Const(of) => seen.consts.extend(of.iter().cloned()),
            Part::Dirs(dirs) => seen.dirs.extend(dirs.iter().cloned()),
            Part::Set(Set::Supported) => seen.falls = true,
            _ => {}
        });
        for mover in program.all_movers() {
            match &mover.verb {
                Verb::Leap(to) => seen.leaps.push(to.clone()),
                Verb::Swap { mirror } => seen.swaps |= *mirror,
                Verb::Ride(_) => seen.rides = true,
                _ => {}
            }
        }
        seen
    }
}

/// Image of a set of sites.
#[inline]
pub(crate) fn mapped<W: BoardWord>(plane: W, image: &[Site]) -> W {
    let mut mapped = W::ZERO;
    plane.ones().for_each(|site| mapped.set(u32::from(image[site as usize])));
    mapped
}

/// Tests whether an image of the board preserves everything that a program refers to.
fn keeps(program: &Program, seen: &Seen, image: &[Site]) -> bool {
    let board = &program.board;
    let of = |site: Site| image[site as usize];
    let same = |sites: &[Site]| {
        let set: BTreeSet<Site> = sites.iter().copied().collect();
        sites.iter().all(|&site| set.contains(&of(site)))
    };
    // Each direction must become a direction of the same list.
    let dirs_kept = |dirs: &[u8]| {
        dirs.iter().all(|&d| {
            let d = &board.directions[d as usize].next;
            dirs.iter().any(|&other| {
                let other = &board.directions[other as usize].next;
                board.sites().all(|site| other[of(site) as usize] == d[site as usize].map(of))
            })
        })
    };
    let links_kept = board.sites().all(|site| {
        let mut images: Vec<Site> = board.neighbours(site).into_iter().map(of).collect();
        images.sort_unstable();
        images == board.neighbours(of(site))
    });
    let families_kept = program.families.iter().all(|family| {
        let sorted = |sites: &[Site]| {
            let mut sites = sites.to_vec();
            sites.sort_unstable();
            sites
        };
        let known: BTreeSet<(Vec<Site>, Vec<Site>)> =
            family.sets.iter().map(|(a, b)| (sorted(a), sorted(b))).collect();
        family.sets.iter().all(|(a, b)| {
            let image =
                |sites: &[Site]| sorted(&sites.iter().map(|&site| of(site)).collect::<Vec<_>>());
            known.contains(&(image(a), image(b)))
        })
    });
    let leaps_kept = seen.leaps.iter().all(|to| {
        board.sites().all(|site| {
            let mut images: Vec<Site> = to[site as usize].iter().map(|&to| of(to)).collect();
            let mut expected = to[of(site) as usize].clone();
            images.sort_unstable();
            expected.sort_unstable();
            images == expected
        })
    });
    let falls_kept =
        !seen.falls || board.sites().all(|site| board.below(of(site)) == board.below(site).map(of));
    let mirror_kept = !seen.swaps
        || board.sites().all(|site| board.mirrored(of(site)) == board.mirrored(site).map(of));
    let tracks_kept = !seen.rides || {
        let forms = |image: &dyn Fn(Site) -> Site| -> BTreeSet<_> {
            let form = |track: &Track| track.form(|site| u64::from(image(site)));
            board.tracks.iter().map(form).collect()
        };
        forms(&of) == forms(&|site| site)
    };
    let start: BTreeSet<_> = program.start.iter().map(|p| (p.player, p.kind, p.site)).collect();
    let start_kept = program.start.iter().all(|p| start.contains(&(p.player, p.kind, of(p.site))));
    links_kept
        && families_kept
        && leaps_kept
        && falls_kept
        && mirror_kept
        && tracks_kept
        && start_kept
        && seen.consts.iter().all(|sites| same(sites))
        && seen.dirs.iter().all(|dirs| dirs_kept(dirs))
}

impl<W: BoardWord, M: MoveBits> Symmetric for TextRules<W, M> {
    fn symmetry_count(&self) -> usize {
        self.symmetries.len()
    }

    fn map_state(&self, symmetry: usize, state: &State<W>) -> State<W> {
        if symmetry == 0 {
            return *state;
        }
        let image = &self.symmetries[symmetry];
        let map = |plane: W| mapped(plane, image);
        let mut mapped = *state;
        mapped.owners = mapped.owners.map(map);
        mapped.kinds = mapped.kinds.map(map);
        mapped.rest.last = mapped.rest.last.map(|site| match site {
            0 => 0,
            site => image[usize::from(site) - 1] + 1,
        });
        mapped
    }

    fn map_move(&self, symmetry: usize, m: M) -> M {
        let code = m.bits();
        if symmetry == 0 || code == u64::MAX {
            return m;
        }
        let image = &self.symmetries[symmetry];
        let layout = &self.code.layout;
        let mut mapped = 0;
        for at in 0..layout.parts.len() {
            let Some(part) = layout.decode(code, at) else { break };
            let mover = &self.code.movers[part.mover];
            let moved = |site: usize| usize::from(image[site]);
            let bits = &layout.parts[at];
            let mut image_part = MovePart { from: moved(part.from), to: moved(part.to), ..part };
            match &mover.verb {
                Verb::Swap { .. } | Verb::Pass => (image_part.from, image_part.to) = (0, 0),
                Verb::Place | Verb::Remove => image_part.from = 0,
                // A hop keeps its line, but the index of the line may change.
                Verb::Hop { dirs, .. } => {
                    image_part.path = self.mapped_path(at, &part, dirs, image);
                }
                _ => {}
            }
            debug_assert!(bits.mover + bits.from + bits.to <= 64, "fields fit");
            mapped |= layout.encode(at, &image_part);
        }
        M::of(mapped)
    }
}

impl<W: BoardWord, M: MoveBits> TextRules<W, M> {
    fn mapped_path(&self, at: usize, part: &MovePart, dirs: &Dirs, image: &[Site]) -> u64 {
        let layout = &self.code.layout;
        // Either player's directions will do: the symmetry preserves both lists. Lists that differ
        // are opposite, so only the right one leads anywhere.
        for dirs in dirs {
            let mut site = part.from;
            let mut path = 0;
            let whole = (0..part.hops).all(|hop| {
                let step = |d: u8, site: usize| -> Option<usize> {
                    let next = &self.code.program.board.directions[d as usize].next;
                    next[site].map(usize::from)
                };
                let Some(&d) = dirs.get(layout.direction(at, part, hop)) else { return false };
                let Some(mid) = step(d, site) else { return false };
                let Some(land) = step(d, mid) else { return false };
                let wanted = (usize::from(image[mid]), usize::from(image[land]));
                let from = usize::from(image[site]);
                let found = dirs.iter().position(|&d| {
                    step(d, from) == Some(wanted.0) && step(d, wanted.0) == Some(wanted.1)
                });
                let Some(n) = found else { return false };
                path |= (n as u64) << (hop as u32 * layout.parts[at].hop);
                site = land;
                true
            });
            if whole && site == part.to {
                return path;
            }
        }
        part.path
    }
}
