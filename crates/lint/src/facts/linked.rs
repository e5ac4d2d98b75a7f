//! The links of a changed file with other files of the repository.

use impact::Links;
use review::Chunk;

use super::model::Facts;

/// The links of a changed file, and the settings that decide whether findings about them are reported.
#[derive(Debug)]
pub(crate) struct Linked {
    pub(crate) settings: Facts,
    pub(crate) links: Links,
}

impl Linked {
    /// Takes the links from the facts of a changed file; `None` if it has none.
    pub(crate) fn take(file: &Chunk<'_>, facts: &mut Facts) -> Option<Self> {
        let rules = std::mem::take(&mut facts.repository_rules);
        let links = std::mem::take(&mut facts.links);
        let has_any = !rules.is_empty() || facts.calls.iter().any(|call| call.added);
        let settings = Facts {
            file: file.index,
            path: file.path.to_string(),
            rules,
            ignored: facts.ignored.clone(),
            ..Facts::default()
        };
        let links = links.of(file);
        has_any.then_some(Self { settings, links })
    }
}
