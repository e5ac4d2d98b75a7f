//! The number of a finding that a selector chose.

use super::item::Item;
use super::lenient::Object;
use super::words::count;

const NUMBER: &[&str] = &["finding", "candidate", "finding_number", "finding_id", "number", "id", "index"];

/// The number of a finding that a selector chose, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Selected(pub(crate) usize);

impl Item for Selected {
    const OTHER_NAMES: &'static [&'static str] = &["selection", "chosen", "ranking", "order", "ids", "numbers"];

    fn read(object: &Object) -> Option<Self> {
        count(&object.text(NUMBER)?).map(Self)
    }

    fn read_text(text: &str) -> Option<Self> {
        text.trim().trim_start_matches('#').parse().ok().map(Self)
    }

    /// Numbers with reasons stand elsewhere in the reply too, so one outside the list means nothing.
    fn is_like(_: &Object) -> bool {
        false
    }

    fn identity(&self) -> String {
        self.0.to_string()
    }
}
