//! Enums that are kept, and spoken of on every surface, as one lower-case word.

/// Defines an enum whose every variant has one spelling, with `ALL`, `as_str`, `Display`, `FromStr` and its column.
macro_rules! words {
    (
        $what:literal;
        $(#[$meta:meta])*
        pub enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $word:literal),+ $(,)? }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$variant_meta])* $variant),+ }

        impl $name {
            /// Every variant, in the order of the definition.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The one spelling, in commands, JSON and the database.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::ParseError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text { $($word => Ok(Self::$variant),)+ _ => Err($crate::ParseError($what)) }
            }
        }

        $crate::db::stored_as!($name: String, |word| word.to_string(), |text| text.parse());
    };
}

pub(crate) use words;
