//! Content codings of request bodies (RFC 9110 section 8.4): incremental decoders and their memory.

mod broken;
mod brotli;
mod gzip;

use axum::http::{HeaderMap, header};

pub(crate) use broken::Broken;
use brotli::Brotli;
use gzip::Gzip;

use crate::error::{Code, Problem};

/// Framing can make an encoded body larger than its content. A coding can also be endless without yielding a byte, so
/// both the encoded and the decoded size are limited.
const FRAMES_BYTES: usize = 4 << 10;
const FRAMES_SHARE: usize = 64;

/// A content coding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coding {
    Identity,
    Gzip,
    Brotli,
}

impl Coding {
    /// The memory of the largest decoder.
    pub(crate) const LARGEST_DECODER_BYTES: usize = brotli::LARGEST_BYTES;

    /// The coding of a request, case-insensitive (RFC 9110 section 8.4.1).
    ///
    /// # Errors
    /// 415 for an unsupported coding, or for several.
    pub(crate) fn of(headers: &HeaderMap) -> Result<Self, Problem> {
        let mut codings = headers.get_all(header::CONTENT_ENCODING).iter();
        let Some(coding) = codings.next() else {
            return Ok(Self::Identity);
        };
        let all = [
            ("identity", Self::Identity),
            ("gzip", Self::Gzip),
            ("br", Self::Brotli),
        ];
        let known = all
            .iter()
            .find(|(name, _)| coding.as_bytes().eq_ignore_ascii_case(name.as_bytes()));
        let known = known
            .filter(|_| codings.next().is_none())
            .map(|(_, coding)| *coding);
        known.ok_or_else(|| {
            Problem::new(
                Code::UnsupportedMediaType,
                "The content coding must be identity, gzip or br.",
            )
        })
    }

    /// Maximum number of encoded bytes for this number of decoded bytes.
    pub(crate) const fn max_encoded_len(self, decoded: usize) -> usize {
        match self {
            Self::Identity => decoded,
            Self::Gzip | Self::Brotli => decoded + decoded / FRAMES_SHARE + FRAMES_BYTES,
        }
    }

    /// Maximum memory for decoding a body that begins with this byte.
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

/// A decoder of one body.
pub(crate) enum Decoder {
    Identity,
    Gzip(Box<Gzip>),
    Brotli(Box<Brotli>),
}

impl Decoder {
    /// Decodes some bytes of the input, and returns their number and the decoded bytes. To be called until the input
    /// is consumed and nothing is returned.
    pub(crate) fn step<'a>(&'a mut self, input: &'a [u8]) -> Result<(usize, &'a [u8]), Broken> {
        match self {
            Self::Identity => Ok((input.len(), input)),
            Self::Gzip(decoder) => decoder.step(input),
            Self::Brotli(decoder) => decoder.step(input),
        }
    }

    /// Returns the remaining bytes at the end of the input.
    pub(crate) fn finish(&mut self) -> Result<&[u8], Broken> {
        match self {
            Self::Identity => Ok(&[]),
            Self::Gzip(decoder) => decoder.finish(),
            Self::Brotli(decoder) => decoder.finish(),
        }
    }
}
