//! The refusals of every operation in the OpenAPI document.

use std::collections::BTreeMap;

use serde_json::json;
use utoipa::ToSchema;
use utoipa::openapi::example::{Example, ExampleBuilder};
use utoipa::openapi::{
    ContentBuilder, Header, HeaderBuilder, ObjectBuilder, Ref, RefOr, Response, ResponseBuilder,
    Type,
};

use crate::error::{Code, FieldError, Problem};
use crate::wire::problem::ProblemBody;

const JSON_PROBLEM: &str = "application/problem+json";
/// The `requestId` in every example.
pub(crate) const REQUEST_ID: &str = "01998f2e-6c00-7a3b-9d51-0c2f4e8b7a16";

/// Refusals of every request.
pub(crate) const EVERY: &[Code] = &[
    Code::InvalidRequest,
    Code::UriTooLong,
    Code::HeadersTooLarge,
    Code::Internal,
];
/// Refusals of every operation that needs a token.
pub(crate) const V1: &[Code] = &[
    Code::Unauthenticated,
    Code::InvalidToken,
    Code::InsufficientScope,
    Code::NotAcceptable,
    Code::RateLimited,
    Code::NotReady,
];
/// Refusals of every operation on an organization.
pub(crate) const MEMBER: &[Code] = &[Code::OrganizationNotFound];
/// Refusals of every operation that reads a body.
pub(crate) const BODY: &[Code] = &[
    Code::RequestTimeout,
    Code::PayloadTooLarge,
    Code::UnsupportedMediaType,
    Code::Overloaded,
];

/// Declares `Problems`, the refusals of an operation: groups of codes, then single codes.
macro_rules! problems {
    ($($group:ident),+ $(; $($code:ident),+)?) => {
        /// The refusals of the operation.
        struct Problems;

        impl utoipa::IntoResponses for Problems {
            fn responses()
            -> std::collections::BTreeMap<String, utoipa::openapi::RefOr<utoipa::openapi::Response>> {
                let groups = [$($crate::refusals::$group,)+ &[$($($crate::error::Code::$code),+)?]];
                $crate::refusals::refusals(&groups.concat())
            }
        }
    };
}
pub(crate) use problems;

/// The responses for these codes: one per status, which describes when each of its codes occurs.
pub(crate) fn refusals(codes: &[Code]) -> BTreeMap<String, RefOr<Response>> {
    let mut by_status: BTreeMap<String, Vec<Code>> = BTreeMap::new();
    for code in Code::ALL.iter().filter(|code| codes.contains(code)) {
        by_status
            .entry(code.status().as_u16().to_string())
            .or_default()
            .push(*code);
    }
    by_status
        .into_iter()
        .map(|(status, codes)| (status, RefOr::T(refusal(&codes))))
        .collect()
}

fn refusal(codes: &[Code]) -> Response {
    let lines: Vec<String> = codes
        .iter()
        .map(|code| format!("`{}`: {}", code.as_str(), code.when()))
        .collect();
    let examples = codes
        .iter()
        .map(|code| (code.as_str(), example_named(code.as_str())));
    let schema = ContentBuilder::new().schema(Some(Ref::from_schema_name(ProblemBody::name())));
    let content = schema.examples_from_iter(examples).build();
    let mut response = ResponseBuilder::new()
        .description(lines.join("\n\n"))
        .content(JSON_PROBLEM, content)
        .build();
    let status = codes.first().map_or(0, |code| code.status().as_u16());
    if matches!(status, 429 | 503) {
        add_header(
            &mut response, "Retry-After", "Seconds after which to try again",
        );
    }
    if status == 401 {
        add_header(
            &mut response, "WWW-Authenticate", "The challenge of RFC 6750",
        );
    }
    response
}

/// Each code with its description, its remedy and an example body.
pub(crate) fn examples() -> impl Iterator<Item = (String, RefOr<Example>)> {
    Code::ALL
        .iter()
        .map(|code| (code.as_str().to_owned(), RefOr::T(example(*code))))
}

fn example_named(code: &str) -> RefOr<Example> {
    RefOr::Ref(Ref::new(format!("#/components/examples/{code}")))
}

fn example(code: Code) -> Example {
    let problem = match code {
        Code::InvalidRequest => Problem::invalid(vec![FieldError::at("name", "must be given")]),
        code => Problem::new(code, code.when()),
    };
    let body = json!(ProblemBody::new(&problem, REQUEST_ID));
    let text = format!("{}\n\n{}", code.when(), code.remedy());
    ExampleBuilder::new()
        .summary(code.title())
        .description(text)
        .value(Some(body))
        .build()
}

pub(crate) fn add_header(response: &mut Response, name: &str, description: &str) {
    response
        .headers
        .insert(name.to_owned(), RefOr::T(text_header(description)));
}

fn text_header(description: &str) -> Header {
    HeaderBuilder::new()
        .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
        .description(Some(description))
        .build()
}
