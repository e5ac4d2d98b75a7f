//! Organizations and users as seen by operators.

use serde::Serialize;
use utoipa::ToSchema;

/// An organization as seen by an operator.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AdminOrganization)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Organization {
    /// Opaque; starts with `org_`.
    #[schema(example = "org_01kafwz8g0e2hvr6s9q4n7x3cd")]
    pub(crate) organization_id: String,
    /// A display name; not unique.
    #[schema(example = "Acme Engineering")]
    pub(crate) name: String,
    /// Its status.
    pub(crate) status: Status,
    /// When it was created, RFC 3339 in UTC.
    #[schema(format = DateTime, example = "2026-11-20T12:00:00Z")]
    pub(crate) created_at: String,
}

/// The status of an organization.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = AdminOrganizationStatus)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// In use.
    Active,
    /// Suspended by an operator, who can reactivate it.
    Suspended,
    /// Archived permanently.
    Archived,
}

/// One organization.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AdminOrganizationResponse)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrganizationBody {
    /// UUID (version 7) of the request.
    pub(crate) request_id: String,
    #[serde(flatten)]
    pub(crate) organization: Organization,
}

/// A page of organizations.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AdminOrganizationList)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrganizationListBody {
    /// UUID (version 7) of the request.
    pub(crate) request_id: String,
    /// The organizations, oldest first.
    pub(crate) organizations: Vec<Organization>,
    /// Where the next page starts; `null` on the last page.
    pub(crate) next_cursor: Option<String>,
}

/// A change to an organization.
#[derive(Debug, ToSchema)]
#[schema(as = AdminChangeOrganization)]
#[serde(deny_unknown_fields)]
#[expect(
    dead_code,
    reason = "describes the request in the OpenAPI document; extract::json reads it"
)]
pub(crate) struct ChangeOrganizationBody {
    /// The new status.
    pub(crate) status: Status,
}

/// A user as seen by an operator.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AdminUser)]
#[serde(rename_all = "camelCase")]
pub(crate) struct User {
    /// Opaque; starts with `usr_`.
    #[schema(example = "usr_01kafwz8g0e2hvr6s9q4n7x3cd")]
    pub(crate) user_id: String,
    /// A display name; not unique.
    #[schema(example = "Ada")]
    pub(crate) display_name: String,
    /// Whether the user is an operator.
    #[schema(example = false)]
    pub(crate) operator: bool,
    /// The user's status.
    pub(crate) status: UserStatus,
    /// When the user was added, RFC 3339 in UTC.
    #[schema(format = DateTime, example = "2026-11-20T12:00:00Z")]
    pub(crate) created_at: String,
}

/// The status of a user.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = AdminUserStatus)]
#[serde(rename_all = "lowercase")]
pub(crate) enum UserStatus {
    /// The user may use the service.
    Active,
    /// Refused until the operator enables them.
    Disabled,
    /// Refused forever; the name is empty.
    Deleted,
}

/// A page of users.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AdminUserList)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UserListBody {
    /// UUID (version 7) of the request.
    pub(crate) request_id: String,
    /// The users, oldest first.
    pub(crate) users: Vec<User>,
    /// Where the next page starts; `null` on the last page.
    pub(crate) next_cursor: Option<String>,
}
