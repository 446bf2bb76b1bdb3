//! Text writer.

use crate::block::{Block, Doc, Paragraph};
use crate::terminal::Terminal;
use crate::words::Words;

impl Doc {
    /// The document for a terminal, or without colours and width for a file.
    ///
    /// Blocks have blank lines between them, and the next step is the last line. Figures are left out,
    /// and so are folds unless [`Terminal::explain`] is set.
    #[must_use]
    pub fn text(&self, terminal: Terminal) -> String {
        let mut parts = Vec::new();
        collect(&self.blocks, terminal, &mut parts);
        if !self.next.0.is_empty() {
            parts.push(format!("Next: {}", line(&self.next, terminal)));
        }
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
            Block::Fold { summary, is_line, blocks } if terminal.explain => {
                let mut inner = Vec::new();
                collect(blocks, terminal, &mut inner);
                if !inner.is_empty() {
                    // A line is said by the text above; a heading tells what follows.
                    parts.extend((!is_line).then(|| line(summary, terminal)));
                    parts.append(&mut inner);
                }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_printed_when_asked_for_and_the_next_step_is_last() {
        let reasons = Block::fold("Reasons", vec![Block::text("because")]);
        let pictures = Block::fold("Pictures", vec![Block::Figure(Default::default())]);
        let mut doc = Doc::new("a report");
        doc.push(Block::text("yes")).push(reasons).push(pictures).next("`treegauge games`");
        assert_eq!(doc.text(Terminal::default()), "yes\n\nNext: `treegauge games`\n");
        let explained = doc.text(Terminal { explain: true, ..Terminal::default() });
        assert_eq!(explained, "yes\n\nReasons\n\nbecause\n\nNext: `treegauge games`\n");
        assert!(doc.has_reasons());
        assert!(!Doc::new("empty").has_reasons());
    }
}
