//! A finding: a defect on a line of the diff.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::diff::Side;
use crate::rule_id::RuleId;
use crate::span::Span;

/// Declares an enum whose variants have one fixed spelling on the wire, and derives the rest from that list.
macro_rules! named {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:tt),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        pub enum $name { $($(#[$doc])* #[serde(rename = $text)] $variant),* }

        impl $name {
            /// Every value, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The spelling on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                Self::ALL.iter().copied().find(|v| v.as_str().eq_ignore_ascii_case(text)).ok_or_else(|| {
                    let known: Vec<_> = Self::ALL.iter().map(|v| v.as_str()).collect();
                    format!("expected one of {}", known.join(", "))
                })
            }
        }
    };
}
pub(crate) use named;

named! {
    /// How much a finding matters.
    Priority {
        /// Must not ship: data loss, exploitable, crash on the main path.
        P0 = "P0",
        /// A defect that will bite.
        P1 = "P1",
        /// A likely defect or a real risk.
        P2 = "P2",
        /// Minor.
        P3 = "P3",
    }
}

named! {
    /// What kind of defect a finding is.
    Category {
        /// The code does something else than what was meant.
        LogicBug = "LOGIC_BUG",
        /// An absent value is used as if it were there.
        NullSafety = "NULL_SAFETY",
        /// An error is lost, hidden or handled wrongly.
        ErrorHandling = "ERROR_HANDLING",
        /// Races, deadlocks and lost updates.
        Concurrency = "CONCURRENCY",
        /// Something that was opened is not closed.
        ResourceLeak = "RESOURCE_LEAK",
        /// A weakness that an attacker can use.
        Security = "SECURITY",
        /// A credential stands in the code.
        SecretExposure = "SECRET_EXPOSURE",
        /// Data can be lost, corrupted or mixed up.
        DataIntegrity = "DATA_INTEGRITY",
        /// Callers that worked no longer do.
        ApiCompatibility = "API_COMPATIBILITY",
        /// Needless cost that grows with the data.
        Performance = "PERFORMANCE",
        /// Settings, build files, deployment.
        Configuration = "CONFIGURATION",
        /// Tests that no longer test.
        Testing = "TESTING",
        /// Code that will mislead the next person.
        Maintainability = "MAINTAINABILITY",
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
