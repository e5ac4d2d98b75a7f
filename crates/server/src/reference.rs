//! The API reference: pages below `/docs`, made from the OpenAPI document.
//!
//! They are made when the first one is requested, so they show the limits in force, and no generated page is committed. Examples of bodies
//! are composed from the examples of their properties, so no property is missing in them.

mod document;
mod errors;
mod examples;
mod fields;
mod guides;
mod operation;
mod overview;
mod resource;
mod search;
mod site;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use serde_json::Value;

use crate::fixed::Fixed;
use crate::web::assets::FOR_EVER;
use crate::web::page::POLICY;
use document::Document;
use search::Index;
use site::Site;

const HTML: &str = "text/html; charset=utf-8";

/// The pages by path, made on first use.
#[derive(Debug)]
pub(crate) struct Reference {
    openapi: Bytes,
    made: OnceLock<BTreeMap<String, Page>>,
}

#[derive(Debug)]
struct Page {
    body: Fixed,
    header: (header::HeaderName, HeaderValue),
}

impl Reference {
    /// The reference of the operations in an OpenAPI document.
    pub(crate) fn new(openapi: Bytes) -> Self {
        Self {
            openapi,
            made: OnceLock::new(),
        }
    }

    /// The page at this path.
    pub(crate) fn answer(&self, path: &str, request: &HeaderMap) -> Option<Response> {
        let page = self.made.get_or_init(|| make(&self.openapi)).get(path)?;
        let mut response = page.body.answer(request);
        let (name, value) = page.header.clone();
        response.headers_mut().insert(name, value);
        Some(response)
    }
}

fn make(openapi: &[u8]) -> BTreeMap<String, Page> {
    // The service's own document can always be parsed.
    let value: Value = serde_json::from_slice(openapi).unwrap_or_default();
    let document = Document(&value);
    let index = Index::of(document);
    let site = Site::of(document, index.path.clone());
    let mut pages = BTreeMap::from([(
        index.path,
        Page {
            body: Fixed::new("application/json", index.json),
            header: (header::CACHE_CONTROL, FOR_EVER),
        },
    )]);
    let guides = guides::pages(&site, document)
        .into_iter()
        .chain([overview::page(&site, document)]);
    let made = guides
        .chain(resource::pages(&site))
        .chain(operation::pages(&site, document));
    for (path, html) in made {
        let header = (header::CONTENT_SECURITY_POLICY, POLICY);
        pages.insert(
            path,
            Page {
                body: Fixed::new(HTML, html),
                header,
            },
        );
    }
    pages
}
