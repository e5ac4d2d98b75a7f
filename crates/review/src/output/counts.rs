//! Counts as English text.

use crate::finding::Priority;
use crate::output::json::FindingBody;

/// "1 file", "2 files".
pub(super) fn counted(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// "no findings", "3 findings (1 P1, 2 P3)".
pub(super) fn findings(findings: &[FindingBody]) -> String {
    if findings.is_empty() {
        return "no findings".to_owned();
    }
    let count = |p: Priority| findings.iter().filter(|finding| finding.priority == p).count();
    let by_priority: Vec<String> =
        Priority::ALL.iter().filter(|p| count(**p) > 0).map(|p| format!("{} {p}", count(*p))).collect();
    format!("{} ({})", counted(findings.len(), "finding"), by_priority.join(", "))
}
