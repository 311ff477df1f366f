use std::net::IpAddr;

use crate::network::Network;
use crate::receiver_url::Scheme;
use crate::special_range::{SpecialRange, embedded_v4};

/// To which addresses the sender may connect. The default allows global addresses over https, and no other.
#[derive(Debug, Clone, Default)]
pub struct AddressPolicy {
    allowed: Vec<Network>,
    http_to_loopback: bool,
}

/// An address of a receiver that the policy does not allow. The message does not show the address, because a name of the
/// operator's network must not tell a tenant what it resolves to. Logs may show it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RefusedAddress {
    #[error(
        "{host} has an address for {}, and a webhook is sent to global addresses only, or to a network of \
         `webhooks.allow_networks`",
        .range.name()
    )]
    Special { host: String, address: IpAddr, range: SpecialRange },
    #[error("{host} has an address beyond loopback, and a webhook over plain http is sent to loopback only")]
    HttpBeyondLoopback { host: String, address: IpAddr },
}

impl AddressPolicy {
    /// Allows global addresses and those of `allowed`, which is the setting `webhooks.allow_networks`. An IPv6 network in it does not
    /// allow the IPv4 addresses that its addresses embed: they must be global or allowed themselves.
    #[must_use]
    pub fn new(allowed: Vec<Network>) -> Self {
        Self { allowed, http_to_loopback: false }
    }

    /// Allows plain http too, when each address of the receiver is a loopback address.
    #[must_use]
    pub fn with_http_to_loopback(self) -> Self {
        Self { http_to_loopback: true, ..self }
    }

    pub(crate) fn permits_http(&self) -> bool {
        self.http_to_loopback
    }

    /// Judges one address of `host`.
    pub(crate) fn judge(&self, scheme: Scheme, host: &str, address: IpAddr) -> Result<(), RefusedAddress> {
        let host = || host.to_owned();
        match scheme {
            Scheme::Https => match self.refused_range(address) {
                None => Ok(()),
                Some(range) => Err(RefusedAddress::Special { host: host(), address, range }),
            },
            Scheme::Http if self.http_to_loopback && address.is_loopback() => Ok(()),
            Scheme::Http => Err(RefusedAddress::HttpBeyondLoopback { host: host(), address }),
        }
    }

    fn refused_range(&self, address: IpAddr) -> Option<SpecialRange> {
        let is_allowed = self.allowed.iter().any(|network| network.contains(address));
        if is_allowed {
            return embedded_v4(address).and_then(|embedded| self.refused_range(embedded));
        }
        SpecialRange::of(address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_allowed(policy: &AddressPolicy, scheme: Scheme, address: &str) -> bool {
        policy.judge(scheme, "a.example", address.parse().unwrap()).is_ok()
    }

    fn allowing(networks: &[&str]) -> AddressPolicy {
        AddressPolicy::new(networks.iter().map(|network| network.parse().unwrap()).collect())
    }

    #[test]
    fn allowed_network_is_an_exception() {
        let policy = allowing(&["10.1.0.0/16"]);
        assert!(is_allowed(&policy, Scheme::Https, "10.1.2.3"));
        assert!(is_allowed(&policy, Scheme::Https, "1.1.1.1"));
        for address in ["10.2.0.0", "::ffff:10.1.2.3", "64:ff9b::a01:203", "127.0.0.1"] {
            assert!(!is_allowed(&policy, Scheme::Https, address), "{address}");
        }
    }

    #[test]
    fn allowed_translation_does_not_allow_private_addresses_behind_it() {
        let policy = allowing(&["64:ff9b::/96"]);
        assert!(is_allowed(&policy, Scheme::Https, "64:ff9b::101:101"));
        assert!(!is_allowed(&policy, Scheme::Https, "64:ff9b::a01:203"));
        let both = allowing(&["64:ff9b::/96", "10.0.0.0/8"]);
        assert!(is_allowed(&both, Scheme::Https, "64:ff9b::a01:203"));
    }

    #[test]
    fn http_goes_to_loopback_alone_and_only_where_it_is_allowed() {
        let policy = allowing(&["10.0.0.0/8", "127.0.0.0/8"]);
        assert!(!is_allowed(&policy, Scheme::Http, "127.0.0.1"));
        let policy = policy.with_http_to_loopback();
        assert!(is_allowed(&policy, Scheme::Http, "127.0.0.1"));
        assert!(is_allowed(&policy, Scheme::Http, "::1"));
        for address in ["10.0.0.1", "1.1.1.1", "::ffff:127.0.0.1", "169.254.169.254"] {
            assert!(!is_allowed(&policy, Scheme::Http, address), "{address}");
        }
    }

    #[test]
    fn refusal_names_the_setting_and_hides_the_address() {
        let policy = AddressPolicy::default();
        let refused = policy.judge(Scheme::Https, "a.example", IpAddr::from([10, 1, 2, 3])).unwrap_err();
        let expected = "a.example has an address for private use, and a webhook is sent to global addresses only, \
                        or to a network of `webhooks.allow_networks`";
        assert_eq!(refused.to_string(), expected);
    }
}
