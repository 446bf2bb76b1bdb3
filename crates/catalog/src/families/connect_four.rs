//! Family `connect_four`.

use treegauge_games::Wide;
use treegauge_games::connect_four::{Board, ConnectFour, Fixed, Sized};

use crate::{Args, Entry, Family, LibraryGroup, Origin, Parameter, Preset, Values, Visitor};

pub(crate) const FAMILY: Family = Family {
    name: "connect_four",
    aliases: &["connect4", "four_in_a_row"],
    summary: "drop discs into columns; a line of four wins",
    rules: "In turn each player drops a disc into a column that is not full; it falls to the lowest empty cell. The first with {k} discs in a straight line wins; a full board without a line is a draw.",
    moves: "the column, `d`",
    parameters: &[
        Parameter { name: "cols", default: "7", values: Values::Whole(1, 20), help: "columns" },
        Parameter { name: "rows", default: "6", values: Values::Whole(1, 20), help: "rows" },
        Parameter {
            name: "k",
            default: "4",
            values: Values::Whole(1, 20),
            help: "discs in a line that win",
        },
    ],
    both: &[],
    presets: &[Preset {
        name: "broken_connect_four",
        sets: &[("k", "6")],
        summary: "six in a line on the usual board: drawish",
    }],
    origin: Some(Origin {
        title: "Connect Four",
        group: LibraryGroup::Lines,
        year: "1974",
        author: Some("Howard Wexler, Ned Strongin"),
        source: "Milton Bradley, \"Connect Four\", 1974; Wikipedia, \"Connect Four\"",
        differs: None,
    }),
};

pub(crate) fn visit<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, String> {
    let (cols, rows, k) = (args.whole("cols"), args.whole("rows"), args.whole("k"));
    fn entry<B: Board>(board: B, args: &Args) -> Entry<ConnectFour<B>> {
        Entry::new(ConnectFour::new(board, args.ply_cap())).actions().tensor().symmetric().tiered()
    }
    let bits = Sized::<u64>::bits(cols, rows);
    Ok(if (cols, rows, k) == (7, 6, 4) {
        visitor.visit(entry(Fixed::<7, 6, 4>, args).indexed())
    } else if bits <= u64::BITS {
        visitor.visit(entry(Sized::<u64>::new(cols, rows, k), args).indexed())
    } else if bits <= u128::BITS {
        visitor.visit(entry(Sized::<u128>::new(cols, rows, k), args))
    } else {
        visitor.visit(entry(Sized::<Wide>::new(cols, rows, k), args))
    })
}
