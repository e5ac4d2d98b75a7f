//! What a repository brings along for the command line: `.hunkwise.toml` and the rules in `.hunkwise/rules/`.
//!
//! Both come with the code under review, so a pull request can carry them. Reading is bounded, links are not followed,
//! and what is in the rules is looked at in worker processes only.

mod config;
mod files;
mod globs;
mod nearest;
mod policy;
mod rules;

use std::path::{Path, PathBuf};

use lint::custom::{CustomRule, Problem, RuleFile};
use review::Diff;

use crate::git::{Git, GitError};
use crate::out;
use crate::outcome::Error;
use crate::settings::Workers;
pub(crate) use files::{Folder, read_all};
pub(crate) use nearest::nearest;
pub(crate) use policy::Policy;
pub(crate) use rules::{Found, inspect};

/// The configuration's file at the top of a repository.
const CONFIG: &str = ".hunkwise.toml";
/// The folder of its rules.
const RULES: &str = ".hunkwise/rules";

/// Where rules and configuration are looked for.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct Sources {
    /// Also the rules (YAML) in this folder; may be given several times
    #[arg(long = "rules", value_name = "DIR")]
    folders: Vec<PathBuf>,

    /// Leave out what the repository brings along: .hunkwise.toml and .hunkwise/rules
    #[arg(long)]
    no_project_config: bool,
}

/// What was found there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Texts {
    /// The files with rules.
    files: Vec<RuleFile>,
    /// The configuration.
    config: Option<String>,
}

/// What was found there, checked.
#[derive(Debug, Default)]
pub(crate) struct Project {
    /// The files with rules, to be given to the workers.
    pub(crate) files: Vec<RuleFile>,
    /// The rules in them.
    pub(crate) rules: Vec<CustomRule>,
    pub(crate) policy: Policy,
    /// The repository brought something along.
    brought: bool,
}

impl Project {
    /// The repository under review has a say in its review.
    pub(crate) fn is_something(&self) -> bool {
        self.brought
    }
}

impl Sources {
    /// There may be custom rules.
    pub(crate) fn finds_rules(&self, root: Option<&Path>) -> bool {
        !self.folders.is_empty() || root.is_some_and(|root| !self.no_project_config && root.join(RULES).exists())
    }

    /// Reads and checks all of it.
    ///
    /// # Errors
    /// All that is wrong, each with its place.
    pub(crate) async fn open(&self, root: Option<&Path>, workers: Workers) -> Result<Project, Error> {
        self.read(root)?.check(workers).await
    }

    /// Reads all of it.
    ///
    /// # Errors
    /// What cannot be read.
    pub(crate) fn read(&self, root: Option<&Path>) -> Result<Texts, Error> {
        let root = root.filter(|_| !self.no_project_config);
        let folders = self.folders.iter().map(|path| Folder::given(path));
        let folders: Vec<Folder> = folders.chain(root.map(|root| Folder::of_project(root, RULES))).collect();
        let files = files::read_all(&folders).map_err(|problems| refused(&problems))?;
        let config = root.map(|root| files::config(root, CONFIG)).transpose().map_err(|problem| refused(&[problem]))?;
        Ok(Texts { files, config: config.flatten() })
    }
}

impl Texts {
    /// Checks all of it.
    ///
    /// # Errors
    /// All that is wrong, each with its place.
    pub(crate) async fn check(self, workers: Workers) -> Result<Project, Error> {
        let Self { files, config } = self;
        let mut problems = Vec::new();
        let found = inspect(&files, false, workers).await?;
        problems.extend(found.problems.iter().cloned());
        let brought = config.is_some() || files.iter().any(|file| file.name.starts_with(RULES));
        let policy = match &config {
            Some(text) => Policy::read(CONFIG, text, &found),
            None => Ok(Policy::default()),
        };
        let policy = policy.unwrap_or_else(|faults| {
            problems.extend(faults);
            Policy::default()
        });
        if problems.is_empty() {
            note_removed(&policy.out_of_date(&found));
            Ok(Project { files, rules: found.rules, policy, brought })
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
            out::note(&format!("note: {CONFIG} and {RULES} were not looked for: {}", shown(&error.to_string())));
            None
        }
    }
}

/// Says that a change under review has a say in its own review.
pub(crate) fn note_changes(diff: &Diff<'_>) {
    let own = |path: &&str| *path == CONFIG || path.starts_with(".hunkwise/");
    if let Some(path) = diff.files.iter().map(review::FileDiff::path).find(own) {
        out::note(&format!(
            "note: this change itself changes {}, which is in force as the working tree has it; \
             --no-project-config reviews without it",
            path.escape_debug()
        ));
    }
}

/// Says which names of the configuration stand for rules that are no more.
fn note_removed(names: &[&str]) {
    if !names.is_empty() {
        let names = shown(&names.join(", "));
        out::note(&format!("note: {CONFIG} names rules that were removed from Hunkwise, to no effect: {names}"));
    }
}

/// All problems in one message.
pub(crate) fn refused(problems: &[Problem]) -> Error {
    let lines: String = problems.iter().map(|problem| format!("\n  {}", shown(&problem.to_string()))).collect();
    let faults = if problems.len() == 1 { String::new() } else { format!(" ({} faults)", problems.len()) };
    Error::usage(format!("the rules or their configuration are not valid{faults}:{lines}"))
}

/// Without control characters: it may quote a file that somebody else wrote.
pub(crate) fn shown(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c }).collect()
}
