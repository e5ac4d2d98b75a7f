//! Settings that older versions had. They are accepted with a warning, so that an update does not break a configuration.

/// Full names, and what replaced each.
const RETIRED: &[(&str, &str)] = &[(
    "llm.effort",
    "a language model reads each part of a change once",
)];

/// What replaced a retired setting; `None` if there was none with this name.
pub(super) fn replaced_by(name: &str) -> Option<&'static str> {
    RETIRED
        .iter()
        .find(|(retired, _)| *retired == name)
        .map(|(_, reason)| *reason)
}

#[cfg(test)]
mod tests {
    use super::RETIRED;
    use crate::settings::list::SECTIONS;

    #[test]
    fn no_retired_setting_is_still_a_setting() {
        for section in SECTIONS {
            for field in section.fields {
                assert!(
                    !RETIRED
                        .iter()
                        .any(|(retired, _)| *retired == section.full(field.name)),
                    "{}",
                    field.name
                );
            }
        }
    }
}
