//! Receivers with TLS. They have addresses on this machine, which the policy of these tests allows.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use pointbook_domain::Network;
use pointbook_events::webhooks::sender::{
    AddressPolicy, Attempt, ErrorClass, Outcome, RootCertStore, Sender, SenderOptions,
};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use crate::receiver::{OK, Receiver};
use crate::support::{Names, send};

/// A certificate authority, and a certificate for a name and an address that it signed.
const CERTIFICATES: &str = "\
set -e
key='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
openssl req -x509 $key -days 2 -subj /CN=root -keyout root.key -out root.pem
openssl req $key -subj /CN=receiver -keyout receiver.key -out receiver.csr
echo subjectAltName=DNS:a.example,IP:127.0.0.1 > names
openssl x509 -req -days 2 -in receiver.csr -CA root.pem -CAkey root.key -CAcreateserial -extfile names -out receiver.pem";

#[expect(clippy::disallowed_methods, reason = "only a developer's machine may go without openssl")]
fn certificates() -> Option<TempDir> {
    let is_installed = Command::new("openssl").arg("version").output().is_ok();
    assert!(is_installed || std::env::var("CI").as_deref() != Ok("true"), "openssl is not installed");
    if !is_installed {
        eprintln!("skipped: openssl is not installed");
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let made = Command::new("sh").args(["-c", CERTIFICATES]).current_dir(&folder).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    Some(folder)
}

async fn receiver(folder: &Path) -> Receiver {
    let certificate = CertificateDer::from_pem_file(folder.join("receiver.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(folder.join("receiver.key")).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    Receiver::with_tls(TlsAcceptor::from(Arc::new(config))).await
}

fn sender(roots: RootCertStore) -> Sender {
    Sender::new(SenderOptions::default(), roots, Names::giving(&[&["127.0.0.1"]])).unwrap()
}

fn trusting(folder: &Path) -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(folder.join("root.pem")).unwrap()).unwrap();
    roots
}

async fn deliver(sender: &Sender, receiver: &Receiver, host: &str) -> Attempt {
    let policy = AddressPolicy::new(vec![Network::parse("127.0.0.0/8").unwrap()]);
    send(sender, &receiver.url_of("https", host), &policy).await
}

#[tokio::test]
async fn trusted_receiver_gets_requests_on_one_connection() {
    let Some(folder) = certificates() else { return };
    let receiver = receiver(folder.path()).await;
    let sender = sender(trusting(folder.path()));
    for _ in 0..5 {
        assert_eq!(deliver(&sender, &receiver, "a.example").await.outcome, Outcome::Delivered);
    }
    assert_eq!((receiver.connections(), receiver.requests().len()), (1, 5));
    assert_eq!(deliver(&sender, &receiver, "127.0.0.1").await.outcome, Outcome::Delivered);
    assert_eq!(receiver.connections(), 2, "the certificate is verified for each host");
}

#[tokio::test]
async fn receiver_without_a_trusted_certificate_gets_no_request() {
    let Some(folder) = certificates() else { return };
    let receiver = receiver(folder.path()).await;
    let stranger = sender(RootCertStore::empty());
    let trusting = sender(trusting(folder.path()));
    for (sender, host) in [(&stranger, "a.example"), (&trusting, "b.example")] {
        let attempt = deliver(sender, &receiver, host).await;
        assert_eq!((attempt.error, attempt.status), (Some(ErrorClass::Tls), None), "{host}");
    }
    assert!(receiver.requests().is_empty());
}

/// The receiver responds in plain HTTP to the first bytes of TLS.
#[tokio::test]
async fn receiver_without_tls_gets_no_request() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}/", listener.local_addr().unwrap());
    let plain = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        assert_eq!(stream.read_u8().await.unwrap(), 0x16, "a TLS handshake");
        stream.write_all(OK.as_bytes()).await.unwrap();
        stream
    });
    let policy = AddressPolicy::new(vec![Network::parse("127.0.0.0/8").unwrap()]);
    let attempt = send(&sender(RootCertStore::empty()), &url, &policy).await;
    assert_eq!((attempt.error, attempt.status), (Some(ErrorClass::Tls), None));
    plain.await.unwrap();
}
