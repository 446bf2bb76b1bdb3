//! Family `dipole`.

use treegauge_games::dipole::{Dipole, Setup};

use crate::{Args, Entry, Family, LibraryGroup, Origin, Parameter, Preset, Values, Visitor};

pub(crate) const FAMILY: Family = Family {
    name: "dipole",
    aliases: &[],
    summary: "n checkers of a stack move n squares together; a player without checkers loses",
    rules: "Each player begins with a stack of twelve checkers and in turn moves n checkers from one of its stacks exactly {inverted=true:13 - n|n} squares: forward, straight or diagonally, to an empty dark square, onto an own stack or off the board; or {captures=forward:so|in any direction} onto an opposing stack of n or fewer, which is removed. A player without checkers, or without a move, loses.",
    moves: "the two squares, `e1-g3`, or off the board with the number of checkers, `e1-off:9`",
    parameters: &[
        Parameter {
            name: "no_move",
            default: "lose",
            values: Values::Word(&["lose", "pass"]),
            help: "result for a player that has checkers and cannot move",
        },
        Parameter {
            name: "captures",
            default: "all",
            values: Values::Word(&["all", "forward"]),
            help: "the directions in which stacks are captured",
        },
        Parameter {
            name: "inverted",
            default: "false",
            values: Values::Flag,
            help: "whether n checkers move 13 - n squares instead of n",
        },
    ],
    both: &[],
    presets: &[Preset {
        name: "broken_dipole",
        sets: &[("captures", "forward"), ("inverted", "true")],
        summary: "the fewer checkers move, the farther: hard not to leave the board, and the second player mostly wins",
    }],
    origin: Some(Origin {
        title: "Dipole",
        group: LibraryGroup::Capture,
        year: "2007",
        author: Some("Mark Steere"),
        source: "Mark Steere, \"Dipole\", rules sheet",
        differs: Some(
            "by default a player who has checkers and cannot move loses; the published rule is `no_move=pass`",
        ),
    }),
};

pub(crate) fn visit<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, String> {
    let setup = Setup {
        pass: args.text("no_move") == "pass",
        forward_captures_only: args.text("captures") == "forward",
        inverted: args.flag("inverted"),
    };
    Ok(visitor.visit(Entry::new(Dipole::new(setup, args.ply_cap())).actions().tensor().tiered()))
}
