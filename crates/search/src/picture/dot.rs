//! Search trees in the DOT language of GraphViz.

use std::fmt::Write;

use super::picked::{Shown, TreeSelection};

/// Formats the selected part of a tree in the DOT language. The children have the order of the
/// picture from left to right.
#[must_use]
pub fn dot(picked: &TreeSelection) -> String {
    let mut text = String::from("digraph tree {\n  ordering=out;\n");
    let title = escaped(&format!(
        "{}: {} from {}\n{}{}thick: principal variation; double frame: more below",
        picked.game,
        picked.grown_words(),
        picked.position,
        picked.numbers_words() + "; ",
        picked.links_words()
    ));
    let _ = writeln!(text, "  label=\"{title}\"; labelloc=t; fontname=\"sans-serif\";");
    text.push_str(
        "  rankdir=LR;\n  node [shape=box, style=rounded, fontname=\"sans-serif\", fontsize=11];\n  edge [arrowsize=0.5];\n",
    );
    for (id, node) in picked.nodes.iter().enumerate() {
        match &node.what {
            Shown::Node(shown) => {
                let name = if shown.m.is_empty() { "start" } else { &shown.m };
                let value = picked.value_words(shown);
                let value = value.map_or(String::new(), |value| format!(", {value}"));
                let label = escaped(&format!("{name}\n{}{value}", shown.visits));
                let more = if shown.cut { ", peripheries=2" } else { "" };
                let pen = if shown.principal { ", penwidth=2.5" } else { "" };
                let _ = writeln!(text, "  n{id} [label=\"{label}\"{more}{pen}];");
            }
            Shown::Folded { count, visits } => {
                let _ = writeln!(
                    text,
                    "  n{id} [style=\"rounded,dashed\", label=\"{count} more moves\\n{visits} visits\"];"
                );
            }
        }
        if let Some(parent) = node.parent {
            let looks = if node.weak { " [style=dotted]" } else { "" };
            let _ = writeln!(text, "  n{parent} -> n{id}{looks};");
        }
        for to in &node.links {
            let _ = writeln!(text, "  n{id} -> n{to} [style=dashed, constraint=false];");
        }
    }
    text.push_str("}\n");
    text
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
