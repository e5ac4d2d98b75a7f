//! Selects the files of the checkout that are sent to a service with a change. Ignored files, links and files that
//! usually contain secrets are excluded by [`CheckoutRepository`].

use std::collections::{BTreeMap, HashSet};

use git::repository::CheckoutRepository;
use review::repository::{called_names, words};
use review::{Diff, FileDiff, LineKind, Side};

use crate::client::{ContextFile, ServiceLimits};

/// Maximum number of files.
const FILES: usize = 200;
/// Maximum total size of the files, in bytes of JSON.
const BYTES: usize = 2 << 20;
/// Maximum number of names whose definitions are searched; each takes a search of the repository.
const NAMES: usize = 32;
/// If more files have the same name, the name refers to none of them.
const NAMESAKES: usize = 3;

/// The room for context files.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    files: usize,
    bytes: usize,
    /// Of the whole body, in bytes of JSON.
    body: usize,
}

impl Room {
    /// The room in a request with this diff.
    pub(super) fn of(limits: &ServiceLimits, diff: &str) -> Self {
        // Leaves some room for the rest of the body.
        let body = limits
            .body_bytes
            .saturating_sub(bytes_in_json(diff) + (64 << 10));
        Self {
            files: FILES.min(limits.context_files),
            bytes: BYTES.min(limits.context_files_bytes).min(body),
            body,
        }
    }
}

/// The files to send with a change, up to the limits. Files of the diff are excluded.
pub(super) struct Selection<'d> {
    changed: HashSet<&'d str>,
    taken: HashSet<String>,
    files: Vec<ContextFile>,
    room: Room,
}

impl<'d> Selection<'d> {
    pub(super) fn new(diff: &'d Diff<'_>, room: Room) -> Self {
        let paths = |file: &'d FileDiff<'_>| [Side::Old, Side::New].map(|side| file.path_on(side));
        Self {
            changed: diff.files.iter().flat_map(paths).collect(),
            taken: HashSet::new(),
            files: Vec::new(),
            room,
        }
    }

    /// Adds a file whose text is read only if it may be sent. Returns whether there was room for it.
    pub(super) fn add(&mut self, path: String, text: impl FnOnce(&str) -> Option<String>) -> bool {
        if self.changed.contains(&*path) || self.taken.contains(&path) {
            return true;
        }
        let Some(files) = self.room.files.checked_sub(1) else {
            return false;
        };
        let Some(content) = text(&path) else {
            return true;
        };
        let size = bytes_in_json(&path) + bytes_in_json(&content);
        let Some(bytes) = self.room.bytes.checked_sub(size) else {
            return false;
        };
        let body = self.room.body.saturating_sub(size);
        self.room = Room { files, bytes, body };
        self.taken.insert(path.clone());
        self.files.push(ContextFile { path, content });
        true
    }

    /// The list of a repository's files, if there is room for it next to the selected files.
    pub(super) fn list<'p>(
        &self,
        paths: impl Iterator<Item = &'p str>,
        limits: &ServiceLimits,
    ) -> Option<String> {
        // Nothing refers to files whose names cannot be written on one line.
        let paths = paths.filter(|path| !path.contains(['\n', '\r', '"']));
        let (mut list, mut lines) = (String::new(), 0);
        for path in paths {
            list.push_str(path);
            list.push('\n');
            lines += 1;
            if lines > limits.context_paths || list.len() > limits.context_paths_bytes {
                return None;
            }
        }
        (bytes_in_json(&list) <= self.room.body).then_some(list)
    }

    pub(super) fn files(self) -> Vec<ContextFile> {
        self.files
    }
}

/// The files that define the functions called in the added lines, then the files whose names occur in the added lines.
pub(super) fn referred_to(repository: &CheckoutRepository, diff: &Diff<'_>) -> Vec<String> {
    let Ok(paths) = repository.paths() else {
        return Vec::new();
    };
    let paths: HashSet<&str> = paths.iter().map(String::as_str).collect();
    let mut seen = HashSet::new();
    let names = added(diff)
        .flat_map(called_names)
        .filter(|name| seen.insert(*name))
        .take(NAMES);
    let defining = names
        .filter_map(|name| repository.definition(name))
        .filter(|path| paths.contains(path.as_str()));
    let named = named(&paths, &added(diff).flat_map(words).collect());
    defining.chain(named).collect()
}

/// The texts of the added lines.
fn added<'d>(diff: &'d Diff<'_>) -> impl Iterator<Item = &'d str> {
    let lines = diff
        .files
        .iter()
        .flat_map(|file| &file.hunks)
        .flat_map(|hunk| &hunk.lines);
    lines
        .filter(|line| line.kind == LineKind::Added)
        .map(|line| line.text)
}

/// The files whose names, without the extension, are among the words, in order.
fn named(paths: &HashSet<&str>, words: &HashSet<&str>) -> Vec<String> {
    let mut by_stem: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for path in paths {
        let name = path.rsplit('/').next().unwrap_or_default();
        let stem = name.split('.').next().unwrap_or_default();
        if words.contains(stem) {
            by_stem.entry(stem).or_default().push(path);
        }
    }
    let mut named: Vec<String> = by_stem
        .into_values()
        .filter(|paths| paths.len() <= NAMESAKES)
        .flatten()
        .map(str::to_owned)
        .collect();
    named.sort_unstable();
    named
}

/// The size of a text as a JSON string, in bytes.
fn bytes_in_json(text: &str) -> usize {
    serde_json::to_string(text).map_or(usize::MAX / 2, |json| json.len())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use review::Diff;

    use super::{Room, Selection, bytes_in_json, named};
    use crate::client::ServiceLimits;

    #[test]
    fn files_are_selected_once_and_up_to_the_limits() {
        let diff = Diff::parse("--- a/old.py\n+++ b/new.py\n@@ -1 +1 @@\n-a\n+b\n").unwrap();
        let room = Room {
            files: 2,
            bytes: 40,
            body: 60,
        };
        let mut selection = Selection::new(&diff, room);
        let text = |_: &str| Some("0123456789".to_owned());
        for (path, has_room) in [
            ("old.py", true),
            ("new.py", true),
            ("a.py", true),
            ("a.py", true),
        ] {
            assert_eq!(selection.add(path.to_owned(), text), has_room, "{path}");
        }
        assert!(selection.add("unreadable.py".to_owned(), |_| None));
        assert!(!selection.add("long.py".to_owned(), |_| Some("x".repeat(40))));
        assert!(selection.add("b.py".to_owned(), text));
        assert!(!selection.add("c.py".to_owned(), |_| panic!(
            "there is no room for a third file"
        )));
        // The two files take 30 bytes each.
        let limits = ServiceLimits {
            context_paths: 3,
            context_paths_bytes: 20,
            ..ServiceLimits::default()
        };
        let list = |paths: &[&str]| selection.list(paths.iter().copied(), &limits);
        assert_eq!(list(&["a.py", "b\n.py", "c.py"]).unwrap(), "a.py\nc.py\n");
        for long in [&["a"; 4] as &[&str], &["a/long/path/of/a/file"]] {
            assert_eq!(list(long), None);
        }
        let files = selection.files();
        let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["a.py", "b.py"]);
    }

    #[test]
    fn a_name_of_many_files_refers_to_none() {
        let words = HashSet::from(["cards", "index", "ledger"]);
        let few = [
            "lib/cards.py", "cards.test.py", "ledger", "other.py", "src/index.ts",
        ];
        assert_eq!(
            named(&HashSet::from(few), &words),
            ["cards.test.py", "ledger", "lib/cards.py", "src/index.ts"]
        );
        let many = [
            "a/index.ts", "b/index.ts", "c/index.ts", "d/index.ts", "ledger.c",
        ];
        assert_eq!(named(&HashSet::from(many), &words), ["ledger.c"]);
    }

    #[test]
    fn the_files_and_the_diff_fit_into_the_body_together() {
        let limits = ServiceLimits {
            body_bytes: 200_000,
            diff_bytes: 100_000,
            diff_lines: 1_000,
            context_files: 400,
            context_files_bytes: 4 << 20,
            context_paths: 50_000,
            context_paths_bytes: 4 << 20,
            look_ups: Some(12),
        };
        let diff = "\"\n".repeat(10_000);
        let room = Room::of(&limits, &diff);
        assert!(
            room.bytes + bytes_in_json(&diff) < limits.body_bytes,
            "{room:?}"
        );
        assert_eq!(
            (Room::of(&limits, &"x".repeat(200_000)).bytes, room.files),
            (0, super::FILES)
        );
        assert_eq!(
            Room::of(
                &ServiceLimits {
                    body_bytes: 8 << 20,
                    ..limits
                },
                ""
            )
            .bytes,
            super::BYTES
        );
    }
}
