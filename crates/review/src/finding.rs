//! A finding: a defect on a line of the diff.

use std::sync::Arc;

use strum::VariantArray;

use crate::diff::Side;
use crate::rule_id::RuleId;
use crate::span::Span;

/// An enum whose values have one name each on every surface, made of the variant's.
macro_rules! named {
    ($style:literal; $(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident),* $(,)? }) => {
        $(#[$meta])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
            strum::Display, strum::EnumString, strum::IntoStaticStr, strum::VariantArray,
        )]
        #[serde(rename_all = $style)]
        #[strum(serialize_all = $style, ascii_case_insensitive)]
        #[strum(parse_err_ty = String, parse_err_fn = $crate::finding::unknown_name::<$name>)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        pub enum $name { $($(#[$doc])* $variant),* }

        impl $name {
            /// Every value, in order.
            pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

            /// The name.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                self.into()
            }
        }
    };
}
pub(crate) use named;

/// Why a text is not the name of a `T`.
pub(crate) fn unknown_name<T: VariantArray + Copy + Into<&'static str>>(_: &str) -> String {
    let known: Vec<&str> = T::VARIANTS.iter().map(|value| (*value).into()).collect();
    format!("expected one of {}", known.join(", "))
}

named! {
    "SCREAMING_SNAKE_CASE";
    /// How much a finding matters.
    Priority {
        /// Must not ship: data loss, exploitable, crash on the main path.
        P0,
        /// A defect that will bite.
        P1,
        /// A likely defect or a real risk.
        P2,
        /// Minor.
        P3,
    }
}

named! {
    "SCREAMING_SNAKE_CASE";
    /// What kind of defect a finding is.
    Category {
        /// The code does something else than what was meant.
        LogicBug,
        /// An absent value is used as if it were there.
        NullSafety,
        /// An error is lost, hidden or handled wrongly.
        ErrorHandling,
        /// Races, deadlocks and lost updates.
        Concurrency,
        /// Something that was opened is not closed.
        ResourceLeak,
        /// A weakness that an attacker can use.
        Security,
        /// A credential stands in the code.
        SecretExposure,
        /// Data can be lost, corrupted or mixed up.
        DataIntegrity,
        /// Callers that worked no longer do.
        ApiCompatibility,
        /// Needless cost that grows with the data.
        Performance,
        /// Settings, build files, deployment.
        Configuration,
        /// Tests that no longer test.
        Testing,
        /// Code that will mislead the next person.
        Maintainability,
    }
}

/// A defect on a line of the diff. Only [`crate::anchor`] makes one, so its line is always a line of that hunk of that
/// file of the diff under review.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    pub(crate) file: usize,
    pub(crate) hunk: usize,
    pub(crate) line: usize,
    pub(crate) file_path: Arc<str>,
    pub(crate) line_number: u32,
    pub(crate) line_side: Side,
    pub(crate) old_line_number: Option<u32>,
    pub(crate) hunk_header: Arc<str>,
    pub(crate) priority: Priority,
    pub(crate) category: Category,
    pub(crate) summary: String,
    pub(crate) suggested_fix: Option<String>,
    pub(crate) rule_id: Option<RuleId>,
    pub(crate) fingerprint: String,
    pub(crate) confidence: f32,
    pub(crate) span: Option<Span>,
    pub(crate) related: Vec<RelatedPlace>,
}

/// A line of the diff that has the same defect as a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelatedPlace {
    pub(crate) file_path: Arc<str>,
    pub(crate) line_number: u32,
    pub(crate) line_side: Side,
}

impl RelatedPlace {
    /// The path on the side that the line is on.
    #[must_use]
    pub fn file_path(&self) -> &str {
        &self.file_path
    }

    /// The line's number on [`RelatedPlace::line_side`], from 1.
    #[must_use]
    pub fn line_number(&self) -> u32 {
        self.line_number
    }

    /// The side that the line is on.
    #[must_use]
    pub fn line_side(&self) -> Side {
        self.line_side
    }
}

impl Finding {
    /// Index of the file in the diff, of the hunk in the file, and of the line in the hunk.
    #[must_use]
    pub fn place(&self) -> (usize, usize, usize) {
        (self.file, self.hunk, self.line)
    }

    /// The path on the side that the finding is on.
    #[must_use]
    pub fn file_path(&self) -> &str {
        &self.file_path
    }

    /// The line's number on [`Finding::line_side`], from 1.
    #[must_use]
    pub fn line_number(&self) -> u32 {
        self.line_number
    }

    /// The side that the line is on.
    #[must_use]
    pub fn line_side(&self) -> Side {
        self.line_side
    }

    /// The line's number on the old side; `None` for an added line.
    #[must_use]
    pub fn old_line_number(&self) -> Option<u32> {
        self.old_line_number
    }

    /// The hunk's header exactly as it stands in the diff.
    #[must_use]
    pub fn hunk_header(&self) -> &str {
        &self.hunk_header
    }

    /// How much it matters.
    #[must_use]
    pub fn priority(&self) -> Priority {
        self.priority
    }

    /// What kind of defect it is.
    #[must_use]
    pub fn category(&self) -> Category {
        self.category
    }

    /// What is wrong, in a sentence or two.
    #[must_use]
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// What to do about it, where that is known.
    #[must_use]
    pub fn suggested_fix(&self) -> Option<&str> {
        self.suggested_fix.as_deref()
    }

    /// The rule that found it; `None` for a language model's finding.
    #[must_use]
    pub fn rule_id(&self) -> Option<&str> {
        self.rule_id.as_ref().map(RuleId::as_str)
    }

    /// The same for the same defect in every review that sees it ([`crate::fingerprint()`]).
    #[must_use]
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// 0 to 1.
    #[must_use]
    pub fn confidence(&self) -> f32 {
        self.confidence
    }

    /// The part of the code that it is about, where that is known: it begins on the finding's line, and ends on a line of
    /// the same side of the same hunk.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.span
    }

    /// The same defect's other places, each a line of the diff.
    #[must_use]
    pub fn related(&self) -> &[RelatedPlace] {
        &self.related
    }
}
