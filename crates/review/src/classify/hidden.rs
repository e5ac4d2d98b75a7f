//! Source files that the change itself hides from review.
//!
//! Files written by tools or third parties are skipped. If a file was skipped before the change, that is the target
//! branch's decision. If only the change makes it so, any author could hide code from review, so it is reported.

use serde::{Deserialize, Serialize};

use super::kind::{Kind, generated_notice, is_generated_notice, kind_of_path};
use crate::diff::{FileDiff, Line, LineKind, Status};
use crate::language::Language;

/// The reason why a source file is not reviewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum HiddenBy {
    /// A generator's notice, or a name that only generated files have.
    Generated,
    /// A folder of third-party code, or a file name with a release number.
    Vendored,
    /// UTF-16, which git and most tools treat as binary.
    Encoding,
}

/// How the change hides this file from review, and the added line that shows it.
pub(crate) fn hidden_by<'a>(
    file: &'a FileDiff<'_>,
    kind: Kind,
    language: Option<Language>,
) -> Option<(HiddenBy, &'a Line<'a>)> {
    if !language.is_some_and(Language::is_code) {
        return None;
    }
    let mut lines = file.hunks.iter().flat_map(|hunk| &hunk.lines);
    let first_added = lines.clone().find(|line| line.kind == LineKind::Added);
    match kind {
        Kind::Generated => {
            let notice =
                generated_notice(file, language).filter(|notice| notice.kind == LineKind::Added);
            let line = notice.or_else(|| first_added.filter(|_| is_new_as(file, kind)))?;
            (is_created(file) || !had_notice(file, language)).then_some((HiddenBy::Generated, line))
        }
        Kind::Vendored => is_new_as(file, kind).then_some((HiddenBy::Vendored, first_added?)),
        Kind::Utf16 => {
            let is_old = |line: &Line<'_>| line.kind != LineKind::Added && line.text.contains('\0');
            (!lines.any(is_old)).then_some((HiddenBy::Encoding, first_added?))
        }
        Kind::Source | Kind::Binary | Kind::Lock | Kind::Minified | Kind::Unshown => None,
    }
}

fn is_created(file: &FileDiff<'_>) -> bool {
    matches!(file.status, Status::Added | Status::Copied)
}

/// Whether no file had this name, or a name of this kind, before the change.
fn is_new_as(file: &FileDiff<'_>, kind: Kind) -> bool {
    let had_other_name = || {
        file.old_path
            .as_deref()
            .is_some_and(|old| kind_of_path(old) != Some(kind))
    };
    is_created(file) || file.status == Status::Renamed && had_other_name()
}

/// Whether the change removes a notice, and writes another in its place.
fn had_notice(file: &FileDiff<'_>, language: Option<Language>) -> bool {
    let mut lines = file.hunks.iter().flat_map(|hunk| &hunk.lines);
    lines.any(|line| line.kind == LineKind::Removed && is_generated_notice(line.text, language))
}

#[cfg(test)]
mod tests {
    use super::{HiddenBy, hidden_by};
    use crate::classify::classify;
    use crate::diff::Diff;

    fn hidden(diff: &str) -> Option<(HiddenBy, u32)> {
        let diff = Diff::parse(diff).unwrap();
        let class = classify(&diff.files[0], None);
        hidden_by(&diff.files[0], class.kind, class.language)
            .map(|(by, line)| (by, line.new.unwrap()))
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
