//! Questions about files that a change does not touch, which are answered where code may be parsed.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use review::{Language, Line, LineKind, Side};
use serde::{Deserialize, Serialize};
use syntax::language::Grammar;
use syntax::parse::{Extent, Fragment, Hunk, Limits, SideText};
use syntax::semantics::packages::package;
use syntax::semantics::symbols::borrowed::borrowed;
use syntax::tree::Tree;

use crate::facts::{Surrounding, mentions, offer, surface};

/// A question about a file that the change does not touch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question<'a> {
    /// The path of the file.
    #[serde(borrow)]
    pub path: Cow<'a, str>,
    /// Its text.
    #[serde(borrow)]
    pub text: Cow<'a, str>,
    /// The subject.
    pub asked: Asked,
}

/// The subject of a question about a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Asked {
    /// Its uses of these names, which the change may have broken.
    Uses(Vec<String>),
    /// Whether it offers these names, which changed files import from it.
    Offers(Vec<String>),
    /// The types that it defines, of which changed files use members.
    Types,
}

impl<'a> Question<'a> {
    /// A question about the text of a file.
    #[must_use]
    pub fn new(path: &'a str, text: &'a str, asked: Asked) -> Self {
        Self {
            path: Cow::Borrowed(path),
            text: Cow::Borrowed(text),
            asked,
        }
    }

    /// Questions about the types of files, apart from those that are read as text.
    pub(crate) fn about_types(
        texts: &'a BTreeMap<String, String>,
        is_text: fn(&str) -> bool,
    ) -> Vec<Self> {
        let parsed = texts.iter().filter(|(path, _)| !is_text(path));
        parsed
            .map(|(path, text)| Self::new(path, text, Asked::Types))
            .collect()
    }

    /// Answers it; `None` if the file cannot be parsed. A file without a grammar has no facts.
    #[must_use]
    pub fn answer(&self, limits: &Limits) -> Option<Surrounding> {
        let language = Language::of_path(&self.path, String::new);
        let Some(grammar) = language.and_then(|language| Grammar::find(language.name())) else {
            return Some(Surrounding::default());
        };
        let lines: Vec<Line<'_>> = lines(&self.text).collect();
        let hunk = Hunk {
            heading: "",
            lines: &lines,
        };
        let text = SideText::new(hunk, Side::New, limits);
        let (fragment, parsed) =
            Fragment::parse(grammar, text, "", Extent::Whole, None, limits).ok()?;
        Some(self.asked.about(&Tree::new(&fragment, parsed, limits)))
    }
}

impl Asked {
    fn about(&self, tree: &Tree<'_>) -> Surrounding {
        match self {
            Self::Uses(names) => {
                let names: HashSet<&str> = names.iter().map(String::as_str).collect();
                Surrounding {
                    borrowed: borrowed(tree, &names),
                    mentions: mentions(tree, &names),
                    package: tree.root().map(package).unwrap_or_default(),
                    ..Surrounding::default()
                }
            }
            Self::Types => Surrounding {
                surface: surface(tree),
                ..Surrounding::default()
            },
            Self::Offers(names) => Surrounding {
                offer: offer(tree, names),
                ..Surrounding::default()
            },
        }
    }
}

/// The lines of an unchanged file.
fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let lines = (1..).zip(text.split_inclusive('\n'));
    lines.map(|(number, text)| Line {
        kind: LineKind::Context,
        old: Some(number),
        new: Some(number),
        text: text.strip_suffix('\n').unwrap_or(text),
        terminated: text.ends_with('\n'),
    })
}

#[cfg(test)]
mod tests {
    use syntax::parse::Limits;

    use super::{Asked, Question};
    use crate::facts::Surrounding;

    fn answer(path: &str, text: &str, asked: Asked) -> Surrounding {
        Question::new(path, text, asked)
            .answer(&Limits::default())
            .expect("it can be parsed")
    }

    #[test]
    fn an_answer_has_only_the_requested_facts() {
        let text =
            "from a import area\n\nclass Shape:\n    def size(self):\n        return area(1)\n";
        let uses = answer("b.py", text, Asked::Uses(vec!["area".to_owned()]));
        assert!(uses.borrowed.iter().any(|own| own.name == "area"));
        assert!(uses.offer.is_none() && uses.surface.is_none());
        let offers = answer("b.py", text, Asked::Offers(vec!["Shape".to_owned()]));
        assert_eq!(offers.offer.expect("exports").names[0].name, "Shape");
        assert!(offers.borrowed.is_empty() && offers.surface.is_none());
        let types = answer("b.py", text, Asked::Types).surface.expect("types");
        assert_eq!(types.types[0].name, "Shape");
    }

    #[test]
    fn a_file_without_a_grammar_has_no_facts() {
        let nothing = answer("notes.txt", "area", Asked::Uses(vec!["area".to_owned()]));
        assert_eq!(nothing, Surrounding::default());
    }
}
