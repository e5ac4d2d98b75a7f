//! The claim of a finding, in a form that can be compared without understanding the text.
//!
//! Rules and language models describe one defect in different sentences, but with the same names from the code and the same
//! key terms. So a claim is the set of significant words, and two claims are the same when most of the smaller set is in the
//! other one (the Szymkiewicz–Simpson overlap coefficient).

/// The minimum share of the smaller claim's words that must occur in the other one.
const SHARED: f64 = 0.5;
/// The minimum number of shared words, unless a claim has fewer words.
const MIN_SHARED: usize = 2;
/// Compared prefix of a word, in letters, so that plurals and tenses do not matter.
const STEM: usize = 5;
/// Bytes of a text that are considered.
const BYTES: usize = 2_000;

/// Stop words: words that occur in texts about any defect.
const COMMON: &[&str] = &[
    "a", "about", "after", "all", "also", "an", "and", "any", "are", "as", "at", "be", "because",
    "been", "before", "but", "by", "can", "code", "could", "do", "does", "for", "from", "has",
    "have", "here", "if", "in", "instead", "into", "is", "it", "its", "line", "may", "might",
    "more", "must", "no", "not", "now", "of", "on", "only", "or", "other", "should", "so", "that",
    "the", "then", "there", "this", "to", "when", "where", "which", "will", "with", "without",
    "would",
];

/// The significant words of a text, each shortened to its stem, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Claim(Box<[Stem]>);

/// The first letters of a word; a shorter word is padded.
type Stem = [char; STEM];

impl Claim {
    /// Extracts the claim of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let text = text
            .get(..text.floor_char_boundary(BYTES))
            .unwrap_or_default()
            .to_lowercase();
        let words = text
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|word| !word.is_empty());
        let significant = words.filter(|word| !COMMON.contains(word));
        let mut stems: Vec<Stem> = significant.map(stem).collect();
        stems.sort_unstable();
        stems.dedup();
        Self(stems.into())
    }

    /// Whether both make the same claim.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let smaller = self.0.len().min(other.0.len());
        let shared = self
            .0
            .iter()
            .filter(|word| other.0.binary_search(word).is_ok())
            .count();
        smaller > 0 && shared >= MIN_SHARED.min(smaller) && shared as f64 >= SHARED * smaller as f64
    }
}

fn stem(word: &str) -> Stem {
    let mut letters = word.chars();
    std::array::from_fn(|_| letters.next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::Claim;

    fn same(a: &str, b: &str) -> bool {
        Claim::of(a).is_same(&Claim::of(b))
    }

    #[test]
    fn one_defect_in_two_sentences_is_one_claim() {
        assert!(same(
            "`order` may be null here.",
            "When the order is null, `order.total` throws."
        ));
        assert!(same(
            "The file handle `f` is never closed.",
            "`f` is not closed if `parse` fails: the handle leaks."
        ));
        assert!(same("x", "x"));
    }

    #[test]
    fn two_defects_are_two_claims() {
        assert!(!same(
            "`order` may be null here.", "The password is written to the log."
        ));
        assert!(!same(
            "The index can be one past the end.", "The lock is not released."
        ));
        assert!(!same("", ""), "an empty text makes no claim");
    }
}
