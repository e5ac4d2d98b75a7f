//! Whole reviews, with scripted engines.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_executor::block_on;
use futures_util::future::{BoxFuture, FutureExt as _, join_all};
use review::{
    Budget, Candidate, Category, ChunkStatus, Diff, DropCause, Dropped, Engine, Event, Failure,
    Filter, Options, Origin, Priority, Replacement, Report, Request, Review, Side, Span, Spent,
    Suppression, Task, TextMask, Warning, WarningCode, review,
};

/// The behaviour of a scripted engine on a file's chunk.
#[derive(Clone, Copy)]
enum Act {
    /// Reports this line of the new side.
    Report(u32),
    Fail,
    Hang,
}

struct Scripted {
    acts: Vec<(&'static str, Act)>,
    is_required: bool,
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

    fn is_required(&self) -> bool {
        self.is_required
    }

    fn review<'a>(&'a self, task: &'a Task<'a, '_>, report: &'a dyn Report) -> BoxFuture<'a, ()> {
        let act = |path: &str| {
            self.acts
                .iter()
                .find(|(own, _)| *own == path)
                .map(|(_, act)| *act)
        };
        let chunks = task
            .chunks
            .iter()
            .enumerate()
            .map(move |(at, chunk)| async move {
                let mut status = ChunkStatus::Done;
                match act(&chunk.path) {
                    Some(Act::Report(line)) => {
                        report.report(Event::Found(candidate(chunk.index, line)))
                    }
                    Some(Act::Fail) => status = ChunkStatus::Failed("scripted failure".to_owned()),
                    Some(Act::Hang) => {
                        let _guard = OnDrop(Arc::clone(&self.dropped));
                        std::future::pending::<()>().await;
                    }
                    None => {}
                }
                report.report(Event::Ended { chunk: at, status });
            });
        join_all(chunks).map(drop).boxed()
    }
}

/// An engine that runs a closure immediately and has then finished all chunks.
struct Acting<F>(F);

impl<F: Fn(&Task<'_, '_>, &dyn Report) + Send + Sync> Engine for Acting<F> {
    fn name(&self) -> &'static str {
        "acting"
    }

    fn review<'a>(&'a self, task: &'a Task<'a, '_>, report: &'a dyn Report) -> BoxFuture<'a, ()> {
        (self.0)(task, report);
        finish_all(task, report);
        std::future::ready(()).boxed()
    }
}

fn acting(act: impl Fn(&Task<'_, '_>, &dyn Report) + Send + Sync + 'static) -> Arc<dyn Engine> {
    Arc::new(Acting(act))
}

fn finish_all(task: &Task<'_, '_>, report: &dyn Report) {
    (0..task.chunks.len()).for_each(|chunk| {
        report.report(Event::Ended {
            chunk,
            status: ChunkStatus::Done,
        })
    });
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
        span: None,
        related: Vec::new(),
        references: Vec::new(),
        replacement: None,
        lowered_in_test_code: false,
        suppression: None,
    }
}

fn engine(acts: &[(&'static str, Act)]) -> Arc<dyn Engine> {
    Arc::new(Scripted {
        acts: acts.to_vec(),
        is_required: true,
        dropped: Arc::default(),
    })
}

const DIFF: &str = "--- /dev/null\n+++ b/one.py\n@@ -0,0 +1,2 @@\n+a\n+b\n--- /dev/null\n+++ b/two.go\n@@ -0,0 +1 @@\n+c\n";

/// Reviews `text`.
fn review_all(
    text: &str,
    engines: &[Arc<dyn Engine>],
    filters: &[&dyn Filter],
    options: &Options,
    budget: &Budget,
    deadline: impl Future<Output = ()> + Send,
) -> Result<Review, Failure> {
    let diff = Diff::parse(text).unwrap_or_default();
    let request = Request {
        context: review::DiffContext::default(),
        diff: &diff,
        target_language: None,
        engines,
        filters,
        options,
        repository: None,
        budget,
        mask: TextMask::default(),
    };
    block_on(review(request, deadline, &mut |_| ()))
}

fn run(
    engines: &[Arc<dyn Engine>],
    deadline: impl Future<Output = ()> + Send,
) -> Result<Review, Failure> {
    review_all(
        DIFF,
        engines,
        &[],
        &Options::default(),
        &Budget::of_bytes(DIFF.len()),
        deadline,
    )
}

fn failed(reason: &str) -> Result<Review, Failure> {
    Err(Failure::Failed(reason.to_owned()))
}

fn codes(review: &Review) -> Vec<WarningCode> {
    review.warnings.iter().map(|warning| warning.code).collect()
}

#[test]
fn findings_of_all_chunks_are_in_diff_order() {
    let review = run(
        &[engine(&[
            ("two.go", Act::Report(1)),
            ("one.py", Act::Report(2)),
        ])],
        std::future::pending(),
    )
    .unwrap();
    let places: Vec<_> = review
        .findings
        .iter()
        .map(|f| (f.file_path(), f.line_number()))
        .collect();
    assert_eq!(places, [("one.py", 2), ("two.go", 1)]);
    assert_eq!((review.chunks_analyzed, review.warnings.len()), (2, 0));
}

#[test]
fn a_finding_outside_the_diff_is_dropped_and_counted() {
    let review = run(
        &[engine(&[("one.py", Act::Report(99))])],
        std::future::pending(),
    )
    .unwrap();
    assert!(review.findings.is_empty());
    assert_eq!(codes(&review), [WarningCode::FindingsUnanchored]);
}

#[test]
fn a_failed_chunk_is_a_warning_and_the_others_count() {
    let review = run(
        &[engine(&[("one.py", Act::Fail), ("two.go", Act::Report(1))])],
        std::future::pending(),
    )
    .unwrap();
    assert_eq!(review.findings.len(), 1);
    assert_eq!(codes(&review), [WarningCode::ChunkFailed]);
    assert_eq!(review.warnings[0].file_path.as_deref(), Some("one.py"));
}

#[test]
fn an_engine_that_fails_everywhere_is_not_a_clean_review() {
    let all_fail = engine(&[("one.py", Act::Fail), ("two.go", Act::Fail)]);
    assert_eq!(
        run(&[Arc::clone(&all_fail)], std::future::pending()),
        failed("scripted failure")
    );
    let works = engine(&[("one.py", Act::Report(1))]);
    assert_eq!(
        run(&[works, all_fail], std::future::pending()),
        failed("scripted failure")
    );
}

#[test]
fn a_failing_optional_engine_does_not_fail_the_review() {
    let works = || engine(&[("one.py", Act::Report(1))]);
    for (act, reason) in [
        (Act::Fail, "scripted failure"),
        (Act::Hang, "it did not finish in time"),
    ] {
        let acts = vec![("one.py", act), ("two.go", act)];
        let optional = Arc::new(Scripted {
            acts,
            is_required: false,
            dropped: Arc::default(),
        });
        let mut polls = 0;
        let deadline = std::future::poll_fn(move |context| {
            polls += 1;
            context.waker().wake_by_ref();
            if polls > 9 {
                std::task::Poll::Ready(())
            } else {
                std::task::Poll::Pending
            }
        });
        let review = run(&[works(), optional], deadline).unwrap();
        assert_eq!(
            (review.findings.len(), codes(&review)),
            (1, vec![WarningCode::ModelFailed])
        );
        assert!(
            review.warnings[0].message.ends_with(reason),
            "{}",
            review.warnings[0].message
        );
    }
}

#[test]
fn the_deadline_returns_finished_work_and_drops_the_rest() {
    let dropped = Arc::new(AtomicBool::new(false));
    let acts = vec![("one.py", Act::Report(1)), ("two.go", Act::Hang)];
    let slow: Arc<dyn Engine> = Arc::new(Scripted {
        acts,
        is_required: true,
        dropped: Arc::clone(&dropped),
    });
    // The deadline expires after a few polls, when the first chunk is finished and the second hangs.
    let mut polls = 0;
    let deadline = std::future::poll_fn(move |context| {
        polls += 1;
        context.waker().wake_by_ref();
        if polls > 3 {
            std::task::Poll::Ready(())
        } else {
            std::task::Poll::Pending
        }
    });
    let review = run(&[slow], deadline).unwrap();
    assert_eq!(review.findings.len(), 1);
    assert_eq!(codes(&review), [WarningCode::ChunkTimedOut]);
    assert!(dropped.load(Ordering::SeqCst));
}

#[test]
fn a_deadline_before_anything_is_finished_is_a_failure() {
    let hangs = engine(&[("one.py", Act::Hang), ("two.go", Act::Hang)]);
    assert_eq!(
        run(&[hangs], std::future::ready(())),
        Err(Failure::TimedOut)
    );
}

#[test]
fn progress_counts_up_to_the_end() {
    let diff = Diff::parse(DIFF).unwrap();
    let mut seen = Vec::new();
    let engines = [engine(&[("one.py", Act::Report(1))])];
    let mut observe = |progress| seen.push(progress);
    let (options, budget) = (&Options::default(), &Budget::of_bytes(DIFF.len()));
    let request = Request {
        context: review::DiffContext::default(),
        diff: &diff,
        target_language: None,
        engines: &engines,
        filters: &[],
        options,
        repository: None,
        budget,
        mask: TextMask::default(),
    };
    block_on(review(request, std::future::pending(), &mut observe)).unwrap();
    let last = seen.last().unwrap();
    assert_eq!(
        (
            seen.len(),
            last.chunks_done,
            last.chunks_total,
            last.findings
        ),
        (2, 2, 2, 1)
    );
}

/// Records the findings that were placed before each engine but the first.
#[derive(Default)]
struct Placed(std::sync::Mutex<Vec<Vec<(String, u32)>>>);

impl Filter for Placed {
    fn filter(&self, _: &'static str, event: Event) -> Option<Event> {
        Some(event)
    }

    fn placed(&self, findings: &[review::Finding]) {
        let places = findings
            .iter()
            .map(|finding| (finding.file_path().to_owned(), finding.line_number()))
            .collect();
        self.0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .push(places);
    }
}

#[test]
fn earlier_findings_are_placed_merged_and_counted_before_the_next_engine_runs() {
    let diff = Diff::parse(DIFF).unwrap();
    let rules = acting(|_, report| {
        // Two of them are equal, and the file has no line 9.
        [(1, 1), (0, 2), (0, 2), (0, 9)]
            .into_iter()
            .for_each(|(file, line)| report.report(Event::Found(candidate(file, line))));
    });
    for (engines, early) in [
        (vec![Arc::clone(&rules)], vec![]),
        (vec![acting(|_, _| ()), acting(|_, _| ())], vec![]),
        (
            vec![rules, acting(|_, _| ())],
            vec![vec![("one.py".to_owned(), 2), ("two.go".to_owned(), 1)]],
        ),
    ] {
        let (placed, mut seen) = (Placed::default(), Vec::new());
        let mut observe = |progress: review::Progress| seen.push(progress.findings);
        let (options, budget) = (&Options::default(), &Budget::of_bytes(DIFF.len()));
        let request = Request {
            context: review::DiffContext::default(),
            diff: &diff,
            target_language: None,
            engines: &engines,
            filters: &[&placed],
            options,
            repository: None,
            budget,
            mask: TextMask::default(),
        };
        let review = block_on(review(request, std::future::pending(), &mut observe)).unwrap();
        let found = *placed.0.lock().unwrap() == early;
        assert!(found, "{:?}", placed.0.lock().unwrap());
        if let Some(first) = early.first() {
            assert_eq!(first.len(), review.findings.len());
            assert_eq!(seen, [4, 4, 2, 2, 2], "candidates first, then findings");
        }
    }
}

/// A model engine, not required, that fails on the second chunk or on all.
struct FailingModel {
    fails_on_all: bool,
}

impl Engine for FailingModel {
    fn name(&self) -> &'static str {
        "model"
    }

    fn model(&self) -> Option<&str> {
        Some("m")
    }

    fn is_required(&self) -> bool {
        false
    }

    fn review<'a>(&'a self, task: &'a Task<'a, '_>, report: &'a dyn Report) -> BoxFuture<'a, ()> {
        for chunk in 0..task.chunks.len() {
            report.report(Event::Held(3));
            let fails = self.fails_on_all || chunk > 0;
            let status = if fails {
                ChunkStatus::Failed("out of order".to_owned())
            } else {
                ChunkStatus::Done
            };
            report.report(Event::Ended { chunk, status });
        }
        std::future::ready(()).boxed()
    }
}

/// Reviews [`DIFF`] with a scripted engine and then a failing model; also returns the findings of each progress.
fn with_model(fails_on_all: bool, max_findings: usize) -> (Result<Review, Failure>, Vec<usize>) {
    let diff = Diff::parse(DIFF).unwrap_or_default();
    let mut seen = Vec::new();
    let engines = [
        engine(&[("one.py", Act::Report(1)), ("two.go", Act::Fail)]),
        Arc::new(FailingModel { fails_on_all }),
    ];
    let mut observe = |progress: review::Progress| seen.push(progress.findings);
    let request = Request {
        context: review::DiffContext::default(),
        diff: &diff,
        target_language: None,
        engines: &engines,
        filters: &[],
        repository: None,
        options: &Options {
            max_findings,
            ..Options::default()
        },
        budget: &Budget::of_bytes(DIFF.len()),
        mask: TextMask::default(),
    };
    (
        block_on(review(request, std::future::pending(), &mut observe)),
        seen,
    )
}

#[test]
fn progress_counts_earlier_findings_and_held_candidates() {
    assert_eq!(with_model(false, 500).1, [1, 1, 4, 4]);
    assert_eq!(
        with_model(false, 2).1,
        [1, 1, 2, 2],
        "no more than a review returns"
    );
}

#[test]
fn parts_not_reviewed_by_the_model_are_marked() {
    let review = with_model(true, 500).0.unwrap();
    assert_eq!((review.chunks_analyzed, review.chunks_by_model), (1, 0));
    let marks: Vec<_> = review
        .warnings
        .iter()
        .map(|warning| (warning.code, warning.model_only))
        .collect();
    assert_eq!(
        marks,
        [
            (WarningCode::ChunkFailed, false),
            (WarningCode::ModelFailed, true)
        ]
    );
    let review = with_model(false, 500).0.unwrap();
    assert_eq!((review.chunks_analyzed, review.chunks_by_model), (1, 1));
    let marks: Vec<_> = review
        .warnings
        .iter()
        .map(|warning| (warning.code, warning.model_only))
        .collect();
    assert_eq!(
        marks,
        [
            (WarningCode::ChunkFailed, false),
            (WarningCode::ChunkFailed, true)
        ]
    );
}

#[test]
fn a_diff_without_lines_needs_no_engine() {
    let text = "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n";
    let review = review_with(text, engine(&[("y", Act::Fail)]), &Budget::of_bytes(0)).unwrap();
    assert_eq!((review.findings.len(), review.chunks_analyzed), (0, 0));
}

/// Reports the first two lines of each file.
fn two_lines() -> Arc<dyn Engine> {
    acting(|task, report| {
        assert!(task.found.is_empty(), "no engine ran before it");
        for chunk in task.chunks {
            [1, 2]
                .iter()
                .for_each(|line| report.report(Event::Found(candidate(chunk.index, *line))));
        }
    })
}

#[test]
fn a_later_engine_sees_earlier_findings_and_cannot_change_them() {
    let later = acting(|task, report| {
        let places: Vec<_> = task.found.iter().map(|one| (one.file, one.line)).collect();
        assert_eq!(
            places,
            [(0, 1), (0, 2), (1, 1), (1, 2)],
            "in the order of the diff"
        );
        report.report(Event::Dropped(Dropped::unnamed(DropCause::Unanchored, 1)));
    });
    let review = run(&[two_lines(), later], std::future::pending()).unwrap();
    let found: Vec<_> = review
        .findings
        .iter()
        .map(|f| (f.file_path(), f.line_number(), f.confidence()))
        .collect();
    assert_eq!(
        found,
        [("one.py", 1, 0.8), ("one.py", 2, 0.8), ("two.go", 1, 0.8)]
    );
    let messages: Vec<_> = review
        .warnings
        .iter()
        .map(|warning| warning.message.as_str())
        .collect();
    assert_eq!(
        messages,
        ["2 findings could not be placed on a line of the diff and were left out"]
    );
}

#[test]
fn dropped_findings_are_counted_by_cause_and_described() {
    let options = Options {
        max_findings: 1,
        min_confidence: 0.5,
        ..Options::default()
    };
    let engine = acting(|_, report| {
        let unsure = Candidate {
            confidence: 0.4,
            ..candidate(0, 1)
        };
        let same = Candidate {
            summary: "wrong again".to_owned(),
            ..candidate(0, 2)
        };
        for one in [
            candidate(0, 2),
            same,
            candidate(1, 1),
            candidate(0, 9),
            unsure,
        ] {
            report.report(Event::Found(one));
        }
    });
    let review = review_all(
        DIFF,
        &[engine],
        &[],
        &options,
        &Budget::of_bytes(DIFF.len()),
        std::future::pending(),
    )
    .unwrap();
    let dropped: Vec<_> = review
        .dropped
        .iter()
        .map(|one| (one.cause, one.count, one.findings[0].place.as_str()))
        .collect();
    assert_eq!(
        dropped,
        [
            (DropCause::Unanchored, 1, "one.py:9"),
            (DropCause::Duplicate, 1, "one.py:2"),
            (DropCause::LowConfidence, 1, "one.py:1"),
            (DropCause::Limit, 1, "two.go:1"),
        ]
    );
    assert_eq!(
        codes(&review),
        [
            WarningCode::FindingsUnanchored,
            WarningCode::FindingsMerged,
            WarningCode::FindingsBelowConfidence,
            WarningCode::FindingsTruncated,
        ]
    );
}

/// Withholds the findings in one file, with a warning.
struct Withholding;

impl Filter for Withholding {
    fn filter(&self, engine: &'static str, event: Event) -> Option<Event> {
        assert_eq!(engine, "acting");
        Some(event).filter(|event| !matches!(event, Event::Found(one) if one.file == 0))
    }

    fn warnings(&self) -> Vec<Warning> {
        vec![Warning::review(WarningCode::FindingsSuppressed, "withheld")]
    }
}

#[test]
fn a_filter_withholds_findings() {
    let (options, budget) = (Options::default(), Budget::of_bytes(DIFF.len()));
    let review = review_all(
        DIFF,
        &[two_lines()],
        &[&Withholding],
        &options,
        &budget,
        std::future::pending(),
    )
    .unwrap();
    assert!(
        review
            .findings
            .iter()
            .all(|finding| finding.file_path() == "two.go")
    );
    assert_eq!(codes(&review)[0], WarningCode::FindingsSuppressed);
}

#[test]
fn warnings_are_in_diff_order() {
    let backwards = acting(|task, report| {
        for (at, chunk) in task.chunks.iter().enumerate().rev() {
            let warning = Warning::file(WarningCode::LanguageNotSupported, &chunk.path, "x");
            report.report(Event::Warned {
                chunk: Some(at),
                warning,
            });
        }
    });
    let review = run(&[backwards], std::future::pending()).unwrap();
    let paths: Vec<_> = review
        .warnings
        .iter()
        .map(|warning| warning.file_path.as_deref())
        .collect();
    assert_eq!(paths, [Some("one.py"), Some("two.go")]);
}

/// Waits for the end of the budget, then works on its answer for a while.
struct Late;

impl Engine for Late {
    fn name(&self) -> &'static str {
        "late"
    }

    fn review<'a>(&'a self, task: &'a Task<'a, '_>, report: &'a dyn Report) -> BoxFuture<'a, ()> {
        async move {
            task.budget.wait_for_end().await;
            for _ in 0..10 {
                assert_eq!(task.answer.draw_and_yield(1 << 15).await, Ok(()));
            }
            report.report(Event::Found(candidate(0, 1)));
            finish_all(task, report);
        }
        .boxed()
    }
}

#[test]
fn an_engine_composes_its_answer_after_the_deadline() {
    let review = run(&[Arc::new(Late)], std::future::ready(())).unwrap();
    assert_eq!((review.findings.len(), codes(&review)), (1, vec![]));
}

/// Reports every line of every file, within the budget.
struct Every;

impl Engine for Every {
    fn name(&self) -> &'static str {
        "every"
    }

    fn review<'a>(&'a self, task: &'a Task<'a, '_>, report: &'a dyn Report) -> BoxFuture<'a, ()> {
        async move {
            for (at, chunk) in task.chunks.iter().enumerate() {
                let lines = chunk.hunks.iter().flat_map(|hunk| hunk.lines.iter());
                let numbers: Vec<u32> = lines.filter_map(|line| line.number()).collect();
                numbers
                    .iter()
                    .for_each(|line| report.report(Event::Found(candidate(chunk.index, *line))));
                report.report(Event::Ended {
                    chunk: at,
                    status: ChunkStatus::Done,
                });
                if task
                    .budget
                    .draw_and_yield(1 + numbers.len() as u64)
                    .await
                    .is_err()
                {
                    return;
                }
            }
        }
        .boxed()
    }
}

/// A diff of one file with this many lines.
fn long(lines: usize) -> String {
    format!(
        "--- /dev/null\n+++ b/one.py\n@@ -0,0 +1,{lines} @@\n{}",
        "+a\n".repeat(lines)
    )
}

fn review_with(text: &str, engine: Arc<dyn Engine>, budget: &Budget) -> Result<Review, Failure> {
    review_all(
        text,
        &[engine],
        &[],
        &Options::default(),
        budget,
        std::future::pending(),
    )
}

#[test]
fn the_first_findings_are_returned_and_the_rest_is_counted() {
    let text = long(99_000);
    let review = review_with(&text, Arc::new(Every), &Budget::of_bytes(text.len())).unwrap();
    assert_eq!(
        review
            .findings
            .iter()
            .map(|f| f.line_number())
            .collect::<Vec<_>>(),
        (1..=500).collect::<Vec<_>>()
    );
    assert_eq!(codes(&review), [WarningCode::FindingsTruncated]);
    assert!(
        review.warnings[0].message.starts_with("98500 more"),
        "{}",
        review.warnings[0].message
    );
}

#[test]
fn the_steps_of_a_review_grow_no_faster_than_its_findings() {
    let steps = |lines: usize| {
        let text = long(lines);
        let budget = Budget::new(u64::MAX, u64::MAX);
        review_with(&text, Arc::new(Every), &budget).unwrap();
        budget.taken() as f64
    };
    let (one, ten) = (steps(5_000), steps(50_000));
    assert!(ten / one <= 10f64.powf(1.2), "{one} {ten}");
}

#[test]
fn when_the_budget_ends_finished_work_is_kept_and_the_rest_is_reported() {
    let two = format!("{}{}", long(50), long(50).replace("one.py", "two.go"));
    // There is only room to place the findings of the first file.
    let review = review_with(&two, Arc::new(Every), &Budget::new(250, 1 << 20)).unwrap();
    assert_eq!(review.findings.len(), 50);
    assert_eq!(codes(&review), [WarningCode::FindingsTruncated]);
    let review = review_with(&two, Arc::new(Every), &Budget::new(120, 1 << 20)).unwrap();
    let reported: Vec<_> = review
        .warnings
        .iter()
        .map(|w| (w.code, w.file_path.as_deref()))
        .collect();
    assert_eq!(reported[0], (WarningCode::ChunkFailed, Some("two.go")));
    let review = review_with(&two, Arc::new(Every), &Budget::new(20, 1 << 20));
    assert!(matches!(review, Err(Failure::Failed(_))), "{review:?}");
}

#[test]
fn ending_the_budget_elsewhere_ends_the_wait() {
    let budget = Budget::of_bytes(DIFF.len());
    budget.end(Spent::Time);
    let hangs = engine(&[("one.py", Act::Hang), ("two.go", Act::Hang)]);
    assert_eq!(review_with(DIFF, hangs, &budget), Err(Failure::TimedOut));
}

#[test]
fn masked_text_appears_in_no_text_of_a_finding() {
    let text = "--- /dev/null\n+++ b/one.py\n@@ -0,0 +1,2 @@\n+hush\n+b\n";
    let speaks = |origin: Origin| {
        acting(move |_, report| {
            for suppression in [
                None,
                Some(Suppression {
                    line: 2,
                    reason: "hush is fine".into(),
                }),
            ] {
                report.report(Event::Found(Candidate {
                    origin: origin.clone(),
                    summary: "`hush` is wrong".into(),
                    suggested_fix: Some("write hush".into()),
                    replacement: Some(Replacement {
                        line: 1,
                        span: Span {
                            start_column: 1,
                            end_line: 1,
                            end_column: 5,
                        },
                        text: "hush()".into(),
                    }),
                    suppression,
                    ..candidate(0, 1)
                }));
            }
        })
    };
    let diff = Diff::parse(text).unwrap();
    let (options, budget) = (&Options::default(), &Budget::of_bytes(text.len()));
    let mask = TextMask(|code, texts| {
        assert_eq!(
            (code.path, code.lines),
            ("one.py", ["hush", "b"].as_slice())
        );
        texts
            .iter_mut()
            .for_each(|text| **text = text.replace("hush", "…"));
    });
    for origin in [Origin::Rule("any/x".into()), Origin::Model] {
        let engines = [speaks(origin)];
        let request = Request {
            context: review::DiffContext::default(),
            diff: &diff,
            target_language: None,
            engines: &engines,
            filters: &[],
            options,
            repository: None,
            budget,
            mask,
        };
        let review = block_on(review(request, std::future::pending(), &mut |_| ())).unwrap();
        let body = review::output::json::body("r", None, &review, 0);
        assert_eq!(
            (body.findings.len(), body.metadata.suppressed_findings.len()),
            (1, 1)
        );
        let json = review::output::json::render(&body);
        assert!(
            !json.contains("hush") && json.contains("write …") && json.contains("… is fine"),
            "{json}"
        );
    }
}
