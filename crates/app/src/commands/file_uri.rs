//! Conversion between `file:` URIs and paths.

use std::path::{Path, PathBuf};

/// The path of a `file:` URI; `None` for any other URI.
pub(super) fn path(uri: &str) -> Option<PathBuf> {
    reqwest::Url::parse(uri)
        .ok()
        .filter(|url| url.scheme() == "file")?
        .to_file_path()
        .ok()
}

/// The URI of a file; `None` if its path is not absolute.
pub(super) fn of(file: &Path) -> Option<String> {
    reqwest::Url::from_file_path(file).ok().map(Into::into)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::path;

    #[test]
    fn only_uris_of_local_files_have_a_path() {
        assert_eq!(
            path("file:///a/b%20c%C3%A9.py").as_deref(),
            Some(Path::new("/a/b cé.py"))
        );
        for uri in [
            "untitled:Untitled-1", "file://elsewhere/a.py", "git:/a.py", "/a.py", "",
        ] {
            assert_eq!(path(uri), None, "{uri}");
        }
    }
}
