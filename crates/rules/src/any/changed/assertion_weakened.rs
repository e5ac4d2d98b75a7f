//! An assertion that compared a value and now only tests whether there is one.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/assertion-weakened",
    languages: &[],
    title: "Assertion weakened",
    why: "The test compared a result with the expected value. Now it only asks whether there is a result, so a wrong one \
          passes, and the test no longer protects the code that it covers.",
    fix: "Compare with the expected value; if the expectation changed, write the new one.",
    references: &[],
    priority: Priority::P1,
    category: Category::Testing,
    tests: Tests::Include,
    check: Check::Change { run },
    positive: &[
        r#"
path: tests/test_a.py
 def test_forbidden(client):
     response = client.get('/')
-    assert response.status_code == 403
+    assert response.status_code
^
     assert response.text
"#,
        r#"
path: a_test.go
 func TestSeal(t *testing.T) {
-	assert.Equal(t, plain, opened)
+	assert.NotEmpty(t, opened)
^
 }
"#,
        r#"
path: src/test/java/ATest.java
 class ATest {
     @Test
     void adds() {
-        assertEquals(3, add(1, 2));
+        assertNotNull(add(1, 2));
^
     }
 }
"#,
        r#"
path: test/a.test.js
 it('adds', () => {
-  expect(add(1, 2)).toBe(3);
+  expect(add(1, 2)).toBeDefined();
^
 });
"#,
        r#"
path: tests/test_a.py
 class T(TestCase):
     def test_a(self):
-        self.assertEqual(total(cart), 12)
+        self.assertIsNotNone(total(cart))
^
"#,
        r#"
path: tests/a.rs
 #[test]
 fn adds() {
-    assert_eq!(add(1, 2), 3);
+    assert!(add(1, 2) > 0);
^
 }
"#,
    ],
    negative: &[
        r#"
path: a_test.go
 func TestSeal(t *testing.T) {
-	assert.Equal(t, plain, opened)
+	assert.Equal(t, string(plain), string(opened))
 }
"#,
        r#"
path: tests/test_a.py
 def test_forbidden(client):
     response = client.get('/')
-    assert response.status_code == 403
+    assert response.status_code == 404
"#,
        r#"
path: test/a.test.js
 it('adds', () => {
-  expect(add(1, 2)).toBe(3);
+  expect(add(1, 2)).toEqual(3);
 });
"#,
        r#"
path: test/a.test.js
 it('finds', () => {
-  expect(found).toBe(true);
+  expect(found).toBeTruthy();
 });
"#,
        r#"
path: src/test/java/ATest.java
 class ATest {
     @Test
     void adds() {
-        assertEquals(true, isReady());
+        assertTrue(isReady());
     }
 }
"#,
        r#"
path: test/a.test.js
 it('adds', () => {
-  expect(sum).toBe(3);
+  expect(sum).toBeDefined();
+  expect(sum.value).toBe(3);
 });
"#,
    ],
};

/// Assertions that compare with a value.
const EXACT: &[&str] = &[
    "equal", "equals", "assertequal", "assertequals", "assertsame", "same", "tobe", "toequal",
    "tostrictequal", "eq", "isequalto", "assert_eq", "assert_equal", "areequal", "aresame",
    "deepequal", "strictequal", "deepstrictequal", "assertarrayequals", "jsoneq", "elementsmatch",
    "assertlistequal", "assertdictequal", "expect_eq", "assert_streq", "should_eq", "be",
    "assertcontains", "shouldbe", "tomatchobject", "tohavelength", "tohavebeencalledwith",
    "contains", "errorcontains", "assertraisesregex",
];
/// Assertions that only test whether there is a value.
const WEAK: &[&str] = &[
    "notnil", "notempty", "notnull", "assertnotnull", "assertisnotnone", "assertnotempty",
    "tobedefined", "tobetruthy", "isnotnull", "isnotempty", "isok", "ok", "assert_not_nil",
    "isnotnil", "assertnotnil", "assertnotequal", "assertnotequals", "not_to_be_nil", "toexist",
    "assert_ne", "expect_ne", "greaterthan", "positive", "assertgreater", "tohavebeencalled",
    "notequal", "assertnotsame", "isnotblank", "error", "assertraises",
];

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    if !context.file.is_test {
        return;
    }
    for (old, new) in context.paired_statements() {
        weakened(context, old, new, sink);
    }
}

fn weakened<'a>(
    context: &ChangeContext<'a>,
    old: Node<'a>,
    new: Node<'a>,
    sink: &mut Sink<'_>,
) -> Option<()> {
    let (was, now) = (assertion(old)?, assertion(new)?);
    if !was.is_exact || was.is_trivial || !now.is_weak {
        return None;
    }
    // The subject of the assertion is the same.
    let subjects: Vec<&str> = now.names.clone();
    let same = !subjects.is_empty() && subjects.iter().all(|name| was.names.contains(name));
    // An assertion that the same edit adds may check the value instead.
    let block = context.edit_block_of(old)?;
    if same && block.added <= block.removed {
        let (was, now) = (quote(old.text()), quote(new.text()));
        sink.report(
            new,
            format!("The test asserted `{was}` and now only `{now}`: a wrong value passes."),
        );
    }
    Some(())
}

struct Assertion<'t> {
    is_exact: bool,
    is_weak: bool,
    /// It compares with a boolean or null, so the short form is equivalent.
    is_trivial: bool,
    names: Vec<&'t str>,
}

/// A statement as an assertion.
fn assertion(statement: Node<'_>) -> Option<Assertion<'_>> {
    let node = statement.statements().first().copied().unwrap_or(statement);
    if node.has_role(Role::Assert) {
        let condition = node.named_children().next()?;
        let comparison = condition.comparison();
        let is_plain = condition.has_role(Role::Name)
            || condition.has_role(Role::Member)
            || condition.has_role(Role::Call);
        let differs = comparison
            .as_ref()
            .is_some_and(|own| matches!(own.operator, "!=" | "is not" | "not in"));
        let is_trivial = comparison
            .as_ref()
            .is_some_and(|own| is_truth(own.left) || is_truth(own.right));
        return Some(Assertion {
            is_exact: comparison.is_some() && !differs,
            is_weak: is_plain || differs,
            is_trivial,
            names: condition.names().map(Node::text).collect(),
        });
    }
    let call = call_of(node)?;
    let callee = call.callee.to_ascii_lowercase();
    let asserts = ["assert", "expect", "require", "check", "should", "verify"]
        .iter()
        .any(|word| callee.contains(word));
    if !asserts {
        return None;
    }
    let name = call.name.to_ascii_lowercase();
    let denied = callee.contains(".not.");
    let is_macro = node.is(&["macro_invocation"]);
    let weak_macro = is_macro && name == "assert" && !node.text().contains("==");
    let words: Vec<&str> = node.names().map(Node::text).collect();
    let own: Vec<&str> = words
        .into_iter()
        .filter(|word| !is_assertion_word(word))
        .collect();
    let is_trivial = call
        .arguments
        .iter()
        .any(|argument| is_truth(syntax::semantics::names::handed_over(*argument)));
    Some(Assertion {
        is_exact: EXACT.contains(&name.as_str()) && !denied,
        is_weak: WEAK.contains(&name.as_str()) || denied || weak_macro,
        is_trivial,
        names: own,
    })
}

fn call_of(node: Node<'_>) -> Option<syntax::tree::Call<'_>> {
    let mut inner = node;
    while inner.has_role(Role::Await) && !inner.has_role(Role::Call) {
        inner = inner.named_children().last()?;
    }
    inner.call()
}

fn is_truth(node: Node<'_>) -> bool {
    node.is_null()
        || matches!(
            node.text(),
            "true" | "false" | "True" | "False" | "TRUE" | "FALSE"
        )
}

fn is_assertion_word(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    EXACT.contains(&lower.as_str())
        || WEAK.contains(&lower.as_str())
        || [
            "assert", "expect", "require", "should", "self", "this", "t", "not", "to", "Assert",
            "Assertions", "assertThat",
        ]
        .contains(&word)
}
