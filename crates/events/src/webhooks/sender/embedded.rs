//! IPv4 addresses inside IPv6 addresses. A gateway or the operating system may pass packets for the IPv6 address to them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The layouts of RFC 6052 that fit in the network of RFC 8215: the length of the prefix, and how many bits follow the IPv4 address, without
/// the ninth octet.
const SITE_LAYOUTS: [(u8, u32); 4] = [(48, 40), (56, 32), (64, 24), (SITE_LAYOUT_BITS_MAX, 0)];

const SITE_LAYOUT_BITS_MAX: u8 = 96;

/// The IPv4 addresses to which packets for `address` may go. Empty when it embeds none.
///
/// A translator may use a part of `64:ff9b:1::/48`, and the address does not say which. `listed_bits` is the prefix length of the
/// network that the operator listed: the translator uses this length or a longer one.
pub(crate) fn embedded_v4(address: IpAddr, listed_bits: u8) -> Vec<IpAddr> {
    let IpAddr::V6(address) = address else { return Vec::new() };
    if address.is_unspecified() || address.is_loopback() {
        return Vec::new();
    }
    match address.segments() {
        // IPv4-compatible, IPv4-mapped, IPv4-translated, NAT64, and 6to4.
        [0, 0, 0, 0, 0, 0 | 0xffff, a, b]
        | [0, 0, 0, 0, 0xffff, 0, a, b]
        | [0x64, 0xff9b, 0, 0, 0, 0, a, b]
        | [0x2002, a, b, ..] => vec![v4(a, b)],
        [0x64, 0xff9b, 1, ..] => behind_a_site(address, listed_bits),
        // Teredo: the server, and the client with inverted bits.
        [0x2001, 0, a, b, .., c, d] => vec![v4(a, b), v4(!c, !d)],
        _ => Vec::new(),
    }
}

fn v4(upper: u16, lower: u16) -> IpAddr {
    Ipv4Addr::from_bits((u32::from(upper) << 16) | u32::from(lower)).into()
}

/// All readings of RFC 6052 with a prefix of at least `listed_bits`. Read in a layout that is not the one of the translator, an
/// address often begins with zeros. So addresses of 0.0.0.0/8, which no translator serves, count only when no other is there.
fn behind_a_site(address: Ipv6Addr, listed_bits: u8) -> Vec<IpAddr> {
    let bits_min = listed_bits.min(SITE_LAYOUT_BITS_MAX);
    // The ninth octet is between the parts of an IPv4 address, and belongs to none.
    let [upper, lower] = [address.to_bits() >> 64, address.to_bits() & (u128::MAX >> 72)];
    let without_ninth = (upper << 56) | lower;
    let reading = |shift: u32| u32::try_from((without_ninth >> shift) & u128::from(u32::MAX)).unwrap_or(0);
    let readings =
        SITE_LAYOUTS.iter().filter(|(bits, _)| *bits >= bits_min).map(|(_, shift)| reading(*shift));
    let found: Vec<_> = readings
        .map(Ipv4Addr::from_bits)
        .filter(|found| found.octets().first() != Some(&0))
        .map(IpAddr::from)
        .collect();
    if found.is_empty() { vec![UNSPECIFIED] } else { found }
}

const UNSPECIFIED: IpAddr = IpAddr::V4(Ipv4Addr::UNSPECIFIED);

#[cfg(test)]
mod tests {
    use super::*;

    fn embedded(address: &str, listed_bits: u8) -> Vec<String> {
        let found = embedded_v4(address.parse().unwrap(), listed_bits);
        found.iter().map(IpAddr::to_string).collect()
    }

    #[test]
    fn each_form_embeds_its_address() {
        for address in [
            "::10.1.2.3",
            "::ffff:10.1.2.3",
            "::ffff:0:10.1.2.3",
            "64:ff9b::a01:203",
            "2002:a01:203::",
            "2002:a01:203:ffff::1",
        ] {
            assert_eq!(embedded(address, 0), ["10.1.2.3"], "{address}");
        }
        assert_eq!(embedded("2001:0:102:304::f5fe:fdfc", 0), ["1.2.3.4", "10.1.2.3"]);
        for address in
            ["::", "::1", "2606:4700::a01:203", "64:ff9b:2::a01:203", "2001:1::a01:203", "10.1.2.3"]
        {
            assert_eq!(embedded(address, 0), [""; 0], "{address}");
        }
    }
}
