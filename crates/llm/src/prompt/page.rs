//! The data of a prompt.

use std::fmt::Write as _;

use review::visible::visible;
use review::{Candidate, Language, Line, LineKind, Side, Status};
use sha2::{Digest as _, Sha256};

use crate::looked_up::{LookedUp, Passage};
use crate::prompt_batch::{BatchFile, BatchLine, PromptBatch};
use crate::redact::Masked;

/// The data of a prompt. Untrusted text is only accepted masked.
pub(super) struct Page(String);

impl Page {
    pub(super) fn new(bytes: usize) -> Self {
        Self(String::with_capacity(bytes))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn into_text(self) -> String {
        self.0
    }

    pub(super) fn say(&mut self, words: &'static str) {
        self.0.push_str(words);
    }

    pub(super) fn number(&mut self, number: impl Into<u64>) {
        let _ = write!(self.0, "{}", number.into());
    }

    /// One line.
    fn line(&mut self, text: &Masked<'_>) {
        self.0.push_str(&plain_line(text.as_str()));
    }

    /// A text of one or more lines.
    pub(super) fn text(&mut self, text: &Masked<'_>) {
        self.0.push_str(&plain(text.as_str()));
    }

    pub(super) fn change(&mut self, batch: &PromptBatch<'_>) {
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
                hunk.lines.iter().for_each(|line| self.batch_line(line));
            }
        }
    }

    /// The change as a unified diff.
    pub(super) fn diff(&mut self, batch: &PromptBatch<'_>) {
        for file in &batch.files {
            for side in ["--- a/", "\n+++ b/"] {
                self.say(side);
                self.line(&file.shown_path);
            }
            self.say("\n");
            for hunk in &file.hunks {
                let first = |number: fn(&Line<'_>) -> Option<u32>| {
                    hunk.lines.iter().find_map(|line| number(line.line))
                };
                let count = |other| {
                    hunk.lines
                        .iter()
                        .filter(|line| line.line.kind != other)
                        .count()
                };
                let (old, new) = (
                    first(|line| line.old).unwrap_or(0),
                    first(|line| line.new).unwrap_or(0),
                );
                let (olds, news) = (count(LineKind::Added), count(LineKind::Removed));
                let _ = write!(self.0, "@@ -{old},{olds} +{new},{news} @@ ");
                self.line(&hunk.heading);
                self.say("\n");
                hunk.lines.iter().for_each(|line| self.diff_line(line));
            }
        }
    }

    fn diff_line(&mut self, line: &BatchLine<'_>) {
        self.say(sign(line));
        self.line(&line.shown);
        self.say("\n");
    }

    fn batch_line(&mut self, line: &BatchLine<'_>) {
        match line.locate() {
            Some((side, number)) => {
                self.say(side_name(side));
                self.say(":");
                self.number(number);
            }
            None => self.say("OLD:?"),
        }
        self.say(" ");
        self.diff_line(line);
    }

    pub(super) fn looked_up(&mut self, one: &LookedUp) {
        self.say("## ");
        self.line(&one.question);
        self.say("\n");
        match &one.answer {
            Err(refusal) => {
                let _ = writeln!(self.0, "({refusal})");
            }
            Ok(passages) if passages.is_empty() => self.say("(nothing found)\n"),
            Ok(passages) => passages.iter().for_each(|passage| self.passage(passage)),
        }
        if one.more {
            self.say("(there is more)\n");
        }
    }

    fn passage(&mut self, passage: &Passage) {
        self.line(&passage.path);
        self.say("\n");
        for (at, line) in passage.text.as_str().lines().enumerate() {
            let _ = writeln!(self.0, "{} {}", passage.first + at, plain_line(line));
        }
    }

    pub(super) fn finding(
        &mut self,
        batch: &PromptBatch<'_>,
        candidate: &Candidate,
        summary: &Masked<'_>,
    ) {
        match batch.files.iter().find(|file| file.index == candidate.file) {
            Some(file) => self.line(&file.shown_path),
            None => self.say("?"),
        }
        self.say(" ");
        self.say(side_name(candidate.side));
        self.say(":");
        self.number(candidate.line);
        self.say(" ");
        self.say(candidate.category.as_str());
        self.say(": ");
        self.line(summary);
        self.say("\n");
    }

    /// The data between two marker lines. Their tag is a hash of the data, which its author cannot know beforehand.
    pub(super) fn fenced(self) -> String {
        let data = self.0;
        let digest = Sha256::digest(&data);
        let tag: String = digest
            .iter()
            .take(8)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        // A prompt lives as long as its call, so spare capacity is released.
        let mut text = String::with_capacity(data.len() + 2 * tag.len() + 20);
        let _ = write!(text, "<data {tag}>\n{data}</data {tag}>\n");
        text
    }
}

fn sign(line: &BatchLine<'_>) -> &'static str {
    match line.line.kind {
        LineKind::Added => "+",
        LineKind::Removed => "-",
        LineKind::Context => " ",
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

pub(super) fn side_name(side: Side) -> &'static str {
    match side {
        Side::Old => "OLD",
        Side::New => "NEW",
    }
}

/// A text of one or more lines, without control and invisible characters.
fn plain(text: &str) -> String {
    text.lines().map(plain_line).collect::<Vec<_>>().join("\n")
}

/// One line as it is displayed. Invisible characters are replaced by a visible mark.
pub(crate) fn plain_line(text: &str) -> String {
    let text = text.strip_suffix('\r').unwrap_or(text);
    text.chars()
        .map(|c| if c == '\t' { c } else { visible(c) })
        .collect()
}
