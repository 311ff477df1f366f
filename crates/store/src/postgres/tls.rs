//! Verifies the server's certificate before sending data to it.

mod verifier;

use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres_rustls::MakeRustlsConnect;

use self::verifier::AnyHost;
use crate::postgres::error::ConnectError;
use crate::postgres::url::{RootCertificates, SslMode};

/// A connector that verifies servers as the mode requires. Like PostgreSQL's own programs, it also verifies the certificate in
/// the weaker modes when root certificates are given.
pub(crate) fn connector(
    mode: SslMode,
    roots: Option<&RootCertificates>,
) -> Result<MakeRustlsConnect, ConnectError> {
    let provider = Arc::new(ring::default_provider());
    let verifier = verifier(mode, roots, &provider)?;
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| ConnectError::Failed(error.to_string()))?
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

fn verifier(
    mode: SslMode,
    roots: Option<&RootCertificates>,
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<dyn ServerCertVerifier>, ConnectError> {
    let any_host = |trusted| Arc::new(AnyHost { trusted, provider: provider.clone() });
    let Some(roots) = roots else { return Ok(any_host(None)) };
    let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(read(roots)?), provider.clone());
    let verifier = verifier.build().map_err(|error| unreadable(roots, &error.to_string()))?;
    match mode {
        SslMode::VerifyFull => Ok(verifier),
        SslMode::Disable | SslMode::Prefer | SslMode::Require | SslMode::VerifyCa => {
            Ok(any_host(Some(verifier)))
        }
    }
}

fn read(roots: &RootCertificates) -> Result<RootCertStore, ConnectError> {
    let mut store = RootCertStore::empty();
    match roots {
        // A system may have old certificates that cannot be parsed. They are skipped.
        RootCertificates::System => {
            store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
        RootCertificates::File(path) => {
            let certificates =
                CertificateDer::pem_file_iter(path).map_err(|error| unreadable(roots, &error.to_string()))?;
            for certificate in certificates {
                let certificate = certificate.map_err(|error| unreadable(roots, &error.to_string()))?;
                store.add(certificate).map_err(|error| unreadable(roots, &error.to_string()))?;
            }
        }
    }
    if store.is_empty() { Err(unreadable(roots, "it has no certificate")) } else { Ok(store) }
}

fn unreadable(roots: &RootCertificates, why: &str) -> ConnectError {
    let value = match roots {
        RootCertificates::System => "system",
        RootCertificates::File(path) => path,
    };
    ConnectError::Option(format!("sslrootcert={value} cannot be used: {why}"))
}
