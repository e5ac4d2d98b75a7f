//! Columns of database tables: where a change removes them, and where other files still name them.
//!
//! A migration removes a column in SQL, or with the functions of Rails, Laravel, Alembic, Knex, Sequelize or TypeORM. A
//! schema removes it by no longer listing it. A use is certain in a statement of SQL that names the table.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use syntax::semantics::vocabulary::words_of;

use super::kinds::{KeyUse, is_word};
use super::text::{extension, quoted};

/// The maximum length of a statement of SQL that is read, in bytes.
const STATEMENT: usize = 4_000;
/// Parts of the paths of migrations.
const FOLDERS: &[&str] = &["migrat", "alembic/versions", "changelog", "flyway"];
/// The maximum number of tables that a statement names.
const TABLES: usize = 20;

/// A name, with or without quotes and a schema.
const NAME: &str = r#"[:"'`\[]*(?:\w+\.)?["`\[]?(\w+)["'`\]]*"#;

/// Statements that remove columns, with the table, the column and its new name.
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

/// Statements that remove columns of the table that was named last, with the column and its new name.
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

/// A table in a statement of SQL, with its alias.
static REFERENCE: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    compiled(&[r"(?i)\b(?:from|join|into|update|table)\s+{N}(?:\s+(?:as\s+)?(\w+))?"])
});

#[expect(
    clippy::expect_used,
    reason = "the patterns are constants, and a test compiles them"
)]
fn compiled(patterns: &[&str]) -> Vec<Regex> {
    let one = |pattern: &&str| Regex::new(&pattern.replace("{N}", NAME)).expect("a valid pattern");
    patterns.iter().map(one).collect()
}

/// A column that a line removes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Dropped {
    /// `table.column`.
    pub(super) key: String,
    pub(super) line: u32,
    pub(super) is_renamed: bool,
}

/// The columns that the lines of a migration remove, except in the part that reverts it.
pub(super) fn dropped(path: &str, lines: &[(u32, &str)]) -> Vec<Dropped> {
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
                let key = key_of(table.as_str(), column.as_str());
                found.push(Dropped {
                    key,
                    line: *number,
                    is_renamed: captures.get(3).is_some(),
                });
            }
        }
        if let Some(named) = named_table(line) {
            table = named.to_owned();
        }
        for captures in PARTS.iter().filter_map(|one| one.captures(line)) {
            if let (Some(column), false, false) = (captures.get(1), reverts, table.is_empty()) {
                let key = key_of(&table, column.as_str());
                found.push(Dropped {
                    key,
                    line: *number,
                    is_renamed: captures.get(2).is_some(),
                });
            }
        }
    }
    if found.is_empty() {
        return found;
    }
    // A column that is added again has another type.
    let added: BTreeSet<String> = listed(lines).into_iter().map(|(key, _)| key).collect();
    found.retain(|own| !added.contains(&own.key));
    found
}

/// The columns that a schema lists, with their lines.
pub(super) fn in_schema(path: &str, lines: &[(u32, &str)]) -> Vec<(String, u32)> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_schema = matches!(extension(path), "sql" | "rb")
        && (name.contains("schema") || name.contains("structure"));
    if is_schema { listed(lines) } else { Vec::new() }
}

/// The columns that lines create, with the lines.
fn listed(lines: &[(u32, &str)]) -> Vec<(String, u32)> {
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
fn is_history(path: &str) -> bool {
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

/// How a file uses a column, by `table.column`.
pub(super) fn uses(path: &str, text: &str, lines: &[(u32, &str)], key: &str) -> Vec<KeyUse> {
    let Some((table, column)) = key.split_once('.') else {
        return Vec::new();
    };
    // A schema of SQL that still lists the column may be that of another database. Rails generates its own.
    let is_sql = extension(path) == "sql";
    if is_sql && in_schema(path, lines).iter().any(|(own, _)| own == key) {
        return vec![KeyUse::Defined];
    }
    let listed = listed(lines);
    if is_history(path) || listed.iter().any(|(own, _)| own == key) {
        let of_other = |own: &str| {
            own.split_once('.')
                .is_some_and(|(other, name)| name == column && other != table)
        };
        let is_shared = listed.iter().any(|(own, _)| of_other(own));
        return is_shared.then_some(KeyUse::Ambiguous).into_iter().collect();
    }
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

/// The model of a table, as code names it.
struct Model {
    /// In lower case and without underscores.
    name: String,
    /// The code is in the model's own file.
    is_own_file: bool,
}

impl Model {
    /// The model of a table in a file of code.
    fn of(path: &str, table: &str) -> Option<Self> {
        const CODE: &[&str] = &[
            "rb", "erb", "haml", "slim", "jbuilder", "py", "php", "js", "ts", "tsx", "java", "kt",
            "go", "cs", "rs",
        ];
        let singular = match table.strip_suffix("ies") {
            Some(stem) => format!("{stem}y"),
            None => table.strip_suffix('s').unwrap_or(table).to_owned(),
        };
        let name = plain(&singular);
        let stem = path
            .rsplit('/')
            .next()
            .and_then(|name| name.split('.').next())
            .unwrap_or_default();
        let is_code = CODE.contains(&extension(path)) && name.len() > 2;
        is_code.then(|| Self {
            is_own_file: plain(stem) == name,
            name,
        })
    }

    /// How a line uses a column of the model: as a member of a value with the model's name, or in a query.
    fn column_use(&self, line: u32, text: &str, column: &str) -> Option<KeyUse> {
        const DEFINITIONS: &[&str] = &[
            "def ",
            "fun ",
            "function ",
            "func ",
            "attribute :",
            "accessor :",
            "alias_attribute :",
        ];
        let mut places = text
            .match_indices(column)
            .filter_map(|(at, _)| text.get(..at).zip(text.get(at + column.len()..)));
        places.find_map(|(lead, after)| {
            if lead.ends_with(is_word) || after.starts_with(is_word) {
                return None;
            }
            if DEFINITIONS.iter().any(|own| lead.ends_with(own)) {
                return Some(KeyUse::Defined);
            }
            let is_member = receiver(lead).is_some_and(|receiver| self.is_named(receiver))
                && !after.starts_with('(');
            (is_member || self.is_in_query(lead, after)).then_some(KeyUse::Read {
                line,
                is_certain: false,
            })
        })
    }

    /// Whether a value has the name of the model, as `current_user` has, or is the model's own object.
    fn is_named(&self, receiver: &str) -> bool {
        let is_self = matches!(receiver, "self" | "this" | "$this");
        is_self && self.is_own_file || plain(receiver).ends_with(&self.name)
    }

    /// Whether a column is an argument of a query of the model.
    fn is_in_query(&self, lead: &str, after: &str) -> bool {
        const QUERIES: &[&str] = &[
            "where", "order", "pluck", "select", "findby", "groupby", "orderby", "wherein",
        ];
        let is_argument = lead.ends_with(['"', '\'', ':']) || after.starts_with(':');
        let call = lead.rfind('(').and_then(|at| last_word(lead.get(..at)?));
        let is_query = call.is_some_and(|call| QUERIES.contains(&plain(call).as_str()));
        is_argument && is_query && (self.is_own_file || plain(lead).contains(&self.name))
    }
}

/// A name in lower case and without underscores.
fn plain(name: &str) -> String {
    name.to_lowercase().replace('_', "")
}

/// The last name before the operator with which a text ends.
fn receiver(lead: &str) -> Option<&str> {
    let before = lead
        .strip_suffix('.')
        .or_else(|| lead.strip_suffix("->"))?
        .trim_end_matches(['?', '&', '!']);
    last_word(before)
}

/// The word with which a text ends.
fn last_word(text: &str) -> Option<&str> {
    let rest = text.trim_end_matches(is_word);
    text.get(rest.len()..).filter(|word| !word.is_empty())
}

/// The lines of the statements of SQL in a file that name a column of a table.
fn in_statements(text: &str, table: &str, column: &str) -> BTreeSet<u32> {
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
    for (at, _) in lower.match_indices(column) {
        let (Some(lead), Some(after)) = (lower.get(..at), lower.get(at + column.len()..)) else {
            continue;
        };
        if lead.ends_with(is_word)
            || after.starts_with(is_word)
            || lead.ends_with([':', '$', '@', '#', '{'])
            || lead.trim_end().ends_with(" as")
        {
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
    use proptest::prelude::*;

    use super::{dropped, in_schema, in_statements, uses};
    use crate::facts::keys::{KeyUse, code_lines};

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
                .map(|own| own.key)
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

    #[test]
    fn members_and_queries_of_a_model_use_its_columns() {
        let of = |path: &str, text: &str| {
            uses(
                path,
                text,
                &code_lines(path, (1..).zip(text.lines())),
                "users.reset_at",
            )
        };
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
                "db/changes/001_a.sql",
                "UPDATE users SET reset_at = NULL;",
                None,
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
        fn any_text_is_read(text in "(ALTER TABLE |DROP COLUMN |users|reset_at|SELECT |FROM |[.:'\"`;(), é\n]|\\PC){0,200}") {
            dropped("migrations/1.sql", &lines(&text));
            in_schema("schema.sql", &lines(&text));
            uses("a.go", &text, &lines(&text), "users.reset_at");
        }
    }
}
