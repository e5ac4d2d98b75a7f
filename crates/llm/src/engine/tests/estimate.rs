//! Estimated and actual cost of reviews.

use std::fmt::Write as _;

use super::*;
use crate::Estimate;
use crate::settings::{ModelSettings, Protocol};
use crate::tokens::Estimator;

/// A change with this many new files of this many lines each.
fn change(files: usize, lines: usize) -> String {
    let mut diff = String::new();
    for file in 0..files {
        let _ = write!(
            diff,
            "--- /dev/null\n+++ b/module_{file}.py\n@@ -0,0 +1,{lines} @@\n"
        );
        for line in 0..lines {
            let _ = writeln!(diff, "+value_{file}_{line} = compute({line}, total)");
        }
    }
    diff
}

/// The estimated and the actual cost of the review of a diff, with the tokens of its prompts estimated.
async fn both(text: &str, acts: Vec<Act>, hints: &[Candidate]) -> (Estimate, Estimate) {
    let scope = Scope {
        guidelines: Some("Orders may be absent.".to_owned()),
        ..Scope::default()
    };
    let model = Script::new(acts);
    let engine = engine(&model, &Settings::default());
    let diff = Diff::parse(text).unwrap();
    let plan = plan(&diff, None, &Sizes::default());
    let raw = engine.estimate(&plan.chunks, &scope);
    review_as(&engine, &scope, text, hints).await;
    let tokens = |prompt: &Prompt| Estimator::default().tokens(prompt.bytes());
    let asked = model.asked.lock().unwrap();
    let took = Estimate {
        calls: asked.len(),
        prompt_tokens: asked.iter().map(tokens).sum(),
        completion_tokens: asked.iter().map(|prompt| prompt.max_output_tokens).sum(),
        cost: None,
    };
    (raw, took)
}

#[tokio::test]
async fn an_estimate_has_both_turns_of_each_batch_and_one_to_four_times_the_prompts_sent() {
    let found = || {
        findings(&[
            finding("NEW:2", "if order:"),
            finding("OLD:2", "if order is None:"),
        ])
    };
    let hints = [
        hint(2, Priority::P2, Category::LogicBug),
        hint(4, Priority::P1, Category::NullSafety),
    ];
    let small = || DIFF.to_owned();
    for (diff, acts, hints) in [
        (small(), vec![], &[][..]),
        (small(), vec![found()], &hints[..]),
        (change(1, 4_000), vec![], &hints[..]),
        (change(30, 20), vec![], &[][..]),
    ] {
        let (raw, took) = both(&diff, acts, hints).await;
        assert!(
            (took.calls..=2 * took.calls).contains(&raw.calls),
            "{raw:?}, {took:?}"
        );
        assert!(raw.prompt_tokens >= took.prompt_tokens, "{raw:?}, {took:?}");
        assert!(
            raw.prompt_tokens <= 4 * took.prompt_tokens,
            "{raw:?}, {took:?}"
        );
        assert_eq!(raw.completion_tokens, 1_000 * raw.calls as u64, "{raw:?}");
    }
}

#[tokio::test]
async fn each_batch_is_two_calls_at_most() {
    for diff in [DIFF.to_owned(), change(7, 1)] {
        let (raw, took) = both(&diff, vec![], &[]).await;
        assert_eq!(
            (raw.calls, raw.completion_tokens, took.calls),
            (2, 2_000, 1),
            "seven small files fit one batch"
        );
    }
    let (raw, took) = both(&change(1, 8_000), vec![], &[]).await;
    assert!(
        took.calls > 1 && raw.calls == 2 * took.calls,
        "{raw:?}, {took:?}"
    );
}

#[test]
fn the_price_is_that_of_the_first_model_if_configured() {
    let priced = |input, output| {
        let model = ModelSettings {
            context_window: 100_000,
            max_output_tokens: 1_000,
            price_input_per_million: input,
            price_output_per_million: output,
            ..ModelSettings::new(Protocol::OpenAi, "m", "http://127.0.0.1")
        };
        let settings = Settings {
            models: vec![model],
            ..Settings::default()
        };
        let diff = Diff::parse(DIFF).unwrap();
        let plan = plan(&diff, None, &Sizes::default());
        engine(&Script::new([]), &settings).estimate(&plan.chunks, &Scope::default())
    };
    assert_eq!(priced(0.0, 0.0).cost, None);
    let raw = priced(2.0, 10.0);
    let cost = (raw.prompt_tokens as f64 * 2.0 + raw.completion_tokens as f64 * 10.0) / 1e6;
    assert_eq!(raw.cost, Some(cost));
    assert!(cost > 0.02);
}
