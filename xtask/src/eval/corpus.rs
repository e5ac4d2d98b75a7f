//! Reads the corpora: one JSON object per line, optionally compressed with gzip.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use serde::Deserialize;

/// A labelled change.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Item {
    pub(crate) id: String,
    #[serde(default)]
    pub(crate) source: String,
    pub(crate) language: String,
    pub(crate) diff: String,
    /// The diff with the whole of each file in its hunk.
    #[serde(default)]
    pub(crate) whole: Option<String>,
    #[serde(default)]
    pub(crate) labels: Vec<Label>,
    #[serde(default)]
    pub(crate) rejected: Option<Vec<Label>>,
    /// `mistake` or `twin`.
    #[serde(default)]
    pub(crate) role: Option<String>,
    /// Number of added lines, for a clean commit.
    #[serde(default)]
    pub(crate) added: usize,
    #[serde(skip, default = "unknown")]
    pub(crate) kind: Kind,
}

/// The kind of measurement that an item is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Bugs,
    Rules,
    Clean,
    Golden,
    /// A mistake inserted into a real file.
    Mistake,
    /// A harmless edit of the same shape.
    Twin,
}

/// A line that a finding is expected on, or must not be on.
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Label {
    pub(crate) file_path: Option<String>,
    /// 0 or `None`: the file as a whole.
    pub(crate) line: Option<u32>,
    pub(crate) end_line: Option<u32>,
    /// `OLD` for a removed line.
    pub(crate) side: Option<String>,
    /// For a removed line: the first line of the new side after the gap.
    pub(crate) new_line: Option<u32>,
    /// For an added line that replaces others: the first and the last of those.
    pub(crate) old_line: Option<u32>,
    pub(crate) old_end: Option<u32>,
    /// `finding` or `clean`, in the rule suites.
    pub(crate) expect: Option<String>,
    /// The reviewers' comment, in the golden items.
    pub(crate) note: Option<String>,
}

fn unknown() -> Kind {
    Kind::Clean
}

impl Item {
    fn classified(mut self) -> Self {
        if let Some(whole) = &self.whole {
            self.diff.clone_from(whole);
        }
        self.kind = if let Some(role) = &self.role {
            if role == "twin" {
                Kind::Twin
            } else {
                Kind::Mistake
            }
        } else if self.rejected.is_some() {
            Kind::Golden
        } else if self.labels.is_empty() {
            Kind::Clean
        } else if self.labels.iter().any(|label| label.expect.is_some()) {
            Kind::Rules
        } else {
            Kind::Bugs
        };
        self
    }
}

/// Reads every item of these files and folders.
pub(crate) fn read(paths: &[PathBuf]) -> Result<Vec<Item>, String> {
    let mut files = Vec::new();
    for path in paths {
        collect(path, &mut files).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    files.sort();
    if files.is_empty() {
        return Err("no corpus (*.jsonl.gz, *.jsonl) was found in these paths".to_owned());
    }
    let mut items = Vec::new();
    for file in files {
        items.extend(read_file(&file).map_err(|error| format!("{}: {error}", file.display()))?);
    }
    Ok(items)
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if path.is_dir() {
        for entry in std::fs::read_dir(path)? {
            collect(&entry?.path(), files)?;
        }
    } else if [".jsonl.gz", ".jsonl"]
        .iter()
        .any(|end| path.to_string_lossy().ends_with(end))
    {
        files.push(path.to_owned());
    }
    Ok(())
}

fn read_file(path: &Path) -> std::io::Result<Vec<Item>> {
    let file = File::open(path)?;
    let is_packed = path.extension().is_some_and(|end| end == "gz");
    let text: Box<dyn Read> = if is_packed {
        Box::new(GzDecoder::new(file))
    } else {
        Box::new(file)
    };
    BufReader::new(text)
        .lines()
        .map(|line| Ok(serde_json::from_str::<Item>(&line?)?.classified()))
        .collect()
}
