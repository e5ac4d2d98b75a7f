//! The user of a token.

use serde::Deserialize;

/// The token's user.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Me {
    pub(crate) user_id: String,
    pub(crate) display_name: String,
    pub(crate) scopes: Vec<String>,
}

/// An organization of the user.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Organization {
    pub(crate) organization_id: String,
    pub(crate) name: String,
    pub(crate) role: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Page {
    pub(super) organizations: Vec<Organization>,
    pub(super) next_cursor: Option<String>,
}
