//! Proofs that every game of a program comes to an end by itself.

use treegauge_core::Player;

use crate::board::{Board, Site};
use crate::facts::each_effect;
use crate::tree::{
    Compare, Cond, Dirs, Effect, Kind, Mover, Moves, Num, Owner, Program, Set, Side, Stuck, Verb,
    Who,
};

type Sites = Vec<Site>;

/// Contents of a site: nothing, or a kind of piece with its owner.
type Contents = usize;

const NOTHING: Contents = 0;

/// Number of a piece of a player, or of a neutral one, among the contents of a site.
fn contents(kind: Kind, owner: Option<Player>) -> Contents {
    1 + 3 * usize::from(kind) + owner.map_or(2, Player::index)
}

/// Difference of the coordinates of two sites.
type Vector = [i32; 3];

impl Program {
    /// Tests whether some measure rises with every move and has a bound, so that no game goes on for
    /// ever: the contents of each site only change in one order, all pieces only advance, or all
    /// moves place pieces and each capture scores. Captures do not lower the first two measures.
    /// `false` proves nothing.
    pub(crate) fn must_end(&self) -> bool {
        let may_wait = self.board.is_pits() || matches!(self.body.stuck, Stuck::Pass(_));
        !may_wait && (self.contents_advance() || self.pieces_advance() || self.captures_score())
    }

    /// Tests whether every move places a piece, each capture gives the mover at least as many points
    /// as it takes pieces, points are never lost, and a number of points ends the game. The points
    /// of a game are then bounded, and between two captures the board only fills up.
    fn captures_score(&self) -> bool {
        let is_goal = |cond: &Cond<Sites>| {
            matches!(
                cond,
                Cond::Compare(
                    Compare::AtLeast | Compare::Greater,
                    Num::Score(Who::Mover),
                    Num::Int(_)
                )
            )
        };
        let has_goal = self.body.end.iter().any(|rule| match &rule.when {
            Cond::Or(parts) => parts.iter().any(is_goal),
            cond => is_goal(cond),
        });
        let places = |mover: &&Mover<Sites>| {
            mover.verb == Verb::Place && mover.to.is_free() && scores_captures(&mover.then)
        };
        has_goal && self.all_movers().iter().all(places)
    }

    /// Owner that pieces of a kind have if a player places or moves them; `None` if the player does
    /// not own the kind.
    fn owned(&self, kind: Kind, player: Player) -> Option<Option<Player>> {
        match self.kinds[usize::from(kind)].owner {
            Owner::Neutral => Some(None),
            Owner::Each => Some(Some(player)),
            Owner::Only(owner) => (owner == player).then_some(Some(player)),
        }
    }

    /// All contents that a site may have.
    fn all_contents(&self) -> Vec<Contents> {
        let mut all = vec![NOTHING];
        for kind in 0..self.kinds.len() as Kind {
            let owners = match self.kinds[usize::from(kind)].owner {
                Owner::Neutral => vec![None],
                Owner::Only(owner) => vec![Some(owner)],
                Owner::Each => vec![Some(Player::First), Some(Player::Second)],
            };
            all.extend(owners.into_iter().map(|owner| contents(kind, owner)));
        }
        all
    }

    /// Contents that the sites of a set may have when a player moves.
    fn may_hold(&self, set: &Set<Sites>, player: Player) -> Vec<Contents> {
        let all = self.all_contents();
        let only = |holds: &dyn Fn(Contents) -> bool| -> Vec<Contents> {
            all.iter().copied().filter(|&one| holds(one)).collect()
        };
        let of = |owner: Player, kind: &Option<Kind>| {
            only(&|one| {
                one != NOTHING
                    && (one - 1) % 3 == owner.index()
                    && kind.is_none_or(|kind| (one - 1) / 3 == usize::from(kind))
            })
        };
        match set {
            Set::Empty | Set::Supported | Set::Rays(..) => vec![NOTHING],
            Set::Occupied => only(&|one| one != NOTHING),
            Set::Mine(kind) => of(player, kind),
            Set::Theirs(kind) => of(player.other(), kind),
            Set::Custodial(..) => of(player.other(), &None),
            Set::Piece(kind) => only(&|one| one != NOTHING && (one - 1) / 3 == usize::from(*kind)),
            Set::And(sets) => {
                let mut held = all.clone();
                for set in sets {
                    let some = self.may_hold(set, player);
                    held.retain(|one| some.contains(one));
                }
                held
            }
            Set::Or(sets) | Set::FirstOf(sets) => {
                let mut held = Vec::new();
                sets.iter().for_each(|set| held.extend(self.may_hold(set, player)));
                held
            }
            // These sets are all sites with certain contents, so all others have other contents.
            Set::Not(inner) => match &**inner {
                Set::Empty | Set::Occupied | Set::Mine(_) | Set::Theirs(_) | Set::Piece(_) => {
                    let not = self.may_hold(inner, player);
                    only(&|one| !not.contains(&one))
                }
                _ => all.clone(),
            },
            Set::Enclosed(set) | Set::Covered(_, set) | Set::Joined(_, set) => {
                self.may_hold(set, player)
            }
            _ => all.clone(),
        }
    }

    /// Tests whether a ply that takes or changes a piece ends the game.
    fn ends_when_taken(&self) -> bool {
        let is = |cond: &Cond<Sites>| *cond == Cond::Some(Set::Taken);
        self.body.end.iter().any(|rule| match &rule.when {
            Cond::Or(parts) => parts.iter().any(is),
            cond => is(cond),
        })
    }

    /// Tests whether the contents of sites change in one order only, and every move changes some.
    fn contents_advance(&self) -> bool {
        let mut changes = Changes {
            program: self,
            keeps: self.ends_when_taken(),
            edges: Vec::new(),
            advances: vec![true; self.movers],
        };
        for mover in self.all_movers() {
            for player in Player::BOTH {
                if !changes.mover(mover, player) {
                    return false;
                }
            }
        }
        is_acyclic(&changes.edges) && always(&self.body.play, &changes.advances)
    }

    /// Tests whether every move takes a piece, places one from a hand, or moves one onward, with no
    /// new pieces without end.
    fn pieces_advance(&self) -> bool {
        let mut ways = [Vec::new(), Vec::new()];
        let mut is_shared = self.flips();
        for mover in self.all_movers() {
            let mut puts = false;
            each_effect(&mover.then, &mut |effect| puts |= matches!(effect, Effect::Put(..)));
            if puts {
                return false;
            }
            is_shared |= mover
                .kind
                .is_some_and(|kind| self.kinds[usize::from(kind)].owner == Owner::Neutral);
            for player in Player::BOTH {
                if mover.kind.is_some_and(|kind| self.owned(kind, player).is_none()) {
                    continue;
                }
                match self.ways_onward(mover, player) {
                    Some(found) => ways[player.index()].extend(found),
                    None => return false,
                }
            }
        }
        if is_shared {
            let both = ways.concat();
            ways = [both.clone(), both];
        }
        ways.iter().all(|ways| has_height(ways))
    }

    /// Vectors along which a mover moves a piece; none if it takes a piece or places one from a
    /// hand. `None` if it may bring a piece to the board without end, or its vectors are unknown.
    fn ways_onward(&self, mover: &Mover<Sites>, player: Player) -> Option<Vec<Vector>> {
        let board = &self.board;
        match &mover.verb {
            Verb::Remove | Verb::Swap { .. } => Some(Vec::new()),
            Verb::Step(dirs) | Verb::Slide(dirs, _) | Verb::Hop { dirs, .. } => {
                Some(steps(board, dirs, player))
            }
            Verb::Leap(targets) => {
                let leaps = board.sites().flat_map(|from| {
                    let to = targets[usize::from(from)].iter();
                    to.map(move |&to| between(board, from, to))
                });
                let within = mover.only_if.as_ref().and_then(|cond| allowed(board, cond, player));
                Some(
                    leaps.filter(|leap| within.as_ref().is_none_or(|w| w.contains(leap))).collect(),
                )
            }
            Verb::Place => {
                let kind = mover.kind.unwrap_or(0);
                if self.kinds[usize::from(kind)].hand.is_some() {
                    return Some(Vec::new());
                }
                self.replaced(mover, kind, player)
            }
            Verb::Fly | Verb::Ride(_) | Verb::Sow { .. } | Verb::Pass => None,
        }
    }

    /// Vectors of a placement that moves the only piece of a kind: the piece is placed in sight of
    /// the old one, or beside it, and the old one is captured.
    fn replaced(&self, mover: &Mover<Sites>, kind: Kind, player: Player) -> Option<Vec<Vector>> {
        let others = [Set::Piece(kind), Set::Not(Box::new(Set::To))];
        let takes_others = |effect: &Effect<Sites>| match effect {
            Effect::Capture(Set::And(sets)) => {
                sets.len() == 2 && others.iter().all(|one| sets.contains(one))
            }
            _ => false,
        };
        let is_one = self.start.iter().filter(|put| put.kind == kind).count() <= 1;
        let becomes = self.has_effect(|effect| *effect == Effect::Become(kind));
        let all_replace = self.all_movers().iter().all(|one| {
            one.verb != Verb::Place
                || one.kind.unwrap_or(0) != kind
                || one.then.first().is_some_and(takes_others)
        });
        if !is_one || becomes || !all_replace {
            return None;
        }
        ways_of(&self.board, &mover.to, &Set::Piece(kind), player, true)
    }
}

/// Changes of the contents of sites that the moves of a program may make.
struct Changes<'p> {
    program: &'p Program,
    /// Whether the game is over when a piece has been taken or changed.
    keeps: bool,
    edges: Vec<(Contents, Contents)>,
    /// Movers that change the contents of a site for certain.
    advances: Vec<bool>,
}

impl Changes<'_> {
    fn add(&mut self, from: Contents, to: Contents) {
        let is_taken = from != NOTHING && self.keeps;
        if from != to && !is_taken {
            self.edges.push((from, to));
        }
    }

    /// Adds the changes of a mover; `false` if it may change nothing at all.
    fn mover(&mut self, mover: &Mover<Sites>, player: Player) -> bool {
        let program = self.program;
        let kinds: Vec<Kind> = match (&mover.verb, mover.kind) {
            (Verb::Place, kind) => vec![kind.unwrap_or(0)],
            (_, Some(kind)) => vec![kind],
            (_, None) => (0..program.kinds.len() as Kind)
                .filter(|&kind| program.kinds[usize::from(kind)].owner != Owner::Neutral)
                .collect(),
        };
        let there = program.may_hold(&mover.to, player);
        match &mover.verb {
            Verb::Pass | Verb::Sow { .. } => return false,
            // A swap is played at most once.
            Verb::Swap { .. } => {}
            Verb::Remove => {
                there.iter().for_each(|&piece| self.add(piece, NOTHING));
            }
            Verb::Place => {
                let Some(owner) = program.owned(kinds[0], player) else { return true };
                let piece = contents(kinds[0], owner);
                there.iter().for_each(|&old| self.add(old, piece));
                self.advances[mover.id] &= !there.contains(&piece);
            }
            _ => {
                for kind in kinds {
                    let Some(owner) = program.owned(kind, player) else { continue };
                    let piece = contents(kind, owner);
                    // The first effect may fill the site that the piece leaves.
                    let left = match mover.then.first() {
                        Some(Effect::Put(side, kind, Set::From)) => self.put(*side, *kind, player),
                        _ => NOTHING,
                    };
                    // Here a moving piece is not a taken one.
                    if piece != left {
                        self.edges.push((piece, left));
                    }
                    there.iter().for_each(|&old| self.add(old, piece));
                    self.advances[mover.id] &= piece != left || !there.contains(&piece);
                }
            }
        }
        self.effects(&mover.then, player);
        true
    }

    fn put(&self, side: Side, kind: Kind, player: Player) -> Contents {
        let owner = match side {
            Side::Of(who) => Some(who.of(player)),
            Side::Neutral => None,
        };
        contents(kind, owner)
    }

    fn effects(&mut self, effects: &[Effect<Sites>], player: Player) {
        let program = self.program;
        for (n, effect) in effects.iter().enumerate() {
            match effect {
                Effect::Capture(set) => {
                    // The next effect may fill the sites that lose a piece.
                    let left = match effects.get(n + 1) {
                        Some(Effect::Put(side, kind, Set::Taken)) => self.put(*side, *kind, player),
                        _ => NOTHING,
                    };
                    let pieces = program.may_hold(set, player);
                    let pieces = pieces.into_iter().filter(|&piece| piece != NOTHING);
                    pieces.for_each(|piece| self.add(piece, left));
                }
                Effect::Put(side, kind, _) => {
                    let piece = self.put(*side, *kind, player);
                    self.add(NOTHING, piece);
                }
                Effect::Flip(set) => {
                    for piece in program.may_hold(set, player) {
                        let theirs = player.other().index();
                        if piece != NOTHING && (piece - 1) % 3 == theirs {
                            self.add(piece, piece - theirs + player.index());
                        }
                    }
                }
                Effect::Become(kind) => {
                    // Like a move, this happens to the moving piece, which is not taken.
                    for old in 0..program.kinds.len() as Kind {
                        if let (Some(owner), true) = (program.owned(old, player), old != *kind) {
                            self.edges.push((contents(old, owner), contents(*kind, owner)));
                        }
                    }
                }
                Effect::If(_, inner) => self.effects(inner, player),
                _ => {}
            }
        }
    }
}

/// Tests whether the first part of each move is one of the movers that are flagged.
fn always(moves: &Moves<Sites>, flags: &[bool]) -> bool {
    match moves {
        Moves::Mover(mover) => flags[mover.id],
        Moves::Or(parts) | Moves::FirstOf(parts) => parts.iter().all(|part| always(part, flags)),
        // Later parts may be left out.
        Moves::Seq(parts) => always(&parts[0], flags),
        Moves::If(_, yes, no) => {
            always(yes, flags) && no.as_ref().is_none_or(|no| always(no, flags))
        }
    }
}

/// Tests whether a graph has no cycle.
fn is_acyclic(edges: &[(Contents, Contents)]) -> bool {
    let mut edges = edges.to_vec();
    // An edge into a node without edges out of it is on no cycle.
    loop {
        let before = edges.len();
        let sources: Vec<Contents> = edges.iter().map(|&(from, _)| from).collect();
        edges.retain(|(_, to)| sources.contains(to));
        if edges.len() == before {
            return edges.is_empty();
        }
    }
}

fn between(board: &Board, from: Site, to: Site) -> Vector {
    let (from, to) = (board.at[usize::from(from)], board.at[usize::from(to)]);
    [to[0] - from[0], to[1] - from[1], to[2] - from[2]]
}

/// Vectors of single steps in the directions of a player, without duplicates.
fn steps(board: &Board, dirs: &Dirs, player: Player) -> Vec<Vector> {
    let mut found = Vec::new();
    for &d in &dirs[player.index()] {
        for site in board.sites() {
            if let Some(next) = board.directions[usize::from(d)].next[usize::from(site)] {
                found.push(between(board, site, next));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Vectors from a site of `base` to each site of a set; `None` if the words do not tell. With
/// `along`, a ray counts as its first step.
fn ways_of(
    board: &Board,
    set: &Set<Sites>,
    base: &Set<Sites>,
    player: Player,
    along: bool,
) -> Option<Vec<Vector>> {
    if set == base {
        return Some(vec![[0; 3]]);
    }
    let of = |set: &Set<Sites>| ways_of(board, set, base, player, along);
    match set {
        Set::Next(inner, dirs) => {
            let (before, steps) = (of(inner)?, steps(board, dirs, player));
            let sum = |a: &Vector, b: &Vector| [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
            Some(before.iter().flat_map(|a| steps.iter().map(move |b| sum(a, b))).collect())
        }
        Set::Rays(inner, dirs) if along && **inner == *base => Some(steps(board, dirs, player)),
        Set::Or(sets) | Set::FirstOf(sets) => {
            let all: Option<Vec<_>> = sets.iter().map(of).collect();
            all.map(|all| all.concat())
        }
        Set::And(sets) => sets.iter().find_map(of),
        _ => None,
    }
}

/// Vectors that an `only-if` allows from the origin of a move; `None` if it does not tell.
fn allowed(board: &Board, cond: &Cond<Sites>, player: Player) -> Option<Vec<Vector>> {
    match cond {
        Cond::In(Set::To, within) => ways_of(board, within, &Set::From, player, false),
        Cond::And(parts) => parts.iter().find_map(|part| allowed(board, part, player)),
        _ => None,
    }
}

/// Tests whether each capture among some effects follows an `add` that counts its sites for the
/// mover, so that the points rise by the number of captured pieces or more. Nothing else may take
/// points or pieces away.
fn scores_captures(effects: &[Effect<Sites>]) -> bool {
    let mut counted: Vec<&Set<Sites>> = Vec::new();
    effects.iter().all(|effect| match effect {
        Effect::Add(n, Who::Mover) => {
            if let Num::Count(set) = n {
                counted.push(set);
            }
            is_never_negative(n)
        }
        Effect::Capture(set) => {
            let is_counted = counted.contains(&set);
            // The sets of earlier counts may have changed.
            counted.clear();
            is_counted
        }
        Effect::If(_, inner) => {
            counted.clear();
            scores_captures(inner)
        }
        Effect::Flip(_) => {
            counted.clear();
            true
        }
        Effect::Again => true,
        _ => false,
    })
}

/// Tests whether a number is 0 or more in every position, judged by its words alone.
fn is_never_negative(n: &Num<Sites>) -> bool {
    match n {
        Num::Int(n) => *n >= 0,
        Num::Add(parts) => parts.iter().all(is_never_negative),
        Num::Score(_) | Num::Sub(..) => false,
        _ => true,
    }
}

/// Tests whether some height of the sites rises along all vectors.
fn has_height(ways: &[Vector]) -> bool {
    let rises =
        |height: Vector| ways.iter().all(|way| (0..3).map(|n| way[n] * height[n]).sum::<i32>() > 0);
    let slopes = || -3..=3;
    slopes().any(|x| slopes().any(|y| [-1, 0, 1].into_iter().any(|z| rises([x, y, z]))))
}

#[cfg(test)]
mod tests {
    use crate::lint::{Endless, endless};
    use crate::tests::{library_program, program, programs};

    #[test]
    fn the_library_s_games_that_must_end_are_told_from_those_that_may_not() {
        for name in [
            "atari_go",
            "knightthrough",
            "pente",
            "slimetrail",
            "tac_tix",
            "toads_and_frogs",
            "traffic_lights",
            "wythoffs_queen",
        ] {
            assert!(library_program(name).must_end(), "{name}");
        }
        for name in
            ["dodgem", "halma", "hare_and_hounds", "mak_yek", "mu_torere", "neutron", "oust"]
        {
            assert!(!library_program(name).must_end(), "{name}");
        }
    }

    /// Search for a position that comes back is a slow second opinion.
    #[test]
    fn no_position_of_a_game_that_must_end_comes_back() {
        let mut proved = 0;
        for (name, program) in programs() {
            if program.must_end() {
                proved += 1;
                let found = endless(&program, 3_000, &mut || true);
                assert_ne!(found, Endless::Yes, "{name}");
            }
        }
        assert!(proved >= 8, "{proved} programs");
    }

    #[test]
    fn small_changes_that_let_a_game_go_on_are_seen() {
        let ends = |text: &str| program(text).must_end();
        let token = |then: &str| {
            ends(&format!(
                "(game \"T\" (board (grid 5 5)) (pieces (token neutral) (slime neutral) (green neutral))
                 (start (put neutral token center))
                 (play (place token (to (and empty (next (piece token)))) (then {then})))
                 (end (if (in to (sites a1)) (win first)) (stuck (lose mover))))"
            ))
        };
        let moves = "(capture (and (piece token) (not to)))";
        assert!(token(&format!("{moves} (put neutral slime taken)")));
        assert!(!token(moves), "the token may go back");
        assert!(!token(&format!("{moves} (add 1) (put neutral slime taken)")), "not proved");
        assert!(!token(&format!("{moves} (put neutral slime taken) (capture (piece slime))")));
        let lights = |play: &str| {
            ends(&format!(
                "(game \"T\" (board (grid 3 3)) (pieces (green neutral) (red neutral))
                 (play (or (place green) {play})) (end (if (makes (line 3) (piece red)) (win mover))))"
            ))
        };
        assert!(lights("(place red (to (piece green)))"));
        assert!(!lights("(place red (to (piece green))) (place green (to (piece red)))"));
        assert!(!lights("(place red (to occupied))"), "red on red changes nothing");
        assert!(!lights("(place red (to (piece green))) (remove (piece red))"));
        let queen = |directions: &str| {
            ends(&format!(
                "(game \"T\" (board (grid 5 5)) (pieces (queen neutral))
                 (start (put neutral queen (sites e5)))
                 (play (place queen (to (rays (piece queen) {directions}))
                   (then (capture (and (piece queen) (not to))))))
                 (end (if (in to (sites a1)) (win mover))))"
            ))
        };
        assert!(queen("(or w s sw)"));
        assert!(queen("(or w s se)"), "a step to the south is worth more than one to the east");
        assert!(!queen("(or w s e)"));
        let men = |play: &str| {
            ends(&format!(
                "(game \"T\" (board (grid 5 5)) (pieces (man each)) (start (put each man (home 2)))
                 (play {play}) (end (if (none theirs) (win mover))))"
            ))
        };
        assert!(men("(or (step man n) (step man e (to (or empty theirs))))"));
        assert!(!men("(or (step man n) (step man s))"));
        assert!(men(
            "(leap man (offsets (1 2)) (only-if (in to (next (next from n) (or ne nw)))))"
        ));
        assert!(!men("(leap man (offsets (1 2)))"));
        assert!(!men("(or (step man n) (place man))"), "men come back for ever");
        let pairs = |then: &str, end: &str| {
            ends(&format!(
                "(game \"T\" (board (grid 5 5)) (play (place (then {then})))
                 (end (if {end} (win mover)) (stuck draw)))"
            ))
        };
        let (counted, goal) = ("(add (count (custodial all)))", "(>= score 8)");
        let taken = "(capture (custodial all))";
        assert!(pairs(&format!("{counted} {taken}"), goal));
        assert!(pairs(&format!("{counted} {taken}"), "(or (makes (line 4)) (> score 7))"));
        assert!(!pairs(&format!("{counted} {taken}"), "(makes (line 4))"), "no points end it");
        assert!(!pairs(taken, goal), "captures give no points");
        assert!(!pairs(&format!("{taken} {counted}"), goal), "counted when they are gone");
        assert!(!pairs(&format!("(add 1 opponent) {counted} {taken} (add (- 0 1))"), goal));
        assert!(!pairs(&format!("{counted} (capture (custodial orthogonal))"), goal));
        assert!(!pairs(&format!("{counted} {taken} {taken}"), goal), "what the second takes");
        assert!(pairs(&format!("{counted} (if (some (next to)) (again)) (add 1)"), goal));
    }
}
