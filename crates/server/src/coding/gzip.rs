//! `gzip` (RFC 1952).

use std::io::Write;

use flate2::write::GzDecoder;

use super::Broken;

/// A window of 32 KiB, two buffers of the same size, and three header fields of 64 KiB each; all except the header
/// fields twice, when one member follows another.
pub(super) const BYTES: usize = 512 << 10;
/// Each member starts with an empty window, whose setup takes longer than decoding a few bytes.
const MEMBERS: usize = 1_000;

/// See [`Decoder`](super::Decoder).
pub(crate) struct Gzip {
    member: GzDecoder<Vec<u8>>,
    members_left: usize,
    piece: Vec<u8>,
}

impl Default for Gzip {
    fn default() -> Self {
        Self {
            member: GzDecoder::new(Vec::new()),
            members_left: MEMBERS,
            piece: Vec::new(),
        }
    }
}

impl Gzip {
    pub(super) fn step(&mut self, input: &[u8]) -> Result<(usize, &[u8]), Broken> {
        self.piece.clear();
        let taken = self.member.write(input).map_err(|_| Broken)?;
        self.piece.append(self.member.get_mut());
        if taken == 0 && !input.is_empty() {
            self.next_member()?;
        }
        Ok((taken, &self.piece))
    }

    fn next_member(&mut self) -> Result<(), Broken> {
        self.members_left = self.members_left.checked_sub(1).ok_or(Broken)?;
        let ended = std::mem::replace(&mut self.member, GzDecoder::new(Vec::new()));
        self.piece.append(&mut ended.finish().map_err(|_| Broken)?);
        Ok(())
    }

    pub(super) fn finish(&mut self) -> Result<&[u8], Broken> {
        self.member.try_finish().map_err(|_| Broken)?;
        Ok(self.member.get_ref())
    }
}
