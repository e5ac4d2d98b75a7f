//! Resolves revisions to commits, and suggests what to fetch if one is missing.

use super::objects::Object;
use super::{Git, GitError, SHORT, line};

/// Commits by which a message suggests to deepen a shallow clone.
const DEEPER: u32 = 100;
/// Maximum number of boundary commits of a shallow clone that a message names.
const CUTS: usize = 4;

impl Git {
    /// The merge base of this branch and a revision.
    pub(super) fn branching_point(&self, revision: &str) -> Result<String, GitError> {
        if let Some((_, commit)) = self.base.get().filter(|(known, _)| known == revision) {
            return Ok(commit.clone());
        }
        let commit = self.merge_base(revision, "HEAD")?;
        let (known, found) = (revision.to_owned(), commit.clone());
        self.base.get_or_init(|| (known, found));
        Ok(commit)
    }

    pub(super) fn merge_base(&self, from: &str, to: &str) -> Result<String, GitError> {
        let commit = self.commit(from)?.hash;
        let head = self.hash(to)?.ok_or_else(|| match to {
            "HEAD" => GitError::NoCommits(from.to_owned()),
            _ => self.no_revision(to),
        })?;
        let answer = self.run(["merge-base", &commit, &head], SHORT)?;
        if answer.success {
            return Ok(line(&answer.stdout));
        }
        let (one, two) = (from.to_owned(), to.to_owned());
        Err(if self.is_shallow() {
            GitError::NoMergeBaseYet(one, two, self.deepen(DEEPER, &[&commit, &head], None))
        } else {
            GitError::NoMergeBase(one, two)
        })
    }

    fn is_shallow(&self) -> bool {
        let answer = self.run(["rev-parse", "--is-shallow-repository"], SHORT);
        answer.is_ok_and(|answer| line(&answer.stdout) == "true")
    }

    fn no_revision(&self, revision: &str) -> GitError {
        let owned = revision.to_owned();
        if self.is_shallow() {
            let fetch = self.deepen(DEEPER, &["HEAD"], Some(revision));
            return GitError::NoRevisionYet(owned, fetch);
        }
        match self.branch_of_remote(revision) {
            Some((remote, branch)) => {
                let name = format!("{remote}/{branch}");
                let then = if name == revision {
                    "try again".to_owned()
                } else {
                    format!("use {name}")
                };
                let refspec = refspec(&remote, &branch);
                GitError::NoBranch {
                    revision: owned,
                    fetch: format!("git fetch {remote} {refspec}"),
                    remote,
                    then,
                }
            }
            None => GitError::NoRevision(owned),
        }
    }

    /// The remote and the branch that a revision may mean: it begins with the remote's name, or this clone fetches only
    /// some branches, so that others are missing.
    fn branch_of_remote(&self, revision: &str) -> Option<(String, String)> {
        let remotes = self.printed(&["remote"]);
        if let Some(named) = remote_branch(&remotes, revision) {
            return Some(named);
        }
        let remote = remotes.lines().next()?;
        let fetched = self.printed(&["config", "--get-all", &format!("remote.{remote}.fetch")]);
        let is_hash = revision.len() >= 40 && revision.bytes().all(|byte| byte.is_ascii_hexdigit());
        let may_be_branch = is_plain(revision) && !is_hash && !fetched.contains('*');
        may_be_branch.then(|| (remote.to_owned(), revision.to_owned()))
    }

    /// The output of a command; empty if it fails.
    fn printed(&self, arguments: &[&str]) -> String {
        self.run(arguments, SHORT)
            .map(|answer| line(&answer.stdout))
            .unwrap_or_default()
    }

    /// The command that fetches more of the history of commits, and a remote branch that is missing completely. The
    /// boundary commits of the clone are named, because a server deepens only the requested history.
    fn deepen(&self, by: u32, commits: &[&str], missing: Option<&str>) -> String {
        let remotes = self.printed(&["remote"]);
        let cut = self.printed(&[&["rev-list", "--max-parents=0"], commits, &["--"]].concat());
        let named = missing.and_then(|revision| remote_branch(&remotes, revision));
        let first = remotes.lines().next().unwrap_or("origin");
        let remote = named.as_ref().map_or(first, |(remote, _)| remote);
        let branch = named
            .as_ref()
            .map(|(remote, branch)| refspec(remote, branch));
        let cut = cut.lines().take(CUTS).map(str::to_owned);
        let words = [format!("git fetch --deepen={by} {remote}")]
            .into_iter()
            .chain(cut)
            .chain(branch);
        words.collect::<Vec<_>>().join(" ")
    }

    /// The first parent of a commit, or the empty tree if it has none.
    pub(super) fn parent(&self, commit: &Object, revision: &str) -> Result<String, GitError> {
        // The content is read because git would report no parent in a shallow clone.
        let text = String::from_utf8_lossy(&commit.content);
        let mut header = text.lines().take_while(|line| !line.is_empty());
        match header.find_map(|line| line.strip_prefix("parent ")) {
            Some(parent) => self.hash(parent)?.ok_or_else(|| {
                GitError::NoParent(revision.to_owned(), self.deepen(1, &[&commit.hash], None))
            }),
            None => self.empty_tree(),
        }
    }

    pub(super) fn commit(&self, revision: &str) -> Result<Object, GitError> {
        self.find_commit(revision)?
            .ok_or_else(|| self.no_revision(revision))
    }

    /// The hash of the commit that a revision names.
    pub(super) fn hash(&self, revision: &str) -> Result<Option<String>, GitError> {
        Ok(self.find_commit(revision)?.map(|commit| commit.hash))
    }

    /// The commit that a revision names.
    fn find_commit(&self, revision: &str) -> Result<Option<Object>, GitError> {
        self.object(&format!("{revision}^{{commit}}"), SHORT)
    }
}

/// The branch that a revision names, on one of these remotes.
fn remote_branch(remotes: &str, revision: &str) -> Option<(String, String)> {
    let branch_of = |remote: &str| {
        Some((
            remote.to_owned(),
            revision.strip_prefix(remote)?.strip_prefix('/')?.to_owned(),
        ))
    };
    remotes
        .lines()
        .filter_map(branch_of)
        .find(|(_, branch)| is_plain(branch))
}

/// Whether a name can be part of a command that users copy.
fn is_plain(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-/".contains(&byte);
    !name.is_empty() && !name.starts_with('-') && name.bytes().all(is_plain)
}

fn refspec(remote: &str, branch: &str) -> String {
    format!("+refs/heads/{branch}:refs/remotes/{remote}/{branch}")
}
