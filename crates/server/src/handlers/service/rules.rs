//! GET /docs/rules: the pages about the rules.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};

use super::docs::PAGE;
use crate::error::Problem;
use crate::fixed::Fixed;
use crate::refusals::problems;
use crate::web::page::POLICY;

problems!(EVERY; NotFound);

/// All rules
#[utoipa::path(
    get,
    path = "/docs/rules",
    operation_id = "getRulesPage",
    tag = "Service",
    security(()),
    responses((status = 200, description = "A page that lists the rules", content_type = "text/html", body = String, example = json!(PAGE)), Problems)
)]
pub(crate) async fn list(
    State(state): State<crate::State>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let pages = state.rule_pages().ok_or_else(Problem::no_such_path)?;
    Ok(shown(pages.index(), &headers))
}

/// One rule
#[utoipa::path(
    get,
    path = "/docs/rules/{family}/{name}",
    operation_id = "getRulePage",
    tag = "Service",
    security(()),
    params(
        ("family" = String, Path, description = "The part of the rule's ID before the slash", example = "python"),
        ("name" = String, Path, description = "The part after it", example = "mutable-default-argument"),
    ),
    responses((status = 200, description = "A page that explains the rule", content_type = "text/html", body = String, example = json!(PAGE)), Problems)
)]
pub(crate) async fn page(
    State(state): State<crate::State>,
    id: Result<Path<(String, String)>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let pages = state.rule_pages();
    let id = id
        .ok()
        .map(|Path((family, name))| format!("{family}/{name}"));
    let page = id
        .zip(pages)
        .and_then(|(id, pages)| pages.page(&id))
        .ok_or_else(Problem::no_such_path)?;
    Ok(shown(&page, &headers))
}

fn shown(page: &Fixed, headers: &HeaderMap) -> Response {
    (
        [(header::CONTENT_SECURITY_POLICY, POLICY)],
        page.answer(headers),
    )
        .into_response()
}
