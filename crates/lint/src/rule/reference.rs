//! References to descriptions of defects: a CWE number or a documentation page.

/// The URL of a reference.
#[must_use]
pub fn reference_url(reference: &str) -> String {
    match reference.strip_prefix("CWE-") {
        Some(number) => format!("https://cwe.mitre.org/data/definitions/{number}.html"),
        None => reference.to_owned(),
    }
}

/// Whether it is `CWE-` and a number, or an https URL.
pub(crate) fn is_reference(text: &str) -> bool {
    let is_number =
        |number: &str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_address = text
        .strip_prefix("https://")
        .is_some_and(|rest| !rest.is_empty() && !rest.contains(char::is_whitespace));
    is_address || text.strip_prefix("CWE-").is_some_and(is_number)
}

#[cfg(test)]
mod tests {
    use super::{is_reference, reference_url};

    #[test]
    fn a_reference_is_a_cwe_number_or_an_https_url() {
        for good in ["CWE-89", "https://docs.python.org/3/library/"] {
            assert!(is_reference(good), "{good}");
        }
        for bad in [
            "", "CWE-", "CWE-8a", "89", "http://example.org", "https://", "https://a b",
        ] {
            assert!(!is_reference(bad), "{bad}");
        }
    }

    #[test]
    fn a_cwe_number_links_to_its_page() {
        assert_eq!(
            reference_url("CWE-89"),
            "https://cwe.mitre.org/data/definitions/89.html"
        );
        assert_eq!(
            reference_url("https://go.dev/ref/spec"),
            "https://go.dev/ref/spec"
        );
    }
}
