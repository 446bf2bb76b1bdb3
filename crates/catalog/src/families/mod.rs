//! List of the families: one module and one line each.

use crate::{Args, Family, LibraryGame, Visitor, library_game};

/// Declares the modules of the families, the list of them and the one `match` from a name to the
/// code of its game.
macro_rules! families {
    ($($module:ident,)*) => {
        $(mod $module;)*

        /// All families, in the order of lists for users.
        pub static FAMILIES: &[&Family] = &[$(&$module::FAMILY,)*];

        pub(crate) fn visit<V: Visitor>(
            name: &str,
            args: &Args,
            visitor: V,
        ) -> Result<V::Output, String> {
            $(
                if name == $module::FAMILY.name {
                    return $module::visit(args, visitor);
                }
            )*
            unreachable!("{name} is a family of the list");
        }

        #[cfg(test)]
        const MODULES: &[&str] = &[$(stringify!($module),)*];
    };
}

families! {
    tic_tac_toe,
    wild_tic_tac_toe,
    connect_four,
    qubic,
    achi,
    alak,
    othello,
    breakthrough,
    checkers,
    alquerque,
    dots_and_boxes,
    dots_corridor,
    dipole,
    finger_game,
    forms,
    isolation,
    kalah,
    nine_mens_morris,
    oware,
    one_to_ten,
    mnk,
}

/// Family of a built-in game or of one of the library with a name or alias; `None` if there is none.
#[must_use]
pub fn family(name: &str) -> Option<&'static Family> {
    let built_in = FAMILIES.iter().copied().find(|family| family.is_called(name));
    built_in.or_else(|| library_game(name).map(LibraryGame::family))
}

#[cfg(test)]
mod tests;
