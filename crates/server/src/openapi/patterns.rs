//! Patterns of texts, as regular expressions of JSON Schema.

use utoipa::openapi::{Components, PathItem, RefOr, Schema};

use super::operations;
use super::property::property;
use crate::limits::{ORGANIZATION_NAME_CHARACTERS, REVIEW_GUIDELINES_BYTES};

/// Characters that are not allowed in names: control characters, and those that `store::names` calls misleading in
/// any position.
const HIDDEN: &str = r"\u0000-\u001F\u007F-\u009F\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\u2800\u3164\uFEFF\uFFA0\uFFF0-\uFFFB";
/// Characters that are not allowed in guidelines: control characters except tab and line feed.
const CONTROL: &str = r"\u0000-\u0008\u000B-\u001F\u007F-\u009F";

/// The last path segment of each list, and the prefix of the IDs in its cursors.
const LISTS: &[(&str, &str)] = &[
    ("audit-events", "evt"),
    ("invitations", "inv"),
    ("members", "usr"),
    ("organizations", "org"),
    ("tokens", "tok"),
    ("usage", "usr"),
    ("users", "usr"),
];

/// An ID: a UUID of version 7 in Crockford's base 32.
fn id(prefix: &str) -> String {
    let any = "[0-9a-hjkmnp-tv-z]";
    format!("^{prefix}_[0-7]{any}{{9}}[ef]{any}{{2}}[89abrstv]{any}{{12}}$")
}

/// Adds the pattern of a list's `cursor`, so that generated requests have only well-formed ones.
pub(super) fn add_to_cursor(path: &str, item: &mut PathItem) {
    let Some((_, prefix)) = LISTS
        .iter()
        .find(|(list, _)| path.ends_with(&format!("/{list}")))
    else {
        return;
    };
    for operation in operations::of(item) {
        for parameter in operation.parameters.iter_mut().flatten() {
            let RefOr::T(parameter) = parameter else {
                continue;
            };
            if let Some(RefOr::T(Schema::Object(schema))) = &mut parameter.schema
                && parameter.name == "cursor"
            {
                schema.pattern = Some(id(prefix));
            }
        }
    }
}

/// Adds the patterns of names, guidelines and IDs in request bodies.
pub(super) fn add_to_names(components: &mut Components) {
    for schema in ["CreateOrganization", "RenameOrganization", "CreateToken"] {
        if let Some(name) = property(components, schema, "name") {
            name.pattern = Some(format!(r"^[^{HIDDEN}]*[^\s{HIDDEN}][^{HIDDEN}]*$"));
            name.max_length = Some(ORGANIZATION_NAME_CHARACTERS);
        }
    }
    if let Some(guidelines) = property(components, "SetReviewGuidelines", "guidelines") {
        guidelines.pattern = Some(format!(r"^[^{CONTROL}]*[^\s{CONTROL}][^{CONTROL}]*$"));
        guidelines.max_length = Some(REVIEW_GUIDELINES_BYTES);
    }
    if let Some(organization) = property(components, "CreateToken", "organizationId") {
        organization.pattern = Some(id("org"));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use store::{AuditEventId, InvitationId, OrganizationId, TokenId, UnixMillis, UserId};

    use super::{LISTS, id};
    use crate::{Limits, openapi};

    /// Each list's IDs match the pattern of its cursor, and no other list's IDs do.
    #[test]
    fn new_ids_match_the_pattern_of_their_list() {
        let patterns: Vec<(&str, regex::Regex)> = LISTS
            .iter()
            .map(|(_, prefix)| (*prefix, regex::Regex::new(&id(prefix)).unwrap()))
            .collect();
        for millisecond in (0..1 << 45).step_by((1 << 45) / 1_000) {
            let now = UnixMillis(millisecond);
            let ids = [
                OrganizationId::new(now).to_string(),
                UserId::new(now).to_string(),
                TokenId::new(now).to_string(),
                AuditEventId::new(now).to_string(),
                InvitationId::new(now).to_string(),
            ];
            for id in ids {
                for (prefix, pattern) in &patterns {
                    assert_eq!(
                        pattern.is_match(&id),
                        id.starts_with(prefix),
                        "{id} {pattern}"
                    );
                }
            }
        }
    }

    /// Changing a bit of the version or the variant makes an ID invalid, also for the pattern.
    #[test]
    fn texts_that_match_are_ids() {
        let pattern = regex::Regex::new(&id("usr")).unwrap();
        let alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
        let sound = UserId::new(UnixMillis(1_700_000_000_000)).to_string();
        let mut seen = HashSet::new();
        for place in 4..sound.len() {
            for letter in alphabet.chars() {
                let mut text = sound.clone();
                text.replace_range(place..=place, &letter.to_string());
                seen.insert(pattern.is_match(&text));
                assert_eq!(
                    pattern.is_match(&text),
                    text.parse::<UserId>().is_ok(),
                    "{text}"
                );
            }
        }
        assert_eq!(seen.len(), 2);
    }

    #[test]
    fn every_cursor_name_and_text_has_a_pattern() {
        let document = serde_json::to_value(openapi(&Limits::default())).unwrap();
        let mut cursors = 0;
        for operation in document["paths"]
            .as_object()
            .unwrap()
            .values()
            .flat_map(|item| item.as_object().unwrap().values())
        {
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                if parameter["name"] == "cursor" {
                    cursors += 1;
                    assert!(parameter["schema"]["pattern"].is_string(), "{operation:#}");
                }
            }
        }
        assert_eq!(cursors, 8);
        let schemas = &document["components"]["schemas"];
        let pattern = schemas["CreateToken"]["properties"]["name"]["pattern"]
            .as_str()
            .unwrap();
        // Rust writes code point escapes differently.
        let pattern = regex::Regex::new(
            &regex::Regex::new(r"\\u([0-9A-F]{4})")
                .unwrap()
                .replace_all(pattern, r"\x{$1}"),
        )
        .unwrap();
        for (name, is_name) in [
            ("Acme", true),
            (" Ädi & Söhne 日本 👩‍👩‍👧 ", true),
            ("", false),
            ("  ", false),
            ("a\nb", false),
            ("a\u{202e}b", false),
            ("\u{200b}", false),
        ] {
            assert_eq!(pattern.is_match(name), is_name, "{name:?}");
        }
    }
}
