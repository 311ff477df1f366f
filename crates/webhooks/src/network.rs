use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// A network in CIDR form, as in `10.0.0.0/8` or `fd00::/8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    first: IpAddr,
    prefix_bits: u8,
}

/// The string is not a [`Network`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NetworkFormError {
    #[error(
        "a network must be an IP address, a slash and the number of its fixed bits, as in `10.0.0.0/8`, got {0:?}"
    )]
    Form(String),
    #[error("{given:?} has bits after its prefix: write `{network}`")]
    HostBits { given: String, network: Network },
}

impl Network {
    pub(crate) const fn v4(octets: [u8; 4], prefix_bits: u8) -> Self {
        let [a, b, c, d] = octets;
        Self { first: IpAddr::V4(Ipv4Addr::new(a, b, c, d)), prefix_bits }
    }

    /// The first address from its upper 64 bits. The lower ones are zero.
    pub(crate) const fn v6(upper: u64, prefix_bits: u8) -> Self {
        Self::v6_exact((upper as u128) << 64, prefix_bits)
    }

    pub(crate) const fn v6_exact(bits: u128, prefix_bits: u8) -> Self {
        Self { first: IpAddr::V6(Ipv6Addr::from_bits(bits)), prefix_bits }
    }

    /// An IPv4 network never contains an IPv6 address, also not one that embeds an IPv4 address.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        first_of(address, self.prefix_bits) == Some(self.first) && address.is_ipv4() == self.first.is_ipv4()
    }
}

/// The first address of the network around `address`. `None` when the family has fewer bits than the prefix.
fn first_of(address: IpAddr, prefix_bits: u8) -> Option<IpAddr> {
    let prefix = u32::from(prefix_bits);
    match address {
        IpAddr::V4(address) => {
            let host_bits = Ipv4Addr::BITS.checked_sub(prefix)?;
            let mask = u32::MAX.checked_shl(host_bits).unwrap_or(0);
            Some(IpAddr::V4(Ipv4Addr::from_bits(address.to_bits() & mask)))
        }
        IpAddr::V6(address) => {
            let host_bits = Ipv6Addr::BITS.checked_sub(prefix)?;
            let mask = u128::MAX.checked_shl(host_bits).unwrap_or(0);
            Some(IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & mask)))
        }
    }
}

impl FromStr for Network {
    type Err = NetworkFormError;

    fn from_str(text: &str) -> Result<Self, NetworkFormError> {
        let read = || {
            let (address, prefix) = text.split_once('/')?;
            let address: IpAddr = address.parse().ok()?;
            let is_plain = prefix.bytes().all(|byte| byte.is_ascii_digit());
            let prefix_bits: u8 = is_plain.then(|| prefix.parse().ok())??;
            Some((address, Self { first: first_of(address, prefix_bits)?, prefix_bits }))
        };
        let (address, network) = read().ok_or_else(|| NetworkFormError::Form(text.to_owned()))?;
        if network.first == address {
            return Ok(network);
        }
        Err(NetworkFormError::HostBits { given: text.to_owned(), network })
    }
}

impl fmt::Display for Network {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.first, self.prefix_bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contains(network: &str, address: &str) -> bool {
        network.parse::<Network>().unwrap().contains(address.parse().unwrap())
    }

    #[test]
    fn network_contains_its_first_and_last_address() {
        for (network, first, last, after) in [
            ("10.0.0.0/8", "10.0.0.0", "10.255.255.255", "11.0.0.0"),
            ("192.168.4.128/25", "192.168.4.128", "192.168.4.255", "192.168.5.0"),
            ("1.2.3.4/32", "1.2.3.4", "1.2.3.4", "1.2.3.5"),
            ("fd00::/8", "fd00::", "fdff:ffff::ffff", "fe00::"),
            ("::1/128", "::1", "::1", "::2"),
        ] {
            assert!(contains(network, first) && contains(network, last), "{network}");
            assert!(!contains(network, after), "{network} {after}");
        }
        assert!(contains("0.0.0.0/0", "255.1.2.3") && contains("::/0", "ffff::"));
    }

    #[test]
    fn families_do_not_mix() {
        assert!(!contains("0.0.0.0/0", "::ffff:10.0.0.1"));
        assert!(!contains("::/0", "10.0.0.1"));
    }

    #[test]
    fn other_forms_are_refused() {
        for form in
            ["", "10.0.0.0", "10.0.0.0/33", "10.0.0.0/+8", "10.0.0.0/", "10/8", "::/129", "a/8", " ::/0"]
        {
            let expected = NetworkFormError::Form(form.to_owned());
            assert_eq!(form.parse::<Network>(), Err(expected));
        }
        let error = "10.0.0.1/8".parse::<Network>().unwrap_err().to_string();
        assert_eq!(error, "\"10.0.0.1/8\" has bits after its prefix: write `10.0.0.0/8`");
    }

    #[test]
    fn display_is_what_parse_reads() {
        for network in ["10.0.0.0/8", "fd00::/8", "0.0.0.0/0"] {
            assert_eq!(network.parse::<Network>().unwrap().to_string(), network);
        }
    }
}
