//! A value that is dereferenced where it was just found to be null.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::vocabulary::has_word;
use syntax::tree::Node;

/// Words of functions that end the program, or the test.
const ENDS: &[&str] = &[
    "fatal", "fatalf", "fatalln", "panic", "panicf", "exit", "abort", "fail", "failnow", "die",
    "throw", "assert", "skip", "require", "init", "initialize", "ensure", "load", "redirect",
    "report", "error", "raise", "reject", "mismatch", "invalid", "missing", "problem", "bail",
    "stop", "unexpected",
];

pub(crate) const RULE: Rule = Rule {
    id: "any/null-used-where-found",
    languages: &["Go", "Java", "C#"],
    title: "Dereference of a value known to be null",
    why: "In the branch where the value is null, it has no field or method: the access throws or panics. Either the \
          condition is inverted, or another variable is intended.",
    fix: "Invert the condition, or leave the branch before the use.",
    references: &["CWE-476"],
    priority: Priority::P1,
    category: Category::NullSafety,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Roles(&[Role::If, Role::Binary]),
        run,
    },
    positive: &[
        r#"
path: src/a.go
@@ func name(u *User) string {
-	if u != nil {
+	if u == nil {
+		return u.name
^
 	}
"#,
        r#"
path: src/A.java
+if (user != null || user.isActive()) {
^
+    run();
+}
"#,
        r#"
path: src/A.java
+if (user == null) {
+    log.warn("no user " + user.getName());
^
+}
"#,
        r#"
path: src/A.cs
+if (items == null && items.Count > 0)
^
+    Run();
"#,
        r#"
path: src/a.go
+func name(u *User) string {
+	if u == nil {
+		slog.Warn("no user")
+	}
+	return u.First + u.Last
^
+}
"#,
        r#"
path: src/A.java
 class A {
     String name(User user) {
         if (user == null) {
             log.warn("no user");
-            return "";
         }
+        log.debug("found");
+        return user.name;
     }
     String mail(User user) {
+        if (user == null) {
+            log.warn("no user");
+        }
+        return user.getMail();
^
     }
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.go
+func name(u *User) string {
+	if u == nil {
+		t.Fatal("no user")
+	}
+	if u == nil {
+		u = load()
+	}
+	return u.First + u.Last
+}
"#,
        r#"
path: src/a.go
@@ func name(u *User) string {
+	if u == nil {
+		u = other
+		return u.name
+	}
+	if err == nil {
+		return ""
+	}
"#,
        r#"
path: src/A.java
+if (user != null && user.isActive() || user == null || user.isActive()) {
+    run();
+}
"#,
        r#"
path: src/A.cs
+if (user == null)
+{
+    user = Load();
+    Run(user?.Name, user.Name);
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if node.has_role(Role::Binary) {
        in_chain(node, sink);
        return;
    }
    let Some(branch) = node.branch().filter(|branch| !branch.negated) else {
        return;
    };
    let Some((value, is_null)) = branch.condition.null_check() else {
        return;
    };
    if is_null && branch.otherwise.is_none() {
        after_test(node, branch.then, value, sink);
    }
    let Some(block) = (if is_null {
        Some(branch.then)
    } else {
        branch.otherwise.filter(|other| !other.has_role(Role::If))
    }) else {
        return;
    };
    if let Some(used) = first_use(block, value) {
        sink.report(
            used,
            format!(
                "`{}` is null here, as `{}` has just established.",
                quote(value.text()),
                quote(branch.condition.text())
            ),
        );
    }
}

/// The test found null, did nothing about it, and the next statement uses the value.
fn after_test<'t>(test: Node<'t>, then: Node<'t>, value: Node<'t>, sink: &mut Sink<'_>) {
    let mentions = |part: Node<'_>| {
        part.names()
            .any(|name| value.names().any(|own| own.text() == name.text()))
    };
    let may_end = |node: Node<'_>| {
        let sets = node.assignment().is_some_and(|set| mentions(set.target));
        let ends = node.call().is_some_and(|call| {
            has_word(call.name, ENDS) || call.arguments.iter().any(|argument| mentions(*argument))
        });
        node.is_plain_exit() || sets || ends
    };
    let goes_on =
        then.is_complete() && !std::iter::once(then).chain(then.descendants()).any(may_end);
    let next = test
        .next()
        .filter(|_| goes_on && test.field("initializer").is_none());
    if let Some(used) = next.and_then(|next| first_use(next, value)) {
        let line = test.line().unwrap_or_default();
        sink.report(
            used,
            format!(
                "`{}` may be null here: line {line} tests that, and continues.",
                quote(value.text())
            ),
        )
        .priority(Priority::P2);
    }
}

/// `x != null || x.a()` and `x == null && x.a()`.
fn in_chain(node: Node<'_>, sink: &mut Sink<'_>) {
    let Some(binary) = node
        .binary()
        .filter(|binary| matches!(binary.operator, "&&" | "||"))
    else {
        return;
    };
    let Some((value, is_null)) = binary.left.unparenthesised().null_check() else {
        return;
    };
    if is_null != (binary.operator == "&&") {
        return;
    }
    if let Some(used) = first_use(binary.right, value).filter(|_| !value.has_role(Role::Call)) {
        sink.report(
            node,
            format!(
                "`{}` is evaluated only when `{}` is null.",
                quote(used.text()),
                quote(value.text())
            ),
        );
    }
}

/// The first dereference of the value, unless it is reassigned before.
fn first_use<'t>(within: Node<'t>, value: Node<'t>) -> Option<Node<'t>> {
    if !(value.has_role(Role::Name) || value.has_role(Role::Member))
        || value.all(Role::Call).next().is_some()
    {
        return None;
    }
    let is_go = within.tree().grammar().name() == "Go";
    for node in std::iter::once(within).chain(within.descendants()) {
        if node.has_role(Role::Lambda) || node.has_role(Role::Function) || node.has_role(Role::Loop)
        {
            return None;
        }
        // A possible reassignment ends the search.
        let sets = node.assignment().is_some_and(|set| {
            set.target.says_same(value)
                || set.target.names().any(|name| name.text() == value.text())
        });
        let handed_out = node.is(&["unary_expression"])
            && node.text().starts_with('&')
            && node.text().ends_with(value.text());
        let by_reference = node.is(&["argument"])
            && (node.text().starts_with("ref ") || node.text().starts_with("out "));
        if sets
            || handed_out
            || by_reference
            || node.null_check().is_some_and(|(of, _)| of.says_same(value))
        {
            return None;
        }
        if node.has_role(Role::Member)
            && node
                .receiver()
                .is_some_and(|of| of.unparenthesised().says_same(value))
            && !is_method_on_nil(node, is_go)
        {
            return Some(node);
        }
        if node.has_role(Role::Call)
            && !is_go
            && node.is(&["method_invocation"])
            && node.field("object").is_some_and(|of| of.says_same(value))
        {
            return Some(node);
        }
        if is_go
            && node.is(&["unary_expression"])
            && node.text().starts_with('*')
            && node.field("operand").is_some_and(|of| of.says_same(value))
        {
            return Some(node);
        }
        if is_go
            && node.is(&["call_expression"])
            && node.field("function").is_some_and(|of| of.says_same(value))
        {
            return Some(node);
        }
    }
    None
}

/// In Go a method may be called on a nil pointer.
fn is_method_on_nil(node: Node<'_>, is_go: bool) -> bool {
    is_go
        && node.parent().is_some_and(|parent| {
            parent.has_role(Role::Call) && parent.field("function") == Some(node)
        })
        && !node.receiver().is_some_and(|of| matches!(of.text(), "err"))
}
