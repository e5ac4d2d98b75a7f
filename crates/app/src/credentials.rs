//! The access tokens that `hunkwise login` keeps: in the system's keyring or, where there is none, in a file that only its
//! owner can read.
//!
//! The file lists the servers in any case, the last one signed in to at the end.

mod keyring;
#[cfg(test)]
mod tests;

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::outcome::Error;
use crate::output_file::{PRIVATE, stage};
use crate::settings::{Environment, Secret};
use keyring::{Keyring, SystemKeyring};

const FILE: &str = "servers.toml";
const NO_FOLDER: &str =
    "there is no folder for the settings of a user: set HOME or XDG_CONFIG_HOME, or use HUNKWISE_TOKEN";

/// Where a token comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// `HUNKWISE_TOKEN` or `HUNKWISE_TOKEN_FILE`.
    Environment,
    Keyring,
    File(PathBuf),
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Environment => out.write_str("the environment (HUNKWISE_TOKEN or HUNKWISE_TOKEN_FILE)"),
            Self::Keyring => out.write_str("the system's keyring"),
            Self::File(path) => write!(out, "the file {}, readable by you only", path.display()),
        }
    }
}

/// The file's content. Not `Debug`: it may hold tokens.
#[derive(Default, Serialize, Deserialize)]
struct Servers {
    #[serde(default)]
    servers: Vec<Server>,
}

#[derive(Serialize, Deserialize)]
struct Server {
    url: String,
    /// Absent: it is in the keyring.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
}

/// The tokens of this user.
pub(crate) struct Credentials {
    folder: Option<PathBuf>,
    keyring: Box<dyn Keyring>,
}

impl Credentials {
    /// Those of the user whose environment this is.
    pub(crate) fn of(environment: &Environment) -> Self {
        Self { folder: environment.config_folder(), keyring: Box::new(SystemKeyring) }
    }

    /// The token for a server, and where it is kept.
    ///
    /// # Errors
    /// The file or the keyring cannot be read.
    pub(crate) fn find(&self, url: &str) -> Result<Option<(Secret, Place)>, Error> {
        let (Some(file), servers) = (self.file(), self.read()?) else { return Ok(None) };
        let Some(server) = servers.servers.into_iter().find(|server| server.url == url) else { return Ok(None) };
        if let Some(token) = server.token {
            return Ok(Some((Secret::new(token), Place::File(file))));
        }
        let token = self.keyring.get(url).map_err(|reason| {
            Error::failure(format!("the system's keyring cannot be read: {reason}; unlock it, or set HUNKWISE_TOKEN"))
        })?;
        Ok(token.map(|token| (token, Place::Keyring)))
    }

    /// The server that was last signed in to.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn last(&self) -> Result<Option<String>, Error> {
        Ok(self.read()?.servers.pop().map(|server| server.url))
    }

    /// Keeps the token for a server in place of an earlier one. Says why it is not in the keyring, if so.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub(crate) fn keep(&self, url: &str, token: &Secret) -> Result<(Place, Option<String>), Error> {
        let file = self.file().ok_or_else(|| Error::usage(NO_FOLDER))?;
        let mut servers = self.read()?;
        servers.servers.retain(|server| server.url != url);
        let refused = self.keyring.set(url, token).err();
        let in_file = refused.as_ref().map(|_| token.expose().to_owned());
        servers.servers.push(Server { url: url.to_owned(), token: in_file });
        write(&file, &servers)?;
        let place = if refused.is_some() { Place::File(file) } else { Place::Keyring };
        Ok((place, refused))
    }

    /// Forgets the token for a server. False when there is none.
    ///
    /// # Errors
    /// The file or the keyring cannot be changed.
    pub(crate) fn forget(&self, url: &str) -> Result<bool, Error> {
        let (Some(file), mut servers) = (self.file(), self.read()?) else { return Ok(false) };
        let Some(place) = servers.servers.iter().position(|server| server.url == url) else { return Ok(false) };
        if servers.servers.remove(place).token.is_none() {
            self.keyring.delete(url).map_err(|reason| {
                Error::failure(format!("the token cannot be taken out of the system's keyring: {reason}; unlock it"))
            })?;
        }
        write(&file, &servers)?;
        Ok(true)
    }

    fn file(&self) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(FILE))
    }

    fn read(&self) -> Result<Servers, Error> {
        let Some(file) = self.file() else { return Ok(Servers::default()) };
        let text = match fs::read_to_string(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Servers::default()),
            text => text.map_err(|error| Error::usage(format!("cannot read {}: {error}", file.display())))?,
        };
        // The reason is not shown: it would quote the line, and so a token.
        toml::from_str(&text).map_err(|_| {
            Error::usage(format!("{} is damaged: remove it and sign in again with `hunkwise login`", file.display()))
        })
    }
}

/// Replaces the file at once, with one that only its owner can read.
fn write(file: &Path, servers: &Servers) -> Result<(), Error> {
    let text = toml::to_string(servers).map_err(|error| Error::failure(format!("{}: {error}", file.display())))?;
    let replace = || {
        let folder = file.parent().unwrap_or(Path::new("."));
        make_private_folder(folder)?;
        let new = stage(file, text.as_bytes(), PRIVATE)?;
        new.as_file().sync_all()?;
        new.persist(file).map(drop).map_err(|error| error.error)
    };
    replace().map_err(|error: io::Error| Error::usage(format!("cannot write {}: {error}", file.display())))
}

fn make_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
