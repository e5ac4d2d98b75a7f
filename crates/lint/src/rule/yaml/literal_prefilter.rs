//! Literals without which a rule cannot match.
//!
//! Most rules name a function, a field or a constant. A text or a node without that name cannot match. One pass over
//! the text finds the literals of all rules (Aho and Corasick, "Efficient string matching", 1975). The first few
//! kilobytes are searched for one literal after the other, because reviewing a usual change takes less time than
//! building the automaton.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use aho_corasick::AhoCorasick;
use ast_grep_core::Pattern as Code;
use memchr::memmem;
use regex_syntax::hir::{Class, Hir, HirKind};
use syntax::language::Grammar;

use super::value::Yaml;

/// Shorter literals occur in every text.
const SHORTEST: usize = 3;
/// Bytes of text that can be searched for each literal of a language in less time than it takes to build the automaton.
const BYTES_WITHOUT_AUTOMATON: usize = 4 * 1024;

/// Alternatives: every text that the rule matches contains one of them.
pub(crate) type Choice = Vec<String>;

/// The parts of ast-grep's rule language that contain literals. Ignored parts only make the filter less selective.
#[derive(Default)]
pub(super) struct RuleOutline {
    pattern: Option<Piece>,
    regex: Option<String>,
    /// Conditions on the node: `has` and the parts of `all`.
    also: Vec<RuleOutline>,
    /// Conditions on its surroundings: `inside`, `precedes` and `follows`.
    around: Vec<RuleOutline>,
    any: Vec<RuleOutline>,
}

enum Piece {
    Text(String),
    Part {
        context: String,
        selector: Option<String>,
    },
}

/// Literals that a rule requires, in the whole text and in the matched node.
#[derive(Default)]
pub(crate) struct RequiredLiterals {
    pub(crate) text: Vec<Choice>,
    pub(crate) node: Vec<Choice>,
}

impl RuleOutline {
    /// From a rule or a part of one.
    pub(super) fn of(rule: &Yaml) -> Self {
        let parts = |names: &[&str]| {
            names
                .iter()
                .filter_map(|name| rule.get(name))
                .map(Self::of)
                .collect()
        };
        let list = |name| {
            rule.get(name)
                .map(Yaml::items)
                .unwrap_or_default()
                .iter()
                .map(Self::of)
        };
        let mut also: Vec<Self> = parts(&["has"]);
        also.extend(list("all"));
        Self {
            pattern: rule.get("pattern").and_then(Piece::of),
            regex: rule.get("regex").and_then(Yaml::text).map(str::to_owned),
            also,
            around: parts(&["inside", "precedes", "follows"]),
            any: list("any").collect(),
        }
    }

    /// All choices. The rule requires one literal of each.
    pub(super) fn needs(&self, grammar: Grammar) -> RequiredLiterals {
        RequiredLiterals {
            text: self.choices(grammar, true),
            node: self.choices(grammar, false),
        }
    }

    /// With or without the choices for the node's surroundings.
    fn choices(&self, grammar: Grammar, around: bool) -> Vec<Choice> {
        let word = self
            .pattern
            .as_ref()
            .and_then(|piece| piece.word(grammar))
            .map(|word| vec![word]);
        let regex = self
            .regex
            .as_ref()
            .and_then(|regex| choice(&regex_syntax::parse(regex).ok()?));
        let mut needs: Vec<Choice> = word.into_iter().chain(regex).collect();
        let parts = self
            .also
            .iter()
            .chain(self.around.iter().filter(|_| around));
        needs.extend(parts.flat_map(|part| part.choices(grammar, around)));
        if !self.any.is_empty() {
            let choices: Option<Vec<Choice>> = self
                .any
                .iter()
                .map(|part| sharpest(part.choices(grammar, around)))
                .collect();
            needs.extend(choices.map(|choices| choices.concat()));
        }
        needs.retain(|choice| sharpness(choice) >= SHORTEST);
        needs
    }
}

impl Piece {
    fn of(pattern: &Yaml) -> Option<Self> {
        let owned = |name| pattern.get(name).and_then(Yaml::text).map(str::to_owned);
        if let Some(text) = pattern.text() {
            return Some(Self::Text(text.to_owned()));
        }
        // Other strictness levels compare more than text.
        let context = owned("context").filter(|_| pattern.get("strictness").is_none())?;
        Some(Self::Part {
            context,
            selector: owned("selector"),
        })
    }

    /// The longest literal word in the pattern's code.
    fn word(&self, grammar: Grammar) -> Option<String> {
        let code = match self {
            Self::Text(text) => Code::try_new(text, grammar),
            Self::Part {
                context,
                selector: Some(selector),
            } => Code::contextual(context, selector, grammar),
            Self::Part {
                context,
                selector: None,
            } => Code::try_new(context, grammar),
        };
        Some(code.ok()?.fixed_string().into_owned()).filter(|word| !word.is_empty())
    }
}

/// The length of the shortest alternative: longer ones are rarer.
fn sharpness(choice: &Choice) -> usize {
    choice.iter().map(String::len).min().unwrap_or(0)
}

fn sharpest(choices: impl IntoIterator<Item = Choice>) -> Option<Choice> {
    choices.into_iter().max_by_key(sharpness)
}

/// Literals, one of which a regular expression requires.
fn choice(regex: &Hir) -> Option<Choice> {
    match regex.kind() {
        HirKind::Literal(_) | HirKind::Class(_) => Some(vec![letters(regex)?]),
        HirKind::Capture(capture) => choice(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => choice(&repetition.sub),
        HirKind::Alternation(parts) => parts
            .iter()
            .map(choice)
            .collect::<Option<Vec<_>>>()
            .map(|parts| parts.concat()),
        HirKind::Concat(parts) => sharpest(choices_in_row(parts)),
        _ => None,
    }
}

/// Adjacent letters form one literal; zero-width parts do not separate them.
fn choices_in_row(parts: &[Hir]) -> Vec<Choice> {
    let (mut choices, mut run) = (Vec::new(), String::new());
    for part in parts
        .iter()
        .filter(|part| !matches!(part.kind(), HirKind::Look(_)))
    {
        if let Some(letters) = letters(part) {
            run.push_str(&letters);
            continue;
        }
        choices.push(vec![std::mem::take(&mut run)]);
        choices.extend(choice(part));
    }
    choices.push(vec![run]);
    choices
}

/// A literal, or a letter in both cases as in `(?i)`.
fn letters(part: &Hir) -> Option<String> {
    match part.kind() {
        HirKind::Literal(literal) => String::from_utf8(literal.0.to_vec()).ok(),
        HirKind::Class(Class::Unicode(class)) => match class.ranges() {
            [upper, lower]
                if upper.len() == 1
                    && lower.len() == 1
                    && upper.start().to_ascii_lowercase() == lower.start() =>
            {
                Some(lower.start().to_string())
            }
            _ => None,
        },
        _ => None,
    }
}

/// The literals of all rules of a language.
#[derive(Default)]
pub(crate) struct LiteralPrefilter {
    /// In lower case.
    literals: Vec<String>,
    /// Finds all literals in one pass; `None` if it cannot be built.
    automaton: OnceLock<Option<AhoCorasick>>,
    /// Bytes that were searched for one literal after the other.
    searched: AtomicUsize,
    /// By literal: the numbers of the choices that contain it.
    choices_of: Vec<Vec<usize>>,
    choices: usize,
    /// By rule: the numbers of its choices.
    text: Vec<Vec<usize>>,
    node: Vec<Vec<usize>>,
}

/// Numbers the choices and their literals.
#[derive(Default)]
struct Numbers<'a> {
    choices: HashMap<&'a Choice, usize>,
    numbers: HashMap<String, usize>,
    words: Vec<String>,
    choices_of: Vec<Vec<usize>>,
}

impl<'a> Numbers<'a> {
    fn number(&mut self, choice: &'a Choice) -> usize {
        let next = self.choices.len();
        let number = *self.choices.entry(choice).or_insert(next);
        if number == next {
            for word in choice {
                let word = word.to_ascii_lowercase();
                let place = *self.numbers.entry(word.clone()).or_insert(self.words.len());
                if place == self.words.len() {
                    self.words.push(word);
                    self.choices_of.push(Vec::new());
                }
                if let Some(choices) = self.choices_of.get_mut(place) {
                    choices.push(number);
                }
            }
        }
        number
    }

    fn all(&mut self, choices: &'a [Choice]) -> Vec<usize> {
        choices.iter().map(|choice| self.number(choice)).collect()
    }
}

/// The occurrences of literals in a text.
pub(crate) struct Present<'w> {
    words: &'w LiteralPrefilter,
    /// By choice: the ranges of its literals, in order of their starts.
    places: Vec<Vec<(usize, usize)>>,
    /// By rule: whether it can match anything in the text.
    rules: Vec<bool>,
}

impl LiteralPrefilter {
    /// From the requirements of the rules, in order.
    pub(crate) fn new<'a>(rules: impl Iterator<Item = &'a RequiredLiterals>) -> Self {
        let mut numbers = Numbers::default();
        let (text, node) = rules
            .map(|needs| (numbers.all(&needs.text), numbers.all(&needs.node)))
            .unzip();
        let Numbers {
            choices,
            words,
            choices_of,
            ..
        } = numbers;
        Self {
            literals: words,
            choices_of,
            choices: choices.len(),
            text,
            node,
            ..Self::default()
        }
    }

    /// Searches a text.
    pub(crate) fn find(&self, text: &str) -> Present<'_> {
        let mut places = vec![Vec::new(); self.choices];
        let mut add = |literal: usize, start: usize, end: usize| {
            for choice in self.choices_of.get(literal).into_iter().flatten() {
                if let Some(places) = places.get_mut(*choice) {
                    places.push((start, end));
                }
            }
        };
        if let Some(automaton) = self.automaton_for(text.len()) {
            for found in automaton.find_overlapping_iter(text) {
                add(found.pattern().as_usize(), found.start(), found.end());
            }
        } else {
            let text = text.to_ascii_lowercase();
            for (number, literal) in self.literals.iter().enumerate() {
                let finder = memmem::Finder::new(literal);
                let mut from = 0;
                while let Some(at) = text
                    .as_bytes()
                    .get(from..)
                    .and_then(|rest| finder.find(rest))
                {
                    add(number, from + at, from + at + literal.len());
                    from += at + 1;
                }
            }
        }
        places.iter_mut().for_each(|places| places.sort_unstable());
        let is_there =
            |choice: &usize| places.get(*choice).is_some_and(|places| !places.is_empty());
        let rules = self
            .text
            .iter()
            .map(|needs| needs.iter().all(is_there))
            .collect();
        Present {
            words: self,
            places,
            rules,
        }
    }

    /// The automaton, once enough text is searched to justify building it.
    fn automaton_for(&self, bytes: usize) -> Option<&AhoCorasick> {
        if self
            .searched
            .fetch_add(bytes, Ordering::Relaxed)
            .saturating_add(bytes)
            <= BYTES_WITHOUT_AUTOMATON
        {
            return None;
        }
        let build = || {
            AhoCorasick::builder()
                .ascii_case_insensitive(true)
                .build(&self.literals)
                .ok()
        };
        self.automaton.get_or_init(build).as_ref()
    }
}

impl Present<'_> {
    /// Whether a rule can match anything in the text.
    pub(crate) fn is_possible(&self, rule: usize) -> bool {
        self.rules.get(rule).is_some_and(|possible| *possible)
    }

    /// Whether a rule can match a node in this range.
    pub(crate) fn allows(&self, rule: usize, node: Range<usize>) -> bool {
        let is_inside = |choice: &usize| {
            let Some(places) = self.places.get(*choice) else {
                return true;
            };
            let from = places.partition_point(|(start, _)| *start < node.start);
            let mut inside = places
                .iter()
                .skip(from)
                .take_while(|(start, _)| *start < node.end);
            inside.any(|(_, end)| *end <= node.end)
        };
        self.is_possible(rule)
            && self
                .words
                .node
                .get(rule)
                .is_none_or(|needs| needs.iter().all(is_inside))
    }
}

#[cfg(test)]
mod tests {
    use syntax::language::Grammar;

    use super::{
        BYTES_WITHOUT_AUTOMATON, LiteralPrefilter, RequiredLiterals, RuleOutline, Yaml, choice,
    };

    fn words(regex: &str) -> Option<Vec<String>> {
        choice(&regex_syntax::parse(regex).unwrap())
            .filter(|words| !words.iter().any(String::is_empty))
    }

    #[test]
    fn a_regular_expression_requires_one_of_its_literals() {
        let some = |words: &[&str]| Some(words.iter().map(|word| (*word).to_owned()).collect());
        assert_eq!(words("^strcpy$"), some(&["strcpy"]));
        assert_eq!(words(r"(^|\.)set_(mode|flag)$"), some(&["mode", "flag"]));
        assert_eq!(words(r"\bopen64|openat\b"), some(&["open64", "openat"]));
        assert_eq!(words("(?i)^md5$"), some(&["md5"]));
        assert_eq!(words("(ab)+c*"), some(&["ab"]));
        assert_eq!(words("(ab)?c*"), None);
        assert_eq!(words("[a-z]+|x"), None);
    }

    #[test]
    fn a_rule_can_match_only_texts_with_all_its_literals() {
        let shape = |yaml: &str| RuleOutline::of(&Yaml::documents(yaml).unwrap()[0]);
        let c = Grammar::find("C").unwrap();
        let both = shape(
            "{kind: call_expression, has: {field: function, regex: ^umask$}, inside: {regex: Main}}",
        );
        let either = shape(
            "any: [{pattern: 'strlen($X)'}, {all: [{regex: ^calloc}, {not: {regex: zero}}]}]",
        );
        let any = shape("any: [{pattern: 'strlen($X)'}, {kind: call_expression}]");
        let needs = [both.needs(c), either.needs(c), any.needs(c)];
        let words = LiteralPrefilter::new(needs.iter());
        let present = |text: &str| words.find(text).rules;
        assert_eq!(present("int main() { umask(0); }"), [true, false, true]);
        assert_eq!(present("umask(0); calloc(1, 2);"), [false, true, true]);
        assert_eq!(present("strlen(s)"), [false, true, true]);
    }

    #[test]
    fn small_and_large_texts_are_searched_with_the_same_result() {
        let needs = ["aba", "ABAB", "strlen", "len", "-x-"].map(|word| RequiredLiterals {
            text: vec![vec![word.to_owned()]],
            node: Vec::new(),
        });
        for text in ["", "abababab", "StrLen(é-x-x-)", "no", "LENlen\u{130}len"] {
            let small = LiteralPrefilter::new(needs.iter());
            let large = LiteralPrefilter::new(needs.iter());
            large.find(&"y".repeat(BYTES_WITHOUT_AUTOMATON + 1));
            assert_eq!(small.find(text).places, large.find(text).places, "{text}");
            assert!(small.automaton.get().is_none() && large.automaton.get().is_some());
        }
    }

    #[test]
    fn a_rule_can_match_only_nodes_with_its_literals() {
        let shape = |yaml: &str| RuleOutline::of(&Yaml::documents(yaml).unwrap()[0]);
        let c = Grammar::find("C").unwrap();
        let needs =
            shape("{kind: call_expression, has: {regex: ^umask$}, inside: {regex: Main}}").needs(c);
        let words = LiteralPrefilter::new(std::iter::once(&needs));
        let present = words.find("main umask umas");
        assert!(present.allows(0, 0..10));
        assert!(present.allows(0, 5..10));
        assert!(!present.allows(0, 0..9));
        assert!(!present.allows(0, 6..15));
    }
}
