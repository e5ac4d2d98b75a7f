//! From a part of the change to the text that a model is sent. The wording is in `prompts/`.
//!
//! All prompts about one part begin alike: the same instructions, the same schema, and the part as data. What else a step needs follows
//! as data of its own, and the task comes last, so that a provider can reuse what it has read before.

mod echo;
mod listed;
mod page;
mod schema;
mod text;

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;

use crate::knowledge;
use crate::model::{Prompt, Schema, Stage};
use crate::prompt_batch::PromptBatch;
use crate::redact::Masked;
use page::Page;

pub(crate) use echo::quotes_instructions;
pub(crate) use listed::Listed;
pub(crate) use page::plain_line;
#[cfg(test)]
pub(crate) use text::FINDER;

/// Bytes of guidelines at most: more would crowd out the change.
pub(crate) const GUIDELINE_BYTES: usize = 8 * 1024;
/// Bytes of a change's description at most.
pub(crate) const DESCRIPTION_BYTES: usize = 16 * 1024;
/// Hints that a prompt names at most.
const HINTS: usize = 50;
/// Windows below this belong to small models, which do better with fewer words.
const SMALL_WINDOW: u64 = 20_000;

/// What every prompt is given besides the change.
#[derive(Clone, Copy)]
pub(crate) struct Frame<'a> {
    pub(crate) guidelines: Option<&'a Masked<'a>>,
    /// What the change is meant to do.
    pub(crate) description: Option<&'a Masked<'a>>,
    /// Tokens that prompt and reply may have together.
    pub(crate) window: u64,
    pub(crate) max_output_tokens: u64,
}

/// How many finders can look, each in a direction of its own.
pub(crate) const FINDERS: usize = text::FOCUSES.len();

/// What the finder with this number is asked.
pub(crate) fn finder(batch: &PromptBatch<'_>, frame: Frame<'_>, finder: usize) -> Prompt {
    if frame.window < SMALL_WINDOW {
        return plain(batch, frame);
    }
    let focus = text::FOCUSES.get(finder).copied().unwrap_or_default();
    let (context, task) = (context(batch, frame), text::finder(focus, &knowledge::items(batch)));
    asked(batch, context, &task, &schema::REVIEW, Stage::Find, frame)
}

/// The same in short, for small models, and for what reviews are compared with.
pub(crate) fn plain(batch: &PromptBatch<'_>, frame: Frame<'_>) -> Prompt {
    asked(batch, context(batch, frame), &text::plain(), &schema::FINDINGS, Stage::Find, frame)
}

/// A diff, pasted after a sentence: what people ask without this engine.
pub(crate) fn pasted(batch: &PromptBatch<'_>, max_output_tokens: u64) -> Prompt {
    let mut page = Page::new(batch.bytes() + text::PASTED.len());
    page.say(text::PASTED);
    page.diff(batch);
    let (system, schema) = (Cow::Borrowed("You are an experienced code reviewer."), Arc::clone(&schema::COMMENTS));
    Prompt { system, user: page.into_text(), schema, max_output_tokens, stage: Stage::Find, shared: 0 }
}

/// The same question with a bound on the findings.
pub(crate) fn at_most(mut prompt: Prompt, most: usize) -> Prompt {
    let _ = write!(prompt.user, "\nReport at most {most} findings, the most important ones.\n");
    prompt
}

/// What the selector is asked of candidates, which it is to call by their place in the list, from 1.
pub(crate) fn selector(batch: &PromptBatch<'_>, listed: &[Listed<'_>], quota: usize, frame: Frame<'_>) -> Prompt {
    let mut page = Page::new(512);
    if let Some(description) = frame.description {
        page.say("# What the change is meant to do, in its author's words\n");
        page.text(description);
        page.say("\n\n");
    }
    page.say("# The candidates\n");
    listed.iter().enumerate().for_each(|(at, one)| page.listed(at + 1, batch, one));
    let task = text::SELECTOR.replace("{{quota}}", &quota.to_string());
    asked(batch, page, &task, &schema::REVIEW, Stage::Select, frame)
}

/// What is asked of findings that are to be refuted, by their place in the list, from 1.
pub(crate) fn falsify(batch: &PromptBatch<'_>, listed: &[Listed<'_>], frame: Frame<'_>) -> Prompt {
    let mut page = Page::new(512);
    page.say("# The findings\n");
    listed.iter().enumerate().for_each(|(at, one)| page.listed(at + 1, batch, one));
    asked(batch, page, text::FALSIFY, &schema::REVIEW, Stage::Falsify, frame)
}

/// The same question again, after an answer that could not be read.
pub(crate) fn repair(prompt: &Prompt, fault: &'static str) -> Prompt {
    let user = format!("{}{}", prompt.user, text::REPAIR.replace("{{fault}}", fault));
    Prompt { user, ..prompt.clone() }
}

/// The same question again, for the rest of an answer that was cut off. The model does not remember its answer, so the prompt
/// names the items that are known.
pub(crate) fn rest(prompt: &Prompt, known: &Masked<'_>) -> Prompt {
    let mut page = Page::new(known.len() + 1);
    page.text(known);
    page.say("\n");
    let user = format!("{}{}\n\n{}", prompt.user, text::REST, page.fenced());
    Prompt { user, ..prompt.clone() }
}

/// What a finder should know besides the change.
fn context(batch: &PromptBatch<'_>, frame: Frame<'_>) -> Page {
    let mut page = Page::new(0);
    if let Some(guidelines) = frame.guidelines {
        page.say("# What the owners of this code want reviewers to know\n");
        page.text(guidelines);
        page.say("\n\n");
    }
    if !batch.hints.is_empty() {
        page.say("# What a rule engine found. Do not repeat it; it may be wrong.\n");
        batch.hints.iter().take(HINTS).for_each(|hint| {
            page.say("- ");
            page.finding(batch, hint.candidate, &hint.summary);
        });
    }
    page
}

fn asked(
    batch: &PromptBatch<'_>,
    context: Page,
    task: &str,
    schema: &Arc<Schema>,
    stage: Stage,
    frame: Frame<'_>,
) -> Prompt {
    let mut page = Page::new(batch.bytes() + 512);
    page.change(batch);
    let mut user = page.fenced();
    let shared = user.len();
    if !context.is_empty() {
        user.push_str(&context.fenced());
    }
    let _ = write!(user, "\n{task}");
    // A prompt lives as long as its call: it has no room to spare.
    user.shrink_to_fit();
    let (schema, max_output_tokens) = (Arc::clone(schema), frame.max_output_tokens);
    Prompt { system: Cow::Borrowed(text::SYSTEM), user, schema, max_output_tokens, stage, shared }
}
