//! An engine that does what the test says.

use std::sync::{Arc, Condvar, Mutex};

use futures_util::future::BoxFuture;
use review::{
    Budget, Candidate, Category, Chunk, Engine, LineKind, Origin, Outcome, OutcomeStatus, Priority, Run, Scope, Side,
    TokenUsage,
};
use tokio::sync::{Semaphore, watch};

/// What a chunk costs.
pub(crate) const TOKENS: u64 = USAGE.total_tokens;
const USAGE: TokenUsage = TokenUsage { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12, estimated: false };

/// What an engine does with a chunk.
#[derive(Clone)]
pub(crate) enum Act {
    Nothing,
    /// Reports every added line.
    Find,
    /// Fails.
    Fail,
    /// Never ends.
    Hang,
    /// Panics, and quotes the chunk.
    Panic,
    /// Waits for a permit and takes it along.
    Wait(Arc<Semaphore>),
    /// Computes until the gate opens, without ever giving the thread back.
    Compute(Arc<Gate>),
}

/// Closed until it is opened.
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
        let _open = self.changed.wait_while(self.open.lock().unwrap(), |open| !*open).unwrap();
    }
}

/// An engine that does what the test says, and tells how many chunks it is at work on.
pub(crate) struct Script {
    run: ScriptRun,
    model: Option<&'static str>,
    scopes: Mutex<Vec<Scope>>,
}

#[derive(Clone)]
struct ScriptRun {
    act: Act,
    running: watch::Sender<usize>,
}

impl Script {
    pub(crate) fn new(act: Act) -> Self {
        Self { run: ScriptRun { act, running: watch::Sender::new(0) }, model: None, scopes: Mutex::default() }
    }

    /// One that says that it asks a model, at [`TOKENS`] a chunk.
    pub(crate) fn with_model(act: Act) -> Self {
        Self { model: Some("script-1"), ..Self::new(act) }
    }

    /// For whom the reviews so far were.
    pub(crate) fn scopes(&self) -> Vec<Scope> {
        self.scopes.lock().unwrap().clone()
    }

    /// Waits until the engine is at work on so many chunks.
    pub(crate) async fn running(&self, count: usize) {
        self.run.running.subscribe().wait_for(|running| *running == count).await.unwrap();
    }
}

impl ScriptRun {
    async fn act(&self, chunk: &Chunk<'_>) -> Outcome {
        let _running = Running::new(&self.running);
        match &self.act {
            Act::Nothing => Outcome::default(),
            Act::Find => found(chunk),
            Act::Fail => Outcome { status: OutcomeStatus::Failed, usage: USAGE, ..Outcome::default() },
            Act::Hang => std::future::pending().await,
            Act::Panic => panic!("the engine was told to panic over {chunk:?}"),
            Act::Compute(gate) => {
                gate.pass();
                found(chunk)
            }
            Act::Wait(permits) => {
                permits.acquire().await.unwrap().forget();
                found(chunk)
            }
        }
    }
}

impl Engine for Script {
    fn name(&self) -> &'static str {
        "script"
    }

    fn model(&self) -> Option<&str> {
        self.model
    }

    fn start(&self, scope: &Scope, _: &Budget) -> Box<dyn Run> {
        self.scopes.lock().unwrap().push(scope.clone());
        Box::new(self.run.clone())
    }
}

impl Run for ScriptRun {
    fn analyse<'a>(&'a self, chunk: &'a Chunk<'_>, _: &'a [Candidate]) -> BoxFuture<'a, Outcome> {
        Box::pin(self.act(chunk))
    }
}

/// Counts one chunk until it is dropped, be it finished or cancelled.
struct Running<'a>(&'a watch::Sender<usize>);

impl<'a> Running<'a> {
    fn new(count: &'a watch::Sender<usize>) -> Self {
        count.send_modify(|count| *count += 1);
        Self(count)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}

fn found(chunk: &Chunk<'_>) -> Outcome {
    let lines = chunk
        .files
        .iter()
        .flat_map(|file| file.hunks.iter().flat_map(move |hunk| hunk.lines.iter().map(move |line| (file, line))));
    let added = lines.filter(|(_, line)| line.kind == LineKind::Added);
    let candidates = added.map(|(file, line)| Candidate {
        file: file.index,
        side: Side::New,
        line: line.new.unwrap(),
        origin: Origin::Rule("test/added-line".into()),
        priority: Priority::P2,
        category: Category::LogicBug,
        summary: "A line was added.".to_owned(),
        suggested_fix: None,
        confidence: 0.9,
        scope: None,
    });
    Outcome { candidates: candidates.collect(), usage: USAGE, ..Outcome::default() }
}
