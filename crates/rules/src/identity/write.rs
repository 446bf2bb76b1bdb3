//! Encoding of a program as a list of numbers, for an image of its board and an order of its kinds.
//!
//! Each form begins with its own number, and each list with its length, so two programs have the
//! same encoding only if they are played in the same way.

use treegauge_core::Player;
use xxhash_rust::xxh3::xxh3_128;

use super::{Image, order};
use crate::board::{Shape, Site, Track};
use crate::tree::{
    Chain, Compare, Cond, Dirs, Effect, Kind, Laps, Mover, Moves, Outcome, Owner, Part, Program,
    Set, Settled, Side, Stuck, Verb, Who,
};

type Sites = Vec<Site>;
type Words = Vec<u64>;

/// View from which a program is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum As {
    /// As the text describes it.
    Itself,
    /// Only what the players have and may do, regardless of who begins.
    Sides,
    /// Like `Sides`, with the players exchanged.
    Exchanged,
}

pub(super) struct Writer<'p> {
    program: &'p Program,
    image: &'p Image,
    kinds: &'p [Kind],
    how: As,
    /// Hashes of the families of sets.
    families: Vec<u128>,
}

/// Form: its number and its operands.
fn form(number: u64, parts: &[Words]) -> Words {
    let mut words = vec![number];
    words.extend(parts.iter().flatten());
    words
}

/// List in its given order.
fn list(parts: Vec<Words>) -> Words {
    let mut words = vec![parts.len() as u64];
    words.extend(parts.into_iter().flatten());
    words
}

/// List whose order does not matter.
fn sorted(mut parts: Vec<Words>) -> Words {
    parts.sort_unstable();
    list(parts)
}

/// List whose order and repetitions do not matter.
fn distinct(mut parts: Vec<Words>) -> Words {
    parts.sort_unstable();
    parts.dedup();
    list(parts)
}

fn int(n: i32) -> Words {
    vec![i64::from(n) as u64]
}

fn hashed(words: &[u64]) -> u128 {
    xxh3_128(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())
}

fn halves(hash: u128) -> Words {
    vec![(hash >> 64) as u64, hash as u64]
}

impl<'p> Writer<'p> {
    pub(super) fn new(
        program: &'p Program,
        image: &'p Image,
        kinds: &'p [Kind],
        how: As,
    ) -> Writer<'p> {
        let mut writer = Writer { program, image, kinds, how, families: Vec::new() };
        let families = program.families.iter().map(|family| {
            let set =
                |(sites, ends): &(Sites, Sites)| [writer.sites(sites), writer.sites(ends)].concat();
            hashed(&sorted(family.sets.iter().map(set).collect()))
        });
        writer.families = families.collect();
        writer
    }

    /// Encoding of the whole program.
    pub(super) fn program(&self) -> Words {
        self.sections().into_iter().flat_map(|(_, words)| words).collect()
    }

    /// Encoding of each section, with its name.
    pub(super) fn sections(&self) -> [(&'static str, Words); 7] {
        let body = &self.program.body;
        let limit = |settled: &Option<Settled<Sites>>| {
            list(settled.iter().map(|settled| self.settled(settled)).collect())
        };
        let quiet = body
            .quiet
            .iter()
            .map(|(plies, settled)| [vec![u64::from(*plies)], self.settled(settled)].concat());
        let stuck = match &body.stuck {
            Stuck::Pass(outcome) => form(0, &[self.outcome(outcome)]),
            Stuck::Ends(settled) => form(1, &[self.settled(settled)]),
        };
        let cap = vec![self.program.cap.map_or(u64::MAX, u64::from)];
        [
            ("board", self.board()),
            ("pieces", self.pieces()),
            ("start", self.start()),
            ("turns", self.turns()),
            ("play", self.moves(&body.play)),
            ("end", [self.rules(), stuck].concat()),
            ("limits", [list(quiet.collect()), limit(&body.repetition), cap].concat()),
        ]
    }

    /// Number of a player.
    fn player(&self, player: Player) -> u64 {
        let player = if self.how == As::Exchanged { player.other() } else { player };
        player.index() as u64
    }

    fn who(&self, who: Who) -> Words {
        let who = match who {
            Who::First if self.how == As::Exchanged => Who::Second,
            Who::Second if self.how == As::Exchanged => Who::First,
            other => other,
        };
        vec![who as u64]
    }

    /// Encodings for both players, the first player's first.
    fn pair<T>(&self, [first, second]: &[T; 2], words: impl Fn(&T) -> Words) -> Words {
        let (first, second) = (words(first), words(second));
        if self.how == As::Exchanged { [second, first].concat() } else { [first, second].concat() }
    }

    fn turns(&self) -> Words {
        let turns = self.program.turns.iter().map(|turns| {
            let seats = |seats: &[Player]| -> Words {
                list(seats.iter().map(|&seat| vec![self.player(seat)]).collect())
            };
            if self.how == As::Itself {
                return [vec![turns.cycle as u64], seats(&turns.seats)].concat();
            }
            // The player who begins does not matter, so the cycle may start anywhere.
            let mut cycle = turns.seats[turns.cycle..].to_vec();
            let begun = (0..cycle.len()).map(|_| {
                cycle.rotate_left(1);
                seats(&cycle)
            });
            begun.min().unwrap_or_default()
        });
        list(turns.collect())
    }

    fn rules(&self) -> Words {
        let mut rules: Vec<(Option<u64>, Words)> = Vec::new();
        for rule in &self.program.body.end {
            let words = [self.cond(&rule.when), self.settled(&rule.settled)];
            rules.push((self.only_of(&rule.when), words.concat()));
        }
        if self.how != As::Itself {
            // Of two rules for one player each, only one can hold, so their order does not matter.
            for run in rules.chunk_by_mut(|(a, _), (b, _)| a.is_some() && b.is_some()) {
                run.sort_by_key(|(player, _)| *player);
            }
        }
        list(rules.into_iter().map(|(_, words)| words).collect())
    }

    /// Player who must be the mover for a condition to hold; `None` if it may be either.
    fn only_of(&self, cond: &Cond<Sites>) -> Option<u64> {
        match cond {
            Cond::Is(Who::Mover, Who::First) => Some(self.player(Player::First)),
            Cond::Is(Who::Mover, Who::Second) => Some(self.player(Player::Second)),
            Cond::And(parts) => parts.iter().find_map(|part| self.only_of(part)),
            _ => None,
        }
    }

    fn board(&self) -> Words {
        let board = &self.program.board;
        let (number, sizes) = match board.shape {
            Shape::Grid { cols, rows, levels } => (0, vec![cols, rows, levels]),
            Shape::Rhombus { cols, rows } => (1, vec![cols, rows]),
            Shape::Hexagon { side } => (2, vec![side]),
            Shape::Rings { rings } => (3, vec![rings]),
            Shape::Lattice { cols, rows } => (4, vec![cols, rows]),
            Shape::Pits { pits } => (5, vec![pits]),
            Shape::Graph => (6, Vec::new()),
        };
        let mut words = form(number, &sizes.into_iter().map(int).collect::<Vec<_>>());
        // The links determine the drawn diagonals; the lines determine wrapping and holes.
        let sites: Sites = board.sites().collect();
        words.extend(self.sites(&sites));
        let mut ways = Vec::new();
        for (number, direction) in board.directions.iter().enumerate() {
            for &site in &sites {
                let to = |to: Option<Site>| to.map_or(u64::MAX, |to| self.site(to));
                let (next, line) = (direction.next[site as usize], direction.line[site as usize]);
                ways.push(vec![
                    u64::from(self.image.dirs[number]),
                    self.site(site),
                    to(next),
                    to(line),
                ]);
            }
        }
        words.extend(halves(hashed(&sorted(ways))));
        if self.program.rides() {
            let track = |track: &Track| {
                let form = track.form(|site| self.site(site)).into_iter();
                list(form.map(|(site, bends)| vec![site, u64::from(bends)]).collect())
            };
            words.extend(distinct(board.tracks.iter().map(track).collect()));
        }
        words
    }

    fn pieces(&self) -> Words {
        let kinds = self.program.kinds.iter().enumerate().map(|(number, kind)| {
            let owner = match kind.owner {
                Owner::Each => 0,
                Owner::Only(player) => 1 + self.player(player),
                Owner::Neutral => 3,
            };
            let hand = kind.hand.map_or(u64::MAX, u64::from);
            vec![u64::from(self.kinds[number]), owner, hand]
        });
        sorted(kinds.collect())
    }

    fn start(&self) -> Words {
        let puts = self.program.start.iter().map(|put| {
            let player = put.player.map_or(2, |player| self.player(player));
            vec![self.site(put.site), player, u64::from(self.kinds[put.kind as usize])]
        });
        [sorted(puts.collect()), vec![u64::from(self.program.seeds)]].concat()
    }

    fn site(&self, site: Site) -> u64 {
        u64::from(self.image.sites[site as usize])
    }

    fn sites(&self, sites: &[Site]) -> Words {
        distinct(sites.iter().map(|&site| vec![self.site(site)]).collect())
    }

    fn kind(&self, kind: Option<Kind>) -> Words {
        vec![kind.map_or(u64::MAX, |kind| u64::from(self.kinds[kind as usize]))]
    }

    fn dirs(&self, dirs: &Dirs) -> Words {
        let of = |dirs: &[u8]| {
            distinct(dirs.iter().map(|&d| vec![u64::from(self.image.dirs[d as usize])]).collect())
        };
        self.pair(dirs, |dirs| of(dirs))
    }

    fn family(&self, family: usize) -> Words {
        halves(self.families[family])
    }

    /// Direction in which pieces fall.
    fn down(&self) -> Words {
        let board = &self.program.board;
        let below = |&number: &usize| {
            let line = &board.directions[number].line;
            board.sites().all(|site| board.below(site) == line[site as usize])
        };
        let found = (0..board.directions.len()).find(below);
        vec![found.map_or(u64::MAX, |number| u64::from(self.image.dirs[number]))]
    }

    /// Image of each site in the long diagonal.
    fn mirror(&self) -> Words {
        let board = &self.program.board;
        let pair = |site: Site| {
            let [x, y, z] = board.at[site as usize];
            let to = board.site_at([y, x, z]).map_or(u64::MAX, |to| self.site(to));
            vec![self.site(site), to]
        };
        halves(hashed(&sorted(board.sites().map(pair).collect())))
    }

    fn leaps(&self, to: &[Vec<Site>]) -> Words {
        let board = &self.program.board;
        let leap = |site: Site| [vec![self.site(site)], self.sites(&to[site as usize])].concat();
        halves(hashed(&sorted(board.sites().map(leap).collect())))
    }

    fn moves(&self, moves: &Moves<Sites>) -> Words {
        let parts = |parts: &[Moves<Sites>]| -> Vec<Words> {
            parts.iter().map(|part| self.moves(part)).collect()
        };
        match moves {
            Moves::Mover(mover) => form(0, &[self.mover(mover)]),
            Moves::Or(ways) if order::is_free(&self.program.board, ways) => {
                form(1, &[distinct(parts(ways))])
            }
            // The encoding for identities keeps the order of ways, because identities are stored in
            // files.
            Moves::Or(ways) if self.how == As::Itself => form(1, &[list(parts(ways))]),
            Moves::Or(ways) => {
                form(1, &[list(order::least(&self.program.board, ways, parts(ways)))])
            }
            Moves::FirstOf(ways) => form(2, &[list(parts(ways))]),
            Moves::Seq(ways) => form(3, &[list(parts(ways))]),
            // The second player's alternatives take the place of the first player's.
            Moves::If(cond @ Cond::Is(Who::Mover, _), yes, Some(no))
                if self.how == As::Exchanged =>
            {
                let itself = Writer { how: As::Itself, families: Vec::new(), ..*self };
                form(4, &[itself.cond(cond), self.moves(no), list(vec![self.moves(yes)])])
            }
            Moves::If(cond, yes, no) => {
                let no = list(no.iter().map(|no| self.moves(no)).collect());
                form(4, &[self.cond(cond), self.moves(yes), no])
            }
        }
    }

    fn mover(&self, mover: &Mover<Sites>) -> Words {
        let verb = match &mover.verb {
            Verb::Place => vec![0],
            Verb::Step(dirs) => form(1, &[self.dirs(dirs)]),
            Verb::Slide(dirs, most) => form(2, &[self.dirs(dirs), vec![u64::from(*most)]]),
            Verb::Leap(to) => form(3, &[self.leaps(to)]),
            Verb::Fly => vec![4],
            Verb::Hop { dirs, over, chain } => {
                let chain = match chain {
                    Chain::No => 0,
                    Chain::Must => 1,
                    Chain::May | Chain::Reach => 2,
                };
                form(5, &[self.dirs(dirs), self.set(over), vec![chain]])
            }
            Verb::Remove => vec![6],
            Verb::Sow { stores, skip_origin, leave_one: false, laps: Laps::No } => {
                vec![7, u64::from(*stores), u64::from(*skip_origin)]
            }
            Verb::Sow { stores, skip_origin, leave_one, laps } => {
                let flags = [stores, skip_origin].map(|flag| u64::from(*flag));
                vec![11, flags[0], flags[1], *laps as u64 + 3 * u64::from(*leave_one)]
            }
            Verb::Swap { mirror: false } => vec![8],
            Verb::Swap { mirror: true } => form(9, &[self.mirror()]),
            Verb::Pass => vec![10],
            Verb::Ride(bends) => form(12, &[vec![u64::from(*bends)]]),
        };
        let only_if = list(mover.only_if.iter().map(|cond| self.cond(cond)).collect());
        let then = self.effects(&mover.then);
        [verb, self.kind(mover.kind), self.set(&mover.to), then, only_if].concat()
    }

    /// Form of an expression with its parts. `lists` combines the elements of a list.
    fn form(
        &self,
        number: u64,
        parts: &[Part<'_, Sites>],
        lists: fn(Vec<Words>) -> Words,
    ) -> Words {
        form(number, &parts.iter().map(|part| self.part(part, lists)).collect::<Vec<_>>())
    }

    fn part(&self, part: &Part<'_, Sites>, lists: fn(Vec<Words>) -> Words) -> Words {
        let part_of_list = |part: &Part<'_, Sites>| self.part(part, list);
        match part {
            Part::Const(of) => self.pair(of, |sites| self.sites(sites)),
            Part::Who(who) | Part::Side(Side::Of(who)) => self.who(*who),
            Part::Side(Side::Neutral) => vec![u64::MAX],
            Part::Compare(how) => vec![*how as u64],
            Part::Dirs(dirs) => self.dirs(dirs),
            Part::Kind(kind) => self.kind(*kind),
            Part::Family(family) => self.family(*family),
            Part::Limit(most) => vec![most.map_or(u64::MAX, u64::from)],
            Part::Int(n) => int(*n),
            Part::List(parts) => lists(parts.iter().map(part_of_list).collect()),
            Part::Set(set) => self.set(set),
            Part::Num(n) => self.form(n.number(), &n.parts(), sorted),
            Part::Cond(cond) => self.cond(cond),
            Part::Effect(effect) => self.form(effect.number(), &effect.parts(), list),
            Part::Outcome(outcome) => self.outcome(outcome),
        }
    }

    fn set(&self, set: &Set<Sites>) -> Words {
        match set {
            Set::And(_) | Set::Or(_) => self.form(set.number(), &set.parts(), distinct),
            Set::Supported => form(set.number(), &[self.down()]),
            _ => self.form(set.number(), &set.parts(), list),
        }
    }

    fn cond(&self, cond: &Cond<Sites>) -> Words {
        match cond {
            Cond::Compare(Compare::Equal, a, b) => {
                form(0, &[sorted([a, b].map(|n| self.part(&Part::Num(n), list)).to_vec())])
            }
            // Equality has a form of its own before the others.
            _ => self.form(1 + cond.number(), &cond.parts(), distinct),
        }
    }

    fn effects(&self, effects: &[Effect<Sites>]) -> Words {
        list(effects.iter().map(|effect| self.part(&Part::Effect(effect), list)).collect())
    }

    fn outcome(&self, outcome: &Outcome<Sites>) -> Words {
        self.form(outcome.number(), &outcome.parts(), list)
    }

    fn settled(&self, settled: &Settled<Sites>) -> Words {
        [self.effects(&settled.effects), self.outcome(&settled.outcome)].concat()
    }
}
