//! The progress of a review's chunks. The batches that contain them end one by one.

use std::sync::{Mutex, MutexGuard, PoisonError};

use review::{Chunk, ChunkStatus, Event, Report, Spent, Warning, WarningCode};

use super::call::AskError;
use crate::model::{ASK_OPERATOR, CallError, Reader};

/// The progress of the chunks.
pub(super) struct Progress<'a, 'd> {
    chunks: &'a [Chunk<'d>],
    report: &'a dyn Report,
    reader: Reader,
    open: Mutex<Vec<ChunkProgress>>,
}

#[derive(Clone, Default)]
struct ChunkProgress {
    /// Batches that are not done.
    batches: usize,
    is_started: bool,
    is_done: bool,
    errors: Vec<AskError>,
}

impl<'a, 'd> Progress<'a, 'd> {
    /// The progress of a review in which these are the chunks of each batch. A chunk in no batch is done.
    pub(super) fn new<'b>(
        chunks: &'a [Chunk<'d>],
        batches: impl Iterator<Item = &'b [usize]>,
        report: &'a dyn Report,
        reader: Reader,
    ) -> Self {
        let mut open = vec![ChunkProgress::default(); chunks.len()];
        for chunk in batches.flatten() {
            if let Some(chunk) = open.get_mut(*chunk) {
                chunk.batches += 1;
            }
        }
        for (chunk, _) in open
            .iter()
            .enumerate()
            .filter(|(_, chunk)| chunk.batches == 0)
        {
            report.report(Event::Ended {
                chunk,
                status: ChunkStatus::Done,
            });
        }
        Self {
            chunks,
            report,
            reader,
            open: Mutex::new(open),
        }
    }

    fn open(&self) -> MutexGuard<'_, Vec<ChunkProgress>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that a batch with these chunks begins.
    pub(super) fn start(&self, chunks: &[usize]) {
        let mut open = self.open();
        for at in chunks {
            if let Some(chunk) = open.get_mut(*at).filter(|chunk| !chunk.is_started) {
                chunk.is_started = true;
                self.report.report(Event::Started { chunk: *at });
            }
        }
    }

    /// Records that a batch with these chunks ended, with the result of each of its parts.
    pub(super) fn end(&self, chunks: &[usize], parts: &[Result<(), AskError>]) {
        let mut open = self.open();
        for at in chunks {
            let Some(chunk) = open.get_mut(*at) else {
                continue;
            };
            chunk.batches = chunk.batches.saturating_sub(1);
            chunk.is_done |= parts.iter().any(Result::is_ok);
            chunk
                .errors
                .extend(parts.iter().filter_map(|part| part.err()));
            if chunk.batches == 0 {
                self.conclude(*at, chunk);
            }
        }
    }

    /// A chunk is done if any part of it is, with a warning about the others. It failed if no part is done.
    fn conclude(&self, at: usize, chunk: &ChunkProgress) {
        let status = if chunk.is_done {
            ChunkStatus::Done
        } else {
            failed(&chunk.errors, self.reader)
        };
        if let (true, Some(error)) = (chunk.is_done, chunk.errors.first()) {
            let message = format!(
                "the language model did not review a part of this file: {}",
                error.reason(self.reader)
            );
            let path = self.chunks.get(at).map_or("", |chunk| &chunk.path);
            let warning = Warning::file(error.code(), path, message);
            self.report.report(Event::Warned {
                chunk: Some(at),
                warning,
            });
        }
        self.report.report(Event::Ended { chunk: at, status });
    }
}

/// The status of a chunk of which nothing was reviewed.
fn failed(errors: &[AskError], reader: Reader) -> ChunkStatus {
    let timed_out = AskError::Call(CallError::TimedOut);
    if errors.iter().all(|error| *error == AskError::NoBudget) {
        ChunkStatus::OutOfTokens
    } else if errors.iter().all(|error| *error == timed_out) {
        ChunkStatus::TimedOut
    } else {
        let telling = errors
            .iter()
            .find(|error| !matches!(error, AskError::NoBudget));
        ChunkStatus::Failed(
            telling.map_or_else(|| Spent::Time.to_string(), |error| error.reason(reader)),
        )
    }
}

impl AskError {
    fn code(&self) -> WarningCode {
        match self {
            Self::NoBudget => WarningCode::TokenBudgetReached,
            Self::Call(CallError::TimedOut) => WarningCode::ChunkTimedOut,
            _ => WarningCode::ChunkFailed,
        }
    }

    /// The cause, and what its reader can do about it.
    pub(super) fn reason(&self, reader: Reader) -> String {
        match reader {
            Reader::Operator => self.reason_for_operator(),
            Reader::Member => self.reason_for_member(),
        }
    }

    fn reason_for_member(&self) -> String {
        match self {
            Self::Call(error) => format!("{error}; {}", error.advice_for_members()),
            Self::Unreadable => format!("its answer could not be read; {ASK_OPERATOR}"),
            Self::BrokeOff => format!("its answer was cut off; {ASK_OPERATOR}"),
            Self::NoRoom => format!("its answer did not fit; {ASK_OPERATOR}"),
            Self::Undecided => format!("its answer was empty; {ASK_OPERATOR}"),
            Self::NoBudget => {
                "the review's token budget is used up; review a smaller change".to_owned()
            }
        }
    }

    fn reason_for_operator(&self) -> String {
        match self {
            Self::Call(error) => format!("{error}; {}", error.advice()),
            Self::Unreadable => {
                "its answer could not be read; configure another model to fall back to".to_owned()
            }
            Self::BrokeOff => "its answer was cut off; raise `max_output_tokens`".to_owned(),
            Self::NoRoom => "its answer did not fit; raise `max_output_tokens`".to_owned(),
            Self::Undecided => {
                "its answer was empty; configure another model to fall back to".to_owned()
            }
            Self::NoBudget => {
                "the review's token budget is used up; raise `review_tokens`".to_owned()
            }
        }
    }
}
