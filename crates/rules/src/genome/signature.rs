//! What each word takes, by the table of words: the parts of its arguments, and how often a random
//! expression has it.

use super::tree::When;
use crate::words::Sort;

/// What a whole number counts; its range follows from the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Int {
    Row,
    Column,
    /// How many rows `home` and `far` have.
    Rows,
    /// The length of a line.
    Line,
    /// The length of a run of `custodial`.
    Run,
    /// The length of a slide.
    Slide,
    /// The plies of `opening`.
    Opening,
    /// The seeds that a pit of `back` holds.
    Seeds,
    /// A coordinate of a shape.
    Cell,
    /// A coordinate of a leap.
    Offset,
    /// The plies of `quiet`.
    Quiet,
}

/// Which kinds of pieces may stand at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kinds {
    Any,
    /// Those that players own.
    Owned,
    /// Those that pieces in hand have.
    InHand,
    /// Owned or neutral, as the first argument of `put` says.
    Put,
}

/// What an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Role {
    Player,
    /// A player or `neutral`.
    Taker,
    Directions,
    Set,
    Family,
    Number,
    Condition,
    Moves,
    /// Moves behind a first part.
    Later,
    Effect,
    Kind(Kinds),
    Int(Int),
    Site,
    Side,
    /// Two coordinates.
    Pair(Int),
    /// All offsets of a leap.
    Offsets,
    /// A word that has no other in its place.
    Only(&'static str),
    /// `no`, `must` or `may`.
    Chain,
}

/// An argument and how often it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Arg {
    One(Role),
    May(Role),
    /// At least so many.
    Many(Role, usize),
}

/// A word with its arguments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signature {
    pub(super) sort: Sort,
    pub(super) name: &'static str,
    pub(super) args: &'static [Arg],
    /// How often a random expression begins with it, among the words of its sort.
    pub(super) weight: u32,
}

use Arg::{Many, May, One};
use Role::{
    Condition, Directions, Effect, Family, Later, Moves, Number, Pair, Player, Set, Side, Site,
};

macro_rules! signatures {
    ($($sort:ident: $($name:literal $weight:literal [$($arg:expr),*];)+)+) => {
        /// Every word of the language.
        pub(super) static SIGNATURES: &[Signature] = &[$($(Signature {
            sort: Sort::$sort,
            name: $name,
            args: &[$($arg),*],
            weight: $weight,
        },)+)+];
    };
}

const ANY: Role = Role::Kind(Kinds::Any);
const OWNED: Role = Role::Kind(Kinds::Owned);

signatures! {
    Player:
        "mover" 4 [];
        "opponent" 3 [];
        "first" 1 [];
        "second" 1 [];
    Directions:
        "n" 1 [];
        "ne" 1 [];
        "e" 1 [];
        "se" 1 [];
        "s" 1 [];
        "sw" 1 [];
        "w" 1 [];
        "nw" 1 [];
        "orthogonal" 12 [];
        "diagonal" 8 [];
        "all" 16 [];
        "forward" 6 [];
        "backward" 3 [];
        "sideways" 5 [];
        "forward-diagonal" 6 [];
        "backward-diagonal" 3 [];
        "or" 6 [Many(Directions, 2)];
    Set:
        "empty" 12 [];
        "occupied" 4 [];
        "everywhere" 1 [];
        "mine" 10 [May(ANY)];
        "theirs" 12 [May(ANY)];
        "piece" 2 [One(ANY)];
        "to" 6 [];
        "from" 3 [];
        "over" 2 [];
        "taken" 3 [];
        "last" 2 [One(Player)];
        "sites" 1 [Many(Site, 1)];
        "row" 1 [One(Role::Int(Int::Row))];
        "rows" 1 [One(Role::Int(Int::Row)), One(Role::Int(Int::Row))];
        "column" 1 [One(Role::Int(Int::Column))];
        "columns" 1 [One(Role::Int(Int::Column)), One(Role::Int(Int::Column))];
        "home" 3 [One(Role::Int(Int::Rows))];
        "far" 4 [One(Role::Int(Int::Rows))];
        "side" 2 [One(Side)];
        "edges" 2 [];
        "corners" 2 [];
        "center" 2 [];
        "dark" 2 [];
        "light" 2 [];
        "and" 8 [Many(Set, 2)];
        "or" 6 [Many(Set, 2)];
        "not" 2 [One(Set)];
        "first-of" 1 [Many(Set, 2)];
        "next" 8 [One(Set), May(Directions)];
        "rays" 3 [One(Set), One(Directions)];
        "custodial" 6 [One(Directions), May(Role::Int(Int::Run))];
        "joined" 2 [One(Set), One(Set)];
        "enclosed" 5 [One(Set)];
        "covered" 2 [One(Family), One(Set)];
        "supported" 3 [];
        "store" 3 [];
        "opposite" 4 [One(Set)];
        "back" 3 [One(Set), Many(Role::Int(Int::Seeds), 1)];
    Family:
        "line" 6 [One(Role::Int(Int::Line)), May(Directions), May(Role::Only("exactly"))];
        "shape" 3 [Many(Pair(Int::Cell), 1)];
        "boxes" 6 [];
    Number:
        "count" 8 [One(Set)];
        "groups" 2 [One(Set)];
        "largest" 2 [One(Set)];
        "score" 2 [May(Player)];
        "hand" 2 [One(Player), May(Role::Kind(Kinds::InHand))];
        "made" 2 [One(Family), May(Set)];
        "seeds" 8 [One(Set)];
        "+" 1 [Many(Number, 2)];
        "-" 1 [One(Number), One(Number)];
    Condition:
        "=" 3 [One(Number), One(Number)];
        "<" 3 [One(Number), One(Number)];
        ">" 3 [One(Number), One(Number)];
        "<=" 1 [One(Number), One(Number)];
        ">=" 3 [One(Number), One(Number)];
        "some" 5 [One(Set)];
        "none" 5 [One(Set)];
        "in" 5 [One(Set), One(Set)];
        "is" 1 [One(Player), One(Player)];
        "makes" 6 [One(Family), May(Set)];
        "connects" 2 [One(Set), Many(Set, 2)];
        "opening" 1 [One(Role::Int(Int::Opening))];
        "and" 2 [Many(Condition, 2)];
        "or" 2 [Many(Condition, 2)];
        "not" 1 [One(Condition)];
    Moves:
        "place" 6 [May(ANY)];
        "step" 8 [May(ANY), One(Directions)];
        "slide" 5 [May(ANY), One(Directions)];
        "leap" 2 [May(ANY), One(Role::Offsets)];
        "fly" 1 [May(ANY)];
        "hop" 5 [May(ANY), One(Directions)];
        "remove" 1 [One(Set)];
        "sow" 8 [];
        "swap" 1 [May(Role::Only("mirror"))];
        "pass" 1 [];
        "or" 4 [Many(Moves, 2)];
        "first-of" 3 [Many(Moves, 2)];
        "seq" 2 [One(Moves), Many(Later, 1)];
        "if" 2 [One(Condition), One(Moves), May(Moves)];
    Effect:
        "capture" 8 [One(Set)];
        "flip" 5 [One(Set)];
        "put" 2 [One(Role::Taker), One(Role::Kind(Kinds::Put)), One(Set)];
        "become" 2 [One(OWNED)];
        "add" 2 [One(Number), May(Player)];
        "again" 1 [];
        "if" 3 [One(Condition), Many(Effect, 1)];
        "collect" 8 [One(Set)];
        "sweep" 1 [];
    Result:
        "win" 6 [One(Player)];
        "lose" 3 [One(Player)];
        "draw" 2 [];
        "most" 3 [One(Number)];
        "least" 1 [One(Number)];
}

/// The arguments of a clause of a mover.
pub(super) fn clause(name: &str) -> &'static [Arg] {
    match name {
        "to" | "over" => &[One(Set)],
        "then" => &[Many(Effect, 1)],
        "only-if" => &[One(Condition)],
        "at-most" => &[One(Role::Int(Int::Slide))],
        "chain" => &[One(Role::Chain)],
        "stores" => &[One(Role::Only("own"))],
        "skip" => &[One(Role::Only("origin"))],
        _ => &[],
    }
}

/// When what stands in a clause is asked; its mover is asked at `when`.
pub(super) fn clause_when(name: &str, when: When) -> When {
    if matches!(name, "then" | "only-if") { When::OfMove } else { when }
}

/// The signature of a word of a sort.
pub(super) fn signature(sort: Sort, name: &str) -> Option<&'static Signature> {
    SIGNATURES.iter().find(|known| known.sort == sort && known.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::WORDS;

    #[test]
    fn every_word_of_the_language_has_a_signature() {
        let words: Vec<_> = WORDS.iter().map(|word| (word.sort, word.name)).collect();
        let known: Vec<_> = SIGNATURES.iter().map(|known| (known.sort, known.name)).collect();
        assert_eq!(known, words);
    }
}
