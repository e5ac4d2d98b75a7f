//! Answers of a SQLite file, kept for as long as nobody writes to it.
//!
//! Each request asks whose token it brings and whether that user is a member, and each such query goes to the thread of
//! a connection and back. Yet an answer holds until the next commit, of this process or of another one, such as the
//! operator's commands. SQLite knows that too: it drops its own page cache when the header of the write-ahead log's
//! index has changed, the first bytes of the `-shm` file which all processes map ("The WAL-Index File Format",
//! <https://www.sqlite.org/walformat.html>). Each commit changes that header before it is reported as done. Here the same
//! bytes are compared, before each answer: what is kept is never older than what a query would have read.
//!
//! PostgreSQL has nothing of the kind, and other replicas write to it: there, every question is a query.

use std::{
    collections::HashMap,
    fs::File,
    hash::Hash,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use sqlx::{ConnectOptions, Connection, SqliteConnection};

use crate::{
    Membership, OrganizationId, StoreError, TokenDigest, User, UserId,
    db::{TOUCH, WatchedPool},
    tokens::TokenRow,
};

/// Answers of one kind at most; then all are dropped, and come again as they are asked for.
const ANSWERS: usize = 20_000;
/// The index begins with its header, twice.
const HEADER: usize = 48;
/// How long files that were there are taken to be there. Deleting them under a service is an accident, of which a write
/// or a query hears at once; an answer that is kept needs no more than this.
const THERE_FOR: Duration = Duration::from_millis(50);

/// The answers that are kept of one SQLite file.
#[derive(Debug)]
pub(crate) struct Answers {
    index: Index,
    pub(crate) tokens: Kept<TokenDigest, TokenRow>,
    pub(crate) memberships: Kept<(UserId, OrganizationId), Membership>,
    /// By issuer and subject.
    pub(crate) identities: Kept<(String, String), User>,
}

impl Answers {
    /// Watches the file of a database in write-ahead mode; none where that cannot be done, and then nothing is kept.
    pub(crate) async fn of(pool: &WatchedPool) -> Option<Self> {
        let index = Index::open(pool).await?;
        Some(Self { index, tokens: Kept::default(), memberships: Kept::default(), identities: Kept::default() })
    }

    /// The answer to a question of a kind: the one that is kept, or else the one that the query gives. "No" is not
    /// kept: there are too many questions to which it is the answer, and an organization that is missing, foreign or
    /// inactive goes on costing the same query.
    pub(crate) async fn ask<Q: Eq + Hash, A: Clone, F: Future<Output = Result<Option<A>, StoreError>>>(
        answers: Option<&Self>,
        kind: fn(&Self) -> &Kept<Q, A>,
        question: Q,
        query: impl FnOnce() -> F,
    ) -> Result<Option<A>, StoreError> {
        // A query is large while it runs, and seldom needed: in a box it costs nothing where an answer is kept.
        let Some((answers, before)) = answers.and_then(|answers| Some((answers, answers.index.header()?))) else {
            return Box::pin(query()).await;
        };
        if let Some(answer) = kind(answers).find(&before, &question) {
            return Ok(Some(answer));
        }
        let answer = Box::pin(query()).await?;
        // Nothing was written between the two looks at the header, so the query read what the first of them stood for.
        if let Some(answer) = &answer
            && answers.index.header() == Some(before)
        {
            kind(answers).keep(before, question, answer.clone());
        }
        Ok(answer)
    }

    /// Keeps nothing from now on.
    pub(crate) async fn close(&self) {
        self.index.close().await;
    }
}

/// The answers to questions of one kind, as they were when the index had this header.
#[derive(Debug)]
pub(crate) struct Kept<Q, A>(Mutex<([u8; HEADER], HashMap<Q, A>)>);

impl<Q, A> Default for Kept<Q, A> {
    fn default() -> Self {
        Self(Mutex::new(([0; HEADER], HashMap::new())))
    }
}

impl<Q: Eq + Hash, A: Clone> Kept<Q, A> {
    fn find(&self, header: &[u8; HEADER], question: &Q) -> Option<A> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.0 == *header { kept.1.get(question).cloned() } else { None }
    }

    fn keep(&self, header: [u8; HEADER], question: Q, answer: A) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.0 != header || kept.1.len() >= ANSWERS {
            *kept = (header, HashMap::new());
        }
        kept.1.insert(question, answer);
    }
}

/// The index of the write-ahead log.
#[derive(Debug)]
struct Index {
    pool: WatchedPool,
    /// Never closed: a process that closes any descriptor of a file loses all its POSIX locks on it (fcntl(2)), and these
    /// are how SQLite keeps writers apart.
    file: &'static File,
    /// The header at first. Until it is seen to change, it is not trusted to.
    first: [u8; HEADER],
    closed: AtomicBool,
    opened: Instant,
    /// Milliseconds since it was opened until which the files are taken to be there.
    there_until: AtomicU64,
    /// As long as one connection stands, SQLite does not make the file anew.
    keeper: tokio::sync::Mutex<Option<SqliteConnection>>,
}

impl Index {
    async fn open(pool: &WatchedPool) -> Option<Self> {
        let options = pool.connect_options();
        let path = index_of(options.get_filename())?;
        let mut keeper = options.connect().await.ok()?;
        // Only who has read something has the index mapped.
        sqlx::query(TOUCH).fetch_optional(&mut keeper).await.ok()?;
        let file: &'static File = Box::leak(Box::new(File::open(path).ok()?));
        let [first, _] = headers(file)?;
        let (pool, keeper) = (pool.clone(), tokio::sync::Mutex::new(Some(keeper)));
        let (closed, there_until) = (AtomicBool::new(false), AtomicU64::new(0));
        Some(Self { pool, file, first, closed, opened: Instant::now(), there_until, keeper })
    }

    /// The header, unless it is being written just now, or nothing may be kept, or one of the files is gone.
    fn header(&self) -> Option<[u8; HEADER]> {
        let [header, copy] = headers(self.file)?;
        let sound = header == copy && header != self.first && !self.closed.load(Ordering::SeqCst);
        (sound && self.is_there()).then_some(header)
    }

    /// Whether the database's file is there, and this is still its index.
    fn is_there(&self) -> bool {
        let now = self.opened.elapsed();
        if now < Duration::from_millis(self.there_until.load(Ordering::Relaxed)) {
            return true;
        }
        let there = self.pool.is_there() && has_name(self.file);
        if there {
            let until = u64::try_from((now + THERE_FOR).as_millis()).unwrap_or_default();
            self.there_until.store(until, Ordering::Relaxed);
        }
        there
    }

    async fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
        if let Some(keeper) = self.keeper.lock().await.take() {
            // What is lost at most is a checkpoint, which whoever opens the file next makes.
            let _ = keeper.close().await;
        }
    }
}

/// SQLite puts the index beside the file that a symbolic link leads to.
fn index_of(file: &Path) -> Option<PathBuf> {
    let mut name = file.canonicalize().ok()?.into_os_string();
    name.push("-shm");
    Some(name.into())
}

/// Both headers of the index.
#[cfg(unix)]
fn headers(file: &File) -> Option<[[u8; HEADER]; 2]> {
    use std::os::unix::fs::FileExt as _;
    let mut bytes = [[0; HEADER]; 2];
    file.read_exact_at(bytes.as_flattened_mut(), 0).ok()?;
    Some(bytes)
}

#[cfg(not(unix))]
fn headers(_file: &File) -> Option<[[u8; HEADER]; 2]> {
    None
}

/// Whether nobody deleted the file: SQLite makes another index then.
#[cfg(unix)]
fn has_name(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    file.metadata().is_ok_and(|metadata| metadata.nlink() > 0)
}

#[cfg(not(unix))]
fn has_name(_file: &File) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use std::{sync::Arc, time::Instant};

    use super::{Answers, Kept, THERE_FOR};
    use crate::{NewToken, Scope, Store, TokenDigest, UnixMillis};

    const NOW: UnixMillis = UnixMillis(1_795_176_000_000);

    async fn token(store: &Store) -> TokenDigest {
        let user = store.insert_user("Ada", false, NOW).await.unwrap().id;
        let scopes = Scope::ALL.to_vec();
        let new = NewToken { user, name: String::new(), scopes, organization: None, expires_at: None };
        store.insert_token(new, NOW).await.unwrap().1.digest()
    }

    /// Whether the answer to this question would be one that is kept.
    fn keeps(answers: &Arc<Answers>, digest: &TokenDigest) -> bool {
        let header = answers.index.header();
        header.is_some_and(|header| Kept::find(&answers.tokens, &header, digest).is_some())
    }

    #[tokio::test]
    async fn an_answer_is_kept_until_the_next_commit_of_anybody() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("store.db").display());
        let (store, other) = (Store::open(&url).await.unwrap(), Store::open(&url).await.unwrap());
        let answers = store.answers.clone().unwrap();
        assert_eq!(answers.index.header(), None, "nothing was written yet");
        let digest = token(&store).await;
        for _ in 0..3 {
            assert!(!keeps(&answers, &digest));
            store.find_token(&digest, NOW).await.unwrap().unwrap();
            assert!(keeps(&answers, &digest));
            other.insert_user("Ben", false, NOW).await.unwrap();
        }
        store.find_token(&digest, NOW).await.unwrap().unwrap();
        store.close().await;
        assert!(!keeps(&answers, &digest) && store.find_token(&digest, NOW).await.is_err());
        other.close().await;
    }

    #[tokio::test]
    async fn an_index_that_was_deleted_says_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("store.db");
        let store = Store::open(&format!("sqlite://{}", file.display())).await.unwrap();
        let digest = token(&store).await;
        store.find_token(&digest, NOW).await.unwrap().unwrap();
        let answers = store.answers.clone().unwrap();
        assert!(keeps(&answers, &digest));
        std::fs::remove_file(super::index_of(&file).unwrap()).unwrap();
        let deleted = Instant::now();
        while keeps(&answers, &digest) {
            assert!(deleted.elapsed() < 100 * THERE_FOR, "the answer of an index that is gone is still given");
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn in_memory_nothing_is_kept() {
        assert!(Store::open("sqlite::memory:").await.unwrap().answers.is_none());
    }
}
