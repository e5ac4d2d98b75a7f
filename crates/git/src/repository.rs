//! The files of a checkout on the new side of a change, for look-ups. Only tracked files and untracked ones that git
//! does not ignore are read, and links are not followed.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsStr;
use std::io::Read as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use futures_util::future::BoxFuture;
use review::repository::{
    Answer, Files, Hit, Hits, Listing, Lookup, MANY_BYTES, MANY_FILES, MAX_FILE_BYTES, MAX_HITS,
    MentionSearch, MentioningFile, Mentions, Refusal, Repository, answer, checked_path,
    files_to_read, has_extension,
};

use super::beneath::open_beneath;
use super::comparison::Place;
use super::index_file::Tracked;
use super::kept_list::KeptList;
use super::new_side::NewSide;
use super::{Change, Git, GitError, SHORT, command, read as read_pipe, run_with, spec};

/// Maximum size of a search's output that is read, in bytes.
const SEARCH_BYTES: usize = 2 << 20;
/// Maximum size of the list of a checkout's files, in bytes.
const LIST_BYTES: usize = 32 << 20;
/// The modes of links and submodules in git's lists.
const NO_FILES: [&str; 2] = ["120000", "160000"];

/// A checkout that can be searched.
#[derive(Debug, Clone)]
pub struct CheckoutRepository(Arc<Checkout>);

/// The part of a checkout that a review may read. Git is not started before the first look-up.
#[derive(Debug, Clone)]
pub struct Surroundings {
    git: Arc<Git>,
    change: Change,
    access: Access,
    /// The checkout, after the first look-up.
    checkout: Arc<OnceLock<CheckoutRepository>>,
    /// The list of files that is kept between reviews.
    kept: Option<KeptList>,
}

/// Which engines may read a checkout.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Access {
    /// The language model, for its own look-ups.
    pub model: bool,
    /// The rules, to find uses in other files that a change breaks.
    pub rules: bool,
}

#[derive(Debug)]
struct Checkout {
    git: Git,
    new: Place,
    /// The paths of its files, once listed.
    paths: OnceLock<Arc<Vec<String>>>,
    /// The list that is kept between reviews.
    kept: Option<KeptList>,
    /// The paths are those of an earlier review.
    is_kept: AtomicBool,
    /// The size of its tracked files, once read.
    tracked: OnceLock<Tracked>,
}

impl CheckoutRepository {
    /// The repository around a checkout, on the new side of a change.
    ///
    /// # Errors
    /// Git failed, or does not know the change.
    pub fn of(git: &Git, change: &Change) -> Result<Self, GitError> {
        Self::with_list(git, change, None)
    }

    fn with_list(git: &Git, change: &Change, kept: Option<KeptList>) -> Result<Self, GitError> {
        let git = git.below(&[])?;
        let new = git.comparison(change)?.new;
        Ok(Self(Arc::new(Checkout {
            git,
            new,
            paths: OnceLock::new(),
            kept,
            is_kept: AtomicBool::new(false),
            tracked: OnceLock::new(),
        })))
    }

    /// The sorted paths of all files that can be read, listed once. A working tree may contain links; their text cannot
    /// be read.
    ///
    /// # Errors
    /// Git failed, or there are too many files.
    pub fn paths(&self) -> Result<&[String], GitError> {
        let paths = &self.0.paths;
        if let Some(known) = paths.get() {
            return Ok(known);
        }
        let listed = match &self.0.kept {
            Some(kept) => self.0.list_or_take(kept)?,
            None => Arc::new(self.0.list()?),
        };
        Ok(paths.get_or_init(|| listed))
    }

    /// Whether an earlier review's list was used and is no longer right. It is then discarded.
    fn has_outdated_list(&self) -> bool {
        let Checkout { kept, is_kept, .. } = &*self.0;
        let (Some(kept), true) = (kept, is_kept.load(Ordering::Relaxed)) else {
            return false;
        };
        let is_right = self
            .0
            .list()
            .is_ok_and(|list| self.0.paths.get().is_some_and(|paths| **paths == list));
        if !is_right {
            kept.discard();
        }
        !is_right
    }

    /// The text of a file.
    ///
    /// # Errors
    /// It may not or cannot be read.
    pub fn text(&self, path: &str) -> Result<String, Refusal> {
        self.0.text(checked_path(path)?)
    }

    /// The files that mention names.
    fn find_mentions(&self, search: &MentionSearch) -> Result<Mentions, Refusal> {
        let names: Vec<&str> = search.names.iter().map(String::as_str).collect();
        let is_limited = self.0.is_large(&search.extensions);
        let folders: Vec<String> = if is_limited {
            search.near.iter().map(|folder| glob(folder)).collect()
        } else {
            vec!["**/".to_owned()]
        };
        let specs: Vec<String> = search
            .extensions
            .iter()
            .flat_map(|extension| {
                folders
                    .iter()
                    .map(move |folder| format!(":(top,glob){folder}*.{extension}"))
            })
            .collect();
        let (output, prefix) =
            self.0
                .grep(&["--word-regexp", "--only-matching"], &names, &specs)?;
        let hits = output
            .split(|byte| *byte == b'\n')
            .filter_map(|line| mention(line, &prefix));
        let found = files_to_read(&hits.collect::<Vec<_>>());
        let (wanted, unsearched) = (found.files, found.common);
        let mut is_cut = found.is_cut || output.len() >= SEARCH_BYTES;
        if wanted.is_empty() {
            return Ok(Mentions {
                is_cut,
                is_limited,
                unsearched,
                ..Mentions::default()
            });
        }
        let paths = self.list(&search.extensions)?.paths;
        let mut texts = self.texts(wanted.iter().map(|(path, _)| path.as_str()));
        is_cut |= texts.len() < wanted.len();
        let file = |(index, (path, names)): (usize, (String, Vec<String>))| {
            let text = texts.remove(&index)?;
            Some(MentioningFile { path, text, names })
        };
        let files = wanted.into_iter().enumerate().filter_map(file).collect();
        Ok(Mentions {
            files,
            paths,
            is_cut,
            is_limited,
            unsearched,
        })
    }

    /// The files with some extensions.
    fn list(&self, extensions: &[&'static str]) -> Result<Listing, Refusal> {
        let paths = self.paths().map_err(|error| refusal(&error))?.iter();
        Ok(Listing {
            paths: paths
                .filter(|path| has_extension(path, extensions))
                .cloned()
                .collect(),
            is_complete: true,
        })
    }

    /// The texts of files that can be looked into, by their position.
    fn texts<'p>(&self, paths: impl Iterator<Item = &'p str>) -> HashMap<usize, String> {
        let Checkout { git, new, .. } = &*self.0;
        let side = NewSide {
            git: git.with_own_index(),
            place: new.clone(),
        };
        side.read(paths.enumerate().collect())
    }

    /// Which of these paths git ignores.
    fn ignored(&self, paths: &[String]) -> Result<BTreeSet<String>, Refusal> {
        let git = &self.0.git;
        let harmless = git.harmless().map_err(|error| refusal(&error))?;
        let mut arguments: Vec<&OsStr> = command::all(&harmless).collect();
        // Git quotes unusual characters in what it prints otherwise.
        arguments.extend(["-c", "core.quotePath=false", "check-ignore", "--"].map(OsStr::new));
        arguments.extend(paths.iter().map(OsStr::new));
        let listed = git
            .run(arguments, LIST_BYTES)
            .map_err(|error| refusal(&error))?;
        let lines = listed.stdout.split(|byte| *byte == b'\n');
        Ok(lines
            .filter_map(|path| str::from_utf8(path).ok())
            .map(str::to_owned)
            .collect())
    }

    /// The path of the only file that defines a name.
    pub fn definition(&self, name: &str) -> Option<String> {
        let found = answer(&*self.0, &Lookup::Definition(name.to_owned())).ok()?;
        let [only] = found.excerpts.as_slice() else {
            return None;
        };
        Some(only.path.clone())
    }
}

impl Surroundings {
    /// The surroundings of a change, if an engine may read them.
    pub fn of(git: &Git, change: &Change, access: Access) -> Option<Self> {
        let (git, change) = (Arc::new(git.with_own_index()), change.clone());
        (access != Access::default()).then(|| Self {
            git,
            change,
            access,
            checkout: Arc::default(),
            kept: None,
        })
    }

    /// The same surroundings with a list of files that is kept between reviews of a working tree. It may be outdated.
    #[must_use]
    pub fn with_list(self, kept: &KeptList) -> Self {
        Self {
            kept: Some(kept.clone()),
            ..self
        }
    }

    /// Whether this review used a list that an earlier one had read, and files were created or deleted since then. The
    /// list is then discarded.
    pub async fn has_outdated_list(&self) -> bool {
        // Without a look-up, no list was used.
        self.checkout.get().is_some()
            && self
                .ask(|checkout| Ok(checkout.has_outdated_list()))
                .await
                .unwrap_or(true)
    }

    fn checkout(&self) -> Result<CheckoutRepository, Refusal> {
        if let Some(known) = self.checkout.get() {
            return Ok(known.clone());
        }
        let opened = CheckoutRepository::with_list(&self.git, &self.change, self.kept.clone())
            .map_err(|error| refusal(&error))?;
        Ok(self.checkout.get_or_init(|| opened).clone())
    }

    /// Runs a look-up on a blocking thread.
    fn ask<T: Send + 'static>(
        &self,
        look: impl FnOnce(&CheckoutRepository) -> Result<T, Refusal> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, Refusal>> {
        let surroundings = self.clone();
        let work = tokio::task::spawn_blocking(move || look(&surroundings.checkout()?));
        Box::pin(async move { work.await.unwrap_or(Err(Refusal::Failed)) })
    }
}

impl Repository for Surroundings {
    fn look_up<'a>(&'a self, lookup: &'a Lookup) -> BoxFuture<'a, Result<Answer, Refusal>> {
        let lookup = lookup.clone();
        self.ask(move |checkout| answer(&*checkout.0, &lookup))
    }

    fn is_for_models(&self) -> bool {
        self.access.model
    }

    fn mentions<'a>(
        &'a self,
        search: &'a MentionSearch,
    ) -> BoxFuture<'a, Result<Mentions, Refusal>> {
        if !self.access.rules {
            return Box::pin(std::future::ready(Ok(Mentions::default())));
        }
        let search = search.clone();
        self.ask(move |checkout| checkout.find_mentions(&search))
    }

    fn list<'a>(
        &'a self,
        extensions: &'a [&'static str],
    ) -> BoxFuture<'a, Result<Listing, Refusal>> {
        if !self.access.rules {
            return Box::pin(std::future::ready(Ok(Listing::default())));
        }
        let extensions = extensions.to_vec();
        self.ask(move |checkout| checkout.list(&extensions))
    }

    fn read<'a>(
        &'a self,
        paths: &'a [String],
    ) -> BoxFuture<'a, Result<BTreeMap<String, String>, Refusal>> {
        let paths = paths.to_vec();
        self.ask(move |checkout| {
            let mut texts = checkout.texts(paths.iter().map(String::as_str));
            let text = |(at, path): (usize, String)| Some((path, texts.remove(&at)?));
            Ok(paths.into_iter().enumerate().filter_map(text).collect())
        })
    }

    fn ignored<'a>(
        &'a self,
        paths: &'a [String],
    ) -> BoxFuture<'a, Result<BTreeSet<String>, Refusal>> {
        let paths = paths.to_vec();
        self.ask(move |checkout| checkout.ignored(&paths))
    }
}

impl Files for Checkout {
    fn text(&self, path: &str) -> Result<String, Refusal> {
        let bytes = match &self.new {
            Place::WorkingTree => self.of_working_tree(path)?,
            Place::Index => self
                .git
                .in_index(path, MAX_FILE_BYTES)
                .map_err(|error| refusal(&error))?
                .ok_or(Refusal::NoSuchFile)?,
            Place::Commit(commit) => self.of_commit(commit, path)?,
        };
        if bytes.contains(&0) {
            return Err(Refusal::NotText);
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn search(&self, text: &str, as_word: bool) -> Result<Hits, Refusal> {
        let options: &[&str] = if as_word {
            &["--line-number", "--word-regexp"]
        } else {
            &["--line-number"]
        };
        let (output, prefix) = self.grep(options, &[text], &[":/".to_owned()])?;
        Ok(hits(&output, &prefix))
    }
}

impl Checkout {
    /// The list that is kept, or else a new one.
    fn list_or_take(&self, kept: &KeptList) -> Result<Arc<Vec<String>>, GitError> {
        let (moment, known) = kept.get();
        if let Some(known) = known {
            self.is_kept.store(true, Ordering::Relaxed);
            return Ok(known);
        }
        let listed = Arc::new(self.list()?);
        kept.keep(moment, Arc::clone(&listed));
        Ok(listed)
    }

    fn list(&self) -> Result<Vec<String>, GitError> {
        let Self { git, new, .. } = self;
        let listed = match new {
            Place::WorkingTree => {
                let list = [
                    "ls-files",
                    "--cached",
                    "--others",
                    "--exclude-standard",
                    "--full-name",
                    "-z",
                    "--",
                    ":/",
                ];
                git.run(list, LIST_BYTES)?
            }
            Place::Index => git.run(
                ["ls-files", "--stage", "--full-name", "-z", "--", ":/"],
                LIST_BYTES,
            )?,
            Place::Commit(commit) => {
                git.run(["ls-tree", "-r", "-z", "--full-tree", commit], LIST_BYTES)?
            }
        };
        let entries = listed
            .stdout
            .split(|byte| *byte == 0)
            .filter_map(|entry| str::from_utf8(entry).ok());
        // The mode comes first, the path after a tab.
        let path = |entry: &str| match new {
            Place::WorkingTree => Some(entry.to_owned()),
            Place::Index | Place::Commit(_) => {
                let (about, path) = entry.split_once('\t')?;
                (!NO_FILES.iter().any(|mode| about.starts_with(mode))).then(|| path.to_owned())
            }
        };
        let mut paths: Vec<String> = entries
            .filter_map(path)
            .filter(|path| checked_path(path) == Ok(path))
            .collect();
        paths.sort_unstable();
        paths.dedup();
        Ok(paths)
    }

    /// Whether there are more than [`MANY_FILES`] files, or more than [`MANY_BYTES`] in files with these extensions,
    /// according to the index. A bare repository has none.
    fn is_large(&self, extensions: &[&str]) -> bool {
        let index = || self.git.own_index.as_ref()?.tracked();
        let tracked = self.tracked.get_or_init(|| index().unwrap_or_default());
        tracked.files > MANY_FILES || tracked.bytes(extensions) > MANY_BYTES
    }

    /// The output of `git grep` with these options for these texts, and the prefix that it prints before each path.
    fn grep(
        &self,
        options: &[&str],
        texts: &[&str],
        paths: &[String],
    ) -> Result<(Vec<u8>, String), Refusal> {
        // For files of a commit, git starts no filter and writes no index.
        let harmless = match &self.new {
            Place::Commit(_) => Vec::new(),
            Place::WorkingTree | Place::Index => {
                self.git.harmless().map_err(|error| refusal(&error))?
            }
        };
        let mut arguments: Vec<&OsStr> = command::all(&harmless).collect();
        let always = [
            "grep",
            "--fixed-strings",
            "--full-name",
            "--null",
            "-I",
            "--no-color",
            "--no-textconv",
        ];
        arguments.extend(
            always
                .iter()
                .chain(&["--no-recurse-submodules"])
                .chain(options)
                .map(OsStr::new),
        );
        arguments.extend(texts.iter().flat_map(|text| ["-e", text]).map(OsStr::new));
        let prefix = match &self.new {
            Place::WorkingTree => {
                arguments.push(OsStr::new("--untracked"));
                String::new()
            }
            Place::Index => {
                arguments.push(OsStr::new("--cached"));
                String::new()
            }
            Place::Commit(commit) => {
                arguments.push(OsStr::new(commit));
                format!("{commit}:")
            }
        };
        arguments.push(OsStr::new("--"));
        arguments.extend(paths.iter().map(OsStr::new));
        let mut process = self.git.command(arguments);
        let (ended, output) = run_with(&mut process, &[], |stdout| read_pipe(stdout, SEARCH_BYTES))
            .map_err(|error| refusal(&error))?;
        if ended.has_failed() && output.is_empty() {
            return Err(Refusal::Failed);
        }
        Ok((output, prefix))
    }

    fn of_working_tree(&self, path: &str) -> Result<Vec<u8>, Refusal> {
        let list = [
            "ls-files",
            "--cached",
            "--others",
            "--exclude-standard",
            "-z",
            "--",
        ]
        .map(OsStr::new);
        let spec = spec("", path.as_bytes());
        let listed = self
            .git
            .run(list.into_iter().chain([spec.as_os_str()]), SHORT)
            .map_err(|error| refusal(&error))?;
        if !listed.success || listed.stdout.is_empty() {
            return Err(Refusal::NoSuchFile);
        }
        let top = self.git.root().map_err(|error| refusal(&error))?;
        let file = open_beneath(top, path).ok_or(Refusal::NoSuchFile)?;
        let metadata = file.metadata().map_err(|_| Refusal::NoSuchFile)?;
        if !metadata.is_file() {
            return Err(Refusal::NoSuchFile);
        }
        let mut bytes = Vec::new();
        file.take(MAX_FILE_BYTES as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(|_| Refusal::Failed)?;
        if bytes.len() > MAX_FILE_BYTES {
            Err(Refusal::NotText)
        } else {
            Ok(bytes)
        }
    }

    fn of_commit(&self, commit: &str, path: &str) -> Result<Vec<u8>, Refusal> {
        let answer = self
            .git
            .run(
                ["cat-file", "blob", &format!("{commit}:{path}")],
                MAX_FILE_BYTES,
            )
            .map_err(|error| refusal(&error))?;
        if answer.success {
            Ok(answer.stdout)
        } else {
            Err(Refusal::NoSuchFile)
        }
    }
}

/// A pattern of git for the files in a folder and below it; at the top, for those that are in no folder.
fn glob(folder: &str) -> String {
    let mut pattern = String::with_capacity(folder.len());
    for c in folder.chars() {
        if matches!(c, '*' | '?' | '[' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    if folder.is_empty() {
        pattern
    } else {
        pattern + "/**/"
    }
}

/// Parses the output of git: for each line its path, a NUL, its number, a separator, and its text.
fn hits(output: &[u8], prefix: &str) -> Hits {
    let mut found = Hits {
        hits: Vec::new(),
        more: output.len() >= SEARCH_BYTES,
    };
    for line in output.split(|byte| *byte == b'\n') {
        let Some(end) = line.iter().position(|byte| *byte == 0) else {
            continue;
        };
        let (path, rest) = line.split_at(end);
        let digits: String = rest
            .iter()
            .skip(1)
            .take_while(|byte| byte.is_ascii_digit())
            .map(|b| char::from(*b))
            .collect();
        let (Ok(path), Ok(line)) = (str::from_utf8(path), digits.parse()) else {
            continue;
        };
        let Some(path) = path.strip_prefix(prefix) else {
            continue;
        };
        if found.hits.len() == MAX_HITS {
            found.more = true;
            break;
        }
        found.hits.push(Hit {
            path: path.to_owned(),
            line,
        });
    }
    found
}

/// The path and the name in a line of the output of `git grep --only-matching`.
fn mention(line: &[u8], prefix: &str) -> Option<(String, String)> {
    let (path, name) = str::from_utf8(line).ok()?.split_once('\0')?;
    let path = path
        .strip_prefix(prefix)
        .filter(|path| checked_path(path) == Ok(*path))?;
    Some((path.to_owned(), name.to_owned()))
}

fn refusal(error: &GitError) -> Refusal {
    match error {
        GitError::TooLarge(_) => Refusal::NotText,
        _ => Refusal::Failed,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;
    use std::process::Command;

    use review::repository::{Answer, Lookup, Refusal, answer};

    use super::CheckoutRepository;
    use crate::{Change, Git};

    fn git(folder: &Path, arguments: &[&str]) {
        let mut command = Command::new("git");
        command
            .args(["-c", "user.name=a", "-c", "user.email=a@b"])
            .args(arguments)
            .current_dir(folder);
        assert!(command.output().unwrap().status.success(), "{arguments:?}");
    }

    fn places(answer: &Answer) -> Vec<String> {
        answer
            .excerpts
            .iter()
            .map(|excerpt| format!("{}:{}", excerpt.path, excerpt.first))
            .collect()
    }

    /// A commit, a staged change, and an unstaged one in the working tree.
    fn checkout() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        git(folder.path(), &["init", "-q"]);
        write(".gitignore", "ignored.py\n");
        write("sub/a b.py", "def total():\n    return 1\n");
        write("b.py", "total()\n");
        git(folder.path(), &["add", "."]);
        git(folder.path(), &["commit", "-qm", "one"]);
        write("b.py", "\n\n\n\ntotal()\n");
        git(folder.path(), &["add", "."]);
        write("b.py", "\n\n\n\n\n\n\ntotal()\n");
        write("new.py", "total()\n");
        write("ignored.py", "total()\n");
        write(".env", "TOKEN=total\n");
        write("binary.py", "total\0\n");
        folder
    }

    #[test]
    fn only_files_on_the_new_side_of_a_change_are_read() {
        let folder = checkout();
        symlink("/etc", folder.path().join("link")).unwrap();
        symlink("/etc/passwd", folder.path().join("link.py")).unwrap();
        git(folder.path(), &["config", "submodule.recurse", "true"]);
        git(folder.path(), &["config", "grep.patternType", "perl"]);
        let opened = Git::open(&folder.path().join("sub")).unwrap();
        for (change, uses) in [
            (Change::Uncommitted, &["b.py:6", "new.py:1"][..]),
            (Change::Staged, &["b.py:3"]),
            (Change::Commit("HEAD".to_owned()), &["b.py:1"]),
        ] {
            let CheckoutRepository(files) = CheckoutRepository::of(&opened, &change).unwrap();
            let look_up = |lookup: Lookup| answer(&*files, &lookup);
            assert_eq!(
                places(&look_up(Lookup::Definition("total".into())).unwrap()),
                ["sub/a b.py:1"],
                "{change:?}"
            );
            assert_eq!(
                places(&look_up(Lookup::Callers("total".into())).unwrap()),
                uses,
                "{change:?}"
            );
            assert_eq!(
                look_up(Lookup::Search("root:".into())).unwrap(),
                Answer::default()
            );
            let read = |path: &str| {
                look_up(Lookup::Read {
                    path: path.into(),
                    first: 1,
                    last: 1,
                })
            };
            assert_eq!(places(&read("sub/a b.py").unwrap()), ["sub/a b.py:1"]);
            for path in [
                "ignored.py",
                "link/passwd",
                "link.py",
                "sub",
                "*.py",
                ":/b.py",
                "no.py",
                "binary.py",
            ] {
                let refused = read(path).unwrap_err();
                assert!(
                    matches!(refused, Refusal::NoSuchFile | Refusal::NotText),
                    "{change:?} {path}: {refused}"
                );
            }
            for path in ["../a", "/etc/passwd", ".git/config", ".env"] {
                assert!(read(path).unwrap_err().is_forbidden(), "{path}");
            }
        }
    }
}
