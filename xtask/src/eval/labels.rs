//! Reverses a bug's diff or its fix, and derives the labels: its changed lines.
//!
//! Labels are the added lines of a run of changes, or the removed lines if nothing was added. Blank lines, comments and
//! lines that differ only in indentation do not count unless nothing else changed.

use std::collections::HashSet;
use std::fmt::Write as _;

use review::{Diff, DiffError, FileDiff, Hunk, Line, LineKind};

use super::corpus::Label;

/// The reversed diff and its labels.
pub(crate) fn reverse(text: &str) -> Result<(String, Vec<Label>), DiffError> {
    let turned = render(&Diff::parse(text)?);
    let labels = labels_of(&Diff::parse(&turned)?);
    Ok((turned, labels))
}

fn render(diff: &Diff<'_>) -> String {
    let mut out = String::new();
    for file in &diff.files {
        let (old, new) = (file.new_path.as_deref(), file.old_path.as_deref());
        let some = |path: Option<&str>| path.map(str::to_owned).unwrap_or_default();
        let _ = writeln!(
            out,
            "diff --git a/{} b/{}",
            some(old.or(new)),
            some(new.or(old))
        );
        match (old, new) {
            (None, _) => out.push_str("new file mode 100644\n"),
            (_, None) => out.push_str("deleted file mode 100644\n"),
            (Some(old), Some(new)) if old != new => {
                let _ = writeln!(
                    out,
                    "similarity index 50%\nrename from {old}\nrename to {new}"
                );
            }
            _ => {}
        }
        if !file.hunks.is_empty() {
            let side = |prefix: &str, path: Option<&str>| {
                path.map_or("/dev/null".to_owned(), |p| format!("{prefix}/{p}"))
            };
            let _ = writeln!(out, "--- {}\n+++ {}", side("a", old), side("b", new));
        }
        for hunk in &file.hunks {
            render_hunk(&mut out, hunk);
        }
    }
    out
}

fn render_hunk(out: &mut String, hunk: &Hunk<'_>) {
    let (old, new) = (hunk.new, hunk.old);
    let _ = writeln!(
        out,
        "@@ -{},{} +{},{} @@ {}",
        old.start, old.count, new.start, new.count, hunk.heading
    );
    // Within a run of changes the removed lines come first, as git prints them.
    for run in hunk
        .lines
        .chunk_by(|a, b| (a.kind == LineKind::Context) == (b.kind == LineKind::Context))
    {
        for (kind, mark) in [
            (LineKind::Context, ' '),
            (LineKind::Added, '-'),
            (LineKind::Removed, '+'),
        ] {
            for line in run.iter().filter(|line| line.kind == kind) {
                let _ = writeln!(out, "{mark}{}", line.text);
                if !line.terminated {
                    out.push_str("\\ No newline at end of file\n");
                }
            }
        }
    }
}

fn labels_of(diff: &Diff<'_>) -> Vec<Label> {
    let (mut strong, mut weak) = (Vec::new(), Vec::new());
    for file in &diff.files {
        for hunk in &file.hunks {
            let mut new_line = hunk.new.start + u32::from(hunk.new.count == 0);
            for run in hunk
                .lines
                .chunk_by(|a, b| (a.kind == LineKind::Context) == (b.kind == LineKind::Context))
            {
                if run
                    .first()
                    .is_some_and(|line| line.kind != LineKind::Context)
                {
                    label_run(file, run, new_line, &mut strong, &mut weak);
                }
                new_line += u32::try_from(run.iter().filter(|line| line.new.is_some()).count())
                    .unwrap_or(0);
            }
        }
    }
    if strong.is_empty() { weak } else { strong }
}

fn label_run(
    file: &FileDiff<'_>,
    run: &[Line<'_>],
    new_line: u32,
    strong: &mut Vec<Label>,
    weak: &mut Vec<Label>,
) {
    let bare = |line: &Line<'_>| line.text.split_whitespace().collect::<String>();
    let of = |kind| run.iter().filter(move |line: &&Line<'_>| line.kind == kind);
    let added: HashSet<String> = of(LineKind::Added).map(bare).collect();
    let moved: HashSet<String> = of(LineKind::Removed)
        .map(bare)
        .filter(|text| added.contains(text))
        .collect();
    let mut adds: Vec<_> = of(LineKind::Added)
        .filter(|line| !moved.contains(&bare(line)))
        .collect();
    let gone: Vec<_> = of(LineKind::Removed)
        .filter(|line| !moved.contains(&bare(line)))
        .collect();
    if !adds.iter().any(|line| is_code(line.text)) && gone.iter().any(|line| is_code(line.text)) {
        adds.clear();
    }
    let replaced = !adds.is_empty() && !gone.is_empty();
    let (old_line, old_end) = (
        gone.first().and_then(|line| line.old),
        gone.last().and_then(|line| line.old),
    );
    let real = !adds.is_empty() || !gone.is_empty();
    let lines = if !adds.is_empty() {
        adds
    } else if !gone.is_empty() {
        gone
    } else {
        run.iter().collect()
    };
    for line in lines {
        let removed = line.kind == LineKind::Removed;
        let label = Label {
            file_path: Some(file.path().to_owned()),
            line: if removed { line.old } else { line.new },
            side: Some(if removed { "OLD" } else { "NEW" }.to_owned()),
            new_line: removed.then_some(new_line),
            old_line: old_line.filter(|_| replaced && !removed),
            old_end: old_end.filter(|_| replaced && !removed),
            ..Label::default()
        };
        if is_code(line.text) && real {
            strong.push(label)
        } else {
            weak.push(label)
        }
    }
}

fn is_code(text: &str) -> bool {
    let text = text.trim_start();
    let directive = [
        "include", "define", "if", "ifdef", "ifndef", "else", "elif", "endif", "undef", "pragma",
    ];
    let preprocessor = text.strip_prefix('#').is_some_and(|rest| {
        directive.contains(
            &rest
                .trim_start()
                .split(|c: char| !c.is_alphanumeric())
                .next()
                .unwrap_or_default(),
        )
    });
    let comment = ["//", "/*", "*/", "<!--", "-- "]
        .iter()
        .any(|mark| text.starts_with(mark))
        || text.starts_with('#') && !preprocessor
        || text
            .strip_prefix('*')
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace));
    !text.is_empty() && !comment
}

#[cfg(test)]
mod tests {
    use super::reverse;

    #[test]
    fn a_reversed_addition_is_a_removal() {
        let fix = "--- a/b.py\n+++ b/b.py\n@@ -1,2 +1,4 @@\n def f(a):\n+    if a is None:\n+        return 0\n     return a.b\n";
        let (diff, labels) = reverse(fix).unwrap();
        assert!(diff.contains("@@ -1,4 +1,2 @@"), "{diff}");
        let places: Vec<_> = labels
            .iter()
            .map(|l| (l.side.clone().unwrap(), l.line.unwrap(), l.new_line))
            .collect();
        assert_eq!(
            places,
            [
                ("OLD".to_owned(), 2, Some(2)),
                ("OLD".to_owned(), 3, Some(2))
            ]
        );
    }
}
