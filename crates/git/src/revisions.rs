//! Resolves revisions to commits, and suggests what to fetch if one is missing.

use std::collections::HashSet;

use super::objects::Object;
use super::process::{SHORT, line};
use super::{Git, GitError};

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
        let head = match to {
            "HEAD" => self
                .hash(to)?
                .ok_or_else(|| GitError::NoCommits(from.to_owned()))?,
            _ => self.commit(to)?.hash,
        };
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
                let then = if name == short(revision) {
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

    /// The commit that a revision of the user names.
    ///
    /// # Errors
    /// There is none, or the name is ambiguous. A change can bring a tag that git would prefer to a branch of that name.
    pub(super) fn commit(&self, revision: &str) -> Result<Object, GitError> {
        let mut meanings = self.meanings(revision)?;
        if let (Some(last), false) = (meanings.pop(), meanings.is_empty()) {
            return Err(GitError::Ambiguous {
                revision: revision.to_owned(),
                others: meanings,
                last,
            });
        }
        self.find_commit(revision)?
            .ok_or_else(|| self.no_revision(revision))
    }

    /// The possible meanings of the name at the start of a revision: references, and a commit if it looks like a hash. Empty if no
    /// reference has the name, or only git itself sets it.
    fn meanings(&self, revision: &str) -> Result<Vec<String>, GitError> {
        let name = name_of(revision);
        if matches!(name, "" | "@" | "HEAD") {
            return Ok(Vec::new());
        }
        let mut references = self.references(name)?;
        let is_full = references.iter().any(|reference| reference == name);
        if is_full || references.is_empty() {
            return Ok(Vec::new());
        }
        if name.starts_with("refs/") {
            // A full name that does not exist, and something that git would take for it.
            references.push(format!("{name} (missing)"));
        } else if is_hexadecimal(name)
            && let Some(commit) = self.commit_by_hash(name)?
        {
            references.push(format!("the commit {commit}"));
        }
        Ok(references)
    }

    /// The references that git would take for a name, in its order.
    fn references(&self, name: &str) -> Result<Vec<String>, GitError> {
        let candidates = [
            name.to_owned(),
            format!("refs/{name}"),
            format!("refs/tags/{name}"),
            format!("refs/heads/{name}"),
            format!("refs/remotes/{name}"),
            format!("refs/remotes/{name}/HEAD"),
        ];
        let start = ["for-each-ref", "--format=%(refname)", "--"].map(str::to_owned);
        let listed = self.run(start.iter().chain(&candidates), SHORT)?.output()?;
        let listed = String::from_utf8_lossy(&listed);
        // Git also lists what is below a name.
        let listed: HashSet<&str> = listed.lines().collect();
        let exists = |candidate: &String| listed.contains(candidate.as_str());
        Ok(candidates.into_iter().filter(exists).collect())
    }

    /// The commit with a hash that starts like this.
    fn commit_by_hash(&self, start: &str) -> Result<Option<String>, GitError> {
        let found = self.run(["rev-parse", &format!("--disambiguate={start}")], SHORT)?;
        let hashes = line(&found.stdout);
        for hash in hashes.lines() {
            if let Some(commit) = self.find_commit(hash)? {
                return Ok(Some(commit.hash));
            }
        }
        Ok(None)
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

/// The name at the start of a revision, before what selects one of its ancestors or entries.
fn name_of(revision: &str) -> &str {
    let end = revision.find(['~', '^', ':']).unwrap_or(revision.len());
    let name = revision.get(..end).unwrap_or(revision);
    name.split_once("@{").map_or(name, |(name, _)| name)
}

fn is_hexadecimal(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The branch that a revision names, on one of these remotes.
fn remote_branch(remotes: &str, revision: &str) -> Option<(String, String)> {
    let name = short(revision);
    let branch_of = |remote: &str| {
        Some((
            remote.to_owned(),
            name.strip_prefix(remote)?.strip_prefix('/')?.to_owned(),
        ))
    };
    remotes
        .lines()
        .filter_map(branch_of)
        .find(|(_, branch)| is_plain(branch))
}

/// The name of a remote branch without what all of them start with.
fn short(revision: &str) -> &str {
    revision.strip_prefix("refs/remotes/").unwrap_or(revision)
}

/// Whether a name can be part of a command that users copy.
fn is_plain(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-/".contains(&byte);
    !name.is_empty() && !name.starts_with('-') && name.bytes().all(is_plain)
}

fn refspec(remote: &str, branch: &str) -> String {
    format!("+refs/heads/{branch}:refs/remotes/{remote}/{branch}")
}
