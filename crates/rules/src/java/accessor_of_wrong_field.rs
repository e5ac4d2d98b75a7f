//! A getter or setter that uses a field other than the one in its name.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/accessor-of-wrong-field",
    languages: &["Java"],
    title: "Accessor using another field",
    why: "Accessors are often copied and adapted. One that still uses another field returns or changes the wrong \
          value, and the compiler does not notice as long as the types agree.",
    fix: "Use the field that the method is named after.",
    references: &["CWE-682"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["method_declaration"]),
        run,
    },
    positive: &[
        r#"
+class Range {
+    private int low;
+    private int high;
+    int getLow() {
+        return low;
+    }
+    int getHigh() {
^
+        return low;
+    }
+    void setHigh(int high) {
^
+        this.low = high;
+    }
+}
"#,
        r#"
+class User {
+    private String name;
+    private String email;
+    String getName() { return name; }
+    String getEmail() { return this.name; }
^
+}
"#,
    ],
    negative: &[
        r#"
+class Range {
+    private int low;
+    private int high;
+    int getHigh() {
+        return this.high;
+    }
+    int getSize() {
+        return high;
+    }
+    void setLow(int value) {
+        this.low = value;
+        this.high = value;
+    }
+}
"#,
        r#"
@@ class User {
     private String name;
     private String email;
+    String getName() { return name == null ? email : name; }
+    void setEmail(String email) { this.email = email.trim(); }
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let (Some(name), Some(body)) = (node.field("name"), node.field("body")) else {
        return;
    };
    let Some(class) = node.parent().filter(|class| class.is(&["class_body"])) else {
        return;
    };
    let mut lines = body.named_children();
    let (Some(line), None) = (lines.next(), lines.next()) else {
        return;
    };
    let Some((wanted, sets)) = named_field(name.text()) else {
        return;
    };
    let used = if sets { assigned(line) } else { returned(line) };
    let Some(used) = used else { return };
    let list: Vec<&str> = parameters(node);
    if list.len() != usize::from(sets)
        || list.contains(&used.last_name()) && used.is(&["identifier"])
    {
        return;
    }
    let (Some(own), Some(other)) = (field(class, &wanted), field(class, used.last_name())) else {
        return;
    };
    let same_type = own
        .field("type")
        .zip(other.field("type"))
        .is_some_and(|(a, b)| a.says_same(b));
    if wanted != used.last_name() && same_type {
        sink.report(
            name,
            format!(
                "`{}` uses `{}`, although there is a field `{wanted}`.",
                name.text(),
                used.last_name()
            ),
        );
    }
}

/// The field that an accessor is named after, and whether it sets it.
fn named_field(name: &str) -> Option<(String, bool)> {
    let (rest, sets) = match name.strip_prefix("set") {
        Some(rest) => (rest, true),
        None => (
            name.strip_prefix("get")
                .or_else(|| name.strip_prefix("is"))?,
            false,
        ),
    };
    let first = rest.chars().next().filter(|c| c.is_uppercase())?;
    let tail = rest.get(first.len_utf8()..)?;
    Some((first.to_lowercase().collect::<String>() + tail, sets))
}

fn own_field(node: Node<'_>) -> Option<Node<'_>> {
    let is_own = node.is(&["identifier"])
        || node.is(&["field_access"]) && node.field("object").is_some_and(|of| of.is(&["this"]));
    is_own.then_some(node)
}

fn returned(line: Node<'_>) -> Option<Node<'_>> {
    own_field(
        line.is(&["return_statement"])
            .then(|| line.named_children().next())
            .flatten()?,
    )
}

fn assigned(line: Node<'_>) -> Option<Node<'_>> {
    let assignment = line
        .named_children()
        .next()
        .filter(|inner| inner.is(&["assignment_expression"]))?;
    let value = assignment
        .field("right")
        .filter(|value| value.is(&["identifier"]))?;
    own_field(assignment.field("left")?)
        .filter(|target| target.last_name() != value.text() || target.is(&["field_access"]))
}

fn parameters(method: Node<'_>) -> Vec<&str> {
    let list = method
        .field("parameters")
        .into_iter()
        .flat_map(Node::named_children);
    list.filter_map(|one| one.field("name").map(Node::text))
        .collect()
}

fn field<'t>(class: Node<'t>, name: &str) -> Option<Node<'t>> {
    class
        .named_children()
        .filter(|child| child.is(&["field_declaration"]))
        .find(|child| {
            child.children().any(|one| {
                one.is(&["variable_declarator"])
                    && one.field("name").is_some_and(|own| own.text() == name)
            })
        })
}
