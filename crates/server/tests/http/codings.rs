//! Encoded bodies: decoding, and the memory that it takes.

use std::convert::Infallible;
use std::io::Write as _;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{Method, Request};
use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt as _, StreamExt as _, stream};
use serde_json::json;
use server::Limits;
use tokio::time::timeout;
use tower::ServiceExt as _;

use crate::support::{Act, DIFF, Service, User};

/// Timeout, longer than any answer takes.
const TIMEOUT: Duration = Duration::from_secs(30);

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn brotli(mut bytes: &[u8], lgwin: i32) -> Vec<u8> {
    let mut out = Vec::new();
    let params = BrotliEncoderParams {
        quality: 5,
        lgwin,
        large_window: lgwin > 24,
        ..BrotliEncoderParams::default()
    };
    brotli::BrotliCompress(&mut bytes, &mut out, &params).unwrap();
    out
}

fn coded(
    service: &Service,
    user: &User,
    path: &str,
    coding: &str,
    body: impl Into<Body>,
) -> Request<Body> {
    let request = service
        .call(Method::POST, path)
        .token(user)
        .header("content-type", "application/json");
    request
        .header("content-encoding", coding)
        .body(body)
        .into_request()
}

/// The code of the answer.
async fn answer(service: &Service, request: Request<Body>) -> String {
    let response = service.router.clone().oneshot(request).await.unwrap();
    if response.status().is_success() {
        return response.status().as_u16().to_string();
    }
    let body = axum::body::to_bytes(response.into_body(), usize::MAX)
        .await
        .unwrap();
    let problem: serde_json::Value = serde_json::from_slice(&body).unwrap();
    problem["code"].as_str().unwrap().to_owned()
}

/// A body that arrives in pieces of this many bytes.
fn in_pieces(bytes: &[u8], size: usize) -> Body {
    let pieces: Vec<_> = bytes
        .chunks(size)
        .map(|piece| Ok::<_, Infallible>(Bytes::copy_from_slice(piece)))
        .collect();
    Body::from_stream(stream::iter(pieces))
}

#[tokio::test]
async fn encoded_bodies_are_decoded_completely_in_pieces_of_any_size() {
    let service = Service::start().await;
    let (user, path) = service.reviewer().await;
    // It is large, so that a decoder has to return it in pieces.
    let body = json!({ "diff": DIFF }).to_string() + &" ".repeat(1 << 20);
    let half = body.len() / 2;
    let members = [
        gzip(&body.as_bytes()[..half]),
        gzip(b""),
        gzip(&body.as_bytes()[half..]),
    ]
    .concat();
    let whole = [
        ("gzip", gzip(body.as_bytes())),
        ("gzip", members),
        ("br", brotli(body.as_bytes(), 22)),
    ];
    for (coding, bytes) in whole {
        let begun = bytes[..bytes.len() - 1].to_vec();
        let followed = [bytes.as_slice(), b"x"].concat();
        for (bytes, code) in [
            (bytes, "200"),
            (begun, "INVALID_REQUEST"),
            (followed, "INVALID_REQUEST"),
        ] {
            for size in [1, 7, bytes.len()] {
                let request = coded(&service, &user, &path, coding, in_pieces(&bytes, size));
                assert_eq!(
                    answer(&service, request).await,
                    code,
                    "{coding} in pieces of {size} bytes"
                );
            }
        }
    }
    let many = [gzip(body.as_bytes()), gzip(b"").repeat(5_000)].concat();
    assert_eq!(
        answer(&service, coded(&service, &user, &path, "gzip", many)).await,
        "INVALID_REQUEST"
    );
    let twice = service
        .call(Method::POST, &path)
        .token(&user)
        .header("content-type", "application/json");
    let twice = twice
        .header("content-encoding", "gzip")
        .header("content-encoding", "br")
        .body(gzip(body.as_bytes()));
    assert_eq!(
        answer(&service, twice.into_request()).await,
        "UNSUPPORTED_MEDIA_TYPE"
    );
}

#[tokio::test]
async fn brotli_windows_beyond_the_standard_are_refused() {
    let service = Service::start().await;
    let (user, path) = service.reviewer().await;
    let body = json!({ "diff": DIFF }).to_string();
    for (lgwin, code) in [
        (10, "200"),
        (16, "200"),
        (17, "200"),
        (22, "200"),
        (24, "200"),
        (25, "INVALID_REQUEST"),
    ] {
        let request = coded(&service, &user, &path, "br", brotli(body.as_bytes(), lgwin));
        assert_eq!(answer(&service, request).await, code, "2^{lgwin} bytes");
    }
}

#[tokio::test]
async fn decoder_memory_is_limited_and_one_user_cannot_take_all_of_it() {
    let limits = Limits {
        queue_seconds: 0,
        ..Limits::default()
    };
    let service = Service::limited(limits, Act::Nothing).await;
    let ((user, path), (other, other_path)) = (service.reviewer().await, service.reviewer().await);
    let body = brotli(json!({ "diff": DIFF }).to_string().as_bytes(), 24);
    let unfinished = || {
        let start = stream::iter([Ok::<_, Infallible>(Bytes::copy_from_slice(&body[..1]))]);
        let request = coded(
            &service,
            &user,
            &path,
            "br",
            Body::from_stream(start.chain(stream::pending())),
        );
        service.router.clone().oneshot(request)
    };
    // A window, its initial buffer, and tables: 28 MiB each, of 128.
    let mut begun: FuturesUnordered<_> = (0..16).map(|_| unfinished()).collect();
    for _ in 0..12 {
        let refused = timeout(TIMEOUT, begun.next())
            .await
            .expect("there is not room for all")
            .unwrap()
            .unwrap();
        assert_eq!(refused.status().as_u16(), 503);
    }
    assert!(
        begun.next().now_or_never().is_none(),
        "there is room for some"
    );
    assert_eq!(
        answer(
            &service,
            coded(&service, &other, &other_path, "br", body.clone())
        )
        .await,
        "200"
    );
    assert_eq!(
        answer(&service, coded(&service, &user, &path, "br", body.clone())).await,
        "OVERLOADED"
    );
    drop(begun);
    assert_eq!(
        answer(&service, coded(&service, &user, &path, "br", body)).await,
        "200"
    );
}
