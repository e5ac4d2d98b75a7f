//! Organizations in any state.

pub(crate) mod change;
pub(crate) mod list;
pub(crate) mod show;

use crate::handlers::written;
use crate::wire::admin::{Organization, Status};

/// The fault of an invalid status.
const STATUSES: &str = "must be `active`, `suspended` or `archived`";

/// An organization as seen by an operator.
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
