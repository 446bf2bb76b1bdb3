//! Reasons that a problem is hard or easy, in words.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use crate::chess::PeopleChoice;
use crate::{DistanceRule, Tree, Value, attribute_names, attributes};

/// Kind of attribute that moved a predicted rating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DifficultyReason {
    /// Name of the kind.
    pub aspect: String,
    /// Points by which the prediction exceeds the mean of those in which the attributes of this
    /// kind come from other problems.
    pub effect: f64,
    /// Attributes of the kind in words.
    pub words: String,
}

/// Kind of attribute.
struct Aspect {
    name: &'static str,
    /// Names of attributes, or of families for all their parts.
    families: &'static [&'static str],
    /// Fact of the kind that a reader takes for a reason; `None` if there is none.
    words: fn(Lookup<'_>) -> Option<Said>,
}

/// Attributes of a problem in words, as a reason to be hard or to be easy. The same sentence is never
/// both, whatever its numbers.
struct Said {
    words: String,
    is_hard: bool,
}

fn hard(words: impl Into<String>) -> Option<Said> {
    Some(Said { words: words.into(), is_hard: true })
}

fn easy(words: impl Into<String>) -> Option<Said> {
    Some(Said { words: words.into(), is_hard: false })
}

/// Number of legal moves from which they are many to choose from, and up to which they are few.
const MANY_MOVES: u64 = 30;
const FEW_MOVES: u64 = 8;

/// The same for the legal answers to a move of the solution.
const MANY_ANSWERS: u64 = 20;
const FEW_ANSWERS: u64 = 3;

/// The same for the men on the board.
const MANY_MEN: u64 = 24;
const FEW_MEN: u64 = 10;

/// Number of checks without a loss from which they are many.
const MANY_CHECKS: u64 = 3;

/// Gain in pawns from which it is much, and below which it is little.
const MUCH_GAIN: f64 = 5.0;
const LITTLE_GAIN: f64 = 2.5;

/// Function from the name of an attribute to its value; 0 if there is none.
type Lookup<'a> = &'a dyn Fn(&str) -> f64;

/// Kinds of attributes. An attribute without a kind is never a reason.
const ASPECTS: [Aspect; 17] = [
    Aspect {
        name: "first_move",
        families: &[
            "PossibleMoves(1)",
            "Meaningful(1)",
            "Branching(1)",
            "NarrowSolution(1)",
            "MoveRatio(1)",
            "LegalMoves",
            "OwnChoices(1)",
            "GuessBits",
        ],
        words: first_move_reason,
    },
    Aspect { name: TEMPTATION, families: &["SeeminglyGood"], words: |_| None },
    Aspect {
        name: "first_sight",
        families: &[
            "FirstSightRank(1)",
            "FirstSightGap(1)",
            "GlanceRank(1)",
            "GlanceGap(1)",
            "GlanceRivals(1)",
            "FoundFromDepth",
            "BestMoves",
            "GuidBratko",
        ],
        words: first_sight_words,
    },
    Aspect {
        name: "later_sight",
        families: &["FirstSightRank", "FirstSightGap", "GlanceRank", "GlanceGap", "GlanceRivals"],
        words: later_sight_words,
    },
    Aspect {
        name: "advantage",
        families: &["BestScore", "SecondScore", "ScoreGap"],
        words: |of| {
            // Scores are in hundredths of a pawn.
            let gain = of("BestScore") / 100.0;
            match gain {
                10.0.. => easy("the first move wins by a mate or at least 10 pawns"),
                MUCH_GAIN.. => easy(format!("the first move gains much: {gain:+.1} pawns")),
                ..LITTLE_GAIN => hard(format!("the first move gains little: {gain:+.1} pawns")),
                _ => None,
            }
        },
    },
    Aspect {
        name: "answers",
        families: &[
            "Meaningful",
            "PossibleMoves",
            "AllPossibleMoves",
            "Branching",
            "AverageBranching",
            "NarrowSolution",
            "AllNarrowSolutions",
            "TreeSize",
            "MoveRatio",
            "Answers",
            "AnswerCaptures",
            "ForcedAnswers",
            "OwnChoices",
            "AnswersByKing",
            "AnswersCapturing",
            "AnswersChecking",
            "KingEscapes",
        ],
        words: answers_reason,
    },
    Aspect { name: PEOPLE, families: &["Policy", "Network"], words: |_| None },
    Aspect { name: "length", families: &["SolutionMoves"], words: length_words },
    Aspect {
        name: "forcing",
        families: &[
            "Captures",
            "Checks",
            "QuietMoves",
            "Promotions",
            "Underpromotions",
            "FirstQuiet",
            "IsCheck",
            "IsQuiet",
            "CheckMoves",
            "CaptureMoves",
            "OwnChecks",
            "ThreatAfter",
        ],
        words: forcing_words,
    },
    Aspect {
        name: "exchange",
        families: &[
            "ExchangeGain",
            "DeepestSacrifice",
            "MaterialBefore",
            "CapturedValue",
            "WinningCaptures",
            "WasAttacked",
            "TotalGain",
        ],
        words: exchange_words,
    },
    Aspect {
        name: "alternatives",
        families: &[
            "GainRank",
            "BetterGain",
            "NetRank",
            "BetterNet",
            "LeftElsewhere",
            "SafeChecks",
            "GainingMoves",
            "BetterCaptures",
            "SamePiece",
            "SameTarget",
        ],
        words: alternatives_words,
    },
    Aspect {
        name: "last_move",
        families: &[
            "LastPiece",
            "LastCaptured",
            "LastGain",
            "LastFled",
            "LastLeft",
            "LastAttack",
            "LastDistance",
            "Recaptures",
            "RefusedRecapture",
        ],
        words: |of| match (of("Recaptures(1)") > 0.0, of("RefusedRecapture") > 0.0) {
            (true, _) => easy("the first move captures the piece that has just moved"),
            (_, true) => hard("the first move does not take back, though that would lose nothing"),
            _ => None,
        },
    },
    Aspect {
        name: "motif",
        families: &[
            "Attractions",
            "Deflections",
            "SmotheredMate",
            "BackRankMate",
            "Forked",
            "NewTarget",
            "Discovered",
            "DoubleCheck",
            "NewPins",
            "Skewered",
            "NewTraps",
        ],
        words: motif_words,
    },
    Aspect {
        name: "mate",
        families: &["EndsInMate", "WinningNoCheckmate"],
        words: |of| match of("EndsInMate") == 1.0 {
            true => easy("it ends in mate"),
            false => hard("it does not end in mate"),
        },
    },
    Aspect {
        name: "pieces",
        families: &[
            "Distance",
            "SumDistance",
            "AverageDistance",
            "Pieces",
            "AllPiecesInvolved",
            "MovedValue",
            "KingMove",
            "PawnMove",
            "KnightMove",
            "MoveDistance",
            "Backward",
            "Repeats",
            "PiecesUsed",
            "KingDistance",
            "NewSquares",
            "TargetAttackers",
            "TargetDefenders",
            "PawnAttacks",
        ],
        words: pieces_words,
    },
    Aspect {
        name: "material",
        families: &[
            "PieceValueRatio",
            "Material",
            "Men",
            "Pawns",
            "Knights",
            "Bishops",
            "Rooks",
            "Queens",
            "MovesPlayed",
            "Advanced",
        ],
        words: |of| match of("Men") as u64 {
            men @ MANY_MEN.. => hard(format!("many men are on the board: {men}")),
            men @ 1..=FEW_MEN => easy(format!("few men are on the board: {men}")),
            _ => None,
        },
    },
    Aspect {
        name: "threats",
        families: &[
            "KingRank",
            "KingCentre",
            "KingPawns",
            "KingAttackers",
            "KingSquares",
            "Pinned",
            "Hanging",
            "Attacked",
            "Undefended",
            "InCheck",
            "Trapped",
            "SeventhRank",
            "Flights",
        ],
        words: threats_words,
    },
];

/// Name of the kind of the moves of people.
const PEOPLE: &str = "people";

/// Name of the kind of the first moves that seem good.
const TEMPTATION: &str = "temptation";

/// Minimum effect of a reason, in points of the rating.
const EFFECT_MIN: f64 = 15.0;

/// Kinds of attributes that moved a prediction most, at most `count`. The effect of a kind is the
/// prediction less its mean when all attributes of the kind come from other problems. A kind is
/// left out if it has no words, or if they would say the opposite of its effect.
pub(super) fn reasons(
    attributes: &[&str],
    row: &[f64],
    tree: Option<&Tree>,
    people: &[PeopleChoice],
    lenders: &[Vec<f64>],
    predict: &dyn Fn(&[f64]) -> f64,
    count: usize,
) -> Vec<DifficultyReason> {
    if count == 0 {
        return Vec::new();
    }
    let whole = predict(row);
    let lookup = |name: &str| {
        attributes
            .iter()
            .position(|one| *one == name)
            .map_or_else(|| tree.map_or(0.0, |tree| of_tree(tree, name)), |n| row[n])
    };
    let mut kinds: Vec<Vec<usize>> = vec![Vec::new(); ASPECTS.len()];
    for (n, name) in attributes.iter().enumerate() {
        if let Some(kind) = aspect_of(name) {
            kinds[kind].push(n);
        }
    }
    let reason = |(aspect, own): (&Aspect, &Vec<usize>)| {
        let lent = lenders.iter().map(|lender| {
            let mut row = row.to_vec();
            own.iter().for_each(|&n| row[n] = lender[n]);
            predict(&row)
        });
        let effect = whole - lent.sum::<f64>() / lenders.len().max(1) as f64;
        let said = match aspect.name {
            PEOPLE => people_words(people),
            TEMPTATION => tree.and_then(temptation_words),
            _ => (aspect.words)(&lookup),
        };
        // Otherwise the effect comes from attributes of the kind that the words do not mention.
        let Said { words, .. } = said.filter(|said| said.is_hard == (effect > 0.0))?;
        Some(DifficultyReason { aspect: aspect.name.to_owned(), effect, words })
    };
    let with_attributes = ASPECTS.iter().zip(&kinds).filter(|(_, own)| !own.is_empty());
    let mut reasons: Vec<DifficultyReason> = with_attributes
        .filter_map(reason)
        .filter(|reason| reason.effect.abs() >= EFFECT_MIN)
        .collect();
    reasons.sort_by(|a, b| b.effect.abs().total_cmp(&a.effect.abs()));
    reasons.truncate(count);
    reasons
}

/// Index of the kind of an attribute: by its whole name, or else by its family.
fn aspect_of(name: &str) -> Option<usize> {
    let family = name.split('(').next().unwrap_or(name);
    let has = |what: &str| ASPECTS.iter().position(|aspect| aspect.families.contains(&what));
    if let Some(prefix) = ["Policy", "Network"].iter().find(|prefix| name.starts_with(**prefix)) {
        return has(prefix);
    }
    has(name).or_else(|| has(family))
}

/// Tree in words: the number of first moves that win, or that are about as good as the best if none
/// wins; the number of answers; and how narrow the way on is.
#[must_use]
pub fn tree_words(tree: &Tree) -> String {
    with_values(tree, parts_in_words)
}

/// Tree of a puzzle in words, as [`tree_words`]; `moves` is the known length of its win in moves of the
/// winner. Where the source of the tree sees no win, the words say that it is deeper.
#[must_use]
pub fn puzzle_tree_words(tree: &Tree, moves: u32) -> String {
    with_values(tree, |of| {
        if of(WINS) == 1.0 || of("Meaningful(1)") == 0.0 {
            return parts_in_words(of);
        }
        let looks_good = match (of("Meaningful(1)") as u64, of("PossibleMoves(1)") as u64) {
            (1, 1) => "the only legal move is played".to_owned(),
            (1, legal) => format!("one of {legal} moves looks best"),
            (kept, legal) => format!("{} of {legal} moves look about equally good", number(kept)),
        };
        let win = counted(u64::from(moves), "move", "moves");
        format!("the win in {win} is deeper than the search sees; {looks_good}")
    })
}

/// Words by the attributes and facts of a tree.
fn with_values(tree: &Tree, words: impl FnOnce(Lookup<'_>) -> String) -> String {
    let names = attribute_names(tree.settings.levels);
    let values = attributes(tree, DistanceRule::default());
    words(&|name: &str| {
        let place = names.iter().position(|one| one == name);
        place.and_then(|n| values[n]).unwrap_or_else(|| of_tree(tree, name))
    })
}

/// Facts of a tree besides its attributes, 0 or 1: whether its first moves win, whether one of them ends
/// the game, and whether the tree was cut off before the answers to one of them.
fn of_tree(tree: &Tree, name: &str) -> f64 {
    let is_won = |value: &Value| value.is_won(tree.settings.win);
    let is_so = match name {
        WINS => tree.level(1).next().is_some_and(|first| is_won(&first.value)),
        ENDS => tree.level(1).any(|first| first.possible == Some(0) && is_won(&first.value)),
        CUT => tree.level(1).any(|first| first.possible.is_none()),
        _ => false,
    };
    f64::from(u8::from(is_so))
}

const WINS: &str = "first moves win";
const ENDS: &str = "a first move ends the game";
const CUT: &str = "answers are cut off";

pub(super) fn parts_in_words(value: Lookup<'_>) -> String {
    let parts = [first_move_words(value), answers_words(value)];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("; ")
}

/// Winning first moves of a tree, or those that look best.
fn first_move_words(of: Lookup<'_>) -> String {
    let (kept, legal) = (of("Meaningful(1)") as u64, of("PossibleMoves(1)") as u64);
    if kept == 0 {
        return String::new();
    }
    if of(WINS) == 0.0 {
        return match (kept, legal) {
            (1, 1) => "the only legal move does not win yet".to_owned(),
            (1, legal) => format!("no move wins yet; one of {legal} is best"),
            (kept, legal) => {
                format!(
                    "no move wins yet; {} of {legal} are about as good as the best",
                    number(kept)
                )
            }
        };
    }
    match (kept, legal) {
        (1, 1) => "the first move is the only legal one".to_owned(),
        (1, legal) => format!("one winning first move out of {legal}"),
        (kept, legal) => format!("{} winning first moves out of {legal}", number(kept)),
    }
}

fn first_move_reason(of: Lookup<'_>) -> Option<Said> {
    let (kept, legal) = (of("Meaningful(1)") as u64, of("PossibleMoves(1)") as u64);
    let legal = if legal == 0 { of("LegalMoves") as u64 } else { legal };
    match (kept, legal) {
        (_, 0) => None,
        (_, 1) => easy("the first move is the only legal one"),
        (2.., _) if of(WINS) == 1.0 => easy(format!("{} first moves win", number(kept))),
        (_, ..=FEW_MOVES) => easy(format!("only {} moves are legal", number(legal))),
        (_, MANY_MOVES..) => hard(format!("there are {legal} legal moves to choose from")),
        _ => None,
    }
}

fn first_sight_words(of: Lookup<'_>) -> Option<Said> {
    let better = of("GlanceRank(1)") as u64;
    let sight = of("FirstSightRank(1)") as u64;
    let look_better =
        |n| counted(n, "other first move looks better", "other first moves look better");
    match (better, sight) {
        (1.., _) => hard(format!("{} to a search of four plies", look_better(better))),
        (0, 1..) => hard(format!("{} at first sight", look_better(sight))),
        _ => easy("the first move looks best at once"),
    }
}

fn later_sight_words(of: Lookup<'_>) -> Option<Said> {
    let look_better = |n| counted(n, "other move looks better", "other moves look better");
    for (part, name) in [("(2)", "second"), ("(3)", "third")] {
        let better = of(&format!("GlanceRank{part}")) as u64;
        if better > 0 {
            return hard(format!(
                "before the {name} move {} to a search of four plies",
                look_better(better)
            ));
        }
    }
    if of("SolutionMoves") < 2.0 { None } else { easy("the later moves look best at once") }
}

/// Answers of the opponent to the moves of the solution.
fn answers_reason(of: Lookup<'_>) -> Option<Said> {
    let moves = of("SolutionMoves") as u64;
    if moves < 2 {
        return None;
    }
    let answers = |n: u64| of(&format!("Answers({n})")) as u64;
    if of("ForcedAnswers") as u64 + 1 == moves {
        return easy("each reply is the only legal one");
    }
    // Values of single moves end at the third.
    let most = (1..moves.min(4)).max_by_key(|&n| (answers(n), Reverse(n)))?;
    match answers(most) {
        many @ MANY_ANSWERS.. => {
            let after =
                if most == 1 { "the first move".to_owned() } else { format!("move {most}") };
            hard(format!("the opponent has {many} replies to {after}"))
        }
        1..=FEW_ANSWERS => easy(format!(
            "the opponent never has more than {}",
            counted(answers(most), "reply", "replies")
        )),
        _ => None,
    }
}

/// Replies of a tree to its winning first moves, and the answers to them.
fn answers_words(of: Lookup<'_>) -> String {
    let (replies, answers, narrow) =
        (of("Meaningful(2)") as u64, of("Meaningful(3)") as u64, of("NarrowSolution(3)") as u64);
    if replies == 0 {
        // Without a tree nothing is known.
        let is_open = of("Meaningful(1)") == 0.0 || of(CUT) == 1.0;
        return if is_open { String::new() } else { "the first move ends it".to_owned() };
    }
    if of(ENDS) == 1.0 {
        return "a first move ends the game".to_owned();
    }
    let good = if of(WINS) == 1.0 { "winning" } else { "good" };
    let way_on = match (answers, narrow) {
        (0, _) => String::new(),
        (1, 1) if replies == 1 => ", with a single answer".to_owned(),
        (_, narrow) if narrow == replies => ", each with a single answer".to_owned(),
        (answers, 0) => format!(", with {answers} {good} answers in all"),
        (answers, narrow) => {
            format!(", with {answers} {good} answers in all, a single one to {narrow} of them")
        }
    };
    format!("{}{way_on}", counted(replies, "reply", "replies"))
}

/// First move that seems good, with the only answer that refutes it.
fn temptation_words(tree: &Tree) -> Option<Said> {
    let mut tempting = tree.first_moves.iter().filter(|one| one.seems_good);
    let Some(first) = tempting.next() else {
        return easy("no wrong first move fails to one answer only");
    };
    let answer = first.refutation.as_ref()?;
    let others = match tempting.count() as u64 {
        0 => String::new(),
        n => format!(", as {} to one answer", counted(n, "other does", "others do")),
    };
    hard(format!("{} is tempting and fails to {answer} only{others}", first.played))
}

/// Move of the solution that people find least often, beside the move that they play instead.
fn people_words(people: &[PeopleChoice]) -> Option<Said> {
    let least = people.iter().min_by(|a, b| a.chance.total_cmp(&b.chance))?;
    let PeopleChoice { number, rating, solution, chance, rival, rival_chance } = least;
    let cases = |chance: f64| match (100.0 * chance).round() as u64 {
        0 => "fewer than 1".to_owned(),
        n => n.to_string(),
    };
    let at = match number {
        1 => String::new(),
        n => format!(" at move {n}"),
    };
    let own = cases(*chance);
    if *chance >= 0.5 {
        return easy(format!("people rated {rating:.0} find {solution}{at} in {own} of 100 cases"));
    }
    let rival = rival.as_ref()?;
    hard(format!(
        "people rated {rating:.0} play {rival}{at} in {} of 100 cases, and {solution} in {own}",
        cases(*rival_chance)
    ))
}

fn length_words(of: Lookup<'_>) -> Option<Said> {
    let moves = of("SolutionMoves") as u64;
    match moves {
        1 => easy("the solution has a single move"),
        4.. => hard(format!("the solution has {}", counted(moves, "move", "moves"))),
        _ => None,
    }
}

fn forcing_words(of: Lookup<'_>) -> Option<Said> {
    let moves = of("SolutionMoves");
    if moves == 0.0 {
        return None;
    }
    if of("QuietMoves") > 0.0 {
        return hard(match of("FirstQuiet") as u64 {
            1 => "the first move is quiet".to_owned(),
            n => format!("move {n} is quiet"),
        });
    }
    if of("Checks") == moves {
        return easy("every move checks");
    }
    easy("every move checks, captures or promotes")
}

fn exchange_words(of: Lookup<'_>) -> Option<Said> {
    let sacrifice = -of("DeepestSacrifice").min(of("ExchangeGain(1)"));
    let gain = of("ExchangeGain(1)");
    if sacrifice >= 2.0 {
        return hard(format!("it gives up material worth {sacrifice} pawns on the way"));
    }
    if gain > 0.0 {
        let pawns = if gain == 1.0 { "a pawn".to_owned() } else { format!("{gain} pawns") };
        return easy(format!("the first move wins material worth {pawns} at once"));
    }
    easy("it gives up no material")
}

/// Other first moves that a player may prefer for the material that they win.
fn alternatives_words(of: Lookup<'_>) -> Option<Said> {
    let more = of("BetterGain(1)");
    if more >= 1.0 {
        let pawns = if more == 1.0 { "a pawn".to_owned() } else { format!("{more} pawns") };
        return hard(format!("another first move wins {pawns} more at once"));
    }
    match of("SafeChecks(1)") as u64 {
        checks @ MANY_CHECKS.. => hard(format!("the player has {} safe checks", number(checks))),
        _ if of("ExchangeGain(1)") > 0.0 => easy("no other first move wins more at once"),
        _ => None,
    }
}

/// Name of the motif of a solution.
fn motif_words(of: Lookup<'_>) -> Option<Said> {
    let has = |name: &str| of(name) > 0.0;
    if has("BackRankMate") {
        easy("it ends with a mate on the back rank")
    } else if has("SmotheredMate") {
        easy("it ends with a smothered mate")
    } else if has("DoubleCheck(1)") {
        easy("the first move is a double check")
    } else if of("Forked(1)") >= 2.0 {
        easy(format!("the first move attacks {} men at once", number(of("Forked(1)") as u64)))
    } else if has("Attractions") {
        hard("the king takes a piece that has just moved")
    } else if has("Deflections") {
        hard("the opponent takes a piece that has just moved")
    } else if has("NewTraps(1)") {
        hard("the first move traps a piece")
    } else if has("Discovered(1)") {
        easy("the first move opens an attack by another piece")
    } else {
        None
    }
}

fn pieces_words(of: Lookup<'_>) -> Option<Said> {
    let used = of("PiecesUsed") as u64;
    match used {
        0 => None,
        _ if of("Backward(1)") > 0.0 => hard("the first move goes back"),
        1 if of("SolutionMoves") > 1.0 => easy("the solution moves a single piece"),
        1 => None,
        used => hard(format!("the solution moves {} pieces", number(used))),
    }
}

fn threats_words(of: Lookup<'_>) -> Option<Said> {
    let own = of("Hanging(own)") as u64;
    if own > 0 {
        let pawns = if own == 1 { "a pawn".to_owned() } else { format!("{own} pawns") };
        return hard(format!("the opponent threatens material worth {pawns}"));
    }
    match of("KingAttackers(other)") as u64 {
        0 => hard("no piece attacks the squares beside the opponent's king"),
        n => {
            let attack = counted(n, "piece attacks squares", "pieces attack squares");
            easy(format!("{attack} beside the opponent's king"))
        }
    }
}

fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", number(n), if n == 1 { one } else { many })
}

/// Number as a word up to nine, in digits above.
fn number(n: u64) -> String {
    const WORDS: [&str; 10] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    WORDS.get(n as usize).map_or_else(|| n.to_string(), |word| (*word).to_owned())
}
