//! GET /docs: the OpenAPI document for people. The page and its two files are inside the binary, so it works offline.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};

use crate::error::{Code, Problem};
use crate::fixed::Fixed;
use crate::openapi::problems;

static PAGE: LazyLock<Fixed> =
    LazyLock::new(|| Fixed::new("text/html; charset=utf-8", include_str!("../../docs/index.html")));
/// What the page loads, by name.
static ASSETS: LazyLock<[(&str, Fixed); 2]> = LazyLock::new(|| {
    let css = Fixed::new("text/css; charset=utf-8", include_str!("../../docs/docs.css"));
    [("docs.css", css), ("docs.js", Fixed::new("text/javascript; charset=utf-8", include_str!("../../docs/docs.js")))]
});
/// Only what this server serves, and nothing inline.
pub(super) const POLICY: &str = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

problems!(EVERY; NotFound);

/// API reference
#[utoipa::path(
    get,
    path = "/docs",
    operation_id = "getDocs",
    tag = "Service",
    security(()),
    responses((status = 200, description = "A page that shows this document", content_type = "text/html", body = String), Problems)
)]
pub(crate) async fn page(headers: HeaderMap) -> impl IntoResponse {
    ([(header::CONTENT_SECURITY_POLICY, POLICY)], PAGE.answer(&headers))
}

/// A file of the API reference
#[utoipa::path(
    get,
    path = "/docs/{file}",
    operation_id = "getDocsFile",
    tag = "Service",
    security(()),
    params(("file" = String, Path, description = "Its name", example = "docs.css")),
    responses((status = 200, description = "The file", content_type = "text/css", body = String), Problems)
)]
pub(crate) async fn asset(file: Result<Path<String>, PathRejection>, headers: HeaderMap) -> Result<Response, Problem> {
    let found = file.ok().and_then(|Path(file)| ASSETS.iter().find(|(name, ..)| *name == file));
    let (_, file) = found.ok_or_else(|| Problem::new(Code::NotFound, "There is nothing at this path."))?;
    Ok(file.answer(&headers))
}
