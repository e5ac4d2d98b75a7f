//! A test that was disabled, or that is the only one that still runs.

use lint::{Check, Rule, Sink, Tests, TextContext, indent};
use review::{Category, LineKind, Priority};

pub(crate) const RULE: Rule = Rule {
    id: "any/test-switched-off",
    languages: &[
        "Python", "JavaScript", "TypeScript", "TSX", "Java", "Kotlin", "C#", "Go", "Rust", "PHP",
        "Ruby", "C++",
    ],
    title: "Test disabled",
    why: "The test is still there but no longer runs. A regression in the code that it covers goes unnoticed, and \
          disabled tests are rarely enabled again.",
    fix: "Fix the test or the code; if it must wait, name the issue that tracks it.",
    references: &[],
    priority: Priority::P1,
    category: Category::Testing,
    tests: Tests::Include,
    check: Check::Text { run },
    positive: &[
        r#"
path: test/a.test.js
-it('adds', () => {
+it.skip('adds', () => {
^
   expect(add(1, 2)).toBe(3);
 });
"#,
        r#"
path: src/test/java/ATest.java
 class ATest {
+    @Disabled
^
     @Test
     void adds() {
         assertEquals(3, add(1, 2));
     }
"#,
        r#"
path: tests/test_a.py
+@pytest.mark.skip(reason="fails since the upgrade")
^
 def test_adds() -> None:
     assert add(1, 2) == 3
"#,
        r#"
path: a_test.go
 func TestAdds(t *testing.T) {
+	t.Skip("flaky")
^
 	if add(1, 2) != 3 {
"#,
        r#"
path: tests/a.rs
 #[test]
+#[ignore]
^
 fn adds() {
     assert_eq!(3, add(1, 2));
 }
"#,
        r#"
path: test/a.test.ts
-  test('adds', () => {
+  xtest('adds', () => {
^
     expect(add(1, 2)).toBe(3);
   });
"#,
        r#"
path: tests/ATest.php
 <?php
     public function testAdds()
     {
+        $this->markTestSkipped('broken');
^
         $this->assertSame(3, add(1, 2));
"#,
        r#"
path: test/ATest.kt
 class ATest {
+    @Disabled
^
     @Test
     fun adds() {
         assertEquals(3, add(1, 2))
     }
 }
"#,
        r#"
path: test/ATest.cs
 public class ATest
 {
+    [Ignore]
^
     [Test]
     public void Adds()
     {
         Assert.AreEqual(3, Add(1, 2));
     }
 }
"#,
        r#"
path: spec/a_spec.rb
 describe Sum do
-  it "adds" do
+  xit "adds" do
^
     expect(add(1, 2)).to eq(3)
   end
 end
"#,
        r#"
path: test/sum_test.cpp
 TEST(Sum, Adds) {
-    EXPECT_EQ(3, add(1, 2));
+    GTEST_SKIP();
^
 }
"#,
    ],
    negative: &[
        r#"
path: test/a.test.js
-it.skip('adds', () => {
+it('adds', () => {
   expect(add(1, 2)).toBe(3);
 });
"#,
        r#"
path: tests/test_a.py
+@pytest.mark.skip(reason="see #12")
+def test_adds() -> None:
+    assert add(1, 2) == 3
"#,
        r#"
path: tests/test_a.py
+@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
 def test_adds() -> None:
     assert add(1, 2) == 3
"#,
        r#"
path: test/a.test.js
-it.skip('adds', () => {
+it.skip('adds two numbers', () => {
   expect(add(1, 2)).toBe(3);
 });
"#,
        r#"
path: a_test.go
 func TestAdds(t *testing.T) {
+	if testing.Short() {
+		t.Skip("slow")
+	}
 	if add(1, 2) != 3 {
"#,
        r#"
path: tests/test_a.py
+@pytest.mark.skip(reason="see https://example.org/issues/12")
 def test_adds() -> None:
     assert add(1, 2) == 3
"#,
        r#"
path: test/ATest.java
 class ATest {
+    @Disabled
+    @Test
+    void subtracts() {
+        assertEquals(1, subtract(3, 2));
+    }
 }
"#,
        r#"
path: test/ATest.kt
 class ATest {
-    @Disabled
     @Test
     fun adds() {
         assertEquals(3, add(1, 2))
     }
 }
"#,
        r#"
path: test/ATest.cs
 public class ATest
 {
+    [Ignore("https://example.com/issues/12")]
     [Test]
     public void Adds()
     {
         Assert.AreEqual(3, Add(1, 2));
     }
 }
"#,
        r#"
path: tests/a.rs
+    #[ignore = "needs a database"]
+    #[test]
+    fn adds() {
+        assert_eq!(3, add(1, 2));
+    }
"#,
        r#"
path: tests/ATest.php
 <?php
 class ATest extends TestCase
 {
+    public function testSubtracts()
+    {
+        $this->markTestIncomplete();
+    }
 }
"#,
        r#"
path: spec/a_spec.rb
 describe Sum do
-  xit "adds" do
+  it "adds" do
     expect(add(1, 2)).to eq(3)
   end
 end
"#,
        r#"
path: test/sum_test.cpp
 TEST(Sum, Adds) {
+    if (!has_clock()) {
+        GTEST_SKIP();
+    }
     EXPECT_EQ(3, add(1, 2));
 }
"#,
    ],
};

/// The starts of lines that disable a test.
const SIGNS: &[&str] = &[
    "it.skip(", "test.skip(", "describe.skip(", "context.skip(", "xit(", "xdescribe(", "xcontext(",
    "xtest(", "xit ", "xdescribe ", "xspecify ", "it.todo(", "@Ignore", "@Disabled",
    "@pytest.mark.skip(", "@pytest.mark.xfail", "@unittest.skip(", "@unittest.expectedFailure",
    "@skip(", "pytest.skip(", "self.skipTest(", "#[ignore", "t.Skip(", "t.SkipNow(", "[Ignore",
    "[Fact(Skip", "[Theory(Skip", "$this->markTestSkipped(", "$this->markTestIncomplete(",
    "GTEST_SKIP(", "it.only(", "test.only(", "describe.only(",
];

fn run(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    if !context.file.is_test {
        return;
    }
    let lines = context.lines();
    let find = |text: &str| {
        let text = text.trim_start();
        let exact = |sign: &&&str| text.starts_with(**sign) && is_whole(text, sign);
        SIGNS
            .iter()
            .find(exact)
            .copied()
            .or_else(|| (text == "@pytest.mark.skip").then_some("@pytest.mark.skip"))
    };
    if lines
        .iter()
        .any(|line| line.kind == LineKind::Removed && find(line.text).is_some())
    {
        return;
    }
    for (at, line) in lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.kind == LineKind::Added)
    {
        let Some(sign) =
            find(line.text).filter(|_| !names_issue(line.text) && is_known_test(lines, at))
        else {
            continue;
        };
        let shown = sign.trim_end_matches(['(', ' ']);
        let effect = if sign.contains(".only") {
            "now only this test of the file runs"
        } else {
            "the test no longer runs"
        };
        sink.report(line, format!("`{shown}` was added: {effect}."));
    }
}

/// Whether a sign that ends in a letter is a whole word: `@Ignore`, and not `@IgnoreCase`.
fn is_whole(text: &str, sign: &str) -> bool {
    let next = text.get(sign.len()..).and_then(|rest| rest.chars().next());
    !sign.ends_with(char::is_alphanumeric) || !next.is_some_and(|c| c.is_alphanumeric() || c == '_')
}

/// Whether the reason names the issue that tracks it.
fn names_issue(text: &str) -> bool {
    let follows = |at: usize| {
        text.get(at + 1..)
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    text.contains("http://")
        || text.contains("https://")
        || text.match_indices(['#', '-']).any(|(at, _)| follows(at))
}

/// Whether the test existed before: it starts on a line that was not added, below a marker on its own line or above one
/// in its body, and is indented like its statements.
fn is_known_test(lines: &[review::Line<'_>], at: usize) -> bool {
    let Some(own) = lines.get(at) else {
        return false;
    };
    let replaces = lines
        .get(at.wrapping_sub(1))
        .is_some_and(|line| line.kind == LineKind::Removed);
    let text = own.text.trim_start();
    if text.starts_with(['@', '#', '[']) {
        let is_head = |line: &&review::Line<'_>| {
            let text = line.text.trim_start();
            !text.is_empty() && !text.starts_with(['@', '#', '[', '/', '*'])
        };
        let below = lines
            .iter()
            .skip(at + 1)
            .filter(|line| line.kind != LineKind::Removed)
            .find(is_head);
        return below.is_some_and(|line| line.kind == LineKind::Context);
    }
    if !text.contains("kip") || text.starts_with(['i', 'd', 'x', 'c']) || text.starts_with("test.")
    {
        return replaces;
    }
    // For a call in the body: the nearest line above with less indentation is the header of the test, and not a
    // condition.
    let above = lines
        .iter()
        .take(at)
        .rev()
        .filter(|line| line.kind != LineKind::Removed && !line.text.trim().is_empty());
    let head = above
        .into_iter()
        .find(|line| indent(line.text) < indent(own.text) && line.text.trim() != "{");
    head.is_some_and(|line| {
        let head = line.text.trim_start();
        line.kind == LineKind::Context
            && !head.starts_with("if")
            && !head.starts_with("} else")
            && !head.starts_with("else")
            && !head.starts_with("except")
            && !head.starts_with("elif")
            && !head.contains("catch")
    })
}
