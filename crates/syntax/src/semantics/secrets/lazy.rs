//! Patterns that are compiled on first use.

use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};

/// A pattern that is compiled on first use.
pub struct LazyPattern {
    text: &'static str,
    compiled: OnceLock<Option<Regex>>,
}

impl LazyPattern {
    /// A pattern over bytes, without Unicode tables.
    #[must_use]
    pub const fn new(text: &'static str) -> Self {
        Self {
            text,
            compiled: OnceLock::new(),
        }
    }

    /// The pattern; `None` if it is empty or not valid.
    pub fn get(&self) -> Option<&Regex> {
        self.compiled
            .get_or_init(|| {
                Some(self.text)
                    .filter(|text| !text.is_empty())
                    .and_then(compiled)
            })
            .as_ref()
    }

    /// Whether there is a pattern and it matches.
    pub fn is_match(&self, text: &str) -> bool {
        self.get()
            .is_some_and(|pattern| pattern.is_match(text.as_bytes()))
    }
}

/// A pattern over bytes, without Unicode tables.
pub fn compiled(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(pattern)
        .unicode(false)
        .dfa_size_limit(1 << 20)
        .build()
        .ok()
}
