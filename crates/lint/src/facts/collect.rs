//! Records the facts of a file while it is scanned.

use std::collections::{BTreeSet, HashMap, HashSet};

use impact::{
    BothSides, Edits, FunctionHeader, Signature, Subject, call_site, hash, heads, is_word_char,
};
use review::{Candidate, Chunk, Line, LineKind, Side};
use syntax::language::{Grammar, Role};
use syntax::parse::{FileContext, shorten};
use syntax::semantics::vocabulary::words_of;
use syntax::tree::Tree;

use super::mention_index::MentionIndex;
use crate::change::ChangeContext;
use crate::change::squeeze;
use crate::facts::suppress;
use crate::facts::{ActiveRule, Definition, Facts, Loss, RemovedBlock};

/// Limits on the facts of one file. Exceeding one causes a warning if it may have mattered.
const DEFINITIONS: usize = 2_000;
const CALLS: usize = 4_000;
const ADDED_LINES: usize = 30_000;
const FINDINGS: usize = 200;
/// Lines of a removed block that must be found again, in sequence, for it to count as moved.
const REMOVED_LINES: usize = 8;
/// Maximum number of recorded names per edit.
const LOST_NAMES: usize = 60;
/// Maximum nesting depth of parameter lists, with functions as default values.
const NESTED: usize = 20;
/// Minimum number of letters and digits that make a removed block distinctive.
const DISTINCTIVE: usize = 14;

/// A function header, independent of its tree, which no longer exists when the facts are combined.
struct Observed {
    name: String,
    line: u32,
    signature: Option<Signature>,
    is_member: bool,
    changed: bool,
    replaced_by: Option<String>,
}

/// Collects the facts of one file.
#[derive(Default)]
pub(crate) struct Collector {
    facts: Facts,
    old: Vec<Observed>,
    new: Vec<Observed>,
    /// A rule needs the facts.
    is_wanted: bool,
    /// A rule about the repository needs the links of the code.
    links_code: bool,
    /// Calls (name and line) that passed another number of arguments before.
    adapted: HashSet<(u64, u32)>,
}

impl Collector {
    /// Determines the facts of a file that the rules for the whole diff need, and those that `compare` old with new.
    pub(crate) fn new(
        file: &Chunk<'_>,
        grammar: Option<Grammar>,
        rules: impl Iterator<Item = String>,
        compare: bool,
    ) -> Self {
        let facts = Facts {
            file: file.index,
            path: file.path.to_string(),
            family: grammar.map(family).unwrap_or_default().to_owned(),
            rules: rules.map(|id| ActiveRule { id }).collect(),
            ..Facts::default()
        };
        let is_wanted = compare || !facts.rules.is_empty();
        Self {
            facts,
            is_wanted,
            ..Self::default()
        }
    }

    /// Records the links with other files of the repository, for these rules, of which some are about code.
    pub(crate) fn with_links(mut self, rules: impl Iterator<Item = (String, Subject)>) -> Self {
        for (id, about) in rules {
            self.links_code |= about == Subject::Code;
            self.facts.repository_rules.push(ActiveRule { id });
        }
        self
    }

    /// Records the new side of a hunk.
    pub(crate) fn record_new_side(&mut self, tree: &Tree<'_>, file: &FileContext<'_>) {
        if self.links_code {
            self.facts.links.add_new_side(tree, file);
        }
        if !self.is_wanted {
            return;
        }
        for head in heads(tree) {
            let changed = head.is_changed();
            record_header(&mut self.new, &mut self.facts.cut, head, changed, None);
        }
        for node in tree.nodes().filter(|node| node.has_role(Role::Call)) {
            if self.facts.calls.len() >= CALLS {
                self.facts.cut = true;
                break;
            }
            self.facts
                .calls
                .extend(call_site(node).filter(|_| node.is_usable()));
        }
    }

    /// Whether a rule needs what the change breaks in other files of the repository.
    pub(crate) fn wants_breaks(&self) -> bool {
        self.links_code
    }

    /// Records what the change to a file breaks in other files.
    pub(crate) fn record_breaks(&mut self, sides: &BothSides<'_>) {
        self.facts.links.add_breaks(sides);
    }

    /// Records the changes of a hunk.
    pub(crate) fn record_change(&mut self, context: &ChangeContext<'_>) {
        if !self.is_wanted {
            return;
        }
        let now: Vec<FunctionHeader<'_>> = heads(context.new).collect();
        for head in heads(context.old) {
            if head.is_changed() {
                record_header(
                    &mut self.old,
                    &mut self.facts.cut,
                    head,
                    true,
                    replacement(context, head, &now),
                );
            }
        }
        let room = DEFINITIONS.saturating_sub(self.facts.removed_names.len());
        self.facts
            .removed_names
            .extend(context.removed_names().take(room).map(hash));
        for (old, new) in context.changed(Role::Call) {
            if let (Some(before), Some(after)) = (old.call(), new.call())
                && before.name == after.name
                && before.arguments.len() != after.arguments.len()
            {
                self.adapted
                    .extend(new.line().map(|line| (hash(after.name), line)));
            }
        }
    }

    /// Completes the facts. `candidates` are the findings in this file, `changes` those of rules that compare old with new.
    pub(crate) fn finish<'c>(
        mut self,
        file: &Chunk<'_>,
        candidates: &[Candidate],
        changes: impl Iterator<Item = &'c Candidate>,
    ) -> Facts {
        let lines: Vec<&Line<'_>> = file
            .hunks
            .iter()
            .flat_map(|hunk| hunk.lines.iter())
            .collect();
        let calls_are_distinct = ["Python", "JavaScript", "PHP", "Ruby", "Go", "Rust"]
            .contains(&self.facts.family.as_str());
        let (old, new) = (std::mem::take(&mut self.old), std::mem::take(&mut self.new));
        self.facts.definitions =
            definitions(old, new, (&lines, &Edits::of(file)), calls_are_distinct);
        for call in &mut self.facts.calls {
            call.adapted = self.adapted.contains(&(call.name, call.line));
        }
        let added = lines
            .iter()
            .filter(|line| line.kind == LineKind::Added && has_content(line.text));
        self.facts.added = added
            .take(ADDED_LINES)
            .map(|line| moved_key(line.text))
            .collect();
        let removed = candidates
            .iter()
            .filter(|candidate| candidate.side == Side::Old)
            .take(FINDINGS);
        self.facts.removed_blocks = removed
            .filter_map(|candidate| removed_block(&lines, candidate.line))
            .collect();
        self.facts.losses = losses(
            file,
            changes
                .take(FINDINGS)
                .map(|found| (found.side, found.line))
                .collect(),
        );
        self.facts.ignored = suppress::ignores(file, &lines).take(2 * FINDINGS).collect();
        if !self.facts.repository_rules.is_empty() {
            self.facts.links.add_keys(file);
        }
        self.facts
    }
}

/// The name shared by languages whose code can call each other.
fn family(grammar: Grammar) -> &'static str {
    match grammar.name() {
        "JavaScript" | "TypeScript" | "TSX" => "JavaScript",
        "C" | "C++" => "C",
        name => name,
    }
}

fn record_header(
    list: &mut Vec<Observed>,
    cut: &mut bool,
    head: FunctionHeader<'_>,
    changed: bool,
    replaced_by: Option<String>,
) {
    if list.len() >= DEFINITIONS {
        *cut = true;
        return;
    }
    let Some(line) = head.place.line() else {
        return;
    };
    list.push(Observed {
        name: shorten(head.name.text(), 80).to_owned(),
        line,
        signature: head.signature(),
        is_member: head.is_member(),
        changed,
        replaced_by,
    });
}

/// The name of the function that now is in the place of an old one.
fn replacement(
    context: &ChangeContext<'_>,
    head: FunctionHeader<'_>,
    heads: &[FunctionHeader<'_>],
) -> Option<String> {
    let first = head.parameters?.leaves().next()?;
    let now = context.new_of(first)?;
    // Parameter lists are in order. A name belongs to the last one that begins before it, or to one that encloses that
    // one.
    let before =
        heads.partition_point(|new| new.parameters.unwrap_or(new.place).index() <= now.index());
    let mut near = heads.get(before.saturating_sub(NESTED)..before)?.iter();
    let around = near.find(|new| new.parameters.is_some_and(|list| now.is_inside(list)))?;
    Some(around.name.text().to_owned()).filter(|name| name != head.name.text())
}

/// Pairs old and new headers by name. For a name with several headers, such as overloads, only the current ones are recorded,
/// because their pairing is unknown.
fn definitions(
    old: Vec<Observed>,
    new: Vec<Observed>,
    (lines, edits): (&[&Line<'_>], &Edits<'_>),
    calls_are_distinct: bool,
) -> Vec<Definition> {
    let mut count = HashMap::<String, (usize, usize)>::new();
    for seen in &old {
        count.entry(seen.name.clone()).or_default().0 += 1;
    }
    for seen in &new {
        count.entry(seen.name.clone()).or_default().1 += 1;
    }
    let mut before: HashMap<String, Observed> = HashMap::new();
    let mut found = Vec::new();
    let mention_index = if old.is_empty() {
        MentionIndex::default()
    } else {
        MentionIndex::of(lines)
    };
    for seen in old {
        match count.get(&seen.name) {
            Some((1, 0)) if !mention_index.names_otherwise(&seen.name, calls_are_distinct) => {
                found.push(removed(seen, edits))
            }
            Some((1, 1)) => {
                before.insert(seen.name.clone(), seen);
            }
            _ => {}
        }
    }
    for seen in new {
        let was = before
            .remove(&seen.name)
            .filter(|was| was.is_member == seen.is_member);
        let signature = match was {
            Some(was) => was.signature,
            None if seen.changed => None,
            None => seen.signature.clone(),
        };
        let Observed {
            name,
            line,
            is_member,
            ..
        } = seen;
        found.push(Definition {
            name,
            line,
            before: signature,
            after: seen.signature,
            is_member,
            replaced_by: None,
            replacement_line: None,
        });
    }
    found
}

fn removed(seen: Observed, edits: &Edits<'_>) -> Definition {
    let Observed {
        name,
        line,
        signature,
        is_member,
        replaced_by,
        ..
    } = seen;
    // It existed even if its signature is unreadable.
    let unknown = || Signature {
        min_args: 0,
        max_args: None,
        names: Vec::new(),
        is_async: false,
    };
    Definition {
        name,
        line,
        before: Some(signature.unwrap_or_else(unknown)),
        after: None,
        is_member,
        replaced_by,
        replacement_line: edits.replacement(line),
    }
}

fn has_content(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphanumeric()).count() > 3
}

/// The key by which a moved line is recognized: a statement that only calls a function of a distinctive name by that name, because
/// its arguments have other names there; any other line by its text.
fn moved_key(text: &str) -> u64 {
    let line = text.trim().trim_end_matches([';', '?']);
    let call = line.strip_suffix(')').and_then(|call| call.split_once('('));
    let name = call.and_then(|(callee, _)| {
        let callee = callee.strip_prefix("await ").unwrap_or(callee);
        let is_callee = callee
            .chars()
            .all(|c| is_word_char(c) || matches!(c, '.' | ':' | '$'));
        callee
            .rsplit(['.', ':'])
            .next()
            .filter(|name| is_callee && words_of(name).len() > 2)
    });
    match name {
        Some(name) => hash(&format!("call of {name}")),
        None => hash(&squeeze(text)),
    }
}

/// A removed line with its body: the following removed lines with more indentation.
fn removed_block(lines: &[&Line<'_>], line: u32) -> Option<RemovedBlock> {
    let indent = |text: &str| text.len() - text.trim_start().len();
    let at = lines
        .iter()
        .position(|own| own.kind == LineKind::Removed && own.old == Some(line))?;
    let first = lines.get(at)?;
    let has_letters = |text: &str| text.chars().any(char::is_alphanumeric);
    let inside = lines.iter().skip(at + 1).take_while(|own| {
        own.kind == LineKind::Removed
            && (indent(own.text) > indent(first.text) || !has_letters(own.text))
    });
    let all: Vec<&str> = std::iter::once(first.text)
        .chain(inside.map(|own| own.text))
        .collect();
    let letters: usize = all
        .iter()
        .map(|text| text.chars().filter(|c| c.is_alphanumeric()).count())
        .sum();
    let with_content = all
        .into_iter()
        .filter(|text| has_content(text))
        .take(REMOVED_LINES);
    let hashes: Vec<u64> = with_content.map(moved_key).collect();
    (letters >= DISTINCTIVE && !hashes.is_empty()).then_some(RemovedBlock {
        line,
        lines: hashes,
    })
}

/// The names that the edits around findings at these positions removed. Each edit is read once, regardless of its
/// number of findings.
fn losses(file: &Chunk<'_>, mut places: HashSet<(Side, u32)>) -> Vec<Loss> {
    let mut found = Vec::new();
    let edits = file.hunks.iter().flat_map(|hunk| {
        hunk.lines
            .chunk_by(|a, b| (a.kind == LineKind::Context) == (b.kind == LineKind::Context))
    });
    for edit in edits {
        let place = |line: &Line<'_>| Some((line.side(), line.number()?));
        let here: Vec<(Side, u32)> = edit
            .iter()
            .filter_map(place)
            .filter(|place| places.remove(place))
            .collect();
        let names = if here.is_empty() {
            Vec::new()
        } else {
            lost_names(edit)
        };
        if !names.is_empty() {
            found.extend(here.into_iter().map(|(side, line)| Loss {
                line,
                side,
                names: names.clone(),
            }));
        }
    }
    found
}

/// The hashes of names that an edit removed and did not add again, sorted.
fn lost_names(edit: &[Line<'_>]) -> Vec<u64> {
    let names = |kind: LineKind| {
        edit.iter()
            .filter(move |own| own.kind == kind)
            .flat_map(|own| own.text.split(|c: char| !is_word_char(c)))
    };
    let added: HashSet<&str> = names(LineKind::Added).collect();
    let gone = names(LineKind::Removed).filter(|name| name.len() > 2 && !added.contains(name));
    let gone: BTreeSet<u64> = gone.map(hash).take(LOST_NAMES).collect();
    gone.into_iter().collect()
}
