//! Masks secrets in the texts of findings, of rules and models alike.

use std::borrow::Cow;
use std::ops::Range;

use review::FindingCode;

use super::hide::{HIDDEN, hide, mask_own};
use super::mask::secret_places;
use super::quote::shown;

/// Minimum number of characters by which a quotation of a secret is recognized, whole or truncated.
const LEAST: usize = 4;

/// Masks secrets in the texts of a finding: those in the code that it is about, and those that the texts themselves
/// show to be secret.
pub fn mask_texts(code: FindingCode<'_>, texts: &mut [&mut String]) {
    let values = secrets(code.path, code.lines);
    for text in texts {
        let without = values
            .iter()
            .fold(Cow::Borrowed(text.as_str()), |text, value| {
                without_value(text, value)
            });
        let masked = shown(code.category, &mask_own(&without));
        **text = masked;
    }
}

/// The hidden parts of the secrets in some lines of a file, longest first.
fn secrets<'a>(path: &str, lines: &[&'a str]) -> Vec<&'a str> {
    let places = secret_places(path, &[lines]).into_iter().flatten();
    let values = lines.iter().zip(places).flat_map(|(line, places)| {
        places
            .into_iter()
            .filter_map(move |place| line.get(place))
            .filter(|value| value.chars().nth(LEAST - 1).is_some())
    });
    let mut values: Vec<&str> = values.collect();
    values.sort_by(|a, b| b.len().cmp(&a.len()).then(a.cmp(b)));
    values.dedup();
    values
}

/// A text with a value masked. It may quote the value whole or truncated; a truncated quotation ends in an ellipsis.
fn without_value<'t>(text: Cow<'t, str>, value: &str) -> Cow<'t, str> {
    let mut places: Vec<Range<usize>> = text
        .match_indices(value)
        .map(|(start, value)| start..start + value.len())
        .collect();
    for (end, _) in text.match_indices(HIDDEN) {
        let Some(before) = text.get(..end) else {
            continue;
        };
        let starts = value
            .char_indices()
            .skip(LEAST)
            .filter_map(|(length, _)| value.get(..length));
        let longest = starts.filter(|start| before.ends_with(start)).last();
        places.extend(longest.map(|start| end - start.len()..end));
    }
    if places.is_empty() {
        text
    } else {
        Cow::Owned(hide(&text, places).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use review::{Category, FindingCode};

    use super::mask_texts;

    fn masked(category: Category, path: &str, line: &str, text: &str) -> String {
        let mut text = text.to_owned();
        mask_texts(
            FindingCode {
                category,
                path,
                lines: &["context", line],
            },
            &mut [&mut text],
        );
        text
    }

    #[test]
    fn secrets_of_the_reviewed_code_are_masked_in_all_texts() {
        let secret = "w3gT-lcrh_DFLGWrhh";
        for (path, line) in [
            ("a.sh", format!("mysql -u root -p{secret} shop")),
            ("a.sh", format!("sshpass -p {secret} ssh host")),
            (
                "a.sh",
                format!("curl -k -u admin:{secret} https://example.com"),
            ),
            (".env", format!("DB_PASSWORD={secret}")),
            ("a.py", format!("connect(password=\"{secret}\")")),
            ("a.yaml", format!("  password: {secret}")),
        ] {
            for text in [
                format!("`{line}` is wrong."),
                format!("The value {secret} is wrong."),
                format!("`connect(…, {}…` is cut.", &secret[..11]),
                format!("Write\n{line}\ninstead."),
            ] {
                for category in [Category::Security, Category::SecretExposure] {
                    let shown = masked(category, path, &line, &text);
                    assert!(!shown.contains(&secret[4..11]), "{line}: {shown}");
                    assert!(shown.contains('…') && !shown.contains("……"), "{shown}");
                    let marks = |text: &str| text.matches('`').count();
                    assert_eq!(marks(&shown), marks(&text), "{shown}");
                }
            }
        }
    }

    #[test]
    fn a_secret_that_a_model_repeats_from_elsewhere_is_masked() {
        let text = "Remove `Authorization: Bearer c2VjcmV0LXRva2VuLTEyMzQ1Njc4` and postgres://app:hunter2hunter2@db/x.";
        let shown = masked(Category::Security, "a.py", "x = 1", text);
        assert!(
            !shown.contains("XRva2Vu") && !shown.contains("hunter2hunter2"),
            "{shown}"
        );
    }

    #[test]
    fn other_texts_are_unchanged() {
        for (line, text) in [
            (
                "def add(item, basket=[]):",
                "The default `[]` is created once and shared by all calls.",
            ),
            (
                "password = os.environ[\"DB_PASSWORD\"]",
                "`password` is read from `os.environ[\"DB_PASSWORD\"]`.",
            ),
            (
                "",
                "Use `None` as the default…\nand create the object inside the function.",
            ),
            (
                "token = request.token",
                "`token` is compared with `==`: use `hmac.compare_digest(token, expected)`.",
            ),
        ] {
            assert_eq!(masked(Category::LogicBug, "a.py", line, text), text);
        }
    }
}
