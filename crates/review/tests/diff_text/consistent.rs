//! Properties that hold for every text: the parser returns, numbers are consistent, no file is lost, and errors do not quote
//! the text.

use review::chunk::{Sizes, plan};
use review::diff::{Diff, DiffError, DiffText, FileDiff, Hunk, LineKind, Span, Status};

/// Parses a text, as it is and made readable, and checks the results.
pub(crate) fn check(text: &str) {
    check_result(text, Diff::parse(text));
    let readable = DiffText::of(text.to_owned());
    check_result(readable.as_str(), readable.parse());
}

fn check_result(text: &str, result: Result<Diff<'_>, DiffError>) {
    match result {
        Ok(diff) => {
            assert!(!diff.files.is_empty());
            diff.files.iter().for_each(|file| check_file(text, file));
            check_plan(&diff);
        }
        Err(error) => {
            assert!(
                (1..=text.lines().count().max(1)).contains(&error.line),
                "{error}"
            );
            assert!(
                error.reason.is_ascii() && error.reason.len() < 200,
                "{error}"
            );
        }
    }
}

/// Checks that each file is reviewed or has a warning, unless it has no lines and nothing was left out.
fn check_plan(diff: &Diff<'_>) {
    let plan = plan(diff, None, &Sizes::default());
    for (index, file) in diff.files.iter().enumerate() {
        let is_reviewed = plan.chunks.iter().any(|chunk| chunk.index == index);
        let is_named = plan
            .warnings
            .iter()
            .any(|warning| warning.file_path.as_deref() == Some(file.path()));
        let is_gone = file.status == Status::Removed;
        let has_nothing = file.hunks.is_empty() && (is_gone || !file.binary) && !file.is_unshown;
        assert!(is_reviewed || is_named || has_nothing, "{}", file.path());
    }
}

fn check_file(text: &str, file: &FileDiff<'_>) {
    assert_eq!(file.old_path.is_none(), file.status == Status::Added);
    assert_eq!(file.new_path.is_none(), file.status == Status::Removed);
    assert!(!file.path().is_empty());
    assert!(!(file.binary || file.is_unshown) || file.hunks.is_empty());
    for hunk in &file.hunks {
        check_hunk(text, hunk);
    }
    for pair in file.hunks.windows(2) {
        let [before, after] = pair else { continue };
        assert!(before.old.start <= after.old.start && before.new.start <= after.new.start);
        assert!(
            before.new.count == 0
                || after.new.count == 0
                || before.new.start + before.new.count <= after.new.start
        );
    }
}

/// Checks that each side counts from its start to its count without gaps.
fn check_hunk(text: &str, hunk: &Hunk<'_>) {
    assert!(
        is_part(text, hunk.header) && is_part(text, hunk.heading) && hunk.header.starts_with("@@")
    );
    assert!(
        hunk.lines
            .iter()
            .all(|line| is_part(text, line.text) && !line.text.contains('\n'))
    );
    assert_eq!(numbers(hunk, |line| line.new), expected(hunk.new));
    let old = numbers(hunk, |line| line.old);
    let untold = hunk.header.starts_with("@@@") && old.is_empty();
    assert!(untold || old == expected(hunk.old), "{old:?}");
    for line in &hunk.lines {
        assert_eq!(line.new.is_none(), line.kind == LineKind::Removed);
        // In a merge, the first parent may or may not have a line.
        assert!(
            hunk.header.starts_with("@@@") || line.old.is_none() == (line.kind == LineKind::Added)
        );
    }
}

fn numbers(hunk: &Hunk<'_>, number: fn(&review::diff::Line<'_>) -> Option<u32>) -> Vec<u32> {
    hunk.lines.iter().filter_map(number).collect()
}

fn expected(span: Span) -> Vec<u32> {
    (0..span.count).map(|offset| span.start + offset).collect()
}

/// Checks that the part borrows from the text.
fn is_part(text: &str, part: &str) -> bool {
    let (text, part) = (
        text.as_bytes().as_ptr_range(),
        part.as_bytes().as_ptr_range(),
    );
    part.is_empty() || text.start <= part.start && part.end <= text.end
}
