//! The name under which a finding is filed.

use std::borrow::Cow;

use crate::output::json::FindingBody;

/// The rule's ID. A model's finding has none, so formats that require a name get its category.
pub(super) fn rule_name(finding: &FindingBody) -> Cow<'_, str> {
    match &finding.rule_id {
        Some(id) => Cow::Borrowed(id),
        None => Cow::Owned(format!(
            "model/{}",
            finding
                .category
                .as_str()
                .to_ascii_lowercase()
                .replace('_', "-")
        )),
    }
}
