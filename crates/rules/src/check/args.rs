//! Parsers of the arguments of words, chosen by the type of the field in the typed tree.

use super::{Checker, Sites, When};
use crate::reader::Node;
use crate::terms::terms;
use crate::tree::{Compare, Cond, Dirs, Effect, Kind, Num, Outcome, Set, Side, Who};
use crate::words::{Role, Word};

/// Arguments of a word that are still to be parsed.
pub(super) struct Args<'c, 't, 'n> {
    checker: &'c mut Checker<'t>,
    word: &'static Word,
    left: &'n [Node],
    read: usize,
    when: When,
}

impl<'c, 't, 'n> Args<'c, 't, 'n> {
    pub(super) fn of(
        checker: &'c mut Checker<'t>,
        word: &'static Word,
        node: &'n Node,
        when: When,
    ) -> Self {
        Args { checker, word, left: node.rest(), read: 0, when }
    }

    fn next(&mut self) -> Option<&'n Node> {
        let (first, left) = self.left.split_first()?;
        (self.left, self.read) = (left, self.read + 1);
        Some(first)
    }

    /// Parses a whole number within the range of its argument.
    fn int(&mut self, node: &Node) -> Option<i32> {
        let place = self.word.args[(self.read - 1).min(self.word.args.len() - 1)];
        match place.role() {
            Role::Int(int) => self.checker.int_of(node, int),
            role => unreachable!("{role:?} is not a whole number"),
        }
    }
}

/// Type of the typed tree that can be parsed from an argument.
pub(super) trait Read: Sized {
    /// Parses the argument, or returns the default of an omitted one. Records a mistake and returns
    /// `None` if the argument is wrong.
    fn read(args: &mut Args<'_, '_, '_>) -> Option<Self>;
}

macro_rules! read {
    ($($type:ty: |$args:ident, $node:ident| $read:expr, $absent:expr;)+) => {$(
        impl Read for $type {
            fn read($args: &mut Args<'_, '_, '_>) -> Option<Self> {
                match $args.next() {
                    Some($node) => $read,
                    None => $absent,
                }
            }
        }
    )+};
}

read! {
    Set<Sites>: |args, node| args.checker.set(node, args.when), Some(Set::Mine(None));
    Num<Sites>: |args, node| args.checker.num(node, args.when), None;
    Cond<Sites>: |args, node| args.checker.cond(node, args.when), None;
    Effect<Sites>: |args, node| args.checker.effect(node), None;
    Who: |args, node| args.checker.who(node), Some(Who::Mover);
    Side: |args, node| args.checker.side(node), None;
    Kind: |args, node| args.checker.kind(node), None;
    Option<Kind>: |args, node| args.checker.kind(node).map(Some), Some(None);
    Dirs: |args, node| args.checker.dirs(node), Some(args.checker.all_dirs());
    usize: |args, node| args.checker.groups(node), None;
    i32: |args, node| args.int(node), None;
    u32: |args, node| args.int(node).map(|n| n as u32), None;
    Option<u32>: |args, node| args.int(node).map(|n| Some(n as u32)), Some(None);
}

impl Read for Compare {
    /// The word itself is the comparison, so it has no argument.
    fn read(args: &mut Args<'_, '_, '_>) -> Option<Self> {
        Some(match args.word.name {
            "=" => Compare::Equal,
            "<" => Compare::Less,
            ">" => Compare::Greater,
            "<=" => Compare::AtMost,
            _ => Compare::AtLeast,
        })
    }
}

impl<T: Read> Read for Box<T> {
    fn read(args: &mut Args<'_, '_, '_>) -> Option<Self> {
        T::read(args).map(Box::new)
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(args: &mut Args<'_, '_, '_>) -> Option<Self> {
        // All are parsed, so that every mistake is reported.
        let read: Vec<Option<T>> = args.left.iter().map(|_| T::read(args)).collect();
        read.into_iter().collect()
    }
}

macro_rules! readers {
    ($($(#[$doc:meta])* $sort:ident $method:ident {
        $([$const:ident];)?
        $($(#[$term_doc:meta])* $($word:literal),* $term:ident $(($($field:ident: $type:ty),+))?;)+
    })+) => {$(
        impl $sort<Sites> {
            /// Parses the arguments of a word that makes an expression by itself.
            pub(super) fn of_args(args: &mut Args<'_, '_, '_>) -> Option<$sort<Sites>> {
                type C = Sites;
                match args.word.name {
                    $(name if <[&str]>::contains(&[$($word),*], &name) => {
                        $(let ($($field,)+) = ($(<$type as Read>::read(args),)+);)?
                        Some($sort::$term $(($($field?),+))?)
                    })+
                    other => unreachable!("`{other}` has a reading of its own"),
                }
            }
        }
    )+};
}

terms!(readers);
