//! The attacks of the hostile tenant, in order.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::diffs;
use crate::run::Run;
use crate::support::Request;
use crate::tenant::Tenant;

/// Maximum number of concurrent reviews of an organization.
const AT_ONCE: usize = 16;
/// Connections of one attack.
const CONNECTIONS: usize = 80;
type Attack = fn(&Run<'_>, &Tenant);

const ALL: &[Attack] = &[
    concurrent_costly_diffs, refused_diffs, slow_bodies, disconnecting_callers,
    streams_without_a_window, idle_connections, endless_gzip, faulty_queries,
];

/// All attacks repeatedly until the time is over, each at least once.
pub(crate) fn in_turn(run: &Run<'_>, tenant: &Tenant) {
    loop {
        for attack in ALL {
            attack(run, tenant);
        }
        if run.until <= Instant::now() {
            return;
        }
    }
}

/// The most expensive diffs, each with the maximum concurrency, for a while.
fn concurrent_costly_diffs(run: &Run<'_>, tenant: &Tenant) {
    for diff in diffs::costly() {
        at_once(tenant, &diff, run.slice());
    }
}

/// Diffs beyond the limits, which are refused.
fn refused_diffs(run: &Run<'_>, tenant: &Tenant) {
    for diff in diffs::refused() {
        at_once(tenant, &diff, run.slice());
    }
}

fn at_once(tenant: &Tenant, diff: &str, time: Duration) {
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| tenant.review_within(diff, time));
        }
    });
}

/// Bodies that are announced but not sent.
fn slow_bodies(run: &Run<'_>, tenant: &Tenant) {
    let begun: Vec<Request> = (0..CONNECTIONS)
        .map(|_| {
            let mut request = Request::begin(
                tenant.address,
                "POST",
                &tenant.path(),
                &tenant.token,
                8 << 20,
            );
            request.write("{\"diff\": \"");
            request
        })
        .collect();
    std::thread::sleep(run.slice());
    drop(begun);
}

/// Reviews whose caller disconnects as soon as they have started.
fn disconnecting_callers(_: &Run<'_>, tenant: &Tenant) {
    let body = json!({ "diff": diffs::costly().swap_remove(0) }).to_string();
    for _ in 0..AT_ONCE * 2 {
        let mut request = Request::begin(
            tenant.address,
            "POST",
            &tenant.path(),
            &tenant.token,
            body.len(),
        );
        request.write(&body);
        tenant.record_abandoned(1);
    }
}

/// HTTP/2 streams that request a large response and never allow it to be sent (RFC 9113, sections 3.4, 4.1, 6.2 and
/// 6.5).
fn streams_without_a_window(run: &Run<'_>, tenant: &Tenant) {
    let mut hello = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    // SETTINGS_INITIAL_WINDOW_SIZE = 0.
    hello.extend(frame(4, 0, 0, &[0, 4, 0, 0, 0, 0]));
    // `:method: GET`, `:scheme: http`, `:path`, `:authority` (RFC 7541, appendix A).
    let mut head = vec![0x82, 0x86, 0x04, 13];
    head.extend(b"/openapi.json");
    head.extend([0x01, 1, b'x']);
    for stream in 0..64 {
        hello.extend(frame(1, 0x5, stream * 2 + 1, &head));
    }
    hold(tenant.address, &hello, CONNECTIONS, run.slice());
}

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

fn idle_connections(run: &Run<'_>, tenant: &Tenant) {
    hold(tenant.address, b"", 500, run.slice());
}

/// Opens connections, sends the same bytes on each, and closes them after a while without reading.
fn hold(address: SocketAddr, words: &[u8], count: usize, time: Duration) {
    let connect = || {
        let mut stream = TcpStream::connect(address).ok()?;
        stream.write_all(words).ok()?;
        Some(stream)
    };
    let held: Vec<TcpStream> = (0..count).filter_map(|_| connect()).collect();
    std::thread::sleep(time);
    for stream in held {
        // The service may have closed it first.
        let _closed = stream.shutdown(Shutdown::Both);
    }
}

/// A gzip stream of empty blocks (RFC 1951, section 3.2.4) that never ends by itself.
fn endless_gzip(run: &Run<'_>, tenant: &Tenant) {
    let blocks = [0, 0, 0, 0xff, 0xff].repeat(13_000);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let Ok(mut stream) = TcpStream::connect(tenant.address) else { return };
                let (path, token) = (tenant.path(), &tenant.token);
                let head = format!(
                    "POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nContent-Encoding: gzip\r\n\
                     Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\na\r\n"
                );
                let mut gone = stream.write_all(head.as_bytes()).is_err();
                gone |= stream.write_all(&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, b'\r', b'\n']).is_err();
                let until = Instant::now() + run.slice();
                while !gone && Instant::now() < until {
                    gone = write!(stream, "{:x}\r\n", blocks.len()).is_err()
                        || stream.write_all(&blocks).is_err()
                        || stream.write_all(b"\r\n").is_err();
                }
            });
        }
    });
}

/// Queries that consist only of faults; the responses must not grow with them.
fn faulty_queries(_: &Run<'_>, tenant: &Tenant) {
    let query: String = (0..1_500).map(|number| format!("&{number:x}")).collect();
    for _ in 0..20 {
        let Ok(mut stream) = TcpStream::connect(tenant.address) else {
            return;
        };
        let request = format!(
            "GET /v1/organizations?{query} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nConnection: close\r\n\r\n",
            tenant.token
        );
        let mut answer = Vec::new();
        if stream.write_all(request.as_bytes()).is_ok() && stream.read_to_end(&mut answer).is_ok() {
            assert!(answer.len() <= 64 << 10, "{} bytes of answer", answer.len());
        }
    }
}
