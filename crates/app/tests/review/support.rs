//! A working folder, and the two programs that are run in it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// Python with one finding of priority P2 (`python/mutable-default-argument`) on its first line.
pub(crate) const BAD: &str = "def add(item, basket=[]):\n    return basket + [item]\n";
/// Python without findings.
pub(crate) const GOOD: &str = "def add(item, basket):\n    return basket + [item]\n";

/// The findings of [`BAD`] at these places, in the format of [`Run::findings`].
pub(crate) fn found(places: &[&str]) -> Vec<String> {
    places
        .iter()
        .map(|place| format!("{place} python/mutable-default-argument"))
        .collect()
}

/// A folder that is removed at the end of the test.
pub(crate) struct Folder(TempDir);

/// The result of a program.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// The JSON on stdout.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The findings as `path:line rule`, from JSON on stdout.
    pub(crate) fn findings(&self) -> Vec<String> {
        let body = self.json();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let line = |f: &Value| {
            format!(
                "{}:{} {}",
                text(&f["filePath"]),
                f["lineNumber"],
                text(&f["ruleId"])
            )
        };
        body["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(line)
            .collect()
    }

    /// The warnings as `CODE path`, from JSON on stdout.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let body = self.json();
        let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
        let line = |w: &Value| format!("{} {}", text(&w["code"]), text(&w["filePath"]));
        body["metadata"]["warnings"]
            .as_array()
            .unwrap()
            .iter()
            .map(line)
            .collect()
    }
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with a git repository whose branch `main` has one commit with these files.
    pub(crate) fn repository(files: &[(&str, &str)]) -> Self {
        let folder = Self::new();
        folder.git(&["init", "--quiet", "--initial-branch=main"]);
        for (path, text) in files {
            folder.write(path, text);
        }
        folder.commit("start");
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", message]);
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let identity = [
            "-c", "user.name=A Tester", "-c", "user.email=tester@example.com", "-c",
            "commit.gpgsign=false",
        ];
        let run = finish(
            clean("git", self.path())
                .args(identity)
                .args(arguments)
                .stdin(Stdio::null()),
        );
        assert_eq!(run.status, 0, "git {arguments:?}: {run:?}");
        run.stdout
    }

    /// Runs `hunkwise review` here, with JSON on stdout.
    pub(crate) fn review(&self, arguments: &[&str]) -> Run {
        self.hunkwise(&[&["review", "--format", "json"], arguments].concat())
    }

    pub(crate) fn hunkwise(&self, arguments: &[&str]) -> Run {
        finish(self.command().args(arguments).stdin(Stdio::null()))
    }

    /// Runs `hunkwise review -` on a diff.
    pub(crate) fn review_text(&self, diff: impl AsRef<[u8]>, arguments: &[&str]) -> Run {
        let file = File::open(self.write("stdin.diff", diff)).unwrap();
        finish(
            self.command()
                .args(["review", "-", "--format", "json"])
                .args(arguments)
                .stdin(file),
        )
    }

    /// The program, to be run in this folder.
    pub(crate) fn command(&self) -> Command {
        self.command_of(env!("CARGO_BIN_EXE_hunkwise"))
    }

    /// Another program, to be run in this folder.
    pub(crate) fn command_of(&self, program: &str) -> Command {
        clean(program, self.path())
    }

    /// The same, with `hunkwise` installed.
    pub(crate) fn command_with_hunkwise(&self, program: &str) -> Command {
        let mut command = self.command_of(program);
        command.env("PATH", search_path());
        command
    }
}

/// The search path of this machine, with `hunkwise` in front.
#[expect(clippy::disallowed_methods, reason = "the programs of this machine")]
pub(crate) fn search_path() -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_hunkwise")).parent().unwrap();
    format!("{}:{}", program.display(), std::env::var("PATH").unwrap())
}

/// A program that uses neither this machine's git configuration nor a repository around the tests.
fn clean(program: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1");
    command.env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap());
    for name in [
        "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "HUNKWISE_CONFIG", "HUNKWISE_TOKEN",
        "NO_COLOR", "GITHUB_STEP_SUMMARY", "GITHUB_REPOSITORY", "GITHUB_EVENT_PATH", "GITHUB_REF",
        "GITHUB_API_URL", "GITHUB_TOKEN", "CI_API_V4_URL", "CI_PROJECT_ID", "CI_MERGE_REQUEST_IID",
        "GITLAB_TOKEN",
    ] {
        command.env_remove(name);
    }
    command
}

/// Runs a program to completion.
pub(crate) fn finish(command: &mut Command) -> Run {
    ended(
        command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap(),
    )
}

/// The result of a started program.
pub(crate) fn ended(child: Child) -> Run {
    let output = child.wait_with_output().unwrap();
    Run {
        status: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A diff that adds a file.
pub(crate) fn added(path: &str, text: &str) -> String {
    let lines: String = text.lines().map(|line| format!("+{line}\n")).collect();
    let count = text.lines().count();
    format!(
        "diff --git a/{path} b/{path}\nnew file mode 100644\n--- /dev/null\n+++ b/{path}\n@@ -0,0 +1,{count} @@\n{lines}"
    )
}
