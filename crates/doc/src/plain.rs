//! Text writer.

use crate::block::{Block, Doc, Paragraph};
use crate::terminal::Terminal;
use crate::words::Words;

impl Doc {
    /// Writes the document for a terminal; the default terminal represents a file, without colours
    /// and width. Blank lines separate blocks. Figures, verdicts and folded blocks are left out.
    #[must_use]
    pub fn text(&self, terminal: Terminal) -> String {
        let mut parts = Vec::new();
        collect(&self.blocks, terminal, &mut parts);
        parts.join("\n")
    }
}

/// Collects the blocks shown in text, each ending in a line feed.
fn collect(blocks: &[Block], terminal: Terminal, parts: &mut Vec<String>) {
    for block in blocks {
        let part = match block {
            Block::Heading(_, words) => line(words, terminal),
            Block::Paragraph(paragraph) => line(&paragraph.words, terminal),
            Block::Lines(lines) => {
                lines.iter().map(|Paragraph { words, .. }| line(words, terminal)).collect()
            }
            Block::Preformatted(text) => text.clone(),
            Block::List(_, items) => {
                items.iter().map(|words| format!("  {}", line(words, terminal))).collect()
            }
            Block::Table(table) => table.text(terminal),
            Block::Board(board) => board.text.clone(),
            Block::Group(_, blocks) | Block::Terminal(blocks) => {
                collect(blocks, terminal, parts);
                continue;
            }
            Block::Columns(columns) => {
                columns.iter().for_each(|column| collect(column, terminal, parts));
                continue;
            }
            Block::Verdict { .. } | Block::Figure(_) | Block::Fold { .. } | Block::Pages(_) => {
                continue;
            }
        };
        if !part.is_empty() {
            parts.push(part);
        }
    }
}

fn line(words: &Words, terminal: Terminal) -> String {
    let spans = words.0.iter().map(|span| match span.tone {
        Some(tone) => terminal.paint(&span.text, tone),
        None => span.text.clone(),
    });
    spans.chain(["\n".to_owned()]).collect()
}
