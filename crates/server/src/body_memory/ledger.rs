//! The accounting: how much memory each holder has, which bodies wait, and which ones are evicted.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use store::{OrganizationId, UserId};
use tokio::sync::oneshot;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// A holder that a body is counted for. Each body is also counted for the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Holder {
    Server,
    Organization(OrganizationId),
    User(UserId),
}

/// See the module.
#[derive(Debug)]
pub(super) struct Ledger {
    per_holder: usize,
    server: usize,
    /// Size of the largest body.
    largest: usize,
    accounts: HashMap<Holder, Account>,
    bodies: HashMap<u64, Body>,
    /// Tickets of the waiting bodies.
    waiting: BTreeSet<u64>,
    next_ticket: u64,
}

#[derive(Debug, Default)]
struct Account {
    held: usize,
    /// The part of `held` that belongs to evicted bodies that are not dropped yet.
    leaving: usize,
    /// Tickets of the bodies that are still being read, oldest first.
    reading: BTreeSet<u64>,
    bodies: usize,
}

#[derive(Debug)]
struct Body {
    holders: Vec<Holder>,
    held: usize,
    arrived: usize,
    /// Start of the body, postponed by the time that it waited for memory.
    since: Instant,
    waiting: Option<Waiting>,
    evicted: CancellationToken,
}

#[derive(Debug)]
struct Waiting {
    bytes: usize,
    since: Instant,
    grant: oneshot::Sender<()>,
}

impl Ledger {
    pub(super) fn new(per_holder: usize, server: usize, largest: usize) -> Self {
        let (accounts, bodies, waiting) = (HashMap::new(), HashMap::new(), BTreeSet::new());
        Self {
            per_holder,
            server,
            largest,
            accounts,
            bodies,
            waiting,
            next_ticket: 0,
        }
    }

    /// Registers a body that will be read.
    pub(super) fn enter(&mut self, mut holders: Vec<Holder>, evicted: CancellationToken) -> u64 {
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        holders.push(Holder::Server);
        for holder in &holders {
            let account = self.accounts.entry(*holder).or_default();
            account.bodies += 1;
            account.reading.insert(ticket);
        }
        let body = Body {
            holders,
            held: 0,
            arrived: 0,
            since: Instant::now(),
            waiting: None,
            evicted,
        };
        self.bodies.insert(ticket, body);
        ticket
    }

    /// Records how much of the body has arrived.
    pub(super) fn arrived(&mut self, ticket: u64, bytes: usize) -> Instant {
        if let Some(body) = self.bodies.get_mut(&ticket) {
            body.arrived = bytes;
        }
        Instant::now()
    }

    /// Requests this many more bytes. The receiver completes when they are granted.
    pub(super) fn ask(&mut self, ticket: u64, bytes: usize, now: Instant) -> oneshot::Receiver<()> {
        let (grant, granted) = oneshot::channel();
        let Some(body) = self.bodies.get_mut(&ticket) else {
            return granted;
        };
        body.waiting = Some(Waiting {
            bytes,
            since: now,
            grant,
        });
        self.waiting.insert(ticket);
        self.hand_out(now);
        if self.waiting.contains(&ticket) {
            self.evict_for(ticket, bytes, now);
        }
        granted
    }

    /// The body was read to its end, and has this size.
    pub(super) fn complete(&mut self, ticket: u64, bytes: usize) {
        let Some(body) = self.bodies.get_mut(&ticket) else {
            return;
        };
        let spare = body.held.saturating_sub(bytes);
        body.held -= spare;
        for holder in &body.holders {
            if let Some(account) = self.accounts.get_mut(holder) {
                account.held -= spare;
                account.reading.remove(&ticket);
            }
        }
        self.hand_out(Instant::now());
    }

    /// Removes the body.
    pub(super) fn leave(&mut self, ticket: u64) {
        let Some(body) = self.bodies.remove(&ticket) else {
            return;
        };
        self.waiting.remove(&ticket);
        for holder in &body.holders {
            let Some(account) = self.accounts.get_mut(holder) else {
                continue;
            };
            account.held -= body.held;
            if body.evicted.is_cancelled() {
                account.leaving -= body.held;
            }
            account.reading.remove(&ticket);
            account.bodies -= 1;
            if account.bodies == 0 {
                self.accounts.remove(holder);
            }
        }
        self.hand_out(Instant::now());
    }

    /// Grants all requests that fit: first that of the holder with the least memory, then the oldest.
    fn hand_out(&mut self, now: Instant) {
        loop {
            let fitting = self
                .waiting
                .iter()
                .copied()
                .filter(|ticket| self.fits(*ticket));
            let Some(next) =
                fitting.min_by_key(|ticket| (self.weight(Holder::Server, *ticket), *ticket))
            else {
                return;
            };
            self.grant(next, now);
        }
    }

    fn grant(&mut self, ticket: u64, now: Instant) {
        self.waiting.remove(&ticket);
        let Some(body) = self.bodies.get_mut(&ticket) else {
            return;
        };
        let Some(Waiting {
            bytes,
            since,
            grant,
        }) = body.waiting.take()
        else {
            return;
        };
        body.held += bytes;
        body.since += now.saturating_duration_since(since);
        for holder in &body.holders {
            if let Some(account) = self.accounts.get_mut(holder) {
                account.held += bytes;
            }
        }
        // A receiver that is gone belongs to a body that is about to be removed.
        let _ = grant.send(());
    }

    /// Whether the body's request can be granted.
    fn fits(&self, ticket: u64) -> bool {
        let Some(body) = self.bodies.get(&ticket) else {
            return false;
        };
        let bytes = body.waiting.as_ref().map_or(0, |waiting| waiting.bytes);
        body.holders
            .iter()
            .all(|holder| self.lacking(*holder, ticket, bytes) == 0)
    }

    /// How many of these bytes the holder lacks. Memory that the oldest body may still need is reserved for it.
    fn lacking(&self, holder: Holder, ticket: u64, bytes: usize) -> usize {
        let Some(account) = self.accounts.get(&holder) else {
            return 0;
        };
        let oldest = account
            .reading
            .first()
            .filter(|oldest| **oldest != ticket)
            .and_then(|oldest| self.bodies.get(oldest));
        let kept = oldest.map_or(0, |oldest| self.largest.saturating_sub(oldest.held));
        let limit = if holder == Holder::Server {
            self.server
        } else {
            self.per_holder
        };
        (account.held + kept)
            .saturating_add(bytes)
            .saturating_sub(limit)
    }

    /// Evicts bodies until this request can be granted: of the holders with more memory than this one would have, the
    /// largest, and of its bodies the slowest.
    fn evict_for(&mut self, ticket: u64, bytes: usize, now: Instant) {
        let holders = self
            .bodies
            .get(&ticket)
            .map(|body| body.holders.clone())
            .unwrap_or_default();
        for holder in holders {
            loop {
                let leaving = self
                    .accounts
                    .get(&holder)
                    .map_or(0, |account| account.leaving);
                if self.lacking(holder, ticket, bytes) <= leaving {
                    break;
                }
                let Some(victim) = self.victim(holder, self.weight(holder, ticket) + bytes, now)
                else {
                    break;
                };
                self.evict(victim);
            }
        }
    }

    /// The body to evict from this holder in favour of one with this weight.
    fn victim(&self, holder: Holder, weight: usize, now: Instant) -> Option<u64> {
        let reading = self.accounts.get(&holder)?.reading.iter().copied();
        let mine = reading
            .filter(|ticket| self.weight(holder, *ticket) > weight && self.held_by(*ticket) > 0);
        mine.min_by_key(|ticket| {
            (
                Reverse(self.weight(holder, *ticket)),
                self.bytes_per_second(*ticket, now),
            )
        })
    }

    fn evict(&mut self, ticket: u64) {
        let Some(body) = self.bodies.get(&ticket) else {
            return;
        };
        for holder in &body.holders {
            if let Some(account) = self.accounts.get_mut(holder) {
                account.reading.remove(&ticket);
                account.leaving += body.held;
            }
        }
        self.waiting.remove(&ticket);
        body.evicted.cancel();
    }

    fn held_by(&self, ticket: u64) -> usize {
        self.bodies.get(&ticket).map_or(0, |body| body.held)
    }

    /// The memory of the body's holders within this holder: in an organization that of its user, on the server the
    /// larger of the two.
    fn weight(&self, within: Holder, ticket: u64) -> usize {
        let Some(body) = self.bodies.get(&ticket) else {
            return 0;
        };
        let counts = |holder: &&Holder| match (within, holder) {
            (_, Holder::Server) => false,
            (Holder::Server, _) => true,
            (_, holder) => matches!(holder, Holder::User(_)),
        };
        let accounts = body
            .holders
            .iter()
            .filter(counts)
            .filter_map(|holder| self.accounts.get(holder));
        accounts
            .map(|account| account.held - account.leaving)
            .max()
            .unwrap_or_default()
    }

    /// The rate at which the body arrived, excluding the time that it waited for memory.
    fn bytes_per_second(&self, ticket: u64, now: Instant) -> u128 {
        let Some(body) = self.bodies.get(&ticket) else {
            return 0;
        };
        let until = body.waiting.as_ref().map_or(now, |waiting| waiting.since);
        let took = until
            .saturating_duration_since(body.since)
            .max(Duration::from_millis(1));
        body.arrived as u128 * 1_000_000 / took.as_micros()
    }
}
