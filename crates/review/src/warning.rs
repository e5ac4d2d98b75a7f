//! Warnings: what a review skipped or could not do.

use serde::{Deserialize, Serialize};

use crate::finding::named;

named! {
    "SCREAMING_SNAKE_CASE";
    /// Why something was skipped.
    WarningCode {
        /// A binary file has no lines to review.
        FileSkippedBinary,
        /// A generated, minified or lock file is not written by people.
        FileSkippedGenerated,
        /// A vendored file is third-party code.
        FileSkippedVendored,
        /// The repository's configuration excludes the file (command line only).
        FileSkippedIgnored,
        /// The file is larger than the limit.
        FileSkippedTooLarge,
        /// The parser failed on the file (it crashed, looped or took too much memory).
        FileSkippedParserFailed,
        /// No grammar for the file's language: only the plain-text rules were applied.
        LanguageNotSupported,
        /// Part of the file was too deep or too large to analyse.
        FilePartlyAnalyzed,
        /// The grammar cannot read a part of a statement. The rest of the file was reviewed as usual, and the rules on text
        /// and tokens were applied to the part.
        StatementPartlyRead,
        /// The change was not compared with all other files: a limit of the search was reached.
        SearchLimited,
        /// A line was cut for analysis.
        LineTruncated,
        /// A rule failed on the file; the others ran.
        RuleFailed,
        /// An engine failed on a chunk.
        ChunkFailed,
        /// An engine did not finish a chunk in time.
        ChunkTimedOut,
        /// Findings that could not be placed on a line of the diff were not returned.
        FindingsUnanchored,
        /// Findings in an answer of the language model could not be read.
        FindingsUnreadable,
        /// Findings were not returned because they duplicate another one.
        FindingsMerged,
        /// Findings were not returned because the language model refuted them on a second look.
        FindingsRefuted,
        /// The language model did not check its findings a second time; each is one priority lower.
        FindingsUnchecked,
        /// Findings below the requested confidence were not returned.
        FindingsBelowConfidence,
        /// Findings beyond the limit were not returned.
        FindingsTruncated,
        /// A comment in the code, or the repository's configuration, suppressed findings.
        FindingsSuppressed,
        /// A suppression comment lacks a reason or a rule, so it has no effect.
        SuppressionIneffective,
        /// The change also changes the configuration, the rules or the baseline of its review (command line only).
        ConfigurationChanged,
        /// The language model reviewed nothing; the rules' findings are returned.
        ModelFailed,
        /// Secret values were masked before the diff went to a language model.
        SecretsRedacted,
        /// The budget of language-model tokens was used up before the model saw this part.
        TokenBudgetReached,
        /// The input was not UTF-8; undecodable bytes were replaced.
        EncodingReplaced,
    }
}

/// Start of the message of a [`WarningCode::ModelFailed`] warning; the reason follows.
pub(crate) const MODEL_FAILED: &str = "the language model reviewed nothing: ";

/// Something that a review skipped or could not do.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Warning {
    /// A stable name.
    pub code: WarningCode,
    /// One human-readable sentence.
    pub message: String,
    /// The file that it concerns; `null` if it concerns the whole review.
    pub file_path: Option<String>,
    /// Whether it only concerns the language model: the rules reviewed the code.
    #[serde(skip)]
    pub model_only: bool,
}

impl Warning {
    /// A warning about the whole review.
    #[must_use]
    pub fn review(code: WarningCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            file_path: None,
            model_only: false,
        }
    }

    /// A warning about one file.
    #[must_use]
    pub fn file(code: WarningCode, path: &str, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            file_path: Some(path.to_owned()),
            model_only: false,
        }
    }
}
