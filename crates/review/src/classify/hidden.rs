//! Source files that the change itself hides from review.
//!
//! Files written by tools or third parties are skipped. If a file was skipped before the change, that is the target
//! branch's decision. If only the change makes it so, any author could hide code from review, so it is reported.

use serde::{Deserialize, Serialize};

use super::alike::is_reviewed_alike;
use super::class::Class;
use super::kind::{Kind, generated_notice, is_bare, is_minified, is_native, is_skipped, kind_on};
use super::known::Known;
use crate::diff::{FileDiff, Line, LineKind, Side, Status};
use crate::language::Language;

/// The reason why a source file is not reviewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum HiddenBy {
    /// A generator's notice, or a name that only generated files have.
    Generated,
    /// Long lines, or a name that only minified files have.
    Minified,
    /// A folder of third-party code, or a file name with a release number.
    Vendored,
    /// UTF-16, which git and most tools treat as binary.
    Encoding,
    /// A symbolic link to something that is not reviewed as source code.
    Link,
    /// A submodule: the diff shows only the hash of a commit.
    Submodule,
    /// A pointer of Git LFS: the diff shows only the hash of the content.
    Pointer,
}

/// The file mode of a symbolic link.
pub(crate) const SYMBOLIC_LINK: u32 = 0o120_000;
/// The file mode of a submodule.
const SUBMODULE: u32 = 0o160_000;
/// The starts of a pointer of Git LFS, under its present name and its former ones.
const POINTERS: &[&str] = &[
    "version https://git-lfs.github.com/spec/",
    "version https://hawser.github.com/spec/",
    "version http://git-media.io/v/",
];

/// How the change hides this file from review, and a line of the new side that shows it, if the diff has one.
///
/// This compares the kind of the file before the change with the kind after it. A file that was not reviewed before is
/// not hidden by the change. If the diff does not show what the file was, it counts as reviewed.
pub(crate) fn hidden_by<'a>(
    known: &Known<'a, '_>,
    class: &Class,
) -> Option<(HiddenBy, Option<Line<'a>>)> {
    let file = known.file;
    if file.status == Status::Removed {
        return None;
    }
    let found = stand_in(known, class).or_else(|| hidden_kind(known, class))?;
    let notice = generated_notice(known, Side::New, class.language)
        .filter(|notice| found == HiddenBy::Generated && notice.kind == LineKind::Added);
    let lines = || file.hunks.iter().flat_map(|hunk| &hunk.lines);
    let line = notice
        .or_else(|| lines().find(|line| line.kind == LineKind::Added).copied())
        .or_else(|| lines().find(|line| line.new.is_some()).copied());
    Some((found, line))
}

/// Whether the file is a tool's output that the change adds, in a language that is reviewed. The rules read it like the rest of the
/// change, so nothing can hide in it. Long lines are no code that a rule could say something certain about.
pub(crate) fn is_new_output(known: &Known<'_, '_>, class: &Class) -> bool {
    class.kind == Kind::Generated
        && is_created(known.file)
        && class.language.is_some_and(Language::is_code)
        && stand_in(known, class).is_none()
        && !is_minified(known, Side::New, class.language)
}

/// The kind that hides the file, if it was not of such a kind before the change.
fn hidden_kind(known: &Known<'_, '_>, class: &Class) -> Option<HiddenBy> {
    let language = class.language.filter(|language| language.is_reviewed())?;
    let by = match class.kind {
        Kind::Generated => HiddenBy::Generated,
        Kind::Vendored => HiddenBy::Vendored,
        Kind::Minified => HiddenBy::Minified,
        Kind::Utf16 => return (!was_utf16(known)).then_some(HiddenBy::Encoding),
        Kind::Source | Kind::Binary | Kind::Lock | Kind::Unshown => return None,
    };
    (!was_skipped(known, language)).then_some(by)
}

/// Whether the file existed and was not reviewed before the change.
fn was_skipped(known: &Known<'_, '_>, language: Language) -> bool {
    let path = known.file.path_on(Side::Old);
    let language = Language::of_path(path, String::new).unwrap_or(language);
    !is_created(known.file) && kind_on(known, Side::Old, path, Some(language)).is_some()
}

fn was_utf16(known: &Known<'_, '_>) -> bool {
    known.side(Side::Old).any(|line| line.text.contains('\0'))
}

/// The replacement of the content that the name of the file promises.
fn stand_in(known: &Known<'_, '_>, class: &Class) -> Option<HiddenBy> {
    let file = known.file;
    let path = file.path();
    let added = || {
        known
            .side(Side::New)
            .find(|line| line.kind == LineKind::Added)
    };
    let is_source = class.language.is_some_and(Language::is_reviewed)
        || is_native(path)
        || class.language.is_none() && is_bare(path);
    match file.new_mode {
        Some(SYMBOLIC_LINK) if is_source => {
            (!leads_to_source(path, added()?.text)).then_some(HiddenBy::Link)
        }
        Some(SUBMODULE) => {
            added()?;
            (is_created(file) || !is_skipped(path)).then_some(HiddenBy::Submodule)
        }
        _ if is_source && added().is_some() && is_pointer(known, Side::New) => {
            let is_data = !is_native(path) && !class.language.is_some_and(Language::is_code);
            (!is_data || !is_pointer(known, Side::Old)).then_some(HiddenBy::Pointer)
        }
        _ => None,
    }
}

fn is_pointer(known: &Known<'_, '_>, side: Side) -> bool {
    known.shows_start()
        && known
            .side(side)
            .map(|line| line.text.trim_start())
            .find(|text| !text.is_empty())
            .is_some_and(|text| POINTERS.iter().any(|start| text.starts_with(start)))
}

/// Whether a link leads to a file of the repository that is reviewed as a file with the link's own name would be.
fn leads_to_source(path: &str, target: &str) -> bool {
    let mut folders: Vec<&str> = path.split('/').collect();
    folders.pop();
    for part in target.split('/') {
        match part {
            ".." => {
                if folders.pop().is_none() {
                    return false;
                }
            }
            "." => {}
            "" => return false,
            part => folders.push(part),
        }
    }
    let target = folders.join("/");
    !is_native(path) && !is_bare(path) && is_reviewed_alike(&target, path)
}

fn is_created(file: &FileDiff<'_>) -> bool {
    matches!(file.status, Status::Added | Status::Copied)
}

#[cfg(test)]
mod tests {
    use super::{HiddenBy, hidden_by};
    use crate::classify::{Known, classify};
    use crate::diff::Diff;

    fn hidden(diff: &str) -> Option<(HiddenBy, u32)> {
        let diff = Diff::parse(diff).unwrap();
        let known = Known {
            file: &diff.files[0],
            whole: None,
        };
        hidden_by(&known, &classify(&diff.files[0], None))
            .map(|(by, line)| (by, line.unwrap().new.unwrap()))
    }

    fn added(path: &str, text: &str) -> Option<(HiddenBy, u32)> {
        let count = text.lines().count();
        let lines: String = text.lines().map(|line| format!("+{line}\n")).collect();
        hidden(&format!(
            "--- /dev/null\n+++ b/{path}\n@@ -0,0 +1,{count} @@\n{lines}"
        ))
    }

    #[test]
    fn a_new_file_of_source_code_is_hidden_by_its_name_its_notice_or_its_encoding() {
        for (path, text, expected) in [
            (
                "src/a.py",
                "import os\n# @generated\n",
                Some((HiddenBy::Generated, 2)),
            ),
            (
                "src/a_pb2.py",
                "import os\n",
                Some((HiddenBy::Generated, 1)),
            ),
            (
                "vendor/x/a.go",
                "package x\n",
                Some((HiddenBy::Vendored, 1)),
            ),
            (
                "src/a.py",
                "i\0m\0p\0o\0r\0t\0 \0o\0s\0\n",
                Some((HiddenBy::Encoding, 1)),
            ),
            ("src/a.py", "import os\n", None),
            ("vendor/modules.txt", "# x\n", None),
            ("src/schema.json", "// @generated\n", None),
            ("package-lock.json", "{}\n", None),
        ] {
            assert_eq!(added(path, text), expected, "{path}");
        }
    }

    #[test]
    fn files_hidden_before_the_change_are_not_hidden_by_it() {
        let change = |head: &str, lines: &str| hidden(&format!("{head}@@ -1,2 +1,2 @@\n{lines}"));
        let same = |path: &str| format!("--- a/{path}\n+++ b/{path}\n");
        let moved = |old: &str, new: &str| {
            format!(
                "diff --git a/{old} b/{new}\nrename from {old}\nrename to {new}\n--- a/{old}\n+++ b/{new}\n"
            )
        };
        for (head, lines, expected) in [
            (
                same("a.py"),
                " import os\n-x = 1\n+# @generated\n",
                Some((HiddenBy::Generated, 2)),
            ),
            (same("a.py"), " # @generated\n-x = 1\n+x = 2\n", None),
            (
                same("a.py"),
                "-# @generated by v1\n+# @generated by v2\n x = 1\n",
                None,
            ),
            (same("vendor/a.py"), " import os\n-x = 1\n+x = 2\n", None),
            (
                moved("a.py", "vendor/a.py"),
                " import os\n-x = 1\n+x = 2\n",
                Some((HiddenBy::Vendored, 2)),
            ),
            (
                moved("vendor/a.py", "vendor/b.py"),
                " import os\n-x = 1\n+x = 2\n",
                None,
            ),
            (
                moved("a.go", "a_gen.go"),
                " package a\n-x = 1\n+x = 2\n",
                Some((HiddenBy::Generated, 2)),
            ),
            (
                moved("a_gen.go", "b_gen.go"),
                " package a\n-x = 1\n+x = 2\n",
                None,
            ),
            (same("a.py"), " a\0\n-x\0=\0\n+x\0=\0\n", None),
        ] {
            assert_eq!(change(&head, lines), expected, "{head}{lines}");
        }
    }
}
