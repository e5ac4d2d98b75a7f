//! The configuration and rules of the repositories of the open files, and the engines for them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use git::kept_list::KeptList;
use settings::Settings;
use tokio::sync::Mutex;

use super::rule_pages::RulePages;
use crate::engines::{self, Engines};
use crate::outcome::Error;
use crate::project::{Project, Texts};

/// The repositories seen so far. Clones share them.
#[derive(Clone)]
pub(super) struct Repositories(Arc<Shared>);

struct Shared {
    settings: Settings,
    rule_pages: RulePages,
    /// The engines for repositories without rules of their own.
    engines: Engines,
    known: Mutex<HashMap<PathBuf, Known>>,
    /// The lists of files, by the top of the repository.
    lists: std::sync::Mutex<HashMap<PathBuf, KeptList>>,
}

/// A repository as it was at its last use.
struct Known {
    texts: Texts,
    repository: Result<Arc<Repository>, String>,
}

/// The configuration and engines for reviews of a repository.
pub(super) struct Repository {
    pub(super) project: Project,
    pub(super) engines: Engines,
}

impl Repositories {
    /// Starts no worker yet. Must be called on a tokio runtime.
    ///
    /// # Errors
    /// The path of this binary is unknown.
    pub(super) fn new(settings: Settings, rule_pages: RulePages) -> Result<Self, Error> {
        // A model would take seconds and money for each pause in typing.
        let engines = engines::assemble(settings.workers, &[], None)?;
        Ok(Self(Arc::new(Shared {
            settings,
            rule_pages,
            engines,
            known: Mutex::default(),
            lists: std::sync::Mutex::default(),
        })))
    }

    pub(super) fn settings(&self) -> &Settings {
        &self.0.settings
    }

    pub(super) fn rule_pages(&self) -> &RulePages {
        &self.0.rule_pages
    }

    /// The list of the files of the repository at a folder.
    pub(super) fn list_of(&self, top: &Path) -> KeptList {
        let mut lists = self.0.lists.lock().unwrap_or_else(PoisonError::into_inner);
        lists.entry(top.to_owned()).or_default().clone()
    }

    /// Discards the lists of files, because files may have been created or deleted.
    pub(super) fn discard_lists(&self) {
        let lists = self.0.lists.lock().unwrap_or_else(PoisonError::into_inner);
        lists.values().for_each(KeptList::discard);
    }

    /// The repository at a folder with this configuration and these rules.
    ///
    /// # Errors
    /// The configuration or a rule is invalid.
    pub(super) async fn at(&self, top: &Path, texts: &Texts) -> Result<Arc<Repository>, String> {
        // Held while the rules are checked, so that several files of a repository check them once.
        let mut known = self.0.known.lock().await;
        if let Some(known) = known.get(top).filter(|known| known.texts == *texts) {
            return known.repository.clone();
        }
        let repository = self
            .open(texts.clone())
            .await
            .map(Arc::new)
            .map_err(|error| error.message);
        known.insert(
            top.to_owned(),
            Known {
                texts: texts.clone(),
                repository: repository.clone(),
            },
        );
        repository
    }

    async fn open(&self, texts: Texts) -> Result<Repository, Error> {
        let workers = self.0.settings.workers;
        let project = texts.check(workers).await?;
        let own = !project.files.is_empty();
        let engines = if own {
            engines::assemble(workers, &project.files, None)?
        } else {
            self.0.engines.clone()
        };
        Ok(Repository { project, engines })
    }

    /// Ends all workers and reaps them.
    pub(super) async fn stop(&self) {
        self.0.engines.stop().await;
        for known in self.0.known.lock().await.values() {
            if let Ok(repository) = &known.repository {
                repository.engines.stop().await;
            }
        }
    }
}
