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
        atomic::{AtomicBool, Ordering},
    },
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
    /// kept: there are too many questions to which it is the answer.
    pub(crate) async fn ask<Q: Eq + Hash, A: Clone>(
        answers: Option<&Self>,
        kind: fn(&Self) -> &Kept<Q, A>,
        question: Q,
        query: impl Future<Output = Result<Option<A>, StoreError>>,
    ) -> Result<Option<A>, StoreError> {
        let Some((answers, before)) = answers.and_then(|answers| Some((answers, answers.index.header()?))) else {
            return query.await;
        };
        if let Some(answer) = kind(answers).find(&before, &question) {
            return Ok(Some(answer));
        }
        let answer = query.await?;
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
        Some(Self { pool, file, first, closed: AtomicBool::new(false), keeper })
    }

    /// The header, unless it is being written just now, or nothing may be kept, or the database's file is gone.
    fn header(&self) -> Option<[u8; HEADER]> {
        let [header, copy] = headers(self.file)?;
        let sound = header == copy && header != self.first && !self.closed.load(Ordering::SeqCst);
        (sound && self.pool.is_there()).then_some(header)
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

fn headers(file: &File) -> Option<[[u8; HEADER]; 2]> {
    let mut bytes = [[0; HEADER]; 2];
    read_start(file, bytes.as_flattened_mut()).ok()?;
    Some(bytes)
}

#[cfg(unix)]
fn read_start(file: &File, bytes: &mut [u8]) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, 0)
}

#[cfg(not(unix))]
fn read_start(_file: &File, _bytes: &mut [u8]) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}
