//! From a part of the change to the text that a model is sent. The wording is in `prompts/`.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};

use review::{Candidate, Category, Language, LineKind, Priority, Side, Status};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::model::{Prompt, Schema};
use crate::part::{Part, PartFile, PartLine};

const FINDER: &str = include_str!("prompts/finder.md");
const VERIFIER: &str = include_str!("prompts/verifier.md");
const REPAIR: &str = include_str!("prompts/repair.md");

/// Bytes of guidelines at most: more would crowd out the change.
pub(crate) const GUIDELINE_BYTES: usize = 8 * 1024;
/// Hints that a prompt names at most.
const HINTS: usize = 50;

static FINDER_TEXT: LazyLock<String> = LazyLock::new(|| {
    let names: Vec<String> = Category::ALL.iter().map(|category| format!("`{category}`")).collect();
    FINDER.replace("{{categories}}", &names.join(", "))
});

static FINDINGS: LazyLock<Arc<Schema>> = LazyLock::new(|| {
    let text = || json!({ "type": "string" });
    let finding = object(&[
        ("file", text()),
        ("line", text()),
        ("quote", text()),
        ("priority", one_of(Priority::ALL.iter().map(|priority| priority.as_str()))),
        ("category", one_of(Category::ALL.iter().map(|category| category.as_str()))),
        ("summary", text()),
        ("fix", text()),
        ("confidence", json!({ "type": "number" })),
    ]);
    let json = object(&[("findings", json!({ "type": "array", "items": finding }))]);
    Arc::new(Schema { name: "findings", json })
});

static VERDICTS: LazyLock<Arc<Schema>> = LazyLock::new(|| {
    let integer = || json!({ "type": "integer" });
    let verdict = object(&[("finding", integer()), ("reason", json!({ "type": "string" })), ("score", integer())]);
    let json = object(&[("verdicts", json!({ "type": "array", "items": verdict }))]);
    Arc::new(Schema { name: "verdicts", json })
});

fn object(properties: &[(&str, Value)]) -> Value {
    let names: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
    let properties: serde_json::Map<String, Value> =
        properties.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    json!({ "type": "object", "properties": properties, "required": names, "additionalProperties": false })
}

fn one_of(words: impl Iterator<Item = &'static str>) -> Value {
    json!({ "type": "string", "enum": words.collect::<Vec<_>>() })
}

/// What a finder is asked.
pub(crate) fn finder(part: &Part<'_>, guidelines: Option<&str>, max_output_tokens: u64) -> Prompt {
    let mut data = String::with_capacity(part.bytes() + 512);
    if let Some(guidelines) = guidelines {
        let _ = write!(data, "# What the owners of this code want reviewers to know\n{}\n\n", plain(guidelines));
    }
    if !part.hints.is_empty() {
        data.push_str("# What a rule engine found. Do not repeat it; it may be wrong.\n");
        part.hints.iter().take(HINTS).for_each(|(_, hint)| write_candidate(&mut data, part, "-", hint));
        data.push('\n');
    }
    data.push_str("# The change\n");
    write_change(&mut data, part);
    let user = fenced("Review this change.", &data);
    Prompt { system: Cow::Borrowed(&**FINDER_TEXT), user, schema: Arc::clone(&FINDINGS), max_output_tokens }
}

/// What the verifier is asked of some findings, which it is to call by their place in the list, from 1.
pub(crate) fn verifier<'c>(
    part: &Part<'_>,
    findings: impl Iterator<Item = &'c Candidate>,
    max_output_tokens: u64,
) -> Prompt {
    let mut data = String::with_capacity(part.bytes() + 512);
    data.push_str("# The change\n");
    write_change(&mut data, part);
    data.push_str("\n# The findings\n");
    for (at, finding) in findings.enumerate() {
        write_candidate(&mut data, part, &format!("{}.", at + 1), finding);
    }
    let user = fenced("Check these findings.", &data);
    Prompt { system: Cow::Borrowed(VERIFIER), user, schema: Arc::clone(&VERDICTS), max_output_tokens }
}

/// The same question again, after an answer that could not be read.
pub(crate) fn repair(prompt: &Prompt, fault: &str) -> Prompt {
    let user = format!("{}{}", prompt.user, REPAIR.replace("{{fault}}", fault));
    Prompt { user, ..prompt.clone() }
}

/// Data between two marker lines. The tag is a hash of the data: whoever writes the data cannot know it beforehand.
fn fenced(task: &str, data: &str) -> String {
    let digest = Sha256::digest(data);
    let tag: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    // A prompt lives as long as its call: it has no room to spare.
    let mut text = String::with_capacity(task.len() + data.len() + 2 * tag.len() + 24);
    let _ = write!(text, "{task}\n\n<data {tag}>\n{data}</data {tag}>\n");
    text
}

fn write_change(out: &mut String, part: &Part<'_>) {
    for file in &part.files {
        let language = file.language.map_or("unknown language", Language::name);
        let _ = writeln!(out, "## FILE {} ({language}, {})", plain_line(file.path), status(file));
        for hunk in &file.hunks {
            let _ = writeln!(out, "@@ {}", plain_line(&hunk.heading));
            hunk.lines.iter().for_each(|line| write_line(out, line));
        }
    }
}

fn status(file: &PartFile<'_>) -> &'static str {
    match file.status {
        Status::Added => "added",
        Status::Removed => "removed",
        Status::Modified | Status::ModeChanged => "modified",
        Status::Renamed => "renamed",
        Status::Copied => "copied",
    }
}

fn write_line(out: &mut String, line: &PartLine<'_>) {
    let marker = match line.line.kind {
        LineKind::Added => '+',
        LineKind::Removed => '-',
        LineKind::Context => ' ',
    };
    match line.place() {
        Some((side, number)) => {
            let _ = write!(out, "{}:{number} {marker}", name(side));
        }
        None => {
            let _ = write!(out, "OLD:? {marker}");
        }
    }
    out.push_str(&plain_line(&line.shown));
    out.push('\n');
}

pub(crate) fn name(side: Side) -> &'static str {
    match side {
        Side::Old => "OLD",
        Side::New => "NEW",
    }
}

fn write_candidate(out: &mut String, part: &Part<'_>, bullet: &str, candidate: &Candidate) {
    let path = part.files.iter().find(|file| file.index == candidate.file).map_or("?", |file| file.path);
    let (side, line, category) = (name(candidate.side), candidate.line, candidate.category);
    let _ = writeln!(out, "{bullet} {} {side}:{line} {category}: {}", plain_line(path), plain_line(&candidate.summary));
}

/// A text that may have several lines, without what a terminal or a model might take for something else.
fn plain(text: &str) -> String {
    text.lines().map(plain_line).collect::<Vec<_>>().join("\n")
}

/// One line: control characters would be seen as something that they are not in the file.
pub(crate) fn plain_line(text: &str) -> String {
    let text = text.strip_suffix('\r').unwrap_or(text);
    text.chars().map(|c| if c.is_control() && c != '\t' { '\u{fffd}' } else { c }).collect()
}
