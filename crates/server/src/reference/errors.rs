//! Error codes, as listed on the pages.

use axum::http::StatusCode;

use super::document::{Document, text};
use crate::refusals::{BODY, EVERY, V1};
use crate::web::markdown::html;

/// An error code.
pub(super) struct ErrorCode {
    pub(super) code: String,
    pub(super) status: String,
    pub(super) when: String,
    pub(super) remedy: String,
}

impl ErrorCode {
    pub(super) fn of(document: Document<'_>, status: &str, code: &str) -> Self {
        let occurrence = text(&document.0["components"]["examples"][code]["description"]);
        let (when, remedy) = occurrence.split_once("\n\n").unwrap_or((occurrence, ""));
        Self {
            code: code.to_owned(),
            status: status.to_owned(),
            when: html(when),
            remedy: html(remedy),
        }
    }

    /// Whether nearly every operation has it.
    pub(super) fn is_common(&self) -> bool {
        [EVERY, V1, BODY]
            .into_iter()
            .flatten()
            .any(|code| code.as_str() == self.code)
    }
}

/// A status with its name, such as `404 Not Found`.
pub(super) fn status_line(status: &str) -> String {
    let name = status
        .parse::<StatusCode>()
        .ok()
        .and_then(|status| status.canonical_reason());
    format!("{status} {}", name.unwrap_or_default())
}
