//! Classifies addresses: this machine, private networks.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// Whether the address is on this machine.
pub fn is_loopback(url: &url::Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

/// Whether data sent to the address cannot be read on the way: it uses TLS or does not leave this machine.
pub fn is_private(url: &url::Url) -> bool {
    url.scheme() == "https" || (url.scheme() == "http" && is_loopback(url))
}

/// The address at which this machine reaches a service that listens on `listens`, which may be the unspecified address.
pub fn reachable(listens: SocketAddr) -> SocketAddr {
    let ip = match listens.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listens.port())
}

/// Names that public servers cannot have: reserved for private networks (RFC 6762, RFC 8375, ICANN's `internal`), and
/// services in a Kubernetes cluster.
const LOCAL_NAMES: [&str; 5] = [".localhost", ".local", ".internal", ".home.arpa", ".svc"];

/// Whether the address is evidently in a private network: a private IP address, or a name that public servers cannot
/// have. This includes names without a dot, as used by containers and machines in one network.
pub fn is_local_network(url: &url::Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.');
    match host
        .trim_matches(['[', ']'])
        .parse::<IpAddr>()
        .map(|address| address.to_canonical())
    {
        Ok(IpAddr::V4(address)) => {
            let [first, second, ..] = address.octets();
            let is_shared = first == 100 && (64..128).contains(&second);
            address.is_private() || address.is_link_local() || address.is_loopback() || is_shared
        }
        Ok(IpAddr::V6(address)) => {
            address.is_unique_local() || address.is_unicast_link_local() || address.is_loopback()
        }
        Err(_) => !host.contains('.') || LOCAL_NAMES.iter().any(|name| host.ends_with(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::{is_local_network, reachable};

    #[test]
    fn private_networks_are_recognized_by_addresses_and_names() {
        let is_local =
            |host: &str| is_local_network(&url::Url::parse(&format!("http://{host}/v1")).unwrap());
        for host in [
            "127.0.0.1", "10.1.2.3", "172.16.0.1:8000", "192.168.1.1", "100.64.0.1", "169.254.1.1",
            "[::1]", "[fd00::1]:80", "[fe80::1]", "[::ffff:10.0.0.1]", "vllm:8000",
            "vllm.default.svc", "vllm.default.svc.cluster.local", "models.corp.internal.",
            "localhost",
        ] {
            assert!(is_local(host), "{host}");
        }
        for host in [
            "8.8.8.8", "172.32.0.1", "100.128.0.1", "[2001:db8::1]", "[::ffff:8.8.8.8]",
            "api.example.com", "10.0.0.1.example.com", "local.example.com", "internal.com",
        ] {
            assert!(!is_local(host), "{host}");
        }
    }

    #[test]
    fn the_unspecified_address_is_reached_at_the_loopback() {
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
