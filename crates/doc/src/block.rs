//! The parts of a document.

use crate::svg::Svg;
use crate::table::Table;
use crate::terminal::{Terminal, Tone};
use crate::words::Words;

/// A report as a sequence of blocks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Doc {
    /// The title of its page.
    pub title: String,
    /// The blocks, in order.
    pub blocks: Vec<Block>,
    /// The step that may help the reader next, most often a command and its use; empty for none.
    pub next: Words,
}

/// A part of a document.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Block {
    /// A heading of level 1, the greatest, to 3.
    Heading(u8, Words),
    /// A paragraph.
    Paragraph(Paragraph),
    /// Paragraphs between which a terminal has no blank line.
    Lines(Vec<Paragraph>),
    /// A verdict: a headline, a sentence, and what else is to be said. Only pages have it.
    Verdict {
        /// The colour.
        tone: Tone,
        /// The verdict in a few words.
        headline: Words,
        /// The first sentence.
        lead: Words,
        /// The others.
        points: Vec<Words>,
    },
    /// Lines that are set as they are, in letters of one width.
    Preformatted(String),
    /// A list.
    List(Role, Vec<Words>),
    /// A table.
    Table(Table),
    /// A picture. Only pages have it.
    Figure(Figure),
    /// A position of a game.
    Board(Board),
    /// Reasons, methods and details. A page hides them until the reader opens them; text has them if
    /// [`Terminal::explain`] is set.
    ///
    /// [`Terminal::explain`]: crate::Terminal::explain
    Fold {
        /// The line that opens it.
        summary: Words,
        /// Whether the line is set as text and not as a heading.
        is_line: bool,
        /// The hidden blocks.
        blocks: Vec<Block>,
    },
    /// Blocks beside each other.
    Group(Layout, Vec<Block>),
    /// Columns of blocks, as wide as they are.
    Columns(Vec<Vec<Block>>),
    /// Blocks that only pages and fragments have.
    Pages(Vec<Block>),
    /// Blocks that only text has.
    Terminal(Vec<Block>),
}

/// The looks of a paragraph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// As text.
    #[default]
    Plain,
    /// As a note, smaller and paler.
    Note,
    /// As a warning that something is missing.
    Warning,
    /// As moves of a game.
    Moves,
}

/// A paragraph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Paragraph {
    /// The text.
    pub words: Words,
    /// The looks.
    pub role: Role,
}

/// Arrangements of blocks beside each other. A narrow page has them below each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// A wide one and a narrow one.
    Pair,
    /// Charts, at least 400 pixels wide.
    Charts,
    /// Small charts, at least 260 pixels wide.
    SmallCharts,
    /// Many tiny charts.
    Curves,
    /// The course of a game: a curve and some boards.
    Course,
    /// Boards.
    Boards,
    /// Problems, each with its board.
    Problems,
}

/// A picture with its caption.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// The name by which [`Doc::figure`] finds it; empty for one of many.
    pub name: &'static str,
    /// The picture.
    pub picture: Svg,
    /// Its content in words, for those who do not see it; empty where the picture says so itself.
    pub alt: String,
    /// The line below it; empty for none.
    pub caption: Words,
    /// Whether it is drawn for white paper.
    pub is_on_paper: bool,
    /// Whether it is long: of a curve beside boards, the width.
    pub is_long: bool,
    /// Whether it scrolls and has a border, as wide pictures do.
    pub is_wide: bool,
}

/// A position of a game with its caption.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Board {
    /// The position, as the notation of the game writes it.
    pub position: String,
    /// The picture.
    pub picture: Svg,
    /// The lines for a terminal; empty for none.
    pub text: String,
    /// The line below it.
    pub caption: Words,
    /// Whether it stands alone and is not printed on paper.
    pub is_alone: bool,
}

impl Board {
    /// A position that stands alone, without a caption.
    #[must_use]
    pub fn alone(position: impl Into<String>, picture: Svg) -> Board {
        Board { position: position.into(), picture, is_alone: true, ..Board::default() }
    }
}

impl Doc {
    /// A document without blocks.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Doc {
        Doc { title: title.into(), ..Doc::default() }
    }

    /// Sets the step that may help the reader next.
    pub fn next(&mut self, words: impl Into<Words>) -> &mut Doc {
        self.next = words.into();
        self
    }

    /// Whether something is hidden in its text unless [`Terminal::explain`] is set.
    ///
    /// [`Terminal::explain`]: crate::Terminal::explain
    #[must_use]
    pub fn has_reasons(&self) -> bool {
        let explained = Terminal { explain: true, ..Terminal::default() };
        self.text(explained) != self.text(Terminal::default())
    }

    /// Adds a block.
    pub fn push(&mut self, block: impl Into<Block>) -> &mut Doc {
        self.blocks.push(block.into());
        self
    }

    /// Adds blocks.
    pub fn extend(&mut self, blocks: impl IntoIterator<Item = Block>) -> &mut Doc {
        self.blocks.extend(blocks);
        self
    }

    /// Finds a table by its name.
    #[must_use]
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables().into_iter().find(|table| table.name == name)
    }

    /// All tables, in order.
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

    /// All figures, in order.
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

/// Calls `see` with all blocks and those within them.
fn visit<'a>(blocks: &'a [Block], see: &mut dyn FnMut(&'a Block)) {
    for block in blocks {
        see(block);
        if let Block::Columns(columns) = block {
            columns.iter().for_each(|column| visit(column, see));
        }
        if let Block::Fold { blocks, .. }
        | Block::Group(_, blocks)
        | Block::Pages(blocks)
        | Block::Terminal(blocks) = block
        {
            visit(blocks, see);
        }
    }
}

impl Block {
    /// A heading of level 1 to 3.
    #[must_use]
    pub fn heading(level: u8, words: impl Into<Words>) -> Block {
        Block::Heading(level, words.into())
    }

    /// A paragraph of text.
    #[must_use]
    pub fn text(words: impl Into<Words>) -> Block {
        Block::Paragraph(Paragraph::new(Role::Plain, words))
    }

    /// A note.
    #[must_use]
    pub fn note(words: impl Into<Words>) -> Block {
        Block::Paragraph(Paragraph::new(Role::Note, words))
    }

    /// A warning that something is missing.
    #[must_use]
    pub fn warning(words: impl Into<Words>) -> Block {
        Block::Paragraph(Paragraph::new(Role::Warning, words))
    }

    /// Notes between which a terminal has no blank line.
    #[must_use]
    pub fn notes<T: Into<Words>>(notes: impl IntoIterator<Item = T>) -> Block {
        Block::Lines(notes.into_iter().map(|words| Paragraph::new(Role::Note, words)).collect())
    }

    /// Blocks that are hidden until a reader opens them.
    #[must_use]
    pub fn fold(summary: impl Into<Words>, blocks: Vec<Block>) -> Block {
        Block::Fold { summary: summary.into(), is_line: false, blocks }
    }
}

impl Paragraph {
    /// A paragraph that is set in some way.
    #[must_use]
    pub fn new(role: Role, words: impl Into<Words>) -> Paragraph {
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
