//! Why a look-up has no answer, and which paths are never read.

/// Why a look-up has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The path is outside the repository or is not a relative path.
    #[error("refused: the path must be relative to the top of the repository, without `..`")]
    Path,
    /// The file usually contains secrets.
    #[error("refused: files of this name usually hold secrets")]
    Secret,
    /// The file does not exist, or git ignores it.
    #[error("there is no such file")]
    NoSuchFile,
    /// The file has fewer lines.
    #[error("the file has no such line")]
    NoSuchLine,
    /// A binary or very large file.
    #[error("the file is binary or too large")]
    NotText,
    /// Not a name.
    #[error("refused: a single name is required")]
    NoName,
    /// Too short, too long or more than one line.
    #[error("refused: the text must be one line of 2 to 200 bytes")]
    NotSearchable,
    /// The repository could not be read.
    #[error("the repository could not be read")]
    Failed,
}

impl Refusal {
    /// Whether the look-up itself is forbidden, regardless of the repository's content.
    #[must_use]
    pub fn is_forbidden(self) -> bool {
        matches!(self, Self::Path | Self::Secret)
    }
}

/// Names of files that usually contain secrets.
const SECRET_NAMES: &[&str] = &[
    ".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".my.cnf", ".htpasswd", ".git-credentials",
    ".dockercfg", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "credentials", "master.key",
    "terraform.tfstate",
];
/// Suffixes of their names.
const SECRET_ENDS: &[&str] = &[
    ".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".asc", ".ovpn", ".tfvars",
    ".tfstate", ".ppk",
];
/// The last part of the name of an example, as in `.env.example`.
const EXAMPLE_ENDS: &[&str] = &["example", "sample", "template", "dist"];
/// Folders of tools that contain secrets, or that are not part of a repository.
const SECRET_FOLDERS: &[&str] = &[".git", ".ssh", ".aws", ".gnupg", ".kube", ".docker"];

/// A path from the root of the repository.
///
/// # Errors
/// The path is outside the repository, or that of a file that usually contains secrets.
pub fn checked_path(path: &str) -> Result<&str, Refusal> {
    let path = path.trim();
    let path = path.strip_prefix("./").unwrap_or(path);
    let is_relative = !path.is_empty()
        && !path.starts_with(['/', '\\', '~'])
        && !path.contains(['\0', '\n', '\\']);
    let has_drive = path.get(1..2) == Some(":");
    let is_plain = path.split('/').all(|part| !matches!(part, "" | "." | ".."));
    if !is_relative || has_drive || !is_plain {
        return Err(Refusal::Path);
    }
    if is_secret(path) {
        Err(Refusal::Secret)
    } else {
        Ok(path)
    }
}

/// Whether a file usually contains secrets, by its path. Example files do not.
#[must_use]
pub fn is_secret(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or_default();
    if parts.any(|folder| SECRET_FOLDERS.contains(&folder)) || SECRET_FOLDERS.contains(&name) {
        return true;
    }
    let is_example = name
        .rsplit_once('.')
        .is_some_and(|(_, end)| EXAMPLE_ENDS.contains(&end));
    let is_env =
        name == ".env" || name == ".envrc" || name.starts_with(".env.") || name.ends_with(".env");
    !is_example
        && (is_env
            || SECRET_NAMES.contains(&name)
            || SECRET_ENDS.iter().any(|end| name.ends_with(end)))
}
