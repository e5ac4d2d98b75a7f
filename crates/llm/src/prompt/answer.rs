//! The answers of a model in a conversation, composed anew of what was read in them: bounded, masked, without control
//! characters, and the same whichever model gave them and however.

use review::Priority;
use review::repository::Lookup;
use serde_json::{Value, json};

use super::page::{plain_line, side_name};
use crate::looked_up::question;
use crate::prompt_batch::PromptBatch;
use crate::redact::Redactor;

/// Maximum bytes of all candidates that a model is shown again.
pub(crate) const CANDIDATE_BYTES: usize = 16_000;
/// Maximum number of candidates that a model is shown again.
const CANDIDATES: usize = 40;
/// Maximum characters of each text of a candidate.
const TEXT: usize = 400;

/// A candidate that a model is shown again, with what it takes to decide on it: the summary says what goes wrong and when,
/// and the line is shown in the change.
pub(crate) struct Shown<'a> {
    /// Its line in the batch: index of the file, of the hunk in it, of the line in that.
    pub(crate) at: (usize, usize, usize),
    pub(crate) priority: Priority,
    pub(crate) summary: &'a str,
    pub(crate) depends_on: &'a str,
}

/// The answer that lists these candidates, numbered from 1, and how many of them fit.
pub(crate) fn candidates(
    batch: &PromptBatch<'_>,
    shown: &[Shown<'_>],
    redactor: &Redactor,
) -> (String, usize) {
    let mut bytes = 0;
    let fitting = shown.iter().take(CANDIDATES).enumerate();
    let items: Vec<Value> = fitting
        .map(|(at, one)| candidate(batch, at + 1, one, redactor))
        .take_while(|item| {
            bytes += item.to_string().len();
            bytes <= CANDIDATE_BYTES
        })
        .collect();
    let count = items.len();
    (json!({ "findings": items }).to_string(), count)
}

fn candidate(
    batch: &PromptBatch<'_>,
    number: usize,
    shown: &Shown<'_>,
    redactor: &Redactor,
) -> Value {
    // The model may have guessed a masked secret.
    let text = |text: &str| {
        let masked = redactor.text(text);
        let line = plain_line(&masked.as_str().replace('\n', " "));
        line.chars().take(TEXT).collect::<String>()
    };
    let (file, line) = batch
        .line(shown.at)
        .map_or_else(Default::default, |(file, line)| {
            let number = line
                .locate()
                .map(|(side, number)| format!("{}:{number}", side_name(side)));
            (
                plain_line(file.shown_path.as_str()),
                number.unwrap_or_default(),
            )
        });
    let mut candidate = json!({
        "candidate": number.to_string(),
        "line": line,
        "priority": shown.priority.as_str(),
        "summary": text(shown.summary),
    });
    if batch.files.len() > 1 {
        candidate["file"] = file.into();
    }
    if !shown.depends_on.is_empty() {
        candidate["depends_on"] = text(shown.depends_on).into();
    }
    candidate
}

/// The answer that requests these look-ups.
pub(crate) fn look_ups(lookups: &[Lookup], redactor: &Redactor) -> String {
    let entry = |lookup: &Lookup| {
        let (kind, argument) = question(lookup);
        let argument = plain_line(&redactor.text(&argument).as_str().replace('\n', " "));
        json!({ "kind": kind, "argument": argument.chars().take(TEXT).collect::<String>() })
    };
    json!({ "lookups": lookups.iter().map(entry).collect::<Vec<_>>() }).to_string()
}
