//! A service with an organization, for the pages of the console.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use review::Engine;
use server::{Clock, Settings, State};
use store::{NewEntitlement, NewToken, OrganizationId, Scope, Store, TokenId, UnixMillis, UserId};
use tempfile::TempDir;

use crate::console::DIFF;
use crate::driver::Browser;
use crate::engine::Quoting;
use crate::postgres_cluster::Cluster;

pub(crate) struct World {
    pub(crate) state: State,
    pub(crate) store: Store,
    pub(crate) organization: OrganizationId,
    pub(crate) owner: UserId,
    pub(crate) token_id: TokenId,
    pub(crate) now: Arc<AtomicI64>,
    _folder: TempDir,
}

impl World {
    /// On SQLite: a user and an organization of this name, entitled, and a token to sign in with.
    pub(crate) async fn named(name: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("store.db").display());
        Self::on(&url, folder, name).await
    }

    /// One world on each installed database.
    pub(crate) async fn on_each_database(name: &str) -> Vec<Self> {
        let mut worlds = vec![Self::named(name).await];
        if let Some(cluster) = Cluster::get().await {
            let url = cluster.url(&cluster.create_database().await);
            worlds.push(Self::on(&url, tempfile::tempdir().unwrap(), name).await);
        }
        worlds
    }

    async fn on(url: &str, folder: TempDir, name: &str) -> Self {
        let store = Store::open(url).await.unwrap();
        let now = Arc::new(AtomicI64::new(1_795_176_000_000));
        let time = UnixMillis(now.load(Ordering::SeqCst));
        let owner = store.insert_user(name, false, time).await.unwrap().id;
        let grant = NewEntitlement {
            product: "diff-review".to_owned(),
            expires_at: None,
            monthly_review_limit: None,
        };
        let organization = store
            .insert_organization(name, owner, Some(&grant), time)
            .await
            .unwrap()
            .id;
        let scopes = Scope::ALL.to_vec();
        let new = NewToken {
            user: owner,
            name: name.to_owned(),
            scopes,
            organization: None,
            expires_at: None,
        };
        let (made, _) = store.insert_token(new, time).await.unwrap();
        let clock = Arc::clone(&now);
        let clock = Clock::new(move || UnixMillis(clock.load(Ordering::SeqCst)));
        let settings = Settings {
            sample_diff: Some(DIFF),
            ..Settings::default()
        };
        let engines: Vec<Arc<dyn Engine>> = vec![Arc::new(Quoting)];
        let state = State::new(store.clone(), engines, settings, clock);
        Self {
            state,
            store,
            organization,
            owner,
            token_id: made.id,
            now,
            _folder: folder,
        }
    }

    pub(crate) fn time(&self) -> UnixMillis {
        UnixMillis(self.now.load(Ordering::SeqCst))
    }

    /// Another user, and the text of their token.
    pub(crate) async fn user(&self, name: &str) -> (UserId, String) {
        let user = self
            .store
            .insert_user(name, false, self.time())
            .await
            .unwrap()
            .id;
        (user, self.token(user, name).await)
    }

    /// A token of this name.
    pub(crate) async fn token(&self, user: UserId, name: &str) -> String {
        let scopes = Scope::ALL.to_vec();
        let new = NewToken {
            user,
            name: name.to_owned(),
            scopes,
            organization: None,
            expires_at: None,
        };
        self.store
            .insert_token(new, self.time())
            .await
            .unwrap()
            .1
            .expose()
            .to_owned()
    }

    /// A browser that is signed in through the sign-in link.
    pub(crate) async fn browser(&self) -> Option<Browser> {
        let mut browser = self.guest().await?;
        let code = self.state.offer_sign_in(self.token_id);
        browser
            .go(&format!("/sign-in/link/{}", code.expose()))
            .await;
        browser
            .until("location.pathname.endsWith('/review') && document.readyState === 'complete'")
            .await;
        Some(browser)
    }

    /// A browser with a separate profile that is not signed in.
    pub(crate) async fn guest(&self) -> Option<Browser> {
        Browser::open(server::router(self.state.clone())).await
    }
}
