//! Expressions with the same words in another grouping, and their explanations.

use std::sync::Arc;

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{Text, explain, perft_signature};

/// Expression: a word, the arguments that do not change, and the parts of the same sort.
#[derive(Clone, Debug)]
struct Tree {
    head: &'static str,
    parts: Vec<Tree>,
}

/// Words of a sort of expressions, and the game that they stand in.
struct Sort {
    leaves: &'static [&'static str],
    /// Words with the number of their parts.
    inner: &'static [(&'static str, usize)],
    /// Games with `@` in the place of the expression. More than one move a ply make a short count of
    /// positions tell.
    games: &'static [&'static str],
}

const SETS: Sort = Sort {
    leaves: &[
        "empty",
        "mine",
        "theirs",
        "occupied",
        "to",
        "edges",
        "corners",
        "(row 2)",
        "(sites a1 b2)",
        "(mine king)",
    ],
    inner: &[
        ("not", 1),
        ("next", 1),
        ("enclosed", 1),
        ("covered (line 2 orthogonal)", 1),
        ("joined", 2),
        ("and", 2),
        ("or", 2),
        ("first-of", 2),
        ("and", 2),
        ("and", 2),
    ],
    games: &[
        "(game \"S\" (board (grid 3 3 (diagonals none))) (pieces (man each) (king each))
           (start (put first man (sites a1 b1)) (put first king (sites b2))
                  (put second man (sites a2 c2)) (put second king (sites c3)))
           (play (or (place man) (place king (to @)))) (end (if (none empty) draw) (stuck draw)))",
        "(game \"S\" (board (grid 3 3 (diagonals none))) (pieces (man each) (king each))
           (start (put first man (sites a1 b1)) (put first king (sites b2))
                  (put second man (sites a2 c2)) (put second king (sites c3)))
           (play (or (place man (then (capture @))) (place king)))
           (end (if (none empty) draw) (stuck draw)))",
    ],
};

const NUMBERS: Sort = Sort {
    leaves: &["1", "2", "(count mine)", "(count theirs)", "(count (and empty edges))"],
    inner: &[("+", 2), ("-", 2)],
    games: &["(game \"N\" (board (grid 3 3)) (pieces (man each) (king each))
           (start (put first man (sites a1 b1)) (put second man (sites c3)))
           (play (or (place man) (place king (only-if (> @ 1)))))
           (end (if (none empty) draw) (stuck draw)))"],
};

const CONDITIONS: Sort = Sort {
    leaves: &[
        "(in to edges)",
        "(in to (row 2))",
        "(makes (line 2))",
        "(> (count mine) 3)",
        "(is mover first)",
    ],
    inner: &[("not", 1), ("and", 2), ("or", 2)],
    games: &["(game \"C\" (board (grid 3 3)) (pieces (man each) (king each))
           (start (put first man (sites a1 b1)) (put second man (sites c3)))
           (play (or (place man) (place king (only-if @))))
           (end (if (none empty) draw) (stuck draw)))"],
};

const MOVES: Sort = Sort {
    leaves: &[
        "(place man)",
        "(place king (to edges))",
        "(step man all)",
        "(hop man all)",
        "(remove theirs)",
        "pass",
    ],
    inner: &[
        ("or", 2),
        ("first-of", 2),
        ("seq", 2),
        ("if (> (count mine) 2)", 2),
        ("if (is mover first)", 2),
        ("if (in mine edges)", 1),
    ],
    games: &["(game \"M\" (board (grid 3 3)) (pieces (man each) (king each))
           (start (put first man (sites a1 b1)) (put second man (sites c3 b2)))
           (play @) (end (if (none empty) draw) (stuck draw)))"],
};

impl Tree {
    fn random(sort: &Sort, depth: usize, rng: &mut impl Rng) -> Tree {
        let mut pick = |n: usize| (rng.next_u64() % n as u64) as usize;
        if depth == 0 || pick(5) == 0 {
            return Tree { head: sort.leaves[pick(sort.leaves.len())], parts: Vec::new() };
        }
        let (head, count) = sort.inner[pick(sort.inner.len())];
        Tree { head, parts: (0..count).map(|_| Tree::random(sort, depth - 1, rng)).collect() }
    }

    fn text(&self) -> String {
        if self.parts.is_empty() {
            return self.head.to_owned();
        }
        let parts: Vec<String> = self.parts.iter().map(Tree::text).collect();
        format!("({} {})", self.head, parts.join(" "))
    }

    /// Trees in which one part has changed places with the word above it: `(f a (g b c))` becomes
    /// `(g (f a b) c)` and `(g b (f a c))`.
    fn regrouped(&self) -> Vec<Tree> {
        let mut all = Vec::new();
        for (at, part) in self.parts.iter().enumerate() {
            for below in 0..part.parts.len() {
                let mut upper = part.clone();
                let mut lower = self.clone();
                lower.parts[at] = upper.parts[below].clone();
                upper.parts[below] = lower;
                all.push(upper);
            }
            for other in part.regrouped() {
                let mut changed = self.clone();
                changed.parts[at] = other;
                all.push(changed);
            }
        }
        all
    }
}

#[test]
fn expressions_in_another_grouping_have_another_explanation_or_the_same_moves() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let (mut compared, mut same_words, mut alike) = (0, 0, Vec::new());
    for (sort, trees) in [(&SETS, 200), (&NUMBERS, 60), (&CONDITIONS, 60), (&MOVES, 60)] {
        for game in sort.games {
            let program = |tree: &Tree| {
                let text = Text::read(&game.replace('@', &tree.text())).ok()?;
                text.check().ok().map(Arc::new)
            };
            for _ in 0..trees {
                let tree = Tree::random(sort, 3, &mut rng);
                let Some(one) = program(&tree) else { continue };
                let words = explain(&one).to_string();
                for other_tree in tree.regrouped() {
                    let Some(other) = program(&other_tree) else { continue };
                    compared += 1;
                    if explain(&other).to_string() != words {
                        continue;
                    }
                    same_words += 1;
                    let plays = |program| perft_signature(program, 3_000, &()).unwrap();
                    if plays(&one) != plays(&other) {
                        alike.push(format!("{} and {}:\n{words}", tree.text(), other_tree.text()));
                    }
                }
            }
        }
    }
    assert!(compared > 1_500, "{compared} pairs");
    assert!(same_words > 20, "{same_words} pairs have the same words");
    assert!(alike.is_empty(), "{} of {compared}: {}", alike.len(), alike.join("\n"));
}
