//! Where the text of a file reads or defines keys.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::columns;
use super::definitions::definitions;
use super::endpoints;
use super::kinds::{KeyUse, ends_with_any, last_part};
use super::lost::counts_elsewhere;
use super::namespaces;
use super::renamed;
use super::table::Absence;
use super::text::{Quoted, code_lines, quoted, stem};
use super::words::{Word, is_handled};
use super::{KeyKind, LostKey};

/// Keys to look for.
pub(crate) struct Wanted<'k> {
    /// The keys with the paths of the files that defined them.
    keys: Vec<(&'k str, &'k LostKey)>,
    /// By the texts in quotes that mean them.
    quoted: HashMap<String, Vec<usize>>,
    /// By words.
    words: HashMap<String, Vec<usize>>,
    /// The members that the change names, which may be constants for endpoints.
    named: &'k HashSet<&'k str>,
}

impl<'k> Wanted<'k> {
    pub(crate) fn new(keys: Vec<(&'k str, &'k LostKey)>, named: &'k HashSet<&'k str>) -> Self {
        let (mut quoted, mut words) = (HashMap::new(), HashMap::new());
        for (at, (path, lost)) in keys.iter().enumerate() {
            let add =
                |to: &mut HashMap<String, Vec<usize>>, text| to.entry(text).or_default().push(at);
            let row = lost.kind.row();
            let forms = |patterns: &[&str]| -> Vec<String> {
                let form = |pattern: &&str| form(pattern, path, &lost.key);
                patterns.iter().map(form).collect()
            };
            forms(row.words)
                .into_iter()
                .for_each(|text| add(&mut words, text));
            forms(row.quoted)
                .into_iter()
                .for_each(|text| add(&mut quoted, text));
        }
        Self {
            keys,
            quoted,
            words,
            named,
        }
    }

    /// The words to search for.
    pub(crate) fn names(&self) -> BTreeSet<String> {
        let keys = self
            .keys
            .iter()
            .filter(|(_, lost)| lost.kind.row().words.is_empty())
            .map(|(_, lost)| match lost.kind {
                KeyKind::Column => last_part(&lost.key).to_owned(),
                KeyKind::Endpoint => endpoints::word(&lost.key).to_owned(),
                _ => lost.key.clone(),
            });
        let renamings = self
            .keys
            .iter()
            .filter_map(|(_, lost)| lost.renaming.as_ref());
        let new = renamings.map(|renaming| renaming.new.clone());
        self.words.keys().cloned().chain(keys).chain(new).collect()
    }

    /// The definitions and reads of the keys in a file.
    pub(crate) fn uses(&self, path: &str, text: &str) -> Vec<(usize, KeyUse)> {
        let lines = code_lines(path, (1..).zip(text.lines()));
        let mut found: Vec<(usize, KeyUse)> = self.definitions(path, &lines);
        found.extend(self.namespaces(path, &lines));
        found.extend(self.columns(path, text, &lines));
        found.extend(self.texts(path, &lines));
        let pieces = quoted(&lines);
        let endpoints = self.of(KeyKind::Endpoint);
        found.extend(endpoints::uses(path, &pieces, endpoints, self.named));
        for own in &pieces {
            for start in forms(own.text) {
                for at in self.quoted.get(start).into_iter().flatten() {
                    let used = self
                        .keys
                        .get(*at)
                        .and_then(|(_, lost)| in_quotes(lost, own, start == own.text));
                    found.extend(used.map(|used| (*at, used)));
                }
            }
        }
        for (line, text) in &lines {
            for (start, word) in words(text) {
                for at in self.words.get(word).into_iter().flatten() {
                    let parts = text.get(..start).zip(text.get(start + word.len()..));
                    let used =
                        self.keys
                            .get(*at)
                            .zip(parts)
                            .and_then(|((_, lost), (lead, after))| {
                                let line = *line;
                                let word = Word {
                                    path,
                                    line,
                                    lead,
                                    after,
                                };
                                (lost.kind.row().word_use)(&lost.key, word)
                            });
                    found.extend(used.map(|used| (*at, used)));
                }
            }
        }
        found
    }

    fn namespaces(&self, path: &str, lines: &[(u32, &str)]) -> Vec<(usize, KeyUse)> {
        let mut found = Vec::new();
        for (at, (_, lost)) in self.keys.iter().enumerate() {
            if lost.kind != KeyKind::Namespace {
                continue;
            }
            if namespaces::is_declared(path, lines, &lost.key) {
                found.push((at, KeyUse::Defined));
            }
            let lines = namespaces::uses(path, lines, &lost.key).into_iter();
            let is_certain = true;
            found.extend(lines.map(|line| (at, KeyUse::Read { line, is_certain })));
        }
        found
    }

    fn columns(&self, path: &str, text: &str, lines: &[(u32, &str)]) -> Vec<(usize, KeyUse)> {
        columns::uses(path, text, lines, self.of(KeyKind::Column))
    }

    fn texts(&self, path: &str, lines: &[(u32, &str)]) -> Vec<(usize, KeyUse)> {
        let mut found = Vec::new();
        for (at, (home, lost)) in self.keys.iter().enumerate() {
            if let Some(renaming) = &lost.renaming {
                let uses = renamed::uses(home, (&lost.key, &renaming.call), path, lines);
                found.extend(uses.into_iter().map(|used| (at, used)));
            }
        }
        found
    }

    /// The keys of a kind, with their positions.
    fn of(&self, kind: KeyKind) -> impl Iterator<Item = (usize, &'k str)> {
        let keys = self.keys.iter().enumerate();
        keys.filter(move |(_, (_, lost))| lost.kind == kind)
            .map(|(at, (_, lost))| (at, lost.key.as_str()))
    }

    fn definitions(&self, path: &str, lines: &[(u32, &str)]) -> Vec<(usize, KeyUse)> {
        let defined: BTreeSet<(KeyKind, String)> = definitions(path, lines, true)
            .into_iter()
            .map(|own| (own.kind, own.key))
            .collect();
        let left = self.keys.iter().enumerate().filter(|(_, (home, lost))| {
            defined.contains(&(lost.kind, lost.key.clone()))
                && counts_elsewhere(lost.kind, home, path)
        });
        left.map(|(at, _)| (at, KeyUse::Defined)).collect()
    }
}

/// A form in which a file means a key that another file defines.
fn form(pattern: &str, home: &str, key: &str) -> String {
    let last = key.rsplit('/').next().unwrap_or(key);
    pattern
        .replace("{file}", stem(home))
        .replace("{last}", last)
        .replace("{key}", key)
}

/// The keys that a text may mean: itself, the paths that it is below, and what follows a namespace.
fn forms(text: &str) -> impl Iterator<Item = &str> {
    const MOST: usize = 8;
    let text = text.trim_end_matches('}');
    let below = text
        .match_indices('.')
        .take(MOST)
        .filter_map(move |(at, _)| text.get(..at));
    let local = text.rsplit_once(':').map(|(_, local)| local);
    [text].into_iter().chain(below).chain(local)
}

/// The words of a line with their places.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    line.split(move |c| !is_part(c)).filter_map(move |word| {
        let start = at;
        let end = line
            .get(start + word.len()..)
            .and_then(|rest| rest.chars().next());
        at += word.len() + end.map_or(0, char::len_utf8);
        (!word.is_empty()).then_some((start, word))
    })
}

/// Whether a quoted text defines or reads a key.
fn in_quotes(lost: &LostKey, own: &Quoted<'_>, is_whole: bool) -> Option<KeyUse> {
    let row = lost.kind.row();
    if !is_whole && !row.is_nested {
        return None;
    }
    let is_call = ends_with_any(own.lead, row.strict) || is_piped(own, row.pipes);
    if !is_call && !ends_with_any(own.lead, row.lenient) {
        // Another call may define it.
        return row.may_be_defined_elsewhere.then_some(KeyUse::Defined);
    }
    let is_other = row.not_behind.iter().any(|call| own.lead.ends_with(call))
        || !row.within.is_empty() && !row.within.iter().any(|call| own.lead.contains(call));
    let after = own.after.trim_start();
    let default = after.strip_prefix(',').map(str::trim_start);
    let is_safe = match row.absence {
        Absence::Fails | Absence::MayBeDefault => false,
        Absence::IsText => default.is_some_and(|text| text.starts_with(['"', '\''])),
        Absence::IsHandled => default.is_some() || is_handled(own.after),
    };
    if is_other || is_safe {
        return None;
    }
    let may_be_default = default.is_some() && row.absence == Absence::MayBeDefault;
    Some(KeyUse::Read {
        line: own.line,
        is_certain: is_call && !may_be_default,
    })
}

/// Whether a template passes a text to one of these filters.
fn is_piped(own: &Quoted<'_>, filters: &[&str]) -> bool {
    let rest = own.after.trim_start_matches(['}', '"', '\'']).trim_start();
    let filter = rest.strip_prefix('|').map(str::trim_start);
    filter.is_some_and(|own| filters.iter().any(|name| own.starts_with(name)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;
    use review::Side;

    use super::{KeyUse, Wanted};
    use crate::keys::{KeyKind, LostKey};

    fn lost(kind: KeyKind, key: &str) -> LostKey {
        LostKey {
            kind,
            key: key.to_owned(),
            renaming: None,
            line: 1,
            side: Side::Old,
        }
    }

    fn uses(kind: KeyKind, key: &str, path: &str, text: &str) -> Vec<KeyUse> {
        let lost = lost(kind, key);
        let named = HashSet::new();
        let wanted = Wanted::new(vec![("home", &lost)], &named);
        wanted
            .uses(path, text)
            .into_iter()
            .map(|(_, used)| used)
            .collect()
    }

    #[test]
    fn keys_are_read_in_the_ways_of_their_frameworks() {
        for (kind, key, path, text) in [
            (
                KeyKind::Handler,
                "getGameList",
                "a.vue",
                "x.emit(\"getGameList\", (r) => r)",
            ),
            (
                KeyKind::Translation,
                "cart.empty",
                "a.vue",
                "<p :a=\"$t('cart.empty')\">",
            ),
            (
                KeyKind::Translation,
                "cart.empty",
                "a.html",
                "{{ 'cart.empty' | translate }}",
            ),
            (KeyKind::Translation, "cart.empty", "a.rb", "t 'cart.empty'"),
            (
                KeyKind::Resource,
                "string/app_title",
                "A.kt",
                "getString(R.string.app_title)",
            ),
            (
                KeyKind::Resource,
                "string/app_title",
                "a.xml",
                "<T text=\"@string/app_title\"/>",
            ),
            (
                KeyKind::Config,
                "app.mail",
                "a.php",
                "config('app.mail.host')",
            ),
            (
                KeyKind::Setting,
                "SHOP_NAME",
                "a.py",
                "x = settings.SHOP_NAME",
            ),
            (
                KeyKind::DjangoRoute,
                "cart",
                "a.html",
                "{% url 'shop:cart' %}",
            ),
            (KeyKind::DjangoRoute, "cart", "a.py", "redirect(\"cart\")"),
            (
                KeyKind::LaravelRoute,
                "cart.show",
                "a.blade.php",
                "{{ route('cart.show') }}",
            ),
            (
                KeyKind::RailsRoute,
                "cart",
                "a.html.erb",
                "<%= link_to 'x', cart_path %>",
            ),
            (
                KeyKind::VueRoute,
                "cart",
                "a.vue",
                "router.push({ name: 'cart' })",
            ),
            (
                KeyKind::Variable,
                "SHOP_KEY",
                "a.ts",
                "process.env.SHOP_KEY",
            ),
            (
                KeyKind::Variable,
                "SHOP_KEY",
                "a.py",
                "os.environ[\"SHOP_KEY\"]",
            ),
            (
                KeyKind::Variable,
                "SHOP_KEY",
                "a.rs",
                "std::env::var(\"SHOP_KEY\")",
            ),
            (
                KeyKind::Variable,
                "SHOP_KEY",
                "a.go",
                "os.Getenv(\"SHOP_KEY\")",
            ),
        ] {
            let found = uses(kind, key, path, text);
            assert!(
                matches!(found.as_slice(), [KeyUse::Read { .. }]),
                "{text}: {found:?}"
            );
        }
    }

    #[test]
    fn other_texts_and_reads_with_a_default_do_not_count() {
        for (kind, key, path, text) in [
            (
                KeyKind::Translation,
                "cart.empty",
                "a.js",
                "show('cart.empty')",
            ),
            (
                KeyKind::Translation,
                "cart.empty",
                "a.js",
                "t('cart.empty', 'Empty')",
            ),
            (KeyKind::Config, "app.mail", "a.php", "config('app.mailer')"),
            (
                KeyKind::LaravelRoute,
                "cart",
                "a.php",
                "$request->route('cart')",
            ),
            (
                KeyKind::Variable,
                "SHOP_KEY",
                "a.ts",
                "process.env.SHOP_KEY ?? 'x'",
            ),
            (
                KeyKind::Variable,
                "SHOP_KEY",
                "a.py",
                "os.environ.get(\"SHOP_KEY\", \"\")",
            ),
            (
                KeyKind::Setting,
                "SHOP_NAME",
                "a.py",
                "# settings.SHOP_NAME",
            ),
        ] {
            assert_eq!(uses(kind, key, path, text), [], "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "(cart|[.:'\"{}$@/ é\n]|\\PC){0,200}") {
            for kind in [KeyKind::Translation, KeyKind::Resource, KeyKind::RailsRoute, KeyKind::Handler] {
                uses(kind, "cart", "a.vue", &text);
            }
        }
    }
}
