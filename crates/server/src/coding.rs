//! Content codings of request bodies (RFC 9110 section 8.4): what decodes them, piece by piece, and the memory that it takes.

mod broken;
mod brotli;
mod gzip;

use axum::http::{HeaderMap, header};

pub(crate) use broken::Broken;
use brotli::Brotli;
use gzip::Gzip;

use crate::error::{Code, Problem};

/// A coded body may be larger than what is in it, by the frames of its coding. It can also be read for ever without a byte
/// coming out of it, so what comes over the wire is limited as well as what is decoded from it.
const FRAMES_BYTES: usize = 4 << 10;
const FRAMES_SHARE: usize = 64;

/// What a body is sent in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coding {
    Identity,
    Gzip,
    Brotli,
}

impl Coding {
    /// The memory of the decoder that takes the most.
    pub(crate) const LARGEST_DECODER_BYTES: usize = brotli::LARGEST_BYTES;

    /// That of a request. Its letter case does not matter (RFC 9110 section 8.4.1).
    ///
    /// # Errors
    /// 415 for one that nothing here decodes, or for several.
    pub(crate) fn of(headers: &HeaderMap) -> Result<Self, Problem> {
        let mut codings = headers.get_all(header::CONTENT_ENCODING).iter();
        let Some(coding) = codings.next() else { return Ok(Self::Identity) };
        let all = [("identity", Self::Identity), ("gzip", Self::Gzip), ("br", Self::Brotli)];
        let known = all.iter().find(|(name, _)| coding.as_bytes().eq_ignore_ascii_case(name.as_bytes()));
        let known = known.filter(|_| codings.next().is_none()).map(|(_, coding)| *coding);
        known.ok_or_else(|| {
            Problem::new(Code::UnsupportedMediaType, "The content coding is none of identity, gzip and br.")
        })
    }

    /// Bytes that may come over the wire for so many that are decoded.
    pub(crate) const fn max_encoded_len(self, decoded: usize) -> usize {
        match self {
            Self::Identity => decoded,
            Self::Gzip | Self::Brotli => decoded + decoded / FRAMES_SHARE + FRAMES_BYTES,
        }
    }

    /// Bytes of memory that decoding may take, for a body that begins with this byte.
    pub(crate) fn decoder_bytes(self, first: u8) -> Result<usize, Broken> {
        match self {
            Self::Identity => Ok(0),
            Self::Gzip => Ok(gzip::BYTES),
            Self::Brotli => brotli::bytes(first),
        }
    }

    pub(crate) fn decoder(self) -> Decoder {
        match self {
            Self::Identity => Decoder::Identity,
            Self::Gzip => Decoder::Gzip(Box::default()),
            Self::Brotli => Decoder::Brotli(Box::default()),
        }
    }
}

/// Decodes one body.
pub(crate) enum Decoder {
    Identity,
    Gzip(Box<Gzip>),
    Brotli(Box<Brotli>),
}

impl Decoder {
    /// Takes some bytes of the input, and returns how many, and what came of them. It is to be called until the input is
    /// taken and nothing comes.
    pub(crate) fn step<'a>(&'a mut self, input: &'a [u8]) -> Result<(usize, &'a [u8]), Broken> {
        match self {
            Self::Identity => Ok((input.len(), input)),
            Self::Gzip(decoder) => decoder.step(input),
            Self::Brotli(decoder) => decoder.step(input),
        }
    }

    /// What is left to return at the end of the input.
    pub(crate) fn finish(&mut self) -> Result<&[u8], Broken> {
        match self {
            Self::Identity => Ok(&[]),
            Self::Gzip(decoder) => decoder.finish(),
            Self::Brotli(decoder) => decoder.finish(),
        }
    }
}
