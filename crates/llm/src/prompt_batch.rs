//! The content of one call: as much of the change as fits the model's window, with its secrets masked.

use std::collections::HashSet;

use review::{Candidate, Chunk, Language, Line, LineKind, Side, Status};

use crate::redact::{Masked, MaskedHunk, Redactor};
use crate::tokens::Estimator;

/// Bytes of a line in addition to its text: side, number, marker, line end.
const LINE_FRAME: usize = 12;
/// Bytes of a file or a hunk in addition to its text.
const HEAD_FRAME: usize = 24;

/// The confidence from which a finding of another engine counts as a fact.
const FACT: f32 = 0.9;
/// Maximum number of hints of each kind in a prompt.
const HINTS: usize = 50;

/// Hunks of one or more files.
#[derive(Debug, Clone)]
pub(crate) struct PromptBatch<'a> {
    pub(crate) files: Vec<BatchFile<'a>>,
    /// Findings of other engines on these lines.
    pub(crate) hints: Vec<Hint<'a>>,
    /// Indices of the chunks that its lines are from.
    pub(crate) chunks: Vec<usize>,
    bytes: usize,
}

/// A finding of another engine.
#[derive(Debug, Clone)]
pub(crate) struct Hint<'a> {
    /// Its index among the findings of other engines.
    pub(crate) index: usize,
    pub(crate) candidate: &'a Candidate,
    pub(crate) summary: Masked<'a>,
}

impl Hint<'_> {
    /// Whether it counts as a fact. The model decides on other ones.
    pub(crate) fn is_fact(&self) -> bool {
        self.candidate.confidence >= FACT
    }
}

/// The hunks of one file.
#[derive(Debug, Clone)]
pub(crate) struct BatchFile<'a> {
    /// Index of the file in the diff.
    pub(crate) index: usize,
    /// Index of the chunk that contains its first hunk.
    pub(crate) chunk: usize,
    /// A secret was masked.
    pub(crate) redacted: bool,
    pub(crate) path: &'a str,
    /// The path as shown to the model.
    pub(crate) shown_path: Masked<'a>,
    pub(crate) language: Option<Language>,
    pub(crate) status: Status,
    pub(crate) hunks: Vec<PartHunk<'a>>,
}

/// The position of a line in the change. It does not depend on the batch that shows the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    /// Index of the chunk, and of the hunk in it.
    pub(crate) hunk: (usize, usize),
    /// Index of the line in the hunk.
    pub(crate) line: usize,
}

/// A hunk, or a piece of one.
#[derive(Debug, Clone)]
pub(crate) struct PartHunk<'a> {
    /// The position of its first line.
    start: Position,
    pub(crate) heading: Masked<'a>,
    pub(crate) lines: Vec<BatchLine<'a>>,
}

/// A line as shown to the model.
#[derive(Debug, Clone)]
pub(crate) struct BatchLine<'a> {
    pub(crate) line: &'a Line<'a>,
    pub(crate) shown: Masked<'a>,
}

impl<'a> BatchFile<'a> {
    fn of(at: usize, chunk: &'a Chunk<'_>, redactor: &Redactor) -> Self {
        let shown_path = redactor.text(&chunk.path);
        Self {
            index: chunk.index,
            chunk: at,
            redacted: shown_path.is_changed(),
            path: &chunk.path,
            shown_path,
            language: chunk.language,
            status: chunk.status,
            hunks: Vec::new(),
        }
    }

    /// The same file without hunks.
    fn bare(&self) -> Self {
        Self {
            hunks: Vec::new(),
            shown_path: self.shown_path.clone(),
            ..*self
        }
    }

    fn add(&mut self, hunk: PartHunk<'a>) {
        self.redacted |=
            hunk.heading.is_changed() || hunk.lines.iter().any(|line| line.shown.is_changed());
        self.hunks.push(hunk);
    }
}

impl BatchLine<'_> {
    /// The side that its number refers to, and the number; `None` if the diff does not contain the number.
    pub(crate) fn locate(&self) -> Option<(Side, u32)> {
        match self.line.kind {
            LineKind::Removed => Some((Side::Old, self.line.old?)),
            LineKind::Added | LineKind::Context => Some((Side::New, self.line.new?)),
        }
    }

    fn bytes(&self) -> usize {
        self.shown.len() + LINE_FRAME
    }
}

impl<'a> PromptBatch<'a> {
    pub(crate) fn new() -> Self {
        Self {
            files: Vec::new(),
            hints: Vec::new(),
            chunks: Vec::new(),
            bytes: 0,
        }
    }

    /// The approximate bytes of the text shown to the model.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Added and removed lines.
    pub(crate) fn changed_lines(&self) -> usize {
        self.lines()
            .filter(|(_, line)| line.line.kind != LineKind::Context)
            .count()
    }

    pub(crate) fn lines(&self) -> impl Iterator<Item = (&BatchFile<'a>, &BatchLine<'a>)> {
        self.files.iter().flat_map(|file| {
            file.hunks
                .iter()
                .flat_map(move |hunk| hunk.lines.iter().map(move |line| (file, line)))
        })
    }

    /// The position of a candidate: index of the file, of the hunk in it, of the line in that.
    pub(crate) fn position(&self, candidate: &Candidate) -> Option<(usize, usize, usize)> {
        let file = self
            .files
            .iter()
            .position(|file| file.index == candidate.file)?;
        self.files
            .get(file)?
            .hunks
            .iter()
            .enumerate()
            .find_map(|(hunk, lines)| {
                let on =
                    |line: &BatchLine<'_>| line.locate() == Some((candidate.side, candidate.line));
                lines
                    .lines
                    .iter()
                    .position(on)
                    .map(|line| (file, hunk, line))
            })
    }

    /// The position in the whole change of a line of this batch.
    pub(crate) fn position_of(
        &self,
        (file, hunk, line): (usize, usize, usize),
    ) -> Option<Position> {
        let start = self.files.get(file)?.hunks.get(hunk)?.start;
        Some(Position {
            line: start.line + line,
            ..start
        })
    }

    /// The line at a position in this batch.
    pub(crate) fn line(
        &self,
        (file, hunk, line): (usize, usize, usize),
    ) -> Option<(&BatchFile<'a>, &BatchLine<'a>)> {
        let file = self.files.get(file)?;
        Some((file, file.hunks.get(hunk)?.lines.get(line)?))
    }

    pub(crate) fn add(&mut self, file: &BatchFile<'a>, hunk: PartHunk<'a>) {
        self.bytes += cost(&hunk);
        if self.chunks.last() != Some(&file.chunk) {
            self.chunks.push(file.chunk);
        }
        if self
            .files
            .last()
            .is_none_or(|last| last.index != file.index)
        {
            self.bytes += file.path.len() + HEAD_FRAME;
            self.files.push(file.bare());
        }
        if let Some(last) = self.files.last_mut() {
            last.add(hunk);
        }
    }

    /// The batch in two halves, for a model that had too little room to answer; `None` if it is a single line.
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
                for (half, lines) in halves.iter_mut().zip([0..here, here..hunk.lines.len()]) {
                    if !lines.is_empty() {
                        let start = Position {
                            line: hunk.start.line + lines.start,
                            ..hunk.start
                        };
                        let lines = hunk.lines[lines].to_vec();
                        half.add(
                            file,
                            PartHunk {
                                start,
                                heading: hunk.heading.clone(),
                                lines,
                            },
                        );
                    }
                }
            }
        }
        for half in &mut halves {
            half.take_hints(&self.hints);
        }
        Some(halves)
    }

    /// The findings of other engines that the prompt states as facts.
    pub(crate) fn facts(&self) -> impl Iterator<Item = &Hint<'a>> {
        self.hints.iter().filter(|hint| hint.is_fact()).take(HINTS)
    }

    /// The findings of other engines that the model decides on, each with its index in the batch.
    pub(crate) fn doubtful(&self) -> impl Iterator<Item = (usize, &Hint<'a>)> {
        let doubtful = self.hints.iter().enumerate();
        doubtful.filter(|(_, hint)| !hint.is_fact()).take(HINTS)
    }

    /// Keeps the hints on its lines.
    fn take_hints(&mut self, hints: &[Hint<'a>]) {
        let places: HashSet<_> = self
            .lines()
            .filter_map(|(file, line)| Some((file.index, line.locate()?)))
            .collect();
        let is_here = |hint: &&Hint<'_>| {
            let candidate = hint.candidate;
            places.contains(&(candidate.file, (candidate.side, candidate.line)))
        };
        self.hints = hints.iter().filter(is_here).cloned().collect();
    }
}

/// Packs the chunks, in the order of the diff, into as few batches of at most `room` tokens as possible. A hunk is
/// split only if it is larger than that.
pub(crate) fn batches<'a>(
    chunks: &'a [Chunk<'_>],
    hints: &'a [Candidate],
    redactor: &Redactor,
    estimator: &Estimator,
    room: u64,
) -> Vec<PromptBatch<'a>> {
    let fits = |bytes: usize| estimator.tokens(bytes) <= room;
    let mut batches: Vec<PromptBatch<'a>> = Vec::new();
    for (at, file) in chunks
        .iter()
        .enumerate()
        .filter(|(_, file)| file.hidden.is_none() && !file.by_tool)
    {
        let head = BatchFile::of(at, file, redactor);
        let hunks = file.hunks.iter().zip(redactor.hunks(file)).enumerate();
        for (
            number,
            (
                hunk,
                MaskedHunk {
                    heading,
                    lines: shown,
                },
            ),
        ) in hunks
        {
            let start = Position {
                hunk: (at, number),
                line: 0,
            };
            let lines = hunk
                .lines
                .iter()
                .zip(shown)
                .map(|(line, shown)| BatchLine { line, shown });
            for piece in pieces(
                PartHunk {
                    start,
                    heading,
                    lines: lines.collect(),
                },
                &fits,
            ) {
                let bytes = cost(&piece) + file.path.len() + HEAD_FRAME;
                match batches.last_mut().filter(|batch| fits(batch.bytes + bytes)) {
                    Some(batch) => batch.add(&head, piece),
                    None => {
                        let mut batch = PromptBatch::new();
                        batch.add(&head, piece);
                        batches.push(batch);
                    }
                }
            }
        }
    }
    let summary = |candidate: &'a Candidate| redactor.text(&candidate.summary);
    let hints: Vec<Hint<'a>> = hints
        .iter()
        .enumerate()
        .map(|(index, candidate)| Hint {
            index,
            candidate,
            summary: summary(candidate),
        })
        .collect();
    for batch in &mut batches {
        batch.take_hints(&hints);
    }
    batches
}

fn cost(hunk: &PartHunk<'_>) -> usize {
    HEAD_FRAME + hunk.heading.len() + hunk.lines.iter().map(BatchLine::bytes).sum::<usize>()
}

/// Splits a hunk into pieces that fit. A single line that does not fit is kept whole: the window has room to spare.
fn pieces<'a>(hunk: PartHunk<'a>, fits: &impl Fn(usize) -> bool) -> Vec<PartHunk<'a>> {
    if fits(cost(&hunk)) {
        return vec![hunk];
    }
    let mut pieces: Vec<PartHunk<'a>> = Vec::new();
    let mut bytes = 0;
    for (at, line) in hunk.lines.into_iter().enumerate() {
        let size = line.bytes();
        match pieces.last_mut().filter(|_| fits(bytes + size)) {
            Some(piece) => piece.lines.push(line),
            None => {
                bytes = HEAD_FRAME + hunk.heading.len();
                let start = Position {
                    line: at,
                    ..hunk.start
                };
                pieces.push(PartHunk {
                    start,
                    heading: hunk.heading.clone(),
                    lines: vec![line],
                });
            }
        }
        bytes += size;
    }
    pieces
}
