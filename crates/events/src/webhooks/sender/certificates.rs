use std::sync::Arc;

use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use tokio_rustls::TlsConnector;

use crate::webhooks::sender::send::SenderError;

/// The root certificates of the operating system. Certificates that cannot be parsed are skipped. A system without any, as a
/// container image may be, is [`SenderError::NoCertificates`].
pub fn system_certificates() -> Result<RootCertStore, SenderError> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() { Err(SenderError::NoCertificates) } else { Ok(roots) }
}

/// TLS 1.2 and 1.3, on `ring` as everywhere in pointbook. It offers HTTP/1.1 alone.
pub(crate) fn connector(roots: RootCertStore) -> Result<TlsConnector, SenderError> {
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(SenderError::Tls)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsConnector::from(Arc::new(config)))
}
