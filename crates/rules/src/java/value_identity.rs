//! `==` between two values that should be compared by content.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::types::type_of;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/value-identity",
    languages: &["Java"],
    title: "Values compared by identity",
    why: "On objects, `==` checks whether both are the same object. Equal strings, boxed numbers, dates and big \
          numbers are often different objects: the comparison works for interned literals and small cached numbers, \
          and fails for all others.",
    fix: "Compare with `equals`, or with `Objects.equals` if either may be null.",
    references: &["CWE-595", "CWE-597"],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Roles(&[Role::Binary]),
        run,
    },
    positive: &[
        r#"
@@ boolean isAdmin(String role) {
-        return "admin".equals(role);
+        return role == "admin";
^
     }
"#,
        r#"
+class A {
+    private Long id;
+    boolean same(A other, Long id) {
+        return this.id == id;
^
+    }
+}
"#,
        r#"
+    void run(Integer first, Integer second) {
+        if (first != second) {
^
+            go();
+        }
+    }
"#,
        r#"
+    boolean due(LocalDate a, LocalDate b) {
+        return a == b;
^
+    }
"#,
        r#"
@@ void check(Owner owner, int ownerId) {
-        if (!Objects.equals(owner.getId(), ownerId)) {
+        if (owner.getId() != Integer.valueOf(ownerId)) {
^
             reject(owner);
         }
"#,
    ],
    negative: &[
        r#"
+class Order {
+    static int order(final String a, final String b) {
+        if (a == b) {
+            return 0;
+        }
+        return a.compareToIgnoreCase(b);
+    }
+}
"#,
        r#"
+    boolean same(int a, Owner owner) {
+        return a == Integer.valueOf(owner.name()) || owner.getId() == Integer.parseInt(owner.name());
+    }
"#,
        r#"
@@ boolean isAdmin(String role) {
+        return "admin".equals(role);
     }
"#,
        r#"
+    boolean same(Long a, long b, String c, Object d) {
+        return a == b || c == null || d == this;
+    }
"#,
        r#"
+    boolean same(String a, String b) {
+        return a == b || (a != null && a.equals(b));
+    }
"#,
        r#"
 boolean isAdmin(String role) {
         return role == "admin";
+    // see above
     }
"#,
    ],
};

const VALUES: &[&str] = &[
    "String", "Integer", "Long", "Short", "Byte", "Character", "Double", "Float", "BigDecimal",
    "BigInteger", "LocalDate", "LocalDateTime", "LocalTime", "Instant", "Duration",
    "ZonedDateTime", "OffsetDateTime", "Period", "UUID", "Optional", "OptionalInt", "OptionalLong",
    "OptionalDouble", "Date",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(binary) = node
        .binary()
        .filter(|binary| matches!(binary.operator, "==" | "!="))
    else {
        return;
    };
    let sides = [
        binary.left.unparenthesised(),
        binary.right.unparenthesised(),
    ];
    if sides
        .iter()
        .any(|side| side.is_null() || side.is(&["this"]) || side.text().contains(".intern()"))
        || is_shortcut(node)
    {
        return;
    }
    let is_literal = |side: &Node<'_>| side.is(&["string_literal"]);
    let [left, right] = sides.map(type_of);
    let both = left == right
        && left
            .as_deref()
            .is_some_and(|name| VALUES.contains(&name) || has_equals(node, name));
    let constant = |side: &Node<'_>| is_constant(side.last_name()) && !is_literal(side);
    let may_be_object =
        |of: &Option<String>| of.as_deref().is_none_or(|name| VALUES.contains(&name));
    let made = sides.iter().any(|side| is_boxed_here(*side))
        && may_be_object(&left)
        && may_be_object(&right);
    let is_number = sides.iter().any(|side| side.has_role(Role::Number));
    let known = both || sides.iter().any(is_literal) || (made && !is_number);
    if !known || sides.iter().any(constant) || sides.iter().any(|side| is_compared_too(node, *side))
    {
        return;
    }
    let other = if binary.operator == "==" {
        "two equal objects are treated as different"
    } else {
        "two equal objects count as different"
    };
    sink.report(
        node,
        format!(
            "`{}` compares identity, not content: {other}.",
            quote(node.text())
        ),
    );
}

/// `Integer.valueOf(x)` and `new Integer(x)`.
fn is_boxed_here(side: Node<'_>) -> bool {
    const BOXES: &[&str] = &[
        "Integer", "Long", "Short", "Byte", "Character", "Double", "Float",
    ];
    side.call().is_some_and(|call| {
        let boxes = call
            .receiver
            .is_some_and(|receiver| BOXES.contains(&receiver.text()));
        (call.name == "valueOf" && boxes)
            || (side.is(&["object_creation_expression"]) && BOXES.contains(&call.name))
    })
}

/// A class of the same file that defines its own `equals`.
fn has_equals(node: Node<'_>, name: &str) -> bool {
    let classes = node
        .ancestors()
        .filter(|around| around.is(&["program", "class_body"]))
        .flat_map(Node::named_children);
    let mut own = classes.filter(|class| {
        class.is(&["class_declaration"])
            && class.field("name").is_some_and(|own| own.text() == name)
    });
    let defines_equals = |class: Node<'_>| {
        class
            .field("body")
            .is_some_and(|body| body.named_children().any(|method| is_equals(method)))
    };
    own.any(defines_equals) && !node.ancestors().any(|around| is_equals(around))
}

fn is_equals(method: Node<'_>) -> bool {
    method.is(&["method_declaration"])
        && method
            .field("name")
            .is_some_and(|name| name.text() == "equals")
        && method
            .field("parameters")
            .is_some_and(|list| list.text().contains("Object "))
}

/// `a == b || a.equals(b)` checks identity only as a shortcut.
fn is_shortcut(node: Node<'_>) -> bool {
    let inside = |around: &Node<'_>| {
        around.has_role(Role::Binary)
            || around.has_role(Role::Ternary)
            || around.is(&[
                "parenthesized_expression", "return_statement", "unary_expression",
            ])
    };
    node.ancestors()
        .take_while(inside)
        .any(|around| around.text().contains("quals(") || around.text().contains("ompare"))
        || node.ancestors().take(4).any(|around| {
            around.has_role(Role::If)
                && around.condition() == Some(node)
                && around.text().contains("quals(")
        })
        || node.enclosing(Role::Function).is_some_and(|function| {
            function
                .field("name")
                .is_some_and(|name| matches!(name.text(), "equals" | "compareTo" | "compare"))
                && type_of(node.named_children().next().unwrap_or(node))
                    .is_none_or(|name| name != "String")
        })
}

/// Whether the function also compares the content of a side, which makes the identity check a shortcut.
fn is_compared_too(node: Node<'_>, side: Node<'_>) -> bool {
    let text = side.text();
    let calls = [
        "equals", "equalsIgnoreCase", "compareTo", "compareToIgnoreCase",
    ];
    let is_name = side.is(&["identifier"]);
    is_name
        && node.enclosing(Role::Function).is_some_and(|function| {
            calls
                .iter()
                .any(|call| function.text().contains(&format!("{text}.{call}(")))
        })
}

fn is_constant(name: &str) -> bool {
    name.len() > 1
        && name
            .chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}
