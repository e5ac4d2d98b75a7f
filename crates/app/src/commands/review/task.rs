//! What a review is asked for, once the arguments are read.

use std::path::PathBuf;

use review::Language;

use super::baselines::Baselines;
use super::fix::Fix;
use super::preview::Preview;
use super::report::Report;
use crate::client::PlainHttp;
use crate::git::Change;
use crate::project;

/// What the arguments mean.
pub(super) struct Task {
    pub(super) source: Source,
    pub(super) context: Option<FileContext>,
    pub(super) language: Option<Language>,
    pub(super) min_confidence: Option<f32>,
    /// What the change is meant to do.
    pub(super) message: Option<String>,
    pub(super) project: project::Sources,
    /// How to fix findings, if they are to be fixed.
    pub(super) fix: Option<Fix>,
    pub(super) service: Option<Service>,
    /// What is shown instead of a review.
    pub(super) preview: Option<Preview>,
    pub(super) show_dropped: bool,
    pub(super) baselines: Baselines,
    pub(super) result: Report,
}

/// How much of the changed files is analysed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum FileContext {
    Repository,
    File,
    Hunks,
}

/// Where the change is.
pub(super) enum Source {
    Stdin,
    /// A diff.
    File(PathBuf),
    /// A source file outside of a checkout.
    Code(PathBuf),
    Checkout(Checkout),
}

impl Source {
    /// All lines of the files count as added.
    pub(super) fn is_whole(&self) -> bool {
        matches!(
            self,
            Self::Checkout(Checkout {
                change: Change::Whole,
                ..
            })
        )
    }
}

/// A change of the checkout around the current folder.
pub(super) struct Checkout {
    pub(super) change: Change,
    /// What it is looked at below; all of it if there are none.
    pub(super) paths: Vec<PathBuf>,
    /// Untracked files are part of it unless git ignores them.
    pub(super) untracked: bool,
}

/// The service that reviews in place of this process.
pub(super) struct Service {
    pub(super) server: String,
    pub(super) organization: String,
    pub(super) plain_http: PlainHttp,
    /// Files that the change refers to are sent along.
    pub(super) sends_context_files: bool,
}
