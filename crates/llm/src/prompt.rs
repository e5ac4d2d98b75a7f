//! Builds prompts from parts of a change. The wording is in `prompts/`.
//!
//! A prompt contains the instructions, the part of the change as data, further data (guidelines, the description of the
//! change, the rules' findings), and the task. Data is masked and enclosed in markers that its author cannot know
//! ([`page`]).

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

/// Maximum bytes of guidelines: more would crowd out the change.
pub(crate) const GUIDELINE_BYTES: usize = 8 * 1024;
/// Maximum bytes of a change's description.
pub(crate) const DESCRIPTION_BYTES: usize = 16 * 1024;
/// Maximum number of hints in a prompt.
const HINTS: usize = 50;
/// Models with a smaller window are small, and do better with shorter prompts.
const SMALL_WINDOW: u64 = 20_000;

/// The content of every prompt in addition to the change.
#[derive(Clone, Copy)]
pub(crate) struct Frame<'a> {
    pub(crate) guidelines: Option<&'a Masked<'a>>,
    /// The author's description of the change.
    pub(crate) description: Option<&'a Masked<'a>>,
    /// Code from the repository, if there is one.
    pub(crate) view: Option<View<'a>>,
    /// Maximum tokens of prompt and reply together.
    pub(crate) window: u64,
    pub(crate) max_output_tokens: u64,
}

/// Code from the repository that a prompt shows.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    /// Look-ups that the model requested.
    pub(crate) looked_up: &'a [LookedUp],
    /// How many look-ups the model may still request.
    pub(crate) left: usize,
}

/// Whether a model with this window is offered look-ups.
pub(crate) const fn offers_look_ups(window: u64) -> bool {
    window >= SMALL_WINDOW
}

/// The finder's prompt: list each possible defect.
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

/// A shorter prompt, for small models and as the baseline of evaluations.
pub(crate) fn plain(batch: &PromptBatch<'_>, frame: Frame<'_>) -> Prompt {
    asked(batch, &text::plain(), &schema::FINDINGS, frame)
}

/// A diff pasted after one sentence, as users would send it without this engine.
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

/// The same prompt with a limit on the number of findings.
pub(crate) fn at_most(mut prompt: Prompt, most: usize) -> Prompt {
    let _ = write!(
        prompt.user,
        "\nReport at most {most} findings, the most important ones.\n"
    );
    prompt
}

/// The same prompt after an answer that could not be parsed.
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

/// The same prompt, for the rest of an answer that was cut off. The model does not remember its answer, so the prompt
/// lists the items that are known.
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

/// The finder's data in addition to the change.
fn context(batch: &PromptBatch<'_>, frame: Frame<'_>) -> Page {
    let mut page = Page::new(0);
    if let Some(guidelines) = frame.guidelines {
        page.say("# Guidelines of the owners of this code\n");
        page.text(guidelines);
        page.say("\n\n");
    }
    if let Some(description) = frame.description {
        page.say(
            "# The author's description of the change. The code may do something else.\n",
        );
        page.text(description);
        page.say("\n\n");
    }
    if let Some(view) = frame.view.filter(|view| !view.looked_up.is_empty()) {
        page.say("# The results of your look-ups\n");
        view.looked_up.iter().for_each(|one| page.looked_up(one));
    }
    if !batch.hints.is_empty() {
        page.say("# Findings of a static analyser. They may be wrong. Do not repeat them.\n");
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
    // A prompt lives as long as its call, so spare capacity is released.
    user.shrink_to_fit();
    let (schema, max_output_tokens) = (Arc::clone(schema), frame.max_output_tokens);
    Prompt {
        system: Cow::Borrowed(text::SYSTEM),
        user,
        schema,
        max_output_tokens,
    }
}
