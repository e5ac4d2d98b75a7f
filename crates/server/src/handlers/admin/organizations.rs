//! Organizations, in whatever state.

pub(crate) mod change;
pub(crate) mod list;
pub(crate) mod show;

use crate::handlers::written;
use crate::wire::admin::{Organization, Status};

/// What a status can be, for who gave another one.
const STATUSES: &str = "must be `active`, `suspended` or `archived`";

/// An organization as an operator sees it.
fn visible(it: store::Organization) -> Organization {
    Organization {
        organization_id: it.id.to_string(),
        name: it.name,
        status: match it.status {
            store::Status::Active => Status::Active,
            store::Status::Suspended => Status::Suspended,
            store::Status::Archived => Status::Archived,
        },
        created_at: written(it.created_at),
    }
}
