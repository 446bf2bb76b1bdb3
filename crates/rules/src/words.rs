//! The table of words: what each is called, what it makes, and what it means.
//!
//! The checker, its messages and the printed reference all read this table.

use std::fmt;

/// What an expression makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Sort {
    /// `mover`, `opponent`, `first`, `second`.
    Player,
    /// Directions of the board.
    Directions,
    /// A set of sites; a single site is a set of one.
    Set,
    /// A family of small sets that is fixed by the board.
    Family,
    /// A whole number.
    Number,
    /// Yes or no.
    Condition,
    /// What may be played.
    Moves,
    /// What happens besides.
    Effect,
    /// How a game ends.
    Result,
}

impl Sort {
    /// All sorts, in the order in which the reference lists them.
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

    /// The heading of its words.
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
    /// With its article: `a set of sites`.
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

/// A word of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word.
    pub name: &'static str,
    /// What it makes.
    pub sort: Sort,
    /// How it is written, with its arguments.
    pub pattern: &'static str,
    /// What it means, in one sentence without a full stop.
    pub meaning: &'static str,
    /// An example, which is valid where its sort may stand.
    pub example: &'static str,
    /// Whether it speaks of a move, so that it cannot stand where there is none yet.
    pub of_move: bool,
}

macro_rules! words {
    ($($sort:ident: $(
        $name:literal $(moved $moved:literal)? , $pattern:literal, $meaning:literal, $example:literal;
    )+)+) => {
        /// Every word of the language, by what it makes.
        pub static WORDS: &[Word] = &[$($(
            Word {
                name: $name,
                sort: Sort::$sort,
                pattern: $pattern,
                meaning: $meaning,
                example: $example,
                of_move: words!(@ $($moved)?),
            },
        )+)+];
    };
    (@ $moved:literal) => { $moved };
    (@) => { false };
}

words! {
    Player:
        "mover", "mover", "who plays this move; in `end` who has just played, in `stuck` who cannot", "mover";
        "opponent", "opponent", "the other player", "opponent";
        "first", "first", "the first player", "first";
        "second", "second", "the second player", "second";
    Directions:
        "n", "n", "north: up the board, for both players", "n";
        "ne", "ne", "north-east", "ne";
        "e", "e", "east: to the right", "e";
        "se", "se", "south-east", "se";
        "s", "s", "south: down the board", "s";
        "sw", "sw", "south-west", "sw";
        "w", "w", "west: to the left", "w";
        "nw", "nw", "north-west", "nw";
        "orthogonal", "orthogonal", "along rows and columns", "orthogonal";
        "diagonal", "diagonal", "across the corners of cells", "diagonal";
        "all", "all", "every direction of the board", "all";
        "forward", "forward", "away from the mover; the first player looks north", "forward";
        "backward", "backward", "towards the mover", "backward";
        "sideways", "sideways", "to the left and to the right", "sideways";
        "forward-diagonal", "forward-diagonal", "forward and aside", "forward-diagonal";
        "backward-diagonal", "backward-diagonal", "backward and aside", "backward-diagonal";
        "or", "(or DIRECTION DIRECTION ..)", "all of these", "(or forward sideways)";
    Set:
        "empty", "empty", "sites where nothing stands", "empty";
        "occupied", "occupied", "sites where something stands", "occupied";
        "everywhere", "everywhere", "all sites", "everywhere";
        "mine", "(mine [KIND])", "the mover's pieces", "(mine king)";
        "theirs", "(theirs [KIND])", "the opponent's pieces", "theirs";
        "piece", "(piece KIND)", "pieces of a kind, whoever owns them", "(piece king)";
        "to" moved true, "to", "where the piece arrives", "to";
        "from" moved true, "from", "where the piece comes from", "from";
        "over" moved true, "over", "the site that is hopped over", "over";
        "taken" moved true, "taken", "sites that lost or changed a piece in this ply", "taken";
        "last", "(last PLAYER)", "where that player arrived last", "(last opponent)";
        "sites", "(sites SITE ..)", "these sites", "(sites a1 b2)";
        "row", "(row N)", "a row, counted from the south", "(row 1)";
        "rows", "(rows N M)", "rows from N to M", "(rows 1 2)";
        "column", "(column N)", "a column, counted from the west", "(column 3)";
        "columns", "(columns N M)", "columns from N to M", "(columns 1 2)";
        "home", "(home N)", "the N rows nearest to the mover; on pits its row", "(home 2)";
        "far", "(far N)", "the N rows farthest from the mover; on pits the other's row", "(far 1)";
        "side", "(side DIRECTION)", "an edge of the board", "(side n)";
        "edges", "edges", "all edges of the board", "edges";
        "corners", "corners", "the corners of the board", "corners";
        "center", "center", "the middle of the board: one site, or four", "center";
        "dark", "dark", "every other cell, a1 among them", "dark";
        "light", "light", "the cells that are not dark", "light";
        "and", "(and SET SET ..)", "sites that are in all of these", "(and dark (home 3))";
        "or", "(or SET SET ..)", "sites that are in one of these", "(or empty theirs)";
        "not", "(not SET)", "all other sites", "(not edges)";
        "first-of", "(first-of SET SET ..)", "the first of these that is not empty", "(first-of (next (last opponent)) everywhere)";
        "next", "(next SET [DIRECTION])", "neighbours of the sites", "(next mine orthogonal)";
        "rays", "(rays SET DIRECTION)", "empty sites in sight of the sites", "(rays to all)";
        "custodial" moved true, "(custodial DIRECTION [N])", "unbroken runs of theirs, of at most N, between `to` and a piece of the mover", "(custodial all)";
        "joined", "(joined SET SET)", "sites of the second set that are connected within it to a site of both", "(joined to occupied)";
        "enclosed", "(enclosed SET)", "sites of the set whose connected group has no empty neighbour", "(enclosed theirs)";
        "covered", "(covered LINE SET)", "sites of lines or shapes that lie wholly in the set", "(covered (line 3) theirs)";
        "supported", "supported", "empty sites with nothing empty below: gravity", "supported";
        "store" moved true, "store", "pits only: the mover's store", "store";
        "opposite", "(opposite SET)", "pits only: the facing pits", "(opposite to)";
        "back" moved true, "(back SET N ..)", "pits only: the unbroken run of pits of the set, backwards from `to`, that hold one of the numbers", "(back (far 1) 2 3)";
    Family:
        "line", "(line K [DIRECTION] [exactly])", "straight runs of K or more, or of exactly K", "(line 3 orthogonal)";
        "shape", "(shape (X Y) ..)", "a pattern of cells, moved, turned and mirrored; grids only", "(shape (0 0) (1 0) (0 1) (1 1))";
        "boxes", "boxes", "the four sides of each box of a lattice", "boxes";
    Number:
        "count", "(count SET)", "how many sites the set has", "(count mine)";
        "groups", "(groups SET)", "how many connected groups the set has", "(groups mine)";
        "largest", "(largest SET)", "how many sites the largest connected group has", "(largest mine)";
        "score", "(score [PLAYER])", "points; on pits the seeds in the store", "(score opponent)";
        "hand", "(hand PLAYER [KIND])", "pieces that are not placed yet", "(hand mover)";
        "made" moved true, "(made LINE [SET])", "how many lines or shapes through `to` lie wholly in the set, by default `mine`", "(made (line 3))";
        "seeds", "(seeds SET)", "pits only: the seeds in the pits", "(seeds to)";
        "+", "(+ N N ..)", "the sum", "(+ (count mine) 1)";
        "-", "(- N N)", "the difference", "(- (count mine) (count theirs))";
    Condition:
        "=", "(= N N)", "both are the same", "(= (count mine) 3)";
        "<", "(< N N)", "the first is less", "(< (count theirs) 3)";
        ">", "(> N N)", "the first is greater", "(> (count mine) 3)";
        "<=", "(<= N N)", "the first is not greater", "(<= (count mine) 3)";
        ">=", "(>= N N)", "the first is not less", "(>= (count mine) 3)";
        "some", "(some SET)", "the set is not empty", "(some taken)";
        "none", "(none SET)", "the set is empty", "(none theirs)";
        "in", "(in SET SET)", "the first set is not empty and lies within the second", "(in to (far 1))";
        "is", "(is PLAYER PLAYER)", "both are the same player", "(is mover first)";
        "makes" moved true, "(makes LINE [SET])", "a line or shape through `to` lies wholly in the set, by default `mine`", "(makes (line 3))";
        "connects", "(connects SET SET SET ..)", "one connected group of the first set touches all others", "(connects mine (side s) (side n))";
        "opening", "(opening N)", "fewer than N plies were played before this one", "(opening 2)";
        "and", "(and CONDITION CONDITION ..)", "all hold", "(and (is mover first) (some taken))";
        "or", "(or CONDITION CONDITION ..)", "one holds", "(or (none mine) (none theirs))";
        "not", "(not CONDITION)", "it does not hold", "(not (some taken))";
    Moves:
        "place", "(place [KIND] [(to SET)] [(then EFFECT ..)] [(only-if CONDITION)])", "puts a piece on a site, from the hand if its kind has one; by default the first kind, on `empty`", "(place man)";
        "step", "(step [KIND] DIRECTION [(to SET)] [(then EFFECT ..)] [(only-if CONDITION)])", "moves a piece to a linked neighbour", "(step man forward)";
        "slide", "(slide [KIND] DIRECTION [(at-most N)] [(to SET)] [(then EFFECT ..)] [(only-if CONDITION)])", "moves a piece over empty sites along a line", "(slide man all (at-most 2))";
        "leap", "(leap [KIND] (offsets (X Y) ..) [(to SET)] [(then EFFECT ..)] [(only-if CONDITION)])", "moves a piece by an offset, turned and mirrored; grids only", "(leap man (offsets (1 2)))";
        "fly", "(fly [KIND] [(to SET)] [(then EFFECT ..)] [(only-if CONDITION)])", "moves a piece to any site", "(fly man)";
        "hop", "(hop [KIND] DIRECTION [(over SET)] [(to SET)] [(chain no|must|may)] [(then EFFECT ..)] [(only-if CONDITION)])", "moves a piece over a neighbour to the site right behind; with `chain` on and on", "(hop man all (then (capture over)))";
        "remove", "(remove SET)", "takes a piece of the set off the board, at choice", "(remove theirs)";
        "sow", "(sow [(stores own)] [(skip origin)] [(then EFFECT ..)] [(only-if CONDITION)])", "pits only: sows the seeds of an own pit, one by one counter-clockwise", "(sow (stores own))";
        "swap", "(swap [mirror])", "in the second ply, exchanges the pieces of both players", "(swap)";
        "pass", "pass", "does nothing", "pass";
        "or", "(or MOVES MOVES ..)", "all of these", "(or (place man) (step man all))";
        "first-of", "(first-of MOVES MOVES ..)", "those of the first that offers any", "(first-of (hop man all) (step man all))";
        "seq", "(seq MOVES MOVES ..)", "one after the other, as one move", "(seq (step man all) (place man))";
        "if", "(if CONDITION MOVES [MOVES])", "by a condition before the move", "(if (none mine) (place man) (step man all))";
    Effect:
        "capture", "(capture SET)", "the pieces leave the board", "(capture (and theirs (next to)))";
        "flip", "(flip SET)", "theirs become the mover's", "(flip (custodial all))";
        "put", "(put PLAYER|neutral KIND SET)", "puts pieces on the empty sites of the set", "(put mover man from)";
        "become", "(become KIND)", "the piece on `to` changes its kind", "(become king)";
        "add", "(add N [PLAYER])", "points for the mover or another player", "(add 1)";
        "again", "again", "the mover stays on turn", "again";
        "if", "(if CONDITION EFFECT ..)", "the effects happen if the condition holds", "(if (some taken) again)";
        "collect", "(collect SET)", "pits only: the seeds go to the mover's store", "(collect to)";
        "sweep", "sweep", "pits only: each player's row goes to its store", "sweep";
    Result:
        "win", "(win PLAYER)", "the player wins", "(win mover)";
        "lose", "(lose PLAYER)", "the player loses", "(lose mover)";
        "draw", "draw", "nobody wins", "draw";
        "most", "(most N)", "the number is computed for each player as `mover`, and the greater wins", "(most (count mine))";
        "least", "(least N)", "the same, and the smaller wins", "(least (count mine))";
}

/// The words that make a sort.
pub fn words_of(sort: Sort) -> impl Iterator<Item = &'static Word> {
    WORDS.iter().filter(move |word| word.sort == sort)
}

/// The word of a name that makes a sort.
pub(crate) fn word(sort: Sort, name: &str) -> Option<&'static Word> {
    words_of(sort).find(|word| word.name == name)
}

/// The clauses that each mover takes.
pub(crate) const CLAUSES: &[(&str, &[&str])] = &[
    ("place", &["to", "then", "only-if"]),
    ("step", &["to", "then", "only-if"]),
    ("slide", &["to", "at-most", "then", "only-if"]),
    ("leap", &["to", "then", "only-if"]),
    ("fly", &["to", "then", "only-if"]),
    ("hop", &["over", "to", "chain", "then", "only-if"]),
    ("sow", &["stores", "skip", "then", "only-if"]),
];

/// The clauses of a mover.
pub(crate) fn clauses(mover: &str) -> &'static [&'static str] {
    CLAUSES.iter().find(|(name, _)| *name == mover).map_or(&[], |(_, clauses)| clauses)
}
