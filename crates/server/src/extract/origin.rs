//! The origin of a browser's request: a page of this service, or another site.

use axum::http::request::Parts;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, header};

use crate::Settings;
use crate::error::{Code, Problem};
use crate::loopback::{is_address, is_loopback};

const SEC_FETCH_DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Refuses a request made by a page of another origin.
///
/// Browsers set `Sec-Fetch-Site` themselves, and it is right even behind a proxy that changes `Host`. Browsers that
/// do not send it send `Origin`, which must be the public URL or match the authority of the request. A request with
/// neither is refused.
///
/// # Errors
/// [`Code::CrossSite`].
pub(crate) fn check(parts: &Parts, settings: &Settings) -> Result<(), Problem> {
    let ours = match text(&parts.headers, SEC_FETCH_SITE) {
        Some(site) => site == "same-origin",
        None => is_public(parts, settings) || is_of_authority(parts),
    };
    if ours {
        Ok(())
    } else {
        Err(Problem::new(
            Code::CrossSite,
            "The request does not come from a page of this service.",
        ))
    }
}

/// Refuses a request that does not open a page, such as that of an image embedded in another site. Browsers that do
/// not send `Sec-Fetch-Dest` are not refused.
///
/// # Errors
/// [`Code::CrossSite`].
pub(crate) fn check_page(parts: &Parts) -> Result<(), Problem> {
    match text(&parts.headers, SEC_FETCH_DEST) {
        None | Some("document") => Ok(()),
        Some(_) => Err(Problem::new(
            Code::CrossSite,
            "This URL must be opened as a page.",
        )),
    }
}

fn is_public(parts: &Parts, settings: &Settings) -> bool {
    settings
        .public_url
        .as_deref()
        .is_some_and(|public| text(&parts.headers, header::ORIGIN) == Some(public))
}

fn is_of_authority(parts: &Parts) -> bool {
    origin(parts)
        .zip(authority(parts))
        .is_some_and(|((_, origin), own)| origin.eq_ignore_ascii_case(own))
}

/// Whether the page that made a request has the service's own origin: that of its public URL or, on an address
/// without name resolution (this machine's, or a literal one), that of the request. A matching name alone proves
/// nothing, because an attacker may have pointed theirs to this address (DNS rebinding).
pub(crate) fn is_own(parts: &Parts, settings: &Settings) -> bool {
    let is_single = parts.headers.get_all(header::ORIGIN).iter().count() == 1;
    let is_of_address = || is_of_authority(parts) && authority(parts).is_some_and(is_address);
    is_single && (is_public(parts, settings) || is_of_address())
}

/// The service's address, for clients other than browsers; `None` if the request does not contain a valid one.
pub(crate) fn address(parts: &Parts, settings: &Settings) -> Option<String> {
    if let Some(public) = &settings.public_url {
        return Some(public.clone());
    }
    let authority = authority(parts)?
        .parse::<Authority>()
        .ok()
        .filter(|authority| !authority.as_str().contains('@'))?;
    let scheme = if settings.tls || !is_loopback(authority.as_str()) {
        "https"
    } else {
        "http"
    };
    Some(format!("{scheme}://{authority}"))
}

/// The service's origin as the browser sees it: the public URL, or that of the request.
pub(crate) fn own(parts: &Parts, settings: &Settings) -> String {
    if let Some(public) = &settings.public_url {
        return public.clone();
    }
    let (scheme, authority) = origin(parts).unwrap_or_else(|| {
        (
            if is_plain_loopback(parts, settings) {
                "http"
            } else {
                "https"
            },
            authority(parts).unwrap_or_default(),
        )
    });
    format!("{scheme}://{authority}")
}

/// Whether the browser talks to this machine without TLS, where it accepts no cookie that requires TLS.
pub(crate) fn is_plain_loopback(parts: &Parts, settings: &Settings) -> bool {
    if settings.is_https() {
        return false;
    }
    match origin(parts) {
        Some((scheme, authority)) => scheme == "http" && is_loopback(authority),
        None => is_at_loopback(parts),
    }
}

/// Whether the browser shows a page without TLS and would not keep a session. On this machine, that depends on the
/// settings.
pub(crate) fn is_plain_elsewhere(parts: &Parts, settings: &Settings) -> bool {
    origin(parts).is_some_and(|(scheme, authority)| {
        scheme == "http" && (settings.is_https() || !is_loopback(authority))
    })
}

/// Whether the address in the browser is one of this machine.
pub(crate) fn is_at_loopback(parts: &Parts) -> bool {
    authority(parts).is_some_and(is_loopback)
}

/// Scheme and authority of the page.
fn origin(parts: &Parts) -> Option<(&str, &str)> {
    text(&parts.headers, header::ORIGIN)?.split_once("://")
}

/// The authority of the request (RFC 9110 section 7.2).
fn authority(parts: &Parts) -> Option<&str> {
    parts
        .uri
        .authority()
        .map(Authority::as_str)
        .or_else(|| text(&parts.headers, header::HOST))
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

#[cfg(test)]
mod tests {
    use axum::http::Request;
    use axum::http::request::Parts;

    use crate::Settings;

    use super::{check, is_at_loopback, is_plain_elsewhere, is_plain_loopback};

    fn parts(headers: &[(&str, &str)]) -> Parts {
        let request = headers
            .iter()
            .fold(Request::post("/"), |request, (name, value)| {
                request.header(*name, *value)
            });
        request.body(()).unwrap().into_parts().0
    }

    #[test]
    fn only_a_page_of_this_service_may_request_a_change() {
        for (headers, ours) in [
            (&[("sec-fetch-site", "same-origin")][..], true),
            (
                &[
                    ("sec-fetch-site", "same-origin"),
                    ("origin", "https://a.example"),
                    ("host", "127.0.0.1:1"),
                ],
                true,
            ),
            (
                &[
                    ("sec-fetch-site", "same-site"),
                    ("origin", "https://a.example"),
                    ("host", "a.example"),
                ],
                false,
            ),
            (&[("sec-fetch-site", "cross-site")], false),
            (&[("sec-fetch-site", "none")], false),
            (
                &[("origin", "https://a.example"), ("host", "a.example")],
                true,
            ),
            (
                &[
                    ("origin", "http://localhost:8080"),
                    ("host", "localhost:8080"),
                ],
                true,
            ),
            (
                &[("origin", "https://a.example"), ("host", "b.example")],
                false,
            ),
            (
                &[("origin", "https://a.example:444"), ("host", "a.example")],
                false,
            ),
            (&[("origin", "null"), ("host", "a.example")], false),
            (&[("host", "a.example")], false),
            (&[], false),
        ] {
            assert_eq!(
                check(&parts(headers), &Settings::default()).is_ok(),
                ours,
                "{headers:?}"
            );
        }
    }

    #[test]
    fn this_machine_is_recognized_by_the_address_in_the_browser() {
        for (origin, host, plain, elsewhere, here) in [
            ("http://127.0.0.1:8080", "127.0.0.1:8080", true, false, true),
            ("http://localhost", "localhost", true, false, true),
            ("http://[::1]:8080", "[::1]:8080", true, false, true),
            (
                "https://localhost:8443", "localhost:8443", false, false, true,
            ),
            ("https://a.example", "127.0.0.1:8080", false, false, true),
            ("http://a.example", "a.example", false, true, false),
            (
                "http://127.0.0.1.a.example", "127.0.0.1.a.example", false, true, false,
            ),
            ("https://a.example", "a.example", false, false, false),
        ] {
            let parts = parts(&[("origin", origin), ("host", host)]);
            let settings = Settings::default();
            let found = (
                is_plain_loopback(&parts, &settings),
                is_plain_elsewhere(&parts, &settings),
                is_at_loopback(&parts),
            );
            assert_eq!(found, (plain, elsewhere, here), "{origin} {host}");
        }
    }
}
