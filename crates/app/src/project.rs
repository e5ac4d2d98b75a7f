//! A repository's own configuration for the command line: `.hunkwise.toml` and the rules in `.hunkwise/rules/`.
//!
//! Both are part of the code under review, so a pull request can change them. With a base, they are read from the merge
//! base. Reading is bounded, links are not followed, and rules are parsed only in worker processes.

pub(crate) mod changes;
mod config;
mod files;
mod globs;
mod nearest;
mod policy;
mod rules;
mod schema;
pub(crate) mod skips;

use std::path::{Path, PathBuf};

use git::snapshot::{Owner, Snapshot};
use git::{Git, GitError};
use lint::custom::{CustomRule, Problem, RuleFile};
use review::output::printable;
use settings::Workers;

use crate::out;
use crate::outcome::Error;
pub(crate) use files::{Folder, read_all};
pub(crate) use nearest::nearest;
pub(crate) use policy::Policy;
pub(crate) use rules::{Found, inspect};
pub(crate) use schema::schema;

/// The configuration file at the top of a repository.
const CONFIG: &str = ".hunkwise.toml";
/// The folder of a repository's rules.
const RULES: &str = ".hunkwise/rules";

/// Where rules and configuration are read from.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct Sources {
    /// Use the rules (YAML) in this folder as well; may be given several times
    #[arg(long = "rules", value_name = "DIR")]
    folders: Vec<PathBuf>,

    /// Ignore the repository's own configuration and rules: .hunkwise.toml and .hunkwise/rules
    #[arg(long)]
    no_project_config: bool,
}

/// The state of a repository that decides about a review.
#[derive(Debug, Clone, Copy)]
pub(crate) enum State<'a> {
    /// The checkout with this top folder, if there is one.
    Checkout(Option<&'a Path>),
    /// A commit.
    Commit(&'a Snapshot<'a>),
}

/// The unchecked texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Texts {
    /// The files with rules.
    files: Vec<RuleFile>,
    /// The configuration.
    config: Option<String>,
}

/// The checked configuration and rules.
#[derive(Debug, Default)]
pub(crate) struct Project {
    /// The files with rules, for the workers.
    pub(crate) files: Vec<RuleFile>,
    /// The rules in them.
    pub(crate) rules: Vec<CustomRule>,
    pub(crate) policy: Policy,
}

impl Sources {
    /// Whether there may be custom rules.
    pub(crate) fn finds_rules(&self, state: State<'_>) -> bool {
        let has_own = || match state {
            State::Checkout(root) => root.is_some_and(|root| root.join(RULES).exists()),
            State::Commit(snapshot) => !matches!(snapshot.entry(Path::new(RULES)), Ok(None)),
        };
        !self.folders.is_empty() || !self.no_project_config && has_own()
    }

    /// Reads and checks the configuration and the rules.
    ///
    /// # Errors
    /// All faults, each with its place.
    pub(crate) async fn open(
        &self,
        root: Option<&Path>,
        workers: Workers,
    ) -> Result<Project, Error> {
        self.read(State::Checkout(root))?.check(workers).await
    }

    /// Reads the configuration and the rules.
    ///
    /// # Errors
    /// A file cannot be read.
    pub(crate) fn read(&self, state: State<'_>) -> Result<Texts, Error> {
        let mut folders = Vec::new();
        for path in &self.folders {
            folders.extend(given(path, state)?);
        }
        let mut config = None;
        if !self.no_project_config {
            folders.extend(match state {
                State::Checkout(root) => root.map(|root| Folder::of_project(root, RULES)),
                State::Commit(snapshot) => Some(Folder::InCommit {
                    snapshot,
                    path: RULES.into(),
                    name: RULES.to_owned(),
                }),
            });
            let read = match state {
                State::Checkout(root) => root.map_or(Ok(None), |root| files::config(root, CONFIG)),
                State::Commit(snapshot) => files::config_of_commit(snapshot, CONFIG),
            };
            config = read.map_err(|problem| refused(&[problem]))?;
        }
        let files = files::read_all(&folders).map_err(|problems| refused(&problems))?;
        Ok(Texts { files, config })
    }
}

/// A folder that the caller named, in the state that decides about the review. `None`: the change itself adds it.
fn given<'a>(path: &Path, state: State<'a>) -> Result<Option<Folder<'a>>, Error> {
    let State::Commit(snapshot) = state else {
        return Ok(Some(Folder::given(path)));
    };
    Ok(match snapshot.owner(path)? {
        Owner::Caller => Some(Folder::given(path)),
        Owner::Commit(from_top, _) => Some(Folder::InCommit {
            snapshot,
            path: from_top,
            name: path.display().to_string(),
        }),
        Owner::Change => None,
    })
}

impl Texts {
    /// Whether there are files with rules.
    pub(crate) fn have_rules(&self) -> bool {
        !self.files.is_empty()
    }

    /// Checks the configuration and the rules.
    ///
    /// # Errors
    /// All faults, each with its place.
    pub(crate) async fn check(self, workers: Workers) -> Result<Project, Error> {
        let Self { files, config } = self;
        let mut problems = Vec::new();
        let found = inspect(&files, false, workers).await?;
        problems.extend(found.problems.iter().cloned());
        let policy = match &config {
            Some(text) => Policy::read(CONFIG, text, &found, &files),
            None => Ok(Policy::default()),
        };
        let policy = policy.unwrap_or_else(|faults| {
            problems.extend(faults);
            Policy::default()
        });
        if problems.is_empty() {
            note_removed(&policy.removed(&found));
            for (former, current) in policy.renamed() {
                out::note(&format!(
                    "note: {CONFIG}: the rule {former} is now part of {current}; use that name"
                ));
            }
            Ok(Project {
                files,
                rules: found.rules,
                policy,
            })
        } else {
            Err(refused(&problems))
        }
    }
}

/// The top of the repository around the current folder, if there is one.
pub(crate) fn root() -> Option<PathBuf> {
    root_of(&Git::open(Path::new(".")))
}

/// The top of this repository, if it is one and has a working tree.
pub(crate) fn root_of(git: &Result<Git, GitError>) -> Option<PathBuf> {
    match git {
        Ok(git) => git.root().ok().map(Path::to_owned),
        Err(GitError::NoGit | GitError::NoCheckout) => None,
        Err(error) => {
            out::note(&format!(
                "note: {CONFIG} and {RULES} were not read: {error}"
            ));
            None
        }
    }
}

/// Notes the names in the configuration that belong to removed rules.
fn note_removed(names: &[&str]) {
    if !names.is_empty() {
        let names = names.join(", ");
        out::note(&format!(
            "note: {CONFIG} names rules that were removed from Hunkwise and have no effect: {names}"
        ));
    }
}

/// All problems in one message.
pub(crate) fn refused(problems: &[Problem]) -> Error {
    let lines: String = problems
        .iter()
        .map(|problem| format!("\n  {}", printable(&problem.to_string())))
        .collect();
    let faults = if problems.len() == 1 {
        String::new()
    } else {
        format!(" ({} faults)", problems.len())
    };
    Error::usage(format!(
        "the rules or their configuration are not valid{faults}:{lines}"
    ))
}
