//! A review as a whole, with scripted engines.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use futures_executor::block_on;
use futures_util::future::{BoxFuture, FutureExt as _};
use review::{
    Budget, Candidate, Category, Chunk, Conclusion, Diff, Engine, Failure, Options, Origin, Outcome, OutcomeStatus,
    Priority, Review, Run, Scope, Side, Warning, WarningCode, Wrapped, review,
};

/// An engine that starts each review with the same run.
struct Same<R>(R);

impl<R: Run + Clone + 'static> Engine for Same<R> {
    fn name(&self) -> &'static str {
        "same"
    }

    fn start(&self, _: &Scope, _: &Budget) -> Box<dyn Run> {
        Box::new(self.0.clone())
    }
}

/// What a scripted engine does with the chunk of a file of this name.
#[derive(Clone, Copy)]
enum Act {
    /// Reports this line of the new side.
    Report(u32),
    Fail,
    Hang,
}

#[derive(Clone)]
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

impl Run for Scripted {
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
        origin: Origin::Rule("any/x".into()),
        priority: Priority::P1,
        category: Category::LogicBug,
        summary: "wrong".to_owned(),
        suggested_fix: None,
        confidence: 0.8,
        scope: None,
    }
}

fn engine(acts: &[(&'static str, Act)]) -> Arc<dyn Engine> {
    Arc::new(Same(Scripted { acts: acts.to_vec(), dropped: Arc::default() }))
}

const DIFF: &str =
    "--- /dev/null\n+++ b/one.py\n@@ -0,0 +1,2 @@\n+a\n+b\n--- /dev/null\n+++ b/two.go\n@@ -0,0 +1 @@\n+c\n";

fn run(engines: &[Arc<dyn Engine>], deadline: impl Future<Output = ()> + Send) -> Result<Review, Failure> {
    let Ok(diff) = Diff::parse(DIFF) else { return Err(Failure::Failed) };
    let budget = Budget::of_bytes(DIFF.len());
    block_on(review(&diff, None, engines, &Options::default(), &budget, deadline, &mut |_| ()))
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
#[derive(Clone)]
struct Concluding;

impl Run for Concluding {
    fn analyse<'a>(&'a self, chunk: &'a Chunk<'_>, _: &'a [Candidate]) -> BoxFuture<'a, Outcome> {
        let file = &chunk.files[0];
        let outcome = Outcome { candidates: vec![candidate(file.index, 1)], ..Outcome::default() };
        async move { outcome }.boxed()
    }

    fn finish<'a>(&'a self, mut candidates: Vec<Candidate>, _: &'a Budget) -> BoxFuture<'a, Conclusion> {
        assert_eq!(candidates.iter().map(|one| one.file).collect::<Vec<_>>(), [0, 1], "in the order of the diff");
        candidates.retain(|candidate| candidate.file != 0);
        let warnings = vec![Warning::file(WarningCode::FilePartlyAnalyzed, "one.py", "said at the end")];
        async move { Conclusion { candidates, warnings, cut: 0 } }.boxed()
    }
}

#[test]
fn an_engine_looks_at_all_its_chunks_together_when_they_are_done() {
    let review = run(&[Arc::new(Same(Concluding))], std::future::pending()).unwrap();
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
    let slow: Arc<dyn Engine> = Arc::new(Same(Scripted { acts, dropped: Arc::clone(&dropped) }));
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
    let (options, budget) = (Options::default(), Budget::of_bytes(DIFF.len()));
    block_on(review(&diff, None, &engines, &options, &budget, std::future::pending(), &mut observe)).unwrap();
    let last = seen.last().unwrap();
    assert_eq!((seen.len(), last.chunks_done, last.chunks_total, last.findings), (2, 2, 2, 1));
}

#[test]
fn a_diff_without_lines_needs_no_engine() {
    let diff = Diff::parse("diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n").unwrap();
    let fails = [engine(&[("y", Act::Fail)])];
    let (options, budget) = (Options::default(), Budget::of_bytes(0));
    let review = block_on(review(&diff, None, &fails, &options, &budget, std::future::pending(), &mut |_| ())).unwrap();
    assert_eq!((review.findings.len(), review.chunks_analyzed), (0, 0));
}

/// Reports the first line of each file.
#[derive(Clone)]
struct First;

impl Run for First {
    fn analyse<'a>(&'a self, chunk: &'a Chunk<'_>, hints: &'a [Candidate]) -> BoxFuture<'a, Outcome> {
        assert!(hints.is_empty(), "nobody was before it");
        let candidates = chunk.files.iter().flat_map(|file| [candidate(file.index, 1), candidate(file.index, 2)]);
        let outcome = Outcome { candidates: candidates.collect(), ..Outcome::default() };
        async move { outcome }.boxed()
    }
}

/// Believes nothing of what was found on line 2, and speaks of one line that is not there.
#[derive(Clone)]
struct Doubting;

impl Run for Doubting {
    fn analyse<'a>(&'a self, chunk: &'a Chunk<'_>, hints: &'a [Candidate]) -> BoxFuture<'a, Outcome> {
        let file = chunk.files[0].index;
        assert!(hints.iter().all(|hint| hint.file == file), "the hints are of this chunk");
        let refuted = (0..hints.len()).filter(|at| hints[*at].line == 2).collect();
        let outcome = Outcome { refuted, unanchored: 1, ..Outcome::default() };
        async move { outcome }.boxed()
    }
}

#[test]
fn a_later_engine_sees_and_may_refute_what_an_earlier_one_found() {
    let review = run(&[Arc::new(Same(First)), Arc::new(Same(Doubting))], std::future::pending()).unwrap();
    let places: Vec<_> = review.findings.iter().map(|f| (f.file_path(), f.line_number())).collect();
    assert_eq!(places, [("one.py", 1), ("two.go", 1)]);
    let said: Vec<_> = review.warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(said, ["2 findings could not be placed on a line of the diff and were left out"]);
}

/// Starts another run for each review.
struct PerReview;

impl Engine for PerReview {
    fn name(&self) -> &'static str {
        "per-review"
    }

    fn start(&self, scope: &Scope, _: &Budget) -> Box<dyn Run> {
        let line = scope.tenant.len() as u32;
        Box::new(Scripted { acts: vec![("one.py", Act::Report(line))], dropped: Arc::default() })
    }
}

#[test]
fn a_run_is_started_for_each_review() {
    let diff = Diff::parse(DIFF).unwrap();
    for tenant in ["a", "bb"] {
        let mut options = Options::default();
        options.scope.tenant = tenant.to_owned();
        let (engines, budget) = ([Arc::new(PerReview) as Arc<dyn Engine>], Budget::of_bytes(DIFF.len()));
        let review =
            block_on(review(&diff, None, &engines, &options, &budget, std::future::pending(), &mut |_| ())).unwrap();
        assert_eq!(review.engines, ["per-review"]);
        assert_eq!(review.findings.iter().map(|f| f.line_number() as usize).collect::<Vec<_>>(), [tenant.len()]);
    }
}

/// Reports every line of every file.
#[derive(Clone)]
struct Every;

impl Run for Every {
    fn one_by_one(&self) -> bool {
        true
    }

    fn analyse<'a>(&'a self, chunk: &'a Chunk<'_>, _: &'a [Candidate]) -> BoxFuture<'a, Outcome> {
        assert_eq!(chunk.files.len(), 1, "each file by itself");
        let file = &chunk.files[0];
        let lines = file.hunks.iter().flat_map(|hunk| hunk.lines.iter());
        let candidates = lines.filter_map(|line| Some(candidate(file.index, line.number()?))).collect();
        async move { Outcome { candidates, ..Outcome::default() } }.boxed()
    }
}

/// A diff of one file with so many lines.
fn long(lines: usize) -> String {
    format!("--- /dev/null\n+++ b/one.py\n@@ -0,0 +1,{lines} @@\n{}", "+a\n".repeat(lines))
}

fn review_with(text: &str, engine: Arc<dyn Engine>, budget: &Budget) -> Result<Review, Failure> {
    let diff = Diff::parse(text).unwrap_or_default();
    let (options, engines) = (Options::default(), [engine]);
    block_on(review(&diff, None, &engines, &options, budget, std::future::pending(), &mut |_| ()))
}

#[test]
fn of_many_findings_the_first_are_returned_and_the_rest_is_counted() {
    let text = long(99_000);
    let review = review_with(&text, Arc::new(Same(Every)), &Budget::of_bytes(text.len())).unwrap();
    assert_eq!(review.findings.iter().map(|f| f.line_number()).collect::<Vec<_>>(), (1..=500).collect::<Vec<_>>());
    assert_eq!(codes(&review), [WarningCode::FindingsTruncated]);
    assert!(review.warnings[0].message.starts_with("98500 more"), "{}", review.warnings[0].message);
}

#[test]
fn the_steps_of_a_review_grow_no_faster_than_its_findings() {
    let steps = |lines: usize| {
        let text = long(lines);
        let budget = Budget::new(u64::MAX, u64::MAX);
        review_with(&text, Arc::new(Same(Every)), &budget).unwrap();
        budget.taken() as f64
    };
    let (one, ten) = (steps(5_000), steps(50_000));
    assert!(ten / one <= 10f64.powf(1.2), "{one} {ten}");
}

#[test]
fn a_budget_that_ends_leaves_what_was_done_and_names_what_was_not() {
    let two = format!("{}{}", long(50), long(50).replace("one.py", "two.go"));
    // Not all of the findings of the first file can be placed, and the second is not looked at.
    let review = review_with(&two, Arc::new(Same(Every)), &Budget::new(250, 1 << 20)).unwrap();
    assert!((1..50).contains(&review.findings.len()), "{}", review.findings.len());
    assert_eq!(codes(&review), [WarningCode::FindingsTruncated]);
    let review = review_with(&two, Arc::new(Same(Every)), &Budget::new(120, 1 << 20)).unwrap();
    let said: Vec<_> = review.warnings.iter().map(|w| (w.code, w.file_path.as_deref())).collect();
    assert_eq!(said[0], (WarningCode::ChunkFailed, Some("two.go")));
    for planning in [20, 60] {
        let review = review_with(&two, Arc::new(Same(Every)), &Budget::new(planning, 1 << 20));
        assert_eq!(review, Err(Failure::Failed));
    }
}

#[test]
fn a_budget_that_somebody_else_ends_ends_the_wait() {
    let budget = Budget::of_bytes(DIFF.len());
    budget.end(review::Spent::Time);
    let hangs = engine(&[("one.py", Act::Hang), ("two.go", Act::Hang)]);
    assert_eq!(review_with(DIFF, hangs, &budget), Err(Failure::TimedOut));
}

/// A file and its test share a chunk.
const RELATED: &str =
    "--- /dev/null\n+++ b/pay.py\n@@ -0,0 +1 @@\n+a\n--- /dev/null\n+++ b/test_pay.py\n@@ -0,0 +1 @@\n+b\n";

/// Looks at files one by one.
struct OneByOne(Box<dyn Run>);

impl Run for OneByOne {
    fn one_by_one(&self) -> bool {
        true
    }

    fn analyse<'a>(&'a self, chunk: &'a Chunk<'_>, hints: &'a [Candidate]) -> BoxFuture<'a, Outcome> {
        self.0.analyse(chunk, hints)
    }
}

/// Warns of each file, of the last one first.
#[derive(Clone)]
struct Backwards(Arc<AtomicUsize>);

impl Run for Backwards {
    fn one_by_one(&self) -> bool {
        true
    }

    fn analyse<'a>(&'a self, chunk: &'a Chunk<'_>, _: &'a [Candidate]) -> BoxFuture<'a, Outcome> {
        let file = &chunk.files[0];
        std::future::poll_fn(move |context| {
            if self.0.load(Ordering::Relaxed) != file.index {
                context.waker().wake_by_ref();
                return std::task::Poll::Pending;
            }
            self.0.store(file.index.wrapping_sub(1), Ordering::Relaxed);
            let warnings = vec![Warning::file(WarningCode::LanguageNotSupported, &file.path, "x")];
            std::task::Poll::Ready(Outcome { warnings, ..Outcome::default() })
        })
        .boxed()
    }
}

#[test]
fn warnings_come_in_the_order_of_the_diff_whichever_file_was_first() {
    let engine = Same(Backwards(Arc::new(AtomicUsize::new(1))));
    let review = review_with(RELATED, Arc::new(engine), &Budget::of_bytes(0)).unwrap();
    let said: Vec<_> = review.warnings.iter().filter_map(|warning| warning.file_path.as_deref()).collect();
    assert_eq!(said, ["pay.py", "test_pay.py"]);
}

#[test]
fn a_file_that_is_not_finished_or_fails_does_not_silence_its_neighbour() {
    for (act, code) in [(Act::Hang, WarningCode::ChunkTimedOut), (Act::Fail, WarningCode::ChunkFailed)] {
        let engine =
            Wrapped::new(engine(&[("pay.py", act), ("test_pay.py", Act::Report(1))]), |run| Box::new(OneByOne(run)));
        let mut polls = 0;
        let deadline = std::future::poll_fn(move |context| {
            polls += 1;
            context.waker().wake_by_ref();
            if polls > 5 { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
        });
        let diff = Diff::parse(RELATED).unwrap();
        let (engines, options, budget) =
            ([Arc::new(engine) as Arc<dyn Engine>], Options::default(), Budget::of_bytes(0));
        let review = block_on(review(&diff, None, &engines, &options, &budget, deadline, &mut |_| ())).unwrap();
        assert_eq!(review.findings.iter().map(|f| f.file_path()).collect::<Vec<_>>(), ["test_pay.py"]);
        let said: Vec<_> = review.warnings.iter().map(|w| (w.code, w.file_path.as_deref())).collect();
        assert_eq!((said, review.chunks_analyzed), (vec![(code, Some("pay.py"))], 1));
    }
}
