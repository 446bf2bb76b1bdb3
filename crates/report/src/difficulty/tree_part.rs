//! Part of a meaningful tree that a page has room for.

use treegauge_difficulty::Tree;

use crate::words::grouped;

/// Greatest number of moves of a tree that a page shows.
const SHOWN_MAX: usize = 60;

/// Moves of a tree that a page shows: the solution, then the others level by level.
pub(super) struct TreePart {
    /// Moves to the end of the solution; all that are shown if there is no solution in the tree.
    pub(super) first: Tree,
    /// All moves that are shown; `None` if `first` has them all.
    pub(super) deeper: Option<Tree>,
    /// Number of the moves that are not shown, in a sentence; `None` if all are shown.
    pub(super) more: Option<String>,
}

impl TreePart {
    /// Line that opens the deeper levels.
    pub(super) const DEEPER: &str = "The tree with its deeper levels";

    /// Part of a tree for a problem with a solution, which may be empty.
    pub(super) fn of(tree: &Tree, solution: &[String]) -> TreePart {
        let nodes = &tree.nodes;
        let mut is_shown = vec![false; nodes.len()];
        let mut at = 0;
        for text in solution {
            let Some(next) = tree.children(at).find(|&n| nodes[n].played == *text) else { break };
            is_shown[next] = true;
            at = next;
        }
        let is_solved = at > 0;
        let mut room = SHOWN_MAX.saturating_sub(is_shown.iter().filter(|shown| **shown).count());
        // The nodes are in the order of their levels, so a parent comes before its children.
        for shown in is_shown.iter_mut().skip(1).filter(|shown| !**shown) {
            if room == 0 {
                break;
            }
            *shown = true;
            room -= 1;
        }
        let end = if is_solved { solution.len() } else { usize::MAX };
        let is_first = |n: usize| is_shown[n] && usize::from(nodes[n].level) <= end;
        let has_deeper = (0..nodes.len()).any(|n| is_shown[n] && !is_first(n));
        let more = is_shown.iter().skip(1).filter(|shown| !**shown).count();
        let more = match more {
            0 => None,
            1 => Some("1 more move of the tree is not shown.".to_owned()),
            n => Some(format!("{} more moves of the tree are not shown.", grouped(n as u64))),
        };
        TreePart {
            first: part(tree, is_first),
            deeper: has_deeper.then(|| part(tree, |n| is_shown[n])),
            more,
        }
    }
}

/// Nodes of a tree, with the root. The parents of the nodes must be among them.
fn part(tree: &Tree, is_in: impl Fn(usize) -> bool) -> Tree {
    let mut places = vec![0; tree.nodes.len()];
    let mut nodes = Vec::new();
    for (n, node) in tree.nodes.iter().enumerate().filter(|&(n, _)| n == 0 || is_in(n)) {
        places[n] = nodes.len() as u32;
        let mut node = node.clone();
        node.parent = places[node.parent as usize];
        nodes.push(node);
    }
    Tree { nodes, ..tree.clone() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A tree with this many first moves. Each has two answers, and a move after the second.
    fn tree(first: u32) -> Tree {
        let node = |parent: u32, level: u8, played: String| {
            json!({"parent": parent, "level": level, "player_moves": level.is_multiple_of(2), "played": played,
                   "value": {"wins": 5}, "kept": 1, "possible": 5})
        };
        let mut nodes = vec![node(0, 0, String::new())];
        nodes.extend((0..first).map(|n| node(0, 1, format!("a{n}"))));
        nodes.extend((0..2 * first).map(|n| node(1 + n / 2, 2, format!("b{n}"))));
        nodes.extend((0..first).map(|n| node(first + 2 + 2 * n, 3, format!("c{n}"))));
        serde_json::from_value(json!({
            "settings": treegauge_difficulty::TreeSettings::default(), "capped": false, "nodes": nodes, "first_moves": [],
        }))
        .unwrap()
    }

    fn moves(tree: &Tree) -> Vec<&str> {
        tree.nodes.iter().skip(1).map(|node| node.played.as_str()).collect()
    }

    #[test]
    fn the_solution_comes_first_and_the_others_level_by_level() {
        let large = tree(30);
        let solution = ["a20", "b41", "c20"].map(str::to_owned);
        let part = TreePart::of(&large, &solution);
        assert!(part.first.is_sound() && part.deeper.is_none());
        let shown = moves(&part.first);
        assert_eq!(shown.len(), SHOWN_MAX);
        assert!(solution.iter().all(|text| shown.contains(&text.as_str())), "{shown:?}");
        assert_eq!(shown.iter().filter(|text| text.starts_with('a')).count(), 30);
        assert_eq!(part.more.as_deref(), Some("60 more moves of the tree are not shown."));
        let c20 = part.first.nodes.iter().find(|node| node.played == "c20").unwrap();
        assert_eq!(part.first.nodes[c20.parent as usize].played, "b41");
    }

    #[test]
    fn levels_after_the_end_of_the_solution_are_a_part_of_their_own() {
        let small = tree(2);
        let part = TreePart::of(&small, &["a1".to_owned()]);
        assert_eq!(moves(&part.first), ["a0", "a1"]);
        assert_eq!(part.deeper.as_ref(), Some(&small));
        assert!(part.more.is_none());
        // A solution that the tree does not have ends nowhere in it.
        for solution in [vec![], vec!["d".to_owned()]] {
            let part = TreePart::of(&small, &solution);
            assert_eq!((part.first, part.deeper), (small.clone(), None));
        }
    }
}
