//! A scripted engine.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};

use futures_util::future::{BoxFuture, FutureExt as _, join_all};
use review::repository::Lookup;
use review::{
    Around, Candidate, Category, Chunk, ChunkStatus, Engine, Event, LineKind, Origin, Priority,
    Recipient, Report, Scope, Side, Suppression, Task, TokenUsage,
};
use tokio::sync::{Semaphore, watch};

/// The file that an engine reads before each review, if it has a repository.
pub(crate) const LOOKED_INTO: &str = "src/cards.py";

/// The cost of a chunk.
pub(crate) const TOKENS: u64 = USAGE.total_tokens;
/// The estimated cost of a cancelled chunk of an engine with a model.
pub(crate) const CUT_OFF: u64 = ESTIMATE.total_tokens;
const ESTIMATE: TokenUsage = TokenUsage {
    prompt_tokens: 16_000,
    completion_tokens: 412,
    total_tokens: 16_412,
    estimated: true,
};
const USAGE: TokenUsage = TokenUsage {
    prompt_tokens: 10,
    completion_tokens: 2,
    total_tokens: 12,
    estimated: false,
};

/// The engine's behaviour on a chunk.
#[derive(Clone)]
pub(crate) enum Act {
    Nothing,
    /// Reports every added line.
    Find,
    /// Reports every added line, as a finding that a comment on it suppresses for this reason.
    Suppress(&'static str),
    /// Fails.
    Fail,
    /// Never ends.
    Hang,
    /// Panics with a message that quotes the chunk.
    Panic,
    /// Waits for a permit and keeps it.
    Wait(Arc<Semaphore>),
    /// Computes until the gate opens, without yielding the thread.
    Compute(Arc<Gate>),
}

/// A gate that is closed until it is opened.
#[derive(Default)]
pub(crate) struct Gate {
    open: Mutex<bool>,
    changed: Condvar,
}

impl Gate {
    pub(crate) fn open(&self) {
        *self.open.lock().unwrap() = true;
        self.changed.notify_all();
    }

    fn pass(&self) {
        let _open = self
            .changed
            .wait_while(self.open.lock().unwrap(), |open| !*open)
            .unwrap();
    }
}

/// A scripted engine that reports how many chunks it is analysing.
pub(crate) struct Script {
    act: Act,
    running: watch::Sender<usize>,
    model: Option<&'static str>,
    recipients: Vec<Recipient>,
    scopes: Mutex<Vec<Scope>>,
    looked_up: Mutex<Vec<Option<String>>>,
    saw_whole_file: AtomicBool,
}

impl Script {
    pub(crate) fn new(act: Act) -> Self {
        Self {
            act,
            running: watch::Sender::new(0),
            model: None,
            recipients: Vec::new(),
            scopes: Mutex::default(),
            looked_up: Mutex::default(),
            saw_whole_file: AtomicBool::new(false),
        }
    }

    /// An engine that reports using a model, at [`TOKENS`] per chunk.
    pub(crate) fn with_model(act: Act) -> Self {
        let recipient = |host: &str, model: &str| Recipient {
            host: host.to_owned(),
            model: model.to_owned(),
        };
        let recipients = vec![
            recipient("models.example.com", "script-1"),
            recipient("10.0.0.7:8000", "spare<1>"),
        ];
        Self {
            model: Some("script-1"),
            recipients,
            ..Self::new(act)
        }
    }

    /// The scopes of the reviews so far.
    pub(crate) fn scopes(&self) -> Vec<Scope> {
        self.scopes.lock().unwrap().clone()
    }

    /// The first line of [`LOOKED_INTO`] in each review so far; `None` without a repository.
    pub(crate) fn looked_up(&self) -> Vec<Option<String>> {
        self.looked_up.lock().unwrap().clone()
    }

    /// Whether the last chunk was a whole file.
    pub(crate) fn saw_whole_file(&self) -> bool {
        self.saw_whole_file.load(Ordering::SeqCst)
    }

    /// Waits until the engine is analysing this many chunks.
    pub(crate) async fn running(&self, count: usize) {
        self.running
            .subscribe()
            .wait_for(|running| *running == count)
            .await
            .unwrap();
    }
}

impl Script {
    async fn act(&self, at: usize, chunk: &Chunk<'_>, report: &dyn Report) {
        let mut running = Running::new(&self.running, self.model.map(|_| report));
        let is_whole = matches!(chunk.around, Around::Nothing);
        self.saw_whole_file.store(is_whole, Ordering::SeqCst);
        let status = match &self.act {
            Act::Nothing => ChunkStatus::Done,
            Act::Find => found(chunk, report, None),
            Act::Suppress(reason) => found(chunk, report, Some(reason)),
            Act::Fail => ChunkStatus::Failed("it was told to fail".to_owned()),
            Act::Hang => std::future::pending().await,
            Act::Panic => panic!("the engine was told to panic over {chunk:?}"),
            Act::Compute(gate) => {
                gate.pass();
                found(chunk, report, None)
            }
            Act::Wait(permits) => {
                permits.acquire().await.unwrap().forget();
                found(chunk, report, None)
            }
        };
        running.cut_off = None;
        if !matches!(self.act, Act::Nothing) {
            report.report(Event::Used(USAGE));
        }
        report.report(Event::Ended { chunk: at, status });
    }
}

impl Engine for Script {
    fn name(&self) -> &'static str {
        "script"
    }

    fn model(&self) -> Option<&str> {
        self.model
    }

    fn recipients(&self) -> &[Recipient] {
        &self.recipients
    }

    fn review<'a>(&'a self, task: &'a Task<'a, '_>, report: &'a dyn Report) -> BoxFuture<'a, ()> {
        self.scopes.lock().unwrap().push(task.scope.clone());
        async move {
            let first_line = Lookup::Read {
                path: LOOKED_INTO.to_owned(),
                first: 1,
                last: 1,
            };
            let found = match task.repository {
                Some(repository) => repository.look_up(&first_line).await.ok(),
                None => None,
            };
            let line = found.and_then(|answer| answer.excerpts.first()?.lines.first().cloned());
            self.looked_up.lock().unwrap().push(line);
            let chunks = task.chunks.iter().enumerate();
            let acts = chunks.map(|(at, chunk)| {
                report.report(Event::Started { chunk: at });
                self.act(at, chunk, report)
            });
            join_all(acts).await;
        }
        .boxed()
    }
}

/// Counts one chunk until it is dropped, because it finished or was cancelled.
struct Running<'a> {
    count: &'a watch::Sender<usize>,
    /// Receives the cost of a cancelled chunk.
    cut_off: Option<&'a dyn Report>,
}

impl<'a> Running<'a> {
    fn new(count: &'a watch::Sender<usize>, cut_off: Option<&'a dyn Report>) -> Self {
        count.send_modify(|count| *count += 1);
        Self { count, cut_off }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.count.send_modify(|count| *count -= 1);
        if let Some(report) = self.cut_off {
            report.report(Event::Used(ESTIMATE));
        }
    }
}

/// Reports each added line.
fn found(chunk: &Chunk<'_>, report: &dyn Report, suppressed: Option<&str>) -> ChunkStatus {
    let lines = chunk.hunks.iter().flat_map(|hunk| hunk.lines.iter());
    for line in lines.filter(|line| line.kind == LineKind::Added) {
        report.report(Event::Found(Candidate {
            file: chunk.index,
            side: Side::New,
            line: line.new.unwrap(),
            origin: Origin::Rule("test/added-line".into()),
            priority: Priority::P2,
            category: Category::LogicBug,
            summary: "A line was added.".to_owned(),
            suggested_fix: None,
            confidence: 0.9,
            scope: None,
            span: None,
            related: Vec::new(),
            references: Vec::new(),
            replacement: None,
            lowered_in_test_code: false,
            suppression: suppressed.map(|reason| Suppression {
                line: line.new.unwrap(),
                reason: reason.to_owned(),
            }),
        }));
    }
    ChunkStatus::Done
}
