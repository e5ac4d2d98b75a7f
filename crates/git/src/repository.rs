//! The files of a checkout on the new side of a change, for look-ups. Only tracked files and untracked ones that git
//! does not ignore are read, and links are not followed.

mod checkout;
mod mentions;
mod word_search;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use futures_util::future::BoxFuture;
use review::repository::{
    Answer, Listing, Lookup, MentionSearch, Mentions, QueryRunner, Refusal, Repository, answer,
};

pub use self::checkout::CheckoutRepository;
use self::checkout::refusal;
use super::kept_list::KeptList;
use super::{Change, Git};

/// The part of a checkout that a review may read. Git is not started before the first look-up.
#[derive(Debug, Clone)]
pub struct Surroundings {
    git: Arc<Git>,
    change: Change,
    access: Access,
    /// The checkout, after the first look-up.
    checkout: Arc<OnceLock<CheckoutRepository>>,
    /// The list of files that is kept between reviews.
    kept: Option<KeptList>,
}

/// Which engines may read a checkout.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Access {
    /// The language model, for its own look-ups.
    pub model: bool,
    /// The rules, to find uses in other files that a change breaks.
    pub rules: bool,
}

impl Surroundings {
    /// The surroundings of a change, if an engine may read them.
    pub fn of(git: &Git, change: &Change, access: Access) -> Option<Self> {
        let (git, change) = (Arc::new(git.with_own_index()), change.clone());
        (access != Access::default()).then(|| Self {
            git,
            change,
            access,
            checkout: Arc::default(),
            kept: None,
        })
    }

    /// The same surroundings with a list of files that is kept between reviews of a working tree. It may be outdated.
    #[must_use]
    pub fn with_list(self, kept: &KeptList) -> Self {
        Self {
            kept: Some(kept.clone()),
            ..self
        }
    }

    /// Whether this review used a list that an earlier one had read, and files were created or deleted since then. The
    /// list is then discarded.
    pub async fn has_outdated_list(&self) -> bool {
        // Without a look-up, no list was used.
        self.checkout.get().is_some()
            && self
                .ask(|checkout| Ok(checkout.has_outdated_list()))
                .await
                .unwrap_or(true)
    }

    fn checkout(&self) -> Result<CheckoutRepository, Refusal> {
        if let Some(known) = self.checkout.get() {
            return Ok(known.clone());
        }
        let opened = CheckoutRepository::with_list(&self.git, &self.change, self.kept.clone())
            .map_err(|error| refusal(&error))?;
        Ok(self.checkout.get_or_init(|| opened).clone())
    }

    /// Runs a look-up on a blocking thread.
    fn ask<T: Send + 'static>(
        &self,
        look: impl FnOnce(&CheckoutRepository) -> Result<T, Refusal> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, Refusal>> {
        let surroundings = self.clone();
        let work = tokio::task::spawn_blocking(move || look(&surroundings.checkout()?));
        Box::pin(async move { work.await.unwrap_or(Err(Refusal::Failed)) })
    }
}

impl Repository for Surroundings {
    fn look_up<'a>(&'a self, lookup: &'a Lookup) -> BoxFuture<'a, Result<Answer, Refusal>> {
        let lookup = lookup.clone();
        self.ask(move |checkout| answer(&*checkout.0, &lookup))
    }

    fn is_for_models(&self) -> bool {
        self.access.model
    }

    fn mentions<'a>(
        &'a self,
        search: &'a MentionSearch,
        _runner: &'a dyn QueryRunner,
    ) -> BoxFuture<'a, Result<Mentions, Refusal>> {
        if !self.access.rules {
            return Box::pin(std::future::ready(Ok(Mentions::default())));
        }
        let search = search.clone();
        self.ask(move |checkout| checkout.find_mentions(&search))
    }

    fn list<'a>(
        &'a self,
        extensions: &'a [&'static str],
    ) -> BoxFuture<'a, Result<Listing, Refusal>> {
        if !self.access.rules {
            return Box::pin(std::future::ready(Ok(Listing::default())));
        }
        let extensions = extensions.to_vec();
        self.ask(move |checkout| checkout.list(&extensions))
    }

    fn read<'a>(
        &'a self,
        paths: &'a [String],
    ) -> BoxFuture<'a, Result<BTreeMap<String, String>, Refusal>> {
        let paths = paths.to_vec();
        self.ask(move |checkout| {
            let mut texts = checkout.texts(paths.iter().map(String::as_str));
            let text = |(at, path): (usize, String)| Some((path, texts.remove(&at)?));
            Ok(paths.into_iter().enumerate().filter_map(text).collect())
        })
    }

    fn ignored<'a>(
        &'a self,
        paths: &'a [String],
        _runner: &'a dyn QueryRunner,
    ) -> BoxFuture<'a, Result<BTreeSet<String>, Refusal>> {
        let paths = paths.to_vec();
        self.ask(move |checkout| checkout.ignored(&paths))
    }
}
