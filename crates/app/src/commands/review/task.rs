//! The parsed arguments of a review.

use std::path::PathBuf;

use git::Change;
use review::Language;

use super::baselines::Baselines;
use super::fix::Fix;
use super::preview::Preview;
use super::report::Report;
use crate::client::PlainHttp;
use crate::project;

/// The parsed arguments.
pub(super) struct Task {
    pub(super) source: Source,
    pub(super) context: Option<FileContext>,
    pub(super) language: Option<Language>,
    pub(super) min_confidence: Option<f32>,
    /// The purpose of the change.
    pub(super) message: Option<String>,
    pub(super) project: project::Sources,
    /// How to fix findings, if requested.
    pub(super) fix: Option<Fix>,
    pub(super) service: Option<Service>,
    /// The preview to show instead of a review.
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

/// The source of the change.
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

/// A change of the checkout that contains the current folder.
pub(super) struct Checkout {
    pub(super) change: Change,
    /// The paths that the change is limited to; all of it if empty.
    pub(super) paths: Vec<PathBuf>,
    /// Whether untracked files are included unless git ignores them.
    pub(super) untracked: bool,
}

/// The service that reviews instead of this process.
pub(super) struct Service {
    pub(super) server: String,
    pub(super) organization: String,
    pub(super) plain_http: PlainHttp,
    /// Whether all lines of the changed files are sent, and other files of the repository that concern the change.
    pub(super) sends_context: bool,
}
