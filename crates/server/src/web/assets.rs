//! Static files in the binary, under names that change with their content, so that browsers can cache them.

use std::fmt::Write as _;
use std::sync::LazyLock;

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use sha2::{Digest as _, Sha256};

use crate::error::Problem;
use crate::fixed::Fixed;

/// For files whose name changes with their content.
pub(crate) const FOR_EVER: HeaderValue =
    HeaderValue::from_static("public, max-age=31536000, immutable");
/// Bytes of the SHA-256 in a file name.
const DIGEST_BYTES: usize = 8;

struct Asset {
    name: &'static str,
    /// The path at which it is served.
    path: String,
    body: Fixed,
}

static ASSETS: LazyLock<[Asset; 5]> = LazyLock::new(|| {
    [
        asset(
            "console.css",
            "text/css; charset=utf-8",
            include_str!("assets/console.css"),
        ),
        asset(
            "console.js",
            "text/javascript; charset=utf-8",
            include_str!("assets/console.js"),
        ),
        asset(
            "docs.css",
            "text/css; charset=utf-8",
            include_str!("assets/docs.css"),
        ),
        asset(
            "docs.js",
            "text/javascript; charset=utf-8",
            include_str!("assets/docs.js"),
        ),
        asset("icon.svg", "image/svg+xml", include_str!("assets/icon.svg")),
    ]
});

fn asset(name: &'static str, media_type: &'static str, text: &'static str) -> Asset {
    Asset {
        name,
        path: hashed_path("/assets/", name, text),
        body: Fixed::new(media_type, text),
    }
}

/// The path of a file with this name and content.
pub(crate) fn hashed_path(folder: &str, name: &str, text: &str) -> String {
    let (stem, extension) = name.split_once('.').unwrap_or((name, ""));
    let mut path = format!("{folder}{stem}-");
    for byte in Sha256::digest(text).iter().take(DIGEST_BYTES) {
        // Writing to a string cannot fail.
        let _ = write!(path, "{byte:02x}");
    }
    path + "." + extension
}

/// The path of the file with this name.
pub(crate) fn path(name: &str) -> &'static str {
    ASSETS
        .iter()
        .find(|asset| asset.name == name)
        .map_or("", |asset| &asset.path)
}

pub(crate) async fn show(
    file: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let asked = file
        .map(|Path(file)| format!("/assets/{file}"))
        .unwrap_or_default();
    let asset = ASSETS
        .iter()
        .find(|asset| asset.path == asked)
        .ok_or_else(Problem::no_such_path)?;
    let mut response = asset.body.answer(&headers);
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, FOR_EVER);
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::{ASSETS, path};

    #[test]
    fn every_asset_is_small_and_loads_nothing_from_elsewhere() {
        for name in [
            "console.css", "console.js", "docs.css", "docs.js", "icon.svg",
        ] {
            assert!(path(name).starts_with("/assets/"), "{name}");
        }
        let sources = [
            include_str!("assets/console.css"),
            include_str!("assets/console.js"),
            include_str!("assets/docs.css"),
            include_str!("assets/docs.js"),
        ];
        assert_eq!(ASSETS.len(), sources.len() + 1);
        assert!(sources.iter().map(|text| text.len()).sum::<usize>() < 80_000);
        for text in sources {
            for outside in ["://", "@import", "url(", "eval(", "innerHTML"] {
                assert!(!text.contains(outside), "{outside}");
            }
        }
    }
}
