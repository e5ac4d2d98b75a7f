//! The OpenAPI 3.1 document: the handlers' descriptions and the parts common to all operations.

mod examples;
mod operations;
mod patterns;
mod property;

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use store::Action;
use utoipa::PartialSchema;
use utoipa::ToSchema;
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{
    Components, InfoBuilder, LicenseBuilder, OpenApi, RefOr, Schema, ServerBuilder,
};

use crate::Limits;
use crate::limits::LimitsInForce;
use crate::refusals::{self, add_header};
use crate::routes;
use crate::wire::problem::{FaultBody, ProblemBody};
use crate::wire::review::{FindingsBody, ProgressBody};
use property::property;

const BEARER: &str = "bearer";
/// Schemas with optional properties in responses; in all others, every listed property is always present.
const SPARSE: &[&str] = &[
    "CreateInvitation", "CreateOrganization", "CreateToken", "McpMessage", "SetEntitlement",
    "ReviewRequest", "Problem", "FieldError",
];

/// The OpenAPI 3.1 document of a service with these limits.
#[must_use]
pub fn openapi(limits: &Limits) -> OpenApi {
    let mut document = routes::table().into_openapi();
    document.info = InfoBuilder::new()
        .title("Hunkwise")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(description(limits)))
        .license(Some(
            LicenseBuilder::new()
                .name("Apache-2.0")
                .identifier(Some("Apache-2.0"))
                .build(),
        ))
        .build();
    document.security = Some(vec![SecurityRequirement::new::<_, [&str; 0], &str>(
        BEARER,
        [],
    )]);
    document.tags = Some(tags());
    let components = document.components.get_or_insert_with(Components::new);
    add_components(components);
    describe_limits(components, limits);
    describe_actions(components);
    patterns::add_to_names(components);
    document.servers = Some(vec![
        ServerBuilder::new()
            .url("/")
            .description(Some("This service"))
            .build(),
    ]);
    for (path, item) in &mut document.paths.paths {
        patterns::add_to_cursor(path, item);
        operations::of(item).for_each(complete);
    }
    examples::add(&mut document);
    document
}

/// Adds the response header fields of every operation: the request's ID and the state of the token's rate limit.
fn complete(operation: &mut Operation) {
    let open = operation.security == Some(vec![SecurityRequirement::default()]);
    for (status, response) in &mut operation.responses.responses {
        let RefOr::T(response) = response else {
            continue;
        };
        add_header(response, "X-Request-Id", "UUID (version 7) of the request");
        if !open && (status.starts_with('2') || status == "429") {
            add_header(
                response,
                "RateLimit-Policy",
                "The token's requests per minute: `\"token\";q=600;w=60`",
            );
            add_header(
                response,
                "RateLimit",
                "Requests left (`r`), and seconds until the next (`t`)",
            );
        }
    }
}

fn tags() -> Vec<utoipa::openapi::Tag> {
    [
        (
            "Organizations",
            "Tenants. A user's rights always apply within one organization.",
        ),
        ("Members", "The users of an organization and their roles."),
        (
            "Invitations",
            "Single-use codes with which a user joins an organization.",
        ),
        (
            "Entitlements",
            "Which member may use which product, until when and how often.",
        ),
        (
            "Usage",
            "Reviews, findings and language-model tokens by day and member.",
        ),
        (
            "Audit events",
            "The actions in an organization: who did them, to whom and when.",
        ),
        ("Reviews", "Findings on the lines of a diff."),
        (
            "Coding agents",
            "The Model Context Protocol: reviews as a tool.",
        ),
        (
            "Pull requests (in development)", "Planned; these operations answer 501.",
        ),
        ("Tokens", "The caller and their access tokens."),
        (
            "Operators",
            "For operators of the service; every other user gets `NOT_FOUND`.",
        ),
        ("Service", "Health, limits, and the API description."),
    ]
    .map(|(name, text)| TagBuilder::new().name(name).description(Some(text)).build())
    .into()
}

fn add_components(components: &mut Components) {
    let scheme = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .bearer_format("hw_…");
    let scheme = scheme.description(Some(
        "An access token of the service: `hw_` and 36 characters. Where the operator has named an OpenID Connect issuer, \
         also one of its JWT access tokens (RFC 9068).",
    ));
    components.security_schemes.insert(
        BEARER.to_owned(),
        RefOr::T(SecurityScheme::Http(scheme.build())),
    );
    let schemas = &mut components.schemas;
    schemas.insert(ProblemBody::name().into_owned(), ProblemBody::schema());
    schemas.insert(FaultBody::name().into_owned(), FaultBody::schema());
    schemas.insert(ProgressBody::name().into_owned(), ProgressBody::schema());
    schemas.insert(FindingsBody::name().into_owned(), FindingsBody::schema());
    for (_, schema) in schemas
        .iter_mut()
        .filter(|(name, _)| !SPARSE.contains(&name.as_str()))
    {
        if let RefOr::T(schema) = schema {
            require_all(schema);
        }
    }
    schemas.values_mut().for_each(show_request_id);
    components.examples.extend(refusals::examples());
}

fn show_request_id(schema: &mut RefOr<Schema>) {
    match schema {
        RefOr::T(Schema::Object(object)) => {
            if let Some(RefOr::T(Schema::Object(id))) = object.properties.get_mut("requestId") {
                id.example = Some(json!(refusals::REQUEST_ID));
            }
        }
        RefOr::T(Schema::AllOf(all)) => all.items.iter_mut().for_each(show_request_id),
        _ => {}
    }
}

/// In a response, a listed property is always present, possibly as `null`.
fn require_all(schema: &mut Schema) {
    match schema {
        Schema::Object(object) => object.required = object.properties.keys().cloned().collect(),
        Schema::AllOf(all) => {
            for item in &mut all.items {
                if let RefOr::T(item) = item {
                    require_all(item);
                }
            }
        }
        _ => {}
    }
}

/// Lists the actions in the description of an audit event.
fn describe_actions(components: &mut Components) {
    if let Some(action) = property(components, "AuditEvent", "action") {
        let actions: Vec<String> = Action::ALL
            .iter()
            .map(|action| format!("`{action}`"))
            .collect();
        let text = format!(" One of {}; more may be added.", actions.join(", "));
        action.description.get_or_insert_default().push_str(&text);
    }
}

/// Writes the limits in force into the schemas that they apply to.
fn describe_limits(components: &mut Components, limits: &Limits) {
    if let Some(diff) = property(components, "ReviewRequest", "diff") {
        let text = format!(
            " At most {} bytes (UTF-8), {} lines and {} files with lines to review, {} bytes in a path, {} bytes in a hunk header \
             and {} parents of a combined diff; a line of more than {} bytes is cut for analysis, with a warning.",
            limits.diff_bytes,
            limits.diff_lines,
            limits.diff_files,
            limits.path_bytes,
            limits.hunk_header_bytes,
            limits.combined_parents,
            limits.line_bytes
        );
        diff.description.get_or_insert_default().push_str(&text);
    }
    for (name, value) in limit_values(limits) {
        if let Some(limit) = property(components, "Limits", &name) {
            limit.example = Some(value);
        }
    }
    if let Some(reference) = property(components, "ReviewRequest", "clientReference") {
        reference.max_length = Some(limits.client_reference_characters);
    }
}

fn description(limits: &Limits) -> String {
    let mut text = String::from(
        "Hunkwise reviews the unified diff of a change and returns findings, each on a line of that diff.\n\n\
         Every response has an `X-Request-Id`, and JSON objects have the same value as `requestId`. Errors are RFC \
         9457 problem details with a stable `code`. If a request fails several checks, the response is about the first: \
         authentication and scope, access to the organization, shape of the request, payload limits, entitlement, \
         rate and quota. Unknown properties and query parameters are refused. Bodies may be compressed with gzip or br \
         (`Content-Encoding`); responses are compressed on request (`Accept-Encoding`). Characters are counted as \
         Unicode scalar values. An unknown path gets 404 `NOT_FOUND`, and an unsupported method 405 \
         `METHOD_NOT_ALLOWED`.\n\n## Limits in force\n\n| limit | value |\n|---|---|\n",
    );
    for (name, value) in limit_values(limits) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| `{name}` | {value} |");
    }
    text
}

/// The limits in force, by their names in `GET /v1/limits`.
fn limit_values(limits: &Limits) -> Map<String, Value> {
    match json!(LimitsInForce::from(limits)) {
        Value::Object(values) => values
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .collect(),
        _ => Map::new(),
    }
}
