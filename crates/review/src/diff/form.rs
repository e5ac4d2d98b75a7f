//! Diff formats that are not unified. They are recognized so that they can be rejected by name.
//!
//! Their lines contain neither `---` and `+++` nor `@@`, so a reader of unified diffs would skip them like prose and
//! see an empty change.

use super::cursor::Cursor;
use super::model::DiffError;

/// The form of a change that is not unified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `2a3` above `> text`: the default of `diff` and `cvs diff`.
    Normal,
    /// `*** old`, `--- new` and a row of asterisks: `diff -c`.
    Context,
    /// `2a`, the text, and a dot: `diff -e`.
    Ed,
    /// `a2 1` and the text: `diff -n`.
    Rcs,
}

impl Form {
    /// The form whose change starts at a line, given the line after it. The two lines are unmistakable, wherever they are.
    pub(super) fn at(line: &str, next: &str) -> Option<Self> {
        match line.as_bytes().first()? {
            b'0'..=b'9' if is_normal(line) && starts_text(next) => Some(Self::Normal),
            b'*' if line.starts_with("***************") && is_context_range(next) => {
                Some(Self::Context)
            }
            _ => None,
        }
    }

    /// As [`Form::at`], directly below a file header, where a single line of a script is sufficient.
    pub(super) fn below_header(line: &str, next: &str) -> Option<Self> {
        match line.as_bytes().first()? {
            b'*' if line.starts_with("*** ") && next.starts_with("--- ") => Some(Self::Context),
            b'0'..=b'9' if is_normal(line) => Some(Self::Normal),
            b'0'..=b'9' if line.strip_suffix(['a', 'c', 'd']).is_some_and(is_range) => {
                Some(Self::Ed)
            }
            b'a' | b'c' | b'd' => script(line.get(1..)?, line.starts_with('c')),
            _ => Self::at(line, next),
        }
    }

    /// Why the form is rejected.
    pub(super) fn reason(self) -> String {
        let name = match self {
            Self::Normal => "a normal diff",
            Self::Context => "a context diff",
            Self::Ed => "an ed script",
            Self::Rcs => "an RCS script",
        };
        format!("this is {name}, not a unified diff: use `diff -u`, `svn diff` or `cvs diff -u`")
    }
}

/// An error at the cursor, which is below a file header: the form of the change that follows, or the given reason.
pub(super) fn error_below_header(cursor: &Cursor<'_>, otherwise: String) -> DiffError {
    let form = Form::below_header(cursor.bare(), cursor.following());
    cursor.error(form.map_or(otherwise, Form::reason))
}

/// `2a3`, `1,2c3`, `4d3`.
fn is_normal(line: &str) -> bool {
    line.split_once(['a', 'c', 'd'])
        .is_some_and(|(old, new)| is_range(old) && is_range(new))
}

/// A line of a normal diff's text.
fn starts_text(line: &str) -> bool {
    line.starts_with("< ") || line.starts_with("> ") || line == "<" || line == ">"
}

/// `*** 1,4 ****`
fn is_context_range(line: &str) -> bool {
    line.strip_prefix("*** ")
        .and_then(|range| range.strip_suffix(" ****"))
        .is_some_and(is_range)
}

/// `2` or `2,5`.
fn is_range(range: &str) -> bool {
    range.split_once(',').map_or_else(
        || is_number(range),
        |(first, last)| is_number(first) && is_number(last),
    )
}

/// The rest of a script's command after its letter: `2 1` in an RCS script (`diff -n`), `2` in a reversed ed script
/// (`diff -f`), which also has a command `c`.
fn script(numbers: &str, changes: bool) -> Option<Form> {
    match numbers.split_once(' ') {
        Some((line, count)) if is_number(line) && is_number(count) => {
            Some(if changes { Form::Ed } else { Form::Rcs })
        }
        None if is_number(numbers) => Some(Form::Ed),
        _ => None,
    }
}

fn is_number(digits: &str) -> bool {
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::Form::{self, Context, Ed, Normal, Rcs};

    #[test]
    fn a_change_is_recognized_by_two_lines_anywhere() {
        for (line, next, form) in [
            ("2a3", "> x", Some(Normal)),
            ("1,2c3,4", "< x", Some(Normal)),
            ("4d3", "<", Some(Normal)),
            ("***************", "*** 1,4 ****", Some(Context)),
            ("*************** f()", "*** 0 ****", Some(Context)),
            ("2a3", "x", None),
            ("2a", "> x", None),
            ("a2 3", "> x", None),
            ("3abc", "> x", None),
            ("**********************", "* a banner *", None),
            ("*** a", "--- b", None),
            ("", "", None),
        ] {
            assert_eq!(Form::at(line, next), form, "{line}");
        }
    }

    #[test]
    fn below_a_header_one_line_of_a_script_is_enough() {
        for (line, form) in [
            ("2a3", Some(Normal)),
            ("2a", Some(Ed)),
            ("1,2c", Some(Ed)),
            ("3d", Some(Ed)),
            ("c2 3", Some(Ed)),
            ("d4", Some(Ed)),
            ("a2 3", Some(Rcs)),
            ("d2 1", Some(Rcs)),
            ("a", None),
            ("add 2 3", None),
            ("2", None),
            ("1,2,3c", None),
            ("é", None),
            ("", None),
        ] {
            assert_eq!(Form::below_header(line, ""), form, "{line}");
        }
        assert_eq!(
            Form::below_header("*** a\t2026", "--- b\t2026"),
            Some(Context)
        );
        assert_eq!(Form::below_header("*** a", "b"), None);
    }
}
