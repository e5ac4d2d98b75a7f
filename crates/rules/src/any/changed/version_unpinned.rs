//! Dependencies with a version that is no longer limited.

use lint::{Check, Rule, Sink, Tests, TextContext, quote};
use review::{Category, Line, Priority};
use syntax::semantics::secrets::LazyPattern;

pub(crate) const RULE: Rule = Rule {
    id: "any/version-unpinned",
    languages: &[],
    title: "Any version of a dependency accepted",
    why: "The next install or build takes whatever version is the newest then, including one that is incompatible or was \
          published by an attacker. Two builds of one commit differ.",
    fix: "State a version or a range with an upper bound.",
    references: &["CWE-1104"],
    priority: Priority::P2,
    category: Category::Configuration,
    tests: Tests::Skip,
    check: Check::Text { run },
    positive: &[
        r#"
path: Cargo.toml
 [dependencies]
 serde = "1.0"
+rand = "*"
^
"#,
        r#"
path: composer.json
   "require": {
     "php": "^8.1",
+    "acme/forms": "*",
^
     "monolog/monolog": "^3.0"
"#,
        r#"
path: package.json
     "jsonwebtoken": "^9.0.2",
+    "left-pad": "*",
^
     "slugify": "^1.6.0",
"#,
        r#"
path: package.json
-    "@shop/forms": "~2.1.0",
+    "@shop/forms": "latest",
^
"#,
        r#"
path: requirements.txt
-django==4.2.11
+django
^
"#,
        r#"
path: Gemfile
-gem 'rails', '~> 7.1'
+gem 'rails'
^
"#,
        r#"
path: Cargo.toml
-serde = "1.0"
+serde = "*"
^
"#,
        r#"
path: compose.yaml
   db:
-    image: postgres:16.2
+    image: postgres:latest
^
"#,
        r#"
path: Dockerfile
-FROM node:22.11-slim AS build
+FROM node:latest AS build
^
 RUN npm ci
"#,
    ],
    negative: &[
        r#"
path: package.json
   "peerDependencies": {
+    "react": "*"
   }
"#,
        r#"
path: package.json
     "jsonwebtoken": "^9.0.2",
+    "@shop/forms": "*",
     "slugify": "^1.6.0",
"#,
        r#"
path: package.json
   "engines": {
+    "node": "*",
     "npm": ">=9"
"#,
        r#"
path: package.json
-    "left-pad": "*",
+    "left-pad": "^1.3.0",
"#,
        r#"
path: requirements.txt
-django==4.2.11
+django>=4.2,<5
+redis
"#,
        r#"
path: compose.yaml
   db:
-    image: postgres:16.2
+    image: postgres:16.4
"#,
    ],
};

/// A dependency and its version, for each kind of file. An empty version means none.
static FORMS: [(&str, LazyPattern); 7] = [
    (
        "package.json",
        LazyPattern::new(r#"^\s*"([@\w./-]+)"\s*:\s*"([^"]*)"\s*,?\s*$"#),
    ),
    (
        "composer.json",
        LazyPattern::new(r#"^\s*"([\w.-]+/[\w.-]+)"\s*:\s*"([^"]*)"\s*,?\s*$"#),
    ),
    (
        ".toml",
        LazyPattern::new(r#"^\s*"?([\w.-]+)"?\s*=\s*"([^"]*)"\s*(?:#.*)?$"#),
    ),
    (
        "requirements",
        LazyPattern::new(
            r"^([A-Za-z][\w.-]*(?:\[[\w,-]+\])?)\s*((?:[=<>~!]=?=?)?[^#;\s]*)\s*(?:[#;].*)?$",
        ),
    ),
    (
        "gemfile",
        LazyPattern::new(r#"^\s*gem\s+["']([\w-]+)["']\s*(?:,\s*["']([^"']*)["'])?\s*$"#),
    ),
    (
        ".yaml",
        LazyPattern::new(
            r#"^\s*(?:- )?image:\s*["']?([\w./-]+(?::\d+/[\w./-]+)?)(?::([\w.-]+))?(?:@sha256:\w+)?["']?\s*$"#,
        ),
    ),
    (
        "dockerfile",
        LazyPattern::new(
            r"^\s*FROM\s+(?:--\S+\s+)?([\w./-]+)(?::([\w.-]+))?(?:@sha256:\w+)?(?:\s+(?i:as)\s+\S+)?\s*$",
        ),
    ),
];

/// Sections in which `*` is common.
const OTHERS: &[&str] = &[
    "peerDependencies", "engines", "overrides", "resolutions", "exports", "typesVersions", "volta",
    "files",
];
const TOOLS: &[&str] = &["node", "npm", "yarn", "pnpm", "vscode"];

fn run(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    let path = context.file.path.to_ascii_lowercase();
    let name = path.rsplit('/').next().unwrap_or_default();
    let is_form = |form: &str| match form {
        "requirements" => name.starts_with("requirements") && name.ends_with(".txt"),
        "dockerfile" => context.file.language == "Dockerfile",
        ".yaml" => context.file.language == "YAML",
        ".toml" => matches!(name, "cargo.toml" | "pyproject.toml" | "pipfile"),
        _ => name == form,
    };
    let Some((form, pattern)) = FORMS.iter().find(|(form, _)| is_form(form)) else {
        return;
    };
    let Some(pattern) = pattern.get() else { return };
    let read = |line: &Line<'_>| -> Option<(String, String)> {
        let found = pattern.captures(line.text.as_bytes())?;
        let part = |index: usize| {
            found
                .get(index)
                .and_then(|part| line.text.get(part.range()))
                .unwrap_or_default()
        };
        Some((part(1).to_owned(), part(2).to_owned()))
    };
    let is_other = |line: &Line<'_>| {
        OTHERS
            .iter()
            .any(|section| line.text.contains(&format!("\"{section}\"")))
    };
    let in_other_section = context.lines().iter().any(is_other);
    let neighbours = || context.lines().iter().filter_map(read);
    let is_list = match *form {
        "package.json" | "composer.json" => true,
        _ => name == "cargo.toml",
    };
    let is_version = |version: &str| {
        version.starts_with(['^', '~'])
            || name == "cargo.toml" && version.starts_with(|c: char| c.is_ascii_digit())
    };
    let has_versions = neighbours().any(|(_, version)| is_version(&version));
    let has_stars = context
        .lines()
        .iter()
        .filter(|line| line.kind == review::LineKind::Context)
        .filter_map(read)
        .any(|(_, version)| is_open(form, &version));
    for edit in context.edits() {
        let before: std::collections::HashMap<String, String> =
            edit.removed.iter().filter_map(|line| read(line)).collect();
        for line in &edit.added {
            let Some((name, version)) = read(line) else {
                continue;
            };
            if !is_open(form, &version)
                || in_other_section
                || *form == "package.json" && TOOLS.contains(&name.as_str())
            {
                continue;
            }
            let summary = match before.get(&name) {
                Some(was) if !is_open(form, was) && was.contains(|c: char| c.is_ascii_digit()) => {
                    format!(
                        "`{}` was limited to `{}`; now any version is accepted.",
                        quote(&name),
                        quote(was)
                    )
                }
                None if is_list && has_versions && !has_stars && !name.starts_with('@') => {
                    format!(
                        "`{}` accepts any version (`{}`).",
                        quote(&name),
                        quote(&version)
                    )
                }
                _ => continue,
            };
            sink.report(*line, summary);
        }
    }
}

/// Whether a version can be any.
fn is_open(form: &str, version: &str) -> bool {
    let is_star = matches!(
        version,
        "*" | "latest" | "x" | ">=0" | ">= 0" | ">=0.0.0" | "LATEST" | "dev-master" | "dev-main"
    );
    is_star
        || version.is_empty() && matches!(form, "requirements" | "gemfile" | ".yaml" | "dockerfile")
}
