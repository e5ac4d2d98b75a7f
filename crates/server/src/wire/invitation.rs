//! Invitations, as seen by members who may invite.

use serde::Serialize;
use utoipa::ToSchema;

use super::organization::Role;

/// An open invitation, without its code.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Invitation {
    /// The invitation's ID, which is not its code: opaque; starts with `inv_`.
    #[schema(example = "inv_01kafwz8g0e2hvr6s9q4n7x3cd")]
    pub(crate) invitation_id: String,
    /// The role of the user who accepts it.
    pub(crate) role: Role,
    /// The user who created it.
    #[schema(example = "usr_01kafwz8g0e2hvr6s9q4n7x3cd")]
    pub(crate) created_by: String,
    /// When it was created, RFC 3339 in UTC.
    #[schema(format = DateTime, example = "2026-11-20T12:00:00Z")]
    pub(crate) created_at: String,
    /// When it expires, RFC 3339 in UTC.
    #[schema(format = DateTime, example = "2026-11-27T12:00:00Z")]
    pub(crate) expires_at: String,
}

/// A page of invitations.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = InvitationList)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InvitationListBody {
    /// UUID (version 7) of the request.
    pub(crate) request_id: String,
    /// The open invitations, oldest first.
    pub(crate) invitations: Vec<Invitation>,
    /// Where the next page starts; `null` on the last page.
    pub(crate) next_cursor: Option<String>,
}

/// A new invitation. Not `Debug`: it contains the code.
#[derive(Serialize, ToSchema)]
#[schema(as = CreatedInvitation)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewInvitationBody {
    /// UUID (version 7) of the request.
    pub(crate) request_id: String,
    #[serde(flatten)]
    pub(crate) invitation: Invitation,
    /// The code to give to the invited person. It is shown only once and not stored.
    #[schema(example = "hwi_…")]
    pub(crate) code: String,
}

/// An invitation to create.
#[derive(Debug, ToSchema)]
#[schema(as = CreateInvitation)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(
    dead_code,
    reason = "describes the request in the OpenAPI document; extract::json reads it"
)]
pub(crate) struct CreateInvitationBody {
    /// The role of the user who accepts it.
    pub(crate) role: Role,
    /// When it expires, RFC 3339: in the future and at most 30 days from now; by default 7 days from
    /// now.
    #[schema(format = DateTime, example = "2026-11-27T12:00:00Z")]
    pub(crate) expires_at: Option<String>,
}

/// An invitation to accept. Not `Debug`: it contains the code.
#[derive(ToSchema)]
#[schema(as = AcceptInvitation)]
#[serde(deny_unknown_fields)]
#[expect(
    dead_code,
    reason = "describes the request in the OpenAPI document; extract::json reads it"
)]
pub(crate) struct AcceptInvitationBody {
    /// The invitation's code.
    #[schema(example = "hwi_…")]
    pub(crate) code: String,
}
