//! Statements of SQL that name a column.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::patterns::compiled;
use crate::keys::kinds::is_word;
use crate::keys::text::{last_word, quoted};
use crate::text::occurrences;

/// The maximum length of a statement that is read, in bytes.
const STATEMENT: usize = 4_000;
/// The maximum number of tables that a statement names.
const TABLES: usize = 20;

/// A table in a statement of SQL, with its alias.
static REFERENCE: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    compiled(&[r"(?i)\b(?:from|join|into|update|table)\s+{N}(?:\s+(?:as\s+)?(\w+))?"])
});

/// The lines of the statements of SQL in a file that name a column of a table.
pub(super) fn in_statements(text: &str, table: &str, column: &str) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    let mut line = 1;
    for piece in text.split_inclusive(['`', ';', '"']) {
        found.extend(
            in_statement(piece, table, column)
                .into_iter()
                .map(|at| line + at),
        );
        line += newlines(piece);
    }
    for (number, text) in (1..)
        .zip(text.lines())
        .filter(|(_, text)| text.contains('\''))
    {
        let pieces = quoted(&[(number, text)]);
        let names = pieces
            .iter()
            .any(|own| !in_statement(own.text, table, column).is_empty());
        found.extend(names.then_some(number));
    }
    found
}

fn newlines(text: &str) -> u32 {
    u32::try_from(text.matches('\n').count()).unwrap_or(u32::MAX)
}

/// The lines, counted from 0, of a statement of SQL that name a column of a table and no column of another one.
fn in_statement(text: &str, table: &str, column: &str) -> Vec<u32> {
    static STATEMENTS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
        compiled(&[
            r"(?is)\bselect\b.*\bfrom\b|\binsert\s+into\b|\bupdate\s+\S+\s+(?:\w+\s+)?set\b|\bdelete\s+from\b",
        ])
    });
    if text.len() > STATEMENT {
        return Vec::new();
    }
    let lower = text.to_ascii_lowercase();
    if !lower.contains(column) || !STATEMENTS.iter().any(|one| one.is_match(&lower)) {
        return Vec::new();
    }
    let references = REFERENCE
        .iter()
        .flat_map(|one| one.captures_iter(&lower))
        .take(TABLES);
    let tables: Vec<(&str, &str)> = references
        .filter_map(|own| {
            Some((
                own.get(1)?.as_str(),
                own.get(2).map_or("", |alias| alias.as_str()),
            ))
        })
        .collect();
    if !tables.iter().any(|(name, _)| *name == table) {
        return Vec::new();
    }
    let is_only = tables.iter().all(|(name, _)| *name == table);
    let is_own = |qualifier: &str| {
        tables
            .iter()
            .any(|(name, alias)| *name == table && (qualifier == *name || qualifier == *alias))
    };
    let mut found = Vec::new();
    for (lead, _) in occurrences(&lower, column, is_word) {
        if lead.ends_with([':', '$', '@', '#', '{']) || lead.trim_end().ends_with(" as") {
            continue;
        }
        let lead_name = lead.trim_end_matches(['"', '`', '[']);
        let names = match lead_name.strip_suffix('.') {
            Some(before) => {
                let before = before.trim_end_matches(['"', '`', ']']);
                last_word(before).is_some_and(is_own)
            }
            None => is_only,
        };
        if names {
            found.push(newlines(lead));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::in_statements;

    #[test]
    fn statements_that_name_the_table_use_its_columns() {
        for (text, expected) in [
            (
                "db.Query(\"SELECT id, reset_at FROM users WHERE id = $1\")",
                vec![1],
            ),
            (
                "q := `\n  SELECT u.id, u.reset_at\n  FROM users u\n  JOIN feeds f ON f.user_id = u.id`",
                vec![2],
            ),
            ("q := `\n  UPDATE users\n  SET reset_at = now()`", vec![3]),
            ("run('DELETE FROM users WHERE reset_at < now()')", vec![1]),
            (
                "q := `SELECT u.id, f.reset_at FROM users u JOIN feeds f ON true`",
                vec![],
            ),
            (
                "q := `SELECT id, reset_at FROM users u JOIN feeds f ON true`",
                vec![],
            ),
            ("q := `SELECT reset_at FROM feeds`", vec![]),
            (
                "q := `SELECT sent_at AS reset_at FROM users WHERE a = :reset_at`",
                vec![],
            ),
            ("from users import reset_at", vec![]),
        ] {
            let found: Vec<u32> = in_statements(text, "users", "reset_at")
                .into_iter()
                .collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
