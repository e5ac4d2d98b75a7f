//! Usage of an organization: counts, without any reviewed content.

use serde::Serialize;
use utoipa::ToSchema;

/// The counts.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UsageCounts)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Counts {
    /// Reviews that count against the quota.
    #[schema(example = 42)]
    pub(crate) reviews: u64,
    /// Findings by priority.
    pub(crate) findings: FindingCounts,
    /// Input tokens of language models.
    #[schema(example = 120000)]
    pub(crate) prompt_tokens: u64,
    /// Output tokens of language models.
    #[schema(example = 8000)]
    pub(crate) completion_tokens: u64,
    /// Input and output tokens together.
    #[schema(example = 128000)]
    pub(crate) total_tokens: u64,
}

/// Findings by priority.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FindingCounts {
    /// Must be fixed before shipping.
    #[serde(rename = "P0")]
    #[schema(example = 1)]
    pub(crate) p0: u64,
    /// Certain defects with serious consequences.
    #[serde(rename = "P1")]
    #[schema(example = 7)]
    pub(crate) p1: u64,
    /// Likely defects and real risks.
    #[serde(rename = "P2")]
    #[schema(example = 19)]
    pub(crate) p2: u64,
    /// Minor ones.
    #[serde(rename = "P3")]
    #[schema(example = 30)]
    pub(crate) p3: u64,
}

/// Usage on one day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UsageOfDay {
    /// The day in UTC.
    #[schema(format = Date, example = "2026-11-20")]
    pub(crate) day: String,
    #[serde(flatten)]
    pub(crate) counts: Counts,
}

/// Usage of one member.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UsageOfMember {
    /// The user, who may have left since: opaque; starts with `usr_`.
    #[schema(example = "usr_01kafwz8g0e2hvr6s9q4n7x3cd")]
    pub(crate) user_id: String,
    /// A display name; not unique.
    #[schema(example = "Ada")]
    pub(crate) display_name: String,
    #[serde(flatten)]
    pub(crate) counts: Counts,
}

/// Usage of an organization in a range of days.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Usage)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UsageBody {
    /// UUID (version 7) of the request.
    pub(crate) request_id: String,
    /// The first day in UTC, included.
    #[schema(format = Date, example = "2026-11-01")]
    pub(crate) from: String,
    /// The last day in UTC, included.
    #[schema(format = Date, example = "2026-11-30")]
    pub(crate) to: String,
    /// The sum over all days and members; `null` on the pages after the first.
    pub(crate) total: Option<Counts>,
    /// The days with any usage, over all members; `null` on the pages after the first.
    pub(crate) days: Option<Vec<UsageOfDay>>,
    /// The members with any usage, over all days, oldest account first.
    pub(crate) members: Vec<UsageOfMember>,
    /// Where the next page of members starts; `null` on the last page.
    pub(crate) next_cursor: Option<String>,
}

impl From<store::Usage> for Counts {
    fn from(usage: store::Usage) -> Self {
        let [p0, p1, p2, p3] = usage.findings;
        Self {
            reviews: usage.reviews,
            findings: FindingCounts { p0, p1, p2, p3 },
            prompt_tokens: usage.prompt_tokens,
            completion_tokens: usage.completion_tokens,
            total_tokens: usage.prompt_tokens.saturating_add(usage.completion_tokens),
        }
    }
}

impl From<store::UsageOfDay> for UsageOfDay {
    fn from(it: store::UsageOfDay) -> Self {
        Self {
            day: it.day,
            counts: it.usage.into(),
        }
    }
}

impl From<store::UsageOfMember> for UsageOfMember {
    fn from(it: store::UsageOfMember) -> Self {
        Self {
            user_id: it.user_id.to_string(),
            display_name: it.user_name,
            counts: it.usage.into(),
        }
    }
}
