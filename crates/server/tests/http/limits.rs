//! Limits: sizes, rates, concurrent reviews, quotas.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::Method;
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::{StreamExt as _, stream};
use review::review_bytes;
use serde_json::{Value, json};
use server::{LIMITS, Limits};
use store::Role;
use tokio::sync::Semaphore;

use crate::support::{Act, DIFF, Database, Service, review_path};

/// A diff of one new file with this many lines of `x`.
fn added(path: &str, lines: usize) -> String {
    let mut diff = format!("--- /dev/null\n+++ b/{path}\n@@ -0,0 +1,{lines} @@\n");
    for _ in 0..lines {
        diff.push_str("+x\n");
    }
    diff
}

fn files(count: usize) -> String {
    (0..count).map(|at| added(&format!("f{at}"), 1)).collect()
}

#[tokio::test]
async fn limits_of_a_diff_are_named_in_the_refusal() {
    let limits = Limits {
        diff_bytes: 20_000,
        diff_lines: 100,
        diff_files: 10,
        ..Limits::default()
    };
    let service = Service::limited(limits, Act::Nothing).await;
    let (user, path) = service.reviewer().await;
    let long_line = format!(
        "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+{}\n",
        "x".repeat(20_000)
    );
    for (diff, limit, value, sent) in [
        (added("x", 98), "diffLines", "100 lines", "101 lines"),
        (added("x", 900), "diffLines", "100 lines", "903 lines"),
        (files(11), "diffFiles", "10 files", "11 files"),
        (
            long_line.clone(),
            "diffBytes",
            "20000 bytes",
            &format!("{} bytes", long_line.len()),
        ),
    ] {
        let answer = service
            .post(&path, &json!({ "diff": diff }))
            .token(&user)
            .send()
            .await;
        answer.expect(413, "PAYLOAD_TOO_LARGE");
        let detail = answer.json()["detail"].as_str().unwrap().to_owned();
        for part in [limit, value, sent] {
            assert!(detail.contains(part), "{detail} has no {part}");
        }
    }
    for diff in [added("x", 97), files(10)] {
        service
            .post(&path, &json!({ "diff": diff }))
            .token(&user)
            .send()
            .await
            .ok();
    }
}

#[tokio::test]
async fn only_files_with_lines_to_review_count_towards_the_limit() {
    let service = Service::start().await;
    let (user, path) = service.reviewer().await;
    let moved =
        |n: usize| format!("diff --git a/{n} b/new/{n}\nrename from {n}\nrename to new/{n}\n");
    let mode = |n: usize| format!("diff --git a/{n} b/{n}\nold mode 100644\nnew mode 100755\n");
    let deleted = |n: usize| format!("--- a/{n}.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n");
    let binary = |n: usize| format!("Binary files a/{n}.png and b/{n}.png differ\n");
    let vendored = |n: usize| added(&format!("vendor/{n}.py"), 1);
    let lock = |n: usize| added(&format!("{n}/Cargo.lock"), 1);
    for (kind, warnings) in [
        (&moved as &dyn Fn(usize) -> String, 0),
        (&mode, 0),
        (&deleted, 0),
        (&binary, 1),
        (&vendored, 1),
        (&lock, 1),
    ] {
        let diff: String = [DIFF.to_owned()]
            .into_iter()
            .chain((0..1_200).map(kind))
            .collect();
        let answer = service
            .post(&path, &json!({ "diff": diff }))
            .token(&user)
            .send()
            .await;
        answer.ok();
        let metadata = &answer.json()["metadata"];
        assert_eq!(
            metadata["warnings"].as_array().unwrap().len(),
            warnings * 1_200,
            "{}",
            kind(0)
        );
        let beyond = files(1_001) + &kind(0);
        let answer = service
            .post(&path, &json!({ "diff": beyond }))
            .token(&user)
            .send()
            .await;
        answer.expect(413, "PAYLOAD_TOO_LARGE");
        assert!(
            answer.json()["detail"]
                .as_str()
                .unwrap()
                .contains("1001 files"),
            "{}",
            answer.text()
        );
    }
}

/// A merge of this many parents, with one empty line.
fn merge(parents: usize) -> String {
    let fence = "@".repeat(parents + 1);
    format!(
        "diff --cc f\nindex 1,2..3\n--- a/f\n+++ b/f\n{fence} {}+1 {fence}\n\n",
        "-1 ".repeat(parents)
    )
}

#[tokio::test]
async fn paths_hunk_headers_and_merges_have_limits_after_the_shape_and_before_the_entitlement() {
    let service = Service::start().await;
    let (user, path) = service.reviewer().await;
    let stranger_to_the_product = service.user().await;
    let their_path = review_path(service.organization(&stranger_to_the_product).await);
    let header = |bytes: usize| {
        format!(
            "--- a/x\n+++ b/x\n@@ -1 +1 @@ {}\n-a\n+b\n",
            "h".repeat(bytes - 12)
        )
    };
    let quoted = format!(
        "--- /dev/null\n+++ \"b/{}\"\n@@ -0,0 +1 @@\n+x\n",
        "\\303\\251".repeat(2_049)
    );
    for (diff, limit, value, sent) in [
        (
            added(&"p".repeat(4_097), 1),
            "pathBytes",
            "4096 bytes",
            "4097 bytes",
        ),
        (quoted, "pathBytes", "4096 bytes", "4098 bytes"),
        (header(4_097), "hunkHeaderBytes", "4096 bytes", "4097 bytes"),
        (merge(65), "combinedParents", "64 parents", "65 parents"),
    ] {
        let answer = service
            .post(&path, &json!({ "diff": diff }))
            .token(&user)
            .send()
            .await;
        answer.expect(413, "PAYLOAD_TOO_LARGE");
        assert_eq!(
            answer.json()["detail"],
            format!("The limit `{limit}` is {value}; the request has {sent}.")
        );
        let broken = format!("{diff}--- a/y\n+++ b/y\n@@ -1 +1 @@\n");
        let answer = service
            .post(&path, &json!({ "diff": broken }))
            .token(&user)
            .send()
            .await;
        answer.expect(400, "INVALID_REQUEST");
    }
    let answer = service
        .post(&their_path, &json!({ "diff": merge(65) }))
        .token(&stranger_to_the_product)
        .send()
        .await;
    answer.expect(413, "PAYLOAD_TOO_LARGE");
    for diff in [added(&"p".repeat(4_096), 1), header(4_096), merge(64)] {
        service
            .post(&path, &json!({ "diff": diff }))
            .token(&user)
            .send()
            .await
            .ok();
    }
}

#[tokio::test]
async fn a_diff_at_the_default_limit_passes_and_one_byte_more_does_not() {
    let service = Service::start().await;
    let (user, path) = service.reviewer().await;
    let limit = Limits::default().diff_bytes;
    let head = "--- /dev/null\n+++ b/x\n@@ -0,0 +1,5 @@\n";
    let fill = |bytes: usize| {
        let text = bytes - head.len() - 10;
        let lines = [
            text / 5,
            text / 5,
            text / 5,
            text / 5,
            text - 4 * (text / 5),
        ];
        lines.iter().fold(head.to_owned(), |mut diff, length| {
            writeln!(diff, "+{}", "x".repeat(*length)).unwrap();
            diff
        })
    };
    assert_eq!(fill(limit).len(), limit);
    service
        .post(&path, &json!({ "diff": fill(limit) }))
        .token(&user)
        .send()
        .await
        .ok();
    let answer = service
        .post(&path, &json!({ "diff": fill(limit + 1) }))
        .token(&user)
        .send()
        .await;
    answer.expect(413, "PAYLOAD_TOO_LARGE");
    assert!(
        answer
            .text()
            .contains("4194304 bytes; the request has 4194305 bytes"),
        "{}",
        answer.text()
    );
}

#[tokio::test]
async fn too_many_files_and_lines_are_refused() {
    let service = Service::start().await;
    let (user, path) = service.reviewer().await;
    for diff in [files(10_000), added("x", 1_000_000)] {
        service
            .post(&path, &json!({ "diff": diff }))
            .token(&user)
            .send()
            .await
            .expect(413, "PAYLOAD_TOO_LARGE");
    }
}

#[tokio::test]
async fn the_body_limit_applies_with_and_without_a_length() {
    let service = Service::limited(
        Limits {
            body_bytes: 1_000,
            ..Limits::default()
        },
        Act::Nothing,
    )
    .await;
    let (user, path) = service.reviewer().await;
    let send = |body: Body, length: Option<usize>| {
        let request = service
            .call(Method::POST, &path)
            .token(&user)
            .header("content-type", "application/json")
            .body(body);
        match length {
            Some(length) => request.header("content-length", &length.to_string()),
            None => request,
        }
        .send()
    };
    let announced = send(Body::from("x".repeat(1_001)), Some(1_001)).await;
    announced.expect(413, "PAYLOAD_TOO_LARGE");
    assert!(
        announced
            .text()
            .contains("`bodyBytes` is 1000 bytes; the request has 1001 bytes"),
        "{}",
        announced.text()
    );
    let silent = send(Body::from("x".repeat(1_001)), None).await;
    silent.expect(413, "PAYLOAD_TOO_LARGE");
    assert!(silent.text().contains("more than 1000 bytes"));
    let body = json!({ "diff": DIFF, "clientReference": "" }).to_string();
    let padded = format!("{body:<1000}");
    send(Body::from(padded), None).await.ok();
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    brotli::CompressorWriter::new(&mut out, 4096, 5, 20)
        .write_all(bytes)
        .unwrap();
    out
}

#[tokio::test]
async fn compressed_bodies_are_accepted_and_counted_decoded() {
    let service = Service::start().await;
    let (user, path) = service.reviewer().await;
    let body = json!({ "diff": DIFF }).to_string();
    let bomb = vec![b' '; 64 << 20];
    let send = |coding: &str, bytes: Vec<u8>| {
        service
            .call(Method::POST, &path)
            .token(&user)
            .header("content-type", "application/json")
            .header("content-encoding", coding)
            .body(bytes)
            .send()
    };
    for (coding, bytes, code) in [
        ("identity", body.clone().into_bytes(), "200"),
        ("gzip", gzip(body.as_bytes()), "200"),
        ("br", brotli(body.as_bytes()), "200"),
        ("GZIP", gzip(body.as_bytes()), "200"),
        ("Br", brotli(body.as_bytes()), "200"),
        (
            "deflate",
            body.clone().into_bytes(),
            "UNSUPPORTED_MEDIA_TYPE",
        ),
        ("zstd", body.clone().into_bytes(), "UNSUPPORTED_MEDIA_TYPE"),
        (
            "gzip, br",
            body.clone().into_bytes(),
            "UNSUPPORTED_MEDIA_TYPE",
        ),
        ("gzip", b"not gzip at all".to_vec(), "INVALID_REQUEST"),
        (
            "gzip",
            gzip(body.as_bytes())[..20].to_vec(),
            "INVALID_REQUEST",
        ),
        ("br", b"\xff\xff\xff\xff".to_vec(), "INVALID_REQUEST"),
        ("gzip", gzip(&bomb), "PAYLOAD_TOO_LARGE"),
        ("br", brotli(&bomb), "PAYLOAD_TOO_LARGE"),
    ] {
        assert_eq!(send(coding, bytes).await.code(), code, "{coding}");
    }
}

#[tokio::test]
async fn responses_are_compressed_on_request() {
    let service = Service::start().await;
    let (user, _) = service.reviewer().await;
    for coding in ["gzip", "br"] {
        let answer = service
            .get("/v1/limits")
            .token(&user)
            .header("accept-encoding", coding)
            .send()
            .await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("content-encoding")),
            (200, coding)
        );
        assert_ne!(answer.body.first(), Some(&b'{'));
    }
    let plain = service.get("/v1/limits").token(&user).send().await;
    assert_eq!(plain.header("content-encoding"), "");
    plain.ok();
}

#[tokio::test]
async fn the_rate_of_a_token_is_limited() {
    let service = Service::limited(
        Limits {
            requests_per_minute: 3,
            ..Limits::default()
        },
        Act::Nothing,
    )
    .await;
    let (user, other) = (service.user().await, service.user().await);
    for left in [2, 1, 0] {
        let answer = service.get("/v1/limits").token(&user).send().await;
        answer.ok();
        assert_eq!(answer.header("ratelimit-policy"), "\"token\";q=3;w=60");
        assert_eq!(
            answer.header("ratelimit"),
            format!("\"token\";r={left};t={}", (3 - left) * 20)
        );
    }
    let refused = service.get("/v1/limits").token(&user).send().await;
    refused.expect(429, "RATE_LIMITED");
    let seconds: u64 = refused.header("retry-after").parse().unwrap();
    // PostgreSQL's clock advances by itself.
    assert!(
        seconds == 20 || Database::is_postgres() && seconds < 20,
        "{seconds}"
    );
    assert_eq!(
        refused.header("ratelimit"),
        format!("\"token\";r=0;t={seconds}")
    );
    service.get("/v1/limits").token(&other).send().await.ok();
    service.advance(Duration::from_secs(20));
    service
        .database
        .age_shared_limits(Duration::from_secs(20))
        .await;
    service.get("/v1/limits").token(&user).send().await.ok();
    service
        .get("/v1/limits")
        .token(&user)
        .send()
        .await
        .expect(429, "RATE_LIMITED");
}

#[tokio::test]
async fn refused_requests_count_towards_the_rate() {
    let service = Service::limited(
        Limits {
            requests_per_minute: 3,
            ..Limits::default()
        },
        Act::Nothing,
    )
    .await;
    let (owner, path) = service.reviewer().await;
    let plain = review_path(service.organization(&owner).await);
    let missing = review_path(store::OrganizationId::new(service.now()));
    let sound = json!({ "diff": DIFF });
    for (path, body, media_type, accept, refusal) in [
        (
            &missing,
            &sound,
            "application/json",
            "*/*",
            (404, "ORGANIZATION_NOT_FOUND"),
        ),
        (
            &path,
            &json!({}),
            "application/json",
            "*/*",
            (400, "INVALID_REQUEST"),
        ),
        (
            &path,
            &sound,
            "text/plain",
            "*/*",
            (415, "UNSUPPORTED_MEDIA_TYPE"),
        ),
        (
            &path,
            &sound,
            "application/json",
            "text/html",
            (406, "NOT_ACCEPTABLE"),
        ),
        (
            &plain,
            &sound,
            "application/json",
            "*/*",
            (403, "ENTITLEMENT_REQUIRED"),
        ),
    ] {
        let user = service
            .user_with(owner.id, &[store::Scope::ReviewsWrite], None, None)
            .await;
        for left in [2, 1, 0] {
            let request = service
                .call(Method::POST, path)
                .token(&user)
                .body(body.to_string());
            let answer = request
                .header("content-type", media_type)
                .header("accept", accept)
                .send()
                .await;
            answer.expect(refusal.0, refusal.1);
            assert!(
                answer
                    .header("ratelimit")
                    .starts_with(&format!("\"token\";r={left};")),
                "{refusal:?}"
            );
        }
        service
            .get("/v1/limits")
            .token(&user)
            .send()
            .await
            .expect(429, "RATE_LIMITED");
    }
    let user = service.user_with(owner.id, &[], None, None).await;
    for _ in 0..3 {
        service
            .post(&path, &sound)
            .token(&user)
            .send()
            .await
            .expect(403, "INSUFFICIENT_SCOPE");
    }
    service
        .get("/v1/limits")
        .token(&user)
        .send()
        .await
        .expect(429, "RATE_LIMITED");
}

/// A body that counts the bytes that are read of it, in pieces of 1 KiB.
fn counted(bytes: &[u8]) -> (Body, std::sync::Arc<std::sync::atomic::AtomicUsize>) {
    let taken = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let count = std::sync::Arc::clone(&taken);
    let pieces: Vec<Bytes> = bytes.chunks(1 << 10).map(Bytes::copy_from_slice).collect();
    let pieces = pieces.into_iter().inspect(move |piece| {
        count.fetch_add(piece.len(), std::sync::atomic::Ordering::SeqCst);
    });
    (
        Body::from_stream(stream::iter(pieces.map(Ok::<_, Infallible>))),
        taken,
    )
}

#[tokio::test]
async fn long_bodies_are_not_read_for_a_token_over_its_rate() {
    let limits = Limits {
        requests_per_minute: 1,
        user_requests_factor: 1_000,
        ..Limits::default()
    };
    let service = Service::limited(limits, Act::Nothing).await;
    let (owner, path) = service.reviewer().await;
    let body = json!({ "diff": added("x", 100) }).to_string();
    for (target, coding, bytes) in [
        (path.as_str(), "identity", body.clone().into_bytes()),
        (path.as_str(), "gzip", gzip(body.as_bytes())),
        ("/mcp", "gzip", gzip(body.as_bytes())),
        ("/v1/organizations", "identity", body.clone().into_bytes()),
    ] {
        let user = service
            .user_with(owner.id, store::Scope::ALL, None, None)
            .await;
        service.get("/v1/limits").token(&user).send().await.ok();
        let (bytes, taken) = counted(&bytes);
        let request = service
            .call(Method::POST, target)
            .token(&user)
            .header("content-type", "application/json");
        let answer = request
            .header("content-encoding", coding)
            .body(bytes)
            .send()
            .await;
        answer.expect(429, "RATE_LIMITED");
        assert!(answer.header("retry-after").parse::<u64>().unwrap() > 0);
        assert_eq!(
            taken.load(std::sync::atomic::Ordering::SeqCst),
            0,
            "{target} {coding}"
        );
    }
}

#[tokio::test]
async fn without_an_entitlement_a_body_of_any_size_gets_the_refusal_that_comes_first() {
    let service = Service::start().await;
    let member = service.user().await;
    let path = review_path(service.organization(&member).await);
    let limits = Limits::default();
    let review = |diff: String| json!({ "diff": diff }).to_string();
    let padded = |body: String| body + &" ".repeat(1 << 20);
    for (body, status, code, detail) in [
        (
            review(added("x", 1) + &" ".repeat(limits.body_bytes)),
            413,
            "PAYLOAD_TOO_LARGE",
            "`bodyBytes`",
        ),
        (
            review(added("x", limits.diff_bytes / 4)),
            413,
            "PAYLOAD_TOO_LARGE",
            "`diffLines`",
        ),
        (
            review(added("x", 1).replace("+x", &"+x".repeat(limits.diff_bytes / 2))),
            413,
            "PAYLOAD_TOO_LARGE",
            "`diffBytes`",
        ),
        (
            padded(review(files(limits.diff_files + 1))),
            413,
            "PAYLOAD_TOO_LARGE",
            "`diffFiles`",
        ),
        (
            padded(review(merge(limits.combined_parents + 1))),
            413,
            "PAYLOAD_TOO_LARGE",
            "`combinedParents`",
        ),
        (
            padded(json!({ "difff": DIFF }).to_string()),
            400,
            "INVALID_REQUEST",
            "did you mean",
        ),
        (
            padded(review("+x".repeat(100_000))),
            400,
            "INVALID_REQUEST",
            "line 1 is not part",
        ),
        (
            padded(review(DIFF.to_owned())),
            403,
            "ENTITLEMENT_REQUIRED",
            "diff-review",
        ),
    ] {
        for (coding, bytes) in [
            ("identity", body.clone().into_bytes()),
            ("gzip", gzip(body.as_bytes())),
        ] {
            let request = service
                .call(Method::POST, &path)
                .token(&member)
                .header("content-type", "application/json")
                .header("content-encoding", coding);
            let answer = request.body(Body::from(bytes)).send().await;
            answer.expect(status, code);
            assert!(
                answer.text().contains(detail),
                "{detail}: {}",
                answer.text()
            );
        }
    }
}

#[tokio::test]
async fn all_tokens_of_a_user_share_a_rate() {
    let limits = Limits {
        requests_per_minute: 2,
        user_requests_factor: 2,
        ..Limits::default()
    };
    let service = Service::limited(limits, Act::Nothing).await;
    let (user, other) = (service.user().await, service.user().await);
    let mut codes = Vec::new();
    for _ in 0..3 {
        let token = service.user_with(user.id, &[], None, None).await;
        for _ in 0..3 {
            codes.push(service.get("/v1/limits").token(&token).send().await.code());
        }
    }
    let (ok, paced) = ("200", "RATE_LIMITED");
    assert_eq!(
        codes,
        [ok, ok, paced, ok, ok, paced, paced, paced, paced],
        "requests that one token is refused cost the others nothing"
    );
    let token = service.user_with(user.id, &[], None, None).await;
    let refused = service.get("/v1/limits").token(&token).send().await;
    assert!(
        refused.text().contains("tokens together"),
        "{}",
        refused.text()
    );
    assert_eq!(refused.header("ratelimit-policy"), "\"user\";q=4;w=60");
    service.get("/v1/limits").token(&other).send().await.ok();
}

#[tokio::test]
async fn concurrent_reviews_of_a_user_are_limited_across_organizations() {
    let limits = Limits {
        reviews_per_organization: 1,
        user_reviews_factor: 2,
        queue_seconds: 0,
        ..Limits::default()
    };
    let service = Service::limited(limits, Act::Hang).await;
    let (user, (other, _)) = (service.user().await, service.reviewer().await);
    let mut paths = Vec::new();
    for _ in 0..3 {
        let organization = service.organization(&user).await;
        service.join(organization, &other, Role::Member).await;
        service.entitle(organization, &user, None).await;
        service.entitle(organization, &other, None).await;
        paths.push(crate::support::review_path(organization));
    }
    let mut running = Vec::new();
    let begin = |user, path: &String| {
        let request = service.review(user, path).into_request();
        tokio::spawn(tower::ServiceExt::oneshot(service.router.clone(), request))
    };
    for (count, path) in [(1, &paths[0]), (2, &paths[1])] {
        running.push(begin(&user, path));
        service.engine.running(count).await;
    }
    let refused = service.review(&user, &paths[2]).send().await;
    refused.expect(429, "TOO_MANY_REVIEWS");
    assert!(
        refused.text().contains("The user already has 2"),
        "{}",
        refused.text()
    );
    running.push(begin(&other, &paths[2]));
    service.engine.running(3).await;
    running.iter().for_each(tokio::task::JoinHandle::abort);
    service.engine.running(0).await;
    service
        .begin(|| service.review(&user, &paths[2]).into_request())
        .await
        .abort();
}

#[tokio::test]
async fn the_number_of_owned_organizations_is_limited() {
    let limits = Limits {
        organizations_per_user: 2,
        ..Limits::default()
    };
    let service = Service::limited(limits, Act::Nothing).await;
    let (user, other) = (service.user().await, service.user().await);
    let create = async |user| {
        service
            .post("/v1/organizations", &json!({ "name": "Acme" }))
            .token(user)
            .send()
            .await
    };
    let first = create(&user).await.ok();
    create(&user).await.ok();
    let refused = create(&user).await;
    refused.expect(409, "CONFLICT");
    assert!(
        refused.text().contains("`organizationsPerUser` is 2"),
        "{}",
        refused.text()
    );
    let foreign = create(&other).await.ok()["organizationId"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    service.join(foreign, &user, Role::Member).await;
    let member = format!("/v1/organizations/{foreign}/members/{}", user.id);
    let promote = service
        .patch(&member, &json!({ "role": "owner" }))
        .token(&other)
        .send()
        .await;
    promote.expect(409, "CONFLICT");

    let path = format!(
        "/v1/organizations/{}",
        first["organizationId"].as_str().unwrap()
    );
    service
        .delete(&path)
        .token(&user)
        .send()
        .await
        .expect(204, "204");
    create(&user).await.ok();
}

#[tokio::test]
async fn the_number_of_valid_tokens_is_limited() {
    let service = Service::limited(
        Limits {
            tokens_per_user: 3,
            ..Limits::default()
        },
        Act::Nothing,
    )
    .await;
    let user = service.user().await;
    let body =
        json!({ "name": "ci", "scopes": ["reviews:write"], "expiresAt": "2026-11-20T12:01:00Z" });
    let asked = (0..16).map(|_| service.post("/v1/tokens", &body).token(&user).send());
    let codes: Vec<String> = futures_util::future::join_all(asked)
        .await
        .iter()
        .map(|answer| answer.code())
        .collect();
    assert_eq!(
        codes.iter().filter(|code| *code == "201").count(),
        2,
        "and the first"
    );
    assert_eq!(codes.iter().filter(|code| *code == "CONFLICT").count(), 14);
    let refused = service.post("/v1/tokens", &body).token(&user).send().await;
    assert!(
        refused.text().contains("`tokensPerUser` is 3"),
        "{}",
        refused.text()
    );
    service.advance(Duration::from_secs(60));
    let brief = json!({ "name": "ci", "scopes": ["reviews:write"] });
    service
        .post("/v1/tokens", &brief)
        .token(&user)
        .send()
        .await
        .expect(201, "201");
}

#[tokio::test]
async fn concurrent_reviews_are_limited_per_organization_and_in_total() {
    let limits = Limits {
        reviews_per_organization: 2,
        reviews_total: 3,
        queue_seconds: 0,
        ..Limits::default()
    };
    let service = Service::limited(limits, Act::Hang).await;
    let ((user, path), (other, other_path)) = (service.reviewer().await, service.reviewer().await);
    let mut running = Vec::new();
    for (count, user, path) in [
        (1, &user, &path),
        (2, &user, &path),
        (3, &other, &other_path),
    ] {
        let request = service.review(user, path).into_request();
        running.push(tokio::spawn(tower::ServiceExt::oneshot(
            service.router.clone(),
            request,
        )));
        service.engine.running(count).await;
    }
    let refused = service.review(&user, &path).send().await;
    refused.expect(429, "TOO_MANY_REVIEWS");
    service
        .review(&other, &other_path)
        .send()
        .await
        .expect(503, "OVERLOADED");
    service.get("/v1/limits").token(&user).send().await.ok();
    running.iter().for_each(tokio::task::JoinHandle::abort);
    service.engine.running(0).await;
}

/// Limits under which this many reviews of [`DIFF`] fit into memory concurrently.
fn memory_for(reviews: usize) -> Limits {
    let one = review_bytes(DIFF.len());
    Limits {
        review_memory: Some(reviews * one),
        diff_bytes: DIFF.len(),
        queue_seconds: 0,
        ..Limits::default()
    }
}

#[tokio::test]
async fn review_memory_is_limited_and_one_organization_gets_at_most_half() {
    let service = Service::limited(memory_for(4), Act::Hang).await;
    let (one, other, third) = (
        service.reviewer().await,
        service.reviewer().await,
        service.reviewer().await,
    );
    let mut running = Vec::new();
    for (count, (user, path)) in [(1, &one), (2, &one), (3, &other), (4, &other)] {
        let request = service.review(user, path).into_request();
        running.push(tokio::spawn(tower::ServiceExt::oneshot(
            service.router.clone(),
            request,
        )));
        service.engine.running(count).await;
        if count == 2 {
            let refused = service.review(&one.0, &one.1).send().await;
            refused.expect(429, "TOO_MANY_REVIEWS");
            assert!(refused.text().contains("memory"), "{}", refused.text());
        }
    }
    let refused = service.review(&third.0, &third.1).send().await;
    refused.expect(503, "OVERLOADED");
    assert!(
        refused.text().contains("`reviewMemory`"),
        "{}",
        refused.text()
    );
    // Disconnected callers release their resources.
    running.iter().for_each(tokio::task::JoinHandle::abort);
    service.engine.running(0).await;
    let again = service
        .begin(|| service.review(&third.0, &third.1).into_request())
        .await;
    again.abort();
}

#[tokio::test]
async fn a_review_waits_for_memory() {
    let permits = Arc::new(Semaphore::new(0));
    let limits = Limits {
        queue_seconds: 3_600,
        ..memory_for(1)
    };
    let service = Service::limited(limits, Act::Wait(Arc::clone(&permits))).await;
    let ((user, path), (other, other_path)) = (service.reviewer().await, service.reviewer().await);
    let run = |user, path| {
        let request = service.review(user, path).into_request();
        tokio::spawn(tower::ServiceExt::oneshot(service.router.clone(), request))
    };
    let first = run(&user, &path);
    service.engine.running(1).await;
    let left = run(&other, &other_path);
    let second = run(&other, &other_path);
    left.abort();
    permits.add_permits(2);
    assert_eq!(first.await.unwrap().unwrap().status(), 200);
    assert_eq!(second.await.unwrap().unwrap().status(), 200);
}

#[tokio::test]
async fn a_diff_that_can_never_fit_into_memory_is_refused() {
    let memory = review_bytes(DIFF.len()) - 1;
    let limits = Limits {
        review_memory: Some(memory),
        ..Limits::default()
    };
    let service = Service::limited(limits, Act::Nothing).await;
    let (user, path) = service.reviewer().await;
    let refused = service.review(&user, &path).send().await;
    refused.expect(413, "PAYLOAD_TOO_LARGE");
    for part in [
        "`reviewMemory`",
        &format!("{memory} bytes"),
        &format!("{} bytes", memory + 1),
    ] {
        assert!(
            refused.text().contains(part),
            "{} has no {part}",
            refused.text()
        );
    }
    service
        .post(&path, &json!({ "diff": added("x", 1) }))
        .token(&user)
        .send()
        .await
        .ok();
    let limits = service.get("/v1/limits").token(&user).send().await.ok();
    assert_eq!(limits["limits"]["reviewMemory"], memory);
}

#[tokio::test]
async fn body_memory_is_limited_and_one_organization_cannot_take_all_of_it() {
    let limits = Limits {
        body_bytes: 128 << 10,
        reviews_per_organization: 2,
        queue_seconds: 0,
        ..Limits::default()
    };
    let service = Service::limited(limits, Act::Hang).await;
    let ((user, path), (other, other_path)) = (service.reviewer().await, service.reviewer().await);
    let large = |user, path| {
        let body = json!({ "diff": DIFF }).to_string() + &" ".repeat(127 << 10);
        service
            .call(Method::POST, path)
            .token(user)
            .header("content-type", "application/json")
            .body(body)
    };
    let mut running = Vec::new();
    for count in [1, 2] {
        let request = large(&user, &path).into_request();
        running.push(tokio::spawn(tower::ServiceExt::oneshot(
            service.router.clone(),
            request,
        )));
        service.engine.running(count).await;
    }
    let refused = large(&user, &path).send().await;
    refused.expect(503, "OVERLOADED");
    assert_eq!(refused.header("retry-after"), "1");
    let request = large(&other, &other_path).into_request();
    running.push(tokio::spawn(tower::ServiceExt::oneshot(
        service.router.clone(),
        request,
    )));
    service.engine.running(3).await;
    running.iter().for_each(tokio::task::JoinHandle::abort);
    service.engine.running(0).await;
    service
        .begin(|| large(&user, &path).into_request())
        .await
        .abort();
}

#[tokio::test]
async fn an_entitlement_has_a_monthly_quota() {
    let service = Service::start().await;
    let user = service.user().await;
    let organization = service.organization(&user).await;
    let path = crate::support::review_path(organization);
    service.entitle(organization, &user, Some(2)).await;
    for _ in 0..2 {
        service.review(&user, &path).send().await.ok();
    }
    let refused = service.review(&user, &path).send().await;
    refused.expect(429, "QUOTA_EXCEEDED");
    let seconds: u64 = refused.header("retry-after").parse().unwrap();
    assert_eq!(seconds, 10 * 86_400 + 43_200, "until December 1");
    service.advance(Duration::from_secs(seconds - 1));
    service
        .review(&user, &path)
        .send()
        .await
        .expect(429, "QUOTA_EXCEEDED");
    service.advance(Duration::from_secs(1));
    service.review(&user, &path).send().await.ok();
}

#[tokio::test]
async fn a_review_that_failed_does_not_count_against_the_quota() {
    let service = Service::limited(Limits::default(), Act::Fail).await;
    let user = service.user().await;
    let organization = service.organization(&user).await;
    let path = crate::support::review_path(organization);
    service.entitle(organization, &user, Some(1)).await;
    for _ in 0..2 {
        service
            .review(&user, &path)
            .send()
            .await
            .expect(502, "ANALYSIS_FAILED");
    }
}

#[tokio::test]
async fn a_review_of_a_disconnected_caller_does_not_count_against_the_quota() {
    let service = Service::limited(Limits::default(), Act::Hang).await;
    let (user, path) = service.reviewer().await;
    let organization = path.split('/').nth(3).unwrap().parse().unwrap();
    let reviews = async || {
        let days = service
            .store
            .list_usage_of_days(organization, "2000-01-01", "2100-01-01")
            .await
            .unwrap();
        days.iter().map(|day| day.usage.reviews).sum::<u64>()
    };
    for accept in ["application/json", "text/event-stream"] {
        let request = service
            .review(&user, &path)
            .header("accept", accept)
            .into_request();
        let running = tokio::spawn(tower::ServiceExt::oneshot(service.router.clone(), request));
        service.engine.running(1).await;
        assert_eq!(reviews().await, 1);
        // Once a stream has begun there is a response, so its body is dropped.
        if accept == "text/event-stream" {
            let answer = running.await.unwrap().unwrap();
            assert_eq!(
                answer.headers()["x-accel-buffering"],
                "no",
                "proxies pass each event on"
            );
        } else {
            running.abort()
        }
        let given_back = async {
            while reviews().await > 0 {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(30), given_back)
            .await
            .expect("the review is returned");
    }
}

#[tokio::test]
async fn an_entitlement_must_be_active() {
    let service = Service::start().await;
    let user = service.user().await;
    let organization = service.organization(&user).await;
    let path = crate::support::review_path(organization);
    service
        .review(&user, &path)
        .send()
        .await
        .expect(403, "ENTITLEMENT_REQUIRED");
    service.entitle(organization, &user, None).await;
    service.review(&user, &path).send().await.ok();
    service.suspend_entitlement(organization, &user).await;
    let refused = service.review(&user, &path).send().await;
    refused.expect(403, "ENTITLEMENT_REQUIRED");
    assert!(refused.text().contains("diff-review"));
}

#[tokio::test]
async fn findings_beyond_the_limit_are_cut_with_a_warning() {
    let service = Service::limited(
        Limits {
            findings: 3,
            ..Limits::default()
        },
        Act::Find,
    )
    .await;
    let (user, path) = service.reviewer().await;
    let diff = (0..5)
        .map(|at| format!("--- /dev/null\n+++ b/f{at}.py\n@@ -0,0 +1 @@\n+x{at} = {at}\n"))
        .collect::<String>();
    let review = service
        .post(&path, &json!({ "diff": diff }))
        .token(&user)
        .send()
        .await
        .ok();
    assert_eq!(review["findings"].as_array().unwrap().len(), 3);
    let codes: Vec<&Value> = review["metadata"]["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|warning| &warning["code"])
        .collect();
    assert!(codes.contains(&&json!("FINDINGS_TRUNCATED")), "{codes:?}");
}

#[tokio::test]
async fn every_limit_in_force_can_be_read() {
    let values: BTreeMap<&str, u64> = LIMITS
        .iter()
        .map(|limit| (limit.name, limit.default.unwrap_or(limit.least) + 1))
        .collect();
    let limits = Limits::from_settings(|name| values.get(name).copied()).unwrap();
    let service = Service::limited(
        Limits {
            provider_call_seconds: Some(31),
            look_ups: Some(7),
            ..limits
        },
        Act::Nothing,
    )
    .await;
    let user = service.user().await;
    let mut expected = json!({ "organizationNameCharacters": 120, "reviewGuidelinesBytes": 8_192, "contextFiles": 400,
            "contextFilesBytes": 4_194_304, "contextPaths": 50_000, "contextPathsBytes": 4_194_304, "providerCallSeconds": 31, "lookUps": 7 });
    for limit in LIMITS {
        expected[limit.api_name()] = json!(values[limit.name]);
    }
    assert_eq!(
        service.get("/v1/limits").token(&user).send().await.ok()["limits"],
        expected
    );
    let document = service.get("/openapi.json").send().await.json();
    let (text, properties) = (
        &document["info"]["description"],
        &document["components"]["schemas"]["Limits"]["properties"],
    );
    for (name, value) in expected.as_object().unwrap() {
        assert!(
            text.as_str()
                .unwrap()
                .contains(&format!("| `{name}` | {value} |")),
            "{name}"
        );
        assert_eq!(&properties[name]["example"], value, "{name}");
    }
    for limit in LIMITS {
        let described = properties[limit.api_name()]["description"]
            .as_str()
            .unwrap();
        assert!(
            described
                .split_whitespace()
                .eq(limit.about.split_whitespace()),
            "{}: {described}",
            limit.name
        );
    }
}

#[tokio::test]
async fn an_encoding_without_content_is_not_read_endlessly() {
    let service = Service::start().await;
    let (user, path) = service.reviewer().await;
    let stored = b"\0\0\0\xff\xff";
    let head = gzip(b"")[..10].to_vec();
    for (coding, start, endless, code) in [
        ("gzip", Vec::new(), gzip(b""), "INVALID_REQUEST"),
        ("gzip", head, stored.to_vec(), "PAYLOAD_TOO_LARGE"),
        // Metadata without bytes.
        ("br", vec![0x0c], vec![0x06], "PAYLOAD_TOO_LARGE"),
    ] {
        let chunk = Bytes::from(endless.repeat((64 << 10) / endless.len()));
        let chunks = stream::iter([Bytes::from(start)]).chain(stream::repeat(chunk));
        let body = Body::from_stream(chunks.map(Ok::<_, Infallible>));
        let request = service
            .call(Method::POST, &path)
            .token(&user)
            .header("content-type", "application/json");
        let answer = request
            .header("content-encoding", coding)
            .body(body)
            .send()
            .await;
        assert_eq!(answer.code(), code, "{coding}: {}", answer.text());
    }
}
