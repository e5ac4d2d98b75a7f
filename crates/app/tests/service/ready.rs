//! `hunkwise ready`, as used in a container's health check.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use rcgen::generate_simple_self_signed;

use crate::support::{Place, Process};

#[test]
fn a_running_service_is_ready_and_a_stopped_one_is_not() {
    let place = Place::new();
    let serving = place.serve(&[]);
    let server = format!("http://{}", serving.address);
    let ended = place.run(&["ready", "--server", &server]);
    assert_eq!(
        (ended.status, ended.stdout.as_str(), ended.stderr.as_str()),
        (0, "", "")
    );
    let address = serving.address;
    drop(serving);
    let message = place.refused(3, &["ready", "--server", &server]);
    assert!(
        message.contains(&format!("{address}: cannot connect")),
        "{message}"
    );
    assert!(
        place
            .refused(2, &["ready", "--server", "localhost"])
            .contains("--server localhost")
    );
}

#[test]
fn an_unready_service_is_reported_and_gets_no_token() {
    let place = Place::new().variable("HUNKWISE_TOKEN", "hw_of_the_user");
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
        stream
            .write_all(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")
            .unwrap();
        String::from_utf8(asked).unwrap()
    });
    let message = place.refused(3, &["ready", "--server", &server]);
    assert!(
        message.contains("answered 503 Service Unavailable: it cannot serve now"),
        "{message}"
    );
    let asked = asked.join().unwrap();
    assert!(
        asked.starts_with("GET /readyz HTTP/1.1\r\n") && !asked.contains("hw_of_the_user"),
        "{asked}"
    );
}

#[test]
fn the_default_address_comes_from_the_settings() {
    let place = Place::new();
    let serving = place.serve(&[]);
    let address = serving.address.to_string();
    let everywhere = format!("0.0.0.0:{}", serving.address.port());
    place.write("a.toml", &format!("bind = '{address}'\n"));
    place.write("wrong.toml", "bind = '127.0.0.1:1'\n");
    assert_eq!(place.run(&["ready", "--config", "a.toml"]).status, 0);
    for bind in [&address, &everywhere] {
        assert_eq!(
            place
                .run(&["ready", "--bind", bind, "--config", "wrong.toml"])
                .status,
            0,
            "{bind}"
        );
    }
    let variable = Place::new().variable("HUNKWISE_BIND", &everywhere);
    assert_eq!(variable.run(&["ready"]).status, 0);
    assert!(
        place
            .refused(3, &["ready", "--config", "wrong.toml"])
            .contains("127.0.0.1:1: cannot connect")
    );
    assert!(
        place
            .refused(2, &["ready", "--bind", "127.0.0.1:0"])
            .contains("--server")
    );
    assert!(
        place
            .refused(2, &["ready", "--bind", "nowhere"])
            .contains("--bind")
    );
    assert_eq!(
        place
            .run(&[
                "ready", "--bind", &address, "--server", "http://127.0.0.1:1"
            ])
            .status,
        2
    );
}

#[test]
fn with_a_certificate_tls_is_used_regardless_of_its_name() {
    let place = Place::new();
    let identity = generate_simple_self_signed(["hunkwise.example.com".to_owned()]).unwrap();
    place.write("key.pem", &identity.signing_key.serialize_pem());
    place.write("cert.pem", &identity.cert.pem());
    place.write(
        "a.toml",
        "[tls]\ncertificate_file = 'cert.pem'\nkey_file = 'key.pem'\n",
    );
    let mut process =
        Process::start(place.command(&["serve", "--bind", "127.0.0.1:0", "--config", "a.toml"]));
    let line = process.stderr_until("listening on");
    let address = line
        .split("https://")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let ended = place.run(&["ready", "--bind", address, "--config", "a.toml"]);
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
    assert_eq!(
        place.run(&["ready", "--bind", address]).status,
        3,
        "plain HTTP gets no response"
    );
    assert_eq!(
        place
            .run(&["ready", "--server", &format!("https://{address}")])
            .status,
        3,
        "a named server is checked"
    );
}
