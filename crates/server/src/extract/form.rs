//! Small forms of the console's pages, and the API requests that they correspond to.

use axum::body::{Body, to_bytes};
use axum::http::header;
use axum::http::request::Parts;
use store::UnixMillis;

use super::access::Call;
use super::input::{Input, Named, Nothing, named, no_parameters};
use super::session::Session;
use crate::State;
use crate::error::{Code, Problem};

/// Maximum size of a small form.
const BYTES: usize = 8 << 10;
/// The field that carries the session's form token.
pub(crate) const FORM_TOKEN: &str = "form_token";

/// The fields of a form.
pub(crate) struct Form(Vec<(String, String)>);

impl Form {
    /// Reads the body.
    ///
    /// # Errors
    /// 415 for another media type, 413 for more than 8 KiB or a truncated body.
    pub(crate) async fn read(parts: &Parts, body: Body) -> Result<Self, Problem> {
        let media_type = parts
            .headers
            .get(header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok());
        let essence = media_type
            .unwrap_or_default()
            .split(';')
            .next()
            .unwrap_or_default()
            .trim();
        if !essence.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            return Err(Problem::new(
                Code::UnsupportedMediaType,
                "The body must be `application/x-www-form-urlencoded`.",
            ));
        }
        let refused = |_| {
            Problem::new(
                Code::PayloadTooLarge,
                format!("The form may have at most {BYTES} bytes and must be complete."),
            )
        };
        let bytes = to_bytes(body, BYTES).await.map_err(refused)?;
        Ok(Self(form_urlencoded::parse(&bytes).into_owned().collect()))
    }

    /// The value of a field.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// The value of a field; empty if it is missing.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// The values of a field that may occur several times.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0
            .iter()
            .filter(move |(given, _)| given == name)
            .map(|(_, value)| value.as_str())
    }
}

/// The input of an operation, read from a form.
pub(crate) trait OfForm: Sized + Send {
    fn of_form(form: &Form, parts: &Parts, now: UnixMillis) -> Result<Self, Problem>;
}

impl<I: std::str::FromStr + Send> OfForm for Named<I> {
    fn of_form(_: &Form, parts: &Parts, _: UnixMillis) -> Result<Self, Problem> {
        Ok(Self(named(parts)))
    }
}

impl OfForm for Nothing {
    fn of_form(_: &Form, _: &Parts, _: UnixMillis) -> Result<Self, Problem> {
        Ok(Self)
    }
}

/// A form of the caller's session, and the input of an operation that was read from it, or its faults.
pub(crate) struct Filled<T> {
    form: Form,
    input: Result<T, Problem>,
}

impl<T: OfForm> Input for Filled<T> {
    async fn read(parts: &Parts, body: Body, state: &State) -> Result<Self, Problem> {
        let faults = no_parameters(parts);
        if !faults.is_empty() {
            return Err(Problem::invalid(faults));
        }
        let form = Form::read(parts, body).await?;
        Session::of(parts, state.settings()).check(form.get(FORM_TOKEN))?;
        let input = T::of_form(&form, parts, state.now());
        Ok(Self { form, input })
    }
}

impl<W, T> Call<W, Filled<T>> {
    /// The form, and the call of the operation.
    pub(crate) fn unfold(self) -> (Form, Result<Call<W, T>, Problem>) {
        let Self {
            context,
            principal,
            answer,
            input: Filled { form, input },
        } = self;
        (
            form,
            input.map(|input| Call {
                context,
                principal,
                answer,
                input,
            }),
        )
    }
}
