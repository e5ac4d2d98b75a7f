//! `hunkwise ready`, as a container's health check asks.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use crate::support::Place;

#[test]
fn a_service_that_can_serve_is_ready_and_one_that_is_gone_is_not() {
    let place = Place::new();
    let serving = place.serve(&[]);
    let server = format!("http://{}", serving.address);
    let ended = place.run(&["ready", "--server", &server]);
    assert_eq!((ended.status, ended.stdout.as_str(), ended.stderr.as_str()), (0, "", ""));
    drop(serving);
    let said = place.refused(3, &["ready", "--server", &server]);
    assert!(said.contains("127.0.0.1: cannot connect"), "{said}");
    assert!(place.refused(2, &["ready", "--server", "localhost"]).contains("--server localhost"));
}

#[test]
fn a_service_that_says_no_is_not_ready_and_gets_no_token() {
    let place = Place::new().variable("HUNKWISE_TOKEN", "hw_of_somebody");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = format!("http://{}", listener.local_addr().unwrap());
    let asked = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut asked = Vec::new();
        while !asked.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            asked.extend(byte);
        }
        stream.write_all(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n").unwrap();
        String::from_utf8(asked).unwrap()
    });
    let said = place.refused(3, &["ready", "--server", &server]);
    assert!(said.contains("answered 503 Service Unavailable: it cannot serve now"), "{said}");
    let asked = asked.join().unwrap();
    assert!(asked.starts_with("GET /readyz HTTP/1.1\r\n") && !asked.contains("hw_of_somebody"), "{asked}");
}
