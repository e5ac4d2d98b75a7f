//! Invitations, as those see them who may invite.

use serde::Serialize;
use utoipa::ToSchema;

use super::organization::Role;

/// An open invitation, without its code.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Invitation {
    /// Names the invitation, and is not its code: opaque; starts with `inv_`.
    #[schema(example = "inv_01kafwz8g0e2hvr6s9q4n7x3cd")]
    pub(crate) invitation_id: String,
    /// What who accepts it becomes.
    pub(crate) role: Role,
    /// The user who made it.
    #[schema(example = "usr_01kafwz8g0e2hvr6s9q4n7x3cd")]
    pub(crate) created_by: String,
    /// When it was made, RFC 3339 in UTC.
    #[schema(format = DateTime, example = "2026-11-20T12:00:00Z")]
    pub(crate) created_at: String,
    /// From this time on it is worth nothing, RFC 3339 in UTC.
    #[schema(format = DateTime, example = "2026-11-27T12:00:00Z")]
    pub(crate) expires_at: String,
}

/// A page of invitations.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InvitationListBody {
    /// UUID (version 7) of the request.
    pub(crate) request_id: String,
    /// The open invitations, the newest last.
    pub(crate) invitations: Vec<Invitation>,
    /// Where the next page starts; `null` on the last page.
    pub(crate) next_cursor: Option<String>,
}

/// A new invitation. It is not `Debug`: it has the code.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewInvitationBody {
    /// UUID (version 7) of the request.
    pub(crate) request_id: String,
    #[serde(flatten)]
    pub(crate) invitation: Invitation,
    /// What to hand to whoever is invited. It is shown this once and kept nowhere.
    #[schema(example = "hwi_…")]
    pub(crate) code: String,
}

/// What a new invitation is to be.
#[derive(Debug, ToSchema)]
#[schema(as = CreateInvitation)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "describes the request in the OpenAPI document; extract::json reads it")]
pub(crate) struct CreateInvitationBody {
    /// What who accepts it becomes.
    pub(crate) role: Role,
    /// From this time on it is worth nothing, RFC 3339: in the future and at most 30 days from now; 7 days from now unless
    /// told.
    #[schema(format = DateTime, example = "2026-11-27T12:00:00Z")]
    pub(crate) expires_at: Option<String>,
}

/// What is accepted. It is not `Debug`: it has the code.
#[derive(ToSchema)]
#[schema(as = AcceptInvitation)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the request in the OpenAPI document; extract::json reads it")]
pub(crate) struct AcceptInvitationBody {
    /// The invitation's code.
    #[schema(example = "hwi_…")]
    pub(crate) code: String,
}
