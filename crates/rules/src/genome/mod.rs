//! Genomes: texts of games as trees that operators change and cross.
//!
//! Every node of a [`Genome`] has a sort and a context. An operator keeps both, so the child is
//! again a game of the language. A genome has no options and no comments; the options of its text
//! are fixed at their values.

mod board_spec;
mod fit;
mod ground;
mod operators;
#[cfg(test)]
mod tests;
mod tree;

use std::sync::Arc;

#[cfg(test)]
pub(crate) use operators::smaller;
pub use operators::{NODES_MAX, Operator, Variation, apply, vary};

use board_spec::BoardSpec;
use tree::{Reading, Slot, Tree, When, bare, int, list, named};

use crate::board::Board;
use crate::check;
use crate::error::Mistakes;
use crate::format::format;
use crate::identity;
use crate::reader::{Is, Node};
use crate::text::Text;
use crate::tree::{KindOf, Owner, Program, Turns};
use crate::words::{Sort, WORDS};
use treegauge_core::Player;

/// Text of a game as a tree in which every node has a sort and a context.
#[derive(Clone, Debug)]
pub struct Genome {
    name: String,
    about: Option<String>,
    spec: BoardSpec,
    /// Board described by `spec`.
    board: Arc<Board>,
    kinds: Vec<KindOf>,
    start: Vec<Put>,
    seeds: Option<i32>,
    turns: Option<Turns>,
    play: Tree,
    rules: Vec<Tree>,
    stuck: Option<Tree>,
    quiet: Option<Tree>,
    repetition: Option<Tree>,
    cap: Option<i32>,
    allowed: Vec<String>,
}

/// Pieces on the board at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Put {
    /// Owner as a word: `each`, `first`, `second` or `neutral`.
    owner: String,
    kind: String,
    set: Tree,
}

impl Genome {
    /// Builds the genome of a text with values for some of its options.
    ///
    /// # Errors
    ///
    /// When the checker refuses the text. A game without a first move, or one that ends after every
    /// first move, still has a genome; [`program`](Genome::program) refuses it.
    pub fn of(text: &Text, options: &[(String, i32)]) -> Result<Genome, Mistakes> {
        let program = text.unproved(options)?;
        Ok(Genome::of_checked(text.game(), &program))
    }

    /// Builds the genome of a source text, with its options at their defaults.
    ///
    /// # Errors
    ///
    /// When the source cannot be parsed, or as for [`of`](Genome::of).
    pub fn read(source: &str) -> Result<Genome, Mistakes> {
        Genome::of(&Text::read(source)?, &[])
    }

    /// Builds the genome of a checked text.
    fn of_checked(game: &Node, program: &Program) -> Genome {
        let section = |name: &str| game.rest().iter().find(|node| node.head() == Some(name));
        let parts = |name: &str| section(name).map_or(&[][..], Node::rest);
        let reading = Reading { kinds: &program.kinds, options: &program.options };
        let (mut start, mut seeds) = (Vec::new(), None);
        for node in parts("start") {
            let rest = node.rest();
            if node.head() == Some("seeds") {
                seeds = Some(i32::from(program.seeds));
                continue;
            }
            let owner = rest[0].text();
            let kind = if rest.len() == 3 {
                rest[1].text()
            } else {
                let neutral = owner == "neutral";
                let fits = |kind: &&KindOf| (kind.owner == Owner::Neutral) == neutral;
                program.kinds.iter().find(fits).map_or_else(String::new, |kind| kind.name.clone())
            };
            let set = Slot::Word(Sort::Set, When::Start);
            start.push(Put { owner, kind, set: reading.tree(set, &rest[rest.len() - 1]) });
        }
        let find = |section: &str, name: &str, slot: Slot| {
            let node = parts(section).iter().find(|node| node.head() == Some(name))?;
            Some(reading.tree(slot, node))
        };
        let end = parts("end").iter().filter(|node| node.head() == Some("if"));
        let quiet = find("limits", "quiet", Slot::Quiet);
        Genome {
            name: program.name.clone(),
            about: program.about.clone(),
            spec: section("board").map_or_else(
                || BoardSpec::of_shape(program.board.shape),
                |node| BoardSpec::of(node, &program.board),
            ),
            board: Arc::new(program.board.clone()),
            kinds: program.kinds.clone(),
            start,
            seeds,
            turns: program.turns.clone(),
            play: reading.tree(Slot::Word(Sort::Moves, When::Before), &parts("play")[0]),
            rules: end.map(|node| reading.tree(Slot::Rule, node)).collect(),
            stuck: find("end", "stuck", Slot::Stuck),
            quiet,
            repetition: find("limits", "repetition", Slot::Repetition),
            cap: program.cap.map(|cap| cap as i32),
            allowed: program.allowed.clone(),
        }
    }

    /// Text of the genome, formatted by [`format()`]. Reading it returns the same genome.
    ///
    /// # Panics
    ///
    /// Never: the text of a genome has matching parentheses.
    #[must_use]
    pub fn source(&self) -> String {
        format(&self.game().text()).expect("the parentheses of a genome match")
    }

    /// Name of the game.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Renames the game. Quotation marks and control characters are removed, and the name is cut to
    /// 80 bytes.
    #[must_use]
    pub fn with_name(mut self, name: &str) -> Genome {
        self.name = quotable(name, 80);
        self
    }

    /// Replaces or removes the description of the game.
    #[must_use]
    pub fn with_about(mut self, about: Option<&str>) -> Genome {
        self.about = about.map(|about| quotable(about, usize::MAX));
        self
    }

    /// Program of the genome.
    ///
    /// # Errors
    ///
    /// When the game cannot be played: it has no first move, or every first move ends it. The
    /// children of operators cannot fail for any other reason.
    pub fn program(&self) -> Result<Program, Mistakes> {
        Text::read(&self.source())?.check()
    }

    /// Program of the genome, even if the game cannot be played.
    fn unproved(&self) -> Result<Program, Mistakes> {
        let game = self.game();
        check::program(&game, Vec::new()).map_err(|mistakes| Mistakes::of(mistakes, ""))
    }

    /// Identity of the game: a 128-bit hash of its normal form. Texts have the same identity if
    /// they differ only in names, comments, the order of interchangeable parts, defaults that are
    /// written out, constants that are computed, or a rotation or reflection of the board. Games of
    /// the same identity are played in the same way.
    ///
    /// # Panics
    ///
    /// Never: the checker accepts the text of a genome.
    #[must_use]
    pub fn identity(&self) -> u128 {
        identity::identity(&self.unproved().expect("the checker has accepted the genome"))
    }

    /// Number of nodes of `play` and `end`. Every word, number and list counts once.
    #[must_use]
    pub fn nodes(&self) -> usize {
        let end = self.rules.iter().chain(&self.stuck);
        self.play.nodes() + end.map(Tree::nodes).sum::<usize>()
    }

    /// Use of each word of the language, in the order of [`WORDS`]: `true` if the text contains the
    /// word.
    #[must_use]
    pub fn words(&self) -> Vec<bool> {
        let mut found = vec![false; WORDS.len()];
        self.each_node(&mut |_, tree, _| {
            let known =
                |word: &crate::Word| tree.sort() == Some(word.sort) && tree.head() == word.name;
            if let Some(n) = WORDS.iter().position(known) {
                found[n] = true;
            }
        });
        found
    }

    /// All trees, in the order of the text.
    fn roots(&self) -> Vec<&Tree> {
        let mut roots: Vec<&Tree> = self.start.iter().map(|put| &put.set).collect();
        roots.push(&self.play);
        roots.extend(&self.rules);
        roots.extend(self.stuck.iter().chain(&self.quiet).chain(&self.repetition));
        roots
    }

    /// Calls `visit` with the index of every node, the node and its parent. Roots come in the order
    /// of the text, and the nodes of each in the order of [`Tree::walk`].
    fn each_node<'g>(&'g self, visit: &mut dyn FnMut(usize, &'g Tree, Option<&'g Tree>)) {
        let mut number = 0;
        for root in self.roots() {
            root.walk(None, &mut |tree, parent| {
                visit(number, tree, parent);
                number += 1;
            });
        }
    }

    fn roots_mut(&mut self) -> Vec<&mut Tree> {
        let mut roots: Vec<&mut Tree> = self.start.iter_mut().map(|put| &mut put.set).collect();
        roots.push(&mut self.play);
        roots.extend(&mut self.rules);
        roots.extend(self.stuck.iter_mut().chain(&mut self.quiet).chain(&mut self.repetition));
        roots
    }

    /// Node of an index as counted by [`Genome::each_node`].
    fn nth(&mut self, mut number: usize) -> Option<&mut Tree> {
        self.roots_mut().into_iter().find_map(|root| root.nth(&mut number))
    }

    /// Whole text as a tree.
    fn game(&self) -> Node {
        let mut sections = vec![bare(Is::Text(self.name.clone()))];
        let text = |text: &String| list("about", [bare(Is::Text(text.clone()))]);
        sections.extend(self.about.as_ref().map(text));
        sections.push(self.spec.node());
        if !self.has_only_stones() {
            sections.push(list("pieces", self.kinds.iter().map(kind_node)));
        }
        let mut start: Vec<Node> = self.start.iter().map(Put::node).collect();
        start.extend(self.seeds.map(|n| list("seeds", [int(n)])));
        if !start.is_empty() {
            sections.push(list("start", start));
        }
        sections.extend(self.turns.as_ref().map(turns_node));
        sections.push(list("play", [self.play.node()]));
        sections.push(list("end", self.rules.iter().chain(&self.stuck).map(Tree::node)));
        let limits = self.quiet.iter().chain(&self.repetition).map(Tree::node);
        let mut limits: Vec<Node> = limits.collect();
        limits.extend(self.cap.map(|n| list("cap", [int(n)])));
        if !limits.is_empty() {
            sections.push(list("limits", limits));
        }
        if !self.allowed.is_empty() {
            sections.push(list("allow", self.allowed.iter().map(|code| named(code))));
        }
        list("game", sections)
    }

    /// Tests whether the kinds are those of a text without a section `pieces`.
    fn has_only_stones(&self) -> bool {
        matches!(&self.kinds[..], [KindOf { name, owner: Owner::Each, hand: None, letter: None }] if name == "stone")
    }
}

impl Put {
    fn node(&self) -> Node {
        list("put", [named(&self.owner), named(&self.kind), self.set.node()])
    }
}

fn kind_node(kind: &KindOf) -> Node {
    let owner = match kind.owner {
        Owner::Each => "each",
        Owner::Only(Player::First) => "first",
        Owner::Only(Player::Second) => "second",
        Owner::Neutral => "neutral",
    };
    let hand = kind.hand.map(|n| list("hand", [int(i32::from(n))]));
    let letter = kind.letter.map(|c| list("letter", [named(&c.to_ascii_lowercase().to_string())]));
    list(&kind.name, std::iter::once(named(owner)).chain(hand).chain(letter))
}

fn turns_node(turns: &Turns) -> Node {
    let seats = |seats: &[Player]| -> Vec<Node> {
        let name = |seat: &Player| if *seat == Player::First { "first" } else { "second" };
        seats.iter().map(|seat| named(name(seat))).collect()
    };
    let (opening, cycle) = turns.seats.split_at(turns.cycle);
    let opening = (!opening.is_empty()).then(|| list("opening", seats(opening)));
    list("turns", opening.into_iter().chain([list("cycle", seats(cycle))]))
}

/// Longest prefix of some words that a string in a text can hold, within a number of bytes.
/// Quotation marks and control characters are removed.
fn quotable(words: &str, bytes_max: usize) -> String {
    let mut text = String::new();
    for c in words.chars().filter(|&c| c != '"' && !c.is_control()) {
        if text.len() + c.len_utf8() > bytes_max {
            break;
        }
        text.push(c);
    }
    text
}
