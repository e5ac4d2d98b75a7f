//! The first page: an introduction, and all operations.

use askama::Template;

use super::document::{Document, text};
use super::site::Site;
use crate::web::markdown::html;
use crate::web::page::Frame;

#[derive(Template)]
#[template(path = "reference_overview.html")]
struct Overview<'a> {
    frame: Frame,
    site: &'a Site,
    here: &'a str,
    about: String,
}

/// The page, by path.
pub(super) fn page(site: &Site, document: Document<'_>) -> (String, String) {
    let about = text(&document.0["info"]["description"]);
    // The limits have a page of their own.
    let about = about.split_once("\n## ").map_or(about, |(about, _)| about);
    let page = Overview {
        frame: Frame::open(),
        site,
        here: "/docs",
        about: html(about),
    };
    // Writing to a string cannot fail.
    (page.here.to_owned(), page.render().unwrap_or_default())
}
