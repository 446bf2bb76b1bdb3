//! A tree for GraphViz.

use std::fmt::Write;

use super::picked::{Picked, Shown, Style};

/// The chosen part of a tree in the DOT language. The order of children from left to right is
/// that of the picture.
#[must_use]
pub fn dot(picked: &Picked) -> String {
    let mut text = String::from("digraph tree {\n  ordering=out;\n");
    let title = escaped(&format!(
        "{}, {} iterations from {}",
        picked.game, picked.iterations, picked.position
    ));
    let _ = writeln!(text, "  label=\"{title}\"; labelloc=t; fontname=\"sans-serif\";");
    text.push_str(
        "  node [shape=circle, fixedsize=shape, fontname=\"sans-serif\", fontsize=10];\n",
    );
    text.push_str("  edge [arrowsize=0.5, fontname=\"sans-serif\", fontsize=9];\n");
    let root_visits = picked.root_visits();
    for (id, node) in picked.nodes.iter().enumerate() {
        match &node.what {
            Shown::Node(n) => {
                let width = 0.35 + 1.1 * (f64::from(n.visits) / root_visits).sqrt();
                let label = match picked.style {
                    Style::Plain => {
                        format!("{}\n{:+.2}", n.visits, n.mean_for_first)
                    }
                    Style::Williams => n.m.clone(),
                };
                let more = if n.cut { ", peripheries=2" } else { "" };
                let colour = if n.principal { ", penwidth=2.5" } else { "" };
                let _ = writeln!(
                    text,
                    "  n{id} [label=\"{}\", width={width:.2}{more}{colour}];",
                    escaped(label.trim())
                );
            }
            Shown::Folded { count, visits } => {
                let _ = writeln!(
                    text,
                    "  n{id} [shape=box, style=rounded, fixedsize=false, label=\"{count} more moves\\n{visits} visits\"];"
                );
            }
        }
        if let Some(parent) = node.parent {
            let mut looks = Vec::new();
            if let Shown::Node(n) = &node.what {
                let label = match picked.style {
                    Style::Plain => escaped(&n.m),
                    Style::Williams => n.visits.to_string(),
                };
                looks.push(format!("label=\"{label}\""));
            }
            if node.weak {
                looks.push("style=dotted".to_owned());
            }
            let looks =
                if looks.is_empty() { String::new() } else { format!(" [{}]", looks.join(", ")) };
            let _ = writeln!(text, "  n{parent} -> n{id}{looks};");
        }
    }
    text.push_str("}\n");
    text
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
