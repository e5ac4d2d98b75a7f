//! A getter that returns a field other than the one in its name.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "rust/getter-of-other-field",
    languages: &["Rust"],
    title: "Getter returning another field",
    why: "The function is named after one field and returns another one of the same struct. Callers silently \
          receive the wrong value; usually the getter was copied and only its name adapted.",
    fix: "Return the field of that name, or rename the function.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Function]),
        run,
    },
    positive: &[
        r#"
+struct Range { low: u32, high: u32 }
+impl Range {
+    fn low(&self) -> &u32 {
+        &self.low
+    }
+    fn high(&self) -> &u32 {
^
+        &self.low
+    }
+}
"#,
        r#"
+struct User { name: String, email: String }
+impl User {
+    pub fn email_mut(&mut self) -> &mut String {
^
+        &mut self.name
+    }
+}
"#,
    ],
    negative: &[
        r#"
+struct Range { low: u32, high: u32 }
+impl Range {
+    fn low(&self) -> u32 {
+        self.low
+    }
+    fn top(&self) -> u32 {
+        self.high
+    }
+    fn high(&self) -> u32 {
+        self.low + 1
+    }
+}
"#,
        r#"
+struct User { name: String, email: Option<String> }
+impl User {
+    pub fn email(&self) -> &str {
+        self.email.as_deref().unwrap_or(&self.name)
+    }
+    pub fn name(&self) -> &str {
+        &self.name
+    }
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(function) = node.function() else {
        return;
    };
    let Some(body) = function.body else { return };
    let mut statements = body.named_children();
    let (Some(only), None) = (statements.next(), statements.next()) else {
        return;
    };
    let takes_self = function
        .parameters
        .is_some_and(|list| list.named_children().count() == 1 && list.text().contains("self"));
    let Some(returned) = field_of_self(only).filter(|_| takes_self) else {
        return;
    };
    let name = function
        .name
        .text()
        .trim_end_matches("_unchecked")
        .trim_end_matches("_mut")
        .trim_end_matches("_ref");
    let Some(implementation) = node.ancestors().find(|around| around.is(&["impl_item"])) else {
        return;
    };
    let Some(kind) = implementation.field("type").map(Node::last_name) else {
        return;
    };
    let Some(root) = node.tree().root() else {
        return;
    };
    let fields: Vec<(&str, &str)> = root
        .descendants()
        .filter(|item| {
            item.is(&["struct_item", "union_item"])
                && item.field("name").is_some_and(|own| own.text() == kind)
        })
        .flat_map(|item| item.descendants())
        .filter(|part| part.is(&["field_declaration"]))
        .filter_map(|part| Some((part.field("name")?.text(), part.field("type")?.text())))
        .collect();
    let type_of = |wanted: &str| {
        fields
            .iter()
            .find(|(field, _)| *field == wanted)
            .map(|(_, kind)| *kind)
    };
    if name != returned && type_of(name).is_some() && type_of(name) == type_of(returned) {
        sink.report(
            node,
            format!(
                "`{}` returns `{}`, although there is a field `{}` of the same type.",
                quote(function.name.text()),
                quote(returned),
                quote(name)
            ),
        );
    }
}

/// `x` in `self.x`, `&self.x`, `&mut self.x`.
fn field_of_self(value: Node<'_>) -> Option<&str> {
    let mut value = value;
    if value.is(&["unsafe_block"]) {
        value = value.child_of_kind(&["block"])?.named_children().next()?;
    }
    if value.is(&["reference_expression"]) {
        value = value.field("value")?;
    }
    let is_own = value.is(&["field_expression"])
        && value.field("value").is_some_and(|of| of.text() == "self");
    is_own
        .then(|| value.field("field").map(Node::text))
        .flatten()
}
