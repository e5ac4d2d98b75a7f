//! The pages about rules common to all operations.

use std::collections::BTreeMap;

use askama::Template;
use serde_json::Value;

use super::document::{Document, Operation, entries, list, text};
use super::errors::ErrorCode;
use super::examples::pretty;
use super::site::{Link, Site};
use crate::web::markdown::html;
use crate::web::page::Frame;

#[derive(Template)]
#[template(path = "reference_authentication.html")]
struct Authentication<'a> {
    frame: Frame,
    site: &'a Site,
    here: &'a str,
    about: String,
    /// The operations that a scope allows.
    scopes: Vec<(&'a str, Vec<Link>)>,
    open: Vec<Link>,
}

#[derive(Template)]
#[template(path = "reference_errors.html")]
struct Errors<'a> {
    frame: Frame,
    site: &'a Site,
    here: &'a str,
    codes: Vec<ErrorCode>,
    example: String,
}

#[derive(Template)]
#[template(path = "reference_limits.html")]
struct Limits<'a> {
    frame: Frame,
    site: &'a Site,
    here: &'a str,
    /// Name, value and meaning.
    limits: Vec<(&'a str, String, String)>,
}

#[derive(Template)]
#[template(path = "reference_pagination.html")]
struct Pagination<'a> {
    frame: Frame,
    site: &'a Site,
    here: &'a str,
    lists: Vec<Link>,
}

#[derive(Template)]
#[template(path = "reference_idempotency.html")]
struct Idempotency<'a> {
    frame: Frame,
    site: &'a Site,
    here: &'a str,
    with_key: Vec<Link>,
}

/// The pages, by path.
pub(super) fn pages(site: &Site, document: Document<'_>) -> [(String, String); 5] {
    [
        rendered("/docs/authentication", |here| {
            authentication(site, here, document)
        }),
        rendered("/docs/errors", |here| errors(site, here, document)),
        rendered("/docs/limits", |here| Limits {
            frame: Frame::open(),
            site,
            here,
            limits: limits(document),
        }),
        rendered("/docs/pagination", |here| {
            let lists = links(document, |operation| operation.has_parameter("cursor"));
            Pagination {
                frame: Frame::open(),
                site,
                here,
                lists,
            }
        }),
        rendered("/docs/idempotency", |here| {
            let with_key = links(document, |operation| {
                operation.has_parameter("Idempotency-Key")
            });
            Idempotency {
                frame: Frame::open(),
                site,
                here,
                with_key,
            }
        }),
    ]
}

fn rendered<T: Template>(
    here: &'static str,
    page: impl FnOnce(&'static str) -> T,
) -> (String, String) {
    // Writing to a string cannot fail.
    (here.to_owned(), page(here).render().unwrap_or_default())
}

fn links(document: Document<'_>, which: impl Fn(Operation<'_>) -> bool) -> Vec<Link> {
    document
        .operations()
        .filter(|operation| which(*operation))
        .map(Link::to)
        .collect()
}

fn authentication<'a>(site: &'a Site, here: &'a str, document: Document<'a>) -> Authentication<'a> {
    let needs = |scope: &Value| {
        links(document, |operation| {
            operation.scopes().is_some_and(|all| all.contains(scope))
        })
    };
    let scopes = list(&document.schema("Scope")["enum"])
        .iter()
        .map(|scope| (text(scope), needs(scope)));
    Authentication {
        frame: Frame::open(),
        site,
        here,
        about: html(text(
            &document.0["components"]["securitySchemes"]["bearer"]["description"],
        )),
        scopes: scopes.collect(),
        open: links(document, |operation| operation.scopes().is_none()),
    }
}

fn errors<'a>(site: &'a Site, here: &'a str, document: Document<'a>) -> Errors<'a> {
    let examples = &document.0["components"]["examples"];
    let codes = entries(examples).map(|(code, example)| {
        let status = example["value"]["status"].to_string();
        (
            (status.clone(), code),
            ErrorCode::of(document, &status, code),
        )
    });
    let codes: BTreeMap<_, _> = codes.collect();
    let example = pretty(&examples["INVALID_REQUEST"]["value"]);
    Errors {
        frame: Frame::open(),
        site,
        here,
        codes: codes.into_values().collect(),
        example,
    }
}

fn limits<'a>(document: Document<'a>) -> Vec<(&'a str, String, String)> {
    let limits = entries(&document.schema("Limits")["properties"]);
    limits
        .map(|(name, limit)| {
            (
                name,
                limit["example"].to_string(),
                html(text(&limit["description"])),
            )
        })
        .collect()
}
