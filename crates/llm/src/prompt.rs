//! From a part of the change to the text that a model is sent. The wording is in `prompts/`.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};

use review::visible::visible;
use review::{Candidate, Category, Language, Line, LineKind, Priority, Side, Status};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::model::{Prompt, Schema};
use crate::prompt_batch::{BatchFile, BatchLine, Hint, PromptBatch};
use crate::redact::Masked;

pub(crate) const FINDER: &str = include_str!("prompts/finder.md");
const VERIFIER: &str = include_str!("prompts/verifier.md");
const REPAIR: &str = include_str!("prompts/repair.md");
const REST: &str = include_str!("prompts/rest.md");

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
    let text = || json!({ "type": "string" });
    let verdict = object(&[("finding", integer()), ("quote", text()), ("reason", text()), ("score", integer())]);
    let json = object(&[("verdicts", json!({ "type": "array", "items": verdict }))]);
    Arc::new(Schema { name: "verdicts", json })
});

/// What a pasted diff is answered with: as little as a person would ask for.
static COMMENTS: LazyLock<Arc<Schema>> = LazyLock::new(|| {
    let text = || json!({ "type": "string" });
    let comment = object(&[("file", text()), ("line", json!({ "type": "integer" })), ("comment", text())]);
    let json = object(&[("findings", json!({ "type": "array", "items": comment }))]);
    Arc::new(Schema { name: "comments", json })
});

const PASTED: &str = "Review this diff and report the defects in it. Answer with a JSON object: {\"findings\": [{\"file\": \"…\", \
                      \"line\": 42, \"comment\": \"…\"}]}.\n\n";

fn object(properties: &[(&str, Value)]) -> Value {
    let names: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
    let properties: serde_json::Map<String, Value> =
        properties.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    json!({ "type": "object", "properties": properties, "required": names, "additionalProperties": false })
}

fn one_of(words: impl Iterator<Item = &'static str>) -> Value {
    json!({ "type": "string", "enum": words.collect::<Vec<_>>() })
}

/// A finding that a prompt names.
pub(crate) struct Told<'a> {
    pub(crate) candidate: &'a Candidate,
    pub(crate) summary: Masked<'a>,
    pub(crate) fix: Option<Masked<'a>>,
}

impl<'a> From<&Hint<'a>> for Told<'a> {
    fn from(hint: &Hint<'a>) -> Self {
        Self { candidate: hint.candidate, summary: hint.summary.clone(), fix: None }
    }
}

/// What a finder is asked.
pub(crate) fn finder(batch: &PromptBatch<'_>, guidelines: Option<&Masked<'_>>, max_output_tokens: u64) -> Prompt {
    let mut page = Page::of(batch);
    if let Some(guidelines) = guidelines {
        page.say("# What the owners of this code want reviewers to know\n");
        page.text(guidelines);
        page.say("\n\n");
    }
    if !batch.hints.is_empty() {
        page.say("# What a rule engine found. Do not repeat it; it may be wrong.\n");
        batch.hints.iter().take(HINTS).for_each(|hint| page.finding(None, batch, &hint.into()));
        page.say("\n");
    }
    page.change(batch);
    let user = page.fenced("Review this change.");
    Prompt { system: Cow::Borrowed(&**FINDER_TEXT), user, schema: Arc::clone(&FINDINGS), max_output_tokens }
}

/// A diff, pasted behind a sentence: what people ask without this engine.
pub(crate) fn pasted(batch: &PromptBatch<'_>, max_output_tokens: u64) -> Prompt {
    let mut page = Page::of(batch);
    page.say(PASTED);
    page.diff(batch);
    let system = Cow::Borrowed("You are an experienced code reviewer.");
    Prompt { system, user: page.0, schema: Arc::clone(&COMMENTS), max_output_tokens }
}

/// The same question with a bound on the findings.
pub(crate) fn at_most(mut prompt: Prompt, most: usize) -> Prompt {
    let _ = write!(prompt.user, "\nReport at most {most} findings, the most important ones.\n");
    prompt
}

/// What the verifier is asked of some findings, which it is to call by their place in the list, from 1.
pub(crate) fn verifier<'c>(
    batch: &PromptBatch<'_>,
    findings: impl Iterator<Item = Told<'c>>,
    max_output_tokens: u64,
) -> Prompt {
    let mut page = Page::of(batch);
    page.change(batch);
    page.say("\n# The findings\n");
    for (at, finding) in findings.enumerate() {
        page.claim(at + 1, batch, &finding);
    }
    let user = page.fenced("Check these findings.");
    Prompt { system: Cow::Borrowed(VERIFIER), user, schema: Arc::clone(&VERDICTS), max_output_tokens }
}

/// The same question again, after an answer that could not be read.
pub(crate) fn repair(prompt: &Prompt, fault: &'static str) -> Prompt {
    let user = format!("{}{}", prompt.user, REPAIR.replace("{{fault}}", fault));
    Prompt { user, ..prompt.clone() }
}

/// The same question again, for the rest of an answer that was cut off. The model does not remember its answer, so the prompt
/// names the items that are known.
pub(crate) fn rest(prompt: &Prompt, known: &Masked<'_>) -> Prompt {
    let mut page = Page(String::new());
    page.text(known);
    page.say("\n");
    let user = format!("{}{}", prompt.user, page.fenced(REST));
    Prompt { user, ..prompt.clone() }
}

/// The data of a prompt. Of what others wrote it takes only what is masked.
struct Page(String);

impl Page {
    fn of(batch: &PromptBatch<'_>) -> Self {
        Self(String::with_capacity(batch.bytes() + 512))
    }

    fn say(&mut self, words: &'static str) {
        self.0.push_str(words);
    }

    fn number(&mut self, number: impl Into<u64>) {
        let _ = write!(self.0, "{}", number.into());
    }

    /// One line.
    fn line(&mut self, text: &Masked<'_>) {
        self.0.push_str(&plain_line(text.as_str()));
    }

    /// What may have several lines.
    fn text(&mut self, text: &Masked<'_>) {
        self.0.push_str(&plain(text.as_str()));
    }

    fn change(&mut self, batch: &PromptBatch<'_>) {
        self.say("# The change\n");
        for file in &batch.files {
            self.say("## FILE ");
            self.line(&file.shown_path);
            self.say(" (");
            self.say(file.language.map_or("unknown language", Language::name));
            self.say(", ");
            self.say(status(file));
            self.say(")\n");
            for hunk in &file.hunks {
                self.say("@@ ");
                self.line(&hunk.heading);
                self.say("\n");
                hunk.lines.iter().for_each(|line| self.part_line(line));
            }
        }
    }

    /// The change as a unified diff.
    fn diff(&mut self, batch: &PromptBatch<'_>) {
        for file in &batch.files {
            for side in ["--- a/", "\n+++ b/"] {
                self.say(side);
                self.line(&file.shown_path);
            }
            self.say("\n");
            for hunk in &file.hunks {
                let first = |number: fn(&Line<'_>) -> Option<u32>| hunk.lines.iter().find_map(|line| number(line.line));
                let count = |other| hunk.lines.iter().filter(|line| line.line.kind != other).count();
                let (old, new) = (first(|line| line.old).unwrap_or(0), first(|line| line.new).unwrap_or(0));
                let (olds, news) = (count(LineKind::Added), count(LineKind::Removed));
                let _ = write!(self.0, "@@ -{old},{olds} +{new},{news} @@ ");
                self.line(&hunk.heading);
                self.say("\n");
                hunk.lines.iter().for_each(|line| self.diff_line(line));
            }
        }
    }

    fn diff_line(&mut self, line: &BatchLine<'_>) {
        self.say(match line.line.kind {
            LineKind::Added => "+",
            LineKind::Removed => "-",
            LineKind::Context => " ",
        });
        self.line(&line.shown);
        self.say("\n");
    }

    fn part_line(&mut self, line: &BatchLine<'_>) {
        match line.locate() {
            Some((side, number)) => {
                self.say(name(side));
                self.say(":");
                self.number(number);
            }
            None => self.say("OLD:?"),
        }
        self.say(match line.line.kind {
            LineKind::Added => " +",
            LineKind::Removed => " -",
            LineKind::Context => "  ",
        });
        self.line(&line.shown);
        self.say("\n");
    }

    /// A finding to be checked: with its line, its fix and how sure its reviewer is.
    fn claim(&mut self, number: usize, batch: &PromptBatch<'_>, told: &Told<'_>) {
        self.finding(Some(number), batch, told);
        if let Some((_, line)) = batch.position(told.candidate).and_then(|at| batch.line(at)) {
            self.say("   line: ");
            self.line(&line.shown);
            self.say("\n");
        }
        if let Some(fix) = &told.fix {
            self.say("   fix: ");
            self.line(fix);
            self.say("\n");
        }
        self.say("   confidence of the reviewer: ");
        self.number((told.candidate.confidence.clamp(0.0, 1.0) * 100.0).round() as u32);
        self.say(" %\n");
    }

    fn finding(&mut self, number: Option<usize>, batch: &PromptBatch<'_>, Told { candidate, summary, .. }: &Told<'_>) {
        match number {
            Some(number) => {
                self.number(number as u64);
                self.say(". ");
            }
            None => self.say("- "),
        }
        match batch.files.iter().find(|file| file.index == candidate.file) {
            Some(file) => self.line(&file.shown_path),
            None => self.say("?"),
        }
        self.say(" ");
        self.say(name(candidate.side));
        self.say(":");
        self.number(candidate.line);
        self.say(" ");
        self.say(candidate.category.as_str());
        self.say(": ");
        self.line(summary);
        self.say("\n");
    }

    /// The data between two marker lines. The tag is a hash of the data: whoever writes the data cannot know it beforehand.
    fn fenced(self, task: &'static str) -> String {
        let data = self.0;
        let digest = Sha256::digest(&data);
        let tag: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        // A prompt lives as long as its call: it has no room to spare.
        let mut text = String::with_capacity(task.len() + data.len() + 2 * tag.len() + 24);
        let _ = write!(text, "{task}\n\n<data {tag}>\n{data}</data {tag}>\n");
        text
    }
}

fn status(file: &BatchFile<'_>) -> &'static str {
    match file.status {
        Status::Added => "added",
        Status::Removed => "removed",
        Status::Modified | Status::ModeChanged => "modified",
        Status::Renamed => "renamed",
        Status::Copied => "copied",
    }
}

pub(crate) fn name(side: Side) -> &'static str {
    match side {
        Side::Old => "OLD",
        Side::New => "NEW",
    }
}

/// A text that may have several lines, without what a terminal or a model might take for something else.
fn plain(text: &str) -> String {
    text.lines().map(plain_line).collect::<Vec<_>>().join("\n")
}

/// One line, as people see it: the model is shown a mark where they would see nothing.
pub(crate) fn plain_line(text: &str) -> String {
    let text = text.strip_suffix('\r').unwrap_or(text);
    text.chars().map(|c| if c == '\t' { c } else { visible(c) }).collect()
}

/// Words in a row that nobody writes by chance.
const QUOTED_WORDS: usize = 10;

/// Runs of words in the instructions.
static INSTRUCTIONS: LazyLock<HashSet<String>> =
    LazyLock::new(|| [&**FINDER_TEXT, VERIFIER].iter().flat_map(|text| runs_of_words(text)).collect());

/// Whether a text quotes the instructions: a diff can make a model say what it was told.
pub(crate) fn quotes_instructions(text: &str) -> bool {
    runs_of_words(text).iter().any(|run| INSTRUCTIONS.contains(run))
}

fn runs_of_words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    words.windows(QUOTED_WORDS).map(|run| run.join(" ")).collect()
}
