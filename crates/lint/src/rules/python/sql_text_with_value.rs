//! Values inserted into SQL text.

use review::{Category, Priority};

use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::semantics::taint::{self, Kind};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/sql-text-with-value",
    languages: &["Python"],
    title: "Value inserted into SQL text",
    why: "The SQL statement is concatenated from values. A quote in a value ends the literal, and the rest of the \
          value is executed as SQL.",
    fix: "Keep the statement constant and pass the values as parameters.",
    references: &["CWE-89"],
    priority: Priority::P2,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["string", "binary_operator", "call", "concatenated_string"]), run },
    positive: &[
        "@@ def query(name):\n+    text = f\"SELECT id FROM users WHERE name = '{name}'\"\n^\n     return text\n",
        "+query = \"DELETE FROM users WHERE id = %s\" % user_id\n^\n",
    ],
    negative: &[
        "+query = \"DELETE FROM users WHERE id = %s\"\n+text = f\"select a colour from {colours}\"\n+table = f\"SELECT id FROM {TABLE} WHERE id = %s\"\n",
        "@@ def load(self, key):\n+    text = \"SELECT a FROM {} WHERE id = ?\".format(config(\"table\"))\n+    other = \"DELETE FROM %s WHERE id = $1\" % self.table\n+    third = \"UPDATE \" + self.table + \" SET a = :a WHERE id = :id\"\n+    print(\"DELETE FROM users WHERE id = %d\" % key)\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let is_part = node.parent().is_some_and(|parent| {
        parent.is(&[
            "binary_operator",
            "concatenated_string",
            "parenthesized_expression",
            "attribute",
            "unary_operator",
        ])
    });
    if is_part || !mentions_sql(node.text()) || is_shown(node) {
        return;
    }
    let built = taint::string_build(node, Kind::Sql).filter(|built| is_statement(built.text.text()));
    if let Some(built) = built.filter(|built| !fills_only_names(&skeleton(node, built.text))) {
        sink.report(node, format!("`{}` is inserted into an SQL statement.", quote(built.piece.text())));
    }
}

/// Whether the text is only printed.
fn is_shown(node: Node<'_>) -> bool {
    let call = node.parent().and_then(Node::parent).and_then(Node::call);
    call.is_some_and(|call| call.callee == "print" || call.callee.starts_with("log"))
}

/// Stands for a piece that is put into a text.
const PIECE: char = '\0';

/// The text with a mark for each piece that is put into it.
fn skeleton(node: Node<'_>, text: Node<'_>) -> String {
    match node.binary().map(|binary| binary.operator) {
        Some("+") => glued(node),
        Some("%") => with_marks(text.text(), '%', |c| c.is_ascii_alphabetic()),
        _ => with_marks(text.text(), '{', |c| c == '}'),
    }
}

fn glued(node: Node<'_>) -> String {
    match node.unparenthesised().binary().filter(|binary| binary.operator == "+") {
        Some(binary) => glued(binary.left) + &glued(binary.right),
        None => node.string_value().map_or(PIECE.to_string(), str::to_owned),
    }
}

/// Puts a mark in the place of each placeholder, which begins with `begin` and ends with a character that `ends`.
fn with_marks(text: &str, begin: char, ends: fn(char) -> bool) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(begin) {
        out.push_str(before);
        if let Some(after) = after.strip_prefix(begin) {
            out.push(begin);
            rest = after;
            continue;
        }
        // `%(name)s` ends after its name.
        let name = after.find(')').filter(|_| after.starts_with('(')).unwrap_or(0);
        let Some(end) = after.get(name..).and_then(|tail| tail.find(ends)) else { break };
        out.push(PIECE);
        rest = after.get(name + end + 1..).unwrap_or_default();
    }
    out + rest
}

/// Whether all pieces are names of tables, and the values have placeholders of their own.
fn fills_only_names(skeleton: &str) -> bool {
    const BEFORE_NAME: &[&str] = &["from", "into", "update", "join", "table"];
    let names_table = |before: &str| {
        let word = before.trim_end_matches(['"', '`', '[', ' ', '\n']).rsplit(char::is_whitespace).next();
        let word = word.unwrap_or_default().trim_start_matches(['"', '\'']).to_ascii_lowercase();
        BEFORE_NAME.contains(&word.as_str())
    };
    let mut parts: Vec<&str> = skeleton.split(PIECE).collect();
    parts.pop();
    !parts.is_empty() && parts.into_iter().all(names_table) && has_parameter(skeleton)
}

/// Whether a statement has a placeholder of the database: `?`, `$1`, `:name`, `%s`, `@name`.
fn has_parameter(text: &str) -> bool {
    let named = |(mark, name): (char, char)| {
        matches!(mark, '$' | ':' | '%' | '@') && (name.is_ascii_alphanumeric() || name == '(')
    };
    text.contains('?') || text.chars().zip(text.chars().skip(1)).any(named)
}

fn mentions_sql(text: &str) -> bool {
    [
        "SELECT", "INSERT", "UPDATE", "DELETE", "select", "insert", "update", "delete", "WITH", "REPLACE", "MERGE",
        "with ",
    ]
    .iter()
    .any(|word| text.contains(word))
}

/// Whether a text has the shape of a statement: first word and clause.
fn is_statement(text: &str) -> bool {
    let text = text
        .trim_start_matches(|c: char| !c.is_ascii_alphabetic())
        .trim_start_matches(['f', 'F', 'r', 'R'])
        .trim_start_matches(|c: char| !c.is_ascii_alphabetic())
        .to_ascii_lowercase();
    let words: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (words.starts_with("select ")
        && words.contains(" from ")
        && (words.contains(" where ") || words.contains("* from") || !words.contains(" a ")))
        || words.starts_with("insert into ")
        || (words.starts_with("update ") && words.contains(" set "))
        || words.starts_with("delete from ")
        || ((words.starts_with("with ") || words.starts_with("merge ") || words.starts_with("replace "))
            && (words.contains(" select ") || words.contains(" into ")))
}
