//! Tokens and keys of known services, recognized by their form, their checksum, or their context.

use std::cell::LazyCell;

use lint::{Check, Rule, Sink, Tests, TextContext};
use review::{Category, Line, LineKind, Priority, Status};
use syntax::semantics::secrets::{BLOCKS, Secret, TOKENS, grade, masked, secret_file};

pub(crate) const RULE: Rule = Rule {
    id: "any/hard-coded-token",
    languages: &[],
    title: "Service token in the code",
    why: "Every reader of the repository, its history, a fork or a backup has the token and with it the account. \
          Public repositories are searched for such tokens within minutes. docs/secrets.md lists the recognized kinds; \
          a token with a wrong checksum is treated as made up, and in tests, examples and documentation only a correct \
          checksum counts.",
    fix: "Revoke the token now: deleting the line does not remove it from the history. Read the new one from the \
          environment or a secret store.",
    references: &["CWE-798"],
    priority: Priority::P0,
    category: Category::SecretExposure,
    tests: Tests::Include,
    check: Check::Text { run },
    // The examples are written in two parts, so that scanners do not take them for real tokens.
    positive: &[
        concat!("path: src/a.py\n+KEY = \"AKIA", "QYLPMN5HHHFPZAM2\"\n^\n"),
        concat!(
            "path: config.unknown\n-stripe: ask me\n+stripe: sk_",
            "live_7mQ2xPz0Lr9KvB4nT6Wd\n^\n"
        ),
        concat!("path: a.yaml\n+token: glp", "at-Zx81_kPq2vB7nM3wRt5e\n^\n"),
        concat!(
            "path: src/test_a.py\n+token = \"ghp",
            "_u8Kd93nQw0ZrTy5LmPcXv7BgHj2NsA31EpfZ\"\n^\n"
        ),
        concat!(
            "path: src/a.js\n+const mailgun = { key: 1, mailgunKey: \"key-",
            "3f9c2be17ad0386cf5e1b7a49d30c86e\" };\n^\n"
        ),
        concat!(
            "path: deploy.yaml\n kind: Secret\n metadata:\n   name: shop\n data:\n+  password: aEc3cXoxT",
            "G05UEw0dzJ4\n^\n"
        ),
        concat!(
            "path: run.sh\n+curl -s \\\n+  -H \"Authorization: Bearer q8Zr3LmX0pTv",
            "B6nYc2WdKj5H\" https://shop.internal\n^\n"
        ),
    ],
    negative: &[
        r#"
path: src/a.py
+KEY = os.environ["AWS_ACCESS_KEY_ID"]
"#,
        concat!(
            "path: src/a.py\n KEY = \"AKIA",
            "QYLPMN5HHHFPZAM2\"\n+DOCS = \"AKIAIOSFODNN7EXAMPLE\"\n+WRONG = \"ghp_u8Kd93nQw0ZrTy5LmPcXv7BgHj2NsAAAAAAA\"\n"
        ),
        r#"
path: src/a.js
+const discord = "discord-message-handler-for-bots";
+const stripe = process.env.STRIPE_KEY;
"#,
        r#"
path: deploy.yaml
 kind: Secret
 data:
+  password: {{ .Values.password | b64enc }}
"#,
        r#"
path: run.sh
+curl -H "Authorization: Bearer $TOKEN" -u "$USER:$PASSWORD" https://shop.internal
"#,
    ],
};

fn run(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    for line in context.added() {
        let found = TOKENS.find(line.text, context.file.path);
        report(&found, line, context, sink);
    }
    blocks(context, sink);
    if context.file.status == Status::Added
        && let (Some(detector), Some(line)) =
            (secret_file(context.file.path), context.added().next())
    {
        sink.report(
            line,
            format!(
                "The file holds secrets: {} ({}).",
                detector.title, detector.id
            ),
        );
    }
}

/// Reports the most severe secret on a line.
fn report(found: &[Secret<'_>], line: &Line<'_>, context: &TextContext<'_>, sink: &mut Sink<'_>) {
    let graded = found
        .iter()
        // A line that was only formatted has the same value as before.
        .filter(|secret| !context.removed().any(|old| old.text.contains(secret.value)))
        .filter_map(|secret| Some((grade(secret, &context.file)?, secret)));
    let Some((priority, secret)) = graded.min_by_key(|(priority, _)| *priority) else {
        return;
    };
    let is_example = is_below_pattern(secret.value, line, context);
    let priority = if is_example {
        priority.max(Priority::P2)
    } else {
        priority
    };
    let detector = secret.detector;
    let summary = format!(
        "`{}` ({} characters) is hard-coded: {} ({}).",
        masked(secret.value),
        secret.value.chars().count(),
        detector.title,
        detector.id
    );
    sink.report(line, summary).priority(priority);
}

/// Lines above a token on which the pattern may be that it is an example of.
const PATTERN_ABOVE: usize = 6;

/// Whether the pattern of such tokens is on the line or right above it, in the list of a program that searches for secrets.
fn is_below_pattern(token: &str, line: &Line<'_>, context: &TextContext<'_>) -> bool {
    let starts = (3..=8).filter_map(|length| token.get(..length));
    let patterns: Vec<String> = starts.map(|start| format!("{start}[")).collect();
    let lines = context
        .lines()
        .iter()
        .filter(|other| other.kind != LineKind::Removed);
    let above = lines.filter(|other| {
        let (own, other) = (line.new.unwrap_or_default(), other.new.unwrap_or_default());
        other <= own && own - other <= u32::try_from(PATTERN_ABOVE).unwrap_or(u32::MAX)
    });
    above
        .into_iter()
        .any(|other| patterns.iter().any(|pattern| other.text.contains(pattern)))
}

/// Lines above a keyword, and below it, that belong to it.
const ABOVE: usize = 12;
const BELOW: usize = 12;

/// Secrets that span several lines, in the new text around each keyword.
fn blocks(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    let lines: Vec<&Line<'_>> = context
        .lines()
        .iter()
        .filter(|line| line.kind != LineKind::Removed)
        .collect();
    let by_path = LazyCell::new(|| BLOCKS.is_for(context.file.path));
    let is_hint = |text: &str| {
        ["curl", "contribsys", "CONTRIBSYS"]
            .iter()
            .any(|word| text.contains(word))
            || *by_path
    };
    let mut done = 0;
    for (index, line) in lines.iter().enumerate() {
        if index >= done && BLOCKS.has_keyword(line.text) && is_hint(line.text) {
            done = index + BELOW;
            let block = lines
                .get(index.saturating_sub(ABOVE)..(index + BELOW).min(lines.len()))
                .unwrap_or_default();
            if block.iter().any(|line| line.kind == LineKind::Added) {
                block_of(block, context, sink);
            }
        }
    }
}

fn block_of(block: &[&Line<'_>], context: &TextContext<'_>, sink: &mut Sink<'_>) {
    let text: Vec<&str> = block.iter().map(|line| line.text).collect();
    let text = text.join("\n");
    for secret in BLOCKS.find(&text, context.file.path) {
        let above = text
            .get(..secret.start)
            .unwrap_or_default()
            .matches('\n')
            .count();
        if let Some(line) = block.get(above).filter(|line| line.kind == LineKind::Added) {
            report(&[secret], line, context, sink);
        }
    }
}
