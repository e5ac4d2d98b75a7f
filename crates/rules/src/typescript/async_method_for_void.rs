//! Async methods that implement one declared to return nothing.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::semantics::script::types::{Type, returned, types};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "typescript/async-method-for-void",
    languages: &["TypeScript", "TSX"],
    title: "Async implementation of a void method",
    why: "Callers that use the base class or the interface do not know about the promise: they do not wait for the \
          work, and an error in it is unhandled.",
    fix: "Declare the promise in the base as well, or handle it inside the method.",
    references: &[],
    priority: Priority::P2,
    category: Category::Concurrency,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&[
            "class_declaration", "abstract_class_declaration", "interface_declaration",
        ]),
        run,
    },
    positive: &[
        r#"
+interface Store {
+  close(): void;
+}
+class Disk implements Store {
+  async close(): Promise<void> {
^
+    await flush();
+  }
+}
"#,
        r#"
+abstract class Job {
+  abstract run(): void;
+}
+class Mail extends Job {
+  async run() {
^
+    await send();
+  }
+}
"#,
    ],
    negative: &[
        r#"
+interface Store {
+  close(): void | Promise<void>;
+}
+class Disk implements Store {
+  async close(): Promise<void> {
+    await flush();
+  }
+  async open() {}
+}
"#,
        r#"
+interface Store {
+  close(): Promise<void>;
+  open(): void;
+}
+class Disk implements Store {
+  async close() {
+    await flush();
+  }
+  open() {
+    mount();
+  }
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let heritage = node.child_of_kind(&["class_heritage", "extends_type_clause"]);
    let (Some(heritage), Some(body)) = (heritage, node.field("body")) else {
        return;
    };
    if !body.text().contains("sync") && !body.text().contains("Promise") {
        return;
    }
    let names = heritage
        .descendants()
        .filter(|name| name.is(&["identifier", "type_identifier"]));
    let bases: Vec<Node<'_>> = names
        .flat_map(types)
        .filter_map(body_of)
        .filter(|base| *base != body)
        .collect();
    for member in body.named_children() {
        let Some(name) = member.field("name") else {
            continue;
        };
        let all_results = |of: Node<'_>, test: fn(&Type<'_>) -> bool| {
            let all = result(of);
            !all.is_empty() && all.iter().all(test)
        };
        let for_void = |base: &Node<'_>| {
            base.named_children().any(|other| {
                other
                    .field("name")
                    .is_some_and(|own| own.text() == name.text())
                    && all_results(other, |one| *one == Type::Void)
            })
        };
        if all_results(member, |one| matches!(one, Type::Promise(_))) && bases.iter().any(for_void)
        {
            let message = format!(
                "`{}` returns a promise, but is declared to return nothing: callers do not wait for it.",
                name.text()
            );
            sink.report(name, message);
        }
    }
}

fn body_of(of: Type<'_>) -> Option<Node<'_>> {
    match of {
        Type::Class(of) | Type::Instance(Some(of)) | Type::Object(Some(of)) => {
            of.field("body").or(Some(of))
        }
        _ => None,
    }
}

/// The result types of a method, or of a property that is a function.
fn result(member: Node<'_>) -> Vec<Type<'_>> {
    if member.field("parameters").is_some() {
        return returned(member);
    }
    let of = member
        .any_field(&["type", "value"])
        .map(types)
        .unwrap_or_default();
    match of.as_slice() {
        [Type::Function(function)] => returned(*function),
        _ => Vec::new(),
    }
}
