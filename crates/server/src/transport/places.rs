//! Places for connections, limited in total and per address. When all are taken, the longest idle connection is
//! closed for a new one, so that idle connections do not block others.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::activity::Activity;

/// All places.
pub(super) struct Places {
    table: Arc<Mutex<Table>>,
    /// Woken when a connection ends or becomes idle.
    changed: Arc<Notify>,
    most: usize,
    per_address: usize,
}

#[derive(Default)]
struct Table {
    taken: HashMap<u64, Taken>,
    of_addresses: HashMap<IpAddr, usize>,
    last: u64,
}

struct Taken {
    address: Option<IpAddr>,
    activity: Activity,
    gives_way: CancellationToken,
}

/// One connection's place, until it is dropped.
pub(super) struct Place {
    table: Arc<Mutex<Table>>,
    changed: Arc<Notify>,
    number: u64,
    pub(super) activity: Activity,
    /// Cancelled when the connection must be closed for another.
    pub(super) gives_way: CancellationToken,
}

impl Places {
    /// Creates the places, at least one in total and per address.
    pub(super) fn new(most: usize, per_address: usize) -> Self {
        let (most, per_address) = (most.max(1), per_address.max(1));
        Self {
            table: Arc::default(),
            changed: Arc::default(),
            most,
            per_address,
        }
    }

    /// Waits until a place for a new connection is available.
    pub(super) async fn room(&self) {
        loop {
            let changed = self.changed.notified();
            if self.has_room() {
                return;
            }
            changed.await;
        }
    }

    fn has_room(&self) -> bool {
        let table = lock(&self.table);
        table.taken.len() < self.most
            || table
                .taken
                .values()
                .any(|taken| taken.activity.idle_since().is_some())
    }

    /// A place for a new connection. `None`: its address has reached its limit, and all its connections are busy. A
    /// connection without an address counts only for the total.
    pub(super) fn enter(&self, address: Option<IpAddr>) -> Option<Place> {
        let address = address.map(network);
        let mut table = lock(&self.table);
        let of_address = address
            .and_then(|address| table.of_addresses.get(&address).copied())
            .unwrap_or(0);
        if of_address >= self.per_address {
            table
                .make_room(|taken| taken.address == address)
                .then_some(())?;
        } else if table.taken.len() >= self.most {
            table.make_room(|_| true);
        }
        let (activity, gives_way) = (
            Activity::new(Arc::clone(&self.changed)),
            CancellationToken::new(),
        );
        let number = table.enter(Taken {
            address,
            activity: activity.clone(),
            gives_way: gives_way.clone(),
        });
        Some(Place {
            table: Arc::clone(&self.table),
            changed: Arc::clone(&self.changed),
            number,
            activity,
            gives_way,
        })
    }

    /// Closes the longest idle connection when resources other than places are short.
    pub(super) fn make_room(&self) {
        lock(&self.table).make_room(|_| true);
    }
}

impl Table {
    fn enter(&mut self, taken: Taken) -> u64 {
        if let Some(address) = taken.address {
            *self.of_addresses.entry(address).or_default() += 1;
        }
        self.last += 1;
        self.taken.insert(self.last, taken);
        self.last
    }

    fn leave(&mut self, number: u64) -> Option<Taken> {
        let taken = self.taken.remove(&number)?;
        if let Some(address) = taken.address
            && let Some(count) = self.of_addresses.get_mut(&address)
        {
            *count -= 1;
            if *count == 0 {
                self.of_addresses.remove(&address);
            }
        }
        Some(taken)
    }

    /// Frees the place of the longest idle connection; `false` if there is none.
    fn make_room(&mut self, among: impl Fn(&Taken) -> bool) -> bool {
        let all = self.taken.iter().filter(|(_, taken)| among(taken));
        let idle = all.filter_map(|(number, taken)| Some((taken.activity.idle_since()?, *number)));
        let Some(longest) = idle.min().and_then(|(_, number)| self.leave(number)) else {
            return false;
        };
        longest.gives_way.cancel();
        true
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        lock(&self.table).leave(self.number);
        self.changed.notify_one();
    }
}

/// The part of an address that identifies a client: with IPv6, clients choose the last 64 bits freely (RFC 4291
/// section 2.5.4).
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() >> 64 << 64).into()),
        address @ IpAddr::V4(_) => address,
    }
}

fn lock(table: &Mutex<Table>) -> MutexGuard<'_, Table> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::{Places, network};

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn an_ipv6_client_is_identified_by_its_network() {
        assert_eq!(
            network(address("2001:db8::1:2:3:4")),
            network(address("2001:db8::9"))
        );
        assert_ne!(
            network(address("2001:db8::9")),
            network(address("2001:db8:0:1::9"))
        );
        assert_eq!(network(address("::ffff:10.0.0.1")), address("10.0.0.1"));
    }

    #[tokio::test]
    async fn a_closed_connection_frees_its_place() {
        let places = Places::new(2, 1);
        let (one, other) = (address("10.0.0.1"), address("10.0.0.2"));
        for _ in 0..3 {
            let place = places.enter(Some(one)).unwrap();
            let busy = place.activity.begin();
            assert!(
                places.enter(Some(one)).is_none(),
                "the address has one connection, and it is busy"
            );
            let second = places.enter(Some(other)).unwrap();
            drop(busy);
            let third = places.enter(None).unwrap();
            assert!(
                second.gives_way.is_cancelled() && !place.gives_way.is_cancelled(),
                "the longest idle connection is closed"
            );
            drop((place, second, third));
        }
        assert!(places.table.lock().unwrap().of_addresses.is_empty());
    }
}
