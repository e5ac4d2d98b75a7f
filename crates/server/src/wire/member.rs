//! Members of an organization, as seen by other members.

use serde::Serialize;
use utoipa::ToSchema;

use super::organization::Role;

/// A member of an organization.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Member {
    /// The user: opaque; starts with `usr_`.
    #[schema(example = "usr_01kafwz8g0e2hvr6s9q4n7x3cd")]
    pub(crate) user_id: String,
    /// A display name; not unique.
    #[schema(example = "Ada")]
    pub(crate) display_name: String,
    /// The member's role.
    pub(crate) role: Role,
    /// When the user became a member, RFC 3339 in UTC.
    #[schema(format = DateTime, example = "2026-11-20T12:00:00Z")]
    pub(crate) joined_at: String,
}

/// One member.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MemberResponse)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MemberBody {
    /// UUID (version 7) of the request.
    pub(crate) request_id: String,
    #[serde(flatten)]
    pub(crate) member: Member,
}

/// A page of members.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MemberList)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MemberListBody {
    /// UUID (version 7) of the request.
    pub(crate) request_id: String,
    /// The members, oldest account first.
    pub(crate) members: Vec<Member>,
    /// Where the next page starts; `null` on the last page.
    pub(crate) next_cursor: Option<String>,
}

/// A change to a member.
#[derive(Debug, ToSchema)]
#[schema(as = ChangeMember)]
#[serde(deny_unknown_fields)]
#[expect(
    dead_code,
    reason = "describes the request in the OpenAPI document; extract::json reads it"
)]
pub(crate) struct ChangeMemberBody {
    /// The new role.
    pub(crate) role: Role,
}
