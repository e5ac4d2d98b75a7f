//! Processing of the candidates of all batches at the end of a review.

use super::*;

/// Four P1 candidates in the change, more than the two that keep their priority.
fn four() -> Act {
    let other = |line: &str, quote: &str, summary: &str| {
        finding(line, quote)
            .replace("An order that is absent is paid.", summary)
            .replace("NULL_SAFETY", "LOGIC_BUG")
    };
    findings(&[
        finding("NEW:2", "if order:"),
        other("NEW:4", "return total", "The wrong amount is returned."),
        other("NEW:1", "total = order.total", "Discounts are ignored."),
        other("NEW:2", "if order:", "Empty baskets pass unnoticed."),
    ])
}

/// Lines, priorities and confidence in per cent, as reported.
fn ranked(outcome: &Outcome) -> Vec<(u32, Priority, u32)> {
    let of = |one: &Candidate| {
        (
            one.line,
            one.priority,
            (one.confidence * 100.0).round() as u32,
        )
    };
    outcome.candidates.iter().map(of).collect()
}

#[tokio::test]
async fn findings_beyond_the_quota_become_p3_and_are_kept() {
    let (outcome, model) = review([four()], &[]).await;
    let expected = [
        (1, Priority::P3, 31),
        (2, Priority::P1, 73),
        (2, Priority::P3, 31),
        (4, Priority::P1, 56),
    ];
    assert_eq!(
        (ranked(&outcome), outcome.dropped.len(), model.calls()),
        (expected.to_vec(), 0, 1)
    );
}

#[tokio::test]
async fn max_selected_limits_the_findings_that_keep_their_priority() {
    let model = Script::new([four()]);
    let settings = Settings {
        max_selected: 1,
        ..Settings::default()
    };
    let outcome = review_as(&engine(&model, &settings), &Scope::default(), DIFF, &[]).await;
    assert_eq!(
        outcome
            .candidates
            .iter()
            .filter(|one| one.priority == Priority::P1)
            .count(),
        1
    );
}

/// A change of 2,000 lines in one hunk, which a window of 16,000 tokens splits into several batches.
fn large() -> (String, Window) {
    let lines: String = (0..2_000)
        .map(|n| format!("+value_{n} = compute({n})\n"))
        .collect();
    let diff = format!("--- /dev/null\n+++ b/big.py\n@@ -0,0 +1,2000 @@\n{lines}");
    (
        diff,
        Window {
            context: 16_000,
            output: 2_000,
        },
    )
}

/// A finding on a line of the large change.
fn on(line: u32) -> String {
    let code = format!("value_{} = compute({})", line - 1, line - 1);
    finding(&format!("NEW:{line}"), &code).replace("pay.py", "big.py")
}

#[tokio::test]
async fn the_quota_applies_to_the_change_and_not_to_its_batches() {
    let (diff, window) = large();
    let acts = [
        findings(&[on(3)]),
        findings(&[on(900)
            .replace("P1", "P0")
            .replace("NULL_SAFETY", "LOGIC_BUG")]),
    ];
    let model = Script::with_window(window, acts);
    let settings = Settings {
        max_selected: 1,
        ..Settings::default()
    };
    let outcome = review_as(&engine(&model, &settings), &Scope::default(), &diff, &[]).await;
    assert!(model.calls() > 1);
    assert_eq!(places(&outcome), [(Side::New, 3), (Side::New, 900)]);
    let priorities: Vec<_> = outcome.candidates.iter().map(|one| one.priority).collect();
    assert_eq!(
        priorities,
        [Priority::P1, Priority::P0],
        "the first takes the only slot, and a P0 needs none"
    );
}

/// The line at which the second batch of the large change begins.
async fn border() -> u32 {
    let (diff, window) = large();
    let model = Script::with_window(window, []);
    review_as(
        &engine(&model, &Settings::default()),
        &Scope::default(),
        &diff,
        &[],
    )
    .await;
    let shown = |line: u32| model.prompt(0).user.contains(&format!("\nNEW:{line} +"));
    (1..2_000).take_while(|line| shown(*line)).count() as u32
}

#[tokio::test]
async fn a_defect_found_in_two_batches_is_reported_once() {
    let border = border().await;
    let naming =
        |line: u32, summary: &str| on(line).replace("An order that is absent is paid.", summary);
    let first = naming(border - 1, "`order.total` of `pay_all` is wrong.");
    let second = naming(
        border + 2,
        "In `pay_all` the `order.total` is counted twice.",
    );
    let (diff, window) = large();
    let acts = [findings(&[first]), findings(&[second])];
    let model = Script::with_window(window, acts);
    let outcome = review_as(
        &engine(&model, &Settings::default()),
        &Scope::default(),
        &diff,
        &[],
    )
    .await;
    assert_eq!(places(&outcome), [(Side::New, border - 1)]);
    assert_eq!(outcome.dropped, [(DropCause::Duplicate, 1)]);
}

#[tokio::test]
async fn findings_are_reported_although_the_review_is_cancelled() {
    let (diff, window) = large();
    let model = Arc::new(AnswersOnce {
        window,
        text: Mutex::new(Some(format!("{{\"findings\": [{}]}}", on(3)))),
    });
    let outcome = interrupted(model, &diff);
    assert_eq!(places(&outcome), [(Side::New, 3)]);
}

/// A model that answers only its first call.
struct AnswersOnce {
    window: Window,
    text: Mutex<Option<String>>,
}

impl ChatModel for AnswersOnce {
    fn name(&self) -> &str {
        "answers once"
    }

    fn window(&self) -> Window {
        self.window
    }

    fn complete<'a>(&'a self, _: &'a Prompt) -> BoxFuture<'a, Result<Reply, CallError>> {
        let Some(text) = self.text.lock().unwrap().take() else {
            return Box::pin(std::future::pending());
        };
        let usage = TokenUsage {
            prompt_tokens: 100,
            completion_tokens: 10,
            total_tokens: 110,
            estimated: false,
        };
        let reply = Reply {
            text,
            finish: Finish::Stop,
            usage,
            cached_tokens: 0,
            model: "answers once".into(),
        };
        Box::pin(async move { Ok(reply) })
    }
}
