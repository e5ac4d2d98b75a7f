//! Assignments of a variable to itself.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/self-assignment",
    languages: &[
        "Python", "JavaScript", "TypeScript", "TSX", "Java", "C#", "PHP", "Ruby", "C", "C++",
        "Kotlin", "Rust",
    ],
    title: "Variable assigned to itself",
    why: "The assignment has no effect. Usually one side should be a field, or another variable with a similar name.",
    fix: "Write the intended variable or field, or delete the line.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Roles(&[Role::Assign]),
        run,
    },
    positive: &[
        r#"
path: src/a.py
 class A:
     def __init__(self, name):
+        name = name
^
"#,
        r#"
path: src/a.js
 function set(size) {
+  this.size = this.size;
^
 }
"#,
        r#"
path: src/A.java
@@ class A {
     void set(int size) {
+        size = size;
^
     }
"#,
        r#"
path: src/A.cs
 void Set(int size)
 {
+    size = size;
^
 }
"#,
        r#"
path: src/a.php
 <?php
+$size = $size;
^
"#,
        r#"
path: src/a.rb
 def set(size)
+  size = size
^
 end
"#,
        r#"
path: src/a.c
 void set(struct box *box, int size) {
+    box->size = box->size;
^
 }
"#,
        r#"
path: src/a.kt
 class Box {
     fun set(size: Int) {
+        this.size = this.size
^
     }
 }
"#,
        r#"
path: src/a.rs
 impl Box {
     fn set(&mut self, size: u32) {
+        self.size = self.size;
^
     }
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.py
 class A:
     def __init__(self, name):
+        self.name = name
+    name = name
"#,
        r#"
path: src/a.js
 function set(size) {
+  this.size = size;
+  a[i++] = a[i++];
+  const f = { size: size };
+  anchor.href = anchor.href;
 }
"#,
        r#"
path: src/A.java
@@ class A {
+    void set(int size) {
+        this.size = size;
+    }
"#,
        r#"
path: src/A.cs
 void Set(int size)
 {
+    this.size = size;
 }
"#,
        r#"
path: src/a.php
 <?php
+$this->size = $size;
"#,
        r#"
path: src/a.rb
 def set(size)
+  @size = size
 end
"#,
        r#"
path: src/a.c
 void set(struct box *box, int size) {
+    box->size = size;
 }
"#,
        r#"
path: src/a.kt
 class Box {
     fun set(size: Int) {
+        this.size = size
+        val name = name
     }
 }
"#,
        r#"
path: src/a.rs
 impl Box {
     fn set(&mut self, size: u32) {
+        self.size = size;
+        let name = name;
     }
 }
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(assignment) = node
        .assignment()
        .filter(|assignment| assignment.operator == "=")
    else {
        return;
    };
    let (target, value) = (assignment.target, assignment.value);
    let is_place = |node: Node<'_>| {
        node.has_role(Role::Name)
            || node.has_role(Role::Member)
            || node.has_role(Role::Index)
            || node.is(&[
                "array_pattern", "object_pattern", "directly_assignable_expression",
            ])
    };
    // A parameter's default and a declaration in an inner scope assign the old value to a new variable.
    let declares = node.kind().contains("declar")
        || node.kind().contains("spec")
        || node.kind().contains("property")
        || node.is(&["assignment"]) && node.field("type").is_some();
    let in_class = node
        .statement()
        .parent()
        .and_then(Node::parent)
        .is_some_and(|parent| parent.has_role(Role::Class));
    let same = target.says_same(value);
    // The browser makes the URL absolute, or loads it again.
    let is_address =
        matches!(target.last_name(), "href" | "src" | "innerHTML") && target.has_role(Role::Member);
    let does_something = is_address
        || target.all(Role::Call).next().is_some()
        || target.text().contains("++")
        || target.text().contains("--");
    // `new Sprite { Icon = Icon }` sets a member of another object, and a module of Python exports a built-in name.
    let is_initializer = node
        .ancestors()
        .take(2)
        .any(|around| around.is(&["initializer_expression"]));
    let is_export = node.tree().grammar().name() == "Python"
        && node
            .statement()
            .parent()
            .is_some_and(|parent| parent.is(&["module"]));
    if same
        && !is_initializer
        && !is_export
        && is_place(target)
        && !declares
        && !in_class
        && !does_something
    {
        sink.report(
            node,
            format!("`{}` is assigned to itself.", quote(target.text())),
        );
    }
}
