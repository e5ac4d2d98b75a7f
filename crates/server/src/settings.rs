//! The operator's settings.

use std::sync::Arc;

use review::TextMask;
use store::NewEntitlement;

use crate::product::DIFF_REVIEW;
use crate::rule_catalog::RuleCatalog;
use crate::{Limits, SignIn, TrustedProxies};

/// The operator's settings of the service.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The limits in force.
    pub limits: Limits,
    /// Who gets a diff-review entitlement automatically.
    pub grant_on_create: GrantOnCreate,
    /// Who changes entitlements.
    pub managed_by: ManagedBy,
    /// Findings less confident than this (0 to 1) are not returned.
    pub min_confidence: f32,
    /// Language-model tokens that one review may use: what is set aside for it of its organization's month.
    pub review_tokens: u64,
    /// Language-model tokens that one organization may use in a calendar month (UTC); 0: no limit.
    pub organization_monthly_tokens: u64,
    /// The issuer whose access tokens are taken; none: only the service's own tokens.
    pub sign_in: Option<SignIn>,
    /// The origin at which browsers reach the service, `https://hunkwise.example.com`; none: each request tells.
    pub public_url: Option<String>,
    /// Whether the service itself speaks TLS.
    pub tls: bool,
    /// Proxies whose word on a client's address is trusted.
    pub trusted_proxies: TrustedProxies,
    /// Whether the log line of a request has the client's address.
    pub log_client_addresses: bool,
    /// The rules; none: there are no pages and no tools about rules.
    pub rules: Option<Arc<dyn RuleCatalog>>,
    /// Masks secrets in the texts of findings; by default nothing is masked.
    pub mask: TextMask,
    /// A diff that the console offers to try; none: it offers none.
    pub sample_diff: Option<&'static str>,
    /// Origins whose pages may call the API from a browser, as browsers write them: `https://console.example.com`.
    pub cors_origins: Vec<String>,
}

impl Settings {
    /// Whether browsers are known to reach the service over TLS, whatever a request looks like behind a proxy.
    pub(crate) const fn is_https(&self) -> bool {
        self.tls || self.public_url.is_some()
    }
}

/// Who gets a diff-review entitlement automatically.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum GrantOnCreate {
    /// Nobody: an operator entitles each member.
    #[default]
    Nobody,
    /// The creator of an organization.
    Owner,
    /// Every member, the creator included.
    Members,
}

impl GrantOnCreate {
    /// The entitlement that the creator of an organization gets.
    #[must_use]
    pub fn for_creator(self) -> Option<NewEntitlement> {
        (self != Self::Nobody).then(without_end)
    }

    /// The entitlement that a user who joins an organization gets.
    pub(crate) fn for_member(self) -> Option<NewEntitlement> {
        (self == Self::Members).then(without_end)
    }
}

fn without_end() -> NewEntitlement {
    NewEntitlement { product: DIFF_REVIEW.to_owned(), expires_at: None, monthly_review_limit: None }
}

/// Who changes entitlements.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ManagedBy {
    /// Operators alone.
    #[default]
    Operators,
    /// The owners of an organization as well.
    Owners,
}
