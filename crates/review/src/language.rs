//! Languages by GitHub Linguist's names and aliases.
//!
//! The data is from the `linguist` crate. It lists the languages of an extension in alphabetical order (`.rs` is RenderScript
//! first), so an ambiguous path is resolved to the most likely one.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

mod content;
pub mod lexical;
pub(crate) mod line_ends;
mod linguist;
pub(crate) mod unicode_escapes;

use linguist::{ALIASES, NAMES, PROGRAMS, by_content, claims, lookup};

/// A language by Linguist's name, for example `C++`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language(&'static str);

/// Languages that win for ambiguous paths, most likely first.
const PREFERRED: &[&str] = &[
    "Python", "JavaScript", "TypeScript", "TSX", "Java", "Go", "Rust", "C", "C++", "C#", "Ruby",
    "PHP", "Kotlin", "Shell", "SQL", "YAML", "JSON", "Dockerfile", "HCL", "Swift", "Scala", "HTML",
    "CSS", "Markdown", "XML", "Text",
];

/// Common spellings that Linguist does not list.
const SPELLINGS: &[(&str, &str)] = &[
    ("c plus plus", "C++"),
    ("cxx", "C++"),
    ("cc", "C++"),
    ("c sharp", "C#"),
    ("node", "JavaScript"),
    ("typescriptreact", "TSX"),
    ("javascriptreact", "JavaScript"),
    ("jsx", "JavaScript"),
    ("py", "Python"),
    ("docker", "Dockerfile"),
    ("kt", "Kotlin"),
    ("tf", "HCL"),
    ("postgresql", "SQL"),
    ("mysql", "SQL"),
];

/// Languages of code that Linguist lists as markup or data.
const MORE_CODE: &[&str] = &[
    "Astro", "HTML", "HTML+EEX", "HTML+ERB", "HTML+Razor", "Jupyter Notebook", "SQL", "Svelte",
    "Vue",
];

/// Languages of configuration, which programs and services act on.
const CONFIGURATION: &[&str] = &[
    "Dotenv", "INI", "JSON", "JSON with Comments", "JSON5", "Java Properties", "TOML", "XML",
    "YAML",
];

/// Kinds of a language that Linguist recognizes by their content, and that are parsed and reviewed like the language itself. A comment
/// must not make another language of a file.
const KINDS: &[(&str, &str)] = &[
    ("HTML+PHP", "PHP"),
    ("MiniYAML", "YAML"),
    ("OASv2-json", "JSON"),
    ("OASv2-yaml", "YAML"),
    ("OASv3-json", "JSON"),
    ("OASv3-yaml", "YAML"),
];

/// Programs that run scripts of other names than their own.
const RUNNERS: &[&str] = &["bunx", "npx", "pipx", "pnpm", "run", "exec", "uv", "yarn"];

/// Bytes at the end of a file name that determine its language: no known name or extension is longer.
const SUFFIX_BYTES: usize = 64;

impl Language {
    /// Whether it is a language of code, as opposed to data and prose: Linguist's programming languages, and those that
    /// mix code with markup.
    #[must_use]
    pub fn is_code(self) -> bool {
        PROGRAMS.binary_search(&self.0).is_ok() || MORE_CODE.contains(&self.0)
    }

    /// Whether it is a language of configuration: data that programs and services act on.
    #[must_use]
    pub fn is_configuration(self) -> bool {
        CONFIGURATION.contains(&self.0)
    }

    /// Whether its files are of interest to a reviewer, and so must not disappear from a review: code or configuration.
    #[must_use]
    pub fn is_reviewed(self) -> bool {
        self.is_code() || self.is_configuration()
    }

    /// Whether it is a language of programs, as opposed to data, prose and markup.
    #[must_use]
    pub fn is_program(self) -> bool {
        self.is_code() && !self.0.starts_with("HTML")
    }

    /// Looks up a name or alias, ignoring case.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        let key = name.trim().to_lowercase();
        let spelling = || {
            SPELLINGS
                .iter()
                .find(|(spelling, _)| *spelling == key)
                .map(|(_, name)| *name)
        };
        let by_alias = || lookup(ALIASES, &key).and_then(most_likely);
        lookup(NAMES, &key)
            .or_else(spelling)
            .or_else(by_alias)
            .map(Self)
    }

    /// The most similar known names, best first, for an error message.
    #[must_use]
    pub fn nearest(name: &str) -> Vec<&'static str> {
        // Names are short, so comparing a longer text is pointless.
        let name: String = name.trim().to_lowercase().chars().take(64).collect();
        let aliases = ALIASES
            .iter()
            .filter_map(|(key, names)| Some((*key, most_likely(names)?)));
        let known = NAMES
            .iter()
            .copied()
            .chain(SPELLINGS.iter().copied())
            .chain(aliases);
        let mut ranked: Vec<(f64, &'static str)> = known
            .map(|(key, language)| (strsim::jaro_winkler(key, &name), language))
            .collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
        let mut names = Vec::new();
        for (_, name) in ranked.into_iter().take_while(|(score, _)| *score > 0.7) {
            if !names.contains(&name) {
                names.push(name);
            }
            if names.len() == 3 {
                break;
            }
        }
        names
    }

    /// The language of a path. If several languages use the extension, the content decides. A name without a known
    /// language is tried again in lower case (`A.PY`) and without stray characters at its end (`a.py.`, `"a.py"`).
    #[must_use]
    pub fn of_path(path: &str, content: impl FnOnce() -> String) -> Option<Self> {
        let file_name = path.rsplit('/').next().unwrap_or(path);
        let tidy = file_name.trim_end_matches(is_stray);
        if is_dockerfile(tidy) {
            return Some(Self("Dockerfile"));
        }
        if tail(tidy).to_ascii_lowercase().ends_with(".gradle.kts") {
            return Some(Self("Kotlin"));
        }
        let lower = tail(tidy).to_lowercase();
        let names = [tail(file_name), tail(tidy), &lower].into_iter();
        let (file_name, claims) = names
            .map(|name| (name, claims(name)))
            .find(|(_, languages)| !languages.is_empty())?;
        if let [one] = claims {
            return Some(Self(one).in_general());
        }
        let content = content();
        let by_content = by_content(file_name, &content);
        // Other extensions of C++, such as `.inc`, are also those of languages with `a::b`.
        let is_header = claims.contains(&"C") && claims.contains(&"C++");
        if by_content.is_empty() && is_header && content::is_cpp(&content) {
            return Some(Self("C++"));
        }
        let by_signs = content::language(&content)
            .filter(|name| by_content.is_empty() && claims.contains(name));
        by_signs
            .or_else(|| {
                most_likely(if by_content.is_empty() {
                    claims
                } else {
                    by_content
                })
            })
            .map(Self)
            .map(Self::in_general)
    }

    /// Whether XML is one of several languages that use the extension, as in Qt's translations (`.ts`).
    #[must_use]
    pub fn can_be_xml(path: &str) -> bool {
        let file_name = path.rsplit('/').next().unwrap_or(path);
        claims(&tail(file_name).to_lowercase()).contains(&"XML")
    }

    /// The language of which it is a kind.
    fn in_general(self) -> Self {
        let kind = KINDS.iter().find(|(kind, _)| *kind == self.0);
        kind.map_or(self, |(_, name)| Self(name))
    }

    /// The language of a text by its content; `None` if uncertain.
    #[must_use]
    pub fn of_content(text: &str) -> Option<Self> {
        content::language(text).map(Self)
    }

    /// The language in a script's first line (`#!/usr/bin/env python3`).
    #[must_use]
    pub fn of_shebang(first_line: &str) -> Option<Self> {
        let mut words = first_line.strip_prefix("#!")?.split_whitespace();
        let program = words.next()?.rsplit('/').next()?;
        let program = if program == "env" || RUNNERS.contains(&program) {
            words.find(|w| !w.starts_with('-') && !w.contains('=') && !RUNNERS.contains(w))?
        } else {
            program
        };
        let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        match program {
            "python" | "pypy" | "pythonw" => Some(Self("Python")),
            "sh" | "bash" | "dash" | "ksh" | "mksh" | "rbash" | "zsh" | "openrc-run" => {
                Some(Self("Shell"))
            }
            "node" | "nodejs" | "deno" | "bun" | "qjs" | "zx" => Some(Self("JavaScript")),
            "ts-node" | "tsx" | "ts-node-script" => Some(Self("TypeScript")),
            "ruby" => Some(Self("Ruby")),
            "php" => Some(Self("PHP")),
            _ => None,
        }
    }

    /// The language of the shell.
    pub(crate) const fn shell() -> Self {
        Self("Shell")
    }

    /// Linguist's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0
    }
}

/// The most likely one of several languages.
fn most_likely(names: &'static [&'static str]) -> Option<&'static str> {
    let rank = |name: &str| {
        PREFERRED
            .iter()
            .position(|preferred| *preferred == name)
            .unwrap_or(usize::MAX)
    };
    names.iter().copied().min_by_key(|name| rank(name))
}

/// Whether a character at the end of a name is stray.
fn is_stray(c: char) -> bool {
    c.is_whitespace() || matches!(c, '.' | '"' | '\'' | '`' | '~')
}

/// The end of a file name. Linguist looks up every dotted suffix of a name, so the name must be short.
fn tail(file_name: &str) -> &str {
    let start = file_name.ceil_char_boundary(file_name.len().saturating_sub(SUFFIX_BYTES));
    file_name.get(start..).unwrap_or(file_name)
}

/// `Dockerfile.prod`, `api.dockerfile`, `Containerfile`: Linguist knows only the plain name.
fn is_dockerfile(file_name: &str) -> bool {
    let lower = file_name.to_ascii_lowercase();
    let stem = lower.split('.').next().unwrap_or_default();
    stem == "dockerfile" || stem == "containerfile" || lower.ends_with(".dockerfile")
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}

impl Serialize for Language {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}

impl<'de> Deserialize<'de> for Language {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::find(&name).ok_or_else(|| serde::de::Error::custom("unknown language"))
    }
}

#[cfg(test)]
mod tests {
    use super::{Language, SUFFIX_BYTES, tail};

    fn name_of(path: &str) -> Option<&'static str> {
        Language::of_path(path, String::new).map(Language::name)
    }

    #[test]
    fn finds_names_and_aliases_in_any_letter_case() {
        for (text, name) in [
            ("python", "Python"),
            ("Python", "Python"),
            ("py", "Python"),
            ("c++", "C++"),
            ("cpp", "C++"),
            ("C#", "C#"),
            ("csharp", "C#"),
            ("ts", "TypeScript"),
            ("TSX", "TSX"),
            ("js", "JavaScript"),
            ("golang", "Go"),
            ("rs", "Rust"),
            ("bash", "Shell"),
            ("sh", "Shell"),
            ("yml", "YAML"),
            ("rb", "Ruby"),
            (" kotlin ", "Kotlin"),
            ("haskell", "Haskell"),
        ] {
            assert_eq!(
                Language::find(text).map(Language::name),
                Some(name),
                "{text}"
            );
        }
        assert_eq!(Language::find("pyhton"), None);
        assert_eq!(Language::nearest("pyhton").first(), Some(&"Python"));
    }

    #[test]
    fn an_ambiguous_path_has_the_most_likely_language() {
        for (path, name) in [
            ("src/main.rs", "Rust"),
            ("a/b.py", "Python"),
            ("x.ts", "TypeScript"),
            ("x.tsx", "TSX"),
            ("x.h", "C"),
            ("x.cs", "C#"),
            ("q.sql", "SQL"),
            ("Dockerfile.prod", "Dockerfile"),
            ("deploy/x.yaml", "YAML"),
            ("main.tf", "HCL"),
            ("x.php", "PHP"),
            ("run.sh", "Shell"),
            ("x.kt", "Kotlin"),
            ("x.jsx", "JavaScript"),
            ("Gemfile", "Ruby"),
        ] {
            assert_eq!(name_of(path), Some(name), "{path}");
        }
        assert_eq!(name_of("no/such.thing-at-all"), None);
    }

    #[test]
    fn case_and_stray_trailing_characters_do_not_hide_a_language() {
        for path in [
            "evil.PY", "Evil.Py", "a.py.", "a.py ", "a.py\"", "a.PY...", "a.txt.py", "a.TXT.PY",
            "x/a.py~",
        ] {
            assert_eq!(name_of(path), Some("Python"), "{path}");
        }
        for (path, name) in [
            ("a.H", "C"),
            ("DOCKERFILE", "Dockerfile"),
            ("a.py.txt", "Text"),
        ] {
            assert_eq!(name_of(path), Some(name), "{path}");
        }
        assert_eq!(name_of("..."), None);
    }

    #[test]
    fn only_the_end_of_a_long_name_is_examined() {
        let long = ".".repeat(120_000);
        assert_eq!(tail(&long).len(), SUFFIX_BYTES);
        assert_eq!(name_of(&long), None);
        assert_eq!(name_of(&format!("{long}.py")), Some("Python"));
        assert_eq!(name_of(&format!("a.py{long}")), Some("Python"));
        assert_eq!(tail(&"é".repeat(100)).chars().count(), SUFFIX_BYTES / 2);
        let known = super::linguist::EXTENSIONS
            .iter()
            .chain(super::linguist::FILE_NAMES);
        assert!(
            known
                .map(|(name, _)| name.len())
                .max()
                .is_some_and(|longest| longest < SUFFIX_BYTES - 4)
        );
    }

    #[test]
    fn content_decides_between_languages_with_one_extension() {
        let of =
            |text: &str| Language::of_path("lib/a.inc", || text.to_owned()).map(Language::name);
        assert_eq!(of("<?php\necho 1;\n"), Some("PHP"));
        assert_eq!(
            of("    $total = $this->sum();\n    return $total;\n"),
            Some("PHP")
        );
        assert_eq!(
            of("    $total = Cart::sum($this->items);\n    return $total;\n"),
            Some("PHP")
        );
    }

    #[test]
    fn the_shebang_determines_the_language_of_a_script() {
        let of = |line| Language::of_shebang(line).map(Language::name);
        assert_eq!(of("#!/usr/bin/env -S python3.11 -u"), Some("Python"));
        assert_eq!(of("#!/bin/bash"), Some("Shell"));
        assert_eq!(of("#!/usr/bin/nodejs"), Some("JavaScript"));
        assert_eq!(of("#!/usr/bin/env -S npx tsx"), Some("TypeScript"));
        assert_eq!(of("#!/usr/bin/env -S uv run python"), Some("Python"));
        assert_eq!(of("# not one"), None);
    }
}
