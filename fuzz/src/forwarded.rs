//! The headers that proxies write, and the others of a request's head that the gateway reads itself.

use std::collections::BTreeSet;
use std::net::{IpAddr, SocketAddr};

use http::{HeaderMap, HeaderName, HeaderValue, Uri};
use pointbook_http::kernel::{ClientAddress, TrustedProxies, requested_authority, takes_gzip};

const TRUSTED: &str = "10.0.0.0/8, 2001:db8::/32, fe80::/10, ::1";

/// The first line is the peer, and the others are headers. The client is the peer, or an address that stands in a header of a
/// trusted proxy.
pub(crate) fn read(head: &[u8]) {
    let mut lines = head.split(|byte| *byte == b'\n');
    let peer = str::from_utf8(lines.next().unwrap_or_default()).unwrap_or_default();
    let headers: HeaderMap = lines.filter_map(header).collect();
    let host = requested_authority(&Uri::default(), &headers);
    assert!(
        host.is_none_or(|host| host
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && !byte.is_ascii_uppercase()))
    );
    takes_gzip(&headers);
    if let Ok(trusted) = TrustedProxies::parse(peer) {
        assert_eq!(TrustedProxies::parse(&trusted.to_string()), Ok(trusted));
    }
    let Ok(peer_address) = peer.parse::<SocketAddr>() else {
        ClientAddress::new(&TrustedProxies::default(), peer, &headers).network();
        return;
    };
    let direct = peer_address.ip().to_canonical();
    let none = TrustedProxies::default();
    assert_eq!(ClientAddress::new(&none, peer, &headers).ip(), Some(direct));
    let trusted = TrustedProxies::parse(TRUSTED).unwrap();
    let client = ClientAddress::new(&trusted, peer, &headers);
    let Some(found) = client.ip() else { return };
    assert!(found == direct || is_trusted(direct) && named(&headers).contains(&found), "{found}");
    assert!(is_trusted(direct) || found == direct, "{found} {direct}");
    let network = client.network().unwrap();
    assert!(network == found || found.is_ipv6());
}

fn header(line: &[u8]) -> Option<(HeaderName, HeaderValue)> {
    let colon = line.iter().position(|byte| *byte == b':')?;
    let (name, value) = line.split_at(colon);
    Some((HeaderName::from_bytes(name).ok()?, HeaderValue::from_bytes(value[1..].trim_ascii()).ok()?))
}

fn is_trusted(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.octets()[0] == 10,
        IpAddr::V6(address) => {
            let segments = address.segments();
            address.is_loopback() || segments[0] & 0xffc0 == 0xfe80 || segments[..2] == [0x2001, 0xdb8]
        }
    }
}

/// Every address in the headers, wherever it stands.
fn named(headers: &HeaderMap) -> BTreeSet<IpAddr> {
    let values = headers.values().filter_map(|value| value.to_str().ok());
    let words = values.flat_map(|value| value.split(|character: char| ",;=\"[]%".contains(character)));
    let addresses = words.filter_map(|word| {
        let word = word.trim();
        word.parse().ok().or_else(|| word.parse().ok().map(|address: SocketAddr| address.ip()))
    });
    addresses.map(|address: IpAddr| address.to_canonical()).collect()
}
