//! Scanning in the caller's own thread.

use std::future::ready;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use impact::{Question, Reader, Surrounding};
use review::Chunk;
use review::repository::{InThisThread, Query, QueryAnswer, QueryFailure, QueryRunner};
use syntax::parse::Limits;

use crate::registry::RuleSet;
use crate::scan::{Report, ScanFailure, Scanner, scan};

/// Scans in the calling thread, for tests and measurements. A grammar that aborts would end the process, so the service
/// uses worker processes.
#[derive(Debug, Clone)]
pub struct InProcess {
    /// The limits for each file.
    pub limits: Limits,
    /// The rules.
    pub rules: Arc<RuleSet>,
}

impl QueryRunner for InProcess {
    fn run<'a>(&'a self, query: &'a Query<'a>) -> BoxFuture<'a, Result<QueryAnswer, QueryFailure>> {
        InThisThread.run(query)
    }
}

impl Reader for InProcess {
    fn concurrency(&self) -> usize {
        1
    }

    fn ask<'a>(&'a self, question: &'a Question<'_>) -> BoxFuture<'a, Option<Surrounding>> {
        Box::pin(ready(question.answer(&self.limits)))
    }
}

impl Scanner for InProcess {
    fn of_tenant(&self, _: &str) -> Self {
        self.clone()
    }

    fn scan<'a>(&'a self, file: &'a Chunk<'_>) -> BoxFuture<'a, Result<Report, ScanFailure>> {
        Box::pin(ready(Ok(scan(file, &self.rules, &self.limits))))
    }
}
