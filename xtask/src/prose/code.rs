//! Checks the English of code (comments, messages, names of tests), of documents and of pages.

use std::path::PathBuf;
use std::sync::LazyLock;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use regex::Regex;

use super::{BANNED, BANNED_IN_CODE, compiled, found};
use crate::run::root;
use crate::sources::rust_files;

static PHRASES: LazyLock<Vec<(Regex, &str)>> =
    LazyLock::new(|| compiled(&[BANNED, BANNED_IN_CODE]));
/// The break of a line within a string literal.
static LINE_BREAK: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\\\n\s*").unwrap());
static FUNCTION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(?:pub(?:\(crate\))? )?(?:async )?fn (\w+)").unwrap());

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
        if let Some(name) = FUNCTION.captures(line).filter(|_| is_test) {
            texts.push((number, name[1].replace('_', " ")));
        }
        is_test = line.starts_with("#[test]")
            || line.starts_with("#[tokio::test")
            || is_test && line.starts_with("#[");
    }
    texts
}

/// Strings with fewer words are names, labels or parts of a sentence.
const WORDS: usize = 4;

/// Files with strings that are lists of other people's names, and those with the banned phrases.
const WITHOUT_MESSAGES: &[&str] = &["/tests", "/benches/", "semantics/taint/table/", "src/prose"];

/// The messages in a file: string literals of several words outside tests. Raw strings are code or examples.
fn messages(path: &str, code: &str) -> Vec<String> {
    if WITHOUT_MESSAGES.iter().any(|part| path.contains(part)) {
        return Vec::new();
    }
    let mut all = Vec::new();
    let mut open: Vec<TokenStream> = vec![code.parse().unwrap()];
    while let Some(tokens) = open.pop() {
        let mut is_test = false;
        for tree in tokens {
            match tree {
                TokenTree::Group(group) => match group.delimiter() {
                    Delimiter::Bracket => {
                        let text = group.stream().to_string();
                        is_test |= text.starts_with("cfg (test)");
                        // Comments are checked as such.
                        open.extend((!text.starts_with("doc =")).then(|| group.stream()));
                    }
                    Delimiter::Brace if is_test => is_test = false,
                    _ => open.push(group.stream()),
                },
                TokenTree::Punct(punct) if punct.as_char() == ';' => is_test = false,
                TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    let message = text
                        .strip_prefix('"')
                        .map(|text| text.trim_end_matches('"'));
                    let message = message.map(|text| LINE_BREAK.replace_all(text, ""));
                    all.extend(
                        message
                            .filter(|text| text.split_whitespace().count() >= WORDS)
                            .map(|text| text.replace("\\n", " ")),
                    );
                }
                _ => {}
            }
        }
    }
    all
}

/// The style problems of a file, one per line.
fn faults(path: &str, code: &str) -> Vec<String> {
    let texts = texts(code).into_iter();
    let mut faults: Vec<String> = texts
        .flat_map(|(number, text)| found(&PHRASES, &text, &format!("{path}:{number}")))
        .collect();
    let messages = messages(path, code);
    faults.extend(messages.iter().flat_map(|text| found(&PHRASES, text, path)));
    faults
}

#[test]
fn code_is_in_plain_english() {
    assert_eq!(
        PHRASES.len(),
        BANNED.len() + BANNED_IN_CODE.len(),
        "every pattern is valid"
    );
    let folders = ["crates", "fuzz", "xtask"].into_iter();
    let files: Vec<String> = folders.flat_map(rust_files).collect();
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
        ("fn f() { format!(\"the caller is told {name}\"); }", 1),
        (
            "fn f() { format!(\"the caller \\\n    is told {name}\"); }",
            1,
        ),
        (
            "#[cfg(test)]\nmod tests { const X: &str = \"the caller is told\"; }",
            0,
        ),
        ("const X: &str = r\"the caller is told\";", 0),
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
    let files = rust_files("crates/llm/src/knowledge");
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

/// Documents in the root folder; those in `docs` are checked, too.
const DOCUMENTS: &[&str] = &[
    "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md",
];

#[test]
fn documents_are_in_plain_english() {
    let link = Regex::new(r"\]\([^)]*\)").unwrap();
    let mut paths: Vec<PathBuf> = DOCUMENTS.iter().map(|name| root().join(name)).collect();
    for entry in std::fs::read_dir(root().join("docs")).unwrap() {
        let path = entry.unwrap().path();
        paths.extend(
            path.extension()
                .is_some_and(|kind| kind == "md")
                .then_some(path),
        );
    }
    assert!(paths.len() > 20, "{}", paths.len());
    let mut found_in = Vec::new();
    for path in &paths {
        let text = std::fs::read_to_string(path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        // Code is not checked.
        let prose: String = text.split("```").step_by(2).collect();
        for paragraph in paragraphs(&prose) {
            found_in.extend(found(&PHRASES, &link.replace_all(&paragraph, "]"), name));
        }
    }
    assert!(found_in.is_empty(), "{}", found_in.join("\n"));
}

#[test]
fn pages_are_in_plain_english() {
    let inserted =
        Regex::new(r"(?s)\{%.*?%\}|\{#.*?#\}|</?(?:a|b|em|strong|span)\b[^>]*>").unwrap();
    let code = Regex::new(r"(?s)\{\{.*?\}\}|<code\b.*?</code>|<pre\b.*?</pre>").unwrap();
    let script = Regex::new(r"(?s)<script\b.*?</script>|<style\b.*?</style>").unwrap();
    let tag = Regex::new(r"(?s)<[^>]*>").unwrap();
    let mut open = vec![root().join("crates/server/src")];
    let (mut texts, mut found_in) = (0, Vec::new());
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|kind| kind == "html") {
                let page = std::fs::read_to_string(&path).unwrap();
                let page = script.replace_all(&page, "");
                let page = inserted.replace_all(&page, "");
                let page = code.replace_all(&page, "`x`");
                let name = path.file_name().unwrap().to_str().unwrap();
                for text in tag.split(&page) {
                    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                    if text.split(' ').count() >= WORDS {
                        texts += 1;
                        found_in.extend(found(&PHRASES, &text, name));
                    }
                }
            }
        }
    }
    assert!(texts > 50, "{texts}");
    assert!(found_in.is_empty(), "{}", found_in.join("\n"));
}

/// The paragraphs and list items of a Markdown text, each on one line.
fn paragraphs(text: &str) -> impl Iterator<Item = String> {
    let mut all = vec![String::new()];
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with(['-', '#', '|']) {
            all.push(String::new());
        }
        if let Some(last) = all.last_mut() {
            last.push_str(line);
            last.push(' ');
        }
    }
    all.into_iter()
}
