//! What an issuer says of itself.

use url::Url;

use crate::openid::OpenIdError;
use crate::openid::attempt::Attempt;
use crate::openid::client::Prompt;
use crate::openid::issuer::Issuer;
use crate::openid::members::Members;

/// How this client proves to the token endpoint which client it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClientProof {
    Basic,
    Post,
    /// A public client has no secret. PKCE alone protects the code.
    Public,
}

/// The metadata of an issuer, checked.
#[derive(Debug)]
pub(crate) struct Metadata {
    authorization_endpoint: Url,
    pub(crate) token_endpoint: Url,
    pub(crate) proof: ClientProof,
    /// Each callback has the parameter `iss` (RFC 9207).
    pub(crate) promises_iss: bool,
}

impl Metadata {
    /// Reads the metadata. `has_secret` says whether this client has a secret.
    pub(crate) fn read(members: &Members, issuer: &Issuer, has_secret: bool) -> Result<Self, OpenIdError> {
        if members.text("issuer") != Some(issuer.as_str()) {
            return Err(OpenIdError::MetadataIssuer);
        }
        let endpoint = |name| {
            let url = members.text(name).and_then(|text| issuer.endpoint(text));
            url.ok_or(OpenIdError::MetadataEndpoint)
        };
        // Issuers that support PKCE need not say so.
        if !members.lists("code_challenge_methods_supported", "S256", true) {
            return Err(OpenIdError::MetadataMethod);
        }
        Ok(Self {
            authorization_endpoint: endpoint("authorization_endpoint")?,
            token_endpoint: endpoint("token_endpoint")?,
            proof: proof(members, has_secret)?,
            promises_iss: members.is_true("authorization_response_iss_parameter_supported"),
        })
    }

    /// The URL to which the browser goes.
    pub(crate) fn authorization_url(
        &self,
        attempt: &Attempt,
        client_id: &str,
        redirect_uri: &str,
        prompt: Prompt,
    ) -> String {
        let mut url = self.authorization_endpoint.clone();
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("scope", "openid email profile")
            .append_pair("client_id", client_id)
            .append_pair("redirect_uri", redirect_uri)
            .append_pair("state", &attempt.state())
            .append_pair("nonce", &attempt.nonce())
            .append_pair("code_challenge", &attempt.challenge())
            .append_pair("code_challenge_method", "S256");
        if prompt == Prompt::Login {
            url.query_pairs_mut().append_pair("prompt", "login");
        }
        url.into()
    }
}

/// The default of the metadata is `client_secret_basic`. Public clients are often not listed.
fn proof(members: &Members, has_secret: bool) -> Result<ClientProof, OpenIdError> {
    let supports = |method, missing| members.lists("token_endpoint_auth_methods_supported", method, missing);
    if !has_secret {
        Ok(ClientProof::Public)
    } else if supports("client_secret_basic", true) {
        Ok(ClientProof::Basic)
    } else if supports("client_secret_post", false) {
        Ok(ClientProof::Post)
    } else {
        Err(OpenIdError::MetadataMethod)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ISSUER: &str = "https://login.example.com";

    /// The metadata with these members instead of, or besides, the usual ones.
    fn read(other: &str, has_secret: bool) -> Result<Metadata, OpenIdError> {
        let usual = [
            ("issuer", r#""https://login.example.com""#),
            ("authorization_endpoint", r#""https://login.example.com/authorize?realm=a""#),
            ("token_endpoint", r#""https://token.example.com/t""#),
        ];
        let kept = usual.iter().filter(|(name, _)| !other.contains(&format!("\"{name}\"")));
        let mut parts: Vec<_> = kept.map(|(name, value)| format!("\"{name}\":{value}")).collect();
        parts.extend((!other.is_empty()).then(|| other.to_owned()));
        let members = Members::parse(format!("{{{}}}", parts.join(",")).as_bytes()).unwrap();
        Metadata::read(&members, &Issuer::parse(ISSUER).unwrap(), has_secret)
    }

    #[test]
    fn the_method_of_the_client_is_one_that_the_issuer_supports() {
        let listed = |list: &str| format!("\"token_endpoint_auth_methods_supported\":{list}");
        for (list, proof) in [
            (String::new(), Ok(ClientProof::Basic)),
            (listed(r#"["client_secret_post","client_secret_basic"]"#), Ok(ClientProof::Basic)),
            (listed(r#"["private_key_jwt","client_secret_post"]"#), Ok(ClientProof::Post)),
            (listed(r#"["private_key_jwt"]"#), Err(OpenIdError::MetadataMethod)),
            (listed(r#""client_secret_basic""#), Err(OpenIdError::MetadataMethod)),
        ] {
            assert_eq!(read(&list, true).map(|metadata| metadata.proof), proof, "{list}");
            assert_eq!(read(&list, false).map(|metadata| metadata.proof), Ok(ClientProof::Public), "{list}");
        }
    }

    #[test]
    fn other_metadata_is_refused() {
        for (other, error) in [
            (r#""issuer":"https://login.example.com/""#, OpenIdError::MetadataIssuer),
            (r#""issuer":["https://login.example.com"]"#, OpenIdError::MetadataIssuer),
            (r#""token_endpoint":"http://login.example.com/t""#, OpenIdError::MetadataEndpoint),
            (r#""token_endpoint":null"#, OpenIdError::MetadataEndpoint),
            (r#""authorization_endpoint":"javascript:alert(1)""#, OpenIdError::MetadataEndpoint),
            (r#""code_challenge_methods_supported":["plain"]"#, OpenIdError::MetadataMethod),
        ] {
            assert_eq!(read(other, true).err(), Some(error), "{other}");
        }
    }

    #[test]
    fn the_authorization_url_has_what_the_flow_needs_and_keeps_its_query() {
        let attempt = Attempt::new([1; 32], "acme", 0);
        let url = read("", true).unwrap().authorization_url(
            &attempt,
            "a&b",
            "https://shop.example/console/openid",
            Prompt::Usual,
        );
        let parsed = Url::parse(&url).unwrap();
        let pairs: Vec<_> = parsed.query_pairs().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(
            pairs,
            [
                "realm=a".to_owned(),
                "response_type=code".to_owned(),
                "scope=openid email profile".to_owned(),
                "client_id=a&b".to_owned(),
                "redirect_uri=https://shop.example/console/openid".to_owned(),
                format!("state={}", attempt.state()),
                format!("nonce={}", attempt.nonce()),
                format!("code_challenge={}", attempt.challenge()),
                "code_challenge_method=S256".to_owned(),
            ]
        );
        assert!(!url.contains(&attempt.verifier()));
    }
}
