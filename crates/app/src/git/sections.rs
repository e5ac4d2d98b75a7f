//! The output of `git diff`, read file by file within bounds.
//!
//! Only the parts of one file are held at a time; a file whose part is too large is dropped while it is read.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{BufRead as _, BufReader, Read};

use review::Diff;

/// How much is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// Bytes and lines of one file.
    pub(crate) file_bytes: usize,
    pub(crate) file_lines: usize,
    /// Bytes and lines of all files together.
    pub(crate) bytes: usize,
    pub(crate) lines: usize,
}

/// What was read.
#[derive(Debug, Default)]
pub(super) struct Sections {
    pub(super) text: Vec<u8>,
    /// The paths of files that are too large.
    pub(super) too_large: Vec<String>,
    /// Reading stopped at a bound of the whole.
    pub(super) is_cut: bool,
}

/// Starts of the lines that begin the part of another file. Lines of a file's text start with another character.
const STARTS: [&[u8]; 4] = [
    b"diff --git ",
    b"diff --cc ",
    b"diff --combined ",
    b"* Unmerged path ",
];
/// Bytes of a line that are read at once, and bytes kept of a file that is too large: enough for its header.
const PIECE: usize = 64 * 1024;

/// The part of one file.
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
            // The header is not counted where a review counts, and is short.
            self.is_too_large = self.text.len() > bounds.file_bytes.saturating_add(PIECE)
                || self.lines > bounds.file_lines.saturating_add(16);
            if self.is_too_large {
                self.text.truncate(PIECE);
                self.text.shrink_to_fit();
            }
        }
    }
}

/// Reads a diff, of which `most` bytes are looked at, without the files whose path is unwanted.
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
        // That reading failed shows in how git ended.
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

/// The parts of a diff, one for each file.
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

/// The path that the header of a file's part names.
pub(super) fn path(section: &[u8]) -> String {
    let text = String::from_utf8_lossy(section.get(..PIECE).unwrap_or(section));
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let renames = lines.take_while(|line| !line.starts_with("--- ") && !line.starts_with("@@"));
    let renames = renames.filter(|line| line.starts_with("rename ") || line.starts_with("copy "));
    // As if only the mode had changed, the header is a diff without lines.
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

    use super::{Bounds, PIECE, path, read, split};

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
    fn reading_stops_at_the_bounds_of_the_whole() {
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
            "a part that is not complete is left out"
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
    fn the_path_of_a_file_is_in_its_header() {
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
