//! The part of a review by rules that compares a change with files that it does not touch.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::pin::pin;

use futures_util::future::{Either, FutureExt as _, select};
use futures_util::stream::{self, StreamExt as _};
use review::repository::{
    MANY_BYTES, MANY_FILES, MAX_MENTIONING_FILES, MAX_MENTIONS, MentionSearch, Mentions, Refusal,
    Repository,
};
use review::{Asked, Candidate, Chunk, Version, Warning, WarningCode};

use super::{RuleReview, Scanner};
use crate::facts::{Links, Surrounding};
use crate::scan::absent::{self, Absent};
use crate::scan::by_name::{AroundFile, FilesAround};
use crate::scan::impact;
use crate::scan::lost::LostNames;
use crate::scan::unimported::{self, Unimported};
use crate::scan::unknown_keys::{self, UnknownKeys};
use crate::scan::versions;
use crate::scan::wanted::{self, Wanted};

/// The subjects of the messages.
const IMPACT: &str = "Other files that use changed or removed definitions";
const IMPORTED: &str = "The files that this change imports from";

/// The limits of a search for names, as a message's end.
fn limits_of_search() -> String {
    format!(
        "a review reads at most {MAX_MENTIONING_FILES} files and {MAX_MENTIONS} lines that mention them, and no file that is \
         large or not readable. A review of a part of the change searches for its names only."
    )
}

impl<S: Scanner> RuleReview<'_, '_, S> {
    /// The findings that other files of the repository show.
    pub(super) async fn around(&self, changed: &[Links]) -> Vec<Candidate> {
        let Some(repository) = self.task.repository else {
            return Vec::new();
        };
        let mut found = self.impact(repository, changed).await;
        let imports = self.imports(repository, changed);
        found.extend(self.unless_refused(imports).await);
        let members = self.members(repository, changed);
        found.extend(self.unless_refused(members).await);
        let unimported = self.unimported(repository, changed);
        found.extend(self.unless_refused(unimported).await);
        found.extend(self.lost(repository, changed).await);
        found.extend(self.unknown_keys(repository, changed).await);
        found
    }

    /// The versions of their languages that the projects of the changed files declare, by the paths of these files.
    pub(super) async fn declared_versions(&self) -> HashMap<String, Version> {
        let Some(repository) = self.task.repository else {
            return HashMap::new();
        };
        let files = self
            .task
            .chunks
            .iter()
            .filter_map(|chunk| Some((chunk.path.as_ref(), chunk.language?.name())));
        let files: BTreeSet<(&str, &str)> = files.collect();
        let declaring = files
            .iter()
            .flat_map(|(path, language)| versions::declarations(path, language));
        let declaring: BTreeSet<String> = declaring.collect();
        let declaring: Vec<String> = declaring.into_iter().take(versions::FILES).collect();
        if declaring.is_empty() {
            return HashMap::new();
        }
        let Some(Ok(texts)) = self.in_budget(repository.read(&declaring)).await else {
            return HashMap::new();
        };
        let declared: HashMap<&str, Version> = texts
            .iter()
            .filter_map(|(path, text)| Some((path.as_str(), versions::declared_in(path, text)?)))
            .collect();
        let declared = |path: &str| declared.get(path).copied();
        let version = |(path, language): &(&str, &str)| {
            Some((
                (*path).to_owned(),
                versions::version(path, language, declared)?,
            ))
        };
        files.iter().filter_map(version).collect()
    }

    /// Finds breaks in files that the change does not touch. These files are searched for and scanned only if the
    /// change breaks something for them. A failure is at most a warning.
    async fn impact(&self, repository: &dyn Repository, changed: &[Links]) -> Vec<Candidate> {
        let Some((search, mut is_cut)) = impact::search(changed) else {
            return Vec::new();
        };
        let Some(mentions) = self.mentions(repository, &search).await else {
            return Vec::new();
        };
        is_cut |= mentions.is_cut;
        if mentions.is_limited {
            self.note_limit(&format!(
                "{IMPACT} were searched only in the folders near the change: the repository has more than {MANY_FILES} files, or {} MB in \
                 files of this kind.",
                MANY_BYTES / 1_000_000
            ));
        }
        let (around, is_all) = self.scan_around(&mentions).await;
        is_cut |= !is_all;
        if is_cut {
            self.note_limit(&format!(
                "{IMPACT} were not all searched: {}",
                limits_of_search()
            ));
        }
        self.take_warnings(impact::conclude(
            self.catalog, changed, &around, &mentions.paths,
        ))
    }

    /// Finds references in other files to files and keys that the change removes. A failure is at most a warning.
    async fn lost(&self, repository: &dyn Repository, changed: &[Links]) -> Vec<Candidate> {
        let lost = LostNames::new(changed, self.task.files, self.task.chunks);
        let Some(search) = lost.search() else {
            return Vec::new();
        };
        let Some(mentions) = self.mentions(repository, &search).await else {
            return Vec::new();
        };
        if mentions.is_limited || mentions.is_cut {
            self.note_limit(&format!(
                "References to removed files and names were not all searched: {}",
                limits_of_search()
            ));
        }
        self.take_warnings(lost.conclude(self.catalog, &mentions))
    }

    /// Finds keys that the change reads and that nothing in the repository defines. A failure is at most a warning.
    async fn unknown_keys(&self, repository: &dyn Repository, changed: &[Links]) -> Vec<Candidate> {
        let extensions = unknown_keys::extensions(changed);
        if extensions.is_empty() {
            return Vec::new();
        }
        let listing = match self.in_budget(repository.list(&extensions)).await {
            Some(Ok(listing)) if listing.is_complete => listing,
            _ => return Vec::new(),
        };
        let unknown = UnknownKeys::new(changed, &listing);
        let Some(search) = unknown.search() else {
            return Vec::new();
        };
        let Some(mentions) = self.mentions(repository, &search).await else {
            return Vec::new();
        };
        self.take_warnings(unknown.conclude(self.catalog, &mentions))
    }

    /// Searches files for names; `None` if the budget ends first or, with a warning, the search fails.
    async fn mentions(
        &self,
        repository: &dyn Repository,
        search: &MentionSearch,
    ) -> Option<Mentions> {
        let found = self
            .in_budget(repository.mentions(search, &self.scanner))
            .await?;
        found
            .inspect_err(|refusal| {
                self.warn_of_impact(&format!("could not be searched: {refusal}"));
            })
            .ok()
    }

    /// Finds imports that the change makes from other files of the repository and that do not exist there.
    async fn imports(
        &self,
        repository: &dyn Repository,
        changed: &[Links],
    ) -> Result<Vec<Candidate>, Refusal> {
        let extensions = wanted::extensions(changed);
        if extensions.is_empty() {
            return Ok(Vec::new());
        }
        let listing = repository.list(&extensions).await?;
        let wanted = Wanted::new(changed, &listing);
        let missing = wanted.missing();
        let ignored = if missing.is_empty() {
            BTreeSet::new()
        } else {
            repository.ignored(&missing, &self.scanner).await?
        };
        let files: Vec<(&str, Vec<String>)> = wanted.files().collect();
        let paths: Vec<String> = files.iter().map(|(path, _)| (*path).to_owned()).collect();
        let texts = if paths.is_empty() {
            BTreeMap::new()
        } else {
            repository.read(&paths).await?
        };
        let chunks: Vec<Chunk<'_>> = files
            .into_iter()
            .filter_map(|(path, names)| {
                let text = texts.get(path)?;
                Some(Chunk::of_surroundings(path, text, Asked::Offers(names)))
            })
            .collect();
        let offers = self.facts_of(&chunks, |own| own.offer).await;
        if wanted.is_cut {
            self.note_limit(&format!(
                "{IMPORTED} were not all read: a review reads at most {} of them. A review of a part of the change reads those \
                 of the part.",
                wanted::TARGETS
            ));
        }
        let found = wanted.conclude(self.catalog, changed, &offers, &ignored);
        Ok(self.take_warnings(found))
    }

    /// Finds members that the change calls and that the types of other files do not have.
    async fn members(
        &self,
        repository: &dyn Repository,
        changed: &[Links],
    ) -> Result<Vec<Candidate>, Refusal> {
        let extensions = absent::extensions(changed);
        if extensions.is_empty() {
            return Ok(Vec::new());
        }
        let listing = repository.list(&extensions).await?;
        if !listing.is_complete {
            return Ok(Vec::new());
        }
        let mut absent = Absent::new(changed, &listing);
        for _ in 0..absent::ROUNDS {
            let needed = absent.needed();
            if needed.is_empty() {
                break;
            }
            let texts = repository.read(&needed).await?;
            let chunks: Vec<Chunk<'_>> = texts
                .iter()
                .filter(|(path, _)| !absent::is_text(path))
                .map(|(path, text)| Chunk::of_surroundings(path, text, Asked::Types))
                .collect();
            let mut surfaces = self.facts_of(&chunks, |own| own.surface).await;
            for path in &needed {
                let text = texts.get(path).cloned();
                absent.learn(path, text.map(|text| (text, surfaces.remove(path))));
            }
        }
        let Some(search) = absent.search() else {
            return Ok(Vec::new());
        };
        let mentions = repository.mentions(&search, &self.scanner).await?;
        Ok(self.take_warnings(absent.conclude(self.catalog, &mentions)))
    }

    /// Finds types of other packages that the changed files use and do not import.
    async fn unimported(
        &self,
        repository: &dyn Repository,
        changed: &[Links],
    ) -> Result<Vec<Candidate>, Refusal> {
        let extensions = unimported::extensions(changed);
        if extensions.is_empty() {
            return Ok(Vec::new());
        }
        let listing = repository.list(&extensions).await?;
        if !listing.is_complete {
            return Ok(Vec::new());
        }
        let mut names = Unimported::new(changed, &listing);
        let needed = names.needed();
        let texts = if needed.is_empty() {
            BTreeMap::new()
        } else {
            repository.read(&needed).await?
        };
        let chunks: Vec<Chunk<'_>> = texts
            .iter()
            .filter(|(path, _)| !Unimported::is_text(path))
            .map(|(path, text)| Chunk::of_surroundings(path, text, Asked::Types))
            .collect();
        let mut surfaces = self.facts_of(&chunks, |own| own.surface).await;
        for (path, text) in &texts {
            names.learn(path, text.clone(), surfaces.remove(path));
        }
        let Some(search) = names.search() else {
            return Ok(Vec::new());
        };
        let mentions = repository.mentions(&search, &self.scanner).await?;
        let global = match names.search_global() {
            Some(search) => repository.mentions(&search, &self.scanner).await?,
            None => Mentions::default(),
        };
        Ok(self.take_warnings(names.conclude(self.catalog, &mentions, &global)))
    }

    /// Waits for a result; `None` when the budget ends first.
    async fn in_budget<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        match select(pin!(self.task.budget.wait_for_end()), pin!(work)).await {
            Either::Left(_) => None,
            Either::Right((found, _)) => Some(found),
        }
    }

    /// The findings about the files that a change refers to. A failure is at most a warning.
    async fn unless_refused(
        &self,
        found: impl Future<Output = Result<Vec<Candidate>, Refusal>>,
    ) -> Vec<Candidate> {
        match self.in_budget(found).await {
            None => Vec::new(),
            Some(Ok(found)) => found,
            Some(Err(refusal)) => {
                self.warn_of_imports(&format!("could not be read: {refusal}"));
                Vec::new()
            }
        }
    }

    /// Reports the warnings and returns the findings.
    fn take_warnings(&self, (found, warnings): (Vec<Candidate>, Vec<Warning>)) -> Vec<Candidate> {
        for warning in warnings {
            self.warn(None, warning);
        }
        found
    }

    /// Facts of files outside the change, by path.
    async fn facts_of<T>(
        &self,
        chunks: &[Chunk<'_>],
        pick: fn(Surrounding) -> Option<T>,
    ) -> BTreeMap<String, T> {
        let scanned = self.scan_surroundings(chunks).await.into_iter();
        scanned
            .filter_map(|(at, own)| Some((chunks.get(at)?.path.to_string(), pick(own?)?)))
            .collect()
    }

    /// Notes a limit of the search in files that are not part of the change. All of the change was reviewed.
    fn note_limit(&self, message: &str) {
        self.warn(None, Warning::review(WarningCode::SearchLimited, message));
    }

    fn warn_of_imports(&self, problem: &str) {
        let message = format!("{IMPORTED} {problem}.");
        self.warn(
            None,
            Warning::review(WarningCode::FilePartlyAnalyzed, message),
        );
    }

    /// The facts of the files outside the change, and whether all of them could be scanned.
    async fn scan_around<'m>(&self, mentions: &'m Mentions) -> (FilesAround<'m>, bool) {
        let files = mentions.files.iter();
        let chunks: Vec<Chunk<'m>> = files
            .map(|file| {
                Chunk::of_surroundings(&file.path, &file.text, Asked::Uses(file.names.clone()))
            })
            .collect();
        let mut around = FilesAround::new();
        let mut count = 0;
        for (at, surrounding) in self.scan_surroundings(&chunks).await {
            let Some((file, surrounding)) = mentions.files.get(at).zip(surrounding) else {
                continue;
            };
            count += 1;
            let text = file.text.as_str();
            around.insert(&file.path, AroundFile { text, surrounding });
        }
        (around, count == chunks.len())
    }

    /// The facts of files outside the change, by position, until the budget is exhausted; `None` for those that could
    /// not be scanned.
    async fn scan_surroundings(&self, chunks: &[Chunk<'_>]) -> Vec<(usize, Option<Surrounding>)> {
        let scans =
            (0..chunks.len()).filter_map(|at| Some(self.surrounding(at, chunks.get(at)?).boxed()));
        let mut scans = stream::iter(scans).buffer_unordered(self.scanner.concurrency().max(1));
        let mut found = Vec::new();
        while let Either::Right((Some(one), _)) =
            select(pin!(self.task.budget.wait_for_end()), scans.next()).await
        {
            found.push(one);
        }
        found
    }

    /// The facts of a file outside the change; `None` if it could not be scanned.
    async fn surrounding(&self, at: usize, chunk: &Chunk<'_>) -> (usize, Option<Surrounding>) {
        let scanned = self.scanner.scan(chunk).await.ok();
        let has_budget = self.task.budget.draw_and_yield(1).await.is_ok();
        let facts = scanned
            .map(|report| report.facts)
            .filter(|facts| has_budget && !facts.cut);
        (at, facts.map(|facts| facts.surrounding))
    }

    fn warn_of_impact(&self, problem: &str) {
        let message = format!("{IMPACT} {problem}.");
        self.warn(
            None,
            Warning::review(WarningCode::FilePartlyAnalyzed, message),
        );
    }
}
