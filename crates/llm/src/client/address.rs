//! The address of a model.

use std::net::IpAddr;

use reqwest::Url;

use crate::protocol::Endpoint;

/// The address of an endpoint below `base`. A query is kept, because Azure's older addresses contain the version in it.
pub(super) fn of(base: &str, endpoint: &Endpoint) -> Option<Url> {
    let mut url = Url::parse(base.trim()).ok()?;
    let known = matches!(url.scheme(), "http" | "https") && url.has_host();
    if !known || !url.username().is_empty() || url.password().is_some() {
        return None;
    }
    let version = (url.path() == "/").then_some(endpoint.version);
    url.set_fragment(None);
    // Some users configure the whole address.
    let end = format!("/{}", endpoint.segments.join("/"));
    if let Some(base) = url.path().trim_end_matches('/').strip_suffix(&end) {
        let base = base.to_owned();
        url.set_path(&base);
    }
    let path = version
        .into_iter()
        .chain(endpoint.segments.iter().map(String::as_str));
    url.path_segments_mut().ok()?.pop_if_empty().extend(path);
    if let Some((name, value)) = endpoint.parameter {
        url.query_pairs_mut().append_pair(name, value);
    }
    Some(url)
}

/// Whether the address is on this machine.
pub(super) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(base: &str) -> Option<String> {
        let segments = vec!["chat".to_owned(), "completions".to_owned()];
        of(
            base,
            &Endpoint {
                version: "v1",
                segments,
                parameter: None,
                headers: Vec::new(),
            },
        )
        .map(String::from)
    }

    #[test]
    fn the_path_is_appended_to_the_base() {
        for (base, address) in [
            (
                "https://api.openai.com/v1",
                "https://api.openai.com/v1/chat/completions",
            ),
            (
                "https://api.openai.com/v1/#top",
                "https://api.openai.com/v1/chat/completions",
            ),
            (
                "https://api.openai.com",
                "https://api.openai.com/v1/chat/completions",
            ),
            (
                "https://api.openai.com/v1/chat/completions",
                "https://api.openai.com/v1/chat/completions",
            ),
            (
                "http://vllm:8000/chat/completions/", "http://vllm:8000/chat/completions",
            ),
            (
                " http://vllm:8000/ ", "http://vllm:8000/v1/chat/completions",
            ),
            (
                "https://x.openai.azure.com/openai/v1",
                "https://x.openai.azure.com/openai/v1/chat/completions",
            ),
            (
                "https://x.example/openai/deployments/d?api-version=1",
                "https://x.example/openai/deployments/d/chat/completions?api-version=1",
            ),
        ] {
            assert_eq!(at(base).as_deref(), Some(address), "{base}");
        }
    }

    #[test]
    fn an_invalid_address_is_rejected() {
        for base in [
            "", "api.openai.com/v1", "ftp://example.com", "mailto:a@b", "https://",
            "https://user:secret@example.com", "https://user@example.com",
        ] {
            assert_eq!(at(base), None, "{base}");
        }
    }

    #[test]
    fn loopback_addresses_are_recognized() {
        let loopback = |base: &str| is_loopback(&Url::parse(base).unwrap());
        assert!(
            [
                "http://localhost:1", "http://127.0.0.1", "http://127.9.9.9", "http://[::1]:1"
            ]
            .into_iter()
            .all(loopback)
        );
        assert!(
            ![
                "http://localhost.example.com", "http://10.0.0.1", "http://[::2]"
            ]
            .into_iter()
            .any(loopback)
        );
    }
}
