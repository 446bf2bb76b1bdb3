//! Family `tic_tac_toe`.

use treegauge_games::Wide;
use treegauge_games::tic_tac_toe::{Board, Fixed, Sized, TicTacToe};

use crate::{Args, Entry, Family, LibraryGroup, Origin, Parameter, Preset, Values, Visitor};

pub(crate) const FAMILY: Family = Family {
    name: "tic_tac_toe",
    aliases: &["noughts_and_crosses"],
    summary: "place marks on a square board; a line wins",
    rules: "In turn each player places a mark of its own on an empty cell. The first with {k} marks in a straight line {misere=true:loses|wins}; a full board without a line is a draw.",
    moves: "the cell, `b2`",
    parameters: &[
        Parameter {
            name: "size",
            default: "3",
            values: Values::Whole(1, 20),
            help: "cells on each side of the board",
        },
        Parameter {
            name: "k",
            default: "3",
            values: Values::Whole(1, 20),
            help: "marks in a line that win",
        },
        Parameter {
            name: "misere",
            default: "false",
            values: Values::Flag,
            help: "whether a line loses instead",
        },
    ],
    both: &[],
    presets: &[Preset {
        name: "broken_tic_tac_toe",
        sets: &[("k", "2")],
        summary: "two in a line win: over after three plies",
    }],
    origin: Some(Origin {
        title: "Tic-Tac-Toe",
        group: LibraryGroup::Lines,
        year: "traditional",
        author: None,
        source: "Wikipedia, \"Tic-tac-toe\"",
        differs: None,
    }),
};

pub(crate) fn visit<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, String> {
    fn go<B: Board, V: Visitor>(board: B, args: &Args, visitor: V) -> V::Output {
        visitor.visit(
            Entry::new(TicTacToe::new(board, args.ply_cap()))
                .actions()
                .tensor()
                .symmetric()
                .tiered(),
        )
    }
    let (size, k, misere) = (args.whole("size"), args.whole("k"), args.flag("misere"));
    let bits = Sized::<u64>::bits(size);
    Ok(if (size, k, misere) == (3, 3, false) {
        go(Fixed::<3, 3>, args, visitor)
    } else if bits <= u64::BITS {
        go(Sized::<u64>::new(size, k, misere), args, visitor)
    } else if bits <= u128::BITS {
        go(Sized::<u128>::new(size, k, misere), args, visitor)
    } else {
        go(Sized::<Wide>::new(size, k, misere), args, visitor)
    })
}
