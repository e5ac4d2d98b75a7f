//! A review by a real model server, llama.cpp's, with an untrained model. The wire format and the schema are real, and
//! the nonsense of the model must be counted and dropped without breaking anything.

mod gguf;

use std::fs::{File, read_to_string};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use serde_json::json;

use crate::support::{Folder, GOOD};

/// Longer than the server takes to load a model of half a megabyte; only a failing test waits this long.
const TIMEOUT: Duration = Duration::from_secs(60);
const SERVE: &str = include_str!("llama/serve.py");
/// A P2 finding of a rule on the second line, and a security finding on the third.
const CHANGED: &str = "import subprocess\ndef add(item, basket=[]):\n    subprocess.run('ls ' + item, shell=True)\n    return basket + [item]\n";

/// A model server on this machine, stopped on drop.
struct Llama {
    url: String,
    child: Child,
    /// The server ends when it is closed.
    _stdin: Option<ChildStdin>,
}

impl Llama {
    /// Starts a server; `None` if it is not installed.
    fn start(folder: &Folder) -> Option<Self> {
        let python = python()?;
        let model = folder.write("tiny.gguf", gguf::tiny_llama());
        let mut command = Command::new(python);
        command
            .args(["-c", SERVE])
            .arg(model)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let log = folder.path().join("llama.log");
        let mut child = command.stderr(File::create(&log).unwrap()).spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take().unwrap());
        let mut llama = Self {
            url: String::new(),
            child,
            _stdin: stdin,
        };
        let (sender, lines) = mpsc::channel();
        // Its output must be drained.
        std::thread::spawn(move || {
            BufReader::new(stdout)
                .lines()
                .map_while(Result::ok)
                .for_each(|line| drop(sender.send(line)))
        });
        llama.url = loop {
            let line = lines.recv_timeout(TIMEOUT);
            let line = line.unwrap_or_else(|why| {
                panic!("{why}: {}", read_to_string(&log).unwrap_or_default())
            });
            if let Some(url) = line.strip_prefix("listening on ") {
                break url.to_owned();
            }
        };
        Some(llama)
    }
}

impl Drop for Llama {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _reaped = self.child.wait();
    }
}

/// The Python installation with the server.
#[expect(
    clippy::disallowed_methods,
    reason = "the test environment is configured with variables"
)]
fn python() -> Option<String> {
    let python = std::env::var("LLAMA_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let found = Command::new(&python)
        .args(["-c", "import xllamacpp"])
        .stderr(Stdio::null())
        .status();
    if found.is_ok_and(|status| status.success()) {
        return Some(python);
    }
    let required = std::env::var("REQUIRE_LLAMA").is_ok_and(|value| value == "1");
    assert!(
        !required,
        "REQUIRE_LLAMA is set, but {python} lacks xllamacpp"
    );
    // Bypasses the test runner's capture, so that a skipped test does not look like one that passed.
    let mut stderr = std::io::stderr();
    writeln!(
        stderr,
        "SKIPPED: llama.cpp's server is not installed (pip install xllamacpp; LLAMA_PYTHON)"
    )
    .unwrap();
    None
}

fn config(url: &str) -> String {
    format!(
        "[llm]\nreview_tokens = 1000000\n[[llm.models]]\nprotocol = 'openai'\nmodel = 'tiny'\n\
         base_url = '{url}'\ncontext_window = 32768\nmax_output_tokens = 1000\nstructured_output = true\n"
    )
}

#[test]
fn nonsense_from_a_real_model_server_is_counted_and_dropped() {
    let folder = Folder::repository(&[("a.py", GOOD)]);
    let Some(llama) = Llama::start(&folder) else {
        return;
    };
    folder.write("a.py", CHANGED);
    folder.write("llm.toml", config(&llama.url));

    let check = folder.hunkwise(&["config", "check", "--config", "llm.toml", "--json"]);
    let model = &check.json()["models"][0];
    assert_eq!(
        (
            check.status, &model["structuredOutput"], &model["usageReported"]
        ),
        (0, &json!(true), &json!(true)),
        "{check:?}"
    );

    let run = folder.hunkwise(&[
        "--config", "llm.toml", "review", "--no-untracked", "--format", "json", "--fail-on",
        "never",
    ]);
    assert_eq!(run.status, 0, "{run:?}");
    let body = run.json();
    assert_eq!(
        body["metadata"]["engines"],
        json!(["rules", "model"]),
        "{body}"
    );
    let usage = &body["metadata"]["tokenUsage"];
    assert_eq!(usage["estimated"], json!(false), "{body}");
    // A token of this model is one byte.
    assert!(
        usage["promptTokens"].as_u64() > Some(4_000)
            && usage["completionTokens"].as_u64() > Some(100),
        "{body}"
    );
    assert!(
        !run.findings().iter().any(|finding| finding.ends_with(' ')),
        "no finding of the model has a place: {body}"
    );
    assert!(
        run.findings()
            .iter()
            .any(|finding| finding.starts_with("a.py:3 ")),
        "the findings of the rules remain: {body}"
    );
    assert!(
        run.warnings().contains(&"FINDINGS_UNANCHORED -".to_owned()),
        "{body}"
    );
    // Nonsense is dropped and counted, or changes the confidence of a finding.
    let is_known =
        |warning: &str| warning.starts_with("FINDINGS_") || warning == "FILE_PARTLY_ANALYZED a.py";
    assert!(
        run.warnings().iter().all(|warning| is_known(warning)),
        "{body}"
    );
}

/// The demo reviews its sample through the service's own HTTP API, with the configured models.
#[test]
fn the_service_works_with_a_real_model_server() {
    let folder = Folder::new();
    let Some(llama) = Llama::start(&folder) else {
        return;
    };
    folder.write("llm.toml", config(&llama.url));
    let run = folder.hunkwise(&[
        "--config", "llm.toml", "serve", "--demo", "--exit", "--bind", "127.0.0.1:0",
    ]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.stdout.contains("FINDINGS_UNANCHORED"), "{run:?}");
}
