//! The rules as an engine of the pipeline, in the caller's own thread.

use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::Arc;

use review::{Candidate, Chunk, Conclusion, Engine, Facts, Outcome};

use crate::facts::conclude;
use crate::limits::Limits;
use crate::rule_set::RuleSet;
use crate::scan::scan;

/// Scans where it is called. For tests and measurements: a grammar that aborts takes the
/// process with it, so the service uses worker processes.
#[derive(Debug, Clone, Default)]
pub struct InProcess {
    /// The bounds for each file.
    pub limits: Limits,
    /// The rules; without any, the built-in ones.
    pub rules: Option<Arc<RuleSet>>,
}

impl Engine for InProcess {
    fn name(&self) -> &'static str {
        "rules"
    }

    fn analyse<'a>(
        &'a self,
        chunk: &'a Chunk<'_>,
        _: &'a [Candidate],
    ) -> Pin<Box<dyn Future<Output = Outcome> + Send + 'a>> {
        let rules = self.rules.as_deref().unwrap_or_else(|| RuleSet::builtin());
        let mut outcome = Outcome::default();
        for file in &chunk.files {
            let report = scan(file, rules, &self.limits);
            outcome.candidates.extend(report.candidates);
            outcome.warnings.extend(report.warnings);
            outcome.facts.push(report.facts);
        }
        Box::pin(ready(outcome))
    }

    fn conclude(&self, facts: Vec<Facts>, candidates: Vec<Candidate>) -> Conclusion {
        conclude(facts, candidates)
    }
}
