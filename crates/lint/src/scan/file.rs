//! Scans one file of a chunk with all rules.
//!
//! Each side of a hunk is parsed once, and one walk over the tree passes each node to the rules for its kind. Rules are
//! independent of each other, and their order does not matter: the findings are sorted at the end.

mod confirm;
mod reformatted;
mod reread;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use impact::BothSides;
use review::classify::{is_hook_sample, is_script};
use review::{Candidate, Category, Chunk, Priority, Side, Status, Warning, WarningCode};
use serde::{Deserialize, Serialize};
use syntax::language::Grammar;
use syntax::parse::{
    Extent, FileContext, Fragment, Hunk, Limits, OtherSide, ParseError, Repaired, SideText, hunks,
};
use syntax::semantics::symbols::written_out::{WrittenOut, written_out};
use syntax::tree::{Meter, Node, Tree};

use self::reformatted::Reformatted;
use super::allowance::{Allowance, Cost, RuleAllowance};
use super::columns::count_characters;
use super::ineffective::ineffective;
use super::one_cause::keep_one;
use super::syntax_errors::{SyntaxErrors, extent, is_closed, may_be_wrong, readable_old_side};
use super::unused::{Looked, unused};
use super::witness::witness;
use crate::change::{Added, Change};
use crate::facts::{Collector, Facts, suppress};
use crate::registry::RuleSet;
use crate::registry::{Compiled, Matcher};
use crate::rule::yaml;
use crate::rule::{
    ChangeContext, Check, NodeContext, RatedRule, RuleMeta, Sink, Tests, TextContext,
};

/// The result of scanning a file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The findings, sorted by line.
    pub candidates: Vec<Candidate>,
    /// Warnings about parts that were not analysed.
    pub warnings: Vec<Warning>,
    /// The file's facts, for [`crate::conclude`].
    pub facts: Facts,
}

/// Scans a file of a chunk with all rules. The result is deterministic.
#[must_use]
pub fn scan(file: &Chunk<'_>, rules: &RuleSet, limits: &Limits) -> Report {
    scan_with(file, rules, limits, None)
}

/// Like [`scan`], with a single rule.
pub(crate) fn scan_with(
    file: &Chunk<'_>,
    rules: &RuleSet,
    limits: &Limits,
    only: Option<&str>,
) -> Report {
    scan_all(file, rules, limits, only).0
}

/// Like [`scan`], with its cost.
#[must_use]
pub fn measure(file: &Chunk<'_>, rules: &RuleSet, limits: &Limits) -> (Report, Cost) {
    scan_all(file, rules, limits, None)
}

fn scan_all(
    file: &Chunk<'_>,
    rules: &RuleSet,
    limits: &Limits,
    only: Option<&str>,
) -> (Report, Cost) {
    let language = file
        .language
        .map(review::Language::name)
        .unwrap_or_default();
    let grammar = Grammar::find(language);
    let context = FileContext {
        path: &file.path,
        language,
        grammar,
        is_test: file.is_test,
        is_script: is_script(&file.path),
        version: file.version,
        status: file.status,
        hidden: file.hidden.as_ref(),
        index: file.index,
    };
    let compiled = rules.compiled(grammar);
    // The effect of a comment is known once the rule that it names has run.
    let last = only.filter(|only| compiled.suppression.iter().any(|rule| rule.id == *only));
    let mut scan = Scan {
        file: context,
        rules,
        compiled,
        only: only.filter(|_| last.is_none()),
        again: None,
        extent: Extent::Part,
        limits,
        report: Report::default(),
        collector: Collector::default(),
        failed: Vec::new(),
        meter: Rc::default(),
        allowance: Allowance::of(file),
        has_comments: suppress::may_be_in(file),
        seen: BTreeMap::new(),
    };
    scan.collector = scan.collector_for(file, grammar);
    if grammar.is_none() && !language.is_empty() && file.status != Status::Removed {
        let message =
            format!("There is no grammar for {language}: only the plain-text rules were applied.");
        // A new program that is not read may hide anything; a change of an old one is only a gap.
        let is_program = review::Language::find(language).is_some_and(review::Language::is_program);
        let is_new = file.status == Status::Added
            && !KNOWN_GAPS.contains(&language)
            && !is_hook_sample(&file.path);
        let code = if is_program && (is_new || language == NOTEBOOK) {
            WarningCode::FilePartlyAnalyzed
        } else {
            WarningCode::LanguageNotSupported
        };
        scan.warn(code, message);
    }
    let added = Added::new(file);
    for hunk in hunks(file) {
        let known = scan.report.candidates.len();
        scan.text(hunk);
        let claimed = known..scan.report.candidates.len();
        let mut parsed = None;
        if let Some(grammar) = grammar {
            scan.extent = extent(file, hunk);
            parsed = scan.syntax(hunk, grammar, &added);
        }
        scan.check_claims(claimed, parsed);
    }
    let (mut report, cost) = scan.finish(file, grammar);
    report
        .candidates
        .retain(|found| last.is_none() || found.rule_id() == last);
    lower_on_long_lines(file, &mut report.candidates);
    if file.by_tool {
        report
            .candidates
            .retain(|found| found.priority <= Priority::P1);
    }
    (report, cost)
}

/// Lines of source code are rarely longer. Those of a bundle among them are not written by the authors of the change.
const LONG_LINE: usize = 5_000;

/// A mistake in the code of a bundle does not stop a merge. An attack may hide there as well as anywhere.
fn lower_on_long_lines(file: &Chunk<'_>, candidates: &mut [Candidate]) {
    let is_mistake = |found: &&mut Candidate| {
        found.priority <= Priority::P1
            && !matches!(
                found.category,
                Category::Security | Category::SecretExposure
            )
    };
    let lines = file.hunks.iter().flat_map(|hunk| hunk.lines.iter());
    let long: HashSet<(Side, Option<u32>)> = lines
        .filter(|line| line.text.len() > LONG_LINE)
        .map(|line| (line.side(), line.number()))
        .collect();
    for found in candidates.iter_mut().filter(is_mistake) {
        if long.contains(&(found.side, Some(found.line))) {
            found.priority = Priority::P2;
        }
    }
}

/// Languages without a grammar in which projects write many files.
const KNOWN_GAPS: &[&str] = &[
    "Astro", "CMake", "Makefile", "Meson", "Nix", "Starlark", "Svelte", "Vue",
];
/// Notebooks contain code that their format does not show.
const NOTEBOOK: &str = "Jupyter Notebook";

/// Work that does not belong to a rule, by the names under which it is counted and reported.
const PAIRING: &str = "the comparison of old and new code";
const FACTS: &str = "the collection of facts for other files";

struct Scan<'a> {
    file: FileContext<'a>,
    rules: &'a RuleSet,
    compiled: &'a Compiled,
    only: Option<&'a str>,
    /// How much of the file the hunk shows.
    extent: Extent,
    /// In another context of a hunk: the rules that found something in the first context.
    again: Option<HashSet<String>>,
    limits: &'a Limits,
    report: Report,
    collector: Collector,
    /// Rules that panicked on this file.
    failed: Vec<String>,
    meter: Rc<Meter>,
    allowance: Allowance,
    /// Comments may suppress findings.
    has_comments: bool,
    /// In that case: the lines of the new side with nodes that were offered to rules, and whether all of their nodes
    /// were.
    seen: BTreeMap<u32, bool>,
}

impl<'a> Scan<'a> {
    /// Whether the hunk is parsed as a whole file.
    fn is_whole(&self) -> bool {
        self.extent != Extent::Part
    }

    fn warn(&mut self, code: WarningCode, message: impl Into<String>) {
        let warning = Warning::file(code, self.file.path, message);
        if !self.report.warnings.contains(&warning) {
            self.report.warnings.push(warning);
        }
    }

    /// A collector of the facts that the enabled cross-file rules need.
    fn collector_for(&self, file: &Chunk<'_>, grammar: Option<Grammar>) -> Collector {
        let rules = self
            .compiled
            .diff
            .iter()
            .filter(|rule| self.wants(&rule.meta(), rule.tests));
        let compares = self
            .compiled
            .change
            .iter()
            .any(|rule| self.wants(&rule.meta(), rule.tests));
        let about_others = self
            .compiled
            .repository
            .iter()
            .filter(|rule| self.wants(&rule.meta(), rule.tests))
            .filter_map(|rule| match rule.check {
                Check::Repository { about, .. } => Some((rule.id.to_owned(), about)),
                _ => None,
            });
        Collector::new(
            file,
            grammar,
            rules.map(|rule| rule.id.to_owned()),
            compares,
        )
        .with_links(about_others)
    }

    fn wants(&self, meta: &RuleMeta<'_>, tests: Tests) -> bool {
        self.only.is_none_or(|only| only == meta.id)
            && self
                .again
                .as_ref()
                .is_none_or(|again| again.contains(meta.id))
            && !(tests == Tests::Skip && self.file.is_test)
            && !self.failed.iter().any(|id| id == meta.id)
    }

    /// Runs one rule within its allowance; a rule that panics is skipped for this file. Findings of a rule that ran out of steps
    /// are discarded.
    fn run(
        &mut self,
        meta: RuleMeta<'_>,
        hunk: Hunk<'_>,
        changed_only: bool,
        share: &mut RuleAllowance,
        rule: impl FnOnce(&mut Sink<'_>),
    ) {
        let before = self.report.candidates.len();
        let mut sink = Sink {
            info: meta,
            file: self.file.index,
            heading: hunk.heading,
            changed_only,
            found: &mut self.report.candidates,
        };
        let mut failed = false;
        let work = || failed = catch_unwind(AssertUnwindSafe(|| rule(&mut sink))).is_err();
        let finished = self.allowance.spend(meta.id, share, &self.meter, work);
        if failed || !finished {
            self.report.candidates.truncate(before);
        }
        if failed {
            self.failed.push(meta.id.to_owned());
            self.warn(
                WarningCode::RuleFailed,
                format!("The rule {} failed on this file; the others ran.", meta.id),
            );
        }
    }

    fn text(&mut self, hunk: Hunk<'_>) {
        let context = TextContext {
            file: self.file,
            hunk,
        };
        let whole = RuleAllowance::of(size_of(hunk));
        for rule in &self.compiled.text {
            if let Check::Text { run } | Check::Unparsable { run } = rule.check
                && self.wants(&rule.meta(), rule.tests)
            {
                let mut share = whole.clone();
                self.run(rule.meta(), hunk, false, &mut share, |sink| {
                    run(&context, sink)
                });
            }
        }
    }

    fn parse(
        &mut self,
        hunk: Hunk<'_>,
        grammar: Grammar,
        side: Side,
        other: Option<OtherSide<'_>>,
    ) -> Option<(Fragment, tree_sitter::Tree)> {
        let text = SideText::new(hunk, side, self.limits);
        if text.cut {
            let bytes = self.limits.line_bytes;
            self.warn(
                WarningCode::LineTruncated,
                format!("Only the first {bytes} bytes of a long line were parsed."),
            );
        }
        if !text.has_changes() && other.is_none() {
            return None;
        }
        match Fragment::parse(grammar, text, hunk.heading, self.extent, other, self.limits) {
            Ok(parsed) => Some(parsed),
            Err(ParseError::TooLarge) => {
                self.warn(
                    WarningCode::FilePartlyAnalyzed,
                    "A part of the file is too large to parse: only the plain-text rules were applied.",
                );
                None
            }
            Err(ParseError::Parser) => {
                self.warn(
                    WarningCode::FileSkippedParserFailed,
                    "The file could not be parsed safely: only the plain-text rules were applied.",
                );
                None
            }
        }
    }

    fn tree<'t>(&mut self, fragment: &'t Fragment, parsed: tree_sitter::Tree) -> Tree<'t> {
        let tree = Tree::new(fragment, parsed, self.limits).metered_by(&self.meter);
        if tree.partial {
            self.warn(
                WarningCode::FilePartlyAnalyzed,
                "A part of the file is nested too deeply or is too large to analyse.",
            );
        }
        tree
    }

    /// Reports the added lines that could not be parsed: always a warning, and a finding if they are certainly wrong.
    /// Returns the fragment without what its grammar does not know, if that is little.
    fn syntax_errors(
        &mut self,
        hunk: Hunk<'_>,
        (new, parsed): (&Fragment, &tree_sitter::Tree),
        tree: &Tree<'_>,
        was_readable: bool,
    ) -> Option<Repaired> {
        let is_broken = was_readable && (self.is_whole() || is_closed(hunk));
        let errors = SyntaxErrors::of(hunk, new, tree, is_broken);
        let mut repaired = None;
        if let Some(errors) = &errors {
            // An error that remains elsewhere is not one of the change.
            repaired = new.repaired(parsed, self.limits).filter(|repaired| {
                let tree = Tree::new(&repaired.fragment, repaired.parsed.clone(), self.limits);
                SyntaxErrors::of(hunk, &repaired.fragment, &tree, is_broken).is_none()
            });
            match &repaired {
                Some(_) => self.warn(WarningCode::StatementPartlyRead, errors.partly_read()),
                None => self.warn(WarningCode::FilePartlyAnalyzed, errors.message()),
            }
        }
        let language = self.file.language;
        let may_be_wrong = is_broken
            && new.score > 0
            && !repaired.as_ref().is_some_and(|repaired| repaired.is_known)
            && !errors.as_ref().is_some_and(SyntaxErrors::is_template)
            && may_be_wrong(language, self.file.path, &new.source, self.is_whole());
        let place = if !may_be_wrong {
            None
        } else if language == "JSON" && !self.is_whole() {
            errors.map(|errors| errors.place)
        } else {
            let rows = errors.as_ref().map(SyntaxErrors::rows).unwrap_or_default();
            self.claimed(hunk)
                .or_else(|| {
                    witness(hunk, language, &rows).filter(|_| self.is_whole() || language == "YAML")
                })
                .map(|seen| errors.map_or(seen, |errors| errors.place))
        };
        let Some((side, line)) = place else {
            return repaired;
        };
        for rule in &self.compiled.syntax {
            if let Check::Syntax { summary } = rule.check
                && self.wants(&rule.meta(), rule.tests)
            {
                let found = rule
                    .meta()
                    .candidate(self.file.index, side, line, &summary(language));
                self.report.candidates.push(found);
            }
        }
        repaired
    }

    /// The place at which a text rule found that the code of a hunk cannot be parsed.
    fn claimed(&self, hunk: Hunk<'_>) -> Option<(Side, u32)> {
        let found = self
            .report
            .candidates
            .iter()
            .rfind(|found| self.is_claim(found))?;
        let is_in_hunk = hunk.lines.iter().any(|line| {
            let number = match found.side {
                Side::Old => line.old,
                Side::New => line.new,
            };
            number == Some(found.line)
        });
        is_in_hunk.then_some((found.side, found.line))
    }

    fn is_claim(&self, found: &Candidate) -> bool {
        let text = &self.compiled.text;
        text.iter().any(|rule| {
            matches!(rule.check, Check::Unparsable { .. }) && Some(rule.id) == found.rule_id()
        })
    }

    /// Compares the text rules' findings that code cannot be parsed with the parser's result: the score of its errors.
    fn check_claims(&mut self, claimed: Range<usize>, parsed: Option<usize>) {
        let later = self.report.candidates.split_off(claimed.end);
        let own = self.report.candidates.split_off(claimed.start);
        let is_agreed = parsed.is_some_and(|score| score > 0);
        let is_refuted = parsed == Some(0) && self.is_whole();
        for mut found in own {
            let is_claim = self.is_claim(&found);
            if is_claim && !is_agreed {
                found.priority = found.priority.max(Priority::P2);
            }
            if !(is_claim && is_refuted) {
                self.report.candidates.push(found);
            }
        }
        self.report.candidates.extend(later);
    }

    /// Applies the rules that need a tree. Returns the score of the parser's errors on the new side, if they concern the change
    /// and are not of syntax that the grammar is known to lack.
    fn syntax(&mut self, hunk: Hunk<'_>, grammar: Grammar, added: &Added) -> Option<usize> {
        let has = |kind| hunk.lines.iter().any(|line| line.kind == kind);
        let removes = has(review::LineKind::Removed) && !self.compiled.change.is_empty();
        let adds = has(review::LineKind::Added);
        if !(adds || removes) {
            return None;
        }
        if self.file.status == Status::Removed {
            self.removed_file(hunk, grammar);
            return None;
        }
        let new = match self.parse(hunk, grammar, Side::New, None) {
            Some(new) => Some(new),
            None if removes && !adds => self.parse_unchanged(hunk, grammar),
            None => None,
        };
        let (mut new, mut parsed) = new?;
        // Whether the old side can be parsed matters only to judge an error.
        let old = if new.score > 0 {
            readable_old_side(grammar, hunk, &new, self.extent, self.limits)
        } else {
            None
        };
        // A whole file is parsed without a context, so no other context is tried.
        if let Some(Some(old)) = old.as_ref().filter(|_| !self.is_whole())
            && let Some((better, tree)) = self.parse(
                hunk,
                grammar,
                Side::New,
                Some(OtherSide {
                    fragment: old,
                    tree: None,
                }),
            )
            && better.score < new.score
        {
            (new, parsed) = (better, tree);
        }
        let new_tree = self.tree(&new, parsed.clone());
        let was_readable = old
            .as_ref()
            .is_some_and(|old| self.is_whole() || old.is_some());
        let repaired = self.syntax_errors(hunk, (&new, &parsed), &new_tree, was_readable);
        self.allowance.note(FACTS, &self.meter, || {
            self.collector.record_new_side(&new_tree, &self.file)
        });
        let known = self.report.candidates.len();
        if adds {
            self.nodes(hunk, &new, &new_tree);
            self.names_written_out(hunk, &new, &new_tree);
            if has(review::LineKind::Removed) && self.report.candidates.len() > known {
                let formatted = Reformatted::of(hunk, self.file.language);
                let mut found = self.report.candidates.split_off(known);
                found.retain(|found| !formatted.has(found));
                self.report.candidates.append(&mut found);
            }
        }
        let may_break = self.is_whole() && self.collector.wants_breaks();
        let old = if removes || may_break {
            let other = OtherSide {
                fragment: &new,
                tree: Some(&parsed),
            };
            self.parse(hunk, grammar, Side::Old, Some(other))
        } else {
            None
        };
        let old = old.map(|(old, parsed)| {
            let tree = self.tree(&old, parsed);
            self.breaks(hunk, &tree, &new_tree);
            if removes {
                self.change(hunk, &tree, &new_tree, added);
            }
            if let Some(repaired) = &repaired {
                self.reread(hunk, repaired, Some(&tree).filter(|_| removes), added);
            }
            drop(tree);
            old
        });
        // Where the text could be read otherwise, an error elsewhere says nothing about the change.
        let score = match &repaired {
            Some(repaired) if repaired.is_known => Some(0),
            Some(repaired) if repaired.fragment.score > 0 => None,
            _ => Some(new.score),
        };
        if let Some(repaired) = repaired.filter(|_| old.is_none()) {
            self.reread(hunk, &repaired, None, added);
        }
        let old = old.as_ref().filter(|_| removes);
        self.confirm(hunk, known, (&new, old), added);
        score
    }

    /// Records what the removal of a file breaks.
    fn removed_file(&mut self, hunk: Hunk<'_>, grammar: Grammar) {
        if !self.is_whole() || !self.collector.wants_breaks() {
            return;
        }
        let Some((old, parsed)) = self.parse(hunk, grammar, Side::Old, None) else {
            return;
        };
        if let Some((empty, nothing)) = self.parse(
            hunk,
            grammar,
            Side::New,
            Some(OtherSide {
                fragment: &old,
                tree: None,
            }),
        ) {
            let (old_tree, new_tree) = (self.tree(&old, parsed), self.tree(&empty, nothing));
            self.breaks(hunk, &old_tree, &new_tree);
        }
    }

    /// Records what the change breaks in other files.
    fn breaks(&mut self, hunk: Hunk<'_>, old: &Tree<'_>, new: &Tree<'_>) {
        if self.again.is_none() && self.collector.wants_breaks() {
            let sides = BothSides {
                file: self.file,
                old,
                new,
                lines: hunk.lines,
            };
            self.allowance
                .note(FACTS, &self.meter, || self.collector.record_breaks(&sides));
        }
    }

    /// Whether a change rule found it.
    fn compares(&self, found: &Candidate) -> bool {
        self.compiled
            .change
            .iter()
            .any(|rule| Some(rule.id) == found.rule_id())
    }

    /// The new side of a hunk that only removes lines. None of it is new, but change rules examine the rest.
    fn parse_unchanged(
        &mut self,
        hunk: Hunk<'_>,
        grammar: Grammar,
    ) -> Option<(Fragment, tree_sitter::Tree)> {
        let text = SideText::new(hunk, Side::New, self.limits);
        Fragment::parse(grammar, text, hunk.heading, self.extent, None, self.limits).ok()
    }

    fn nodes(&mut self, hunk: Hunk<'_>, fragment: &Fragment, tree: &Tree<'_>) {
        let context = NodeContext {
            file: self.file,
            hunk,
        };
        let compiled = self.compiled;
        let possible = compiled.possible(fragment.grammar, &fragment.source);
        let mut shares = vec![RuleAllowance::of(size_of(hunk)); compiled.looking()];
        let code = yaml::root(tree);
        for node in tree.changed_nodes() {
            if self.has_comments && self.again.is_none() {
                self.note_line(node);
            }
            let (rules, looks) = (
                compiled.looking_at(node.kind_id()),
                possible.looking_at(node.kind_id()),
            );
            if (rules.is_empty() && looks.is_empty()) || !node.is_usable() {
                continue;
            }
            for (number, rule) in rules {
                let Some(share) = shares.get_mut(*number) else {
                    continue;
                };
                self.node(*rule, node, &context, share);
            }
            for look in looks
                .iter()
                .filter(|look| !tree.too_deep && possible.allows(look, node))
            {
                let Some(share) = shares.get_mut(compiled.number(look)) else {
                    continue;
                };
                self.look(*look, node, &context, &code, share);
            }
        }
    }

    /// Reads a whole file again with its imported names written out, for rules that name functions by their paths.
    fn names_written_out(&mut self, hunk: Hunk<'_>, fragment: &Fragment, tree: &Tree<'_>) {
        let Some(WrittenOut { text, lines }) = written_out(tree) else {
            return;
        };
        let Some((fragment, parsed)) = fragment.with_text(&text, self.limits) else {
            return;
        };
        let key = |of: &Candidate| (of.line, of.rule_id().map(str::to_owned));
        let known: HashSet<_> = self.report.candidates.iter().map(key).collect();
        let count = self.report.candidates.len();
        let tree = self.tree(&fragment, parsed);
        self.nodes(hunk, &fragment, &tree);
        let found = self.report.candidates.split_off(count);
        let new = found
            .into_iter()
            .filter(|found| lines.contains(&found.line) && !known.contains(&key(found)));
        // Columns are those of the other text.
        self.report.candidates.extend(new.map(|found| Candidate {
            span: None,
            replacement: None,
            ..found
        }));
    }

    /// Records which lines rules can report when they look at a node, and nodes that they do not look at.
    fn note_line(&mut self, node: Node<'_>) {
        if node.is_usable() {
            if let Some(line) = node.report_line() {
                self.seen.entry(line.number).or_insert(true);
            }
        } else if let Some(line) = node.line().filter(|_| node.is_within_hunk()) {
            self.seen.insert(line, false);
        }
    }

    fn node(
        &mut self,
        rule: RatedRule,
        node: Node<'_>,
        context: &NodeContext<'_>,
        share: &mut RuleAllowance,
    ) {
        if let Check::Node { run, .. } = rule.check
            && self.wants(&rule.meta(), rule.tests)
        {
            self.run(rule.meta(), context.hunk, true, share, |sink| {
                run(node, context, sink)
            });
        }
    }

    fn look(
        &mut self,
        look: Matcher<'_>,
        node: Node<'_>,
        context: &NodeContext<'_>,
        code: &yaml::Root,
        share: &mut RuleAllowance,
    ) {
        // A test excludes that a built-in rule cannot be compiled. A custom rule was rejected before.
        let Ok((document, pattern)) = look.rule.compiled(*code.lang()) else {
            return;
        };
        let meta = document.meta();
        if self.wants(&meta, document.tests) && document.versions.include(self.file.version) {
            self.run(meta, context.hunk, true, share, |sink| {
                if let Some(yaml::Match {
                    place,
                    summary,
                    replacement,
                }) = document.look(pattern, code, node)
                {
                    let finding = sink.report(place, summary);
                    if let Some(text) = replacement {
                        finding.replace(place, text);
                    }
                }
            });
        }
    }

    fn change(&mut self, hunk: Hunk<'_>, old: &Tree<'_>, new: &Tree<'_>, added: &Added) {
        let whole = RuleAllowance::of(size_of(hunk));
        let mut change = None;
        let pair = || change = Some(Change::new(hunk, old, new, added));
        let paired = self
            .allowance
            .spend(PAIRING, &mut whole.clone(), &self.meter, pair);
        let Some(change) = change.filter(|_| paired) else {
            return;
        };
        let context = ChangeContext {
            file: self.file,
            old,
            new,
            hunk,
            change: &change,
        };
        if self.again.is_none() {
            self.allowance.note(FACTS, &self.meter, || {
                self.collector.record_change(&context)
            });
        }
        for rule in &self.compiled.change {
            if let Check::Change { run } = rule.check
                && self.wants(&rule.meta(), rule.tests)
            {
                let mut share = whole.clone();
                self.run(rule.meta(), hunk, false, &mut share, |sink| {
                    run(&context, sink)
                });
            }
        }
    }

    fn finish(mut self, file: &Chunk<'_>, grammar: Option<Grammar>) -> (Report, Cost) {
        if let Some(message) = self.allowance.message() {
            self.warn(WarningCode::FilePartlyAnalyzed, message);
        }
        let found = &mut self.report.candidates;
        found.retain(|candidate| {
            !self
                .failed
                .iter()
                .any(|id| Some(id.as_str()) == candidate.rule_id())
        });
        found.sort_by(in_order);
        found.dedup_by(|a, b| (a.line, a.side, &a.origin) == (b.line, b.side, &b.origin));
        let change = &self.compiled.change;
        let compares =
            |found: &Candidate| change.iter().any(|rule| Some(rule.id) == found.rule_id());
        let catalog = self.rules.catalog();
        keep_one(found, file, catalog.overlaps, compares);
        let mut suppressions = suppress::apply(file, found, catalog.renamed);
        count_characters(file, found);
        self.report.warnings.extend(suppressions.warning.take());
        let looked = Looked {
            compiled: self.compiled,
            ran: &|meta, tests| self.wants(meta, tests),
            warnings: &self.report.warnings,
            nodes: &self.seen,
        };
        let unused = unused(&looked, file, &suppressions);
        if self.has_comments && self.only.is_none() {
            let ineffective = ineffective(file, grammar, self.rules, &self.report.candidates);
            self.report.warnings.extend(ineffective);
        }
        self.report.candidates.extend(unused);
        self.report.candidates.sort_by(in_order);
        let (found, collector) = (&self.report.candidates, std::mem::take(&mut self.collector));
        self.report.facts =
            collector.finish(file, found, found.iter().filter(|found| compares(found)));
        (self.report, self.allowance.cost(self.meter.steps()))
    }
}

/// By line. Equal findings are adjacent.
fn in_order(a: &Candidate, b: &Candidate) -> Ordering {
    let key = |of: &Candidate| (of.line, of.side);
    let by_content = |a: &Candidate, b: &Candidate| {
        (&a.origin, &a.summary, a.span).cmp(&(&b.origin, &b.summary, b.span))
    };
    key(a).cmp(&key(b)).then_with(|| by_content(a, b))
}

/// Bytes of a hunk.
fn size_of(hunk: Hunk<'_>) -> usize {
    hunk.lines.iter().map(|line| line.text.len() + 1).sum()
}
