//! Addresses that are not global, from the registries of special-purpose addresses of IANA (RFC 6890), and a few more that no
//! receiver has.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use pointbook_domain::Network;

/// A range of addresses that the sender refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpecialRange {
    name: &'static str,
    network: Network,
}

impl SpecialRange {
    /// `None` for a global address.
    pub(crate) fn of(address: IpAddr) -> Option<Self> {
        // A `Network` takes it for the IPv4 address in it.
        if address.to_canonical() != address {
            return Some(MAPPED);
        }
        let is_outside_global = !GLOBAL_V6.contains(address) && address.is_ipv6();
        let listed = RANGES.iter().find(|range| range.network.contains(address)).copied();
        listed.or_else(|| is_outside_global.then_some(OUTSIDE_GLOBAL))
    }

    /// Lower case words, as in `private use`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    pub fn network(&self) -> Network {
        self.network
    }
}

impl fmt::Display for SpecialRange {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ({})", self.name, self.network)
    }
}

/// IANA has given out no other global unicast addresses of IPv6.
const GLOBAL_V6: Network = v6("", 0x2000_0000_0000_0000, 3).network;
const OUTSIDE_GLOBAL: SpecialRange = v6("outside global unicast", 0, 0);

const fn v4(name: &'static str, octets: [u8; 4], prefix_bits: u8) -> SpecialRange {
    let [a, b, c, d] = octets;
    SpecialRange { name, network: Network::new(IpAddr::V4(Ipv4Addr::new(a, b, c, d)), prefix_bits) }
}

/// The first address from its upper 64 bits. The lower ones are zero.
const fn v6(name: &'static str, upper: u64, prefix_bits: u8) -> SpecialRange {
    v6_exact(name, (upper as u128) << 64, prefix_bits)
}

const fn v6_exact(name: &'static str, bits: u128, prefix_bits: u8) -> SpecialRange {
    SpecialRange { name, network: Network::new(IpAddr::V6(Ipv6Addr::from_bits(bits)), prefix_bits) }
}

/// The first match is named, so a smaller range comes before the one around it.
const RANGES: &[SpecialRange] = &[
    v4("unspecified", [0, 0, 0, 0], 32),
    v4("this network", [0, 0, 0, 0], 8),
    v4("private use", [10, 0, 0, 0], 8),
    v4("shared by carriers", [100, 64, 0, 0], 10),
    v4("loopback", [127, 0, 0, 0], 8),
    // The metadata services of most clouds are here.
    v4("link-local", [169, 254, 0, 0], 16),
    v4("private use", [172, 16, 0, 0], 12),
    v4("IETF protocols", [192, 0, 0, 0], 24),
    v4("documentation", [192, 0, 2, 0], 24),
    v4("AS112", [192, 31, 196, 0], 24),
    v4("multicast tunnels", [192, 52, 193, 0], 24),
    v4("6to4 relays", [192, 88, 99, 0], 24),
    v4("private use", [192, 168, 0, 0], 16),
    v4("AS112", [192, 175, 48, 0], 24),
    v4("benchmarks", [198, 18, 0, 0], 15),
    v4("documentation", [198, 51, 100, 0], 24),
    v4("documentation", [203, 0, 113, 0], 24),
    // It looks global, but machines on Azure reach the platform of their host there.
    v4("Azure platform", [168, 63, 129, 16], 32),
    v4("multicast", [224, 0, 0, 0], 4),
    v4("broadcast", [255, 255, 255, 255], 32),
    v4("reserved", [240, 0, 0, 0], 4),
    v6_exact("unspecified", 0, 128),
    v6_exact("loopback", 1, 128),
    MAPPED,
    v6_exact("IPv4-compatible", 0, 96),
    v6_exact("IPv4-translated", 0xffff_0000_0000, 96),
    v6("NAT64", 0x0064_ff9b_0000_0000, 96),
    v6("NAT64 of a site", 0x0064_ff9b_0001_0000, 48),
    v6("discard", 0x0100_0000_0000_0000, 64),
    v6("dummy", 0x0100_0000_0000_0001, 64),
    v6("Teredo", 0x2001_0000_0000_0000, 32),
    v6("benchmarks", 0x2001_0002_0000_0000, 48),
    v6("ORCHID", 0x2001_0010_0000_0000, 28),
    v6("ORCHID", 0x2001_0020_0000_0000, 28),
    v6("IETF protocols", 0x2001_0000_0000_0000, 23),
    v6("documentation", 0x2001_0db8_0000_0000, 32),
    v6("6to4", 0x2002_0000_0000_0000, 16),
    v6("AS112", 0x2620_004f_8000_0000, 48),
    v6("documentation", 0x3fff_0000_0000_0000, 20),
    v6("former 6bone", 0x3ffe_0000_0000_0000, 16),
    v6("segment routing", 0x5f00_0000_0000_0000, 16),
    v6("unique local", 0xfc00_0000_0000_0000, 7),
    v6("link-local", 0xfe80_0000_0000_0000, 10),
    v6("site-local", 0xfec0_0000_0000_0000, 10),
    v6("multicast", 0xff00_0000_0000_0000, 8),
];

const MAPPED: SpecialRange = v6_exact("IPv4-mapped", 0xffff_0000_0000, 96);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn global_addresses_are_in_no_range() {
        let addresses = "\
            1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 \
            128.0.0.0 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255 \
            192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255 168.63.129.15 2001:200:: \
            2001:db7:ffff:: 2001:db9:: 2003::1 2606:4700::1111 2a00:1450::1 3ffd::1";
        for address in addresses.split_whitespace() {
            assert_eq!(SpecialRange::of(address.parse().unwrap()), None, "{address}");
        }
    }

    /// The last address of a network.
    fn last(network: Network) -> IpAddr {
        let bits = u32::from(network.prefix_bits());
        match network.first() {
            IpAddr::V4(first) => {
                let host = u32::MAX.checked_shr(bits).unwrap_or(0);
                Ipv4Addr::from_bits(first.to_bits() | host).into()
            }
            IpAddr::V6(first) => {
                let host = u128::MAX.checked_shr(bits).unwrap_or(0);
                Ipv6Addr::from_bits(first.to_bits() | host).into()
            }
        }
    }

    #[test]
    fn first_and_last_address_of_each_range_are_found() {
        for range in RANGES {
            for address in [range.network.first(), last(range.network)] {
                let found = SpecialRange::of(address);
                assert!(
                    found.is_some_and(|found| found != OUTSIDE_GLOBAL),
                    "{range}: {address} is {found:?}"
                );
            }
        }
        for address in ["4000::", "1fff::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"] {
            assert_eq!(SpecialRange::of(address.parse().unwrap()), Some(OUTSIDE_GLOBAL), "{address}");
        }
    }

    #[test]
    fn smaller_range_is_named() {
        for (address, name) in [
            ("0.0.0.0", "unspecified"),
            ("0.255.255.255", "this network"),
            ("100.127.255.255", "shared by carriers"),
            ("239.255.255.255", "multicast"),
            ("255.255.255.254", "reserved"),
            ("255.255.255.255", "broadcast"),
            ("::ffff:1.1.1.1", "IPv4-mapped"),
            ("2001:1ff:ffff::", "IETF protocols"),
            ("febf::", "link-local"),
        ] {
            let range = SpecialRange::of(address.parse().unwrap()).map(|range| range.name());
            assert_eq!(range, Some(name), "{address}");
        }
    }
}
