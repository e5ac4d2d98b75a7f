//! GET /docs: the OpenAPI document for people. The page and its two files are inside the binary, so it works offline.

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::header;
use axum::response::IntoResponse;

use crate::error::{Code, Problem};
use crate::openapi::problems;

const PAGE: &str = include_str!("../../docs/index.html");
/// Name, media type and text of what the page loads.
const ASSETS: &[(&str, &str, &str)] = &[
    ("docs.css", "text/css; charset=utf-8", include_str!("../../docs/docs.css")),
    ("docs.js", "text/javascript; charset=utf-8", include_str!("../../docs/docs.js")),
];
/// Only what this server serves, and nothing inline.
const POLICY: &str = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

problems!(EVERY; NotFound);

/// The documentation for people
#[utoipa::path(
    get,
    path = "/docs",
    operation_id = "getDocs",
    tag = "Service",
    security(()),
    responses((status = 200, description = "A page that shows this document", content_type = "text/html", body = String), Problems)
)]
pub(crate) async fn page() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, POLICY)], PAGE)
}

/// A file of the documentation
#[utoipa::path(
    get,
    path = "/docs/{file}",
    operation_id = "getDocsFile",
    tag = "Service",
    security(()),
    params(("file" = String, Path, description = "Its name", example = "docs.css")),
    responses((status = 200, description = "The file", content_type = "text/css", body = String), Problems)
)]
pub(crate) async fn asset(file: Result<Path<String>, PathRejection>) -> Result<impl IntoResponse, Problem> {
    let found = file.ok().and_then(|Path(file)| ASSETS.iter().find(|(name, ..)| *name == file));
    let (_, media_type, text) = found.ok_or_else(|| Problem::new(Code::NotFound, "There is nothing at this path."))?;
    Ok(([(header::CONTENT_TYPE, *media_type)], *text))
}
