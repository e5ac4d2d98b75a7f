//! Unique fingerprints, for hosts that show only one of several findings with the same one.

use std::collections::HashMap;

/// How often each fingerprint occurred.
#[derive(Default)]
pub(super) struct Unique(HashMap<String, usize>);

impl Unique {
    /// The fingerprint itself on its first occurrence, and with a number from then on.
    pub(super) fn name(&mut self, fingerprint: &str) -> String {
        let count = self.0.entry(fingerprint.to_owned()).or_default();
        *count += 1;
        if *count == 1 {
            fingerprint.to_owned()
        } else {
            format!("{fingerprint}-{count}")
        }
    }
}
