//! The rules as an engine of the pipeline, in the caller's own thread.

use std::future::{Future, ready};
use std::pin::Pin;

use review::{Chunk, Engine, Outcome};

use crate::limits::Limits;
use crate::rules::RuleSet;
use crate::scan::scan;

/// Scans where it is called, with the built-in rules. For tests and measurements: a grammar that aborts takes the
/// process with it, so the service uses worker processes.
#[derive(Debug, Clone, Default)]
pub struct InProcess {
    /// The bounds for each file.
    pub limits: Limits,
}

impl Engine for InProcess {
    fn name(&self) -> &'static str {
        "rules"
    }

    fn analyse<'a>(&'a self, chunk: &'a Chunk<'a>) -> Pin<Box<dyn Future<Output = Outcome> + Send + 'a>> {
        let mut outcome = Outcome::default();
        for file in &chunk.files {
            let report = scan(file, RuleSet::builtin(), &self.limits);
            outcome.candidates.extend(report.candidates);
            outcome.warnings.extend(report.warnings);
        }
        Box::pin(ready(outcome))
    }
}
