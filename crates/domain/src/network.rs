//! Networks of IP addresses.

use std::fmt;
use std::net::IpAddr;

use crate::id::FormError;

/// How many bits stand before an IPv4 address that is written as an IPv6 address.
const MAPPED_BITS: u8 = 96;

/// The addresses that begin with the same bits: `10.0.0.0/8`, or one address such as `::1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    first: IpAddr,
    prefix_bits: u8,
}

impl Network {
    /// The addresses that share their first `prefix_bits` bits with `first`, for tables in the code. It has at most as many bits
    /// as an address of its family.
    pub const fn new(first: IpAddr, prefix_bits: u8) -> Self {
        Self { first, prefix_bits }
    }

    pub const fn first(&self) -> IpAddr {
        self.first
    }

    pub const fn prefix_bits(&self) -> u8 {
        self.prefix_bits
    }

    /// An IPv4 network that is written as an IPv6 network is the same network. A larger one holds more than IPv4, so that
    /// no operator can mean it.
    pub fn parse(text: &str) -> Option<Self> {
        let (address, prefix) = text.split_once('/').map_or((text, None), |(one, other)| (one, Some(other)));
        let written: IpAddr = address.parse().ok()?;
        let first = written.to_canonical();
        let all_bits: u8 = if written.is_ipv4() { 32 } else { 128 };
        let prefix_bits = prefix.map_or(Some(all_bits), |prefix| prefix.parse().ok())?;
        let mapped_bits = if first == written { 0 } else { MAPPED_BITS };
        (prefix_bits <= all_bits)
            .then_some(Self { first, prefix_bits: prefix_bits.checked_sub(mapped_bits)? })
    }

    /// Whether each address of the other network is in this one.
    pub fn holds(&self, other: &Self) -> bool {
        self.prefix_bits <= other.prefix_bits && self.contains(other.first)
    }

    /// An IPv4 address that is written as an IPv6 address is the same address.
    pub fn contains(&self, address: IpAddr) -> bool {
        let same_bits = match (self.first, address.to_canonical()) {
            (IpAddr::V4(first), IpAddr::V4(address)) => (first.to_bits() ^ address.to_bits()).leading_zeros(),
            (IpAddr::V6(first), IpAddr::V6(address)) => (first.to_bits() ^ address.to_bits()).leading_zeros(),
            _ => return false,
        };
        same_bits >= self.prefix_bits.into()
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.first, self.prefix_bits)
    }
}

/// How many networks a key may have.
pub const MAX_NETWORKS: usize = 16;

/// The networks from which a key may be used; any address when the list is empty. Written with spaces between them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Networks(Box<[Network]>);

impl Networks {
    /// # Errors
    /// [`FormError`] when there are more than 16.
    pub fn new(networks: Vec<Network>) -> Result<Self, FormError> {
        if networks.len() > MAX_NETWORKS { Err(TOO_MANY) } else { Ok(Self(networks.into())) }
    }

    /// # Errors
    /// [`FormError`] when a part is not a network, or there are more than 16.
    pub fn parse(text: &str) -> Result<Self, FormError> {
        let networks: Option<Vec<_>> = text.split_whitespace().map(Network::parse).collect();
        Self::new(networks.ok_or(NO_NETWORK)?)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Network> {
        self.0.iter()
    }

    /// Whether each address of a network is in one of these. All networks are, when the list is empty.
    pub fn hold(&self, other: &Network) -> bool {
        self.0.is_empty() || self.iter().any(|network| network.holds(other))
    }

    /// Whether a key with these networks may be used from an address. An unknown address is in no network.
    pub fn admit(&self, address: impl FnOnce() -> Option<IpAddr>) -> bool {
        self.0.is_empty()
            || address().is_some_and(|address| self.iter().any(|network| network.contains(address)))
    }
}

impl fmt::Display for Networks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let networks: Vec<_> = self.iter().map(Network::to_string).collect();
        f.write_str(&networks.join(" "))
    }
}

const NO_NETWORK: FormError = FormError("a network is an address and a prefix length, such as 10.0.0.0/8");
const TOO_MANY: FormError = FormError("a key has at most 16 networks");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_without_networks_is_admitted_from_everywhere() {
        assert!(Networks::default().admit(|| None));
        let office = Networks::parse("10.0.0.0/8 2001:db8::/32").unwrap();
        for (address, is_admitted) in
            [("10.1.2.3", true), ("::ffff:10.1.2.3", true), ("11.0.0.1", false), ("2001:db8::7", true)]
        {
            assert_eq!(office.admit(|| address.parse().ok()), is_admitted, "{address}");
        }
        assert!(!office.admit(|| None));
    }

    #[test]
    fn networks_hold_their_parts() {
        let office = Networks::parse("10.0.0.0/8 2001:db8::/32").unwrap();
        let rows = [
            ("10.0.0.0/8", true),
            ("10.1.2.3", true),
            ("10.0.0.0/7", false),
            ("11.0.0.0/8", false),
            ("2001:db8:7::/48", true),
            ("0.0.0.0/0", false),
            ("::/0", false),
        ];
        for (part, is_held) in rows {
            let part = Network::parse(part).unwrap();
            assert_eq!(office.hold(&part), is_held, "{part}");
            assert!(Networks::default().hold(&part));
        }
    }

    #[test]
    fn networks_are_read_as_they_are_written() {
        let networks = Networks::parse("10.0.0.1 2001:db8::/32").unwrap();
        assert_eq!(networks.to_string(), "10.0.0.1/32 2001:db8::/32");
        assert_eq!(Networks::parse(&networks.to_string()), Ok(networks));
        assert_eq!(Networks::parse("10.0.0.0/33"), Err(NO_NETWORK));
        assert_eq!(Networks::parse(&"10.0.0.0/8 ".repeat(17)), Err(TOO_MANY));
    }
}
