//! Checks every response in the tests against the OpenAPI document: its status, code, media type and properties, and
//! the common parts of all responses.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use axum::http::Method;
use serde_json::Value;
use server::Limits;

use super::Answer;

/// Maximum number of faults of a problem, and maximum length of its texts.
const FAULTS: usize = 100;
const TEXT_CHARACTERS: usize = 300;

static CONTRACT: LazyLock<Contract> =
    LazyLock::new(|| Contract(serde_json::to_value(server::openapi(&Limits::default())).unwrap()));

/// The OpenAPI document.
pub(crate) struct Contract(Value);

impl Contract {
    pub(crate) fn get() -> &'static Self {
        &CONTRACT
    }

    /// Method and path template of every operation.
    pub(crate) fn operations(&self) -> BTreeSet<(String, String)> {
        let paths = self.0["paths"].as_object().unwrap();
        let of = |path: &String, item: &Value| -> Vec<_> {
            item.as_object()
                .unwrap()
                .keys()
                .map(|method| (method.to_uppercase(), path.clone()))
                .collect()
        };
        paths
            .iter()
            .flat_map(|(path, item)| of(path, item))
            .collect()
    }

    /// Method, path template and description of every operation.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &str, &Value)> {
        let paths = self.0["paths"].as_object().unwrap().iter();
        paths.flat_map(|(path, item)| {
            item.as_object()
                .unwrap()
                .iter()
                .map(|(method, operation)| (method.as_str(), path.as_str(), operation))
        })
    }

    /// The examples of problems, by code.
    pub(crate) fn examples(&self) -> &serde_json::Map<String, Value> {
        self.0["components"]["examples"].as_object().unwrap()
    }

    /// Fails if a value does not match a schema.
    pub(crate) fn check_example(&self, schema: &Value, value: &Value) {
        self.check_value(schema, value);
        if value.is_object() {
            self.check_body(schema, value);
        }
    }

    /// Fails if the document does not allow the response.
    pub(crate) fn check(&self, method: &Method, path: &str, answer: &Answer) {
        let id = answer.header("x-request-id");
        assert!(is_uuid_v7(id), "{method} {path}: X-Request-Id is {id:?}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        if path == "/mcp" || path == "/v1" || path.starts_with("/v1/") {
            assert_eq!(answer.header("cache-control"), "no-store");
        }
        if !answer.status.is_success() {
            check_problem(answer, id);
        }
        let status = answer.status.as_u16();
        let Some(item) = self.item(path) else {
            return assert_eq!(status, 404, "{path} is not documented");
        };
        let method = if method == Method::HEAD {
            "get".to_owned()
        } else {
            method.as_str().to_lowercase()
        };
        let Some(operation) = item.get(method.as_str()) else {
            return assert_eq!(status, 405, "{method} {path} is not documented");
        };
        let response = &operation["responses"][status.to_string()];
        assert!(
            response.is_object(),
            "{method} {path}: {status} is not documented: {}",
            String::from_utf8_lossy(&answer.body)
        );
        self.check_response(response, answer);
    }

    fn check_response(&self, response: &Value, answer: &Answer) {
        if !answer.status.is_success() {
            let code = answer.code();
            let documented = response["description"].as_str().unwrap();
            assert!(
                documented.contains(&format!("`{code}`")),
                "{code} is not documented: {documented}"
            );
            return;
        }
        if answer.status == 202 || answer.status == 204 {
            assert!(
                answer.body.is_empty() && response["content"].is_null(),
                "{}",
                answer.text()
            );
            return;
        }
        let media_type = answer.header("content-type").split(';').next().unwrap();
        let content = response["content"].as_object().unwrap();
        let media = content.get(media_type);
        let media = media.unwrap_or_else(|| panic!("{media_type} is not documented"));
        if media_type == "application/json"
            && answer.header("content-encoding").is_empty()
            && !answer.body.is_empty()
        {
            self.check_body(&media["schema"], &answer.json());
        }
    }

    /// Checks that every documented property is present, and no other.
    fn check_body(&self, schema: &Value, body: &Value) {
        let (properties, open) = self.properties(schema);
        if open {
            return;
        }
        let given: BTreeSet<String> = body.as_object().unwrap().keys().cloned().collect();
        assert_eq!(given, properties, "{body}");
        for (name, value) in body.as_object().unwrap() {
            let Some(inner) = self.property(schema, name) else {
                continue;
            };
            self.check_value(inner, value);
            match value {
                Value::Object(_) => self.check_body(inner, value),
                Value::Array(items) => items
                    .iter()
                    .filter(|item| item.is_object())
                    .for_each(|item| self.check_body(&inner["items"], item)),
                _ => {}
            }
        }
    }

    /// Checks that the value has an allowed type, and is one of the listed values if there are any.
    fn check_value(&self, schema: &Value, value: &Value) {
        let schema = self.resolve(schema);
        if let Some(values) = schema["enum"].as_array() {
            assert!(values.contains(value), "{value} is not one of {values:?}");
        }
        let kind = match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(number) if number.is_f64() => "number",
            Value::Number(_) => "integer",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        };
        let allowed = match &schema["type"] {
            Value::String(one) => one == kind,
            Value::Array(several) => several.contains(&kind.into()),
            _ => true,
        };
        assert!(
            allowed,
            "{value} is a {kind}, and the document says {}",
            schema["type"]
        );
    }

    /// The names of an object's properties, and whether others are allowed.
    fn properties(&self, schema: &Value) -> (BTreeSet<String>, bool) {
        let schema = self.resolve(schema);
        if let Some(parts) = schema["allOf"].as_array() {
            return parts.iter().map(|part| self.properties(part)).fold(
                (BTreeSet::new(), false),
                |(mut all, open), (names, more)| {
                    all.extend(names);
                    (all, open | more)
                },
            );
        }
        schema["properties"].as_object().map_or_else(
            || (BTreeSet::new(), true),
            |names| (names.keys().cloned().collect(), false),
        )
    }

    fn property<'a>(&'a self, schema: &'a Value, name: &str) -> Option<&'a Value> {
        let schema = self.resolve(schema);
        let own = schema["properties"].get(name);
        own.or_else(|| {
            schema["allOf"]
                .as_array()?
                .iter()
                .find_map(|part| self.property(part, name))
        })
    }

    fn resolve<'a>(&'a self, schema: &'a Value) -> &'a Value {
        let name = schema["$ref"]
            .as_str()
            .and_then(|reference| reference.strip_prefix("#/components/schemas/"));
        name.map_or(schema, |name| &self.0["components"]["schemas"][name])
    }

    fn item(&self, path: &str) -> Option<&Value> {
        let paths = self.0["paths"].as_object().unwrap();
        paths.get(path).or_else(|| {
            paths
                .iter()
                .find(|(template, _)| matches(template, path))
                .map(|(_, item)| item)
        })
    }
}

fn matches(template: &str, path: &str) -> bool {
    let (template, path): (Vec<_>, Vec<_>) =
        (template.split('/').collect(), path.split('/').collect());
    let same = |(part, given): (&&str, &&str)| {
        part == given || (part.starts_with('{') && !given.is_empty())
    };
    template.len() == path.len() && template.iter().zip(&path).all(same)
}

fn check_problem(answer: &Answer, id: &str) {
    assert_eq!(answer.header("content-type"), "application/problem+json");
    if answer.body.is_empty() {
        // The response to HEAD.
        return;
    }
    let problem = answer.json();
    assert_eq!(problem["requestId"], id);
    assert_eq!(problem["status"], answer.status.as_u16());
    let code = problem["code"].as_str().unwrap();
    assert_eq!(
        problem["type"],
        format!(
            "urn:hunkwise:problem:{}",
            code.to_lowercase().replace('_', "-")
        )
    );
    assert!(
        !problem["title"].as_str().unwrap().is_empty()
            && !problem["detail"].as_str().unwrap().is_empty()
    );
    let faults = problem["errors"].as_array();
    assert_eq!(
        faults.is_some_and(|faults| !faults.is_empty()),
        code == "INVALID_REQUEST",
        "{problem}"
    );
    let faults = faults.map(Vec::as_slice).unwrap_or_default();
    let texts = faults
        .iter()
        .chain([&problem])
        .flat_map(|object| object.as_object().unwrap().values());
    let long = texts
        .filter_map(Value::as_str)
        .find(|text| text.chars().count() > TEXT_CHARACTERS);
    assert!(
        faults.len() <= FAULTS && long.is_none(),
        "{} faults, and {long:?}",
        faults.len()
    );
    let challenge = answer.header("www-authenticate");
    match code {
        "UNAUTHENTICATED" => assert!(is_challenge(challenge, "Bearer"), "{challenge}"),
        "INVALID_TOKEN" => assert!(
            is_challenge(challenge, "Bearer error=\"invalid_token\""),
            "{challenge}"
        ),
        _ => assert_eq!(challenge, ""),
    }
    if matches!(answer.status.as_u16(), 429 | 503) {
        assert!(answer.header("retry-after").parse::<u64>().unwrap() >= 1);
    }
}

/// Whether a challenge is this one, with or without the parameters of `/mcp`.
fn is_challenge(challenge: &str, expected: &str) -> bool {
    challenge.strip_prefix(expected).is_some_and(|rest| {
        rest.is_empty()
            || rest
                .trim_start_matches([',', ' '])
                .starts_with("resource_metadata=\"http")
    })
}

fn is_uuid_v7(text: &str) -> bool {
    text.parse::<uuid::Uuid>()
        .is_ok_and(|id| id.get_version_num() == 7)
}
