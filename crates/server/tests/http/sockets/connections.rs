//! Places for connections: idle connections do not block others.

use std::net::SocketAddr;
use std::sync::Arc;

use server::{Limits, Transport};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::{HEALTH, SHORT, Server, TIMEOUT, read_to_end, review_request};
use crate::support::{Act, Service};

/// Idle connections are closed only to make room for others.
fn patient(connections: usize, connections_per_address: usize) -> Transport {
    Transport {
        connections,
        connections_per_address,
        header: TIMEOUT,
        idle: TIMEOUT,
        ..Transport::default()
    }
}

/// A connection from another address of this machine.
async fn connect_from(address: &str, to: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket
        .bind(format!("{address}:0").parse().unwrap())
        .unwrap();
    socket.connect(to).await.unwrap()
}

/// A connection with one answered request.
async fn used(server: &Server) -> TcpStream {
    let mut socket = server.connect().await;
    ask_on(&mut socket).await;
    socket
}

async fn ask_on(socket: &mut TcpStream) {
    socket
        .write_all(b"HEAD /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        .await
        .unwrap();
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        assert_ne!(
            timeout(TIMEOUT, socket.read_buf(&mut answer))
                .await
                .unwrap()
                .unwrap(),
            0,
            "closed"
        );
    }
    assert!(answer.starts_with(b"HTTP/1.1 200"));
}

#[tokio::test]
async fn the_maximum_of_idle_connections_does_not_block_others() {
    let server = Server::start(patient(4_096, usize::MAX)).await;
    let mut idle = Vec::new();
    for _ in 0..4_200 {
        idle.push(server.connect().await);
    }
    for _ in 0..3 {
        assert!(server.ask(HEALTH).await.starts_with("HTTP/1.1 200"));
    }
    let mut newest = idle.pop().unwrap();
    ask_on(&mut newest).await;
    drop(idle);
    server.stop().await;
}

#[tokio::test]
async fn the_longest_idle_connection_is_closed_first_and_busy_ones_are_kept() {
    let permits = Arc::new(Semaphore::new(0));
    let service = Service::limited(Limits::default(), Act::Wait(Arc::clone(&permits))).await;
    let server = Server::on(service, patient(3, usize::MAX)).await;
    let (user, path) = server.service.reviewer().await;
    let mut busy = server.connect().await;
    busy.write_all(review_request(&user, &path, "Connection: close\r\n").as_bytes())
        .await
        .unwrap();
    server.service.engine.running(1).await;
    let (mut first, mut second) = (used(&server).await, used(&server).await);
    ask_on(&mut first).await;
    let mut third = used(&server).await;
    assert_eq!(
        read_to_end(&mut second).await,
        "",
        "it asked before the others"
    );
    ask_on(&mut first).await;
    ask_on(&mut third).await;
    permits.add_permits(1);
    assert!(read_to_end(&mut busy).await.starts_with("HTTP/1.1 200"));
    drop((first, third));
    server.stop().await;
}

#[tokio::test]
async fn a_new_connection_waits_while_all_are_busy() {
    let permits = Arc::new(Semaphore::new(0));
    let service = Service::limited(Limits::default(), Act::Wait(Arc::clone(&permits))).await;
    let server = Server::on(service, patient(1, usize::MAX)).await;
    let (user, path) = server.service.reviewer().await;
    let mut busy = server.connect().await;
    busy.write_all(review_request(&user, &path, "").as_bytes())
        .await
        .unwrap();
    server.service.engine.running(1).await;
    let mut second = server.connect().await;
    second.write_all(HEALTH.as_bytes()).await.unwrap();
    let mut start = [0; 12];
    assert!(
        timeout(SHORT, second.read(&mut start)).await.is_err(),
        "the place is taken"
    );
    permits.add_permits(1);
    assert!(
        read_to_end(&mut busy).await.starts_with("HTTP/1.1 200"),
        "the connection is closed after its response"
    );
    assert!(read_to_end(&mut second).await.starts_with("HTTP/1.1 200"));
    server.stop().await;
}

#[tokio::test]
async fn connections_are_limited_by_address_without_affecting_others() {
    let server = Server::start(patient(4, 2)).await;
    let mut other = connect_from("127.0.0.2", server.address).await;
    ask_on(&mut other).await;
    let mut first = used(&server).await;
    for _ in 0..8 {
        drop(used(&server).await);
    }
    let _more = [used(&server).await, used(&server).await];
    assert_eq!(read_to_end(&mut first).await, "");
    ask_on(&mut other).await;
    drop(other);
    server.stop().await;

    let trusted = vec!["127.0.0.0/8".parse().unwrap()];
    let server = Server::start(Transport {
        proxies: trusted,
        ..patient(4, 2)
    })
    .await;
    let mut all = [
        used(&server).await,
        used(&server).await,
        used(&server).await,
    ];
    for socket in &mut all {
        ask_on(socket).await;
    }
    drop(all);
    server.stop().await;
}
