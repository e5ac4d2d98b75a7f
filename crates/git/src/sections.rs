//! Reads the output of `git diff` file by file, within limits.
//!
//! Only one file is in memory at a time. A file that is too large is dropped while it is read.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{BufRead as _, BufReader, Read};

use review::Diff;

/// The limits for reading.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Maximum size of the diff of one file, in bytes.
    pub file_bytes: usize,
    /// Maximum size of the diff of one file, in lines.
    pub file_lines: usize,
    /// Maximum size of the whole diff, in bytes.
    pub bytes: usize,
    /// Maximum size of the whole diff, in lines.
    pub lines: usize,
}

/// The files that were read.
#[derive(Debug, Default)]
pub(super) struct Sections {
    pub(super) text: Vec<u8>,
    /// The paths of files that are too large.
    pub(super) too_large: Vec<String>,
    /// Reading stopped at the total limit.
    pub(super) is_cut: bool,
}

impl Sections {
    /// Drops the files with unwanted paths.
    pub(super) fn without(mut self, unwanted: &HashSet<String>) -> Self {
        let is_wanted = |part: &&[u8]| !unwanted.contains(&path(part));
        self.text = split(&self.text)
            .into_iter()
            .filter(is_wanted)
            .flatten()
            .copied()
            .collect();
        self.too_large.retain(|path| !unwanted.contains(path));
        self
    }
}

/// Prefixes of the lines that begin another file. Lines of a file's text start with another character.
const STARTS: [&[u8]; 4] = [
    b"diff --git ", b"diff --cc ", b"diff --combined ", b"* Unmerged path ",
];
/// Maximum size of a line that is read in one piece, and of the kept part of a file that is too large: enough for its
/// header.
const PIECE: usize = 64 * 1024;

/// The section of one file.
#[derive(Default)]
struct Section {
    text: Vec<u8>,
    lines: usize,
    is_too_large: bool,
}

impl Section {
    fn add(&mut self, piece: &[u8], bounds: &Bounds) {
        self.lines += usize::from(piece.ends_with(b"\n"));
        if !self.is_too_large {
            self.text.extend_from_slice(piece);
            // A review does not count the header, and it is short.
            self.is_too_large = self.text.len() > bounds.file_bytes.saturating_add(PIECE)
                || self.lines > bounds.file_lines.saturating_add(16);
            if self.is_too_large {
                self.text.truncate(PIECE);
                self.text.shrink_to_fit();
            }
        }
    }
}

/// Reads at most `most` bytes of a diff, without the files with unwanted paths.
pub(super) fn read(
    diff: impl Read,
    bounds: &Bounds,
    most: usize,
    unwanted: &HashSet<String>,
) -> Sections {
    let mut reader = BufReader::with_capacity(PIECE, diff.take(most as u64 + 1));
    let (mut found, mut section) = (Sections::default(), Section::default());
    let (mut piece, mut bytes, mut lines, mut is_line_start) = (Vec::new(), 0, 0, true);
    loop {
        piece.clear();
        // If reading failed, git's exit status shows it.
        let read = reader
            .by_ref()
            .take(PIECE as u64)
            .read_until(b'\n', &mut piece)
            .unwrap_or(0);
        let ends =
            read == 0 || is_line_start && STARTS.iter().any(|start| piece.starts_with(start));
        bytes += read;
        if bytes > most {
            found.is_cut = true;
            return found;
        }
        if ends {
            let done = std::mem::take(&mut section);
            if !unwanted.is_empty() && unwanted.contains(&path(&done.text)) {
                // Dropped.
            } else if done.is_too_large {
                found.too_large.push(path(&done.text));
            } else if found.text.len() + done.text.len() > bounds.bytes
                || lines + done.lines > bounds.lines
            {
                found.is_cut = true;
                return found;
            } else {
                lines += done.lines;
                found.text.extend_from_slice(&done.text);
            }
        }
        if read == 0 {
            return found;
        }
        section.add(&piece, bounds);
        is_line_start = piece.ends_with(b"\n");
    }
}

/// The sections of a diff, one for each file.
pub(super) fn split(diff: &[u8]) -> Vec<&[u8]> {
    let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
    for line in diff.split_inclusive(|byte| *byte == b'\n') {
        if at > start && STARTS.iter().any(|start| line.starts_with(start)) {
            parts.extend(diff.get(start..at));
            start = at;
        }
        at += line.len();
    }
    parts.extend(diff.get(start..at).filter(|part| !part.is_empty()));
    parts
}

/// The path in the header of a section.
pub(super) fn path(section: &[u8]) -> String {
    let text = String::from_utf8_lossy(section.get(..PIECE).unwrap_or(section));
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let renames = lines.take_while(|line| !line.starts_with("--- ") && !line.starts_with("@@"));
    let renames = renames.filter(|line| line.starts_with("rename ") || line.starts_with("copy "));
    // With only a mode change, the header is a diff without lines.
    let header: Vec<Cow<'_, str>> = [first, "old mode 100644", "new mode 100755"]
        .into_iter()
        .chain(renames)
        .map(Cow::from)
        .collect();
    let header = header.join("\n") + "\n";
    let parsed = Diff::parse(&header)
        .ok()
        .and_then(|diff| diff.files.first().map(|file| file.path().to_owned()));
    parsed.unwrap_or_else(|| {
        let name = STARTS
            .iter()
            .find_map(|start| first.strip_prefix(std::str::from_utf8(start).ok()?));
        name.unwrap_or(first).to_owned()
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{Bounds, PIECE, Sections, path, read, split};

    const BOUNDS: Bounds = Bounds {
        file_bytes: 1_000,
        file_lines: 100,
        bytes: 200_000,
        lines: 1_000,
    };

    fn file(name: &str, lines: usize, line: &str) -> String {
        let body = format!("+{line}\n").repeat(lines);
        format!(
            "diff --git a/{name} b/{name}\nnew file mode 100644\n--- /dev/null\n+++ b/{name}\n@@ -0,0 +1,{lines} @@\n{body}"
        )
    }

    #[test]
    fn a_file_that_is_too_large_is_named_and_the_others_are_kept() {
        let small = [
            file("a.py", 2, "x"),
            file("b c.py", 2, "diff --git a/x b/x"),
        ];
        for large in [
            file("large file.csv", 2_000, &"1,".repeat(100)),
            file("large file.csv", 1, &"1".repeat(PIECE * 3)),
            file("large file.csv", 120, ""),
        ] {
            let text = [&*small[0], &*large, &*small[1]].concat();
            let found = read(text.as_bytes(), &BOUNDS, usize::MAX - 1, &HashSet::new());
            assert_eq!(String::from_utf8(found.text).unwrap(), small.concat());
            assert_eq!(
                (found.too_large, found.is_cut),
                (vec!["large file.csv".to_owned()], false)
            );
        }
    }

    #[test]
    fn reading_stops_at_the_total_limits() {
        let text: String = (0..9).map(|n| file(&format!("{n}.py"), 2, "x")).collect();
        let one = text.len() / 9;
        let read = |bounds: Bounds, most: usize| {
            let found = read(text.as_bytes(), &bounds, most, &HashSet::new());
            (split(&found.text).len(), found.is_cut)
        };
        assert_eq!(read(BOUNDS, text.len()), (9, false));
        assert_eq!(
            read(BOUNDS, text.len() - 1),
            (8, true),
            "an incomplete section is dropped"
        );
        assert_eq!(
            read(
                Bounds {
                    bytes: one * 3,
                    ..BOUNDS
                },
                text.len()
            ),
            (3, true)
        );
        assert_eq!(
            read(
                Bounds {
                    lines: 7 * 4,
                    ..BOUNDS
                },
                text.len()
            ),
            (4, true)
        );
    }

    #[test]
    fn unwanted_files_are_dropped() {
        let text = [file("a.py", 1, "x"), file("b.py", 1, "x")].concat();
        let found = read(
            text.as_bytes(),
            &BOUNDS,
            text.len(),
            &HashSet::from(["a.py".to_owned()]),
        );
        assert_eq!(
            split(&found.text).into_iter().map(path).collect::<Vec<_>>(),
            ["b.py"]
        );
    }

    #[test]
    fn unwanted_files_are_dropped_afterwards() {
        let file = |name: &str| format!("diff --git a/{name} b/{name}\n@@ -1 +1 @@\n-a\n+b\n");
        let sections = Sections {
            text: [file("a.py"), file("b.py"), file("c.py")].concat().into(),
            too_large: vec!["d.py".to_owned(), "e.py".to_owned()],
            is_cut: false,
        };
        let unwanted = ["a.py", "c.py", "e.py"].map(str::to_owned);
        let kept = sections.without(&HashSet::from(unwanted));
        assert_eq!(kept.text, file("b.py").as_bytes());
        assert_eq!(kept.too_large, ["d.py"]);
    }

    #[test]
    fn the_path_is_read_from_the_header() {
        for (header, expected) in [
            (
                "diff --git a/a b.py b/a b.py\nindex 1..2 100644\n--- a/a b.py\n+++ b/a b.py\n@@ -1 +1 @@\n",
                "a b.py",
            ),
            (
                "diff --git \"a/caf\\303\\251.py\" \"b/caf\\303\\251.py\"\nnew file mode 100644\n",
                "caf\u{e9}.py",
            ),
            (
                "diff --git a/x.py b/y.py\nsimilarity index 90%\nrename from x.py\nrename to y.py\nindex 1..2\n",
                "y.py",
            ),
            (
                "diff --git a/p.png b/p.png\nindex 1..2\nBinary files a/p.png and b/p.png differ\n",
                "p.png",
            ),
            ("diff --cc a.py\nindex 1,2..3\n", "a.py"),
        ] {
            assert_eq!(path(header.as_bytes()), expected, "{header}");
        }
    }
}
