//! Paths as URIs.

use std::fmt::Write as _;

use serde_json::{Value, json};

/// The base of all relative URIs.
pub(super) const ROOT: &str = "%SRCROOT%";

/// A path of the diff, relative to the repository root unless it is absolute.
pub(super) fn location_of(path: &str) -> Value {
    if path.starts_with('/') {
        return json!({ "uri": format!("file://{}", encoded(path)) });
    }
    json!({ "uri": encoded(path), "uriBaseId": ROOT })
}

/// Percent-encodes everything but slashes and unreserved characters (RFC 3986, section 2.3), so that a path never has a
/// scheme, query or fragment.
fn encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::location_of;

    #[test]
    fn a_path_has_no_scheme_query_or_fragment() {
        let uri = |path: &str| {
            location_of(path)["uri"]
                .as_str()
                .map(str::to_owned)
                .unwrap()
        };
        assert_eq!(uri("src/a b.py"), "src/a%20b.py");
        assert_eq!(uri("javascript:x?y#z"), "javascript%3Ax%3Fy%23z");
        assert_eq!(uri("é%"), "%C3%A9%25");
        assert_eq!(uri("//host/x"), "file:////host/x");
        assert_eq!(
            (
                &location_of("a")["uriBaseId"],
                location_of("/a").get("uriBaseId")
            ),
            (&"%SRCROOT%".into(), None)
        );
    }
}
