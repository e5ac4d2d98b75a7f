//! A rule from a file, and its matching. The only module that runs ast-grep's matchers.

use std::borrow::Cow;
use std::collections::BTreeMap;

use ast_grep_config::{DeserializeEnv, RuleCore, SerializableRuleCore};
use ast_grep_core::meta_var::MetaVarEnv;
use ast_grep_core::{AstGrep, Matcher};
use review::{Category, Priority};

use super::literal_prefilter::{RequiredLiterals, RuleOutline};
use super::template::{fill, is_variable};
use crate::language::Grammar;
use crate::rule::RuleMeta;
use crate::rule::definition::Tests;
use crate::semantics::secrets::quote;
use crate::semantics::type_name::type_name;
use crate::tree::{Document as Code, Node, Tree};

/// A rule as in its file.
pub(crate) struct Document {
    pub(crate) id: String,
    pub(crate) languages: Vec<String>,
    pub(crate) title: String,
    /// The summary of its findings; `$NAME` stands for the matched code, `$MATCH` for the whole match.
    pub(crate) summary: String,
    pub(crate) why: String,
    pub(crate) fix: String,
    pub(crate) references: Vec<String>,
    pub(crate) priority: Priority,
    pub(crate) category: Category,
    /// The confidence that the author of a custom rule gives; none for a built-in rule.
    pub(crate) confidence: Option<f32>,
    pub(crate) tests: Tests,
    /// The variable whose line is reported; if none, the whole match.
    pub(super) report: Option<String>,
    /// What to write instead of the reported code: the first template whose variables all have a value.
    pub(super) replace: Vec<String>,
    /// By variable: the types that what it matches may have. What is of no known type does not match.
    pub(super) types: BTreeMap<String, Vec<String>>,
    pub(super) core: SerializableRuleCore,
    pub(crate) positive: Vec<String>,
    pub(crate) negative: Vec<String>,
    pub(super) shape: RuleOutline,
}

/// What a rule found at a node.
pub(crate) struct Match<'t> {
    /// The reported code.
    pub(crate) place: Node<'t>,
    pub(crate) summary: String,
    /// The text to write instead of the reported code.
    pub(crate) replacement: Option<String>,
}

/// A rule file compiled for one language.
pub(crate) struct Pattern {
    pub(super) matcher: RuleCore,
    /// Node kinds that it can match.
    pub(crate) kinds: Vec<u16>,
}

impl Document {
    /// As a built-in rule, whose confidence comes from its evidence.
    pub(crate) fn built_in(self) -> Self {
        Self { confidence: None, ..self }
    }

    pub(crate) fn meta(&self) -> RuleMeta<'_> {
        RuleMeta {
            id: &self.id,
            fix: &self.fix,
            priority: self.priority,
            category: self.category,
            confidence: self.confidence,
        }
    }

    /// Compiles it for a language.
    pub(crate) fn compile(&self, grammar: Grammar) -> Result<Pattern, String> {
        let matcher = self.core.get_matcher(DeserializeEnv::new(grammar)).map_err(|error| explain(&error))?;
        let kinds = matcher
            .potential_kinds()
            .ok_or("the rule must say what kind of node it matches: add `kind` or `pattern`")?;
        let kinds = kinds.iter().filter_map(|kind| u16::try_from(kind).ok()).collect();
        Ok(Pattern { matcher, kinds })
    }

    /// Whether it applies to a language.
    pub(crate) fn is_for(&self, grammar: Grammar) -> bool {
        self.languages.iter().any(|name| name == grammar.name())
    }

    /// The literals that it requires to match anything.
    pub(crate) fn needs(&self, grammar: Grammar) -> RequiredLiterals {
        self.shape.needs(grammar)
    }

    /// Matches one node.
    pub(crate) fn look<'t>(&self, pattern: &Pattern, code: &Root, node: Node<'t>) -> Option<Match<'t>> {
        let mut variables = Cow::Owned(MetaVarEnv::new());
        let place = code.root().get_doc().place(node);
        let matches = || pattern.matcher.match_node_with_env(code.adopt(place), &mut variables).is_some();
        // What the hunk does not show may be what the rule excludes.
        if node.tree().meter.depends_on_unseen(matches) != (false, true) {
            return None;
        }
        let named = |name: &str| Some(node.tree().node(variables.get_match(name)?.get_inner_node().index()));
        let fits = |(name, types): (&String, &Vec<String>)| match named(name) {
            Some(value) => value.and_then(type_name).is_some_and(|own| types.contains(&own)),
            None => true,
        };
        if !self.types.iter().all(fits) {
            return None;
        }
        let place = match &self.report {
            Some(name) => {
                let named = named(name)??;
                Some(named).filter(|named| named.is_inside(node) || node.is_inside(*named))?
            }
            None => node,
        };
        let code = |name: &str| match variables.get_match(name) {
            Some(code) => Some(code.text()),
            None => (name == "MATCH").then(|| node.text().into()),
        };
        let summary =
            fill(&self.summary, |name| Some(code(name).map_or_else(|| format!("${name}"), |code| quote(&code))));
        let transformed = |name: &str| String::from_utf8(variables.get_transformed(name)?.clone()).ok();
        let written = |name: &str| match code(name) {
            Some(code) => Some(code.into_owned()),
            None if !is_variable(name) => Some(format!("${name}")),
            None => transformed(name),
        };
        let replacement = self.replace.iter().find_map(|template| fill(template, written));
        Some(Match { place, summary: summary.unwrap_or_default(), replacement })
    }
}

/// The tree that patterns match.
pub(crate) type Root = AstGrep<Code>;

/// Converts a tree for patterns.
pub(crate) fn root(tree: &Tree<'_>) -> Root {
    Root::doc(tree.document())
}

/// An error with its causes, in one line.
fn explain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text} {cause}");
        source = cause.source();
    }
    text
}
