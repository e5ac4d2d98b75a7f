//! Uses of a name that the same file marks as deprecated.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::is_small;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/deprecated-name-used",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Use of a deprecated name",
    why: "The comment at the declaration marks it as deprecated: it will be removed, or it has a defect that will not \
          be fixed.",
    fix: "Use the replacement named in the comment.",
    references: &[],
    priority: Priority::P3,
    category: Category::ApiCompatibility,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["comment"]),
        run,
    },
    positive: &[
        r#"
+/** @deprecated use open2 */
+function open(path) {
+  return path;
+}
+open("a");
^
"#,
        r#"
+class Door {
+  /** @deprecated */
+  slam() {}
+  close() {
+    this.slam();
^
+  }
+}
"#,
        r#"
path: src/a.ts
+interface Options {
+  /** @deprecated */
+  depth: number;
+  width: number;
+}
+function f(o: Options) {
+  return o.depth + o.width;
^
+}
"#,
    ],
    negative: &[
        r#"
+/** @deprecated use open2 */
+function open(path) {
+  return path;
+}
+export { open };
+other.open();
"#,
        r#"
+/** Not deprecated. */
+function open(path) {
+  return path;
+}
+open("a");
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if !node.text().contains("@deprecated") {
        return;
    }
    let Some(top) = node.ancestors().last().filter(|top| is_small(*top)) else {
        return;
    };
    let Some((name, is_member)) = declared_below(node) else {
        return;
    };
    let text = name.text();
    let is_use = |other: &Node<'_>| {
        other.text() == text
            && *other != name
            && if is_member {
                uses_member(*other)
            } else {
                uses_name(*other)
            }
    };
    let mut seen = None;
    for used in top.descendants().filter(is_use) {
        if used.line() != seen {
            seen = used.line();
            sink.report(
                used,
                format!("`{text}` is marked as deprecated in this file."),
            );
        }
    }
}

/// The name that is declared directly below a comment, and whether it is a member of a class or an object.
fn declared_below(comment: Node<'_>) -> Option<(Node<'_>, bool)> {
    let parent = comment.parent()?;
    let mut after = parent
        .children()
        .filter(|child| child.index() > comment.index() && !child.has_role(Role::Comment));
    let mut below = after.find(|child| !child.text().starts_with('@'))?;
    let is_member = parent.is(&[
        "class_body", "interface_body", "object_type", "object", "enum_body",
    ]);
    loop {
        if below.is(&[
            "identifier", "property_identifier", "private_property_identifier",
        ]) {
            return parent.is(&["enum_body"]).then_some((below, true));
        }
        let inner = below.any_field(&["declaration"]).or_else(|| {
            below
                .is(&[
                    "lexical_declaration", "variable_declaration", "ambient_declaration",
                ])
                .then(|| below.named_children().next())?
        });
        match inner {
            Some(inner) => below = inner,
            None => break,
        }
    }
    let name = below.any_field(&["name", "property", "key"])?;
    let is_name = name.is(&[
        "identifier", "property_identifier", "private_property_identifier", "type_identifier",
    ]);
    is_name.then_some((name, is_member))
}

fn uses_member(node: Node<'_>) -> bool {
    node.is(&["property_identifier", "private_property_identifier"])
        && node
            .parent()
            .is_some_and(|parent| parent.is(&["member_expression"]))
        || node.is(&["shorthand_property_identifier_pattern"])
        || node.is(&["property_identifier"])
            && node
                .parent()
                .is_some_and(|parent| parent.is(&["jsx_attribute", "pair_pattern"]))
}

fn uses_name(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else {
        return false;
    };
    let named = node.is(&[
        "identifier", "type_identifier", "shorthand_property_identifier",
    ]);
    let declares = parent.field("name") == Some(node)
        && !parent.is(&[
            "jsx_opening_element", "jsx_self_closing_element", "generic_type",
        ]);
    let is_left = parent.is(&["assignment_expression"]) && parent.field("left") == Some(node);
    let is_parameter = parent.is(&["arrow_function"]) && parent.field("parameter") == Some(node);
    let only_names = parent.is(&[
        "export_statement", "export_specifier", "import_specifier", "import_clause",
        "formal_parameters", "required_parameter", "optional_parameter", "labeled_statement",
        "array_pattern",
    ]);
    named && !(declares || is_left || is_parameter || only_names)
}
