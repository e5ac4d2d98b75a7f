//! The system's keyring: Secret Service, Keychain or Credential Manager.

use ::keyring::{Entry, Error};

use crate::settings::Secret;

/// Keeps one token for each server. Errors say what is wrong with the keyring.
pub(super) trait Keyring {
    fn get(&self, url: &str) -> Result<Option<Secret>, String>;
    fn set(&self, url: &str, token: &Secret) -> Result<(), String>;
    fn delete(&self, url: &str) -> Result<(), String>;
}

pub(super) struct SystemKeyring;

impl Keyring for SystemKeyring {
    fn get(&self, url: &str) -> Result<Option<Secret>, String> {
        match entry(url)?.get_password() {
            Ok(token) => Ok(Some(Secret::new(token))),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(explain(&error)),
        }
    }

    fn set(&self, url: &str, token: &Secret) -> Result<(), String> {
        entry(url)?.set_password(token.expose()).map_err(|error| explain(&error))
    }

    fn delete(&self, url: &str) -> Result<(), String> {
        match entry(url)?.delete_credential() {
            Ok(()) | Err(Error::NoEntry) => Ok(()),
            Err(error) => Err(explain(&error)),
        }
    }
}

fn entry(url: &str) -> Result<Entry, String> {
    if let Err(error) = Entry::store_status() {
        return Err(explain(error));
    }
    Entry::new("hunkwise", url).map_err(|error| explain(&error))
}

/// The error's kind and cause; errors of entries that hold data do not show it.
fn explain(error: &Error) -> String {
    match error {
        Error::BadEncoding(_) | Error::BadDataFormat(..) => "the entry is not a token".to_owned(),
        error => error.to_string(),
    }
}
