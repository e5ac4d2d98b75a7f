//! What the operator decides.

use serde::{Deserialize, Serialize};

use crate::{Limits, TrustedProxies};

/// The operator's settings of the service.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The limits in force.
    pub limits: Limits,
    /// Who gets a diff-review entitlement without being given one.
    pub grant_on_create: GrantOnCreate,
    /// Findings less confident than this (0 to 1) are not returned.
    pub min_confidence: f32,
    /// Language-model tokens that one review may use: what is set aside for it of its organization's month.
    pub review_tokens: u64,
    /// Language-model tokens that one organization may use in a calendar month (UTC); 0: no limit.
    pub organization_monthly_tokens: u64,
    /// Whose word on a client's address is taken.
    pub trusted_proxies: TrustedProxies,
    /// Whether a request's line in the log has its client's address.
    pub log_client_addresses: bool,
    /// Origins whose pages may call the API from a browser, as browsers write them: `https://console.example.com`.
    pub cors_origins: Vec<String>,
}

/// Who gets a diff-review entitlement without being given one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GrantOnCreate {
    /// Nobody: an operator entitles each member.
    #[default]
    #[serde(rename = "none")]
    Nobody,
    /// Whoever creates an organization.
    Owner,
    /// Every member, the creator included.
    Members,
}
