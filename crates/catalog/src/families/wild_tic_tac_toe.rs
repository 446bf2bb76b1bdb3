//! `wild_tic_tac_toe`.

use treegauge_games::wild_tic_tac_toe::WildTicTacToe;

use crate::{Args, Entry, Family, Visitor};

pub(crate) const FAMILY: Family = Family {
    name: "wild_tic_tac_toe",
    aliases: &[],
    summary: "place a cross or a nought, as you like; three alike in a line win",
    parameters: &[],
    both: &[],
    presets: &[],
};

pub(crate) fn visit<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, String> {
    let game = WildTicTacToe::new(args.ply_cap());
    Ok(visitor.visit(Entry::new(game).symmetric().tiered()))
}
