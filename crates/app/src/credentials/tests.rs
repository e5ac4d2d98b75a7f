//! Where tokens are kept, with a keyring and without.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::keyring::Keyring;
use super::{Credentials, Place};
use crate::settings::Secret;

const URL: &str = "https://hunkwise.example.com";

/// A keyring in memory; none: there is no keyring.
#[derive(Clone, Default)]
struct Memory(Option<Rc<RefCell<BTreeMap<String, String>>>>);

impl Memory {
    fn entries(&self) -> Result<&RefCell<BTreeMap<String, String>>, String> {
        self.0.as_deref().ok_or_else(|| "no keyring".to_owned())
    }
}

impl Keyring for Memory {
    fn get(&self, url: &str) -> Result<Option<Secret>, String> {
        Ok(self.entries()?.borrow().get(url).cloned().map(Secret::new))
    }

    fn set(&self, url: &str, token: &Secret) -> Result<(), String> {
        self.entries()?.borrow_mut().insert(url.to_owned(), token.expose().to_owned());
        Ok(())
    }

    fn delete(&self, url: &str) -> Result<(), String> {
        self.entries()?.borrow_mut().remove(url);
        Ok(())
    }
}

fn credentials(folder: &tempfile::TempDir, keyring: &Memory) -> Credentials {
    Credentials { folder: Some(folder.path().join("hunkwise")), keyring: Box::new(keyring.clone()) }
}

fn token(text: &str) -> Secret {
    Secret::new(text.to_owned())
}

fn found(credentials: &Credentials, url: &str) -> Option<(String, Place)> {
    credentials.find(url).unwrap().map(|(token, place)| (token.expose().to_owned(), place))
}

#[test]
fn with_a_keyring_the_file_has_no_token() {
    let (folder, keyring) = (tempfile::tempdir().unwrap(), Memory(Some(Rc::default())));
    let credentials = credentials(&folder, &keyring);
    assert_eq!((found(&credentials, URL), credentials.last().unwrap()), (None, None));
    assert_eq!(credentials.keep(URL, &token("hw_one")).unwrap(), (Place::Keyring, None));
    let text = std::fs::read_to_string(folder.path().join("hunkwise/servers.toml")).unwrap();
    assert!(text.contains(URL) && !text.contains("hw_one"), "{text}");
    assert_eq!(found(&credentials, URL), Some(("hw_one".to_owned(), Place::Keyring)));
    credentials.keep("http://127.0.0.1:8080", &token("hw_two")).unwrap();
    assert_eq!(credentials.last().unwrap().as_deref(), Some("http://127.0.0.1:8080"));
    credentials.keep(URL, &token("hw_three")).unwrap();
    assert_eq!(credentials.last().unwrap().as_deref(), Some(URL), "the last one is the last signed in to");
    assert_eq!(found(&credentials, URL).unwrap().0, "hw_three");
    assert!(credentials.forget(URL).unwrap() && !credentials.forget(URL).unwrap());
    assert_eq!((found(&credentials, URL), keyring.entries().unwrap().borrow().len()), (None, 1));
}

#[test]
fn without_a_keyring_the_token_is_in_a_file_of_its_owner() {
    let folder = tempfile::tempdir().unwrap();
    let credentials = credentials(&folder, &Memory(None));
    let file = folder.path().join("hunkwise/servers.toml");
    let kept = credentials.keep(URL, &token("hw_one")).unwrap();
    assert_eq!(kept, (Place::File(file.clone()), Some("no keyring".to_owned())));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&file), mode(file.parent().unwrap())), (0o600, 0o700));
    }
    assert_eq!(found(&credentials, URL), Some(("hw_one".to_owned(), Place::File(file.clone()))));
    assert!(credentials.forget(URL).unwrap());
    assert!(!std::fs::read_to_string(&file).unwrap().contains("hw_one"));
}

#[test]
fn a_keyring_that_came_or_went_is_no_loss() {
    let (folder, keyring) = (tempfile::tempdir().unwrap(), Memory(Some(Rc::default())));
    let (without, with) = (credentials(&folder, &Memory(None)), credentials(&folder, &keyring));
    without.keep(URL, &token("hw_filed")).unwrap();
    assert_eq!(found(&with, URL).unwrap().0, "hw_filed");
    with.keep(URL, &token("hw_kept")).unwrap();
    assert!(without.find(URL).err().unwrap().message.contains("no keyring"));
    assert!(without.forget(URL).is_err(), "it would stay in the keyring");
    assert!(with.forget(URL).unwrap());
}

#[test]
fn a_damaged_file_is_named_and_not_quoted() {
    let folder = tempfile::tempdir().unwrap();
    let credentials = credentials(&folder, &Memory(None));
    credentials.keep(URL, &token("hw_one")).unwrap();
    let file = folder.path().join("hunkwise/servers.toml");
    std::fs::write(&file, "token = hw_canary").unwrap();
    let said = credentials.find(URL).err().unwrap().message;
    assert!(said.contains("servers.toml") && said.contains("login") && !said.contains("canary"), "{said}");
}

#[test]
fn without_a_folder_nothing_is_kept() {
    let nowhere = Credentials { folder: None, keyring: Box::new(Memory(None)) };
    assert!(nowhere.find(URL).unwrap().is_none() && !nowhere.forget(URL).unwrap());
    assert!(nowhere.keep(URL, &token("hw_one")).err().unwrap().message.contains("HUNKWISE_TOKEN"));
}
