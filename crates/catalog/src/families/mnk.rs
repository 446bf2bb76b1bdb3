//! Family `mnk`.

use treegauge_games::Wide;
use treegauge_games::mnk::{Directions, Mnk, Setup};

use crate::{Args, Entry, Family, Parameter, Values, Visitor};

const DIRECTIONS: Values = Values::Word(&["all", "orthogonal", "diagonal"]);

pub(crate) const FAMILY: Family = Family {
    name: "mnk",
    aliases: &[],
    summary: "k in a row on any board, with many twists",
    rules: "In turn each player places a stone on an empty cell. The first with {k} stones in a straight line {misere=true:loses|wins}; a full board without a line is a draw.",
    moves: "the cell, `h8`",
    parameters: &[
        Parameter { name: "rows", default: "15", values: Values::Whole(1, 19), help: "rows" },
        Parameter { name: "cols", default: "15", values: Values::Whole(1, 19), help: "columns" },
        Parameter {
            name: "k1",
            default: "5",
            values: Values::Whole(1, 400),
            help: "stones of a line of the first player",
        },
        Parameter {
            name: "k2",
            default: "5",
            values: Values::Whole(1, 400),
            help: "stones of a line of the second player",
        },
        Parameter {
            name: "dirs1",
            default: "all",
            values: DIRECTIONS,
            help: "directions that count for the first player",
        },
        Parameter {
            name: "dirs2",
            default: "all",
            values: DIRECTIONS,
            help: "directions that count for the second player",
        },
        Parameter {
            name: "misere",
            default: "false",
            values: Values::Flag,
            help: "whether a line loses instead",
        },
        Parameter {
            name: "first1",
            default: "1",
            values: Values::Whole(1, 2),
            help: "stones in the first turn of the first player",
        },
        Parameter {
            name: "first2",
            default: "1",
            values: Values::Whole(1, 2),
            help: "stones in the first turn of the second player",
        },
        Parameter {
            name: "gravity",
            default: "false",
            values: Values::Flag,
            help: "whether stones fall",
        },
        Parameter {
            name: "wrap",
            default: "false",
            values: Values::Flag,
            help: "whether opposite edges join",
        },
    ],
    both: &[("k", &["k1", "k2"]), ("dirs", &["dirs1", "dirs2"])],
    presets: &[],
    origin: None,
};

pub(crate) fn visit<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, String> {
    let directions = |name| match args.text(name) {
        "orthogonal" => Directions::Orthogonal,
        "diagonal" => Directions::Diagonal,
        _ => Directions::All,
    };
    let setup = Setup {
        rows: args.whole("rows"),
        cols: args.whole("cols"),
        k: [args.whole("k1"), args.whole("k2")],
        directions: [directions("dirs1"), directions("dirs2")],
        misere: args.flag("misere"),
        first: [args.whole("first1"), args.whole("first2")],
        gravity: args.flag("gravity"),
        wrap: args.flag("wrap"),
    };
    let cells = setup.rows * setup.cols;
    if cells < 3 {
        let cells = treegauge_core::counted(cells, "cell");
        return Err(format!("a board of {cells} is too small: 3 are the least"));
    }
    Ok(if Mnk::<u128>::bits(setup.rows, setup.cols) <= u128::BITS {
        let game = Mnk::<u128>::new(setup, args.ply_cap());
        visitor.visit(Entry::new(game).actions().tensor().symmetric().tiered().intuitive())
    } else {
        let game = Mnk::<Wide>::new(setup, args.ply_cap());
        visitor.visit(Entry::new(game).actions().tensor().symmetric().tiered().intuitive())
    })
}
