//! The issuer that signs operators in to the console.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use pointbook_access::openid::{Issuer, OpenId, Settings};

use crate::{Failure, secret_file};

/// For one request to the issuer. A sign-in needs up to two, and a request to this server may take ten seconds.
const TIMEOUT: Duration = Duration::from_secs(4);

/// The longest name on a button, in characters.
const MAX_NAME_CHARS: usize = 40;

/// The values of `[openid]`. Without an issuer, one-time links are the only way to sign in.
#[derive(Debug, Clone)]
pub(crate) struct OpenIdConfig {
    pub(crate) issuer: Option<Issuer>,
    pub(crate) client_id: String,
    /// A file that contains only the secret; empty for a public client.
    pub(crate) client_secret_file: PathBuf,
    pub(crate) name: String,
}

impl Default for OpenIdConfig {
    fn default() -> Self {
        let (client_id, client_secret_file) = (String::new(), PathBuf::new());
        Self { issuer: None, client_id, client_secret_file, name: "OpenID Connect".to_owned() }
    }
}

impl OpenIdConfig {
    /// The client of the issuer; `None` without an issuer. Reads the file with the secret, and logs a warning when every user of the
    /// machine can read it.
    ///
    /// # Errors
    /// When the issuer or the client id is missing, or the file cannot be read.
    pub(crate) fn client(&self) -> Result<Option<Arc<OpenId>>, Failure> {
        let Self { issuer, client_id, client_secret_file, name } = self;
        let Some(issuer) = issuer else {
            let is_without = client_id.is_empty() && client_secret_file.as_os_str().is_empty();
            let half = "openid.issuer is empty, but openid.client_id or openid.client_secret_file is set: set the issuer, or neither";
            return if is_without { Ok(None) } else { Err(Failure::input(half)) };
        };
        if client_id.is_empty() {
            return Err(Failure::input("openid.client_id is empty: set it to the id that the issuer gave"));
        }
        let has_secret = !client_secret_file.as_os_str().is_empty();
        let client_secret = has_secret.then(|| self.secret()).transpose()?;
        let (issuer, client_id, name) = (issuer.clone(), client_id.clone(), name.clone());
        let settings = Settings { issuer, client_id, client_secret, name, timeout: TIMEOUT };
        Ok(Some(Arc::new(OpenId::new(settings))))
    }

    fn secret(&self) -> Result<String, Failure> {
        let secret = secret_file::read("openid.client_secret_file", &self.client_secret_file)?;
        if let Some(warning) = secret_file::warning(&self.client_secret_file) {
            tracing::warn!("{warning}");
        }
        Ok(secret)
    }
}

/// An issuer, or none for an empty string.
pub(super) fn issuer(text: &str) -> Result<Option<Issuer>, String> {
    if text.is_empty() { Ok(None) } else { Issuer::parse(text).map(Some) }
}

/// A name for the button.
pub(super) fn issuer_name(text: &str) -> Result<String, String> {
    let is_name = !text.trim().is_empty()
        && text.chars().count() <= MAX_NAME_CHARS
        && !text.chars().any(char::is_control);
    if is_name { Ok(text.to_owned()) } else { Err(format!("must have 1 to {MAX_NAME_CHARS} characters")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(client_id: &str, client_secret_file: PathBuf) -> OpenIdConfig {
        let issuer = Issuer::parse("http://127.0.0.1:1").ok();
        OpenIdConfig {
            issuer,
            client_id: client_id.to_owned(),
            client_secret_file,
            ..OpenIdConfig::default()
        }
    }

    #[test]
    fn an_issuer_needs_a_client_and_a_secret_file_that_can_be_read() {
        assert!(OpenIdConfig::default().client().unwrap().is_none());
        assert!(config("pointbook", PathBuf::new()).client().unwrap().is_some());
        for (config, part) in [
            (config("", PathBuf::new()), "openid.client_id is empty"),
            (config("pointbook", "/nowhere/secret".into()), "openid.client_secret_file: cannot read"),
        ] {
            let failure = config.client().err().unwrap();
            assert!(failure.messages[0].contains(part), "{:?}", failure.messages);
            let without_issuer = OpenIdConfig { issuer: None, ..config };
            let is_set =
                !without_issuer.client_id.is_empty() || without_issuer.client_secret_file != PathBuf::new();
            assert_eq!(without_issuer.client().is_err(), is_set);
        }
    }

    #[test]
    fn an_issuer_and_a_name_are_checked() {
        assert_eq!(issuer("").unwrap(), None);
        assert!(issuer("http://login.example.com").is_err());
        for bad in ["", " ", "a\nb", &"a".repeat(41)] {
            assert!(issuer_name(bad).is_err(), "{bad:?}");
        }
    }
}
