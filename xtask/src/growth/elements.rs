//! The elements of each language, repeated and nested, from `elements.toml`.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;

use super::case::{Case, Diff, On, until};

const TABLE: &str = include_str!("elements.toml");

/// Beyond one chunk, which is what a worker gets, costs are additive.
const LARGEST: usize = 256 << 10;

/// The elements of a language. In each text, `{i}` is a number that differs between repetitions (or does not: both
/// are tried), and `{v}` one that differs between the two sides.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Elements {
    /// The file extension.
    #[serde(default)]
    suffix: String,
    /// Families whose elements it inherits.
    #[serde(default)]
    like: Vec<String>,
    /// The text around the elements.
    #[serde(default)]
    frame: [String; 2],
    /// The separator of two elements on one line; empty if there is none.
    #[serde(default)]
    between: String,
    /// Statements and definitions, each on its own lines.
    #[serde(default)]
    each: BTreeMap<String, String>,
    /// Repetition within one element: start, repeated part, separator, end.
    #[serde(default)]
    row: BTreeMap<String, [String; 4]>,
    /// Nesting: start, opening part, innermost part, closing part, end.
    #[serde(default)]
    nest: BTreeMap<String, [String; 5]>,
}

/// An element, repeated or nested up to a size.
#[derive(Clone)]
struct Element {
    name: String,
    text: Arc<dyn Fn(usize, Fill) -> String + Send + Sync>,
}

/// The values of the placeholders.
#[derive(Debug, Clone, Copy)]
struct Fill {
    numbered: bool,
    version: usize,
}

impl Fill {
    fn of(self, text: &str, number: usize) -> String {
        let number = if self.numbered { number } else { 0 };
        text.replace("{i}", &number.to_string())
            .replace("{v}", &self.version.to_string())
    }
}

/// The languages with their file extensions and elements.
fn languages() -> Result<Vec<(String, String, Vec<Element>)>, String> {
    let table: BTreeMap<String, Elements> =
        toml::from_str(TABLE).map_err(|error| error.to_string())?;
    let own = table
        .iter()
        .filter(|(_, elements)| !elements.suffix.is_empty());
    own.map(|(name, elements)| {
        Ok((
            name.clone(),
            elements.suffix.clone(),
            whole(elements, &table)?.elements(),
        ))
    })
    .collect()
}

/// Merges elements with those of their families; the language's own take precedence.
fn whole(elements: &Elements, table: &BTreeMap<String, Elements>) -> Result<Elements, String> {
    let mut all = elements.clone();
    for name in &elements.like {
        let family = whole(
            table
                .get(name)
                .ok_or_else(|| format!("elements.toml has no {name}"))?,
            table,
        )?;
        for (key, text) in family.each {
            all.each.entry(key).or_insert(text);
        }
        for (key, texts) in family.row {
            all.row.entry(key).or_insert(texts);
        }
        for (key, texts) in family.nest {
            all.nest.entry(key).or_insert(texts);
        }
        if all.between.is_empty() {
            all.between = family.between;
        }
    }
    Ok(all)
}

impl Elements {
    fn elements(self) -> Vec<Element> {
        let mut all = Vec::new();
        let [before, after] = self.frame;
        let mut push = |name: String, text: Box<dyn Fn(usize, Fill) -> String + Send + Sync>| {
            let (before, after) = (before.clone(), after.clone());
            let text = move |bytes, fill| format!("{before}\n{}\n{after}\n", text(bytes, fill));
            all.push(Element {
                name,
                text: Arc::new(text),
            });
        };
        for (name, text) in self.each {
            let between = self.between.clone();
            let line = text.clone();
            push(
                name.clone(),
                Box::new(move |bytes, fill| until(bytes, |n| fill.of(&line, n) + "\n")),
            );
            if !between.is_empty() && !text.contains('\n') {
                push(
                    format!("{name} on one line"),
                    Box::new(move |bytes, fill| until(bytes, |n| fill.of(&text, n) + &between)),
                );
            }
        }
        for (name, [begin, piece, between, end]) in self.row {
            push(
                name,
                Box::new(move |bytes, fill| {
                    let pieces = until(bytes, |n| {
                        if n == 0 {
                            fill.of(&piece, n)
                        } else {
                            between.clone() + &fill.of(&piece, n)
                        }
                    });
                    fill.of(&begin, 0) + &pieces + &fill.of(&end, 0)
                }),
            );
        }
        for (name, [begin, open, core, close, end]) in self.nest {
            push(
                format!("nested {name}"),
                Box::new(move |bytes, fill| {
                    let depth = bytes / (open.len() + close.len()).max(1);
                    let opens: String = (0..depth).map(|n| fill.of(&open, n)).collect();
                    let closes: String = (0..depth).map(|n| fill.of(&close, n)).collect();
                    fill.of(&begin, 0) + &opens + &fill.of(&core, 0) + &closes + &fill.of(&end, 0)
                }),
            );
        }
        all
    }
}

impl Element {
    /// The lines of a hunk.
    fn lines(&self, bytes: usize, on: On, numbered: bool) -> Vec<String> {
        let side = |version| (self.text)(bytes / on.copies(), Fill { numbered, version });
        on.lines(&side(1), &side(2))
    }
}

/// The sides of the elements, and whether repetitions differ.
const VARIANTS: [(On, bool); 6] = [
    (On::Added, false),
    (On::Added, true),
    (On::Removed, false),
    (On::Changed, false),
    (On::Changed, true),
    (On::Replaced, true),
];

/// Every element of every language as a case of its own.
pub(super) fn cases() -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for (language, suffix, elements) in languages()? {
        for (element, (on, numbered)) in elements
            .iter()
            .flat_map(|element| VARIANTS.map(|variant| (element, variant)))
        {
            let kind = if numbered { "numbered" } else { "same" };
            let name = format!("{language}/{}/{} {kind}", element.name, on.name());
            let (element, path) = (element.clone(), format!("src/a.{suffix}"));
            let diff = move |bytes| {
                Diff::default()
                    .file(&path, &element.lines(bytes, on, numbered))
                    .text()
            };
            cases.push(Case::new(name, diff).up_to(LARGEST));
        }
    }
    Ok(cases)
}

/// All elements of a language in one diff, each in its own file, to detect expensive ones without a separate run for
/// each.
pub(super) fn medleys() -> Result<Vec<Case>, String> {
    let medley = |(language, suffix, elements): (String, String, Vec<Element>)| {
        Case::new(format!("{language}/all"), move |bytes| {
            let each = bytes / elements.len().max(1);
            let files = elements.iter().zip(VARIANTS.iter().cycle()).enumerate();
            let file =
                |diff: Diff, (at, (element, (on, numbered))): (usize, (&Element, &(On, bool)))| {
                    diff.file(
                        &format!("src/a{at}.{suffix}"),
                        &element.lines(each, *on, *numbered),
                    )
                };
            files.fold(Diff::default(), file).text()
        })
    };
    Ok(languages()?.into_iter().map(medley).collect())
}

/// The file extensions of the languages.
pub(super) fn suffixes() -> Result<BTreeMap<String, String>, String> {
    Ok(languages()?
        .into_iter()
        .map(|(name, suffix, _)| (name, suffix))
        .collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{languages, medleys};

    #[test]
    fn every_language_with_a_grammar_has_elements() {
        let named: BTreeSet<String> = languages()
            .unwrap()
            .into_iter()
            .map(|(name, ..)| name)
            .collect();
        let grammars: BTreeSet<String> = syntax::language::Grammar::all()
            .map(|grammar| grammar.name().to_owned())
            .collect();
        assert_eq!(named, grammars);
    }

    #[test]
    fn elements_fill_a_diff_of_about_the_requested_size() {
        for case in medleys().unwrap() {
            let text = (case.diff)(100_000);
            assert!(
                (50_000..300_000).contains(&text.len()),
                "{}: {} bytes",
                case.name,
                text.len()
            );
            assert!(
                review::Diff::parse(&text).is_ok(),
                "{}: {:?}",
                case.name,
                review::Diff::parse(&text).err()
            );
        }
    }
}
