//! The parts common to all pages: their frame, and the security header fields.

use askama::Template;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};

use super::assets;
use super::shown::{Name, shown};
use crate::error::{Code, Problem};

/// Only files of this service, nothing inline, and no embedding in other sites.
pub(crate) const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; \
     base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types hunkwise",
);

/// The header fields of a page. Forms need an origin, so the referrer policy differs from that of the API.
static HEADERS: [(HeaderName, HeaderValue); 5] = [
    (
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/html; charset=utf-8"),
    ),
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (
        header::REFERRER_POLICY,
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    ),
];

/// Marks a response that is already a page, whatever its status.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Written;

/// The contents of a page's frame.
pub(crate) struct Frame {
    /// The signed-in user.
    pub(crate) user: Option<SignedIn>,
}

/// A signed-in browser.
pub(crate) struct SignedIn {
    name: String,
    /// The token in each of the page's forms.
    pub(crate) form_token: String,
}

impl SignedIn {
    pub(crate) fn name(&self) -> Name<'_> {
        shown(&self.name)
    }
}

impl Frame {
    /// A public page.
    pub(crate) const fn open() -> Self {
        Self { user: None }
    }

    /// A page for a signed-in browser.
    pub(crate) const fn of(name: String, form_token: String) -> Self {
        Self {
            user: Some(SignedIn { name, form_token }),
        }
    }

    /// The token for the page's forms; empty on a public page.
    pub(crate) fn form_token(&self) -> &str {
        self.user.as_ref().map_or("", |user| &user.form_token)
    }

    /// The path of an asset.
    pub(crate) fn asset(&self, name: &str) -> &'static str {
        assets::path(name)
    }
}

/// Redirects to a page after a change.
pub(crate) fn lead(to: &str) -> Response {
    let mut response = Redirect::to(to).into_response();
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// The form again, with an error that the user can correct; other errors have a page of their own.
pub(crate) fn again(
    problem: Problem,
    page: impl FnOnce(Problem) -> Response,
) -> Result<Response, Problem> {
    use Code::{Conflict, InsufficientScope, InvalidRequest, OrganizationNotFound};
    match problem.code {
        InvalidRequest | Conflict | InsufficientScope | OrganizationNotFound => Ok(page(problem)),
        _ => Err(problem),
    }
}

/// The page as a response.
pub(crate) fn respond(status: StatusCode, page: &impl Template) -> Response {
    let html = match page.render() {
        Ok(html) => html,
        Err(error) => return Problem::internal(&error).into_response(),
    };
    let mut response = (status, html).into_response();
    for (name, value) in &HEADERS {
        response.headers_mut().insert(name, value.clone());
    }
    response.extensions_mut().insert(Written);
    response
}
