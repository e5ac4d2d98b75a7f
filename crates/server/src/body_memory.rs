//! Memory for request bodies. A body is in memory from its first byte until its request is answered, also while a review
//! waits for a slot. The memory is bounded: per user, per organization and in total.
//!
//! Memory is granted for what has arrived, in steps, and never for what is announced. When it is short, the smallest holder goes
//! first, and the slowest body of the largest holder is evicted: bodies that arrive slowly, or are left
//! unfinished, block nobody. A holder with as much as the others waits. The oldest body that is still being read always gets
//! memory to its end, so that concurrent bodies cannot deadlock with half of each in memory.
//!
//! Decoders have memory of their own, by the same rules: one byte of a body can require mebibytes of it.

mod ledger;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::Limits;
use crate::coding::Coding;
use crate::context::Context;
use crate::error::{Code, Problem};
use ledger::{Holder, Ledger};

/// The first step of a body; one that has more grows by as much again, up to the longest.
const STEP_BYTES: usize = 64 << 10;
const LONGEST_STEP_BYTES: usize = 1 << 20;
/// Room in all, unless two bodies of the largest size need more.
const SERVER_BYTES: usize = 512 << 20;

/// Room of decoders: of everybody, and in all.
const DECODERS_BYTES_OF_ONE: usize = 128 << 20;
const DECODERS_BYTES: usize = 256 << 20;

/// The room of the server and of everybody in it.
pub(crate) struct BodyMemoryLimiter {
    bodies: Pool,
    decoders: Pool,
    wait: Duration,
}

/// Room of one kind.
struct Pool {
    ledger: Arc<Mutex<Ledger>>,
    largest: usize,
}

/// The room that one body has. Dropping it gives it to the next. The default has none and holds nothing.
#[derive(Debug, Default)]
pub(crate) struct BodyMemoryPermit(Option<Place>);

#[derive(Debug)]
struct Place {
    ledger: Arc<Mutex<Ledger>>,
    ticket: u64,
    bytes: usize,
    largest: usize,
    wait: Duration,
    evicted: CancellationToken,
}

impl BodyMemoryLimiter {
    /// Every user and every organization has room for as many of the largest bodies as one may have reviews at once.
    pub(crate) fn new(limits: &Limits) -> Self {
        let server = SERVER_BYTES.max(limits.body_bytes.saturating_mul(2));
        let holder = limits.body_bytes.saturating_mul(limits.reviews_per_organization.max(2)).min(server);
        Self {
            bodies: Pool::new(holder, server, limits.body_bytes),
            decoders: Pool::new(DECODERS_BYTES_OF_ONE, DECODERS_BYTES, Coding::LARGEST_DECODER_BYTES),
            wait: Duration::from_secs(limits.queue_seconds),
        }
    }

    /// A place for the body of this request, without room as yet.
    pub(crate) fn enter(&self, context: &Context) -> BodyMemoryPermit {
        self.bodies.enter(context, self.wait)
    }

    /// A place for what decodes the body of this request, without room as yet.
    pub(crate) fn enter_decoder(&self, context: &Context) -> BodyMemoryPermit {
        self.decoders.enter(context, self.wait)
    }
}

impl Pool {
    fn new(holder: usize, all: usize, largest: usize) -> Self {
        Self { ledger: Arc::new(Mutex::new(Ledger::new(holder, all, largest))), largest }
    }

    fn enter(&self, context: &Context, wait: Duration) -> BodyMemoryPermit {
        let organization = context.organization().map(Holder::Organization);
        let holders: Vec<Holder> = organization.into_iter().chain(context.user().map(Holder::User)).collect();
        // Who is not known yet gets no body read.
        if holders.is_empty() {
            return BodyMemoryPermit::default();
        }
        let evicted = CancellationToken::new();
        let ticket = lock(&self.ledger).enter(holders, evicted.clone());
        let (ledger, largest) = (Arc::clone(&self.ledger), self.largest);
        BodyMemoryPermit(Some(Place { ledger, ticket, bytes: 0, largest, wait, evicted }))
    }
}

impl BodyMemoryPermit {
    /// Reserves memory for this many bytes of the body. Returns the bytes reserved.
    ///
    /// # Errors
    /// [`Code::Overloaded`] when there is none in time, or when the body was evicted for others.
    pub(crate) async fn grow(&mut self, bytes: usize) -> Result<usize, Problem> {
        let Some(place) = self.0.as_mut() else { return Ok(bytes) };
        let asked = lock(&place.ledger).arrived(place.ticket, bytes);
        if bytes <= place.bytes {
            return Ok(place.bytes);
        }
        let step = place.bytes.clamp(STEP_BYTES, LONGEST_STEP_BYTES);
        let wanted = bytes.max((place.bytes + step).min(place.largest));
        let granted = lock(&place.ledger).ask(place.ticket, wanted - place.bytes, asked);
        place.granted(granted).await?;
        place.bytes = wanted;
        Ok(wanted)
    }

    /// Completes when the body was evicted, so that others find room.
    pub(crate) async fn evicted(&self) -> Problem {
        match &self.0 {
            Some(place) => place.evicted.cancelled().await,
            None => std::future::pending().await,
        }
        self.0.as_ref().map_or_else(|| full(Duration::ZERO), Place::broken)
    }

    /// The body is whole: it keeps the room that it needs, and is not evicted any more.
    pub(crate) fn complete(&mut self, bytes: usize) {
        if let Some(place) = self.0.as_mut() {
            lock(&place.ledger).complete(place.ticket, bytes.min(place.bytes));
            place.bytes = place.bytes.min(bytes);
        }
    }
}

impl Place {
    async fn granted(&self, granted: oneshot::Receiver<()>) -> Result<(), Problem> {
        tokio::select! {
            biased;
            () = self.evicted.cancelled() => Err(self.broken()),
            granted = timeout(self.wait, granted) => match granted {
                Ok(Ok(())) => Ok(()),
                _ => Err(full(self.wait)),
            },
        }
    }

    fn broken(&self) -> Problem {
        let detail =
            "Memory for request bodies is short, and this body arrived more slowly than others. Send it again.";
        Problem::new(Code::Overloaded, detail).retry_after(self.wait.as_secs())
    }
}

fn full(wait: Duration) -> Problem {
    let detail = "The service has reached its limit of request bodies in memory.";
    Problem::new(Code::Overloaded, detail).retry_after(wait.as_secs())
}

impl Drop for Place {
    fn drop(&mut self) {
        lock(&self.ledger).leave(self.ticket);
    }
}

fn lock(ledger: &Mutex<Ledger>) -> MutexGuard<'_, Ledger> {
    ledger.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
