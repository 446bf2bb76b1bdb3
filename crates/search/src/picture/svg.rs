//! A tree as an SVG picture.

use std::fmt::Write;

use super::picked::{Picked, Shown, Style};

/// Pixels between levels.
const LEVEL: f64 = 104.0;
/// Pixels that a node without children takes across.
const SLOT: f64 = 54.0;
/// The radius of the root in pixels; others by the square root of their visits.
const RADIUS_MAX: f64 = 24.0;
const RADIUS_MIN: f64 = 5.0;
/// Room for the title and the key.
const HEAD: f64 = 64.0;

/// The chosen part of a tree as one SVG document: the root on top, the principal variation
/// leftmost and with a thick line, the area of a node in proportion to its visits. In the plain
/// style the colour shows which player stands better: blue the first, red the second, pale neither.
#[must_use]
pub fn svg(picked: &Picked) -> String {
    let places = layout(picked);
    let right = places.iter().map(|p| p.0).fold(0.0, f64::max);
    let bottom = places.iter().map(|p| p.1).fold(0.0, f64::max);
    let (width, height) = ((right + SLOT).max(560.0), bottom + RADIUS_MAX + 46.0);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.1} {height:.1}\" font-family=\"sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    head(picked, &mut text);
    for (node, &at) in picked.nodes.iter().zip(&places) {
        if let Some(parent) = node.parent {
            edge(picked, node, places[parent], at, &mut text);
        }
    }
    let root_visits = picked.root_visits();
    for (node, &(x, y)) in picked.nodes.iter().zip(&places) {
        match &node.what {
            Shown::Node(n) => {
                let r = radius(f64::from(n.visits), root_visits);
                let fill = match picked.style {
                    Style::Plain => colour(n.mean_for_first),
                    Style::Williams => "#f4f4f4".to_owned(),
                };
                let dash = if node.weak { " stroke-dasharray=\"2 3\"" } else { "" };
                let _ = writeln!(
                    text,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\" fill=\"{fill}\" stroke=\"#333333\"{dash}><title>visits {}, average {:+.3} for the first player, legal moves {}</title></circle>",
                    n.visits, n.mean_for_first, n.legal_moves
                );
                let below = y + r + 11.0;
                label(&mut text, x, below, 11.0, "#222222", &n.m);
                if picked.style == Style::Plain {
                    // Adding 0 turns a value that rounds to -0.00 into +0.00.
                    let mean = (n.mean_for_first * 100.0).round() / 100.0 + 0.0;
                    let numbers = format!("{} {mean:+.2}", short(u64::from(n.visits)));
                    let y = if n.m.is_empty() { below } else { below + 11.0 };
                    label(&mut text, x, y, 9.0, "#666666", &numbers);
                }
                if n.cut {
                    // Three dots: there are more nodes below than shown.
                    let y = below + if picked.style == Style::Plain { 17.0 } else { 8.0 };
                    for dx in [-5.0, 0.0, 5.0] {
                        let _ = writeln!(
                            text,
                            "<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"1.2\" fill=\"#888888\"/>",
                            x + dx
                        );
                    }
                }
            }
            Shown::Folded { count, visits } => {
                let _ = writeln!(
                    text,
                    "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"46\" height=\"30\" rx=\"6\" fill=\"#eeeeee\" stroke=\"#999999\"/>",
                    x - 23.0,
                    y - 15.0
                );
                label(&mut text, x, y - 5.0, 9.0, "#333333", &format!("+{count} more"));
                let visits = format!("{} visits", short(*visits));
                label(&mut text, x, y + 7.0, 8.0, "#333333", &visits);
            }
        }
    }
    text.push_str("</svg>\n");
    text
}

fn head(picked: &Picked, text: &mut String) {
    let title = format!("{}, iterations: {}", picked.game, picked.iterations);
    left(text, 14.0, 22.0, 14.0, "#111111", &title);
    left(text, 14.0, 39.0, 10.0, "#555555", &format!("from {}", picked.position));
    let key = match picked.style {
        Style::Plain => {
            "area = visits; blue = good for the first player, red = for the second; thick = principal variation; ... = more below"
        }
        Style::Williams => {
            "area = visits; number on the edge = visits; dotted = weak move, what follows it left out; thick = principal variation"
        }
    };
    left(text, 14.0, 54.0, 9.0, "#777777", key);
}

fn edge(
    picked: &Picked,
    node: &super::PickedNode,
    from: (f64, f64),
    to: (f64, f64),
    text: &mut String,
) {
    let principal = match &node.what {
        Shown::Node(n) => n.principal,
        Shown::Folded { .. } => false,
    };
    let width = if principal { 2.6 } else { 1.0 };
    let dash = if node.weak { " stroke-dasharray=\"2 4\"" } else { "" };
    let _ = writeln!(
        text,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"#777777\" stroke-width=\"{width}\"{dash}/>",
        from.0, from.1, to.0, to.1
    );
    if let (Style::Williams, Shown::Node(n)) = (picked.style, &node.what) {
        // Near the child, where edges of siblings are apart.
        let (x, y) = (from.0 + (to.0 - from.0) * 0.8, from.1 + (to.1 - from.1) * 0.8);
        let visits = short(u64::from(n.visits));
        label(text, x, y, 9.0, "#444444", &visits);
    }
}

/// The middle of every node: leaves from left to right in slots, parents above their children.
fn layout(picked: &Picked) -> Vec<(f64, f64)> {
    let n = picked.nodes.len();
    let mut children = vec![Vec::new(); n];
    let mut depth = vec![0usize; n];
    for (i, node) in picked.nodes.iter().enumerate() {
        if let Some(parent) = node.parent {
            children[parent].push(i);
            depth[i] = depth[parent] + 1;
        }
    }
    // Leaves take slots in the order of a walk from left to right.
    let mut x = vec![0.0; n];
    let mut slot = 0.0;
    let mut open: Vec<usize> = if n > 0 { vec![0] } else { vec![] };
    while let Some(i) = open.pop() {
        if children[i].is_empty() {
            x[i] = slot;
            slot += 1.0;
        }
        open.extend(children[i].iter().rev());
    }
    // Nodes come after their parents, so backwards every child is placed before its parent.
    for i in (0..n).rev() {
        if let (Some(&first), Some(&last)) = (children[i].first(), children[i].last()) {
            x[i] = f64::midpoint(x[first], x[last]);
        }
    }
    let top = HEAD + RADIUS_MAX + 6.0;
    x.iter().zip(&depth).map(|(x, &depth)| (SLOT * (x + 0.8), top + LEVEL * depth as f64)).collect()
}

fn radius(visits: f64, root_visits: f64) -> f64 {
    RADIUS_MIN.max(RADIUS_MAX * (visits / root_visits).sqrt())
}

/// From red (-1) over a pale grey (0) to blue (+1).
fn colour(mean: f64) -> String {
    const SECOND: [f64; 3] = [192.0, 72.0, 58.0];
    const EVEN: [f64; 3] = [240.0, 240.0, 236.0];
    const FIRST: [f64; 3] = [52.0, 98.0, 168.0];
    let end = if mean < 0.0 { SECOND } else { FIRST };
    let share = mean.abs().min(1.0);
    let [r, g, b] = [0, 1, 2].map(|i| (EVEN[i] + (end[i] - EVEN[i]) * share).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// A count in at most four characters: 9876, 12k, 3.4M.
fn short(count: u64) -> String {
    match count {
        0..=9_999 => count.to_string(),
        10_000..=999_999 => format!("{}k", count / 1_000),
        _ => format!("{:.1}M", count as f64 / 1e6),
    }
}

fn label(text: &mut String, x: f64, y: f64, size: f64, fill: &str, what: &str) {
    if !what.is_empty() {
        let _ = writeln!(
            text,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" fill=\"{fill}\" text-anchor=\"middle\" dominant-baseline=\"central\" stroke=\"#ffffff\" stroke-width=\"3\" stroke-opacity=\"0.85\" paint-order=\"stroke\">{}</text>",
            escaped(what)
        );
    }
}

fn left(text: &mut String, x: f64, y: f64, size: f64, fill: &str, what: &str) {
    let _ = writeln!(
        text,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" fill=\"{fill}\">{}</text>",
        escaped(what)
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
