//! The access tokens that `hunkwise login` stores, in a file that only its owner can read.
//!
//! The file lists one server per token; the one signed in to last is at the end.

#[cfg(test)]
mod tests;

use std::fmt;
use std::fs::{self, File, Permissions};
use std::io::{self, Read as _};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use settings::{Environment, Secret};

use crate::outcome::Error;
use crate::output_file::{PRIVATE, stage};

const FILE: &str = "servers.toml";
/// Permissions of the file's folder.
const PRIVATE_FOLDER: u32 = 0o700;
/// The permission bits of everyone but the owner.
const OTHERS: u32 = 0o077;
const NO_FOLDER: &str =
    "there is no configuration folder: set HOME or XDG_CONFIG_HOME, or use HUNKWISE_TOKEN";

/// Where a token comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// `HUNKWISE_TOKEN` or `HUNKWISE_TOKEN_FILE`.
    Environment,
    File(PathBuf),
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Environment => {
                out.write_str("the environment (HUNKWISE_TOKEN or HUNKWISE_TOKEN_FILE)")
            }
            Self::File(path) => write!(out, "the file {}, which only you can read", path.display()),
        }
    }
}

/// The content of the file. Not `Debug`: it contains tokens.
#[derive(Default, Serialize, Deserialize)]
struct Servers {
    #[serde(default)]
    servers: Vec<Server>,
}

#[derive(Serialize, Deserialize)]
struct Server {
    url: String,
    /// Absent in entries of earlier versions, which stored the token in the system's keyring.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
}

/// The tokens of this user.
pub(crate) struct Credentials {
    folder: Option<PathBuf>,
}

impl Credentials {
    /// The tokens of the user who has this environment.
    pub(crate) fn of(environment: &Environment) -> Self {
        Self {
            folder: environment.config_folder(),
        }
    }

    /// The token for a server, and where it is stored.
    ///
    /// # Errors
    /// The file cannot be read, or others can read it, or the token is in a keyring, which is not read.
    pub(crate) fn find(&self, url: &str) -> Result<Option<(Secret, Place)>, Error> {
        let (Some(file), servers) = (self.file(), self.read()?) else {
            return Ok(None);
        };
        let Some(server) = servers.servers.into_iter().find(|server| server.url == url) else {
            return Ok(None);
        };
        let token = server.token.ok_or_else(|| {
            Error::usage(format!(
                "the token for {url} is in the system's keyring, which hunkwise no longer uses: sign in again with \
                 `hunkwise login --server {url}`"
            ))
        })?;
        Ok(Some((Secret::new(token), Place::File(file))))
    }

    /// The server signed in to last.
    ///
    /// # Errors
    /// The file cannot be read, or others can read it.
    pub(crate) fn last(&self) -> Result<Option<String>, Error> {
        Ok(self.read()?.servers.pop().map(|server| server.url))
    }

    /// Stores the token for a server and replaces an earlier one.
    ///
    /// # Errors
    /// The file cannot be read or written, or others can read it.
    pub(crate) fn keep(&self, url: &str, token: &Secret) -> Result<Place, Error> {
        let file = self.file().ok_or_else(|| Error::usage(NO_FOLDER))?;
        let mut servers = self.read()?;
        servers.servers.retain(|server| server.url != url);
        servers.servers.push(Server {
            url: url.to_owned(),
            token: Some(token.expose().to_owned()),
        });
        write(&file, &servers)?;
        Ok(Place::File(file))
    }

    /// Deletes the token for a server. Returns false if there is none.
    ///
    /// # Errors
    /// The file cannot be read or written, or others can read it.
    pub(crate) fn forget(&self, url: &str) -> Result<bool, Error> {
        let (Some(file), mut servers) = (self.file(), self.read()?) else {
            return Ok(false);
        };
        let Some(position) = servers.servers.iter().position(|server| server.url == url) else {
            return Ok(false);
        };
        servers.servers.remove(position);
        write(&file, &servers)?;
        Ok(true)
    }

    fn file(&self) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(FILE))
    }

    fn read(&self) -> Result<Servers, Error> {
        let Some(file) = self.file() else {
            return Ok(Servers::default());
        };
        let Some(text) = read_private(&file)? else {
            return Ok(Servers::default());
        };
        // The error is not shown: it would quote the line, and with it a token.
        toml::from_str(&text).map_err(|_| {
            Error::usage(format!(
                "{} is damaged: remove it and sign in again with `hunkwise login`",
                file.display()
            ))
        })
    }
}

/// The content of a file that only its owner may access; `None` if it does not exist.
///
/// # Errors
/// It cannot be read, or others have access to it.
fn read_private(file: &Path) -> Result<Option<String>, Error> {
    let unreadable =
        |error: io::Error| Error::usage(format!("cannot read {}: {error}", file.display()));
    let mut open = match File::open(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        open => open.map_err(unreadable)?,
    };
    let mode = open.metadata().map_err(unreadable)?.permissions().mode() & 0o777;
    if mode & OTHERS != 0 {
        let file = file.display();
        return Err(Error::usage(format!(
            "{file} contains access tokens and other users have access to it (mode {mode:04o}): revoke the tokens if others \
             may have read them, then run `chmod 600 {file}`"
        )));
    }
    let mut text = String::new();
    open.read_to_string(&mut text).map_err(unreadable)?;
    Ok(Some(text))
}

/// Replaces the file atomically with one that only its owner can read, in a folder that only its owner can list.
fn write(file: &Path, servers: &Servers) -> Result<(), Error> {
    let text = toml::to_string(servers)
        .map_err(|error| Error::failure(format!("{}: {error}", file.display())))?;
    let replace = || {
        make_private_folder(file.parent().unwrap_or(Path::new(".")))?;
        let new = stage(file, text.as_bytes(), PRIVATE)?;
        new.as_file().sync_all()?;
        new.persist(file).map(drop).map_err(|error| error.error)
    };
    replace().map_err(|error: io::Error| {
        Error::usage(format!("cannot write {}: {error}", file.display()))
    })
}

/// Creates the folder if necessary, and removes the permissions of other users.
fn make_private_folder(folder: &Path) -> io::Result<()> {
    fs::DirBuilder::new()
        .recursive(true)
        .mode(PRIVATE_FOLDER)
        .create(folder)?;
    let mode = fs::metadata(folder)?.permissions().mode();
    if mode & OTHERS == 0 {
        Ok(())
    } else {
        fs::set_permissions(folder, Permissions::from_mode(PRIVATE_FOLDER))
    }
}
