//! Searches a checkout for names.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::panic::resume_unwind;
use std::thread;

use review::repository::{
    MentionSearch, MentioningFile, Mentions, NameCount, Refusal, checked_path, files_to_read,
};

use super::checkout::{Checkout, CheckoutRepository, LIST_BYTES, SEARCH_BYTES, refusal};
use super::word_search::{Count, WordSearch};
use crate::comparison::Place;
use crate::{GitError, command};

/// Maximum number of files that are searched in git's objects, one after the other.
const MAX_OBJECTS: usize = 500;
/// Maximum size of an object that is searched, in bytes.
const OBJECT_BYTES: usize = 4 << 20;

/// The result of a search.
#[derive(Debug, Default)]
struct Found {
    counts: Vec<NameCount>,
    /// A limit was exceeded, or a file could not be read.
    is_cut: bool,
}

impl Found {
    fn add(&mut self, path: &str, own: &Count) {
        self.counts.push(NameCount {
            path: path.to_owned(),
            name: own.name,
            count: own.count,
        });
    }
}

impl CheckoutRepository {
    /// The files that mention names.
    pub(super) fn find_mentions(&self, search: &MentionSearch) -> Result<Mentions, Refusal> {
        let is_limited = self.0.is_large(&search.extensions);
        let quick = if is_limited {
            None
        } else {
            self.search_files(search)?
        };
        let Found { counts, mut is_cut } = match quick {
            Some(found) => found,
            None => self.0.search_by_git(search, is_limited)?,
        };
        let found = files_to_read(&search.names, &counts);
        let (mut wanted, unsearched) = (found.files, found.common);
        self.0.retain_text(&mut wanted, |(path, _)| path)?;
        is_cut |= found.is_cut;
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

    /// Searches the working tree, and git's objects for the files that differ there from the new side. `None` if too many differ,
    /// or if there is no working tree.
    fn search_files(&self, search: &MentionSearch) -> Result<Option<Found>, Refusal> {
        let Checkout { git, new, .. } = &*self.0;
        let Ok(top) = git.root() else {
            return Ok(None);
        };
        let (differing, listing) = thread::scope(|scope| {
            let differing = scope.spawn(|| self.0.differing());
            let listing = self.list(&search.extensions);
            let differing = differing.join();
            (
                differing.unwrap_or_else(|panic| resume_unwind(panic)),
                listing,
            )
        });
        let differing = differing.map_err(|error| refusal(&error))?;
        let paths = listing?.paths;
        let paths = paths.iter().map(String::as_str);
        let (mut objects, files): (Vec<&str>, Vec<&str>) =
            paths.partition(|path| differing.contains(*path));
        if objects.len() > MAX_OBJECTS {
            return Ok(None);
        }
        let names: Vec<&str> = search.names.iter().map(String::as_str).collect();
        let words = WordSearch::new(&names).ok_or(Refusal::Failed)?;
        let searched = words.files(top, &files);
        let mut found = Found::default();
        for own in &searched.counts {
            if let Some(path) = files.get(own.file) {
                found.add(path, own);
            }
        }
        let commit = match new {
            // A file that cannot be read was deleted, or is a link or a submodule.
            Place::WorkingTree => return Ok(Some(found)),
            Place::Index => "",
            Place::Commit(commit) => commit,
        };
        objects.extend(searched.unread.iter().filter_map(|at| files.get(*at)));
        if objects.len() > MAX_OBJECTS {
            return Ok(None);
        }
        for path in objects {
            match git.object(&format!("{commit}:{path}"), OBJECT_BYTES) {
                Ok(Some(object)) => {
                    let counts = words.text(&object.content);
                    counts.iter().for_each(|own| found.add(path, own));
                }
                Ok(None) | Err(_) => found.is_cut = true,
            }
        }
        Ok(Some(found))
    }
}

impl Checkout {
    /// Removes the files that the repository declares not to be text, such as bundles.
    pub(super) fn retain_text<T>(
        &self,
        files: &mut Vec<T>,
        path: impl Fn(&T) -> &String,
    ) -> Result<(), Refusal> {
        if files.is_empty() {
            return Ok(());
        }
        let paths: Vec<&[u8]> = files.iter().map(|file| path(file).as_bytes()).collect();
        let marks = match self.git.snapshot_of(&self.attributes) {
            Some(commit) => commit.are_without_diff(&paths),
            None => self.git.are_without_diff(&paths),
        };
        let mut marks = marks.map_err(|error| refusal(&error))?.into_iter();
        files.retain(|_| !marks.next().unwrap_or(false));
        Ok(())
    }

    /// The files whose text in the working tree may differ from that on the new side, or that are missing there.
    fn differing(&self) -> Result<HashSet<String>, GitError> {
        let (command, commit) = match &self.new {
            Place::WorkingTree => return Ok(HashSet::new()),
            Place::Index => ("diff-files", None),
            Place::Commit(commit) => ("diff-index", Some(commit.as_str())),
        };
        let options = [
            command, "--name-only", "--no-renames", "--ignore-submodules", "-z",
        ];
        let harmless = self.git.harmless()?;
        let arguments = options.into_iter().chain(commit).chain(["--"]);
        let arguments = command::all(&harmless).chain(arguments.map(OsStr::new));
        let listed = self.git.run(arguments, LIST_BYTES)?.output()?;
        let paths = listed.split(|byte| *byte == 0);
        Ok(paths
            .filter_map(|path| str::from_utf8(path).ok())
            .map(str::to_owned)
            .collect())
    }

    /// Searches with `git grep`, in a very large repository only near the change.
    fn search_by_git(&self, search: &MentionSearch, is_limited: bool) -> Result<Found, Refusal> {
        let names: Vec<&str> = search.names.iter().map(String::as_str).collect();
        let folders: Vec<String> = if is_limited {
            search.near.iter().map(|folder| glob(folder)).collect()
        } else {
            vec!["**/".to_owned()]
        };
        let extensions = search.extensions.iter();
        let specs: Vec<String> = extensions
            .flat_map(|extension| {
                let spec = move |folder| format!(":(top,glob){folder}*.{extension}");
                folders.iter().map(spec)
            })
            .collect();
        let options = ["--word-regexp", "--only-matching"];
        let (output, prefix) = self.grep(&options, &names, &specs)?;
        let lines = output.split(|byte| *byte == b'\n');
        Ok(Found {
            counts: lines
                .filter_map(|line| mention(line, &prefix, &names))
                .collect(),
            is_cut: output.len() >= SEARCH_BYTES,
        })
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

/// The path and the name in a line of the output of `git grep --only-matching`.
fn mention(line: &[u8], prefix: &str, names: &[&str]) -> Option<NameCount> {
    let (path, name) = str::from_utf8(line).ok()?.split_once('\0')?;
    let path = path
        .strip_prefix(prefix)
        .filter(|path| checked_path(path) == Ok(*path))?;
    Some(NameCount {
        path: path.to_owned(),
        name: names.iter().position(|own| *own == name)?,
        count: 1,
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use review::repository::MentionSearch;

    use super::{Found, MAX_OBJECTS};
    use crate::repository::CheckoutRepository;
    use crate::test_git::git;
    use crate::{Change, Git};

    fn search() -> MentionSearch {
        MentionSearch {
            names: vec!["save".to_owned(), "total".to_owned()],
            extensions: vec!["py"],
            ..MentionSearch::default()
        }
    }

    /// How often each file mentions each name.
    fn sorted(found: Found) -> Vec<(String, usize, usize)> {
        let mut counts: Vec<_> = Vec::new();
        for one in found.counts {
            match counts
                .iter_mut()
                .find(|(path, name, _)| (path, name) == (&one.path, &one.name))
            {
                Some((_, _, count)) => *count += one.count,
                None => counts.push((one.path, one.name, one.count)),
            }
        }
        counts.sort();
        counts
    }

    #[test]
    fn a_search_of_the_working_tree_finds_what_git_finds_on_the_new_side() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        let write = |path: &str, text: &str| {
            fs::create_dir_all(at(path).parent().unwrap()).unwrap();
            fs::write(at(path), text).unwrap();
        };
        git(folder.path(), &["init", "-q"]);
        write(".gitignore", "ignored.py\n");
        write("same.py", "total(total)\nsubtotal\n");
        write("sub/same.py", "save()\n");
        write("staged.py", "total()\n");
        write("edited.py", "total()\n");
        write("gone.py", "total()\n");
        write("other.txt", "total()\n");
        write("ignored.py", "total()\n");
        git(folder.path(), &["add", "."]);
        git(folder.path(), &["commit", "-qm", "one"]);
        write("staged.py", "save()\n");
        git(folder.path(), &["add", "."]);
        write("edited.py", "save(save)\n");
        write("new.py", "total()\n");
        fs::remove_file(at("gone.py")).unwrap();
        let one = |path: &str, name, count| (path.to_owned(), name, count);
        for (change, expected) in [
            (
                Change::Uncommitted,
                vec![
                    one("edited.py", 0, 2),
                    one("new.py", 1, 1),
                    one("same.py", 1, 2),
                    one("staged.py", 0, 1),
                    one("sub/same.py", 0, 1),
                ],
            ),
            (
                Change::Staged,
                vec![
                    one("edited.py", 1, 1),
                    one("gone.py", 1, 1),
                    one("same.py", 1, 2),
                    one("staged.py", 0, 1),
                    one("sub/same.py", 0, 1),
                ],
            ),
            (
                Change::Commit("HEAD".to_owned()),
                vec![
                    one("edited.py", 1, 1),
                    one("gone.py", 1, 1),
                    one("same.py", 1, 2),
                    one("staged.py", 1, 1),
                    one("sub/same.py", 0, 1),
                ],
            ),
        ] {
            let opened = Git::open(&at("sub")).unwrap();
            let repository = CheckoutRepository::of(&opened, &change).unwrap();
            let found = repository.search_files(&search()).unwrap().unwrap();
            assert!(!found.is_cut, "{change:?}");
            assert_eq!(sorted(found), expected, "{change:?}");
            let by_git = repository.0.search_by_git(&search(), false).unwrap();
            assert_eq!(sorted(by_git), expected, "{change:?} by git");
        }
    }

    #[test]
    fn files_that_were_declared_binary_before_the_change_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| fs::write(folder.path().join(path), text).unwrap();
        git(folder.path(), &["init", "-q"]);
        let attributes = "bundle.py -diff\ncopy.py binary\na.py diff=python\n";
        write(".gitattributes", attributes);
        for path in ["a.py", "b.py", "bundle.py", "copy.py"] {
            write(path, "total()\n");
        }
        git(folder.path(), &["add", "."]);
        git(folder.path(), &["commit", "-qm", "one"]);
        write(".gitattributes", "*.py -diff\n");
        git(folder.path(), &["commit", "-qam", "two"]);
        let (from, to) = ("HEAD~1".to_owned(), "HEAD".to_owned());
        for (change, expected) in [
            (Change::Uncommitted, &[][..]),
            (Change::Since(from.clone()), &["a.py", "b.py"]),
            (Change::Commit(to.clone()), &["a.py", "b.py"]),
            (Change::Between(from.clone(), to.clone()), &["a.py", "b.py"]),
            (Change::SinceBranching(from.clone(), to), &["a.py", "b.py"]),
            (
                Change::Commit(from),
                &["a.py", "b.py", "bundle.py", "copy.py"],
            ),
        ] {
            let opened = Git::open(folder.path()).unwrap();
            let repository = CheckoutRepository::of(&opened, &change).unwrap();
            let found = repository.find_mentions(&search()).unwrap();
            let paths: Vec<&str> = found.files.iter().map(|file| &*file.path).collect();
            assert_eq!(
                (paths.as_slice(), found.is_cut),
                (expected, false),
                "{change:?}"
            );
            let CheckoutRepository(files) = repository;
            let hits = review::repository::Files::search(&*files, "total", true).unwrap();
            let paths: Vec<&str> = hits.hits.iter().map(|hit| &*hit.path).collect();
            assert_eq!(paths, expected, "{change:?}");
        }
    }

    #[test]
    fn git_searches_if_too_many_files_differ() {
        let folder = tempfile::tempdir().unwrap();
        git(folder.path(), &["init", "-q"]);
        for at in 0..=MAX_OBJECTS {
            fs::write(folder.path().join(format!("{at}.py")), "total()\n").unwrap();
        }
        git(folder.path(), &["add", "."]);
        git(folder.path(), &["commit", "-qm", "one"]);
        for at in 0..=MAX_OBJECTS {
            fs::remove_file(folder.path().join(format!("{at}.py"))).unwrap();
        }
        let opened = Git::open(folder.path()).unwrap();
        let change = Change::Commit("HEAD".to_owned());
        let repository = CheckoutRepository::of(&opened, &change).unwrap();
        assert!(repository.search_files(&search()).unwrap().is_none());
        let unsearched = repository.find_mentions(&search()).unwrap().unsearched;
        assert_eq!(unsearched.into_iter().collect::<Vec<_>>(), ["total"]);
    }
}
