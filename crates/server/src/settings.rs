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
    /// The users who get a diff-review entitlement automatically.
    pub grant_on_create: GrantOnCreate,
    /// The users who may change entitlements.
    pub managed_by: ManagedBy,
    /// Minimum confidence (0 to 1) of returned findings.
    pub min_confidence: f32,
    /// Language-model tokens that one review may use; they are reserved from its organization's monthly limit.
    pub review_tokens: u64,
    /// Language-model tokens that one organization may use in a calendar month (UTC); 0 for no limit.
    pub organization_monthly_tokens: u64,
    /// The issuer whose access tokens are accepted; `None`: only the service's own tokens.
    pub sign_in: Option<SignIn>,
    /// The origin at which browsers reach the service, such as `https://hunkwise.example.com`; `None`: taken from
    /// each request.
    pub public_url: Option<String>,
    /// Whether the service itself terminates TLS.
    pub tls: bool,
    /// Proxies that are trusted to report client addresses.
    pub trusted_proxies: TrustedProxies,
    /// Whether the log line of a request contains the client's address.
    pub log_client_addresses: bool,
    /// The rules; `None`: no pages and no tools about rules.
    pub rules: Option<Arc<dyn RuleCatalog>>,
    /// Masks secrets in the texts of findings; by default nothing is masked.
    pub mask: TextMask,
    /// A sample diff that the console offers to review, if any.
    pub sample_diff: Option<&'static str>,
    /// Origins whose pages may call the API from a browser, in the form that browsers send:
    /// `https://console.example.com`.
    pub cors_origins: Vec<String>,
}

impl Settings {
    /// Whether browsers are known to reach the service over TLS, even if a proxy's requests look different.
    pub(crate) const fn is_https(&self) -> bool {
        self.tls || self.public_url.is_some()
    }
}

/// The users who get a diff-review entitlement automatically.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum GrantOnCreate {
    /// No user: an operator entitles each member.
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
    NewEntitlement {
        product: DIFF_REVIEW.to_owned(),
        expires_at: None,
        monthly_review_limit: None,
    }
}

/// The users who may change entitlements.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ManagedBy {
    /// Only operators.
    #[default]
    Operators,
    /// Operators and the owners of the organization.
    Owners,
}
