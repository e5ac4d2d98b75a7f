//! Checks every example in the documentation as printed. Scripts that can run here are run, configurations and rules
//! are read by the program, and the others are checked for syntax and valid command lines. A new example must be in one
//! of these groups.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;

use crate::pipelines::recipes::{blocks, commands, runs_hunkwise};
use crate::pipelines::top;
use crate::support::{BAD, Folder, GOOD, Run, finish};

/// Blocks that belong to other programs, or that other tests run or compare: the page, the start of the block, and why
/// it is not checked here.
const ELSEWHERE: &[(&str, &str, &str)] = &[
    (
        "docs/clients.md",
        "from hunkwise_client",
        "an excerpt of clients/python/example.py, which runs against the service",
    ),
    (
        "docs/clients.md",
        "import { client }",
        "an excerpt of clients/typescript/example.ts, which runs against the service",
    ),
    (
        "docs/editors.md",
        "vim.lsp.config",
        "Neovim's configuration; the test of the language server runs one like it",
    ),
    (
        "docs/output.md", "::error", "compared with the format's output",
    ),
    (
        "docs/output.md", "## Hunkwise", "compared with the format's output",
    ),
    (
        "docs/output.md", "<?xml", "compared with the format's output",
    ),
    (
        "docs/output.md", "src/cart.py:1", "compared with the format's output",
    ),
    (
        "docs/writing-rules.md", "//! A comparison", "an excerpt of a rule that is compiled",
    ),
    ("docs/writing-rules.md", "Check::Node", "signatures"),
    ("docs/writing-rules.md", "confidence =", "a formula"),
];

/// TOML of other programs and partial sections, which are checked only for syntax.
const OTHER_TOML: &[(&str, &str)] = &[
    ("docs/models.md", "credential_command = "),
    ("docs/models.md", "extra_body = "),
    ("docs/editors.md", "[language-server.hunkwise]"),
    ("docs/editors.md", "id = \"hunkwise\""),
];

/// Scripts that cannot run here: the page, the start of the script, and why. Their syntax and each command line of
/// `hunkwise` are checked.
const NOT_HERE: &[(&str, &str, &str)] = &[
    ("README.md", "cargo run", "cargo"),
    ("README.md", "cargo xtask test", "cargo"),
    ("README.md", "cargo install", "cargo, pip and npm"),
    (
        "README.md",
        "status=0; review=$(mktemp)",
        "a host to comment on; the recipes for pipelines run it",
    ),
    (
        "README.md", "export HUNKWISE_DATABASE", "a service on a fixed port",
    ),
    ("docs/api.md", "curl", "a service"),
    (
        "docs/command-line.md",
        "status=0; review=$(mktemp)",
        "a host to comment on; the recipes for pipelines run it",
    ),
    ("docs/command-line.md", "hunkwise login", "a service"),
    ("docs/installing.md", "pip install", "pip and npm"),
    ("docs/installing.md", "packaging/release.sh", "a release"),
    ("docs/mcp.md", "hunkwise admin", "a database"),
    ("docs/mcp.md", "curl", "a service"),
    ("docs/models.md", "# Ask once", "cargo and a model"),
    ("docs/operating.md", "# systemd", "systemd and Kubernetes"),
    ("docs/operating.md", "digest()", "Docker"),
    (
        "docs/operating.md", "export HUNKWISE_DATABASE_FILE", "IDs that the commands print",
    ),
    ("docs/operating.md", "hunkwise admin backup", "a database"),
    ("docs/operating.md", "systemctl", "systemd"),
    ("docs/writing-rules.md", "cargo test", "cargo"),
];

/// A block of code of a page.
struct Block<'p> {
    page: &'p str,
    language: &'p str,
    /// The number of its first line.
    line: usize,
    text: String,
}

impl Block<'_> {
    fn is(&self, page: &str, start: &str) -> bool {
        self.page == page && self.text.starts_with(start)
    }

    fn place(&self) -> String {
        format!("{}:{}", self.page, self.line)
    }
}

/// Checks the blocks of all pages, and fails if any check fails.
fn all(check: impl Fn(&Block<'_>)) {
    let docs = fs::read_dir(top().join("docs"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let pages = docs
        .filter(|name| name.ends_with(".md"))
        .map(|name| format!("docs/{name}"));
    let (mut seen, mut failed) = (0, Vec::new());
    for page in pages.chain(["README.md".to_owned()]) {
        let text = fs::read_to_string(top().join(&page)).unwrap();
        for (language, lines) in blocks(&text) {
            let line = lines.first().map_or(0, |(number, _)| *number);
            let text = lines.iter().map(|(_, line)| format!("{line}\n")).collect();
            let block = Block {
                page: &page,
                language,
                line,
                text,
            };
            if catch_unwind(AssertUnwindSafe(|| check(&block))).is_err() {
                failed.push(block.place());
            }
            seen += 1;
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
    assert!(seen > 50, "{seen}");
}

/// A checkout with a change on a branch, and a custom rule.
fn checkout() -> Folder {
    let folder = Folder::repository(&[
        ("a.py", GOOD),
        (".hunkwise/rules/raw-query.yml", &rule_of_the_page()),
    ]);
    folder.git(&["checkout", "--quiet", "-b", "topic"]);
    folder.write("b.py", BAD);
    folder.commit("more");
    folder.write("a.py", BAD);
    folder
}

fn block(page: &str, start: &str) -> String {
    let text = fs::read_to_string(top().join(page)).unwrap();
    let texts = blocks(&text)
        .into_iter()
        .map(|(_, lines)| lines.iter().map(|(_, line)| format!("{line}\n")).collect());
    texts
        .into_iter()
        .find(|text: &String| text.starts_with(start))
        .unwrap()
}

fn rule_of_the_page() -> String {
    block("docs/custom-rules.md", "# .hunkwise/rules/raw-query.yml")
}

#[test]
fn every_example_of_the_documentation_is_checked() {
    let commands = commands();
    all(|block| {
        let place = block.place();
        if ELSEWHERE
            .iter()
            .any(|(page, start, _)| block.is(page, start))
        {
            return;
        }
        match block.language {
            "json" => json(block),
            "toml" => toml(block),
            "yaml" => yaml(block),
            "sh" if NOT_HERE
                .iter()
                .any(|(page, start, _)| block.is(page, start)) =>
            {
                command_lines(block, &commands)
            }
            "sh" => runs(block),
            "console" => prints(block),
            other => panic!(
                "{place}: a block of {other:?} is not checked: label it, or add it to a list here, with the reason"
            ),
        }
    });
}

#[test]
fn the_lists_name_blocks_that_exist() {
    let named = ELSEWHERE
        .iter()
        .chain(NOT_HERE)
        .map(|(page, start, _)| (page, start));
    for (page, start) in named.chain(OTHER_TOML.iter().map(|(page, start)| (page, start))) {
        block(page, start);
    }
}

/// One value, or one per line. Commands that start `hunkwise` must have valid arguments.
fn json(block: &Block<'_>) {
    let read = |text: &str| serde_json::from_str::<Value>(text);
    let values = read(&block.text).map(|value| vec![value]);
    let values = values.or_else(|_| block.text.lines().map(read).collect());
    values
        .unwrap_or_else(|error| panic!("{}: {error}", block.place()))
        .iter()
        .for_each(|value| servers(block, value));
}

fn servers(block: &Block<'_>, value: &Value) {
    if let (Some("hunkwise"), Some(arguments)) =
        (value["command"].as_str(), value["args"].as_array())
    {
        is_accepted(
            block,
            &arguments
                .iter()
                .map(|argument| argument.as_str().unwrap().to_owned())
                .collect::<Vec<_>>(),
        );
    }
    match value {
        Value::Array(items) => items.iter().for_each(|item| servers(block, item)),
        Value::Object(entries) => entries.values().for_each(|entry| servers(block, entry)),
        _ => {}
    }
}

/// The configuration of a repository or of the service.
fn toml(block: &Block<'_>) {
    let place = block.place();
    toml::from_str::<toml::Table>(&block.text).unwrap_or_else(|error| panic!("{place}: {error}"));
    if OTHER_TOML.iter().any(|(page, start)| block.is(page, start)) {
        return;
    }
    let folder = Folder::repository(&[("a.py", GOOD)]);
    let run = if ["[[llm", "[oidc]"]
        .iter()
        .any(|start| block.text.starts_with(start))
    {
        let mut text = block
            .text
            .replace("/run/secrets/", &format!("{}/", folder.path().display()));
        for name in ["openai", "azure", "anthropic", "gemini", "hunkwise-oidc"] {
            folder.write(name, "api-key: secret\n");
        }
        if text.contains("as above") {
            text += "issuer = \"https://id.example.com/realms/acme\"\naudience = \"hunkwise\"\n";
        }
        folder.write("hunkwise.toml", text);
        folder.hunkwise(&["config", "--config", "hunkwise.toml"])
    } else {
        folder.write(".hunkwise.toml", &block.text);
        folder.hunkwise(&["review", "--fail-on", "never"])
    };
    assert_eq!(run.status, 0, "{place}: {run:?}");
}

/// A rule, which must pass its own examples, or a file of another program, which is checked for syntax.
fn yaml(block: &Block<'_>) {
    let place = block.place();
    serde_saphyr::from_str::<Value>(&block.text).unwrap_or_else(|error| panic!("{place}: {error}"));
    if block.text.contains("\nlanguages:") {
        let folder = Folder::new();
        // A custom rule cannot have the ID of a built-in one.
        folder.write(
            "rules/rule.yml",
            block.text.replace("id: python/", "id: acme/"),
        );
        let run = folder.hunkwise(&["rules", "test", "rules"]);
        assert_eq!(
            (run.status, run.stdout.contains("all pass")),
            (0, true),
            "{place}: {run:?}"
        );
    }
}

/// A script that runs in a checkout. Findings do not fail it.
fn runs(block: &Block<'_>) {
    let folder = checkout();
    for script in block.text.lines().filter(|line| !line.starts_with('#')) {
        let run = bash(&folder, script);
        assert!(
            [0, 1].contains(&run.status) && !run.stderr.contains("error:"),
            "{}: {script}: {run:?}",
            block.place()
        );
    }
}

/// Commands, each with its output.
fn prints(block: &Block<'_>) {
    let folder = checkout();
    let rule = rule_of_the_page()
        .replace("$CALL($TEXT)", "query($TEXT)")
        .replace("$CALL` receives", "$TEXT` receives");
    let rule = rule.replace("constraints:\n  CALL: {regex: 'query_raw$'}\n", "");
    folder.write(".hunkwise/rules/raw-query.yml", rule);
    for session in block.text.split("$ ").skip(1) {
        let (command, expected) = session.split_once('\n').unwrap();
        let run = bash(&folder, command);
        let printed = run.stdout + &run.stderr;
        assert!(
            matches(expected, &printed),
            "{}: {command} prints\n{printed}",
            block.place()
        );
    }
}

/// Whether a text is as expected; a separate ellipsis matches any text.
fn matches(expected: &str, text: &str) -> bool {
    let mut parts = expected.split('…');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.is_empty()
}

fn bash(folder: &Folder, script: &str) -> Run {
    let mut command = folder.command_with_hunkwise("bash");
    command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script]);
    finish(command.env("HOME", folder.path().join("home")))
}

/// A script that cannot run here: it must be valid bash, with valid arguments for `hunkwise`. Other programs that it
/// calls do nothing.
fn command_lines(block: &Block<'_>, commands: &[String]) {
    let folder = Folder::new();
    let syntax = finish(folder.command_of("bash").args(["-n", "-c", &block.text]));
    assert_eq!(syntax.status, 0, "{}: {syntax:?}", block.place());
    let log = folder.write("log", "");
    let nothing =
        "cat() { :; }; cd() { :; }; mktemp() { echo file; }; command_not_found_handle() { :; }";
    let noted = r#"hunkwise() { printf '%s\037' "$@" >> "$LOG"; printf '\036' >> "$LOG"; }"#;
    let script = block
        .text
        .replace("> /", "> ./")
        .replace("./etc/hunkwise/", "./");
    let mut command = folder.command_of("/bin/bash");
    command.args([
        "--noprofile",
        "--norc",
        "-c",
        &format!("{nothing}; {noted}\n{script}\nwait"),
    ]);
    let run = finish(command.env("PATH", folder.path()).env("LOG", &log));
    let text = fs::read_to_string(log).unwrap();
    let words = |call: &str| call.split_terminator('\x1f').map(str::to_owned).collect();
    let calls: Vec<Vec<String>> = text.split_terminator('\x1e').map(words).collect();
    let lines = block
        .text
        .lines()
        .filter(|line| runs_hunkwise(line, commands))
        .count();
    assert!(
        calls.len() >= lines,
        "{}: {lines} lines run hunkwise, {calls:?} ran: {run:?}",
        block.place()
    );
    calls.iter().for_each(|call| is_accepted(block, call));
}

/// Checks that `hunkwise` accepts these arguments: with `--help` at the end it still rejects unknown ones. IDs may be
/// omitted or shortened.
fn is_accepted(block: &Block<'_>, arguments: &[String]) {
    let mut complete: Vec<String> = Vec::new();
    for argument in arguments {
        let kind = match complete.last().map(String::as_str) {
            Some("--user" | "--owner" | "--by") => "usr",
            Some("--organization") => "org",
            _ => "",
        };
        let is_open = !kind.is_empty() && (argument.is_empty() || argument.ends_with('…'));
        complete.push(if is_open {
            format!("{kind}_01kafwz8g0e2hvr6s9q4n7x3cd")
        } else {
            argument.clone()
        });
    }
    let arguments: Vec<&str> = complete
        .iter()
        .map(String::as_str)
        .chain(["--help"])
        .collect();
    let run = Folder::new().hunkwise(&arguments);
    assert_eq!(run.status, 0, "{}: {arguments:?}: {run:?}", block.place());
}

#[test]
fn an_ellipsis_matches_any_text() {
    assert!(matches("a … c\n", "a b c\n") && matches("a…", "a") && matches("", ""));
    assert!(!matches("a … c\n", "a b d\n") && !matches("a", "a b") && !matches("b", "a b"));
}
