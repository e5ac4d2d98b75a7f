//! Suggests similar names.

/// The known names that are most similar to a name, at most three.
pub(crate) fn nearest<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Vec<&'k str> {
    if name.len() > 200 {
        return Vec::new();
    }
    let mut near: Vec<(f64, &str)> = known
        .map(|known| (likeness(known, name), known))
        .filter(|(like, _)| *like > 0.6)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    near.into_iter().take(3).map(|(_, known)| known).collect()
}

/// The similarity of a word to a known name, or to its part after the slash: 0 to 1.
fn likeness(known: &str, wanted: &str) -> f64 {
    let name = known.rsplit('/').next().unwrap_or(known);
    strsim::normalized_damerau_levenshtein(known, wanted)
        .max(strsim::normalized_damerau_levenshtein(name, wanted))
}
