//! Family `checkers`.

use treegauge_core::Plies;
use treegauge_games::checkers::Checkers;

use crate::{Args, Entry, Family, LibraryGroup, Origin, Parameter, Preset, Values, Visitor};

pub(crate) const FAMILY: Family = Family {
    name: "checkers",
    aliases: &["draughts", "english_draughts", "american_checkers"],
    summary: "English draughts: capture all pieces or shut them in",
    rules: "English draughts on the dark squares, {kings=true:all pieces being kings from the start|with twelve men each}: men move and capture diagonally forward, kings in all four directions. Captures are compulsory and continue as long as they can; a man on the farthest row becomes a king. A player without a move loses. {draw_plies} plies without a capture or a move of a man, or the third occurrence of a position, are a draw.",
    moves: "the squares of its path, `c3-d4` or `c3xe5xg7`, or their numbers, `11-15`",
    parameters: &[
        Parameter {
            name: "kings",
            default: "false",
            values: Values::Flag,
            help: "all pieces are kings from the start",
        },
        Parameter {
            name: "draw_plies",
            default: "100",
            values: Values::Whole(1, 1_000_000),
            help: "plies without a capture or a man's move after which the game is drawn",
        },
    ],
    both: &[],
    presets: &[Preset {
        name: "broken_checkers",
        sets: &[("kings", "true")],
        summary: "all pieces are kings from the start: drawish, and seldom ended by its rules",
    }],
    origin: Some(Origin {
        title: "Checkers",
        group: LibraryGroup::Capture,
        year: "traditional, England",
        author: None,
        source: "Wikipedia, \"English draughts\"",
        differs: None,
    }),
};

pub(crate) fn visit<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, String> {
    let draw_plies = Plies(args.whole("draw_plies"));
    let game = Checkers::new(args.flag("kings"), draw_plies, args.ply_cap());
    let entry = Entry::new(game).tensor();
    // Men distinguish forward from backward, so only a board of kings can be rotated.
    Ok(visitor.visit(if args.flag("kings") { entry.symmetric() } else { entry }))
}
