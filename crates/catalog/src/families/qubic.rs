//! Family `qubic`.

use treegauge_games::qubic::Qubic;

use crate::{Args, Entry, Family, Parameter, Preset, Values, Visitor};

pub(crate) const FAMILY: Family = Family {
    name: "qubic",
    aliases: &[],
    summary: "place stones in a cube of 4 x 4 x 4 cells; four in a line win",
    rules: "In turn each player places a stone on an empty cell of a cube of 4 x 4 x 4. The first to fill a straight line of four wins; a full cube without a line is a draw.",
    moves: "column, row and level, `432`",
    parameters: &[Parameter {
        name: "lines",
        default: "1",
        values: Values::Whole(1, 76),
        help: "full lines that win; they may share cells",
    }],
    both: &[],
    presets: &[Preset {
        name: "broken_qubic",
        sets: &[("lines", "2")],
        summary: "two lines needed instead of one",
    }],
};

pub(crate) fn visit<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, String> {
    let game = Qubic::new(args.whole("lines"), args.ply_cap());
    Ok(visitor.visit(Entry::new(game).actions().tensor().symmetric().tiered()))
}
