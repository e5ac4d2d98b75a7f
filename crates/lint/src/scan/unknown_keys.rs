//! Keys that a change reads and that nothing in the repository defines.
//!
//! The other files are read as text. A key is reported only if another key that the same call reads is defined, which
//! shows that the call reads such keys and that their definitions are in the repository.

use std::collections::{BTreeMap, BTreeSet};

use review::repository::{MAX_NAMES, MentionSearch, Mentions};
use review::{Candidate, Priority, Reference, Side, Warning};

use super::impact::reported;
use super::lost::EXTENSIONS;
use super::modules::folder;
use crate::facts::keys::{Catalogs, last_part};
use crate::facts::{KeyKind, Links, ReadKey};
use crate::registry::Catalog;
use crate::rule::Check;

/// Extensions of more files that may define keys.
const MORE: &[&str] = &[
    "arb", "ftl", "gradle", "kts", "po", "pot", "resx", "strings", "xlf", "xliff",
];
/// Endings of the keys of plural forms.
const PLURALS: &[&str] = &["_one", "_other"];
/// The maximum number of words that are searched for one key: its own, two plural forms and three siblings.
const WORDS: usize = 6;
/// Classes of Django REST framework that give names to routes.
const ROUTERS: &[&str] = &["DefaultRouter", "SimpleRouter"];

/// The keys that a change reads.
pub(super) struct UnknownKeys<'c> {
    changed: &'c [Links],
    keys: Vec<(&'c Links, &'c ReadKey)>,
}

impl<'c> UnknownKeys<'c> {
    pub(super) fn new(changed: &'c [Links]) -> Self {
        let gained: BTreeSet<&(KeyKind, String)> =
            changed.iter().flat_map(|file| &file.keys.gained).collect();
        let keys = changed
            .iter()
            .flat_map(|file| file.keys.read.iter().map(move |own| (file, own)));
        let keys = keys.filter(|(_, own)| !gained.contains(&(own.kind, own.key.clone())));
        Self {
            changed,
            keys: keys.take((MAX_NAMES - ROUTERS.len()) / WORDS).collect(),
        }
    }

    /// The names to search for; `None` if the change reads no such key.
    pub(super) fn search(&self) -> Option<MentionSearch> {
        let mut names: BTreeSet<String> = BTreeSet::new();
        for (_, own) in &self.keys {
            names.extend(words(own));
            names.extend(
                own.siblings
                    .iter()
                    .map(|sibling| last_part(sibling).to_owned()),
            );
        }
        if self
            .keys
            .iter()
            .any(|(_, own)| own.kind == KeyKind::DjangoRoute)
        {
            names.extend(ROUTERS.iter().map(|&name| name.to_owned()));
        }
        let places = self
            .keys
            .iter()
            .map(|(file, _)| folder(folder(&file.path)).to_owned());
        (!names.is_empty()).then(|| MentionSearch {
            names: names.into_iter().take(MAX_NAMES).collect(),
            extensions: EXTENSIONS.iter().chain(MORE).copied().collect(),
            near: places.collect(),
        })
    }

    /// The findings, and warnings about those suppressed by comments. None if not all mentions are known, because a
    /// definition may be among the others.
    pub(super) fn conclude(
        &self,
        catalog: &Catalog,
        mentions: &Mentions,
    ) -> (Vec<Candidate>, Vec<Warning>) {
        if mentions.is_cut || mentions.is_limited {
            return (Vec::new(), Vec::new());
        }
        let mut wanted: BTreeSet<(KeyKind, &str)> = BTreeSet::new();
        for (_, own) in &self.keys {
            let siblings = own
                .siblings
                .iter()
                .map(|sibling| (own.kind, last_part(sibling)));
            wanted.extend(siblings.chain([(own.kind, last_part(&own.key))]));
        }
        let forms: Vec<String> = self.keys.iter().flat_map(|(_, own)| words(own)).collect();
        let kinds: BTreeSet<KeyKind> = self.keys.iter().map(|(_, own)| own.kind).collect();
        wanted.extend(
            forms
                .iter()
                .flat_map(|form| kinds.iter().map(|kind| (*kind, form.as_str()))),
        );
        let files = mentions
            .files
            .iter()
            .map(|file| (file.path.as_str(), file.text.as_str()));
        let catalogs = Catalogs::new(files, &wanted);
        let by_path: BTreeMap<&str, &[String]> = mentions
            .files
            .iter()
            .map(|file| (file.path.as_str(), file.names.as_slice()))
            .collect();
        let has_routers = ROUTERS.iter().any(|router| {
            by_path
                .values()
                .any(|names| names.iter().any(|name| name == router))
        });
        let is_known = |file: &Links, own: &ReadKey| {
            let word = last_part(&own.key);
            // The file itself mentions the word, so a word that no file mentions was too common to be searched.
            let is_searched = by_path
                .get(file.path.as_str())
                .is_some_and(|names| names.iter().any(|name| name == word));
            let may_be_router =
                own.kind == KeyKind::DjangoRoute && has_routers && word.contains('-');
            !is_searched
                || may_be_router
                || catalogs.definition(own.kind, &own.key).is_some()
                || words(own)
                    .iter()
                    .any(|form| !catalogs.lacks(own.kind, form))
        };
        let mut found = Vec::new();
        for (file, own) in self.keys.iter().filter(|(file, own)| !is_known(file, own)) {
            let sibling = own
                .siblings
                .iter()
                .find_map(|sibling| catalogs.definition(own.kind, sibling));
            if let Some((path, line)) = sibling {
                let reference = Reference {
                    file_path: path.to_owned(),
                    line_number: line,
                };
                found.extend(judge(catalog, file, own, &reference));
            }
        }
        reported(self.changed, found)
    }
}

/// The words with which a definition of the key may end.
fn words(own: &ReadKey) -> Vec<String> {
    let word = last_part(&own.key);
    let plurals = PLURALS.iter().filter(|_| own.kind == KeyKind::Translation);
    [word.to_owned()]
        .into_iter()
        .chain(plurals.map(|end| format!("{word}{end}")))
        .collect()
}

fn judge(catalog: &Catalog, file: &Links, own: &ReadKey, sibling: &Reference) -> Vec<Candidate> {
    let candidate = |rule: crate::rule::RatedRule| {
        let Check::Key { run } = rule.check else {
            return None;
        };
        let (summary, is_certain) = run(own);
        let mut candidate = rule
            .meta()
            .candidate(file.file, Side::New, own.line, &summary);
        if !is_certain {
            candidate.priority = candidate.priority.max(Priority::P2);
        }
        candidate.references = vec![sibling.clone()];
        Some(candidate)
    };
    catalog.of_repositories().filter_map(candidate).collect()
}
