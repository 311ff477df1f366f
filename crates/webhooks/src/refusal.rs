use crate::address::RefusedAddress;
use crate::receiver_url::UrlError;

/// Why the sender does not send to a URL. The messages may be shown to the tenant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error(transparent)]
    Url(#[from] UrlError),
    #[error(transparent)]
    Address(#[from] RefusedAddress),
    /// The resolver knows no address of the host, failed, or did not respond in time.
    #[error("{host} has no address")]
    Unresolved { host: String },
}
