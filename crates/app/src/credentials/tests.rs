//! Tests how tokens are stored.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use settings::Secret;

use super::{Credentials, Place};

const URL: &str = "https://hunkwise.example.com";

fn credentials(folder: &tempfile::TempDir) -> Credentials {
    Credentials {
        folder: Some(folder.path().join("hunkwise")),
    }
}

fn file(folder: &tempfile::TempDir) -> PathBuf {
    folder.path().join("hunkwise/servers.toml")
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn token(text: &str) -> Secret {
    Secret::new(text.to_owned())
}

fn found(credentials: &Credentials, url: &str) -> Option<String> {
    credentials
        .find(url)
        .unwrap()
        .map(|(token, _)| token.expose().to_owned())
}

#[test]
fn a_token_is_stored_for_each_server_until_it_is_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let credentials = credentials(&folder);
    assert_eq!(
        (found(&credentials, URL), credentials.last().unwrap()),
        (None, None)
    );
    assert_eq!(
        credentials.keep(URL, &token("hw_one")).unwrap(),
        Place::File(file(&folder))
    );
    credentials
        .keep("http://127.0.0.1:8080", &token("hw_two"))
        .unwrap();
    assert_eq!(
        credentials.last().unwrap().as_deref(),
        Some("http://127.0.0.1:8080")
    );
    credentials.keep(URL, &token("hw_three")).unwrap();
    assert_eq!(credentials.last().unwrap().as_deref(), Some(URL));
    assert_eq!(found(&credentials, URL).as_deref(), Some("hw_three"));
    assert!(credentials.forget(URL).unwrap() && !credentials.forget(URL).unwrap());
    assert_eq!(
        found(&credentials, "http://127.0.0.1:8080").as_deref(),
        Some("hw_two")
    );
    let text = fs::read_to_string(file(&folder)).unwrap();
    assert!(
        !text.contains("hw_one") && !text.contains("hw_three"),
        "{text}"
    );
}

#[test]
fn only_the_owner_can_read_the_token_file() {
    let folder = tempfile::tempdir().unwrap();
    let credentials = credentials(&folder);
    let own = folder.path().join("hunkwise");
    fs::create_dir(&own).unwrap();
    set_mode(&own, 0o755);
    credentials.keep(URL, &token("hw_one")).unwrap();
    assert_eq!((mode(&file(&folder)), mode(&own)), (0o600, 0o700));
}

#[test]
fn a_token_file_that_others_can_read_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let credentials = credentials(&folder);
    credentials.keep(URL, &token("hw_canary")).unwrap();
    for open in [0o640, 0o604, 0o620, 0o666] {
        set_mode(&file(&folder), open);
        let refused = [
            credentials.find(URL).err().unwrap(),
            credentials.last().err().unwrap(),
            credentials.keep(URL, &token("hw_two")).err().unwrap(),
            credentials.forget(URL).err().unwrap(),
        ];
        for error in refused {
            let message = error.message;
            let parts = ["servers.toml", "chmod 600", &format!("{open:04o}")];
            assert!(
                parts.iter().all(|part| message.contains(part)) && !message.contains("canary"),
                "{message}"
            );
        }
    }
    set_mode(&file(&folder), 0o600);
    assert_eq!(found(&credentials, URL).as_deref(), Some("hw_canary"));
}

#[test]
fn a_token_in_a_keyring_requires_signing_in_again() {
    let folder = tempfile::tempdir().unwrap();
    let credentials = credentials(&folder);
    credentials
        .keep("http://127.0.0.1:8080", &token("hw_one"))
        .unwrap();
    let text = fs::read_to_string(file(&folder)).unwrap();
    fs::write(
        file(&folder),
        format!("{text}\n[[servers]]\nurl = \"{URL}\"\n"),
    )
    .unwrap();
    assert_eq!(
        found(&credentials, "http://127.0.0.1:8080").as_deref(),
        Some("hw_one")
    );
    let message = credentials.find(URL).err().unwrap().message;
    assert!(
        message.contains(&format!("hunkwise login --server {URL}")),
        "{message}"
    );
    credentials.keep(URL, &token("hw_two")).unwrap();
    assert_eq!(found(&credentials, URL).as_deref(), Some("hw_two"));
}

#[test]
fn a_damaged_file_is_named_and_not_quoted() {
    let folder = tempfile::tempdir().unwrap();
    let credentials = credentials(&folder);
    credentials.keep(URL, &token("hw_one")).unwrap();
    fs::write(file(&folder), "token = hw_canary").unwrap();
    let message = credentials.find(URL).err().unwrap().message;
    assert!(
        message.contains("servers.toml")
            && message.contains("login")
            && !message.contains("canary"),
        "{message}"
    );
}

#[test]
fn nothing_is_stored_without_a_folder() {
    let nowhere = Credentials { folder: None };
    assert!(nowhere.find(URL).unwrap().is_none() && !nowhere.forget(URL).unwrap());
    assert!(
        nowhere
            .keep(URL, &token("hw_one"))
            .err()
            .unwrap()
            .message
            .contains("HUNKWISE_TOKEN")
    );
}
