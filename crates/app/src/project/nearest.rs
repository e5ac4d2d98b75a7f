//! Names that somebody may have had in mind.

/// The known names that are most like a name, up to three.
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

/// How alike a known name, or its part after the slash, and a word are: 0 to 1.
fn likeness(known: &str, wanted: &str) -> f64 {
    let name = known.rsplit('/').next().unwrap_or(known);
    strsim::normalized_damerau_levenshtein(known, wanted)
        .max(strsim::normalized_damerau_levenshtein(name, wanted))
}
