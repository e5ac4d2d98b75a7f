//! Runs every shell snippet for pipelines in the documentation and in `integrations/` on a change with a finding of
//! priority P1. The job must fail, and if it comments, the finding must be on the host.

use std::fs;

use super::{head, top};
use crate::comment::{github, gitlab};
use crate::support::{Folder, finish};

/// JavaScript with a finding of priority P1.
const WORSE: &str = "if (x == NaN) { y(); }\n";

/// A shell script in a file.
struct Snippet {
    /// The file, and the first line of the script.
    name: String,
    script: String,
}

/// The names of the commands in `hunkwise --help`.
pub(crate) fn commands() -> Vec<String> {
    let help = Folder::new().hunkwise(&["--help"]).stdout;
    let list = help
        .split("Commands:\n")
        .nth(1)
        .unwrap()
        .lines()
        .take_while(|line| !line.is_empty());
    list.filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .map(|line| line.split_whitespace().next().unwrap().to_owned())
        .collect()
}

/// Whether a line runs `hunkwise` with one of the commands.
pub(crate) fn runs_hunkwise(line: &str, commands: &[String]) -> bool {
    let mut words = line.split(|letter: char| letter.is_whitespace() || "`'\"".contains(letter));
    let mut is_before = false;
    words.any(|word| {
        std::mem::replace(&mut is_before, word == "hunkwise")
            && commands.iter().any(|name| name == word)
    })
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The shell scripts in lines of YAML or of a Jenkinsfile, each with the number of its first line.
fn scripts_in(lines: &[(usize, &str)]) -> Vec<(usize, String)> {
    let mut scripts = Vec::new();
    for (at, (number, line)) in lines.iter().enumerate() {
        let key = line.trim().trim_start_matches("- ");
        if let Some(command) = key.strip_prefix("run: ").filter(|command| *command != "|") {
            scripts.push((*number, command.to_owned()));
        } else if ["|", "run: |", "bash: |", "sh '''"].contains(&key) {
            // The indentation of the key, after the dash of a list entry. A block that is itself an entry has only the
            // dash.
            let opening = if key == "|" {
                indentation(line)
            } else {
                line.len() - key.len()
            };
            let inside =
                |(_, text): &&(usize, &str)| text.trim().is_empty() || indentation(text) > opening;
            let block: Vec<&str> = lines[at + 1..]
                .iter()
                .take_while(inside)
                .map(|(_, text)| *text)
                .collect();
            let margin = block
                .iter()
                .filter(|text| !text.trim().is_empty())
                .map(|text| indentation(text))
                .min()
                .unwrap_or(0);
            scripts.push((
                number + 1,
                block
                    .iter()
                    .map(|text| format!("{}\n", text.get(margin..).unwrap_or("")))
                    .collect(),
            ));
        }
    }
    scripts
}

/// The code blocks of a page, each with its language.
pub(crate) fn blocks(page: &str) -> Vec<(&str, Vec<(usize, &str)>)> {
    let mut blocks: Vec<(&str, Vec<(usize, &str)>)> = Vec::new();
    let mut is_open = false;
    for (at, line) in page.lines().enumerate() {
        match line.strip_prefix("```") {
            Some(language) => {
                is_open = !is_open;
                if is_open {
                    blocks.push((language, Vec::new()));
                }
            }
            None if is_open => blocks.last_mut().unwrap().1.push((at + 1, line)),
            None => {}
        }
    }
    blocks
}

/// The snippets of a file that run `hunkwise`. Fails if such a line is in no snippet.
fn snippets(file: &str, commands: &[String]) -> Vec<Snippet> {
    let text = fs::read_to_string(top().join(file)).unwrap();
    let numbered = || {
        text.lines()
            .enumerate()
            .map(|(at, line)| (at + 1, line))
            .collect()
    };
    let is_page = file.ends_with(".md");
    let blocks = if is_page {
        blocks(&text)
    } else {
        vec![("yaml", numbered())]
    };
    let mut found = Vec::new();
    for (language, lines) in blocks {
        let scripts = match language {
            "sh" => vec![(
                lines[0].0,
                lines.iter().map(|(_, line)| format!("{line}\n")).collect(),
            )],
            _ => scripts_in(&lines),
        };
        let uses = |text: &str| {
            text.lines()
                .filter(|line| runs_hunkwise(line, commands))
                .count()
        };
        let in_scripts: usize = scripts.iter().map(|(_, script)| uses(script)).sum();
        let all: usize = lines.iter().map(|(_, line)| uses(line)).sum();
        assert_eq!(
            in_scripts, all,
            "{file}:{}: a line runs hunkwise and is in no script that is tested",
            lines[0].0
        );
        let scripts = scripts.into_iter().filter(|(_, script)| uses(script) > 0);
        found.extend(scripts.map(|(line, script)| Snippet {
            name: format!("{file}:{line}"),
            script,
        }));
    }
    found
}

/// The example in `hunkwise comment --help`.
fn example_of_the_help() -> Snippet {
    let help = Folder::new().hunkwise(&["comment", "--help"]).stdout;
    let example = help
        .split("Example")
        .nth(1)
        .unwrap()
        .split_once(":\n")
        .unwrap()
        .1;
    let lines = example.lines().take_while(|line| line.starts_with("  "));
    Snippet {
        name: "hunkwise comment --help".to_owned(),
        script: lines.map(|line| format!("{}\n", line.trim())).collect(),
    }
}

/// A repository with a branch `topic` that adds a finding of priority P1.
fn origin() -> Folder {
    let folder = Folder::repository(&[("a.js", "y();\n")]);
    folder.git(&["checkout", "--quiet", "-b", "topic"]);
    folder.write("b.js", WORSE);
    folder.commit("worse");
    folder.git(&["update-ref", "refs/pull/7/merge", "topic"]);
    folder.git(&["checkout", "--quiet", "main"]);
    folder
}

/// Runs a snippet as CI does, in a clone of `topic`.
fn check(origin: &Folder, Snippet { name, script }: &Snippet) {
    let (clone, temporary) = (Folder::new(), Folder::new());
    clone.git(&[
        "clone",
        "--quiet",
        "--branch",
        "topic",
        &format!("file://{}", origin.path().display()),
        ".",
    ]);
    if script.contains("--staged") {
        clone.git(&["reset", "--quiet", "--soft", "origin/main"]);
    }
    let (on_github, on_gitlab) = (github(&[("b.js", WORSE)]), gitlab(&[("b.js", WORSE)]));
    let (base, sha) = (head(origin, "main"), head(origin, "topic"));
    let mut command = clone.command_with_hunkwise("bash");
    command
        .args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script])
        .env("FAIL_ON", "P1");
    command
        .env("TMPDIR", temporary.path())
        .env("RUNNER_TEMP", temporary.path());
    command
        .env("GITHUB_OUTPUT", temporary.path().join("output"))
        .env("GITHUB_API_URL", format!("{}/api/v3", on_github.base));
    command
        .env("GITHUB_REPOSITORY", "acme/shop")
        .env("GITHUB_REF", "refs/pull/7/merge")
        .env("GITHUB_BASE_REF", "main");
    command
        .env("GITHUB_TOKEN", "the-token")
        .env("BASE", &base)
        .env("BASELINE", "")
        .env("SARIF", "")
        .env("COMMENT", "true");
    command
        .env("CI_API_V4_URL", format!("{}/api/v4", on_gitlab.base))
        .env("CI_PROJECT_ID", "acme/shop");
    command
        .env("CI_MERGE_REQUEST_IID", "3")
        .env("GITLAB_TOKEN", "the-token");
    command
        .env("CI_MERGE_REQUEST_DIFF_BASE_SHA", &base)
        .env("CI_COMMIT_SHA", &sha);
    command
        .env("SYSTEM_PULLREQUEST_TARGETBRANCH", "refs/heads/main")
        .env("BUILD_SOURCEVERSION", &sha);
    let run = finish(command.env("CHANGE_TARGET", "main"));
    let reviews = script.contains("hunkwise review");
    assert_eq!(run.status, i32::from(reviews), "{name}: {run:?}");
    let posted = (
        on_github.with(|host| host.comments.len()),
        on_gitlab.with(|host| host.notes().count()),
    );
    let expected =
        ["comment --github", "comment --gitlab"].map(|option| usize::from(script.contains(option)));
    assert_eq!(posted, expected.into(), "{name}: {run:?}");
    assert!(
        !clone.path().join("review.json").exists(),
        "{name}: the review belongs in a temporary folder"
    );
}

#[test]
fn every_recipe_fails_for_a_serious_finding_and_comments_on_it() {
    let (origin, commands) = (origin(), commands());
    let mut tested = vec![example_of_the_help()];
    for file in [
        "docs/pipelines.md", "integrations/github/action.yml", "integrations/gitlab/hunkwise.yml",
        "integrations/azure/hunkwise.yml", "integrations/jenkins/Jenkinsfile",
    ] {
        let found = snippets(file, &commands);
        assert!(!found.is_empty(), "{file} has no script");
        tested.extend(found);
    }
    // Only the parts about pipelines in these pages.
    for file in ["README.md", "docs/command-line.md"] {
        let found = snippets(file, &commands)
            .into_iter()
            .filter(|snippet| snippet.script.contains("hunkwise comment"));
        let before = tested.len();
        tested.extend(found);
        assert!(tested.len() > before, "{file} has no recipe that comments");
    }
    for option in ["--github", "--gitlab"] {
        let comments = |snippet: &&Snippet| {
            snippet.name.starts_with("docs/pipelines.md") && snippet.script.contains(option)
        };
        assert_eq!(
            tested.iter().filter(comments).count(),
            1,
            "docs/pipelines.md: hunkwise comment {option}"
        );
    }
    tested.iter().for_each(|snippet| check(&origin, snippet));
}

#[test]
fn every_template_supports_strict() {
    let (origin, commands) = (super::origin(), commands());
    origin.git(&["checkout", "--quiet", "topic"]);
    origin.write("vendor/copy.py", "x = 1\n");
    origin.commit("copy");
    origin.git(&["checkout", "--quiet", "main"]);
    let (base, sha, temporary) = (head(&origin, "main"), head(&origin, "topic"), Folder::new());
    let output = temporary.path().join("output");
    for file in [
        "github/action.yml", "gitlab/hunkwise.yml", "azure/hunkwise.yml", "jenkins/Jenkinsfile",
    ] {
        let snippets = snippets(&format!("integrations/{file}"), &commands);
        let snippet = snippets
            .iter()
            .find(|snippet| snippet.script.contains("hunkwise review"))
            .unwrap();
        for (strict, status) in [("false", 0), ("true", 3)] {
            let variables = [
                ("BASE", base.as_str()),
                ("BASELINE", ""),
                ("BUILD_SOURCEVERSION", &sha),
                ("CHANGE_TARGET", "main"),
                ("CI_COMMIT_SHA", &sha),
                ("CI_MERGE_REQUEST_DIFF_BASE_SHA", &base),
                ("FAIL_ON", "P1"),
                ("GITHUB_OUTPUT", output.to_str().unwrap()),
                ("GITHUB_REF", "refs/heads/topic"),
                ("RUNNER_TEMP", temporary.path().to_str().unwrap()),
                ("SARIF", ""),
                ("STRICT", strict),
                ("SYSTEM_PULLREQUEST_TARGETBRANCH", "refs/heads/main"),
            ];
            let (_, run) = super::run(&origin, &snippet.script, &variables);
            assert_eq!(run.status, status, "{file} {strict}: {run:?}");
        }
    }
}

#[test]
fn scripts_are_found_in_yaml_and_other_text_is_not() {
    let commands = ["review".to_owned(), "comment".to_owned()];
    for (line, expected) in [
        ("hunkwise review --staged", true),
        ("  - hunkwise comment", true),
        ("status=0; hunkwise review || status=$?", true),
        ("exec \"hunkwise review\"", true),
        ("- uses: your-organization/hunkwise review", false),
        ("name: Get hunkwise from the cache", false),
        ("hunkwise: review", false),
    ] {
        assert_eq!(runs_hunkwise(line, &commands), expected, "{line}");
    }
    let yaml = "a:\n  - run: |\n      one\n        two\n\n      three\n    env:\n      X: y\n  - run: four\n";
    let lines: Vec<(usize, &str)> = yaml.lines().enumerate().collect();
    let expected = [
        (2, "one\n  two\n\nthree\n".to_owned()),
        (8, "four".to_owned()),
    ];
    assert_eq!(scripts_in(&lines), expected);
}
