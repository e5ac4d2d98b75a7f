//! Words without which a rule cannot match.
//!
//! Most rules name a function, a field or a constant. Where that name is not in a text, the rule need not look at any of
//! its nodes, and one pass over the text tells so for all rules at once.

use std::collections::HashMap;

use aho_corasick::AhoCorasick;
use ast_grep_core::Pattern as Code;
use regex_syntax::hir::{Class, Hir, HirKind};
use serde::Deserialize;

use crate::grammar::Grammar;

/// Shorter words are in every text.
const SHORTEST: usize = 3;

/// One of these words is in every text that the rule matches.
pub(crate) type Choice = Vec<String>;

/// The parts of ast-grep's rule language that name something. What is left out here only makes the answer less sharp.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Shape {
    pattern: Option<Piece>,
    regex: Option<String>,
    has: Option<Box<Shape>>,
    inside: Option<Box<Shape>>,
    precedes: Option<Box<Shape>>,
    follows: Option<Box<Shape>>,
    all: Vec<Shape>,
    any: Vec<Shape>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Piece {
    Text(String),
    Part { context: String, selector: Option<String>, strictness: Option<String> },
}

impl Shape {
    /// All choices of which the rule needs a word each.
    pub(super) fn needs(&self, grammar: Grammar) -> Vec<Choice> {
        let word = self.pattern.as_ref().and_then(|piece| piece.word(grammar)).map(|word| vec![word]);
        let regex = self.regex.as_ref().and_then(|regex| choice(&regex_syntax::parse(regex).ok()?));
        let mut needs: Vec<Choice> = word.into_iter().chain(regex).collect();
        let near = [&self.has, &self.inside, &self.precedes, &self.follows].into_iter().flatten().map(AsRef::as_ref);
        needs.extend(near.chain(&self.all).flat_map(|part| part.needs(grammar)));
        if !self.any.is_empty() {
            let choices: Option<Vec<Choice>> = self.any.iter().map(|part| sharpest(part.needs(grammar))).collect();
            needs.extend(choices.map(|choices| choices.concat()));
        }
        needs.retain(|choice| sharpness(choice) >= SHORTEST);
        needs
    }
}

impl Piece {
    /// The longest word that the code of the pattern has outside of its variables.
    fn word(&self, grammar: Grammar) -> Option<String> {
        let code = match self {
            Self::Text(text) => Code::try_new(text, grammar),
            Self::Part { strictness: Some(_), .. } => return None,
            Self::Part { context, selector: Some(selector), .. } => Code::contextual(context, selector, grammar),
            Self::Part { context, selector: None, .. } => Code::try_new(context, grammar),
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
pub(crate) struct Words {
    /// None where there is nothing to look for.
    finder: Option<AhoCorasick>,
    /// For each rule, the numbers of the words of its choices.
    needs: Vec<Vec<Vec<usize>>>,
}

impl Words {
    /// From the needs of each rule, in order.
    pub(crate) fn new<'a>(rules: impl Iterator<Item = &'a [Choice]>) -> Self {
        let (mut numbers, mut words) = (HashMap::new(), Vec::new());
        let mut number = |word: &'a String| {
            *numbers.entry(word.to_ascii_lowercase()).or_insert_with_key(|word| {
                words.push(word.clone());
                words.len() - 1
            })
        };
        let needs = rules.map(|needs| needs.iter().map(|choice| choice.iter().map(&mut number).collect()).collect());
        let needs = needs.collect();
        let finder = AhoCorasick::builder().ascii_case_insensitive(true).build(&words).ok();
        Self { finder: finder.filter(|_| !words.is_empty()), needs }
    }

    /// For each rule, whether it can match anything in a text.
    pub(crate) fn present(&self, text: &str) -> Vec<bool> {
        let Some(finder) = &self.finder else { return vec![true; self.needs.len()] };
        let mut seen = vec![false; finder.patterns_len()];
        for found in finder.find_overlapping_iter(text) {
            if let Some(seen) = seen.get_mut(found.pattern().as_usize()) {
                *seen = true;
            }
        }
        let is_seen = |word: &usize| seen.get(*word).copied().unwrap_or(true);
        self.needs.iter().map(|needs| needs.iter().all(|choice| choice.iter().any(is_seen))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Shape, Words, choice};
    use crate::grammar::Grammar;

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
        let shape = |yaml: &str| ast_grep_config::from_str::<Shape>(yaml).unwrap();
        let c = Grammar::find("C").unwrap();
        let both = shape("{kind: call_expression, has: {field: function, regex: ^umask$}, inside: {regex: Main}}");
        let either = shape("any: [{pattern: 'strlen($X)'}, {all: [{regex: ^calloc}, {not: {regex: zero}}]}]");
        let any = shape("any: [{pattern: 'strlen($X)'}, {kind: call_expression}]");
        let needs = [both.needs(c), either.needs(c), any.needs(c)];
        let words = Words::new(needs.iter().map(Vec::as_slice));
        assert_eq!(words.present("int main() { umask(0); }"), [true, false, true]);
        assert_eq!(words.present("umask(0); calloc(1, 2);"), [false, true, true]);
        assert_eq!(words.present("strlen(s)"), [false, true, true]);
    }
}
