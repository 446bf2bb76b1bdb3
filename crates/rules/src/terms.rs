//! Expressions of the typed tree: sets, numbers, conditions, effects and results.
//!
//! One list of expressions defines everything that most of them have in common: their types, their
//! parts, and how they are rebuilt with other parts. Code that treats most words alike names only
//! the exceptions.

use crate::tree::{Compare, Dirs, Kind, Side, Who};

/// Passes the list of expressions to a macro. Each sort has its method of [`Map`]. Each expression
/// has the words that make it, if any do so directly, and its fields in the order of the text.
///
/// The index of an expression within its sort is part of identities of games, which are stored in
/// files. New expressions must be added at the end.
macro_rules! terms {
    ($with:ident) => {
        $with! {
            /// A set of sites.
            Set set {
                // The same sites in every position, for each player.
                [Const];
                "empty" Empty;
                "occupied" Occupied;
                "mine" Mine(kind: Option<Kind>);
                "theirs" Theirs(kind: Option<Kind>);
                "piece" Piece(kind: Kind);
                "to" To;
                "from" From;
                "over" Over;
                "taken" Taken;
                "last" Last(who: Who);
                "and" And(sets: Vec<Set<C>>);
                "or" Or(sets: Vec<Set<C>>);
                "not" Not(set: Box<Set<C>>);
                "first-of" FirstOf(sets: Vec<Set<C>>);
                "next" Next(set: Box<Set<C>>, dirs: Dirs);
                "rays" Rays(set: Box<Set<C>>, dirs: Dirs);
                "custodial" Custodial(dirs: Dirs, most: Option<u32>);
                "joined" Joined(set: Box<Set<C>>, within: Box<Set<C>>);
                "enclosed" Enclosed(set: Box<Set<C>>);
                /// The first field is the index of a family of sets.
                "covered" Covered(family: usize, set: Box<Set<C>>);
                "supported" Supported;
                "store" Store;
                "opposite" Opposite(set: Box<Set<C>>);
                "back" Back(set: Box<Set<C>>, numbers: Vec<i32>);
                "after" After(set: Box<Set<C>>);
                "counterpart" Counterpart(set: Box<Set<C>>);
                "claimed" Claimed(who: Who);
            }
            /// A number.
            Num num {
                Int(n: i32);
                "count" Count(set: Set<C>);
                "groups" Groups(set: Set<C>);
                "largest" Largest(set: Set<C>);
                "score" Score(who: Who);
                "hand" Hand(who: Who, kind: Option<Kind>);
                "made" Made(family: usize, set: Set<C>);
                "seeds" Seeds(set: Set<C>);
                "+" Add(parts: Vec<Num<C>>);
                "-" Sub(a: Box<Num<C>>, b: Box<Num<C>>);
            }
            /// Condition, true or false.
            Cond cond {
                "=", "<", ">", "<=", ">=" Compare(how: Compare, a: Num<C>, b: Num<C>);
                "some" Some(set: Set<C>);
                "none" None(set: Set<C>);
                "in" In(set: Set<C>, within: Set<C>);
                "is" Is(a: Who, b: Who);
                "makes" Makes(family: usize, set: Set<C>);
                "connects" Connects(set: Set<C>, ends: Vec<Set<C>>);
                "opening" Opening(plies: u32);
                "and" And(parts: Vec<Cond<C>>);
                "or" Or(parts: Vec<Cond<C>>);
                "not" Not(cond: Box<Cond<C>>);
                "even" Even(n: Num<C>);
            }
            /// Effect of a move beside the move itself.
            Effect effect {
                "capture" Capture(set: Set<C>);
                "flip" Flip(set: Set<C>);
                "put" Put(side: Side, kind: Kind, set: Set<C>);
                "become" Become(kind: Kind);
                "add" Add(n: Num<C>, who: Who);
                "again" Again;
                "if" If(cond: Cond<C>, effects: Vec<Effect<C>>);
                "collect" Collect(set: Set<C>);
                "sweep" Sweep;
                "claim" Claim(set: Set<C>);
            }
            /// Result of a game.
            Outcome outcome {
                "win" Win(who: Who);
                "lose" Lose(who: Who);
                "draw" Draw;
                "most" Most(n: Num<C>);
                "least" Least(n: Num<C>);
            }
        }
    };
}
pub(crate) use terms;

/// Field of an expression.
pub(crate) trait Operand<C> {
    /// Same type with other constants.
    type With<D>;

    /// Copy with all parts rebuilt.
    fn map<D>(&self, by: &(impl Map<C, D> + ?Sized)) -> Self::With<D>;

    /// The operand as a part of an expression.
    fn part(&self) -> Part<'_, C>;
}

macro_rules! plain_operands {
    ($($type:ty: |$it:ident| $part:expr;)+) => {$(
        impl<C> Operand<C> for $type {
            type With<D> = $type;

            fn map<D>(&self, _: &(impl Map<C, D> + ?Sized)) -> $type {
                self.clone()
            }

            fn part(&self) -> Part<'_, C> {
                let $it = self;
                $part
            }
        }
    )+};
}

plain_operands! {
    Who: |who| Part::Who(*who);
    Side: |side| Part::Side(*side);
    Compare: |how| Part::Compare(*how);
    Dirs: |dirs| Part::Dirs(dirs);
    Kind: |kind| Part::Kind(Some(*kind));
    Option<Kind>: |kind| Part::Kind(*kind);
    usize: |family| Part::Family(*family);
    u32: |n| Part::Limit(Some(*n));
    Option<u32>: |n| Part::Limit(*n);
    i32: |n| Part::Int(*n);
}

impl<C, T: Operand<C>> Operand<C> for Box<T> {
    type With<D> = Box<T::With<D>>;

    fn map<D>(&self, by: &(impl Map<C, D> + ?Sized)) -> Self::With<D> {
        Box::new((**self).map(by))
    }

    fn part(&self) -> Part<'_, C> {
        (**self).part()
    }
}

impl<C, T: Operand<C>> Operand<C> for Vec<T> {
    type With<D> = Vec<T::With<D>>;

    fn map<D>(&self, by: &(impl Map<C, D> + ?Sized)) -> Self::With<D> {
        self.iter().map(|one| one.map(by)).collect()
    }

    fn part(&self) -> Part<'_, C> {
        Part::List(self.iter().map(Operand::part).collect())
    }
}

macro_rules! typed_tree {
    ($($(#[$doc:meta])* $sort:ident $method:ident {
        $([$const:ident];)?
        $($(#[$term_doc:meta])* $($word:literal),* $term:ident $(($($field:ident: $type:ty),+))?;)+
    })+) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Debug, PartialEq, Eq)]
            pub(crate) enum $sort<C> {
                $($const([C; 2]),)?
                $($(#[$term_doc])* $term $(($($type),+))?,)+
            }

            impl<C> $sort<C> {
                /// Index of the expression within its sort.
                pub(crate) fn number(&self) -> u64 {
                    enum Place { $($const,)? $($term,)+ }
                    (match self {
                        $($sort::$const(_) => Place::$const,)?
                        $($sort::$term { .. } => Place::$term,)+
                    }) as u64
                }

                /// Operands of the expression.
                pub(crate) fn parts(&self) -> Vec<Part<'_, C>> {
                    match self {
                        $($sort::$const(of) => vec![Part::Const(of)],)?
                        $($sort::$term $(($($field),+))? => vec![$($($field.part()),+)?],)+
                    }
                }

                /// Copy with all operands rebuilt.
                pub(crate) fn map_parts<D>(&self, by: &(impl Map<C, D> + ?Sized)) -> $sort<D> {
                    match self {
                        $($sort::$const(of) => {
                            $sort::$const(of.each_ref().map(|sites| by.sites(sites)))
                        })?
                        $($sort::$term $(($($field),+))? => {
                            $sort::$term $(($($field.map(by)),+))?
                        })+
                    }
                }
            }

            impl<C> Operand<C> for $sort<C> {
                type With<D> = $sort<D>;

                fn map<D>(&self, by: &(impl Map<C, D> + ?Sized)) -> $sort<D> {
                    by.$method(self)
                }

                fn part(&self) -> Part<'_, C> {
                    Part::$sort(self)
                }
            }
        )+

        /// Rebuilds expressions with constants in another form. Implementations override the
        /// methods of sorts that they treat in another way.
        pub(crate) trait Map<C, D> {
            /// Converts a constant set of sites.
            fn sites(&self, sites: &C) -> D;

            /// Converts a list of effects.
            fn effects(&self, effects: &[Effect<C>]) -> Vec<Effect<D>> {
                effects.iter().map(|effect| self.effect(effect)).collect()
            }

            $(
                fn $method(&self, of: &$sort<C>) -> $sort<D> {
                    of.map_parts(self)
                }
            )+
        }

        /// Part of an expression.
        #[derive(Debug)]
        pub(crate) enum Part<'t, C> {
            Const(&'t [C; 2]),
            Who(Who),
            Side(Side),
            Compare(Compare),
            Dirs(&'t Dirs),
            /// Kind of piece; `None` for all kinds.
            Kind(Option<Kind>),
            /// Index of a family of sets.
            Family(usize),
            /// Upper limit; `None` if unlimited.
            Limit(Option<u32>),
            Int(i32),
            List(Vec<Part<'t, C>>),
            $($sort(&'t $sort<C>),)+
        }

        impl<'t, C> Part<'t, C> {
            /// Operands of the part.
            fn parts(self) -> Vec<Part<'t, C>> {
                match self {
                    $(Part::$sort(of) => of.parts(),)+
                    Part::List(parts) => parts,
                    _ => Vec::new(),
                }
            }
        }
    };
}

terms!(typed_tree);

impl<'t, C> Part<'t, C> {
    /// Arguments of the part, in the order of the text.
    pub(crate) fn args(self) -> Vec<Part<'t, C>> {
        let flat = |part: Part<'t, C>| match part {
            Part::List(parts) => parts,
            // A comparison is the word itself, not an argument.
            Part::Compare(_) => Vec::new(),
            one => vec![one],
        };
        self.parts().into_iter().flat_map(flat).collect()
    }

    /// Calls `visit` with the part and all parts nested in it, each before its own parts.
    pub(crate) fn walk(self, visit: &mut dyn FnMut(&Part<'t, C>)) {
        visit(&self);
        self.args().into_iter().for_each(|part| part.walk(visit));
    }
}
