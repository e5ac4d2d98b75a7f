//! The page of a resource: a description, and its operations.

use askama::Template;

use super::site::{Resource, Site};
use crate::web::page::Frame;

#[derive(Template)]
#[template(path = "reference_resource.html")]
struct ResourcePage<'a> {
    frame: Frame,
    site: &'a Site,
    here: &'a str,
    resource: &'a Resource,
}

/// The pages of all resources, by path.
pub(super) fn pages(site: &Site) -> impl Iterator<Item = (String, String)> {
    site.resources.iter().map(|resource| {
        let page = ResourcePage {
            frame: Frame::open(),
            site,
            here: &resource.page,
            resource,
        };
        // Writing to a string cannot fail.
        (resource.page.clone(), page.render().unwrap_or_default())
    })
}
