//! Git's own report of a change, in the formats without quoting: `--raw -z` and `--numstat -z`.

use review::diff::{FileDiff, LineKind, Status};

use crate::repo::Repo;

/// Git's report of one changed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) letter: char,
    pub(crate) old_mode: u32,
    pub(crate) new_mode: u32,
    pub(crate) old: String,
    pub(crate) new: String,
    /// Lines added and removed; `None` for a binary file.
    pub(crate) lines: Option<(usize, usize)>,
}

/// The changes that `git diff` with these options reports.
pub(crate) fn changes(repo: &Repo, options: &[&str], range: &[&str]) -> Vec<Change> {
    let ask = |form: &'static str| {
        let args: Vec<&str> = ["diff", form, "-z"]
            .iter()
            .chain(options)
            .chain(range)
            .copied()
            .collect();
        String::from_utf8_lossy(&repo.git(&args)).into_owned()
    };
    let (raw, numbers) = (ask("--raw"), ask("--numstat"));
    let mut raw = raw.split_terminator('\0');
    let mut numbers = numbers.split_terminator('\0');
    let mut changes = Vec::new();
    while let Some(head) = raw.next() {
        let fields: Vec<&str> = head.trim_start_matches(':').split(' ').collect();
        let letter = fields[4].chars().next().unwrap();
        let old = raw.next().unwrap().to_owned();
        let moved = matches!(letter, 'R' | 'C');
        let new = if moved {
            raw.next().unwrap().to_owned()
        } else {
            old.clone()
        };
        let lines = lines(numbers.next().unwrap());
        if moved {
            numbers.nth(1);
        }
        let mode = |digits: &str| u32::from_str_radix(digits, 8).unwrap();
        changes.push(Change {
            letter,
            old_mode: mode(fields[0]),
            new_mode: mode(fields[1]),
            old,
            new,
            lines,
        });
    }
    changes
}

fn lines(numbers: &str) -> Option<(usize, usize)> {
    let mut fields = numbers.split('\t');
    Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
}

/// Checks that the files of a diff are the changes, in order. A type change is a removed and an added file.
pub(crate) fn assert_same(files: &[FileDiff<'_>], changes: &[Change], context: &str) {
    let mut files = files.iter();
    for change in changes {
        if change.letter == 'T' {
            let (removed, added) = (files.next().expect(context), files.next().expect(context));
            assert_eq!(
                (removed.status, added.status),
                (Status::Removed, Status::Added),
                "{context}"
            );
            assert_eq!(
                (removed.path(), added.path()),
                (&*change.old, &*change.new),
                "{context}"
            );
            continue;
        }
        assert_change(files.next().expect(context), change, context);
    }
    assert_eq!(files.next(), None, "{context}");
}

fn assert_change(file: &FileDiff<'_>, change: &Change, context: &str) {
    let only_mode = change.old_mode != change.new_mode && change.lines == Some((0, 0));
    let status = match change.letter {
        'A' => Status::Added,
        'D' => Status::Removed,
        'R' => Status::Renamed,
        'C' => Status::Copied,
        _ if only_mode => Status::ModeChanged,
        _ => Status::Modified,
    };
    assert_eq!(file.status, status, "{context}");
    assert_eq!(
        file.old_path.as_deref(),
        (change.letter != 'A').then_some(&*change.old),
        "{context}"
    );
    assert_eq!(
        file.new_path.as_deref(),
        (change.letter != 'D').then_some(&*change.new),
        "{context}"
    );
    assert_eq!(file.binary, change.lines.is_none(), "{context}");
    let count = |kind| {
        file.hunks
            .iter()
            .flat_map(|hunk| &hunk.lines)
            .filter(|line| line.kind == kind)
            .count()
    };
    // Git counts on a diff without context, which may align lines differently from the printed one; the difference of added
    // and removed lines is the same. Applying the diff checks the printed lines.
    let (added, removed) = change.lines.unwrap_or_default();
    assert_eq!(
        count(LineKind::Added) + removed,
        count(LineKind::Removed) + added,
        "{context}"
    );
    assert!(
        file.old_mode.is_none_or(|mode| mode == change.old_mode),
        "{context}"
    );
    assert!(
        file.new_mode.is_none_or(|mode| mode == change.new_mode),
        "{context}"
    );
    if change.old_mode != change.new_mode {
        let (old, new) = (
            file.old_mode.unwrap_or_default(),
            file.new_mode.unwrap_or_default(),
        );
        assert_eq!((old, new), (change.old_mode, change.new_mode), "{context}");
    }
}
