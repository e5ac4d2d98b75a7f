//! The treatment and the detection of test code.

use crate::support::{Folder, Run};

/// A query with a value in its text, on line 6.
const INJECTION: &str = "package p;\n\nimport java.sql.*;\n\nclass A {\n    ResultSet find(HttpServletRequest request, Statement s) \
                         throws Exception {\n        String city = request.getParameter(\"city\");\n        return s.executeQuery(\"SELECT * FROM o \
                         WHERE city = '\" + city + \"'\");\n    }\n}\n";
const REASON: &str = " In test code, so one priority lower.";

fn review(config: &str, paths: &[&str]) -> Run {
    let folder = Folder::repository(&[(".hunkwise.toml", config)]);
    for path in paths {
        folder.write(path, INJECTION);
    }
    folder.git(&["add", "--all"]);
    let run = folder.review(&["--staged"]);
    assert!(run.status < 2, "{run:?}");
    run
}

/// Priority and summary of the finding about the query.
fn injection(config: &str, path: &str) -> (u32, String) {
    let body = review(config, &[path]).json();
    let findings = body["findings"].as_array().unwrap();
    let finding = findings
        .iter()
        .find(|finding| finding["category"] == "SECURITY");
    let finding = finding.unwrap_or_else(|| panic!("{path}: {findings:?}"));
    let text = |name: &str| finding[name].as_str().unwrap().to_owned();
    (text("priority")[1..].parse().unwrap(), text("summary"))
}

#[test]
fn an_injection_has_the_same_priority_in_any_package_and_one_less_in_a_test() {
    let (priority, summary) = injection("", "src/main/java/com/acme/shop/A.java");
    assert!(priority < 3, "the priority can be lowered: P{priority}");
    for path in [
        "src/main/java/com/example/shop/A.java", "examples/tutorial/A.java", "docs/A.java",
        "api/KeySpec.java",
    ] {
        assert_eq!(injection("", path), (priority, summary.clone()), "{path}");
    }
    for path in ["src/test/java/com/acme/shop/ATest.java", "tests/A.java"] {
        assert_eq!(
            injection("", path),
            (priority + 1, format!("{summary}{REASON}")),
            "{path}"
        );
    }
}

#[test]
fn the_configuration_decides_what_is_test_code_and_its_priorities_are_kept() {
    let (priority, summary) = injection("", "qa/A.java");
    let lowered = (priority + 1, format!("{summary}{REASON}"));
    assert_eq!(
        injection("[paths]\ntests = [\"qa/\"]\n", "qa/A.java"),
        lowered
    );
    assert_eq!(
        injection(
            "[paths]\nnot_tests = [\"tests/lib/\"]\n",
            "tests/lib/A.java"
        ),
        (priority, summary.clone())
    );
    assert_eq!(
        injection("[paths]\nnot_tests = [\"tests/lib/\"]\n", "tests/A.java"),
        lowered
    );
    assert_eq!(
        injection("[rules]\n\"*\" = \"P0\"\n", "tests/A.java"),
        (0, summary)
    );
}

#[test]
fn files_of_test_code_are_counted_and_listed() {
    let paths = ["src/A.java", "tests/b/B.java", "tests/A.java"];
    let listed = review("", &paths).json()["metadata"]["testFiles"].clone();
    assert_eq!(
        listed,
        serde_json::json!(["tests/A.java", "tests/b/B.java"])
    );
    let folder = Folder::repository(&[("src/a.py", "a = 1\n"), ("tests/test_a.py", "a = 1\n")]);
    folder.write("src/a.py", "a = 2\n");
    folder.write("tests/test_a.py", "a = 2\n");
    let run = folder.hunkwise(&["review"]);
    assert!(
        run.stdout
            .contains("no findings in 2 files (1 of them test code), 2 hunks"),
        "{run:?}"
    );
}

#[test]
fn an_invalid_pattern_is_rejected_with_its_place() {
    let folder = Folder::repository(&[
        ("a.py", "a = 1\n"),
        (".hunkwise.toml", "[paths]\ntests = [\"qa/[\"]\n"),
    ]);
    folder.write("a.py", "a = 2\n");
    let run = folder.review(&[]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stderr.contains(".hunkwise.toml:2:10: "), "{run:?}");
}
