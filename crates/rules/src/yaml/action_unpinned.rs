//! Actions that are no longer pinned to a commit.

use std::collections::HashMap;

use lint::{Check, Rule, Sink, Tests, TextContext, quote};
use review::{Category, Priority};

pub(crate) const RULE: Rule = Rule {
    id: "yaml/action-unpinned",
    languages: &["YAML"],
    title: "Action no longer pinned to a commit",
    why: "A commit cannot change; a branch or a tag can be moved to other code, by its owner or by anyone who hijacks the \
          account. That code runs with the secrets of this workflow.",
    fix: "Pin the full hash of the new version's commit, with the version in a comment.",
    references: &[
        "CWE-829",
        "https://docs.github.com/en/actions/security-for-github-actions/security-guides/security-hardening-for-github-actions",
    ],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Text { run },
    positive: &[
        r#"
path: .github/workflows/ci.yml
-      - uses: somebody/changed@9426d40962ed5378910ee2e21d5f8c6fcbf2dd96 # v47.0.6
+      - uses: somebody/changed@main
^
         id: changed
"#,
        r#"
path: .github/workflows/ci.yml
-      - uses: somebody/changed@9426d40962ed5378910ee2e21d5f8c6fcbf2dd96 # v47.0.6
+      - uses: somebody/changed@v47
^
         id: changed
"#,
    ],
    negative: &[
        r#"
path: .github/workflows/ci.yml
-      - uses: somebody/changed@9426d40962ed5378910ee2e21d5f8c6fcbf2dd96 # v47.0.6
+      - uses: somebody/changed@5f3c1e9a7b2d4c6088ef0a1b3c5d7e9f2a4b6c8d # v47.0.7
"#,
        r#"
path: .github/workflows/ci.yml
-      - uses: actions/checkout@9426d40962ed5378910ee2e21d5f8c6fcbf2dd96
+      - uses: actions/checkout@v4
"#,
        r#"
path: .github/workflows/ci.yml
-      - uses: somebody/changed@v46
+      - uses: somebody/changed@v47
"#,
    ],
};

fn run(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    let pinned: HashMap<&str, &str> = context
        .removed()
        .filter_map(|line| used(line.text))
        .filter(|(_, version)| is_commit(version))
        .collect();
    for line in context.added() {
        let Some((action, version)) = used(line.text) else {
            continue;
        };
        // The owner of the workflow service is trusted anyway.
        let is_foreign = !["actions/", "github/"]
            .iter()
            .any(|owner| action.starts_with(owner));
        if !is_foreign || is_commit(version) || version.is_empty() || !pinned.contains_key(action) {
            continue;
        }
        let is_tag = version.contains(|c: char| c.is_ascii_digit());
        let kind = if is_tag { "the tag" } else { "the branch" };
        let place = sink.report(
            line,
            format!(
                "`{}` was pinned to a commit and now follows {kind} `{}`.",
                quote(action),
                quote(version)
            ),
        );
        if is_tag {
            place.priority(Priority::P2);
        }
    }
}

/// The action and its version in `uses: owner/name@version`.
fn used(line: &str) -> Option<(&str, &str)> {
    let rest = line
        .trim_start()
        .trim_start_matches("- ")
        .trim_start()
        .strip_prefix("uses:")?;
    let word = rest.split_whitespace().next()?.trim_matches(['"', '\'']);
    word.split_once('@')
}

fn is_commit(version: &str) -> bool {
    version.len() == 40 && version.bytes().all(|byte| byte.is_ascii_hexdigit())
}
