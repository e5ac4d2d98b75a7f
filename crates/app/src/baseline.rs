//! A baseline: known findings, which do not fail a run.
//!
//! The file is sorted JSON with one finding per line, so that git can merge two branches. Two equal entries are two
//! equal lines in one file.

mod left;
mod place;

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use git::GitError;
use git::snapshot::{self, Kind, Snapshot};
use review::output::json::{BaselineState, ReviewBody};
use review::output::printable;
use review::{Diff, Language, Side, fingerprint};
use serde::{Deserialize, Deserializer, Serialize, de};

use crate::outcome::Error;
use crate::output_file;
use left::Left;
use place::{Place, line, places};

/// The format version that is written and read.
const VERSION: u64 = 1;
/// Maximum size of a file, in bytes: about 400,000 findings.
const MAX_BYTES: usize = 64 * 1024 * 1024;
/// The advice for an unusable file.
const REMEDY: &str = "correct it, or write it again with `hunkwise review --write-baseline FILE`";

/// Known findings, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Baseline {
    pub(crate) entries: Vec<Entry>,
}

/// A known finding.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    /// The path of its file, relative to the repository root.
    pub(crate) path: String,
    /// The ID of its rule, or the category of a finding by a language model.
    pub(crate) rule: String,
    /// The fingerprint that identifies it.
    #[serde(deserialize_with = "hexadecimal")]
    pub(crate) fingerprint: String,
    /// The side of the change that its line is on.
    #[serde(default = "new", skip_serializing_if = "is_new")]
    pub(crate) side: Side,
}

fn new() -> Side {
    Side::New
}

fn is_new(side: &Side) -> bool {
    *side == Side::New
}

fn hexadecimal<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    let is_valid = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_valid {
        Ok(text)
    } else {
        Err(de::Error::custom("a fingerprint has 32 hexadecimal digits"))
    }
}

#[derive(Deserialize)]
struct Header {
    version: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    #[serde(rename = "version")]
    _version: u64,
    findings: Vec<Entry>,
}

impl Baseline {
    /// All findings of a review, with an entry for each place.
    pub(crate) fn of(body: &ReviewBody, diff: &Diff<'_>) -> Self {
        let entries = body.findings.iter().flat_map(|finding| {
            let entry = move |place: Place<'_>| Entry {
                path: place.path.to_owned(),
                rule: finding.source().to_owned(),
                fingerprint: line(diff, &place).map_or_else(
                    || finding.fingerprint.clone(),
                    |line| fingerprint(finding.source(), place.path, line.text),
                ),
                side: place.side,
            };
            places(finding).into_iter().map(entry)
        });
        Self::new(entries.collect())
    }

    /// A baseline with these entries.
    pub(crate) fn new(mut entries: Vec<Entry>) -> Self {
        entries.sort();
        Self { entries }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, or is not a baseline of this version. The message says where and what to do.
    pub(crate) fn read(file: &Path) -> Result<Self, Error> {
        let bytes = read(file).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => refused(
                file,
                "there is no such file; `hunkwise review --write-baseline FILE` creates one",
            ),
            _ => refused(file, &format!("cannot be read: {error}")),
        })?;
        Self::parse(file, &bytes)
    }

    /// Reads a file of a commit.
    ///
    /// # Errors
    /// It cannot be read, or is not a baseline of this version. The message says where and what to do.
    pub(crate) fn read_entry(
        file: &Path,
        snapshot: &Snapshot<'_>,
        entry: &snapshot::Entry,
    ) -> Result<Self, Error> {
        if entry.kind != Kind::File {
            let why = "not a plain file at the merge base, and links are not followed there; name the file itself, or pass \
                       --config-from checkout";
            return Err(refused(file, why));
        }
        let bytes = snapshot
            .read(entry, MAX_BYTES)
            .map_err(|error| match error {
                GitError::TooLarge(_) => refused(file, &too_large()),
                error => error.into(),
            })?;
        Self::parse(file, &bytes)
    }

    fn parse(file: &Path, bytes: &[u8]) -> Result<Self, Error> {
        let text = str::from_utf8(bytes)
            .map_err(|_| refused(file, &format!("not text in UTF-8: {REMEDY}")))?;
        let faulty = |error: serde_json::Error| refused(file, &format!("{error}: {REMEDY}"));
        let Header { version } = serde_json::from_str(text).map_err(faulty)?;
        if version != VERSION {
            let what = if version > VERSION {
                "use a newer hunkwise"
            } else {
                "write it again"
            };
            return Err(refused(
                file,
                &format!("its version is {version}, and this hunkwise reads {VERSION}: {what}"),
            ));
        }
        let content: Content = serde_json::from_str(text).map_err(faulty)?;
        Ok(Self::new(content.findings))
    }

    /// Writes the file atomically.
    ///
    /// # Errors
    /// The file cannot be written. The message says why and what to do.
    pub(crate) fn write(&self, file: &Path) -> Result<(), Error> {
        let text = self.text().map_err(Error::failure)?;
        output_file::write(file, text.as_bytes()).map_err(Error::failure)
    }

    fn text(&self) -> Result<String, serde_json::Error> {
        let lines: Vec<String> = self
            .entries
            .iter()
            .map(serde_json::to_string)
            .collect::<Result<_, _>>()?;
        let lines = lines
            .iter()
            .map(|line| format!("\n    {line}"))
            .collect::<Vec<_>>()
            .join(",");
        let end = if lines.is_empty() { "" } else { "\n  " };
        Ok(format!(
            "{{\n  \"version\": {VERSION},\n  \"findings\": [{lines}{end}]\n}}\n"
        ))
    }

    /// Marks the findings of a review that are in the baseline: those of which it has each place. If several places share a
    /// fingerprint, as many are known as the baseline contains. With the commit that the baseline describes, its unchanged
    /// lines come first, so that a copy of a known line is new.
    ///
    /// # Errors
    /// A file of the commit cannot be read.
    pub(crate) fn mark(
        &self,
        body: &mut ReviewBody,
        diff: &Diff<'_>,
        commit: Option<&Snapshot<'_>>,
    ) -> Result<(), Error> {
        let known = self.entries.iter().map(|entry| entry.fingerprint.as_str());
        let mut left = Left::new(known, diff, commit);
        for finding in &mut body.findings {
            let language = Language::of_path(&finding.file_path, String::new);
            let former = rules::catalog().former_ids(finding.source(), language);
            let former = former.filter(|id| self.entries.iter().any(|entry| entry.rule == *id));
            let mut sources = vec![finding.source()];
            former.for_each(|id| sources.push(id));
            let is_known = left.take(&sources, &places(finding))?;
            finding.baseline_state = Some(if is_known {
                BaselineState::Unchanged
            } else {
                BaselineState::New
            });
        }
        Ok(())
    }
}

fn refused(file: &Path, why: &str) -> Error {
    Error::usage(printable(&format!("baseline {}: {why}", file.display())))
}

fn too_large() -> String {
    format!("it is larger than {MAX_BYTES} bytes")
}

fn read(file: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(file)?
        .take(MAX_BYTES as u64 + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() > MAX_BYTES {
        Err(io::Error::other(too_large()))
    } else {
        Ok(bytes)
    }
}
