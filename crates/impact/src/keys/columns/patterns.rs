//! Patterns of statements about tables.

use regex::Regex;

/// A name, `{N}` in patterns, with or without quotes and a schema.
const NAME: &str = r#"[:"'`\[]*(?:\w+\.)?["`\[]?(\w+)["'`\]]*"#;

/// Patterns in which `{N}` is a name.
#[expect(
    clippy::expect_used,
    reason = "the patterns are constants, and a test compiles them"
)]
pub(super) fn compiled(patterns: &[&str]) -> Vec<Regex> {
    let one = |pattern: &&str| Regex::new(&pattern.replace("{N}", NAME)).expect("a valid pattern");
    patterns.iter().map(one).collect()
}
