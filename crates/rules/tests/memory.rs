//! Peak memory of a review: bounded by the size of the diff, regardless of its content.
//!
//! A single test, because it counts the allocations of the whole process.

#![expect(clippy::unwrap_used, reason = "the diffs are those of the test below")]

use std::fmt::Write as _;
use std::sync::Arc;

use futures_executor::block_on;
use futures_util::future::{BoxFuture, ready};
use impact::{Question, Reader, Surrounding};
use lint::{Report, RuleEngine, ScanFailure, Scanner, scan};
use peak_alloc::PeakAlloc;
use review::chunk::{Sizes, plan};
use review::output::json;
use review::repository::{InThisThread, Query, QueryAnswer, QueryFailure, QueryRunner};
use review::{Budget, Chunk, Diff, Engine, Options, OwnedDiff, Request, TextMask, review_bytes};
use syntax::parse::Limits;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// Responds like worker processes do: with encoded reports, by file.
#[derive(Clone)]
struct Answers(Arc<Vec<Vec<u8>>>);

impl QueryRunner for Answers {
    fn run<'a>(&'a self, query: &'a Query<'a>) -> BoxFuture<'a, Result<QueryAnswer, QueryFailure>> {
        InThisThread.run(query)
    }
}

impl Reader for Answers {
    fn concurrency(&self) -> usize {
        4
    }

    fn ask<'a>(&'a self, _: &'a Question<'_>) -> BoxFuture<'a, Option<Surrounding>> {
        Box::pin(ready(None))
    }
}

impl Scanner for Answers {
    fn of_tenant(&self, _: &str) -> Self {
        self.clone()
    }

    fn scan<'a>(&'a self, file: &'a Chunk<'_>) -> BoxFuture<'a, Result<Report, ScanFailure>> {
        let report = self
            .0
            .get(file.index)
            .and_then(|answer| postcard::from_bytes(answer).ok());
        Box::pin(ready(report.ok_or(ScanFailure::Crashed)))
    }
}

fn answers(text: &str) -> Answers {
    let diff = Diff::parse(text).unwrap();
    let chunks = plan(&diff, None, &Sizes::default()).chunks;
    let answer =
        |chunk| postcard::to_stdvec(&scan(chunk, rules::built_in(), &Limits::default())).unwrap();
    let answers: Vec<Vec<u8>> = chunks.iter().map(answer).collect();
    assert_eq!(answers.len(), diff.files.len(), "each file is one chunk");
    Answers(Arc::new(answers))
}

/// The peak number of bytes that the review of a diff allocates.
fn review(text: &str) -> usize {
    let engines: [Arc<dyn Engine>; 1] =
        [Arc::new(RuleEngine::new(answers(text), rules::catalog()))];
    let before = ALLOCATED.current_usage();
    ALLOCATED.reset_peak_usage();
    let diff = OwnedDiff::parse(text.to_owned()).unwrap();
    let (options, budget) = (&Options::default(), &Budget::of_bytes(text.len()));
    let request = Request {
        diff: diff.diff(),
        context: review::DiffContext::default(),
        target_language: None,
        engines: &engines,
        filters: &[],
        options,
        repository: None,
        budget,
        mask: TextMask::default(),
    };
    let review = block_on(review::review(request, std::future::pending(), &mut |_| ())).unwrap();
    let body = serde_json::to_vec(&json::body("", None, &review, 0)).unwrap();
    drop((body, diff));
    ALLOCATED.peak_usage() - before
}

/// This many files with this many lines each, written by `line`, after a first line that is context where `is_known`.
fn files(
    count: usize,
    lines: usize,
    is_known: bool,
    line: impl Fn(usize, usize, &mut String),
) -> String {
    let mut diff = String::new();
    for file in 0..count {
        let mut hunk = String::new();
        (0..lines).for_each(|at| line(file, at, &mut hunk));
        let (first, known) = if is_known {
            (" start();\n", 1)
        } else {
            ("+start();\n", 0)
        };
        let old = known + hunk.lines().filter(|line| line.starts_with('-')).count();
        let new = 1 + hunk.lines().filter(|line| line.starts_with('+')).count();
        let old_path = if is_known {
            format!("a/src/f{file}.js")
        } else {
            "/dev/null".to_owned()
        };
        let start = usize::from(old > 0);
        write!(
            diff,
            "--- {old_path}\n+++ b/src/f{file}.js\n@@ -{start},{old} +1,{new} @@\n{first}{hunk}"
        )
        .unwrap();
    }
    diff
}

/// A line of a class with a hundred methods.
fn methods(marker: char, parameters: &str, file: usize, at: usize, to: &mut String) {
    write!(to, "{marker}class C{at}{{").unwrap();
    for method in at * 100..at * 100 + 100 {
        write!(to, "m{}{method}({parameters}){{}}", file % 10).unwrap();
    }
    to.push_str("}\n");
}

#[test]
fn a_review_needs_at_most_eight_mebibytes_and_six_times_the_diff() {
    let added = files(80, 14, false, |file, at, to| methods('+', "", file, at, to));
    let known = files(80, 14, true, |file, at, to| methods('+', "", file, at, to));
    let changed = files(40, 14, true, |file, at, to| {
        methods('-', "", file, at, to);
        methods('+', "a", file, at, to);
    });
    let calls = files(80, 30, true, |file, at, to| {
        to.push('+');
        (0..100).for_each(|call| write!(to, "f{file}(g{call}(){at});").unwrap());
        to.push('\n');
    });
    let findings = files(60, 1_000, false, |_, at, to| {
        writeln!(to, "+let v{at} = eval(a{at});").unwrap()
    });
    let hunks = (0..30).fold(String::new(), |mut diff, file| {
        write!(diff, "--- a/f{file}.js\n+++ b/f{file}.js\n").unwrap();
        (1..1_000).for_each(|at| write!(diff, "@@ -{0} +{0} @@\n-a\n+b\n", at * 10).unwrap());
        diff
    });
    let lines = files(90, 1_000, false, |_, _, to| to.push_str("+x\n"));
    let small = files(1, 500, false, |_, at, to| {
        writeln!(to, "+let v{at} = eval(a{at});").unwrap()
    });
    for (name, text) in [
        ("added methods", added),
        ("methods added to known files", known),
        ("changed methods", changed),
        ("calls", calls),
        ("findings", findings),
        ("hunks", hunks),
        ("lines", lines),
        ("a small diff with findings", small),
    ] {
        let bytes = review(&text);
        let (size, most) = (text.len(), review_bytes(text.len()));
        assert!(
            bytes <= most,
            "{name}: {bytes} bytes for a diff of {size} bytes, not {most}"
        );
    }
}
