//! Searches the files of a working tree for names.
//!
//! A name is found as a whole word, as by `git grep --word-regexp`: no letter, digit or `_` of ASCII is next to it. Git itself
//! is slower: it decompresses the files of a commit, and looks for untracked files although they are listed already.

use std::fs::File;
use std::io::{self, Read as _};
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use aho_corasick::{AhoCorasick, MatchKind};
use memchr::memmem::Finder;
use memchr::{memchr, memrchr};

use crate::beneath::Folders;

/// Maximum number of bytes in memory of one file. Longer files are searched in pieces that end with a line.
const PIECE: usize = 4 << 20;
/// A file with a zero among its first bytes is not text, as for git.
const SNIFFED: usize = 8_000;
/// The number of files in a batch, the unit of work of a thread. Neighbours are in the same folders.
const BATCH: usize = 64;
/// Maximum number of threads.
const THREADS: usize = 4;

/// Names to search for.
#[derive(Debug)]
pub(super) struct WordSearch<'n> {
    names: Vec<Finder<'n>>,
    any: AhoCorasick,
}

/// How often a name occurs in a file. Both are positions in the lists that were searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Count {
    pub(super) file: usize,
    pub(super) name: usize,
    pub(super) count: usize,
}

/// The result of a search.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// In the order of the files.
    pub(super) counts: Vec<Count>,
    /// The positions of the files that could not be read, in order.
    pub(super) unread: Vec<usize>,
}

impl<'n> WordSearch<'n> {
    /// A search for these names, none of which is empty; `None` if they are too long.
    pub(super) fn new(names: &[&'n str]) -> Option<Self> {
        let any = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostFirst)
            .build(names)
            .ok()?;
        Some(Self {
            names: names.iter().map(|name| Finder::new(*name)).collect(),
            any,
        })
    }

    /// Searches files below a folder. Links are not followed.
    pub(super) fn files(&self, top: &Path, paths: &[&str]) -> Found {
        let next = AtomicUsize::new(0);
        let available = thread::available_parallelism().map_or(1, usize::from);
        let threads = available.min(THREADS).min(paths.len().div_ceil(BATCH));
        let mut found = Found::default();
        thread::scope(|scope| {
            let work = || self.batches(top, paths, &next);
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            for worker in workers {
                let own = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
                found.counts.extend(own.counts);
                found.unread.extend(own.unread);
            }
        });
        found.counts.sort_unstable();
        found.unread.sort_unstable();
        found
    }

    /// Searches batches of files until none is left.
    fn batches(&self, top: &Path, paths: &[&str], next: &AtomicUsize) -> Found {
        let (mut found, mut folders, mut text) =
            (Found::default(), Folders::below(top), Vec::new());
        loop {
            let start = next.fetch_add(BATCH, Ordering::Relaxed);
            let Some(rest) = paths.get(start..).filter(|rest| !rest.is_empty()) else {
                return found;
            };
            for (file, path) in (start..).zip(rest.iter().take(BATCH)) {
                let mut counts = vec![0; self.names.len()];
                let opened = folders.as_mut().and_then(|folders| folders.open(path));
                let searched = opened
                    .ok_or(io::ErrorKind::NotFound.into())
                    .and_then(|opened| self.file(opened, &mut text, &mut counts));
                match searched {
                    Ok(()) => found.counts.extend(nonzero(file, &counts)),
                    Err(_) => found.unread.push(file),
                }
            }
        }
    }

    /// Counts the names in a file.
    fn file(&self, mut file: File, text: &mut Vec<u8>, counts: &mut [usize]) -> io::Result<()> {
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        text.clear();
        text.reserve(PIECE.min(usize::try_from(metadata.len()).unwrap_or(PIECE)) + 1);
        let mut is_start = true;
        loop {
            let room = PIECE.saturating_sub(text.len()) as u64;
            file.by_ref().take(room).read_to_end(text)?;
            if is_start && is_binary(text) {
                return Ok(());
            }
            is_start = false;
            if text.len() < PIECE {
                self.count(text, counts);
                return Ok(());
            }
            let end = memrchr(b'\n', text).map_or(text.len(), |at| at + 1);
            self.count(text.get(..end).unwrap_or_default(), counts);
            text.drain(..end);
        }
    }

    /// Counts the names in a text, as the only file.
    pub(super) fn text(&self, text: &[u8]) -> Vec<Count> {
        let mut counts = vec![0; self.names.len()];
        if !is_binary(text) {
            self.count(text, &mut counts);
        }
        nonzero(0, &counts).collect()
    }

    fn count(&self, text: &[u8], counts: &mut [usize]) {
        if !self.any.is_match(text) {
            return;
        }
        for (name, count) in self.names.iter().zip(counts) {
            let length = name.needle().len();
            let is_word = |at: usize| {
                let before = at.checked_sub(1).and_then(|at| text.get(at));
                let after = text.get(at + length);
                ![before, after].into_iter().flatten().any(is_part_of_word)
            };
            *count += name.find_iter(text).filter(|at| is_word(*at)).count();
        }
    }
}

fn nonzero(file: usize, counts: &[usize]) -> impl Iterator<Item = Count> {
    let counts = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    counts.map(move |(name, count)| Count {
        file,
        name,
        count: *count,
    })
}

fn is_binary(text: &[u8]) -> bool {
    memchr(0, text.get(..SNIFFED).unwrap_or(text)).is_some()
}

fn is_part_of_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_'
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use proptest::prelude::*;

    use super::{BATCH, Count, PIECE, WordSearch};

    fn count(file: usize, name: usize, count: usize) -> Count {
        Count { file, name, count }
    }

    #[test]
    fn whole_words_are_counted() {
        let search = WordSearch::new(&["load", "load_all", "a-b"]).unwrap();
        for (text, expected) in [
            ("load load_all(load)", vec![count(0, 0, 2), count(0, 1, 1)]),
            ("reload loads _load load1 LOAD", vec![]),
            ("$load a-b éload", vec![count(0, 0, 2), count(0, 2, 1)]),
            ("a-bc xa-b", vec![]),
            ("", vec![]),
            ("load\0", vec![]),
        ] {
            assert_eq!(search.text(text.as_bytes()), expected, "{text:?}");
        }
    }

    #[test]
    fn files_are_searched_without_following_links() {
        let folder = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &[u8]| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        fs::write(outside.path().join("a.py"), "load\n").unwrap();
        symlink(outside.path(), folder.path().join("link")).unwrap();
        symlink(outside.path().join("a.py"), folder.path().join("link.py")).unwrap();
        write("a/b/c.py", b"load\nload\n");
        write("a/d.py", b"save(load)\n");
        write("e.py", b"nothing\n");
        write("binary.py", b"load\0");
        // The names are on both sides of the end of a piece.
        let line = [b"load ".as_slice(), &vec![b'x'; PIECE - 3], b"\nload\n"].concat();
        write("long.py", &line);
        write(
            "lines.py",
            &b"x load\n".repeat(2 * PIECE / b"x load\n".len()),
        );
        let paths = [
            "a", "a/b/c.py", "a/d.py", "binary.py", "e.py", "gone.py", "lines.py", "link.py",
            "link/a.py", "long.py",
        ];
        let found = WordSearch::new(&["load", "save"])
            .unwrap()
            .files(folder.path(), &paths);
        let expected = [
            count(1, 0, 2),
            count(2, 0, 1),
            count(2, 1, 1),
            count(6, 0, 2 * PIECE / b"x load\n".len()),
            count(9, 0, 2),
        ];
        assert_eq!(found.counts, expected);
        let unread: Vec<&str> = found.unread.iter().map(|at| paths[*at]).collect();
        assert_eq!(unread, ["a", "gone.py", "link.py", "link/a.py"]);
    }

    #[test]
    fn the_order_does_not_depend_on_threads() {
        let folder = tempfile::tempdir().unwrap();
        let paths: Vec<String> = (0..BATCH * 5).map(|at| format!("{at:04}.py")).collect();
        for path in &paths {
            fs::write(folder.path().join(path), "load\n").unwrap();
        }
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let found = WordSearch::new(&["load"])
            .unwrap()
            .files(folder.path(), &paths);
        let expected: Vec<Count> = (0..paths.len()).map(|at| count(at, 0, 1)).collect();
        assert_eq!(found.counts, expected);
    }

    proptest! {
        #[test]
        fn counts_are_those_of_a_simple_search(text in "[ab_ \n-]{0,40}", names in prop::collection::vec("[ab_-]{1,3}", 1..5)) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let counts = WordSearch::new(&names).unwrap().text(text.as_bytes());
            for (at, name) in names.iter().enumerate() {
                let is_part = |c: Option<char>| c.is_some_and(|c| c == '_' || c.is_ascii_alphanumeric());
                let expected = text
                    .match_indices(name)
                    .filter(|(start, _)| {
                        !is_part(text[..*start].chars().next_back()) && !is_part(text[start + name.len()..].chars().next())
                    })
                    .count();
                let found = counts.iter().find(|one| one.name == at).map_or(0, |one| one.count);
                prop_assert_eq!(found, expected);
            }
        }
    }
}
