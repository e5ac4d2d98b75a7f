//! Resolves revisions and reads objects with one `git cat-file --batch`, which runs until the checkout is closed.
//! Starting git for each of them would take longer than everything else in a small review.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::{Mutex, PoisonError};

use super::command::{self, Hooks};
use super::error::GitError;

/// Maximum size of an object that is skipped by reading past it, in bytes. For a larger one, git is started again.
const SKIPPED: usize = 8 * 1024 * 1024;

/// An object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Object {
    /// Its ID.
    pub(super) hash: String,
    /// `blob`, `commit`, `tag` or `tree`.
    pub(super) kind: String,
    /// Its content.
    pub(super) content: Vec<u8>,
}

/// The process, started at the first question or early.
#[derive(Debug, Default)]
pub(super) struct Objects(Mutex<Option<Reader>>);

impl Objects {
    /// Starts the process before the first question. If that fails, the first question starts it again and fails.
    pub(super) fn start(&self, folder: &Path) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if held.is_none() {
            *held = Reader::start(folder).ok();
        }
    }

    /// The object with a name in the syntax of gitrevisions(7), in the repository around a folder. `None` if this clone
    /// has none, or if the name cannot be one.
    ///
    /// # Errors
    /// It is larger than `limit` bytes, or git failed.
    pub(super) fn find(
        &self,
        folder: &Path,
        name: &str,
        limit: usize,
    ) -> Result<Option<Object>, GitError> {
        // Names are separated by line feeds.
        if name.contains(['\n', '\0']) {
            return Ok(None);
        }
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut reader = match held.take() {
            Some(reader) => reader,
            None => Reader::start(folder)?,
        };
        match reader.ask(name, limit) {
            Ok(Reply::Object(object)) => {
                *held = Some(reader);
                Ok(Some(object))
            }
            Ok(Reply::Missing) => {
                *held = Some(reader);
                Ok(None)
            }
            Ok(Reply::Refused) => Ok(None),
            Ok(Reply::TooLarge { is_skipped }) => {
                *held = is_skipped.then_some(reader);
                Err(GitError::TooLarge(limit))
            }
            Err(error) => Err(GitError::Failed(format!(
                "git cat-file stopped at {name:?}: {error}"
            ))),
        }
    }
}

/// A running `git cat-file --batch`. Dropping it ends the process.
#[derive(Debug)]
struct Reader {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

/// The reply to a name.
enum Reply {
    Object(Object),
    Missing,
    /// Git ended, as it does for an entry that is not in a reference's log (`@{9}`).
    Refused,
    /// The object is larger than the limit. Unless it `is_skipped`, its content is still in the pipe.
    TooLarge {
        is_skipped: bool,
    },
}

impl Reader {
    fn start(folder: &Path) -> Result<Self, GitError> {
        let mut child = command::command(folder, Hooks::Hidden)
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| GitError::not_started(&error))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(GitError::Failed("git cat-file has no pipes".to_owned()));
        };
        Ok(Self {
            child,
            stdin,
            stdout: BufReader::new(stdout),
        })
    }

    fn ask(&mut self, name: &str, limit: usize) -> io::Result<Reply> {
        self.stdin.write_all(format!("{name}\n").as_bytes())?;
        let mut head = String::new();
        self.stdout.read_line(&mut head)?;
        if !head.ends_with('\n') {
            return Ok(Reply::Refused);
        }
        // Otherwise the line repeats the name and ends with the reason, such as "missing" or "ambiguous".
        let Some((hash, kind, size)) = header(head.trim_end()) else {
            return Ok(Reply::Missing);
        };
        // A line feed follows the content.
        let end = size as u64 + 1;
        if size > limit {
            let is_skipped = size <= SKIPPED;
            if is_skipped {
                io::copy(&mut self.stdout.by_ref().take(end), &mut io::sink())?;
            }
            return Ok(Reply::TooLarge { is_skipped });
        }
        let mut content = Vec::with_capacity(size + 1);
        self.stdout.by_ref().take(end).read_to_end(&mut content)?;
        if content.pop() != Some(b'\n') || content.len() != size {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(Reply::Object(Object {
            hash: hash.to_owned(),
            kind: kind.to_owned(),
            content,
        }))
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        // It may have ended already, and it writes nothing that must be completed.
        let _it_has_ended = self.child.kill();
        let _its_status_is_not_used = self.child.wait();
    }
}

/// The ID, the type and the size in the line before an object's content.
fn header(line: &str) -> Option<(&str, &str, usize)> {
    let mut fields = line.split(' ');
    let (hash, kind, size) = (fields.next()?, fields.next()?, fields.next()?);
    let is_hash = hash.len() >= 40 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_kind = matches!(kind, "blob" | "commit" | "tag" | "tree");
    (fields.next().is_none() && is_hash && is_kind).then_some((hash, kind, size.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{SKIPPED, header};
    use crate::test_git::git;
    use crate::{Git, GitError};

    #[test]
    fn one_process_answers_many_questions() {
        let folder = tempfile::tempdir().unwrap();
        git(folder.path(), &["init", "-q"]);
        let opened = Git::open(folder.path()).unwrap();
        assert_eq!(opened.object("HEAD^{commit}", 100).unwrap(), None);
        let large = "x".repeat(SKIPPED + 1);
        for (path, text) in [("a b", "one\n"), ("empty", ""), ("large", &*large)] {
            fs::write(folder.path().join(path), text).unwrap();
        }
        git(folder.path(), &["add", "."]);
        git(folder.path(), &["commit", "-qm", "one"]);
        git(folder.path(), &["tag", "-am", "tagged", "v1"]);
        let commit = opened.object("HEAD^{commit}", 1_000).unwrap().unwrap();
        assert_eq!(commit.kind, "commit");
        assert!(commit.content.starts_with(b"tree "));
        let tagged = opened.object("v1^{commit}", 1_000).unwrap().unwrap();
        assert_eq!(tagged, commit);
        let text = |name: &str, limit: usize| {
            let object = opened.object(name, limit)?;
            Ok::<_, GitError>(object.map(|object| String::from_utf8(object.content).unwrap()))
        };
        let hash = &commit.hash;
        let file = format!("{hash}:a b");
        let large = format!("{hash}:large");
        for _ in 0..2 {
            assert_eq!(text(&file, 4).unwrap().as_deref(), Some("one\n"));
            assert!(matches!(text(&file, 3), Err(GitError::TooLarge(3))));
            assert!(matches!(text(&large, 3), Err(GitError::TooLarge(3))));
            assert_eq!(
                text(&format!("{hash}:empty"), 0).unwrap().as_deref(),
                Some("")
            );
            assert_eq!(text(":0:a b", 4).unwrap().as_deref(), Some("one\n"));
            for name in ["", "-p", "no", "HEAD\nHEAD", "HEAD:no", "HEAD 1 2", "@{9}"] {
                assert_eq!(text(name, 1_000).unwrap(), None, "{name:?}");
            }
        }
    }

    #[test]
    fn only_the_line_before_a_content_is_a_header() {
        let hash = "0".repeat(40);
        let line = |rest: &str| format!("{hash} {rest}");
        assert_eq!(header(&line("blob 12")), Some((&*hash, "blob", 12)));
        for rest in [
            "missing", "blob 1 missing", "blob -1", "blob x", "submodule 1",
        ] {
            assert_eq!(header(&line(rest)), None, "{rest}");
        }
        assert_eq!(header("HEAD blob 1"), None);
    }
}
