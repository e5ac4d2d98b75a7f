//! The files around a change that the rules read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use review::Diff;
use review::repository::{Answer, Listing, Lookup, MentionSearch, Mentions, Refusal, Repository};
use settings::Settings;

use super::task::Task;
use crate::analysis::Analysis;
use crate::analysis::input::Input;
use crate::engines;
use crate::outcome::Error;
use crate::project::Project;

/// The texts of files, by path.
pub(super) type Texts = BTreeMap<String, String>;

/// Reviews the change with the built-in rules, and returns the files of the repository that they read.
///
/// # Errors
/// As for a review.
pub(super) async fn read_by_rules(
    task: &Task,
    settings: &Settings,
    (input, diff): (&Input, &Diff<'_>),
    project: &Project,
    repository: &dyn Repository,
) -> Result<Texts, Error> {
    let files = ReadFiles {
        repository,
        texts: Mutex::default(),
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
    reviewed.map(|_| files.into_texts())
}

/// A repository that keeps what is read from it.
#[derive(Debug)]
struct ReadFiles<'a> {
    repository: &'a dyn Repository,
    texts: Mutex<Texts>,
}

impl ReadFiles<'_> {
    fn keep<'t>(&self, texts: impl IntoIterator<Item = (&'t String, &'t String)>) {
        let mut kept = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(
            texts
                .into_iter()
                .map(|(path, text)| (path.clone(), text.clone())),
        );
    }

    fn into_texts(self) -> Texts {
        self.texts
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
    ) -> BoxFuture<'a, Result<Mentions, Refusal>> {
        let asked = self.repository.mentions(search);
        let keep = move |found: Result<Mentions, Refusal>| {
            let found = found?;
            self.keep(found.files.iter().map(|file| (&file.path, &file.text)));
            Ok(found)
        };
        asked.map(keep).boxed()
    }

    fn list<'a>(
        &'a self,
        extensions: &'a [&'static str],
    ) -> BoxFuture<'a, Result<Listing, Refusal>> {
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
    ) -> BoxFuture<'a, Result<BTreeSet<String>, Refusal>> {
        self.repository.ignored(paths)
    }
}
