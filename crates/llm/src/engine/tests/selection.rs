//! What becomes of candidates between the finders and the report.

use serde_json::json;

use super::*;

/// Four candidates of P1 in the change: more than the two that it has room for.
fn four() -> Act {
    let other = |line: &str, quote: &str, summary: &str| {
        finding(line, quote).replace("An order that is absent is paid.", summary).replace("NULL_SAFETY", "LOGIC_BUG")
    };
    findings(&[
        finding("NEW:2", "if order:"),
        other("NEW:4", "return total", "The wrong amount is returned."),
        other("NEW:1", "total = order.total", "Discounts are ignored."),
        other("NEW:2", "if order:", "Empty baskets pass unnoticed."),
    ])
}

fn selects(numbers: &[usize]) -> Act {
    says(json!({ "considered": [], "selected": numbers }).to_string())
}

fn checks(verdict: &str, quote: &str, finding: usize) -> Act {
    says(json!({ "checks": [{ "finding": finding, "reason": "r", "quote": quote, "verdict": verdict }] }).to_string())
}

/// What a review at high effort is answered: four finders say the same, and then come the selector and the check.
fn high(found: Act, then: impl IntoIterator<Item = Act>) -> Vec<Act> {
    std::iter::repeat_n(found, 4).chain(then).collect()
}

/// Lines, priorities and confidence in per cent, in the order of the lines.
fn ranked(outcome: &Outcome) -> Vec<(u32, Priority, u32)> {
    let of = |one: &Candidate| (one.line, one.priority, (one.confidence * 100.0).round() as u32);
    outcome.candidates.iter().map(of).collect()
}

#[tokio::test]
async fn what_is_not_chosen_is_returned_as_minor_and_with_less_confidence() {
    // Listed as the finders had them: NEW:2, NEW:4, NEW:1, NEW:2.
    let (outcome, model) = review(high(four(), [selects(&[2, 3])]), Effort::High, &[]).await;
    let expected = [(1, Priority::P1, 70), (2, Priority::P3, 43), (2, Priority::P3, 45), (4, Priority::P1, 85)];
    assert_eq!((ranked(&outcome), outcome.dropped.len(), model.calls()), (expected.to_vec(), 0, 6));
    let [finder, selector] = [0, 4].map(|at| model.prompt(at));
    assert!(selector.user.starts_with(&finder.user[..finder.shared]) && finder.shared == selector.shared);
    assert_eq!((finder.schema, finder.system), (selector.schema, selector.system), "all that comes first is the same");
    assert!(selector.user.contains("2. pay.py NEW:4 LOGIC_BUG: The wrong amount is returned.\n   line: return total"));
    assert!(selector.user.contains("at most 2, and fewer"), "{}", selector.user);
}

#[tokio::test]
async fn at_lower_efforts_code_takes_the_first_ones_and_asks_nobody() {
    let (outcome, model) = review([four()], Effort::Low, &[]).await;
    let expected = [(1, Priority::P3, 31), (2, Priority::P1, 73), (2, Priority::P3, 31), (4, Priority::P1, 56)];
    assert_eq!((ranked(&outcome), model.calls()), (expected.to_vec(), 1));
}

#[tokio::test]
async fn no_model_is_asked_to_choose_from_few() {
    let shown = finding("NEW:2", "if order:");
    let unseen = shown.replace("is paid.", "is paid by `charge_all`.");
    for found in [shown.replace("P1", "P2"), unseen.replace("P1", "P2")] {
        let (_, model) = review(high(findings(&[found]), []), Effort::High, &[]).await;
        assert_eq!(model.calls(), 4);
    }
}

#[tokio::test]
async fn without_a_choice_the_order_is_computed_and_that_is_said() {
    for failure in [Err(CallError::Connection), says("I like all of them.")] {
        let failures = std::iter::repeat_n(failure, 6);
        let (outcome, _) = review(high(four(), failures), Effort::High, &[]).await;
        let kept: Vec<_> = outcome.candidates.iter().filter(|one| one.priority == Priority::P1).collect();
        assert_eq!((kept.len(), outcome.candidates.len(), outcome.is_done()), (2, 4, true));
        assert!(codes(&outcome).contains(&WarningCode::FindingsUnverified), "{outcome:?}");
    }
}

#[tokio::test]
async fn the_setting_bounds_what_keeps_its_priority() {
    let model = Script::new([four()]);
    let settings = Settings { max_selected: 1, ..settings(Effort::Low) };
    let outcome = review_as(&engine(&model, &settings), &Scope::default(), DIFF, &[]).await;
    assert_eq!(outcome.candidates.iter().filter(|one| one.priority == Priority::P1).count(), 1);
}

#[tokio::test]
async fn the_selector_knows_what_the_change_is_meant_to_do_and_no_finder_does() {
    let model = Script::new(high(four(), []));
    let scope = Scope { change_description: Some("Pays orders with the key hunter2.".to_owned()), ..Scope::default() };
    review_as(&engine(&model, &settings(Effort::High)), &scope, DIFF, &[]).await;
    assert!((0..4).all(|finder| !model.prompt(finder).user.contains("Pays orders")));
    assert!(model.prompt(4).user.contains("Pays orders with the key hunt….\n"), "{}", model.prompt(4).user);
}

#[tokio::test]
async fn only_code_lowers_a_serious_finding_and_by_one_step() {
    let found = findings(&[finding("NEW:4", "return total")]);
    let reviewed = async |check: Act| review([found.clone(), found.clone(), check], Effort::Medium, &[]).await;
    let (stands, model) = reviewed(checks("stands", "total = order.total", 1)).await;
    assert_eq!((ranked(&stands), model.calls()), (vec![(4, Priority::P1, 83)], 3));
    let (refuted, model) = reviewed(checks("refuted", "total = order.total", 1)).await;
    assert_eq!((ranked(&refuted), refuted.dropped.len()), (vec![(4, Priority::P2, 60)], 0));
    assert!(model.prompt(2).user.contains("named by 2 of 2 reviewers"), "{}", model.prompt(2).user);
    let (made_up, _) = reviewed(checks("refuted", "assert order is not None", 1)).await;
    assert_eq!(ranked(&made_up), ranked(&stands));
    let (failed, _) = reviewed(Err(CallError::Connection)).await;
    assert_eq!(ranked(&failed), ranked(&stands));
    assert!(codes(&failed).contains(&WarningCode::FindingsUnverified));
}

#[tokio::test]
async fn a_change_in_several_parts_is_chosen_from_at_once() {
    let lines: String = (0..2_000).map(|n| format!("+value_{n} = compute({n})\n")).collect();
    let diff = format!("--- /dev/null\n+++ b/big.py\n@@ -0,0 +1,2000 @@\n{lines}");
    let found = |n: u32| {
        let line = format!("value_{} = compute({})", n - 1, n - 1);
        finding(&format!("NEW:{n}"), &line).replace("pay.py", "big.py").replace("shown", "depends")
    };
    let window = Window { context: 16_000, output: 2_000 };
    let acts = [3, 900].into_iter().flat_map(|line| high(findings(&[found(line)]), []));
    let acts: Mutex<VecDeque<Act>> = Mutex::new(acts.collect());
    let model = Arc::new(Script { window, acts, asked: Mutex::default() });
    let settings = Settings { max_selected: 1, ..settings(Effort::High) };
    let outcome = review_as(&engine(&model, &settings), &Scope::default(), &diff, &[]).await;
    assert_eq!(places(&outcome), [(Side::New, 3), (Side::New, 900)]);
    let asked = model.asked.lock().unwrap();
    let selector = asked.last().unwrap();
    assert!(selector.user.contains("1. big.py NEW:3 ") && selector.user.contains("2. big.py NEW:900 "));
    assert_eq!(asked.iter().filter(|prompt| prompt.user.contains("# The candidates")).count(), 1);
    let tokens = (selector.system.len() + selector.user.len()) as u64 / 3;
    assert!(tokens + selector.max_output_tokens < 16_000, "{tokens}");
}

#[tokio::test]
async fn what_was_found_is_reported_although_time_runs_out_before_a_choice() {
    let model = Arc::new(FindsOnly(four().map(|(text, _)| text).unwrap()));
    let redactor = Redactor::new(|_, passages| passages.iter().map(|lines| vec![Vec::new(); lines.len()]).collect());
    let engine = ModelEngine::new(model as Arc<dyn ChatModel>, &settings(Effort::High), redactor);
    let diff = Diff::parse(DIFF).unwrap();
    let plan = plan(&diff, None, &Sizes::default());
    let (scope, budget, outcome) = (Scope::default(), Budget::of_bytes(0), Mutex::new(Outcome::default()));
    let report = |event| outcome.lock().unwrap().add(event);
    let (chunks, answer) = (&*plan.chunks, &budget.of_answer());
    let task = Task { chunks, found: &[], scope: &scope, max_candidates: 100, budget: &budget, answer };
    assert!(engine.review(&task, &report).now_or_never().is_none());
    let outcome = outcome.into_inner().unwrap();
    assert_eq!((outcome.candidates.len(), outcome.is_done()), (4, true));
}

/// A model that answers finders, and nobody else.
struct FindsOnly(String);

impl ChatModel for FindsOnly {
    fn name(&self) -> &str {
        "finds only"
    }

    fn window(&self) -> Window {
        Window { context: 100_000, output: 1_000 }
    }

    fn complete<'a>(&'a self, prompt: &'a Prompt) -> BoxFuture<'a, Result<Reply, CallError>> {
        if prompt.stage != Stage::Find {
            return Box::pin(std::future::pending());
        }
        let usage = TokenUsage { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110, estimated: false };
        let reply = Reply { text: self.0.clone(), finish: Finish::Stop, usage, model: "finds only".into() };
        Box::pin(async move { Ok(reply) })
    }
}
