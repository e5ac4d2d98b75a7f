//! Fragments of files, cut at awkward places, are parsed without an error and with correct line numbers.

use std::borrow::Cow;

use lint::testing;
use review::{Chunk, ChunkHunk, Language, Line, LineKind, Status};
use syntax::parse::Limits;

fn file<'a>(language: &str, heading: &'a str, text: &'a str) -> Chunk<'a> {
    let line = |(number, text): (u32, &'a str)| Line {
        kind: LineKind::Added,
        old: None,
        new: Some(number),
        text,
        terminated: true,
    };
    Chunk {
        index: 0,
        path: Cow::Borrowed("src/part"),
        language: Language::find(language),
        status: Status::Modified,
        is_test: false,
        is_complete: true,
        version: None,
        around: review::Around::Unknown,
        hidden: None,
        by_tool: false,
        hunks: vec![ChunkHunk {
            heading: Cow::Borrowed(heading),
            lines: Cow::Owned((40..).zip(text.lines()).map(line).collect()),
        }],
    }
}

/// Language, git's heading, the text, and the kind of cut.
const PARTS: &[(&str, &str, &str, &str)] = &[
    (
        "Python",
        "class A:",
        "        x = 1\n        return x\n\n    def b(self):\n        return 2\n",
        "in a method",
    ),
    (
        "Python",
        "def f():",
        "        go()\n    except ValueError:\n        stop()\n",
        "in a try block",
    ),
    (
        "Python", "def f():", "    b=1,\n    c=2,\n)\nd = 3\n", "in arguments",
    ),
    (
        "Python",
        "def f():",
        "    More words.\n    \"\"\"\n    return 1\n",
        "in a docstring",
    ),
    (
        "Python", "def f():", "    try:\n        go()\n", "before except",
    ),
    ("Python", "class A:", "    def b(self):\n", "after a header"),
    (
        "JavaScript",
        "",
        "    run();\n  });\n  it('x', () => {\n    go();\n",
        "in a callback",
    ),
    (
        "JavaScript", "class A {", "  }\n\n  b() {\n    return 1;\n", "between methods",
    ),
    (
        "JavaScript", "const a = {", "  b: 1,\n  c: 2,\n", "in an object",
    ),
    (
        "TypeScript", "interface A {", "  b: string;\n  c?: number;\n", "in an interface",
    ),
    (
        "Java",
        "public class A {",
        "        return 1;\n    }\n\n    int b() {\n        if (x) {\n",
        "in a method",
    ),
    (
        "Java",
        "class A {",
        "     * More words.\n     */\n    void a() {\n",
        "in a comment",
    ),
    (
        "Java",
        "void f() {",
        "            case 1:\n                go();\n                break;\n",
        "in a switch",
    ),
    (
        "Java",
        "void f() {",
        "        } catch (IOException e) {\n            stop();\n        }\n",
        "in a try block",
    ),
    (
        "Go",
        "func f() error {",
        "\tif err != nil {\n\t\treturn err\n\t}\n\treturn nil\n}\n\nfunc g() {\n",
        "in a function",
    ),
    (
        "Go", "type A struct {", "\tB int\n\tC string\n}\n", "in a struct",
    ),
    (
        "Rust",
        "impl A {",
        "        self.x\n    }\n\n    fn b(&self) -> u8 {\n        1\n",
        "in a method",
    ),
    (
        "Rust",
        "fn f() {",
        "        Some(x) => x,\n        None => 0,\n    }\n}\n",
        "in a match",
    ),
    (
        "C",
        "static int f(void)",
        "\treturn 1;\n}\n\nint g(int a)\n{\n\tif (a)\n",
        "in a function",
    ),
    (
        "C", "", "#else\nint x;\n#endif\n", "in a condition of the preprocessor",
    ),
    (
        "C++", "class A {", "  void b();\n\n private:\n  int c_;\n", "in a class",
    ),
    (
        "C#",
        "namespace A",
        "            return 1;\n        }\n\n        public int B()\n        {\n",
        "in a method",
    ),
    (
        "Ruby",
        "class A",
        "    x = 1\n  end\n\n  def b\n    go do |y|\n",
        "in a method",
    ),
    (
        "Ruby",
        "def f",
        "    go\n  rescue Error\n    stop\n  end\n",
        "in a begin block",
    ),
    (
        "Ruby",
        "class A",
        "  def b\n    run(<<~SQL, 'c')\n      if this\n",
        "in a heredoc at the end",
    ),
    (
        "PHP",
        "class A",
        "        return 1;\n    }\n\n    public function b()\n    {\n",
        "in a method",
    ),
    (
        "PHP", "return [", "    'a' => 1,\n    'b' => 2,\n", "in an array",
    ),
    (
        "PHP",
        "class A",
        "     * a\n     */\n    public function b($c, $d = '')\n    {\n        go();\n",
        "in a method",
    ),
    (
        "PHP", "function f()", "    go(\n        <<<EOT\nif this\n", "in a heredoc at the end",
    ),
    (
        "Kotlin",
        "class A {",
        "        return 1\n    }\n\n    fun b() {\n",
        "in a method",
    ),
    ("Shell", "", "  go\nfi\nfor x in a; do\n  go\n", "in an if"),
    (
        "YAML",
        "jobs:",
        "      - run: a\n    name: b\n  other:\n    name: c\n",
        "in a list",
    ),
    (
        "HCL", "resource", "  a = 1\n}\n\nresource \"a\" \"b\" {\n", "in a block",
    ),
];

#[test]
fn fragments_are_parsed_without_an_error() {
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
fn a_finding_in_a_completed_fragment_has_the_line_number_of_the_diff() {
    let part = file(
        "Python",
        "class A:",
        "        x = 1\n        return x\n\n    def b(self, y=[]):\n        return y\n",
    );
    let report = lint::scan(&part, rules::built_in(), &Limits::default());
    let found = report
        .candidates
        .iter()
        .find(|found| found.rule_id() == Some("python/mutable-default-argument"));
    let found = found.expect("the default argument");
    assert_eq!((found.line, found.scope.as_deref()), (43, Some("b")));
}

/// Fragments that start inside of a construct, for each language.
const STARTS: &[(&str, &[(&str, &str)])] = &[
    (
        "Python",
        &[
            (
                "a class",
                "    limit = 3\n\n    def total(self):\n        return self.a + self.b\n",
            ),
            (
                "a nested class",
                "        self.a = 1\n\n    class Meta:\n        ordering = [\"a\"]\n\nclass B:\n    pass\n",
            ),
            (
                "a function",
                "        if a:\n            b()\n        return c\n\n    def d(self):\n        pass\n",
            ),
            (
                "the arguments of a call",
                "        name=\"a\",\n        size=1,\n    )\n    return a\n",
            ),
            (
                "parameters",
                "        b: int,\n        c=None,\n    ) -> str:\n        return b\n",
            ),
            (
                "a list",
                "    \"a\",\n    \"b\",\n]\n\n\ndef c():\n    return 1\n",
            ),
            (
                "a dictionary",
                "        \"a\": 1,\n        \"b\": [2],\n    },\n    \"c\": 3,\n}\n",
            ),
            (
                "a docstring",
                "    of the text: it's a \"word\".\n\n    Args:\n        a: it.\n    \"\"\"\n    return a(b)\n",
            ),
            (
                "a string of three quotes",
                "WHERE a = 'b'\n'''\n\n\ndef c():\n    return 1\n",
            ),
            (
                "a condition",
                "            and b\n            or c):\n        return d\n",
            ),
            (
                "a comprehension",
                "        for a in b\n        if a > 0\n    ]\n    return c\n",
            ),
        ],
    ),
    (
        "JavaScript",
        &[
            (
                "a class",
                "  static a = 1;\n\n  get b() {\n    return 2;\n  }\n",
            ),
            (
                "a function",
                "    return a;\n  }\n  b();\n}\n\nfunction c() {\n",
            ),
            (
                "the arguments of a call",
                "    a,\n    b => b.c,\n  );\n  return d;\n}\n",
            ),
            (
                "an object",
                "    b: 1,\n    c() {\n      return 2;\n    },\n  };\n  return a;\n}\n",
            ),
            ("an array", "  'a',\n  'b',\n];\nconst c = 1;\n"),
            (
                "a comment",
                " * Returns it.\n * @param {string} a it's one\n */\nfunction b(a) {\n  return a;\n}\n",
            ),
            (
                "a template",
                "  and ${b} more\n`;\nconst c = 'd';\nrun(c);\n",
            ),
            (
                "a callback",
                "      expect(a).to.equal(b);\n      done();\n    });\n  });\n\n  it('c', function() {\n",
            ),
            (
                "a chain of calls",
                "    .then(a => a.b)\n    .catch(c);\n  d();\n",
            ),
            (
                "a switch",
                "      a();\n      break;\n    case 'b':\n      c();\n      break;\n    default:\n      d();\n",
            ),
        ],
    ),
    (
        "TypeScript",
        &[
            (
                "a class",
                "  private a: string = 'b';\n\n  constructor(private readonly c: D) {}\n",
            ),
            (
                "a function",
                "    const a = b as C;\n    return a!;\n  }\n\n  private d(e?: F): void {\n",
            ),
            (
                "the arguments of a call", "    a,\n    { b: c as D },\n  );\n}\n",
            ),
            (
                "an interface",
                "  a: string;\n  b?: (c: D) => void;\n}\n\nexport interface E {\n",
            ),
            (
                "a comment",
                "   * Returns it.\n   */\n  async a(): Promise<void> {\n    await b();\n  }\n",
            ),
            ("a template", "  ${a} and\n`;\nexport const b: C = 'd';\n"),
        ],
    ),
    (
        "Java",
        &[
            (
                "a class",
                "    private final int a = 1;\n\n    @Override\n    public String b() {\n        return \"c\";\n    }\n",
            ),
            (
                "a function",
                "        a.b();\n        return c;\n    }\n\n    private void d() {\n",
            ),
            (
                "the arguments of a call",
                "                a,\n                b -> b.c());\n        return d;\n    }\n",
            ),
            (
                "parameters",
                "            String b, int c) throws D {\n        e();\n    }\n",
            ),
            (
                "an array",
                "        \"a\",\n        \"b\",\n    };\n\n    int c;\n",
            ),
            (
                "a comment",
                "     * it's one.\n     * @return b\n     */\n    int a() {\n        return 1;\n    }\n",
            ),
            (
                "a text block",
                "            WHERE a = 'b'\n            \"\"\";\n        run(c);\n    }\n",
            ),
            (
                "a condition",
                "            && a != null\n            || b) {\n            return c;\n        }\n",
            ),
            (
                "a lambda",
                "            a.b();\n        });\n        c();\n    }\n",
            ),
        ],
    ),
    (
        "Go",
        &[
            (
                "a struct",
                "\tA int `json:\"a\"`\n\tB string\n}\n\nfunc (c *C) D() {\n",
            ),
            (
                "a function",
                "\t\treturn err\n\t}\n\ta := b()\n\treturn a\n}\n",
            ),
            (
                "the arguments of a call",
                "\t\ta,\n\t\tfunc() { b() },\n\t)\n\treturn c\n}\n",
            ),
            (
                "a literal",
                "\t\tA: 1,\n\t\tB: []string{\"c\"},\n\t}\n\treturn d\n}\n",
            ),
            (
                "a table of tests",
                "\t\t{\n\t\t\tname: \"a\",\n\t\t\twant: 1,\n\t\t},\n\t\t{\n\t\t\tname: \"b\",\n\t\t},\n\t}\n\tfor _, tt := range tests {\n",
            ),
            ("a comment", "it's the rest\n*/\nfunc A() {\n\tb()\n}\n"),
            ("a raw string", "WHERE a = 'b'\n`\n\treturn c(d)\n}\n"),
            (
                "a switch",
                "\t\ta()\n\tcase B:\n\t\tc()\n\tdefault:\n\t\treturn d\n\t}\n}\n",
            ),
            (
                "a select",
                "\t\t\treturn\n\t\tcase a := <-b:\n\t\t\tc(a)\n\t\t}\n\t}\n}\n",
            ),
            ("imports", "\t\"fmt\"\n\t\"os\"\n)\n\nfunc a() {\n"),
        ],
    ),
    (
        "Rust",
        &[
            (
                "an implementation",
                "    const A: u8 = 1;\n\n    pub fn b(&self) -> u8 {\n        self.c\n    }\n",
            ),
            (
                "a function",
                "        let a = b?;\n        Ok(a)\n    }\n\n    fn c(&mut self) {\n",
            ),
            (
                "the arguments of a call",
                "            a,\n            |b| b.c(),\n        );\n        d()\n    }\n",
            ),
            (
                "a literal",
                "            a: 1,\n            b,\n            ..c\n        };\n        d\n    }\n",
            ),
            ("a comment", " it's the rest\n */\nfn a() {\n    b()\n}\n"),
            (
                "a match",
                "            A::B { c } => d(c),\n            A::E(_) => {\n                f();\n            }\n        }\n    }\n",
            ),
            (
                "a struct",
                "    pub a: String,\n    b: Option<u8>,\n}\n\nimpl C {\n",
            ),
            (
                "a where clause",
                "    where\n        A: B,\n    {\n        c()\n    }\n",
            ),
            (
                "a chain of calls",
                "            .map(|a| a.b)\n            .collect::<Vec<_>>();\n        c\n    }\n",
            ),
        ],
    ),
    (
        "C",
        &[
            (
                "a struct",
                "\tint a;\n\tstruct b *c;\n};\n\nstatic int d(void)\n{\n",
            ),
            (
                "a function",
                "\t\treturn -1;\n\t}\n\ta = b->c;\n\treturn a;\n}\n",
            ),
            (
                "the arguments of a call", "\t\t a, b);\n\tif (c)\n\t\treturn d;\n",
            ),
            ("parameters", "\t     int b, char *c)\n{\n\treturn b;\n}\n"),
            (
                "a literal",
                "\t{ \"a\", 1 },\n\t{ \"b\", 2 },\n};\n\nint c;\n",
            ),
            (
                "a comment",
                " * it's one\n */\nint a(void)\n{\n\treturn 1;\n}\n",
            ),
            (
                "a switch",
                "\t\ta();\n\t\tbreak;\n\tcase B:\n\t\tc();\n\t\tbreak;\n\t}\n\treturn d;\n}\n",
            ),
            ("a condition", "\t    && a->b > 0) {\n\t\tc();\n\t}\n"),
        ],
    ),
    (
        "C++",
        &[
            (
                "a class",
                "  int a() const { return b_; }\n\n protected:\n  std::string b_;\n};\n",
            ),
            (
                "a function",
                "    a::b(c);\n    return d;\n}\n\nE::E(int f) : g(f) {\n",
            ),
            (
                "the arguments of a call",
                "        a, [&](int b) { return b; });\n    return c;\n}\n",
            ),
            ("a literal", "    {\"a\", 1},\n    {\"b\", 2},\n};\n"),
            ("a comment", " * it's one\n */\nvoid A::b() {\n  c();\n}\n"),
            ("initialisers", "    : a(b)\n    , c(d)\n{\n    e();\n}\n"),
        ],
    ),
    (
        "C#",
        &[
            (
                "a class",
                "        public int A { get; set; }\n\n        private readonly B _b;\n",
            ),
            (
                "a function",
                "            await a.B();\n            return c;\n        }\n\n        private void D()\n        {\n",
            ),
            (
                "the arguments of a call",
                "                a,\n                b => b.C);\n            return d;\n        }\n",
            ),
            (
                "a literal",
                "                A = 1,\n                B = \"c\",\n            };\n            return d;\n        }\n",
            ),
            (
                "a comment",
                "         * it's one\n         */\n        void A()\n        {\n            B();\n        }\n",
            ),
            (
                "a query",
                "                .Where(a => a.B)\n                .ToList();\n            return c;\n",
            ),
        ],
    ),
    (
        "Ruby",
        &[
            (
                "a class",
                "    attr_reader :a\n\n    def b\n      @b ||= c\n    end\n",
            ),
            (
                "a function",
                "      a.b\n    end\n\n    private\n\n    def c(d)\n",
            ),
            (
                "the arguments of a call",
                "      a: 1,\n      b: 2\n    )\n    c\n  end\n",
            ),
            ("a literal", "    a: 1,\n    'b' => 2,\n  }\n  c\nend\n"),
            (
                "a block",
                "      expect(a).to eq(b)\n    end\n  end\n\n  it 'c' do\n",
            ),
            (
                "a chain of calls",
                "      .where(a: 1)\n      .order(:b)\n  end\n",
            ),
            (
                "a heredoc",
                "      if that's (so\n    SQL\n    run\n  end\n",
            ),
        ],
    ),
    (
        "PHP",
        &[
            (
                "a class",
                "    private $a = 1;\n\n    public function b(): string\n    {\n        return 'c';\n    }\n",
            ),
            (
                "a function",
                "        $a->b();\n        return $c;\n    }\n\n    private function d()\n    {\n",
            ),
            (
                "the arguments of a call",
                "            $a,\n            function ($b) { return $b; }\n        );\n        return $c;\n    }\n",
            ),
            (
                "a literal",
                "            'a' => 1,\n            'b' => [2],\n        ];\n        return $c;\n    }\n",
            ),
            (
                "a comment",
                "     * it's one\n     */\n    public function a()\n    {\n        return 1;\n    }\n",
            ),
            (
                "a chain of calls",
                "            ->a($b)\n            ->c();\n        return $d;\n    }\n",
            ),
            (
                "a heredoc",
                "    if that's (so\nEOT;\n        return $a;\n    }\n",
            ),
        ],
    ),
    (
        "Kotlin",
        &[
            (
                "a class",
                "    private val a = 1\n\n    override fun b(): String {\n        return \"c\"\n    }\n",
            ),
            (
                "a function",
                "        a.b()\n        return c\n    }\n\n    private fun d() {\n",
            ),
            (
                "the arguments of a call",
                "            a = 1,\n            b = c,\n        )\n        d()\n    }\n",
            ),
            (
                "parameters",
                "    val a: Int,\n    private val b: String,\n) {\n    fun c() = a\n}\n",
            ),
            (
                "a comment",
                "     * it's one\n     */\n    fun a() {\n        b()\n    }\n",
            ),
            (
                "a string of three quotes",
                "            WHERE a = 'b'\n        \"\"\".trimIndent()\n        c()\n    }\n",
            ),
            (
                "a when",
                "            is A -> b()\n            else -> {\n                c()\n            }\n        }\n    }\n",
            ),
        ],
    ),
    (
        "Shell",
        &[
            ("a function", "  a \"$b\"\n}\n\nc() {\n  d\n"),
            ("an if", "    a\n  else\n    b\n  fi\n  c\n"),
            (
                "a case",
                "    a)\n      b\n      ;;\n    *)\n      c\n      ;;\n  esac\n",
            ),
            ("an array", "  a\n  \"b c\"\n)\nd\n"),
            ("a heredoc", "  if that's (so\nEOF\nfi\na\n"),
        ],
    ),
    (
        "SQL",
        &[(
            "the columns of a table",
            "  a integer NOT NULL,\n  b text\n);\n\nCREATE INDEX c ON d (a);\n",
        )],
    ),
    (
        "YAML",
        &[
            ("a mapping", "    a: b\n    c: [d]\n  e:\n    f: g\nh: i\n"),
            ("a list", "    - a: b\n      c: d\n    - a: e\n  f: g\n"),
            (
                "a block of text",
                "      echo a: b\n      run --it\n  c:\n    d: e\n",
            ),
        ],
    ),
    (
        "JSON",
        &[
            (
                "an object",
                "    \"a\": 1,\n    \"b\": [2]\n  },\n  \"c\": {\n    \"d\": 3\n",
            ),
            ("a list", "    \"a\",\n    \"b\"\n  ],\n  \"c\": 1\n}\n"),
        ],
    ),
    (
        "HCL",
        &[
            ("a block", "  a = b.c\n\n  d {\n    e = 1\n  }\n}\n"),
            ("an object", "    a = 1\n    b = \"c\"\n  }\n  d = 2\n}\n"),
            ("a list", "    \"a\",\n    b.c,\n  ]\n}\n"),
        ],
    ),
    (
        "Dockerfile",
        &[("a command", "    a && \\\n    b\nCOPY c d\n")],
    ),
];

#[test]
fn a_fragment_that_starts_inside_a_construct_is_parsed() {
    let mut failures = Vec::new();
    for (language, starts) in STARTS {
        for (inside, text) in *starts {
            let readings = testing::readings(&file(language, "", text), &Limits::default());
            let new = readings.first().expect("a new side");
            if !new.clean {
                failures.push(format!("{language}, inside {inside}: {new:?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}
