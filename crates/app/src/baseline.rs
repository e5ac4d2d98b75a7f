//! A baseline: known findings, which do not fail a run.
//!
//! The file is sorted JSON with one finding per line, so that git can merge two branches. Two equal entries are two
//! equal lines in one file.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use git::GitError;
use git::snapshot::{self, Kind, Snapshot};
use review::output::json::{BaselineState, FindingBody, ReviewBody};
use review::output::printable;
use review::{Diff, Language, Side, fingerprint};
use serde::{Deserialize, Deserializer, Serialize, de};

use crate::outcome::Error;
use crate::output_file;

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
    /// All findings of a review.
    pub(crate) fn of(body: &ReviewBody) -> Self {
        let entries = body
            .findings
            .iter()
            .flat_map(|finding| std::iter::repeat_n(entry(finding), finding.places()));
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

    /// Marks the findings of a review that are in the baseline. If several findings share a fingerprint, as many are
    /// marked as the baseline contains.
    pub(crate) fn mark(&self, body: &mut ReviewBody, diff: &Diff<'_>) {
        let mut left: HashMap<&str, usize> = HashMap::new();
        for entry in &self.entries {
            *left.entry(&entry.fingerprint).or_default() += 1;
        }
        for finding in &mut body.findings {
            let places = finding.places();
            let known = std::iter::once(finding.fingerprint.clone())
                .chain(self.former_fingerprints(finding, diff));
            let known = known
                .into_iter()
                .find(|known| left.get(known.as_str()).is_some_and(|left| *left >= places));
            let left = known.and_then(|known| left.get_mut(known.as_str()));
            finding.baseline_state = Some(match left {
                Some(left) => {
                    *left -= places;
                    BaselineState::Unchanged
                }
                None => BaselineState::New,
            });
        }
    }

    /// The fingerprints that a finding had before its rule became part of another one.
    fn former_fingerprints(&self, finding: &FindingBody, diff: &Diff<'_>) -> Vec<String> {
        let path = &finding.file_path;
        let language = Language::of_path(path, String::new);
        let former = rules::catalog().former_ids(finding.source(), language);
        let known: Vec<&str> = former
            .filter(|id| self.entries.iter().any(|entry| entry.rule == *id))
            .collect();
        if known.is_empty() {
            return Vec::new();
        }
        let line = line(diff, finding);
        known
            .into_iter()
            .filter_map(|id| Some(fingerprint(id, path, line?)))
            .collect()
    }
}

/// The text of the line that a finding is on.
fn line<'d>(diff: &'d Diff<'_>, finding: &FindingBody) -> Option<&'d str> {
    let number = Some(finding.line_number);
    let file = diff
        .files
        .iter()
        .find(|file| file.path() == finding.file_path)?;
    let mut lines = file.hunks.iter().flat_map(|hunk| hunk.lines.iter());
    let line = lines.find(|line| match finding.line_side {
        Side::New => line.new == number,
        Side::Old => line.old == number,
    });
    line.map(|line| line.text)
}

fn entry(finding: &FindingBody) -> Entry {
    Entry {
        path: finding.file_path.clone(),
        rule: finding.source().to_owned(),
        fingerprint: finding.fingerprint.clone(),
        side: finding.line_side,
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
