//! The form of the review page, with a text or a file. It is sent as `multipart/form-data`, which does not enlarge the
//! diff.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::http::request::Parts;
use futures_util::{FutureExt as _, stream};
use multer::Multipart;
use review::Budget;

use crate::coding::Coding;
use crate::error::{Code, FieldError, Problem};
use crate::extract::form::FORM_TOKEN;
use crate::extract::json::{self, Fields};
use crate::extract::session::Session;
use crate::extract::{Input, MediaType, no_parameters};
use crate::handlers::reviews::diff_sync::{Changed, ReviewInput};
use crate::{Limits, State};

/// The fault of a form with a file and a text.
const TWO_DIFFS: &str = "a file and a pasted diff were sent, choose one: send the text below as it is, or empty it and choose the file again";

/// The field with the files of a chosen folder or archive: the JSON object of an API request with `contextFiles` alone.
const CONTEXT: &str = "context";
/// The object in it, and the objects of its list.
const CONTEXT_DEPTH: u8 = 2;

/// Maximum number of fields.
const FIELDS: usize = 16;

/// The user's input.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) diff: String,
    pub(super) language: String,
    pub(super) description: String,
    /// Whether each hunk contains all of its file.
    pub(super) has_whole_files: bool,
}

/// A submitted form and its parsed diff. If the text is not a diff, the form is shown again.
pub(in crate::console) struct ReviewForm {
    pub(super) draft: Draft,
    pub(super) input: Result<ReviewInput, Problem>,
}

impl Input for ReviewForm {
    /// A page for clients that accept any type, as browsers do.
    const OFFERS: &'static [MediaType] = &[MediaType::Json, MediaType::EventStream];

    async fn read(parts: &Parts, body: Body, state: &State) -> Result<Self, Problem> {
        let faults = no_parameters(parts);
        if !faults.is_empty() {
            return Err(Problem::invalid(faults));
        }
        let unsupported = |_| {
            Problem::new(
                Code::UnsupportedMediaType,
                "The body must be `multipart/form-data`.",
            )
        };
        let media_type = parts
            .headers
            .get(header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok());
        let boundary =
            multer::parse_boundary(media_type.unwrap_or_default()).map_err(unsupported)?;
        let coding = Coding::of(&parts.headers)?;
        let (session, sample) = (
            Session::of(parts, state.settings()),
            state.settings().sample_diff,
        );
        let work = move |bytes: Vec<u8>, budget: &Budget, _: &Limits| {
            let sent = Sent::of(bytes.into(), boundary)?;
            session.check(sent.text(FORM_TOKEN))?;
            Ok(read(&sent, sample, budget))
        };
        let ((draft, fields), hold) = json::read_bytes(parts, coding, body, state, work).await?;
        let input = match fields {
            Ok(fields) => {
                let context = (Changed::LeftOut, draft.has_whole_files);
                ReviewInput::of_fields(fields, hold, context, state).await
            }
            Err(problem) => Err(problem),
        };
        // After a review the form is empty, because another diff is a new review.
        let draft = if input.is_ok() {
            Draft::default()
        } else {
            draft
        };
        Ok(Self { draft, input })
    }
}

/// The user's input, and the fields of the request.
fn read(sent: &Sent, sample: Option<&str>, budget: &Budget) -> (Draft, Result<Fields, Problem>) {
    let text = |name| sent.text(name).unwrap_or_default();
    // Browsers send text with CRLF, regardless of the pasted line ends.
    let typed = text("diff").replace("\r\n", "\n");
    let is_typed = !typed.trim().is_empty();
    let language = text("language").trim().to_owned();
    let description = text("description").replace("\r\n", "\n").trim().to_owned();
    let file = sent.get("patch").filter(|bytes| !bytes.is_empty());
    let diff = match (
        sample.filter(|_| sent.get("sample").is_some()),
        file.map(str::from_utf8),
    ) {
        (Some(sample), _) => Ok(sample.to_owned()),
        (None, Some(_)) if is_typed => {
            Err(Problem::invalid(vec![FieldError::at("patch", TWO_DIFFS)]))
        }
        (None, None) => Ok(typed.clone()),
        (None, Some(Ok(text))) => Ok(text.to_owned()),
        (None, Some(Err(_))) => Err(Problem::invalid(vec![FieldError::at(
            "patch", "the file is not text in UTF-8",
        )])),
    };
    let fields = diff.and_then(|diff| {
        let mut given = vec![("diff", diff.into())];
        if !language.is_empty() {
            given.push(("language", language.clone().into()));
        }
        if !description.is_empty() {
            given.push(("changeDescription", description.clone().into()));
        }
        let fields = Fields::of_form(given, budget);
        match sent.get(CONTEXT).filter(|bytes| !bytes.is_empty()) {
            Some(bytes) => fields.with_json(bytes, CONTEXT_DEPTH),
            None => Ok(fields),
        }
    });
    (
        Draft {
            diff: typed,
            language,
            description,
            has_whole_files: sent.get("whole_files").is_some(),
        },
        fields,
    )
}

/// The fields of a form as they were sent.
struct Sent(Vec<(String, Bytes)>);

impl Sent {
    fn of(bytes: Bytes, boundary: String) -> Result<Self, Problem> {
        let fields = async move {
            let whole = stream::once(async move { Ok::<_, Infallible>(bytes) });
            let mut multipart = Multipart::new(whole, boundary);
            let mut fields = Vec::new();
            while let Some(field) = multipart.next_field().await? {
                let name = field.name().unwrap_or_default().to_owned();
                fields.push((name, field.bytes().await?));
                if fields.len() > FIELDS {
                    break;
                }
            }
            Ok::<_, multer::Error>(fields)
        };
        // The whole body is in memory, so nothing waits.
        let fields = fields
            .now_or_never()
            .and_then(Result::ok)
            .filter(|fields| fields.len() <= FIELDS);
        let broken = || {
            Problem::invalid(vec![FieldError::body(
                "the body is not the form of this page",
            )])
        };
        fields.map(Self).ok_or_else(broken)
    }

    fn get(&self, name: &str) -> Option<&[u8]> {
        self.0
            .iter()
            .find(|(given, _)| given == name)
            .map(|(_, bytes)| &**bytes)
    }

    fn text(&self, name: &str) -> Option<&str> {
        str::from_utf8(self.get(name)?).ok()
    }
}
