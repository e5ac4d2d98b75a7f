//! `hunkwise review --show-prompt` and `--estimate`: previews of prompts and cost without sending anything.

use llm::Protocol;
use llm::testing::{Script, ScriptedProvider, Turn};
use serde_json::json;

use crate::support::{Folder, GOOD, Run};

/// A change with a rule finding on its first line and a secret on its second.
const CHANGED: &str = "def add(item, basket=[]):\n    token = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'\n    return basket + [item]\n";
const GUIDELINES: &str =
    "guidelines = \"\"\"\nBaskets are shared between threads.\nNever call them carts.\n\"\"\"\n";

struct Setting {
    folder: Folder,
    provider: ScriptedProvider,
}

impl Setting {
    async fn new(files: &[(&str, &str)], settings: &str) -> Self {
        let script = Script::answering(|request| {
            Turn::say(if request.later.is_empty() {
                r#"{"findings": []}"#
            } else {
                r#"{"kept": [{"candidate": "R1"}]}"#
            })
        });
        let provider = ScriptedProvider::start(Protocol::OpenAi, script)
            .await
            .unwrap();
        let folder = Folder::repository(&[&[("a.py", GOOD)], files].concat());
        folder.write("a.py", CHANGED);
        let config = format!(
            "[llm]\n{settings}\n[[llm.models]]\nprotocol = 'openai'\nmodel = 'm'\nbase_url = '{}'\n\
             context_window = 32000\nmax_output_tokens = 2000\n",
            provider.base_url()
        );
        folder.write(".git/llm.toml", config);
        Self { folder, provider }
    }

    /// Runs `hunkwise review` with these arguments.
    fn review(&self, arguments: &[&str]) -> Run {
        let arguments = [&["--config", ".git/llm.toml", "review"], arguments].concat();
        tokio::task::block_in_place(|| self.folder.hunkwise(&arguments))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn shown_prompts_equal_sent_ones_and_previews_send_nothing() {
    let setting = Setting::new(&[(".hunkwise.toml", GUIDELINES)], "").await;
    let shown = setting.review(&["--show-prompt", "--format", "json"]);
    assert_eq!(
        (shown.status, setting.provider.connections()),
        (0, 0),
        "{shown:?}"
    );
    let review = setting.review(&["--format", "json"]);
    assert_eq!(review.status, 0, "{review:?}");
    let mut sent: Vec<_> = setting
        .provider
        .requests()
        .into_iter()
        .map(|sent| (sent.system, sent.user, sent.later))
        .collect();
    sent.sort();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let shown = shown.json();
    let prompts = shown["prompts"].as_array().unwrap();
    let mut prompts: Vec<_> = prompts
        .iter()
        .map(|prompt| {
            let later = prompt["later"].as_array().unwrap().iter();
            let later = later.flat_map(|turn| [text(&turn["answer"]), text(&turn["user"])]);
            (
                text(&prompt["system"]),
                text(&prompt["user"]),
                later.collect::<Vec<_>>(),
            )
        })
        .collect();
    prompts.sort();
    assert_eq!(prompts, sent);
    assert_eq!(
        prompts.len(),
        2,
        "the model decides on the finding of the rule"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_text_format_has_the_system_prompt_the_hints_and_the_masked_change() {
    let setting = Setting::new(&[(".hunkwise.toml", GUIDELINES)], "").await;
    let shown = setting.review(&["--show-prompt"]);
    assert_eq!(
        (shown.status, setting.provider.connections()),
        (0, 0),
        "{shown:?}"
    );
    for part in [
        "===== prompt 1 of 2: system =====\nYou review a code change",
        "===== prompt 1 of 2: user =====\n<data ",
        "===== prompt 2 of 2: user =====\n# Your task now: ",
        "Guidelines of the owners of this code\nBaskets are shared between threads.\nNever call them carts.\n",
        "- R1 a.py NEW:1 ",
        "NEW:2 +    token = 'ghp_…'",
    ] {
        assert!(shown.stdout.contains(part), "{part}: {}", shown.stdout);
    }
    assert!(!shown.stdout.contains("16C7e42F"), "{}", shown.stdout);
    assert!(
        shown.stderr.contains("note: nothing was sent\n"),
        "{}",
        shown.stderr
    );
    assert!(
        shown
            .stderr
            .contains("note: m would be called 2 times: about "),
        "{}",
        shown.stderr
    );
    let without = setting.review(&["--show-prompt", "--no-project-config"]);
    assert!(
        !without.stdout.contains("Baskets are shared"),
        "{}",
        without.stdout
    );
    let into = setting.review(&["--show-prompt", "--output", "prompt.txt"]);
    assert_eq!((into.status, into.stdout.as_str()), (0, ""), "{into:?}");
    assert_eq!(
        std::fs::read_to_string(setting.folder.path().join("prompt.txt")).unwrap(),
        shown.stdout
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn chunks_beyond_the_budget_are_reported() {
    let setting = Setting::new(&[], "review_tokens = 100").await;
    let shown = setting.review(&["--show-prompt"]);
    assert_eq!((shown.status, shown.stdout.as_str()), (0, ""), "{shown:?}");
    assert!(shown.stderr.contains("note: a.py: "), "{}", shown.stderr);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_change_there_is_no_prompt() {
    let setting = Setting::new(&[], "").await;
    setting.folder.write("a.py", GOOD);
    let shown = setting.review(&["--show-prompt", "--format", "json"]);
    assert_eq!(
        (shown.status, shown.json()),
        (0, json!({ "prompts": [] })),
        "{shown:?}"
    );
    assert!(
        shown.stderr.contains("nothing would be sent"),
        "{}",
        shown.stderr
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_model_or_with_a_service_it_is_wrong_usage() {
    let folder = Folder::repository(&[("a.py", GOOD)]);
    let run = folder.hunkwise(&["review", "--show-prompt"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{run:?}");
    assert!(
        run.stderr.contains("no model is configured"),
        "{}",
        run.stderr
    );
    let run = folder.review(&[
        "--show-prompt", "--server", "http://127.0.0.1:1", "--organization", "o",
    ]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("cannot be used with"), "{}", run.stderr);
}

#[tokio::test(flavor = "multi_thread")]
async fn too_long_guidelines_are_rejected_with_their_place() {
    let long = format!("ignore = []\nguidelines = '{}'\n", "x".repeat(8_193));
    let setting = Setting::new(&[(".hunkwise.toml", &long)], "").await;
    let run = setting.review(&[]);
    assert_eq!(
        (run.status, setting.provider.connections()),
        (2, 0),
        "{run:?}"
    );
    assert!(
        run.stderr
            .contains(".hunkwise.toml:2:14: `guidelines`: 8193 bytes are too many"),
        "{}",
        run.stderr
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_estimate_names_calls_tokens_and_cost_and_sends_nothing() {
    let setting = Setting::new(&[], "").await;
    let priced = setting.folder.path().join(".git/llm.toml");
    let config = std::fs::read_to_string(&priced).unwrap();
    std::fs::write(
        &priced,
        config + "price_input_per_million = 1000\nprice_output_per_million = 2000\n",
    )
    .unwrap();
    let run = setting.review(&["--estimate", "--format", "json"]);
    assert_eq!(
        (run.status, setting.provider.connections()),
        (0, 0),
        "{run:?}"
    );
    let estimate = &run.json()["estimate"];
    assert_eq!(
        (&estimate["model"], &estimate["calls"]),
        (&json!("m"), &json!(2)),
        "{estimate}"
    );
    let (sent, received) = (
        estimate["promptTokens"].as_u64().unwrap(),
        estimate["maxCompletionTokens"].as_u64(),
    );
    assert_eq!(received, Some(4_000), "{estimate}");
    let cost = estimate["maxCost"].as_f64().unwrap();
    assert!(
        (cost - (sent as f64 / 1_000.0 + 8.0)).abs() < 1e-9,
        "{estimate}"
    );
    let text = setting.review(&["--estimate"]);
    let start = format!(
        "m would be called 2 times: about {sent} tokens sent, at most 4000 received, at most "
    );
    assert!(text.stdout.starts_with(&start), "{text:?}");

    // The review sends about as much as estimated.
    assert_eq!(setting.review(&[]).status, 0);
    let requests = setting.provider.requests();
    let bytes: usize = requests
        .iter()
        .map(|request| request.system.len() + request.user.len())
        .sum();
    let bytes = bytes as u64;
    assert!(
        (bytes / 6..bytes).contains(&sent),
        "{sent} tokens for {bytes} bytes"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_estimate_above_the_budget_has_a_warning() {
    let setting = Setting::new(&[], "review_tokens = 100").await;
    let run = setting.review(&["--estimate"]);
    assert_eq!(
        (run.status, setting.provider.connections()),
        (0, 0),
        "{run:?}"
    );
    assert!(
        run.stdout.contains("llm.review_tokens allows 100 tokens"),
        "{run:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_estimate_without_a_model_or_a_change_is_zero() {
    let folder = Folder::repository(&[("a.py", GOOD)]);
    folder.write("a.py", CHANGED);
    let run = folder.hunkwise(&["review", "--estimate"]);
    assert_eq!(
        (run.status, run.stdout.contains("no tokens are used")),
        (0, true),
        "{run:?}"
    );
    let json = folder
        .hunkwise(&["review", "--estimate", "--format", "json"])
        .json();
    assert_eq!(
        (&json["estimate"]["model"], &json["estimate"]["calls"]),
        (&json!(null), &json!(0)),
        "{json}"
    );

    let setting = Setting::new(&[], "").await;
    setting.folder.write("a.py", GOOD);
    let run = setting.review(&["--estimate"]);
    assert_eq!(
        (run.status, run.stdout.starts_with("m would not be called")),
        (0, true),
        "{run:?}"
    );
    for other in [
        &["--server", "http://127.0.0.1:1", "--organization", "o"][..],
        &["--show-prompt"],
        &["--fix"],
    ] {
        let run = setting.review(&[&["--estimate"], other].concat());
        assert_eq!(
            (run.status, run.stderr.contains("cannot be used with")),
            (2, true),
            "{run:?}"
        );
    }
    let run = setting.review(&["--estimate", "--format", "sarif"]);
    assert_eq!(
        (
            run.status,
            run.stderr
                .contains("--estimate: expected a single --format")
        ),
        (2, true),
        "{run:?}"
    );
}
