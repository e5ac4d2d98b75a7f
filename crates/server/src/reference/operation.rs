//! The page of an operation.

use askama::Template;
use serde_json::Value;

use super::document::{Document, Operation, entries, list, text};
use super::errors::{ErrorCode, status_line};
use super::examples::{Answer, answers, curl};
use super::fields::{Fields, of_answer, of_request, parameters};
use super::site::{Link, Site};
use crate::web::markdown::html;
use crate::web::page::Frame;

#[derive(Template)]
#[template(path = "reference_operation.html")]
struct OperationPage<'a> {
    frame: Frame,
    site: &'a Site,
    here: &'a str,
    link: &'a Link,
    about: String,
    /// Whether it needs a token.
    token: bool,
    scopes: Vec<&'a str>,
    roles: Vec<&'a str>,
    /// The parts of the request, by location.
    inputs: Vec<(&'static str, Fields)>,
    outputs: Vec<Output<'a>>,
    errors: Vec<ErrorCode>,
    curl: String,
    answers: Vec<Answer>,
}

/// A successful response.
struct Output<'a> {
    status: String,
    about: String,
    headers: Vec<(&'a str, String)>,
    fields: Fields,
}

/// The pages of all operations, by path.
pub(super) fn pages(site: &Site, document: Document<'_>) -> impl Iterator<Item = (String, String)> {
    document
        .operations()
        .map(move |operation| page(site, document, operation))
}

fn page(site: &Site, document: Document<'_>, operation: Operation<'_>) -> (String, String) {
    let link = Link::to(operation);
    let page = OperationPage {
        frame: Frame::open(),
        site,
        here: &link.page,
        link: &link,
        about: html(text(&operation.value["description"])),
        token: operation.scopes().is_some(),
        scopes: operation
            .scopes()
            .unwrap_or_default()
            .iter()
            .map(text)
            .collect(),
        roles: list(&operation.value["x-roles"]).iter().map(text).collect(),
        inputs: inputs(document, operation),
        outputs: operation
            .successes()
            .map(|(status, response)| output(document, status, response))
            .collect(),
        errors: operation
            .codes()
            .map(|(status, code)| ErrorCode::of(document, status, code))
            .collect(),
        curl: curl(operation),
        answers: answers(document, operation),
    };
    // Writing to a string cannot fail.
    let html = page.render().unwrap_or_default();
    (link.page, html)
}

/// The parts of a request, by location.
pub(super) fn inputs(
    document: Document<'_>,
    operation: Operation<'_>,
) -> Vec<(&'static str, Fields)> {
    let places = [
        ("Path parameters", "path"),
        ("Query parameters", "query"),
        ("Header fields", "header"),
    ];
    let parameters =
        places.map(|(title, place)| (title, parameters(document, operation.value, place)));
    let body = &operation.value["requestBody"]["content"]["application/json"]["schema"];
    let body = (
        "Request body",
        Fields::of(document, body, "body", of_request),
    );
    parameters
        .into_iter()
        .chain([body])
        .filter(|(_, fields)| !fields.list.is_empty())
        .collect()
}

/// The properties of a response.
pub(super) fn properties(document: Document<'_>, response: &Value) -> Fields {
    let schema = &response["content"]["application/json"]["schema"];
    Fields::of(document, schema, "response", of_answer)
}

fn output<'a>(document: Document<'a>, status: &str, response: &'a Value) -> Output<'a> {
    let headers = entries(&response["headers"])
        .map(|(name, header)| (name, html(text(&header["description"]))));
    Output {
        status: status_line(status),
        about: html(text(&response["description"])),
        headers: headers.collect(),
        fields: properties(document, response),
    }
}
