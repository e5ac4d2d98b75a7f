//! Versions of languages, as projects declare them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The oldest version of a language that a project supports, or an edition of Rust.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Version {
    /// The number before the first dot.
    pub major: u16,
    /// The number after it.
    pub minor: u16,
}

impl Version {
    /// The version at the beginning of a text: `1.22`, `3.10.4`, `21`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.trim().split('.');
        let number = |part: &str| {
            let end = part
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(part.len());
            part.get(..end)?.parse().ok()
        };
        let major = number(numbers.next()?)?;
        let minor = numbers.next().and_then(number).unwrap_or(0);
        Some(Self { major, minor })
    }
}

impl TryFrom<String> for Version {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text)
            .ok_or_else(|| format!("expected a version such as \"1.22\", not {text:?}"))
    }
}

impl From<Version> for String {
    fn from(version: Version) -> Self {
        version.to_string()
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// The versions of its language to which a rule applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Versions {
    /// The first one.
    pub from: Option<Version>,
    /// The first one to which it no longer applies.
    pub below: Option<Version>,
}

impl Versions {
    /// Whether it applies to a project that supports this version and newer ones. An unknown version is the current one.
    #[must_use]
    pub fn include(self, version: Option<Version>) -> bool {
        match version {
            Some(version) => {
                self.from.is_none_or(|from| version >= from)
                    && self.below.is_none_or(|below| version < below)
            }
            None => self.below.is_none(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Version, Versions};

    #[test]
    fn versions_are_read_up_to_the_second_number() {
        let read = |text| Version::parse(text).map(|version| (version.major, version.minor));
        let expected = [
            ("1.22", (1, 22)),
            ("3.10.4", (3, 10)),
            (" 21 ", (21, 0)),
            ("1.26rc1", (1, 26)),
            ("2024", (2024, 0)),
        ];
        for (text, version) in expected {
            assert_eq!(read(text), Some(version), "{text}");
        }
        assert_eq!(["", "x", ".5", "99999999"].map(read), [None; 4]);
    }

    #[test]
    fn an_unknown_version_is_the_current_one() {
        let version = |text| Version::parse(text);
        let old = Versions {
            from: None,
            below: version("1.22"),
        };
        assert_eq!(
            [version("1.21"), version("1.22"), None].map(|own| old.include(own)),
            [true, false, false]
        );
        let new = Versions {
            from: version("3.2"),
            below: None,
        };
        assert_eq!(
            [version("3.1"), version("3.2"), None].map(|own| new.include(own)),
            [false, true, true]
        );
        assert!(Versions::default().include(None));
    }
}
