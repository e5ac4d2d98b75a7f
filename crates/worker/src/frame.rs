//! Frames, the messages on the pipes: a length (4 bytes, little-endian), followed by that many bytes of postcard.
//!
//! The output of a worker is not trusted: a length is checked before anything is read, and a frame must not have
//! trailing bytes.

use std::io::{self, Read};

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncReadExt};

/// Maximum size of a job, in bytes. The text of a diff is limited much earlier; this bounds the input of a worker.
pub(crate) const REQUEST_BYTES: usize = 64 * 1024 * 1024;
/// Maximum size of an answer, in bytes. Decoded, an answer can be a dozen times as large.
pub(crate) const ANSWER_BYTES: usize = 2 * 1024 * 1024;

const HEADER: usize = size_of::<u32>();

/// The message of a worker that is ready. A worker that dies before it is not blamed on a job, and a worker of another
/// version is never used.
pub(crate) const GREETING: (&str, &str) = ("hunkwise worker", env!("CARGO_PKG_VERSION"));
/// The same from a worker without a system call filter, if the settings allow that.
pub(crate) const UNFILTERED_GREETING: (&str, &str) =
    ("hunkwise worker without filter", env!("CARGO_PKG_VERSION"));
/// The message of a worker that refuses to serve, followed by the reason.
pub(crate) const REFUSAL: &str = "hunkwise worker refuses";
/// Maximum size of any of these messages, in bytes.
pub(crate) const GREETING_BYTES: usize = 512;

/// Encodes a value as a frame.
///
/// # Errors
/// [`io::ErrorKind::InvalidData`] if the payload would be longer than `limit`.
pub(crate) fn encode(value: &impl Serialize, limit: usize) -> io::Result<Vec<u8>> {
    let mut frame = postcard::to_extend(value, vec![0; HEADER]).map_err(invalid)?;
    let length = frame.len().saturating_sub(HEADER);
    let header = u32::try_from(length).ok().filter(|_| length <= limit);
    let header = header
        .ok_or_else(|| invalid("the frame is too long"))?
        .to_le_bytes();
    frame
        .iter_mut()
        .zip(header)
        .for_each(|(to, from)| *to = from);
    Ok(frame)
}

/// Decodes a payload; `None` if it is invalid or has trailing bytes.
pub(crate) fn decode<'a, T: Deserialize<'a>>(payload: &'a [u8]) -> Option<T> {
    match postcard::take_from_bytes(payload) {
        Ok((value, [])) => Some(value),
        _ => None,
    }
}

/// Reads the payload of one frame.
///
/// # Errors
/// [`io::ErrorKind::InvalidData`] for a length above `limit`, [`io::ErrorKind::UnexpectedEof`] if the frame is
/// incomplete, and errors of reading.
pub(crate) async fn read(pipe: &mut (impl AsyncRead + Unpin), limit: usize) -> io::Result<Vec<u8>> {
    let length = checked(pipe.read_u32_le().await?, limit)?;
    let mut payload = Vec::new();
    pipe.take(length).read_to_end(&mut payload).await?;
    whole(payload, length)
}

/// As [`read`], for a process without an async runtime; `None` if the pipe was closed between two frames.
///
/// # Errors
/// As [`read`].
pub(crate) fn read_blocking(pipe: &mut impl Read, limit: usize) -> io::Result<Option<Vec<u8>>> {
    let mut header = Vec::with_capacity(HEADER);
    pipe.take(HEADER as u64).read_to_end(&mut header)?;
    let header = match <[u8; HEADER]>::try_from(header) {
        Ok(header) => header,
        Err(short) if short.is_empty() => return Ok(None),
        Err(_) => return Err(io::ErrorKind::UnexpectedEof.into()),
    };
    let length = checked(u32::from_le_bytes(header), limit)?;
    let mut payload = Vec::new();
    pipe.take(length).read_to_end(&mut payload)?;
    whole(payload, length).map(Some)
}

fn checked(length: u32, limit: usize) -> io::Result<u64> {
    let fits = usize::try_from(length).is_ok_and(|length| length <= limit);
    if fits {
        Ok(length.into())
    } else {
        Err(invalid("the frame is too long"))
    }
}

fn whole(payload: Vec<u8>, length: u64) -> io::Result<Vec<u8>> {
    if payload.len() as u64 == length {
        Ok(payload)
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

fn invalid(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

#[cfg(test)]
mod tests {
    use super::{decode, encode, read, read_blocking};
    use std::io::ErrorKind;

    #[tokio::test]
    async fn both_readers_return_the_written_frame() {
        let frame = encode(&(7u64, "text"), 100).unwrap();
        let payload = read(&mut frame.as_slice(), 100).await.unwrap();
        assert_eq!(decode::<(u64, &str)>(&payload), Some((7, "text")));
        let mut pipe = frame.as_slice();
        assert_eq!(read_blocking(&mut pipe, 100).unwrap(), Some(payload));
        assert_eq!(read_blocking(&mut pipe, 100).unwrap(), None);
    }

    #[tokio::test]
    async fn a_length_beyond_the_limit_is_rejected_before_reading() {
        let huge = [0xff, 0xff, 0xff, 0xff, 1];
        assert_eq!(
            read(&mut huge.as_slice(), 100).await.unwrap_err().kind(),
            ErrorKind::InvalidData
        );
        assert_eq!(
            read_blocking(&mut huge.as_slice(), 100).unwrap_err().kind(),
            ErrorKind::InvalidData
        );
        assert_eq!(
            encode(&"x".repeat(101), 100).unwrap_err().kind(),
            ErrorKind::InvalidData
        );
    }

    #[tokio::test]
    async fn truncated_frames_and_trailing_bytes_are_rejected() {
        for cut in [&[3, 0][..], &[3, 0, 0, 0], &[3, 0, 0, 0, 1, 2]] {
            assert_eq!(
                read(&mut { cut }, 100).await.unwrap_err().kind(),
                ErrorKind::UnexpectedEof,
                "{cut:?}"
            );
            assert_eq!(
                read_blocking(&mut { cut }, 100).unwrap_err().kind(),
                ErrorKind::UnexpectedEof,
                "{cut:?}"
            );
        }
        assert_eq!(decode::<u8>(&[1, 2]), None);
        assert_eq!(decode::<Vec<u64>>(&[0xff, 0xff, 0xff, 0xff, 0x0f]), None);
    }
}
