//! A test that was disabled.

use review::{Category, LineKind, Priority};

use crate::rule::{ChangeContext, Check, Rule, Sink, Tests};

pub(crate) const RULE: Rule = Rule {
    id: "any/test-switched-off",
    languages: &[],
    title: "Test disabled",
    why: "The test still exists but no longer runs. A regression in the code that it covers goes unnoticed, and \
          disabled tests are rarely enabled again.",
    fix: "Fix the test or the code; if it must wait, name the issue that tracks it.",
    references: &[],
    priority: Priority::P3,
    category: Category::Testing,
    tests: Tests::Include,
    check: Check::Change { run },
    positive: &[
        "path: test/a.test.js\n-it('adds', () => {\n+it.skip('adds', () => {\n^\n   expect(add(1, 2)).toBe(3);\n });\n",
        "path: test/ATest.java\n class ATest {\n+    @Disabled\n^\n     @Test\n     void adds() {\n-        assertEquals(3, add(1, 2));\n+        assertEquals(3, add(2, 1));\n     }\n",
    ],
    negative: &[
        "path: test/a.test.js\n-it.skip('adds', () => {\n+it('adds', () => {\n   expect(add(1, 2)).toBe(3);\n });\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    const SIGNS: &[&str] = &[
        "it.skip(",
        "test.skip(",
        "describe.skip(",
        "xit(",
        "xdescribe(",
        "xtest(",
        "@Ignore",
        "@Disabled",
        "@pytest.mark.skip",
        "@unittest.skip",
        "#[ignore",
        "t.Skip(",
        "[Ignore",
        "Skip = \"",
        "markTestSkipped(",
        "@Tag(\"disabled",
        "it.todo(",
    ];
    if !context.file.is_test {
        return;
    }
    let find = |text: &str| SIGNS.iter().copied().find(|sign| text.trim_start().starts_with(sign));
    let was_off = context.lines().iter().any(|line| line.kind == LineKind::Removed && find(line.text).is_some());
    for line in context.lines().iter().filter(|line| line.kind == LineKind::Added && !was_off) {
        let Some(sign) = find(line.text) else { continue };
        sink.report(line, format!("`{}` disables the test.", sign.trim_end_matches('(')));
    }
}
