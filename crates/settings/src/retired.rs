//! Settings of older versions. They are accepted with a warning, so that an update does not break a configuration.

/// Full names, with the reason for each removal.
const RETIRED: &[(&str, &str)] = &[(
    "llm.effort",
    "a language model reads each part of a change once",
)];

/// Why a setting was retired; `None` if there was no setting with this name.
pub(super) fn replaced_by(name: &str) -> Option<&'static str> {
    RETIRED
        .iter()
        .find(|(retired, _)| *retired == name)
        .map(|(_, reason)| *reason)
}

#[cfg(test)]
mod tests {
    use super::RETIRED;
    use crate::list::SECTIONS;

    #[test]
    fn retired_settings_are_not_settings() {
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
