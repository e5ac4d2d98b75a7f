//! Parts of files, cut at awkward places, are read without an error and with their own line numbers.

use std::borrow::Cow;

use lint::{Limits, testing};
use review::{ChunkFile, ChunkHunk, Language, Line, LineKind, Status};

fn file<'a>(language: &str, heading: &'a str, text: &'a str) -> ChunkFile<'a> {
    let line = |(number, text): (u32, &'a str)| Line {
        kind: LineKind::Added,
        old: None,
        new: Some(number),
        text,
        terminated: true,
    };
    ChunkFile {
        index: 0,
        path: Cow::Borrowed("src/part"),
        language: Language::find(language),
        status: Status::Modified,
        is_test: false,
        hunks: vec![ChunkHunk {
            heading: Cow::Borrowed(heading),
            lines: Cow::Owned((40..).zip(text.lines()).map(line).collect()),
        }],
    }
}

/// Language, git's heading, the text, and what is cut.
const PARTS: &[(&str, &str, &str, &str)] = &[
    ("Python", "class A:", "        x = 1\n        return x\n\n    def b(self):\n        return 2\n", "in a method"),
    ("Python", "def f():", "        go()\n    except ValueError:\n        stop()\n", "in a try block"),
    ("Python", "def f():", "    b=1,\n    c=2,\n)\nd = 3\n", "in arguments"),
    ("Python", "def f():", "    More words.\n    \"\"\"\n    return 1\n", "in a docstring"),
    ("Python", "def f():", "    try:\n        go()\n", "before except"),
    ("Python", "class A:", "    def b(self):\n", "after a header"),
    ("JavaScript", "", "    run();\n  });\n  it('x', () => {\n    go();\n", "in a callback"),
    ("JavaScript", "class A {", "  }\n\n  b() {\n    return 1;\n", "between methods"),
    ("JavaScript", "const a = {", "  b: 1,\n  c: 2,\n", "in an object"),
    ("TypeScript", "interface A {", "  b: string;\n  c?: number;\n", "in an interface"),
    ("Java", "public class A {", "        return 1;\n    }\n\n    int b() {\n        if (x) {\n", "in a method"),
    ("Java", "class A {", "     * More words.\n     */\n    void a() {\n", "in a comment"),
    ("Java", "void f() {", "            case 1:\n                go();\n                break;\n", "in a switch"),
    ("Java", "void f() {", "        } catch (IOException e) {\n            stop();\n        }\n", "in a try block"),
    (
        "Go",
        "func f() error {",
        "\tif err != nil {\n\t\treturn err\n\t}\n\treturn nil\n}\n\nfunc g() {\n",
        "in a function",
    ),
    ("Go", "type A struct {", "\tB int\n\tC string\n}\n", "in a struct"),
    ("Rust", "impl A {", "        self.x\n    }\n\n    fn b(&self) -> u8 {\n        1\n", "in a method"),
    ("Rust", "fn f() {", "        Some(x) => x,\n        None => 0,\n    }\n}\n", "in a match"),
    ("C", "static int f(void)", "\treturn 1;\n}\n\nint g(int a)\n{\n\tif (a)\n", "in a function"),
    ("C", "", "#else\nint x;\n#endif\n", "in a condition of the preprocessor"),
    ("C++", "class A {", "  void b();\n\n private:\n  int c_;\n", "in a class"),
    ("C#", "namespace A", "            return 1;\n        }\n\n        public int B()\n        {\n", "in a method"),
    ("Ruby", "class A", "    x = 1\n  end\n\n  def b\n    go do |y|\n", "in a method"),
    ("Ruby", "def f", "    go\n  rescue Error\n    stop\n  end\n", "in a begin block"),
    ("PHP", "class A", "        return 1;\n    }\n\n    public function b()\n    {\n", "in a method"),
    ("PHP", "return [", "    'a' => 1,\n    'b' => 2,\n", "in an array"),
    ("Kotlin", "class A {", "        return 1\n    }\n\n    fun b() {\n", "in a method"),
    ("Shell", "", "  go\nfi\nfor x in a; do\n  go\n", "in an if"),
    ("YAML", "jobs:", "      - run: a\n    name: b\n  other:\n    name: c\n", "in a list"),
    ("HCL", "resource", "  a = 1\n}\n\nresource \"a\" \"b\" {\n", "in a block"),
];

#[test]
fn parts_are_read_without_an_error() {
    let mut failures = Vec::new();
    for (language, heading, text, cut) in PARTS {
        let readings = testing::readings(&file(language, heading, text), &Limits::default());
        let new = readings.first().expect("a new side");
        if new.error_bytes > 0 || !new.clean {
            failures.push(format!("{language}, {cut}: {new:?}"));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn a_finding_in_a_completed_part_has_the_line_number_of_the_diff() {
    let part =
        file("Python", "class A:", "        x = 1\n        return x\n\n    def b(self, y=[]):\n        return y\n");
    let report = lint::scan(&part, lint::RuleSet::builtin(), &Limits::default());
    let found =
        report.candidates.iter().find(|found| found.rule_id.as_deref() == Some("python/mutable-default-argument"));
    let found = found.expect("the default argument");
    assert_eq!((found.line, found.scope.as_deref()), (43, Some("b")));
}
