//! The files of an example as the repository around its change.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::future::ready;

use futures_util::future::BoxFuture;
use impact::{Links, Project};
use review::repository::{
    Answer, InThisThread, Listing, Lookup, MentionSearch, MentioningFile, Mentions, QueryRunner,
    Refusal, Repository, has_extension, mentions_word,
};
use review::{Budget, Candidate, Chunk, Event, FileDiff, Scope, Status, Task};

use super::files::{ExampleFiles, text};
use crate::facts::{Facts, Linked};
use crate::registry::RuleSet;
use crate::scan::conclude::at_once;
use crate::scan::repository::{findings, judges};

/// The findings about the files around the changed files of an example.
pub(super) fn around(
    set: &RuleSet,
    files: &ExampleFiles<'_>,
    linked: Vec<Linked>,
) -> Vec<Candidate> {
    let (settings, links): (Vec<Facts>, Vec<Links>) = linked
        .into_iter()
        .map(|own| (own.settings, own.links))
        .unzip();
    let (diffs, repository) = (diffs(files), ExampleRepository::of(files));
    let (scope, budget) = (Scope::default(), Budget::of_bytes(usize::MAX / 2));
    let task = Task {
        chunks: &files.changed,
        files: &diffs,
        found: &[],
        scope: &scope,
        repository: Some(&repository),
        max_candidates: usize::MAX,
        budget: &budget,
        answer: &budget,
    };
    let project = Project {
        task: &task,
        repository: &repository,
        reader: &InThisThread,
        report: &|_: Event| (),
    };
    let rulings = at_once(impact::compare(&project, &links, &judges(set.catalog())));
    findings(set.catalog(), &settings, rulings).0
}

/// The files of an example in the order of their indices.
fn diffs<'a>(files: &ExampleFiles<'_>) -> Vec<FileDiff<'a>> {
    let all = files.changed.iter().chain(&files.unchanged);
    let diffs: BTreeMap<usize, FileDiff<'a>> = all
        .map(|file| (file.index, diff(file, files.old_paths.get(&file.index))))
        .collect();
    diffs.into_values().collect()
}

fn diff<'a>(file: &Chunk<'_>, old_path: Option<&&str>) -> FileDiff<'a> {
    let path = file.path.to_string();
    let old_path = old_path.map_or_else(|| path.clone(), ToString::to_string);
    FileDiff {
        old_path: Some(Cow::Owned(old_path)).filter(|_| file.status != Status::Added),
        new_path: Some(Cow::Owned(path)).filter(|_| file.status != Status::Removed),
        status: file.status,
        old_mode: None,
        new_mode: None,
        binary: false,
        is_unshown: false,
        is_test: None,
        hunks: Vec::new(),
    }
}

/// The files of an example after the change, by path.
#[derive(Debug)]
struct ExampleRepository(BTreeMap<String, String>);

impl ExampleRepository {
    fn of(files: &ExampleFiles<'_>) -> Self {
        let all = files.changed.iter().chain(&files.unchanged);
        let left = all.filter(|file| file.status != Status::Removed);
        Self(
            left.map(|file| (file.path.to_string(), text(file)))
                .collect(),
        )
    }
}

impl Repository for ExampleRepository {
    fn look_up<'a>(&'a self, _: &'a Lookup) -> BoxFuture<'a, Result<Answer, Refusal>> {
        Box::pin(ready(Err(Refusal::Failed)))
    }

    fn mentions<'a>(
        &'a self,
        search: &'a MentionSearch,
        _: &'a dyn QueryRunner,
    ) -> BoxFuture<'a, Result<Mentions, Refusal>> {
        let file = |(path, text): (&String, &String)| MentioningFile {
            path: path.clone(),
            text: text.clone(),
            names: search
                .names
                .iter()
                .filter(|name| mentions_word(text, name))
                .cloned()
                .collect(),
        };
        let is_searched = |path: &str| has_extension(path, &search.extensions);
        let searched = || self.0.iter().filter(|(path, _)| is_searched(path));
        let mentions = Mentions {
            files: searched()
                .map(file)
                .filter(|file| !file.names.is_empty())
                .collect(),
            paths: searched().map(|(path, _)| path.clone()).collect(),
            ..Mentions::default()
        };
        Box::pin(ready(Ok(mentions)))
    }

    fn list<'a>(
        &'a self,
        extensions: &'a [&'static str],
    ) -> BoxFuture<'a, Result<Listing, Refusal>> {
        let listed = self.0.keys().filter(|path| has_extension(path, extensions));
        let listing = Listing {
            paths: listed.cloned().collect(),
            is_complete: true,
        };
        Box::pin(ready(Ok(listing)))
    }

    fn read<'a>(
        &'a self,
        paths: &'a [String],
    ) -> BoxFuture<'a, Result<BTreeMap<String, String>, Refusal>> {
        let read = |path: &String| Some((path.clone(), self.0.get(path)?.clone()));
        Box::pin(ready(Ok(paths.iter().filter_map(read).collect())))
    }

    fn ignored<'a>(
        &'a self,
        _: &'a [String],
        _: &'a dyn QueryRunner,
    ) -> BoxFuture<'a, Result<BTreeSet<String>, Refusal>> {
        Box::pin(ready(Ok(BTreeSet::new())))
    }
}
