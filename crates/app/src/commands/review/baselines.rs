//! The baselines of a run: one to compare with, one to write.

use std::path::{Path, PathBuf};

use review::output::json::ReviewBody;
use review::output::{Coverage, counted};

use crate::baseline::Baseline;
use crate::out;
use crate::outcome::Error;

/// The baselines of a run.
pub(super) struct Baselines {
    known: Option<Baseline>,
    write: Option<PathBuf>,
}

impl Baselines {
    /// Reads the one to compare with.
    ///
    /// # Errors
    /// It cannot be used.
    pub(super) fn open(known: Option<&Path>, write: Option<PathBuf>) -> Result<Self, Error> {
        Ok(Self { known: known.map(Baseline::read).transpose()?, write })
    }

    /// Marks the findings that are known; first writes down all of them, if that is wanted and the review took place.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn mark(&self, body: &mut ReviewBody) -> Result<(), Error> {
        match &self.write {
            Some(file) if Coverage::of(body) != Coverage::Nothing => {
                let baseline = Baseline::of(body);
                write(&baseline, file)?;
                baseline.mark(body);
            }
            _ => self.known.iter().for_each(|known| known.mark(body)),
        }
        Ok(())
    }

    /// Writes down that nothing was found, if that is wanted.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn write_empty(&self) -> Result<(), Error> {
        self.write.as_deref().map_or(Ok(()), |file| write(&Baseline::default(), file))
    }
}

fn write(baseline: &Baseline, file: &Path) -> Result<(), Error> {
    baseline.write(file)?;
    let findings = counted(baseline.entries.len(), "finding");
    out::note(&format!("note: wrote {findings} to {}", file.display()));
    Ok(())
}
