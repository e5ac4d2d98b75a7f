//! Where the diff comes from, and what of it is too much.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path};

use review::classify::{classify, counts_as_file};
use review::diff::DiffText;
use review::{Diff, DiffContext, FileDiff, Language, Status, Warning, WarningCode};
use server::Limits;

use super::task::{Checkout, FileContext, Source};
use crate::git::new_side::NewSide;
use crate::git::taken::Taken;
use crate::git::{Bounds, Change, Git, GitError};
use crate::out;
use crate::outcome::Error;
use crate::project::skips::Skips;

/// A change this many times beyond the limit is not even read: cutting it file by file would take memory without bounds.
const BEYOND: usize = 8;
/// So many untracked files for each file that a review may have are still listed and read.
const UNTRACKED: usize = 10;

/// The text of a diff.
#[derive(Debug)]
pub(in crate::commands) struct Input {
    /// What to call it in a message.
    name: String,
    diff: DiffText,
    /// What happened to it on the way.
    pub(in crate::commands) warnings: Vec<Warning>,
    context: Context,
}

/// What is known of the files around the hunks.
#[derive(Debug)]
enum Context {
    /// Nothing.
    Hunks,
    /// What the hunks show of where a file ends.
    AsShown,
    /// Each hunk contains all of its file.
    Files,
    /// The files can be read.
    NewSide(NewSide),
    /// The text of the only file.
    Text(String),
}

impl Input {
    /// The bytes of a diff, with the name that messages call them by.
    ///
    /// # Errors
    /// It has far too many lines.
    pub(in crate::commands) fn of(
        name: String,
        bytes: Vec<u8>,
        limits: &Limits,
    ) -> Result<Self, Error> {
        let (text, warnings) = decode(bytes);
        let lines = limits.diff_lines.saturating_mul(BEYOND);
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

    /// The same diff, whose hunks contain all of their files.
    pub(in crate::commands) fn of_whole_files(self) -> Self {
        Self {
            context: Context::Files,
            ..self
        }
    }

    /// The same diff of one file, with the text of the file after the change.
    pub(in crate::commands) fn of_text(self, text: String) -> Self {
        Self {
            context: Context::Text(text),
            ..self
        }
    }

    /// Whether each hunk contains all of its file.
    pub(super) fn has_whole_files(&self) -> bool {
        matches!(self.context, Context::Files)
    }

    /// Reads the changed files of the diff, as far as they can be read whole.
    pub(in crate::commands) fn read_files(
        &self,
        diff: &Diff<'_>,
        language: Option<Language>,
    ) -> WholeFiles {
        match &self.context {
            Context::Hunks => WholeFiles::Unknown,
            Context::AsShown => WholeFiles::AsShown,
            Context::Files => WholeFiles::Hunks,
            Context::NewSide(side) => WholeFiles::Texts(side.texts(diff, language)),
            Context::Text(text) => WholeFiles::Texts(HashMap::from([(0, text.clone())])),
        }
    }

    /// The text of the diff, without colour codes and with its mails decoded.
    pub(in crate::commands) fn text(&self) -> &str {
        self.diff.as_str()
    }

    /// There is no text: nothing changed, or all that did was left out.
    pub(in crate::commands) fn is_empty(&self) -> bool {
        self.text().trim().is_empty()
    }

    /// Nothing changed.
    pub(super) fn is_unchanged(&self) -> bool {
        self.is_empty() && self.warnings.is_empty()
    }

    /// The diff in the text.
    ///
    /// # Errors
    /// It is none: says where, and why. Or a path, a hunk header or a merge in it is beyond the limits.
    pub(in crate::commands) fn parse(&self, limits: &Limits) -> Result<Diff<'_>, Error> {
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

/// What is known of the files around the hunks of a diff.
#[derive(Debug, Default)]
pub(in crate::commands) enum WholeFiles {
    /// Nothing.
    #[default]
    Unknown,
    /// What the hunks show of where a file ends.
    AsShown,
    /// Each hunk contains all of its file.
    Hunks,
    /// The texts of files, by index in the diff.
    Texts(HashMap<usize, String>),
}

impl WholeFiles {
    pub(in crate::commands) fn context(&self) -> DiffContext<'_> {
        match self {
            Self::Unknown => DiffContext::Hunks,
            Self::AsShown => DiffContext::AsShown,
            Self::Hunks => DiffContext::Files,
            Self::Texts(texts) => DiffContext::Texts(texts),
        }
    }

    /// Bytes of the files that were read.
    pub(in crate::commands) fn bytes(&self) -> usize {
        if let Self::Texts(texts) = self {
            texts.values().map(String::len).sum()
        } else {
            0
        }
    }
}

/// Reads the change, which may be one of this checkout.
///
/// # Errors
/// It cannot be read, or is far too large.
pub(super) fn read(
    (source, context): (&Source, Option<FileContext>),
    git: &Result<Git, GitError>,
    skips: &Skips<'_>,
    limits: &Limits,
) -> Result<Input, Error> {
    let input = read_source(source, git, skips, limits)?;
    let is_diff = matches!(source, Source::Stdin | Source::File(_));
    Ok(match context {
        Some(FileContext::Hunks) => Input {
            context: Context::Hunks,
            ..input
        },
        Some(FileContext::File) if is_diff => input.of_whole_files(),
        Some(FileContext::Repository) if is_diff => {
            return Err(Error::usage(
                "--context repository: a diff from a file or stdin has no repository; leave it out",
            ));
        }
        None if is_diff => Input {
            context: Context::AsShown,
            ..input
        },
        Some(FileContext::Repository | FileContext::File) | None => input,
    })
}

fn read_source(
    source: &Source,
    git: &Result<Git, GitError>,
    skips: &Skips<'_>,
    limits: &Limits,
) -> Result<Input, Error> {
    let most = limits.diff_bytes.saturating_mul(BEYOND);
    let (name, bytes) = match source {
        Source::Stdin => (
            "stdin".to_owned(),
            read_from("stdin", io::stdin().lock(), most)?,
        ),
        Source::File(file) => (file.display().to_string(), read_file(file, most)?),
        Source::Code(file) => return of_code(file, limits),
        Source::Checkout(checkout) => return read_checkout(checkout, git, skips, limits),
    };
    Input::of(name, bytes, limits)
}

/// The change of a checkout, without the files that are to be skipped and those that are too large.
///
/// # Errors
/// Git failed.
pub(in crate::commands) fn of_checkout(
    git: &Git,
    change: &Change,
    skips: &Skips<'_>,
    limits: &Limits,
) -> Result<Input, Error> {
    let bounds = Bounds {
        file_bytes: limits.diff_bytes,
        file_lines: limits.diff_lines,
        bytes: limits.diff_bytes.saturating_mul(BEYOND),
        lines: limits.diff_lines.saturating_mul(BEYOND),
    };
    let Taken {
        diff,
        left_out,
        new_side,
    } = git.diff(change, &bounds, |files| skips.of(git, files))?;
    let mut input = Input::of("git diff".to_owned(), diff, limits)?;
    input.warnings.splice(0..0, left_out);
    input.context = new_side.map_or(Context::Hunks, Context::NewSide);
    Ok(input)
}

fn read_file(file: &Path, most: usize) -> Result<Vec<u8>, Error> {
    let name = file.display().to_string();
    let open =
        File::open(file).map_err(|error| Error::usage(format!("cannot read {name}: {error}")))?;
    read_from(&name, open, most)
}

fn read_from(name: &str, source: impl Read, most: usize) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let read = source.take(most as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| Error::usage(format!("cannot read {name}: {error}")))?;
    if bytes.len() > most {
        return Err(Error::usage(format!(
            "{name}: larger than {most} bytes: review it in parts"
        )));
    }
    Ok(bytes)
}

fn read_checkout(
    Checkout {
        change,
        paths,
        untracked,
    }: &Checkout,
    git: &Result<Git, GitError>,
    skips: &Skips<'_>,
    limits: &Limits,
) -> Result<Input, Error> {
    let git = git.as_ref().map_err(Clone::clone)?;
    let below = git.below(paths)?;
    let input = if *untracked {
        of_checkout_with_untracked(&below, change, skips, limits)?
    } else {
        of_checkout(&below, change, skips, limits)?
    };
    match paths.as_slice() {
        [file] if *change == Change::Uncommitted && input.is_unchanged() && is_file(file) => {
            whole_file(git, file, skips, limits)
        }
        _ => Ok(input),
    }
}

/// The change of a checkout, of which untracked files are part unless git ignores them.
///
/// # Errors
/// Git failed.
pub(in crate::commands) fn of_checkout_with_untracked(
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
        // A folder of build results or packages that .gitignore lacks.
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

/// A file that has not changed or that git ignores: who names it wants it reviewed.
fn whole_file(git: &Git, file: &Path, skips: &Skips<'_>, limits: &Limits) -> Result<Input, Error> {
    let git = git.below(&[file.to_owned()])?;
    let untracked = git.untracked_or_ignored()?;
    let git = if untracked.count() == 0 {
        git
    } else {
        git.and_untracked(&untracked)?
    };
    let input = of_checkout(&git, &Change::Whole, skips, limits)?;
    if !input.is_unchanged() {
        out::note(&format!(
            "note: {} has no uncommitted change, so the whole file was reviewed",
            file.display()
        ));
    }
    Ok(input)
}

fn is_file(path: &Path) -> bool {
    path.symlink_metadata()
        .is_ok_and(|metadata| metadata.is_file())
}

/// A file outside of a checkout, as if all of its lines were added.
fn of_code(file: &Path, limits: &Limits) -> Result<Input, Error> {
    let name = file.display().to_string();
    let bytes = read_file(file, limits.diff_bytes)?;
    let path = path_in_diff(file)
        .ok_or_else(|| Error::usage(format!("{name}: the name of the file is not plain text")))?;
    let (text, warnings) = decode(bytes);
    if text.is_empty() {
        return Input::of(name, Vec::new(), limits);
    }
    let mut input = Input::of(name, diff_of_file(&path, None, &text).into_bytes(), limits)?;
    input.warnings = warnings;
    Ok(input.of_whole_files())
}

/// The diff of one file, with as much context as `git diff` shows. Without an old text, the file is new.
pub(in crate::commands) fn diff_of_file(path: &str, old: Option<&str>, new: &str) -> String {
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

/// The path of a file as a diff names it: below the current folder, or else its name alone.
fn path_in_diff(file: &Path) -> Option<String> {
    let file = file.strip_prefix(".").unwrap_or(file);
    let is_below = file
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    let path = if is_below {
        file.to_str()
    } else {
        file.file_name()?.to_str()
    }?;
    (!path.contains(|c: char| c.is_control() || c == '"' || c == '\\')).then(|| path.to_owned())
}

/// The bytes as text. UTF-16 is recognized by its byte order mark: PowerShell's `>` writes it. A diff of files in another
/// encoding is reviewed all the same; what cannot be decoded is replaced.
fn decode(bytes: Vec<u8>) -> (String, Vec<Warning>) {
    let decoded = match bytes.as_slice() {
        [0xff, 0xfe, rest @ ..] => from_utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => from_utf16(rest, u16::from_be_bytes),
        _ => String::from_utf8(bytes)
            .map_err(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
    };
    match decoded {
        Ok(text) => (text, Vec::new()),
        Err(text) => {
            let message =
                "the diff is neither UTF-8 nor UTF-16: what could not be decoded was replaced";
            (
                text,
                vec![Warning::review(WarningCode::EncodingReplaced, message)],
            )
        }
    }
}

/// Decodes UTF-16. `Err` is the text with replacement characters.
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

/// Leaves out the files that no longer fit into the limits, with a warning for each. A terminal has no second request in
/// which to send the rest, so what fits is reviewed: changed files before new ones, of which a build may leave many.
pub(super) fn cut(
    diff: &mut Diff<'_>,
    language: Option<Language>,
    limits: &Limits,
) -> Vec<Warning> {
    let (mut bytes, mut lines, mut files) = (0usize, 0usize, 0usize);
    let mut beyond: Vec<Option<String>> = vec![None; diff.files.len()];
    // To classify files takes longer than to count them.
    let is_in_doubt = diff.files.len() > limits.diff_files;
    let (new, changed): (Vec<_>, Vec<_>) = diff
        .files
        .iter()
        .zip(&mut beyond)
        .partition(|(file, _)| file.status == Status::Added);
    for (file, beyond) in changed.into_iter().chain(new) {
        let (file_bytes, file_lines) = size(file);
        let counts = is_in_doubt && counts_as_file(file, language);
        if bytes + file_bytes > limits.diff_bytes {
            *beyond = Some(format!("{} bytes", limits.diff_bytes));
        } else if lines + file_lines > limits.diff_lines {
            *beyond = Some(format!("{} lines", limits.diff_lines));
        } else if counts && files == limits.diff_files {
            *beyond = Some(format!("{} files", limits.diff_files));
        } else {
            (bytes, lines, files) = (
                bytes + file_bytes,
                lines + file_lines,
                files + usize::from(counts),
            );
        }
    }
    let mut warnings = Vec::new();
    let mut beyond = beyond.into_iter();
    diff.files.retain(|file| {
        let beyond = beyond.next().flatten();
        let fits = beyond.is_none();
        warnings.extend(beyond.map(|what| {
            let message = format!("not reviewed: with it the change is larger than {what}");
            Warning::file(WarningCode::FileSkippedTooLarge, file.path(), message)
        }));
        fits
    });
    warnings
}

/// Leaves out the files that people did not write, where all lines count as added: no change has added these files, so none
/// hides them.
pub(super) fn leave_out_unwritten(diff: &mut Diff<'_>, language: Option<Language>) -> Vec<Warning> {
    let mut warnings = Vec::new();
    diff.files.retain(|file| {
        let skipped = classify(file, language).skipped(file.path());
        let is_written = skipped.is_none();
        warnings.extend(skipped);
        is_written
    });
    warnings
}

/// Bytes and lines of a file's hunks.
fn size(file: &FileDiff<'_>) -> (usize, usize) {
    let lines = || file.hunks.iter().flat_map(|hunk| &hunk.lines);
    let headers: usize = file.hunks.iter().map(|hunk| hunk.header.len() + 1).sum();
    (
        headers + lines().map(|line| line.text.len() + 2).sum::<usize>(),
        file.hunks.len() + lines().count(),
    )
}
