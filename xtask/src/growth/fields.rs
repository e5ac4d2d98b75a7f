//! The parts of a diff other than code: long ones, and many of each.

use super::case::{Case, Diff, FILES, On, times, until};

/// The service's limits on paths, hunk headings, lines, and parents of a combined diff.
const PATH: usize = 4_000;
const HEADING: usize = 4_000;
const LINE: usize = 1_000_000;
const PARENTS: usize = 64;

/// A line with a finding.
const FINDING: &str = "+def f(items=[]): pass";

/// All cases. Those with `refused` in their names exceed a limit: rejecting them must be cheap, too.
pub(super) fn cases() -> Vec<Case> {
    let mut cases = names();
    cases.extend(hunks());
    cases.extend(forms());
    cases.extend(lines());
    cases.extend(findings());
    cases.extend(several_files());
    cases
}

fn added(count: usize) -> Vec<String> {
    (0..count)
        .map(|number| format!("+x{number} = {number}"))
        .collect()
}

/// One changed line in a file of this name.
fn one_line(path: &str) -> String {
    format!(
        "diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
    )
}

/// A file name built from a repeated part.
fn named(name: &str, piece: &'static str, suffix: &'static str) -> [Case; 2] {
    let path = move |bytes: usize| format!("{}{suffix}", until(bytes, |_| piece.to_owned()));
    [
        Case::new(format!("path/{name}"), move |bytes| {
            until(bytes, |number| one_line(&format!("{number}{}", path(PATH))))
        })
        .only_full_if(true),
        Case::new(format!("path/{name}/refused"), move |bytes| {
            one_line(&path(bytes))
        }),
    ]
}

fn names() -> Vec<Case> {
    let pieces = [
        ("dots", ".", "py"),
        ("suffixes", ".py", ""),
        ("dots and letters", ".a", ".py"),
        ("folders", "a/", "a.py"),
        ("slashes", "/", "a.py"),
        ("parents", "../", "a.py"),
        ("unicode", "ä", ".py"),
        ("spaces", " ", "a.py"),
        ("test", "test_", ".py"),
        ("minus", "-", ".js"),
        ("min", ".min", ".js"),
    ];
    let mut cases: Vec<Case> = pieces
        .into_iter()
        .flat_map(|(name, piece, suffix)| named(name, piece, suffix))
        .collect();
    let quoted = |path: &str| {
        format!(
            "diff --git \"a/{path}\" \"b/{path}\"\n--- \"a/{path}\"\n+++ \"b/{path}\"\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
        )
    };
    for (name, piece) in [
        ("octal", "\\303\\244"),
        ("quotes", "\\\""),
        ("backslashes", "\\\\"),
    ] {
        let path = move |bytes: usize| format!("{}.py", until(bytes, |_| piece.to_owned()));
        cases.push(Case::new(format!("path/quoted {name}"), move |bytes| {
            until(bytes, |number| quoted(&format!("{number}{}", path(PATH))))
        }));
        cases.push(Case::new(
            format!("path/quoted {name}/refused"),
            move |bytes| quoted(&path(bytes)),
        ));
    }
    cases.push(Case::new(
        "path/spaces in an unquoted git header/refused",
        |bytes| {
            let path = until(bytes / 2, |_| "a b/".to_owned());
            format!("diff --git a/{path}c b/{path}c\nold mode 100644\nnew mode 100755\n")
        },
    ));
    cases.push(Case::new("path/ambiguous git header", |bytes| {
        until(bytes, |number| {
            let path = until(PATH / 2, |_| " b/x".to_owned());
            format!(
                "diff --git a/{number}{path} b/{number}{path}\nold mode 100644\nnew mode 100755\n"
            )
        })
    }));
    cases
}

fn hunks() -> Vec<Case> {
    let many = |body: fn(usize) -> Vec<String>, heading: fn(usize) -> String| {
        move |bytes: usize| {
            let mut diff = Diff::default();
            diff.head("src/a.py");
            for number in 0.. {
                diff.hunk(number * 20 + 1, &heading(number), &body(number));
                if diff.len() >= bytes {
                    break;
                }
            }
            diff.text()
        }
    };
    let none = |_| String::new();
    let changed: fn(usize) -> Vec<String> = |n| vec![format!("-x{n} = 1"), format!("+x{n} = 2")];
    vec![
        Case::new("hunks/changed", many(changed, none)),
        Case::new(
            "hunks/same",
            many(|_| vec!["-x = 1".to_owned(), "+x = 2".to_owned()], none),
        ),
        Case::new("hunks/added", many(|n| vec![format!("+x{n} = 1")], none)),
        Case::new("hunks/removed", many(|n| vec![format!("-x{n} = 1")], none)),
        Case::new(
            "hunks/headings",
            many(changed, |n| format!("def f{n}(a, b):")),
        ),
        Case::new(
            "hunks/long headings",
            many(changed, |n| {
                format!("def f{n}({}):", "a, ".repeat(HEADING / 3))
            }),
        ),
        Case::new(
            "hunks/findings below long headings",
            many(
                |n| vec![format!("+def f{n}(items=[]): pass")],
                |n| format!("class C{n}({}):", "a, ".repeat(HEADING / 3)),
            ),
        ),
        Case::new("hunks/findings below one long heading", |bytes| {
            let mut diff = Diff::default();
            diff.head("src/a.py");
            diff.hunk(
                1,
                &format!("class C({}):", "a, ".repeat(HEADING / 3)),
                &vec![FINDING.to_owned(); bytes / 23],
            );
            diff.text()
        }),
        Case::new("hunks/findings below one long heading/refused", |bytes| {
            let mut diff = Diff::default();
            diff.head("src/a.py");
            diff.hunk(
                1,
                &format!("class C({}):", "a, ".repeat(bytes / 6)),
                &vec![FINDING.to_owned(); bytes / 46],
            );
            diff.text()
        }),
        Case::new("hunks/findings in a file with a long path", |bytes| {
            let path = format!("{}/a.py", "a/".repeat(PATH / 2));
            Diff::default()
                .file(&path, &vec![FINDING.to_owned(); bytes / 23])
                .text()
        }),
    ]
}

fn forms() -> Vec<Case> {
    let each = |name: &str, one: fn(usize) -> String| {
        Case::new(format!("form/{name}"), move |bytes| {
            let size = one(FILES).len();
            // Beyond the limit on files, the last one gets the remaining size.
            let text = until(bytes.min(size * FILES * 9 / 10), one);
            let rest = bytes.saturating_sub(text.len());
            if rest > size {
                text + &Diff::default().file("rest.txt", &added(rest / 14)).text()
            } else {
                text
            }
        })
    };
    let mut cases = vec![
        each("files", |n| one_line(&format!("src/a{n}.py"))),
        each("files of other languages", |n| {
            let suffix = ["py", "js", "go", "rs", "java", "c", "rb", "php", "kt", "sh"]
                .get(n % 10)
                .copied()
                .unwrap_or("py");
            one_line(&format!("src/a{n}.{suffix}"))
        }),
        each("source and test", |n| {
            one_line(&format!("src/a{n}.py")) + &one_line(&format!("tests/test_a{n}.py"))
        }),
        each("one name in many folders", |n| {
            one_line(&format!("src/{n}/a.py"))
        }),
        each("renames", |n| {
            format!(
                "diff --git a/o{n}.py b/n{n}.py\nsimilarity index 100%\nrename from o{n}.py\nrename to n{n}.py\n"
            )
        }),
        each("mode changes", |n| {
            format!("diff --git a/{n}.sh b/{n}.sh\nold mode 100644\nnew mode 100755\n")
        }),
        each("binary files", |n| {
            format!(
                "diff --git a/{n}.png b/{n}.png\nindex 1..2 100644\nBinary files a/{n}.png and b/{n}.png differ\n"
            )
        }),
        each("binary patches", |n| {
            format!(
                "diff --git a/{n}.png b/{n}.png\nindex 1111111..2222222 100644\nGIT binary patch\nliteral 8\nPcmZQzWMT#Y01f~L\n\nliteral 8\nPcmZQzWMT#Y01f~L\n\n"
            )
        }),
        each("timestamps", |n| {
            format!(
                "--- a/{n}.py\t2026-01-01 00:00:00.000000000 +0000\n+++ b/{n}.py\t2026-01-01 00:00:01.000000000 +0000\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
            )
        }),
        each("index lines", |n| {
            format!(
                "Index: {n}.py\n===================================================================\n--- {n}.py\t(revision 1)\n+++ {n}.py\t(working copy)\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
            )
        }),
        each("mails", |n| {
            format!(
                "From 1111111111111111111111111111111111111111 Mon Sep 17 00:00:00 2001\nFrom: A <a@b>\nDate: Mon, 1 Jan 2026 00:00:00 +0000\nSubject: [PATCH] {n}\n\nText.\n---\n a{n}.py | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n\n{}-- \n2.40.0\n\n",
                one_line(&format!("a{n}.py"))
            )
        }),
        each("no newline", |n| {
            format!(
                "diff --git a/{n}.py b/{n}.py\n--- a/{n}.py\n+++ b/{n}.py\n@@ -1 +1 @@\n-x = 1\n\\ No newline at end of file\n+x = 2\n\\ No newline at end of file\n"
            )
        }),
        Case::new("form/binary patch", |bytes| {
            let data = until(bytes, |_| format!("z{}\n", "0".repeat(65)));
            format!(
                "diff --git a/a.png b/a.png\nindex 1111111..2222222 100644\nGIT binary patch\nliteral {bytes}\n{data}\nliteral 0\nHcmV?d00001\n\n"
            )
        }),
        Case::new("form/crlf", |bytes| {
            Diff::default()
                .file("a.py", &added(bytes / 14))
                .text()
                .replace('\n', "\r\n")
        }),
        Case::new("form/coloured", |bytes| {
            Diff::default()
                .file("a.py", &added(bytes / 22))
                .text()
                .replace('\n', "\u{1b}[m\n")
        }),
    ];
    cases.extend(before());
    cases.extend(combined());
    cases
}

/// Text before a diff that is not part of it.
fn before() -> Vec<Case> {
    let lines = [
        ("text", "some words of a message\n"),
        ("mail headers", "X-Header: value\n"),
        ("folded headers", " folded\n"),
        ("minus lines", "--- a/a.py\n"),
        ("both lines", "--- a/a.py\n+++ b/a.py\n"),
        ("separators", "---\n"),
        ("mail ends", "-- \n"),
        (
            "from lines",
            "From 1111111111111111111111111111111111111111 Mon Sep 17 00:00:00 2001\n",
        ),
        ("index lines", "Index: a.py\n"),
        ("empty lines", "\n"),
        ("git headers", "diff --git a/a.py b/a.py\n"),
        ("extended headers", "old mode 100644\n"),
        ("hunk headers", "@@ -1 +1 @@\n"),
    ];
    let case = |(name, line): (&str, &'static str)| {
        let text = move |bytes: usize| {
            let bytes = bytes.min(line.len() * 98_000);
            until(bytes, |_| line.to_owned())
        };
        [
            Case::new(format!("before/{name}"), move |bytes| {
                text(bytes) + &one_line("a.py")
            }),
            Case::new(format!("after/{name}"), move |bytes| {
                one_line("a.py") + &text(bytes)
            })
            .only_full_if(true),
        ]
    };
    lines.into_iter().flat_map(case).collect()
}

/// Diffs of a merge with several parents.
fn combined() -> [Case; 4] {
    fn merge(parents: usize, lines: usize, line: impl Fn(usize) -> String) -> String {
        let signs = "@".repeat(parents + 1);
        let ranges = format!("-1,{lines} ").repeat(parents);
        let body: String = (0..lines)
            .map(|n| format!("{}{}\n", " ".repeat(parents), line(n)))
            .collect();
        format!(
            "diff --cc a.py\nindex 1,2..3\n--- a/a.py\n+++ b/a.py\n{signs} {ranges}+1,{lines} {signs}\n{body}"
        )
    }
    [
        Case::new("combined/two parents", |bytes| {
            merge(2, bytes / 14, |n| format!("x{n} = {n}"))
        }),
        Case::new("combined/most parents", |bytes| {
            merge(PARENTS, bytes / 80, |n| format!("x{n} = {n}"))
        }),
        Case::new("combined/parents/refused", |bytes| {
            merge(bytes / 8, 2, |_| String::new())
        }),
        Case::new("combined/parents and lines/refused", |bytes| {
            let parents = (bytes as f64).sqrt() as usize;
            merge(parents, parents, |_| String::new())
        }),
    ]
}

fn lines() -> Vec<Case> {
    let long = |name: &str, path: &'static str, piece: &'static str| {
        On::ALL.map(|on| {
            Case::new(format!("line/{name}/{}", on.name()), move |bytes| {
                let line = until(bytes / on.copies(), |_| piece.to_owned());
                Diff::default()
                    .file(path, &on.lines(&line, &format!("{line} {piece}")))
                    .text()
            })
            .up_to(LINE)
            .only_full_if(on != On::Changed)
        })
    };
    let all = |name: &str, line: &'static str| {
        On::ALL.map(|on| {
            Case::new(format!("lines/{name}/{}", on.name()), move |bytes| {
                let text = until(bytes / on.copies(), |_| format!("{line}\n"));
                Diff::default().file("a.py", &on.lines(&text, &text)).text()
            })
            .only_full_if(on != On::Changed)
        })
    };
    let mut cases = Vec::new();
    cases.extend(long("letters", "a.txt", "x"));
    cases.extend(long("words", "a.py", "x "));
    cases.extend(long("spaces", "a.py", " "));
    cases.extend(long("tabs", "a.py", "\t"));
    cases.extend(long("quotes", "a.py", "\""));
    cases.extend(long("base64", "a.txt", "QUJD0123"));
    cases.extend(long("equal signs", "a.txt", "a=b;"));
    cases.extend(long("addresses", "a.txt", "http://a:b@c/ "));
    cases.extend(all("empty", ""));
    cases.extend(all("blank", "    "));
    cases.extend(all("brace", "}"));
    cases.extend(all("same", "x = y + 1"));
    cases.push(Case::new("lines/one edit", |bytes| {
        let pair = ["-x = old_name(y)".to_owned(), "+x = new_name(y)".to_owned()];
        Diff::default()
            .file("a.py", &times(&pair, bytes / 34))
            .text()
    }));
    cases.push(Case::new("lines/one edit between context", |bytes| {
        let three = [
            " go()".to_owned(),
            "-x = old_name(y)".to_owned(),
            "+x = new_name(y)".to_owned(),
        ];
        Diff::default()
            .file("a.py", &times(&three, bytes / 40))
            .text()
    }));
    cases.push(Case::new("lines/moved", |bytes| {
        let text = until(bytes / 2, |n| format!("x{n} = f(y{n})\n"));
        let turned: Vec<&str> = text.lines().rev().collect();
        Diff::default()
            .file("a.py", &On::Replaced.lines(&text, &turned.join("\n")))
            .text()
    }));
    cases.push(Case::new("lines/context", |bytes| {
        let mut lines: Vec<String> = (0..bytes / 14).map(|n| format!(" x{n} = {n}")).collect();
        lines.push("+y = 1".to_owned());
        Diff::default().file("a.py", &lines).text()
    }));
    cases
}

fn findings() -> Vec<Case> {
    let each = |name: &str, path: &'static str, line: fn(usize) -> String| {
        Case::new(format!("findings/{name}"), move |bytes| {
            let text = until(bytes, |n| line(n) + "\n");
            Diff::default()
                .file(path, &On::Added.lines("", &text))
                .text()
        })
    };
    vec![
        each("same", "a.py", |_| "def f(items=[]): pass".to_owned()),
        each("numbered", "a.py", |n| format!("def f{n}(items=[]): pass")),
        each("javascript", "a.js", |_| "if (a = b) { c(); }".to_owned()),
        each("ignored", "a.py", |n| {
            format!(
                "def f{n}(items=[]): pass  # hunkwise:ignore python/mutable-default-argument it is never written"
            )
        }),
        each("ignored in vain", "a.py", |n| {
            format!("x{n} = 1  # hunkwise:ignore any/no-such-rule because")
        }),
        each("secrets", "a.txt", |n| format!("token = ghp_{n:036}")),
        each("same secret", "a.txt", |_| {
            format!("password = \"{}\"", "k3Jx9Qw2")
        }),
        each("private keys", "a.txt", |_| {
            "-----BEGIN RSA PRIVATE KEY-----".to_owned()
        }),
        each("key texts", "a.txt", |_| {
            "MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn/ygWyF8PbnGy0AHB7MhgwMbRvI0MBZhpI".to_owned()
        }),
        each("addresses with passwords", "a.txt", |n| {
            format!("postgres://user:hunter{n}@db.example.com/x")
        }),
        each("bidirectional", "a.py", |_| {
            "x = 1 # \u{202e}\u{2066}".to_owned()
        }),
        each("conflict markers", "a.py", |n| {
            ["<<<<<<< a", "=======", ">>>>>>> b"][n % 3].to_owned()
        }),
    ]
}

/// A definition that changes in several files, and its calls in another one.
fn several_files() -> Vec<Case> {
    let changed = |files: usize,
                   path: &'static str,
                   old: &'static str,
                   new: &'static str,
                   call: &'static str| {
        move |bytes: usize| {
            let definition = vec![format!("-{old}"), format!("+{new}")];
            let size = definition.iter().map(String::len).sum::<usize>() + 120;
            let mut diff = Diff::default();
            for number in 0..files.min(bytes / 2 / size + 1) {
                diff = diff.file(&path.replace("{}", &format!("d{number}")), &definition);
            }
            let calls = bytes.saturating_sub(diff.len()) / (call.len() + 2);
            diff.file(
                &path.replace("{}", "calls"),
                &vec![format!("+{call}"); calls],
            )
            .text()
        }
    };
    let python = (
        "src/{}.py", "def settle(order, rate): pass", "def settle(order, rate, day): pass",
        "settle(a, b)",
    );
    let script = (
        "src/{}.js",
        "export function settle(order, rate) {}",
        "export function settle(order, rate, day) {}",
        "settle(a, b);",
    );
    let java = (
        "src/{}.java", "  public void settle(int a) {}", "  public void settle(int a, int b) {}",
        "  { settle(1); }",
    );
    let go = (
        "src/{}.go", "func Settle(a int) {}", "func Settle(a int, b int) {}", "Settle(1)",
    );
    let languages = [
        ("python", python),
        ("javascript", script),
        ("java", java),
        ("go", go),
    ];
    let mut cases: Vec<Case> = [1, 30, 900]
        .into_iter()
        .flat_map(|files| {
            languages.map(|(name, (path, old, new, call))| {
                Case::new(
                    format!("files/{name} definitions in {files}"),
                    changed(files, path, old, new, call),
                )
            })
        })
        .collect();
    cases.push(Case::new(
        "files/definitions and calls of as many names",
        |bytes| {
            let definitions = until(bytes / 2, |n| {
                format!("-def f{n}(a): pass\n+def f{n}(a, b): pass\n")
            });
            let calls = until(bytes / 2, |n| format!("+f{n}(1)\n"));
            let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
            Diff::default()
                .file("src/a.py", &lines(&definitions))
                .file("src/b.py", &lines(&calls))
                .text()
        },
    ));
    cases.push(Case::new("files/removed here, added there", |bytes| {
        let text = until(bytes / 2, |n| format!("check(a{n})\n"));
        let lines = |on: On| on.lines(&text, &text);
        Diff::default()
            .file("src/a.py", &lines(On::Removed))
            .file("src/b.py", &lines(On::Added))
            .text()
    }));
    cases.push(Case::new("files/one definition in each", |bytes| {
        let mut diff = Diff::default();
        let each = bytes / 950;
        for number in 0..950.min(bytes / 200 + 1) {
            let text = until(each.saturating_sub(100), |n| {
                format!("def f{n}(a, b={number}): return g{number}(a)\n")
            });
            diff = diff.file(&format!("src/a{number}.py"), &On::Added.lines("", &text));
        }
        diff.text()
    }));
    cases
}
