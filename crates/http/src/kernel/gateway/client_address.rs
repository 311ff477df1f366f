//! Finds the client of a request behind proxies.

use std::borrow::Cow;
use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use http::HeaderMap;
use http::header::{FORWARDED, HeaderName};
use pointbook_domain::Network;

/// The most proxies in a row. Addresses farther away are not trusted.
const MAX_HOPS: usize = 16;

/// What the log has in place of an address that headers do not tell.
const UNKNOWN: &str = "unknown";

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The networks of proxies whose `Forwarded` or `X-Forwarded-For` header is trusted. Other senders may put anything into these
/// headers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TrustedProxies(Vec<Network>);

impl TrustedProxies {
    /// Networks such as `10.0.0.0/8` and addresses such as `::1`, separated by commas or spaces.
    ///
    /// # Errors
    /// The first part that is neither.
    pub fn parse(text: &str) -> Result<Self, String> {
        let parts = text.split([',', ' ']).filter(|part| !part.is_empty());
        parts.map(|part| Network::parse(part).ok_or(part.to_owned())).collect::<Result<_, _>>().map(Self)
    }

    pub(crate) fn contains(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(address))
    }

    /// The address of the client: the peer's, unless the peer is a trusted proxy with a header. Then it is the last address in the
    /// header that is not a trusted proxy. The client may have invented the addresses before it.
    ///
    /// [`UNKNOWN`] when a header cannot be read, or both name different clients: a proxy passed on a header that it does not
    /// write. The proxy's own address would put the client into each network that contains the proxy.
    pub(super) fn client<'p>(&self, peer: &'p str, headers: &HeaderMap) -> Cow<'p, str> {
        let direct = ip_of(peer);
        if self.0.is_empty() || !direct.parse().is_ok_and(|address| self.contains(address)) {
            return Cow::Borrowed(direct);
        }
        let has = |name| headers.contains_key(name);
        let listed = has(X_FORWARDED_FOR).then(|| self.last_untrusted(headers, &X_FORWARDED_FOR, Some));
        let named = has(FORWARDED).then(|| self.last_untrusted(headers, &FORWARDED, forwarded_for));
        let client = match (listed, named) {
            (None, None) => return Cow::Borrowed(direct),
            (Some(client), None) | (None, Some(client)) => client,
            (Some(listed), Some(named)) => listed.filter(|_| listed == named),
        };
        client.map_or(Cow::Borrowed(UNKNOWN), |client| Cow::Owned(client.to_string()))
    }

    /// Reads from the last hop to the first. `None` when it reads a hop that is not an address.
    fn last_untrusted<'h>(
        &self,
        headers: &'h HeaderMap,
        name: &HeaderName,
        address: impl Fn(&'h str) -> Option<&'h str>,
    ) -> Option<IpAddr> {
        // A line that is not text counts as one hop that is not an address.
        let lines = headers.get_all(name).iter().rev().map(|line| line.to_str().unwrap_or("?"));
        let mut farthest = None;
        for hop in lines.flat_map(|line| line.rsplit(',')).take(MAX_HOPS) {
            let hop = address(hop).and_then(parse_hop)?;
            farthest = Some(hop);
            if !self.contains(hop) {
                break;
            }
        }
        farthest
    }
}

impl fmt::Display for TrustedProxies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let networks: Vec<_> = self.0.iter().map(Network::to_string).collect();
        f.write_str(&networks.join(","))
    }
}

/// Finds the client of a request when an operation asks for it.
#[derive(Debug, Clone, Copy)]
pub struct ClientAddress<'r> {
    trusted: &'r TrustedProxies,
    peer: &'r str,
    headers: &'r HeaderMap,
}

impl<'r> ClientAddress<'r> {
    /// `peer` is the other end of the connection, with its port.
    pub fn new(trusted: &'r TrustedProxies, peer: &'r str, headers: &'r HeaderMap) -> Self {
        Self { trusted, peer, headers }
    }

    /// The address; `None` when it is unknown, or the listener has no addresses. A listener for IPv6 has IPv4 addresses in another
    /// form, so they are mapped back.
    pub fn ip(&self) -> Option<IpAddr> {
        let address: Option<IpAddr> = self.trusted.client(self.peer, self.headers).parse().ok();
        address.map(|address| address.to_canonical())
    }

    /// The address, or the network of 64 bits of an IPv6 address: one person may have all addresses of it.
    pub fn network(&self) -> Option<IpAddr> {
        self.ip().map(network_of)
    }
}

/// The address, or the network of 64 bits of an IPv6 address.
pub(crate) fn network_of(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
    }
}

pub(crate) fn ip_of(peer: &str) -> &str {
    // A port has at most five digits, so reading byte by byte is faster than a search.
    let colon = peer.bytes().rposition(|byte| byte == b':');
    let address = bare(colon.and_then(|colon| peer.get(..colon)).unwrap_or(peer), '[', ']');
    // An address of one link has its interface behind it, such as `fe80::1%2`.
    address.split_once('%').map_or(address, |(address, _)| address)
}

/// The `for` of one element of `Forwarded` (RFC 7239), without its quotes.
fn forwarded_for(element: &str) -> Option<&str> {
    let mut pairs = element.split(';').filter_map(|pair| pair.trim().split_once('='));
    let (_, value) = pairs.find(|(name, _)| name.eq_ignore_ascii_case("for"))?;
    Some(bare(value.trim(), '"', '"'))
}

fn parse_hop(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let address = bare(text, '[', ']').parse().ok();
    let address: IpAddr = address.or_else(|| text.parse().ok().map(|full: SocketAddr| full.ip()))?;
    Some(address.to_canonical())
}

/// The text between two marks, or all of it without them.
fn bare(text: &str, open: char, close: char) -> &str {
    text.strip_prefix(open).and_then(|inner| inner.strip_suffix(close)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn client(trusted: &str, peer: &str, headers: &[(&'static str, &'static str)]) -> String {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_static(value));
        }
        TrustedProxies::parse(trusted).unwrap().client(peer, &map).into_owned()
    }

    #[test]
    fn a_header_of_a_stranger_is_not_believed() {
        let headers = [("x-forwarded-for", "192.0.2.1"), ("forwarded", "for=192.0.2.2")];
        for trusted in ["", "10.0.0.0/8", "203.0.113.8", "::/0"] {
            assert_eq!(client(trusted, "203.0.113.9:5", &headers), "203.0.113.9", "{trusted}");
        }
        assert_eq!(client("", "[2001:db8::1]:80", &headers), "2001:db8::1");
    }

    #[test]
    fn the_client_is_the_last_hop_that_is_no_trusted_proxy() {
        let trusted = "10.0.0.0/8, ::1";
        for (header, expected) in [
            ("192.0.2.1", "192.0.2.1"),
            ("198.51.100.7, 192.0.2.1", "192.0.2.1"),
            ("198.51.100.7, 192.0.2.1, 10.9.9.9", "192.0.2.1"),
            ("192.0.2.1:4711 ,10.9.9.9", "192.0.2.1"),
            ("[2001:db8::7]:443", "2001:db8::7"),
            ("::ffff:192.0.2.1", "192.0.2.1"),
            ("10.1.1.1, 10.2.2.2", "10.1.1.1"),
            ("unknown, 192.0.2.1, 10.3.3.3", "192.0.2.1"),
            ("192.0.2.1, unknown", UNKNOWN),
            ("192.0.2.1, unknown, 10.3.3.3", UNKNOWN),
            ("", UNKNOWN),
        ] {
            assert_eq!(client(trusted, "10.0.0.1:5", &[("x-forwarded-for", header)]), expected, "{header}");
            assert_eq!(
                client(trusted, "[::ffff:10.0.0.1]:5", &[("x-forwarded-for", "192.0.2.1")]),
                "192.0.2.1"
            );
        }
        let lines = [("x-forwarded-for", "192.0.2.9"), ("x-forwarded-for", "192.0.2.1")];
        assert_eq!(client(trusted, "[::1]:5", &lines), "192.0.2.1");
    }

    #[test]
    fn an_address_of_one_link_is_known_without_its_interface() {
        let peer = "[fe80::1%2]:80";
        assert_eq!(client("", peer, &[]), "fe80::1");
        assert_eq!(client("fe80::/10", peer, &[("x-forwarded-for", "192.0.2.1")]), "192.0.2.1");
        let (trusted, headers) = (TrustedProxies::default(), HeaderMap::new());
        assert_eq!(ClientAddress::new(&trusted, peer, &headers).ip(), Some("fe80::1".parse().unwrap()));
    }

    #[test]
    fn forwarded_is_read_as_its_standard_says() {
        for (header, expected) in [
            ("for=192.0.2.1", "192.0.2.1"),
            ("for=192.0.2.43, For=\"[2001:db8:cafe::17]:4711\"", "2001:db8:cafe::17"),
            ("proto=https; for=192.0.2.1 ;by=203.0.113.43", "192.0.2.1"),
            ("for=192.0.2.1, for=_hidden", UNKNOWN),
            ("by=203.0.113.43", UNKNOWN),
        ] {
            assert_eq!(client("10.0.0.1", "10.0.0.1:5", &[("forwarded", header)]), expected, "{header}");
        }
    }

    #[test]
    fn two_headers_that_disagree_tell_no_client() {
        let both = |listed, named| {
            client("10.0.0.1", "10.0.0.1:5", &[("x-forwarded-for", listed), ("forwarded", named)])
        };
        assert_eq!(both("192.0.2.1", "for=192.0.2.1"), "192.0.2.1");
        assert_eq!(both("192.0.2.1", "for=192.0.2.2"), UNKNOWN);
        assert_eq!(both("unknown", "for=192.0.2.2"), UNKNOWN);
        assert_eq!(both("192.0.2.1", "x"), UNKNOWN);
        assert_eq!(both("x", "x"), UNKNOWN);
        assert_eq!(client("10.0.0.1", "10.0.0.1:5", &[]), "10.0.0.1");
    }

    #[test]
    fn a_network_has_an_address_and_as_many_bits() {
        for good in ["", "10.0.0.0/8", "192.0.2.1", "::1", "fd00::/8, 10.0.0.0/8", "0.0.0.0/0 ::/0"] {
            let parsed = TrustedProxies::parse(good).unwrap();
            assert_eq!(TrustedProxies::parse(&parsed.to_string()), Ok(parsed), "{good}");
        }
        for bad in [
            "10.0.0.0/33",
            "::/129",
            "::ffff:10.0.0.0/95",
            "10.0.0/8",
            "proxy",
            "10.0.0.1:80",
            "/8",
            "10.0.0.0/",
        ] {
            assert_eq!(TrustedProxies::parse(bad), Err(bad.to_owned()));
        }
        let network = |text: &str, address: &str| {
            TrustedProxies::parse(text).unwrap().contains(address.parse().unwrap())
        };
        assert!(network("10.0.0.0/8", "10.255.0.1") && !network("10.0.0.0/8", "11.0.0.1"));
        for mapped in ["::ffff:10.0.0.0/104", "::ffff:a00:0/104", "::ffff:10.255.0.1"] {
            assert!(network(mapped, "10.255.0.1") && !network(mapped, "11.0.0.1"), "{mapped}");
            assert!(network(mapped, "::ffff:10.255.0.1") && !network(mapped, "2001:db8::1"), "{mapped}");
        }
        assert!(network("fd00::/8", "fdff::1") && !network("fd00::/8", "fe80::1"));
        assert!(network("0.0.0.0/0", "203.0.113.9") && !network("0.0.0.0/0", "2001:db8::1"));
    }

    #[test]
    fn a_client_is_counted_by_its_network_and_ipv4_is_ipv4_on_every_listener() {
        let of = |text: &str| network_of(text.parse::<IpAddr>().unwrap().to_canonical()).to_string();
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:192.0.2.1"), "192.0.2.1");
        assert_ne!(of("::ffff:192.0.2.1"), of("::ffff:192.0.2.2"));
        let (trusted, headers) = (TrustedProxies::default(), HeaderMap::new());
        let client = ClientAddress { trusted: &trusted, peer: "[::ffff:192.0.2.1]:80", headers: &headers };
        assert_eq!(client.network().unwrap().to_string(), "192.0.2.1");
    }
}
