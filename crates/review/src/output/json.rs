//! The body of the HTTP response, which is also the command line's `json` format. Frozen: clients depend on every name.

use serde::{Deserialize, Serialize};

use crate::diff::Side;
use crate::engine::TokenUsage;
use crate::finding::Reference;
use crate::finding::{Category, Finding, Priority, RelatedPlace};
use crate::model_use::ModelUse;
use crate::pipeline::Review;
use crate::rule_id::HIDDEN_RULE;
use crate::span::Replacement;
use crate::suppression::Suppression;
use crate::warning::Warning;
#[cfg(feature = "openapi")]
use crate::warning::WarningCode;

/// A finished review.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Review))]
pub struct ReviewBody {
    /// UUID (version 7) of the request.
    pub request_id: String,
    /// The caller's reference, byte for byte; `null` if none was sent.
    #[cfg_attr(feature = "openapi", schema(example = "ci-4711"))]
    pub client_reference: Option<String>,
    /// The defects: by priority, then file order of the diff, then line.
    pub findings: Vec<FindingBody>,
    /// How the review was made.
    pub metadata: Metadata,
}

/// A defect on a line of the submitted diff.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Finding, example = json!({
    "filePath": "src/cart.py",
    "lineNumber": 4,
    "lineSide": "NEW",
    "oldLineNumber": null,
    "hunkHeader": "@@ -1,2 +1,6 @@",
    "priority": "P2",
    "category": "LOGIC_BUG",
    "summary": "The default `[]` is created once and shared by all calls: an item added in one call is visible in the next.",
    "suggestedFix": "Use `None` as the default and create the object inside the function.",
    "ruleId": "python/mutable-default-argument",
    "fingerprint": "4e0c4a1dfd3f1403356282637558e523",
    "confidence": 0.74,
    "startColumn": 22,
    "endLine": 4,
    "endColumn": 24,
    "replacement": null,
    "relatedLocations": [],
    "references": [],
})))]
pub struct FindingBody {
    /// The path on the finding's side, without `a/` and `b/`, unquoted.
    pub file_path: String,
    /// Number of the line on `lineSide`, from 1.
    pub line_number: u32,
    /// `NEW` for an added or a context line, `OLD` for a removed line.
    #[cfg_attr(feature = "openapi", schema(value_type = LineSide))]
    pub line_side: Side,
    /// `null` for an added line, the old number for a context or a removed line.
    pub old_line_number: Option<u32>,
    /// The hunk's header line exactly as in the diff, including the section heading.
    pub hunk_header: String,
    /// How serious it is.
    pub priority: Priority,
    /// The kind of defect.
    pub category: Category,
    /// The problem.
    pub summary: String,
    /// How to fix it; `null` if not known.
    pub suggested_fix: Option<String>,
    /// The rule that found it; `null` for a finding of a language model.
    pub rule_id: Option<String>,
    /// Identical for the same defect in every review: made of rule, path and text of the line. Equal lines share it.
    pub fingerprint: String,
    /// 0 to 1.
    pub confidence: f64,
    /// The first column of the code that the finding is about: from 1, in Unicode scalar values, without the diff
    /// marker; `null` if not known.
    pub start_column: Option<u32>,
    /// The last line of that code, on the same side of the same hunk; `null` if not known.
    pub end_line: Option<u32>,
    /// The column after that code's last character; `null` if not known.
    pub end_column: Option<u32>,
    /// The edit of the new side that removes the defect and changes nothing else; `null` if there is none.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub replacement: Option<ReplacementBody>,
    /// Other places of the same defect: at most 20, each a line of the diff.
    // Missing in the responses of older services.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub related_locations: Vec<RelatedLocation>,
    /// Lines outside the diff that the summary refers to: at most 20. Only a review in a checkout finds any.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub references: Vec<Reference>,
    /// Whether the finding is in the baseline; `null` without a baseline. Only the command line has baselines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub baseline_state: Option<BaselineState>,
    /// The comment that suppresses it, in [`Metadata::suppressed_findings`].
    #[serde(skip)]
    pub suppression: Option<SuppressionBody>,
}

/// A finding and the comment that suppresses it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SuppressedFinding {
    /// The finding, as it would be without the comment.
    finding: FindingBody,
    /// The comment.
    suppression: SuppressionBody,
}

/// Suppressed findings as [`SuppressedFinding`]s.
mod suppressed {
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    use crate::output::json::{FindingBody, SuppressedFinding};

    pub(super) fn serialize<S: Serializer>(
        findings: &[FindingBody],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let pair = |finding: &FindingBody| {
            let suppression = finding.suppression.clone()?;
            Some(SuppressedFinding {
                finding: finding.clone(),
                suppression,
            })
        };
        findings
            .iter()
            .filter_map(pair)
            .collect::<Vec<_>>()
            .serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<FindingBody>, D::Error> {
        let pairs = Vec::<SuppressedFinding>::deserialize(deserializer)?;
        let joined = pairs.into_iter().map(
            |SuppressedFinding {
                 finding,
                 suppression,
             }| FindingBody {
                suppression: Some(suppression),
                ..finding
            },
        );
        Ok(joined.collect())
    }
}

/// A comment that suppresses a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Suppression))]
pub struct SuppressionBody {
    /// The number of its line in the file after the change, from 1.
    #[cfg_attr(feature = "openapi", schema(example = 3))]
    pub line_number: u32,
    /// The reason in the comment; for another analyser's comment, its text. At most 200 characters.
    #[cfg_attr(feature = "openapi", schema(example = "callers never change the list"))]
    pub reason: String,
}

/// How a finding relates to a baseline, in SARIF's terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum BaselineState {
    /// It is not in the baseline.
    New,
    /// It is in the baseline and fails no run.
    Unchanged,
}

impl FindingBody {
    /// Whether it is in the baseline.
    #[must_use]
    pub fn is_in_baseline(&self) -> bool {
        self.baseline_state == Some(BaselineState::Unchanged)
    }

    /// Its rule, or its category if a model found it: the part of its fingerprint other than path and line.
    #[must_use]
    pub fn source(&self) -> &str {
        self.rule_id.as_deref().unwrap_or(self.category.as_str())
    }

    /// Whether it reports that the change hides code from the review.
    #[must_use]
    pub fn reports_hidden_code(&self) -> bool {
        self.rule_id.as_deref() == Some(HIDDEN_RULE)
    }

    /// The number of places of a file with the defect: its own and the related ones.
    #[must_use]
    pub fn places(&self) -> usize {
        1 + self.related_locations.len()
    }
}

impl ReviewBody {
    /// The findings that are not in the baseline; all if there is none.
    pub fn open_findings(&self) -> impl Iterator<Item = &FindingBody> {
        self.findings
            .iter()
            .filter(|finding| !finding.is_in_baseline())
    }

    /// The findings that formats show: those of [`ReviewBody::open_findings`], then the suppressed ones.
    pub fn shown_findings(&self) -> impl Iterator<Item = &FindingBody> {
        self.open_findings()
            .chain(&self.metadata.suppressed_findings)
    }

    /// Turns suppressed findings of priority P0 and P1 into ordinary findings.
    pub fn reinstate_serious(&mut self) {
        let suppressed = std::mem::take(&mut self.metadata.suppressed_findings);
        let (serious, others) = suppressed
            .into_iter()
            .partition(|finding| finding.priority <= Priority::P1);
        self.metadata.suppressed_findings = others;
        self.findings.extend::<Vec<FindingBody>>(serious);
        self.findings.sort_by_key(|finding| finding.priority);
    }
}

impl From<&Suppression> for SuppressionBody {
    fn from(suppression: &Suppression) -> Self {
        Self {
            line_number: suppression.line,
            reason: suppression.reason.clone(),
        }
    }
}

/// Text that replaces a range of the new side, within the hunk of the finding. Columns count from 1 in Unicode scalar
/// values, without the diff marker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Replacement))]
pub struct ReplacementBody {
    /// The first line.
    pub start_line: u32,
    /// The column of the first character.
    pub start_column: u32,
    /// The last line.
    pub end_line: u32,
    /// The column after the last character.
    pub end_column: u32,
    /// The new text. Its lines end with a line feed, whatever the file's line endings are.
    pub text: String,
}

impl From<&Replacement> for ReplacementBody {
    fn from(Replacement { line, span, text }: &Replacement) -> Self {
        Self {
            start_line: *line,
            start_column: span.start_column,
            end_line: span.end_line,
            end_column: span.end_column,
            text: text.clone(),
        }
    }
}

/// Another place of the same defect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RelatedLocation {
    /// The path on the line's side, without `a/` and `b/`, unquoted.
    #[cfg_attr(feature = "openapi", schema(example = "src/cart.py"))]
    pub file_path: String,
    /// Number of the line on `lineSide`, from 1.
    #[cfg_attr(feature = "openapi", schema(example = 9))]
    pub line_number: u32,
    /// `NEW` for an added or a context line, `OLD` for a removed line.
    #[cfg_attr(feature = "openapi", schema(value_type = LineSide))]
    pub line_side: Side,
}

impl From<&RelatedPlace> for RelatedLocation {
    fn from(place: &RelatedPlace) -> Self {
        Self {
            file_path: place.file_path.to_string(),
            line_number: place.line_number,
            line_side: place.line_side,
        }
    }
}

/// The side of the diff that a line is on.
#[cfg(feature = "openapi")]
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "UPPERCASE")]
#[expect(dead_code, reason = "describes `Side` in the OpenAPI document")]
enum LineSide {
    New,
    Old,
}

/// How a review was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Metadata {
    /// Milliseconds from the accepted request to the answer.
    #[cfg_attr(feature = "openapi", schema(example = 12))]
    pub processing_ms: u64,
    /// Parts of the diff that were analysed.
    #[cfg_attr(feature = "openapi", schema(example = 1))]
    pub chunks_analyzed: u64,
    /// Language-model tokens; the rule engine uses none.
    pub token_usage: TokenUsage,
    /// Parts that were skipped or failed.
    #[cfg_attr(feature = "openapi", schema(example = json!([])))]
    pub warnings: Vec<WarningBody>,
    /// The engines that ran.
    #[cfg_attr(feature = "openapi", schema(example = json!(["rules"])))]
    pub engines: Vec<String>,
    /// The language model; `null` if none ran.
    pub model: Option<String>,
    /// The use of language models and its cost; `null` if none ran.
    // Missing in the responses of older services.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub model_use: Option<ModelUse>,
    /// Parts of the diff that the language model analysed.
    #[serde(skip)]
    pub chunks_by_model: u64,
    /// The files that were reviewed as test code, in the order of the diff: some rules skip them, and findings of rules are one
    /// priority lower.
    // Missing in the responses of older services.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required, example = json!([])))]
    pub test_files: Vec<String>,
    /// Findings that are suppressed by comments where the change adds or edits the comment or the line that it covers, so
    /// that a reviewer can judge them. They are not in `findings`, and have the same order.
    // Missing in the responses of older services.
    #[serde(default, with = "suppressed")]
    #[cfg_attr(feature = "openapi", schema(required, value_type = Vec<SuppressedFinding>, example = json!([])))]
    pub suppressed_findings: Vec<FindingBody>,
}

/// Something that a review skipped or could not do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Warning))]
pub struct WarningBody {
    /// A stable name.
    // A string, because a newer service may send codes that this version does not know.
    #[cfg_attr(feature = "openapi", schema(value_type = WarningCode))]
    pub code: String,
    /// One human-readable sentence.
    #[cfg_attr(feature = "openapi", schema(example = "The file is binary."))]
    pub message: String,
    /// The file that it concerns; `null` if it concerns the whole review.
    #[cfg_attr(feature = "openapi", schema(example = "logo.png"))]
    pub file_path: Option<String>,
    /// Whether it only concerns the language model: the rules reviewed the code.
    #[serde(skip)]
    pub model_only: bool,
}

impl From<&Warning> for WarningBody {
    fn from(warning: &Warning) -> Self {
        Self {
            code: warning.code.as_str().to_owned(),
            message: warning.message.clone(),
            file_path: warning.file_path.clone(),
            model_only: warning.model_only,
        }
    }
}

/// Builds the body of a response.
#[must_use]
pub fn body(
    request_id: &str,
    client_reference: Option<&str>,
    review: &Review,
    processing_ms: u64,
) -> ReviewBody {
    ReviewBody {
        request_id: request_id.to_owned(),
        client_reference: client_reference.map(str::to_owned),
        findings: findings(&review.findings),
        metadata: Metadata {
            processing_ms,
            chunks_analyzed: u64::try_from(review.chunks_analyzed).unwrap_or(u64::MAX),
            token_usage: review.usage,
            warnings: review.warnings.iter().map(WarningBody::from).collect(),
            engines: review
                .engines
                .iter()
                .map(|engine| (*engine).to_owned())
                .collect(),
            model: review.model.clone(),
            model_use: review.model_use.clone(),
            chunks_by_model: u64::try_from(review.chunks_by_model).unwrap_or(u64::MAX),
            test_files: review.test_files.clone(),
            suppressed_findings: findings(&review.suppressed),
        },
    }
}

/// The wire format of findings.
#[must_use]
pub fn findings(findings: &[Finding]) -> Vec<FindingBody> {
    findings.iter().map(finding).collect()
}

fn finding(finding: &Finding) -> FindingBody {
    FindingBody {
        file_path: finding.file_path.to_string(),
        line_number: finding.line_number,
        line_side: finding.line_side,
        old_line_number: finding.old_line_number,
        hunk_header: finding.hunk_header.to_string(),
        priority: finding.priority,
        category: finding.category,
        summary: finding.summary.clone(),
        suggested_fix: finding.suggested_fix.clone(),
        rule_id: finding.rule_id().map(str::to_owned),
        fingerprint: finding.fingerprint.clone(),
        confidence: (f64::from(finding.confidence) * 100.0).round() / 100.0,
        start_column: finding.span.map(|span| span.start_column),
        end_line: finding.span.map(|span| span.end_line),
        end_column: finding.span.map(|span| span.end_column),
        replacement: finding.replacement.as_ref().map(ReplacementBody::from),
        related_locations: finding.related.iter().map(RelatedLocation::from).collect(),
        references: finding.references.clone(),
        baseline_state: None,
        suppression: finding.suppression.as_ref().map(SuppressionBody::from),
    }
}

/// The body as indented JSON with a trailing line feed.
#[must_use]
pub fn render(body: &ReviewBody) -> String {
    let mut text = serde_json::to_string_pretty(body).unwrap_or_default();
    text.push('\n');
    text
}
