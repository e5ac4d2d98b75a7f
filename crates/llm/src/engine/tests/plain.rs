//! The plain prompts.

use std::sync::Arc;

use review::{Category, Priority, Scope, Side};

use super::{DIFF, Outcome, Script, answers, engine, finding, findings, hint, places, review_as};
use crate::engine::{Plain, PlainEngine};
use crate::settings::Settings;

async fn asked(model: &Arc<Script>, question: Plain) -> Outcome {
    let engine = PlainEngine::new(engine(model, &Settings::default()), question);
    review_as(
        &engine,
        &Scope::default(),
        DIFF,
        &[hint(2, Priority::P2, Category::LogicBug)],
    )
    .await
}

#[tokio::test]
async fn a_pasted_diff_is_sent_without_its_secrets() {
    let comment =
        r#"{"findings": [{"file": "pay.py", "line": 2, "comment": "An order may be absent."}]}"#;
    let model = Script::new([answers(comment)]);
    let outcome = asked(&model, Plain::Pasted).await;
    assert_eq!((model.calls(), places(&outcome)), (1, vec![(Side::New, 2)]));
    let user = model.prompt(0).user;
    assert!(user.starts_with("Review this diff"), "{user}");
    assert!(user.ends_with(&DIFF.replace("hunter2", "hunt…")), "{user}");
}

#[tokio::test]
async fn the_numbered_change_is_sent_once_without_hints_and_findings_are_not_merged() {
    let raw = finding("NEW:2", "if order:");
    let model = Script::new([findings(&[raw.clone(), raw])]);
    let outcome = asked(&model, Plain::Numbered).await;
    assert!(outcome.is_done() && outcome.dropped.is_empty());
    assert_eq!(
        (model.calls(), places(&outcome)),
        (1, vec![(Side::New, 2); 2])
    );
    let user = model.prompt(0).user;
    assert!(
        user.contains("NEW:2 +if order:") && !user.contains("A check is gone."),
        "{user}"
    );
}

#[tokio::test]
async fn a_limit_on_the_findings_is_appended_to_the_prompt() {
    let model = Script::new([]);
    asked(&model, Plain::AtMost(3)).await;
    assert!(
        model
            .prompt(0)
            .user
            .ends_with("\nReport at most 3 findings, the most important ones.\n")
    );
}
