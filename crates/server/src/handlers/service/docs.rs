//! GET /docs and below: the API reference.

use axum::extract::State as Shared;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;

use crate::State;
use crate::error::Problem;
use crate::refusals::problems;

problems!(EVERY; NotFound);

/// An example of a page.
pub(super) const PAGE: &str = "<!doctype html>\n<html lang=\"en\">…</html>\n";

/// API reference
#[utoipa::path(
    get,
    path = "/docs",
    operation_id = "getDocs",
    tag = "Service",
    security(()),
    responses((status = 200, description = "A page that lists all operations", content_type = "text/html", body = String, example = json!(PAGE)), Problems)
)]
pub(crate) async fn overview(
    state: Shared<State>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    answer(&state, &uri, &headers)
}

/// A guide of the API reference
#[utoipa::path(
    get,
    path = "/docs/{page}",
    operation_id = "getDocsGuide",
    tag = "Service",
    security(()),
    params(("page" = String, Path, description = "Its name", example = "errors")),
    responses((
            status = 200, description = "A page about rules common to all operations, or the search index",
            content(
                (String = "text/html", example = json!(PAGE)),
                (Vec<[String; 4]> = "application/json", example = json!([["guide", "Errors", "", "/docs/errors"]]))
            )
        ), Problems)
)]
pub(crate) async fn guide(
    state: Shared<State>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    answer(&state, &uri, &headers)
}

/// A resource in the API reference
#[utoipa::path(
    get,
    path = "/docs/api/{resource}",
    operation_id = "getDocsResource",
    tag = "Service",
    security(()),
    params(("resource" = String, Path, description = "Its name", example = "reviews")),
    responses((status = 200, description = "A page about the resource", content_type = "text/html", body = String, example = json!(PAGE)), Problems)
)]
pub(crate) async fn resource(
    state: Shared<State>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    answer(&state, &uri, &headers)
}

/// An operation in the API reference
#[utoipa::path(
    get,
    path = "/docs/api/{resource}/{operation}",
    operation_id = "getDocsOperation",
    tag = "Service",
    security(()),
    params(
        ("resource" = String, Path, description = "The name of its resource", example = "reviews"),
        ("operation" = String, Path, description = "Its own name", example = "review-diff"),
    ),
    responses((status = 200, description = "A page about the operation", content_type = "text/html", body = String, example = json!(PAGE)), Problems)
)]
pub(crate) async fn operation(
    state: Shared<State>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    answer(&state, &uri, &headers)
}

fn answer(state: &State, uri: &Uri, headers: &HeaderMap) -> Result<Response, Problem> {
    state
        .reference()
        .answer(uri.path(), headers)
        .ok_or_else(Problem::no_such_path)
}
