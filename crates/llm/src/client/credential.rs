//! The source of a call's key: the settings, a file that may change, or a command.

mod command;
mod file;
mod token;

use std::sync::Arc;

use super::error::ClientError;
use super::header;
use crate::model::CallError;
use crate::settings::{Key, ModelSettings};

use command::Command;
use file::KeyFile;

/// The source of a model's key.
pub(super) enum Credential {
    None,
    Fixed(Key),
    File(Arc<KeyFile>),
    Command(Command),
}

impl Credential {
    /// The source that the settings specify.
    pub(super) fn of(settings: &ModelSettings) -> Result<Self, ClientError> {
        if let Some(command) = Command::of(settings) {
            return if settings.api_key.is_none() {
                Ok(Self::Command(command))
            } else {
                Err(ClientError::TwoKeys)
            };
        }
        let Some(key) = settings.api_key.clone() else {
            return Ok(Self::None);
        };
        if header::value(&key).is_none() {
            return Err(ClientError::ApiKey);
        }
        Ok(match settings.api_key_file.clone() {
            Some(path) => Self::File(Arc::new(KeyFile::new(path, key))),
            None => Self::Fixed(key),
        })
    }

    /// Whether keys come from a command, and are usually access tokens.
    pub(super) fn is_command(&self) -> bool {
        matches!(self, Self::Command(_))
    }

    /// The key for a call.
    pub(super) async fn key(&self) -> Result<Option<Key>, CallError> {
        match self {
            Self::None => Ok(None),
            Self::Fixed(key) => Ok(Some(key.clone())),
            Self::File(file) => Ok(Some(file::current(file).await)),
            Self::Command(command) => command.key(None).await.map(Some),
        }
    }

    /// A new key after the provider rejected this one; `None` if there is none.
    pub(super) async fn renewed(&self, refused: &Key) -> Result<Option<Key>, CallError> {
        match self {
            Self::None | Self::Fixed(_) => Ok(None),
            Self::File(file) => Ok(Some(file::current(file).await).filter(|key| key != refused)),
            Self::Command(command) => command.key(Some(refused)).await.map(Some),
        }
    }
}
