//! Family `othello`.

use treegauge_games::othello::Othello;

use crate::{Args, Entry, Family, Parameter, Preset, Values, Visitor};

pub(crate) const FAMILY: Family = Family {
    name: "othello",
    aliases: &["reversi"],
    summary: "bracket the opponent's discs to flip them; more discs win",
    rules: "In turn each player places a disc so that straight runs of the opponent's discs are enclosed between it and other discs of the mover; these are turned over. A player that cannot do so passes; when neither can, the player with more discs wins.",
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
    ],
    both: &[],
    presets: &[Preset {
        name: "broken_othello",
        sets: &[("adjacent", "true")],
        summary: "discs go only next to the opponent's last one: the first player wins",
    }],
};

pub(crate) fn visit<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, String> {
    fn go<const N: u32, V: Visitor>(args: &Args, visitor: V) -> V::Output {
        let game = Othello::<N>::new(args.flag("adjacent"), args.ply_cap());
        visitor.visit(Entry::new(game).actions().tensor().symmetric().tiered().graded())
    }
    Ok(match args.text("size") {
        "4" => go::<4, V>(args, visitor),
        "6" => go::<6, V>(args, visitor),
        _ => go::<8, V>(args, visitor),
    })
}
