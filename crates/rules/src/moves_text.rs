//! Written form of the moves of a game, in words with examples.

use crate::board::{Board, Site};
use crate::tree::{Chain, Mover, Moves, Program, Set, Stuck, Verb};

type Sites = Vec<Site>;

/// Greatest number of ways to write a move of several parts.
const WAYS_MAX: usize = 8;

/// Way to write a move or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Way {
    /// Written part, such as `the cell`; empty for words such as `swap`.
    what: String,
    /// The example with a letter in place of every site, kind and number, such as `s-s`.
    form: String,
    example: String,
}

impl Way {
    fn new(what: &str, form: &str, example: String) -> Way {
        Way { what: what.to_owned(), form: form.to_owned(), example }
    }

    fn word(word: &str) -> Way {
        Way::new("", word, word.to_owned())
    }
}

impl Program {
    /// Written form of the moves of the game, with examples: ``the cell, `a1`, or `swap` ``. An example shows
    /// the form of a move, which need not be legal.
    ///
    /// ```
    /// let text = "(game \"A\" (board (grid 3 3)) (pieces (man each)) (start (put each man (home 1)))
    ///             (play (step man forward (to (or empty theirs)))) (end (if (none theirs) (win mover))))";
    /// let program = treegauge_rules::Text::read(text).unwrap().check().unwrap();
    /// assert_eq!(program.moves_text(), "the cells left and entered, `a1-a2` or `a1xa2`");
    /// ```
    #[must_use]
    pub fn moves_text(&self) -> String {
        let mut ways = self.ways(&self.body.play, 0);
        if matches!(self.body.stuck, Stuck::Pass(_)) {
            ways.push(Way::word("pass"));
        }
        // Examples of the same words stand together.
        let mut groups: Vec<(String, Vec<String>)> = Vec::new();
        let mut forms: Vec<String> = Vec::new();
        for Way { what, form, example } in ways {
            if forms.contains(&form) {
                continue;
            }
            forms.push(form);
            let example = format!("`{example}`");
            match groups.iter_mut().find(|(known, _)| !known.is_empty() && *known == what) {
                Some((_, examples)) => examples.push(example),
                None => groups.push((what, vec![example])),
            }
        }
        let texts: Vec<String> = groups
            .iter()
            .map(|(what, examples)| match what.as_str() {
                "" => examples.join(" or "),
                what => format!("{what}, {}", examples.join(" or ")),
            })
            .collect();
        texts.join(", or ")
    }

    /// Ways to write the moves of a part of `play`. Of several parts of a move, `at` is the number of
    /// those before this one, so that their examples have different sites.
    fn ways(&self, moves: &Moves<Sites>, at: usize) -> Vec<Way> {
        match moves {
            Moves::Mover(mover) => self.ways_of_mover(mover, at),
            Moves::Or(parts) | Moves::FirstOf(parts) => {
                parts.iter().flat_map(|part| self.ways(part, at)).collect()
            }
            Moves::If(_, yes, no) => {
                let no = no.iter().flat_map(|no| self.ways(no, at));
                self.ways(yes, at).into_iter().chain(no).collect()
            }
            Moves::Seq(parts) => {
                let mut whole: Vec<Way> = Vec::new();
                for (n, part) in parts.iter().enumerate() {
                    let mut own: Vec<Way> = Vec::new();
                    for way in self.ways(part, at + n) {
                        if own.iter().all(|known| known.form != way.form) {
                            own.push(way);
                        }
                    }
                    if n == 0 {
                        whole = own;
                        continue;
                    }
                    let both = |before: &Way, way: &Way| Way {
                        what: "its parts one after the other".to_owned(),
                        form: format!("{}/{}", before.form, way.form),
                        example: format!("{}/{}", before.example, way.example),
                    };
                    let longer: Vec<Way> = whole
                        .iter()
                        .flat_map(|before| own.iter().map(move |way| both(before, way)))
                        .collect();
                    // A part with a condition is often left out.
                    match part {
                        Moves::If(_, _, None) => whole.extend(longer),
                        _ => whole = longer,
                    }
                    whole.truncate(WAYS_MAX);
                }
                whole
            }
        }
    }

    fn ways_of_mover(&self, mover: &Mover<Sites>, at: usize) -> Vec<Way> {
        let board = &self.board;
        let site = board.site_noun();
        let sites: Sites = board.sites().collect();
        let name = |site: Site| board.names[site as usize].as_str();
        let own = sites[at % sites.len()];
        let moved = match self.has_paths() {
            true => format!("the {site}s of its path"),
            false => format!("the {site}s left and entered"),
        };
        let from_to = |[from, to]: [Site; 2]| {
            let (empty, taken) = landing(&mover.to);
            let signs = [(empty, '-'), (taken, 'x')].into_iter().filter(|(may, _)| *may);
            let way = |sign: char| {
                let example = format!("{}{sign}{}", name(from), name(to));
                Way::new(&moved, &format!("s{sign}s"), example)
            };
            signs.map(|(_, sign)| way(sign)).collect::<Vec<_>>()
        };
        // A site, and the next one in a direction of the mover.
        let step = |dirs: &[Vec<u8>; 2]| {
            let next = |from: Site| {
                let of = |&d: &u8| board.directions[d as usize].next[from as usize];
                dirs[0].iter().find_map(of).map(|to| [from, to])
            };
            sites.iter().copied().skip(at).find_map(next).unwrap_or([own, own])
        };
        match &mover.verb {
            Verb::Place if self.places_kinds() => {
                let kind = &self.kinds[mover.kind.unwrap_or(0) as usize].name;
                let example = format!("{kind}@{}", name(own));
                vec![Way::new(&format!("the kind and the {site}"), "k@s", example)]
            }
            Verb::Place => vec![Way::new(&format!("the {site}"), "s", name(own).to_owned())],
            Verb::Remove => {
                let what = format!("the {site} of a piece taken off");
                vec![Way::new(&what, "xs", format!("x{}", name(own)))]
            }
            Verb::Sow { .. } => {
                let example = board.pits().min(3).to_string();
                vec![Way::new("the number of the pit", "n", example)]
            }
            Verb::Swap { .. } => vec![Way::word("swap")],
            Verb::Pass => vec![Way::word("pass")],
            Verb::Step(dirs) | Verb::Slide(dirs, _) => from_to(step(dirs)),
            Verb::Leap(leaps) => {
                let leap = |&from: &Site| leaps[from as usize].first().map(|&to| [from, to]);
                from_to(sites.iter().find_map(leap).unwrap_or([own, own]))
            }
            Verb::Fly => from_to([own, sites[sites.len() - 1]]),
            Verb::Ride(_) => {
                let near = |&from: &Site| board.neighbours(from).first().map(|&to| [from, to]);
                from_to(sites.iter().find_map(near).unwrap_or([own, own]))
            }
            Verb::Hop { dirs, chain, .. } => {
                let hops = if matches!(chain, Chain::May | Chain::Must) { 2 } else { 1 };
                let path = hop_path(board, &sites, &dirs[0], hops).unwrap_or_else(|| vec![own]);
                let sign = match chain {
                    Chain::Reach => return from_to([path[0], path[path.len() - 1]]),
                    _ if mover.captures() => "x",
                    _ => "-",
                };
                let names: Vec<&str> = path.iter().map(|&site| name(site)).collect();
                // A chain has the form of all its hops, and an example of two.
                vec![Way::new(&moved, &format!("s{sign}s{hops}"), names.join(sign))]
            }
        }
    }

    /// Tests whether a move may have more than two sites one after another.
    fn has_paths(&self) -> bool {
        let is_chain = |chain: &Chain| matches!(chain, Chain::May | Chain::Must);
        let movers = self.all_movers();
        movers.iter().any(|m| matches!(&m.verb, Verb::Hop { chain, .. } if is_chain(chain)))
    }
}

/// Sites of hops one after another, along straight lines of these directions; fewer hops if the board is
/// too small.
fn hop_path(board: &Board, sites: &[Site], dirs: &[u8], hops: usize) -> Option<Sites> {
    let hop = |from: Site, d: u8| {
        let next = &board.directions[d as usize].next;
        next[from as usize].and_then(|over| next[over as usize])
    };
    let mut longest: Option<Sites> = None;
    for &from in sites {
        for &d in dirs {
            let mut path = vec![from];
            while path.len() <= hops {
                let Some(to) = hop(path[path.len() - 1], d) else { break };
                path.push(to);
            }
            if path.len() > hops {
                return Some(path);
            }
            if path.len() > longest.as_ref().map_or(1, Vec::len) {
                longest = Some(path);
            }
        }
    }
    longest
}

/// Whether sites of a set may be empty, and whether they may be occupied, judged by its words alone.
fn landing(to: &Set<Sites>) -> (bool, bool) {
    let both = |sets: &[Set<Sites>]| sets.iter().map(landing).collect::<Vec<_>>();
    match to {
        Set::Empty | Set::Supported | Set::Rays(..) => (true, false),
        Set::Occupied | Set::Mine(_) | Set::Theirs(_) | Set::Piece(_) => (false, true),
        Set::And(sets) => {
            let sets = both(sets);
            (sets.iter().all(|set| set.0), sets.iter().all(|set| set.1))
        }
        Set::Or(sets) | Set::FirstOf(sets) => {
            let sets = both(sets);
            (sets.iter().any(|set| set.0), sets.iter().any(|set| set.1))
        }
        Set::Not(set) => match **set {
            Set::Empty => (false, true),
            Set::Occupied => (true, false),
            _ => (true, true),
        },
        _ => (true, true),
    }
}
