//! The repository around a change, as far as the budget of the review allows.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::future::ready;
use std::pin::pin;

use futures_util::future::{BoxFuture, Either, FutureExt as _, select};
use futures_util::stream::{self, StreamExt as _};
use review::repository::{
    InThisThread, MAX_MENTIONING_FILES, MAX_MENTIONS, MentionSearch, Mentions, QueryRunner,
    Refusal, Repository,
};
use review::{Event, Report, Task, Version, Warning, WarningCode};
use syntax::parse::Limits;

use crate::facts::Surrounding;
use crate::paths::{self, declarations, declared_in};

mod question;

pub use question::{Asked, Question};

/// Reads unchanged files, in this process or in others.
pub trait Reader: QueryRunner {
    /// The maximum number of files of one review that it reads concurrently.
    fn concurrency(&self) -> usize;

    /// Answers a question about a file; `None` if it cannot be read completely. Dropping the returned future cancels the work.
    fn ask<'a>(&'a self, question: &'a Question<'_>) -> BoxFuture<'a, Option<Surrounding>>;
}

/// For tests, where the code is harmless.
impl Reader for InThisThread {
    fn concurrency(&self) -> usize {
        1
    }

    fn ask<'a>(&'a self, question: &'a Question<'_>) -> BoxFuture<'a, Option<Surrounding>> {
        Box::pin(ready(question.answer(&Limits::default())))
    }
}

/// The repository around a change.
#[derive(Clone, Copy)]
pub struct Project<'a, 'd> {
    /// The change, and the budget of its review.
    pub task: &'a Task<'a, 'd>,
    /// The repository in the state after the change.
    pub repository: &'a dyn Repository,
    /// Reads its files.
    pub reader: &'a dyn Reader,
    /// Receives warnings.
    pub report: &'a dyn Report,
}

impl Project<'_, '_> {
    /// The versions of their languages that the projects of the changed files declare, by the paths of these files.
    pub async fn declared_versions(&self) -> HashMap<String, Version> {
        let files = self
            .task
            .chunks
            .iter()
            .filter_map(|chunk| Some((chunk.path.as_ref(), chunk.language?.name())));
        let files: BTreeSet<(&str, &str)> = files.collect();
        let declaring = files
            .iter()
            .flat_map(|(path, language)| declarations(path, language));
        let declaring: BTreeSet<String> = declaring.collect();
        let declaring: Vec<String> = declaring.into_iter().take(paths::FILES).collect();
        let Some(Ok(texts)) = self.in_budget(self.read(&declaring)).await else {
            return HashMap::new();
        };
        let declared: HashMap<&str, Version> = texts
            .iter()
            .filter_map(|(path, text)| Some((path.as_str(), declared_in(path, text)?)))
            .collect();
        let declared = |path: &str| declared.get(path).copied();
        let version = |(path, language): &(&str, &str)| {
            let version = paths::version(path, language, declared)?;
            Some(((*path).to_owned(), version))
        };
        files.iter().filter_map(version).collect()
    }

    /// Searches files for names.
    pub(crate) async fn mentions(&self, search: &MentionSearch) -> Result<Mentions, Refusal> {
        self.repository.mentions(search, self.reader).await
    }

    /// Reads files, by path. Those that cannot be read are left out.
    pub(crate) async fn read(&self, paths: &[String]) -> Result<BTreeMap<String, String>, Refusal> {
        if paths.is_empty() {
            return Ok(BTreeMap::new());
        }
        self.repository.read(paths).await
    }

    /// Which of these paths git ignores.
    pub(crate) async fn ignored(&self, paths: &[String]) -> Result<BTreeSet<String>, Refusal> {
        if paths.is_empty() {
            return Ok(BTreeSet::new());
        }
        self.repository.ignored(paths, self.reader).await
    }

    /// The answers about unchanged files, by path, without those of files that could not be read completely.
    pub(crate) async fn answers<T>(
        &self,
        questions: &[Question<'_>],
        pick: fn(Surrounding) -> Option<T>,
    ) -> BTreeMap<String, T> {
        let answered = self.ask(questions).await.into_iter();
        answered
            .filter_map(|(at, own)| Some((questions.get(at)?.path.to_string(), pick(own)?)))
            .collect()
    }

    /// The answers to questions, by position, until the budget is exhausted.
    pub(crate) async fn ask(&self, questions: &[Question<'_>]) -> Vec<(usize, Surrounding)> {
        let asks = (0..questions.len())
            .filter_map(|at| Some(self.ask_one(at, questions.get(at)?).boxed()));
        let mut asks = stream::iter(asks).buffer_unordered(self.reader.concurrency().max(1));
        let mut found = Vec::new();
        while let Either::Right((Some((at, answer)), _)) =
            select(pin!(self.task.budget.wait_for_end()), asks.next()).await
        {
            found.extend(answer.map(|answer| (at, answer)));
        }
        found
    }

    async fn ask_one(&self, at: usize, question: &Question<'_>) -> (usize, Option<Surrounding>) {
        let answer = self.reader.ask(question).await;
        let has_budget = self.task.budget.draw_and_yield(1).await.is_ok();
        (at, answer.filter(|_| has_budget))
    }

    /// Waits for a result; `None` when the budget ends first.
    async fn in_budget<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        match select(pin!(self.task.budget.wait_for_end()), pin!(work)).await {
            Either::Left(_) => None,
            Either::Right((found, _)) => Some(found),
        }
    }

    /// Waits for a result; `None` when the budget ends first or, with a warning about this subject, the repository refuses.
    pub(crate) async fn unless_refused<T>(
        &self,
        subject: &str,
        work: impl Future<Output = Result<T, Refusal>>,
    ) -> Option<T> {
        let refused = |refusal: &Refusal| {
            let message = format!("{subject}: {refusal}.");
            self.warn(WarningCode::FilePartlyAnalyzed, &message);
        };
        self.in_budget(work).await?.inspect_err(refused).ok()
    }

    /// Notes a limit of the search in files that are not part of the change. All of the change was reviewed.
    pub(crate) fn note_limit(&self, message: &str) {
        self.warn(WarningCode::SearchLimited, message);
    }

    /// The same for what a search did not find.
    pub(crate) fn note_cut(&self, subject: &str) {
        self.note_limit(&format!(
            "{subject} were not all searched: a review reads at most {MAX_MENTIONING_FILES} files and {MAX_MENTIONS} lines that \
             mention them, and no file that is large or not readable. A review of a part of the change searches for its names only."
        ));
    }

    fn warn(&self, code: WarningCode, message: &str) {
        let warning = Warning::review(code, message);
        self.report.report(Event::Warned {
            chunk: None,
            warning,
        });
    }
}
