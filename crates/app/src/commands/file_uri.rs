//! Addresses of files.

use std::path::{Path, PathBuf};

/// The path that a `file:` address names; `None` for any other address.
pub(super) fn path(uri: &str) -> Option<PathBuf> {
    reqwest::Url::parse(uri)
        .ok()
        .filter(|url| url.scheme() == "file")?
        .to_file_path()
        .ok()
}

/// The address of a file; `None` if its path is not absolute.
pub(super) fn of(file: &Path) -> Option<String> {
    reqwest::Url::from_file_path(file).ok().map(Into::into)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::path;

    #[test]
    fn only_an_address_of_a_local_file_is_one() {
        assert_eq!(
            path("file:///a/b%20c%C3%A9.py").as_deref(),
            Some(Path::new("/a/b cé.py"))
        );
        for uri in [
            "untitled:Untitled-1",
            "file://elsewhere/a.py",
            "git:/a.py",
            "/a.py",
            "",
        ] {
            assert_eq!(path(uri), None, "{uri}");
        }
    }
}
