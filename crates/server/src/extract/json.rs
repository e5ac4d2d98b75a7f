//! JSON bodies: read within the limit, parsed off the async runtime, and validated by a small reader that reports all
//! faults together.
//!
//! Only the properties of the expected object are kept, and the first items of a list; of a JSON-RPC message and of
//! lists of objects, also those of the nested objects that the API uses. Deeper values are skipped without recursion
//! or memory, so nesting is harmless.

mod collect;
mod value;

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use review::{Budget, CallerGuard};
pub(crate) use value::Value;
use value::parse;

use super::leftover;
use crate::body_memory::BodyMemoryPermit;
use crate::coding::Coding;
use crate::error::{Code, FieldError, Problem};
use crate::{Limits, State};

/// Maximum number of items of a list of strings.
const TEXTS: usize = 100;

/// Reads the body and passes its properties to `parse`, which runs where it may block. `faults` were found earlier,
/// outside the body. The returned resources must be kept as long as the result.
///
/// # Errors
/// 415 for another media type or coding, 413 for more than the limit, 408 for a client that is too slow, 503 when
/// there is no memory for the body, 400 if it is not a JSON object, and the errors of `parse`.
pub(crate) async fn read<T: Send + 'static>(
    parts: &Parts,
    body: Body,
    state: &State,
    faults: Vec<FieldError>,
    parse: impl FnOnce(Fields, &Limits) -> Result<T, Problem> + Send + 'static,
) -> Result<(T, Hold), Problem> {
    read_to_depth(1, parts, body, state, faults, parse).await
}

/// The same for a body whose objects are kept up to `depth`; the body itself has depth 1.
pub(crate) async fn read_to_depth<T: Send + 'static>(
    depth: u8,
    parts: &Parts,
    body: Body,
    state: &State,
    faults: Vec<FieldError>,
    parse: impl FnOnce(Fields, &Limits) -> Result<T, Problem> + Send + 'static,
) -> Result<(T, Hold), Problem> {
    let coding = check_media_type(&parts.headers)?;
    let parse = move |bytes: Vec<u8>, budget: &Budget, limits: &Limits| {
        let fields = Fields::of(&bytes, depth, faults, budget)?;
        // The fields are copies of the relevant parts.
        drop(bytes);
        if budget.ended().is_some() {
            return Err(left());
        }
        parse(fields, limits)
    };
    read_bytes(parts, coding, body, state, parse).await
}

/// Reads a body of any media type within the limit, and passes it to `parse`, which runs where it may block.
///
/// # Errors
/// As for [`read`], except for the media type.
pub(crate) async fn read_bytes<T: Send + 'static>(
    parts: &Parts,
    coding: Coding,
    body: Body,
    state: &State,
    parse: impl FnOnce(Vec<u8>, &Budget, &Limits) -> Result<T, Problem> + Send + 'static,
) -> Result<(T, Hold), Problem> {
    let (bytes, share) = collect::collect(parts, coding, body, state).await?;
    let limits = state.limits().clone();
    let budget = Budget::of_bytes(bytes.len());
    // Parsing stops when the caller is gone.
    let hold = Hold {
        _caller: budget.guard_caller(),
        _share: share,
    };
    Ok((
        off_thread(move || parse(bytes, &budget, &limits)).await?,
        hold,
    ))
}

/// Runs a long computation where it does not block other requests.
pub(crate) async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|_| Err(Problem::panicked()))
}

/// The resources that a request holds for its body. Dropping them releases the memory and ends the budget.
pub(crate) struct Hold {
    _caller: CallerGuard,
    _share: BodyMemoryPermit,
}

/// No client receives this response.
fn left() -> Problem {
    Problem::new(Code::RequestTimeout, "The client disconnected.")
}

/// Checks that the body is JSON in UTF-8, and returns its coding.
fn check_media_type(headers: &HeaderMap) -> Result<Coding, Problem> {
    let unsupported = |detail| Err(Problem::new(Code::UnsupportedMediaType, detail));
    let coding = Coding::of(headers)?;
    let media_type = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let mut parts = media_type.split(';').map(str::trim);
    if !parts
        .next()
        .is_some_and(|essence| essence.eq_ignore_ascii_case("application/json"))
    {
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
    Ok(coding)
}

/// The properties of a body while they are read. Faults are collected, and [`Fields::finish`] reports all of them.
#[derive(Debug)]
pub(crate) struct Fields {
    given: Vec<(String, Value)>,
    asked: Vec<&'static str>,
    faults: Vec<FieldError>,
    budget: Budget,
}

impl Fields {
    fn of(
        bytes: &[u8],
        depth: u8,
        mut faults: Vec<FieldError>,
        budget: &Budget,
    ) -> Result<Self, Problem> {
        match parse(bytes, depth, budget) {
            Ok(given) => Ok(Self {
                given,
                asked: Vec::new(),
                faults,
                budget: budget.clone(),
            }),
            Err(_) if budget.ended().is_some() => Err(left()),
            Err(detail) => {
                faults.push(FieldError::body(detail));
                Err(Problem::invalid(faults))
            }
        }
    }

    /// The fields of a console form, with the names and types that they have in the API.
    pub(crate) fn of_form(
        fields: impl IntoIterator<Item = (&'static str, Value)>,
        budget: &Budget,
    ) -> Self {
        let given = fields
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        Self {
            given,
            asked: Vec::new(),
            faults: Vec::new(),
            budget: budget.clone(),
        }
    }

    /// Adds the properties of a JSON object that is a field of a form. Objects in it are kept up to `depth`.
    pub(crate) fn with_json(mut self, bytes: &[u8], depth: u8) -> Result<Self, Problem> {
        let more = Self::of(bytes, depth, Vec::new(), &self.budget)?;
        self.given.extend(more.given);
        Ok(self)
    }

    /// Like [`Fields::of_form`], for a form that is too small to need a budget.
    pub(crate) fn of_small_form(fields: impl IntoIterator<Item = (&'static str, Value)>) -> Self {
        Self::of_form(fields, &Budget::of_bytes(0))
    }

    /// The request's budget, which ends when the caller disconnects.
    pub(crate) const fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Takes a required string.
    pub(crate) fn required_text(&mut self, name: &'static str) -> Option<String> {
        match self.take(name) {
            None => self.fault(name, "is missing"),
            Some(Value::Text(text)) => return Some(text),
            Some(other) => self.fault(name, format!("must be a string, not {}", other.kind())),
        }
        None
    }

    /// Takes a string that may be absent or `null`.
    pub(crate) fn optional_text(&mut self, name: &'static str) -> Option<String> {
        match self.take(name) {
            None | Some(Value::Null) => {}
            Some(Value::Text(text)) => return Some(text),
            Some(other) => self.fault(name, format!("must be a string, not {}", other.kind())),
        }
        None
    }

    /// Takes a string that may be absent; the inner `None` is `null`.
    pub(crate) fn nullable_text(&mut self, name: &'static str) -> Option<Option<String>> {
        match self.take(name)? {
            Value::Null => Some(None),
            Value::Text(text) => Some(Some(text)),
            other => self.refuse(
                name,
                format!("must be a string or null, not {}", other.kind()),
            ),
        }
    }

    /// Takes a whole number from 0 to `most` that may be absent; the inner `None` is `null`.
    pub(crate) fn nullable_number(&mut self, name: &'static str, most: u64) -> Option<Option<u64>> {
        match self.take(name)? {
            Value::Null => Some(None),
            Value::Number(Some(number))
                if u64::try_from(number).is_ok_and(|number| number <= most) =>
            {
                Some(Some(number.unsigned_abs()))
            }
            _ => self.refuse(
                name,
                format!("must be a whole number from 0 to {most}, or null"),
            ),
        }
    }

    /// Takes a required list of strings.
    pub(crate) fn required_texts(&mut self, name: &'static str) -> Option<Vec<String>> {
        match self.take(name) {
            None => self.refuse(name, "is missing"),
            Some(value) => self.texts(name, value),
        }
    }

    /// Takes a list of strings that may be absent or `null`.
    pub(crate) fn optional_texts(&mut self, name: &'static str) -> Option<Vec<String>> {
        match self.take(name) {
            None | Some(Value::Null) => None,
            Some(value) => self.texts(name, value),
        }
    }

    fn texts(&mut self, name: &'static str, value: Value) -> Option<Vec<String>> {
        let Value::List(items) = value else {
            let detail = format!("must be a list of strings, not {}", value.kind());
            return self.refuse(name, detail);
        };
        if items.len() > TEXTS {
            return self.refuse(name, format!("must have at most {TEXTS} items"));
        }
        let mut texts = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Value::Text(text) => texts.push(text),
                other => {
                    return self.refuse(
                        name,
                        format!(
                            "must contain only strings, but item {} is {}",
                            texts.len() + 1,
                            other.kind()
                        ),
                    );
                }
            }
        }
        Some(texts)
    }

    /// Takes an object that may be absent or `null`, which means an object without properties. Its properties are
    /// present unless it is nested too deeply.
    pub(crate) fn object(&mut self, name: &'static str) -> Self {
        let given = match self.take(name) {
            Some(Value::Object(given)) => given,
            None | Some(Value::Null) => Vec::new(),
            Some(other) => {
                self.fault(name, format!("must be an object, not {}", other.kind()));
                Vec::new()
            }
        };
        Self {
            given,
            asked: Vec::new(),
            faults: Vec::new(),
            budget: self.budget.clone(),
        }
    }

    /// Takes a list of objects that may be absent or `null`. Their properties are present unless they are nested too
    /// deeply. A list that is too long is returned with more items than it may have.
    pub(crate) fn optional_objects(&mut self, name: &'static str) -> Vec<Self> {
        let items = match self.take(name) {
            Some(Value::List(items)) => items,
            None | Some(Value::Null) => return Vec::new(),
            Some(other) => {
                self.fault(
                    name,
                    format!("must be a list of objects, not {}", other.kind()),
                );
                return Vec::new();
            }
        };
        let mut objects = Vec::with_capacity(items.len());
        for (at, item) in items.into_iter().enumerate() {
            match item {
                Value::Object(given) => {
                    objects.push(Self {
                        given,
                        asked: Vec::new(),
                        faults: Vec::new(),
                        budget: self.budget.clone(),
                    });
                }
                other => {
                    let fault =
                        FieldError::body(format!("must be an object, not {}", other.kind()));
                    self.faults.push(fault.below(&format!("/{name}/{at}")));
                    return Vec::new();
                }
            }
        }
        objects
    }

    /// Adds the faults of the object at `pointer`.
    pub(crate) fn faults_below(&mut self, pointer: &str, faults: Vec<FieldError>) {
        self.faults
            .extend(faults.into_iter().map(|fault| fault.below(pointer)));
    }

    /// Takes an optional ID, which may be a string or a whole number, as in JSON-RPC.
    pub(crate) fn optional_name(&mut self, name: &'static str) -> Option<serde_json::Value> {
        match self.take(name)? {
            Value::Text(text) => Some(text.into()),
            Value::Number(Some(number)) => Some(number.into()),
            other => self.refuse(
                name,
                format!("must be a string or a whole number, not {}", other.kind()),
            ),
        }
    }

    /// Whether there is such a property that has not been taken yet.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.given.iter().any(|(given, _)| given == name)
    }

    fn refuse<T>(&mut self, name: &str, detail: impl Into<String>) -> Option<T> {
        self.fault(name, detail);
        None
    }

    /// Adds a fault of a property.
    pub(crate) fn fault(&mut self, name: &str, detail: impl Into<String>) {
        self.faults.push(FieldError::at(name, detail));
    }

    /// Whether every property so far was valid, and none remains.
    pub(crate) fn is_sound(&self) -> bool {
        self.faults.is_empty() && self.given.is_empty()
    }

    /// Fails if there are any faults so far.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        if self.faults.is_empty() {
            Ok(())
        } else {
            Err(Problem::invalid(self.faults.clone()))
        }
    }

    /// Returns the result unless there are faults or unknown properties. `None` means that a fault was added.
    pub(crate) fn finish<T>(mut self, read: Option<T>) -> Result<T, Problem> {
        for (name, _) in &self.given {
            // Finding a similar name takes long if there are many long names.
            if self.budget.ended().is_some() {
                return Err(left());
            }
            let (shown, detail) = leftover::find(name, &self.asked, "property");
            self.faults.push(FieldError::at(&shown, detail));
        }
        read.filter(|_| self.faults.is_empty())
            .ok_or_else(|| Problem::invalid(self.faults))
    }

    /// Returns the result unless there are faults. Unknown properties are ignored.
    pub(crate) fn finish_open<T>(self, read: Option<T>) -> Result<T, Problem> {
        read.filter(|_| self.faults.is_empty())
            .ok_or_else(|| Problem::invalid(self.faults))
    }

    fn take(&mut self, name: &'static str) -> Option<Value> {
        self.asked.push(name);
        let at = self.given.iter().position(|(given, _)| given == name)?;
        Some(self.given.remove(at).1)
    }
}

#[cfg(test)]
mod tests {
    use review::{Budget, Spent};

    use super::Fields;
    use crate::error::Code;

    #[test]
    fn unknown_names_are_not_compared_after_the_caller_disconnected() {
        let refusal = |leaves: bool| {
            let budget = Budget::of_bytes(0);
            let fields = Fields::of(br#"{"a": 1, "b": 2}"#, 1, Vec::new(), &budget).unwrap();
            if leaves {
                budget.end(Spent::Caller);
            }
            fields.finish::<()>(None).unwrap_err().code
        };
        assert_eq!(
            (refusal(false), refusal(true)),
            (Code::InvalidRequest, Code::RequestTimeout)
        );
    }
}
