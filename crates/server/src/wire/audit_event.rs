//! Audit events, as seen by owners.

use serde::Serialize;
use utoipa::ToSchema;

/// An action in an organization.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AuditEvent {
    /// Opaque; starts with `evt_`.
    #[schema(example = "evt_01kafwz8g0e2hvr6s9q4n7x3cd")]
    pub(crate) audit_event_id: String,
    /// The action.
    #[schema(example = "member.role-changed")]
    pub(crate) action: String,
    /// The actor.
    pub(crate) actor: Actor,
    /// The affected user, who may have left since; `null` if there is none.
    #[schema(example = "usr_01kafwz8g0e2hvr6s9q4n7x3cd")]
    pub(crate) user_id: Option<String>,
    /// The object: the token, the invitation (also of `member.joined`, if one was accepted) or the product; `null`
    /// if there is none.
    #[schema(example = "inv_01kafwz8g0e2hvr6s9q4n7x3cd")]
    pub(crate) subject: Option<String>,
    /// The old value: a name, a status, a role or an entitlement; `null` if there was none.
    #[schema(example = "member")]
    pub(crate) old_value: Option<String>,
    /// The new value; the scopes of a token; `null` if there is none.
    #[schema(example = "admin")]
    pub(crate) new_value: Option<String>,
    /// When it happened, RFC 3339 in UTC.
    #[schema(format = DateTime, example = "2026-11-20T12:00:00Z")]
    pub(crate) created_at: String,
}

/// The actor of an event.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AuditActor)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Actor {
    /// The kind of actor.
    pub(crate) kind: ActorKind,
    /// The user; `null` for the operator at the command line.
    #[schema(example = "usr_01kafwz8g0e2hvr6s9q4n7x3cd")]
    pub(crate) user_id: Option<String>,
}

/// The kind of actor.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum ActorKind {
    /// A user of the service.
    User,
    /// The service's operator, at the command line.
    CommandLine,
}

/// A page of audit events.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AuditEventList)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AuditEventListBody {
    /// UUID (version 7) of the request.
    pub(crate) request_id: String,
    /// The events, oldest first.
    pub(crate) audit_events: Vec<AuditEvent>,
    /// Where the next page starts; `null` on the last page.
    pub(crate) next_cursor: Option<String>,
}
