//! Writes the data of the `linguist` crate as constants. At run time it is JSON, which takes longer to parse than a
//! typical review.

#![expect(
    clippy::disallowed_methods,
    reason = "the environment is how cargo speaks to a build script"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs, io};

use linguist::definitions::{HEURISTICS, LANGUAGES};
use linguist_types::{HeuristicRule, LanguageType};

/// By key: the languages that use it.
type Claims = BTreeMap<String, Vec<&'static str>>;
/// By extension: rules as Rust code.
type Rules = BTreeMap<&'static str, String>;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let mut names: Vec<&'static str> = LANGUAGES.keys().map(String::as_str).collect();
    names.sort_unstable();
    let (mut file_names, mut extensions, mut aliases) =
        (Claims::new(), Claims::new(), Claims::new());
    for name in &names {
        let language = &LANGUAGES[*name];
        language
            .filenames
            .iter()
            .flatten()
            .for_each(|key| claim(&mut file_names, key.clone(), name));
        for key in language.extensions.iter().flatten() {
            claim(&mut extensions, key.clone(), name);
            claim(
                &mut aliases,
                key.trim_start_matches('.').to_lowercase(),
                name,
            );
        }
    }
    for name in &names {
        LANGUAGES[*name]
            .aliases
            .iter()
            .flatten()
            .for_each(|key| claim(&mut aliases, key.to_lowercase(), name));
    }
    let mut out = String::new();
    let lower: BTreeMap<String, &str> = names
        .iter()
        .map(|name| (name.to_lowercase(), *name))
        .collect();
    table(
        &mut out,
        "pub(super) static NAMES",
        "&str",
        lower.iter().map(|(key, name)| (key, format!("{name:?}"))),
    );
    for (name, claims) in [
        ("FILE_NAMES", file_names),
        ("EXTENSIONS", extensions),
        ("ALIASES", aliases),
    ] {
        table(
            &mut out,
            &format!("pub(super) static {name}"),
            "&[&str]",
            claims
                .iter()
                .map(|(key, names)| (key, format!("&{names:?}"))),
        );
    }
    let is_program = |name: &&&str| LANGUAGES[**name].language_type == LanguageType::Programming;
    let programs: Vec<&&str> = names.iter().filter(is_program).collect();
    let _ = writeln!(out, "pub(super) static PROGRAMS: &[&str] = &{programs:?};");
    let mut patterns = Vec::new();
    let rules = rules(&mut patterns);
    table(
        &mut out,
        "static RULES",
        "&[Rule]",
        rules
            .iter()
            .map(|(key, rules)| (key, format!("&[{rules}]"))),
    );
    let list: String = patterns
        .iter()
        .map(|pattern| format!("    Pattern::new({pattern:?}),\n"))
        .collect();
    let _ = writeln!(
        out,
        "static PATTERNS: [Pattern; {}] = [\n{list}];",
        patterns.len()
    );
    let folder = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(PathBuf::from(folder).join("languages.rs"), out)
}

fn claim(claims: &mut Claims, key: String, name: &'static str) {
    let names = claims.entry(key).or_default();
    if !names.contains(&name) {
        names.push(name);
    }
}

/// A constant with rows in the order of their keys.
fn table<K: AsRef<str>>(
    out: &mut String,
    name: &str,
    of: &str,
    rows: impl Iterator<Item = (K, String)>,
) {
    let rows: String = rows
        .map(|(key, value)| format!("    ({:?}, {value}),\n", key.as_ref()))
        .collect();
    let _ = writeln!(out, "{name}: &[(&str, {of})] = &[\n{rows}];");
}

/// The rules that distinguish languages of one extension by their content, in order. They refer to patterns by number.
fn rules(patterns: &mut Vec<&'static str>) -> Rules {
    let mut all = Rules::new();
    for group in &HEURISTICS.disambiguations {
        for rule in &group.rules {
            let Some(languages) = &rule.language else {
                continue;
            };
            let rule = format!(
                "Rule {{ languages: &{languages:?}, tests: &[{}] }}, ",
                tests(rule, patterns)
            );
            group
                .extensions
                .iter()
                .for_each(|extension| all.entry(extension).or_default().push_str(&rule));
        }
    }
    all
}

/// The tests of a rule, all of which must pass.
fn tests(rule: &'static HeuristicRule, patterns: &mut Vec<&'static str>) -> String {
    if let Some(parts) = &rule.and {
        return parts.iter().map(|part| tests(part, patterns)).collect();
    }
    let named = rule
        .named_pattern
        .as_ref()
        .map(|name| (&HEURISTICS.named_patterns[name], true));
    let positive = rule.pattern.as_ref().map(|any| (any, true));
    let negative = rule.negative_pattern.as_ref().map(|any| (any, false));
    let mut number = |pattern: &'static String| {
        patterns
            .iter()
            .position(|known| known == pattern)
            .unwrap_or_else(|| {
                patterns.push(pattern);
                patterns.len() - 1
            })
    };
    let mut test = |(any, matches): (&'static Vec<String>, bool)| {
        let any: Vec<usize> = any.iter().map(&mut number).collect();
        format!("Test {{ patterns: &{any:?}, matches: {matches} }}, ")
    };
    [named, positive, negative]
        .into_iter()
        .flatten()
        .map(&mut test)
        .collect()
}
