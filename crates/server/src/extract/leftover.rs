//! Unknown property and parameter names.

/// Maximum number of characters of a name to show; known names are shorter.
const SHOWN_NAME_CHARACTERS: usize = 64;
/// Minimum Jaro-Winkler similarity of a misspelling.
const NEAR: f64 = 0.8;

/// Returns an unknown or repeated name in displayable form, and the fault: it occurs twice, or is unknown but
/// possibly a misspelling.
pub(super) fn find(name: &str, asked: &[&'static str], noun: &str) -> (String, String) {
    let shown: String = name.chars().take(SHOWN_NAME_CHARACTERS).collect();
    if asked.contains(&name) {
        return (shown, "is given twice".to_owned());
    }
    let lower = shown.to_lowercase();
    let near = asked
        .iter()
        .map(|known| (strsim::jaro_winkler(&known.to_lowercase(), &lower), *known));
    let near = near
        .filter(|(score, _)| *score >= NEAR)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let detail = match near {
        Some((_, near)) => format!("unknown {noun}; did you mean `{near}`?"),
        None => format!("unknown {noun}"),
    };
    (shown, detail)
}
