//! The page to show after signing in, which must be a page of this service.

/// Maximum length of a path.
const BYTES: usize = 512;

/// Returns the text if browsers treat it as a path of this service. `//host` and `/\host` are other hosts, and
/// browsers remove control characters before parsing.
pub(crate) fn own_path(text: &str) -> Option<&str> {
    let is_path = text.starts_with('/') && !text.starts_with("//") && text.len() <= BYTES;
    (is_path
        && text
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && byte != b'\\'))
    .then_some(text)
}

/// The path of the sign-in page that continues at another page.
pub(crate) fn link(path: &str, next: Option<&str>) -> String {
    let Some(next) = next.filter(|next| *next != "/") else {
        return path.to_owned();
    };
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("next", next)
        .finish();
    format!("{path}?{query}")
}

#[cfg(test)]
mod tests {
    use super::own_path;

    #[test]
    fn only_paths_of_this_service_are_kept() {
        let long = format!("/{}", "a".repeat(512));
        for own in [
            "/",
            "/tokens",
            "/organizations/org_1/usage?month=2026-01#a",
            "/a//b",
            "/%2f%2fevil.example",
            &long[..512],
        ] {
            assert_eq!(own_path(own), Some(own));
        }
        for other in [
            "", "tokens", "https://evil.example", "//evil.example", "/\\evil.example",
            "\\\\evil.example", "/\t/evil.example", "/\n/evil.example", "javascript:alert(1)",
            "/a b", "/é", "/a\r\nset-cookie: x", &long,
        ] {
            assert_eq!(own_path(other), None, "{other:?}");
        }
    }
}
