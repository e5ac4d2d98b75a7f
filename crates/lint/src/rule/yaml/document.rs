//! A rule from a file, and its matching. The only module that runs ast-grep's matchers.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use ast_grep_config::{DeserializeEnv, RuleCore, SerializableRuleCore};
use ast_grep_core::meta_var::MetaVarEnv;
use ast_grep_core::{AstGrep, Matcher};
use review::{Category, Priority, Versions};
use syntax::language::Grammar;
use syntax::semantics::secrets::quote;
use syntax::semantics::type_name::type_name;
use syntax::tree::{Document as Code, Meter, Node, Place, Tree};

use super::literal_prefilter::{RequiredLiterals, RuleOutline};
use super::pattern::{self, Parsed};
use super::template::{fill, is_variable};
use crate::rule::RuleMeta;
use crate::rule::definition::Tests;
use crate::rule::evidence::lowered;

/// A rule as in its file.
pub(crate) struct Document {
    pub(crate) id: String,
    pub(crate) languages: Vec<String>,
    pub(crate) title: String,
    /// The summary of its findings. `$NAME` is replaced by the matched code, `$MATCH` by the whole match.
    pub(crate) summary: String,
    pub(crate) why: String,
    pub(crate) fix: String,
    pub(crate) references: Vec<String>,
    pub(crate) priority: Priority,
    pub(crate) category: Category,
    /// The value set by the author; for a built-in rule, that of its evidence.
    pub(crate) confidence: f32,
    /// Written by a user. Its priority is never lowered.
    pub(crate) is_custom: bool,
    pub(crate) tests: Tests,
    /// The variable that determines the reported line; if none, the whole match.
    pub(super) report: Option<String>,
    /// Replacements for the reported code. The first template with values for all its variables is used.
    pub(super) replace: Vec<String>,
    /// By variable: the allowed types of the code that it matches. Code of unknown type does not match.
    pub(super) types: BTreeMap<String, Vec<String>>,
    /// The versions of the language to which it applies.
    pub(crate) versions: Versions,
    pub(super) core: SerializableRuleCore,
    pub(crate) positive: Vec<String>,
    pub(crate) negative: Vec<String>,
    pub(super) shape: RuleOutline,
}

/// A match of a rule at a node.
pub(crate) struct Match<'t> {
    /// The reported code.
    pub(crate) place: Node<'t>,
    pub(crate) summary: String,
    /// The text that replaces the reported code.
    pub(crate) replacement: Option<String>,
}

/// A rule file compiled for one language.
pub(crate) struct Pattern {
    pub(super) matcher: RuleCore,
    /// The same rule without its negations; `None` if it is then empty.
    without_negations: OnceLock<Option<RuleCore>>,
    /// Node kinds that it can match.
    pub(crate) kinds: Vec<u16>,
}

impl Pattern {
    fn without_negations(&self, document: &Document, grammar: &Grammar) -> Option<&RuleCore> {
        let compile = || {
            let mut core = document.core_for(*grammar)?;
            remove_negations(&mut core);
            let core: SerializableRuleCore = serde_json::from_value(core).ok()?;
            core.get_matcher(DeserializeEnv::new(*grammar)).ok()
        };
        self.without_negations.get_or_init(compile).as_ref()
    }
}

/// Removes each `not` and each `nthChild` that counts from the end (it requires that nothing follows), and everything
/// that is then empty.
fn remove_negations(value: &mut serde_json::Value) {
    let is_empty = |value: &serde_json::Value| {
        value.as_object().is_some_and(|of| of.is_empty())
            || value.as_array().is_some_and(Vec::is_empty)
    };
    if let Some(map) = value.as_object_mut() {
        map.remove("not");
        if map
            .get("nthChild")
            .is_some_and(|child| child.get("reverse").is_some())
        {
            map.remove("nthChild");
        }
        map.values_mut().for_each(remove_negations);
        map.retain(|_, value| !is_empty(value));
    } else if let Some(list) = value.as_array_mut() {
        list.iter_mut().for_each(remove_negations);
        list.retain(|value| !is_empty(value));
    }
}

impl Document {
    /// Converts it to a built-in rule, with the confidence according to its evidence.
    pub(crate) fn built_in(self, confidence: f32) -> Self {
        Self {
            confidence,
            is_custom: false,
            ..self
        }
    }

    pub(crate) fn meta(&self) -> RuleMeta<'_> {
        RuleMeta {
            id: &self.id,
            fix: &self.fix,
            // The author of a custom rule decides its priority.
            priority: if self.is_custom {
                self.priority
            } else {
                lowered(self.priority, self.confidence)
            },
            category: self.category,
            confidence: self.confidence,
        }
    }

    /// Its patterns and other conditions, with the patterns as they are parsed in the body of a function. In a built-in
    /// rule they are always parsed the same alone; a test verifies that.
    fn core_for(&self, grammar: Grammar) -> Option<serde_json::Value> {
        let mut core = serde_json::to_value(&self.core).ok()?;
        if self.is_custom {
            pattern::rewrite(&mut core, grammar);
        }
        Some(core)
    }

    /// Its patterns that the language parses differently alone than in the body of a function, or not at all.
    pub(crate) fn patterns_unlike_alone(&self, grammar: Grammar) -> Vec<String> {
        let core = serde_json::to_value(&self.core).unwrap_or_default();
        let is_fine = |parsed: Parsed| !parsed.has_error && parsed.rewritten.is_none();
        pattern::patterns(&core)
            .into_iter()
            .filter(|pattern| !Parsed::of(pattern, grammar).is_some_and(is_fine))
            .map(ToString::to_string)
            .collect()
    }

    /// Its patterns, each with the result of parsing it.
    pub(crate) fn patterns(&self, grammar: Grammar) -> Vec<Parsed> {
        let core = serde_json::to_value(&self.core).unwrap_or_default();
        pattern::patterns(&core)
            .into_iter()
            .filter_map(|pattern| Parsed::of(pattern, grammar))
            .collect()
    }

    fn matcher(&self, grammar: Grammar) -> Result<RuleCore, String> {
        let rewritten: Option<SerializableRuleCore> = if self.is_custom {
            self.core_for(grammar)
                .and_then(|core| serde_json::from_value(core).ok())
        } else {
            None
        };
        let core = rewritten.as_ref().unwrap_or(&self.core);
        core.get_matcher(DeserializeEnv::new(grammar))
            .map_err(|error| explain(&error))
    }

    /// Compiles it for a language.
    pub(crate) fn compile(&self, grammar: Grammar) -> Result<Pattern, String> {
        let matcher = self.matcher(grammar)?;
        let kinds = matcher
            .potential_kinds()
            .ok_or("the rule must say what kind of node it matches: add `kind` or `pattern`")?;
        let kinds: Vec<u16> = kinds
            .iter()
            .filter_map(|kind| u16::try_from(kind).ok())
            .collect();
        if kinds.is_empty() {
            let patterns: Vec<String> = self
                .patterns(grammar)
                .into_iter()
                .map(|pattern| pattern.outline)
                .collect();
            return Err(format!(
                "no node can match all of its parts; its patterns are parsed as {}",
                patterns.join(" and ")
            ));
        }
        Ok(Pattern {
            matcher,
            kinds,
            without_negations: OnceLock::new(),
        })
    }

    /// Whether it applies to a language.
    pub(crate) fn is_for(&self, grammar: Grammar) -> bool {
        self.languages.iter().any(|name| name == grammar.name())
    }

    /// The literals that it requires to match anything.
    pub(crate) fn needs(&self, grammar: Grammar) -> RequiredLiterals {
        self.shape.needs(grammar)
    }

    /// The number of searches through nodes of which the hunk shows only a part, without those of the rule's negations.
    /// Code that the negations exclude may be in the part that is not shown.
    fn unseen_without_negations(
        &self,
        pattern: &Pattern,
        code: &Root,
        place: Place<'_>,
        meter: &Meter,
    ) -> u32 {
        let Some(matcher) = pattern.without_negations(self, code.lang()) else {
            return 0;
        };
        let matches = || {
            matcher
                .match_node_with_env(code.adopt(place), &mut Cow::Owned(MetaVarEnv::new()))
                .is_some()
        };
        let (unseen, found) = meter.count_unseen(matches);
        if found { unseen } else { 0 }
    }

    /// Matches one node.
    pub(crate) fn look<'t>(
        &self,
        pattern: &Pattern,
        code: &Root,
        node: Node<'t>,
    ) -> Option<Match<'t>> {
        let mut variables = Cow::Owned(MetaVarEnv::new());
        let place = code.root().get_doc().place(node);
        let meter = &node.tree().meter;
        let (unseen, found) = meter.count_unseen(|| {
            pattern
                .matcher
                .match_node_with_env(code.adopt(place), &mut variables)
                .is_some()
        });
        if !found
            || unseen > 0 && unseen > self.unseen_without_negations(pattern, code, place, meter)
        {
            return None;
        }
        let named = |name: &str| {
            Some(
                node.tree()
                    .node(variables.get_match(name)?.get_inner_node().index()),
            )
        };
        let fits = |(name, types): (&String, &Vec<String>)| match named(name) {
            Some(value) => value
                .and_then(type_name)
                .is_some_and(|own| types.contains(&own)),
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
        let summary = fill(&self.summary, |name| {
            Some(code(name).map_or_else(|| format!("${name}"), |code| quote(&code)))
        });
        let transformed =
            |name: &str| String::from_utf8(variables.get_transformed(name)?.clone()).ok();
        let written = |name: &str| match code(name) {
            Some(code) => Some(code.into_owned()),
            None if !is_variable(name) => Some(format!("${name}")),
            None => transformed(name),
        };
        let replacement = self
            .replace
            .iter()
            .find_map(|template| fill(template, written));
        Some(Match {
            place,
            summary: summary.unwrap_or_default(),
            replacement,
        })
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
