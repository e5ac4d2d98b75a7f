//! What a review left out or could not do, said to the caller.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::finding::named;

named! {
    /// Why something was left out.
    WarningCode {
        /// A binary file has no lines to review.
        FileSkippedBinary = "FILE_SKIPPED_BINARY",
        /// A generated, minified or lock file is not written by people.
        FileSkippedGenerated = "FILE_SKIPPED_GENERATED",
        /// A vendored file is somebody else's.
        FileSkippedVendored = "FILE_SKIPPED_VENDORED",
        /// The repository's configuration leaves the file out; the command line only.
        FileSkippedIgnored = "FILE_SKIPPED_IGNORED",
        /// The file is larger than what is analysed.
        FileSkippedTooLarge = "FILE_SKIPPED_TOO_LARGE",
        /// The parser failed on the file (it crashed, looped or took too much memory).
        FileSkippedParserFailed = "FILE_SKIPPED_PARSER_FAILED",
        /// No grammar for the file's language: only the rules that read plain text looked at it.
        LanguageNotSupported = "LANGUAGE_NOT_SUPPORTED",
        /// Part of the file was too deep or too large to analyse.
        FilePartlyAnalyzed = "FILE_PARTLY_ANALYZED",
        /// A line was cut for analysis.
        LineTruncated = "LINE_TRUNCATED",
        /// A rule failed on the file; the others ran.
        RuleFailed = "RULE_FAILED",
        /// An engine failed on a chunk.
        ChunkFailed = "CHUNK_FAILED",
        /// An engine did not finish a chunk in time.
        ChunkTimedOut = "CHUNK_TIMED_OUT",
        /// Findings that could not be placed on a line of the diff were not returned.
        FindingsUnanchored = "FINDINGS_UNANCHORED",
        /// Findings in an answer of the language model could not be read.
        FindingsUnreadable = "FINDINGS_UNREADABLE",
        /// Findings were not returned because another one says the same of the same code.
        FindingsMerged = "FINDINGS_MERGED",
        /// Findings below the confidence that was asked for were not returned.
        FindingsBelowConfidence = "FINDINGS_BELOW_CONFIDENCE",
        /// Findings beyond the limit were not returned.
        FindingsTruncated = "FINDINGS_TRUNCATED",
        /// A comment in the code, or the repository's configuration, switched findings off.
        FindingsSuppressed = "FINDINGS_SUPPRESSED",
        /// The language model reviewed nothing; the findings of the rules stand.
        ModelFailed = "MODEL_FAILED",
        /// Secret values were masked before the diff went to a language model.
        SecretsRedacted = "SECRETS_REDACTED",
        /// The budget of language-model tokens was used up before the model saw this part.
        TokenBudgetReached = "TOKEN_BUDGET_REACHED",
        /// Findings of the language model were dropped because its verifier refuted them.
        FindingsRefuted = "FINDINGS_REFUTED",
        /// The verifier doubts findings of rules: they are returned with less confidence.
        FindingsDoubted = "FINDINGS_DOUBTED",
        /// The verifier did not look at these findings.
        FindingsUnverified = "FINDINGS_UNVERIFIED",
        /// The input was not UTF-8; what could not be decoded was replaced.
        EncodingReplaced = "ENCODING_REPLACED",
    }
}

/// Something that a review left out or could not do.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Warning {
    /// A stable name.
    pub code: WarningCode,
    /// One sentence for people.
    pub message: String,
    /// The file it is about; `null` when it is about the whole review.
    pub file_path: Option<String>,
}

impl Warning {
    /// A warning about the whole review.
    #[must_use]
    pub fn review(code: WarningCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), file_path: None }
    }

    /// A warning about one file.
    #[must_use]
    pub fn file(code: WarningCode, path: &str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), file_path: Some(path.to_owned()) }
    }
}
