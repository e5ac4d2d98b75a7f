//! No part of a diff and no token is stored in the database, the logs or the temporary folder.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use serde_json::json;
use server::Settings;
use store::{UnixMillis, UserId};

use crate::support::{Act, Logs, Service};

/// A unique word for each place of a request, so that a leak shows its source. They are random, so that a file that
/// contains one can only be from this run.
fn canaries() -> Vec<String> {
    let run = UserId::new(UnixMillis(0)).to_string();
    let places = [
        "Path", "Heading", "Context", "Added", "Removed", "Reference", "Broken", "Property",
        "File", "Listed", "Searched", "Extension",
    ];
    places
        .iter()
        .map(|place| format!("Canary{place}{}", &run[16..]))
        .collect()
}

/// Every file below a folder that was written since then and holds one of the canaries.
fn leaks(folder: &Path, since: SystemTime, canaries: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        // Other tests create and delete files in the temporary folder in the meantime.
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match entry.file_type() {
                // A test's PostgreSQL server. It is too large to read; its contents are checked in a dump instead.
                Ok(kind) if kind.is_dir() && path.join("PG_VERSION").exists() => {}
                Ok(kind) if kind.is_dir() => folders.push(path),
                Ok(kind) if kind.is_file() && written(&path).is_some_and(|time| time >= since) => {
                    let bytes = fs::read(&path).unwrap_or_default();
                    found.extend(
                        held(&bytes, canaries)
                            .map(|canary| format!("{canary} in {}", path.display())),
                    );
                }
                _ => {}
            }
        }
    }
    found
}

fn written(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).ok()?.modified().ok()
}

/// The canaries that it contains.
fn held<'a>(bytes: &[u8], canaries: &'a [String]) -> impl Iterator<Item = &'a String> {
    canaries
        .iter()
        .filter(|canary| contains(bytes, canary.as_bytes()))
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[tokio::test]
async fn no_content_of_a_review_is_stored() {
    let canaries = canaries();
    let [
        path_name,
        heading,
        context,
        added,
        removed,
        reference,
        broken,
        property,
        file,
        listed,
        searched,
        extension,
    ] = canaries.as_slice()
    else {
        panic!("a variable for each place")
    };
    let diff = format!(
        "--- a/{path_name}.py\n+++ b/{path_name}.py\n@@ -1,2 +1,2 @@ def {heading}():\n {context} = 1\n-{removed} = 1\n+{added} = 2\n"
    );
    let marker = tempfile::NamedTempFile::new().unwrap();
    let began = written(marker.path()).unwrap();
    let mut tokens = Vec::new();
    for act in [Act::Find, Act::Fail, Act::Panic] {
        let service = Service::with(Settings::default(), act).await;
        let (user, path) = service.reviewer().await;
        let sound = json!({ "diff": diff, "clientReference": reference, "changeDescription": broken,
            "contextFiles": [{ "path": format!("{file}.py"), "content": file }],
            "contextPaths": format!("{path_name}.py\n{file}.py\n{listed}.py\n"),
            "contextSearches": [{ "names": [searched], "extensions": [extension] }] });
        let twisted = json!({ "diff": format!("{diff}@@ -1 +1 @@\n{broken}"), property: 1, "targetLanguage": broken,
            "contextFiles": [{ "path": format!("/{file}.py"), "content": file }],
            "contextPaths": format!("{path_name}.py\n/{listed}.py\n"),
            "contextSearches": [{ "names": [searched, 1], "extensions": extension }] });
        for body in [&sound, &twisted] {
            for accept in ["application/json", "text/event-stream"] {
                let answer = service
                    .post(&path, body)
                    .token(&user)
                    .header("accept", accept)
                    .send()
                    .await;
                assert!(
                    !answer.text().contains(broken.as_str()),
                    "{}",
                    answer.text()
                );
            }
        }
        let unparsed = format!("{{\"diff\": \"{broken}\n");
        let request = service
            .call(axum::http::Method::POST, &path)
            .token(&user)
            .header("content-type", "application/json");
        assert!(
            !request
                .body(unparsed)
                .send()
                .await
                .text()
                .contains(broken.as_str())
        );
        service
            .get(&format!(
                "/v1/organizations?token={}&x={property}",
                user.token
            ))
            .token(&user)
            .send()
            .await;
        let kept = service.database.contents();
        assert!(
            contains(&kept, user.token_id.to_string().as_bytes()),
            "the contents of the database were read"
        );
        assert_eq!(
            held(&kept, &canaries).collect::<Vec<_>>(),
            [""; 0],
            "the database"
        );
        assert!(
            !contains(&kept, user.token.as_bytes()),
            "only the token's digest is stored"
        );
        tokens.push(user.token);
    }
    let logs = Logs::text();
    assert!(logs.contains("/reviews/diff/sync"), "the log was captured");
    for canary in canaries.iter().chain(&tokens) {
        assert!(!logs.contains(canary.as_str()), "{canary} is in the log");
    }
    assert_eq!(
        leaks(&std::env::temp_dir(), began, &canaries),
        [""; 0],
        "the temporary folder"
    );
}
