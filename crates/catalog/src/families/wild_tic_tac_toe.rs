//! Family `wild_tic_tac_toe`.

use treegauge_games::wild_tic_tac_toe::WildTicTacToe;

use crate::{Args, Entry, Family, LibraryGroup, Origin, Visitor};

pub(crate) const FAMILY: Family = Family {
    name: "wild_tic_tac_toe",
    aliases: &[],
    summary: "place a cross or a nought, as you like; three alike in a line win",
    rules: "In turn each player places a cross or a nought, whichever it likes, on an empty cell of 3 x 3. The first player to complete three equal marks in a line wins; a full board without such a line is a draw.",
    moves: "the mark and the cell, `Xb2` or `Oa1`",
    parameters: &[],
    both: &[],
    presets: &[],
    origin: Some(Origin {
        title: "Wild Tic-Tac-Toe",
        group: LibraryGroup::Lines,
        year: "year unknown",
        author: None,
        source: "Williams, \"Determining Game Quality Through UCT Tree Shape Analysis\", 2010; Wikipedia, \"Tic-tac-toe variants\"",
        differs: None,
    }),
};

pub(crate) fn visit<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, String> {
    let game = WildTicTacToe::new(args.ply_cap());
    Ok(visitor.visit(Entry::new(game).actions().tensor().symmetric().tiered()))
}
