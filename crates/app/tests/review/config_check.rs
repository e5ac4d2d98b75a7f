//! `hunkwise config check` with working and failing models.

use llm::Protocol;
use llm::testing::{FaultKind, Script, ScriptedProvider, Turn};
use serde_json::{Value, json};

use crate::support::{Folder, Run};

const KEY: &str = "key-of-the-test";
const GOOD: &str = r#"{"findings": [{"line": "NEW:1", "summary": "ok"}]}"#;

/// A configuration file with these models, given by the lines that differ.
fn config(models: &[String]) -> String {
    let model = |lines: &String| {
        format!(
            "[[llm.models]]\n{lines}\napi_key = '{KEY}'\ncontext_window = 32000\nmax_output_tokens = 2000\n"
        )
    };
    format!(
        "[llm]\ncall_seconds = 5\n{}",
        models.iter().map(model).collect::<String>()
    )
}

fn at(model: &str, base_url: &str) -> String {
    format!("protocol = 'openai'\nmodel = '{model}'\nbase_url = '{base_url}'")
}

/// Runs the check with this configuration.
async fn check(config: String, arguments: &[&str]) -> Run {
    let arguments: Vec<String> = ["config", "check", "--config", "llm.toml"]
        .iter()
        .chain(arguments)
        .map(|word| (*word).to_owned())
        .collect();
    let run = tokio::task::spawn_blocking(move || {
        let folder = Folder::new();
        folder.write("llm.toml", config);
        folder.hunkwise(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
    });
    run.await.unwrap()
}

/// The output for one model that follows the script.
async fn check_one(turn: Turn, settings: &str) -> (Run, Value, String) {
    let provider = ScriptedProvider::start(Protocol::OpenAi, Script::always(turn))
        .await
        .unwrap();
    let config = config(&[at("m", provider.base_url()) + "\n" + settings]);
    let run = check(config.clone(), &["--json"]).await;
    let text = check(config, &[]).await;
    assert_eq!(
        (run.status, provider.requests().len()),
        (text.status, 2),
        "one call each: {run:?}"
    );
    for stream in [&run.stdout, &run.stderr, &text.stdout, &text.stderr] {
        assert!(!stream.contains(KEY), "{stream}");
    }
    let body = run.json();
    (run, body["models"][0].clone(), text.stdout)
}

fn steps(model: &Value) -> Value {
    json!([
        model["reachable"], model["keyAccepted"], model["modelKnown"], model["structuredOutput"],
        model["usageReported"],
    ])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_working_model_passes_all_checks() {
    let (run, model, text) = check_one(Turn::say(GOOD), "").await;
    assert_eq!(
        (run.status, steps(&model)),
        (0, json!([true, true, true, true, true])),
        "{run:?}"
    );
    assert_eq!(
        (&model["usable"], &model["advice"], &model["error"]),
        (&json!(true), &json!([]), &Value::Null)
    );
    assert!(
        text.starts_with("1. m (openai, http://127.0.0.1:"),
        "{text}"
    );
    assert!(
        text.contains("   usage reported     yes\n") && text.ends_with("\n1 of 1 usable\n"),
        "{text}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn each_problem_is_named_with_advice() {
    let (yes, no, open) = (json!(true), json!(false), Value::Null);
    for (turn, exit, expected, answer, advice) in [
        (
            Turn::fail(FaultKind::WrongKey),
            3,
            [&yes, &no, &open, &open, &open],
            "key accepted       no: the provider refused the key (status 401)",
            "check api_key or headers",
        ),
        (
            Turn::fail(FaultKind::WrongModel),
            3,
            [&yes, &open, &no, &open, &open],
            "model known        no: the provider does not know the model",
            "check model and base_url",
        ),
        (
            Turn::say("All is well, {friend}."),
            3,
            [&yes, &yes, &yes, &no, &yes],
            "structured output  no: the reply was not the requested JSON",
            "try structured_output = false",
        ),
        (
            Turn::Fail(FaultKind::ProseAroundText, GOOD.to_owned()),
            0,
            [&yes, &yes, &yes, &no, &yes],
            "structured output  no: the JSON was embedded in other text",
            "reviews still work",
        ),
        (
            Turn::Fail(FaultKind::Length, GOOD.to_owned()),
            3,
            [&yes, &yes, &yes, &no, &yes],
            "structured output  no: the reply was cut off",
            "raise max_output_tokens",
        ),
        (
            Turn::Fail(FaultKind::NoUsage, GOOD.to_owned()),
            0,
            [&yes, &yes, &yes, &yes, &no],
            "usage reported     no\n",
            "they are estimated from bytes",
        ),
        (
            Turn::fail(FaultKind::QuotaSpent),
            3,
            [&yes, &open, &open, &open, &open],
            "key accepted       not known: the provider refused the request (status 429)",
            "no credit left",
        ),
        (
            Turn::fail(FaultKind::Refusal),
            3,
            [&yes, &yes, &yes, &open, &open],
            "structured output  not known: the model declined",
            "use another model",
        ),
        (
            Turn::Status(200, "<html>a login page</html>".to_owned()),
            3,
            [&yes, &open, &open, &open, &open],
            "key accepted       not known: the provider's answer could not be understood",
            "does not speak this protocol",
        ),
    ] {
        let (run, model, text) = check_one(turn, "").await;
        assert_eq!(
            (run.status, steps(&model)),
            (exit, json!(expected)),
            "{run:?}"
        );
        assert_eq!(model["usable"], json!(exit == 0), "{run:?}");
        assert!(text.contains(answer), "{answer}: {text}");
        let advised = text
            .lines()
            .any(|line| line.starts_with("   → ") && line.contains(advice));
        assert!(advised, "{advice}: {text}");
        assert!(
            !text.contains("friend") && !text.contains("login"),
            "{text}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unreachable_provider_is_reported_and_the_others_are_checked() {
    let provider = ScriptedProvider::start(Protocol::OpenAi, Script::always(Turn::say(GOOD)))
        .await
        .unwrap();
    let closed = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let run = check(
        config(&[at("gone", &closed), at("there", provider.base_url())]),
        &[],
    )
    .await;
    assert_eq!(run.status, 3, "{run:?}");
    assert!(
        run.stdout
            .contains("   reachable          no: the connection to the provider failed\n"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("check base_url") && run.stdout.contains("\n2. there (openai"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.ends_with("1 of 2 usable\n"), "{}", run.stdout);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_structured_output_a_readable_reply_is_accepted() {
    let turn = Turn::Fail(FaultKind::ProseAroundText, GOOD.to_owned());
    let (run, model, text) = check_one(turn, "structured_output = false").await;
    assert_eq!(
        (run.status, &model["structuredOutput"], &model["advice"]),
        (0, &Value::Null, &json!([])),
        "{run:?}"
    );
    assert!(
        text.contains("structured output  switched off; the reply could be read"),
        "{text}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn no_model_and_invalid_settings_are_wrong_usage() {
    for (config, wanted) in [
        ("", "no model is configured: add [[llm.models]]"),
        ("[llm]\ncache = true\n", "no model; add [[llm.models]]"),
        (
            "[[llm.models]]\nmodel = 'm'\n", "llm.models.0.protocol: missing",
        ),
        (
            &config(&[at("m", "ftp://x")]),
            "llm.models.0.base_url: expected",
        ),
    ] {
        let run = check(config.to_owned(), &[]).await;
        assert_eq!(
            (run.status, run.stdout.as_str()),
            (2, ""),
            "{config}: {run:?}"
        );
        assert!(run.stderr.contains(wanted), "{wanted}: {}", run.stderr);
    }
}

/// A configuration file with one model at this address, with a key only from these lines.
fn without_key(base_url: &str, lines: &str) -> String {
    format!(
        "[[llm.models]]\n{}\ncontext_window = 32000\nmax_output_tokens = 2000\n{lines}\n",
        at("m", base_url)
    )
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_credential_command_provides_the_key_and_is_named_if_it_fails() {
    let provider = ScriptedProvider::start(Protocol::OpenAi, Script::always(Turn::say(GOOD)))
        .await
        .unwrap();
    let good = without_key(
        provider.base_url(),
        "credential_command = ['echo', '{\"token\": \"from-a-command\"}']",
    );
    let run = check(good, &["--json"]).await;
    assert_eq!(
        (run.status, steps(&run.json()["models"][0])),
        (0, json!([true, true, true, true, true])),
        "{run:?}"
    );
    let requests = provider.requests();
    assert_eq!(
        requests[0].header("authorization"),
        Some("Bearer from-a-command")
    );

    let bad = without_key(
        provider.base_url(),
        "credential_command = ['sh', '-c', 'echo s3cret; exit 7']",
    );
    let run = check(bad.clone(), &["--json"]).await;
    let model = run.json()["models"][0].clone();
    assert_eq!(
        (run.status, steps(&model)),
        (3, json!([null, false, null, null, null])),
        "{run:?}"
    );
    assert_eq!(
        model["error"],
        "no key: credential_command ended with status 7 (sh)"
    );
    let text = check(bad, &[]).await;
    let expected = "key accepted       no: no key: credential_command ended with status 7 (sh)\n";
    assert!(
        text.stdout.contains(expected) && text.stdout.contains("run credential_command by hand"),
        "{}",
        text.stdout
    );
    assert!(
        ![&run.stdout, &run.stderr, &text.stdout, &text.stderr]
            .iter()
            .any(|stream| stream.contains("s3cret"))
    );
    assert_eq!(provider.requests().len(), 1, "no request without a key");
}

#[tokio::test(flavor = "multi_thread")]
async fn extra_parameters_reach_the_provider_unless_they_have_settings() {
    let provider = ScriptedProvider::start(Protocol::OpenAi, Script::always(Turn::say(GOOD)))
        .await
        .unwrap();
    let with = |extra: &str| without_key(provider.base_url(), extra);
    let table = "reasoning = 'low'\n[llm.models.extra_body]\ntop_k = 20\n[llm.models.extra_body.provider]\norder = ['a', 'b']";
    for lines in [
        table,
        "reasoning = 'low'\nextra_body = { top_k = 20, provider = { order = ['a', 'b'] } }",
    ] {
        assert_eq!(check(with(lines), &[]).await.status, 0);
        let body = provider.requests().pop().unwrap().body;
        assert_eq!(
            (&body["top_k"], &body["provider"]),
            (&json!(20), &json!({"order": ["a", "b"]})),
            "{body}"
        );
        assert_eq!(
            (&body["reasoning_effort"], &body["stream"]),
            (&json!("low"), &json!(true)),
            "{body}"
        );
    }
    for (lines, wanted) in [
        (
            "extra_body = { messages = [] }",
            "m: extra_body: /messages cannot be set here because it comes from the prompt",
        ),
        (
            "extra_body = { response_format = 'x' }",
            "extra_body: /response_format cannot be set here",
        ),
        (
            "extra_body = 5",
            "llm.models.0.extra_body: expected a table",
        ),
        (
            "reasoning = 'much'",
            "llm.models.0.reasoning: expected one of \"none\"",
        ),
        (
            "credential_command = []",
            "llm.models.0.credential_command: expected a program",
        ),
        (
            "credential_command = ['x']\napi_key = 'k'",
            "api_key and credential_command: keep one of the two",
        ),
    ] {
        let run = check(with(lines), &[]).await;
        assert_eq!(run.status, 2, "{lines}: {run:?}");
        assert!(run.stderr.contains(wanted), "{wanted}: {}", run.stderr);
    }
}
