//! SQL statements that change more rows than before.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::LazyLock;

use lint::{Check, Rule, Sink, Tests, TextContext, quote};
use regex::bytes::Regex;
use review::{Category, Line, LineKind, Priority};
use syntax::semantics::names;
use syntax::semantics::secrets::compiled;

pub(crate) const RULE: Rule = Rule {
    id: "any/where-clause-removed",
    languages: &[],
    title: "UPDATE or DELETE without its former condition",
    why: "The statement changes or deletes rows that it left alone before, at worst all rows of the table. Lost rows come \
          back only from a backup.",
    fix: "Keep the condition, or write why the statement applies to more rows.",
    references: &[
        "CWE-89",
        "https://www.postgresql.org/docs/current/sql-delete.html",
    ],
    priority: Priority::P1,
    category: Category::DataIntegrity,
    tests: Tests::Include,
    check: Check::Text { run },
    positive: &[
        r#"
path: db/articles.sql
 DELETE
 FROM articles
-WHERE slug = :slug
-  AND author_id = (SELECT id FROM users WHERE username = :name);
+WHERE author_id = (SELECT id FROM users WHERE username = :name);
^
"#,
        r#"
path: src/a.py
 def remove(db, post, user):
-    db.execute("DELETE FROM posts WHERE id = ? AND user_id = ?", (post, user))
+    db.execute("DELETE FROM posts WHERE id = ?", (post,))
^
     db.commit()
"#,
        r#"
path: src/A.java
 class A {
     void close() {
-        run("UPDATE orders SET state = 'closed' WHERE id = " + id);
+        run("UPDATE orders SET state = 'closed'");
^
     }
 }
"#,
        r#"
path: src/a.go
-	_, err := db.Exec(`DELETE FROM sessions WHERE user_id = $1`, id)
+	_, err := db.Exec(`DELETE FROM sessions`)
^
 	return err
"#,
        r#"
path: src/a.sql
 DELETE
 FROM articles
-WHERE slug = :slug
-  AND author_id = (SELECT id FROM users WHERE name = :name);
+WHERE author_id = (SELECT id FROM users WHERE name = :name);
^
"#,
        r#"
path: src/a.py
 def rename(db, id, user, name):
-    db.execute("UPDATE post SET name = ? WHERE id = ? AND user = ?", (name, id, user))
+    db.execute("UPDATE post SET name = ? WHERE user = ?", (name, user))
^
"#,
        r#"
path: src/a.go
 func remove(db *sql.DB, id, owner int) {
-	db.Exec("DELETE FROM post WHERE id = $1 AND owner = $2", id, owner)
+	db.Exec("DELETE FROM post WHERE id = $1", id)
^
 }
"#,
    ],
    negative: &[
        r#"
path: db/articles.sql
 DELETE
-FROM articles
-WHERE slug = :slug
-  AND author_id = (SELECT id FROM users WHERE username = :name);
+FROM articles a
+    USING users u
+WHERE a.slug = :slug
+  AND a.author_id = u.id
+  AND u.username = :name;
"#,
        r#"
path: src/a.py
-    db.execute("DELETE FROM posts WHERE id = ? AND user_id = ?", (post, user))
+    db.execute("DELETE FROM posts WHERE public_id = ?", (post,))
     db.commit()
"#,
        r#"
path: src/a.py
-    db.execute("DELETE FROM posts WHERE id = ?", (post,))
+    db.execute("DELETE FROM posts " + where, (post,))
     db.commit()
"#,
        r#"
path: src/a.py
-    db.execute("DELETE FROM posts WHERE id = ?", (post,))
+    db.execute(f"DELETE FROM posts {where}", (post,))
     db.commit()
"#,
        r#"
path: db/a.sql
 DELETE FROM posts
-WHERE id = 1 AND kind = 2;
+WHERE id = 1
"#,
        r#"
path: src/a.sql
 DELETE
-FROM articles
-WHERE slug = :slug
-  AND author_id = (SELECT id FROM users WHERE name = :name);
+FROM articles a
+    USING users u
+WHERE a.slug = :slug
+  AND a.author_id = u.id
+  AND u.name = :name;
"#,
        r#"
path: src/a.py
 def rename(db, id, user, name):
-    db.execute("UPDATE post SET name = ? WHERE id = ? AND user = ?", (name, id, user))
+    db.execute("UPDATE post SET name = ? WHERE user = ? AND id = ?", (name, user, id))
"#,
        r#"
path: src/a.sql
 SELECT * FROM articles
-WHERE slug = :slug
-  AND author_id = :author;
+WHERE author_id = :author;
"#,
    ],
};

/// The start of a statement, with the quotation mark before it.
static HEAD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(
        r#"(?i)(["'`]?)\s*\b(?:(DELETE)\s+FROM\s+(?:ONLY\s+)?([\w."`\[\]]+)|(UPDATE)\s+([\w."`\[\]]+)\s+(?:AS\s+\w+\s+|\w+\s+)?SET)\b"#,
    )
});

/// Maximum number of bytes of a statement that are read.
const LONGEST: usize = 2000;
/// Maximum number of statements of one side that are compared.
const MOST: usize = 64;

/// The text of one side of a hunk.
struct Text<'a> {
    text: String,
    /// Where each line starts, and the line.
    lines: Vec<(usize, &'a Line<'a>)>,
}

struct Statement<'t> {
    verb: &'static str,
    table: String,
    text: &'t str,
    start: usize,
    /// The program may append to it.
    is_open: bool,
}

fn run(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    let reported = by_statement(context, sink);
    by_edit(context, &reported, sink);
}

/// Compares the statements that the hunk shows completely, and returns the numbers of the lines that it reports.
fn by_statement(context: &TextContext<'_>, sink: &mut Sink<'_>) -> BTreeSet<u32> {
    let mut reported = BTreeSet::new();
    let is_changed = |kind| context.lines().iter().any(|line| line.kind == kind);
    let names = |words: &[&str]| {
        context.lines().iter().any(|line| {
            let lower = line.text.to_ascii_lowercase();
            words.iter().any(|word| lower.contains(word))
        })
    };
    let may_lose =
        is_changed(LineKind::Removed) && names(&["where"]) && names(&["delete", "update"]);
    if !may_lose {
        return reported;
    }
    let is_sql = context.file.language.contains("SQL") || context.file.path.ends_with(".sql");
    let (old, new) = (
        Text::of(context, LineKind::Added),
        Text::of(context, LineKind::Removed),
    );
    let mut later = BTreeMap::<(&str, String), Vec<Statement<'_>>>::new();
    for statement in statements(&new, is_sql) {
        later
            .entry((statement.verb, statement.table.clone()))
            .or_default()
            .push(statement);
    }
    let mut earlier = BTreeMap::<(&str, String), Vec<Statement<'_>>>::new();
    for statement in statements(&old, is_sql) {
        earlier
            .entry((statement.verb, statement.table.clone()))
            .or_default()
            .push(statement);
    }
    for (key, before) in &earlier {
        let Some(after) = later.get(key).filter(|after| after.len() == before.len()) else {
            continue;
        };
        for (was, now) in before.iter().zip(after) {
            if let Some(lost) = lost(was, now)
                && let Some(line) = new.changed_line(now)
            {
                let what = format!("The `{}` on `{}`", was.verb, quote(&was.table));
                let summary = match lost {
                    Lost::All => format!("{what} lost its `WHERE`: it applies to all rows."),
                    Lost::Column(column) => {
                        format!("{what} no longer depends on `{}`.", quote(&column))
                    }
                };
                sink.report(line, summary);
                reported.extend(line.number());
            }
        }
    }
    reported
}

enum Lost {
    All,
    Column(String),
}

/// The conditions that the new statement lacks, if nothing replaced them.
fn lost(was: &Statement<'_>, now: &Statement<'_>) -> Option<Lost> {
    let (_, before) = split(was.text).filter(|_| !now.is_open)?;
    let old_words = words(was.text);
    let new_words = words(now.text);
    let inserts = |text: &str| {
        text.bytes()
            .filter(|byte| matches!(byte, b'{' | b'$' | b'%'))
            .count()
    };
    if inserts(now.text) > inserts(was.text)
        || new_words.iter().any(|word| !old_words.contains(word))
    {
        return None;
    }
    let limits = ["limit", "using", "top", "join"];
    if limits
        .iter()
        .any(|word| new_words.contains(*word) && !old_words.contains(*word))
    {
        return None;
    }
    if split(now.text).is_none() {
        return Some(Lost::All);
    }
    // The columns of the old condition, in order.
    let mut columns = compared(before);
    let column = columns.find(|column| !new_words.contains(&column.to_ascii_lowercase()))?;
    Some(Lost::Column(column.to_owned()))
}

/// A statement before and after its `WHERE`.
fn split(text: &str) -> Option<(&str, &str)> {
    let lower = text.to_ascii_lowercase();
    let is_edge = |at: usize| {
        lower
            .as_bytes()
            .get(at)
            .is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
    };
    let mut places = lower.match_indices("where").map(|(at, _)| at);
    let at = places.find(|at| is_edge(at + 5) && (*at == 0 || is_edge(at - 1)))?;
    Some((text.get(..at)?, text.get(at + 5..)?))
}

fn words(text: &str) -> HashSet<String> {
    names::words(text).map(str::to_ascii_lowercase).collect()
}

/// The names before comparison operators.
fn compared(condition: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut before = "";
    let pieces = condition.split_inclusive(['=', '<', '>', ' ', '\n', '(', ')']);
    pieces.filter_map(move |piece| {
        let end = piece.chars().last().unwrap_or(' ');
        let word = piece
            .trim_end_matches(end)
            .trim_matches(['"', '`', '[', ']', '!']);
        let operator = matches!(end, '=' | '<' | '>')
            || ["in", "is", "like", "ilike", "between", "not"]
                .iter()
                .any(|own| word.eq_ignore_ascii_case(own));
        let name = if matches!(end, '=' | '<' | '>') && !word.is_empty() {
            word
        } else {
            before
        };
        if !word.is_empty() {
            before = word;
        }
        let column = name
            .rsplit('.')
            .next()
            .unwrap_or(name)
            .trim_matches(['"', '`', '[', ']']);
        let is_column =
            column.starts_with(|c: char| c.is_ascii_alphabetic()) && column.chars().all(is_part);
        const WORDS: &[&str] = &[
            "and", "or", "not", "where", "is", "in", "like", "between", "null",
        ];
        (operator && is_column && !WORDS.iter().any(|own| column.eq_ignore_ascii_case(own)))
            .then_some(column)
    })
}

fn statements<'t>(text: &'t Text<'_>, is_sql: bool) -> Vec<Statement<'t>> {
    let Some(head) = HEAD.as_ref() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for captures in head.captures_iter(text.text.as_bytes()).take(MOST) {
        let part = |index: usize| {
            captures
                .get(index)
                .and_then(|part| text.text.get(part.range()))
                .unwrap_or_default()
        };
        let (verb, table) = if part(2).is_empty() {
            ("UPDATE", part(5))
        } else {
            ("DELETE", part(3))
        };
        let Some(start) = captures
            .get(2)
            .or_else(|| captures.get(4))
            .map(|verb| verb.start())
        else {
            continue;
        };
        let limit = text
            .text
            .floor_char_boundary((start + LONGEST).min(text.text.len()));
        let Some(rest) = text.text.get(start..limit) else {
            continue;
        };
        let mark = part(1);
        let table: String = table
            .chars()
            .filter(|c| !matches!(c, '"' | '`' | '[' | ']'))
            .collect();
        if let Some((end, is_open)) = end(rest, mark, is_sql)
            && let Some(own) = rest.get(..end)
        {
            found.push(Statement {
                verb,
                table: table.to_ascii_lowercase(),
                text: own,
                start,
                is_open,
            });
        }
    }
    found
}

/// The end of a statement, and whether the program appends to it; `None` if the end is not visible.
fn end(text: &str, mark: &str, is_sql: bool) -> Option<(usize, bool)> {
    if is_sql {
        return text.find(';').map(|end| (end, false));
    }
    if mark.is_empty() {
        // In a string over several lines.
        return text.find(['"', '`', ';']).map(|end| (end, false));
    }
    let end = text.find(mark)?;
    let rest = text
        .get(end + mark.len()..)?
        .trim_start_matches(['"', '\''])
        .trim_start();
    let is_appended_to = rest.starts_with(['+', '.', '"', '\'', '%', '\\', '&', '`', 'f', '|']);
    Some((end, is_appended_to || continues_as_element(rest, mark)))
}

/// Whether the next element of a list of texts continues the statement: `{"delete from t", "where id = 1"}`.
fn continues_as_element(rest: &str, mark: &str) -> bool {
    const CLAUSES: &[&str] = &[
        "where ", "set ", "using ", "join ", "from ", "and ", "<where",
    ];
    let next = rest.strip_prefix(',').map(str::trim_start);
    let text = next
        .and_then(|next| next.strip_prefix(mark))
        .map(str::trim_start);
    let start = text.map(|text| {
        text.chars()
            .take(8)
            .collect::<String>()
            .to_ascii_lowercase()
    });
    start.is_some_and(|start| CLAUSES.iter().any(|clause| start.starts_with(clause)))
}

impl<'a> Text<'a> {
    fn of(context: &TextContext<'a>, without: LineKind) -> Self {
        let mut own = Self {
            text: String::new(),
            lines: Vec::new(),
        };
        for line in context.lines().iter().filter(|line| line.kind != without) {
            own.lines.push((own.text.len(), line));
            let is_comment = line.text.trim_start().starts_with("--");
            own.text.push_str(if is_comment { "" } else { line.text });
            own.text.push('\n');
        }
        own
    }

    /// The first added line of a statement, else its first line.
    fn changed_line(&self, statement: &Statement<'_>) -> Option<&'a Line<'a>> {
        let first = self
            .lines
            .partition_point(|(start, _)| *start <= statement.start)
            .checked_sub(1)?;
        let end = statement.start + statement.text.len();
        let own = self
            .lines
            .get(first..)?
            .iter()
            .take_while(|(start, _)| *start < end)
            .map(|(_, line)| *line);
        let mut added = own.clone().filter(|line| line.kind == LineKind::Added);
        added.next().or_else(|| own.clone().next())
    }
}

/// Languages in which edits are compared too.
const EDITED: &[&str] = &[
    "SQL", "Python", "JavaScript", "TypeScript", "TSX", "Java", "Kotlin", "Go", "C#", "PHP",
    "Ruby", "Rust",
];
/// An edit with more lines is a rewrite.
const LINES: usize = 40;

/// Compares the conditions of edits, even if the hunk shows only a part of the statement.
fn by_edit(context: &TextContext<'_>, reported: &BTreeSet<u32>, sink: &mut Sink<'_>) {
    if !EDITED.contains(&context.file.language) {
        return;
    }
    let lines = context.lines();
    let is_context = |line: &Line<'_>| line.kind == LineKind::Context;
    let mut start = 0;
    for part in lines.chunk_by(|a, b| is_context(a) == is_context(b)) {
        let is_edit = part.first().is_some_and(|line| !is_context(line));
        if is_edit && part.len() <= LINES {
            edit(lines.get(..start).unwrap_or_default(), part, reported, sink);
        }
        start += part.len();
    }
}

fn edit(above: &[Line<'_>], part: &[Line<'_>], reported: &BTreeSet<u32>, sink: &mut Sink<'_>) {
    let joined = |kind: LineKind| {
        part.iter()
            .filter(|line| line.kind == kind)
            .map(|line| line.text)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let (before, after) = (joined(LineKind::Removed), joined(LineKind::Added));
    // The statement continues below the edit, perhaps with the condition.
    if before.trim_end().ends_with(';') && !after.trim_end().ends_with(';') {
        return;
    }
    let (Some((head, was)), Some((_, now))) = (conditions(&before), conditions(&after)) else {
        return;
    };
    // The statement may begin on an unchanged line above.
    let nearest = || {
        above
            .iter()
            .rev()
            .take(8)
            .filter(|line| line.kind == LineKind::Context)
    };
    let verb = verb_of(&head).or_else(|| {
        nearest()
            .take_while(|line| !line.text.contains(';'))
            .find_map(|line| verb_of(line.text))
    });
    let Some(verb) =
        verb.filter(|verb| matches!(*verb, "update" | "delete") && was.len() > now.len())
    else {
        return;
    };
    let is_shorter = now.iter().all(|term| was.contains(term));
    let lost = was.iter().find(|term| !now.contains(term));
    let added = || part.iter().filter(|line| line.kind == LineKind::Added);
    let at = added()
        .find(|line| line.text.to_ascii_lowercase().contains("where"))
        .or_else(|| added().next());
    let at = at.filter(|line| {
        line.number()
            .is_none_or(|number| !reported.contains(&number))
    });
    if let (Some(lost), Some(at), true) = (lost, at, is_shorter) {
        let verb = verb.to_ascii_uppercase();
        sink.report(
            at,
            format!(
                "The {verb} is no longer limited by `{}`: it reaches more rows.",
                quote(lost)
            ),
        );
    }
}

/// The first verb of a statement in a text.
fn verb_of(text: &str) -> Option<&'static str> {
    const VERBS: &[&str] = &["select", "insert", "update", "delete"];
    let lower = text.to_ascii_lowercase();
    let words = lower.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words
        .filter_map(|word| VERBS.iter().find(|verb| **verb == word))
        .next()
        .copied()
}

/// The text before the first `WHERE`, and the conditions that it joins with `AND`, outside of brackets.
fn conditions(text: &str) -> Option<(String, Vec<String>)> {
    let lower = text.to_ascii_lowercase();
    let at = lower.match_indices("where").map(|(at, _)| at).find(|at| {
        let before = lower.get(..*at).and_then(|text| text.chars().next_back());
        let after = lower.get(at + 5..).and_then(|text| text.chars().next());
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
            && after.is_some_and(|c| c.is_whitespace() || c == '(')
    })?;
    let head = text.get(..at)?.to_owned();
    let tail = text.get(at + 5..)?;
    let (mut terms, mut term, mut depth) = (Vec::new(), String::new(), 0_i32);
    for word in tail.split_whitespace() {
        if depth == 0 && word.eq_ignore_ascii_case("and") {
            terms.push(std::mem::take(&mut term));
            continue;
        }
        let ends = depth == 0
            && (["returning", "order", "limit", "group"]
                .iter()
                .any(|end| word.eq_ignore_ascii_case(end)));
        if ends {
            break;
        }
        depth += word
            .chars()
            .map(|c| i32::from(c == '(') - i32::from(c == ')'))
            .sum::<i32>();
        let stop = word.find([';', '"', '`']).filter(|_| depth <= 0);
        let piece = stop.and_then(|stop| word.get(..stop)).unwrap_or(word);
        term.push_str(piece);
        if stop.is_some() || depth < 0 {
            break;
        }
    }
    terms.push(term);
    // Numbered parameters are renumbered when one is removed.
    let plain = |term: &String| {
        term.chars()
            .filter(|c| !c.is_ascii_digit())
            .collect::<String>()
    };
    Some((
        head,
        terms
            .iter()
            .map(plain)
            .filter(|term| !term.is_empty())
            .collect(),
    ))
}
