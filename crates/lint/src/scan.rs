//! One file of a chunk through all rules.
//!
//! Each hunk is parsed once a side; one walk over the tree hands each node to the rules that want its kind. Rules know
//! nothing of each other, and their order changes nothing: what they found is sorted at the end.

use std::panic::{AssertUnwindSafe, catch_unwind};

use review::{Candidate, ChunkFile, Facts, Side, Status, Warning, WarningCode};
use serde::{Deserialize, Serialize};

use crate::change::{Added, Change};
use crate::compiled::{Compiled, Look};
use crate::facts::Collector;
use crate::fragment::{Fragment, SideText, Trouble};
use crate::grammar::Grammar;
use crate::limits::Limits;
use crate::node::{Node, Tree};
use crate::rule::{Brief, ChangeContext, Check, FileContext, Hunk, NodeContext, Rule, Sink, Tests, TextContext, hunks};
use crate::rule_set::RuleSet;
use crate::suppress;

/// What the rules made of a file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// What they believe is wrong, sorted by line.
    pub candidates: Vec<Candidate>,
    /// What they could not look at.
    pub warnings: Vec<Warning>,
    /// What the file tells the other files, for [`crate::conclude`].
    pub facts: Facts,
}

/// Looks at a file of a chunk with all rules. The same input gives the same report, always.
#[must_use]
pub fn scan(file: &ChunkFile<'_>, rules: &RuleSet, limits: &Limits) -> Report {
    scan_with(file, rules, limits, None)
}

/// As [`scan`], with only one rule.
pub(crate) fn scan_with(file: &ChunkFile<'_>, rules: &RuleSet, limits: &Limits, only: Option<&str>) -> Report {
    let language = file.language.map(review::Language::name).unwrap_or_default();
    let grammar = Grammar::find(language);
    let context = FileContext {
        path: &file.path,
        language,
        grammar,
        is_test: file.is_test,
        status: file.status,
        index: file.index,
    };
    let mut scan = Scan {
        file: context,
        compiled: rules.compiled(grammar),
        only,
        limits,
        report: Report::default(),
        collector: Collector::default(),
        failed: Vec::new(),
    };
    scan.collector = scan.collector_for(file, grammar);
    if grammar.is_none() && !language.is_empty() {
        let message = format!("There is no grammar for {language}: only the rules for plain text looked at it.");
        scan.warn(WarningCode::LanguageNotSupported, message);
    }
    let added = Added::new(file);
    for hunk in hunks(file) {
        scan.text(hunk);
        if let Some(grammar) = grammar {
            scan.syntax(hunk, grammar, &added);
        }
    }
    scan.finish(file, grammar)
}

struct Scan<'a> {
    file: FileContext<'a>,
    compiled: &'a Compiled,
    only: Option<&'a str>,
    limits: &'a Limits,
    report: Report,
    collector: Collector,
    /// Rules that panicked on this file.
    failed: Vec<String>,
}

impl<'a> Scan<'a> {
    fn warn(&mut self, code: WarningCode, message: impl Into<String>) {
        let warning = Warning::file(code, self.file.path, message);
        if !self.report.warnings.contains(&warning) {
            self.report.warnings.push(warning);
        }
    }

    /// Notes what the rules for the whole diff need, as far as they may report on this file.
    fn collector_for(&self, file: &ChunkFile<'_>, grammar: Option<Grammar>) -> Collector {
        let rules = self.compiled.diff.iter().filter(|rule| self.wants(&rule.brief(), rule.tests));
        Collector::new(file, grammar, rules.map(|rule| rule.id.to_owned()))
    }

    fn wants(&self, brief: &Brief<'_>, tests: Tests) -> bool {
        self.only.is_none_or(|only| only == brief.id)
            && !(tests == Tests::Skip && self.file.is_test)
            && !self.failed.iter().any(|id| id == brief.id)
    }

    /// Runs one rule; if it panics, it loses this file.
    fn run(&mut self, brief: Brief<'_>, hunk: Hunk<'_>, changed_only: bool, rule: impl FnOnce(&mut Sink<'_>)) {
        let before = self.report.candidates.len();
        let mut sink = Sink {
            info: brief,
            file: self.file.index,
            heading: hunk.heading,
            changed_only,
            found: &mut self.report.candidates,
        };
        if catch_unwind(AssertUnwindSafe(|| rule(&mut sink))).is_err() {
            self.report.candidates.truncate(before);
            self.failed.push(brief.id.to_owned());
            self.warn(WarningCode::RuleFailed, format!("The rule {} failed on this file; the others ran.", brief.id));
        }
    }

    fn text(&mut self, hunk: Hunk<'_>) {
        let context = TextContext { file: self.file, hunk };
        for rule in &self.compiled.text {
            if let Check::Text { run } = rule.check
                && self.wants(&rule.brief(), rule.tests)
            {
                self.run(rule.brief(), hunk, false, |sink| run(&context, sink));
            }
        }
    }

    fn parse(&mut self, hunk: Hunk<'_>, grammar: Grammar, side: Side, other: Option<&Fragment>) -> Option<Fragment> {
        let text = SideText::new(hunk, side, self.limits);
        if text.cut {
            self.warn(WarningCode::LineTruncated, "A line was cut for analysis: it is too long.");
        }
        if !text.has_changes() && other.is_none() {
            return None;
        }
        let whole = matches!(self.file.status, Status::Added | Status::Removed);
        match Fragment::parse(
            grammar,
            text,
            hunk.heading,
            whole,
            other.map(|other| (&other.context, other.score)),
            self.limits,
        ) {
            Ok(fragment) => Some(fragment),
            Err(Trouble::TooLarge) => {
                self.warn(
                    WarningCode::FilePartlyAnalyzed,
                    "A part of the file is too large to parse: only the rules for plain text looked at it.",
                );
                None
            }
            Err(Trouble::Parser) => {
                self.warn(
                    WarningCode::FileSkippedParserFailed,
                    "The file could not be parsed safely: only the rules for plain text looked at it.",
                );
                None
            }
        }
    }

    fn tree<'t>(&mut self, fragment: &'t Fragment) -> Tree<'t> {
        let tree = Tree::new(fragment, self.limits);
        if tree.partial {
            self.warn(
                WarningCode::FilePartlyAnalyzed,
                "A part of the file is nested too deeply or is too large to look at.",
            );
        }
        tree
    }

    fn syntax(&mut self, hunk: Hunk<'_>, grammar: Grammar, added: &Added) {
        let has = |kind| hunk.lines.iter().any(|line| line.kind == kind);
        let removes = has(review::LineKind::Removed) && !self.compiled.change.is_empty();
        let adds = has(review::LineKind::Added);
        if !(adds || removes) {
            return;
        }
        let new_text_is_empty = self.file.status == Status::Removed;
        if new_text_is_empty {
            return;
        }
        let new = match self.parse(hunk, grammar, Side::New, None) {
            Some(new) => Some(new),
            None if removes && !adds => self.parse_unchanged(hunk, grammar),
            None => None,
        };
        let Some(new) = new else { return };
        let new_tree = self.tree(&new);
        self.collector.see(&new_tree);
        if adds {
            self.nodes(hunk, &new, &new_tree);
        }
        if !removes {
            return;
        }
        let Some(old) = self.parse(hunk, grammar, Side::Old, Some(&new)) else { return };
        let old_tree = self.tree(&old);
        self.change(hunk, &old_tree, &new_tree, added);
    }

    /// The new side of a hunk that only removes: nothing in it is new, but change rules look at what is left.
    fn parse_unchanged(&mut self, hunk: Hunk<'_>, grammar: Grammar) -> Option<Fragment> {
        let text = SideText::new(hunk, Side::New, self.limits);
        Fragment::parse(grammar, text, hunk.heading, false, None, self.limits).ok()
    }

    fn nodes(&mut self, hunk: Hunk<'_>, fragment: &Fragment, tree: &Tree<'_>) {
        let context = NodeContext { file: self.file, hunk };
        let compiled = self.compiled;
        let possible = compiled.possible(fragment.grammar, fragment.source());
        for node in tree.changed_nodes() {
            let (rules, looks) = (compiled.looking_at(node.kind_id()), possible.looking_at(node.kind_id()));
            if (rules.is_empty() && looks.is_empty()) || !node.is_usable() {
                continue;
            }
            for rule in rules {
                self.node(rule, node, &context);
            }
            for look in looks.iter().filter(|look| !tree.too_deep && possible.allows(look, node)) {
                self.look(*look, node, &context, fragment);
            }
        }
    }

    fn node(&mut self, rule: &'static Rule, node: Node<'_>, context: &NodeContext<'_>) {
        if let Check::Node { run, .. } = rule.check
            && self.wants(&rule.brief(), rule.tests)
        {
            self.run(rule.brief(), context.hunk, true, |sink| run(node, context, sink));
        }
    }

    fn look(&mut self, look: Look<'_>, node: Node<'_>, context: &NodeContext<'_>, fragment: &Fragment) {
        let brief = look.document.brief();
        if self.wants(&brief, look.document.tests) {
            self.run(brief, context.hunk, true, |sink| {
                if let Some((place, summary)) = look.document.look(look.pattern, &fragment.root, node) {
                    sink.report(place, summary);
                }
            });
        }
    }

    fn change(&mut self, hunk: Hunk<'_>, old: &Tree<'_>, new: &Tree<'_>, added: &Added) {
        let change = Change::new(hunk, old, new, added);
        let context = ChangeContext { file: self.file, old, new, hunk, change: &change };
        self.collector.see_change(&context);
        for rule in &self.compiled.change {
            if let Check::Change { run } = rule.check
                && self.wants(&rule.brief(), rule.tests)
            {
                self.run(rule.brief(), hunk, false, |sink| run(&context, sink));
            }
        }
    }

    fn finish(mut self, file: &ChunkFile<'_>, grammar: Option<Grammar>) -> Report {
        let found = &mut self.report.candidates;
        found.retain(|candidate| !self.failed.iter().any(|id| Some(id.as_str()) == candidate.rule_id.as_deref()));
        found.sort_by(|a, b| (a.line, a.side, &a.rule_id, &a.summary).cmp(&(b.line, b.side, &b.rule_id, &b.summary)));
        found.dedup_by(|a, b| (a.line, a.side, &a.rule_id) == (b.line, b.side, &b.rule_id));
        let suppressed = suppress::apply(file, grammar, found);
        self.report.warnings.extend(suppressed);
        self.report.facts = std::mem::take(&mut self.collector).finish(file, grammar, &self.report.candidates);
        self.report
    }
}
