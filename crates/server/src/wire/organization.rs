//! Organizations as seen by their members.

use std::fmt;

use serde::Serialize;
use utoipa::ToSchema;

/// An organization as seen by one of its members.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Organization {
    /// Opaque; starts with `org_`.
    #[schema(example = "org_01kafwz8g0e2hvr6s9q4n7x3cd")]
    pub(crate) organization_id: String,
    /// Its name, without surrounding whitespace.
    #[schema(example = "Acme Engineering")]
    pub(crate) name: String,
    /// The caller's role.
    pub(crate) role: Role,
    /// Always `active`: other states are not shown to members.
    pub(crate) status: Status,
    /// When it was created, RFC 3339 in UTC.
    #[schema(format = DateTime, example = "2026-11-20T12:00:00Z")]
    pub(crate) created_at: String,
}

/// A member's role in an organization.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(example = "member")]
pub(crate) enum Role {
    /// Everything, including archiving.
    Owner,
    /// Manages members and sees usage.
    Admin,
    /// Uses the products that they are entitled to.
    Member,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Owner => "owner",
            Self::Admin => "admin",
            Self::Member => "member",
        })
    }
}

/// The state of an organization.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = OrganizationStatus)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// In use.
    Active,
}

/// One organization.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OrganizationResponse)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrganizationBody {
    /// UUID (version 7) of the request.
    pub(crate) request_id: String,
    #[serde(flatten)]
    pub(crate) organization: Organization,
}

/// A page of organizations.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OrganizationList)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrganizationListBody {
    /// UUID (version 7) of the request.
    pub(crate) request_id: String,
    /// The active organizations that the caller is a member of, oldest first.
    pub(crate) organizations: Vec<Organization>,
    /// Where the next page starts; `null` on the last page.
    pub(crate) next_cursor: Option<String>,
}

/// A change to an organization.
#[derive(Debug, ToSchema)]
#[schema(as = RenameOrganization)]
#[serde(deny_unknown_fields)]
#[expect(
    dead_code,
    reason = "describes the request in the OpenAPI document; extract::json reads it"
)]
pub(crate) struct RenameOrganizationBody {
    /// The new name, with the same constraints as for a new organization.
    #[schema(example = "Acme Engineering", min_length = 1)]
    pub(crate) name: String,
}

/// An organization to create.
#[derive(Debug, ToSchema)]
#[schema(as = CreateOrganization)]
#[serde(deny_unknown_fields)]
#[expect(
    dead_code,
    reason = "describes the request in the OpenAPI document; extract::json reads it"
)]
pub(crate) struct CreateOrganizationBody {
    /// The name. Surrounding whitespace (Unicode) is removed; then it must have 1 to 120 characters, counted as
    /// Unicode scalar values, at least one of them visible, no control characters and no misleading ones (which
    /// change the writing direction or are invisible). Two organizations may share a name.
    #[schema(example = "Acme Engineering", min_length = 1)]
    pub(crate) name: String,
}
