//! The remedy for each refusal.

use super::Code;

impl Code {
    /// The remedy, for the documentation.
    pub(crate) const fn remedy(self) -> &'static str {
        match self {
            Self::InvalidRequest => {
                "Fix the fields listed in `errors`. Retrying unchanged will fail again."
            }
            Self::Unauthenticated => "Send `Authorization: Bearer` and an access token.",
            Self::InvalidToken => {
                "Create a new token, or have the issuer renew it. The same token fails again."
            }
            Self::InsufficientScope => {
                "Use a token that has the scope and is bound to no organization, or to the one in the path."
            }
            Self::InsufficientRole => {
                "Ask an owner of the organization to do it, or for another role."
            }
            Self::OriginNotAllowed => {
                "Ask the operator to allow the origin, or do not call the service from a web page."
            }
            Self::EntitlementRequired => {
                "Ask the operator, or an owner of the organization, for the entitlement."
            }
            Self::CrossSite => "Reload the page and send the form again.",
            Self::OrganizationNotFound => "Check the ID against the list of your organizations.",
            Self::NotFound => "Check the path and the IDs; the resource may be gone.",
            Self::MethodNotAllowed => "Use one of the methods in `Allow`.",
            Self::NotAcceptable => "Send `Accept: application/json`, or no `Accept` at all.",
            Self::RequestTimeout => {
                "Send the request again, compressed or over a better connection."
            }
            Self::Conflict => "Read the resource again, then decide.",
            Self::IdempotencyConflict => "Use another key for another request.",
            Self::LastOwner => "Make another member an owner first.",
            Self::PayloadTooLarge => {
                "Send less: split the diff by files, or leave generated files out."
            }
            Self::UriTooLong => "Send a shorter path and query.",
            Self::UnsupportedMediaType => {
                "Send JSON with `Content-Type: application/json`, plain or with `Content-Encoding: gzip` or `br`."
            }
            Self::RateLimited => {
                "Retry after the time in `Retry-After`. `RateLimit` has the remaining requests."
            }
            Self::TooManyReviews => {
                "Retry after the time in `Retry-After`, and run fewer reviews concurrently."
            }
            Self::QuotaExceeded => "Wait for the next month, or ask for a higher limit.",
            Self::HeadersTooLarge => "Send fewer or shorter header fields.",
            Self::Internal => {
                "Try again later. If it happens again, send the operator the `requestId`."
            }
            Self::InDevelopment => "Do not use the operation yet.",
            Self::AnalysisFailed => {
                "Try again later. If it happens again, send the operator the `requestId`."
            }
            Self::Overloaded | Self::NotReady => "Retry after the time in `Retry-After`.",
            Self::AnalysisTimeout => {
                "Send a smaller diff, or try again when the service is less busy."
            }
        }
    }
}
