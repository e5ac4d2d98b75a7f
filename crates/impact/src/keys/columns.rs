//! Columns of database tables: where a change removes them, and where other files still name them.
//!
//! A migration removes a column in SQL, or with the functions of Rails, Laravel, Alembic, Knex, Sequelize or TypeORM. A
//! schema removes it by no longer listing it. A use is certain in a statement of SQL that names the table.

mod models;
mod patterns;
mod statements;
mod tables;

use syntax::semantics::vocabulary::words_of;

use self::models::Model;
use self::statements::in_statements;
pub(super) use self::tables::{dropped, in_schema};
use self::tables::{is_history, is_schema, listed};
use super::kinds::KeyUse;
use super::text::extension;

/// How a file uses columns, given as `table.column` with their positions among the keys.
pub(super) fn uses<'k>(
    path: &str,
    text: &str,
    lines: &[(u32, &str)],
    columns: impl Iterator<Item = (usize, &'k str)>,
) -> Vec<(usize, KeyUse)> {
    let mut columns = columns
        .filter_map(|(at, key)| Some((at, key.split_once('.')?)))
        .filter(|(_, (_, column))| text.contains(column))
        .peekable();
    if columns.peek().is_none() {
        return Vec::new();
    }
    let listed = listed(lines);
    let mut found = Vec::new();
    for (at, (table, column)) in columns {
        // The tables that list a column with the name.
        let tables: Vec<&str> = listed
            .iter()
            .filter_map(|(own, _)| own.split_once('.'))
            .filter_map(|(other, name)| (name == column).then_some(other))
            .collect();
        let used = if is_history(path) || tables.contains(&table) {
            of_tables(path, &tables, table).into_iter().collect()
        } else {
            of_code(path, text, lines, (table, column))
        };
        found.extend(used.into_iter().map(|used| (at, used)));
    }
    found
}

/// The evidence of a migration or a schema about a column, by the tables that it creates with such a column.
fn of_tables(path: &str, tables: &[&str], table: &str) -> Option<KeyUse> {
    // A schema of SQL that still lists the column may be that of another database. Rails generates its own.
    let is_sql_schema = is_schema(path) && extension(path) == "sql";
    if is_sql_schema && tables.contains(&table) {
        return Some(KeyUse::Defined);
    }
    let is_shared = tables.iter().any(|other| *other != table);
    is_shared.then_some(KeyUse::Ambiguous)
}

/// The uses of a column in code and in statements of SQL.
fn of_code(
    path: &str,
    text: &str,
    lines: &[(u32, &str)],
    (table, column): (&str, &str),
) -> Vec<KeyUse> {
    let certain = in_statements(text, table, column);
    let mut found: Vec<KeyUse> = Vec::new();
    // References to other tables have the same name everywhere.
    let is_distinctive = words_of(column).len() > 1 && !column.ends_with("_id");
    if let Some(model) = Model::of(path, table).filter(|_| is_distinctive) {
        let others = lines.iter().filter(|(line, _)| !certain.contains(line));
        found.extend(others.filter_map(|(line, text)| model.column_use(*line, text, column)));
    }
    found.extend(certain.into_iter().map(|line| KeyUse::Read {
        line,
        is_certain: true,
    }));
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::uses;
    use crate::keys::code_lines;
    use crate::keys::kinds::KeyUse;

    fn of(path: &str, text: &str) -> Vec<KeyUse> {
        let lines = code_lines(path, (1..).zip(text.lines()));
        let found = uses(path, text, &lines, [(0, "users.reset_at")].into_iter());
        found.into_iter().map(|(_, used)| used).collect()
    }

    #[test]
    fn members_and_queries_of_a_model_use_its_columns() {
        let maybe = KeyUse::Read {
            line: 1,
            is_certain: false,
        };
        for (path, text, expected) in [
            ("app/mailer.rb", "show current_user.reset_at", Some(maybe)),
            ("app/mailer.php", "show($user->reset_at);", Some(maybe)),
            ("app/models/user.rb", "show self.reset_at", Some(maybe)),
            (
                "app/models/user.rb",
                "scope :reset, -> { where(reset_at: nil) }",
                Some(maybe),
            ),
            (
                "app/mailer.php",
                "User::orderBy('reset_at')->get();",
                Some(maybe),
            ),
            (
                "db/changes/001_a.sql", "UPDATE users SET reset_at = NULL;", None,
            ),
            ("app/order.rb", "show order.reset_at", None),
            ("app/order.rb", "show(reset_at: user.name)", None),
            ("app/models/user.rb", "def reset_at", Some(KeyUse::Defined)),
            (
                "db/schema.rb",
                "create_table \"users\" do |t|\n  t.datetime \"reset_at\"\nend",
                None,
            ),
            (
                "db/schema.sql",
                "CREATE TABLE users (\n  reset_at timestamp\n);",
                Some(KeyUse::Defined),
            ),
            (
                "db/schema.rb",
                "create_table \"feeds\" do |t|\n  t.datetime \"reset_at\"\nend",
                Some(KeyUse::Ambiguous),
            ),
            (
                "db/migrate/1_a.rb",
                "add_column :users, :reset_at, :datetime",
                None,
            ),
        ] {
            assert_eq!(of(path, text), Vec::from_iter(expected), "{path}: {text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "(SELECT |FROM |users|reset_at|[.:'\"`;(), é\n]|\\PC){0,200}") {
            of("a.go", &text);
        }
    }
}
