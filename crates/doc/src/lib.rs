//! Documents of blocks, and their writers.
//!
//! A report creates one [`Doc`]: headings, paragraphs, tables with typed cells, figures, boards and
//! folds. Four writers turn it into text for a terminal ([`Doc::text`]), a self-contained page
//! ([`Doc::page`]), a fragment for another page ([`Doc::fragment`]), and CSV ([`Table::csv`]).
//!
//! ```
//! use treegauge_doc::{Block, Cell, Column, Doc, Table, TextStyle, Tone};
//!
//! let mut flaws = Table::new("flaws", [Column::left("flaw"), Column::left("has it")]);
//! flaws.push([Cell::from("drawish"), Cell::from("no").toned(Tone::Good)]);
//! let mut doc = Doc::new("gauge of achi");
//! doc.push(Block::heading(1, "achi")).push(flaws);
//!
//! assert_eq!(doc.text(TextStyle::default()), "achi\n\n flaw     has it\n drawish  no\n");
//! assert!(doc.fragment().contains("<td class=\"tone sound\">no</td>"));
//! assert_eq!(doc.table("flaws").unwrap().csv(), "flaw,has it\ndrawish,no\n");
//! ```
//!
//! Fragments have no styles, scripts or event handlers, so a content security policy without
//! `unsafe-inline` accepts them. Their classes are those of [`STYLE`].

mod block;
mod chart;
mod html;
mod page;
mod plain;
mod svg;
mod table;
mod terminal;
mod words;

pub use block::{Block, Board, Doc, Figure, Layout, Paragraph, ParagraphStyle};
pub use chart::{CHART_CHARS, Scale};
pub use html::fragment_of;
pub use page::{
    BOARD_RULES, Colophon, DARK_BOARDS, DARK_TREES, PART_CLASS, STYLE, TREE_CLASS, page_of, styled,
};
pub use svg::Svg;
pub use table::{Align, Cell, Column, Medium, Table, Value, Wrap, plain_table, plain_table_on};
pub use terminal::{TextStyle, Tone};
pub use words::{Span, Words};
