//! "Does not parse" needs two witnesses: syntax that a grammar does not know is no error of the author, and a bracket, statement or
//! block that an edit leaves open is one in every language.

use std::borrow::Cow;

use lint::scan;
use review::{Around, Chunk, ChunkHunk, Language, Line, LineKind, Priority, Status};
use syntax::parse::Limits;

const RULES: &[&str] = &["any/does-not-parse", "any/syntax-broken"];

/// The findings of the two rules in a whole file, as lines and priorities. Lines of the body have diff marks.
fn broken(path: &str, body: &str) -> Vec<(u32, Priority)> {
    let (mut old, mut new) = (0, 0);
    let line = |row: &'static str| {
        let kind = match row.get(..1) {
            Some("+") => LineKind::Added,
            Some("-") => LineKind::Removed,
            _ => LineKind::Context,
        };
        old += u32::from(kind != LineKind::Added);
        new += u32::from(kind != LineKind::Removed);
        Line {
            kind,
            old: (kind != LineKind::Added).then_some(old),
            new: (kind != LineKind::Removed).then_some(new),
            text: row.get(1..).unwrap_or_default(),
            terminated: true,
        }
    };
    let body: &'static str = Box::leak(body.to_owned().into_boxed_str());
    let lines: Vec<Line<'_>> = body.lines().map(line).collect();
    let is_new = lines.iter().all(|line| line.kind == LineKind::Added);
    let file = Chunk {
        index: 0,
        path: Cow::Borrowed(path),
        language: Some(Language::of_path(path, String::new)).flatten(),
        status: if is_new {
            Status::Added
        } else {
            Status::Modified
        },
        is_test: false,
        is_complete: true,
        version: None,
        around: Around::Nothing,
        hidden: None,
        by_tool: false,
        hunks: vec![ChunkHunk {
            heading: Cow::Borrowed(""),
            lines: Cow::Owned(lines),
        }],
    };
    let report = scan(&file, rules::built_in(), &Limits::default());
    let is_one = |id: Option<&str>| id.is_some_and(|id| RULES.contains(&id));
    let found = report
        .candidates
        .iter()
        .filter(|found| is_one(found.rule_id()));
    found.map(|found| (found.line, found.priority)).collect()
}

/// Valid text of current versions that grammars often do not know.
const VALID: &[(&str, &str)] = &[
    (
        "a.py",
        "class Box[T = int]: pass\ndef f[T = str](x: T): ...\ntype L[T = int] = list[T]\n",
    ),
    (
        "a.py",
        "def f(a):\n    try:\n        g()\n    except A, B:\n        h(t\"{a}\")\n",
    ),
    (
        "A.java",
        "import module java.base;\nclass A extends B {\n    A(int x) {\n        check(x);\n        super(x);\n    }\n}\n",
    ),
    ("A.java", "void main() {\n    IO.println(\"a\");\n}\n"),
    (
        "A.java",
        "class A {\n    int f(Object o) {\n        return switch (o) {\n            case Point(int x, _) when x > 0 -> x;\n            default -> 0;\n        };\n    }\n}\n",
    ),
    (
        "a.go",
        "package a\n\nvar p = new(uint64(3))\n\nfunc f(s []int) {\n\tfor i := range 10 {\n\t\tprint(i, new(s[i]))\n\t}\n}\n",
    ),
    (
        "a.go",
        "package a\n\ntype S[T any] = []T\n\nfunc g() iter { return func(yield func(int) bool) {} }\n",
    ),
    (
        "A.cs",
        "class A\n{\n    public string Name { get; set => field = value.Trim(); }\n    void F(B b)\n    {\n        b?.X = 1;\n    }\n}\n",
    ),
    (
        "A.cs",
        "extension(string text)\n{\n    public bool IsEmpty => text.Length == 0;\n}\n",
    ),
    (
        "a.ts",
        "export const f = (...a: [id: string, limit: number]) => run(...a);\nusing file = open('a');\nimport defer * as x from './x';\n",
    ),
    (
        "a.ts",
        "const m = { ...(await o<typeof import('@/x')>()), b: 1 };\nclass A { accessor x = 1; declare y?: number }\n",
    ),
    (
        "a.tsx",
        "export const A = <const T,>(p: { a: T }) => <p class=\"a\">R & D</p>;\n",
    ),
    (
        "a.js",
        "class A {\n  #a = null\n  [Symbol.iterator] = null\n  accessor b = 1\n}\nconst r = /[\\p{L}--[a-z]]/v;\n",
    ),
    (
        "a.jsx",
        "export const A = () => <a href=\"/x?a=1&b=2\">Paths & Files</a>;\nexport const B = () => <p class=\"a\">Don't {\"(\"}</p>;\n",
    ),
    (
        "a.rs",
        "unsafe extern \"C\" {\n    pub safe fn sqrt(x: f64) -> f64;\n    pub type Opaque;\n}\n",
    ),
    (
        "a.rs",
        "fn f(c: char, out: &mut String) {\n    match c {\n        '\"' => out.push_str(r#\"\\\"\"#),\n        '(' | '\\'' => out.push('{'),\n        _ => {}\n    }\n    if let Some(a) = b() && let Some(d) = a.e() { d.f(); }\n}\n",
    ),
    (
        "a.rs",
        "fn f() -> impl Future<Output = ()> + use<> {\n    async gen { yield 1; }\n}\n",
    ),
    (
        "a.kt",
        "fun f(x: Any) = when (x) {\n    is Int if x > 1 -> 1\n    else -> $$\"a $b $$x\".length\n}\ncontext(log: Log)\nfun g() = log.h('(')\n",
    ),
    (
        "a.php",
        "<?php\nclass A {\n    public private(set) string $b { get => $this->b; set(string $v) { $this->b = $v; } }\n    function f(): void { $x = $this->g() |> trim(...); }\n}\n",
    ),
    (
        "a.php",
        "<?php\n#[A(b: 1)]\nenum S: string {\n    case X = 'x';\n    const Y = self::X;\n}\n$f = (clone($a, ['b' => 1]));\n",
    ),
    (
        "a.rb",
        "def g = puts \"a\"\nalias_method :☠, :exit\nX = %r!^(?:(\\[[^\\]]+\\])(:.+))$!\ncase v\nin {a: Integer => b} unless b > 1\n  it\nend\n[1].map { it + 1 }\n",
    ),
    (
        "a.swift",
        "func f() async throws(E) {\n  let x = if a { 1 } else { 2 }\n}\n",
    ),
];

#[test]
fn syntax_of_current_versions_is_no_error_of_the_author() {
    for (path, text) in VALID {
        let added: String = text.lines().map(|line| format!("+{line}\n")).collect();
        assert_eq!(broken(path, &added), [], "{path}: {text}");
        // The same with one more line in an existing file.
        let edited: String = text.lines().map(|line| format!(" {line}\n")).collect();
        let changed = edited.replacen('\n', "\n+\n", 1);
        assert_eq!(broken(path, &changed), [], "edited {path}: {text}");
    }
}

/// Edits of valid files after which a compiler refuses them, with the line at which a reader would look.
const INVALID: &[(&str, &str, u32)] = &[
    (
        "a.go",
        " package a\n \n func f(n int) int {\n+\tif n > 10 {\n+\t\tlog(n)\n+\t\treturn 10\n \treturn n\n }\n",
        6,
    ),
    (
        "a.php",
        " <?php\n function f($c, $id) {\n-    $c->x = 1;\n+    $c->parent_id = $id\n     return $c;\n }\n",
        4,
    ),
    (
        "A.java",
        " class A {\n     int f(int n) {\n+        if (n > 1) {\n+            n = 1;\n         return n;\n     }\n }\n",
        4,
    ),
    (
        "A.java",
        " class A {\n     int f(int n) {\n+        int m = g(n)\n         return n;\n     }\n }\n",
        3,
    ),
    (
        "A.cs",
        " class A\n {\n     int F(int n)\n     {\n+        if (n > 1) {\n+            n = 1;\n         return n;\n     }\n }\n",
        6,
    ),
    (
        "a.ts",
        " export function f(n: number) {\n+  if (n > 1) {\n+    n = 1;\n   return n;\n }\n",
        3,
    ),
    (
        "a.js",
        " export function f(n) {\n-  return g(n);\n+  return g(n;\n }\n",
        2,
    ),
    (
        "a.kt",
        " fun f(n: Int): Int {\n+    if (n > 1) {\n+        log(n)\n     return n\n }\n",
        3,
    ),
    (
        "a.rs",
        " fn f(n: u8) -> u8 {\n+    if n > 1 {\n+        g(n);\n     n\n }\n",
        3,
    ),
    (
        "a.py",
        " def f(n):\n-    return g(n)\n+    return g(n\n \n def h():\n     pass\n",
        2,
    ),
    (
        "a.py",
        " def f(n):\n+    if n > 1\n+        n = 1\n     return n\n",
        2,
    ),
    (
        "a.rb",
        " def f(n)\n+  if n > 1\n+    n = 1\n   n\n end\n",
        3,
    ),
    (
        "a.tf",
        " resource \"a\" \"b\" {\n   c = 1\n-}\n+\n+resource \"d\" \"e\" {\n+  c = 2\n+}\n",
        4,
    ),
];

#[test]
fn an_edit_that_leaves_something_open_is_an_error_in_every_language() {
    for (path, body, line) in INVALID {
        let found = broken(path, body);
        assert!(
            found.len() == 1 && found[0].1 == Priority::P1 && found[0].0.abs_diff(*line) <= 2,
            "{path}: {body}{found:?}"
        );
    }
}
