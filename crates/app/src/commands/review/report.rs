//! The result of a review, on stdout or in a file, and the exit status that follows from it.

use std::fs;
use std::path::PathBuf;

use review::output::json::{self, ReviewBody};
use review::output::{Format, pretty};
use review::{Diff, Priority, Review, TokenUsage};

use crate::commands;
use crate::out;
use crate::outcome::{Error, Exit, Outcome};

/// How the result is to be shown.
pub(super) struct Report {
    pub(super) format: Format,
    /// The file to write instead of stdout.
    pub(super) file: Option<PathBuf>,
    /// The least important priority that makes the run fail.
    pub(super) fail_on: Option<Priority>,
}

impl Report {
    /// Shows a finished review.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn show(&self, body: &ReviewBody, diff: &Diff<'_>) -> Outcome {
        self.write(&match self.format {
            // On the way to stdout, colour is taken out where it is not wanted.
            Format::Pretty => pretty::render(body, diff, self.file.is_none(), lint::shown_code),
            Format::Json => json::render(body),
        })?;
        let fails = |priority| self.fail_on.is_some_and(|least| priority <= least);
        let failing = body.findings.iter().any(|finding| fails(finding.priority));
        Ok(if failing { Exit::Findings } else { Exit::Success })
    }

    /// Says that there was nothing to review. That is no error: hooks and CI meet it every day.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn nothing(&self) -> Outcome {
        let sentence = "no changes to review";
        if self.format == Format::Pretty {
            return self.write(&format!("{sentence}\n"));
        }
        out::note(sentence);
        let review = Review {
            findings: Vec::new(),
            warnings: Vec::new(),
            chunks_analyzed: 0,
            usage: TokenUsage::default(),
            engines: Vec::new(),
            model: None,
        };
        self.write(&json::render(&json::body(&request_id(), None, &review, 0)))
    }

    /// Writes a result where it is wanted.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn write(&self, text: &str) -> Outcome {
        let Some(file) = &self.file else { return commands::print(text) };
        fs::write(file, text).map_err(|error| Error::failure(format!("cannot write {}: {error}", file.display())))?;
        Ok(Exit::Success)
    }
}

/// The ID of a review that no service gave one.
#[expect(clippy::disallowed_methods, reason = "the command line is the edge: it hands out what the service else would")]
pub(super) fn request_id() -> String {
    uuid::Uuid::now_v7().to_string()
}
