//! Constraints that were removed from the definition of a column.

use std::collections::{BTreeSet, HashMap};

use lint::{Check, Rule, Sink, Tests, TextContext, quote};
use review::{Category, Line, Priority};
use syntax::semantics::names;

pub(crate) const RULE: Rule = Rule {
    id: "any/constraint-dropped",
    languages: &[],
    title: "Constraint of a column removed",
    why: "The database no longer refuses rows that the program relies on not to exist: duplicates, missing values, or \
          references to rows that are gone. Once they are in, the constraint cannot be added again without a clean-up.",
    fix: "Keep the constraint, or move it to the table's definition.",
    references: &["https://www.postgresql.org/docs/current/ddl-constraints.html"],
    priority: Priority::P2,
    category: Category::DataIntegrity,
    tests: Tests::Include,
    check: Check::Text { run },
    positive: &[
        r#"
path: db/orders.sql
 CREATE TABLE orders (
-  pieces INT NOT NULL CHECK (pieces > 0),
+  pieces INT NOT NULL,
^
   day DATE
"#,
        r#"
path: db/orders.sql
-ALTER TABLE orders ADD CONSTRAINT one_number UNIQUE (number);
^
 CREATE INDEX by_day ON orders (day);
"#,
        r#"
path: app/models.py
     email = models.EmailField(
-        unique=True,
^
         max_length=20,
"#,
        r#"
path: src/user.ts
-  @Column({ unique: true })
+  @Column()
^
   email: string;
"#,
        r#"
path: db/schema.sql
 CREATE TABLE visits (
-  vet_id INT NOT NULL REFERENCES vets (id),
+  vet_id INT,
^
   day DATE
"#,
        r#"
path: db/migrate/1_users.rb
   create_table :users do |t|
-    t.string :email, null: false, index: { unique: true }
+    t.string :email, null: false
^
"#,
        r#"
path: app/models.py
 class User(Base):
-    email = Column(String, unique=True, nullable=False)
+    email = Column(String, nullable=False)
^
"#,
        r#"
path: src/User.java
 class User {
-    @Column(name = "email", nullable = false, unique = true)
+    @Column(name = "email")
^
"#,
        r#"
path: schema.prisma
 model User {
-  email String @unique
+  email String
^
"#,
        r#"
path: database/migrations/users.php
-            $table->string('email')->unique();
+            $table->string('email');
^
"#,
        r#"
path: db/schema.sql
 CREATE TABLE visits (
   vet_id INT,
   pet_id INT,
-  UNIQUE (vet_id, pet_id)
^
 );
"#,
    ],
    negative: &[
        r#"
path: src/A.kt
 class A(
-    private val store: SourcePreferences = get(),
+    private val store: SourcePreferences,
 )
"#,
        r#"
path: app/models.py
     email = models.EmailField(
-        unique=True,
-        max_length=20,
-        blank=True,
     )
"#,
        r#"
path: db/schema.sql
 CREATE TABLE visits (
-  vet_id INT NOT NULL UNIQUE,
-  day DATE
+  vet_id INT NOT NULL,
+  day DATE,
+  UNIQUE (vet_id, day)
"#,
        r#"
path: db/schema.sql
 CREATE TABLE visits (
-  vet_id INT NOT NULL,
-  UNIQUE (vet_id)
+  vet_id INT NOT NULL UNIQUE
"#,
        r#"
path: db/schema.sql
 CREATE TABLE visits (
-  vet_id INT REFERENCES vets (id),
+  vet_id INT REFERENCES vets (id) ON DELETE CASCADE,
-  clerk_id INT NOT NULL
"#,
        r#"
path: db/migrate/1_users.rb
-    t.string :email, null: false
+    t.string :mail, null: true
"#,
        r#"
path: app/models.py
-    email = Column(String, unique=True)
+    email = Column(String, unique=True, nullable=False)
"#,
    ],
};

/// Constraints as languages and libraries write them, without white space, and their names.
const CONSTRAINTS: &[(&str, &str)] = &[
    ("primary key", "PRIMARY KEY"),
    ("not null", "NOT NULL"),
    (" references ", "REFERENCES"),
    ("foreign key", "FOREIGN KEY"),
    (" unique", "UNIQUE"),
    (" check (", "CHECK"),
    ("on delete cascade", "ON DELETE CASCADE"),
    ("null: false", "null: false"),
    ("nullable: false", "nullable: false"),
    ("nullable=false", "nullable=False"),
    ("nullable = false", "nullable = false"),
    ("allownull: false", "allowNull: false"),
    ("unique: true", "unique: true"),
    ("unique=true", "unique=True"),
    ("unique = true", "unique = true"),
    ("foreign_key: true", "foreign_key: true"),
    (".notnullable()", ".notNullable()"),
    (".notnull()", ".notNull()"),
    (".unique()", ".unique()"),
    ("->unique()", "->unique()"),
    ("->constrained(", "->constrained()"),
    ("@unique", "@unique"),
];

fn run(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    // A constraint that is elsewhere in the hunk has moved.
    let elsewhere: BTreeSet<&str> = context
        .added()
        .flat_map(|line| constraints(line.text))
        .collect();
    for edit in context.edits() {
        let mut added = HashMap::<String, Vec<&Line<'_>>>::new();
        for line in &edit.added {
            added.entry(subject(line.text)).or_default().push(line);
        }
        for old in &edit.removed {
            let before = constraints(old.text);
            if before.is_empty() || is_remark(old.text) {
                continue;
            }
            let subject = subject(old.text);
            match added.get(&subject).map(Vec::as_slice) {
                Some([new]) => {
                    let (was, now) = (words(old.text), words(new.text));
                    let after = constraints(new.text);
                    let lost = before
                        .iter()
                        .find(|name| !after.contains(*name) && !elsewhere.contains(*name));
                    // A primary key is unique and has a value.
                    let is_key = |line: &str| {
                        let lower = line.to_ascii_lowercase();
                        ["@id", "primary key", "primary_key", "primarykey"]
                            .iter()
                            .any(|mark| lower.contains(mark))
                    };
                    if let Some(lost) = lost.filter(|_| now.is_subset(&was) && !is_key(new.text)) {
                        let column = shown(old.text);
                        sink.report(
                            *new,
                            format!("`{}` lost its constraint `{lost}`.", quote(&column)),
                        );
                    }
                }
                Some(_) => {}
                None if edit.added.is_empty() && is_on_its_own(old.text, context) => {
                    let text = old.text.trim().trim_end_matches([',', ';']);
                    sink.report(
                        *old,
                        format!("The table lost its constraint `{}`.", quote(text)),
                    );
                }
                None => {}
            }
        }
    }
}

fn constraints(line: &str) -> Vec<&'static str> {
    let lower = format!(" {}", line.trim().to_ascii_lowercase());
    CONSTRAINTS
        .iter()
        .filter(|(text, _)| lower.contains(text))
        .map(|(_, name)| *name)
        .collect()
}

/// The subject of a line: a column by its first word, or a call by three words, such as `t.string :email`.
fn subject(line: &str) -> String {
    let text = line.trim_start();
    let first = text
        .find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .and_then(|end| text.get(end..))
        .unwrap_or_default();
    let is_call = text.starts_with(['@', '$']) || first.starts_with('.') || first.starts_with("->");
    let count = if text.starts_with('@') && text.contains("({") || !is_call {
        1
    } else {
        3
    };
    names::words(text)
        .take(count)
        .collect::<Vec<_>>()
        .join(" ")
        .to_ascii_lowercase()
}

/// The column shown in the message: the first text in quotation marks, the symbol, or the first word.
fn shown(line: &str) -> String {
    let symbol = line.split_once(" :").map(|(_, rest)| rest);
    let quoted = line.split(['"', '\'', '`']).nth(1);
    let text = symbol.or(quoted).unwrap_or(line.trim());
    names::words(text).next().unwrap_or(text).to_owned()
}

fn words(line: &str) -> BTreeSet<String> {
    names::words(line).map(str::to_ascii_lowercase).collect()
}

/// Whether it is a constraint on its own line, with columns that remain.
fn is_on_its_own(line: &str, context: &TextContext<'_>) -> bool {
    let upper = line.trim().to_ascii_uppercase();
    let option: String = upper
        .trim_end_matches(',')
        .chars()
        .filter(|c| !c.is_whitespace())
        .collect();
    let is_option = [
        "UNIQUE=TRUE", "UNIQUE:TRUE", "NULLABLE=FALSE", "NULLABLE:FALSE", "ALLOWNULL:FALSE",
    ]
    .contains(&option.as_str());
    let starts = [
        "UNIQUE (", "UNIQUE(", "FOREIGN KEY", "CONSTRAINT ", "PRIMARY KEY (",
    ];
    let is_sql = context.file.language.contains("SQL") || context.file.path.ends_with(".sql");
    let removed = context
        .removed()
        .filter(|old| !old.text.trim().is_empty())
        .count();
    let adds = upper.starts_with("ALTER TABLE")
        && ["ADD CONSTRAINT", "ADD UNIQUE", "ADD FOREIGN KEY"]
            .iter()
            .any(|clause| upper.contains(clause))
        || upper.starts_with("CREATE UNIQUE INDEX");
    removed <= 2
        && (is_option || is_sql && (adds || starts.iter().any(|start| upper.starts_with(start))))
}

fn is_remark(line: &str) -> bool {
    ["--", "#", "//", "*", "/*"]
        .iter()
        .any(|mark| line.trim_start().starts_with(mark))
}
