//! The last look: all files of the diff together, from their facts alone.

use std::collections::{BTreeMap, HashMap};

use review::facts::{CallSite, Definition, Facts, hash};
use review::{Candidate, Conclusion, Side, Warning, WarningCode};

use super::moved::drop_moved;
use crate::rule::{Brief, Check, Draft};
use crate::rule_set::RuleSet;

/// What a rule gets that looks at the whole diff.
pub struct DiffContext<'a> {
    facts: &'a [Facts],
    /// By hash of the name: part of the diff and index of the definition in it.
    definitions: HashMap<u64, Vec<(&'a Facts, &'a Definition)>>,
}

/// Where a rule reports to that looks at the whole diff.
pub struct DiffSink<'a> {
    info: Brief<'a>,
    found: Vec<Candidate>,
}

/// Puts the facts of all files together: drops what another file's facts refute, and adds what only all of them show. The
/// same facts give the same conclusion, in whatever order they come.
#[must_use]
pub fn conclude(mut facts: Vec<Facts>, mut candidates: Vec<Candidate>) -> Conclusion {
    facts.sort_by_cached_key(|own| (own.file, first_line(own)));
    drop_moved(&facts, &mut candidates);
    let context = DiffContext::new(&facts);
    let mut warnings = Vec::new();
    let mut found = Vec::new();
    for rule in RuleSet::of_diffs() {
        if let Check::Diff { run } = rule.check {
            let mut sink = DiffSink { info: rule.brief(), found: Vec::new() };
            run(&context, &mut sink);
            found.append(&mut sink.found);
        }
    }
    found.retain(|candidate| is_wanted(&facts, candidate));
    suppress(&facts, &mut found, &mut warnings);
    if context.changed().next().is_some() {
        let cut = facts.iter().filter(|own| own.cut);
        warnings.extend(cut.map(|own| {
            let message = "This file has so many calls that not all were held against the changed functions.";
            Warning::file(WarningCode::FilePartlyAnalyzed, &own.path, message)
        }));
    }
    found.sort_by(|a, b| {
        (a.file, a.line, a.side, &a.rule_id, &a.summary).cmp(&(b.file, b.line, b.side, &b.rule_id, &b.summary))
    });
    found.dedup_by(|a, b| (a.file, a.line, a.side, &a.rule_id) == (b.file, b.line, b.side, &b.rule_id));
    candidates.append(&mut found);
    Conclusion { candidates, warnings }
}

fn first_line(facts: &Facts) -> (u32, u32) {
    let first = |lines: Option<u32>| lines.unwrap_or(u32::MAX);
    (first(facts.calls.iter().map(|call| call.line).min()), first(facts.definitions.iter().map(|own| own.line).min()))
}

/// Whether the rule is on for the file that it speaks of.
fn is_wanted(facts: &[Facts], candidate: &Candidate) -> bool {
    let own = facts.iter().filter(|own| own.file == candidate.file);
    own.flat_map(|own| &own.rules).any(|rule| Some(rule.id.as_str()) == candidate.rule_id.as_deref())
}

/// Takes out what a comment in the code switches off.
fn suppress(facts: &[Facts], found: &mut Vec<Candidate>, warnings: &mut Vec<Warning>) {
    let mut count = BTreeMap::<String, usize>::new();
    found.retain(|candidate| {
        let own = facts.iter().filter(|own| own.file == candidate.file);
        let off = own.clone().flat_map(|own| &own.ignored).any(|(line, rule)| {
            (*line == candidate.line || line + 1 == candidate.line)
                && Some(rule.as_str()) == candidate.rule_id.as_deref()
        });
        if let Some(own) = own.clone().next().filter(|_| off) {
            *count.entry(own.path.clone()).or_default() += 1;
        }
        !off
    });
    warnings.extend(count.into_iter().map(|(path, count)| {
        let plural = if count == 1 { "finding was" } else { "findings were" };
        let message = format!("{count} {plural} across files switched off by comments in the code.");
        Warning::file(WarningCode::FindingsSuppressed, &path, message)
    }));
}

impl<'a> DiffContext<'a> {
    fn new(facts: &'a [Facts]) -> Self {
        let mut definitions: HashMap<u64, Vec<(&Facts, &Definition)>> = HashMap::new();
        for own in facts {
            for definition in &own.definitions {
                definitions.entry(hash(&definition.name)).or_default().push((own, definition));
            }
        }
        Self { facts, definitions }
    }

    /// What is known of each part of each file, in the order of the diff.
    #[must_use]
    pub fn files(&self) -> &'a [Facts] {
        self.facts
    }

    /// The functions that a call can mean by its name, in the languages that it can call.
    pub fn meant_by(&self, file: &Facts, call: &CallSite) -> impl Iterator<Item = (&'a Facts, &'a Definition)> {
        let family = file.family.clone();
        let known = self.definitions.get(&call.name);
        known.into_iter().flatten().copied().filter(move |(own, _)| own.family == family)
    }

    /// The functions whose head changed or that are gone.
    pub fn changed(&self) -> impl Iterator<Item = (&'a Facts, &'a Definition)> {
        let all = self.facts.iter().flat_map(|own| own.definitions.iter().map(move |definition| (own, definition)));
        all.filter(|(_, definition)| definition.before.is_some() && definition.before != definition.after)
    }

    /// The calls of a function by its name that reach it as far as can be told, in all files.
    pub fn calls_of(
        &self,
        home: &'a Facts,
        definition: &'a Definition,
    ) -> impl Iterator<Item = (&'a Facts, &'a CallSite)> {
        let name = hash(&definition.name);
        let related = self.facts.iter().filter(|own| own.family == home.family);
        let calls = related.flat_map(|own| own.calls.iter().map(move |call| (own, call)));
        calls.filter(move |(own, call)| call.name == name && reaches(own, call, home, definition))
    }
}

/// Whether a call means this function rather than another of the same name.
fn reaches(file: &Facts, call: &CallSite, home: &Facts, definition: &Definition) -> bool {
    use review::facts::Reach::{Bare, Other, Own};
    let same_file = file.file == home.file;
    let bare_members = ["Java", "C#", "Kotlin", "C", "Ruby"].contains(&home.family.as_str());
    match call.reach {
        Bare => !definition.is_member || (same_file && bare_members),
        Own => definition.is_member && same_file,
        Other => !definition.is_member && module_names(&home.path).contains(&call.through),
    }
}

/// What a file is imported as: its name without the ending, and the name of its folder.
fn module_names(path: &str) -> Vec<u64> {
    let mut parts = path.rsplit('/');
    let file = parts.next().unwrap_or_default();
    let stem = file.split('.').next().unwrap_or(file);
    [Some(stem), parts.next()].into_iter().flatten().map(hash).collect()
}

impl DiffSink<'_> {
    /// Reports a defect at a line of the new side of a file.
    pub fn report(&mut self, file: &Facts, line: u32, summary: impl Into<String>) -> Draft<'_> {
        let candidate = self.info.candidate(file.file, Side::New, line, &summary.into());
        Draft::new(&mut self.found, candidate)
    }
}
