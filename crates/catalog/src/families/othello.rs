//! Family `othello`.

use treegauge_games::othello::{Blocked, Othello};

use crate::{Args, Entry, Family, LibraryGroup, Origin, Parameter, Preset, Values, Visitor};

pub(crate) const FAMILY: Family = Family {
    name: "othello",
    aliases: &["reversi"],
    summary: "bracket the opponent's discs to flip them; more discs win",
    rules: "In turn each player places a disc so that straight runs of the opponent's discs are enclosed between it and other discs of the mover; these are turned over. Discs are placed {adjacent=true:only next to the opponent's last one|on any cell}. A player that cannot do so {blocked=end:ends the game|passes, and the game ends when neither can}; the player with more discs wins.",
    moves: "the cell, `d3`, or `pass`",
    parameters: &[
        Parameter {
            name: "size",
            default: "8",
            values: Values::Word(&["4", "6", "8"]),
            help: "cells on each side of the board",
        },
        Parameter {
            name: "adjacent",
            default: "false",
            values: Values::Flag,
            help: "whether discs go only next to the opponent's last one",
        },
        Parameter {
            name: "blocked",
            default: "pass",
            values: Values::Word(&["pass", "end"]),
            help: "effect of a player to move who cannot place a disc: a pass, or the end of the game",
        },
    ],
    both: &[],
    presets: &[Preset {
        name: "broken_othello",
        sets: &[("adjacent", "true"), ("blocked", "end")],
        summary: "discs go only next to the opponent's last one: soon over, and the first player wins",
    }],
    origin: Some(Origin {
        title: "Othello",
        group: LibraryGroup::Capture,
        year: "1971",
        author: Some("Goro Hasegawa"),
        source: "Wikipedia, \"Reversi\"",
        differs: None,
    }),
};

pub(crate) fn visit<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, String> {
    fn go<const N: u32, V: Visitor>(args: &Args, visitor: V) -> V::Output {
        let game = Othello::<N>::new(args.flag("adjacent"), args.ply_cap());
        let is_over = args.text("blocked") == "end";
        let game = game.with_blocked(if is_over { Blocked::Ends } else { Blocked::Passes });
        visitor.visit(Entry::new(game).actions().tensor().symmetric().tiered().graded())
    }
    Ok(match args.text("size") {
        "4" => go::<4, V>(args, visitor),
        "6" => go::<6, V>(args, visitor),
        _ => go::<8, V>(args, visitor),
    })
}
