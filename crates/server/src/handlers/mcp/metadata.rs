//! GET /.well-known/oauth-protected-resource: where clients get a token for the service (RFC 9728).

use axum::Json;
use axum::extract::State as Shared;
use axum::http::request::Parts;
use store::Scope;

use crate::State;
use crate::context::Context;
use crate::error::Problem;
use crate::extract::origin;
use crate::refusals::problems;
use crate::wire::resource_metadata::ResourceMetadataBody;

/// The path of the document about `/mcp`.
pub(super) const OF_MCP: &str = "/.well-known/oauth-protected-resource/mcp";

problems!(EVERY; NotFound);

/// Describe the service to OAuth clients
///
/// The protected resource metadata of RFC 9728: the issuer whose access tokens the service accepts. It does not exist
/// without an OpenID Connect issuer (`[oidc]`).
#[utoipa::path(
    get,
    path = "/.well-known/oauth-protected-resource",
    operation_id = "getProtectedResourceMetadata",
    tag = "Coding agents",
    security(()),
    responses((status = 200, description = "The metadata", body = ResourceMetadataBody), Problems)
)]
pub(crate) async fn of_service(
    context: Context,
    Shared(state): Shared<State>,
    parts: Parts,
) -> Result<Json<ResourceMetadataBody>, Problem> {
    metadata(&context, &state, &parts, ("", Scope::ALL))
}

/// Describe `/mcp` to OAuth clients
///
/// Like `getProtectedResourceMetadata`, but only for `/mcp`. A request to `/mcp` without a valid token is answered
/// with `WWW-Authenticate: Bearer resource_metadata="…"`, which contains the URL of this document.
#[utoipa::path(
    get,
    path = "/.well-known/oauth-protected-resource/mcp",
    operation_id = "getProtectedResourceMetadataOfMcp",
    tag = "Coding agents",
    security(()),
    responses((status = 200, description = "The metadata", body = ResourceMetadataBody), Problems)
)]
pub(crate) async fn of_mcp(
    context: Context,
    Shared(state): Shared<State>,
    parts: Parts,
) -> Result<Json<ResourceMetadataBody>, Problem> {
    metadata(&context, &state, &parts, ("/mcp", &[Scope::ReviewsWrite]))
}

fn metadata(
    context: &Context,
    state: &State,
    parts: &Parts,
    (path, scopes): (&str, &[Scope]),
) -> Result<Json<ResourceMetadataBody>, Problem> {
    let settings = state.settings();
    let sign_in = settings
        .sign_in
        .as_ref()
        .ok_or_else(Problem::no_such_path)?;
    let address = origin::address(parts, settings).ok_or_else(Problem::no_such_path)?;
    Ok(Json(ResourceMetadataBody {
        request_id: context.request_id().to_owned(),
        resource: format!("{address}{path}"),
        resource_name: "Hunkwise",
        authorization_servers: vec![sign_in.issuer.clone()],
        scopes_supported: scopes.iter().map(ToString::to_string).collect(),
        bearer_methods_supported: ["header"],
    }))
}
