//! SQL text that values are pasted into.

use review::{Category, Priority};

use crate::node::Node;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::taint::{self, Kind};

pub(crate) const RULE: Rule = Rule {
    id: "python/sql-text-with-value",
    languages: &["Python"],
    title: "Value pasted into SQL text",
    why: "A text that begins as an SQL statement is put together with values. Once it is run, a quote in a value \
          ends the literal and goes on as SQL.",
    fix: "Keep the text constant and hand the values over as parameters.",
    priority: Priority::P2,
    category: Category::Security,
    confidence: 0.5,
    tests: Tests::Skip,
    check: Check::Node { on: On::Kinds(&["string", "binary_operator", "call", "concatenated_string"]), run },
    fires: &[
        "@@ def query(name):\n+    text = f\"SELECT id FROM users WHERE name = '{name}'\"\n^\n     return text\n",
        "+query = \"DELETE FROM users WHERE id = %s\" % user_id\n^\n",
    ],
    quiet: &[
        "+query = \"DELETE FROM users WHERE id = %s\"\n+text = f\"select a colour from {colours}\"\n+table = f\"SELECT id FROM {TABLE} WHERE id = %s\"\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let is_part = node.parent().is_some_and(|parent| {
        parent.is(&["binary_operator", "concatenated_string", "parenthesized_expression", "attribute"])
    });
    if is_part || !mentions_sql(node.text()) {
        return;
    }
    if let Some(built) = taint::built(node, Kind::Sql).filter(|built| is_statement(built.text.text())) {
        sink.report(node, format!("`{}` is pasted into SQL text.", quote(built.piece.text())));
    }
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
