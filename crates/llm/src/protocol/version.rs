//! The version in a model's name, for providers whose parameters changed with it.

/// The first version in a name, as major and minor. `claude-haiku-4-5-20251001` and `gemini-2.5-pro` contain one; a
/// gateway's alias may not. A date does not count.
pub(super) fn of(model: &str) -> Option<(u32, u32)> {
    let short = |word: &&str| word.len() <= 2;
    let mut words = model
        .split(|c: char| !c.is_ascii_alphanumeric())
        .skip_while(|word| word.parse::<u32>().is_err());
    let major = words.next().filter(short)?.parse().ok()?;
    let minor = words
        .next()
        .filter(short)
        .and_then(|word| word.parse().ok());
    Some((major, minor.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_version_is_read_from_the_names_that_providers_use() {
        for (model, version) in [
            ("claude-haiku-4-5-20251001", Some((4, 5))),
            ("claude-3-7-sonnet-20250219", Some((3, 7))),
            ("claude-sonnet-4-20250514", Some((4, 0))),
            ("claude-sonnet-5-5", Some((5, 5))),
            ("us.anthropic.claude-opus-4-6-v1", Some((4, 6))),
            ("gemini-2.5-flash-lite", Some((2, 5))),
            ("publishers/google/models/gemini-3.6-flash", Some((3, 6))),
            ("tunedModels/mine", None),
            ("model-20250514", None),
            ("", None),
        ] {
            assert_eq!(super::of(model), version, "{model}");
        }
    }
}
