//! The result of a search that may find nothing, dereferenced directly.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::handed_over;
use syntax::tree::{Call, Node};

pub(crate) const RULE: Rule = Rule {
    id: "any/lookup-used-at-once",
    languages: &[
        "JavaScript", "TypeScript", "TSX", "Python", "Java", "C#", "C++", "PHP", "Ruby",
    ],
    title: "Search result used without a check",
    why: "The call returns null, undefined or an empty result if there is no match, and here its result is \
          dereferenced in the same expression. The first input without a match causes an exception.",
    fix: "Store the result, check it, and handle the missing match.",
    references: &["CWE-476"],
    priority: Priority::P3,
    category: Category::NullSafety,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Roles(&[Role::Call]),
        run,
    },
    positive: &[
        r#"
path: src/a.js
+const name = line.match(/name=(\w+)/)[1];
^
+const city = users.find((user) => user.id === id).address.city;
^
"#,
        r#"
path: src/a.py
+port = re.search(r":(\d+)", address).group(1)
^
+home = os.environ.get("APP_HOME").strip()
^
"#,
        r#"
path: src/A.java
@@ void run() {
+        String user = System.getenv("APP_USER").trim();
^
+        Row row = rows.stream().findFirst().get();
^
"#,
        r#"
path: src/A.cs
@@ void Run()
+        var name = users.FirstOrDefault(user => user.Id == id).Name;
^
"#,
        r#"
path: src/a.cpp
@@ int get(const std::string &key) {
+    return table.find(key)->second;
^
"#,
        r#"
path: src/a.rb
+port = address.match(/:(\d+)/)[1]
^
"#,
        r#"
path: src/a.php
 <?php
+$home = $statement->fetch()["home"];
^
"#,
    ],
    negative: &[
        r#"
path: src/a.js
+const found = line.match(/name=(\w+)/);
+const name = found ? found[1] : '';
+const city = users.find((user) => user.id === id)?.address.city;
+const first = (line.match(/x/) || [])[0];
"#,
        r#"
path: src/a.py
+page = requests.get("https://example.org").text
+name = names.get("a", "").strip()
"#,
        r#"
path: src/A.java
@@ void run() {
+        Row row = rows.stream().findFirst().orElse(null);
+        String user = System.getProperty("user", "x").trim();
"#,
        r#"
path: src/a.cpp
@@ int get(const std::string &key) {
+    return text.find(key) + 1;
"#,
        r#"
path: src/A.cs
 string City(List<User> users, int id)
 {
+    return users.FirstOrDefault(user => user.Id == id)?.Address.City;
 }
"#,
        r#"
path: src/a.php
 <?php
+$row = $statement->fetch();
+$home = $row === false ? null : $row["home"];
"#,
        r#"
path: src/a.rb
 def city(users, id)
+  users.find { |user| user.id == id }&.address
 end
"#,
    ],
};

const OPENERS: &[&str] = &[
    "parenthesized_expression", "element_reference", "member_call_expression",
    "member_access_expression",
];

fn run(node: Node<'_>, context: &NodeContext<'_>, sink: &mut Sink<'_>) {
    // Most calls are statements or are stored. The enclosing node shows that at no cost.
    let may_be_opened = node.parent().is_some_and(|around| {
        let roles = [Role::Member, Role::Index, Role::Call];
        roles.iter().any(|role| around.has_role(*role)) || around.is(OPENERS)
    });
    if !may_be_opened || context.file.is_script {
        return;
    }
    let Some(call) = node.call() else { return };
    if !may_find_nothing(node, &call) {
        return;
    }
    let mut value = node;
    while let Some(around) = value
        .parent()
        .filter(|around| around.is(&["parenthesized_expression"]))
    {
        value = around;
    }
    if is_opened(value, call.name) {
        sink.report(
            node,
            format!(
                "`{}` may find nothing, but its result is used without a check.",
                quote(node.text())
            ),
        );
    }
}

/// Whether a value is dereferenced without a check.
fn is_opened(value: Node<'_>, name: &str) -> bool {
    let Some(around) = value.parent() else {
        return false;
    };
    let safe = around
        .children()
        .any(|child| matches!(child.text(), "?." | "&." | "?->" | "!" | "!!"));
    // A `get` of an optional is the dereference itself.
    let opens = if matches!(name, "findFirst" | "findAny") {
        around
            .call()
            .is_some_and(|outer| matches!(outer.name, "get"))
            || around
                .parent()
                .and_then(Node::call)
                .is_some_and(|outer| outer.name == "get" && outer.arguments.is_empty())
    } else {
        let is_object = around.any_field(&[
            "object", "receiver", "argument", "value", "expression", "operand",
        ]) == Some(value);
        let first = around.named_children().next() == Some(value);
        (around.has_role(Role::Member) && (is_object || first))
            || (around.has_role(Role::Index) && first)
            || (around.has_role(Role::Call) && is_object)
            || (around.is(&[
                "element_reference", "member_call_expression", "member_access_expression",
            ]) && first)
    };
    opens && !safe && !around.text().contains("?.")
}

fn may_find_nothing(node: Node<'_>, call: &Call<'_>) -> bool {
    let count = call.arguments.len();
    let first = call.arguments.first().copied().map(handed_over);
    let by_function =
        first.is_some_and(|first| first.has_role(Role::Lambda) || first.has_role(Role::Function));
    match node.tree().grammar().name() {
        "JavaScript" | "TypeScript" | "TSX" => match call.name {
            "match" | "exec" => count == 1 && call.receiver.is_some() && is_indexed(node),
            "find" => by_function,
            _ => false,
        },
        "Python" => match call.name {
            "match" | "search" | "fullmatch" => {
                count >= 1
                    && is_followed_by(
                        node,
                        &["group", "groups", "groupdict", "start", "end", "span"],
                    )
            }
            "get" => call.callee == "os.environ.get" && count == 1,
            "getenv" => call.callee == "os.getenv" && count == 1,
            _ => false,
        },
        "Java" => match call.callee {
            "System.getenv" => count == 1,
            "System.getProperty" => count == 1 && !is_standard_property(first),
            _ => {
                matches!(call.name, "findFirst" | "findAny")
                    || (call.name == "getParameter" && count == 1)
            }
        },
        "C#" => {
            matches!(
                call.name,
                "FirstOrDefault" | "SingleOrDefault" | "LastOrDefault"
            ) && count <= 1
        }
        "C++" => {
            call.name == "find"
                && count == 1
                && node
                    .parent()
                    .is_some_and(|around| around.text().ends_with("->second"))
        }
        "PHP" => {
            matches!(call.name, "fetch" | "fetchObject") && count == 0
                || (call.name == "getenv" && count == 1)
        }
        "Ruby" => match call.name {
            "match" => count == 1 && is_indexed(node),
            "find" | "detect" => count == 0 && node.field("block").is_some(),
            "find_by" => count >= 1,
            _ => false,
        },
        _ => false,
    }
}

fn is_indexed(node: Node<'_>) -> bool {
    node.parent()
        .is_some_and(|around| around.has_role(Role::Index) || around.is(&["element_reference"]))
}

fn is_followed_by(node: Node<'_>, names: &[&str]) -> bool {
    node.parent()
        .is_some_and(|around| around.has_role(Role::Member) && names.contains(&around.last_name()))
}

/// Properties that every Java virtual machine provides.
fn is_standard_property(first: Option<Node<'_>>) -> bool {
    let name = first.and_then(Node::string_value).unwrap_or_default();
    ["java.", "os.", "user.", "file.", "line.", "path."]
        .iter()
        .any(|start| name.starts_with(start))
}
