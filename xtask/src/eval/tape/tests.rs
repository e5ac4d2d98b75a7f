//! Recorded answers are replayed, and nothing but answers is recorded.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_executor::block_on;
use futures_util::future::BoxFuture;
use llm::{Call, CallError, ChatModel, Finish, Prompt, Protocol, Reply, Schema, Window};
use review::TokenUsage;

use super::{Meter, Missing, Player, Questions, Recorder, Spent};

const WINDOW: Window = Window {
    context: 1_000,
    output: 100,
};

/// Returns another answer each time.
#[derive(Default)]
struct Counting(AtomicUsize);

impl ChatModel for Counting {
    fn name(&self) -> &str {
        "counting"
    }

    fn window(&self) -> Window {
        WINDOW
    }

    fn complete<'a>(&'a self, _: &'a Prompt) -> BoxFuture<'a, Result<Reply, CallError>> {
        let text = format!("answer {}", self.0.fetch_add(1, Ordering::Relaxed));
        let usage = TokenUsage {
            prompt_tokens: 100,
            completion_tokens: 7,
            total_tokens: 107,
            estimated: false,
        };
        let reply = Reply {
            text,
            finish: Finish::Length,
            usage,
            cached_tokens: 0,
            model: "counting".into(),
        };
        Box::pin(async move { Ok(reply) })
    }
}

fn prompt(user: &str) -> Prompt {
    let schema = Arc::new(Schema {
        name: "list",
        json: serde_json::json!({}),
    });
    Prompt {
        system: Cow::Borrowed("be brief"),
        user: user.to_owned(),
        later: Vec::new(),
        schema,
        max_output_tokens: 10,
    }
}

fn questions() -> Questions {
    Questions::new(Protocol::OpenAi, "counting")
}

fn ask(model: &dyn ChatModel, asker: &str, user: &str) -> Result<String, CallError> {
    block_on(model.complete_for(&Call::new(asker, 0), &prompt(user))).map(|reply| reply.text)
}

fn recorder(folder: &tempfile::TempDir) -> Recorder {
    Recorder::new(
        Arc::new(Counting::default()),
        folder.path().to_owned(),
        questions(),
    )
    .unwrap()
}

fn player(folder: &tempfile::TempDir, missing: Missing) -> Player {
    Player::new(folder.path().to_owned(), questions(), WINDOW, missing).unwrap()
}

#[test]
fn a_repeated_prompt_has_two_answers_on_the_tape() {
    let folder = tempfile::tempdir().unwrap();
    let recorder = recorder(&folder);
    let answers: Vec<_> = ["a", "a", "b"]
        .map(|user| ask(&recorder, "ours x", user).unwrap())
        .into();
    assert_eq!(answers, ["answer 0", "answer 1", "answer 2"]);
    let player = player(&folder, Missing::Fail);
    assert_eq!(
        ["b", "a", "a"].map(|user| ask(&player, "ours x", user).unwrap()),
        ["answer 2", "answer 0", "answer 1"]
    );
    let reply = block_on(player.complete_for(&Call::new("ours x", 0), &prompt("c")));
    assert_eq!(reply, Err(CallError::Refused(404)));
    assert_eq!(
        player
            .check()
            .err()
            .map(|error| error.ends_with(": ours x")),
        Some(true)
    );
}

#[test]
fn a_reply_round_trips() {
    let folder = tempfile::tempdir().unwrap();
    let call = Call::new("ours x", 0);
    let recorded = block_on(recorder(&folder).complete_for(&call, &prompt("a"))).unwrap();
    let replayed =
        block_on(player(&folder, Missing::Fail).complete_for(&call, &prompt("a"))).unwrap();
    assert_eq!(replayed, recorded);
}

#[test]
fn a_recording_continues_where_it_ended() {
    let folder = tempfile::tempdir().unwrap();
    ask(&recorder(&folder), "ours x", "a").unwrap();
    let again = recorder(&folder);
    assert_eq!(
        ["a", "b"].map(|user| ask(&again, "ours x", user).unwrap()),
        ["answer 0", "answer 0"]
    );
    assert_eq!(again.fault(), None);
}

#[test]
fn missing_answers_are_skipped_or_taken_from_the_same_item() {
    let folder = tempfile::tempdir().unwrap();
    ask(&recorder(&folder), "ours x", "a").unwrap();
    let skipping = player(&folder, Missing::Skip);
    assert!(ask(&skipping, "ours x", "other").is_err());
    assert_eq!((skipping.check(), skipping.lost().len()), (Ok(()), 1));
    let lenient = player(&folder, Missing::Item);
    assert_eq!(ask(&lenient, "ours x", "other").unwrap(), "answer 0");
    assert!(ask(&lenient, "ours x", "a second one").is_err());
    assert!(lenient.check().unwrap_err().contains("ours x"));
}

#[test]
fn names_are_deterministic_and_depend_on_the_whole_request() {
    let name = |model: &str, asker: &str, user: &str| {
        Questions::new(Protocol::OpenAi, model)
            .next(asker, &prompt(user))
            .name
    };
    assert_eq!(name("m", "ours x", "a"), name("m", "ours x", "a"));
    let others = [
        name("n", "ours x", "a"),
        name("m", "ours y", "a"),
        name("m", "ours x", "b"),
    ];
    assert!(
        others
            .iter()
            .all(|other| *other != name("m", "ours x", "a"))
    );
}

#[test]
fn no_prompt_and_no_key_is_on_the_tape() {
    let folder = tempfile::tempdir().unwrap();
    ask(&recorder(&folder), "ours x", "the secret sk-12345").unwrap();
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let fields: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(&text).unwrap();
        let names: BTreeSet<&str> = fields.keys().map(String::as_str).collect();
        assert_eq!(names, ["asker", "cut", "number", "text", "usage"].into());
        assert!(
            !text.contains("sk-12345") && !text.contains("be brief"),
            "{text}"
        );
    }
}

#[test]
fn calls_and_tokens_are_counted_by_asker() {
    let meter = Meter::new(Arc::new(Counting::default()));
    for asker in ["ours x", "ours x", "ours y"] {
        ask(&meter, asker, "a").unwrap();
    }
    assert_eq!(
        meter.spent("ours x"),
        Spent {
            calls: 2,
            sent: 200,
            received: 14
        }
    );
    assert_eq!(
        meter.spent("ours y"),
        Spent {
            calls: 1,
            sent: 100,
            received: 7
        }
    );
}
