//! The diffs that are sent: real code, a single line, and the most expensive ones.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The maximum size of a diff.
const LARGEST_BYTES: usize = 4 << 20;
const LARGEST_LINES: usize = 100_000;

/// A file in which every line is new.
pub(crate) fn added(path: &str, lines: &[String]) -> String {
    let mut diff = format!(
        "--- /dev/null\n+++ b/{path}\n@@ -0,0 +1,{} @@\n",
        lines.len()
    );
    for line in lines {
        writeln!(diff, "+{line}").unwrap();
    }
    diff
}

pub(crate) fn one_line() -> String {
    "--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n import os\n+print(os.name)\n".to_owned()
}

/// The sources of this project as changes: each file is added, and also changed by removing lines.
pub(crate) fn real() -> Vec<String> {
    let mut sources = Vec::new();
    collect(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &mut sources,
    );
    sources.sort();
    let texts = sources.iter().map(|path| {
        (
            path.file_name().unwrap().to_str().unwrap(),
            fs::read_to_string(path).unwrap(),
        )
    });
    texts
        .flat_map(|(name, text)| {
            [
                added(name, &text.lines().map(str::to_owned).collect::<Vec<_>>()),
                thinned(name, &text),
            ]
        })
        .collect()
}

fn collect(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}

/// Removes every seventh line.
fn thinned(name: &str, text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let removed = lines.len().div_ceil(7);
    let mut diff = format!(
        "--- a/{name}\n+++ b/{name}\n@@ -1,{} +1,{} @@\n",
        lines.len(),
        lines.len() - removed
    );
    for (at, line) in lines.iter().enumerate() {
        writeln!(diff, "{}{line}", if at % 7 == 0 { '-' } else { ' ' }).unwrap();
    }
    diff
}

/// The most expensive diffs within the limits, each for a different reason.
pub(crate) fn costly() -> Vec<String> {
    vec![
        dense(),
        equal_findings(),
        one_edit_again_and_again(),
        calls_of_a_changed_function(),
        long_headings(),
        mixed_lines(),
    ]
}

/// Diffs that must be refused cheaply.
pub(crate) fn refused() -> Vec<String> {
    let dots = added(&".".repeat(120_000), &["x = 1".to_owned()]);
    let parents = 100_000;
    let header = format!(
        "{0} {1}+1 {0}",
        "@".repeat(parents + 1),
        "-1 ".repeat(parents)
    );
    let combined = format!(
        "diff --cc a.py\nindex 1,2..3\n--- a/a.py\n+++ b/a.py\n{header}\n{}x\n",
        " ".repeat(parents)
    );
    vec![
        dots,
        combined,
        format!(
            "--- a/a\n+++ b/a\n@@ -1 +1 @@{}\n-a\n+b\n",
            "f".repeat(900_000)
        ),
        "@@ -1 +1 @@\n".repeat(200_000),
    ]
}

fn repeated(lines: impl Fn(usize) -> Vec<String>) -> Vec<String> {
    let (mut all, mut bytes) = (Vec::new(), 0);
    for number in 0.. {
        let next = lines(number);
        bytes += next.iter().map(|line| line.len() + 2).sum::<usize>();
        if bytes > LARGEST_BYTES - 1_024 || all.len() + next.len() > LARGEST_LINES - 8 {
            break;
        }
        all.extend(next);
    }
    all
}

/// As much code as possible.
fn dense() -> String {
    let function = |number| {
        let head = format!("def f{number}(a, b, c=[], *d, **e):");
        vec![
            head,
            format!(
                "    if a == None and b[{number}] > c[0]: return open(a).read() + str(b) % (a, b, lambda x: x + {number})"
            ),
        ]
    };
    added("dense.py", &repeated(function))
}

fn equal_findings() -> String {
    added(
        "equal.py",
        &repeated(|_| vec!["assert x == None".to_owned()]),
    )
}

fn one_edit_again_and_again() -> String {
    let pairs = 20_000;
    let mut diff = format!("--- a/edits.js\n+++ b/edits.js\n@@ -1,{pairs} +1,{pairs} @@\n");
    for _ in 0..pairs {
        diff.push_str("-if (a < b) { f(a, b); }\n+if (a <= b) { f(a, b); }\n");
    }
    diff
}

fn calls_of_a_changed_function() -> String {
    let mut diff = String::new();
    for number in 0..300 {
        write!(
            diff,
            "--- a/m{number}.py\n+++ b/m{number}.py\n@@ -1,2 +1,2 @@\n-def f(a):\n+def f(a, b):\n     return a\n"
        )
        .unwrap();
    }
    diff + &added(
        "calls.py",
        &vec!["f(1); f(2); f(3); f(4)".to_owned(); 20_000],
    )
}

/// Findings below the longest permitted headings and paths.
fn long_headings() -> String {
    let (path, heading) = (format!("{}.py", "d/".repeat(2_000)), "f".repeat(4_000));
    let mut diff = format!("--- a/{path}\n+++ b/{path}\n");
    for number in 0..400 {
        let line = number * 100 + 1;
        writeln!(diff, "@@ -{line},0 +{line},20 @@ {heading}").unwrap();
        diff.push_str(&"+assert x == None\n".repeat(20));
    }
    diff
}

/// Many uses of one name, many strings and many statements on few lines.
fn mixed_lines() -> String {
    let line = |piece: &str| piece.repeat(40_000 / piece.len());
    added(
        "mixed.py",
        &["x = y + 1; ", "'a' 'b'; ", "f(x, x, x); ", "x, "].map(line),
    )
}
