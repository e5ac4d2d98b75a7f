use proptest::prelude::{any, prop, proptest};

use super::{
    Answer, ContextFileFault, ContextFiles, Lookup, MAX_LINES, Refusal, answer, checked_path,
};

fn files(files: &[(&str, &str)]) -> ContextFiles {
    let mut all = ContextFiles::default();
    for (path, content) in files {
        all.add((*path).to_owned(), (*content).to_owned()).unwrap();
    }
    all
}

/// Paths and line numbers of an answer.
fn places(answer: &Answer) -> Vec<String> {
    let place = |excerpt: &super::Excerpt| {
        format!(
            "{}:{}-{}",
            excerpt.path,
            excerpt.first,
            excerpt.first + excerpt.lines.len() - 1
        )
    };
    answer.excerpts.iter().map(place).collect()
}

fn definition_in(path: &str, code: &str, name: &str) -> Vec<String> {
    let name = name.to_owned();
    places(&answer(&files(&[(path, code)]), &Lookup::Definition(name)).unwrap())
}

#[test]
fn lines_of_a_file_are_read() {
    let files = files(&[("src/a.py", "one\ntwo\nthree\n")]);
    let read = |path: &str, first, last| {
        answer(
            &files,
            &Lookup::Read {
                path: path.to_owned(),
                first,
                last,
            },
        )
    };
    assert_eq!(places(&read("src/a.py", 2, 9).unwrap()), ["src/a.py:2-3"]);
    assert_eq!(places(&read("./src/a.py", 0, 1).unwrap()), ["src/a.py:1-1"]);
    assert_eq!(read("src/a.py", 4, 9), Err(Refusal::NoSuchLine));
    assert_eq!(places(&read("src/a.py", 3, 2).unwrap()), ["src/a.py:3-3"]);
    assert_eq!(read("src/b.py", 1, 1), Err(Refusal::NoSuchFile));
    for path in [
        "/etc/passwd", "../a.py", "src/../a.py", "src//a.py", "C:/a.py", "..\\a.py", "~/a", "",
    ] {
        assert_eq!(read(path, 1, 1), Err(Refusal::Path), "{path}");
    }
    for path in [
        ".env", "deploy/.env.production", "certs/server.pem", ".git/config", "home/.ssh/config",
        "id_rsa",
    ] {
        assert_eq!(read(path, 1, 1), Err(Refusal::Secret), "{path}");
    }
}

#[test]
fn only_the_last_part_of_a_name_makes_a_file_an_example() {
    for path in [
        "ios_distribution.key", "certs/dist.pem", "sample.pem", "templates/mail.key",
        ".env.sample-prod", "example.tfvars",
    ] {
        assert_eq!(checked_path(path), Err(Refusal::Secret), "{path}");
    }
    for path in [
        ".env.example", "app/.env.dist", "server.key.sample", "prod.tfvars.template",
    ] {
        assert_eq!(checked_path(path), Ok(path));
    }
}

#[test]
fn definitions_are_found_in_the_forms_of_many_languages() {
    for (path, code, expected) in [
        (
            "a.py",
            "import x\n\n@cache\ndef total(order):\n    return 1\n\ndef other():\n    return total(2)\n",
            "a.py:3-5",
        ),
        (
            "a.js",
            "export function total(order) {\n  return 1\n}\ntotal(2)\n",
            "a.js:1-3",
        ),
        (
            "a.ts",
            "export const total = (order: Order) => {\n  return 1\n}\nconst x = total(2)\n",
            "a.ts:1-3",
        ),
        (
            "a.ts",
            "class Order {\n  total(): number {\n    return 1\n  }\n}\n",
            "a.ts:2-4",
        ),
        (
            "a.go",
            "func (o *Order) total(tax int) int {\n\treturn 1\n}\n",
            "a.go:1-3",
        ),
        (
            "A.java",
            "class A {\n  /** Sum. */\n  private int total(Order order) {\n    return 1;\n  }\n}\n",
            "A.java:2-5",
        ),
        (
            "A.cs",
            "public async Task<int> total(\n    Order order)\n{\n    return 1;\n}\n",
            "A.cs:1-5",
        ),
        (
            "a.rs",
            "pub(crate) fn total(order: &Order) -> u32 {\n    1\n}\n",
            "a.rs:1-3",
        ),
        ("a.rb", "def total(order)\n  1\nend\n", "a.rb:1-3"),
        (
            "a.php",
            "public function total($order) {\n    return 1;\n}\n",
            "a.php:1-3",
        ),
        (
            "a.kt",
            "suspend fun total(order: Order): Int =\n    1\n",
            "a.kt:1-2",
        ),
        (
            "a.c",
            "static int *total(struct order *o)\n{\n    return 0;\n}\n",
            "a.c:1-4",
        ),
        ("a.c", "#define total(o) ((o)->sum)\n", "a.c:1-1"),
        ("a.py", "total = 1\nx = total\n", "a.py:1-1"),
        ("a.sql", "CREATE TABLE total (\n  id int\n);\n", "a.sql:1-3"),
    ] {
        assert_eq!(definition_in(path, code, "total"), [expected], "{code}");
    }
}

#[test]
fn calls_and_comments_are_not_definitions() {
    for code in [
        "x = total(1)", "return total(1);", "if total == 1:", "order.total()", "new total()",
        "# def total(order)", "await total(order)", "subtotal = 1",
    ] {
        assert_eq!(
            definition_in("a.py", code, "total"),
            Vec::<String>::new(),
            "{code}"
        );
    }
}

#[test]
fn uses_are_shown_with_the_lines_around_them() {
    let code = "def total(order):\n    return 1\n\n\n\nx = total(1)\ny = 2\nz = total(3)\n\n\n\n\n\n# total(4)\nprint(total)\n";
    let found = answer(
        &files(&[("a.py", code), ("b.py", "subtotal()\n")]),
        &Lookup::Callers("Order.total()".into()),
    );
    assert_eq!(places(&found.unwrap()), ["a.py:4-10", "a.py:13-15"]);
    let found = answer(&files(&[("a.py", code)]), &Lookup::Search("y = ".into())).unwrap();
    assert_eq!(places(&found), ["a.py:5-9"]);
    for name in ["", "a b", "a\nb", "../x y", "x(", "*"] {
        assert_eq!(
            answer(&files(&[]), &Lookup::Callers(name.into())),
            Err(Refusal::NoName),
            "{name}"
        );
    }
    assert_eq!(
        answer(&files(&[]), &Lookup::Search("x".into())),
        Err(Refusal::NotSearchable)
    );
}

#[test]
fn an_answer_is_bounded_and_states_that_there_is_more() {
    let code = "total()\n\n\n\n\n\n".repeat(10_000);
    let found = answer(&files(&[("a.py", &code)]), &Lookup::Callers("total".into())).unwrap();
    assert!(found.more);
    assert_eq!(
        found
            .excerpts
            .iter()
            .map(|excerpt| excerpt.lines.len())
            .sum::<usize>(),
        MAX_LINES
    );
    let code = "def total():\n    pass\n".repeat(10_000);
    let found = answer(
        &files(&[("a.py", &code)]),
        &Lookup::Definition("total".into()),
    )
    .unwrap();
    assert_eq!((found.excerpts.len(), found.more), (5, true));
    let long = "x".repeat(100_000);
    let found = answer(
        &files(&[("a.py", &long)]),
        &Lookup::Read {
            path: "a.py".into(),
            first: 1,
            last: 1,
        },
    )
    .unwrap();
    assert_eq!(found.excerpts[0].lines[0].chars().count(), 301);
}

#[test]
fn context_files_are_refused_with_the_reason() {
    let mut all = ContextFiles::default();
    assert_eq!(all.add("a.py".into(), "x".into()), Ok(()));
    assert_eq!(
        all.add("a.py".into(), "y".into()),
        Err(ContextFileFault::Duplicate)
    );
    assert_eq!(
        all.add("./b.py".into(), "y".into()),
        Err(ContextFileFault::Path)
    );
    assert_eq!(
        all.add("/b.py".into(), "y".into()),
        Err(ContextFileFault::Path)
    );
    assert_eq!(
        all.add("b.py".into(), "y".repeat(super::MAX_CONTEXT_BYTES)),
        Err(ContextFileFault::TooLarge)
    );
    assert_eq!(all.add(".env".into(), "KEY=1".into()), Ok(()), "left out");
    assert_eq!((all.len(), all.bytes()), (1, 5));
    for at in all.len()..super::MAX_CONTEXT_FILES {
        assert_eq!(all.add(format!("{at}.py"), String::new()), Ok(()));
    }
    assert_eq!(
        all.add("last.py".into(), String::new()),
        Err(ContextFileFault::TooMany)
    );
}

proptest! {
    #[test]
    fn no_look_up_of_any_text_panics_or_leaves_the_files(
        code in "[a-z(){}=:;@#/* \n\t\"'.é]{0,200}",
        name in any::<String>(),
        lines in prop::collection::vec(any::<usize>(), 2),
    ) {
        let files = files(&[("a/b.py", &code), ("c.js", &code)]);
        for lookup in [
            Lookup::Read { path: name.clone(), first: lines[0], last: lines[1] },
            Lookup::Read { path: "c.js".into(), first: lines[0], last: lines[1] },
            Lookup::Search(name.clone()),
            Lookup::Definition(name.clone()),
            Lookup::Callers(name),
            Lookup::Definition("a".into()),
            Lookup::Callers("b".into()),
        ] {
            if let Ok(answer) = answer(&files, &lookup) {
                assert!(answer.excerpts.iter().all(|excerpt| ["a/b.py", "c.js"].contains(&&*excerpt.path)));
                assert!(answer.excerpts.iter().map(|excerpt| excerpt.lines.len()).sum::<usize>() <= MAX_LINES);
            }
        }
    }
}
