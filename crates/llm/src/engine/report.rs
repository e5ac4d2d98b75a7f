//! Turns the results of batches into events for the pipeline.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use review::{Candidate, DropCause, Dropped, DroppedFinding, Event, Origin, Warning, WarningCode};

use super::find::BatchResult;
use super::pool::Part;
use super::run::ModelRun;
use crate::cache::Answer;
use crate::locate::Located;
use crate::prompt_batch::{BatchFile, PromptBatch};
use crate::stages::confidence::confidence;
use crate::stages::dedupe::Pooled;
use crate::stages::quota::{chosen, priority};

impl ModelRun<'_> {
    /// Reports how the search in a batch ended, and which findings of its answer were dropped.
    pub(super) fn report_search(&self, batch: &PromptBatch<'_>, result: &BatchResult) {
        for file in batch.files.iter().filter(|file| file.redacted) {
            self.warn(
                file,
                WarningCode::SecretsRedacted,
                "secret values were masked before this file went to the language model",
            );
        }
        if let Some(error) = result.missing {
            let message = format!(
                "the language model may have found more here: {}",
                error.reason(self.shared.reader)
            );
            batch
                .files
                .iter()
                .for_each(|file| self.warn(file, WarningCode::FilePartlyAnalyzed, &message));
        }
        if let Ok(answer) = &result.answer {
            self.report_dropped(answer);
            self.report_opinions(batch, answer);
        }
    }

    /// Reports the opinions on findings of other engines.
    pub(super) fn report_opinions(&self, batch: &PromptBatch<'_>, answer: &Answer) {
        for (at, opinion) in &answer.opinions {
            if let Some(hint) = batch.hints.get(*at) {
                self.report.report(Event::Judged {
                    found: hint.index,
                    opinion: opinion.clone(),
                });
            }
        }
    }

    /// Reports that the model did not check its candidates in these files a second time.
    pub(super) fn report_unchecked(&self, part: &Part<'_>, reason: &str) {
        let message = format!(
            "the language model did not check its findings here a second time, so each is one priority lower: {reason}"
        );
        let files: BTreeSet<usize> = part.found().iter().map(|found| found.at.0).collect();
        files
            .iter()
            .filter_map(|file| part.batch.files.get(*file))
            .for_each(|file| self.warn(file, WarningCode::FindingsUnchecked, &message));
    }

    pub(super) fn report_dropped(&self, answer: &Answer) {
        let mut dropped: BTreeMap<_, Dropped> = BTreeMap::new();
        for lost in &answer.dropped {
            let all = dropped
                .entry(lost.cause)
                .or_insert_with(|| Dropped::unnamed(lost.cause, 0));
            all.count += lost.count;
            let named = || DroppedFinding {
                place: lost.place.clone(),
                summary: lost.summary.clone(),
            };
            all.findings.extend((!lost.summary.is_empty()).then(named));
        }
        dropped
            .into_values()
            .for_each(|dropped| self.report.report(Event::Dropped(dropped)));
    }

    /// Reports the candidates that duplicate another one.
    pub(super) fn report_duplicates(&self, parts: &[Part<'_>], duplicates: Vec<Pooled>) {
        if duplicates.is_empty() {
            return;
        }
        let mut dropped = Dropped::unnamed(DropCause::Duplicate, duplicates.len());
        let named = duplicates.into_iter().filter_map(|one| {
            let (file, line) = parts.get(one.part)?.batch.line(one.found.at)?;
            let number = line
                .locate()
                .map(|(_, number)| format!(":{number}"))
                .unwrap_or_default();
            Some(DroppedFinding {
                place: format!("{}{number}", file.path),
                summary: one.found.summary,
            })
        });
        dropped.findings.extend(named);
        self.report.report(Event::Dropped(dropped));
    }

    /// Reports all candidates of a change. Only as many as the quota allows keep their priority.
    pub(super) fn report_ranked(&self, parts: &[Part<'_>], pool: &[Pooled], quota: usize) {
        self.report.report(Event::Held(0));
        let found: Vec<&Located> = pool.iter().map(|one| &one.found).collect();
        let ranks: HashMap<usize, usize> = chosen(&found, quota)
            .into_iter()
            .enumerate()
            .map(|(rank, at)| (at, rank))
            .collect();
        for (at, one) in pool.iter().enumerate() {
            if let Some(part) = parts.get(one.part) {
                self.report_found(&part.batch, &one.found, ranks.get(&at).copied());
            }
        }
    }

    /// Reports a finding. `rank` is its index among those that keep their priority.
    pub(super) fn report_found(
        &self,
        batch: &PromptBatch<'_>,
        found: &Located,
        rank: Option<usize>,
    ) {
        let Some((file, line)) = batch.line(found.at) else {
            return;
        };
        let Some((side, number)) = line.locate() else {
            return;
        };
        self.report.report(Event::Found(Candidate {
            file: file.index,
            side,
            line: number,
            origin: Origin::Model,
            priority: priority(found, rank.is_some()),
            category: found.category,
            summary: found.text(),
            suggested_fix: found.fix.clone(),
            confidence: confidence(self.shared.model.name(), found, rank),
            scope: None,
            span: None,
            related: Vec::new(),
            references: found.references.clone(),
            replacement: None,
            lowered_in_test_code: false,
            suppression: None,
        }));
    }

    fn warn(&self, file: &BatchFile<'_>, code: WarningCode, message: &str) {
        let warning = Warning::file(code, file.path, message);
        self.report.report(Event::Warned {
            chunk: Some(file.chunk),
            warning,
        });
    }
}
