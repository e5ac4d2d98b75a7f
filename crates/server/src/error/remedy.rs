//! What a client does about a refusal.

use super::Code;

impl Code {
    /// What to do about it, for the documentation.
    pub(crate) const fn remedy(self) -> &'static str {
        match self {
            Self::InvalidRequest => "Correct what `errors` names. The same request fails again.",
            Self::Unauthenticated => "Send `Authorization: Bearer` and an access token.",
            Self::InvalidToken => "Make a new token, or have the issuer renew it. The same token fails again.",
            Self::InsufficientScope => {
                "Use a token that has the scope and is bound to no organization, or to the one in the path."
            }
            Self::InsufficientRole => "Ask an owner of the organization to do it, or for another role.",
            Self::OriginNotAllowed => "Ask the operator to allow the origin, or call the service from no web page.",
            Self::EntitlementRequired => "Ask the operator, or an owner of the organization, for the entitlement.",
            Self::CrossSite => "Reload the page and send the form again.",
            Self::OrganizationNotFound => "Compare the ID with the list of your organizations.",
            Self::NotFound => "Check the path and the IDs; the resource may be gone.",
            Self::MethodNotAllowed => "Use one of the methods in `Allow`.",
            Self::NotAcceptable => "Send `Accept: application/json`, or no `Accept` at all.",
            Self::RequestTimeout => "Send the request again, over a better connection or compressed.",
            Self::Conflict => "Read the resource again, then decide.",
            Self::IdempotencyConflict => "Use another key for another request.",
            Self::LastOwner => "Make another member an owner first.",
            Self::PayloadTooLarge => "Send less: split the diff by files, or leave generated files out.",
            Self::UriTooLong => "Send a shorter path and query.",
            Self::UnsupportedMediaType => {
                "Send JSON with `Content-Type: application/json`, plain or with `Content-Encoding: gzip` or `br`."
            }
            Self::RateLimited => {
                "Wait as long as `Retry-After` says, then send it again. `RateLimit` tells what is left."
            }
            Self::TooManyReviews => "Wait as long as `Retry-After` says, then send it again; review less at once.",
            Self::QuotaExceeded => "Wait for the next month, or ask for a higher limit.",
            Self::HeadersTooLarge => "Send fewer or shorter header fields.",
            Self::Internal => "Try again later. If it happens again, give the operator the `requestId`.",
            Self::InDevelopment => "Do not use the operation yet.",
            Self::AnalysisFailed => "Try again later. If it happens again, give the operator the `requestId`.",
            Self::Overloaded | Self::NotReady => "Wait as long as `Retry-After` says, then send it again.",
            Self::AnalysisTimeout => "Send a smaller diff, or try again when the service has less to do.",
        }
    }
}
