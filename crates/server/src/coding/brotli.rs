//! `br` (RFC 7932).

use brotli::enc::StandardAlloc;
use brotli::{BrotliDecompressStream, BrotliResult, BrotliState};

use super::Broken;

/// Three groups of 256 prefix codes, their context maps, and a buffer.
const TABLES_BYTES: usize = 4 << 20;
const PIECE_BYTES: usize = 32 << 10;
const LARGEST_WINDOW_BITS: u32 = 24;

pub(super) const LARGEST_BYTES: usize = of_window(LARGEST_WINDOW_BITS);

/// See [`Decoder`](super::Decoder).
pub(crate) struct Brotli {
    state: BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>,
    piece: Vec<u8>,
    ended: bool,
}

impl Default for Brotli {
    fn default() -> Self {
        let alloc = StandardAlloc::default;
        // Only what the RFC allows: extensions have windows of up to a gibibyte.
        let state = BrotliState::new_strict(alloc(), alloc(), alloc());
        Self {
            state,
            piece: vec![0; PIECE_BYTES],
            ended: false,
        }
    }
}

impl Brotli {
    pub(super) fn step(&mut self, input: &[u8]) -> Result<(usize, &[u8]), Broken> {
        if self.ended {
            return if input.is_empty() {
                Ok((0, &[]))
            } else {
                Err(Broken)
            };
        }
        let (mut taken, mut given) = (0, 0);
        let (mut available, mut room) = (input.len(), self.piece.len());
        let (piece, state) = (&mut self.piece, &mut self.state);
        match BrotliDecompressStream(
            &mut available, &mut taken, input, &mut room, &mut given, piece, &mut 0, state,
        ) {
            BrotliResult::ResultFailure => return Err(Broken),
            BrotliResult::ResultSuccess => self.ended = true,
            BrotliResult::NeedsMoreInput | BrotliResult::NeedsMoreOutput => {}
        }
        Ok((taken, self.piece.get(..given).unwrap_or_default()))
    }

    pub(super) fn finish(&self) -> Result<&[u8], Broken> {
        if self.ended { Ok(&[]) } else { Err(Broken) }
    }
}

/// Memory needed for decoding; the first byte contains the window size (RFC 7932 section 9.1).
pub(super) fn bytes(first: u8) -> Result<usize, Broken> {
    let bits = match (
        first & 1,
        u32::from(first >> 1 & 7),
        u32::from(first >> 4 & 7),
    ) {
        (0, ..) => 16,
        (_, 0, 0) => 17,
        (_, 0, 1) => return Err(Broken),
        (_, 0, bits) => 8 + bits,
        (_, bits, _) => 17 + bits,
    };
    Ok(of_window(bits))
}

/// The window, and temporarily the half-sized one that it grows from.
const fn of_window(bits: u32) -> usize {
    (3 << bits) / 2 + TABLES_BYTES
}
