//! Reasons that a problem is hard or easy, in words.

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
    words: fn(Lookup<'_>) -> Said,
}

/// Attributes of a problem in words, and whether a reader would take them for a reason to be hard
/// or to be easy.
struct Said {
    words: String,
    speaks_for: SpeaksFor,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SpeaksFor {
    Hard,
    Easy,
    Either,
}

fn hard(words: impl Into<String>) -> Said {
    Said { words: words.into(), speaks_for: SpeaksFor::Hard }
}

fn easy(words: impl Into<String>) -> Said {
    Said { words: words.into(), speaks_for: SpeaksFor::Easy }
}

fn either(words: impl Into<String>) -> Said {
    Said { words: words.into(), speaks_for: SpeaksFor::Either }
}

impl SpeaksFor {
    /// Tests whether an effect is what a reader of the words expects.
    fn fits(self, effect: f64) -> bool {
        match self {
            SpeaksFor::Hard => effect > 0.0,
            SpeaksFor::Easy => effect < 0.0,
            SpeaksFor::Either => true,
        }
    }
}

/// Function from the name of an attribute to its value; 0 if there is none.
type Lookup<'a> = &'a dyn Fn(&str) -> f64;

/// Kinds of attributes. An attribute without a kind is never a reason.
const ASPECTS: [Aspect; 14] = [
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
        words: first_move_words,
    },
    Aspect {
        name: "temptation",
        families: &["SeeminglyGood"],
        words: |of| match of("SeeminglyGood") as u64 {
            0 => easy("no tempting first move has a single refutation"),
            n => hard(format!(
                "{} a single refutation",
                counted(n, "tempting first move has", "tempting first moves have")
            )),
        },
    },
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
            // Adding 0 after rounding leaves no negative zero.
            let pawns = |name: &str| (of(name) / 10.0).round() / 10.0 + 0.0;
            let value = |name: &str| match pawns(name) {
                10.0.. => "+10 or more".to_owned(),
                ..=-10.0 => "-10 or less".to_owned(),
                value => format!("{value:+.1}"),
            };
            let (best, next) = (value("BestScore"), value("SecondScore"));
            either(format!("in pawns the first move is worth {best}, the next best {next}"))
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
        ],
        words: answers_words,
    },
    Aspect { name: PEOPLE, families: &["Policy", "Network"], words: |_| either("") },
    Aspect { name: "length", families: &["SolutionMoves"], words: length_words },
    Aspect {
        name: "forcing",
        families: &[
            "Captures",
            "Checks",
            "QuietMoves",
            "Promotions",
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
            "Recaptures",
            "WinningCaptures",
            "WasAttacked",
        ],
        words: exchange_words,
    },
    Aspect {
        name: "mate",
        families: &["EndsInMate", "WinningNoCheckmate"],
        words: |of| {
            either(if of("EndsInMate") == 1.0 {
                "it ends in mate"
            } else {
                "it does not end in mate"
            })
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
        words: |of| {
            let (own, other) = (of("Material(own)"), of("Material(other)"));
            either(format!("{} men on the board, material {own} to {other}", of("Men")))
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
        ],
        words: threats_words,
    },
];

/// Name of the kind of the moves of people.
const PEOPLE: &str = "people";

/// Minimum effect of a reason, in points of the rating.
const EFFECT_MIN: f64 = 15.0;

/// Kinds of attributes that moved a prediction most, at most `count`. The effect of a kind is the
/// prediction less its mean when all attributes of the kind come from other problems. A kind is
/// left out if its words would say the opposite of its effect.
pub(super) fn reasons(
    attributes: &[String],
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
            .position(|one| one == name)
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
        let Said { words, speaks_for } = match aspect.name {
            PEOPLE => people_words(people),
            _ => (aspect.words)(&lookup),
        };
        // Otherwise the effect comes from attributes of the kind that the words do not mention.
        let is_clear = speaks_for.fits(effect) && !words.is_empty();
        is_clear.then(|| DifficultyReason { aspect: aspect.name.to_owned(), effect, words })
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
    let parts = [first_move_words(value), answers_words(value)].map(|said| said.words);
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("; ")
}

fn first_move_words(of: Lookup<'_>) -> Said {
    let (kept, legal) = (of("Meaningful(1)") as u64, of("PossibleMoves(1)") as u64);
    if kept == 0 {
        return either("");
    }
    if of(WINS) == 0.0 {
        return either(match (kept, legal) {
            (1, 1) => "the only legal move does not win yet".to_owned(),
            (1, legal) => format!("no move wins yet; one of {legal} is best"),
            (kept, legal) => {
                format!(
                    "no move wins yet; {} of {legal} are about as good as the best",
                    number(kept)
                )
            }
        });
    }
    match (kept, legal) {
        (1, 1) => easy("the first move is the only legal one"),
        (1, legal @ ..8) => easy(format!("one winning first move out of {legal}")),
        (1, legal @ 20..) => hard(format!("one winning first move out of {legal}")),
        (1, legal) => either(format!("one winning first move out of {legal}")),
        (kept, legal) => easy(format!("{} winning first moves out of {legal}", number(kept))),
    }
}

fn first_sight_words(of: Lookup<'_>) -> Said {
    let better = of("GlanceRank(1)") as u64;
    let sight = of("FirstSightRank(1)") as u64;
    let look_better =
        |n| counted(n, "other first move looks better", "other first moves look better");
    match (better, sight) {
        (1.., _) => hard(format!("{} to a search of four plies", look_better(better))),
        (0, 1..) => either(format!("{} at first sight", look_better(sight))),
        _ => easy("the first move looks best at once"),
    }
}

fn later_sight_words(of: Lookup<'_>) -> Said {
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
    if of("SolutionMoves") < 2.0 { either("") } else { easy("the later moves look best at once") }
}

fn answers_words(of: Lookup<'_>) -> Said {
    let (replies, answers, narrow) =
        (of("Meaningful(2)") as u64, of("Meaningful(3)") as u64, of("NarrowSolution(3)") as u64);
    if replies == 0 {
        // Without a tree nothing is known.
        return if of("Meaningful(1)") == 0.0 || of(CUT) == 1.0 {
            either("")
        } else {
            easy("the first move ends it")
        };
    }
    if of(ENDS) == 1.0 {
        return easy("a first move ends the game");
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
    either(format!("{}{way_on}", counted(replies, "reply", "replies")))
}

/// Move of the solution that people find least often, beside the move that they play instead.
fn people_words(people: &[PeopleChoice]) -> Said {
    let Some(least) = people.iter().min_by(|a, b| a.chance.total_cmp(&b.chance)) else {
        return either("");
    };
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
    match rival {
        Some(rival) => hard(format!(
            "people rated {rating:.0} play {rival}{at} in {} of 100 cases, and {solution} in {own}",
            cases(*rival_chance)
        )),
        None => either(""),
    }
}

fn length_words(of: Lookup<'_>) -> Said {
    let moves = of("SolutionMoves") as u64;
    let words = format!("the solution has {}", counted(moves, "move", "moves"));
    match moves {
        0 | 1 => easy(words),
        2 | 3 => either(words),
        _ => hard(words),
    }
}

fn forcing_words(of: Lookup<'_>) -> Said {
    let moves = of("SolutionMoves");
    if moves == 0.0 {
        let (checks, captures) = (of("CheckMoves") as u64, of("CaptureMoves") as u64);
        return either(format!(
            "{} and {}",
            counted(checks, "possible check", "possible checks"),
            counted(captures, "possible capture", "possible captures")
        ));
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

fn exchange_words(of: Lookup<'_>) -> Said {
    let sacrifice = -of("DeepestSacrifice").min(of("ExchangeGain(1)"));
    let gain = of("ExchangeGain(1)");
    if sacrifice >= 2.0 {
        return hard(format!("it gives up material worth {sacrifice} pawns on the way"));
    }
    if gain > 0.0 {
        let pawns = if gain == 1.0 { "a pawn".to_owned() } else { format!("{gain} pawns") };
        return easy(format!("the first move wins material worth {pawns} at once"));
    }
    either("it gives up no material")
}

fn pieces_words(of: Lookup<'_>) -> Said {
    let used = of("PiecesUsed") as u64;
    match used {
        0 => {
            let pieces = of("Pieces(1)") as u64;
            either(counted(
                pieces,
                "piece has a winning first move",
                "pieces have winning first moves",
            ))
        }
        _ if of("Backward(1)") > 0.0 => hard("the first move goes back"),
        1 => easy("the solution moves a single piece"),
        used => either(format!("the solution moves {} pieces", number(used))),
    }
}

fn threats_words(of: Lookup<'_>) -> Said {
    let own = of("Hanging(own)") as u64;
    if own > 0 {
        let pawns = if own == 1 { "a pawn".to_owned() } else { format!("{own} pawns") };
        return either(format!("the opponent threatens material worth {pawns}"));
    }
    either(match of("KingAttackers(other)") as u64 {
        0 => "no piece attacks the squares beside the opponent's king".to_owned(),
        n => {
            let attack = counted(n, "piece attacks squares", "pieces attack squares");
            format!("{attack} beside the opponent's king")
        }
    })
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
