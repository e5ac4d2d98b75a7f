//! Builds prompts from parts of a change. The wording is in `prompts/`.
//!
//! The first turn contains the instructions, the part of the change as data, further data (guidelines, the description of
//! the change, the rules' findings), and the task: list candidates. The second turn shows the model its candidates as its
//! own answer and has it decide which of them to report. The results of look-ups are further turns. Data is masked and
//! enclosed in markers that its author cannot know ([`page`]). A model's answers are never sent back as they are, but
//! composed anew of what was read in them ([`answer`]).

mod answer;
mod echo;
mod page;
mod schema;
mod text;

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;

use crate::knowledge;
use crate::looked_up::LookedUp;
use crate::model::{LaterTurn, Prompt, Schema};
use crate::prompt_batch::PromptBatch;
use crate::redact::Masked;
use page::Page;

pub(crate) use answer::{CANDIDATE_BYTES, Shown, candidates, look_ups};
pub(crate) use echo::quotes_instructions;
pub(crate) use page::plain_line;
#[cfg(test)]
pub(crate) use text::FINDER;

/// Maximum bytes of guidelines: more would crowd out the change.
pub(crate) const GUIDELINE_BYTES: usize = 8 * 1024;
/// Maximum bytes of a change's description.
pub(crate) const DESCRIPTION_BYTES: usize = 16 * 1024;
/// Models with a smaller window are small, and do better with shorter prompts.
const SMALL_WINDOW: u64 = 20_000;

/// The content of every prompt in addition to the change.
#[derive(Clone, Copy)]
pub(crate) struct Frame<'a> {
    pub(crate) guidelines: Option<&'a Masked<'a>>,
    /// The author's description of the change.
    pub(crate) description: Option<&'a Masked<'a>>,
    /// Maximum tokens of prompt and reply together.
    pub(crate) window: u64,
    pub(crate) max_output_tokens: u64,
}

/// Whether a model with this window is asked a second time, and may look into the repository. A smaller one is only
/// to report what the shown lines prove.
pub(crate) const fn has_second_turn(window: u64) -> bool {
    window >= SMALL_WINDOW
}

/// The first turn: list each possible defect.
pub(crate) fn finder(batch: &PromptBatch<'_>, frame: Frame<'_>) -> Prompt {
    if !has_second_turn(frame.window) {
        return plain(batch, frame);
    }
    asked(
        batch,
        &text::finder(&knowledge::items(batch)),
        &schema::REVIEW,
        frame,
    )
}

/// The second turn: decide which of the candidates to report. `answer` is the answer of the first turn, composed anew.
pub(crate) fn decide(
    first: &Prompt,
    answer: String,
    has_doubtful: bool,
    look_ups: usize,
) -> Prompt {
    next(first, answer, text::decide(has_doubtful, look_ups))
}

/// A further turn: the results of look-ups. `answer` requested them; `left` is how many the model may still request.
pub(crate) fn looked_up(
    prompt: &Prompt,
    answer: String,
    results: &[LookedUp],
    left: usize,
) -> Prompt {
    let mut page = Page::new(results.iter().map(LookedUp::bytes).sum());
    page.say("# The results of your look-ups\n");
    results.iter().for_each(|one| page.looked_up(one));
    let mut user = page.fenced();
    user.push('\n');
    user.push_str(&text::looked_up(left));
    next(prompt, answer, user)
}

fn next(prompt: &Prompt, answer: String, user: String) -> Prompt {
    let mut next = prompt.clone();
    next.later.push(LaterTurn { answer, user });
    next
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
        later: Vec::new(),
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
    prompt.with(&text::REPAIR.replace("{{fault}}", fault))
}

/// The same prompt, for the rest of an answer that was cut off. The model does not remember its answer, so the prompt
/// lists the items that are known.
pub(crate) fn rest(prompt: &Prompt, known: &Masked<'_>) -> Prompt {
    let mut page = Page::new(known.len() + 1);
    page.text(known);
    page.say("\n");
    prompt.with(&format!("{}\n\n{}", text::REST, page.fenced()))
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
        page.say("# The author's description of the change. The code may do something else.\n");
        page.text(description);
        page.say("\n\n");
    }
    if batch.facts().next().is_some() {
        page.say("# Findings of a static analyser. They are facts. Do not repeat them.\n");
        batch.facts().for_each(|hint| {
            page.say("- ");
            page.finding(batch, hint.candidate, &hint.summary);
        });
    }
    if batch.doubtful().next().is_some() {
        page.say(if has_second_turn(frame.window) {
            "# Candidates of a static analyser. They may be wrong. Do not repeat them; you decide on them later.\n"
        } else {
            "# Candidates of a static analyser. They may be wrong. Do not repeat them.\n"
        });
        for (number, (_, hint)) in batch.doubtful().enumerate() {
            page.say("- R");
            page.number((number + 1) as u64);
            page.say(" ");
            page.finding(batch, hint.candidate, &hint.summary);
        }
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
        later: Vec::new(),
        schema,
        max_output_tokens,
    }
}
