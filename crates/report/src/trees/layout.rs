//! Places of the nodes of a tree along the axis on which siblings follow each other.

/// Place of a parent among its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    /// Level with its first child, so that a line of first children is straight.
    First,
    /// Midway between its first and its last child.
    Middle,
}

/// Children of each node, in order.
pub(crate) fn children_of(parents: &[Option<usize>]) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); parents.len()];
    for (n, parent) in parents.iter().enumerate() {
        if let Some(parent) = *parent {
            children[parent].push(n);
        }
    }
    children
}

/// Distance of each node from the root in edges. Nodes come after their parents.
pub(crate) fn depths(parents: &[Option<usize>]) -> Vec<usize> {
    let mut depths: Vec<usize> = Vec::with_capacity(parents.len());
    for parent in parents {
        depths.push(parent.map_or(0, |parent| depths[parent] + 1));
    }
    depths
}

/// Middle of each node, and the length of the whole tree. Each node takes its size and shares none of
/// it with nodes that are not above or below it. Nodes come after their parents, the root first.
pub(crate) fn middles(children: &[Vec<usize>], sizes: &[f64], align: Align) -> (Vec<f64>, f64) {
    let count = sizes.len();
    // Length that the tree below a node takes before and after the middle of the node.
    let (mut before, mut after) = (vec![0.0; count], vec![0.0; count]);
    // Distance of the middle of a node from that of its parent.
    let mut aside = vec![0.0; count];
    for n in (0..count).rev() {
        let half = sizes[n] / 2.0;
        (before[n], after[n]) = (half, half);
        let (Some(&first), Some(&last)) = (children[n].first(), children[n].last()) else {
            continue;
        };
        for pair in children[n].windows(2) {
            aside[pair[1]] = aside[pair[0]] + after[pair[0]] + before[pair[1]];
        }
        let shift = match align {
            Align::First => 0.0,
            Align::Middle => aside[last] / 2.0,
        };
        children[n].iter().for_each(|&child| aside[child] -= shift);
        before[n] = half.max(before[first] - aside[first]);
        after[n] = half.max(after[last] + aside[last]);
    }
    let mut middles = vec![0.0; count];
    if let Some(root) = middles.first_mut() {
        *root = before[0];
    }
    for n in 0..count {
        for &child in &children[n] {
            middles[child] = middles[n] + aside[child];
        }
    }
    let whole = before.first().zip(after.first()).map_or(0.0, |(before, after)| before + after);
    (middles, whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests that no node overlaps one that is neither above nor below it, and that all lie within
    /// the length of the tree.
    fn check(parents: &[Option<usize>], sizes: &[f64], align: Align) -> Vec<f64> {
        let children = children_of(parents);
        let (middles, whole) = middles(&children, sizes, align);
        let is_above = |upper: usize, lower: usize| {
            std::iter::successors(Some(lower), |&n| parents[n]).any(|n| n == upper)
        };
        for n in 0..sizes.len() {
            let ends = |n: usize| (middles[n] - sizes[n] / 2.0, middles[n] + sizes[n] / 2.0);
            assert!(ends(n).0 >= -1e-9 && ends(n).1 <= whole + 1e-9, "{n}: {middles:?} {whole}");
            for m in 0..n {
                let apart = ends(n).0 >= ends(m).1 - 1e-9 || ends(m).0 >= ends(n).1 - 1e-9;
                assert!(apart || is_above(m, n), "{m} {n}: {middles:?} {sizes:?}");
            }
        }
        middles
    }

    #[test]
    fn siblings_are_apart_and_parents_are_aligned() {
        let parents = [None, Some(0), Some(0), Some(1), Some(1), Some(2), Some(0)];
        assert_eq!(depths(&parents), [0, 1, 1, 2, 2, 2, 1]);
        let equal = [10.0; 7];
        let first = check(&parents, &equal, Align::First);
        assert_eq!(first, [5.0, 5.0, 25.0, 5.0, 15.0, 25.0, 35.0]);
        let middle = check(&parents, &equal, Align::Middle);
        assert_eq!(middle[0], f64::midpoint(middle[1], middle[6]));
        assert_eq!(middle[1], f64::midpoint(middle[3], middle[4]));
    }

    /// Trees and sizes from a simple generator of numbers.
    #[test]
    fn nodes_of_any_size_are_apart() {
        let mut number = 7_u64;
        let mut next = |below: u64| {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (number >> 33) % below
        };
        for _ in 0..200 {
            let count = 1 + next(12) as usize;
            let parent = |n: usize, next: &mut dyn FnMut(u64) -> u64| {
                (n > 0).then(|| next(n as u64) as usize)
            };
            let parents: Vec<Option<usize>> = (0..count).map(|n| parent(n, &mut next)).collect();
            let sizes: Vec<f64> = (0..count).map(|_| 1.0 + next(90) as f64).collect();
            for align in [Align::First, Align::Middle] {
                check(&parents, &sizes, align);
            }
        }
    }

    #[test]
    fn an_empty_tree_takes_no_room() {
        assert_eq!(middles(&[], &[], Align::First), (Vec::new(), 0.0));
    }
}
