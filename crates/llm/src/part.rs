//! What one call looks at: hunks of a chunk, with their secrets masked, within the room that the model has.

use std::borrow::Cow;
use std::collections::HashSet;

use review::{Candidate, Chunk, ChunkFile, Language, Line, LineKind, Side, Status};

use crate::redact::Redactor;
use crate::tokens::Estimator;

/// Bytes that a line has beside its text: side, number, marker, line end.
const LINE_FRAME: usize = 12;
/// Bytes that a file or a hunk has beside its text.
const HEAD_FRAME: usize = 24;

/// Hunks of one file, or of a few.
#[derive(Debug, Clone)]
pub(crate) struct Part<'a> {
    pub(crate) files: Vec<PartFile<'a>>,
    /// What others believe of these lines, by their index in the chunk's hints.
    pub(crate) hints: Vec<(usize, &'a Candidate)>,
    /// A secret was masked.
    pub(crate) redacted: bool,
    bytes: usize,
}

/// The hunks of one file.
#[derive(Debug, Clone)]
pub(crate) struct PartFile<'a> {
    /// Index of the file in the diff.
    pub(crate) index: usize,
    pub(crate) path: &'a str,
    pub(crate) language: Option<Language>,
    pub(crate) status: Status,
    pub(crate) hunks: Vec<PartHunk<'a>>,
}

/// A hunk, or a piece of one.
#[derive(Debug, Clone)]
pub(crate) struct PartHunk<'a> {
    pub(crate) heading: Cow<'a, str>,
    pub(crate) lines: Vec<PartLine<'a>>,
}

/// A line as the model is shown it.
#[derive(Debug, Clone)]
pub(crate) struct PartLine<'a> {
    pub(crate) line: &'a Line<'a>,
    pub(crate) shown: Cow<'a, str>,
}

impl<'a> PartFile<'a> {
    fn of(file: &'a ChunkFile<'_>) -> Self {
        let (index, language, status) = (file.index, file.language, file.status);
        Self { index, path: &file.path, language, status, hunks: Vec::new() }
    }

    fn without_hunks(&self) -> Self {
        Self { hunks: Vec::new(), ..*self }
    }
}

impl PartLine<'_> {
    /// The side that its number counts on, and the number; `None` for a line whose number the diff does not tell.
    pub(crate) fn place(&self) -> Option<(Side, u32)> {
        match self.line.kind {
            LineKind::Removed => Some((Side::Old, self.line.old?)),
            LineKind::Added | LineKind::Context => Some((Side::New, self.line.new?)),
        }
    }

    fn bytes(&self) -> usize {
        self.shown.len() + LINE_FRAME
    }
}

impl<'a> Part<'a> {
    fn new() -> Self {
        Self { files: Vec::new(), hints: Vec::new(), redacted: false, bytes: 0 }
    }

    /// Bytes of the text that the model is shown, nearly.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn lines(&self) -> impl Iterator<Item = (&PartFile<'a>, &PartLine<'a>)> {
        self.files
            .iter()
            .flat_map(|file| file.hunks.iter().flat_map(move |hunk| hunk.lines.iter().map(move |line| (file, line))))
    }

    /// Where a candidate stands: index of the file, of the hunk in it, of the line in that.
    pub(crate) fn position(&self, candidate: &Candidate) -> Option<(usize, usize, usize)> {
        let file = self.files.iter().position(|file| file.index == candidate.file)?;
        self.files.get(file)?.hunks.iter().enumerate().find_map(|(hunk, lines)| {
            let on = |line: &PartLine<'_>| line.place() == Some((candidate.side, candidate.line));
            lines.lines.iter().position(on).map(|line| (file, hunk, line))
        })
    }

    /// The line at a position.
    pub(crate) fn line(&self, (file, hunk, line): (usize, usize, usize)) -> Option<(&PartFile<'a>, &PartLine<'a>)> {
        let file = self.files.get(file)?;
        Some((file, file.hunks.get(hunk)?.lines.get(line)?))
    }

    fn add(&mut self, file: &PartFile<'a>, hunk: PartHunk<'a>) {
        self.bytes += cost(&hunk);
        self.redacted |= hunk
            .lines
            .iter()
            .any(|line| matches!(line.shown, Cow::Owned(_)) || line.shown.as_ptr() != line.line.text.as_ptr());
        match self.files.last_mut().filter(|last| last.index == file.index) {
            Some(last) => last.hunks.push(hunk),
            None => {
                self.bytes += file.path.len() + HEAD_FRAME;
                self.files.push(PartFile { hunks: vec![hunk], ..file.without_hunks() });
            }
        }
    }

    /// The same in two halves, for a model that had too little room to answer; `None` when it is one line.
    pub(crate) fn halves(&self) -> Option<[Self; 2]> {
        let lines = self.lines().count();
        if lines < 2 {
            return None;
        }
        let (mut halves, mut seen) = ([Self::new(), Self::new()], 0);
        for file in &self.files {
            for hunk in &file.hunks {
                let here = (lines / 2).saturating_sub(seen).min(hunk.lines.len());
                seen += hunk.lines.len();
                for (half, lines) in halves.iter_mut().zip([&hunk.lines[..here], &hunk.lines[here..]]) {
                    if !lines.is_empty() {
                        half.add(file, PartHunk { heading: hunk.heading.clone(), lines: lines.to_vec() });
                    }
                }
            }
        }
        for half in &mut halves {
            half.take_hints(self.hints.iter().copied());
        }
        Some(halves)
    }

    /// Keeps the hints that are on one of its lines.
    fn take_hints(&mut self, hints: impl Iterator<Item = (usize, &'a Candidate)>) {
        let places: HashSet<_> = self.lines().filter_map(|(file, line)| Some((file.index, line.place()?))).collect();
        self.hints = hints.filter(|(_, hint)| places.contains(&(hint.file, (hint.side, hint.line)))).collect();
    }

    /// The same hunks in another order, so that what a model reads first and last is not always the same. Order 0 is that
    /// of the diff.
    pub(crate) fn ordered(&self, order: usize) -> Cow<'_, Self> {
        let mut other = match order {
            0 => return Cow::Borrowed(self),
            _ => self.clone(),
        };
        if order % 2 == 1 {
            other.files.reverse();
            other.files.iter_mut().for_each(|file| file.hunks.reverse());
        }
        if order >= 2 {
            let middle = other.files.len() / 2;
            other.files.rotate_left(middle);
            for file in &mut other.files {
                let middle = file.hunks.len() / 2;
                file.hunks.rotate_left(middle);
            }
        }
        Cow::Owned(other)
    }
}

/// Cuts a chunk into parts of at most `room` tokens each. A hunk is cut only when it alone is larger.
pub(crate) fn parts<'a>(
    chunk: &'a Chunk<'_>,
    hints: &'a [Candidate],
    redactor: &Redactor,
    estimator: &Estimator,
    room: u64,
) -> Vec<Part<'a>> {
    let fits = |bytes: usize| estimator.tokens(bytes) <= room;
    let mut parts: Vec<Part<'a>> = Vec::new();
    for file in &chunk.files {
        let head = PartFile::of(file);
        for hunk in &file.hunks {
            let shown = redactor.lines(hunk.lines.iter().map(|line| line.text));
            let lines = hunk.lines.iter().zip(shown).map(|(line, shown)| PartLine { line, shown });
            for piece in pieces(PartHunk { heading: Cow::Borrowed(&*hunk.heading), lines: lines.collect() }, &fits) {
                let bytes = cost(&piece) + file.path.len() + HEAD_FRAME;
                match parts.last_mut().filter(|part| fits(part.bytes + bytes)) {
                    Some(part) => part.add(&head, piece),
                    None => {
                        let mut part = Part::new();
                        part.add(&head, piece);
                        parts.push(part);
                    }
                }
            }
        }
    }
    for part in &mut parts {
        part.take_hints(hints.iter().enumerate());
    }
    parts
}

fn cost(hunk: &PartHunk<'_>) -> usize {
    HEAD_FRAME + hunk.heading.len() + hunk.lines.iter().map(PartLine::bytes).sum::<usize>()
}

/// A hunk in pieces that fit. A line that does not fit by itself is left whole: the window has room to spare.
fn pieces<'a>(hunk: PartHunk<'a>, fits: &impl Fn(usize) -> bool) -> Vec<PartHunk<'a>> {
    if fits(cost(&hunk)) {
        return vec![hunk];
    }
    let mut pieces: Vec<PartHunk<'a>> = Vec::new();
    let mut bytes = 0;
    for line in hunk.lines {
        let size = line.bytes();
        match pieces.last_mut().filter(|_| fits(bytes + size)) {
            Some(piece) => piece.lines.push(line),
            None => {
                bytes = HEAD_FRAME + hunk.heading.len();
                pieces.push(PartHunk { heading: hunk.heading.clone(), lines: vec![line] });
            }
        }
        bytes += size;
    }
    pieces
}
