//! Keys that a change reads and that nothing in the repository defines.
//!
//! The other files are read as text. A key is reported only if another key that the same call reads is defined, which
//! shows that the call reads such keys and that their definitions are in the repository.

use std::collections::BTreeSet;

use review::repository::{Listing, MAX_NAMES, MentionSearch, MentioningFile, Mentions, Refusal};
use review::{Place, Reference, Side};

use super::lost::{EXTENSIONS, gained};
use crate::conflict::{Conflict, Judge, Ruling, rulings};
use crate::keys::{Catalogs, KeyKind, ReadKey, last_part, may_define_translations};
use crate::links::Links;
use crate::paths::folder;
use crate::project::Project;

/// Extensions of more files that may define keys.
const MORE: &[&str] = &[
    "arb", "ftl", "gradle", "kts", "po", "pot", "resx", "strings", "xlf", "xliff",
];
/// Endings of the keys of plural forms.
const PLURALS: &[&str] = &["_one", "_other"];
/// The maximum number of words that are searched for one key: its own, two plural forms and three siblings.
const WORDS: usize = 6;
/// The maximum number of classes that define keys of one kind.
const DEFINERS: usize = 2;

/// Finds keys that the change reads and that nothing in the repository defines.
pub(super) async fn find(
    project: &Project<'_, '_>,
    changed: &[Links],
    judges: &[Judge],
) -> Result<Vec<Ruling>, Refusal> {
    let extensions = extensions(changed);
    if extensions.is_empty() {
        return Ok(Vec::new());
    }
    let listing = match project.repository.list(&extensions).await {
        Ok(listing) if listing.is_complete => listing,
        _ => return Ok(Vec::new()),
    };
    let unknown = UnknownKeys::new(changed, &listing);
    let Some(search) = unknown.search() else {
        return Ok(Vec::new());
    };
    let mentions = project.mentions(&search).await?;
    Ok(unknown.conclude(judges, &mentions))
}

/// The extensions of the files that may define the keys that a change reads.
fn extensions(changed: &[Links]) -> Vec<&'static str> {
    if changed.iter().all(|file| file.keys.read.is_empty()) {
        return Vec::new();
    }
    EXTENSIONS.iter().chain(MORE).copied().collect()
}

/// The keys that a change reads.
struct UnknownKeys<'c> {
    changed: &'c [Links],
    keys: Vec<(&'c Links, &'c ReadKey)>,
}

impl<'c> UnknownKeys<'c> {
    fn new(changed: &'c [Links], listing: &Listing) -> Self {
        let gained = gained(changed);
        // Any call may read translations, so most changes read texts of their form.
        let has_translations = listing
            .paths
            .iter()
            .any(|path| may_define_translations(path));
        let keys = changed
            .iter()
            .flat_map(|file| file.keys.read.iter().map(move |own| (file, own)))
            .filter(|(_, own)| !gained.contains(&(own.kind, own.key.clone())))
            .take((MAX_NAMES - DEFINERS) / WORDS)
            .filter(|(_, own)| own.kind != KeyKind::Translation || has_translations);
        Self {
            changed,
            keys: keys.collect(),
        }
    }

    /// The words with which definitions of the keys and their siblings end.
    fn words(&self) -> BTreeSet<(KeyKind, String)> {
        let of_key = |own: &ReadKey| {
            let siblings = own.siblings.iter().map(|one| last_part(one).to_owned());
            let all: Vec<String> = words(own).into_iter().chain(siblings).collect();
            all.into_iter()
                .map(|word| (own.kind, word))
                .collect::<Vec<_>>()
        };
        self.keys.iter().flat_map(|(_, own)| of_key(own)).collect()
    }

    /// The names to search for; `None` if the change reads no such key.
    fn search(&self) -> Option<MentionSearch> {
        let words = self.words().into_iter();
        let mut names: BTreeSet<String> = words.map(|(_, word)| word).collect();
        let definers = self.keys.iter();
        let definers = definers.flat_map(|(_, own)| own.kind.definers_with_hyphen());
        names.extend(definers.map(|&name| name.to_owned()));
        let places = self
            .keys
            .iter()
            .map(|(file, _)| folder(folder(&file.path)).to_owned());
        (!names.is_empty()).then(|| MentionSearch {
            names: names.into_iter().take(MAX_NAMES).collect(),
            extensions: extensions(self.changed),
            near: places.collect(),
        })
    }

    /// The conflicts that the rules report. None if not all mentions are known, because a
    /// definition may be among the others.
    fn conclude(&self, judges: &[Judge], mentions: &Mentions) -> Vec<Ruling> {
        if mentions.is_cut || mentions.is_limited {
            return Vec::new();
        }
        let files = mentions.files.iter();
        let files = files.map(|file| (file.path.as_str(), file.text.as_str()));
        let catalogs = Catalogs::new(files, &self.words());
        let mut found = Vec::new();
        for (file, own) in &self.keys {
            let mut siblings = own.siblings.iter();
            let sibling = siblings.find_map(|one| catalogs.definition(own.kind, one));
            if let Some((path, line)) = sibling
                && is_unknown(own, &catalogs, mentions)
            {
                let place = Place {
                    file: file.file,
                    side: Side::New,
                    line: own.line,
                };
                let sibling = Reference {
                    file_path: path.to_owned(),
                    line_number: line,
                };
                let conflict = Conflict::UnknownKey(own, &sibling);
                found.extend(rulings(judges, place, &conflict));
            }
        }
        found
    }
}

/// Whether nothing may define a key.
fn is_unknown(own: &ReadKey, catalogs: &Catalogs<'_>, mentions: &Mentions) -> bool {
    let word = last_part(&own.key);
    let words = words(own);
    let is_searched = |word: &str| !mentions.unsearched.contains(word);
    let definers = own.kind.definers_with_hyphen();
    let mentions_definer = |file: &MentioningFile| {
        file.names
            .iter()
            .any(|name| definers.contains(&name.as_str()))
    };
    let has_definers = || {
        !definers.iter().all(|name| is_searched(name))
            || mentions.files.iter().any(mentions_definer)
    };
    let may_be_of_definer = word.contains('-') && has_definers();
    words.iter().all(|word| is_searched(word))
        && !may_be_of_definer
        && catalogs.definition(own.kind, &own.key).is_none()
        && words.iter().all(|form| catalogs.lacks(own.kind, form))
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
