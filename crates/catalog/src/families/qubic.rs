//! Family `qubic`.

use treegauge_games::qubic::{LINES_APART, Qubic};

use crate::{Args, Entry, Family, LibraryGroup, Origin, Parameter, Preset, Values, Visitor};

pub(crate) const FAMILY: Family = Family {
    name: "qubic",
    aliases: &[],
    summary: "place stones in a cube of 4 x 4 x 4 cells; four in a line win",
    rules: "In turn each player places a stone on an empty cell of a cube of 4 x 4 x 4. A line is four cells in a straight line; full lines needed to win: {lines|one}. Lines that win together {share=false:must not|may} share a cell. A full cube without a winner is a draw.",
    moves: "column, row and level, `432`",
    parameters: &[
        Parameter {
            name: "lines",
            default: "1",
            values: Values::Whole(1, 76),
            help: "full lines that win",
        },
        Parameter {
            name: "share",
            default: "true",
            values: Values::Flag,
            help: "whether lines that win together may share a cell",
        },
    ],
    both: &[],
    presets: &[Preset {
        name: "broken_qubic",
        sets: &[("lines", "2"), ("share", "false")],
        summary: "two lines without a common cell needed instead of one",
    }],
    origin: Some(Origin {
        title: "Qubic",
        group: LibraryGroup::Lines,
        year: "1960s or before",
        author: None,
        source: "Oren Patashnik, \"Qubic: 4 x 4 x 4 Tic-Tac-Toe\", Mathematics Magazine 53, 1980",
        differs: None,
    }),
};

pub(crate) fn visit<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, String> {
    let lines = args.whole("lines");
    let mut game = Qubic::new(lines, args.ply_cap());
    if !args.flag("share") {
        if lines > LINES_APART {
            return Err(format!("at most {LINES_APART} lines share no cell; lower `lines`"));
        }
        game = game.with_lines_apart();
    }
    Ok(visitor.visit(Entry::new(game).actions().tensor().symmetric().tiered()))
}
