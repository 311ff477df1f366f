use std::net::IpAddr;

use crate::webhooks::sender::receiver_url::{Scheme, UrlError};
use crate::webhooks::sender::special_range::SpecialRange;

/// Why the sender does not send to a URL. The messages may be shown to the tenant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error(transparent)]
    Url(#[from] UrlError),
    #[error("{}", .0.message())]
    Host(RefusedHost),
}

/// A host that has no address, or one that the policy does not allow. The message does not tell which of both. Otherwise a tenant
/// could list the names of the operator's network, and what they resolve to. `Debug` shows the reason, for logs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedHost {
    pub host: String,
    pub scheme: Scheme,
    pub because: RefusedBecause,
}

/// Why a host is refused. It is not for the tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefusedBecause {
    /// The resolver knows no address of the host, failed, or did not respond in time.
    Unresolved,
    /// The address is not global, and in no allowed network.
    Special { address: IpAddr, range: SpecialRange },
    /// Plain http goes to loopback only.
    HttpBeyondLoopback { address: IpAddr },
}

impl Refusal {
    /// The kinds of a refused host.
    pub const HOST_KINDS: &[&str] = &["https-host", "http-host"];

    /// A name for the texts of pages: one of [`UrlError::KINDS`] or [`Self::HOST_KINDS`].
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Url(error) => error.kind(),
            Self::Host(RefusedHost { scheme: Scheme::Https, .. }) => "https-host",
            Self::Host(RefusedHost { scheme: Scheme::Http, .. }) => "http-host",
        }
    }

    /// The host, when it is what is refused.
    pub fn host(&self) -> &str {
        match self {
            Self::Url(_) => "",
            Self::Host(refused) => &refused.host,
        }
    }
}

impl RefusedHost {
    fn message(&self) -> String {
        let Self { host, scheme, because: _ } = self;
        match scheme {
            Scheme::Https => format!(
                "{host} must have an address, and each address must be global, or in a network of `webhooks.allow_networks`"
            ),
            Scheme::Http => {
                format!(
                    "{host} must have an address, and each address must be a loopback address, as plain http requires"
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kinds_of_a_refused_host_are_listed() {
        for (scheme, kind) in [Scheme::Https, Scheme::Http].into_iter().zip(Refusal::HOST_KINDS) {
            let host = RefusedHost { host: String::new(), scheme, because: RefusedBecause::Unresolved };
            assert_eq!(Refusal::Host(host).kind(), *kind);
        }
    }

    #[test]
    fn message_names_the_setting_and_hides_whether_the_name_exists() {
        let address = IpAddr::from([10, 1, 2, 3]);
        let range = SpecialRange::of(address).unwrap();
        for because in [RefusedBecause::Unresolved, RefusedBecause::Special { address, range }] {
            let refused = RefusedHost { host: "a.example".to_owned(), scheme: Scheme::Https, because };
            let expected = "a.example must have an address, and each address must be global, or in a network of \
                            `webhooks.allow_networks`";
            assert_eq!(Refusal::Host(refused).to_string(), expected);
        }
    }
}
