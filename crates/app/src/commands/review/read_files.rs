//! The files around a change that the rules read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use review::Diff;
use review::repository::{
    Answer, Listing, Lookup, MentionSearch, Mentions, QueryRunner, Refusal, Repository,
};
use settings::Settings;

use super::task::Task;
use crate::analysis::Analysis;
use crate::analysis::input::Input;
use crate::client::ContextSearch;
use crate::engines;
use crate::outcome::Error;
use crate::project::Project;

/// The texts of files, by path.
pub(super) type Texts = BTreeMap<String, String>;

/// The parts of the repository that the rules read.
#[derive(Debug, Default)]
pub(super) struct Read {
    /// The files.
    pub(super) texts: Texts,
    /// The searches whose results are all in the change and in these files.
    pub(super) searches: Vec<ContextSearch>,
    /// The list of all files was read.
    pub(super) has_listed: bool,
    /// The missing files that git ignores, so that they may be generated.
    pub(super) ignored: BTreeSet<String>,
}

/// Extensions of the files that list what git ignores: their whole name is `.gitignore`.
const IGNORE_FILES: &[&str] = &["gitignore"];

/// Reviews the change with the built-in rules, and returns what they read in the repository.
///
/// # Errors
/// As for a review.
pub(super) async fn read_by_rules(
    task: &Task,
    settings: &Settings,
    (input, diff): (&Input, &Diff<'_>),
    project: &Project,
    repository: &dyn Repository,
) -> Result<Read, Error> {
    let files = ReadFiles {
        repository,
        read: Mutex::default(),
    };
    let analysis = Analysis {
        settings,
        policy: &project.policy,
        language: task.language,
        min_confidence: None,
        message: None,
        repository: Some(&files),
    };
    let mut diff = diff.clone();
    let _ = analysis.cut(&mut diff);
    let change = input.with_files(&diff, task.language);
    let engines = engines::start_rules_for(change.bytes, settings)?;
    let reviewed = analysis.run(&engines, &change, &mut |_| {}).await;
    engines.stop().await;
    reviewed.map(|_| files.into_read())
}

/// A repository that keeps what is read from it.
#[derive(Debug)]
struct ReadFiles<'a> {
    repository: &'a dyn Repository,
    read: Mutex<Read>,
}

impl ReadFiles<'_> {
    fn read(&self) -> MutexGuard<'_, Read> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep<'t>(&self, texts: impl IntoIterator<Item = (&'t String, &'t String)>) {
        let texts = texts.into_iter();
        let owned = texts.map(|(path, text)| (path.clone(), text.clone()));
        self.read().texts.extend(owned);
    }

    fn keep_search(&self, search: &MentionSearch, found: &Mentions) {
        self.keep(found.files.iter().map(|file| (&file.path, &file.text)));
        if found.is_cut || found.is_limited {
            return;
        }
        let mut names = search.names.clone();
        names.retain(|name| !found.unsearched.contains(name));
        let extensions = search.extensions.iter().map(|&one| one.to_owned());
        self.read().searches.push(ContextSearch {
            names,
            extensions: extensions.collect(),
        });
    }

    /// Reads the files that list what git ignores in the folders above these paths.
    async fn read_ignore_files(&self, paths: &[String]) -> Result<(), Refusal> {
        let mut files = self.repository.list(IGNORE_FILES).await?.paths;
        files.retain(|file| {
            let folder = file.strip_suffix(".gitignore");
            folder.is_some_and(|folder| paths.iter().any(|path| path.starts_with(folder)))
        });
        self.keep(&self.repository.read(&files).await?);
        Ok(())
    }

    fn into_read(self) -> Read {
        self.read
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Repository for ReadFiles<'_> {
    fn look_up<'a>(&'a self, lookup: &'a Lookup) -> BoxFuture<'a, Result<Answer, Refusal>> {
        self.repository.look_up(lookup)
    }

    fn is_for_models(&self) -> bool {
        false
    }

    fn mentions<'a>(
        &'a self,
        search: &'a MentionSearch,
        runner: &'a dyn QueryRunner,
    ) -> BoxFuture<'a, Result<Mentions, Refusal>> {
        let asked = self.repository.mentions(search, runner);
        let keep = move |found: Result<Mentions, Refusal>| {
            let found = found?;
            self.keep_search(search, &found);
            Ok(found)
        };
        asked.map(keep).boxed()
    }

    fn list<'a>(
        &'a self,
        extensions: &'a [&'static str],
    ) -> BoxFuture<'a, Result<Listing, Refusal>> {
        self.read().has_listed = true;
        self.repository.list(extensions)
    }

    fn read<'a>(&'a self, paths: &'a [String]) -> BoxFuture<'a, Result<Texts, Refusal>> {
        let asked = self.repository.read(paths);
        let keep = move |found: Result<Texts, Refusal>| {
            let found = found?;
            self.keep(&found);
            Ok(found)
        };
        asked.map(keep).boxed()
    }

    fn ignored<'a>(
        &'a self,
        paths: &'a [String],
        runner: &'a dyn QueryRunner,
    ) -> BoxFuture<'a, Result<BTreeSet<String>, Refusal>> {
        let read = async {
            let ignored = self.repository.ignored(paths, runner).await?;
            self.read_ignore_files(paths).await?;
            self.read().ignored.extend(ignored.iter().cloned());
            Ok(ignored)
        };
        read.boxed()
    }
}
