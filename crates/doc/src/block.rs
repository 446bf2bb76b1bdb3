//! Blocks, the parts of a document.

use crate::svg::Svg;
use crate::table::Table;
use crate::terminal::{TextStyle, Tone};
use crate::words::Words;

/// Report as a sequence of blocks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Doc {
    /// Title of the page.
    pub title: String,
    /// Blocks in order.
    pub blocks: Vec<Block>,
    /// The step that may help the reader next, most often a command and its use; empty for none.
    pub next: Words,
}

/// Part of a document.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Block {
    /// Heading of level 1 (largest) to 3.
    Heading(u8, Words),
    /// Paragraph.
    Paragraph(Paragraph),
    /// Paragraphs without blank lines between them on a terminal.
    Lines(Vec<Paragraph>),
    /// Verdict: a headline, a sentence and further points. Shown only on pages.
    Verdict {
        /// Colour of the verdict.
        tone: Tone,
        /// Verdict in a few words.
        headline: Words,
        /// First sentence.
        lead: Words,
        /// Further sentences.
        points: Vec<Words>,
    },
    /// Monospaced lines, shown as they are.
    Preformatted(String),
    /// List.
    List(ParagraphStyle, Vec<Words>),
    /// Table.
    Table(Table),
    /// Picture with a caption. Shown only on pages.
    Figure(Figure),
    /// Position of a game.
    Board(Board),
    /// Reasons, methods and details. A page hides them until the reader opens them; text has them if
    /// [`TextStyle::explain`] is set.
    ///
    /// [`TextStyle::explain`]: crate::TextStyle::explain
    Fold {
        /// Line that opens them.
        summary: Words,
        /// Whether the line is styled as text rather than as a heading.
        is_line: bool,
        /// Hidden blocks.
        blocks: Vec<Block>,
    },
    /// Blocks side by side.
    Group(Layout, Vec<Block>),
    /// Columns of blocks side by side, each as wide as its content.
    Columns(Vec<Vec<Block>>),
    /// Blocks shown only on pages and in fragments.
    PagesOnly(Vec<Block>),
    /// Blocks shown only in text.
    TextOnly(Vec<Block>),
    /// Blocks shown only in text with [`TextStyle::charts`].
    ///
    /// [`TextStyle::charts`]: crate::TextStyle::charts
    Charts(Vec<Block>),
}

/// Style of a paragraph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ParagraphStyle {
    /// Plain text.
    #[default]
    Plain,
    /// Note, smaller and paler.
    Note,
    /// Warning that something is missing.
    Warning,
    /// Moves of a game.
    Moves,
}

/// Paragraph of text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Paragraph {
    /// Text.
    pub words: Words,
    /// Style.
    pub role: ParagraphStyle,
}

/// Arrangement of blocks side by side. On a narrow page they are stacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// A wide block and a narrow one.
    Pair,
    /// Charts, at least 400 pixels wide.
    Charts,
    /// Small charts, at least 260 pixels wide.
    SmallCharts,
    /// Many tiny charts.
    Curves,
    /// Course of a game: a curve and some boards.
    Course,
    /// Boards.
    Boards,
    /// Problems, each with its board.
    Problems,
}

/// Picture with its caption.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// Name for [`Doc::figure`]; empty if the figure need not be found.
    pub name: &'static str,
    /// Picture.
    pub picture: Svg,
    /// Content in words, for readers who cannot see it; empty if the picture describes itself.
    pub alt: String,
    /// Line below the picture; empty if there is none.
    pub caption: Words,
    /// Whether the picture is drawn for a white background.
    pub is_on_paper: bool,
    /// Whether the figure takes the greater width beside boards, as a curve does.
    pub is_long: bool,
    /// Whether the figure scrolls and has a border, as wide pictures do.
    pub is_wide: bool,
}

/// Position of a game with its caption.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Board {
    /// Position in the notation of the game.
    pub position: String,
    /// Picture of the position.
    pub picture: Svg,
    /// Lines for a terminal; empty if there are none.
    pub text: String,
    /// Line below the picture.
    pub caption: Words,
    /// Whether the board stands alone in its section; such boards are left out when printing.
    pub is_alone: bool,
}

impl Board {
    /// Creates a board that stands alone, without a caption.
    #[must_use]
    pub fn alone(position: impl Into<String>, picture: Svg) -> Board {
        Board { position: position.into(), picture, is_alone: true, ..Board::default() }
    }
}

impl Doc {
    /// Creates a document without blocks.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Doc {
        Doc { title: title.into(), ..Doc::default() }
    }

    /// Replaces a word of the commands in the next step, such as `FILE`, by the name that it stands
    /// for.
    pub fn name_in_next(&mut self, word: &str, name: &str) {
        for span in &mut self.next.0 {
            for end in [' ', '`'] {
                let (word, name) = (format!(" {word}{end}"), format!(" {name}{end}"));
                span.text = span.text.replace(&word, &name);
            }
        }
    }

    /// Sets the step that may help the reader next.
    pub fn next(&mut self, words: impl Into<Words>) -> &mut Doc {
        self.next = words.into();
        self
    }

    /// Leaves out the step that may help the reader next.
    pub fn leave_out_next(&mut self) {
        self.next = Words::default();
    }

    /// Whether something is hidden in its text unless [`TextStyle::explain`] is set.
    ///
    /// [`TextStyle::explain`]: crate::TextStyle::explain
    #[must_use]
    pub fn has_reasons(&self) -> bool {
        let explained = TextStyle { explain: true, ..TextStyle::default() };
        self.text(explained) != self.text(TextStyle::default())
    }

    /// Appends a block.
    pub fn push(&mut self, block: impl Into<Block>) -> &mut Doc {
        self.blocks.push(block.into());
        self
    }

    /// Appends several blocks.
    pub fn extend(&mut self, blocks: impl IntoIterator<Item = Block>) -> &mut Doc {
        self.blocks.extend(blocks);
        self
    }

    /// Finds a table by its name.
    #[must_use]
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables().into_iter().find(|table| table.name == name)
    }

    /// Returns all tables in order, nested ones included.
    #[must_use]
    pub fn tables(&self) -> Vec<&Table> {
        let mut found = Vec::new();
        visit(&self.blocks, &mut |block| {
            if let Block::Table(table) = block {
                found.push(table);
            }
        });
        found
    }

    /// Finds a figure by its name.
    #[must_use]
    pub fn figure(&self, name: &str) -> Option<&Figure> {
        self.figures().into_iter().find(|figure| figure.name == name)
    }

    /// Returns all figures in order, nested ones included.
    #[must_use]
    pub fn figures(&self) -> Vec<&Figure> {
        let mut found = Vec::new();
        visit(&self.blocks, &mut |block| {
            if let Block::Figure(figure) = block {
                found.push(figure);
            }
        });
        found
    }
}

/// Calls `see` with all blocks, nested ones included.
fn visit<'a>(blocks: &'a [Block], see: &mut dyn FnMut(&'a Block)) {
    for block in blocks {
        see(block);
        if let Block::Columns(columns) = block {
            columns.iter().for_each(|column| visit(column, see));
        }
        if let Block::Fold { blocks, .. }
        | Block::Group(_, blocks)
        | Block::PagesOnly(blocks)
        | Block::TextOnly(blocks)
        | Block::Charts(blocks) = block
        {
            visit(blocks, see);
        }
    }
}

impl Block {
    /// Creates a heading of level 1 to 3.
    #[must_use]
    pub fn heading(level: u8, words: impl Into<Words>) -> Block {
        Block::Heading(level, words.into())
    }

    /// Creates a paragraph of plain text.
    #[must_use]
    pub fn text(words: impl Into<Words>) -> Block {
        Block::Paragraph(Paragraph::new(ParagraphStyle::Plain, words))
    }

    /// Creates a note.
    #[must_use]
    pub fn note(words: impl Into<Words>) -> Block {
        Block::Paragraph(Paragraph::new(ParagraphStyle::Note, words))
    }

    /// Creates a warning that something is missing.
    #[must_use]
    pub fn warning(words: impl Into<Words>) -> Block {
        Block::Paragraph(Paragraph::new(ParagraphStyle::Warning, words))
    }

    /// Creates notes without blank lines between them on a terminal.
    #[must_use]
    pub fn notes<T: Into<Words>>(notes: impl IntoIterator<Item = T>) -> Block {
        Block::Lines(
            notes.into_iter().map(|words| Paragraph::new(ParagraphStyle::Note, words)).collect(),
        )
    }

    /// Creates blocks that are hidden until the reader opens them.
    #[must_use]
    pub fn fold(summary: impl Into<Words>, blocks: Vec<Block>) -> Block {
        Block::Fold { summary: summary.into(), is_line: false, blocks }
    }
}

impl Paragraph {
    /// Creates a paragraph with a style.
    #[must_use]
    pub fn new(role: ParagraphStyle, words: impl Into<Words>) -> Paragraph {
        Paragraph { words: words.into(), role }
    }
}

impl From<Table> for Block {
    fn from(table: Table) -> Block {
        Block::Table(table)
    }
}

impl From<Figure> for Block {
    fn from(figure: Figure) -> Block {
        Block::Figure(figure)
    }
}

impl From<Board> for Block {
    fn from(board: Board) -> Block {
        Block::Board(board)
    }
}
