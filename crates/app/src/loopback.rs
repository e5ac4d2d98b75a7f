//! Addresses of this machine.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// Whether the address is on this machine.
pub(crate) fn is_loopback(url: &reqwest::Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

/// Whether nobody on the way can read what is sent to the address: it goes over TLS, or does not leave this machine.
pub(crate) fn is_private(url: &reqwest::Url) -> bool {
    url.scheme() == "https" || (url.scheme() == "http" && is_loopback(url))
}

/// Where this machine reaches a service that listens at the address, which may stand for all addresses.
pub(crate) fn reachable(listens: SocketAddr) -> SocketAddr {
    let ip = match listens.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listens.port())
}

#[cfg(test)]
mod tests {
    use super::reachable;

    #[test]
    fn all_addresses_are_reached_at_the_loopback() {
        for (listens, reached) in [
            ("0.0.0.0:8080", "127.0.0.1:8080"),
            ("[::]:8443", "[::1]:8443"),
            ("127.0.0.1:1", "127.0.0.1:1"),
            ("192.0.2.1:1", "192.0.2.1:1"),
        ] {
            assert_eq!(reachable(listens.parse().unwrap()).to_string(), reached);
        }
    }
}
