//! Hosts that need no name resolution: this machine and literal addresses.

use std::net::IpAddr;

/// Whether a host, with or without a port, is this machine.
pub(crate) fn is_loopback(authority: &str) -> bool {
    let host = host(authority);
    host.eq_ignore_ascii_case("localhost")
        || host
            .parse::<IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

/// Whether a host, with or without a port, is this machine or a literal address.
pub(crate) fn is_address(authority: &str) -> bool {
    is_loopback(authority) || host(authority).parse::<IpAddr>().is_ok()
}

fn host(authority: &str) -> &str {
    let bracketed = authority
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
        .map(|(host, _)| host);
    bracketed.unwrap_or_else(|| {
        authority
            .split_once(':')
            .map_or(authority, |(host, _)| host)
    })
}
