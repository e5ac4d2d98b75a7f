//! Every route, one line each. The method and the path are declared at the handler, for the router and for the
//! OpenAPI document alike.

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::State;
use crate::handlers::{
    admin, audit_events, entitlements, invitations, mcp, members, organizations, review_guidelines,
    reviews, service, tokens, usage, users,
};

/// The routes with their OpenAPI descriptions.
pub(crate) fn table() -> OpenApiRouter<State> {
    OpenApiRouter::default()
        .routes(routes!(organizations::list::list))
        .routes(routes!(organizations::create::create))
        .routes(routes!(organizations::show::show))
        .routes(routes!(organizations::rename::rename))
        .routes(routes!(organizations::archive::archive))
        .routes(routes!(members::list::list))
        .routes(routes!(members::change::change))
        .routes(routes!(members::remove::remove))
        .routes(routes!(entitlements::list::list))
        .routes(routes!(entitlements::set::set))
        .routes(routes!(entitlements::revoke::revoke))
        .routes(routes!(usage::show::show))
        .routes(routes!(invitations::list::list))
        .routes(routes!(invitations::create::create))
        .routes(routes!(invitations::revoke::revoke))
        .routes(routes!(invitations::accept::accept))
        .routes(routes!(audit_events::list::list))
        .routes(routes!(reviews::diff_sync::review_diff))
        .routes(routes!(mcp::exchange))
        .routes(routes!(mcp::metadata::of_service))
        .routes(routes!(mcp::metadata::of_mcp))
        .routes(routes!(reviews::pull_requests::create))
        .routes(routes!(reviews::pull_requests::list))
        .routes(routes!(reviews::pull_requests::show))
        .routes(routes!(review_guidelines::show::show))
        .routes(routes!(review_guidelines::set::set))
        .routes(routes!(review_guidelines::remove::remove))
        .routes(routes!(users::me::show))
        .routes(routes!(tokens::list::list))
        .routes(routes!(tokens::create::create))
        .routes(routes!(tokens::revoke::revoke))
        .routes(routes!(admin::organizations::list::list))
        .routes(routes!(admin::organizations::show::show))
        .routes(routes!(admin::organizations::change::change))
        .routes(routes!(admin::users::list::list))
        .routes(routes!(service::limits::limits))
        .routes(routes!(service::openapi::openapi))
        .routes(routes!(service::docs::overview))
        .routes(routes!(service::docs::guide))
        .routes(routes!(service::docs::resource))
        .routes(routes!(service::docs::operation))
        .routes(routes!(service::rules::list))
        .routes(routes!(service::rules::page))
        .routes(routes!(service::health::healthz))
        .routes(routes!(service::health::readyz))
}
