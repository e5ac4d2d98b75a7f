//! Conditions on values that are always truthy because of their type.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::script::types::{Type, types};
use syntax::tree::{Node, Operation};

pub(crate) const RULE: Rule = Rule {
    id: "javascript/condition-always-true",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Condition on an always truthy value",
    why: "A promise, a function, an array and an object are truthy whatever they contain. Usually an await, a call or \
          `.length` is missing, and the other branch never runs.",
    fix: "Await the promise, call the function, or test the length of the array.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&[
            "if_statement", "ternary_expression", "while_statement", "do_statement",
            "binary_expression", "unary_expression",
        ]),
        run,
    },
    positive: &[
        r#"
+async function allowed(user) {
+  return user.admin;
+}
+function open(user) {
+  if (allowed(user)) {
^
+    unlock();
+  }
+}
"#,
        r#"
+function isReady() {
+  return state > 1;
+}
+const next = isReady ? go() : wait();
^
"#,
        r#"
path: src/a.ts
+function first(names: string[]) {
+  if (!names) {
^
+    return "";
+  }
+  return names[0];
+}
"#,
    ],
    negative: &[
        r#"
+async function allowed(user) {
+  return user.admin;
+}
+async function open(user) {
+  if (await allowed(user)) {
+    unlock();
+  }
+}
"#,
        r#"
path: src/a.ts
+function first(names: string[], more?: string[], run?: () => void) {
+  if (names.length && more && run) {
+    run();
+    return more[0];
+  }
+  return names[0];
+}
"#,
        r#"
path: src/b.ts
+function last(rows: Row[], ready: boolean) {
+  const done = ready && (() => close(rows));
+  const config = JSON.parse(text) as { size: number };
+  const row = rows[0];
+  if (done && config && row) {
+    done();
+  }
+}
"#,
        r#"
+let list = [];
+function add(x) {
+  if (list) list = null;
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    for part in tested(node) {
        let part = part.unparenthesised();
        // Another rule reports constants.
        let is_test = part.is(&[
            "identifier", "member_expression", "call_expression", "subscript_expression",
        ]);
        if !is_test {
            continue;
        }
        let all = types(part);
        let fixed = !all.is_empty() && all.iter().all(|one| one.is_always_true());
        let Some(first) = all.first().filter(|_| fixed) else {
            continue;
        };
        let draft = sink.report(
            part,
            format!(
                "`{}` is {}, which is always truthy: the other branch is never taken.",
                quote(part.text()),
                first.described()
            ),
        );
        // Code called from JavaScript checks for it, regardless of the types.
        if !matches!(first, Type::Promise(_) | Type::Function(_)) {
            draft.priority(Priority::P3);
        }
        return;
    }
}

/// The values that are tested for truthiness here.
fn tested(node: Node<'_>) -> Vec<Node<'_>> {
    match node.kind() {
        "binary_expression" => match node.binary() {
            Some(binary) if matches!(binary.operation(), Operation::And | Operation::Or) => {
                vec![binary.left]
            }
            _ => Vec::new(),
        },
        "unary_expression" => {
            let is_not = node
                .children()
                .next()
                .is_some_and(|sign| sign.text() == "!");
            node.field("argument")
                .filter(|_| is_not)
                .into_iter()
                .collect()
        }
        "do_statement" | "while_statement" | "if_statement" | "ternary_expression" => node
            .field("condition")
            .map(Node::unparenthesised)
            .into_iter()
            .collect(),
        _ => Vec::new(),
    }
}
