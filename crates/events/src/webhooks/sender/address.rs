use std::net::IpAddr;

use pointbook_domain::Network;

use crate::webhooks::sender::embedded::embedded_v4;
use crate::webhooks::sender::receiver_url::Scheme;
use crate::webhooks::sender::refusal::RefusedBecause;
use crate::webhooks::sender::special_range::SpecialRange;

/// To which addresses the sender may connect. The default allows global addresses over https, and no other.
#[derive(Debug, Clone, Default)]
pub struct AddressPolicy {
    allowed: Vec<Network>,
    http_to_loopback: bool,
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

    /// Judges one address of a host.
    pub(crate) fn judge(&self, scheme: Scheme, address: IpAddr) -> Result<(), RefusedBecause> {
        match scheme {
            Scheme::Https => match self.refused_range(address) {
                None => Ok(()),
                Some(range) => Err(RefusedBecause::Special { address, range }),
            },
            Scheme::Http if self.http_to_loopback && address.is_loopback() => Ok(()),
            Scheme::Http => Err(RefusedBecause::HttpBeyondLoopback { address }),
        }
    }

    fn refused_range(&self, address: IpAddr) -> Option<SpecialRange> {
        let special = SpecialRange::of(address)?;
        let listed = self.allowed.iter().filter(|network| network.contains(address));
        // No receiver has such an address, and a `Network` takes it for the IPv4 address in it.
        let is_mapped = address.to_canonical() != address;
        match listed.map(Network::prefix_bits).max() {
            Some(listed_bits) if !is_mapped => {
                let mut embedded = embedded_v4(address, listed_bits).into_iter();
                embedded.find_map(|embedded| self.refused_range(embedded))
            }
            Some(_) | None => Some(special),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_allowed(policy: &AddressPolicy, scheme: Scheme, address: &str) -> bool {
        policy.judge(scheme, address.parse().unwrap()).is_ok()
    }

    fn allowing(networks: &[&str]) -> AddressPolicy {
        AddressPolicy::new(networks.iter().map(|network| Network::parse(network).unwrap()).collect())
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
        for (network, global, private) in [
            ("64:ff9b::/96", "64:ff9b::101:101", "64:ff9b::a01:203"),
            ("64:ff9b:1::/48", "64:ff9b:1::101:101", "64:ff9b:1::a01:203"),
            ("64:ff9b:1::/48", "64:ff9b:1:101:1:100::", "64:ff9b:1:a01:2:300::"),
            ("64:ff9b:1::/56", "64:ff9b:1:1:1:101::", "64:ff9b:1:a:1:203::"),
            ("64:ff9b:1::/64", "64:ff9b:1:0:1:101:100:0", "64:ff9b:1:0:a:102:300:0"),
            ("64:ff9b:1::/96", "64:ff9b:1::101:101", "64:ff9b:1::a01:203"),
            ("2002::/16", "2002:101:101::1", "2002:a01:203::1"),
            ("::/96", "::1.1.1.1", "::10.1.2.3"),
            ("::ffff:0:0:0/96", "::ffff:0:1.1.1.1", "::ffff:0:10.1.2.3"),
            ("2001::/32", "2001:0:101:101::fefe:fefe", "2001:0:101:101::f5fe:fdfc"),
            ("2001::/32", "2001:0:101:101::fefe:fefe", "2001:0:a01:203::fefe:fefe"),
        ] {
            let policy = allowing(&[network]);
            assert!(is_allowed(&policy, Scheme::Https, global), "{network} {global}");
            assert!(!is_allowed(&policy, Scheme::Https, private), "{network} {private}");
            let both = allowing(&[network, "10.0.0.0/8", "0.0.0.0/8"]);
            assert!(is_allowed(&both, Scheme::Https, private), "{network} {private}");
        }
    }

    /// The services of a cloud, in the prefix that ADR 0037 tells operators to list.
    #[test]
    fn metadata_service_is_behind_no_allowed_translation() {
        let policy = allowing(&["64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "::/96"]);
        for address in [
            "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::a9fe:a9fe",
            "64:ff9b:1:808::a9fe:a9fe",
            "64:ff9b:1:a9fe:a9:fe00::",
            "64:ff9b:1:8a9:fe:a9fe::",
            "64:ff9b:1:808:a9:fea9:fe00:0",
            "2002:a9fe:a9fe::1",
            "::169.254.169.254",
        ] {
            assert!(!is_allowed(&policy, Scheme::Https, address), "{address}");
        }
    }

    #[test]
    fn address_that_is_mapped_is_refused_in_every_network() {
        let policy = allowing(&["0.0.0.0/0", "::/0", "::ffff:0:0/96"]);
        assert!(!is_allowed(&policy, Scheme::Https, "::ffff:1.1.1.1"));
        assert!(is_allowed(&policy, Scheme::Https, "10.1.2.3"));
    }

    #[test]
    fn listed_loopback_is_allowed() {
        let policy = allowing(&["127.0.0.0/8", "::1"]);
        assert!(is_allowed(&policy, Scheme::Https, "127.0.0.1"));
        assert!(is_allowed(&policy, Scheme::Https, "::1"));
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
}
