//! Search trees as SVG pictures.

use std::fmt::Write;

use super::picked::{PickedNode, Shown, ShownNode, TreeSelection, signed};

/// Pixels from one row of nodes to the next.
const ROW: f64 = 31.0;
/// Height of a node in pixels.
const BOX: f64 = 25.0;
/// Pixels between two columns of nodes, where the edges run.
const GAP: f64 = 34.0;
/// Average width of a character in pixels, and width of a node without its move.
const CHARACTER: f64 = 7.4;
const NUMBERS: f64 = 92.0;
/// Height of the title and the key in pixels.
const HEAD: f64 = 80.0;
const MARGIN: f64 = 12.0;
/// Least width of a picture in pixels; a narrow key has more lines.
const WIDTH_MIN: f64 = 440.0;
/// Line height and width of a character in pixels, of the title and of the key.
const TITLE_LINE: f64 = 18.0;
const TITLE_CHARACTER: f64 = 8.0;
const KEY_LINE: f64 = 14.0;
const KEY_CHARACTER: f64 = 5.8;

/// Renders the selected part of a tree as an SVG document, from the root on the left to the right,
/// with the principal variation on top in thick lines. A node shows its move, its visits and, in
/// the plain style, its average for the player to move at the root. The bar at its foot is its
/// share of all visits. Its colour shows the player who stands better: blue the first, orange the
/// second, white neither.
#[must_use]
pub fn svg(picked: &TreeSelection) -> String {
    let mut places = layout(picked);
    let width_of_node = width_of_node(picked);
    let right = places.iter().map(|place| place.0).fold(0.0, f64::max) + width_of_node;
    let bottom = places.iter().map(|place| place.1).fold(HEAD, f64::max) + BOX / 2.0;
    // Three dots may follow the last column.
    let width = (right + 2.0 * MARGIN).max(WIDTH_MIN);
    let in_a_line = |pixels: f64| ((width - 2.0 * MARGIN) / pixels) as usize;
    let title = format!("{}: {}", picked.game, picked.grown_words());
    let title = wrapped(&title, in_a_line(TITLE_CHARACTER));
    let keys: Vec<String> =
        keys(picked).iter().flat_map(|key| wrapped(key, in_a_line(KEY_CHARACTER))).collect();
    // A longer head moves the tree down.
    let more = TITLE_LINE * (title.len() - 1) as f64 + KEY_LINE * (keys.len() as f64 - 2.0);
    places.iter_mut().for_each(|place| place.1 += more);
    let height = bottom + more + MARGIN;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.1} {height:.1}\" font-family=\"system-ui, sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for (n, line) in title.iter().enumerate() {
        let y = 22.0 + TITLE_LINE * n as f64;
        label(&mut text, (MARGIN, y), 15.0, "#111111", "start", line);
    }
    for (n, key) in keys.iter().enumerate() {
        let y = 22.0 + TITLE_LINE * title.len() as f64 + KEY_LINE * n as f64;
        label(&mut text, (MARGIN, y), 11.0, "#555555", "start", key);
    }
    for (node, &at) in picked.nodes.iter().zip(&places) {
        if let Some(parent) = node.parent {
            edge(node, places[parent], at, width_of_node, &mut text);
        }
    }
    for (node, &at) in picked.nodes.iter().zip(&places) {
        for &to in &node.links {
            link(at, places[to], width_of_node, &mut text);
        }
    }
    for (node, &at) in picked.nodes.iter().zip(&places) {
        match &node.what {
            Shown::Node(shown) => self::node(picked, node, shown, at, width_of_node, &mut text),
            Shown::Folded { count, visits } => {
                let words = format!("{count} more, {} visits", short(*visits));
                label(&mut text, (at.0 + 4.0, at.1 + 4.0), 11.0, "#666666", "start", &words);
            }
        }
    }
    text.push_str("</svg>\n");
    text
}

/// Breaks a text between words into lines of up to `characters` characters.
fn wrapped(text: &str, characters: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is a line");
        let len = line.chars().count() + 1 + word.chars().count();
        if line.is_empty() {
            line.push_str(word);
        } else if len > characters {
            lines.push(word.to_owned());
        } else {
            line.push(' ');
            line.push_str(word);
        }
    }
    lines
}

/// Lines of the picture's key.
fn keys(picked: &TreeSelection) -> [String; 2] {
    [
        format!("from {}", picked.position),
        format!(
            "{}; bar: share of the visits; blue: good for the first player, orange: for the second; thick: principal variation; {}...: more below",
            picked.numbers_words(),
            picked.links_words()
        ),
    ]
}

fn node(
    picked: &TreeSelection,
    node: &PickedNode,
    shown: &ShownNode,
    (x, y): (f64, f64),
    width: f64,
    text: &mut String,
) {
    let fill = colour(shown.mean_for_first);
    let dash = if node.weak { " stroke-dasharray=\"2 3\"" } else { "" };
    let stroke = if shown.principal { 2.2 } else { 0.8 };
    let top = y - BOX / 2.0;
    let visits = u64::from(shown.visits);
    let _ = writeln!(
        text,
        "<g><title>{visits} visits, {} for the first player{}, legal moves: {}</title>\n<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{BOX}\" rx=\"4\" fill=\"{fill}\" stroke=\"#333333\" stroke-width=\"{stroke}\"{dash}/>",
        signed(shown.mean_for_first),
        if shown.proved { ", proved" } else { "" },
        shown.legal_moves
    );
    let share = f64::from(shown.visits) / picked.root_visits();
    let _ = writeln!(
        text,
        "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"3\" fill=\"#333333\"/>",
        top + BOX - 3.0,
        width * share.min(1.0)
    );
    let base = y + 3.5;
    let name = if shown.m.is_empty() { "start" } else { &shown.m };
    let weight = if shown.principal { "700" } else { "400" };
    let _ = writeln!(
        text,
        "<text x=\"{:.1}\" y=\"{base:.1}\" font-size=\"12.5\" font-weight=\"{weight}\" fill=\"#111111\">{}</text>",
        x + 5.0,
        escaped(name)
    );
    let numbers = match picked.value_words(shown) {
        Some(value) => format!("{}  {value}", short(visits)),
        None => short(visits),
    };
    label(text, (x + width - 5.0, base), 11.0, "#222222", "end", &numbers);
    text.push_str("</g>\n");
    if shown.cut {
        label(text, (x + width + 4.0, base), 12.0, "#666666", "start", "...");
    }
}

/// Draws a line from a node to a child, horizontal at both ends.
fn edge(node: &PickedNode, from: (f64, f64), to: (f64, f64), width: f64, text: &mut String) {
    let principal = matches!(&node.what, Shown::Node(shown) if shown.principal);
    let stroke = if principal { 2.6 } else { 1.0 };
    let dash = if node.weak { " stroke-dasharray=\"2 4\"" } else { "" };
    let (x0, x1) = (from.0 + width, to.0);
    let middle = f64::midpoint(x0, x1);
    let _ = writeln!(
        text,
        "<path d=\"M {x0:.1} {:.1} C {middle:.1} {:.1} {middle:.1} {:.1} {x1:.1} {:.1}\" fill=\"none\" stroke=\"#777777\" stroke-width=\"{stroke}\"{dash}/>",
        from.1, from.1, to.1, to.1
    );
}

/// Draws a dashed line from a node to one with another parent.
fn link(from: (f64, f64), to: (f64, f64), width: f64, text: &mut String) {
    let (x0, x1) = (from.0 + width, to.0);
    let middle = f64::midpoint(x0, x1);
    let _ = writeln!(
        text,
        "<path d=\"M {x0:.1} {:.1} C {middle:.1} {:.1} {middle:.1} {:.1} {x1:.1} {:.1}\" fill=\"none\" stroke=\"#9a6fb0\" stroke-width=\"1\" stroke-dasharray=\"5 3\"/>",
        from.1, from.1, to.1, to.1
    );
}

fn width_of_node(picked: &TreeSelection) -> f64 {
    let moves = picked.nodes.iter().map(|node| match &node.what {
        Shown::Node(shown) => shown.m.chars().count().max(5),
        Shown::Folded { .. } => 5,
    });
    NUMBERS + CHARACTER * moves.max().unwrap_or(5) as f64
}

/// Position of each node: its left end and its vertical middle. Nodes without children take rows
/// from top to bottom; others are level with their first child, so that the principal variation is
/// one line.
fn layout(picked: &TreeSelection) -> Vec<(f64, f64)> {
    let n = picked.nodes.len();
    let mut children = vec![Vec::new(); n];
    let mut depth = vec![0usize; n];
    for (i, node) in picked.nodes.iter().enumerate() {
        if let Some(parent) = node.parent {
            children[parent].push(i);
            depth[i] = depth[parent] + 1;
        }
    }
    let mut row = vec![0usize; n];
    let mut rows = 0;
    let mut open: Vec<usize> = if n > 0 { vec![0] } else { vec![] };
    while let Some(i) = open.pop() {
        if children[i].is_empty() {
            row[i] = rows;
            rows += 1;
        }
        open.extend(children[i].iter().rev());
    }
    // Nodes come after their parents, so in this order every child has its row before its parent.
    for i in (0..n).rev() {
        if let Some(&first) = children[i].first() {
            row[i] = row[first];
        }
    }
    let column = width_of_node(picked) + GAP;
    let place = |(&row, &depth): (&usize, &usize)| {
        (MARGIN + column * depth as f64, HEAD + BOX / 2.0 + ROW * row as f64)
    };
    row.iter().zip(&depth).map(place).collect()
}

/// Colour from orange (-1) over white (0) to blue (+1). Small values, which are most frequent, have
/// more colour than in proportion. Everybody can tell the two hues apart and read black text on
/// them.
fn colour(mean: f64) -> String {
    const SECOND: [f64; 3] = [240.0, 140.0, 50.0];
    const EVEN: [f64; 3] = [255.0, 255.0, 255.0];
    const FIRST: [f64; 3] = [100.0, 165.0, 235.0];
    let end = if mean < 0.0 { SECOND } else { FIRST };
    let share = mean.abs().min(1.0).sqrt();
    let [r, g, b] = [0, 1, 2].map(|i| (EVEN[i] + (end[i] - EVEN[i]) * share).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Formats a count in at most four characters: 9876, 12k, 3.4M.
fn short(count: u64) -> String {
    match count {
        0..=9_999 => count.to_string(),
        10_000..=999_999 => format!("{}k", count / 1_000),
        _ => format!("{:.1}M", count as f64 / 1e6),
    }
}

fn label(text: &mut String, (x, y): (f64, f64), size: f64, fill: &str, anchor: &str, what: &str) {
    let _ = writeln!(
        text,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" fill=\"{fill}\" text-anchor=\"{anchor}\">{}</text>",
        escaped(what)
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrapped("a bc def gh", 6), ["a bc", "def gh"]);
        assert_eq!(wrapped("longer than it", 3), ["longer", "than", "it"]);
        assert_eq!(wrapped("", 9), [""]);
    }
}
