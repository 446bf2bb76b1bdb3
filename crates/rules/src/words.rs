//! Table of words: the name, sort, arguments and meaning of each.
//!
//! The checker, its messages, the genomes and the printed reference all read this table.

use std::fmt;

/// Kind of value that an expression has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Sort {
    /// `mover`, `opponent`, `first`, `second`.
    Player,
    /// Directions of the board.
    Directions,
    /// Set of sites. A single site is a set of one.
    Set,
    /// Family of small sets, such as lines, which depends on the board only.
    Family,
    /// A whole number.
    Number,
    /// Condition, true or false.
    Condition,
    /// Moves that may be played.
    Moves,
    /// Effect of a move beside the move itself.
    Effect,
    /// Result of a game.
    Result,
}

impl Sort {
    /// All sorts, in the order of the printed reference.
    pub const ALL: [Sort; 9] = [
        Sort::Player,
        Sort::Directions,
        Sort::Set,
        Sort::Family,
        Sort::Number,
        Sort::Condition,
        Sort::Moves,
        Sort::Effect,
        Sort::Result,
    ];

    /// Heading of the words of the sort.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Sort::Player => "players",
            Sort::Directions => "directions",
            Sort::Set => "sets of sites",
            Sort::Family => "lines and shapes",
            Sort::Number => "numbers",
            Sort::Condition => "conditions",
            Sort::Moves => "moves",
            Sort::Effect => "effects",
            Sort::Result => "results",
        }
    }
}

impl fmt::Display for Sort {
    /// Writes the sort with its article: `a set of sites`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Sort::Player => "a player",
            Sort::Directions => "a direction",
            Sort::Set => "a set of sites",
            Sort::Family => "a line or shape",
            Sort::Number => "a number",
            Sort::Condition => "a condition",
            Sort::Moves => "a move",
            Sort::Effect => "an effect",
            Sort::Result => "a result",
        })
    }
}

/// Quantity that a whole number counts. Its range depends on the board or is the same on all
/// boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Int {
    Row,
    Column,
    /// Number of rows of `home` and `far`.
    Rows,
    /// Length of a line.
    Line,
    /// Length of a run of `custodial`.
    Run,
    /// Length of a slide.
    Slide,
    /// Number of bends that a ride passes.
    Bends,
    /// Number of plies of `opening`.
    Opening,
    /// Number of seeds that a pit of `back` holds.
    Seeds,
    /// Coordinate of a shape.
    Cell,
    /// Coordinate of a leap.
    Offset,
    /// Number of plies of `quiet`.
    Quiet,
}

impl Int {
    /// Name in messages, and smallest and largest value; `None` if the range depends on the board.
    pub(crate) fn bounds(self) -> Option<(&'static str, i32, i32)> {
        Some(match self {
            Int::Run => ("the length of a run", 1, 512),
            Int::Slide => ("the length of a slide", 1, 512),
            Int::Bends => ("a number of bends", 0, 128),
            Int::Opening => ("a number of plies", 1, 1_000),
            Int::Quiet => ("a number of plies", 1, 100_000),
            Int::Cell | Int::Offset => ("a coordinate", -25, 25),
            Int::Seeds => ("a number of seeds", i32::MIN, i32::MAX),
            Int::Row | Int::Column | Int::Rows | Int::Line => return None,
        })
    }
}

/// Kinds of pieces that an argument may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kinds {
    Any,
    /// Kinds that players own.
    Owned,
    /// Kinds that have a hand.
    InHand,
    /// Owned or neutral kinds, depending on the first argument of `put`.
    Put,
}

/// Type of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    Player,
    /// Player or `neutral`.
    Taker,
    Directions,
    Set,
    Family,
    Number,
    Condition,
    Moves,
    /// Moves after the first part of a `seq`.
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
    /// This exact word.
    Only(&'static str),
    /// One of the words `no`, `must` and `may`.
    Chain,
    /// One of the words `to` and `next`.
    Laps,
}

impl Role {
    /// Placeholder in patterns.
    fn pattern(self) -> &'static str {
        match self {
            Role::Player => "PLAYER",
            Role::Taker => "PLAYER|neutral",
            Role::Directions | Role::Side => "DIRECTION",
            Role::Set => "SET",
            Role::Family => "LINE",
            Role::Condition => "CONDITION",
            Role::Moves | Role::Later => "MOVES",
            Role::Effect => "EFFECT",
            Role::Kind(_) => "KIND",
            Role::Int(Int::Line) => "K",
            Role::Number | Role::Int(_) => "N",
            Role::Site => "SITE",
            Role::Pair(_) => "(X Y)",
            Role::Offsets => "(offsets (X Y) ..)",
            Role::Only(word) => word,
            Role::Chain => "no|must|may",
            Role::Laps => "to|next",
        }
    }
}

/// Argument and its number of occurrences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Arg {
    One(Role),
    May(Role),
    /// List with the usual minimum and the maximum number of arguments. See [`Word::arity`].
    Many(Role, usize, usize),
}

impl Arg {
    pub(crate) fn role(self) -> Role {
        match self {
            Arg::One(role) | Arg::May(role) | Arg::Many(role, ..) => role,
        }
    }
}

/// Patterns of arguments.
fn patterns(args: &[Arg]) -> impl Iterator<Item = String> {
    args.iter().enumerate().map(move |(n, arg)| {
        // A second number of the same type ends a range.
        let is_end = matches!(arg, Arg::One(Role::Int(_))) && args[..n].contains(arg);
        let role = if is_end { "M" } else { arg.role().pattern() };
        match arg {
            Arg::One(_) => role.to_owned(),
            Arg::May(_) => format!("[{role}]"),
            Arg::Many(_, usual, _) => format!("{role} ").repeat(*usual) + "..",
        }
    })
}

/// Word of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word itself.
    pub name: &'static str,
    /// Sort of the expressions that it begins.
    pub sort: Sort,
    /// Meaning in one sentence without a full stop.
    pub meaning: &'static str,
    /// Example that is valid wherever its sort may stand.
    pub example: &'static str,
    /// Whether the word refers to a move, so that it is not allowed before a move is made.
    pub of_move: bool,
    /// Arguments.
    pub(crate) args: &'static [Arg],
    /// Clauses that may follow the arguments, in order.
    pub(crate) clauses: &'static [&'static str],
    /// Relative frequency in random expressions, among the words of its sort.
    pub(crate) weight: u32,
    /// Whether its value is the same in every position if those of its arguments are.
    pub(crate) fixed: bool,
    /// Whether it is only for boards of pits.
    pub(crate) of_pits: bool,
    /// Whether it is only for boards without pits.
    pub(crate) of_pieces: bool,
}

impl Word {
    /// Pattern of the word with its arguments: `(next SET [DIRECTION])`.
    #[must_use]
    pub fn pattern(&self) -> String {
        let clause = |name: &&str| {
            format!("[({name} {})]", patterns(clause(name)).collect::<Vec<_>>().join(" "))
        };
        let after = patterns(self.args).chain(self.clauses.iter().map(clause));
        let words: Vec<String> = std::iter::once(self.name.to_owned()).chain(after).collect();
        if let [name] = &words[..] { name.clone() } else { format!("({})", words.join(" ")) }
    }

    /// Tests whether the word names a part of the board.
    pub(crate) fn is_region(&self) -> bool {
        self.fixed && self.args.iter().all(|arg| arg.role() != Role::Set)
    }

    /// Smallest and largest number of arguments, clauses aside. A list may have a single element,
    /// which means the same as the element alone; only lists of moves need their usual minimum.
    pub(crate) fn arity(&self) -> (usize, usize) {
        let sum = |(least, most), arg: &Arg| match *arg {
            Arg::One(_) => (least + 1, most + 1),
            Arg::May(_) => (least, most + 1),
            Arg::Many(_, usual, more) if self.sort == Sort::Moves => (least + usual, most + more),
            Arg::Many(_, _, more) => (least + 1, most + more),
        };
        self.args.iter().fold((0, 0), sum)
    }
}

macro_rules! words {
    ($($sort:ident: $(
        $name:literal $weight:literal $({$($flag:ident),+})? [$($arg:expr),*] $([$($clause:literal),+])?
        $meaning:literal, $example:literal;
    )+)+) => {
        /// All words of the language, grouped by sort.
        pub static WORDS: &[Word] = &[$($(
            Word {
                $($($flag: true,)+)?
                $(clauses: &[$($clause),+],)?
                name: $name,
                sort: Sort::$sort,
                meaning: $meaning,
                example: $example,
                args: &[$($arg),*],
                weight: $weight,
                ..PLAIN
            },
        )+)+];
    };
}

/// Word without arguments that may stand everywhere.
const PLAIN: Word = Word {
    name: "",
    sort: Sort::Set,
    meaning: "",
    example: "",
    of_move: false,
    args: &[],
    clauses: &[],
    weight: 0,
    fixed: false,
    of_pits: false,
    of_pieces: false,
};

use Arg::{Many, May, One};
use Int::{Column, Line, Opening, Row, Rows, Run, Seeds};
use Kinds::{Any, InHand, Owned};
use Role::{
    Condition, Directions, Effect, Family, Int as Whole, Kind, Later, Moves, Number, Pair, Player,
    Set, Side, Site,
};

/// Largest number of movers of a text.
pub(crate) const MOVERS_MAX: usize = 60;

/// Largest number of parts of a move.
pub(crate) const PARTS_MAX: usize = 4;

// Each entry: the word, its weight in random expressions, the flags for where it may stand, its
// arguments and clauses, its meaning, and an example.
words! {
    Player:
        "mover" 4 [] "the player of this move; in `end` the player that has just moved, in `stuck` the one that cannot", "mover";
        "opponent" 3 [] "the other player", "opponent";
        "first" 1 [] "the first player", "first";
        "second" 1 [] "the second player", "second";
    Directions:
        "n" 1 [] "north: up the board, for both players", "n";
        "ne" 1 [] "north-east", "ne";
        "e" 1 [] "east: to the right", "e";
        "se" 1 [] "south-east", "se";
        "s" 1 [] "south: down the board", "s";
        "sw" 1 [] "south-west", "sw";
        "w" 1 [] "west: to the left", "w";
        "nw" 1 [] "north-west", "nw";
        "orthogonal" 12 [] "along rows and columns", "orthogonal";
        "diagonal" 8 [] "across the corners of cells", "diagonal";
        "all" 16 [] "every direction of the board", "all";
        "forward" 6 [] "away from the mover; the first player looks north", "forward";
        "backward" 3 [] "towards the mover", "backward";
        "sideways" 5 [] "to the left and to the right", "sideways";
        "forward-diagonal" 6 [] "forward and aside", "forward-diagonal";
        "backward-diagonal" 3 [] "backward and aside", "backward-diagonal";
        "or" 6 [Many(Directions, 2, 16)] "all of these", "(or forward sideways)";
    Set:
        "empty" 12 [] "sites where nothing stands", "empty";
        "occupied" 4 [] "sites where something stands", "occupied";
        "everywhere" 1 {fixed} [] "all sites", "everywhere";
        "mine" 10 [May(Kind(Any))] "the mover's pieces", "(mine king)";
        "theirs" 12 [May(Kind(Any))] "the opponent's pieces", "theirs";
        "piece" 2 {of_pieces} [One(Kind(Any))] "pieces of a kind, whoever owns them", "(piece king)";
        "to" 6 {of_move} [] "where the piece arrives", "to";
        "from" 3 {of_move} [] "where the piece comes from", "from";
        "over" 2 {of_move, of_pieces} [] "the site that is hopped over", "over";
        "taken" 3 {of_move} [] "sites that lost or changed a piece in this ply", "taken";
        "last" 2 [One(Player)] "where that player arrived last", "(last opponent)";
        "sites" 1 {fixed} [Many(Site, 1, 512)] "these sites", "(sites a1 b2)";
        "row" 1 {fixed, of_pieces} [One(Whole(Row))] "a row, counted from the south", "(row 1)";
        "rows" 1 {fixed, of_pieces} [One(Whole(Row)), One(Whole(Row))] "rows from N to M", "(rows 1 2)";
        "column" 1 {fixed, of_pieces} [One(Whole(Column))] "a column, counted from the west", "(column 3)";
        "columns" 1 {fixed, of_pieces} [One(Whole(Column)), One(Whole(Column))] "columns from N to M", "(columns 1 2)";
        "home" 3 {fixed} [One(Whole(Rows))] "the N rows nearest to the mover; on pits its row", "(home 2)";
        "far" 4 {fixed} [One(Whole(Rows))] "the N rows farthest from the mover; on pits the other's row", "(far 1)";
        "side" 2 {fixed, of_pieces} [One(Side)] "an edge of the board: n, e, s or w; of a hexagon n, ne, se, s, sw or nw", "(side n)";
        "edges" 2 {fixed, of_pieces} [] "all edges of the board", "edges";
        "corners" 2 {fixed, of_pieces} [] "the corners of the board", "corners";
        "center" 2 {fixed, of_pieces} [] "the middle of the board: one site, or four", "center";
        "dark" 2 {fixed, of_pieces} [] "every other cell, a1 among them", "dark";
        "light" 2 {fixed, of_pieces} [] "the cells that are not dark", "light";
        "and" 8 {fixed} [Many(Set, 2, 512)] "sites that are in all of these", "(and dark (home 3))";
        "or" 6 {fixed} [Many(Set, 2, 512)] "sites that are in one of these", "(or empty theirs)";
        "not" 2 {fixed} [One(Set)] "all other sites", "(not edges)";
        "first-of" 1 {fixed} [Many(Set, 2, 512)] "the first of these that is not empty", "(first-of (next (last opponent)) everywhere)";
        "next" 8 {fixed, of_pieces} [One(Set), May(Directions)] "neighbours of the sites", "(next mine orthogonal)";
        "rays" 3 {of_pieces} [One(Set), One(Directions)] "empty sites in sight of the sites", "(rays to all)";
        "custodial" 6 {of_move, of_pieces} [One(Directions), May(Whole(Run))] "unbroken runs of theirs, of at most N, between `to` and a piece of the mover", "(custodial all)";
        "joined" 2 {of_pieces} [One(Set), One(Set)] "sites of the second set that are connected within it to a site of both", "(joined to occupied)";
        "enclosed" 5 {of_pieces} [One(Set)] "sites of the set whose connected group has no empty neighbour", "(enclosed theirs)";
        "covered" 2 {of_pieces} [One(Family), One(Set)] "sites of lines or shapes that lie wholly in the set", "(covered (line 3) theirs)";
        "supported" 3 {of_pieces} [] "empty sites with nothing empty below: gravity", "supported";
        "store" 3 {of_move, of_pits} [] "pits only: the mover's store", "store";
        "opposite" 4 {of_pits} [One(Set)] "pits only: the facing pits", "(opposite to)";
        "back" 3 {of_move, of_pits} [One(Set), Many(Whole(Seeds), 1, 63)] "pits only: the unbroken run of pits of the set, backwards from `to`, that hold one of the numbers", "(back (far 1) 2 3)";
        "after" 2 {of_pits} [One(Set)] "pits only: the pits that follow those of the set, counter-clockwise and without the stores", "(after to)";
        "counterpart" 1 {of_pits} [One(Set)] "pits only: the pits of the same numbers in the other row", "(counterpart to)";
        "claimed" 2 {of_pits} [One(Player)] "pits only: the pits that the player has claimed", "(claimed mover)";
    Family:
        "line" 6 [One(Whole(Line)), May(Directions), May(Role::Only("exactly"))] "straight runs of K or more, or of exactly K", "(line 3 orthogonal)";
        "shape" 3 [Many(Pair(Int::Cell), 1, 32)] "a pattern of cells, moved, turned and mirrored; grids only", "(shape (0 0) (1 0) (0 1) (1 1))";
        "boxes" 6 [] "the four sides of each box of a lattice", "boxes";
    Number:
        "count" 8 [One(Set)] "how many sites the set has", "(count mine)";
        "groups" 2 {of_pieces} [One(Set)] "how many connected groups the set has", "(groups mine)";
        "largest" 2 {of_pieces} [One(Set)] "how many sites the largest connected group has", "(largest mine)";
        "score" 2 [May(Player)] "points; on pits the seeds in the store", "(score opponent)";
        "hand" 2 {of_pieces} [One(Player), May(Kind(InHand))] "pieces that are not placed yet", "(hand mover)";
        "made" 2 {of_move, of_pieces} [One(Family), May(Set)] "how many lines or shapes through `to` lie wholly in the set, by default `mine`; a run longer than the line counts once for each place", "(made (line 3))";
        "seeds" 8 {of_pits} [One(Set)] "pits only: the seeds in the pits", "(seeds to)";
        "+" 1 [Many(Number, 2, 32)] "the sum", "(+ (count mine) 1)";
        "-" 1 [One(Number), One(Number)] "the difference", "(- (count mine) (count theirs))";
    Condition:
        "=" 3 [One(Number), One(Number)] "both are the same", "(= (count mine) 3)";
        "<" 3 [One(Number), One(Number)] "the first is less", "(< (count theirs) 3)";
        ">" 3 [One(Number), One(Number)] "the first is greater", "(> (count mine) 3)";
        "<=" 1 [One(Number), One(Number)] "the first is not greater", "(<= (count mine) 3)";
        ">=" 3 [One(Number), One(Number)] "the first is not less", "(>= (count mine) 3)";
        "some" 5 [One(Set)] "the set is not empty", "(some taken)";
        "none" 5 [One(Set)] "the set is empty", "(none theirs)";
        "in" 5 [One(Set), One(Set)] "the first set is not empty and lies within the second", "(in to (far 1))";
        "is" 1 [One(Player), One(Player)] "both are the same player", "(is mover first)";
        "makes" 6 {of_move, of_pieces} [One(Family), May(Set)] "a line or shape through `to` lies wholly in the set, by default `mine`", "(makes (line 3))";
        "connects" 2 {of_pieces} [One(Set), Many(Set, 2, 15)] "one connected group of the first set touches all others", "(connects mine (side s) (side n))";
        "opening" 1 [One(Whole(Opening))] "fewer than N plies were played before this one", "(opening 2)";
        "and" 2 [Many(Condition, 2, 64)] "all hold", "(and (is mover first) (some taken))";
        "or" 2 [Many(Condition, 2, 64)] "one holds", "(or (none mine) (none theirs))";
        "not" 1 [One(Condition)] "it does not hold", "(not (some taken))";
        "even" 2 {of_pits} [One(Number)] "pits only: the number is even, as 0, 2 and 4 are", "(even (seeds to))";
    Moves:
        "place" 6 {of_pieces} [May(Kind(Any))] ["to", "then", "only-if"] "puts a piece on a site, from the hand if its kind has one; by default the first kind, on `empty`", "(place man)";
        "step" 8 {of_pieces} [May(Kind(Any)), One(Directions)] ["to", "then", "only-if"] "moves a piece to a linked neighbour", "(step man forward)";
        "slide" 5 {of_pieces} [May(Kind(Any)), One(Directions)] ["to", "at-most", "then", "only-if"] "moves a piece over empty sites along a line", "(slide man all (at-most 2))";
        "leap" 2 {of_pieces} [May(Kind(Any)), One(Role::Offsets)] ["to", "then", "only-if"] "moves a piece by an offset, turned and mirrored; grids only", "(leap man (offsets (1 2)))";
        "fly" 1 {of_pieces} [May(Kind(Any))] ["to", "then", "only-if"] "moves a piece to any site", "(fly man)";
        "ride" 4 {of_pieces} [May(Kind(Any))] ["bends", "to", "then", "only-if"] "moves a piece along a track of the board, either way, over empty sites; its own site counts as empty", "(ride man (bends 1) (to theirs))";
        "hop" 5 {of_pieces} [May(Kind(Any)), One(Directions)] ["over", "to", "chain", "then", "only-if"] "moves a piece over a neighbour to the site right behind; with `chain` on and on. Without effects only the end of a chain counts", "(hop man all (then (capture over)))";
        "remove" 1 {of_pieces} [One(Set)] "takes a piece of the set off the board, at choice", "(remove theirs)";
        "sow" 8 {of_pits} [] ["stores", "skip", "leave", "laps", "then", "only-if"] "pits only: sows the seeds of an own pit, one by one counter-clockwise", "(sow (stores own))";
        "swap" 1 {of_pieces} [May(Role::Only("mirror"))] "in the second ply, exchanges the pieces of both players", "(swap)";
        "pass" 1 [] "does nothing", "pass";
        "or" 4 [Many(Moves, 2, MOVERS_MAX)] "all of these", "(or (place man) (step man all))";
        "first-of" 3 [Many(Moves, 2, MOVERS_MAX)] "those of the first that offers any", "(first-of (hop man all) (step man all))";
        "seq" 2 [One(Moves), Many(Later, 1, PARTS_MAX - 1)] "one after the other, as one move; a later part that is not possible is left out", "(seq (step man all) (place man))";
        "if" 2 [One(Condition), One(Moves), May(Moves)] "by a condition before the move", "(if (none mine) (place man) (step man all))";
    Effect:
        "capture" 8 {of_pieces} [One(Set)] "the pieces leave the board", "(capture (and theirs (next to)))";
        "flip" 5 {of_pieces} [One(Set)] "theirs become the mover's", "(flip (custodial all))";
        "put" 2 {of_pieces} [One(Role::Taker), One(Kind(Kinds::Put)), One(Set)] "puts pieces on the empty sites of the set", "(put mover man from)";
        "become" 2 {of_pieces} [One(Kind(Owned))] "the piece on `to` changes its kind", "(become king)";
        "add" 2 {of_pieces} [One(Number), May(Player)] "points for the mover or another player", "(add 1)";
        "again" 1 [] "the mover stays on turn", "again";
        "if" 3 [One(Condition), Many(Effect, 1, 63)] "the effects happen if the condition holds", "(if (some taken) again)";
        "collect" 8 {of_pits} [One(Set)] "pits only: the seeds go to the mover's store", "(collect to)";
        "sweep" 1 {of_pits} [] "pits only: each player's row goes to its store", "sweep";
        "claim" 2 {of_pits} [One(Set)] "pits only: the pits are the mover's for the rest of the game, unless a player has claimed them: their seeds, and all that fall into them, go to the mover's store", "(claim to)";
    Result:
        "win" 6 [One(Player)] "the player wins", "(win mover)";
        "lose" 3 [One(Player)] "the player loses", "(lose mover)";
        "draw" 2 [] "neither player wins", "draw";
        "most" 3 [One(Number)] "the number is computed for each player as `mover`, and the greater wins", "(most (count mine))";
        "least" 1 [One(Number)] "the same, and the smaller wins", "(least (count mine))";
}

/// All words of a sort.
pub fn words_of(sort: Sort) -> impl Iterator<Item = &'static Word> {
    WORDS.iter().filter(move |word| word.sort == sort)
}

/// Word of a sort with this name.
pub(crate) fn word(sort: Sort, name: &str) -> Option<&'static Word> {
    words_of(sort).find(|word| word.name == name)
}

/// Clauses of a mover.
pub(crate) fn clauses(mover: &str) -> &'static [&'static str] {
    word(Sort::Moves, mover).map_or(&[], |word| word.clauses)
}

/// Arguments of a clause.
pub(crate) fn clause(name: &str) -> &'static [Arg] {
    match name {
        "to" | "over" => &[One(Set)],
        "then" => &[Many(Effect, 1, 64)],
        "only-if" => &[One(Condition)],
        "at-most" => &[One(Whole(Int::Slide))],
        "bends" => &[One(Whole(Int::Bends))],
        "chain" => &[One(Role::Chain)],
        "laps" => &[One(Role::Laps)],
        "leave" => &[One(Role::Only("one"))],
        "stores" => &[One(Role::Only("own"))],
        "skip" => &[One(Role::Only("origin"))],
        _ => &[],
    }
}
