//! Reads a body into memory: decoded, within the limit, at a minimum rate, as memory is granted.

use async_recursion::async_recursion as boxed;
use axum::body::{Body, Bytes};
use axum::http::header;
use axum::http::request::Parts;
use http_body_util::BodyExt;
use tokio::time::Instant;

use super::super::context;
use crate::State;
use crate::body_memory::BodyMemoryPermit;
use crate::coding::{Broken, Coding, Decoder};
use crate::context::Context;
use crate::error::{Code, FieldError, Problem};
use crate::transport::{BodyRate, BodyRateMeter, BodyStalled, BodyTooSlow};

const CLOSE: header::HeaderValue = header::HeaderValue::from_static("close");

/// Reads and decodes the body.
#[boxed]
pub(super) async fn collect(
    parts: &Parts,
    coding: Coding,
    mut body: Body,
    state: &State,
) -> Result<(Vec<u8>, BodyMemoryPermit), Problem> {
    let context = context::of(parts, state);
    let mut decoded = Decoded::announced(parts, coding, state, &context)?;
    let mut encoded = Encoded::new(
        coding,
        decoded.limit,
        state.body_memory().enter_decoder(&context),
    );
    while let Some(chunk) = next(&mut body, &decoded, &encoded).await? {
        encoded.begin(&chunk, &mut decoded).await?;
        let mut rest = &*chunk;
        loop {
            let (taken, piece) = encoded.decoder.step(rest)?;
            rest = rest.get(taken..).unwrap_or_default();
            if piece.is_empty() && rest.is_empty() {
                break;
            }
            decoded.keep(piece).await?;
        }
    }
    if encoded.has_begun {
        decoded.keep(encoded.decoder.finish()?).await?;
    }
    // Releases the decoder's memory before the body waits for its turn.
    drop(encoded);
    decoded.share.complete(decoded.bytes.len());
    Ok((decoded.bytes, decoded.share))
}

/// The next encoded bytes.
async fn next(
    body: &mut Body,
    decoded: &Decoded,
    encoded: &Encoded,
) -> Result<Option<Bytes>, Problem> {
    loop {
        let frame = tokio::select! {
            biased;
            problem = decoded.share.evicted() => return Err(problem),
            problem = encoded.share.evicted() => return Err(problem),
            frame = decoded.rate.keep(body.frame()) => frame.map_err(|slow| too_slow(&slow))?,
        };
        let Some(frame) = frame else { return Ok(None) };
        if let Ok(chunk) = frame.map_err(|error| unreadable(&error))?.into_data() {
            return Ok(Some(chunk));
        }
    }
}

/// The encoded body.
struct Encoded {
    coding: Coding,
    has_begun: bool,
    limit: usize,
    left: usize,
    decoder: Decoder,
    /// The decoder's memory.
    share: BodyMemoryPermit,
}

impl Encoded {
    fn new(coding: Coding, decoded: usize, share: BodyMemoryPermit) -> Self {
        let limit = coding.max_encoded_len(decoded);
        Self {
            coding,
            has_begun: false,
            limit,
            left: limit,
            decoder: coding.decoder(),
            share,
        }
    }

    /// Counts a chunk. The first one determines how much memory the decoder needs.
    async fn begin(&mut self, chunk: &[u8], decoded: &mut Decoded) -> Result<(), Problem> {
        let Self { coding, limit, .. } = self;
        let in_its_coding = if *coding == Coding::Identity {
            ""
        } else {
            " in its content coding"
        };
        self.left = self.left.checked_sub(chunk.len()).ok_or_else(|| {
            too_large(
                decoded.limit,
                format!("more than {limit} bytes{in_its_coding}"),
            )
        })?;
        if let Some(first) = chunk.first().filter(|_| !self.has_begun) {
            let asked = Instant::now();
            self.share.grow(coding.decoder_bytes(*first)?).await?;
            decoded.rate.arrived(0, asked.elapsed());
            self.has_begun = true;
        }
        Ok(())
    }
}

/// The decoded part of the body.
struct Decoded {
    limit: usize,
    announced: Option<usize>,
    rate: BodyRateMeter,
    bytes: Vec<u8>,
    share: BodyMemoryPermit,
}

impl Decoded {
    /// Starts with an empty body.
    fn announced(
        parts: &Parts,
        coding: Coding,
        state: &State,
        context: &Context,
    ) -> Result<Self, Problem> {
        let limit = state.limits().body_bytes;
        let announced = announced(parts).filter(|_| coding == Coding::Identity);
        if let Some(length) = announced.filter(|length| *length > limit) {
            return Err(too_large(limit, format!("{length} bytes")));
        }
        let rate = parts
            .extensions
            .get::<BodyRate>()
            .copied()
            .unwrap_or_default()
            .begin();
        Ok(Self {
            limit,
            announced,
            rate,
            bytes: Vec::new(),
            share: state.body_memory().enter(context),
        })
    }

    async fn keep(&mut self, piece: &[u8]) -> Result<(), Problem> {
        let arrived = self.bytes.len() + piece.len();
        if arrived > self.limit {
            return Err(too_large(
                self.limit,
                format!("more than {} bytes", self.limit),
            ));
        }
        let asked = Instant::now();
        let room = self.share.grow(arrived).await?;
        // Waiting for memory does not count against the client's rate.
        self.rate.arrived(piece.len(), asked.elapsed());
        make_capacity(&mut self.bytes, room, self.announced);
        self.bytes.extend_from_slice(piece);
        // A chunk can decode to many bytes, so other tasks get a turn in between.
        tokio::task::consume_budget().await;
        Ok(())
    }
}

/// Grows by as much memory as is granted, at most to the announced length.
fn make_capacity(bytes: &mut Vec<u8>, room: usize, announced: Option<usize>) {
    let wanted = announced.map_or(room, |announced| room.min(announced));
    bytes.reserve_exact(wanted.saturating_sub(bytes.len()));
}

fn announced(parts: &Parts) -> Option<usize> {
    parts
        .headers
        .get(header::CONTENT_LENGTH)?
        .to_str()
        .ok()?
        .parse()
        .ok()
}

fn too_large(limit: usize, sent: String) -> Problem {
    Problem::too_large("bodyBytes", format!("{limit} bytes"), sent)
}

fn too_slow(error: &dyn std::error::Error) -> Problem {
    Problem::new(Code::RequestTimeout, error.to_string()).with_header(header::CONNECTION, CLOSE)
}

/// The problem for a body that could not be read.
fn unreadable(error: &axum::Error) -> Problem {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if error.is::<BodyStalled>() || error.is::<BodyTooSlow>() {
            return too_slow(error);
        }
        cause = error.source();
    }
    Broken.into()
}

impl From<Broken> for Problem {
    fn from(Broken: Broken) -> Self {
        Self::invalid(vec![FieldError::body(
            "the body is truncated, or not in its declared content coding",
        )])
    }
}
