//! Examples of requests and responses, for the shell and for programs.

use serde_json::Value;

use super::document::{Document, Operation, entries, list, name_of, text};
use super::errors::status_line;

const JSON: &str = "application/json";
const PROBLEM: &str = "application/problem+json";

/// An example of a response.
pub(super) struct Answer {
    pub(super) status: String,
    pub(super) media_type: String,
    pub(super) body: String,
}

/// A command line that sends the operation's example.
pub(super) fn curl(operation: Operation<'_>) -> String {
    let mut lines = vec!["curl -sS".to_owned()];
    if operation.method != "get" {
        lines = vec![format!("curl -sS -X {}", operation.method.to_uppercase())];
    }
    lines.push(format!("\"$BASE{}\"", address(operation)));
    if operation.scopes().is_some() {
        lines.push("-H \"Authorization: Bearer $TOKEN\"".to_owned());
    }
    let body = &operation.value["requestBody"]["content"][JSON]["example"];
    if !body.is_null() {
        lines.push(format!("-H 'Content-Type: {JSON}'"));
        lines.push(format!("-d '{}'", pretty(body).replace('\'', "'\\''")));
    }
    lines.join(" \\\n  ")
}

/// The path with the examples of its parameters.
fn address(operation: Operation<'_>) -> String {
    let mut path = operation.path.to_owned();
    for parameter in list(&operation.value["parameters"])
        .iter()
        .filter(|parameter| parameter["in"] == "path")
    {
        path = path.replace(
            &format!("{{{}}}", text(&parameter["name"])),
            text(&parameter["example"]),
        );
    }
    path
}

/// The operation's responses: each form of each success, or the reason why there is none yet.
pub(super) fn answers(document: Document<'_>, operation: Operation<'_>) -> Vec<Answer> {
    let successes = operation.successes().flat_map(|(status, response)| {
        let bodies: Vec<_> = entries(&response["content"])
            .map(|(media_type, content)| (media_type.to_owned(), pretty(&content["example"])))
            .collect();
        let bodies = if bodies.is_empty() {
            vec![Default::default()]
        } else {
            bodies
        };
        bodies.into_iter().map(|(media_type, body)| Answer {
            status: status_line(status),
            media_type,
            body,
        })
    });
    let answers: Vec<_> = successes.collect();
    if answers.is_empty() {
        unavailable(document, operation).into_iter().collect()
    } else {
        answers
    }
}

fn unavailable(document: Document<'_>, operation: Operation<'_>) -> Option<Answer> {
    let examples = &operation.value["responses"]["501"]["content"][PROBLEM]["examples"];
    let (_, reference) = entries(examples).next()?;
    let example = &document.0["components"]["examples"][name_of(reference)?]["value"];
    Some(Answer {
        status: status_line("501"),
        media_type: PROBLEM.to_owned(),
        body: pretty(example),
    })
}

/// Formats JSON on several lines; other text is unchanged.
pub(super) fn pretty(value: &Value) -> String {
    match value {
        Value::String(text) => text.trim_end().to_owned(),
        value => serde_json::to_string_pretty(value).unwrap_or_default(),
    }
}
