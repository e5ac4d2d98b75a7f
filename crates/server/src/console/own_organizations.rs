//! The caller's organizations, for a list to choose from.

use axum::Json;
use axum::extract::State as Shared;

use crate::State;
use crate::context::Context;
use crate::error::Problem;
use crate::extract::{Call, Caller, MediaType, OrganizationsRead, Page};
use crate::handlers::organizations::list;
use crate::wire::organization::Organization;

/// The longest page of the API.
const LIMIT: u32 = 100;

/// The caller's first organizations; `None` if the session lacks the scope to list them.
pub(super) async fn own_organizations<N>(
    state: &State,
    context: &Context,
    caller: &Caller<N>,
) -> Result<Vec<Organization>, Problem> {
    let Ok(principal) = caller.also::<OrganizationsRead>() else {
        return Ok(Vec::new());
    };
    let input = Page {
        limit: LIMIT,
        after: None,
    };
    let call = Call {
        context: context.clone(),
        principal,
        answer: MediaType::Json,
        input,
    };
    let Json(list) = list::list(Shared(state.clone()), call).await?;
    Ok(list.organizations)
}
