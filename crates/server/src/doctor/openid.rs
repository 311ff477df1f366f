//! Checks whether the OpenID Connect issuer of the configuration is usable.

use pointbook_access::openid::{OpenIdError, Requester};
use pointbook_store::Clock;

use super::Finding;
use super::key_file::open_to_others;
use crate::config::OpenIdConfig;
use crate::sources::SystemClock;

const CHECK: &str = "openid";

/// Looks at the file with the secret, and reads the metadata of the issuer as the first sign-in does. No finding without an issuer.
pub(crate) async fn examine_openid(config: &OpenIdConfig) -> Vec<Finding> {
    let client = match config.client() {
        Ok(client) => client,
        Err(failure) => {
            let advice = "correct [openid] in the configuration; the server does not start";
            return vec![Finding::problem(CHECK, failure.messages.join("; "), advice)];
        }
    };
    let (Some(client), Some(issuer)) = (client, &config.issuer) else { return Vec::new() };
    let mut findings: Vec<_> = open_to_others(CHECK, &config.client_secret_file).into_iter().collect();
    let asked = Requester { address: "", now_seconds: SystemClock.now().as_micros().div_euclid(1_000_000) };
    findings.push(judge(issuer.as_str(), client.probe(asked).await));
    findings
}

fn judge(issuer: &str, found: Result<(), OpenIdError>) -> Finding {
    let Err(error) = found else { return Finding::fine(CHECK, format!("{issuer} responds")) };
    let advice = match error {
        OpenIdError::Unreachable => "check the network, DNS and the certificate of the issuer",
        OpenIdError::MetadataIssuer => "write openid.issuer exactly as the issuer does in its metadata",
        OpenIdError::MetadataMethod => {
            "the issuer must support client_secret_basic or client_secret_post, and PKCE with S256"
        }
        _ => {
            "check openid.issuer: its path /.well-known/openid-configuration must return the metadata as JSON"
        }
    };
    Finding::problem(CHECK, format!("{issuer} is not usable: {error}"), advice)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;
    use crate::doctor::State;

    #[tokio::test]
    async fn an_issuer_that_does_not_respond_is_a_problem() {
        assert_eq!(examine_openid(&OpenIdConfig::default()).await, []);
        // Nothing listens on port 1.
        let issuer = pointbook_access::openid::Issuer::parse("http://127.0.0.1:1").ok();
        let config = OpenIdConfig { issuer, client_id: "pointbook".to_owned(), ..OpenIdConfig::default() };
        let unreachable = judge("http://127.0.0.1:1", Err(OpenIdError::Unreachable));
        assert_eq!(examine_openid(&config).await, std::slice::from_ref(&unreachable));
        assert_eq!(unreachable.state, State::Problem);
        let without_issuer = OpenIdConfig { issuer: None, ..config.clone() };
        let without_client = OpenIdConfig { client_id: String::new(), ..config.clone() };
        for half in [without_issuer, without_client] {
            let found = examine_openid(&half).await;
            assert!(found.len() == 1 && found[0].state == State::Problem, "{found:?}");
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "hush").unwrap();
        let config = OpenIdConfig { client_secret_file: file.path().to_owned(), ..config };
        for (mode, state) in [(0o640, State::Warning), (0o600, State::Problem)] {
            std::fs::set_permissions(file.path(), std::fs::Permissions::from_mode(mode)).unwrap();
            let found = examine_openid(&config).await;
            assert_eq!(found[0].state, state, "{found:?}");
            assert_eq!(found.last(), Some(&unreachable));
        }
    }
}
