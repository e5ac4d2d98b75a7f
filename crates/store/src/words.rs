//! Enums stored in columns, with the same name for each value in commands, JSON and the database.

/// Defines an enum whose names are the variants in lower case, or what `#[strum(serialize = "…")]` specifies. `$what`
/// completes the error for any other text: "not …".
macro_rules! words {
    (
        $what:literal;
        $(#[$meta:meta])*
        pub enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident),+ $(,)? }
    ) => {
        $(#[$meta])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash,
            strum::Display, strum::EnumString, strum::IntoStaticStr, strum::VariantArray,
            strum::VariantNames,
        )]
        #[strum(serialize_all = "lowercase")]
        #[strum(parse_err_ty = $crate::error::ParseError, parse_err_fn = $name::unknown)]
        pub enum $name { $($(#[$variant_meta])* $variant),+ }

        impl $name {
            /// Every value, in the order of the definition.
            pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

            /// Their names, in the same order.
            pub const NAMES: &'static [&'static str] = <Self as strum::VariantNames>::VARIANTS;

            /// The name in commands, JSON and the database.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                self.into()
            }

            const fn unknown(_: &str) -> $crate::error::ParseError {
                $crate::error::ParseError($what)
            }
        }

        $crate::db::stored_as!($name: String, |word| word.to_string(), |text| text.parse());
    };
}

pub(crate) use words;
