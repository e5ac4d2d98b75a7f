//! From what came of a batch to the events that the pipeline takes.

use std::collections::BTreeMap;

use review::{Dropped, DroppedFinding, Event, Warning, WarningCode};

use super::batch_review::{BatchReview, candidate};
use super::call::AskError;
use super::run::ModelRun;
use crate::cache::{Answer, Lost};
use crate::prompt_batch::{BatchFile, PromptBatch};

impl ModelRun<'_> {
    /// Reports what came of a batch.
    pub(super) fn report_batch(&self, batch: &PromptBatch<'_>, review: BatchReview) -> Result<(), AskError> {
        for file in batch.files.iter().filter(|file| file.redacted) {
            self.warn(
                file,
                WarningCode::SecretsRedacted,
                "secret values were masked before this file went to the language model",
            );
        }
        for (code, what, error) in [
            (WarningCode::FindingsUnverified, "what the language model found here was not verified", review.unverified),
            (WarningCode::FilePartlyAnalyzed, "the language model may have found more here", review.missing),
        ] {
            let Some(error) = error else { continue };
            batch.files.iter().for_each(|file| self.warn(file, code, &format!("{what}: {}", error.reason())));
        }
        self.report_answer(batch, &*review.result?);
        Ok(())
    }

    fn report_answer(&self, batch: &PromptBatch<'_>, answer: &Answer) {
        let found = answer.found.iter().filter_map(|located| candidate(batch, located));
        found.for_each(|candidate| self.report.report(Event::Found(candidate)));
        self.report_doubts(batch, &answer.doubts);
        let mut dropped: BTreeMap<_, Dropped> = BTreeMap::new();
        for lost in &answer.dropped {
            let all = dropped.entry(lost.cause).or_insert_with(|| Dropped::unnamed(lost.cause, 0));
            all.count += lost.count;
            all.findings.extend((!lost.summary.is_empty()).then(|| name(batch, lost)));
        }
        dropped.into_values().for_each(|dropped| self.report.report(Event::Dropped(dropped)));
    }

    /// The verifier may only lower the confidence of what the rules found.
    fn report_doubts(&self, batch: &PromptBatch<'_>, doubts: &[(usize, f32)]) {
        let mut by_file: BTreeMap<usize, usize> = BTreeMap::new();
        for (hint, confidence) in doubts {
            let Some(hint) = batch.hints.get(*hint) else { continue };
            self.report.report(Event::Doubted { found: hint.index, confidence: *confidence });
            *by_file.entry(hint.candidate.file).or_default() += 1;
        }
        for file in &batch.files {
            let Some(count) = by_file.get(&file.index) else { continue };
            let message =
                format!("findings of rules that the language model doubts, which lowers their confidence: {count}");
            self.warn(file, WarningCode::FindingsDoubted, &message);
        }
    }

    fn warn(&self, file: &BatchFile<'_>, code: WarningCode, message: &str) {
        let warning = Warning::file(code, file.path, message);
        self.report.report(Event::Warned { chunk: Some(file.chunk), warning });
    }
}

fn name(batch: &PromptBatch<'_>, lost: &Lost) -> DroppedFinding {
    let line = lost.at.and_then(|at| batch.line(at));
    let number = line.and_then(|(_, line)| line.locate()).map(|(_, number)| number);
    let place = match (line, number) {
        (Some((file, _)), Some(number)) => format!("{}:{number}", file.path),
        (Some((file, _)), None) => file.path.to_owned(),
        (None, _) => lost.place.clone(),
    };
    DroppedFinding { place, summary: lost.summary.clone() }
}
