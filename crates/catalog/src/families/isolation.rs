//! `isolation`.

use treegauge_core::Game;
use treegauge_games::Word;
use treegauge_games::isolation::{Isolation, Piece, Setup, Starts};

use crate::{Args, Entry, Family, Parameter, Values, Visitor};

pub(crate) const FAMILY: Family = Family {
    name: "isolation",
    aliases: &[],
    summary: "move your token; squares are used up; who cannot move loses",
    parameters: &[
        Parameter { name: "cols", default: "7", values: Values::Whole(2, 11), help: "columns" },
        Parameter { name: "rows", default: "7", values: Values::Whole(2, 11), help: "rows" },
        Parameter {
            name: "piece",
            default: "knight",
            values: Values::Word(&["knight", "queen", "king_remove"]),
            help: "how tokens move; a king's player removes a square after each step",
        },
        Parameter {
            name: "starts",
            default: "free",
            values: Values::Word(&["free", "fixed"]),
            help: "whether players place their tokens or begin with them on the board",
        },
    ],
    both: &[],
    presets: &[],
};

pub(crate) fn visit<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, String> {
    fn go<W: Word, V: Visitor>(
        setup: Setup,
        args: &Args,
        visitor: V,
    ) -> Result<V::Output, String> {
        let game = Isolation::<W>::new(setup, args.ply_cap());
        if game.outcome(&game.start()).is_some() {
            return Err("the first player cannot move from the fixed start".to_owned());
        }
        Ok(visitor.visit(Entry::new(game).symmetric().tiered()))
    }
    let setup = Setup {
        cols: args.whole("cols"),
        rows: args.whole("rows"),
        piece: match args.text("piece") {
            "queen" => Piece::Queen,
            "king_remove" => Piece::KingRemove,
            _ => Piece::Knight,
        },
        starts: match args.text("starts") {
            "fixed" => Starts::Fixed,
            _ => Starts::Free,
        },
    };
    if Isolation::<u64>::bits(setup.cols, setup.rows) <= u64::BITS {
        go::<u64, V>(setup, args, visitor)
    } else {
        go::<u128, V>(setup, args, visitor)
    }
}
