//! Keys from files and commands.

use std::fs;
use std::path::Path;

use super::*;
use crate::model::CredentialError;
use crate::testing::Request;

/// The key of a request to an OpenAI provider.
fn key(request: &Request) -> String {
    request
        .header("authorization")
        .unwrap_or_default()
        .trim_start_matches("Bearer ")
        .to_owned()
}

/// Accepts only one key.
fn taking(good: &'static str) -> Script {
    Script::answering(move |request| {
        if key(request) == good {
            Turn::say(TEXT)
        } else {
            Turn::Fail(FaultKind::WrongKey, String::new())
        }
    })
}

#[tokio::test]
async fn a_key_in_a_file_is_read_again_when_the_file_changes() {
    let provider = ScriptedProvider::start(Protocol::OpenAi, Script::always(Turn::say(TEXT)))
        .await
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("key");
    fs::write(&file, "first\n").unwrap();
    let settings = ModelSettings {
        api_key: Some(Key::new("first")),
        api_key_file: Some(file.clone()),
        ..provider.settings()
    };
    let model = HttpModel::new(&settings, LONG).unwrap();
    model.complete(&prompt()).await.unwrap();
    for change in ["the second\n", "", "third one"] {
        fs::write(&file, change.replace(' ', "-")).unwrap();
        model.complete(&prompt()).await.unwrap();
    }
    fs::remove_file(&file).unwrap();
    model.complete(&prompt()).await.unwrap();
    let keys: Vec<_> = provider.requests().iter().map(key).collect();
    assert_eq!(
        keys,
        [
            "first", "the-second", "the-second", "third-one", "third-one"
        ]
    );
}

/// A command that prints `output`, with the number of the run in place of `#`. The file counts its runs.
#[cfg(unix)]
fn command(runs: &Path, output: &str) -> Vec<String> {
    let script = format!(
        "n=$(cat '{0}' 2>/dev/null || echo 0); n=$((n + 1)); echo $n > '{0}'; printf '%s' '{1}' | sed \"s/#/$n/\"",
        runs.display(),
        output
    );
    ["sh", "-c", &script].map(str::to_owned).to_vec()
}

/// Advances the clock. It runs again afterwards, because sockets need it.
#[cfg(unix)]
async fn advance(seconds: u64) {
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(seconds)).await;
    tokio::time::resume();
}

#[cfg(unix)]
fn commanded(provider: &ScriptedProvider, command: Vec<String>) -> HttpModel {
    let settings = ModelSettings {
        api_key: None,
        credential_command: command,
        ..provider.settings()
    };
    HttpModel::new(&settings, LONG).unwrap()
}

#[cfg(unix)]
#[tokio::test]
async fn a_key_from_a_command_is_used_until_shortly_before_it_expires() {
    let provider = ScriptedProvider::start(Protocol::OpenAi, Script::always(Turn::say(TEXT)))
        .await
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let output = r#"{"access_token": "key-#", "expires_in": 3600}"#;
    let model = commanded(&provider, command(&folder.path().join("runs"), output));
    for seconds in [0, 3_500, 50] {
        advance(seconds).await;
        model.complete(&prompt()).await.unwrap();
    }
    let keys: Vec<_> = provider.requests().iter().map(key).collect();
    assert_eq!(keys, ["key-1", "key-1", "key-2"]);
}

#[cfg(unix)]
#[tokio::test]
async fn a_command_is_run_again_once_when_its_key_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    let provider = ScriptedProvider::start(Protocol::OpenAi, taking("key-2"))
        .await
        .unwrap();
    let model = commanded(&provider, command(&runs, "key-#"));
    let asked = [prompt(), prompt(), prompt()];
    let replies = join_all(asked.iter().map(|prompt| model.complete(prompt))).await;
    assert!(replies.iter().all(Result::is_ok), "{replies:?}");
    assert_eq!(
        fs::read_to_string(&runs).unwrap().trim(),
        "2",
        "concurrent calls share a run"
    );

    let provider = ScriptedProvider::start(Protocol::OpenAi, taking("another"))
        .await
        .unwrap();
    let model = commanded(&provider, command(&runs, "key-#"));
    assert_eq!(model.complete(&prompt()).await, Err(CallError::Key(401)));
    assert_eq!(provider.requests().len(), 2);
}

#[cfg(unix)]
#[tokio::test]
async fn a_command_without_a_key_fails_with_the_reason() {
    let provider = ScriptedProvider::start(Protocol::OpenAi, Script::always(Turn::say(TEXT)))
        .await
        .unwrap();
    for (script, error) in [
        ("echo s3cret; exit 3", CredentialError::Status(Some(3))),
        ("kill -9 $$", CredentialError::Status(None)),
        ("exit 0", CredentialError::NoKey),
        ("echo two words", CredentialError::NoKey),
        ("yes", CredentialError::TooLong),
    ] {
        let model = commanded(&provider, ["sh", "-c", script].map(str::to_owned).to_vec());
        let got = model.complete(&prompt()).await.unwrap_err();
        assert_eq!(got, CallError::Credential(error), "{script}");
        assert!(!format!("{got} {got:?}").contains("s3cret"));
    }
    let model = commanded(&provider, vec!["/no/such/program".to_owned()]);
    assert_eq!(
        model.complete(&prompt()).await,
        Err(CallError::Credential(CredentialError::NotStarted))
    );
    assert_eq!(
        provider.requests().len(),
        0,
        "a call without a key is not made"
    );
}

#[cfg(unix)]
#[tokio::test]
async fn a_command_that_failed_is_not_rerun_for_a_while() {
    let provider = ScriptedProvider::start(Protocol::OpenAi, Script::always(Turn::say(TEXT)))
        .await
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    let model = commanded(&provider, command(&runs, "no key #"));
    for _ in 0..3 {
        model.complete(&prompt()).await.unwrap_err();
    }
    assert_eq!(fs::read_to_string(&runs).unwrap().trim(), "1");
    advance(11).await;
    model.complete(&prompt()).await.unwrap_err();
    assert_eq!(fs::read_to_string(&runs).unwrap().trim(), "2");
}
