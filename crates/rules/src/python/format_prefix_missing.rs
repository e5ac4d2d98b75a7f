//! Strings with placeholders that are never formatted.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::is_small;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/format-prefix-missing",
    languages: &["Python"],
    title: "Missing f prefix on a string with placeholders",
    why: "Without the f prefix the braces are ordinary characters. The reader sees the name of the variable instead of \
          its value.",
    fix: "Add the f prefix, or call format.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["string"]),
        run,
    },
    positive: &[
        r#"
+def greet(name):
+    print("hello {name}")
^
"#,
        r#"
@@ def f(path):
     total = count(path)
+    raise ValueError("bad total {total}")
^
"#,
    ],
    negative: &[
        r#"
+def greet(name):
+    print(f"hello {name}")
+    print("hello {name}".format(name=name))
+    text = "hello {name}"
+    print(text.format(name=name))
+    route("/users/{name}")
+    log.info("{name}", name=name)
"#,
        r#"
@@ def f(path):
     total = count(path)
     print("bad total {total}")
+    print("{}".format(total), "{'total': 1}", "{missing}")
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let text = node.text();
    let prefix = text
        .split(['"', '\''])
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    if prefix.contains(['f', 'b', 't'])
        || !text.contains('{')
        || text.contains("{{")
        || text.contains("\"\"\"")
    {
        return;
    }
    if !is_shown(node) {
        return;
    }
    let Some(function) = node
        .enclosing(Role::Function)
        .filter(|function| is_small(*function))
    else {
        return;
    };
    let mut names = placeholders(text).peekable();
    let known = |name: &str| {
        function
            .descendants()
            .take_while(|other| other.index() < node.index())
            .any(|other| other.has_role(Role::Name) && other.text() == name && binds(other))
    };
    if names.peek().is_some() && names.any(known) {
        sink.report(
            node,
            format!("`{}` names variables in braces but has no `f` prefix: the braces are not replaced.", quote(text)),
        );
    }
}

/// Whether the string is displayed directly. Elsewhere it may be a template that is filled in later.
fn is_shown(node: Node<'_>) -> bool {
    const SHOWN: &[&str] = &[
        "print", "ValueError", "TypeError", "RuntimeError", "KeyError", "Exception", "write",
        "fail", "exit", "debug", "info", "warning", "error", "exception", "critical",
    ];
    let Some(list) = node.parent().filter(|parent| parent.is(&["argument_list"])) else {
        return false;
    };
    let call = list.parent().and_then(Node::call);
    call.is_some_and(|call| {
        (SHOWN.contains(&call.name) || call.name.ends_with("Error")) && call.arguments.len() == 1
    })
}

/// The plain names in braces; none if any braces contain something else.
fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    let names = text.split('{').skip(1).map(|part| {
        part.split_once('}').map_or("", |(inner, _)| {
            inner.split([':', '!', '.', '[']).next().unwrap_or_default()
        })
    });
    let all: Vec<&str> = names.collect();
    let plain = all.iter().all(|name| {
        name.chars()
            .next()
            .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    });
    (if plain { all } else { Vec::new() }).into_iter()
}

/// Whether a name is bound there: as a parameter, or as the target of an assignment or a loop.
fn binds(name: Node<'_>) -> bool {
    name.ancestors().take(4).any(|around| {
        around.has_role(Role::Parameters)
            || (around.is(&["for_statement", "for_in_clause", "assignment"])
                && around
                    .field("left")
                    .is_some_and(|left| name.is_inside(left)))
            || around.is(&["as_pattern_target"])
    })
}
