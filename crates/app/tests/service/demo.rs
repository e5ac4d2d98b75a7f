//! `hunkwise serve --demo`, as a new user sees it.

use std::net::TcpListener;
use std::process::Command;

use rustix::process::Signal;
use serde_json::Value;

use crate::support::{Place, Process, Request};

/// A proxy that does not respond must not affect the demo's requests to itself.
fn place() -> Place {
    Place::new()
        .variable("HTTP_PROXY", "http://127.0.0.1:9")
        .variable("http_proxy", "http://127.0.0.1:9")
}

#[test]
fn the_demo_reviews_the_sample_prints_the_findings_and_ends() {
    let place = place();
    let ended = place.run(&["serve", "--demo", "--exit"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    for words in [
        "[python/mutable-default-argument]", "[python/is-with-literal]",
        "[javascript/comparison-with-nan]", "[any/guard-removed]", "[any/loop-past-the-end]",
        " findings (",
    ] {
        assert!(ended.stdout.contains(words), "{words}: {ended:?}");
    }
    assert!(!ended.stdout.contains('\u{1b}'), "colour in a pipe");
    assert_eq!(
        std::fs::read_dir(place.path("")).unwrap().count(),
        0,
        "its folder is gone"
    );
}

#[test]
fn settings_of_the_real_service_do_not_affect_the_demo() {
    let place = place();
    let tls = "[tls]\ncertificate_file = 'none.pem'\nkey_file = 'none.pem'\n";
    place.write(
        "a.toml",
        &format!("shutdown_delay_seconds = 3600\nmetrics_bind = '192.0.2.1:1'\n{tls}"),
    );
    let ended = place.run(&["serve", "--demo", "--exit", "--config", "a.toml"]);
    assert_eq!(ended.status, 0, "{ended:?}");
}

#[test]
fn a_port_in_use_is_replaced_with_a_note() {
    // The port is in use, by this process or another.
    let _taken = TcpListener::bind("127.0.0.1:8080");
    let ended = place().run(&["serve", "--demo", "--exit"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    assert!(
        ended
            .stderr
            .contains("127.0.0.1:8080 is in use; the demo listens on 127.0.0.1:"),
        "{ended:?}"
    );
}

#[test]
fn an_explicit_address_is_not_replaced() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let message = place().refused(2, &["serve", "--demo", "--exit", "--bind", &address]);
    assert!(message.contains("the address is in use"), "{message}");
}

#[test]
fn the_printed_command_works_when_pasted() {
    let place = place();
    let mut demo = Process::start(place.command(&["serve", "--demo", "--bind", "127.0.0.1:0"]));
    let text = demo.stdout_until("Ctrl-C");
    let pasted = &text[text.find("\ncurl ").unwrap()..text.find("\nCtrl-C").unwrap()];
    let arguments = as_a_shell_reads(pasted);
    let url = arguments
        .iter()
        .find_map(|argument| argument.strip_prefix("http://"))
        .unwrap();
    let (address, path) = url.split_once('/').unwrap();
    let after = |flag: &str| {
        arguments
            .iter()
            .position(|argument| argument == flag)
            .map(|at| arguments[at + 1].clone())
            .unwrap()
    };
    let token = after("-H");
    let token = token.strip_prefix("Authorization: Bearer ").unwrap();
    assert!(
        text.contains(&format!("  token         {token}\n")),
        "{text}"
    );
    let body = after("-d");
    let mut request = Request::begin(
        address.parse().unwrap(),
        "POST",
        &format!("/{path}"),
        token,
        body.len(),
    );
    request.write(&body);
    let (status, review) = request.answer();
    assert_eq!(status, 200, "{review}");
    assert_eq!(
        review["findings"][0]["ruleId"],
        Value::from("python/mutable-default-argument"),
        "{review}"
    );
    demo.signal(Signal::INT);
    let ended = demo.end();
    assert_eq!(ended.status, 0, "{ended:?}");
    assert_eq!(
        std::fs::read_dir(place.path("")).unwrap().count(),
        0,
        "its folder is gone"
    );
}

/// The arguments that a real shell would pass to curl.
fn as_a_shell_reads(line: &str) -> Vec<String> {
    let script = format!("curl() {{ printf '%s\\0' \"$@\"; }}\n{line}");
    let output = Command::new("/bin/sh")
        .args(["-c", &script])
        .output()
        .unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
    let text = String::from_utf8(output.stdout).unwrap();
    text.split_terminator('\0').map(str::to_owned).collect()
}
