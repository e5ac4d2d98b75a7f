//! Real repositories, created by `git fast-import` from files in memory and queried with `git diff`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A file of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The mode as git writes it.
    pub(crate) mode: &'static str,
    /// The content; for a submodule, the commit hash.
    pub(crate) content: Vec<u8>,
}

/// The files of a commit.
pub(crate) type Tree = BTreeMap<Vec<u8>, Entry>;

/// A regular file.
pub(crate) fn file(content: impl AsRef<[u8]>) -> Entry {
    Entry {
        mode: "100644",
        content: content.as_ref().to_vec(),
    }
}

/// A tree of files with their contents.
pub(crate) fn tree<'a>(files: impl IntoIterator<Item = (&'a str, Entry)>) -> Tree {
    files
        .into_iter()
        .map(|(path, entry)| (path.as_bytes().to_vec(), entry))
        .collect()
}

/// A temporary repository, independent of the user's settings.
pub(crate) struct Repo {
    dir: TempDir,
    commits: usize,
}

impl Repo {
    /// An empty repository; `None`, with a visible notice, if git is not installed.
    pub(crate) fn new() -> Option<Self> {
        if Command::new("git").arg("--version").output().is_err() {
            eprintln!("SKIPPED: git is not installed, so the parser is not compared with it");
            return None;
        }
        let repo = Self {
            dir: TempDir::new().unwrap(),
            commits: 0,
        };
        repo.git(&["init", "-q", "-b", "main"]);
        Some(repo)
    }

    pub(crate) fn path(&self) -> &std::path::Path {
        self.dir.path()
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.args(args).current_dir(self.dir.path());
        for name in [
            "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS",
            "GIT_CONFIG_COUNT",
        ] {
            command.env_remove(name);
        }
        command
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("HOME", self.dir.path());
        for role in ["AUTHOR", "COMMITTER"] {
            command
                .env(format!("GIT_{role}_NAME"), "a")
                .env(format!("GIT_{role}_EMAIL"), "a@example.org");
            command.env(format!("GIT_{role}_DATE"), "2026-01-01T00:00:00Z");
        }
        command.env("LC_ALL", "C");
        command
    }

    /// Git's output. A failure fails the test.
    pub(crate) fn git(&self, args: &[&str]) -> Vec<u8> {
        let output = self.command(args).output().unwrap();
        assert!(
            output.status.success(),
            "git {args:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        output.stdout
    }

    /// As [`Repo::git`], for commands that may stop with a conflict.
    pub(crate) fn try_git(&self, args: &[&str]) -> Vec<u8> {
        self.command(args).output().unwrap().stdout
    }

    /// As [`Repo::git`], as text; invalid UTF-8 is replaced by U+FFFD.
    pub(crate) fn text(&self, args: &[&str]) -> String {
        String::from_utf8_lossy(&self.git(args)).into_owned()
    }

    /// Commits trees, each on its own branch. A parent is an index in the list of commits.
    pub(crate) fn commit_all(&mut self, commits: &[(&Tree, &[usize], &str)]) -> Vec<String> {
        let first = self.commits;
        let name = |number: usize| format!("c{number}");
        let mut stream = Vec::new();
        for (tree, parents, message) in commits {
            let mut head = format!(
                "commit refs/heads/{}\nmark :{}\n",
                name(self.commits),
                self.commits - first + 1
            );
            writeln!(
                head,
                "committer a <a@example.org> 1767225600 +0000\ndata {}\n{message}",
                message.len()
            )
            .unwrap();
            for (index, parent) in parents.iter().enumerate() {
                writeln!(
                    head,
                    "{} :{}",
                    if index == 0 { "from" } else { "merge" },
                    parent + 1
                )
                .unwrap();
            }
            stream.extend_from_slice(head.as_bytes());
            stream.extend_from_slice(b"deleteall\n");
            tree.iter()
                .for_each(|(path, entry)| write_entry(&mut stream, path, entry));
            self.commits += 1;
        }
        let mut child = self
            .command(&["fast-import", "--quiet"])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(&stream).unwrap();
        assert!(child.wait().unwrap().success(), "git fast-import");
        (first..self.commits).map(name).collect()
    }
}

fn write_entry(stream: &mut Vec<u8>, path: &[u8], entry: &Entry) {
    let path: String = path.iter().map(|byte| format!("\\{byte:03o}")).collect();
    if entry.mode == "160000" {
        let hash = String::from_utf8_lossy(&entry.content);
        writeln!(stream, "M 160000 {hash} \"{path}\"").unwrap();
        return;
    }
    writeln!(
        stream,
        "M {} inline \"{path}\"\ndata {}",
        entry.mode,
        entry.content.len()
    )
    .unwrap();
    stream.extend_from_slice(&entry.content);
    stream.push(b'\n');
}
