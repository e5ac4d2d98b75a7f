//! RFC 9457 problem details.

use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{self, Place};

/// Why a request failed (RFC 9457).
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Problem)]
pub(crate) struct ProblemBody<'a> {
    /// A URN that identifies the kind of problem.
    #[schema(example = "urn:hunkwise:problem:invalid-request")]
    pub(crate) r#type: String,
    /// A short text, the same for every problem of this kind.
    #[schema(example = "The request is not valid")]
    pub(crate) title: &'a str,
    /// The HTTP status.
    #[schema(example = 400)]
    pub(crate) status: u16,
    /// A stable name of the kind, for programs.
    #[schema(example = "INVALID_REQUEST")]
    pub(crate) code: &'a str,
    /// A sentence about this occurrence.
    #[schema(example = "name: must be given")]
    pub(crate) detail: &'a str,
    /// UUID (version 7) of the request, as in the header `X-Request-Id`.
    pub(crate) request_id: &'a str,
    /// Every fault of the request; present for `INVALID_REQUEST` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) errors: Option<Vec<FaultBody<'a>>>,
}

/// One fault of a request. It has exactly one of `pointer`, `parameter` and `header`.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FieldError)]
pub(crate) struct FaultBody<'a> {
    /// JSON Pointer (RFC 6901) into the body; empty for the body as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "/name")]
    pub(crate) pointer: Option<&'a str>,
    /// Name of the query parameter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parameter: Option<&'a str>,
    /// Name of the header field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) header: Option<&'a str>,
    /// A description of the fault.
    #[schema(example = "must be given")]
    pub(crate) detail: &'a str,
}

impl<'a> ProblemBody<'a> {
    /// The body for a problem.
    pub(crate) fn new(problem: &'a error::Problem, request_id: &'a str) -> Self {
        let code = problem.code;
        Self {
            r#type: format!(
                "urn:hunkwise:problem:{}",
                code.as_str().to_ascii_lowercase().replace('_', "-")
            ),
            title: code.title(),
            status: code.status().as_u16(),
            code: code.as_str(),
            detail: &problem.detail,
            request_id,
            errors: (code == error::Code::InvalidRequest)
                .then(|| problem.faults.iter().map(FaultBody::new).collect()),
        }
    }
}

impl<'a> FaultBody<'a> {
    fn new(fault: &'a error::FieldError) -> Self {
        let mut body = Self {
            pointer: None,
            parameter: None,
            header: None,
            detail: &fault.detail,
        };
        match &fault.place {
            Place::Pointer(pointer) => body.pointer = Some(pointer),
            Place::Parameter(name) => body.parameter = Some(name),
            Place::Header(name) => body.header = Some(name),
        }
        body
    }
}
