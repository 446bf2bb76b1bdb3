//! Repair of a genome after a change: words and names that its board or its pieces lack are
//! replaced by the nearest ones that they have.

use super::ground::Ground;
use super::tree::{Atom, Slot, Tree, When};
use super::{Genome, Put};
use crate::tree::Owner;
use crate::words::{Int, Kinds, PARTS_MAX, Sort};

/// Largest number of pieces of a kind in hand.
pub(super) const HAND_MAX: i32 = 40;

impl Genome {
    /// Repairs everything that the board and the pieces do not allow. `None` if no other word
    /// helps: two pieces start on one site, or a move has too many parts.
    pub(super) fn fit(&mut self) -> Option<()> {
        let (board, kinds) = (self.board.clone(), self.kinds.clone());
        let ground = Ground { board: &board, kinds: &kinds, turns: self.turns.is_some() };
        for root in self.roots_mut() {
            root.change(&mut |tree| mend(&ground, tree));
            drop_again(&ground, root);
        }
        if let Some(seeds) = self.seeds {
            self.seeds = Some(seeds.clamp(1, ground.seeds_max()));
        }
        let whole = parts(&self.play) <= PARTS_MAX && self.starts_apart();
        whole.then_some(())
    }

    /// Tests whether no two pieces of the start share a site.
    pub(super) fn starts_apart(&self) -> bool {
        let ground = self.ground();
        let mut taken = Vec::new();
        self.start.iter().all(|put| {
            ground.sites_of_put(put).is_some_and(|sites| {
                sites.into_iter().all(|site| {
                    let free = !taken.contains(&site);
                    taken.push(site);
                    free
                })
            })
        })
    }
}

impl Ground<'_> {
    /// Sites that a put fills; `None` if its set is not the same in every position.
    pub(super) fn sites_of_put(&self, put: &Put) -> Option<Vec<u16>> {
        let players: &[usize] = match put.owner.as_str() {
            "each" => &[0, 1],
            "second" => &[1],
            _ => &[0],
        };
        let mut sites = Vec::new();
        for &player in players {
            sites.extend(self.fixed(&put.set, player)?);
        }
        Some(sites)
    }
}

/// Largest number of parts of a move.
fn parts(tree: &Tree) -> usize {
    let inner = || tree.args.iter().filter(|arg| arg.sort() == Some(Sort::Moves)).map(parts);
    match tree.head() {
        "seq" => inner().sum(),
        "or" | "first-of" | "if" => inner().max().unwrap_or(1),
        _ => 1,
    }
}

/// Repairs one node. Its arguments have already been repaired.
fn mend(ground: &Ground<'_>, tree: &mut Tree) {
    clamp(ground, tree);
    match tree.slot {
        Slot::Word(Sort::Set, when) => mend_set(ground, tree, when),
        Slot::Word(Sort::Directions, _)
            if !ground.has(Sort::Directions, tree.head(), When::Before) =>
        {
            tree.atom = Atom::Word(nearest_direction(ground, tree.head()).to_owned());
        }
        Slot::Word(Sort::Family, _) => mend_family(ground, tree),
        Slot::Word(Sort::Number, when) if tree.head() == "hand" => mend_hand(ground, tree, when),
        Slot::Word(Sort::Moves, when) => mend_moves(ground, tree, when),
        Slot::Word(Sort::Effect, _) if tree.head() == "put" => mend_put(ground, tree),
        Slot::Kind(_) => {
            let known = ground.kinds.iter().any(|kind| kind.name == tree.head());
            let fitting = ground.kinds_for(tree.slot, None);
            // The arguments of `put` and `hand` are repaired together with these words.
            let free = matches!(tree.slot, Slot::Kind(Kinds::Put | Kinds::InHand));
            if !known || !free && !fitting.is_empty() && !fitting.contains(&tree.head()) {
                let any = ground.kinds.first().map_or("", |kind| kind.name.as_str());
                tree.atom = Atom::Word(fitting.first().copied().unwrap_or(any).to_owned());
            }
        }
        _ => {}
    }
}

/// Clamps the whole numbers of a node to their ranges.
fn clamp(ground: &Ground<'_>, tree: &mut Tree) {
    let (cols, rows) = ground.board.extent().unwrap_or((1, 1));
    let longest = (tree.head() == "line").then(|| ground.longest(tree));
    for arg in &mut tree.args {
        let (Slot::Int(int), Some(n)) = (arg.slot, arg.int()) else { continue };
        let (least, most) = match int {
            Int::Row | Int::Rows => (1, rows),
            Int::Column => (1, cols),
            Int::Line => (1, longest.unwrap_or(1)),
            Int::Bends => ground.range(Int::Bends, None),
            other => other.bounds().map_or((1, 1), |(_, least, most)| (least, most)),
        };
        arg.atom = Atom::Number(n.clamp(least, most));
    }
}

fn mend_set(ground: &Ground<'_>, tree: &mut Tree, when: When) {
    if tree.head() == "sites" {
        mend_sites(ground, tree);
    }
    if tree.head() == "side" && ground.has(Sort::Set, "side", when) {
        let sides = ground.board.sides();
        let side = &mut tree.args[0];
        if !sides.contains(&side.head()) {
            // A slanting side becomes the side above or below it, and an upright one of a grid the
            // lower one.
            let near = if side.head().starts_with('n') { "n" } else { "s" };
            side.atom = Atom::Word(near.to_owned());
        }
    }
    if ground.has(Sort::Set, tree.head(), when) {
        return;
    }
    let region = ["edges", "corners", "everywhere"];
    let region = region.into_iter().find(|word| ground.has(Sort::Set, word, when));
    let new = if tree.head() == "supported" { "empty" } else { region.unwrap_or("everywhere") };
    *tree = Tree::word(tree.slot, new, Vec::new());
}

/// Replaces sites that the board lacks by the nearest sites that it has.
fn mend_sites(ground: &Ground<'_>, tree: &mut Tree) {
    let board = ground.board;
    let mut names: Vec<String> = Vec::new();
    for arg in &tree.args {
        let site = board.site(arg.head()).or_else(|| {
            let (x, y) = place(arg.head()).filter(|_| board.extent().is_some())?;
            let apart = |&site: &u16| {
                let at = board.at[site as usize];
                i64::from((at[0] - x).abs()) + i64::from((at[1] - y).abs())
            };
            board.sites().min_by_key(apart)
        });
        let name = site.map(|site| board.names[site as usize].clone());
        names.extend(name.filter(|name| !names.contains(name)));
    }
    if names.is_empty() {
        let all = if board.extent().is_some() { "edges" } else { "everywhere" };
        *tree = Tree::word(tree.slot, all, Vec::new());
        return;
    }
    tree.args = names.iter().map(|name| Tree::word(Slot::Site, name, Vec::new())).collect();
}

/// Column and row of a name such as `c4`, both from 0.
fn place(name: &str) -> Option<(i32, i32)> {
    let mut chars = name.chars();
    let col = chars.next().filter(char::is_ascii_lowercase)?;
    let digits: String = chars.take_while(char::is_ascii_digit).take(3).collect();
    Some((col as i32 - 'a' as i32, digits.parse::<i32>().ok()? - 1))
}

/// Nearest direction word that a board has.
fn nearest_direction(ground: &Ground<'_>, word: &str) -> &'static str {
    let near: &[&str] = match word {
        "forward-diagonal" => &["forward"],
        "backward-diagonal" => &["backward"],
        "n" => &["ne", "forward"],
        "s" => &["sw", "backward"],
        "e" | "w" => &["sideways"],
        "ne" | "nw" => &["n", "forward"],
        "se" | "sw" => &["s", "backward"],
        _ => &[],
    };
    let has = |word: &&&str| ground.has(Sort::Directions, word, When::Before);
    near.iter().find(has).copied().unwrap_or("all")
}

fn mend_family(ground: &Ground<'_>, tree: &mut Tree) {
    let fits = match tree.head() {
        "shape" => ground.has(Sort::Family, "shape", When::OfMove) && ground.fits_shape(tree),
        other => ground.has(Sort::Family, other, When::OfMove),
    };
    if !fits {
        let length = if tree.head() == "shape" { tree.args.len() as i32 } else { 3 };
        let mut line = Tree::word(tree.slot, "line", Vec::new());
        let most = ground.longest(&line);
        line.args.push(Tree::number(Slot::Int(Int::Line), length.clamp(most.min(2), most)));
        *tree = line;
    }
}

/// Replaces pieces in hand by those on the board if no kind has a hand.
fn mend_hand(ground: &Ground<'_>, tree: &mut Tree, when: When) {
    if !ground.has(Sort::Number, "hand", when) {
        let theirs = tree.args[0].head() == "opponent";
        let set = Tree::word(
            Slot::Word(Sort::Set, when),
            if theirs { "theirs" } else { "mine" },
            Vec::new(),
        );
        *tree = Tree::word(tree.slot, "count", vec![set]);
        return;
    }
    let in_hand = ground.kinds_for(Slot::Kind(Kinds::InHand), None);
    if tree.args.get(1).is_some_and(|kind| !in_hand.contains(&kind.head())) {
        tree.args.truncate(1);
    }
}

fn mend_put(ground: &Ground<'_>, tree: &mut Tree) {
    let is_neutral = |name: &str| {
        ground.kinds.iter().any(|kind| kind.name == name && kind.owner == Owner::Neutral)
    };
    let neutral = tree.args[0].head() == "neutral";
    if is_neutral(tree.args[1].head()) == neutral {
        return;
    }
    let kinds = ground.kinds_for(Slot::Kind(Kinds::Put), Some(tree));
    match kinds.first() {
        Some(kind) => tree.args[1].atom = Atom::Word((*kind).to_owned()),
        None => {
            let taker = if neutral { "mover" } else { "neutral" };
            tree.args[0].atom = Atom::Word(taker.to_owned());
        }
    }
}

fn mend_moves(ground: &Ground<'_>, tree: &mut Tree, when: When) {
    if ground.has(Sort::Moves, tree.head(), when) {
        if tree.head() == "swap" && !ground.board.has_mirror() {
            tree.args.clear();
        }
        return;
    }
    match tree.head() {
        "leap" => {
            tree.atom = Atom::Word("step".to_owned());
            let all = Slot::Word(Sort::Directions, When::OfMove);
            for arg in tree.args.iter_mut().filter(|arg| arg.slot == Slot::Offsets) {
                *arg = Tree::word(all, "all", Vec::new());
            }
        }
        "ride" if ground.has(Sort::Moves, "step", when) => {
            tree.atom = Atom::Word("step".to_owned());
            tree.args.retain(|arg| arg.head() != "bends");
            let at = tree.args.iter().position(|arg| !matches!(arg.slot, Slot::Kind(_)));
            let all = Tree::word(Slot::Word(Sort::Directions, When::OfMove), "all", Vec::new());
            tree.args.insert(at.unwrap_or(tree.args.len()), all);
        }
        _ => *tree = Tree::word(tree.slot, "place", Vec::new()),
    }
}

/// Removes `again` where it is not allowed, together with everything that has no effect without it.
fn drop_again(ground: &Ground<'_>, tree: &mut Tree) {
    if ground.has(Sort::Effect, "again", When::OfMove) {
        return;
    }
    tree.args.iter_mut().for_each(|arg| drop_again(ground, arg));
    tree.args.retain(|arg| {
        let empty = match (arg.slot, arg.head()) {
            (Slot::Word(Sort::Effect, _), "again") => true,
            (Slot::Word(Sort::Effect, _), "if") => arg.args.len() < 2,
            (Slot::Clause(_), "then") => arg.args.is_empty(),
            _ => false,
        };
        !empty
    });
}
