//! Small forms of the console's pages.

use axum::body::{Body, to_bytes};
use axum::http::header;
use axum::http::request::Parts;

use crate::error::{Code, Problem};

/// No small form has more.
const BYTES: usize = 8 << 10;
/// The field that carries the session's form token.
pub(crate) const FORM_TOKEN: &str = "form_token";

/// The fields of a form.
pub(crate) struct Form(Vec<(String, String)>);

impl Form {
    /// Reads the body.
    ///
    /// # Errors
    /// 415 for another media type, 413 for more than 8 KiB or a body that breaks off.
    pub(crate) async fn read(parts: &Parts, body: Body) -> Result<Self, Problem> {
        let media_type = parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let essence = media_type.unwrap_or_default().split(';').next().unwrap_or_default().trim();
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
        self.0.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }
}
