//! Words without which a rule cannot match.
//!
//! Most rules name a function, a field or a constant. Where that name is not in a text, the rule need not look at any of
//! its nodes, and where it is not in a node, the rule need not look at that one. One pass over the text tells for all
//! rules where which words are.

use std::collections::HashMap;
use std::ops::Range;

use aho_corasick::AhoCorasick;
use ast_grep_core::Pattern as Code;
use regex_syntax::hir::{Class, Hir, HirKind};

use super::value::Yaml;
use crate::language::Grammar;

/// Shorter words are in every text.
const SHORTEST: usize = 3;

/// One of these words is in every text that the rule matches.
pub(crate) type Choice = Vec<String>;

/// The parts of ast-grep's rule language that name something. What is left out here only makes the answer less sharp.
pub(super) struct RuleOutline {
    pattern: Option<Piece>,
    regex: Option<String>,
    /// What must hold here: `has` and the parts of `all`.
    also: Vec<RuleOutline>,
    /// What must hold around it: `inside`, `precedes` and `follows`.
    around: Vec<RuleOutline>,
    any: Vec<RuleOutline>,
}

enum Piece {
    Text(String),
    Part { context: String, selector: Option<String> },
}

/// Words that a rule needs: anywhere in the text, and in the node itself that it matches.
#[derive(Default)]
pub(crate) struct RequiredLiterals {
    pub(crate) text: Vec<Choice>,
    pub(crate) node: Vec<Choice>,
}

impl RuleOutline {
    /// Of a rule, or of a part of one.
    pub(super) fn of(rule: &Yaml) -> Self {
        let parts = |names: &[&str]| names.iter().filter_map(|name| rule.get(name)).map(Self::of).collect();
        let list = |name| rule.get(name).map(Yaml::items).unwrap_or_default().iter().map(Self::of);
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

    /// All choices of which the rule needs a word each.
    pub(super) fn needs(&self, grammar: Grammar) -> RequiredLiterals {
        RequiredLiterals { text: self.choices(grammar, true), node: self.choices(grammar, false) }
    }

    /// With those for what stands around the node, or without.
    fn choices(&self, grammar: Grammar, around: bool) -> Vec<Choice> {
        let word = self.pattern.as_ref().and_then(|piece| piece.word(grammar)).map(|word| vec![word]);
        let regex = self.regex.as_ref().and_then(|regex| choice(&regex_syntax::parse(regex).ok()?));
        let mut needs: Vec<Choice> = word.into_iter().chain(regex).collect();
        let parts = self.also.iter().chain(self.around.iter().filter(|_| around));
        needs.extend(parts.flat_map(|part| part.choices(grammar, around)));
        if !self.any.is_empty() {
            let choices: Option<Vec<Choice>> =
                self.any.iter().map(|part| sharpest(part.choices(grammar, around))).collect();
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
        // Another strictness compares other things than text.
        let context = owned("context").filter(|_| pattern.get("strictness").is_none())?;
        Some(Self::Part { context, selector: owned("selector") })
    }

    /// The longest word that the code of the pattern has outside of its variables.
    fn word(&self, grammar: Grammar) -> Option<String> {
        let code = match self {
            Self::Text(text) => Code::try_new(text, grammar),
            Self::Part { context, selector: Some(selector) } => Code::contextual(context, selector, grammar),
            Self::Part { context, selector: None } => Code::try_new(context, grammar),
        };
        Some(code.ok()?.fixed_string().into_owned()).filter(|word| !word.is_empty())
    }
}

/// Length of the shortest word: the longer, the fewer texts have it.
fn sharpness(choice: &Choice) -> usize {
    choice.iter().map(String::len).min().unwrap_or(0)
}

fn sharpest(choices: impl IntoIterator<Item = Choice>) -> Option<Choice> {
    choices.into_iter().max_by_key(sharpness)
}

/// Words of which a regular expression needs one.
fn choice(regex: &Hir) -> Option<Choice> {
    match regex.kind() {
        HirKind::Literal(_) | HirKind::Class(_) => Some(vec![letters(regex)?]),
        HirKind::Capture(capture) => choice(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => choice(&repetition.sub),
        HirKind::Alternation(parts) => parts.iter().map(choice).collect::<Option<Vec<_>>>().map(|parts| parts.concat()),
        HirKind::Concat(parts) => sharpest(choices_in_row(parts)),
        _ => None,
    }
}

/// Neighbouring letters make one word; what has no width does not part them.
fn choices_in_row(parts: &[Hir]) -> Vec<Choice> {
    let (mut choices, mut run) = (Vec::new(), String::new());
    for part in parts.iter().filter(|part| !matches!(part.kind(), HirKind::Look(_))) {
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

/// A literal, or a letter in both cases as `(?i)` makes it.
fn letters(part: &Hir) -> Option<String> {
    match part.kind() {
        HirKind::Literal(literal) => String::from_utf8(literal.0.to_vec()).ok(),
        HirKind::Class(Class::Unicode(class)) => match class.ranges() {
            [upper, lower]
                if upper.len() == 1 && lower.len() == 1 && upper.start().to_ascii_lowercase() == lower.start() =>
            {
                Some(lower.start().to_string())
            }
            _ => None,
        },
        _ => None,
    }
}

/// The words of all rules of a language.
#[derive(Default)]
pub(crate) struct LiteralPrefilter {
    /// None where there is nothing to look for.
    finder: Option<AhoCorasick>,
    /// For each word, the numbers of the choices that have it.
    choices_of: Vec<Vec<usize>>,
    choices: usize,
    /// For each rule, the numbers of its choices.
    text: Vec<Vec<usize>>,
    node: Vec<Vec<usize>>,
}

/// Gives each choice a number, and each word of it.
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

/// Where the words of the rules are in a text.
pub(crate) struct Present<'w> {
    words: &'w LiteralPrefilter,
    /// For each choice, where a word of it starts and ends, in the order of the starts.
    places: Vec<Vec<(usize, usize)>>,
    /// For each rule, whether it can match anything in the text.
    rules: Vec<bool>,
}

impl LiteralPrefilter {
    /// From the needs of each rule, in order.
    pub(crate) fn new<'a>(rules: impl Iterator<Item = &'a RequiredLiterals>) -> Self {
        let mut numbers = Numbers::default();
        let (text, node) = rules.map(|needs| (numbers.all(&needs.text), numbers.all(&needs.node))).unzip();
        let Numbers { choices, words, choices_of, .. } = numbers;
        let finder = AhoCorasick::builder().ascii_case_insensitive(true).build(&words).ok();
        Self { finder: finder.filter(|_| !words.is_empty()), choices_of, choices: choices.len(), text, node }
    }

    /// Looks through a text.
    pub(crate) fn find(&self, text: &str) -> Present<'_> {
        let mut places = vec![Vec::new(); self.choices];
        let Some(finder) = &self.finder else {
            return Present { words: self, places, rules: vec![true; self.text.len()] };
        };
        for found in finder.find_overlapping_iter(text) {
            for choice in self.choices_of.get(found.pattern().as_usize()).into_iter().flatten() {
                if let Some(places) = places.get_mut(*choice) {
                    places.push((found.start(), found.end()));
                }
            }
        }
        places.iter_mut().for_each(|places| places.sort_unstable());
        let is_there = |choice: &usize| places.get(*choice).is_some_and(|places| !places.is_empty());
        let rules = self.text.iter().map(|needs| needs.iter().all(is_there)).collect();
        Present { words: self, places, rules }
    }
}

impl Present<'_> {
    /// Whether a rule can match anything in the text.
    pub(crate) fn is_possible(&self, rule: usize) -> bool {
        self.rules.get(rule).is_some_and(|possible| *possible)
    }

    /// Whether a rule can match a node that stands there.
    pub(crate) fn allows(&self, rule: usize, node: Range<usize>) -> bool {
        let is_inside = |choice: &usize| {
            let Some(places) = self.places.get(*choice) else { return true };
            let from = places.partition_point(|(start, _)| *start < node.start);
            let mut inside = places.iter().skip(from).take_while(|(start, _)| *start < node.end);
            inside.any(|(_, end)| *end <= node.end)
        };
        self.is_possible(rule) && self.words.node.get(rule).is_none_or(|needs| needs.iter().all(is_inside))
    }
}

#[cfg(test)]
mod tests {
    use super::{LiteralPrefilter, RuleOutline, Yaml, choice};
    use crate::language::Grammar;

    fn words(regex: &str) -> Option<Vec<String>> {
        choice(&regex_syntax::parse(regex).unwrap()).filter(|words| !words.iter().any(String::is_empty))
    }

    #[test]
    fn a_regular_expression_needs_one_of_its_words() {
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
    fn a_rule_can_match_only_where_all_its_words_are() {
        let shape = |yaml: &str| RuleOutline::of(&Yaml::documents(yaml).unwrap()[0]);
        let c = Grammar::find("C").unwrap();
        let both = shape("{kind: call_expression, has: {field: function, regex: ^umask$}, inside: {regex: Main}}");
        let either = shape("any: [{pattern: 'strlen($X)'}, {all: [{regex: ^calloc}, {not: {regex: zero}}]}]");
        let any = shape("any: [{pattern: 'strlen($X)'}, {kind: call_expression}]");
        let needs = [both.needs(c), either.needs(c), any.needs(c)];
        let words = LiteralPrefilter::new(needs.iter());
        let present = |text: &str| words.find(text).rules;
        assert_eq!(present("int main() { umask(0); }"), [true, false, true]);
        assert_eq!(present("umask(0); calloc(1, 2);"), [false, true, true]);
        assert_eq!(present("strlen(s)"), [false, true, true]);
    }

    #[test]
    fn a_rule_can_match_only_the_nodes_that_have_its_own_words() {
        let shape = |yaml: &str| RuleOutline::of(&Yaml::documents(yaml).unwrap()[0]);
        let c = Grammar::find("C").unwrap();
        let needs = shape("{kind: call_expression, has: {regex: ^umask$}, inside: {regex: Main}}").needs(c);
        let words = LiteralPrefilter::new(std::iter::once(&needs));
        let present = words.find("main umask umas");
        assert!(present.allows(0, 0..10));
        assert!(present.allows(0, 5..10));
        assert!(!present.allows(0, 0..9));
        assert!(!present.allows(0, 6..15));
    }
}
