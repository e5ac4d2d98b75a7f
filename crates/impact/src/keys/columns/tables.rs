//! The columns that migrations and schemas create and remove.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::patterns::compiled;
use crate::keys::text::extension;

/// A column as `table.column`, with its line.
pub(in super::super) type Column = (String, u32);

/// Parts of the paths of migrations.
const FOLDERS: &[&str] = &["migrat", "alembic/versions", "changelog", "flyway"];

/// Statements that remove columns, with the table and the column.
static REMOVALS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let calls = [
        r"\bremove_column[ (]+{N},\s*{N}",
        r"\brename_column[ (]+{N},\s*{N},\s*{N}",
        r"\bop\.drop_column\(\s*{N},\s*{N}",
        r"\b(?:queryInterface|queryRunner)\.(?:removeColumn|dropColumn)\(\s*{N},\s*{N}",
        r"\b(?:queryInterface|queryRunner)\.renameColumn\(\s*{N},\s*{N},\s*{N}",
        r"(?i)\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?{N}\s+drop\s+column\s+(?:if\s+exists\s+)?{N}",
        r"(?i)\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?{N}\s+rename\s+column\s+{N}\s+to\s+{N}",
    ];
    compiled(&calls)
});

/// Statements that remove columns of the table that was named last, with the column.
static PARTS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    compiled(&[
        r"(?i)^\s*,?\s*drop\s+column\s+(?:if\s+exists\s+)?{N}",
        r"(?i)^\s*,?\s*rename\s+column\s+{N}\s+to\s+{N}",
        r"\b(?:table|t)(?:->|\.)dropColumn\(\[?\s*{N}",
        r"\b(?:table|t)(?:->|\.)renameColumn\(\s*{N},\s*{N}",
        r"\bbatch_op\.drop_column\(\s*{N}",
        r"\bt\.remove[ (]+{N}",
        r"\bt\.rename[ (]+{N},\s*{N}",
    ])
});

/// Texts that name the table of the following lines.
static TABLE: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    compiled(&[
        r"(?i)\b(?:create|alter)\s+table\s+(?:if\s+(?:not\s+)?exists\s+)?(?:only\s+)?{N}",
        r"\b(?:create_table|change_table|createTable|alterTable|batch_alter_table|add_column|addColumn)[ (]+{N}",
        r"\bSchema::(?:table|create)\(\s*{N}",
        r"\bschema\.(?:table|alterTable|createTable)\(\s*{N}",
    ])
});

/// The columns that the lines of a migration remove, except in the part that reverts it.
pub(in super::super) fn dropped(path: &str, lines: &[(u32, &str)]) -> Vec<Column> {
    const REMOVING: &[&str] = &[
        "drop", "DROP", "Drop", "rename", "RENAME", "Rename", "remove",
    ];
    let removes = |line: &str| REMOVING.iter().any(|word| line.contains(word));
    if !is_migration(path)
        || is_reverting_file(path)
        || !lines.iter().any(|(_, line)| removes(line))
    {
        return Vec::new();
    }
    let (mut found, mut table, mut reverts) = (Vec::new(), String::new(), false);
    for (number, line) in lines {
        reverts = direction(line).unwrap_or(reverts);
        for captures in REMOVALS.iter().filter_map(|one| one.captures(line)) {
            if let (Some(table), Some(column), false) = (captures.get(1), captures.get(2), reverts)
            {
                found.push((key_of(table.as_str(), column.as_str()), *number));
            }
        }
        if let Some(named) = named_table(line) {
            table = named.to_owned();
        }
        for captures in PARTS.iter().filter_map(|one| one.captures(line)) {
            if let (Some(column), false, false) = (captures.get(1), reverts, table.is_empty()) {
                found.push((key_of(&table, column.as_str()), *number));
            }
        }
    }
    if found.is_empty() {
        return found;
    }
    // A column that is added again has another type.
    let added: BTreeSet<String> = listed(lines).into_iter().map(|(key, _)| key).collect();
    found.retain(|(key, _)| !added.contains(key));
    found
}

/// The columns that a schema lists.
pub(in super::super) fn in_schema(path: &str, lines: &[(u32, &str)]) -> Vec<Column> {
    if is_schema(path) {
        listed(lines)
    } else {
        Vec::new()
    }
}

/// Whether a file is the schema of a database.
pub(super) fn is_schema(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    matches!(extension(path), "sql" | "rb")
        && (name.contains("schema") || name.contains("structure"))
}

/// The columns that lines create.
pub(super) fn listed(lines: &[(u32, &str)]) -> Vec<Column> {
    static ADDED: LazyLock<Vec<Regex>> = LazyLock::new(|| {
        compiled(&[
            r"\b(?:add_column|addColumn)[ (]+{N},\s*{N}",
            r"(?i)\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?{N}\s+add\s+(?:column\s+)?(?:if\s+not\s+exists\s+)?{N}",
        ])
    });
    static LISTED: LazyLock<Vec<Regex>> = LazyLock::new(|| {
        compiled(&[
            r"^\s*{N}\s+(?i:bigint|bigserial|bool|boolean|bytea|char|date|datetime|decimal|double|enum|float|int|integer|json|jsonb|numeric|real|serial|smallint|text|time|timestamp|timestamptz|tinyint|uuid|varchar|blob)\b",
            r"\bt\.\w+[ (]+{N}",
            r"\btable(?:->|\.)\w+\(\s*{N}",
            r"(?i)^\s*,?\s*add\s+column\s+(?:if\s+not\s+exists\s+)?{N}",
        ])
    });
    let (mut found, mut table) = (Vec::new(), String::new());
    let mut reverts = false;
    for (number, line) in lines {
        reverts = direction(line).unwrap_or(reverts);
        if reverts {
            continue;
        }
        for captures in ADDED.iter().filter_map(|one| one.captures(line)) {
            if let (Some(table), Some(column)) = (captures.get(1), captures.get(2)) {
                found.push((key_of(table.as_str(), column.as_str()), *number));
            }
        }
        if let Some(named) = named_table(line) {
            table = named.to_owned();
        }
        let is_removal = PARTS
            .iter()
            .chain(REMOVALS.iter())
            .any(|one| one.is_match(line));
        for captures in LISTED.iter().filter_map(|one| one.captures(line)) {
            if let (Some(column), false, false) = (captures.get(1), is_removal, table.is_empty()) {
                found.push((key_of(&table, column.as_str()), *number));
            }
        }
    }
    found
}

fn key_of(table: &str, column: &str) -> String {
    format!("{}.{}", table.to_lowercase(), column.to_lowercase())
}

fn named_table(line: &str) -> Option<&str> {
    let captures = TABLE.iter().find_map(|one| one.captures(line))?;
    captures.get(1).map(|name| name.as_str())
}

/// Whether a file is a migration, or a statement of SQL.
fn is_migration(path: &str) -> bool {
    const TEXTS: &[&str] = &["md", "mdx", "rst", "adoc", "txt", "html"];
    let lower = path.to_ascii_lowercase();
    let is_named = FOLDERS.iter().any(|part| lower.contains(part));
    extension(path) == "sql" || is_named && !TEXTS.contains(&extension(path))
}

/// Whether a file reverts a migration.
fn is_reverting_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    ["down", "undo", "revert", "rollback"]
        .iter()
        .any(|part| name.split(['.', '_', '-']).any(|own| own == *part))
        || name.starts_with('u')
            && name
                .get(1..)
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether the lines from here on revert the migration; `None` if the line does not show it.
fn direction(line: &str) -> Option<bool> {
    static DOWN: LazyLock<Regex> = LazyLock::new(|| {
        compiled(&[r"(?i)\b(?:function|def|async|exports\.|const|public)\s*(?:down|downgrade)\b|^\s*down\b\s*[:(]|exports\.down\b|--\s*\+?(?:goose|migrate)[: ]+down|--\s*\+migrate down|^\s*--\s*down\b"])
            .swap_remove(0)
    });
    static UP: LazyLock<Regex> = LazyLock::new(|| {
        compiled(&[r"(?i)\b(?:function|def|async|const|public)\s*(?:up|upgrade|change)\b|^\s*up\b\s*[:(]|exports\.up\b|--\s*\+?(?:goose|migrate)[: ]+up|^\s*--\s*up\b"])
            .swap_remove(0)
    });
    if DOWN.is_match(line) {
        Some(true)
    } else {
        UP.is_match(line).then_some(false)
    }
}

/// Whether a file shows what columns tables have or had. A number or a version at the start of a name orders migrations.
pub(super) fn is_history(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let of_schema = ["schema", "structure", "dump"];
    let name = lower.rsplit('/').next().unwrap_or_default();
    let is_numbered = name
        .trim_start_matches('v')
        .starts_with(|c: char| c.is_ascii_digit());
    let is_sql = extension(path) == "sql";
    FOLDERS.iter().any(|part| lower.contains(part))
        || is_sql && is_numbered
        || (is_sql || extension(path) == "rb") && of_schema.iter().any(|part| lower.contains(part))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{dropped, in_schema};

    fn lines(text: &str) -> Vec<(u32, &str)> {
        (1..).zip(text.lines()).collect()
    }

    #[test]
    fn migrations_of_all_frameworks_remove_columns() {
        for (path, text) in [
            (
                "db/migrate/1_a.rb",
                "def change\n  remove_column :users, :reset_at, :datetime\nend",
            ),
            (
                "db/migrate/1_a.rb",
                "def change\n  rename_column :users, :reset_at, :sent_at\nend",
            ),
            (
                "db/migrate/1_a.rb",
                "change_table :users do |t|\n  t.remove :reset_at\nend",
            ),
            (
                "database/migrations/1_a.php",
                "public function up()\nSchema::table('users', function (Blueprint $table) {\n$table->dropColumn('reset_at');",
            ),
            (
                "alembic/versions/1_a.py",
                "def upgrade():\n    op.drop_column('users', 'reset_at')",
            ),
            (
                "alembic/versions/1_a.py",
                "def upgrade():\n    with op.batch_alter_table(\"users\") as batch_op:\n        batch_op.drop_column(\"reset_at\")",
            ),
            (
                "migrations/1.js",
                "exports.up = (knex) =>\n  knex.schema.alterTable('users', (table) => {\n    table.dropColumn('reset_at');",
            ),
            (
                "migrations/1.ts",
                "await queryRunner.dropColumn(\"users\", \"reset_at\");",
            ),
            (
                "migrations/1.up.sql",
                "ALTER TABLE public.users DROP COLUMN IF EXISTS reset_at;",
            ),
            (
                "sql/2.sql",
                "ALTER TABLE \"users\"\n  RENAME COLUMN \"reset_at\" TO \"sent_at\";",
            ),
            (
                "internal/database/migrations.go",
                "sql := `ALTER TABLE users DROP COLUMN reset_at;`",
            ),
        ] {
            let found: Vec<String> = dropped(path, &lines(text))
                .into_iter()
                .map(|(key, _)| key)
                .collect();
            assert_eq!(found, ["users.reset_at"], "{text}");
        }
    }

    #[test]
    fn reverted_migrations_and_new_types_remove_nothing() {
        for (path, text) in [
            (
                "db/migrate/1_a.rb",
                "def down\n  remove_column :users, :reset_at\nend",
            ),
            (
                "database/migrations/1_a.php",
                "public function down()\nSchema::table('users', function (Blueprint $table) {\n$table->dropColumn('reset_at');",
            ),
            (
                "migrations/1.down.sql",
                "ALTER TABLE users DROP COLUMN reset_at;",
            ),
            (
                "migrations/1.sql",
                "-- +goose Down\nALTER TABLE users DROP COLUMN reset_at;",
            ),
            (
                "migrations/1.sql",
                "ALTER TABLE users DROP COLUMN reset_at;\nALTER TABLE users ADD COLUMN reset_at text;",
            ),
            ("src/a.rb", "remove_column :users, :reset_at"),
            (
                "docs/migration.md",
                "ALTER TABLE users DROP COLUMN reset_at;",
            ),
        ] {
            assert_eq!(dropped(path, &lines(text)), [], "{text}");
        }
    }

    #[test]
    fn schemas_list_columns() {
        let sql = "CREATE TABLE users (\n  id bigint,\n  reset_at timestamp with time zone,\n  PRIMARY KEY (id)\n);";
        let ruby = "create_table \"users\" do |t|\n  t.datetime \"reset_at\"\nend";
        for (path, text, column) in [("db/schema.sql", sql, 3), ("db/schema.rb", ruby, 2)] {
            let found = in_schema(path, &lines(text));
            assert!(
                found.contains(&("users.reset_at".to_owned(), column)),
                "{found:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "(ALTER TABLE |DROP COLUMN |users|reset_at|[.:'\"`;(), é\n]|\\PC){0,200}") {
            dropped("migrations/1.sql", &lines(&text));
            in_schema("schema.sql", &lines(&text));
        }
    }
}
