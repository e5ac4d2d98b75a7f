//! The invisible last line that identifies a comment of this tool.
//!
//! The line holds the finding's fingerprint. Only comments of the token's own user are searched for it. The host has the only record of
//! what was published, so runs need no storage, and what people did there (resolved, deleted) is taken into account.

const START: &str = "<!-- hunkwise ";
const END: &str = " -->";
/// Maximum length of a fingerprint, in characters.
const LONGEST: usize = 128;
/// The name in the marker of the summary. It cannot be a fingerprint, which has only hexadecimal digits.
pub const SUMMARY: &str = "summary";

/// Whether a text is valid in a marker as a fingerprint.
pub fn is_fingerprint(text: &str) -> bool {
    !text.is_empty() && text.len() <= LONGEST && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The text with its marker.
pub fn marked(text: &str, name: &str) -> String {
    format!("{}\n\n{START}{name}{END}", text.trim_end())
}

/// The name in the marker of a text. Only the last line counts, because other lines may quote a change.
pub(super) fn name_in(text: &str) -> Option<&str> {
    let name = text
        .trim_end()
        .lines()
        .next_back()?
        .strip_prefix(START)?
        .strip_suffix(END)?;
    (name == SUMMARY || is_fingerprint(name)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::{is_fingerprint, marked, name_in};

    #[test]
    fn only_the_last_line_is_a_marker() {
        assert_eq!(name_in(&marked("text\n", "0a")), Some("0a"));
        assert_eq!(
            name_in("x\r\n<!-- hunkwise summary -->\r\n"),
            Some("summary")
        );
        for text in [
            "", "x", "<!-- hunkwise 0a -->\nx", "> <!-- hunkwise 0a -->", "<!-- hunkwise x y -->",
            "<!-- hunkwise  -->",
        ] {
            assert_eq!(name_in(text), None, "{text}");
        }
        let quoting = marked("<!-- hunkwise 0a -->", "0b");
        assert_eq!(name_in(&quoting), Some("0b"));
    }

    #[test]
    fn a_fingerprint_cannot_end_its_marker() {
        assert!(is_fingerprint("4e0c4a1dfd3f1403356282637558e523"));
        for text in ["", "--> @all", "summary", "0a\n", &"0".repeat(129)] {
            assert!(!is_fingerprint(text), "{text}");
        }
    }
}
