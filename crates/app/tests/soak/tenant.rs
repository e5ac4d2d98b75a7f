//! A tenant: an organization, its only member, and the results of the member's reviews.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;

use crate::client::{Answer, Client, organization, user};
use crate::support::Place;

/// Maximum number of concurrent reviews of one organization, by default.
const REVIEWS_AT_ONCE: usize = 16;

pub(crate) struct Tenant {
    pub(crate) address: SocketAddr,
    pub(crate) token: String,
    organization: String,
    /// Completed reviews, with or without findings.
    answered: AtomicUsize,
    /// Reviews whose caller disconnected, so that it is unknown whether they were counted.
    abandoned: AtomicUsize,
}

/// The result of a review.
pub(crate) enum Served {
    Answered,
    Refused(Answer),
    Nothing,
}

impl Tenant {
    pub(crate) fn new(place: &Place, database: &str, address: SocketAddr) -> Self {
        let (user, token) = user(place, database);
        let organization = organization(&mut Client::new(address), &token);
        let grant = [
            "admin", "--json", "--database", database, "entitlement", "grant", "--organization",
        ];
        place.json(&[&grant[..], &[&organization, "--user", &user]].concat());
        Self {
            address,
            token,
            organization,
            answered: AtomicUsize::new(0),
            abandoned: AtomicUsize::new(0),
        }
    }

    /// The path for its reviews.
    pub(crate) fn path(&self) -> String {
        format!("/v1/organizations/{}/reviews/diff/sync", self.organization)
    }

    /// Requests a review and waits for the response.
    pub(crate) fn review(&self, diff: &str) -> Served {
        let body = json!({ "diff": diff }).to_string();
        match Client::new(self.address).send("POST", &self.path(), &self.token, &body) {
            Ok(answer) if answer.status == 200 => {
                self.answered.fetch_add(1, Ordering::SeqCst);
                Served::Answered
            }
            Ok(answer) => Served::Refused(answer),
            Err(_) => {
                self.record_abandoned(1);
                Served::Nothing
            }
        }
    }

    /// Requests a review, and disconnects if it takes longer than this.
    pub(crate) fn review_within(&self, diff: &str, time: Duration) {
        let body = json!({ "diff": diff }).to_string();
        let (path, token, length) = (self.path(), &self.token, body.len());
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        let Ok(mut stream) = TcpStream::connect(self.address) else {
            return;
        };
        stream.set_read_timeout(Some(time)).unwrap();
        let mut answer = Vec::new();
        // The service may refuse the request and close the connection before the body is sent.
        let _cut_off = stream
            .write_all((head + &body).as_bytes())
            .and_then(|()| stream.read_to_end(&mut answer));
        if answer.starts_with(b"HTTP/1.1 200") {
            self.answered.fetch_add(1, Ordering::SeqCst);
        } else if answer.is_empty() {
            self.record_abandoned(1);
        }
    }

    /// Records reviews that were started by callers who did not wait for them.
    pub(crate) fn record_abandoned(&self, reviews: usize) {
        self.abandoned.fetch_add(reviews, Ordering::SeqCst);
    }

    pub(crate) fn reviewed(&self) -> usize {
        self.answered.load(Ordering::SeqCst)
    }

    /// At least the completed reviews, and at most those plus the abandoned ones.
    pub(crate) fn possible_reviews(&self) -> (usize, usize) {
        (
            self.reviewed(),
            self.reviewed() + self.abandoned.load(Ordering::SeqCst),
        )
    }

    /// The reviews counted in the member's month.
    pub(crate) fn reviews_counted(&self) -> usize {
        let path = format!("/v1/organizations/{}/usage", self.organization);
        let usage = Client::new(self.address)
            .send("GET", &path, &self.token, "")
            .unwrap();
        assert_eq!(usage.status, 200, "{usage:?}");
        usize::try_from(usage.body["total"]["reviews"].as_u64().unwrap()).unwrap()
    }

    /// Asserts that the maximum number of concurrent reviews is served, so no slot is still held by a finished review.
    pub(crate) fn assert_all_slots_are_free(&self) {
        std::thread::scope(|scope| {
            let diff = crate::diffs::one_line();
            let reviews: Vec<_> = (0..REVIEWS_AT_ONCE)
                .map(|_| {
                    scope.spawn({
                        let diff = diff.clone();
                        move || self.review(&diff)
                    })
                })
                .collect();
            for review in reviews {
                if let Served::Refused(answer) = review.join().unwrap() {
                    assert_eq!(answer.status, 200, "{answer:?}");
                }
            }
        });
    }
}
