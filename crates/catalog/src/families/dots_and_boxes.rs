//! Family `dots_and_boxes`.

use treegauge_games::Wide;
use treegauge_games::dots_and_boxes::{Board, DotsAndBoxes, Fixed, Sized};

use crate::{Args, Entry, Family, LibraryGroup, Origin, Parameter, Values, Visitor};

pub(crate) const FAMILY: Family = Family {
    name: "dots_and_boxes",
    aliases: &["pipopipette"],
    summary: "add lines; closing a box wins it and another move; more boxes win",
    rules: "In turn each player adds a line between two neighbouring dots. A player that closes a box wins it and moves again. When all lines are drawn, the player with more boxes wins.",
    moves: "the line with its row and column from below and from the left: `h11` lies across, `v11` is upright",
    parameters: &[
        Parameter {
            name: "rows",
            default: "4",
            values: Values::Whole(1, 15),
            help: "rows of boxes",
        },
        Parameter {
            name: "cols",
            default: "4",
            values: Values::Whole(1, 15),
            help: "columns of boxes",
        },
    ],
    both: &[],
    presets: &[],
    origin: Some(Origin {
        title: "Dots and Boxes",
        group: LibraryGroup::Capture,
        year: "1889",
        author: Some("Édouard Lucas"),
        source: "Wikipedia, \"Dots and boxes\"",
        differs: None,
    }),
};

pub(crate) fn visit<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, String> {
    fn go<B: Board, V: Visitor>(board: B, args: &Args, visitor: V) -> V::Output {
        let entry = Entry::new(DotsAndBoxes::new(board, args.ply_cap())).actions().tensor();
        visitor.visit(entry.symmetric().tiered().graded())
    }
    let (rows, cols) = (args.whole("rows"), args.whole("cols"));
    let bits = Sized::<u64>::bits(rows, cols);
    Ok(if (rows, cols) == (4, 4) {
        go(Fixed::<4, 4>, args, visitor)
    } else if bits <= u64::BITS {
        go(Sized::<u64>::new(rows, cols), args, visitor)
    } else if bits <= u128::BITS {
        go(Sized::<u128>::new(rows, cols), args, visitor)
    } else {
        go(Sized::<Wide>::new(rows, cols), args, visitor)
    })
}
