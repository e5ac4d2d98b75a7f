//! Families of languages with code that can call each other, by the extensions of their files.

use super::modules::SCRIPTS;

/// Languages with code that can call each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    C,
    CSharp,
    Go,
    Jvm,
    Php,
    Python,
    Ruby,
    Rust,
}

const EXTENSIONS: &[(Family, &[&str])] = &[
    (
        Family::C,
        &["c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "inl"],
    ),
    (Family::CSharp, &["cs"]),
    (Family::Go, &["go"]),
    (Family::Jvm, &["java", "kt"]),
    (Family::Php, &["php"]),
    (Family::Python, &["py"]),
    (Family::Ruby, &["rb"]),
    (Family::Rust, &["rs"]),
];

impl Family {
    /// That of a file.
    pub(crate) fn of(path: &str) -> Option<Self> {
        let (_, extension) = path.rsplit_once('.')?;
        let row = EXTENSIONS
            .iter()
            .find(|(_, extensions)| extensions.contains(&extension))?;
        Some(row.0)
    }
}

/// The extensions of the files that can use a file with this path.
pub(crate) fn extensions(path: &str) -> &'static [&'static str] {
    let is_script = path
        .rsplit_once('.')
        .is_some_and(|(_, extension)| SCRIPTS.contains(&extension));
    if is_script {
        return SCRIPTS;
    }
    let family = Family::of(path);
    EXTENSIONS
        .iter()
        .find(|(own, _)| Some(*own) == family)
        .map_or(&[], |(_, extensions)| extensions)
}

#[cfg(test)]
mod tests {
    use super::extensions;

    #[test]
    fn files_are_searched_in_all_languages_that_can_call_each_other() {
        assert_eq!(extensions("a/B.java"), ["java", "kt"]);
        assert_eq!(extensions("a.py"), ["py"]);
        assert!(extensions("a.js").contains(&"tsx"));
        assert!(extensions("README.md").is_empty());
        assert!(extensions("Makefile").is_empty());
    }
}
