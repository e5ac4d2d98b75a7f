//! GitHub Linguist's data: the languages of names and paths, and the rules that distinguish languages of one extension.
//!
//! The `linguist` crate reads it at run time; here it is constants (`build.rs`), looked up as the crate does.

use std::sync::OnceLock;

use fancy_regex::Regex;

include!(concat!(env!("OUT_DIR"), "/languages.rs"));

/// Languages, and how to distinguish them from others with the same extension.
struct Rule {
    languages: &'static [&'static str],
    /// All of them must match.
    tests: &'static [Test],
}

/// Requires that one of some patterns matches a text, or that none does.
struct Test {
    /// Their numbers.
    patterns: &'static [usize],
    matches: bool,
}

/// A regular expression over lines, compiled on first use.
struct Pattern {
    text: &'static str,
    compiled: OnceLock<Option<Regex>>,
}

/// The value of a key in a table.
pub(super) fn lookup<T: Copy>(table: &[(&'static str, T)], key: &str) -> Option<T> {
    let index = table.binary_search_by(|(own, _)| (*own).cmp(key)).ok()?;
    table.get(index).map(|(_, value)| *value)
}

/// The languages of a file name: of the whole name, or else of its longest known extension.
pub(super) fn claims(file_name: &str) -> &'static [&'static str] {
    let by_extension = || extensions(file_name).find_map(|extension| lookup(EXTENSIONS, extension));
    lookup(FILE_NAMES, file_name)
        .or_else(by_extension)
        .unwrap_or_default()
}

/// The languages of an extension that a text resembles; empty if uncertain.
pub(super) fn by_content(file_name: &str, text: &str) -> &'static [&'static str] {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let shortest_first = extensions(file_name).collect::<Vec<_>>().into_iter().rev();
    for rule in shortest_first
        .filter_map(|extension| lookup(RULES, extension))
        .flatten()
    {
        match rule.is_met(text) {
            Some(true) => return rule.languages,
            Some(false) => {}
            None => return &[],
        }
    }
    &[]
}

/// The suffixes of a name that start with a dot, longest first.
fn extensions(file_name: &str) -> impl Iterator<Item = &str> {
    file_name
        .match_indices('.')
        .filter_map(|(dot, _)| file_name.get(dot..))
}

impl Rule {
    /// `None` if a pattern takes too long on this text.
    fn is_met(&self, text: &str) -> Option<bool> {
        for test in self.tests {
            let mut matches = false;
            for pattern in test
                .patterns
                .iter()
                .filter_map(|number| PATTERNS.get(*number))
            {
                matches = pattern.is_match(text)?;
                if matches {
                    break;
                }
            }
            if matches != test.matches {
                return Some(false);
            }
        }
        Some(true)
    }
}

impl Pattern {
    const fn new(text: &'static str) -> Self {
        Self {
            text,
            compiled: OnceLock::new(),
        }
    }

    fn is_match(&self, text: &str) -> Option<bool> {
        let compile = || Regex::new(&format!("(?m){}", self.text)).ok();
        self.compiled
            .get_or_init(compile)
            .as_ref()?
            .is_match(text)
            .ok()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{EXTENSIONS, FILE_NAMES, RULES, by_content, claims};

    fn names(found: linguist::Result<Vec<linguist::DetectedLanguage>>) -> BTreeSet<&'static str> {
        found
            .unwrap_or_default()
            .into_iter()
            .map(|language| language.name)
            .collect()
    }

    #[test]
    fn names_have_the_same_languages_as_in_the_linguist_crate() {
        let plain = FILE_NAMES.iter().map(|(name, _)| (*name).to_owned());
        let by_extension = EXTENSIONS
            .iter()
            .flat_map(|(extension, _)| ["a", "a.x", ""].map(|stem| format!("{stem}{extension}")));
        for name in plain
            .chain(by_extension)
            .chain(["none", "a.", ".", "a.none"].map(str::to_owned))
        {
            let known = names(linguist::detect_language(&name, None));
            assert_eq!(
                claims(&name).iter().copied().collect::<BTreeSet<_>>(),
                known,
                "{name}"
            );
        }
    }

    #[test]
    fn texts_are_distinguished_as_in_the_linguist_crate() {
        let texts = [
            "",
            "\u{feff}#include <vector>\nclass A {\n public:\n};\n",
            "#include <stdio.h>\nint main(void) { return 0; }\n",
            "@interface A : NSObject\n@end\n",
            "use std::fs;\npub fn main() {}\n",
            "#pragma version(1)\n",
            "<?xml version=\"1.0\"?>\n<TS version=\"2.1\">\n",
            "import a from 'a';\nexport const b = 1;\n",
            "<?php\necho 1;\n",
            "<?hh\n",
            "namespace A { using System; }\n",
            "using System;\nnamespace A;\n",
            "# A title\n\nA text.\n",
            "CREATE TABLE a (b int);\nSELECT * FROM a;\n",
            "DELIMITER $$\nCREATE PROCEDURE a() BEGIN END $$\n",
            "module Main where\n",
            "def f(x):\n    return x\n",
            "my $x = shift;\nuse strict;\n",
        ];
        for (extension, _) in RULES {
            for text in texts {
                let name = format!("a{extension}");
                let known = names(linguist::disambiguate(&name, text));
                assert_eq!(
                    by_content(&name, text)
                        .iter()
                        .copied()
                        .collect::<BTreeSet<_>>(),
                    known,
                    "{name}: {text}"
                );
            }
        }
    }
}
