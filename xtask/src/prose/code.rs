//! Checks the English of code: comments, error messages and names of tests.

use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use super::{BANNED, BANNED_IN_CODE, compiled, found};
use crate::run::root;

static PHRASES: LazyLock<Vec<(Regex, &str)>> =
    LazyLock::new(|| compiled(&[BANNED, BANNED_IN_CODE]));
static ERROR: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#"#\[error\("(.*?)""#).unwrap());
static FUNCTION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(?:pub(?:\(crate\))? )?(?:async )?fn (\w+)").unwrap());

/// Collects the Rust files below a folder, as paths from the root of the workspace.
fn collect(folder: &Path, files: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.ends_with("target") {
                collect(&path, files);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(
                path.strip_prefix(root())
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .replace('\\', "/"),
            );
        }
    }
}

/// The texts of a file with their line numbers. A paragraph of a comment is one text, because phrases continue on the
/// next line.
fn texts(code: &str) -> Vec<(usize, String)> {
    let mut texts: Vec<(usize, String)> = Vec::new();
    let (mut in_paragraph, mut is_test) = (false, false);
    for (number, line) in (1..).zip(code.lines().map(str::trim)) {
        if let Some(comment) = line.strip_prefix("//") {
            let comment = comment.trim_start_matches(['/', '!']).trim();
            match texts
                .last_mut()
                .filter(|_| in_paragraph && !comment.starts_with(['-', '#', '|']))
            {
                Some((_, paragraph)) => *paragraph = format!("{paragraph} {comment}"),
                None => texts.push((number, comment.to_owned())),
            }
            in_paragraph = !comment.is_empty();
            continue;
        }
        in_paragraph = false;
        if let Some(message) = ERROR.captures(line) {
            texts.push((number, message[1].to_owned()));
        }
        if let Some(name) = FUNCTION.captures(line).filter(|_| is_test) {
            texts.push((number, name[1].replace('_', " ")));
        }
        is_test = line.starts_with("#[test]")
            || line.starts_with("#[tokio::test")
            || is_test && line.starts_with("#[");
    }
    texts
}

/// The style problems of a file, one per line.
fn faults(path: &str, code: &str) -> Vec<String> {
    let texts = texts(code).into_iter();
    texts
        .flat_map(|(number, text)| found(&PHRASES, &text, &format!("{path}:{number}")))
        .collect()
}

#[test]
fn code_is_in_plain_english() {
    assert_eq!(
        PHRASES.len(),
        BANNED.len() + BANNED_IN_CODE.len(),
        "every pattern is valid"
    );
    let mut files = Vec::new();
    for folder in ["crates", "fuzz", "xtask"] {
        collect(&root().join(folder), &mut files);
    }
    let read = |path: &String| faults(path, &std::fs::read_to_string(root().join(path)).unwrap());
    assert!(files.len() > 1_000, "{}", files.len());
    let found: Vec<String> = files.iter().flat_map(read).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn comments_messages_and_names_of_tests_are_checked() {
    let cases = [
        ("// The caller is told.", 1),
        ("/// Limits that\n/// are told.", 1),
        ("/// Told.\n///\n/// Told.", 2),
        ("#[error(\"the key is no pair\")]", 1),
        ("#[test]\nfn a_token_is_kept_for_ever() {}", 1),
        (
            "#[tokio::test]\n#[ignore]\nasync fn nobody_is_refused() {}",
            1,
        ),
        ("let told = \"for ever\"; // not a comment of its own", 0),
        ("fn nobody_calls_this() {}", 0),
        ("/// Calls `told`.", 0),
    ];
    for (code, expected) in cases {
        assert_eq!(faults("a.rs", code).len(), expected, "{code}");
    }
}

/// The wording of everything that a language model is sent in addition to data.
#[test]
fn prompts_are_in_plain_english() {
    let folder = root().join("crates/llm/src/prompts");
    let mut found_in = Vec::new();
    let mut prompts = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        prompts += 1;
        found_in.extend(paragraphs(&text).flat_map(|text| found(&PHRASES, &text, name)));
    }
    assert!(prompts >= 6, "{prompts}");
    assert!(found_in.is_empty(), "{}", found_in.join("\n"));
}

#[test]
fn knowledge_for_prompts_is_in_plain_english() {
    let mut files = Vec::new();
    collect(&root().join("crates/llm/src/knowledge"), &mut files);
    let strings = Regex::new(r#"(?m)^\s*(?:text|unless): "(.*)",$"#).unwrap();
    let mut items = 0;
    let mut found_in = Vec::new();
    for path in &files {
        let code = std::fs::read_to_string(root().join(path)).unwrap();
        for item in strings.captures_iter(&code) {
            items += 1;
            found_in.extend(found(&PHRASES, &item[1], path));
        }
    }
    assert!(items >= 80, "{items}");
    assert!(found_in.is_empty(), "{}", found_in.join("\n"));
}

/// The paragraphs and list items of a Markdown text, each on one line.
fn paragraphs(text: &str) -> impl Iterator<Item = String> {
    let mut all = vec![String::new()];
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with(['-', '#']) {
            all.push(String::new());
        }
        if let Some(last) = all.last_mut() {
            last.push_str(line);
            last.push(' ');
        }
    }
    all.into_iter()
}
