//! From what came of batches and rankings to the events that the pipeline takes.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use review::{Dropped, DroppedFinding, Event, Warning, WarningCode};

use super::call::AskError;
use super::find::{BatchResult, candidate};
use super::pool::Part;
use super::run::ModelRun;
use crate::cache::{Answer, Lost};
use crate::prompt_batch::{BatchFile, PromptBatch};
use crate::stages::confidence::{Signals, confidence};
use crate::stages::ranking::Ranking;
use crate::stages::{falsify, selector};

impl ModelRun<'_> {
    /// Reports how far the search in a batch came, and what was left out of it.
    pub(super) fn report_search(&self, batch: &PromptBatch<'_>, result: &BatchResult) {
        for file in batch.files.iter().filter(|file| file.redacted) {
            self.warn(
                file,
                WarningCode::SecretsRedacted,
                "secret values were masked before this file went to the language model",
            );
        }
        if let Some(error) = result.missing {
            let message = format!("the language model may have found more here: {}", error.reason(self.shared.reader));
            batch.files.iter().for_each(|file| self.warn(file, WarningCode::FilePartlyAnalyzed, &message));
        }
        if let Ok(answer) = &result.answer {
            self.report_dropped(batch, answer);
        }
    }

    fn report_dropped(&self, batch: &PromptBatch<'_>, answer: &Answer) {
        let mut dropped: BTreeMap<_, Dropped> = BTreeMap::new();
        for lost in &answer.dropped {
            let all = dropped.entry(lost.cause).or_insert_with(|| Dropped::unnamed(lost.cause, 0));
            all.count += lost.count;
            all.findings.extend((!lost.summary.is_empty()).then(|| name(batch, lost)));
        }
        dropped.into_values().for_each(|dropped| self.report.report(Event::Dropped(dropped)));
    }

    /// Reports all candidates of a change, with what a ranking made of each. None is lost by it.
    pub(super) fn report_ranked(&self, parts: &[&Part<'_>], ranking: &Ranking) {
        self.report.report(Event::Held(0));
        let ranks: HashMap<usize, usize> = ranking.chosen.iter().enumerate().map(|(rank, at)| (*at, rank)).collect();
        for (at, (part, found)) in parts.iter().flat_map(|part| part.candidates()).enumerate() {
            let rank = ranks.get(&at).copied();
            let is_doubted = ranking.doubted.contains(&at);
            let signals = Signals { rank, finders: self.finders(), is_doubted };
            let confidence = confidence(self.shared.model.name(), found, signals);
            if let Some(mut candidate) = candidate(&part.batch, found, confidence) {
                let priority = selector::priority(found, rank.is_some());
                candidate.priority = if is_doubted { falsify::lowered(found, priority) } else { priority };
                self.report.report(Event::Found(candidate));
            }
        }
    }

    /// Says of each file with candidates what no model did about them.
    pub(super) fn report_unranked(&self, parts: &[&Part<'_>], undone: &str, error: AskError) {
        let message = format!("no language model {undone}: {}", error.reason(self.shared.reader));
        let mut warned = BTreeSet::new();
        for (part, found) in parts.iter().flat_map(|part| part.candidates()) {
            let file = part.batch.files.get(found.at.0);
            if let Some(file) = file.filter(|file| warned.insert(file.index)) {
                self.warn(file, WarningCode::FindingsUnverified, &message);
            }
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
