//! The second turn of a conversation: the model decides which of its candidates to report. If there is a repository and a
//! candidate depends on code that is not shown, or comes from a rule, the model may look into the repository before.
//!
//! The messages of the first turn are sent again unchanged, so that the provider reads them from its cache. An answer
//! without a decision is requested once more. If there is none, all candidates of the first turn are reported, one
//! priority lower (`pool`).
//!
//! The model also decides on the findings of the rules that are not certain ([`Opinion`]). Certain ones are facts.
//!
//! A change is hostile input and may instruct the model to drop everything. So a candidate that an attacker would want
//! to hide is not dropped, but returned as P3 with the model's reason.

use std::collections::HashMap;
use std::sync::Arc;

use review::{DropCause, Opinion, Priority};

use super::call::AskError;
use super::look_up::Shown;
use super::run::ModelRun;
use crate::cache::{Answer, Key, Lost};
use crate::locate::{BatchIndex, Located, Standing, locate, tidy};
use crate::model::{Finish, Prompt};
use crate::prompt::{self, quotes_instructions};
use crate::prompt_batch::PromptBatch;
use crate::reply::{self, Decisions, Evidence, Kept, RawFinding};
use crate::stages::evidence::{Symbols, gate};
use crate::stages::quota::is_protected;

/// Follows a candidate that was not dropped although the model dropped it; the reason follows.
const WITHDRAWN: &str = "The language model withdrew this on a second look";

/// The first turn of a conversation that has a second one.
pub(super) struct FirstTurn {
    pub(super) prompt: Prompt,
    pub(super) answer: Arc<Answer>,
    /// The model's words for each candidate of the answer.
    pub(super) raw: Vec<RawFinding>,
    /// Where the result is to be cached.
    pub(super) key: Option<Key>,
}

/// The decision on one candidate in an answer of the second turn.
#[derive(Default)]
struct Verdict {
    kept: Option<Kept>,
    dropped: Option<String>,
}

impl ModelRun<'_> {
    /// The candidates that the model keeps, and those that it drops.
    pub(super) async fn decide(
        &self,
        batch: &PromptBatch<'_>,
        first: &FirstTurn,
    ) -> Result<Arc<Answer>, AskError> {
        let order = by_importance(&first.answer.found);
        let shown: Vec<_> = order
            .iter()
            .filter_map(|at| {
                let (found, raw) = (first.answer.found.get(*at)?, first.raw.get(*at)?);
                Some(prompt::Shown {
                    at: found.at,
                    priority: found.priority,
                    summary: &found.summary,
                    depends_on: &raw.depends_on,
                })
            })
            .collect();
        let (candidates, count) = prompt::candidates(batch, &shown, &self.shared.redactor);
        let order = order.get(..count).unwrap_or_default();
        let mut looked_up = self.nothing_shown();
        let depends = order
            .iter()
            .filter_map(|at| first.raw.get(*at))
            .any(|raw| raw.evidence == Evidence::Depends)
            || batch
                .doubtful()
                .any(|(_, hint)| hint.candidate.priority <= Priority::P2);
        let left = if depends { self.offered(&looked_up) } else { 0 };
        let has_doubtful = batch.doubtful().next().is_some();
        let prompt = prompt::decide(&first.prompt, candidates, has_doubtful, left);
        let decisions = self.converse(prompt, left, &mut looked_up).await?;
        let opinions = self.opinions(batch, &decisions);
        let verdicts = verdicts(batch, first, order, decisions);
        let has_decided = !verdicts.is_empty() || order.is_empty() && !opinions.is_empty();
        if !has_decided {
            return Err(AskError::Undecided);
        }
        let answer = Arc::new(Answer {
            opinions,
            ..self.outcome(batch, first, order, verdicts, &looked_up)
        });
        // Code from a repository is not part of the key. A decision without look-ups that the model may have needed would
        // be worse the next time.
        let lacks_look_ups = depends && self.repository.is_some() && left == 0;
        if let (Some(cache), Some(key)) = (&self.shared.answers, first.key)
            && looked_up.is_empty()
            && !lacks_look_ups
        {
            let dropped = [&*first.answer.dropped, &*answer.dropped].concat();
            let all = Answer {
                dropped,
                ..Answer::clone(&answer)
            };
            cache.put(key, Arc::new(all));
        }
        Ok(answer)
    }

    /// Answers look-ups until the model decides.
    async fn converse(
        &self,
        mut prompt: Prompt,
        mut left: usize,
        looked_up: &mut Shown,
    ) -> Result<Decisions, AskError> {
        loop {
            let decisions = self.ask_decisions(&prompt, left > 0).await?;
            let repeats = decisions.kept.is_empty() && decisions.dropped.is_empty();
            if left == 0 || decisions.lookups.is_empty() || !repeats {
                return Ok(decisions);
            }
            let request = prompt::look_ups(&decisions.lookups, &self.shared.redactor);
            let new = self.look_up(&decisions.lookups, looked_up).await;
            left = self.offered(looked_up);
            prompt = prompt::looked_up(&prompt, request, looked_up.last(new), left);
        }
    }

    /// Asks for decisions, or for look-ups if they are allowed. An answer with neither is requested once more.
    async fn ask_decisions(
        &self,
        prompt: &Prompt,
        may_look_up: bool,
    ) -> Result<Decisions, AskError> {
        let (reply, model) = self.complete(prompt, 0).await?;
        let (fault, _) = match read(&reply.text, reply.finish, may_look_up) {
            Ok(decisions) => return Ok(decisions),
            Err(fault) => fault,
        };
        let repair = prompt::repair(prompt, fault);
        let (reply, _) = self.complete(&repair, model).await?;
        read(&reply.text, reply.finish, may_look_up).map_err(|(_, error)| error)
    }

    /// The outcome of the conversation.
    fn outcome(
        &self,
        batch: &PromptBatch<'_>,
        first: &FirstTurn,
        order: &[usize],
        mut verdicts: HashMap<usize, Verdict>,
        looked_up: &Shown,
    ) -> Answer {
        let symbols = Symbols::of(batch).and(looked_up.texts());
        let mut answer = Answer::default();
        for (at, (found, raw)) in first.answer.found.iter().zip(&first.raw).enumerate() {
            let found = Located {
                evidence: raw.evidence,
                ..found.clone()
            };
            if !order.contains(&at) {
                // There was no room to ask about it.
                answer.found.push(found.with(Standing::Minor));
                continue;
            }
            let verdict = verdicts.remove(&at).unwrap_or_default();
            match (verdict.kept, verdict.dropped) {
                (Some(kept), None) => {
                    let found = self.corrected(found, &kept);
                    let references = looked_up.references(&found.text(), &batch.files);
                    let found = Located {
                        references,
                        ..found
                    };
                    answer.found.push(gate(found, &symbols));
                }
                (Some(_), Some(_)) => answer.found.push(found.with(Standing::Unchecked)),
                (None, reason) => {
                    let reason = self.reason(&reason.unwrap_or_default());
                    if is_protected(&found) {
                        let proof = Some(format!("{WITHDRAWN}: {reason}"));
                        let found = Located { proof, ..found };
                        let references = looked_up.references(&found.text(), &batch.files);
                        let found = Located {
                            references,
                            ..found
                        };
                        answer.found.push(found.with(Standing::Minor));
                    } else {
                        answer.dropped.push(self.refuted(batch, &found, &reason));
                    }
                }
            }
        }
        answer
    }

    /// The opinions on the findings of other engines. A contradictory one does not count.
    fn opinions(&self, batch: &PromptBatch<'_>, decisions: &Decisions) -> Vec<(usize, Opinion)> {
        let numbered = (1..).map(|number: usize| format!("R{number}"));
        let opinion = |(number, (at, _)): (String, (usize, _))| {
            let is_kept = decisions.kept.iter().any(|kept| kept.number == number);
            let dropped = decisions.dropped.iter().find(|(one, _)| *one == number);
            match (is_kept, dropped) {
                (true, None) => Some((at, Opinion::Confirmed)),
                (false, Some((_, reason))) => Some((at, Opinion::Refuted(self.reason(reason)))),
                _ => None,
            }
        };
        numbered.zip(batch.doubtful()).filter_map(opinion).collect()
    }

    /// A candidate with the model's corrections. Texts that quote the instructions are not used.
    fn corrected(&self, found: Located, kept: &Kept) -> Located {
        let text = |text: &str| tidy(text).filter(|text| !quotes_instructions(text));
        let proof = tidy(self.shared.redactor.text(&kept.evidence).as_str());
        Located {
            priority: kept.priority.unwrap_or(found.priority),
            summary: text(&kept.summary).unwrap_or(found.summary),
            fix: text(&kept.fix).or(found.fix),
            proof: proof.filter(|proof| !quotes_instructions(proof)),
            ..found
        }
    }

    /// The reason for which a candidate was dropped, as a sentence. The model may have guessed a secret.
    fn reason(&self, reason: &str) -> String {
        let reason = tidy(self.shared.redactor.text(reason).as_str());
        reason
            .filter(|reason| !quotes_instructions(reason))
            .unwrap_or_else(|| "no reason was stated.".to_owned())
    }

    fn refuted(&self, batch: &PromptBatch<'_>, found: &Located, reason: &str) -> Lost {
        let place = batch.line(found.at).map(|(file, line)| {
            let number = line.locate().map(|(_, number)| format!(":{number}"));
            format!("{}{}", file.path, number.unwrap_or_default())
        });
        Lost {
            cause: DropCause::Refuted,
            count: 1,
            place: place.unwrap_or_default(),
            summary: format!(
                "{} Reason: {reason}",
                prompt::plain_line(self.shared.redactor.text(&found.summary).as_str())
            ),
        }
    }
}

/// The indices of candidates in the order in which a model is shown them: serious ones first, then as listed.
fn by_importance(found: &[Located]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|at| {
        found
            .get(*at)
            .map(|one| (!is_protected(one), one.priority, one.place))
    });
    order
}

/// Reads an answer of the second turn. An error has the defect, worded for the model, and the reason for the user.
fn read(
    text: &str,
    finish: Finish,
    may_look_up: bool,
) -> Result<Decisions, (&'static str, AskError)> {
    if finish != Finish::Stop {
        return Err(("it was cut off", AskError::BrokeOff));
    }
    match reply::read_decisions(text) {
        Ok(decisions) if !decisions.is_empty() => Ok(decisions),
        Ok(decisions) if may_look_up && !decisions.lookups.is_empty() => Ok(decisions),
        Ok(_) => Err(("it decides on no candidate", AskError::Undecided)),
        Err(fault) if fault.contains("cut off") => Err((fault, AskError::BrokeOff)),
        Err(fault) => Err((fault, AskError::Unreadable)),
    }
}

/// The verdicts on candidates, by their index. `order` has the index of each number. The first decision of each kind
/// counts; unknown numbers do not.
fn verdicts(
    batch: &PromptBatch<'_>,
    first: &FirstTurn,
    order: &[usize],
    decisions: Decisions,
) -> HashMap<usize, Verdict> {
    let mut verdicts: HashMap<usize, Verdict> = HashMap::new();
    let numbered = |number: &str| {
        let number: usize = number.parse().ok()?;
        order.get(number.checked_sub(1)?).copied()
    };
    for kept in decisions.kept {
        if let Some(at) = numbered(&kept.number) {
            verdicts.entry(at).or_default().kept.get_or_insert(kept);
        }
    }
    for (number, reason) in decisions.dropped {
        if let Some(at) = numbered(&number) {
            let verdict = verdicts.entry(at).or_default();
            verdict.dropped.get_or_insert(reason);
        }
    }
    // Some models repeat the findings instead of their numbers.
    let index = BatchIndex::of(batch);
    for raw in &decisions.repeated {
        let Some(located) = locate(raw, &index) else {
            continue;
        };
        let same = order.iter().find(|at| {
            let found = first.answer.found.get(**at);
            let is_open = verdicts
                .get(*at)
                .is_none_or(|verdict| verdict.kept.is_none());
            is_open && found.is_some_and(|found| found.at == located.at)
        });
        if let Some(at) = same {
            verdicts.entry(*at).or_default().kept = Some(Kept {
                priority: Some(located.priority),
                ..Kept::default()
            });
        }
    }
    verdicts
}
