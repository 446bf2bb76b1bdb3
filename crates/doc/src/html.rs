//! HTML writer.

use maud::{Markup, PreEscaped, html as markup};

use crate::block::{Block, Board, Doc, Figure, Layout, Paragraph, ParagraphStyle};
use crate::page::{page_of, part_of};
use crate::table::{Align, Cell, Table, Wrap};
use crate::terminal::Tone;
use crate::words::Words;

impl Doc {
    /// Writes the document as a fragment of a page, without styles and scripts.
    #[must_use]
    pub fn fragment(&self) -> String {
        self.fragment_with(usize::MAX)
    }

    fn fragment_with(&self, group_bytes_max: usize) -> String {
        let next = markup! {
            @if !self.next.0.is_empty() { p.next { b { "Next: " } (words(&self.next)) } }
        };
        all(&self.blocks, group_bytes_max).into_string() + &next.into_string()
    }

    /// Writes the document as an element of somebody else's page, such as a notebook: its class is
    /// [`PART_CLASS`](crate::PART_CLASS), and its style sheet applies to nothing else. It can be read
    /// without the style sheet, too. Groups of pictures are left out, the largest first, until it has
    /// at most `bytes_max` bytes; without any of them it may still be longer.
    #[must_use]
    pub fn part(&self, bytes_max: usize) -> String {
        let mut group_bytes_max = usize::MAX;
        loop {
            let part = part_of(&self.fragment_with(group_bytes_max));
            if part.len() <= bytes_max || group_bytes_max < GROUP_BYTES_LEAST {
                return part;
            }
            group_bytes_max = group_bytes_max.min(bytes_max) / 2;
        }
    }

    /// Writes the document as a self-contained page.
    #[must_use]
    pub fn page(&self) -> String {
        page_of(&self.title, &self.fragment())
    }
}

/// Writes blocks as a fragment of a page.
#[must_use]
pub fn fragment_of(blocks: &[Block]) -> String {
    all(blocks, usize::MAX).into_string()
}

/// Limit of the length of a group below which a part of a page is not shortened further.
const GROUP_BYTES_LEAST: usize = 4_000;

/// Writes blocks, without groups of more than `most` bytes.
fn all(blocks: &[Block], most: usize) -> Markup {
    markup! { @for block in blocks { (one(block, most)) } }
}

fn one(block: &Block, most: usize) -> Markup {
    match block {
        Block::Heading(1, text) => markup! { h1 { (words(text)) } },
        Block::Heading(2, text) => markup! { h2 { (words(text)) } },
        Block::Heading(_, text) => markup! { h3 { (words(text)) } },
        Block::Paragraph(text) => paragraph(text),
        Block::Lines(lines) => markup! { @for line in lines { (paragraph(line)) } },
        Block::Verdict { tone, headline, lead, points } => markup! {
            div class={ "verdict " (class(*tone)) } {
                @if !headline.0.is_empty() { b { (words(headline)) } }
                (words(lead))
                @if !points.is_empty() { (list("", points)) }
            }
        },
        Block::Preformatted(text) => markup! { pre { (text) } },
        Block::List(role, items) => list(class_of(*role), items),
        Block::Table(found) => table(found),
        Block::Figure(found) => figure(found),
        Block::Board(found) => board(found),
        Block::Fold { summary, is_line, blocks } => markup! {
            details {
                summary.line[*is_line] { (words(summary)) }
                (all(blocks, most))
            }
        },
        Block::Group(layout, blocks) => {
            let group = markup! { div class=(layout_class(*layout)) { (all(blocks, most)) } };
            if group.0.len() <= most {
                return group;
            }
            markup! { p.note { "Only the page of the report has these pictures." } }
        }
        Block::Columns(columns) => markup! {
            div.side_by_side { @for column in columns { div { (all(column, most)) } } }
        },
        Block::PagesOnly(blocks) => all(blocks, most),
        Block::TextOnly(_) | Block::Charts(_) => markup! {},
    }
}

fn paragraph(Paragraph { words: text, role }: &Paragraph) -> Markup {
    let class = Some(class_of(*role)).filter(|class| !class.is_empty());
    markup! { p class=[class] { (words(text)) } }
}

fn list(class: &str, items: &[Words]) -> Markup {
    let class = Some(class).filter(|class| !class.is_empty());
    markup! { ul class=[class] { @for item in items { li { (words(item)) } } } }
}

const fn class_of(role: ParagraphStyle) -> &'static str {
    match role {
        ParagraphStyle::Plain => "",
        ParagraphStyle::Note => "note",
        ParagraphStyle::Warning => "incomplete",
        ParagraphStyle::Moves => "moves",
    }
}

const fn class(tone: Tone) -> &'static str {
    match tone {
        Tone::Bad => "flawed",
        Tone::Undecided => "open",
        Tone::Good => "sound",
    }
}

const fn layout_class(layout: Layout) -> &'static str {
    match layout {
        Layout::Pair => "pair",
        Layout::Charts => "charts",
        Layout::SmallCharts => "strengths",
        Layout::Curves => "curves",
        Layout::Course => "course",
        Layout::Boards => "boards",
        Layout::Problems => "problems",
    }
}

fn words(text: &Words) -> Markup {
    markup! {
        @for span in &text.0 {
            @match (span.tone, span.strong) {
                (Some(tone), _) => span class={ "tone " (class(tone)) } { (coded(&span.text)) },
                (None, true) => b { (coded(&span.text)) },
                (None, false) => (coded(&span.text)),
            }
        }
    }
}

/// Writes a text, with the parts between backticks as code.
fn coded(text: &str) -> Markup {
    let parts: Vec<&str> = text.split('`').collect();
    // An unpaired backtick is an ordinary character.
    if parts.len().is_multiple_of(2) {
        return breakable(text);
    }
    markup! {
        @for (n, part) in parts.iter().enumerate() {
            @if n % 2 == 0 { (breakable(part)) } @else { code { (breakable(part)) } }
        }
    }
}

/// Writes a text in which long words may break after a parenthesis, a comma or a slash, but not
/// elsewhere. Only parts too long for a line may also break after an underscore.
fn breakable(text: &str) -> Markup {
    let mut broken = String::new();
    for word in text.split_inclusive(' ') {
        // Short words need no further places to break.
        const LONG: usize = 16;
        const LINE: usize = 28;
        let whole = |c: char| matches!(c, '(' | ',' | '/' | '\\') && word.len() > LONG;
        let parts = word
            .split_inclusive(whole)
            .flat_map(|part| part.split_inclusive(|c: char| c == '_' && part.len() > LINE));
        let parts: Vec<&str> = parts.collect();
        for (n, part) in parts.iter().enumerate() {
            if n > 0 {
                broken.push_str("<wbr>");
            }
            broken.push_str(&markup! { (part) }.into_string());
        }
    }
    PreEscaped(broken)
}

fn table(table: &Table) -> Markup {
    let cards = table.wrap == Wrap::Cards;
    let is_heat = table.rows.iter().flatten().any(|cell| cell.heat.is_some());
    let inner = markup! {
        table.cards[cards].heat[is_heat] {
            tr { @for column in table.page_columns() { th { (breakable(&column.title)) } } }
            @for row in &table.rows {
                tr {
                    @for (n, (cell, column)) in table.page_cells(row).enumerate() {
                        @let name = Some(&column.title).filter(|_| cards && n > 0);
                        @let class = match is_heat {
                            true if n == 0 => "name".to_owned(),
                            true => format!("cell{}", cell.heat.map_or_else(String::new, heat_class)),
                            false => cell_class(cell, column.align, column.is_note),
                        };
                        td class=[Some(class).filter(|class| !class.is_empty())] data-name=[name] { (content(cell)) }
                    }
                }
            }
        }
    };
    match table.wrap {
        Wrap::Cells => inner,
        Wrap::Scroll | Wrap::Cards => markup! { div.wide { (inner) } },
    }
}

/// Returns the class of a share: one of 21 colours from red to blue.
fn heat_class(share: f64) -> String {
    format!(" heat{:.0}", 20.0 * share.clamp(0.0, 1.0))
}

fn cell_class(cell: &Cell, align: Align, is_note: bool) -> String {
    let align = match align {
        Align::Left => None,
        Align::Right => Some("n".to_owned()),
        Align::Interval => Some("n interval".to_owned()),
    };
    let tone = cell.tone.map(|tone| format!("tone {}", class(tone)));
    let note = is_note.then(|| "note".to_owned());
    [align, tone, note].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn content(cell: &Cell) -> Markup {
    markup! {
        @if !cell.details.is_empty() {
            details { summary.line { (breakable(&cell.text)) } (list("", &cell.details)) }
        } @else if cell.note.is_empty() {
            (breakable(&cell.text))
        } @else {
            b { (breakable(&cell.text)) } br; span.note { (cell.note) }
        }
    }
}

fn figure(figure: &Figure) -> Markup {
    if figure.picture.is_empty() {
        return markup! {};
    }
    let Figure { picture, alt, caption, is_on_paper, is_long, is_wide, .. } = figure;
    let (role, label) = match alt.is_empty() {
        true => (None, None),
        false => (Some("img"), Some(alt)),
    };
    let drawn = markup! {
        @if *is_wide { div.tree { (picture) } } @else { (picture) }
    };
    markup! {
        figure.paper[*is_on_paper].long[*is_long] role=[role] aria-label=[label] {
            (drawn)
            @if !caption.0.is_empty() { figcaption { (words(caption)) } }
        }
    }
}

fn board(board: &Board) -> Markup {
    let name = match board.position.as_str() {
        "" => "board".to_owned(),
        position => format!("board of the position {position}"),
    };
    markup! {
        figure.board[board.is_alone] {
            (board.picture.named(&name))
            @if !board.caption.0.is_empty() { figcaption { (words(&board.caption)) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::Svg;

    #[test]
    fn whatever_is_in_a_document_a_strict_policy_accepts_its_fragment() {
        let evil = "</p><script>alert(1)</script><p style=\"color:red\" onclick='x()'>";
        let mut table = Table::new("t", [crate::Column::left(evil)]).wrapped(Wrap::Cards);
        table.push([Cell::from(evil).noted(evil).toned(Tone::Bad)]);
        let picture = Svg::new("<svg><text>a</text></svg>");
        let figure =
            Figure { alt: evil.to_owned(), caption: evil.into(), picture, ..Figure::default() };
        let verdict = Block::Verdict {
            tone: Tone::Undecided,
            headline: evil.into(),
            lead: evil.into(),
            points: vec![evil.into()],
        };
        let blocks = vec![
            Block::heading(2, evil),
            Block::notes([evil]),
            verdict,
            Block::List(ParagraphStyle::Moves, vec![Words::from(evil).and_strong(evil)]),
            table.into(),
            Block::Group(Layout::Charts, vec![figure.into()]),
        ];
        let doc = Doc {
            title: evil.to_owned(),
            blocks: vec![Block::fold(evil, blocks)],
            next: evil.into(),
        };
        let fragment = doc.fragment();
        assert!(!fragment.contains("<script") && !fragment.contains("<style"), "{fragment}");
        // Quotation marks within texts are escaped, so each remaining one starts an attribute of
        // ours.
        let allowed = ["class", "role", "aria-label", "data-name"];
        let named = |before: &str| {
            before
                .rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
                .next()
                .unwrap_or("")
                .to_owned()
        };
        let names: Vec<String> = fragment.split("=\"").map(named).collect();
        let (_, names) = names.split_last().unwrap();
        assert!(names.iter().all(|name| allowed.contains(&name.as_str())), "{names:?}");
        assert!(doc.page().contains("<title>treegauge: &lt;/p&gt;&lt;script"));
    }

    #[test]
    fn long_names_break_between_their_parts_only() {
        let broken = |text: &str| words(&text.into()).into_string();
        assert_eq!(
            broken("mnk(rows=3,cols=3,k=3) & b"),
            "mnk(<wbr>rows=3,<wbr>cols=3,<wbr>k=3) &amp; b"
        );
        let player = broken("uct(iterations=20,cp=<1>)");
        assert_eq!(player, "uct(<wbr>iterations=20,<wbr>cp=&lt;1&gt;)");
        assert_eq!(broken("connect_four(cols=4,rows=4)"), "connect_four(<wbr>cols=4,<wbr>rows=4)");
        let attribute = broken("first.effective_branching.variance");
        assert_eq!(attribute, "first.effective_<wbr>branching.variance");
        assert_eq!(broken("`tree` is `a`"), "<code>tree</code> is <code>a</code>");
        assert_eq!(broken("a single `"), "a single `");
        assert_eq!(broken("from 1 (lost) to 1 (won)"), "from 1 (lost) to 1 (won)");
    }
}
