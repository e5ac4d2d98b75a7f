//! JSON bodies: read within the limit, parsed off the async runtime, and checked by a small reader that names every
//! fault at once.
//!
//! Only the properties of the one object that the API takes are kept, and the first items of a list. What stands deeper is
//! walked over without recursion and without memory, so nesting cannot hurt.

mod value;

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use http_body_util::BodyExt;
use value::{ITEMS, Value, parse};

use crate::context::Context;
use crate::error::{Code, Fault, Problem};
use crate::room::Share;
use crate::transport::BodyStalled;
use crate::{Limits, State};

/// More faults than these are counted, not listed.
const LISTED_FAULTS: usize = 100;
/// A name is shown up to here; what is longer is no name that was meant.
const SHOWN_NAME_CHARACTERS: usize = 64;
/// Jaro-Winkler similarity from which on a name is taken for a misspelling.
const NEAR: f64 = 0.8;

/// Reads the body and hands its properties to `parse`, which runs where it may take its time. `faults` are those that
/// were found before, outside the body. The share is to be kept as long as what came of the body is.
///
/// # Errors
/// 415 for another media type or coding, 413 for more than the limit, 408 for a client that is too slow, 503 when there
/// is no room for the body, 400 for what is not a JSON object, and what `parse` says.
pub(crate) async fn read<T: Send + 'static>(
    parts: &Parts,
    body: Body,
    state: &State,
    faults: Vec<Fault>,
    parse: impl FnOnce(Fields, &Limits) -> Result<T, Problem> + Send + 'static,
) -> Result<(T, Share), Problem> {
    check_media_type(&parts.headers)?;
    let (bytes, share) = collect(parts, body, state).await?;
    let limits = state.limits().clone();
    let work = move || parse(Fields::of(&bytes, faults)?, &limits);
    let read = tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(Problem::panicked()))?;
    Ok((read, share))
}

fn check_media_type(headers: &HeaderMap) -> Result<(), Problem> {
    let unsupported = |detail| Err(Problem::new(Code::UnsupportedMediaType, detail));
    if headers.get(header::CONTENT_ENCODING).is_some_and(|coding| coding != "identity") {
        // Those that are supported were taken off by the decompression layer.
        return unsupported("The content coding is none of identity, gzip and br.");
    }
    let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mut parts = media_type.split(';').map(str::trim);
    if !parts.next().is_some_and(|essence| essence.eq_ignore_ascii_case("application/json")) {
        return unsupported("The body must be `application/json`.");
    }
    for parameter in parts {
        if let Some((name, value)) = parameter.split_once('=')
            && name.eq_ignore_ascii_case("charset")
            && !value.trim_matches('"').eq_ignore_ascii_case("utf-8")
        {
            return unsupported("The body must be UTF-8.");
        }
    }
    Ok(())
}

/// Takes the decoded body into memory, up to the limit, as far as there is room.
async fn collect(parts: &Parts, mut body: Body, state: &State) -> Result<(Vec<u8>, Share), Problem> {
    let (limit, room) = (state.limits().body_bytes, state.room());
    let context = parts.extensions.get::<Context>().cloned().unwrap_or_else(|| Context::new(state.clock()));
    let too_large = |sent: String| Problem::too_large("bodyBytes", format!("{limit} bytes"), sent);
    let announced =
        parts.headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    if let Some(length) = announced.filter(|length| *length > limit) {
        return Err(too_large(format!("{length} bytes")));
    }
    let mut share = Share::default();
    room.make(&mut share, announced.unwrap_or_default(), &context).await?;
    let mut bytes = Vec::with_capacity(announced.unwrap_or_default());
    while let Some(frame) = body.frame().await {
        let Ok(chunk) = frame.map_err(|error| unreadable(&error))?.into_data() else { continue };
        if bytes.len() + chunk.len() > limit {
            return Err(too_large(format!("more than {limit} bytes")));
        }
        room.make(&mut share, bytes.len() + chunk.len(), &context).await?;
        bytes.extend_from_slice(&chunk);
    }
    Ok((bytes, share))
}

/// Why a body broke off.
fn unreadable(error: &axum::Error) -> Problem {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(stalled) = error.downcast_ref::<BodyStalled>() {
            return Problem::new(Code::RequestTimeout, stalled.to_string()).with_header(header::CONNECTION, CLOSE);
        }
        cause = error.source();
    }
    Problem::invalid(vec![Fault::body("the body broke off, or is not in the content coding that it announces")])
}

const CLOSE: header::HeaderValue = header::HeaderValue::from_static("close");

/// The properties of a body while they are read. Every fault is noted; [`Fields::finish`] tells them all.
#[derive(Debug)]
pub(crate) struct Fields {
    given: Vec<(String, Value)>,
    asked: Vec<&'static str>,
    faults: Vec<Fault>,
}

impl Fields {
    fn of(bytes: &[u8], mut faults: Vec<Fault>) -> Result<Self, Problem> {
        match parse(bytes) {
            Ok(given) => Ok(Self { given, asked: Vec::new(), faults }),
            Err(detail) => {
                faults.push(Fault::body(detail));
                Err(Problem::invalid(faults))
            }
        }
    }

    /// Takes a text that must be there.
    pub(crate) fn required_text(&mut self, name: &'static str) -> Option<String> {
        match self.take(name) {
            None => self.fault(name, "is missing"),
            Some(Value::Text(text)) => return Some(text),
            Some(other) => self.fault(name, format!("must be a string, not {}", other.kind())),
        }
        None
    }

    /// Takes a text that may be left out or `null`.
    pub(crate) fn optional_text(&mut self, name: &'static str) -> Option<String> {
        match self.take(name) {
            None | Some(Value::Null) => {}
            Some(Value::Text(text)) => return Some(text),
            Some(other) => self.fault(name, format!("must be a string, not {}", other.kind())),
        }
        None
    }

    /// Takes a text that may be left out; the inner `None` is `null`.
    pub(crate) fn nullable_text(&mut self, name: &'static str) -> Option<Option<String>> {
        match self.take(name)? {
            Value::Null => Some(None),
            Value::Text(text) => Some(Some(text)),
            other => self.refuse(name, format!("must be a string or null, not {}", other.kind())),
        }
    }

    /// Takes a whole number from 0 to `most` that may be left out; the inner `None` is `null`.
    pub(crate) fn nullable_number(&mut self, name: &'static str, most: u64) -> Option<Option<u64>> {
        match self.take(name)? {
            Value::Null => Some(None),
            Value::Number(Some(number)) if number <= most => Some(Some(number)),
            _ => self.refuse(name, format!("must be a whole number from 0 to {most}, or null")),
        }
    }

    /// Takes a list of texts that must be there.
    pub(crate) fn required_texts(&mut self, name: &'static str) -> Option<Vec<String>> {
        let items = match self.take(name) {
            Some(Value::List(items)) => items,
            None => return self.refuse(name, "is missing"),
            Some(other) => return self.refuse(name, format!("must be a list of strings, not {}", other.kind())),
        };
        if items.len() > ITEMS {
            return self.refuse(name, format!("must have at most {ITEMS} items"));
        }
        let mut texts = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Value::Text(text) => texts.push(text),
                other => {
                    return self.refuse(
                        name,
                        format!("must have strings only, and item {} is {}", texts.len() + 1, other.kind()),
                    );
                }
            }
        }
        Some(texts)
    }

    fn refuse<T>(&mut self, name: &str, detail: impl Into<String>) -> Option<T> {
        self.fault(name, detail);
        None
    }

    /// Notes a fault of a property.
    pub(crate) fn fault(&mut self, name: &str, detail: impl Into<String>) {
        self.faults.push(Fault::at(name, detail));
    }

    /// Whether every property so far was sound, and none is left over.
    pub(crate) fn is_sound(&self) -> bool {
        self.faults.is_empty() && self.given.is_empty()
    }

    /// Hands on what was read of the properties, unless there are faults, or properties that nobody asked for. `None`
    /// says that a fault was noted.
    pub(crate) fn finish<T>(mut self, read: Option<T>) -> Result<T, Problem> {
        for (name, _) in &self.given {
            let (shown, detail) = leftover(name, &self.asked, "property");
            self.faults.push(Fault::at(&shown, detail));
        }
        let unlisted = self.faults.len().saturating_sub(LISTED_FAULTS);
        self.faults.truncate(LISTED_FAULTS);
        if unlisted > 0 {
            self.faults.push(Fault::body(format!("there are {unlisted} more faults")));
        }
        read.filter(|_| self.faults.is_empty()).ok_or_else(|| Problem::invalid(self.faults))
    }

    fn take(&mut self, name: &'static str) -> Option<Value> {
        self.asked.push(name);
        let at = self.given.iter().position(|(given, _)| given == name)?;
        Some(self.given.remove(at).1)
    }
}

/// A name that is left over, as it may be shown, and what to say of it: it came twice, or nobody knows it, but one like it
/// may have been meant.
pub(super) fn leftover(name: &str, asked: &[&'static str], noun: &str) -> (String, String) {
    let shown: String = name.chars().take(SHOWN_NAME_CHARACTERS).collect();
    if asked.contains(&name) {
        return (shown, "is given twice".to_owned());
    }
    let lower = shown.to_lowercase();
    let near = asked.iter().map(|known| (strsim::jaro_winkler(&known.to_lowercase(), &lower), *known));
    let near = near.filter(|(score, _)| *score >= NEAR).max_by(|a, b| a.0.total_cmp(&b.0));
    let detail = match near {
        Some((_, near)) => format!("is not a known {noun}; `{near}` may have been meant"),
        None => format!("is not a known {noun}"),
    };
    (shown, detail)
}
