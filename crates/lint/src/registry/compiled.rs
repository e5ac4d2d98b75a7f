//! The rules for one language, indexed by what they examine.

use syntax::language::Grammar;
use syntax::tree::Node;

use super::yaml_rule::YamlRule;
use crate::rule::yaml::{LiteralPrefilter, Present};
use crate::rule::{Check, On, RatedRule, RuleMeta, Tests};

/// The rules for one language, or for files without one.
#[derive(Default)]
pub(crate) struct Compiled {
    /// Rust rules on nodes by node kind, each with its number.
    nodes: Vec<Vec<(usize, RatedRule)>>,
    /// The number of such rules.
    count: usize,
    yaml: Vec<YamlRule>,
    prefilter: LiteralPrefilter,
    pub(crate) change: Vec<RatedRule>,
    pub(crate) text: Vec<RatedRule>,
    pub(crate) diff: Vec<RatedRule>,
    pub(crate) repository: Vec<RatedRule>,
    pub(crate) syntax: Vec<RatedRule>,
    pub(crate) suppression: Vec<RatedRule>,
}

/// The input of a rule that can report on any added line.
pub(crate) enum Examines {
    Lines,
    Nodes,
}

/// The YAML rules that can match something in a text.
pub(crate) struct ActiveMatchers<'c> {
    present: Present<'c>,
    /// By node kind.
    by_kind: Vec<Vec<Matcher<'c>>>,
}

/// A YAML rule on nodes.
#[derive(Clone, Copy)]
pub(crate) struct Matcher<'c> {
    index: usize,
    pub(crate) rule: &'c YamlRule,
}

impl Compiled {
    /// With `by_words`, YAML rules examine only texts and nodes that contain their words.
    pub(crate) fn new(
        grammar: Grammar,
        rules: impl Iterator<Item = RatedRule>,
        yaml: Vec<YamlRule>,
        by_words: bool,
    ) -> Self {
        let needs = |rule: &YamlRule| {
            if by_words {
                rule.needs(grammar)
            } else {
                Default::default()
            }
        };
        let needs: Vec<_> = yaml.iter().map(needs).collect();
        let nodes = vec![Vec::new(); grammar.language().node_kind_count()];
        let mut compiled = Self {
            nodes,
            yaml,
            prefilter: LiteralPrefilter::new(needs.iter()),
            ..Self::default()
        };
        rules.for_each(|rule| compiled.add(grammar, rule));
        compiled
    }

    /// The rules for files without a grammar.
    pub(crate) fn of_text(rules: impl Iterator<Item = RatedRule>) -> Self {
        let mut compiled = Self::default();
        for rule in rules {
            match rule.check {
                Check::Text { .. } | Check::Unparsable { .. } => compiled.text.push(rule),
                Check::Repository { .. } => compiled.repository.push(rule),
                _ => compiled.suppression.push(rule),
            }
        }
        compiled
    }

    fn add(&mut self, grammar: Grammar, rule: RatedRule) {
        match &rule.check {
            Check::Text { .. } | Check::Unparsable { .. } => self.text.push(rule),
            Check::Change { .. } => self.change.push(rule),
            Check::Diff { .. } => self.diff.push(rule),
            Check::Repository { .. } => self.repository.push(rule),
            Check::Syntax { .. } => self.syntax.push(rule),
            Check::Suppression { .. } => self.suppression.push(rule),
            Check::Node { on, .. } => {
                for kind in kinds(grammar, on) {
                    if let Some(rules) = self.nodes.get_mut(usize::from(kind)) {
                        rules.push((self.count, rule));
                    }
                }
                self.count += 1;
            }
        }
    }

    /// The Rust rules on nodes of a kind.
    pub(crate) fn looking_at(&self, kind: u16) -> &[(usize, RatedRule)] {
        self.nodes.get(usize::from(kind)).map_or(&[], Vec::as_slice)
    }

    /// The input of the rule with this ID; `None` if it is not one of these rules, or if it needs more than one version
    /// of one file.
    pub(crate) fn examines(&self, id: &str) -> Option<(RuleMeta<'_>, Tests, Examines)> {
        let text = self.text.iter().find(|rule| rule.id == id);
        let text = text.map(|rule| (rule.meta(), rule.tests, Examines::Lines));
        let nodes = || {
            self.nodes
                .iter()
                .flatten()
                .map(|(_, rule)| rule)
                .find(|rule| rule.id == id)
        };
        let nodes = || nodes().map(|rule| (rule.meta(), rule.tests, Examines::Nodes));
        let yaml = || self.yaml.iter().find(|rule| rule.id() == id)?.document();
        let yaml = || yaml().map(|document| (document.meta(), document.tests, Examines::Nodes));
        text.or_else(nodes).or_else(yaml)
    }

    /// The number of rules on nodes. Rust rules have the first numbers, then YAML rules in their order.
    pub(crate) fn looking(&self) -> usize {
        self.count + self.yaml.len()
    }

    /// The number of a YAML rule.
    pub(crate) fn number(&self, look: &Matcher<'_>) -> usize {
        self.count + look.index
    }

    /// The YAML rules that can match something in a text.
    pub(crate) fn possible(&self, grammar: Grammar, text: &str) -> ActiveMatchers<'_> {
        let present = self.prefilter.find(text);
        let mut by_kind = vec![Vec::new(); self.nodes.len()];
        for (index, rule) in self
            .yaml
            .iter()
            .enumerate()
            .filter(|(index, _)| present.is_possible(*index))
        {
            for kind in rule.kinds(grammar) {
                if let Some(looks) = by_kind.get_mut(usize::from(*kind)) {
                    looks.push(Matcher { index, rule });
                }
            }
        }
        ActiveMatchers { present, by_kind }
    }
}

impl<'c> ActiveMatchers<'c> {
    /// The rules on nodes of this kind.
    pub(crate) fn looking_at(&self, kind: u16) -> &[Matcher<'c>] {
        self.by_kind
            .get(usize::from(kind))
            .map_or(&[], Vec::as_slice)
    }

    /// Whether a node contains the words of a rule.
    pub(crate) fn allows(&self, look: &Matcher<'_>, node: Node<'_>) -> bool {
        self.present.allows(look.index, node.start()..node.end())
    }
}

/// The node kinds that a rule examines.
fn kinds(grammar: Grammar, on: &On) -> Vec<u16> {
    match on {
        On::Roles(roles) => roles
            .iter()
            .flat_map(|role| grammar.kinds_of(*role))
            .collect(),
        On::Kinds(kinds) => kinds.iter().filter_map(|kind| grammar.kind(kind)).collect(),
    }
}

impl Compiled {
    /// Compiles all rules written in YAML and returns the problems.
    pub(crate) fn problems(&self, grammar: Grammar) -> impl Iterator<Item = String> {
        let problem = move |rule: &YamlRule| {
            let error = rule.compiled(grammar).err()?;
            Some(format!("{}: {}: {error}", rule.id(), grammar.name()))
        };
        self.yaml.iter().filter_map(problem)
    }
}
