//! Detects instructions in findings. A diff can make a model repeat them.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::text;

/// Number of consecutive words that do not match by chance.
const WORDS: usize = 10;

/// Sequences of words in the instructions.
static INSTRUCTIONS: LazyLock<HashSet<String>> =
    LazyLock::new(|| text::ALL.iter().flat_map(|text| runs(text)).collect());

/// Whether a text quotes the instructions.
pub(crate) fn quotes_instructions(text: &str) -> bool {
    runs(text).iter().any(|run| INSTRUCTIONS.contains(run))
}

fn runs(text: &str) -> Vec<String> {
    let words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    words.windows(WORDS).map(|run| run.join(" ")).collect()
}
