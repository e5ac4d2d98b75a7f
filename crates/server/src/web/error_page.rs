//! The page for an error: what happened, what to do, and the request's ID.

use askama::Template;
use axum::http::header;
use axum::response::Response;

use super::own_path::{link, own_path};
use super::page::{Frame, respond};
use super::shown::Prose;
use crate::error::{Code, Problem};

#[derive(Template)]
#[template(path = "error_page.html")]
struct ErrorPage<'a> {
    frame: Frame,
    status: u16,
    title: &'static str,
    detail: Prose<'a>,
    advice: &'static str,
    /// The sign-in page, for a person who is not signed in.
    sign_in: Option<String>,
    request_id: &'a str,
}

/// The browser that requested a page.
pub(crate) struct Reader {
    /// The page at which the person continues after signing in.
    pub(crate) next: String,
    /// The token of the forms of its session, if it has one.
    pub(crate) form_token: Option<String>,
}

/// Replaces the response's problem by a page.
pub(crate) fn write(
    problem: &Problem,
    response: Response,
    request_id: &str,
    reader: &Reader,
) -> Response {
    let is_signed_out = problem.code == Code::Unauthenticated;
    // Its person is not looked up for an error, but can leave it.
    let token = reader.form_token.clone().filter(|_| !is_signed_out);
    let next = &reader.next;
    let page = ErrorPage {
        frame: token.map_or_else(Frame::open, |token| Frame::of(String::new(), token)),
        status: problem.code.status().as_u16(),
        title: title(problem.code),
        detail: Prose(&problem.detail),
        advice: advice(problem.code),
        sign_in: is_signed_out.then(|| link("/sign-in", own_path(next))),
        request_id,
    };
    let mut page = respond(problem.code.status(), &page);
    let (parts, _) = response.into_parts();
    for (name, value) in &parts.headers {
        // The challenge is for programs.
        if ![header::CONTENT_LENGTH, header::WWW_AUTHENTICATE].contains(name) {
            page.headers_mut()
                .entry(name)
                .or_insert_with(|| value.clone());
        }
    }
    page
}

fn title(code: Code) -> &'static str {
    match code {
        Code::Unauthenticated => "You are not signed in",
        Code::NotFound => "Page not found",
        code => code.title(),
    }
}

fn advice(code: Code) -> &'static str {
    match code {
        Code::Unauthenticated => {
            "After signing in you are where you wanted to go. Your input is still on the previous page."
        }
        Code::NotFound | Code::OrganizationNotFound => {
            "Check the URL, or start again from the console."
        }
        Code::InsufficientScope => {
            "Sign out, then sign in with a token that has the scope, or ask the person who created this one."
        }
        Code::InsufficientRole | Code::EntitlementRequired => {
            "Ask an owner of the organization, or the operator of this service."
        }
        Code::CrossSite => {
            "Go back, load the page again and repeat. Open the console by its own address."
        }
        Code::RateLimited | Code::TooManyReviews | Code::Overloaded | Code::NotReady => {
            "Wait a moment, then try again."
        }
        Code::Internal => {
            "Try again. If it happens again, send the request ID to the operator of this service."
        }
        _ => "Go back, correct it and try again.",
    }
}
