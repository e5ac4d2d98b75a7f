//! Rules as data: our metadata around ast-grep's rule language. The only module that knows ast-grep's rules.

pub(crate) mod check;
mod document;
mod object;
mod words;
pub(crate) mod yaml;

use std::borrow::Cow;

use ast_grep_config::{DeserializeEnv, RuleCore, SerializableRuleCore};
use ast_grep_core::Matcher;
use ast_grep_core::meta_var::MetaVarEnv;
use ast_grep_core::tree_sitter::StrDoc;
use review::{Category, Priority};

use crate::fragment::{Root, kind_of};
use crate::grammar::Grammar;
use crate::node::Node;
use crate::rule::{Brief, Tests, quote};
use words::Shape;
use yaml::{Fault, Yaml};

pub(crate) use document::is_id;
pub(crate) use words::{Needs, Present, Words};

/// A rule as its file has it.
pub(crate) struct Document {
    pub(crate) id: String,
    pub(crate) languages: Vec<String>,
    pub(crate) title: String,
    /// What the finding says; `$NAME` stands for the code that it matched, `$MATCH` for the whole match.
    pub(crate) summary: String,
    pub(crate) why: String,
    pub(crate) fix: String,
    pub(crate) priority: Priority,
    pub(crate) category: Category,
    pub(crate) confidence: f32,
    pub(crate) tests: Tests,
    /// The variable whose line is reported; the whole match if there is none.
    report: Option<String>,
    core: SerializableRuleCore,
    pub(crate) fires: Vec<String>,
    pub(crate) quiet: Vec<String>,
    shape: Shape,
}

/// A rule file compiled for one language.
pub(crate) struct Pattern {
    matcher: RuleCore,
    /// Node kinds that it can match.
    pub(crate) kinds: Vec<u16>,
}

impl Document {
    /// The one rule of a text.
    ///
    /// # Errors
    /// All that is wrong with it, a line each.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let line = |fault: &Fault| format!("{}:{}: {}", fault.at.line, fault.at.column, fault.message);
        let lines = |faults: Vec<Fault>| faults.iter().map(line).collect::<Vec<_>>().join("\n");
        match Yaml::documents(text).map_err(|fault| line(&fault))?.as_slice() {
            [rule] => Self::read(rule).map_err(lines),
            documents => Err(format!("expected one rule, not {}", documents.len())),
        }
    }

    /// The rule that a part of a file is.
    ///
    /// # Errors
    /// All that is wrong with it, in the order of the file.
    pub(crate) fn read(yaml: &Yaml) -> Result<Self, Vec<Fault>> {
        document::read(yaml)
    }

    pub(crate) fn brief(&self) -> Brief<'_> {
        Brief {
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

    /// The words that must be there for it to match anything.
    pub(crate) fn needs(&self, grammar: Grammar) -> Needs {
        self.shape.needs(grammar)
    }

    /// Looks at one node: where to report, and the summary.
    pub(crate) fn look<'t>(&self, pattern: &Pattern, root: &'t Root, node: Node<'t>) -> Option<(Node<'t>, String)> {
        let mut variables = Cow::Owned(MetaVarEnv::new());
        pattern.matcher.match_node_with_env(root.adopt(node.raw()), &mut variables)?;
        let place = match &self.report {
            Some(name) => {
                let raw = variables.get_match(name)?.get_inner_node();
                let exact = |inner: &Node<'t>| inner.raw().id() == raw.id() && kind_of(&inner.raw()) == kind_of(&raw);
                std::iter::once(node).chain(node.descendants()).chain(node.ancestors()).find(exact)?
            }
            None => node,
        };
        Some((place, fill(&self.summary, node.text(), &variables)))
    }
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

/// Puts matched code in place of `$NAME`; `$MATCH` is the whole match.
fn fill(summary: &str, whole: &str, variables: &MetaVarEnv<'_, StrDoc<Grammar>>) -> String {
    let mut out = String::new();
    let mut rest = summary;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        let length = after.bytes().take_while(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_').count();
        let (name, behind) = after.split_at(length);
        match variables.get_match(name) {
            Some(node) => out.push_str(&quote(&node.text())),
            None if name == "MATCH" => out.push_str(&quote(whole)),
            None => {
                out.push('$');
                out.push_str(name);
            }
        }
        rest = behind;
    }
    out.push_str(rest);
    out
}
