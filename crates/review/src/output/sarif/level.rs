//! Priorities as SARIF levels.

use crate::finding::Priority;

pub(super) fn level(priority: Priority) -> &'static str {
    match priority {
        Priority::P0 | Priority::P1 => "error",
        Priority::P2 => "warning",
        Priority::P3 => "note",
    }
}
