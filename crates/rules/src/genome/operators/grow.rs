//! Generator of random expressions, and the operator that replaces a part by one.

use rand_core::Rng;
use treegauge_core::uniform_below;

use super::{pick, weighted};
use crate::genome::Genome;
use crate::genome::ground::Ground;
use crate::genome::tree::{Atom, Slot, Tree, When, clause_order, clause_when, slot, when_of_args};
use crate::tree::Owner;
use crate::words::{Arg, Int, Role, Sort, Word, clause, clauses, words_of};

/// Largest depth of an expression that the operator makes.
const DEPTH_MAX: u32 = 3;

/// Number of words tried before generation fails because their arguments cannot be made.
const TRIES: usize = 8;

/// Replaces a random part by a random expression.
pub(super) fn grow(genome: &mut Genome, rng: &mut dyn Rng) -> Option<()> {
    let mut places = Vec::new();
    genome.each_node(&mut |number, tree, _| {
        if let Slot::Word(..) = tree.slot {
            places.push((number, tree.slot));
        }
    });
    let (number, slot) = *pick(&places, rng)?;
    let depth = uniform_below(rng, DEPTH_MAX + 1);
    let new = Grower::new(genome.ground(), rng).expression(slot, depth)?;
    *genome.nth(number)? = new;
    Some(())
}

/// Generator of random expressions for a board and its pieces.
pub(super) struct Grower<'g, 'r> {
    ground: Ground<'g>,
    rng: &'r mut dyn Rng,
}

impl<'g, 'r> Grower<'g, 'r> {
    pub(super) fn new(ground: Ground<'g>, rng: &'r mut dyn Rng) -> Grower<'g, 'r> {
        Grower { ground, rng }
    }

    /// Returns `true` with probability 1/n.
    fn once_in(&mut self, n: u32) -> bool {
        uniform_below(self.rng, n) == 0
    }

    fn between(&mut self, (least, most): (i32, i32)) -> i32 {
        let count = most.saturating_sub(least).max(0) as u32 + 1;
        least + uniform_below(self.rng, count) as i32
    }

    /// Random expression for a slot, nested at most `depth` deep. At depth 0 no word takes an
    /// argument of its own sort.
    pub(super) fn expression(&mut self, slot: Slot, depth: u32) -> Option<Tree> {
        let Slot::Word(sort, when) = slot else { return None };
        if sort == Sort::Number && self.once_in(2) {
            return Some(self.literal(slot));
        }
        for _ in 0..TRIES {
            let ground = self.ground;
            let words: Vec<&Word> = words_of(sort)
                .filter(|known| ground.has(sort, known.name, when))
                .filter(|known| depth > 0 || known.args.iter().all(|&arg| is_lower(arg, sort)))
                .collect();
            let weights: Vec<u32> = words.iter().map(|known| known.weight).collect();
            let known = words[weighted(&weights, self.rng)?];
            if let Some(tree) = self.word(known, slot, depth.saturating_sub(1)) {
                return Some(tree);
            }
        }
        // A literal number fits every board.
        (sort == Sort::Number).then(|| self.literal(slot))
    }

    fn literal(&mut self, slot: Slot) -> Tree {
        let (_, most) = self.ground.literal();
        // Small numbers matter most.
        let most = if self.once_in(3) { most } else { most.min(5) };
        Tree::number(slot, self.between((0, most)))
    }

    /// Word with random arguments.
    fn word(&mut self, known: &Word, slot: Slot, depth: u32) -> Option<Tree> {
        let Slot::Word(sort, when) = slot else { return None };
        let when = when_of_args(sort, when);
        let mut tree = Tree::word(slot, known.name, Vec::new());
        for &arg in known.args {
            let (role, count) = match arg {
                Arg::One(role) => (role, 1),
                Arg::May(role) => (role, usize::from(self.is_there(role))),
                Arg::Many(role, least, _) => (role, least + usize::from(self.once_in(4))),
            };
            for _ in 0..count {
                let arg = self.argument(role, when, &tree, depth)?;
                tree.args.push(arg);
            }
        }
        match (sort, known.name) {
            // A comparison of two literals would be pointless.
            (Sort::Condition, "=" | "<" | ">" | "<=" | ">=")
                if tree.args.iter().all(|arg| arg.int().is_some()) =>
            {
                let slot = tree.args[0].slot;
                let set = self.expression(Slot::Word(Sort::Set, when), depth)?;
                tree.args[0] = Tree::word(slot, "count", vec![set]);
            }
            (Sort::Set, "rows" | "columns") => tree.args.sort_by_key(Tree::int),
            (Sort::Family, "shape") if !self.ground.fits_shape(&tree) => return None,
            (Sort::Moves, _) => self.add_clauses(&mut tree, when, depth),
            _ => {}
        }
        Some(tree)
    }

    /// Decides whether an optional argument is present.
    fn is_there(&mut self, role: Role) -> bool {
        match role {
            // A kind is informative only if there are several.
            Role::Kind(_) => self.ground.kinds.len() > 1 && !self.once_in(3),
            Role::Directions => self.once_in(3),
            Role::Moves => self.once_in(2),
            Role::Only("mirror") => false,
            _ => self.once_in(6),
        }
    }

    /// Random argument of the node `parent`, whose earlier arguments exist.
    fn argument(&mut self, role: Role, when: When, parent: &Tree, depth: u32) -> Option<Tree> {
        let wanted = slot(role, when);
        let word = |name: &str| Some(Tree::word(wanted, name, Vec::new()));
        match wanted {
            Slot::Word(..) => self.expression(wanted, depth),
            Slot::Int(int) => {
                let (least, most) = self.ground.range(int, Some(parent));
                let (least, most) = match int {
                    // Regions have few rows, and lines a length that can be made.
                    Int::Rows => (least, most.min(3)),
                    Int::Line => (least.max(most.min(3)), most.min(6)),
                    _ => (least, most),
                };
                Some(Tree::number(wanted, self.between((least, most))))
            }
            Slot::Kind(_) => {
                let names = self.ground.kinds_for(wanted, Some(parent));
                word(pick(&names, self.rng)?)
            }
            Slot::Taker => {
                let neutral = |owner: Owner| owner == Owner::Neutral;
                let of = |wanted: bool| {
                    self.ground.kinds.iter().filter(|k| neutral(k.owner) == wanted).count() as u32
                };
                let takers = ["mover", "opponent", "neutral"];
                let weights = [of(false), of(false), of(true)];
                word(takers[weighted(&weights, self.rng)?])
            }
            Slot::Site => {
                let sites: Vec<u16> = self.ground.board.sites().collect();
                word(&self.ground.board.names[*pick(&sites, self.rng)? as usize])
            }
            Slot::Side => word(pick(self.ground.board.sides(), self.rng)?),
            Slot::Chain => word(pick(&["must", "may"], self.rng)?),
            Slot::Laps => word(pick(&["to", "next"], self.rng)?),
            Slot::Only(only) => word(only),
            Slot::Pair(int) => Some(self.pair(int, parent.args.is_empty())),
            Slot::Offsets => {
                let count = 1 + usize::from(self.once_in(4));
                let pairs = (0..count).map(|_| self.pair(Int::Offset, false)).collect();
                Some(Tree::word(wanted, "offsets", pairs))
            }
            _ => None,
        }
    }

    /// Random pair of coordinates. With `origin` it is (0, 0), the first cell of a shape; otherwise
    /// it is not.
    fn pair(&mut self, int: Int, origin: bool) -> Tree {
        let range = self.ground.range(int, None);
        let (mut x, mut y) = (self.between(range), self.between(range));
        if origin {
            (x, y) = (0, 0);
        } else if (x, y) == (0, 0) {
            x = 1;
        }
        let args = [x, y].map(|n| Tree::number(Slot::Int(int), n)).to_vec();
        Tree { slot: Slot::Pair(int), atom: Atom::Pair, args }
    }

    /// Adds random clauses to a mover.
    fn add_clauses(&mut self, tree: &mut Tree, when: When, depth: u32) {
        let mover = tree.head().to_owned();
        for &name in clauses(&mover) {
            let wanted = match (name, mover.as_str()) {
                ("then", "hop" | "sow") => !self.once_in(3),
                ("then", _) => self.once_in(4),
                ("only-if", _) => self.once_in(8),
                ("to", "hop") => self.once_in(6),
                _ => self.once_in(3),
            };
            if wanted && let Some(clause) = self.clause(&mover, name, when, depth) {
                tree.args.push(clause);
            }
        }
        tree.args.sort_by_key(|arg| match arg.slot {
            Slot::Clause(_) => 1 + clause_order(&mover, arg.head()),
            _ => 0,
        });
    }

    /// Random clause of a mover that is evaluated at `when`.
    pub(super) fn clause(
        &mut self,
        mover: &str,
        name: &str,
        when: When,
        depth: u32,
    ) -> Option<Tree> {
        let at = clause_when(name, when);
        let set = Slot::Word(Sort::Set, at);
        let word = |name: &str| Tree::word(set, name, Vec::new());
        let mut made = Tree::word(Slot::Clause(when), name, Vec::new());
        // The most usual clauses are more likely: captures by displacement and by hopping.
        let usual = match (name, mover) {
            ("to", "step" | "slide" | "leap" | "fly") if self.once_in(2) => {
                Some(Tree::word(set, "or", vec![word("empty"), word("theirs")]))
            }
            ("over", _) if self.once_in(2) => Some(word("mine")),
            ("then", "hop") if !self.once_in(3) => {
                let effect = Slot::Word(Sort::Effect, When::OfMove);
                Some(Tree::word(effect, "capture", vec![word("over")]))
            }
            _ => None,
        };
        if let Some(usual) = usual {
            made.args.push(usual);
            return Some(made);
        }
        for &arg in clause(name) {
            let arg = self.argument(arg.role(), at, &made, depth)?;
            made.args.push(arg);
        }
        Some(made)
    }
}

/// Tests whether an argument is of a lower sort than `sort`, so that nested expressions end.
fn is_lower(arg: Arg, sort: Sort) -> bool {
    let Slot::Word(of, _) = slot(arg.role(), When::OfMove) else { return true };
    // An optional argument, such as the directions of `next`, may be omitted and does not rule the
    // word out.
    matches!(arg, Arg::May(_)) && of != sort || rank(of) < rank(sort)
}

/// Rank of a sort: the words of a sort take arguments of lower ranks, apart from their own sort.
fn rank(sort: Sort) -> u32 {
    match sort {
        Sort::Player | Sort::Directions => 0,
        Sort::Set => 2,
        Sort::Family => 1,
        Sort::Number => 3,
        Sort::Condition => 4,
        Sort::Effect => 5,
        Sort::Result => 6,
        Sort::Moves => 7,
    }
}
