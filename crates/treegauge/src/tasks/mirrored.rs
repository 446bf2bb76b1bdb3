//! Enumerations of the library as arguments.

/// Declares enumerations for clap with the variants of enumerations of the library, and their conversions.
#[doc(hidden)]
#[macro_export]
macro_rules! mirrored {
    ($($(#[$doc:meta])* $name:ident of $of:ident { $($variant:ident),+ })+) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, clap::ValueEnum)]
            enum $name { $($variant),+ }

            impl From<$name> for $of {
                fn from(name: $name) -> $of {
                    match name {
                        $($name::$variant => $of::$variant,)+
                    }
                }
            }
        )+
    };
}
