//! Content negotiation (RFC 9110 section 12.5.1).

use axum::http::{HeaderMap, header};

use crate::error::{Code, Problem};

/// A media type that an operation can return.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MediaType {
    /// `application/json`
    Json,
    /// `text/event-stream`
    EventStream,
}

impl MediaType {
    const fn parts(self) -> (&'static str, &'static str) {
        match self {
            Self::Json => ("application", "json"),
            Self::EventStream => ("text", "event-stream"),
        }
    }
}

/// One element of an `Accept` header field.
struct Range<'a> {
    kind: &'a str,
    subtype: &'a str,
    /// Quality in thousandths; 0 excludes.
    quality: u16,
}

/// Chooses the offer that the client prefers; among equals the one with the most specific range, then the default.
///
/// # Errors
/// [`Code::NotAcceptable`] if every offer is excluded.
pub(super) fn negotiate(headers: &HeaderMap, offers: &[MediaType]) -> Result<MediaType, Problem> {
    let fields: Vec<&str> = headers
        .get_all(header::ACCEPT)
        .iter()
        .filter_map(|field| field.to_str().ok())
        .collect();
    let ranges: Vec<Range<'_>> = fields
        .iter()
        .flat_map(|field| field.split(','))
        .filter_map(range)
        .collect();
    let ranked = offers
        .iter()
        .rev()
        .map(|offer| (rank(*offer, &ranges), *offer));
    match ranked.max_by_key(|(rank, _)| *rank) {
        Some(((quality, _), offer)) if quality > 0 => Ok(offer),
        _ => Err(not_acceptable(offers)),
    }
}

/// Whether the client accepts an offer.
pub(crate) fn accepts(headers: &HeaderMap, offer: MediaType) -> bool {
    negotiate(headers, &[offer]).is_ok()
}

/// The quality of the most specific range that covers the offer, and its specificity.
fn rank(offer: MediaType, ranges: &[Range<'_>]) -> (u16, u8) {
    if ranges.is_empty() {
        return (1000, 0);
    }
    let (kind, subtype) = offer.parts();
    let exactness = |range: &Range<'_>| match (range.kind, range.subtype) {
        ("*", "*") => Some(1),
        (k, "*") if k.eq_ignore_ascii_case(kind) => Some(2),
        (k, s) if k.eq_ignore_ascii_case(kind) && s.eq_ignore_ascii_case(subtype) => Some(3),
        _ => None,
    };
    let covering = ranges
        .iter()
        .filter_map(|range| exactness(range).map(|exact| (exact, range.quality)));
    covering
        .max()
        .map_or((0, 0), |(exact, quality)| (quality, exact))
}

fn range(element: &str) -> Option<Range<'_>> {
    let mut parts = element.split(';').map(str::trim);
    let (kind, subtype) = parts.next()?.split_once('/')?;
    let quality =
        parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
    let quality = quality
        .map_or(1.0, |text| text.parse::<f32>().unwrap_or(0.0))
        .clamp(0.0, 1.0);
    Some(Range {
        kind,
        subtype,
        quality: thousandths(quality),
    })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "0 to 1 becomes 0 to 1000"
)]
fn thousandths(quality: f32) -> u16 {
    (quality * 1000.0) as u16
}

fn not_acceptable(offers: &[MediaType]) -> Problem {
    let names: Vec<String> = offers
        .iter()
        .map(|offer| offer.parts())
        .map(|(kind, sub)| format!("`{kind}/{sub}`"))
        .collect();
    Problem::new(
        Code::NotAcceptable,
        format!("The operation returns {}.", names.join(" or ")),
    )
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue, header};

    use super::MediaType::{EventStream, Json};
    use super::{MediaType, negotiate};

    fn chosen(accept: &str, offers: &[MediaType]) -> Option<MediaType> {
        let headers: HeaderMap = [(header::ACCEPT, HeaderValue::from_str(accept).unwrap())]
            .into_iter()
            .collect();
        negotiate(&headers, offers).ok()
    }

    #[test]
    fn the_best_offer_wins() {
        let both = &[Json, EventStream];
        for (accept, expected) in [
            ("*/*", Some(Json)),
            ("application/json", Some(Json)),
            ("text/event-stream", Some(EventStream)),
            ("text/event-stream, */*", Some(EventStream)),
            ("text/event-stream;q=0.5, application/json", Some(Json)),
            ("text/event-stream, application/json", Some(Json)),
            ("Application/*;q=0.1", Some(Json)),
            ("text/html, */*;q=0.8", Some(Json)),
            ("*/*, application/json;q=0", Some(EventStream)),
            ("text/html", None),
            ("application/json;q=0", None),
            ("nonsense", Some(Json)),
        ] {
            assert_eq!(chosen(accept, both), expected, "{accept}");
        }
        assert_eq!(chosen("text/event-stream", &[Json]), None);
        assert_eq!(negotiate(&HeaderMap::new(), both).ok(), Some(Json));
    }
}
