//! Text writer.

use crate::block::{Block, Doc, Paragraph};
use crate::terminal::TextStyle;
use crate::words::Words;

impl Doc {
    /// The document for a terminal, or without colours and width for a file.
    ///
    /// Blocks have blank lines between them, and the next step is the last line. Figures are left out,
    /// and so are folds unless [`TextStyle::explain`] is set.
    #[must_use]
    pub fn text(&self, terminal: TextStyle) -> String {
        let mut parts = Vec::new();
        collect(&self.blocks, terminal, &mut parts);
        if !self.next.0.is_empty() {
            parts.push(format!("Next: {}", line(&self.next, terminal)));
        }
        parts.join("\n")
    }
}

/// Collects the blocks shown in text, each ending in a line feed.
fn collect(blocks: &[Block], terminal: TextStyle, parts: &mut Vec<String>) {
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
            Block::Group(_, blocks) | Block::TextOnly(blocks) => {
                collect(blocks, terminal, parts);
                continue;
            }
            Block::Charts(blocks) if terminal.charts => {
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
            Block::Verdict { .. }
            | Block::Figure(_)
            | Block::Fold { .. }
            | Block::PagesOnly(_)
            | Block::Charts(_) => {
                continue;
            }
        };
        if !part.is_empty() {
            parts.push(part);
        }
    }
}

fn line(words: &Words, terminal: TextStyle) -> String {
    let spans = words.0.iter().map(|span| match span.tone {
        Some(tone) => terminal.paint(&span.text, tone),
        None => span.text.clone(),
    });
    spans.chain(["\n".to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::Scale;
    use crate::table::{Cell, Column, Table};

    #[test]
    fn charts_are_printed_where_they_are_wanted() {
        let columns = [Column::left("game"), Column::right("draws"), Column::chart("0%  100%")];
        let mut table = Table::new("games", columns);
        let chart = Scale::SHARES.interval(Some(0.5), Some(0.3), Some(0.7));
        table.push([Cell::from("achi"), Cell::from("50%"), Cell::from(chart)]);
        let mut doc = Doc::new("a report");
        doc.push(Block::Charts(vec![Block::text("▁▄█")])).push(table);
        let charts = TextStyle { columns: Some(100), charts: true, ..TextStyle::default() };
        assert_eq!(
            doc.text(charts),
            "▁▄█\n\n game  draws  0%  100%\n achi    50%  ······────●────·····\n"
        );
        assert_eq!(doc.text(TextStyle::default()), " game  draws\n achi    50%\n");
        assert!(!doc.fragment().contains(['▁', '●']) && !doc.fragment().contains("100%"));
        assert_eq!(doc.table("games").unwrap().csv(), "game,draws\nachi,50%\n");
    }

    #[test]
    fn a_chart_keeps_its_width_beside_long_texts() {
        let columns = [Column::left("why"), Column::chart("0%"), Column::left("more")];
        let mut table = Table::new("games", columns);
        let chart = Scale::SHARES.interval(Some(0.5), None, None);
        let long = "several words ".repeat(20);
        table.push([
            Cell::from(long.as_str()),
            Cell::from(chart.as_str()),
            Cell::from(long.as_str()),
        ]);
        let text =
            table.text(TextStyle { columns: Some(100), charts: true, ..TextStyle::default() });
        assert!(text.contains(&chart), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    }

    #[test]
    fn reasons_are_printed_when_asked_for_and_the_next_step_is_last() {
        let reasons = Block::fold("Reasons", vec![Block::text("because")]);
        let pictures = Block::fold("Pictures", vec![Block::Figure(Default::default())]);
        let mut doc = Doc::new("a report");
        doc.push(Block::text("yes")).push(reasons).push(pictures).next("`treegauge games`");
        assert_eq!(doc.text(TextStyle::default()), "yes\n\nNext: `treegauge games`\n");
        let explained = doc.text(TextStyle { explain: true, ..TextStyle::default() });
        assert_eq!(explained, "yes\n\nReasons\n\nbecause\n\nNext: `treegauge games`\n");
        assert!(doc.has_reasons());
        assert!(!Doc::new("empty").has_reasons());
    }
}
