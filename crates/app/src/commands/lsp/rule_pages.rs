//! Writes the page of a rule, for editors to open: a Markdown file in the user's cache. A file works offline, and the
//! rules of a repository are on no website.

use std::path::{Path, PathBuf};
use std::{fs, io};

use lint::RuleInfo;
use sha2::{Digest as _, Sha256};

use crate::commands::file_uri;
use crate::output_file;
use crate::project::Project;

/// Bytes of a page's hash that are part of its path.
const HASH_BYTES: usize = 8;

/// The folder of the pages; `None` if the user has no cache folder.
#[derive(Debug)]
pub(super) struct RulePages(Option<PathBuf>);

impl RulePages {
    pub(super) fn new(cache: Option<PathBuf>) -> Self {
        Self(cache.map(|cache| cache.join("rules")))
    }

    /// The URI of the page of a rule, which may be one of the repository's own. `None` if there is no such rule or no
    /// place for its page.
    pub(super) fn address(&self, rule: &str, project: &Project) -> Option<String> {
        let folder = self.0.as_ref()?;
        let own = project
            .rules
            .iter()
            .find(|own| own.info.id == rule)
            .map(|own| own.info.clone());
        let file = write(folder, &own.or_else(|| rules::catalog().info(rule))?).ok()?;
        file_uri::of(&file)
    }
}

/// Writes a page unless it exists. Its path depends on its content, so it is never out of date.
fn write(folder: &Path, rule: &RuleInfo) -> io::Result<PathBuf> {
    let page = lint::pages::page(rule);
    let hash: String = Sha256::digest(&page)
        .iter()
        .take(HASH_BYTES)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let file = folder.join(hash).join(format!("{}.md", rule.id));
    if !file.exists() {
        fs::create_dir_all(file.parent().unwrap_or(folder))?;
        output_file::replace(&file, page.as_bytes())?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::RulePages;
    use crate::commands::file_uri;
    use crate::project::Project;

    #[test]
    fn a_page_is_a_file_that_is_written_once() {
        let cache = tempfile::tempdir().unwrap();
        let pages = RulePages::new(Some(cache.path().to_owned()));
        let address = |rule: &str| pages.address(rule, &Project::default());
        let file = file_uri::path(&address("python/mutable-default-argument").unwrap()).unwrap();
        assert!(
            file.ends_with("python/mutable-default-argument.md"),
            "{}",
            file.display()
        );
        let page = fs::read_to_string(&file).unwrap();
        assert!(page.contains("`python/mutable-default-argument`"), "{page}");
        let written = fs::metadata(&file).unwrap().modified().unwrap();
        assert_eq!(
            address("python/mutable-default-argument").as_deref(),
            file_uri::of(&file).as_deref()
        );
        assert_eq!(fs::metadata(&file).unwrap().modified().unwrap(), written);
        assert_eq!(address("python/no-such-rule"), None);
    }

    #[test]
    fn there_is_no_page_without_a_place_for_it() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for cache in [None, Some(file.path().to_owned())] {
            assert_eq!(
                RulePages::new(cache)
                    .address("python/mutable-default-argument", &Project::default()),
                None
            );
        }
    }
}
