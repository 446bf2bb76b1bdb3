//! Checker: converts the tree of parentheses into the typed tree, or reports what is wrong.

mod args;
mod boards;
mod ends;
mod expressions;
mod moves;
mod options;
mod pieces;
mod sections;
mod start;
mod turns;

use crate::board::{Board, Site};
use crate::error::{Mistake, Place, nearest};
use crate::reader::{Is, Node};
use crate::said::{Pattern, Said};
use crate::tree::{Dirs, Family, KindOf, Memory, OptionValue, Side, Turns, Who};
use crate::words::{Arg, Int, Sort, WORDS, word, words_of};

pub(crate) use options::options_of;
pub(crate) use sections::program;

/// Time at which an expression is evaluated. Before a move, its words may not refer to the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Before,
    OfMove,
}

/// Most bytes of all lines and shapes of a text. A board has thousands of lines, and a text could
/// name hundreds of kinds of them.
const FAMILY_BYTES_MAX: usize = 4 * 1024 * 1024;

/// State of the checker while it walks through a text.
struct Checker<'t> {
    options: &'t [OptionValue],
    mistakes: Vec<Mistake>,
    board: Board,
    /// Whether the text's board is invalid. `board` is then a substitute, and mistakes about it are
    /// suppressed.
    board_unknown: bool,
    kinds: Vec<KindOf>,
    turns: Option<Turns>,
    families: Vec<Family>,
    family_bytes: usize,
    said: Said,
    memory: Memory,
    movers: usize,
    mover_places: Vec<(Place, String)>,
    rule_places: Vec<(Place, String)>,
    again: Option<Place>,
}

type Sites = Vec<Site>;

impl Checker<'_> {
    fn mistake(&mut self, mistake: Mistake) {
        self.mistakes.push(mistake);
    }

    /// Records a mistake and returns `None`.
    fn fail<T>(&mut self, mistake: Mistake) -> Option<T> {
        self.mistakes.push(mistake);
        None
    }

    /// Records a mistake that concerns the board, unless the board is unknown. Returns `None`.
    fn fail_of_board<T>(&mut self, mistake: Mistake) -> Option<T> {
        if !self.board_unknown {
            self.mistakes.push(mistake);
        }
        None
    }

    /// Head of an expression of a sort. Records a mistake if the head is not a word of that sort.
    fn head<'n>(&mut self, sort: Sort, node: &'n Node) -> Option<&'n str> {
        let place = node.head_place();
        let Some(head) = node.head() else {
            let found = match &node.is {
                Is::Number(number) => format!("{number} is a number"),
                Is::Text(text) => format!("\"{text}\" is a text"),
                Is::List(items) if items.is_empty() => "`()` is empty".to_owned(),
                _ => "this list begins with a list".to_owned(),
            };
            return self.fail(
                Mistake::new(node.place, format!("expected {sort}, but {found}"))
                    .hint(example(sort)),
            );
        };
        if word(sort, head).is_some() {
            return Some(head);
        }
        self.fail(self.no_word(sort, head, place))
    }

    /// Mistake for a word that does not make a sort.
    fn no_word(&self, sort: Sort, head: &str, place: Place) -> Mistake {
        if let Some(other) = WORDS.iter().find(|word| word.name == head) {
            let message = format!("expected {sort}, but `{head}` is {}", other.sort);
            let meant = made_of(sort, other.sort, other.example);
            return Mistake::new(place, message).hint(meant.unwrap_or_else(|| example(sort)));
        }
        let wanted = match sort {
            Sort::Moves => "moves".to_owned(),
            sort => sort.to_string(),
        };
        let kind = self.kinds.iter().any(|kind| kind.name == head);
        if kind {
            let message = format!("expected {wanted}, but `{head}` is a kind of piece");
            return Mistake::new(place, message).hint(match sort {
                Sort::Set => format!("its sites are `(mine {head})` or `(piece {head})`"),
                _ => example(sort),
            });
        }
        let option = self.options.iter().any(|option| option.name == head);
        if option {
            let message = format!("expected {wanted}, but `{head}` is an option");
            return Mistake::new(place, message).hint(example(sort));
        }
        let message = format!("unknown word `{head}`: expected {wanted}");
        let mistake = Mistake::new(place, message).near(head, words_of(sort).map(|w| w.name));
        let meant = mistake.nearest.as_deref().and_then(|name| word(sort, name));
        match meant {
            None => mistake.hint(example(sort)),
            // The example of a word without arguments is the word.
            Some(meant) if meant.example == meant.name => mistake,
            Some(meant) => mistake.hint(format!("for example `{}`", meant.example)),
        }
    }

    /// Records a mistake for each clause of these names that stands in a list a second time.
    fn each_once(&mut self, clauses: &[&Node], names: &[&str]) {
        for (n, clause) in clauses.iter().enumerate() {
            let Some(name) = clause.head().filter(|name| names.contains(name)) else { continue };
            if clauses[..n].iter().any(|before| before.head() == Some(name)) {
                self.mistake(Mistake::new(clause.place, format!("there is a second `{name}`")));
            }
        }
    }

    /// Tests whether the number of arguments is valid. Records a mistake if not.
    fn arguments(&mut self, sort: Sort, node: &Node) -> bool {
        let head = node.head().unwrap_or_default();
        let Some(word) = word(sort, head) else { return false };
        let (least, most) = word.arity();
        let found = node.rest().len();
        if (least..=most).contains(&found) {
            return true;
        }
        let message = match (found < least, found) {
            (true, 0) => format!("`{head}` needs arguments"),
            (true, _) => format!("`{head}` has too few arguments"),
            (false, _) if word.args.iter().any(|arg| matches!(arg, Arg::Many(..))) => {
                format!("`{head}` has {found} arguments, and {most} are the most")
            }
            (false, _) => format!("`{head}` has too many arguments"),
        };
        let place = if found > most { node.rest()[most].place } else { node.head_place() };
        self.mistake(
            Mistake::new(place, message).hint(format!("it is written `{}`", word.pattern())),
        );
        false
    }

    /// Parses a number or the name of an option.
    fn int(&mut self, node: &Node) -> Option<i32> {
        match &node.is {
            Is::Number(number) => Some(*number as i32),
            Is::Word(name) => {
                let option = self.options.iter().find(|option| option.name == *name);
                if let Some(option) = option {
                    return Some(option.value);
                }
                let names = self.options.iter().map(|option| option.name.as_str());
                let mistake = Mistake::new(
                    node.place,
                    format!("expected a number or an option, but `{name}` is neither"),
                )
                .near(name, names);
                self.fail(mistake)
            }
            _ => self.fail(Mistake::new(node.place, "expected a whole number")),
        }
    }

    /// Parses a number within a range.
    fn int_in(&mut self, node: &Node, what: &str, least: i32, most: i32) -> Option<i32> {
        let number = self.int(node)?;
        if (least..=most).contains(&number) {
            return Some(number);
        }
        let message = format!("{what} cannot be {number}");
        self.fail(Mistake::new(node.place, message).hint(format!("it can be {least} to {most}")))
    }

    /// Parses a number whose range is the same on all boards.
    fn int_of(&mut self, node: &Node, int: Int) -> Option<i32> {
        let (what, least, most) = int.bounds().expect("no board decides its range");
        self.int_in(node, what, least, most)
    }

    /// Parses the name of a kind of piece and returns its index.
    fn kind(&mut self, node: &Node) -> Option<u8> {
        let names: Vec<String> = self.kinds.iter().map(|kind| kind.name.clone()).collect();
        let list = names.join(", ");
        let Is::Word(name) = &node.is else {
            return self.fail(
                Mistake::new(node.place, "expected the name of a kind of piece")
                    .hint(format!("known: {list}")),
            );
        };
        if let Some(kind) = names.iter().position(|known| known == name) {
            return Some(kind as u8);
        }
        let mistake = Mistake::new(node.place, format!("unknown kind of piece `{name}`"))
            .near(name, names.iter().map(String::as_str))
            .hint(format!("known: {list}"));
        self.fail(mistake)
    }

    /// Tests whether a node is just the name of a kind.
    fn is_kind(&self, node: &Node) -> bool {
        matches!(&node.is, Is::Word(name) if self.kinds.iter().any(|kind| kind.name == *name))
    }

    fn who(&mut self, node: &Node) -> Option<Who> {
        let head = self.head(Sort::Player, node)?;
        self.arguments(Sort::Player, node).then_some(match head {
            "mover" => Who::Mover,
            "opponent" => Who::Opponent,
            "first" => Who::First,
            _ => Who::Second,
        })
    }

    /// Parses a player or `neutral`.
    fn side(&mut self, node: &Node) -> Option<Side> {
        if node.head() == Some("neutral") {
            return Some(Side::Neutral);
        }
        self.who(node).map(Side::Of)
    }

    fn dirs(&mut self, node: &Node) -> Option<Dirs> {
        let head = self.head(Sort::Directions, node)?;
        if head == "or" {
            if !self.arguments(Sort::Directions, node) {
                return None;
            }
            let mut dirs = [Vec::new(), Vec::new()];
            let mut whole = true;
            for part in node.rest() {
                let Some(part) = self.dirs(part) else {
                    whole = false;
                    continue;
                };
                for (all, more) in dirs.iter_mut().zip(part) {
                    more.into_iter().for_each(|d| {
                        if !all.contains(&d) {
                            all.push(d);
                        }
                    });
                }
            }
            // The directions are sorted in board order, so that their order in a text changes
            // nothing.
            dirs.iter_mut().for_each(|dirs| dirs.sort_unstable());
            return whole.then_some(dirs);
        }
        if !self.arguments(Sort::Directions, node) {
            return None;
        }
        if let Some(dirs) = self.board.directions(head) {
            return Some(dirs);
        }
        let has: Vec<&str> = words_of(Sort::Directions)
            .map(|word| word.name)
            .filter(|name| self.board.directions(name).is_some())
            .collect();
        let message = format!("{} has no direction `{head}`", self.board.shape.name());
        let hint = if has.is_empty() {
            "it has no directions at all".to_owned()
        } else {
            format!("it has {}", has.join(", "))
        };
        self.fail_of_board(Mistake::new(node.head_place(), message).hint(hint))
    }

    /// Parses the name of a site.
    fn site(&mut self, node: &Node) -> Option<Site> {
        let name = match &node.is {
            Is::Word(name) => name.clone(),
            Is::Number(number) => number.to_string(),
            _ => {
                return self.fail(Mistake::new(node.place, "expected the name of a site"));
            }
        };
        if let Some(site) = self.board.site(&name) {
            return Some(site);
        }
        let names: Vec<&str> =
            self.board.sites().map(|site| self.board.names[site as usize].as_str()).collect();
        let near = self.nearest_site(&name, &names);
        let mistake = Mistake::new(node.place, format!("the board has no site `{name}`"));
        let mistake = match near {
            Some(near) => Mistake { nearest: Some(near), ..mistake },
            None => mistake,
        };
        self.fail_of_board(mistake)
    }

    /// Name of the site nearest to a misspelt one: by coordinates if the name has some.
    fn nearest_site(&self, name: &str, names: &[&str]) -> Option<String> {
        let mut chars = name.chars();
        let col = chars.next().filter(char::is_ascii_lowercase);
        let row: Option<i32> = chars.as_str().parse().ok();
        if let (Some(col), Some(row), Some(_)) = (col, row, self.board.extent()) {
            let (x, y) = (i32::from(col as u8 - b'a'), row - 1);
            let apart = |&site: &Site| {
                let at = self.board.at[site as usize];
                i64::from(at[0] - x).abs() + i64::from(at[1].saturating_sub(y)).abs()
            };
            let site = self.board.sites().min_by_key(apart)?;
            return Some(self.board.names[site as usize].clone());
        }
        nearest(name, names.iter().copied()).map(str::to_owned)
    }

    /// Index of a family of sets. Equal families are stored once.
    fn family(&mut self, node: &Node, family: Family, pattern: Pattern) -> Option<usize> {
        if let Some(known) = self.families.iter().position(|known| *known == family) {
            return Some(known);
        }
        self.family_bytes += family.bytes();
        if self.family_bytes > FAMILY_BYTES_MAX {
            let message =
                "the lines and shapes of this game are too many: they need more than 4 MB";
            return self.fail_of_board(
                Mistake::new(node.place, message)
                    .hint("fewer of them or a smaller board would fit"),
            );
        }
        self.families.push(family);
        self.said.patterns.push(pattern);
        Some(self.families.len() - 1)
    }
}

/// Hint at the word that makes an expression of a sort out of one of another sort; `None` if there is
/// no such word.
fn made_of(wanted: Sort, found: Sort, written: &str) -> Option<String> {
    let hint = match (wanted, found) {
        (Sort::Condition, Sort::Family) => format!("a condition of it is `(makes {written})`"),
        (Sort::Condition, Sort::Number) => format!("a condition compares it: `(> {written} 0)`"),
        (Sort::Condition, Sort::Set) => format!("a condition of it is `(some {written})`"),
        (Sort::Number, Sort::Set) => format!("the number of its sites is `(count {written})`"),
        _ => return None,
    };
    Some(hint)
}

/// Examples of expressions of a sort, for a hint.
fn example(sort: Sort) -> String {
    let mut examples: Vec<&str> = words_of(sort).map(|word| word.example).collect();
    examples.truncate(40);
    let chosen: Vec<String> = match sort {
        Sort::Set => ["empty", "(or empty theirs)", "(home 2)"].map(|e| format!("`{e}`")).to_vec(),
        Sort::Condition => {
            ["(some taken)", "(none theirs)", "(in to (far 1))"].map(|e| format!("`{e}`")).to_vec()
        }
        Sort::Moves => ["(place)", "(step man forward)"].map(|e| format!("`{e}`")).to_vec(),
        Sort::Number => ["3", "(count mine)"].map(|e| format!("`{e}`")).to_vec(),
        _ => examples.iter().take(4).map(|e| format!("`{e}`")).collect(),
    };
    format!("for example {}", chosen.join(", "))
}
