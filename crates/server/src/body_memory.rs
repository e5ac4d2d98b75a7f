//! Memory for request bodies. A body stays in memory from its first byte until its request is answered, also while a
//! review waits for a slot. The memory is bounded per user, per organization and in total.
//!
//! Memory is granted in steps for bytes that have arrived, never for an announced length. When memory is short, the
//! smallest holder is served first, and the slowest body of the largest holder is evicted, so bodies that arrive
//! slowly or stay unfinished do not block others. A holder with as much as the others waits. The oldest body that is
//! still being read always gets memory to its end, so that concurrent bodies cannot deadlock with half of each in
//! memory.
//!
//! Decoders have separate memory with the same rules, because one byte of a body can require mebibytes of it.

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

/// The size of a body's first grant. Each further grant doubles the body's memory, up to the longest step.
const STEP_BYTES: usize = 64 << 10;
const LONGEST_STEP_BYTES: usize = 1 << 20;
/// Total memory, unless two bodies of the maximum size need more.
const SERVER_BYTES: usize = 512 << 20;

/// Memory for decoders: per holder, and in total.
const DECODERS_BYTES_OF_ONE: usize = 128 << 20;
const DECODERS_BYTES: usize = 256 << 20;

/// The memory of the server and of all holders.
pub(crate) struct BodyMemoryLimiter {
    bodies: Pool,
    decoders: Pool,
    wait: Duration,
}

/// One kind of memory.
struct Pool {
    ledger: Arc<Mutex<Ledger>>,
    largest: usize,
}

/// The memory held by one body. Dropping it releases the memory to the next. The default holds none.
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
    /// Every user and every organization has memory for as many bodies of the maximum size as it may have concurrent
    /// reviews.
    pub(crate) fn new(limits: &Limits) -> Self {
        let server = SERVER_BYTES.max(limits.body_bytes.saturating_mul(2));
        let holder = limits
            .body_bytes
            .saturating_mul(limits.reviews_per_organization.max(2))
            .min(server);
        Self {
            bodies: Pool::new(holder, server, limits.body_bytes),
            decoders: Pool::new(
                DECODERS_BYTES_OF_ONE,
                DECODERS_BYTES,
                Coding::LARGEST_DECODER_BYTES,
            ),
            wait: Duration::from_secs(limits.queue_seconds),
        }
    }

    /// A permit for the body of this request, which holds no memory yet.
    pub(crate) fn enter(&self, context: &Context) -> BodyMemoryPermit {
        self.bodies.enter(context, self.wait)
    }

    /// A permit for the decoder of this request's body, which holds no memory yet.
    pub(crate) fn enter_decoder(&self, context: &Context) -> BodyMemoryPermit {
        self.decoders.enter(context, self.wait)
    }
}

impl Pool {
    fn new(holder: usize, all: usize, largest: usize) -> Self {
        Self {
            ledger: Arc::new(Mutex::new(Ledger::new(holder, all, largest))),
            largest,
        }
    }

    fn enter(&self, context: &Context, wait: Duration) -> BodyMemoryPermit {
        let organization = context.organization().map(Holder::Organization);
        let holders: Vec<Holder> = organization
            .into_iter()
            .chain(context.user().map(Holder::User))
            .collect();
        // Without a known caller, no body is read.
        if holders.is_empty() {
            return BodyMemoryPermit::default();
        }
        let evicted = CancellationToken::new();
        let ticket = lock(&self.ledger).enter(holders, evicted.clone());
        let (ledger, largest) = (Arc::clone(&self.ledger), self.largest);
        BodyMemoryPermit(Some(Place {
            ledger,
            ticket,
            bytes: 0,
            largest,
            wait,
            evicted,
        }))
    }
}

impl BodyMemoryPermit {
    /// Reserves memory for this many bytes of the body. Returns the bytes reserved.
    ///
    /// # Errors
    /// [`Code::Overloaded`] when no memory becomes free in time, or when the body was evicted to free memory for
    /// others.
    pub(crate) async fn grow(&mut self, bytes: usize) -> Result<usize, Problem> {
        let Some(place) = self.0.as_mut() else {
            return Ok(bytes);
        };
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

    /// Completes when the body was evicted to free memory for others.
    pub(crate) async fn evicted(&self) -> Problem {
        match &self.0 {
            Some(place) => place.evicted.cancelled().await,
            None => std::future::pending().await,
        }
        self.0
            .as_ref()
            .map_or_else(|| full(Duration::ZERO), Place::broken)
    }

    /// The body is complete: it keeps the memory that it needs, and can no longer be evicted.
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
        let detail = "The service is short of memory for request bodies, and this one arrived more slowly than others. \
                      Send it again.";
        Problem::new(Code::Overloaded, detail).retry_after(self.wait.as_secs())
    }
}

fn full(wait: Duration) -> Problem {
    let detail = "The service has reached its memory limit for request bodies.";
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
