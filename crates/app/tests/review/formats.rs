//! Several formats in one run, and their destinations.

use std::fs;
use std::process::Stdio;

use serde_json::Value;

use crate::support::{BAD, Folder, GOOD, Run, added, ended, finish};

/// A folder with a change that has one P2.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("change.diff", added("a.py", BAD));
    folder
}

fn review(folder: &Folder, arguments: &[&str]) -> Run {
    folder.hunkwise(&[&["review", "change.diff"], arguments].concat())
}

fn read(folder: &Folder, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap()
}

#[test]
fn one_run_writes_all_formats() {
    let folder = folder();
    let names = [
        "json", "sarif", "github", "gitlab", "rdjsonl", "markdown", "junit", "agent",
    ];
    let targets: Vec<String> = names
        .iter()
        .map(|name| format!("--format={name}=out.{name}"))
        .collect();
    let arguments: Vec<&str> = targets
        .iter()
        .map(String::as_str)
        .chain(["--format", "pretty"])
        .collect();
    let run = review(&folder, &arguments);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{run:?}");
    assert!(
        run.stdout.contains("1 finding (1 P2) in 1 file"),
        "{}",
        run.stdout
    );
    for name in names {
        let text = read(&folder, &format!("out.{name}"));
        assert!(
            text.contains("python/mutable-default-argument") && text.contains("a.py"),
            "{name}: {text}"
        );
    }
    let sarif: Value = serde_json::from_str(&read(&folder, "out.sarif")).unwrap();
    let rule = &sarif["runs"][0]["tool"]["driver"]["rules"][0];
    assert!(
        rule["help"]["markdown"]
            .as_str()
            .unwrap()
            .contains("**What to do.**"),
        "{rule}"
    );
}

#[test]
fn no_format_shows_a_secret_quoted_by_a_rule() {
    let secret = "w3gT-lcrh_DFLGWrhh";
    let folder = Folder::new();
    let shell = format!(
        "set -e\nmysql -u root -p{secret} shop\nsshpass -p {secret} ssh host\ncurl -k -u admin:{secret} https://a.example.com\n"
    );
    let python = format!(
        "import os\n\n\ndef f(name):\n    os.system(f\"mysql -u root -p{secret} {{name}}\")\n    \
         return f\"SELECT 1 FROM t WHERE password = '{secret}' AND n = '{{name}}'\"\n"
    );
    let java = format!(
        "class A {{\n  boolean f(String password) {{\n    return password == \"{secret}\";\n  }}\n}}\n"
    );
    folder.write(
        "change.diff",
        added("a.sh", &shell) + &added("a.py", &python) + &added("src/A.java", &java),
    );
    let rules = review(&folder, &["--format", "json"]).findings();
    for rule in [
        "shell/password-on-command-line", "shell/certificate-check-off", "any/command-built",
        "java/value-identity",
    ] {
        assert!(
            rules.iter().any(|finding| finding.contains(rule)),
            "{rule}: {rules:?}"
        );
    }
    for format in [
        "pretty", "json", "sarif", "github", "gitlab", "rdjsonl", "markdown", "junit", "agent",
    ] {
        let run = review(&folder, &["--format", format]);
        assert!(
            !run.stdout.contains(&secret[4..10]),
            "{format}: {}",
            run.stdout
        );
    }
}

#[test]
fn two_formats_cannot_share_a_destination() {
    let folder = folder();
    for (arguments, wanted) in [
        (
            &["--format", "json", "--format", "sarif"][..],
            "written to stdout",
        ),
        (
            &["--format", "json=x", "--format", "sarif=x"],
            "written to x",
        ),
        (
            &["--format", "json", "--format", "sarif=x", "--output", "y"],
            "--output",
        ),
        (&["--format", "json="], "expected a file"),
        (&["--show-prompt", "--format", "sarif"], "pretty or json"),
    ] {
        let run = review(&folder, arguments);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(run.stderr.contains(wanted), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn an_unwritable_output_is_reported_and_the_others_are_written() {
    let folder = folder();
    fs::create_dir(folder.path().join("folder")).unwrap();
    let mut arguments = vec![
        "--format", "sarif=folder", "--format", "gitlab=out.json", "--format", "agent",
    ];
    let full = std::path::Path::new("/dev/full").exists();
    if full {
        arguments.extend(["--format", "junit=/dev/full"]);
    }
    let run = review(&folder, &arguments);
    assert_eq!(run.status, 3, "{run:?}");
    assert!(
        run.stderr.contains("cannot write folder: ") && run.stdout.starts_with("a.py:1\tP2\t"),
        "{run:?}"
    );
    assert_eq!(
        run.stderr.contains("cannot write /dev/full: "),
        full,
        "{run:?}"
    );
    assert!(
        serde_json::from_str::<Value>(&read(&folder, "out.json"))
            .unwrap()
            .is_array()
    );
}

#[test]
fn a_change_without_findings_and_no_change_are_valid_reports() {
    let folder = Folder::new();
    for text in [added("a.py", GOOD), String::new()] {
        folder.write("change.diff", text);
        let run = review(
            &folder,
            &["--format", "gitlab", "--format", "junit=out.xml"],
        );
        assert_eq!((run.status, run.stdout.as_str()), (0, "[]\n"), "{run:?}");
        assert!(read(&folder, "out.xml").contains("failures=\"0\""));
    }
}

#[test]
fn warnings_without_a_place_in_the_format_are_on_stderr() {
    let folder = Folder::new();
    folder.write(
        "change.diff",
        added("a.py", BAD) + &added("package-lock.json", "{}\n"),
    );
    let run = review(&folder, &["--format", "gitlab"]);
    assert!(
        run.stderr.starts_with("note: package-lock.json: ")
            && run.stderr.contains("[FILE_SKIPPED_GENERATED]")
    );
    assert_eq!(
        review(&folder, &["--format", "gitlab=x", "--format", "agent"]).stderr,
        ""
    );
}

#[test]
fn the_gate_decides_the_failures_in_junit() {
    let folder = folder();
    for (gate, failures) in [
        ("P1", "failures=\"0\""),
        ("P2", "failures=\"1\""),
        ("P2:1", "failures=\"0\""),
    ] {
        let run = review(&folder, &["--format", "junit", "--fail-on", gate]);
        assert!(run.stdout.contains(failures), "{gate}: {}", run.stdout);
    }
}

#[test]
fn findings_that_github_does_not_show_are_in_the_step_summary() {
    let folder = Folder::new();
    folder.write(
        "change.diff",
        (0..12)
            .map(|n| added(&format!("{n}.py"), BAD))
            .collect::<String>(),
    );
    folder.write("summary.md", "before\n");
    let mut command = folder.command();
    command
        .args(["review", "change.diff", "--format", "github"])
        .env("GITHUB_STEP_SUMMARY", "summary.md");
    let run = finish(command.stdin(Stdio::null()));
    assert_eq!(
        (run.status, run.stdout.matches("::warning file=").count()),
        (0, 12),
        "{run:?}"
    );
    let summary = read(&folder, "summary.md");
    assert!(summary.starts_with("before\n## Hunkwise"), "{summary}");
    assert_eq!(summary.matches("- **P2**").count(), 2, "{summary}");
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let folder = Folder::new();
    folder.write(
        "change.diff",
        (0..400)
            .map(|n| added(&format!("{n}.py"), BAD))
            .collect::<String>(),
    );
    for format in ["json", "pretty", "sarif"] {
        let mut command = folder.command();
        command
            .args(["review", "change.diff", "--format", format])
            .stdin(Stdio::null());
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let run = ended(child);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{format}");
    }
}
