//! The model's opinions on findings of rules.

use serde_json::{Value, json};

use super::*;

/// A finding of a rule with this confidence on a line of the change.
fn of_rule(line: u32, confidence: f32) -> Candidate {
    Candidate {
        confidence,
        ..hint(line, Priority::P2, Category::LogicBug)
    }
}

async fn review_with(
    first: Act,
    second: impl IntoIterator<Item = Act>,
    hints: &[Candidate],
) -> (Outcome, Arc<Script>) {
    let model = Script::new([first]).then(second);
    let engine = engine(&model, &Settings::default());
    let outcome = review_as(&engine, &Scope::default(), DIFF, hints).await;
    (outcome, model)
}

fn decides(kept: Value, dropped: Value) -> Act {
    let lists = [("kept", kept), ("dropped", dropped)];
    answers(Value::from_iter(lists).to_string())
}

#[tokio::test]
async fn a_certain_finding_is_a_fact_and_needs_no_second_turn() {
    let (outcome, model) = review_with(findings(&[]), [], &[of_rule(2, 0.9)]).await;
    let user = model.prompt(0).user;
    let fact = "They are facts. Do not repeat them.\n- pay.py NEW:2 LOGIC_BUG: A check is gone.\n";
    assert!(user.contains(fact), "{user}");
    assert!(!user.contains("- R1"), "{user}");
    assert!(model.prompts(true).is_empty() && outcome.judged.is_empty());
}

#[tokio::test]
async fn a_doubtful_finding_is_a_candidate_that_the_model_confirms_or_refutes() {
    let hints = [
        of_rule(1, 0.95),
        of_rule(2, 0.5),
        of_rule(3, 0.6),
        of_rule(4, 0.7),
    ];
    let second = decides(
        json!([{ "candidate": "R2" }]),
        json!([{ "candidate": "R1", "reason": "hunter2 is\u{1b} checked." }]),
    );
    let (outcome, model) = review_with(findings(&[]), [second], &hints).await;
    let user = model.prompt(0).user;
    for shown in [
        "- pay.py NEW:1 ", "- R1 pay.py NEW:2 ", "- R2 pay.py NEW:3 ", "- R3 pay.py NEW:4 ",
    ] {
        assert!(user.contains(shown), "{user}");
    }
    assert!(
        model.prompts(true)[0]
            .last()
            .contains("candidates of the static analyser")
    );
    assert_eq!(
        outcome.judged,
        [
            (1, Opinion::Refuted("hunt… is\u{fffd} checked.".to_owned())),
            (2, Opinion::Confirmed)
        ],
        "by the index among all findings"
    );
    assert!(outcome.candidates.is_empty() && outcome.dropped.is_empty());
}

#[tokio::test]
async fn a_contradictory_or_missing_opinion_changes_nothing() {
    let both = || {
        let one = json!([{ "candidate": "R1" }]);
        decides(one.clone(), one)
    };
    for acts in [
        vec![both()],
        vec![answers("No."), answers("No.")],
        vec![Err(CallError::Declined)],
        vec![decides(json!([{ "candidate": "R9" }]), json!([]))],
    ] {
        let (outcome, _) = review_with(findings(&[]), acts, &[of_rule(2, 0.5)]).await;
        assert!(
            outcome.judged.is_empty() && outcome.is_done(),
            "{outcome:?}"
        );
    }
}

#[tokio::test]
async fn opinions_on_rules_are_no_decision_on_the_models_own_candidates() {
    let only_rules = || decides(json!([{ "candidate": "R1" }]), json!([]));
    let first = findings(&[finding("NEW:4", "return total")]);
    let (outcome, _) = review_with(first, [only_rules()], &[of_rule(2, 0.5)]).await;
    assert_eq!(outcome.candidates[0].priority, Priority::P2);
    assert!(codes(&outcome).contains(&WarningCode::FindingsUnchecked));
}

#[tokio::test]
async fn opinions_are_cached() {
    let second = decides(json!([]), json!([{ "candidate": "R1", "reason": "No." }]));
    let model = Script::new([]).then([second]);
    let engine = engine(&model, &Settings::default());
    for confidence in [0.5, 0.6] {
        let hints = [of_rule(2, confidence)];
        let outcome = review_as(&engine, &Scope::default(), DIFF, &hints).await;
        assert_eq!(outcome.judged, [(0, Opinion::Refuted("No.".to_owned()))]);
    }
    assert_eq!(model.calls(), 1);
    review_as(&engine, &Scope::default(), DIFF, &[of_rule(2, 0.9)]).await;
    assert_eq!(model.calls(), 2, "a fact is shown in another prompt");
}

#[tokio::test]
async fn a_small_model_decides_on_nothing() {
    let window = Window {
        context: 16_000,
        output: 1_000,
    };
    let model = Script::with_window(window, []);
    let engine = engine(&model, &Settings::default());
    review_as(&engine, &Scope::default(), DIFF, &[of_rule(2, 0.5)]).await;
    let user = model.prompt(0).user;
    assert!(
        user.contains("They may be wrong. Do not repeat them.\n- R1 "),
        "{user}"
    );
    assert!(model.prompts(true).is_empty());
}
