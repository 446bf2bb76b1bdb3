//! Family `breakthrough`.

use treegauge_games::Wide;
use treegauge_games::breakthrough::{Board, Breakthrough, Fixed, Sized};

use crate::{Args, Entry, Family, LibraryGroup, Origin, Parameter, Values, Visitor};

pub(crate) const FAMILY: Family = Family {
    name: "breakthrough",
    aliases: &[],
    summary: "run a man to the far row",
    rules: "Each player begins with men on its two nearest rows and in turn moves one a row forward, straight or diagonally; diagonally it may capture. The first player to reach the farthest row, or to capture the last man, wins. There are no draws.",
    moves: "the two cells, `c2-c3`, or `c2xd3` for a capture",
    parameters: &[
        Parameter { name: "cols", default: "8", values: Values::Whole(2, 16), help: "columns" },
        Parameter { name: "rows", default: "8", values: Values::Whole(4, 16), help: "rows" },
    ],
    both: &[],
    presets: &[],
    origin: Some(Origin {
        title: "Breakthrough",
        group: LibraryGroup::Race,
        year: "2000",
        author: Some("Dan Troyka"),
        source: "Wikipedia, \"Breakthrough (board game)\"",
        differs: None,
    }),
};

pub(crate) fn visit<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, String> {
    fn go<B: Board, V: Visitor>(board: B, args: &Args, visitor: V) -> V::Output {
        visitor.visit(
            Entry::new(Breakthrough::new(board, args.ply_cap()))
                .actions()
                .tensor()
                .symmetric()
                .tiered(),
        )
    }
    let (cols, rows) = (args.whole("cols"), args.whole("rows"));
    Ok(if (cols, rows) == (8, 8) {
        go(Fixed::<8, 8>, args, visitor)
    } else if cols * rows <= u64::BITS {
        go(Sized::<u64>::new(cols, rows), args, visitor)
    } else if cols * rows <= u128::BITS {
        go(Sized::<u128>::new(cols, rows), args, visitor)
    } else {
        go(Sized::<Wide>::new(cols, rows), args, visitor)
    })
}
