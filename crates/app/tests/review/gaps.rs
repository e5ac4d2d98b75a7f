//! Code that a grammar cannot read: what a strict run accepts, and attempts to hide code in it.

use crate::support::Folder;

/// A run with `--strict` on a branch that adds a file.
fn strict(path: &str, text: &str) -> (i32, Vec<String>) {
    let folder = Folder::repository(&[("README", "a\n")]);
    folder.git(&["checkout", "--quiet", "-b", "topic"]);
    folder.write(path, text);
    folder.commit("more");
    let run = folder.hunkwise(&["review", "--base", "main", "--strict", "--format", "json"]);
    (run.status, run.warnings())
}

/// Statements of PostgreSQL, SQLite and MySQL that the grammar of SQL does not know.
const STATEMENTS: &[&str] = &[
    "ALTER TABLE r ADD UNIQUE (a, b);",
    "ALTER TABLE r ALTER COLUMN x TYPE TEXT COLLATE \"C\";",
    "INSERT INTO s (n) SELECT 'A' WHERE NOT EXISTS (SELECT 1 FROM s);",
    "WITH x AS (SELECT 1 AS a) DELETE FROM t USING x WHERE t.a = x.a;",
    "PRAGMA foreign_keys = ON;",
    "CREATE TABLE a (b INTEGER) STRICT;",
    "CREATE TRIGGER x AFTER INSERT ON a BEGIN DELETE FROM b; END;",
    "DROP TRIGGER x;",
    "INSERT OR IGNORE INTO a VALUES (1);",
    "CREATE TABLE a (b TEXT CHARACTER SET utf8mb4);",
    "DELETE a FROM a JOIN b ON a.x = b.x;",
];

#[test]
fn everyday_sql_passes_a_strict_run_and_does_not_hide_what_follows() {
    for statement in STATEMENTS {
        let text = format!("SELECT 1;\n{statement}\nSELECT 2;\n");
        let noted = vec!["STATEMENT_PARTLY_READ m/a.sql".to_owned()];
        assert_eq!(strict("m/a.sql", &text), (0, noted), "{statement}");
        let (status, _) = strict(
            "m/a.sql",
            &format!("{text}DELETE FROM orders WHERE d = NULL;\n"),
        );
        assert_eq!(status, 1, "{statement}");
        let (status, _) = strict(
            "m/a.sql",
            &format!("{statement} DELETE FROM orders WHERE d = NULL;\n"),
        );
        assert_eq!(status, 1, "{statement}");
    }
}

#[test]
fn new_syntax_macros_and_templates_pass_a_strict_run() {
    for (path, text) in [
        (
            "src/a.test.ts",
            "mock('x', async (importOriginal) => ({\n  ...(await importOriginal<typeof import('@/x')>()),\n  b: c(),\n}));\n",
        ),
        (
            "chart/templates/a.yaml",
            "a:\n{{- if .Values.x }}\n  b: {{ .Values.y | quote }}\n{{- end }}\n",
        ),
        ("a.c", "static int __init f(void)\n{\n\treturn g(1);\n}\n"),
        (
            "a.c",
            "int f(int a)\n{\n  if(a)\n    return 1;\n  else\n#ifdef X\n  if(a ==\n#ifndef Y\n     1 +\n#endif\n     2)\n    return 2;\n  else\n#endif\n    return 3;\n}\n",
        ),
        (
            "a.c",
            "int f(int a)\n{\n  g(a,\n#ifdef X\n    1);\n#else\n    2);\n#endif\n  if(a &&\n#if Y\n     h(a)) {\n    k();\n#elif Z\n     i(a)) {\n#else\n     j(a)) {\n#endif\n    return 1;\n  }\n  return a +\n#ifdef X\n    1;\n#else\n    2;\n#endif\n}\n",
        ),
        (
            "a.c",
            "#ifdef X\nstatic int f(int a)\n#else\nstatic int f(char a)\n#endif\n{\n#ifdef X\n  int b = g(a,\n#else\n  int b = h(\n#endif\n            2);\n  return b;\n}\nstatic const int c[] = {\n  1,\n#ifdef X\n  2 };\n#else\n  3 };\n#endif\n",
        ),
        (
            "a.c",
            "void f(void)\n{\n  g(\"a\"\n#ifdef X\n    \"b\"\n#else\n    \"c\"\n#endif\n    \"d\",\n#ifdef Y\n    1\n#else\n    2\n#endif\n    );\n}\n",
        ),
        (
            "a.h",
            "#define A { \\\n  \"x\", /* one */ \\\n  \"y\"  /* two */ \\\n}\nstruct s {\n  int a;\n\n  COMPAT_BEGIN(2)\n  COMPAT_END\n};\n",
        ),
        (
            "a.c",
            "void f(struct s *s)\n{\n  FOREACH_PTR(G(s), p) {\n    g(p);\n  }\n  CHECK_ALLOC(&n, sizeof(struct s), m)\n\n  p = h(n);\n}\n",
        ),
        (
            "a.go",
            "package a\n\nvar p = new(int64(52000))\nvar q = new(\"a\")\n",
        ),
        ("a.json", "{ \"a\": 1.98e+30 }\n"),
        (
            "a.json",
            "{\n  \"a\": {\n    \"b\": \"c\", // why\n  },\n  \"d\": [\n    1,\n  ],\n  \"e\": \"f\n  g\",\n  \"h\": 2\n}\n",
        ),
        (
            "a.sql",
            "DROP PROCEDURE IF EXISTS p;\ndelimiter d//\nCREATE PROCEDURE p()\nBEGIN\n    IF EXISTS (SELECT 1 FROM c WHERE a = 'b')\n    THEN\nALTER TABLE t ADD COLUMN a INT;\nEND IF;\nEND;\nd//\ndelimiter ;\nCALL p;\n",
        ),
        (
            "a.sql",
            "delimiter d//\nCREATE OR REPLACE FUNCTION f() RETURNS void AS $$\nBEGIN\n      IF EXISTS (SELECT 1 FROM c WHERE a = 'b')\n      THEN\nALTER TABLE t\n    ADD COLUMN a INT;\nEND IF;\nEND;\n$$ LANGUAGE plpgsql;\nd//\n\nselect f();\nDROP FUNCTION IF EXISTS f();\n",
        ),
        (
            "a.sql",
            "CREATE OR REPLACE FUNCTION f(a jsonb, b text)\nRETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$\nBEGIN\n  IF jsonb_typeof(a) = 'array' THEN\n    RETURN EXISTS (\n      SELECT 1 FROM jsonb_array_elements(a) AS e WHERE e #>> '{}' = b\n    );\n  END IF;\n  RETURN a #>> '{}' LIKE '%' || b || '%';\nEND;\n$$;\n",
        ),
        (
            "src/b.ts",
            "f('x', async original => {\n  const mod = await original<typeof import('@/x')>()\n  return { ...mod, g: h() }\n})\n",
        ),
        (
            "src/b.ts",
            "function f(a: A, b: B) {\n  [, a as T] = g(b);\n  [b as T] = h(a);\n}\n",
        ),
        (
            "b.cpp",
            "template<typename T>\nauto f(T const& a, S s)\n{\n    auto& b = a.*(s::member);\n    auto c = decltype(a.d){ A::b, A::c };\n    return b == (a->*c)(1);\n}\nclass A\n{\n    A(B const& b, IF_OLD(size, int) const c);\n    IF_OLD(size, int) d_;\n};\n",
        ),
        (
            "b.c",
            "#define LOCAL __thread\nstatic LOCAL uintptr_t a;\nstatic LOCAL bool b = false;\nstatic LOCAL Table *c = NULL;\nextern LOCAL size_t d;\n",
        ),
        (
            "a.h",
            "class A : public QObject\n{\n    Q_OBJECT\n    Q_PROPERTY(QList<B*> b READ b NOTIFY changed)\n\npublic slots:\n    void f(const QString& name = {}, int n = 1);\n    void WINAPI h();\n\nsignals:\n    void changed();\n};\n",
        ),
        (
            "a.c",
            "void f(void)\n{\n  first_try {\n    g(1);\n  }\n#if A\n  if (h() && i(2)) {\n    int j;\n#else\n  if (h()) {\n    char j;\n#endif\n    k(&j);\n  }\n}\n",
        ),
        (
            "a.cpp",
            "void f(Menu *menu)\n{\n    connect(menu, SIGNAL(triggered(QAction*)), SLOT(open(QAction*)));\n    try\n    {\n        g();\n    }\n    CATCH_LOG()\n    h();\n}\n",
        ),
        (
            "Dockerfile.j2",
            "FROM a:1\nRUN a && \\\n{% if x %}\n    {{ b() }} && \\\n{% endif %}\n    c\n",
        ),
        (
            "a.cpp",
            "void A::f()\n{\n    connect(a, SIGNAL(b(int,bool)), SLOT(c(int, QString)));\n    connect(a, static_cast<void (B::*)(C const&)>(&B::d), this);\n    // why\n    RUN_LATER(\n        D* d = e();\n        VERIFY(d);\n\n        g(d););\n    h();\n}\n",
        ),
        (
            "a.h",
            "class A_EXPORT A : public B\n{\n    Q_OBJECT\n\npublic:\n    void f(int a = -1, const C* = nullptr);\n};\n",
        ),
        (
            "a.c",
            "API(const char *) e(\n  int a);\nvoid f(va_list param)\n{\n  void *a = va_arg(param, void *);\n  g(va_arg(param, unsigned long), va_arg(param, struct s *));\n}\nenum e {\n  OPTION(A, LONG, 1),\n  OPTION(B, LONG, 8.22.0, \"why\"),\n  C\n};\n",
        ),
        (
            "a.h.in",
            "#ifndef A\n#define A\n/* a */\n#cmakedefine B 1\n${SIZE_CODE}\n#define C @C@\n#endif\n",
        ),
        (
            "Dockerfile.j2",
            "{% macro a(b) -%}\n# why\n    if c \"$(d \"$(e)\")\"; then \\\n        {{ b }}; \\\n    fi\n{%- endmacro %}\nFROM a:1\nENV A=1 \\\n    B=2\n{%- if c %} \\\n    # why\n    C=3\n{%- endif %}\n\nRUN {{ a(\"x\") }} && \\\n    f\n",
        ),
        (
            "src/a.tsx",
            "const A = styled.div<{ $b: boolean }>`\n  display: flex;\n`;\nexport const b = <a href=\"https://x.y/?a=1&utm_source=c\">d</a>;\n",
        ),
        (
            "src/a.ts",
            "export interface A {\n  'a.b': string\n  in: string\n  'c.d': string\n}\n",
        ),
        (
            "src/a.rs",
            "fn f(\n    #[future(awt)]\n    #[from(stores)]\n    parts: (A, B),\n) {\n    g(parts);\n}\n",
        ),
        (
            "a.h",
            "API_EXTERN ALLOC_FUNC ALLOC_SIZE2(1, 2)\n  void *f(size_t a, size_t b);\nAPI_EXTERN time_t g(const char *p,\n                    unsigned int c);\nAPI_EXTERN char *h(HANDLE *handle, const char *string,\n                   int length);\n",
        ),
        (
            "a.c",
            "void f(int a)\n{\n  if(g(a)) {\n    VERBOSE(char buffer[LEN]);\n    VERBOSE(int error = h());\n    k(error, buffer);\n  }\n}\n",
        ),
        (
            "a.cs",
            "class A\n{\n    void F() => g($@\"SELECT COUNT(*) FROM \"\"{t}\"\"\", 0, $@\"{a}\"\"\");\n}\n",
        ),
        (
            "a.sql",
            "\u{feff}CREATE PROCEDURE [dbo].[A_Create]\n    @Id INT OUTPUT,\n    @Key VARCHAR(MAX) = NULL\nAS\nBEGIN\n    SET NOCOUNT ON\n\n    INSERT INTO [dbo].[A]\n    (\n        [Id]\n    )\n    VALUES\n    (\n        @Id\n    )\nEND\nGO\n\nIF COL_LENGTH('[dbo].[A]', 'B') IS NULL\nBEGIN\n    ALTER TABLE [dbo].[A]\n        ADD [B] VARCHAR(MAX) NULL;\nEND\nGO\n",
        ),
        (
            "src/a.kt",
            "class A {\n    val state: StateFlow<State>\n        field = MutableStateFlow(State.Loading)\n\n    context(context: Context)\n    fun f() {\n        g()\n    }\n}\n",
        ),
    ] {
        let noted = vec![format!("STATEMENT_PARTLY_READ {path}")];
        assert_eq!(strict(path, text), (0, noted), "{path}");
    }
}

#[test]
fn a_tag_of_php_in_a_string_ends_no_code() {
    let text = "<?php\nfunction f(): void\n{\n    $a = g(\"<?php ?>\", 'png');\n    h($a);\n}\n";
    assert_eq!(strict("a.php", text), (0, Vec::new()));
}

#[test]
fn a_large_file_of_json_is_read_in_parts() {
    let entry = |at: usize| {
        format!(
            "    \"a{at}\": {{\n      \"b\": [\"{}\"]\n    }},\n",
            "c".repeat(80)
        )
    };
    let entries: String = (0..6_000).map(entry).collect();
    let text = format!("{{\n  \"d\": {{\n{entries}    \"e\": 1\n  }}\n}}\n");
    assert_eq!(strict("a.json", &text), (0, Vec::new()));
}

/// A run with `--strict` on a branch that changes a file.
fn strict_change(path: &str, old: &str, new: &str) -> i32 {
    let folder = Folder::repository(&[(path, old)]);
    folder.git(&["checkout", "--quiet", "-b", "topic"]);
    folder.write(path, new);
    folder.commit("change");
    let run = folder.hunkwise(&["review", "--base", "main", "--strict", "--format", "json"]);
    run.status
}

#[test]
fn only_the_lines_of_the_change_have_to_be_readable() {
    const OLD: &str = "#include <stdio.h>\nstatic LOCAL_DATA int a;\nint f(void)\n{\n  return g((int) @ 1, } 2);\n}\n";
    let with = |more: &str| format!("{OLD}{more}");
    let read = "static LOCAL_DATA int b;\nint h(void)\n{\n  return 1;\n}\n";
    assert_eq!(strict_change("a.c", OLD, &with(read)), 0);
    let found = "static LOCAL_DATA int b;\nint h(char *s)\n{\n  gets(s);\n  return 1;\n}\n";
    assert_eq!(strict_change("a.c", OLD, &with(found)), 1);
    let branches = "int h(int b)\n{\n  if(b &&\n#ifndef A\n     (f() || i())) {\n#else\n     f()) {\n#endif\n    return 1;\n  }\n  return 0;\n}\n";
    assert_eq!(
        strict_change(
            "a.c",
            "int f(void);\n",
            &format!("int f(void);\n{branches}")
        ),
        0
    );
    for unread in [
        "int h(void)\n{\n  return g((int) @ 1, } 2);\n}\n",
        "int h(char *s)\n{\n  @ (gets(s); \n  return 1;\n}\n",
    ] {
        assert_eq!(strict_change("a.c", OLD, &with(unread)), 3, "{unread}");
    }
}

#[test]
fn code_around_or_in_a_statement_that_cannot_be_read_is_found_or_fails_a_strict_run() {
    const GAP: &str = "...(await o<typeof import('@/x')>())";
    for (path, text, status) in [
        (
            "a.ts",
            format!("const z = {{ {GAP} }};\nif (x == NaN) {{ y(); }}\n"),
            1,
        ),
        ("a.ts", format!("const z = {{ {GAP}, b: x == NaN }};\n"), 1),
        (
            "a.ts",
            format!(
                "function f(req: any) {{\n  const z = {{ {GAP} }};\n  eval(req.query.c);\n}}\n"
            ),
            1,
        ),
        (
            "a.ts",
            "f();\nconst z = [1, (2;\nif (x == NaN) { y(); }\n".to_owned(),
            3,
        ),
        (
            "a.ts",
            "f();\nconst z = `a;\nif (x == NaN) { y(); }\n".to_owned(),
            3,
        ),
        (
            "a.ts",
            "f();\nconst z = 'a;\nif (x == NaN) { y(); }\n".to_owned(),
            3,
        ),
        ("a.ts", "f();\n/* a\nif (x == NaN) { y(); }\n".to_owned(), 3),
        ("a.ts", "f();\n# a if (x == NaN) { y(); }\n".to_owned(), 3),
        (
            "a.c",
            "#include <stdio.h>\nstatic int __init f(char *s)\n{\n\tgets(s);\n\treturn 0;\n}\n"
                .to_owned(),
            1,
        ),
        (
            "a.tsx",
            "const A = styled.div<{ b: C }>`x`;\nexport const f = (req: Request) => a.b<eval(req.query.c)>`x`;\n"
                .to_owned(),
            1,
        ),
        (
            "a.c",
            "#include <stdio.h>\nint f(int a, char *s)\n{\n  if(a)\n    return 1;\n  else\n#ifdef X\n  if(a)\n    gets(s);\n  else\n#endif\n    return 3;\n}\n"
                .to_owned(),
            1,
        ),
        (
            "a.c",
            "#include <stdio.h>\nvoid f(char *s, char *t)\n{\n#ifdef X\n  fgets(\n#else\n  gets(\n#endif\n    s);\n}\n".to_owned(),
            1,
        ),
        (
            "a.c",
            "#include <stdio.h>\nvoid f(char *s, int a)\n{\n  if(a &&\n#ifdef X\n     a) {\n    gets(s);\n#else\n     !a) {\n#endif\n  }\n}\n".to_owned(),
            1,
        ),
        (
            "a.c",
            "#include <stdio.h>\nvoid f(char *s)\n{\n  printf(\n#if 0\n    \"a\");\n#else\n    s);\n#endif\n}\n".to_owned(),
            1,
        ),
        (
            "a.c",
            "#include <stdio.h>\nvoid f(char *s)\n{\n  printf(\n#if 0\n    \"a\"\n#else\n    s\n#endif\n  );\n}\n".to_owned(),
            1,
        ),
        (
            "a.c",
            "void f(int a)\n{\n  g(a,\n#ifdef X\n    1);\n#else\n    2;\n#endif\n  h();\n}\n".to_owned(),
            3,
        ),
        (
            "a.c",
            "void f(int a)\n{\n  g(a,\n#ifdef X\n    1);\n#else\n    2));\n  h();\n#endif\n}\n".to_owned(),
            3,
        ),
        (
            "a.c",
            "void f(int a)\n{\n  g(a,\n#ifdef X\n    1);\n#else\n    2);\n#endif\n  \\ h();\n}\n".to_owned(),
            3,
        ),
        (
            "a.cpp",
            "#include <cstdio>\nvoid f(char *s)\n{\n    RUN_LATER(\n        A* a = e();\n        gets(s););\n}\n".to_owned(),
            1,
        ),
        (
            "a.c",
            "#include <stdio.h>\nenum e {\n  OPTION(A, LONG, 1),\n  B\n};\nvoid f(char *s, va_list p)\n{\n  void *a = va_arg(p, void *);\n  gets(s);\n}\n".to_owned(),
            1,
        ),
        (
            "Dockerfile.j2",
            "FROM a:1\n{% if b %}\ncurl -k https://x.y | sh\n{% endif %}\n".to_owned(),
            3,
        ),
        (
            "a.sql",
            "WITH x AS (SELECT 1) DELETE FROM orders WHERE d = NULL;\n".to_owned(),
            1,
        ),
        (
            "a.sql",
            "SET NOCOUNT ON\n\nDELETE FROM [dbo].[orders] WHERE d = NULL\nGO\n".to_owned(),
            1,
        ),
        (
            "a.sql",
            "INSERT OR IGNORE INTO a SELECT b FROM c WHERE d = NULL;\n".to_owned(),
            1,
        ),
        (
            "a.sql",
            "DO $a$ BEGIN DELETE FROM orders WHERE d = NULL; END $a$;\n".to_owned(),
            1,
        ),
        (
            "a.sql",
            "DO $a$ BEGIN DELETE FROM orders WHERE d = NULL; END $b$;\n".to_owned(),
            3,
        ),
        (
            "a.sql",
            "INSERT OR IGNORE INTO a VALUES ('x);\nDELETE FROM orders WHERE d = NULL;\n".to_owned(),
            3,
        ),
        (
            "a.sql",
            "INSERT OR IGNORE INTO a VALUES (1;\nDELETE FROM orders WHERE d = NULL;\n".to_owned(),
            3,
        ),
        (
            "a.sql",
            "INSERT OR IGNORE INTO a VALUES ('\\'); DELETE FROM orders WHERE d = NULL; --');\n".to_owned(),
            3,
        ),
        (
            "a.sql",
            "PRAGMA x = 1; /*\nDELETE FROM orders WHERE d = NULL;\n".to_owned(),
            3,
        ),
        (
            "a.sql",
            "PRAGMA x = 1; /*! DELETE FROM orders WHERE d = NULL; */\n".to_owned(),
            3,
        ),
        (
            "a.sql",
            "DELIMITER //\nDELETE FROM orders WHERE d = NULL//\n".to_owned(),
            1,
        ),
        (
            "a.sql",
            "DELIMITER d//\nCREATE PROCEDURE p()\nBEGIN\n  SELECT 1;\nEND;\nd//\ndelimiter ;\nDELETE FROM orders WHERE d = NULL;\n".to_owned(),
            1,
        ),
        (
            "a.sql",
            "DELIMITER //\nCREATE PROCEDURE p()\nBEGIN\n  SELECT 1//\nDELETE FROM orders WHERE d = NULL//\nEND//\n".to_owned(),
            3,
        ),
        (
            "a.sql",
            "DELIMITER //\nSELECT 'a // ; DELETE FROM orders WHERE d = NULL // '//\n".to_owned(),
            3,
        ),
        (
            "a.sql",
            "INSERT OR IGNORE INTO a SELECT b #>> '{c}' FROM d;\nDELETE FROM orders # WHERE d = 1;\n;\n".to_owned(),
            3,
        ),
        (
            "a.cpp",
            "#include <cstdio>\nvoid f(char *s, S t)\n{\n    auto& b = t.*(gets(s));\n}\n".to_owned(),
            1,
        ),
        (
            "a.cpp",
            "#include <cstdio>\nvoid f(char *s)\n{\n    IF_OLD(a, b) gets(s);\n    auto c = decltype(a.b){ 1 };\n}\n".to_owned(),
            3,
        ),
        (
            "a.json",
            "{\n  \"a\": [1, 2,],\n  \"b\": \"c\n\n}\n".to_owned(),
            3,
        ),
        (
            "a.ts",
            "let a: A;\n[a as A] = [eval(location.hash)];\n".to_owned(),
            1,
        ),
        (
            "a.php",
            "<?php\n$a = \"?>\"; eval($_GET['x']);\n".to_owned(),
            1,
        ),
        (
            "a.php",
            "<?php\n// '?>\n<p>it's</p>\n<?php eval($_GET['x']);\n".to_owned(),
            1,
        ),
        (
            "a.sql",
            "CREATE TRIGGER x AFTER INSERT ON a BEGIN SELECT 1;\nDELETE FROM orders WHERE d = NULL;\n".to_owned(),
            3,
        ),
    ] {
        assert_eq!(strict(path, &text).0, status, "{path}: {text}");
    }
}

#[test]
fn an_expression_of_a_workflow_is_not_taken_for_a_template() {
    let workflow = "on: issues\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: echo ${{ github.event.issue.title }}\n";
    for text in [
        workflow.to_owned(),
        format!("{workflow}{{{{- if .x }}}}\n"),
        format!("{{{{/*\n{workflow}"),
        format!("{{{{- if .x }}}}\n{workflow}{{{{- end }}}}\n"),
    ] {
        let (status, _) = strict(".github/workflows/a.yml", &text);
        assert!(matches!(status, 1 | 3), "{status}: {text}");
    }
}

#[test]
fn files_of_kinds_that_are_not_reviewed_are_no_annotations() {
    let folder = Folder::repository(&[("a.py", "f()\n")]);
    folder.git(&["checkout", "--quiet", "-b", "topic"]);
    folder.write("package-lock.json", "{}\n");
    folder.write("a.md", "# A\n");
    folder.write("b.md", "# B\n");
    folder.commit("more");
    let run = folder.hunkwise(&["review", "--base", "main", "--format", "github"]);
    let line = "3 files of kinds that are not reviewed as code: 2 Markdown, 1 lock file\n";
    assert_eq!((run.status, run.stdout.as_str()), (0, line), "{run:?}");
    let run = folder.hunkwise(&["review", "--base", "main", "--format", "json"]);
    assert_eq!(run.warnings().len(), 3, "{run:?}");
}
