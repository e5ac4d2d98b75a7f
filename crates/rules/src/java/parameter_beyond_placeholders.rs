//! A parameter of a prepared statement without a placeholder in the SQL.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::types::declared;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/parameter-beyond-placeholders",
    languages: &["Java"],
    title: "Statement parameter without a placeholder",
    why: "A prepared statement has one parameter for each question mark in its SQL, counted from 1. Setting any other \
          index throws an `SQLException` at run time.",
    fix: "Add the missing placeholder, or correct the index.",
    references: &[
        "https://docs.oracle.com/en/java/javase/21/docs/api/java.sql/java/sql/PreparedStatement.html",
    ],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["method_invocation"]),
        run,
    },
    positive: &[
        r#"
@@ void save(Connection c, User user) throws SQLException {
         PreparedStatement ps = c.prepareStatement("UPDATE users SET name = ? WHERE id = ?");
+        ps.setString(1, user.name());
+        ps.setLong(3, user.id());
^
"#,
        r#"
+void save(Connection c) throws SQLException {
+    PreparedStatement insert = c.prepareStatement("INSERT INTO users "
+        + "VALUES (?, 'why?')");
+    insert.setString(2, "a");
^
+}
"#,
    ],
    negative: &[
        r#"
@@ void save(Connection c, User user) throws SQLException {
         PreparedStatement ps = c.prepareStatement("UPDATE users SET name = ? WHERE id = ?");
+        ps.setString(1, user.name());
+        ps.setLong(2, user.id());
"#,
        r#"
+void save(Connection c, String more) throws SQLException {
+    PreparedStatement ps = c.prepareStatement("SELECT a FROM b WHERE c = ?" + more);
+    ps.setString(2, "a");
+    PreparedStatement other = c.prepareStatement("SELECT 1");
+    other = c.prepareStatement("SELECT ?");
+    other.setInt(1, 2);
+    other.setMaxRows(50);
+}
"#,
    ],
};

const SETTERS: &[&str] = &[
    "setString", "setInt", "setLong", "setDate", "setTimestamp", "setBoolean", "setDouble",
    "setFloat", "setObject", "setBigDecimal", "setBytes", "setNull", "setShort", "setByte",
    "setTime", "setArray", "setBlob", "setClob", "setBinaryStream",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node
        .call()
        .filter(|call| SETTERS.contains(&call.name) && call.arguments.len() > 1)
    else {
        return;
    };
    let (Some(statement), Some(place)) = (call.receiver, call.arguments.first()) else {
        return;
    };
    let Ok(place) = place.text().parse::<usize>() else {
        return;
    };
    let Some(places) = text_of(statement).as_deref().map(placeholders) else {
        return;
    };
    if place > places {
        let has = match places {
            0 => "no placeholder".to_owned(),
            1 => "one placeholder".to_owned(),
            more => format!("{more} placeholders"),
        };
        sink.report(
            node,
            format!(
                "`{}` sets parameter {place}, but the SQL has {has}.",
                quote(node.text())
            ),
        );
    }
}

/// The SQL that a statement was prepared with, if it is constant.
fn text_of(statement: Node<'_>) -> Option<String> {
    let own = declared(statement).filter(|own| !is_set_again(own.node, statement))?;
    let call = own
        .value?
        .call()
        .filter(|call| matches!(call.name, "prepareStatement" | "prepareCall"))?;
    let text = *call.arguments.first()?;
    let parts: Option<Vec<&str>> = pieces(text).into_iter().map(Node::string_value).collect();
    parts.map(|parts| parts.concat())
}

/// The operands of a chain of `+`.
fn pieces<'t>(text: Node<'t>) -> Vec<Node<'t>> {
    let text = text.unparenthesised();
    match text.binary().filter(|binary| binary.operator == "+") {
        Some(binary) => pieces(binary.left)
            .into_iter()
            .chain([binary.right])
            .collect(),
        None => vec![text],
    }
}

/// The number of question marks outside of literals and quoted names.
fn placeholders(text: &str) -> usize {
    let mut open = None;
    let mut count = 0;
    for c in text.chars() {
        match open {
            Some(quote) if c == quote => open = None,
            Some(_) => {}
            None if matches!(c, '\'' | '"' | '`') => open = Some(c),
            None => count += usize::from(c == '?'),
        }
    }
    count
}

fn is_set_again(declaration: Node<'_>, name: Node<'_>) -> bool {
    let around = declaration
        .enclosing(Role::Function)
        .or_else(|| declaration.enclosing(Role::Class));
    around.is_none_or(|around| {
        around.all(Role::Assign).any(|set| {
            set.is(&["assignment_expression"])
                && set
                    .assignment()
                    .is_some_and(|set| set.target.last_name() == name.text())
        })
    })
}
