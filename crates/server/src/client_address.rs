//! The address of a client behind proxies.
//!
//! Anyone can send the header, so it is believed only as far as trusted proxies vouch for it: going back from the
//! peer through the hops, the first one that is not a trusted proxy is the client. The operator also chooses which of
//! the two headers the proxies write, because the other one may come from the client.
//!
//! An address is personal data. It is logged only if the operator enables that. Apart from that it only serves, in memory, to count failed
//! authentications and started sign-ins.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderName, header};
use ipnet::IpNet;

/// The peer's address.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// Which proxies are trusted, and which header they write.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrustedProxies {
    /// The trusted proxies; none by default.
    pub networks: Vec<Network>,
    /// The header that they write.
    pub header: AddressHeader,
}

/// A header in which proxies write client addresses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AddressHeader {
    /// `X-Forwarded-For`.
    #[default]
    XForwardedFor,
    /// `Forwarded` (RFC 7239).
    Forwarded,
}

/// A network: `10.0.0.0/8`, `2001:db8::/32`, or one address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network(IpNet);

/// Not a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a network such as 10.0.0.0/8 or 2001:db8::/32")]
pub struct NotANetwork;

impl FromStr for Network {
    type Err = NotANetwork;

    fn from_str(text: &str) -> Result<Self, NotANetwork> {
        let network = text
            .parse()
            .or_else(|_| text.parse().map(IpAddr::into))
            .map_err(|_| NotANetwork)?;
        // An address with bits beyond the prefix is more often a mistake than a network.
        if network == IpNet::trunc(&network) {
            Ok(Self(network))
        } else {
            Err(NotANetwork)
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Network {
    pub(crate) fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address)
    }
}

/// The client's address, if the connection is known.
pub(crate) fn of(request: &Request, proxies: &TrustedProxies) -> Option<IpAddr> {
    of_head(request.extensions(), request.headers(), proxies)
}

/// Like [`of`], for a request whose body was taken.
pub(crate) fn of_parts(parts: &Parts, proxies: &TrustedProxies) -> Option<IpAddr> {
    of_head(&parts.extensions, &parts.headers, proxies)
}

fn of_head(
    extensions: &Extensions,
    headers: &HeaderMap,
    proxies: &TrustedProxies,
) -> Option<IpAddr> {
    let Peer(peer) = extensions.get()?;
    Some(client(peer.ip().to_canonical(), headers, proxies))
}

/// Whether the peer is on this machine; `false` if the connection is not known.
pub(crate) fn is_loopback(request: &Request) -> bool {
    request
        .extensions()
        .get()
        .is_some_and(|Peer(peer)| peer.ip().to_canonical().is_loopback())
}

/// Whether the request was forwarded by a peer that is not among these proxies, so that all its clients count as one.
pub(crate) fn is_forwarded_by_other(request: &Request, proxies: &TrustedProxies) -> bool {
    let forwarded = [
        HeaderName::from_static("x-forwarded-for"),
        header::FORWARDED,
    ];
    let Some(Peer(peer)) = request.extensions().get() else {
        return false;
    };
    let is_trusted = || {
        proxies
            .networks
            .iter()
            .any(|network| network.contains(peer.ip().to_canonical()))
    };
    forwarded
        .iter()
        .any(|name| request.headers().contains_key(name))
        && !is_trusted()
}

fn client(peer: IpAddr, headers: &HeaderMap, proxies: &TrustedProxies) -> IpAddr {
    let name = match proxies.header {
        AddressHeader::XForwardedFor => HeaderName::from_static("x-forwarded-for"),
        AddressHeader::Forwarded => header::FORWARDED,
    };
    let values: Vec<&str> = headers
        .get_all(name)
        .iter()
        .map(|value| value.to_str().unwrap_or_default())
        .collect();
    let mut hops = values.iter().rev().flat_map(|value| value.rsplit(','));
    let mut address = peer;
    while proxies
        .networks
        .iter()
        .any(|network| network.contains(address))
    {
        // A hop that a trusted proxy omits or hides cannot be learned from others.
        let Some(before) = hops.next().and_then(|hop| hop_address(hop, proxies.header)) else {
            break;
        };
        address = before;
    }
    address
}

fn hop_address(hop: &str, header: AddressHeader) -> Option<IpAddr> {
    let node = match header {
        AddressHeader::XForwardedFor => hop,
        AddressHeader::Forwarded => hop.split(';').find_map(|pair| {
            let (name, value) = pair.split_once('=')?;
            name.trim()
                .eq_ignore_ascii_case("for")
                .then(|| value.trim().trim_matches('"'))
        })?,
    };
    let node = node.trim();
    let bracketed = node
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
        .map(|(address, _port)| address);
    let address = bracketed.unwrap_or(node).parse().ok();
    let address = address.or_else(|| node.parse::<SocketAddr>().ok().map(|address| address.ip()));
    address.map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::extract::Request;
    use axum::http::{HeaderMap, HeaderName};

    use super::{AddressHeader, Network, Peer, TrustedProxies, client, is_forwarded_by_other};

    fn address(peer: &str, headers: &[(&'static str, &str)], header: AddressHeader) -> String {
        let networks = ["10.0.0.0/8", "2001:db8::/32"]
            .map(|network| network.parse().unwrap())
            .to_vec();
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(HeaderName::from_static(name), value.parse().unwrap());
        }
        client(
            peer.parse().unwrap(),
            &map,
            &TrustedProxies { networks, header },
        )
        .to_string()
    }

    #[test]
    fn the_client_is_the_last_hop_before_the_trusted_proxies() {
        const NAME: &str = "x-forwarded-for";
        for (peer, headers, expected) in [
            ("192.0.2.1", vec![(NAME, "203.0.113.9")], "192.0.2.1"),
            ("10.1.1.1", vec![], "10.1.1.1"),
            ("10.1.1.1", vec![(NAME, "203.0.113.9")], "203.0.113.9"),
            (
                "10.1.1.1",
                vec![(NAME, "1.1.1.1, 203.0.113.9, 10.2.2.2")],
                "203.0.113.9",
            ),
            (
                "10.1.1.1",
                vec![(NAME, "1.1.1.1"), (NAME, "203.0.113.9")],
                "203.0.113.9",
            ),
            ("10.1.1.1", vec![(NAME, "10.3.3.3, 10.2.2.2")], "10.3.3.3"),
            (
                "10.1.1.1",
                vec![(NAME, "203.0.113.9, nonsense")],
                "10.1.1.1",
            ),
            ("10.1.1.1", vec![(NAME, "203.0.113.9:4711")], "203.0.113.9"),
            ("2001:db8::1", vec![(NAME, "2001:470::7")], "2001:470::7"),
            (
                "10.1.1.1",
                vec![("forwarded", "for=203.0.113.9")],
                "10.1.1.1",
            ),
        ] {
            assert_eq!(
                address(peer, &headers, AddressHeader::XForwardedFor),
                expected,
                "{peer} {headers:?}"
            );
        }
    }

    #[test]
    fn a_forwarded_request_is_noticed_unless_its_peer_is_trusted() {
        let proxies = TrustedProxies {
            networks: vec!["10.0.0.0/8".parse().unwrap()],
            ..TrustedProxies::default()
        };
        for (peer, header, noticed) in [
            (Some("192.0.2.1:1"), Some("x-forwarded-for"), true),
            (Some("192.0.2.1:1"), Some("forwarded"), true),
            (Some("192.0.2.1:1"), None, false),
            (Some("10.1.1.1:1"), Some("x-forwarded-for"), false),
            (Some("[::ffff:10.1.1.1]:1"), Some("x-forwarded-for"), false),
            (None, Some("x-forwarded-for"), false),
        ] {
            let mut request = Request::new(Body::empty());
            if let Some(header) = header {
                request.headers_mut().insert(
                    HeaderName::from_static(header),
                    "203.0.113.9".parse().unwrap(),
                );
            }
            if let Some(peer) = peer {
                request.extensions_mut().insert(Peer(peer.parse().unwrap()));
            }
            assert_eq!(
                is_forwarded_by_other(&request, &proxies),
                noticed,
                "{peer:?} {header:?}"
            );
        }
    }

    #[test]
    fn forwarded_is_parsed_as_in_rfc_7239() {
        for (value, expected) in [
            ("for=203.0.113.9;proto=https;by=10.0.0.1", "203.0.113.9"),
            ("for=1.1.1.1, For=\"[2001:470::7]:4711\"", "2001:470::7"),
            ("for=\"203.0.113.9:80\", for=10.2.2.2", "203.0.113.9"),
            ("for=_hidden", "10.1.1.1"),
            ("for=unknown", "10.1.1.1"),
            ("by=10.0.0.1", "10.1.1.1"),
        ] {
            let headers = [("forwarded", value), ("x-forwarded-for", "6.6.6.6")];
            assert_eq!(
                address("10.1.1.1", &headers, AddressHeader::Forwarded),
                expected,
                "{value}"
            );
        }
    }

    #[test]
    fn a_network_must_be_written_with_its_lowest_address() {
        for good in [
            "10.0.0.0/8", "0.0.0.0/0", "::/0", "192.0.2.1", "2001:db8::1/128",
        ] {
            good.parse::<Network>()
                .unwrap_or_else(|error| panic!("{good}: {error}"));
        }
        for bad in [
            "", "10.0.0.0/33", "10.0.0.1/8", "10.0.0.0/", "10.0.0.0/-1", "example.com", "::1/129",
        ] {
            assert!(bad.parse::<Network>().is_err(), "{bad}");
        }
        let all: Network = "0.0.0.0/0".parse().unwrap();
        assert!(
            all.contains("203.0.113.9".parse().unwrap()) && !all.contains("::1".parse().unwrap())
        );
    }
}
