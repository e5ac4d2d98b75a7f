//! An object that is passed to its own method, with a known result.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/self-argument",
    languages: &["Java", "Go", "C#", "Kotlin", "C++", "PHP", "Ruby"],
    title: "Value compared or combined with itself",
    why: "A value that is compared with itself, copied onto itself or added to itself has a known result, and the \
          value that should be the other operand is not used.",
    fix: "Pass the other value that is intended.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Roles(&[Role::Call]),
        run,
    },
    positive: &[
        r#"
path: src/A.java
@@ boolean same(User other) {
-        return name.equals(other.name);
+        return name.equals(name);
^
     }
"#,
        r#"
path: src/a.go
@@ func same(a, b []byte) bool {
+	return bytes.Equal(a, a)
^
"#,
        r#"
path: src/A.cs
+items.AddRange(items);
^
"#,
        r#"
path: src/a.kt
@@ fun same(other: User): Boolean {
+    return name.equals(name) && Objects.equals(id, id)
^
"#,
        r#"
path: src/a.php
 <?php
+$same = $day->equals($day);
^
"#,
        r#"
path: src/a.rb
 def keep(tags, old)
+  tags.subtract(tags)
^
 end
"#,
        r#"
path: src/a.cpp
 bool covers(const Area& area, const Area& other) {
+    return area.contains(area);
^
 }
"#,
    ],
    negative: &[
        r#"
path: src/A.java
@@ User(String name) {
+        this.name = name;
+        return name.equals(other.name);
     }
"#,
        r#"
path: src/a.go
@@ func run(items []int) {
+	for _, item := range items {
+		item := item
+		a, b = b, a
+	}
"#,
        r#"
path: src/A.cs
+var copy = new Point { X = X, Y = Y };
"#,
        r#"
path: src/a.kt
 class User(val name: String) {
+    fun same(other: User) = name.equals(other.name)
 }
"#,
        r#"
path: src/a.php
 <?php
+$same = $day->equals($other);
"#,
        r#"
path: src/a.rb
 def keep(tags, old)
+  tags.subtract(old)
 end
"#,
        r#"
path: src/a.cpp
 bool covers(const Area& area, const Area& other) {
+    return area.contains(other);
 }
"#,
    ],
};

const METHODS: &[&str] = &[
    "equals", "equalsIgnoreCase", "compareTo", "compareToIgnoreCase", "contains", "containsAll",
    "addAll", "removeAll", "retainAll", "putAll", "startsWith", "endsWith", "indexOf",
    "lastIndexOf", "isSameInstanceAs", "contentEquals", "Equals", "CompareTo", "Contains",
    "AddRange", "UnionWith", "ExceptWith", "IntersectWith", "SequenceEqual", "StartsWith",
    "EndsWith", "Except", "Union", "Intersect", "IsSubsetOf", "IsSupersetOf", "Overlaps",
    "SetEquals", "SymmetricExceptWith", "matches", "union", "intersect", "subtract", "isEqualTo",
    "replace", "Equal", "Before", "After",
];

const PAIRS: &[&str] = &[
    "Objects.equals", "Objects.equal", "Integer.compare", "Long.compare", "Double.compare",
    "Arrays.equals", "Objects.deepEquals", "Object.Equals", "object.Equals", "ReferenceEquals",
    "object.ReferenceEquals", "Object.ReferenceEquals", "string.Equals", "String.Equals",
    "string.Compare", "String.Compare", "bytes.Equal", "reflect.DeepEqual", "strings.EqualFold",
    "bytes.Compare", "strings.Compare", "System.arraycopy", "Equals", "Math.max", "Math.min",
    "Math.Max", "Math.Min", "math.Max", "math.Min", "strings.Contains", "strings.HasPrefix",
    "strings.Index", "bytes.Contains", "strings.HasSuffix", "strings.Replace", "slices.Equal",
    "maps.Equal", "Boolean.compare", "Character.compare", "Float.compare", "Short.compare",
    "Byte.compare", "StringUtils.equals",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call() else { return };
    let hit = match (call.receiver, call.arguments.as_slice()) {
        (_, [left, right, ..]) if PAIRS.contains(&call.callee) => {
            Some(*left).filter(|_| value(*left).says_same(value(*right)))
        }
        (Some(receiver), [argument]) if METHODS.contains(&call.name) => {
            Some(receiver).filter(|_| receiver.says_same(value(*argument)))
        }
        (_, [left, right]) if matches!(call.name, "replace" | "Replace") => {
            Some(*left).filter(|_| value(*left).says_same(value(*right)))
        }
        _ => None,
    };
    if let Some(twice) = hit.map(value).filter(|twice| {
        !twice.is(&[
            "method_invocation", "invocation_expression", "call_expression",
        ]) && !twice.text().contains('(')
    }) {
        sink.report(
            node,
            format!(
                "`{}` uses `{}` both times, so its result is already known.",
                quote(node.text()),
                quote(twice.text())
            ),
        );
    }
}

fn value(argument: Node<'_>) -> Node<'_> {
    if argument.is(&["argument", "value_argument"]) {
        argument.named_children().last().unwrap_or(argument)
    } else {
        argument
    }
}
