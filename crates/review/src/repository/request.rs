//! The repository around a change, as far as a request describes it.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::{BoxFuture, ready};

use super::answer::answer;
use super::context_files::ContextFiles;
use super::context_paths::ContextPaths;
use super::ignored;
use super::lookup::{Answer, Listing, Lookup, Repository};
use super::mentions::{
    MAX_MENTIONS, MentionSearch, MentioningFile, Mentions, NameCount, files_to_read, has_extension,
};
use super::query::{Query, QueryAnswer, QueryRunner};
use super::refusal::Refusal;
use crate::diff::{Diff, FileDiff, LineKind, Status};

/// A search that the sender made in the whole repository. The request contains all files that it found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextSearch {
    /// The names, as whole words.
    pub names: BTreeSet<String>,
    /// The extensions of the files, without a dot; `None` for all files.
    pub extensions: Option<BTreeSet<String>>,
}

/// The files, paths and searches of a request.
#[derive(Debug, Clone, Default)]
pub struct RequestRepository {
    files: ContextFiles,
    /// The files of the diff, where it contains all of their text.
    changed: BTreeMap<String, String>,
    /// The paths of the other files of the diff, except binary ones.
    unknown: Vec<String>,
    /// The paths of all files; `None` if they were not sent.
    paths: Option<ContextPaths>,
    searches: Vec<ContextSearch>,
}

impl RequestRepository {
    /// The repository of a request with these files.
    #[must_use]
    pub fn new(files: ContextFiles) -> Self {
        Self {
            files,
            ..Self::default()
        }
    }

    /// Adds the paths of all files, and the searches that the sender made in them. The paths of the diff are added and
    /// removed as it says. `whole_files`: each hunk contains all of its file.
    #[must_use]
    pub fn with_paths(
        mut self,
        mut paths: ContextPaths,
        searches: Vec<ContextSearch>,
        diff: &Diff<'_>,
        whole_files: bool,
    ) -> Self {
        for path in diff.files.iter().filter_map(removed) {
            paths.remove(path);
        }
        for (path, _) in self.files.iter() {
            paths.insert(path);
        }
        for file in &diff.files {
            let Some(path) = file.new_path.as_deref() else {
                continue;
            };
            paths.insert(path);
            match text(file).filter(|_| whole_files) {
                Some(text) => {
                    self.changed.insert(path.to_owned(), text);
                }
                None if file.binary => {}
                None => self.unknown.push(path.to_owned()),
            }
        }
        self.paths = Some(paths);
        self.searches = searches;
        self
    }

    /// The request has neither files nor paths.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.paths.is_none()
    }

    /// Maximum memory that the repository takes during a review, roughly, in bytes. Texts are copied to search them in
    /// another process and again to scan them, and paths to list them.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let paths = self.paths.as_ref().map_or(0, ContextPaths::bytes);
        let changed = self.changed.values().map(String::len);
        let texts = self.files.bytes() + changed.sum::<usize>();
        texts
            .saturating_mul(3)
            .saturating_add(paths.saturating_mul(2))
    }

    /// The texts that are known, by path.
    fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        let changed = self.changed.iter();
        let changed = changed.map(|(path, text)| (path.as_str(), text.as_str()));
        self.files.iter().chain(changed)
    }

    fn text(&self, path: &str) -> Option<&str> {
        let changed = self.changed.get(path).map(String::as_str);
        changed.or_else(|| self.files.known_text(path))
    }

    async fn find_mentions(
        &self,
        search: &MentionSearch,
        runner: &dyn QueryRunner,
    ) -> Result<Mentions, Refusal> {
        let with_extension = |path: &&str| has_extension(path, &search.extensions);
        let mut files: Vec<(&str, &str)> = self.texts().collect();
        files.retain(|(path, _)| with_extension(path));
        files.sort_unstable();
        let hits = counts(&files, &search.names, runner).await?;
        let found = files_to_read(&search.names, &hits);
        let paths: Vec<String> = match &self.paths {
            Some(paths) => paths
                .iter()
                .filter(with_extension)
                .map(str::to_owned)
                .collect(),
            None => files.iter().map(|(path, _)| (*path).to_owned()).collect(),
        };
        // The sender cannot send files of the diff, so those with unknown texts were not searched.
        let has_all = self.paths.is_some() && paths.len() == files.len();
        let is_sound = !self
            .unknown
            .iter()
            .any(|path| with_extension(&path.as_str()));
        let may_be_elsewhere =
            |name: &&String| !(has_all || is_sound && self.was_searched(name, search));
        let mut unsearched = found.common;
        unsearched.extend(search.names.iter().filter(may_be_elsewhere).cloned());
        let read = |(path, names): (String, Vec<String>)| {
            let text = self.text(&path)?.to_owned();
            Some(MentioningFile { path, text, names })
        };
        Ok(Mentions {
            files: found.files.into_iter().filter_map(read).collect(),
            paths,
            is_cut: found.is_cut,
            is_limited: false,
            unsearched,
        })
    }

    /// Whether the sender searched for a name in all such files.
    fn was_searched(&self, name: &str, search: &MentionSearch) -> bool {
        let has_extensions = |own: &ContextSearch| {
            let extensions = own.extensions.as_ref();
            extensions.is_none_or(|all| search.extensions.iter().all(|one| all.contains(*one)))
        };
        self.searches
            .iter()
            .any(|own| own.names.contains(name) && has_extensions(own))
    }

    async fn find_ignored(
        &self,
        paths: &[String],
        runner: &dyn QueryRunner,
    ) -> Result<BTreeSet<String>, Refusal> {
        let Some(all) = &self.paths else {
            return Ok(paths.iter().cloned().collect());
        };
        let files = all.iter().filter(|path| ignored::folder_of(path).is_some());
        let query = Query::Ignored {
            paths: paths.iter().map(Into::into).collect(),
            files: files
                .map(|path| (path.into(), self.text(path).map(Into::into)))
                .collect(),
        };
        match runner.run(&query).await {
            Ok(QueryAnswer::Ignored(found)) => {
                let ignored = found.into_iter().filter_map(|at| paths.get(at));
                Ok(ignored.cloned().collect())
            }
            Ok(QueryAnswer::Mentions(_)) | Err(_) => Err(Refusal::Failed),
        }
    }
}

/// How often files mention names.
async fn counts(
    files: &[(&str, &str)],
    names: &[String],
    runner: &dyn QueryRunner,
) -> Result<Vec<NameCount>, Refusal> {
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let query = Query::Mentions {
        names: names.iter().map(Into::into).collect(),
        texts: files.iter().map(|(_, text)| (*text).into()).collect(),
        most: MAX_MENTIONS + 1,
    };
    match runner.run(&query).await {
        Ok(QueryAnswer::Mentions(found)) => {
            let count = found.into_iter().filter_map(|one| {
                Some(NameCount {
                    path: files.get(one.text)?.0.to_owned(),
                    name: one.name,
                    count: one.count,
                })
            });
            Ok(count.collect())
        }
        Ok(QueryAnswer::Ignored(_)) | Err(_) => Err(Refusal::Failed),
    }
}

impl Repository for RequestRepository {
    fn look_up<'a>(&'a self, lookup: &'a Lookup) -> BoxFuture<'a, Result<Answer, Refusal>> {
        Box::pin(ready(answer(&self.files, lookup)))
    }

    fn is_for_models(&self) -> bool {
        !self.files.is_empty()
    }

    fn mentions<'a>(
        &'a self,
        search: &'a MentionSearch,
        runner: &'a dyn QueryRunner,
    ) -> BoxFuture<'a, Result<Mentions, Refusal>> {
        Box::pin(self.find_mentions(search, runner))
    }

    fn list<'a>(
        &'a self,
        extensions: &'a [&'static str],
    ) -> BoxFuture<'a, Result<Listing, Refusal>> {
        let paths: Vec<&str> = match &self.paths {
            Some(paths) => paths.iter().collect(),
            None => self.files.iter().map(|(path, _)| path).collect(),
        };
        let paths = paths
            .into_iter()
            .filter(|path| has_extension(path, extensions));
        let listing = Listing {
            paths: paths.map(str::to_owned).collect(),
            is_complete: self.paths.is_some(),
        };
        Box::pin(ready(Ok(listing)))
    }

    fn read<'a>(
        &'a self,
        paths: &'a [String],
    ) -> BoxFuture<'a, Result<BTreeMap<String, String>, Refusal>> {
        let text = |path: &String| Some((path.clone(), self.text(path)?.to_owned()));
        Box::pin(ready(Ok(paths.iter().filter_map(text).collect())))
    }

    fn ignored<'a>(
        &'a self,
        paths: &'a [String],
        runner: &'a dyn QueryRunner,
    ) -> BoxFuture<'a, Result<BTreeSet<String>, Refusal>> {
        Box::pin(self.find_ignored(paths, runner))
    }
}

/// The path of a file that the change removes or renames.
fn removed<'d>(file: &'d FileDiff<'_>) -> Option<&'d str> {
    let is_gone = matches!(file.status, Status::Removed | Status::Renamed);
    file.old_path.as_deref().filter(|_| is_gone)
}

/// The text of a file after a change whose hunks contain all of their files; `None` if the file has no hunk.
fn text(file: &FileDiff<'_>) -> Option<String> {
    let hunk = match file.hunks.as_slice() {
        [] if file.status == Status::Added && !file.binary => return Some(String::new()),
        [hunk] if hunk.new.start <= 1 => hunk,
        _ => return None,
    };
    let lines = hunk
        .lines
        .iter()
        .filter(|line| line.kind != LineKind::Removed);
    Some(lines.flat_map(|line| [line.text, "\n"]).collect())
}

#[cfg(test)]
mod tests;
