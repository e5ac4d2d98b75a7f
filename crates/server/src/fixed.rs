//! Bodies that never change. All responses share the same bytes, compressed ones included, so that a client that
//! requests much and reads nothing costs no memory.

use std::io::Write;
use std::sync::OnceLock;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};

/// Window and quality of brotli. Each body is compressed only once, so it may take time.
const BROTLI_QUALITY: u32 = 9;
const BROTLI_WINDOW: u32 = 22;
const BROTLI_BUFFER: usize = 4 << 10;

/// A body and its encodings, which are made on first use.
#[derive(Debug)]
pub(crate) struct Fixed {
    media_type: HeaderValue,
    plain: Bytes,
    gzip: OnceLock<Bytes>,
    brotli: OnceLock<Bytes>,
}

type Compress = fn(&[u8]) -> Option<Vec<u8>>;

#[derive(Clone, Copy)]
enum Coding {
    Gzip,
    Brotli,
}

impl Fixed {
    pub(crate) fn new(media_type: &'static str, text: impl Into<Bytes>) -> Self {
        let media_type = HeaderValue::from_static(media_type);
        Self {
            media_type,
            plain: text.into(),
            gzip: OnceLock::new(),
            brotli: OnceLock::new(),
        }
    }

    /// The response to a request with this header.
    pub(crate) fn answer(&self, request: &HeaderMap) -> Response {
        let coded = accepted(request).and_then(|coding| self.coded(coding));
        let body = coded.as_ref().map_or(&self.plain, |(_, bytes)| bytes);
        let mut response = Body::from(body.clone()).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, self.media_type.clone());
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if let Some((name, _)) = coded {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
        }
        response
    }

    fn coded(&self, coding: Coding) -> Option<(&'static str, Bytes)> {
        let (name, made, make): (_, _, Compress) = match coding {
            Coding::Gzip => ("gzip", &self.gzip, gzip),
            Coding::Brotli => ("br", &self.brotli, brotli),
        };
        let bytes = made.get_or_init(|| make(&self.plain).unwrap_or_default().into());
        (!bytes.is_empty()).then(|| (name, bytes.clone()))
    }
}

/// The best coding that the client accepts.
fn accepted(headers: &HeaderMap) -> Option<Coding> {
    let values = headers
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok());
    let items: Vec<&str> = values.flat_map(|value| value.split(',')).collect();
    let takes = |coding: &str| items.iter().any(|item| is(item, coding));
    if takes("br") {
        Some(Coding::Brotli)
    } else {
        takes("gzip").then_some(Coding::Gzip)
    }
}

/// Whether an item of `Accept-Encoding` names this coding with a weight above 0.
fn is(item: &str, coding: &str) -> bool {
    let (name, parameters) = item.split_once(';').unwrap_or((item, ""));
    let weight = parameters
        .trim()
        .strip_prefix("q=")
        .map_or(Ok(1.0), str::parse::<f32>);
    name.trim().eq_ignore_ascii_case(coding) && weight.is_ok_and(|weight| weight > 0.0)
}

fn gzip(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}

fn brotli(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut encoder =
        brotli::CompressorWriter::new(&mut out, BROTLI_BUFFER, BROTLI_QUALITY, BROTLI_WINDOW);
    encoder.write_all(bytes).ok()?;
    // Dropping the encoder writes its end.
    drop(encoder);
    Some(out)
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;
    use axum::http::{HeaderMap, HeaderValue, header};

    use super::Fixed;

    async fn body(fixed: &Fixed, accept: &'static str) -> axum::body::Bytes {
        let headers =
            HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(accept))]);
        to_bytes(fixed.answer(&headers).into_body(), usize::MAX)
            .await
            .unwrap()
    }

    #[tokio::test]
    async fn every_answer_has_the_same_bytes_in_memory() {
        let fixed = Fixed::new("text/plain", "many words ".repeat(1_000));
        for accept in ["identity", "gzip", "br", "gzip, br;q=0"] {
            assert_eq!(
                body(&fixed, accept).await.as_ptr(),
                body(&fixed, accept).await.as_ptr(),
                "{accept}"
            );
        }
        assert_eq!(
            body(&fixed, "gzip").await,
            body(&fixed, "br;q=0, GZIP;q=0.5").await
        );
        assert!(
            body(&fixed, "br").await.len() < 1_000 && body(&fixed, "deflate").await.len() == 11_000
        );
    }
}
