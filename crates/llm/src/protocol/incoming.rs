//! The body of a successful response as it arrives: a complete JSON answer or a stream of events, regardless of which
//! was requested.

use serde_json::Value;

use super::common::{Answer, Decoded};
use super::provider_error;
use super::sse::{self, Events};
use super::table::codec;
use crate::model::{CallError, Finish};
use crate::reply;
use crate::settings::Protocol;

/// Maximum bytes of an answer: a reply of 128,000 tokens has about 500 kB.
pub(crate) const REPLY_BYTES: usize = 2 * 1024 * 1024;
/// Maximum bytes of one event: the last one may repeat the answer, escaped.
const EVENT_BYTES: usize = 2 * REPLY_BYTES;
/// Maximum bytes of a stream: some providers wrap each token in 400 bytes.
const STREAM_BYTES: usize = 64 * 1024 * 1024;

/// A body as it arrives; see the module.
pub(crate) struct Incoming {
    protocol: Protocol,
    /// The bytes so far, unless they are a stream.
    body: Vec<u8>,
    stream: Option<Stream>,
    /// Bytes received.
    bytes: usize,
}

#[derive(Default)]
struct Stream {
    events: Events,
    answer: Answer,
    /// Events read.
    count: u64,
    /// The provider failed within the stream.
    error: Option<CallError>,
}

impl Incoming {
    pub(crate) fn new(protocol: Protocol) -> Self {
        Self {
            protocol,
            body: Vec::new(),
            stream: None,
            bytes: 0,
        }
    }

    /// Takes the next bytes. Returns whether more are needed.
    ///
    /// # Errors
    /// The answer is too large.
    pub(crate) fn take(&mut self, bytes: &[u8]) -> Result<bool, CallError> {
        self.bytes = self.bytes.saturating_add(bytes.len());
        let Some(stream) = &mut self.stream else {
            self.body.extend_from_slice(bytes);
            if sse::is_stream(&self.body) {
                self.stream = Some(Stream::default());
                let begun = std::mem::take(&mut self.body);
                self.bytes = 0;
                return self.take(&begun);
            }
            return if self.body.len() > REPLY_BYTES {
                Err(CallError::TooLarge)
            } else {
                Ok(true)
            };
        };
        stream.take(self.protocol, bytes);
        let is_too_large = self.bytes > STREAM_BYTES || stream.is_too_large();
        if is_too_large {
            Err(CallError::TooLarge)
        } else {
            Ok(!stream.has_ended())
        }
    }

    /// Events read so far.
    pub(crate) fn events(&self) -> u64 {
        self.stream.as_ref().map_or(0, |stream| stream.count)
    }

    /// Whether the model has begun to answer. From then on a long silence means that the stream is dead.
    pub(crate) fn has_begun(&self) -> bool {
        self.stream
            .as_ref()
            .is_some_and(|stream| !stream.answer.is_empty())
    }

    /// The answer, after the last bytes. `fault` is the reason if the body has not ended.
    ///
    /// # Errors
    /// The model declined, the body is not an answer, or it was cut off before it contained anything usable.
    pub(crate) fn end(self, fault: Option<CallError>) -> Result<Decoded, CallError> {
        match (self.stream, fault) {
            (Some(stream), _) => stream.end(self.protocol, fault),
            (None, Some(fault)) => Err(fault),
            (None, None) => whole(self.protocol, &self.body),
        }
    }
}

impl Stream {
    fn take(&mut self, protocol: Protocol, bytes: &[u8]) {
        let Self {
            events,
            answer,
            count,
            error,
        } = self;
        let read = events.take(bytes, |data| {
            *count += 1;
            read(protocol, answer, data)
        });
        *error = read.err();
    }

    fn has_ended(&self) -> bool {
        self.answer.ended || self.error.is_some()
    }

    fn is_too_large(&self) -> bool {
        self.events.pending() > EVENT_BYTES || self.answer.len() > REPLY_BYTES
    }

    fn end(mut self, protocol: Protocol, fault: Option<CallError>) -> Result<Decoded, CallError> {
        if fault.is_none()
            && self.error.is_none()
            && let Some(data) = self.events.end()
        {
            self.error = read(protocol, &mut self.answer, &data).err();
        }
        let is_complete = self.answer.ended || self.answer.reason.is_some();
        if is_complete && self.error.is_none() {
            return conclude(protocol, self.answer);
        }
        interrupted(
            protocol,
            self.answer,
            self.error.or(fault).unwrap_or(CallError::Connection),
        )
    }
}

/// Adds an event to the answer. An event that is not JSON is a keep-alive or marks the end.
fn read(protocol: Protocol, answer: &mut Answer, data: &[u8]) -> Result<(), CallError> {
    if data.trim_ascii() == b"[DONE]" {
        answer.ended = true;
        return Ok(());
    }
    let Ok(event) = serde_json::from_slice::<Value>(data) else {
        return Ok(());
    };
    match provider_error::in_event(&event) {
        Some(error) => Err(error),
        None => (codec(protocol).event)(answer, event),
    }
}

/// Reads a complete answer.
pub(super) fn whole(protocol: Protocol, body: &[u8]) -> Result<Decoded, CallError> {
    let decoded = (codec(protocol).whole)(body).and_then(|answer| conclude(protocol, answer));
    decoded.map_err(|error| match error {
        CallError::Garbled => provider_error::hidden(body).unwrap_or(CallError::Garbled),
        other => other,
    })
}

/// A complete answer. It must not be empty if the model claims to be done.
fn conclude(protocol: Protocol, answer: Answer) -> Result<Decoded, CallError> {
    let finish = if answer.declined {
        Err(CallError::Declined)
    } else {
        (codec(protocol).finish)(&answer)
    }?;
    decoded(protocol, answer, finish)
}

fn decoded(protocol: Protocol, mut answer: Answer, finish: Finish) -> Result<Decoded, CallError> {
    let usage = (codec(protocol).usage)(&answer.usage);
    let reasoning = std::mem::take(&mut answer.reasoning);
    let mut text = answer.into_text();
    if text.trim().is_empty() {
        text = match finish {
            Finish::Stop => reasoning,
            _ => String::new(),
        };
    }
    if text.is_empty() && finish == Finish::Stop {
        return Err(CallError::Garbled);
    }
    let (usage, cached_tokens) = usage.map_or((None, 0), |(usage, cached)| (Some(usage), cached));
    Ok(Decoded {
        text,
        finish,
        usage,
        cached_tokens,
    })
}

/// A stream that was cut off: an answer if it contains complete findings, or else the error.
fn interrupted(protocol: Protocol, answer: Answer, error: CallError) -> Result<Decoded, CallError> {
    if answer.declined {
        return Err(CallError::Declined);
    }
    let partial = decoded(protocol, answer, Finish::Interrupted)?;
    let has_findings = reply::read(&partial.text).is_ok_and(|items| !items.items.is_empty());
    // Token counts come last, so counts received so far do not cover the whole answer.
    if has_findings {
        Ok(Decoded {
            usage: None,
            ..partial
        })
    } else {
        Err(error)
    }
}
