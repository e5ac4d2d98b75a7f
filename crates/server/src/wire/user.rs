//! Users, as seen by themselves.

use serde::Serialize;
use utoipa::ToSchema;

use super::token::Scope;

/// The caller, and the scopes of the token.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Me)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MeBody {
    /// UUID (version 7) of the request.
    pub(crate) request_id: String,
    /// The user: opaque; starts with `usr_`.
    #[schema(example = "usr_01kafwz8g0e2hvr6s9q4n7x3cd")]
    pub(crate) user_id: String,
    /// A display name; not unique.
    #[schema(example = "Ada")]
    pub(crate) display_name: String,
    /// The scopes of the token.
    pub(crate) scopes: Vec<Scope>,
    /// The only organization in which the token may be used; `null` for any.
    #[schema(example = "org_01kafwz8g0e2hvr6s9q4n7x3cd")]
    pub(crate) organization_id: Option<String>,
}
