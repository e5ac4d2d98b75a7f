//! Fingerprints for hosts that show one of several findings that share one.

use std::collections::HashMap;

/// How often each fingerprint came.
#[derive(Default)]
pub(super) struct Unique(HashMap<String, usize>);

impl Unique {
    /// The fingerprint the first time, and with a number each time after that.
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
