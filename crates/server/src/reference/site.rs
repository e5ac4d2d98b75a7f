//! The navigation on every page: the guides, and all operations by resource.

use super::document::{Document, Operation, list, resource_page, text};
use crate::web::markdown::html;

/// The guides, in the order of the navigation.
pub(super) const GUIDES: [(&str, &str); 6] = [
    ("/docs", "Overview"),
    ("/docs/authentication", "Authentication"),
    ("/docs/errors", "Errors"),
    ("/docs/limits", "Limits"),
    ("/docs/pagination", "Pagination"),
    ("/docs/idempotency", "Idempotency"),
];

/// The contents of every page's frame.
pub(super) struct Site {
    pub(super) guides: [(&'static str, &'static str); 6],
    pub(super) resources: Vec<Resource>,
    /// The path of the search index.
    pub(super) index: String,
}

/// A resource and its operations.
pub(super) struct Resource {
    pub(super) name: String,
    pub(super) page: String,
    pub(super) about: String,
    pub(super) links: Vec<Link>,
}

/// A link to an operation.
#[derive(Clone)]
pub(super) struct Link {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) page: String,
    pub(super) method: &'static str,
    pub(super) path: String,
}

impl Site {
    pub(super) fn of(document: Document<'_>, index: String) -> Self {
        let resources = list(&document.0["tags"]).iter().map(|tag| Resource {
            name: text(&tag["name"]).to_owned(),
            page: resource_page(text(&tag["name"])),
            about: html(text(&tag["description"])),
            links: document.operations_of(tag).map(Link::to).collect(),
        });
        Self {
            guides: GUIDES,
            resources: resources.collect(),
            index,
        }
    }
}

impl Resource {
    /// Whether a page belongs to this resource or one of its operations.
    pub(super) fn has(&self, page: &str) -> bool {
        self.page == page || self.links.iter().any(|link| link.page == page)
    }
}

impl Link {
    pub(super) fn to(operation: Operation<'_>) -> Self {
        Self {
            id: operation.id().to_lowercase(),
            title: operation.title().to_owned(),
            page: operation.page(),
            method: operation.method,
            path: operation.path.to_owned(),
        }
    }
}
