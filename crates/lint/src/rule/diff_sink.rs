//! The sink of cross-file rules.

use review::{Candidate, Side};

use crate::facts::Facts;

use super::finding_builder::FindingBuilder;
use super::rule_meta::RuleMeta;

/// Maximum length of a path in a summary, in bytes.
const PATH_BYTES: usize = 160;

/// Receives the findings of cross-file rules.
pub struct DiffSink<'a> {
    pub(crate) info: RuleMeta<'a>,
    pub(crate) found: Vec<Candidate>,
}

impl DiffSink<'_> {
    /// Reports a defect on a line of the new side of a file.
    pub fn report(
        &mut self,
        file: &Facts,
        line: u32,
        summary: impl Into<String>,
    ) -> FindingBuilder<'_> {
        self.report_on(Side::New, file, line, summary)
    }

    /// Reports a defect on a line of one side of a file.
    pub fn report_on(
        &mut self,
        side: Side,
        file: &Facts,
        line: u32,
        summary: impl Into<String>,
    ) -> FindingBuilder<'_> {
        let candidate = self.info.candidate(file.file, side, line, &summary.into());
        FindingBuilder::new(&mut self.found, candidate)
    }
}

/// A path in a summary. A long path is truncated at the start, because its end identifies the file.
pub fn shown_path(path: &str) -> String {
    let start = path.len().saturating_sub(PATH_BYTES);
    if start == 0 {
        return path.to_owned();
    }
    format!(
        "…{}",
        path.get(path.ceil_char_boundary(start)..)
            .unwrap_or_default()
    )
}
