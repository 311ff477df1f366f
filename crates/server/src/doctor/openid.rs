//! Checks whether the OpenID Connect issuer of the configuration is usable.

use pointbook_app::Clock;
use pointbook_openid::{Asked, OpenIdError};

use super::Finding;
use crate::config::OpenIdConfig;
use crate::sources::SystemClock;

const CHECK: &str = "openid";

/// Reads the metadata of the issuer, as the first sign-in does. `None` without an issuer.
pub(crate) async fn examine_openid(config: &OpenIdConfig) -> Option<Finding> {
    let issuer = config.issuer.as_ref()?;
    let client = match config.client() {
        Ok(client) => client?,
        Err(failure) => {
            let advice = "correct [openid] in the configuration";
            return Some(Finding::problem(CHECK, failure.messages.join("; "), advice));
        }
    };
    let asked = Asked { address: "", now_seconds: SystemClock.now().as_micros().div_euclid(1_000_000) };
    Some(judge(issuer.as_str(), client.probe(asked).await))
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
    use super::*;
    use crate::doctor::State;

    #[tokio::test]
    async fn an_issuer_that_does_not_respond_is_a_problem() {
        assert_eq!(examine_openid(&OpenIdConfig::default()).await, None);
        // Nothing listens on port 1.
        let issuer = pointbook_openid::Issuer::parse("http://127.0.0.1:1").ok();
        let config = OpenIdConfig { issuer, client_id: "pointbook".to_owned(), ..OpenIdConfig::default() };
        let found = examine_openid(&config).await.unwrap();
        assert_eq!(found, judge("http://127.0.0.1:1", Err(OpenIdError::Unreachable)));
        assert_eq!(found.state, State::Problem);
        let without_client = OpenIdConfig { client_id: String::new(), ..config };
        assert_eq!(examine_openid(&without_client).await.unwrap().state, State::Problem);
    }
}
