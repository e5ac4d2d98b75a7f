//! A review as a whole, with scripted engines.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_executor::block_on;
use futures_util::future::{BoxFuture, FutureExt as _};
use review::{
    Candidate, Category, Chunk, Conclusion, Diff, Engine, Facts, Failure, Options, Outcome, OutcomeStatus, Priority,
    Review, Side, Warning, WarningCode, review,
};

/// What a scripted engine does with the chunk of a file of this name.
#[derive(Clone, Copy)]
enum Act {
    /// Reports this line of the new side.
    Report(u32),
    Fail,
    Hang,
}

struct Scripted {
    acts: Vec<(&'static str, Act)>,
    /// Set when a hanging analysis is dropped.
    dropped: Arc<AtomicBool>,
}

struct OnDrop(Arc<AtomicBool>);

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

impl Engine for Scripted {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn analyse<'a>(&'a self, chunk: &'a Chunk<'_>, _: &'a [Candidate]) -> BoxFuture<'a, Outcome> {
        async move {
            let file = &chunk.files[0];
            let mut outcome = Outcome::default();
            match self.acts.iter().find(|(path, _)| *path == file.path).map(|(_, act)| *act) {
                Some(Act::Report(line)) => outcome.candidates.push(candidate(file.index, line)),
                Some(Act::Fail) => outcome.status = OutcomeStatus::Failed,
                Some(Act::Hang) => {
                    let _guard = OnDrop(Arc::clone(&self.dropped));
                    std::future::pending::<()>().await;
                }
                None => {}
            }
            outcome
        }
        .boxed()
    }
}

fn candidate(file: usize, line: u32) -> Candidate {
    Candidate {
        file,
        side: Side::New,
        line,
        rule_id: Some("any/x".to_owned()),
        priority: Priority::P1,
        category: Category::LogicBug,
        summary: "wrong".to_owned(),
        suggested_fix: None,
        confidence: 0.8,
        scope: None,
    }
}

fn engine(acts: &[(&'static str, Act)]) -> Arc<dyn Engine> {
    Arc::new(Scripted { acts: acts.to_vec(), dropped: Arc::default() })
}

const DIFF: &str =
    "--- /dev/null\n+++ b/one.py\n@@ -0,0 +1,2 @@\n+a\n+b\n--- /dev/null\n+++ b/two.go\n@@ -0,0 +1 @@\n+c\n";

fn run(engines: &[Arc<dyn Engine>], deadline: impl Future<Output = ()> + Send) -> Result<Review, Failure> {
    let Ok(diff) = Diff::parse(DIFF) else { return Err(Failure::Failed) };
    block_on(review(&diff, None, engines, &Options::default(), deadline, &mut |_| ()))
}

fn codes(review: &Review) -> Vec<WarningCode> {
    review.warnings.iter().map(|warning| warning.code).collect()
}

#[test]
fn findings_of_every_chunk_come_in_the_order_of_the_diff() {
    let review =
        run(&[engine(&[("two.go", Act::Report(1)), ("one.py", Act::Report(2))])], std::future::pending()).unwrap();
    let places: Vec<_> = review.findings.iter().map(|f| (f.file_path(), f.line_number())).collect();
    assert_eq!(places, [("one.py", 2), ("two.go", 1)]);
    assert_eq!((review.chunks_analyzed, review.warnings.len()), (2, 0));
}

/// Reports the first line of each file, and takes that of the first file back when all is done.
struct Concluding;

impl Engine for Concluding {
    fn name(&self) -> &'static str {
        "concluding"
    }

    fn analyse<'a>(&'a self, chunk: &'a Chunk<'_>, _: &'a [Candidate]) -> BoxFuture<'a, Outcome> {
        let file = &chunk.files[0];
        let facts = Facts { file: file.index, path: file.path.to_string(), ..Facts::default() };
        let outcome = Outcome { candidates: vec![candidate(file.index, 1)], facts: vec![facts], ..Outcome::default() };
        async move { outcome }.boxed()
    }

    fn conclude(&self, facts: Vec<Facts>, mut candidates: Vec<Candidate>) -> Conclusion {
        assert_eq!(facts.iter().map(|facts| facts.file).collect::<Vec<_>>(), [0, 1], "in the order of the diff");
        candidates.retain(|candidate| candidate.file != 0);
        let warnings = vec![Warning::file(WarningCode::FilePartlyAnalyzed, &facts[0].path, "said at the end")];
        Conclusion { candidates, warnings }
    }
}

#[test]
fn an_engine_looks_at_all_its_chunks_together_when_they_are_done() {
    let review = run(&[Arc::new(Concluding)], std::future::pending()).unwrap();
    let places: Vec<_> = review.findings.iter().map(|f| (f.file_path(), f.line_number())).collect();
    assert_eq!(places, [("two.go", 1)]);
    assert_eq!(codes(&review), [WarningCode::FilePartlyAnalyzed]);
}

#[test]
fn a_finding_that_is_not_on_the_diff_is_counted_and_left_out() {
    let review = run(&[engine(&[("one.py", Act::Report(99))])], std::future::pending()).unwrap();
    assert!(review.findings.is_empty());
    assert_eq!(codes(&review), [WarningCode::FindingsUnanchored]);
}

#[test]
fn a_failed_chunk_is_said_and_the_others_count() {
    let review = run(&[engine(&[("one.py", Act::Fail), ("two.go", Act::Report(1))])], std::future::pending()).unwrap();
    assert_eq!(review.findings.len(), 1);
    assert_eq!(codes(&review), [WarningCode::ChunkFailed]);
    assert_eq!(review.warnings[0].file_path.as_deref(), Some("one.py"));
}

#[test]
fn an_engine_that_fails_everywhere_is_no_clean_review() {
    let all_fail = engine(&[("one.py", Act::Fail), ("two.go", Act::Fail)]);
    assert_eq!(run(&[Arc::clone(&all_fail)], std::future::pending()), Err(Failure::Failed));
    let works = engine(&[("one.py", Act::Report(1))]);
    assert_eq!(run(&[works, all_fail], std::future::pending()), Err(Failure::Failed));
}

#[test]
fn at_the_deadline_what_is_finished_is_returned_and_the_rest_is_dropped() {
    let dropped = Arc::new(AtomicBool::new(false));
    let acts = vec![("one.py", Act::Report(1)), ("two.go", Act::Hang)];
    let slow: Arc<dyn Engine> = Arc::new(Scripted { acts, dropped: Arc::clone(&dropped) });
    // The deadline comes after a few polls, when the first chunk is done and the second hangs.
    let mut polls = 0;
    let deadline = std::future::poll_fn(move |context| {
        polls += 1;
        context.waker().wake_by_ref();
        if polls > 3 { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    });
    let review = run(&[slow], deadline).unwrap();
    assert_eq!(review.findings.len(), 1);
    assert_eq!(codes(&review), [WarningCode::ChunkTimedOut]);
    assert!(dropped.load(Ordering::SeqCst));
}

#[test]
fn a_deadline_before_anything_is_finished_is_a_failure() {
    let hangs = engine(&[("one.py", Act::Hang), ("two.go", Act::Hang)]);
    assert_eq!(run(&[hangs], std::future::ready(())), Err(Failure::TimedOut));
}

#[test]
fn progress_counts_up_to_the_end() {
    let diff = Diff::parse(DIFF).unwrap();
    let mut seen = Vec::new();
    let engines = [engine(&[("one.py", Act::Report(1))])];
    let mut observe = |progress| seen.push(progress);
    block_on(review(&diff, None, &engines, &Options::default(), std::future::pending(), &mut observe)).unwrap();
    let last = seen.last().unwrap();
    assert_eq!((seen.len(), last.chunks_done, last.chunks_total, last.findings), (2, 2, 2, 1));
}

#[test]
fn a_diff_without_lines_needs_no_engine() {
    let diff = Diff::parse("diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n").unwrap();
    let fails = [engine(&[("y", Act::Fail)])];
    let options = Options::default();
    let review = block_on(review(&diff, None, &fails, &options, std::future::pending(), &mut |_| ())).unwrap();
    assert_eq!((review.findings.len(), review.chunks_analyzed), (0, 0));
}

/// Reports the first line of each file.
struct First;

impl Engine for First {
    fn name(&self) -> &'static str {
        "first"
    }

    fn analyse<'a>(&'a self, chunk: &'a Chunk<'_>, hints: &'a [Candidate]) -> BoxFuture<'a, Outcome> {
        assert!(hints.is_empty(), "nobody was before it");
        let candidates = chunk.files.iter().flat_map(|file| [candidate(file.index, 1), candidate(file.index, 2)]);
        let outcome = Outcome { candidates: candidates.collect(), ..Outcome::default() };
        async move { outcome }.boxed()
    }
}

/// Believes nothing of what was found on line 2, and speaks of one line that is not there.
struct Doubting;

impl Engine for Doubting {
    fn name(&self) -> &'static str {
        "doubting"
    }

    fn prepare(&self, chunks: &[Chunk<'_>]) -> Vec<Warning> {
        vec![Warning::review(WarningCode::SecretsRedacted, format!("{} chunks", chunks.len()))]
    }

    fn analyse<'a>(&'a self, chunk: &'a Chunk<'_>, hints: &'a [Candidate]) -> BoxFuture<'a, Outcome> {
        let file = chunk.files[0].index;
        assert!(hints.iter().all(|hint| hint.file == file), "the hints are of this chunk");
        let refuted = (0..hints.len()).filter(|at| hints[*at].line == 2).collect();
        let outcome = Outcome { refuted, unplaced: 1, ..Outcome::default() };
        async move { outcome }.boxed()
    }
}

#[test]
fn a_later_engine_sees_and_may_refute_what_an_earlier_one_found() {
    let review = run(&[Arc::new(First), Arc::new(Doubting)], std::future::pending()).unwrap();
    let places: Vec<_> = review.findings.iter().map(|f| (f.file_path(), f.line_number())).collect();
    assert_eq!(places, [("one.py", 1), ("two.go", 1)]);
    let said: Vec<_> = review.warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(said, ["2 chunks", "2 findings could not be placed on a line of the diff and were left out"]);
}

/// Is another engine for each review.
struct PerReview;

impl Engine for PerReview {
    fn name(&self) -> &'static str {
        "per-review"
    }

    fn for_review(&self, scope: &review::Scope) -> Option<Arc<dyn Engine>> {
        assert_eq!(scope.tenant, "");
        Some(engine(&[("one.py", Act::Report(1))]))
    }

    fn analyse<'a>(&'a self, _: &'a Chunk<'_>, _: &'a [Candidate]) -> BoxFuture<'a, Outcome> {
        async { Outcome { status: OutcomeStatus::Failed, ..Outcome::default() } }.boxed()
    }
}

#[test]
fn an_engine_may_be_another_one_for_each_review() {
    let review = run(&[Arc::new(PerReview)], std::future::pending()).unwrap();
    assert_eq!((review.engines.as_slice(), review.findings.len()), (&["scripted"][..], 1));
}
