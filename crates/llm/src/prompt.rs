//! From a part of the change to the text that a model is sent. The wording is in `prompts/`.
//!
//! A prompt has the instructions, the part of the change as data, further data (guidelines, what the change is meant to do, what the
//! rules found), and the task. Data is masked and stands between markers that its author cannot know ([`page`]).

mod echo;
mod page;
mod schema;
mod text;

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;

use crate::knowledge;
use crate::looked_up::LookedUp;
use crate::model::{Prompt, Schema};
use crate::prompt_batch::PromptBatch;
use crate::redact::Masked;
use page::Page;

pub(crate) use echo::quotes_instructions;
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
    /// What the author says that the change is meant to do.
    pub(crate) description: Option<&'a Masked<'a>>,
    /// What is known of the repository, if it can be looked into.
    pub(crate) view: Option<View<'a>>,
    /// Tokens that prompt and reply may have together.
    pub(crate) window: u64,
    pub(crate) max_output_tokens: u64,
}

/// What a prompt shows of the repository around the change.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    /// Looked up before the first call: definitions of what added lines call.
    pub(crate) context: &'a [LookedUp],
    /// What the model asked for.
    pub(crate) looked_up: &'a [LookedUp],
    /// Look-ups that the model may still ask for.
    pub(crate) left: usize,
}

/// Whether a model with this window is offered look-ups.
pub(crate) const fn offers_look_ups(window: u64) -> bool {
    window >= SMALL_WINDOW
}

/// The finder's prompt: list every candidate for a defect.
pub(crate) fn finder(batch: &PromptBatch<'_>, frame: Frame<'_>) -> Prompt {
    if frame.window < SMALL_WINDOW {
        return plain(batch, frame);
    }
    let left = frame.view.map_or(0, |view| view.left);
    let schema = if left > 0 {
        &schema::REVIEW_OR_LOOK_UP
    } else {
        &schema::REVIEW
    };
    asked(
        batch,
        &text::finder(&knowledge::items(batch), left),
        schema,
        frame,
    )
}

/// The same in short, for small models, and for what reviews are compared with.
pub(crate) fn plain(batch: &PromptBatch<'_>, frame: Frame<'_>) -> Prompt {
    asked(batch, &text::plain(), &schema::FINDINGS, frame)
}

/// A diff, pasted after a sentence: what people ask without this engine.
pub(crate) fn pasted(batch: &PromptBatch<'_>, max_output_tokens: u64) -> Prompt {
    let mut page = Page::new(batch.bytes() + text::PASTED.len());
    page.say(text::PASTED);
    page.diff(batch);
    let (system, schema) = (
        Cow::Borrowed("You are an experienced code reviewer."),
        Arc::clone(&schema::COMMENTS),
    );
    Prompt {
        system,
        user: page.into_text(),
        schema,
        max_output_tokens,
    }
}

/// The same question with a bound on the findings.
pub(crate) fn at_most(mut prompt: Prompt, most: usize) -> Prompt {
    let _ = write!(
        prompt.user,
        "\nReport at most {most} findings, the most important ones.\n"
    );
    prompt
}

/// The same question again, after an answer that could not be read.
pub(crate) fn repair(prompt: &Prompt, fault: &'static str) -> Prompt {
    let user = format!(
        "{}{}",
        prompt.user,
        text::REPAIR.replace("{{fault}}", fault)
    );
    Prompt {
        user,
        ..prompt.clone()
    }
}

/// The same question again, for the rest of an answer that was cut off. The model does not remember its answer, so the prompt
/// names the items that are known.
pub(crate) fn rest(prompt: &Prompt, known: &Masked<'_>) -> Prompt {
    let mut page = Page::new(known.len() + 1);
    page.text(known);
    page.say("\n");
    let user = format!("{}{}\n\n{}", prompt.user, text::REST, page.fenced());
    Prompt {
        user,
        ..prompt.clone()
    }
}

/// What a finder should know besides the change.
fn context(batch: &PromptBatch<'_>, frame: Frame<'_>) -> Page {
    let mut page = Page::new(0);
    if let Some(guidelines) = frame.guidelines {
        page.say("# What the owners of this code want reviewers to know\n");
        page.text(guidelines);
        page.say("\n\n");
    }
    if let Some(description) = frame.description {
        page.say(
            "# What the author says the change is meant to do. The code may do something else.\n",
        );
        page.text(description);
        page.say("\n\n");
    }
    if let Some(view) = frame.view {
        if !view.context.is_empty() {
            page.say("# From the repository: definitions of what the change uses\n");
            view.context.iter().for_each(|one| page.looked_up(one));
        }
        if !view.looked_up.is_empty() {
            page.say("# What you looked up\n");
            view.looked_up.iter().for_each(|one| page.looked_up(one));
        }
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

fn asked(batch: &PromptBatch<'_>, task: &str, schema: &Arc<Schema>, frame: Frame<'_>) -> Prompt {
    let mut page = Page::new(batch.bytes() + 512);
    page.change(batch);
    let mut user = page.fenced();
    let context = context(batch, frame);
    if !context.is_empty() {
        user.push_str(&context.fenced());
    }
    let _ = write!(user, "\n{task}");
    // A prompt lives as long as its call: it has no room to spare.
    user.shrink_to_fit();
    let (schema, max_output_tokens) = (Arc::clone(schema), frame.max_output_tokens);
    Prompt {
        system: Cow::Borrowed(text::SYSTEM),
        user,
        schema,
        max_output_tokens,
    }
}
