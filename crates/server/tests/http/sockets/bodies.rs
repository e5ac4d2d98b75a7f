//! Bodies that arrive slowly or not at all.

use futures_util::future::join_all;
use serde_json::json;
use server::{Limits, Transport};
use store::Role;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};

use super::{SHORT, Server, TIMEOUT, read_to_end, review_request, short};
use crate::support::{Act, DIFF, Service, User, review_path};

/// The header of a review with a body of this many bytes.
fn announce(user: &User, path: &str, bytes: usize) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\nContent-Length: {bytes}\r\n\r\n",
        user.token
    )
}

async fn begin(
    server: &Server,
    user: &User,
    path: &str,
    announced: usize,
    sent: usize,
) -> TcpStream {
    let mut socket = server.connect().await;
    let start = announce(user, path, announced) + &" ".repeat(sent);
    socket.write_all(start.as_bytes()).await.unwrap();
    socket
}

#[tokio::test]
async fn announced_bodies_that_do_not_arrive_do_not_block_others() {
    let limits = Limits {
        queue_seconds: 0,
        ..Limits::default()
    };
    let server = Server::on(
        Service::limited(limits, Act::Nothing).await,
        Transport::default(),
    )
    .await;
    let (user, path) = server.service.reviewer().await;
    let hoarder = server.service.user().await;
    let mut held = Vec::new();
    for _ in 0..5 {
        let theirs = review_path(server.service.organization(&hoarder).await);
        for _ in 0..16 {
            held.push(begin(&server, &hoarder, &theirs, 8 << 20, 10).await);
        }
    }
    for _ in 0..held.len() {
        let answer = server
            .ask(&review_request(&user, &path, "Connection: close\r\n"))
            .await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    drop(held);
    server.stop().await;
}

#[tokio::test]
async fn unfinished_bodies_are_evicted_for_other_clients() {
    let limits = Limits {
        body_bytes: 256 << 10,
        reviews_per_organization: 2,
        queue_seconds: 10,
        requests_per_minute: 1_000_000,
        ..Limits::default()
    };
    let server = Server::on(
        Service::limited(limits, Act::Nothing).await,
        Transport::default(),
    )
    .await;
    let (user, path) = server.service.reviewer().await;
    let organization = path.split('/').nth(3).unwrap().parse().unwrap();
    let hoarder = server.service.user().await;
    server
        .service
        .join(organization, &hoarder, Role::Member)
        .await;
    server.service.entitle(organization, &hoarder, None).await;
    let unfinished = [(); 2].map(|()| begin(&server, &hoarder, &path, 256 << 10, 200 << 10));
    let [mut one, mut other] = join_all(unfinished).await.try_into().unwrap();
    // The one that arrives more slowly is evicted.
    let broken_off = tokio::spawn(async move {
        let mut answers = [[0; 4096]; 2];
        let [of_one, of_other] = &mut answers;
        let read = async {
            tokio::select! { read = one.read(of_one) => (0, read), read = other.read(of_other) => (1, read) }
        };
        let (which, length) = timeout(TIMEOUT, read).await.expect("one is evicted");
        String::from_utf8_lossy(&answers[which][..length.unwrap()]).into_owned()
    });
    let began = Instant::now();
    while !broken_off.is_finished() && began.elapsed() < TIMEOUT {
        let answer = server
            .ask(&review_request(&user, &path, "Connection: close\r\n"))
            .await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    let answer = broken_off.await.unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 503") && answer.contains("more slowly than others"),
        "{answer}"
    );
    server.stop().await;
}

#[tokio::test]
async fn a_body_must_keep_the_minimum_average_rate() {
    // On a busy machine, this process may be late with the next part, but not by all of this time.
    let server = Server::start(Transport {
        body: 10 * SHORT,
        body_bytes_per_second: 1 << 20,
        ..short()
    })
    .await;
    let (user, path) = server.service.reviewer().await;
    let body = json!({ "diff": DIFF }).to_string();
    let bytes = 4 << 20;
    let mut socket = begin(&server, &user, &path, bytes, 0).await;
    // Enough of it arrives in each period, but not enough in total.
    let (mut sent, mut byte) = (0, [0]);
    let answer = loop {
        match timeout(SHORT / 6, socket.read(&mut byte)).await {
            Ok(_) => break read_to_end(&mut socket).await,
            Err(_) => socket.write_all(&vec![b' '; 16 << 10]).await.unwrap(),
        }
        sent += 16 << 10;
        assert!(sent < bytes, "it was read to its end");
    };
    assert!(
        answer.contains("REQUEST_TIMEOUT") && answer.contains("bytes per second on average"),
        "{answer}"
    );
    // A fast enough client is served.
    let padded = announce(&user, &path, 1 << 20) + &body + &" ".repeat((1 << 20) - body.len());
    let answer = server
        .ask(&padded.replace("Host: x\r\n", "Host: x\r\nConnection: close\r\n"))
        .await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    server.stop().await;
}
