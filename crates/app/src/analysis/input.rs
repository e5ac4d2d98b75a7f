//! The diff under review, and the known content of its files.

use std::collections::HashMap;

use git::new_side::NewSide;
use git::taken::Taken;
use git::{Bounds, Change, Git};
use review::diff::DiffText;
use review::expand::{Room, expand, seems_whole};
use review::repository::is_secret;
use review::{Diff, DiffContext, FileDiff, Language, Side, Warning, WarningCode};
use server::Limits;

use crate::outcome::Error;
use crate::project::skips::Skips;

/// A change larger than this multiple of the limit is refused: reading it and removing files would take unbounded
/// memory.
pub(crate) const OVERSIZE_FACTOR: usize = 8;
/// Untracked files that are listed and read, as a multiple of the maximum number of files in a review.
const UNTRACKED: usize = 10;

/// The text of a diff.
#[derive(Debug)]
pub(crate) struct Input {
    /// The name for error messages.
    name: String,
    diff: DiffText,
    /// About changes and omissions while reading.
    pub(crate) warnings: Vec<Warning>,
    context: Context,
}

/// The known content of the files around the hunks.
#[derive(Debug)]
enum Context {
    /// Nothing.
    Hunks,
    /// The hunks show where a file ends.
    AsShown,
    /// Each hunk contains all of its file.
    Files,
    /// The files can be read.
    NewSide(Box<NewSide>),
    /// The text of the only file.
    Text(String),
}

impl Input {
    /// Decodes a diff. `name` is for error messages.
    ///
    /// # Errors
    /// The diff has far too many lines.
    pub(crate) fn of(name: String, bytes: Vec<u8>, limits: &Limits) -> Result<Self, Error> {
        let (text, warnings) = decode(bytes);
        let lines = limits.diff_lines.saturating_mul(OVERSIZE_FACTOR);
        if text
            .bytes()
            .filter(|byte| *byte == b'\n')
            .nth(lines)
            .is_some()
        {
            return Err(Error::usage(format!(
                "{name}: the diff has more than {lines} lines: review it in parts"
            )));
        }
        Ok(Self {
            name,
            diff: DiffText::of(text),
            warnings,
            context: Context::Hunks,
        })
    }

    /// The same diff, with nothing known about its files but the hunks.
    pub(crate) fn of_hunks(self) -> Self {
        Self {
            context: Context::Hunks,
            ..self
        }
    }

    /// The same diff, with hunks that show where their files end.
    pub(crate) fn of_hunks_as_shown(self) -> Self {
        Self {
            context: Context::AsShown,
            ..self
        }
    }

    /// The same diff, with hunks that contain their whole files.
    pub(crate) fn of_whole_files(self) -> Self {
        Self {
            context: Context::Files,
            ..self
        }
    }

    /// The same diff of one file, with the text of the file after the change.
    pub(crate) fn of_text(self, text: String) -> Self {
        Self {
            context: Context::Text(text),
            ..self
        }
    }

    /// Whether each hunk contains all of its file.
    pub(crate) fn has_whole_files(&self) -> bool {
        matches!(self.context, Context::Files)
    }

    /// The text of the diff with all lines of its files, as far as there is room, but never of files that usually hold
    /// secrets: it is sent to others. `None` if the files cannot be read.
    pub(crate) fn expanded(
        &self,
        diff: &Diff<'_>,
        language: Option<Language>,
        room: Room,
    ) -> Option<String> {
        let Context::NewSide(side) = &self.context else {
            return None;
        };
        let mut texts = side.texts_and(diff, language, seems_whole);
        texts.retain(|index, _| diff.files.get(*index).is_some_and(may_be_shown));
        expand(self.text(), diff, &texts, room)
    }

    /// Reads the changed files of the diff that can be read whole.
    pub(crate) fn with_files<'d, 'i>(
        &self,
        diff: &'d Diff<'i>,
        language: Option<Language>,
    ) -> WithFiles<'d, 'i> {
        let files = match &self.context {
            Context::Hunks => WholeFiles::Unknown,
            Context::AsShown => WholeFiles::AsShown,
            Context::Files => WholeFiles::Hunks,
            Context::NewSide(side) => WholeFiles::Texts(side.texts(diff, language)),
            Context::Text(text) => WholeFiles::Texts(HashMap::from([(0, text.clone())])),
        };
        WithFiles {
            diff,
            bytes: self.text().len().saturating_add(files.bytes()),
            files,
        }
    }

    /// The text of the diff, without colour codes and with its mails decoded.
    pub(crate) fn text(&self) -> &str {
        self.diff.as_str()
    }

    /// Whether the text is empty: nothing changed, or every changed file was left out.
    pub(crate) fn is_empty(&self) -> bool {
        self.text().trim().is_empty()
    }

    /// Whether the change is empty.
    pub(crate) fn is_unchanged(&self) -> bool {
        self.is_empty() && self.warnings.is_empty()
    }

    /// Parses the text.
    ///
    /// # Errors
    /// The text is not a valid diff, or a path, a hunk header or a merge in it exceeds the limits.
    pub(crate) fn parse(&self, limits: &Limits) -> Result<Diff<'_>, Error> {
        if self.is_empty() {
            return Ok(Diff::default());
        }
        let diff = self
            .diff
            .parse()
            .map_err(|error| Error::usage(format!("{}: {error}", self.name)))?;
        match limits.exceeded_by(&diff.extent()) {
            Some(beyond) => Err(Error::usage(format!("{}: {beyond}", self.name))),
            None => Ok(diff),
        }
    }
}

fn may_be_shown(file: &FileDiff<'_>) -> bool {
    [Side::Old, Side::New]
        .iter()
        .all(|side| !is_secret(file.path_on(*side)))
}

/// A diff with the files around its hunks.
pub(crate) struct WithFiles<'d, 'i> {
    pub(crate) diff: &'d Diff<'i>,
    files: WholeFiles,
    /// Size of the diff and of the files that were read, in bytes.
    pub(crate) bytes: usize,
}

impl WithFiles<'_, '_> {
    pub(crate) fn context(&self) -> DiffContext<'_> {
        self.files.context()
    }
}

/// The known content of the files around the hunks of a diff.
#[derive(Debug, Default)]
enum WholeFiles {
    /// Nothing.
    #[default]
    Unknown,
    /// The hunks show where a file ends.
    AsShown,
    /// Each hunk contains all of its file.
    Hunks,
    /// The texts of files, by index in the diff.
    Texts(HashMap<usize, String>),
}

impl WholeFiles {
    fn context(&self) -> DiffContext<'_> {
        match self {
            Self::Unknown => DiffContext::Hunks,
            Self::AsShown => DiffContext::AsShown,
            Self::Hunks => DiffContext::Files,
            Self::Texts(texts) => DiffContext::Texts(texts),
        }
    }

    /// Total size of the files that were read, in bytes.
    fn bytes(&self) -> usize {
        if let Self::Texts(texts) = self {
            texts.values().map(String::len).sum()
        } else {
            0
        }
    }
}

/// The change of a checkout, without skipped files and files that are too large.
pub(crate) fn of_checkout(
    git: &Git,
    change: &Change,
    skips: &Skips<'_>,
    limits: &Limits,
) -> Result<Input, Error> {
    let bounds = Bounds {
        file_bytes: limits.diff_bytes,
        file_lines: limits.diff_lines,
        bytes: limits.diff_bytes.saturating_mul(OVERSIZE_FACTOR),
        lines: limits.diff_lines.saturating_mul(OVERSIZE_FACTOR),
    };
    let Taken {
        diff,
        left_out,
        new_side,
    } = git.diff(change, &bounds, |files| skips.of(git, change, files))?;
    let mut input = Input::of("git diff".to_owned(), diff, limits)?;
    input.warnings.splice(0..0, left_out);
    input.context = new_side.map_or(Context::Hunks, |side| Context::NewSide(Box::new(side)));
    Ok(input)
}

/// The change of a checkout, including untracked files unless git ignores them.
pub(crate) fn of_checkout_with_untracked(
    git: &Git,
    change: &Change,
    skips: &Skips<'_>,
    limits: &Limits,
) -> Result<Input, Error> {
    git.root()?;
    let untracked = git.untracked()?;
    let most = limits.diff_files.saturating_mul(UNTRACKED);
    match untracked.count() {
        0 => of_checkout(git, change, skips, limits),
        count if count <= most => {
            of_checkout(&git.and_untracked(&untracked)?, change, skips, limits)
        }
        // Typically a folder of build results or packages that is missing from .gitignore.
        count => {
            let mut input = of_checkout(git, change, skips, limits)?;
            let message = format!(
                "{count} untracked files were not reviewed, because there are more than {most}: add generated files to \
                 .gitignore, or name the paths to review"
            );
            input
                .warnings
                .push(Warning::review(WarningCode::FileSkippedTooLarge, message));
            Ok(input)
        }
    }
}

/// The diff of one file, with as much context as `git diff` shows. Without an old text, the file is new.
pub(crate) fn diff_of_file(path: &str, old: Option<&str>, new: &str) -> String {
    let mut options = diffy::DiffOptions::new();
    options.set_original_filename(if old.is_some() {
        format!("a/{path}")
    } else {
        "/dev/null".to_owned()
    });
    options.set_modified_filename(format!("b/{path}"));
    options
        .create_patch(old.unwrap_or_default(), new)
        .to_string()
}

/// Decodes the bytes. UTF-16 is recognized by its byte order mark, because PowerShell's `>` writes it. A diff in
/// another encoding is still reviewed, with invalid bytes replaced.
pub(crate) fn decode(bytes: Vec<u8>) -> (String, Vec<Warning>) {
    let decoded = match bytes.as_slice() {
        [0xff, 0xfe, rest @ ..] => from_utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => from_utf16(rest, u16::from_be_bytes),
        _ => String::from_utf8(bytes)
            .map_err(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
    };
    match decoded {
        Ok(text) => (text, Vec::new()),
        Err(text) => {
            let message = "the diff is neither UTF-8 nor UTF-16: invalid bytes were replaced";
            (
                text,
                vec![Warning::review(WarningCode::EncodingReplaced, message)],
            )
        }
    }
}

/// Decodes UTF-16. `Err` contains the text with replacement characters.
fn from_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, String> {
    let (pairs, odd) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|pair| unit(*pair));
    let decoded: Result<String, _> = char::decode_utf16(units.clone()).collect();
    match decoded {
        Ok(text) if odd.is_empty() => Ok(text),
        _ => Err(char::decode_utf16(units)
            .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect()),
    }
}
