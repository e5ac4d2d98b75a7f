//! `review_diff` with other files of the repository, into which a language model may look.

use llm::Protocol;
use llm::testing::{Request, Script, ScriptedProvider, Turn};
use serde_json::{Value, json};

use crate::session::{BAD, Session, added, text};

const CARDS: &str = "def charge_card(order, cents):\n    return cents\n";

/// A model with a candidate that depends on `charge_card`. It looks up its definition, and keeps the candidate.
fn model(request: &Request) -> Turn {
    let candidate = json!({ "file": "a.py", "line": "NEW:1", "quote": "", "summary": "The amount may be absent.",
        "depends_on": ["`charge_card`"] });
    let answer = match request.later.len() {
        0 => json!({ "findings": [candidate] }),
        _ if request
            .later
            .iter()
            .any(|text| text.contains("def charge_card")) =>
        {
            json!({ "kept": [{ "candidate": "1", "evidence": "`charge_card` returns `cents`." }], "dropped": [] })
        }
        _ if request
            .later
            .last()
            .is_some_and(|text| text.contains("look-ups")) =>
        {
            json!({ "lookups": [{ "kind": "definition", "argument": "charge_card" }] })
        }
        _ => json!({ "kept": [], "dropped": [{ "candidate": "1", "reason": "It is not known." }] }),
    };
    Turn::say(answer.to_string())
}

/// The results of calls of `review_diff`.
async fn review(calls: Vec<Value>) -> Vec<Value> {
    let provider = ScriptedProvider::start(Protocol::OpenAi, Script::answering(model)).await;
    let provider = provider.unwrap();
    let url = provider.base_url().to_owned();
    let work = tokio::task::spawn_blocking(move || {
        let folder = tempfile::tempdir().unwrap();
        let config = format!(
            "[[llm.models]]\nprotocol = 'openai'\nmodel = 'm'\nbase_url = '{url}'\ncontext_window = 64000\nmax_output_tokens = 2000\n"
        );
        std::fs::write(folder.path().join("a.toml"), config).unwrap();
        // It is not among the files that a client sends.
        std::fs::write(folder.path().join("cards.py"), CARDS).unwrap();
        let mut session = Session::start(folder.path(), &["--config", "a.toml"]);
        session.initialize(None);
        let calls = calls.into_iter();
        calls
            .map(|arguments| session.call("review_diff", arguments))
            .collect()
    });
    work.await.unwrap()
}

/// The references of the model's findings.
fn references(result: &Value) -> Vec<&Value> {
    let findings = result["structuredContent"]["findings"].as_array().unwrap();
    let of_model = findings.iter().filter(|one| one["ruleId"].is_null());
    of_model.map(|one| &one["references"]).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_looks_into_the_files_of_the_call_and_no_others() {
    let diff = added("a.py", BAD);
    let cards = json!([{ "path": "lib/cards.py", "content": CARDS }]);
    let results = review(vec![
        json!({ "diff": diff, "contextFiles": cards }),
        json!({ "diff": diff }),
        json!({ "diff": diff, "contextFiles": [] }),
        json!({ "diff": diff, "contextFiles": [{ "path": ".env", "content": CARDS }] }),
    ])
    .await;
    let expected = json!([{ "filePath": "lib/cards.py", "lineNumber": 1 }]);
    assert_eq!(references(&results[0]), [&expected], "{}", results[0]);
    for without in &results[1..] {
        assert!(references(without).is_empty(), "{without}");
    }
}

#[test]
fn invalid_context_files_are_refused_with_their_place() {
    let file = |path: &str| json!({ "path": path, "content": "x" });
    let large = |path: &str| json!({ "path": path, "content": "x".repeat(3 << 20) });
    let many: Vec<Value> = (0..401).map(|at| file(&format!("{at}.py"))).collect();
    let mut session = Session::begun();
    for (files, why) in [
        (json!("a.py"), "invalid type"),
        (json!([{ "path": "b.py" }]), "missing field `content`"),
        (
            json!([{ "path": "b.py", "content": "", "mode": 1 }]),
            "unknown field `mode`",
        ),
        (
            json!([file("b.py"), file("../c.py")]),
            "contextFiles/1/path: must be relative",
        ),
        (
            json!([file("/c.py")]),
            "contextFiles/0/path: must be relative",
        ),
        (
            json!([file("a.py")]),
            "contextFiles/0/path: is the path of a file of the diff",
        ),
        (
            json!([file("b.py"), file("b.py")]),
            "contextFiles/1/path: is the path of an earlier context file",
        ),
        (
            json!([large("b.py"), large("c.py")]),
            "contextFiles/1/content: paths and contents",
        ),
        (json!(many), "contextFiles/400: there may be at most 400"),
    ] {
        let arguments = json!({ "diff": added("a.py", BAD), "contextFiles": files });
        let refused = session.refused("review_diff", arguments);
        assert!(refused.contains(why), "{why}: {refused}");
    }
    let none = session.call(
        "review_diff",
        json!({ "diff": added("a.py", BAD), "contextFiles": null }),
    );
    assert_eq!(none["isError"], false, "{}", text(&none));
}
