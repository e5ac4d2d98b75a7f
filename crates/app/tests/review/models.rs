//! `hunkwise review` with a fake language model.

use llm::Protocol;
use llm::testing::{FaultKind, Script, ScriptedProvider, Turn};
use serde_json::{Value, json};

use crate::support::{Folder, GOOD, Run};

const KEY: &str = "key-of-the-test";

/// A change with a rule finding (P2) on its first line and a secret on its second.
const CHANGED: &str = "def add(item, basket=[]):\n    token = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'\n    return basket + [item]\n";

fn finding(line: &str, quote: &str) -> Value {
    json!({
        "file": "a.py", "line": line, "quote": quote, "priority": "P1", "category": "DATA_INTEGRITY",
        "summary": "The basket is not changed.", "fix": "", "evidence": "shown"
    })
}

fn reply_with(findings: &[Value]) -> Turn {
    Turn::say(json!({ "findings": findings }).to_string())
}

/// Reviews the change with a model that follows the script, and with these additional settings.
async fn review(script: Script, settings: &str) -> (Run, ScriptedProvider) {
    review_with(&[], script, settings).await
}

/// The same with more arguments.
async fn review_with(more: &[&str], script: Script, settings: &str) -> (Run, ScriptedProvider) {
    let provider = ScriptedProvider::start(Protocol::OpenAi, script)
        .await
        .unwrap();
    let folder = Folder::repository(&[("a.py", GOOD)]);
    folder.write("a.py", CHANGED);
    let config = format!(
        "[llm]\ncall_seconds = 5\n{settings}\n[[llm.models]]\nprotocol = 'openai'\nmodel = 'm'\nbase_url = '{}'\n\
         api_key = '{KEY}'\ncontext_window = 32000\nmax_output_tokens = 2000\n",
        provider.base_url()
    );
    let config = folder.write(".git/llm.toml", config);
    let arguments = [
        "--config",
        config.to_str().unwrap(),
        "review",
        "--format",
        "json",
    ]
    .into_iter()
    .chain(more.iter().copied());
    let arguments: Vec<String> = arguments.map(str::to_owned).collect();
    let run = tokio::task::spawn_blocking(move || {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        folder.git(&["add", "a.py"]);
        folder.hunkwise(&arguments)
    });
    (run.await.unwrap(), provider)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_adds_findings_and_sees_no_secrets() {
    let (run, provider) = review(
        Script::always(reply_with(&[finding(
            "NEW:3", "    return basket + [item]",
        )])),
        "",
    )
    .await;
    let body = run.json();
    assert!(run.findings().contains(&"a.py:3 ".to_owned()), "{run:?}");
    assert!(
        run.findings()
            .contains(&"a.py:1 python/mutable-default-argument".to_owned()),
        "{run:?}"
    );
    assert_eq!(body["metadata"]["engines"], json!(["rules", "model"]));
    assert_eq!(body["metadata"]["model"], "m");
    assert!(
        body["metadata"]["tokenUsage"]["totalTokens"].as_u64() > Some(0),
        "{body}"
    );
    assert_eq!(run.warnings(), ["SECRETS_REDACTED a.py"]);
    let [request, second] = provider.requests().try_into().unwrap();
    assert_eq!(
        (&second.system, &second.user, second.later.len()),
        (&request.system, &request.user, 2),
        "the second turn continues the first one"
    );
    assert!(
        second.later[1].starts_with("# Your task now: "),
        "{second:?}"
    );
    assert_eq!(
        request.header("authorization"),
        Some(&*format!("Bearer {KEY}"))
    );
    assert!(
        request.user.contains("NEW:2 +    token = 'ghp_…'"),
        "{}",
        request.user
    );
    assert!(
        request.user.contains("(Python, modified)") && !request.user.contains("16C7e42F"),
        "{}",
        request.user
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_that_a_model_repeats_is_masked() {
    let mut repeats = finding("NEW:3", "    return basket + [item]");
    repeats["summary"] =
        "The token `ghp_16C7e42F292c6912E7710c838347Ae178B4a` is in the code.".into();
    repeats["fix"] = "Replace `'ghp_16C7e42F292c6912E7710c838347Ae178B4a'`.".into();
    let (run, _) = review(Script::always(reply_with(&[repeats])), "").await;
    assert!(
        run.stdout.contains("The token `ghp_…` is in the code."),
        "{run:?}"
    );
    assert!(!run.stdout.contains("16C7e42F"), "{run:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn invented_findings_are_counted_and_dropped() {
    let made_up = [finding("NEW:3", "return nothing"), finding("NEW:900", "")];
    let (run, _) = review(Script::always(reply_with(&made_up)), "").await;
    assert!(
        !run.findings().iter().any(|finding| finding.ends_with(' ')),
        "{run:?}"
    );
    assert!(
        run.warnings().contains(&"FINDINGS_UNANCHORED -".to_owned()),
        "{run:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failing_model_does_not_affect_rule_findings_unless_it_is_required() {
    let (run, _) = review(Script::always(Turn::fail(FaultKind::WrongKey)), "").await;
    assert!(
        run.findings()
            .contains(&"a.py:1 python/mutable-default-argument".to_owned()),
        "{run:?}"
    );
    assert!(
        run.stdout.contains("MODEL_FAILED") && run.stdout.contains("check the model's `api_key`"),
        "{run:?}"
    );
    let (run, _) = review(
        Script::always(Turn::fail(FaultKind::WrongKey)),
        "required = true",
    )
    .await;
    assert_eq!((run.status, run.stdout.as_str()), (3, ""), "{run:?}");
    assert!(
        run.stderr.contains("check the model's `api_key`") && !run.stderr.contains(KEY),
        "{run:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn dropped_findings_are_listed_on_request() {
    let lost = || reply_with(&[finding("NEW:900", "no such line")]);
    let (run, _) = review_with(&["--show-dropped"], Script::always(lost()), "").await;
    assert!(
        run.stderr.contains("dropped (unanchored): a.py NEW:900: "),
        "{run:?}"
    );
    assert!(
        run.warnings()
            .iter()
            .any(|warning| warning.starts_with("FINDINGS_UNANCHORED")),
        "{run:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn findings_that_the_model_refutes_are_listed_with_its_reason() {
    let refutes = json!({ "kept": [{ "candidate": "R1" }], "dropped": [{ "candidate": "1", "reason": "Callers use the result." }] });
    let turns = vec![
        reply_with(&[finding("NEW:3", "return basket + [item]")]),
        Turn::say(refutes.to_string()),
    ];
    let (run, _) = review_with(&["--show-dropped"], Script::turns(turns), "").await;
    assert!(
        run.stderr.contains(
            "dropped (refuted): a.py:3: The basket is not changed. Reason: Callers use the result."
        ),
        "{run:?}"
    );
    assert!(!run.findings().contains(&"a.py:3 ".to_owned()), "{run:?}");
    assert!(
        run.warnings().contains(&"FINDINGS_REFUTED -".to_owned()),
        "{run:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_model_refutes_or_confirms_an_uncertain_finding_of_a_rule() {
    let of_rule = |run: &Run| {
        let body = run.json();
        let findings = body["findings"].as_array().unwrap().clone();
        let is_it = |finding: &&Value| finding["ruleId"] == "python/mutable-default-argument";
        findings.iter().find(is_it).unwrap().clone()
    };
    let (plain, _) = review(Script::always(Turn::fail(FaultKind::WrongKey)), "").await;
    let (before, nothing) = (of_rule(&plain), || reply_with(&[]));
    let decides = |decision: Value| Script::turns(vec![nothing(), Turn::say(decision.to_string())]);
    let refutes = json!({ "dropped": [{ "candidate": "R1", "reason": "The basket is copied." }] });
    let (run, _) = review(decides(refutes), "").await;
    let after = of_rule(&run);
    assert_eq!(
        (&before["priority"], &after["priority"]),
        (&json!("P2"), &json!("P3"))
    );
    let summary = after["summary"].as_str().unwrap();
    assert!(
        summary.ends_with(" The language model disagrees: The basket is copied."),
        "{summary}"
    );
    assert_eq!(before["fingerprint"], after["fingerprint"]);
    let (run, _) = review(
        decides(json!({ "kept": [{ "candidate": "R1", "evidence": "It is." }] })),
        "",
    )
    .await;
    let after = of_rule(&run);
    assert_eq!(
        (&before["priority"], &before["summary"]),
        (&after["priority"], &after["summary"])
    );
    assert!(
        after["confidence"].as_f64() > before["confidence"].as_f64(),
        "{after}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn without_budget_only_the_rules_review_with_a_warning() {
    let (run, provider) = review(Script::always(reply_with(&[])), "review_tokens = 100").await;
    assert!(
        run.findings()
            .contains(&"a.py:1 python/mutable-default-argument".to_owned()),
        "{run:?}"
    );
    assert!(
        run.warnings()
            .contains(&"TOKEN_BUDGET_REACHED a.py".to_owned()),
        "{run:?}"
    );
    assert_eq!(provider.requests().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_model_gets_the_message_as_data() {
    let (run, provider) = review_with(
        &["--message", "Baskets are copied."],
        Script::always(reply_with(&[])),
        "",
    )
    .await;
    assert_eq!(run.status, 0, "{run:?}");
    let request = provider.requests().remove(0);
    let (data, task) = request.user.split_once("\n# Your task: ").unwrap();
    assert!(
        data.contains("\nBaskets are copied.\n") && !task.contains("Baskets"),
        "{}",
        request.user
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_retired_setting_effort_has_no_effect_and_one_warning() {
    let (run, provider) = review(
        Script::always(reply_with(&[finding("NEW:3", "return basket + [item]")])),
        "effort = 'high'",
    )
    .await;
    assert!(run.findings().contains(&"a.py:3 ".to_owned()), "{run:?}");
    assert_eq!(provider.requests().len(), 2);
    let warnings: Vec<&str> = run
        .stderr
        .lines()
        .filter(|line| line.contains("effort"))
        .collect();
    let [warning] = warnings.as_slice() else {
        panic!("{}", run.stderr)
    };
    assert!(
        warning.starts_with("warning: ")
            && warning.contains("llm.toml:3:1: llm.effort no longer has an effect")
    );
}
