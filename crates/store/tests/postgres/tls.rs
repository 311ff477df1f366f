//! Tests of the TLS options of a URL, with a server that has a certificate.

use pointbook_store::postgres::{ConnectError, PostgresOptions, PostgresStore, PostgresUrl};
use pointbook_testkit::build;
use pointbook_testkit::postgres::TlsServer;
use tokio_postgres::NoTls;

struct TlsFixture {
    server: TlsServer,
}

impl TlsFixture {
    /// `None` without a PostgreSQL server.
    async fn new() -> Option<Self> {
        let fixture = Self { server: TlsServer::start()? };
        let local = PostgresUrl::parse(&fixture.server.local_url()).unwrap();
        let options = PostgresOptions::new(build::noon());
        // The socket exists before the server accepts connections.
        while PostgresStore::migrate(&local, &options).await.is_err() {}
        Some(fixture)
    }

    /// Connects over the network. Returns whether the connection uses TLS.
    async fn is_safe(&self, host: &str, options: &str) -> Result<bool, ConnectError> {
        let url = format!("postgres://pointbook:hush@{host}:{}/postgres?{options}", self.server.port);
        let url = PostgresUrl::parse(&url)?;
        let store = PostgresStore::connect(&url, &PostgresOptions::new(build::noon())).await?;
        let (client, connection) = tokio_postgres::connect(&self.server.local_url(), NoTls).await.unwrap();
        tokio::spawn(connection);
        let of_store = "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
                        WHERE client_addr IS NOT NULL AND application_name = 'pointbook'";
        let is_safe = client.query_one(of_store, &[]).await.unwrap().get(0);
        drop(store);
        // Waits until the connection is gone, so that it does not count in the next check.
        let gone = "SELECT count(*) FROM pg_stat_activity WHERE client_addr IS NOT NULL";
        while client.query_one(gone, &[]).await.unwrap().get::<_, i64>(0) > 0 {}
        Ok(is_safe)
    }

    async fn refusal(&self, host: &str, options: &str) -> String {
        let refused = self.is_safe(host, options).await.unwrap_err();
        let text = format!("{refused} {refused:?}");
        assert!(!text.contains("hush"), "{text}");
        text
    }
}

#[tokio::test]
async fn tls_follows_ssl_mode() {
    let Some(fixture) = TlsFixture::new().await else { return };
    for (options, is_safe) in
        [("", true), ("sslmode=prefer", true), ("sslmode=require", true), ("sslmode=disable", false)]
    {
        assert_eq!(fixture.is_safe("127.0.0.1", options).await.unwrap(), is_safe, "{options}");
    }
}

#[tokio::test]
async fn certificate_and_name_of_server_are_verified() {
    let Some(fixture) = TlsFixture::new().await else { return };
    let (root, other) = (fixture.server.root(), fixture.server.other_root());
    for mode in ["prefer", "require", "verify-ca", "verify-full"] {
        let options = format!("sslmode={mode}&sslrootcert={root}");
        assert!(fixture.is_safe("localhost", &options).await.unwrap(), "{mode}");
        let unknown = fixture.refusal("localhost", &format!("sslmode={mode}&sslrootcert={other}")).await;
        assert!(unknown.contains("certificate"), "{mode}: {unknown}");
    }
    let by_address = format!("sslmode=verify-ca&sslrootcert={root}");
    assert!(fixture.is_safe("127.0.0.1", &by_address).await.unwrap());
    let of_another_name =
        fixture.refusal("127.0.0.1", &format!("sslmode=verify-full&sslrootcert={root}")).await;
    assert!(of_another_name.contains("not valid for name"), "{of_another_name}");
}

#[tokio::test]
async fn certificate_that_system_does_not_trust_is_refused() {
    let Some(fixture) = TlsFixture::new().await else { return };
    fixture.refusal("localhost", "sslrootcert=system").await;
}

#[tokio::test]
async fn unreadable_root_certificates_are_named() {
    let refusal = async |root: &str| {
        let url = format!("postgres://me:hush@localhost/points?sslmode=verify-full&sslrootcert={root}");
        let url = PostgresUrl::parse(&url).unwrap();
        PostgresStore::connect(&url, &PostgresOptions::new(build::noon())).await.err().unwrap().to_string()
    };
    let missing = refusal("%2Fnowhere%2Froot.pem").await;
    assert!(missing.starts_with("sslrootcert=/nowhere/root.pem cannot be used: "), "{missing}");
    let empty = refusal(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).await;
    assert!(empty.contains("it has no certificate"), "{empty}");
}

#[tokio::test]
async fn error_does_not_quote_wrong_password() {
    let Some(fixture) = TlsFixture::new().await else { return };
    let url = format!("postgres://pointbook:wrongly@localhost:{}/postgres", fixture.server.port);
    let url = PostgresUrl::parse(&url).unwrap();
    let refused = PostgresStore::connect(&url, &PostgresOptions::new(build::noon())).await.err().unwrap();
    let text = format!("{refused} {refused:?}");
    assert!(text.contains("password authentication failed") && !text.contains("wrongly"), "{text}");
}
