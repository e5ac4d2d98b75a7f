//! A finding: a defect on a line of the diff.

use std::sync::Arc;

use strum::VariantArray;

use serde::{Deserialize, Serialize};

use crate::diff::Side;
use crate::rule_id::RuleId;
use crate::span::{Replacement, Span};
use crate::suppression::Suppression;

/// Defines an enum whose values have one name each on every surface, derived from the variant.
macro_rules! named {
    ($style:tt; $(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident),* $(,)? }) => {
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

/// The error for an unknown name of a `T`.
pub(crate) fn unknown_name<T: VariantArray + Copy + Into<&'static str>>(_: &str) -> String {
    let known: Vec<&str> = T::VARIANTS.iter().map(|value| (*value).into()).collect();
    format!("expected one of {}", known.join(", "))
}

named! {
    "SCREAMING_SNAKE_CASE";
    /// The priority of a finding.
    Priority {
        /// Must not ship: data loss, exploitable, crash on the main path.
        P0,
        /// A defect that will cause failures.
        P1,
        /// A likely defect or a real risk.
        P2,
        /// Minor.
        P3,
    }
}

named! {
    "SCREAMING_SNAKE_CASE";
    /// The kind of defect.
    Category {
        /// The code does not do what was intended.
        LogicBug,
        /// A missing value is used.
        NullSafety,
        /// An error is lost, hidden or handled incorrectly.
        ErrorHandling,
        /// Races, deadlocks and lost updates.
        Concurrency,
        /// A resource is not released.
        ResourceLeak,
        /// A vulnerability.
        Security,
        /// A credential in the code.
        SecretExposure,
        /// Data can be lost, corrupted or mixed up.
        DataIntegrity,
        /// Existing callers break.
        ApiCompatibility,
        /// Unnecessary cost that grows with the data.
        Performance,
        /// Settings, build files and deployment.
        Configuration,
        /// Tests that no longer test anything.
        Testing,
        /// Code that will mislead its readers.
        Maintainability,
    }
}

impl Priority {
    /// The next lower priority; `None` for the lowest.
    #[must_use]
    pub fn lower(self) -> Option<Self> {
        Self::ALL.iter().copied().find(|other| *other > self)
    }
}

/// A defect on a line of the diff. Only [`crate::anchor`] constructs findings, so the line is always a line of that hunk of
/// that file of the reviewed diff.
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
    pub(crate) references: Vec<Reference>,
    pub(crate) replacement: Option<Replacement>,
    pub(crate) suppression: Option<Suppression>,
}

/// A line of the repository, which need not be a line of the diff.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Reference {
    /// The path from the repository's top.
    #[cfg_attr(feature = "openapi", schema(example = "src/shop.py"))]
    pub file_path: String,
    /// The number of the line after the change, from 1.
    #[cfg_attr(feature = "openapi", schema(example = 12))]
    pub line_number: u32,
}

/// A line of the diff with the same defect as a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelatedPlace {
    pub(crate) file_path: Arc<str>,
    pub(crate) line_number: u32,
    pub(crate) line_side: Side,
}

impl RelatedPlace {
    /// The path on the line's side.
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
    /// File index in the diff, hunk index in the file, line index in the hunk.
    #[must_use]
    pub fn place(&self) -> (usize, usize, usize) {
        (self.file, self.hunk, self.line)
    }

    /// The path on the finding's side.
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

    /// The hunk's header exactly as in the diff.
    #[must_use]
    pub fn hunk_header(&self) -> &str {
        &self.hunk_header
    }

    /// The priority.
    #[must_use]
    pub fn priority(&self) -> Priority {
        self.priority
    }

    /// The kind of defect.
    #[must_use]
    pub fn category(&self) -> Category {
        self.category
    }

    /// The problem, in a sentence or two.
    #[must_use]
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// How to fix it, if known.
    #[must_use]
    pub fn suggested_fix(&self) -> Option<&str> {
        self.suggested_fix.as_deref()
    }

    /// The rule that found it; `None` for a language model's finding.
    #[must_use]
    pub fn rule_id(&self) -> Option<&str> {
        self.rule_id.as_ref().map(RuleId::as_str)
    }

    /// Stable for the same defect in all reviews ([`crate::fingerprint()`]).
    #[must_use]
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Confidence, from 0 to 1.
    #[must_use]
    pub fn confidence(&self) -> f32 {
        self.confidence
    }

    /// The exact code that it concerns, if known: from the finding's line to a line of the same side of the same hunk.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.span
    }

    /// The edit that removes the defect, if known: within the new side of the finding's hunk.
    #[must_use]
    pub fn replacement(&self) -> Option<&Replacement> {
        self.replacement.as_ref()
    }

    /// Lines outside the diff that the summary refers to.
    #[must_use]
    pub fn references(&self) -> &[Reference] {
        &self.references
    }

    /// Other places with the same defect, each a line of the diff.
    #[must_use]
    pub fn related(&self) -> &[RelatedPlace] {
        &self.related
    }
}
