//! Texts with the form of a secret that are not secrets: gitleaks' allowlists.

use std::sync::LazyLock;

use super::detector::{Allow, Target};
use super::detectors::IMPORTED;
use super::lazy::LazyPattern;

/// The list for all detectors.
pub(super) static EVERYWHERE: LazyLock<Allowance> =
    LazyLock::new(|| Allowance::new(&IMPORTED.everywhere));

/// A list with its patterns.
pub(super) struct Allowance {
    allow: &'static Allow,
    pattern: LazyPattern,
    path: LazyPattern,
}

/// A match and its surroundings.
pub(super) struct Observed<'t> {
    pub(super) value: &'t str,
    pub(super) whole: &'t str,
    pub(super) line: &'t str,
    pub(super) path: &'t str,
}

impl Allowance {
    pub(super) fn new(allow: &'static Allow) -> Self {
        Self {
            allow,
            pattern: LazyPattern::new(allow.pattern),
            path: LazyPattern::new(allow.path),
        }
    }

    /// Whether the list says that this is not a secret.
    pub(super) fn agrees(&self, seen: &Observed<'_>) -> bool {
        let target = match self.allow.target {
            Target::Secret => seen.value,
            Target::Match => seen.whole,
            Target::Line => seen.line,
        };
        let has_word = || {
            let lower = seen.value.to_ascii_lowercase();
            self.allow.words.iter().any(|word| lower.contains(word))
        };
        let parts: [(bool, &dyn Fn() -> bool); 3] = [
            (!self.allow.pattern.is_empty(), &|| {
                self.pattern.is_match(target)
            }),
            (!self.allow.path.is_empty(), &|| {
                self.path.is_match(seen.path)
            }),
            (!self.allow.words.is_empty(), &has_word),
        ];
        let mut criteria = parts
            .iter()
            .filter(|(is_set, _)| *is_set)
            .map(|(_, agrees)| agrees())
            .peekable();
        criteria.peek().is_some()
            && if self.allow.all {
                criteria.all(|agrees| agrees)
            } else {
                criteria.any(|agrees| agrees)
            }
    }
}
