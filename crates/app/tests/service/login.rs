//! Signing in to a running service.

use std::fs::Permissions;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;

use crate::client::user;
use crate::support::{Ended, Place};

const DATABASE: &str = "sqlite://a.db";

/// A place with a home folder.
fn place() -> Place {
    let place = Place::new();
    let home = place.path("home").display().to_string();
    place.variable("HOME", &home)
}

/// As [`user`], in a new database.
fn new_user(place: &Place) -> (String, String) {
    let migrated = place.run(&["migrate", "--database", DATABASE]);
    assert_eq!(migrated.status, 0, "{migrated:?}");
    user(place, DATABASE)
}

fn run(place: &Place, arguments: &[&str], input: &str) -> Ended {
    let mut command = place.command(arguments);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that rejects its arguments ends without reading.
    if let Err(error) = child.stdin.take().unwrap().write_all(input.as_bytes()) {
        assert_eq!(error.kind(), ErrorKind::BrokenPipe);
    }
    let output = child.wait_with_output().unwrap();
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    Ended {
        status: output.status.code().unwrap(),
        stdout,
        stderr,
    }
}

#[test]
fn after_login_reviews_need_no_variable_until_logout() {
    let place = place();
    let (id, token) = new_user(&place);
    let admin = |line: &str| {
        place.json(
            &[
                &["admin", "--json", "--database", DATABASE],
                &line.split(' ').collect::<Vec<_>>()[..],
            ]
            .concat(),
        )
    };
    let organization = admin(&format!("organization create --name Acme --owner {id}"));
    let organization = organization["organizationId"].as_str().unwrap();
    admin(&format!(
        "entitlement grant --organization {organization} --user {id}"
    ));
    let serving = place.serve(&["--database", DATABASE]);
    let server = format!("http://{}", serving.address);
    let file = place.path("home/.config/hunkwise/servers.toml");

    assert!(place.refused(2, &["whoami"]).contains("hunkwise login"));
    assert!(place.refused(2, &["logout"]).contains("not signed in"));
    place.write("x.diff", "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n");
    let review = [
        "review", "x.diff", "--server", &server, "--organization", organization,
    ];
    let message = place.refused(2, &review);
    assert!(
        message.contains("hunkwise login") && message.contains("HUNKWISE_TOKEN"),
        "{message}"
    );

    let login = ["login", "--server", &server];
    let wrong = run(&place, &login, "hw_wrong\n");
    assert!(
        wrong.status == 2 && wrong.stderr.contains("INVALID_TOKEN"),
        "{wrong:?}"
    );
    assert_eq!(
        (run(&place, &login, " \n").status, file.exists()),
        (2, false),
        "an invalid token is not stored"
    );
    let done = run(
        &place,
        &["login", "--server", &format!("{server}/")],
        &format!("{token}\n"),
    );
    assert!(
        done.status == 0
            && done
                .stdout
                .contains(&format!("signed in to {server} as Ada ({id})")),
        "{done:?}"
    );
    assert!(done.stdout.contains("servers.toml"), "{done:?}");
    assert_eq!(
        std::fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert!(!done.stdout.contains(&token) && !done.stderr.contains(&token));

    let who = place.run(&["whoami"]);
    let expected = [
        server.as_str(),
        &format!("Ada ({id})"),
        &format!("Acme ({organization}, owner)"),
        "servers.toml",
    ];
    assert!(
        who.status == 0 && expected.iter().all(|words| who.stdout.contains(words)),
        "{who:?}"
    );
    let object: serde_json::Value =
        serde_json::from_str(&place.run(&["whoami", "--json"]).stdout).unwrap();
    assert_eq!(
        (&object["server"], &object["userId"]),
        (&server.as_str().into(), &id.as_str().into()),
        "{object}"
    );
    let own =
        serde_json::json!([{ "organizationId": organization, "name": "Acme", "role": "owner" }]);
    assert_eq!(
        (&object["organizations"], &object["tokenPlace"]),
        (&own, &"file".into()),
        "{object}"
    );
    let reviewed = place.run(&review);
    assert_eq!(reviewed.status, 0, "{reviewed:?}");

    admin(&format!("user disable {id}"));
    let message = place.refused(3, &["whoami", "--server", &server]);
    assert!(message.contains("INVALID_TOKEN"), "{message}");
    assert_eq!(place.run(&["logout"]).status, 0);
    assert!(!std::fs::read_to_string(&file).unwrap().contains(&token));
    assert!(
        place
            .refused(2, &["whoami", "--server", &server])
            .contains("not signed in to")
    );
}

#[test]
fn the_variable_takes_precedence_over_the_stored_token() {
    let place = place();
    let (_, token) = new_user(&place);
    let serving = place.serve(&["--database", DATABASE]);
    let server = format!("http://{}", serving.address);
    let place = place.variable("HUNKWISE_TOKEN", &token);
    let who = place.run(&["whoami", "--server", &server]);
    assert!(
        who.status == 0 && who.stdout.contains("in the environment (HUNKWISE_TOKEN"),
        "{who:?}"
    );
    assert!(who.stdout.contains("organizations  none"), "{who:?}");
}

#[test]
fn no_token_is_sent_over_plain_http_to_another_machine_unless_allowed() {
    // A proxy sees all requests that would leave this machine.
    let proxy = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = place().variable(
        "http_proxy",
        &format!("http://{}", proxy.local_addr().unwrap()),
    );
    place.write("x.diff", "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n");
    let server = "http://hunkwise.example.com";
    let folder = place.path("home/.config/hunkwise");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("servers.toml");
    std::fs::write(
        &file,
        format!("[[servers]]\nurl = '{server}'\ntoken = 'hw_secret'\n"),
    )
    .unwrap();
    std::fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
    let login = ["login", "--server", server];
    let review = [
        "review", "x.diff", "--server", server, "--organization", "org_1",
    ];
    let commands = [
        &login[..],
        &review,
        &["whoami"],
        &["whoami", "--server", server],
    ];
    proxy.set_nonblocking(true).unwrap();
    for command in commands {
        let ended = run(&place, command, "hw_secret\n");
        assert_eq!(
            (ended.status, ended.stdout.as_str()),
            (2, ""),
            "{command:?} {ended:?}"
        );
        assert!(
            ended.stderr.contains(server) && ended.stderr.contains("--insecure-http"),
            "{command:?} {ended:?}"
        );
        assert!(!ended.stderr.contains("hw_secret"), "{ended:?}");
        assert_eq!(
            proxy.accept().unwrap_err().kind(),
            ErrorKind::WouldBlock,
            "{command:?} sent something"
        );
    }
    proxy.set_nonblocking(false).unwrap();
    let seen = std::thread::spawn(move || {
        let answer = |_| {
            let (mut stream, _) = proxy.accept().unwrap();
            let mut asked = Vec::new();
            while !asked.windows(4).any(|end| end == b"\r\n\r\n") {
                let mut bytes = [0; 1_024];
                let read = stream.read(&mut bytes).unwrap();
                assert_ne!(read, 0, "the request is complete");
                asked.extend(&bytes[..read]);
            }
            stream
                .write_all(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                .unwrap();
            String::from_utf8(asked).unwrap().to_ascii_lowercase()
        };
        (0..4).map(answer).collect::<Vec<_>>()
    });
    for command in commands {
        let ended = run(
            &place,
            &[command, &["--insecure-http"]].concat(),
            "hw_secret\n",
        );
        assert_eq!(ended.status, 3, "{command:?} {ended:?}");
    }
    for asked in seen.join().unwrap() {
        assert!(asked.contains("authorization: bearer hw_secret"), "{asked}");
    }
}
