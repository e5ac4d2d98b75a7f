//! Unknown property and parameter names.

/// A name is shown up to here; what is longer is no name that was meant.
const SHOWN_NAME_CHARACTERS: usize = 64;
/// Jaro-Winkler similarity from which on a name is taken for a misspelling.
const NEAR: f64 = 0.8;

/// A name that is left over, as it may be shown, and what to say of it: it came twice, or nobody knows it, but one like it
/// may have been meant.
pub(super) fn find(name: &str, asked: &[&'static str], noun: &str) -> (String, String) {
    let shown: String = name.chars().take(SHOWN_NAME_CHARACTERS).collect();
    if asked.contains(&name) {
        return (shown, "is given twice".to_owned());
    }
    let lower = shown.to_lowercase();
    let near = asked.iter().map(|known| (strsim::jaro_winkler(&known.to_lowercase(), &lower), *known));
    let near = near.filter(|(score, _)| *score >= NEAR).max_by(|a, b| a.0.total_cmp(&b.0));
    let detail = match near {
        Some((_, near)) => format!("is not a known {noun}; `{near}` may have been meant"),
        None => format!("is not a known {noun}"),
    };
    (shown, detail)
}
