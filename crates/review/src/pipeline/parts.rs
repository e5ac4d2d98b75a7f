//! What an engine is given at once: a chunk, or each file of it by itself.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::chunk::{Chunk, ChunkFile};

/// The parts of a diff for one engine, in the order of the diff.
pub(super) struct Parts<'c> {
    list: Vec<Part<'c>>,
    /// Chunk and file → index of the part.
    by_file: HashMap<(usize, usize), usize>,
}

pub(super) struct Part<'c> {
    /// Index of the chunk that it is, or is of.
    pub(super) index: usize,
    pub(super) chunk: Cow<'c, Chunk<'c>>,
}

impl<'c> Parts<'c> {
    pub(super) fn new(chunks: &'c [Chunk<'c>], one_by_one: bool) -> Self {
        let split = |(index, chunk): (usize, &'c Chunk<'c>)| match chunk.files.as_slice() {
            files @ [_, _, ..] if one_by_one => files.iter().map(|file| Part { index, chunk: alone(file) }).collect(),
            _ => vec![Part { index, chunk: Cow::Borrowed(chunk) }],
        };
        let list: Vec<Part<'c>> = chunks.iter().enumerate().flat_map(split).collect();
        let files = list.iter().enumerate().flat_map(|(at, part)| {
            let of_part = move |file: &ChunkFile<'_>| ((part.index, file.index), at);
            part.chunk.files.iter().map(of_part)
        });
        let by_file = files.collect();
        Self { list, by_file }
    }

    pub(super) fn list(&self) -> &[Part<'c>] {
        &self.list
    }

    /// The part that has this file of this chunk.
    pub(super) fn find(&self, chunk: usize, file: usize) -> Option<usize> {
        self.by_file.get(&(chunk, file)).copied()
    }
}

/// Files that share a chunk are small, and their text is borrowed.
fn alone<'c>(file: &ChunkFile<'c>) -> Cow<'c, Chunk<'c>> {
    Cow::Owned(Chunk { files: vec![file.clone()] })
}
