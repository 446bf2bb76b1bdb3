//! Family `alak`.

use treegauge_games::alak::{Alak, Ban};

use crate::{Args, Entry, Family, LibraryGroup, Origin, Parameter, Preset, Values, Visitor};

pub(crate) const FAMILY: Family = Family {
    name: "alak",
    aliases: &[],
    summary: "place stones on a row of cells and capture runs between two stones; more stones win",
    rules: "In turn each player places a stone on an empty cell of a row. Runs of the opponent's stones that are then enclosed between two stones of the mover, or by one and the edge, are removed, and their cells {forbidden=false:may be filled at once|are forbidden to the opponent in the next turn}. When the player to move has no cell, more stones on the board win; the third occurrence of a position is a draw.",
    moves: "the cell, `e`",
    parameters: &[
        Parameter {
            name: "length",
            default: "11",
            values: Values::Whole(3, 26),
            help: "cells of the board",
        },
        Parameter {
            name: "forbidden",
            default: "true",
            values: Values::Flag,
            help: "whether the captured player may not play on the cells just emptied",
        },
        Parameter {
            name: "ko",
            default: "none",
            values: Values::Word(&["none", "position"]),
            help: "whether the position before the opponent's last move may not be recreated; forbidden cells rule that out by themselves",
        },
    ],
    both: &[],
    presets: &[Preset {
        name: "broken_alak",
        sets: &[("forbidden", "false")],
        summary: "positions may be recreated at once: drawish, and seldom ended by its rules",
    }],
    origin: Some(Origin {
        title: "Alak",
        group: LibraryGroup::Capture,
        year: "2001",
        author: Some("Alan Baljeu"),
        source: "Alan Baljeu, rec.games.abstract, 2001",
        differs: None,
    }),
};

pub(crate) fn visit<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, String> {
    let ban = match (args.flag("forbidden"), args.text("ko")) {
        // A move that recreates a position is on a cell that was just emptied, so `ko` adds
        // nothing.
        (true, _) => Ban::Captured,
        (false, "position") => Ban::Recreating,
        (false, _) => Ban::None,
    };
    let game = Alak::new(args.whole("length"), ban, args.ply_cap());
    Ok(visitor.visit(Entry::new(game).actions().tensor().symmetric().graded().indexed()))
}
