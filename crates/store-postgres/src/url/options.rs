//! The options of a URL that the driver does not know, or not as PostgreSQL's own programs do.

use std::error::Error;
use std::str::FromStr;

use percent_encoding::percent_decode_str;
use tokio_postgres::Config;

use crate::error::ConnectError;

/// How a connection is protected, in the words of PostgreSQL's own programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SslMode {
    /// In the open.
    Disable,
    /// By TLS, if the server has it.
    Prefer,
    /// By TLS, whoever the server is.
    Require,
    /// By TLS, with a server whose certificate comes from somebody who is trusted.
    VerifyCa,
    /// The same, and the certificate is for this host.
    VerifyFull,
}

/// Whose certificates are trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RootCertificates {
    /// Those that the system trusts.
    System,
    /// Those in a PEM file of this path.
    File(String),
}

/// What the URL says of these options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OwnOptions {
    pub(super) ssl_mode: SslMode,
    pub(super) roots: Option<RootCertificates>,
    pub(super) prepares_statements: bool,
}

/// The names, of which each is given once at most.
const NAMES: [&str; 3] = ["sslmode", "sslrootcert", "prepared_statements"];

impl OwnOptions {
    /// Takes them out of the options of a URL; gives those that are left for the driver.
    pub(super) fn take(options: &str) -> Result<(Self, String), ConnectError> {
        let mut given = [None, None, None];
        let mut others = Vec::new();
        for option in options.split('&') {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            match NAMES.iter().position(|own| *own == name).and_then(|place| given.get_mut(place)) {
                Some(taken) => *taken = Some(decoded(value)?),
                None => others.push(option),
            }
        }
        let [ssl_mode, roots, prepared] = given;
        Ok((Self::of(ssl_mode.as_deref(), roots, prepared.as_deref())?, others.join("&")))
    }

    fn of(
        ssl_mode: Option<&str>,
        roots: Option<String>,
        prepared: Option<&str>,
    ) -> Result<Self, ConnectError> {
        let roots = roots.map(|root| match root.as_str() {
            "system" => RootCertificates::System,
            _ => RootCertificates::File(root),
        });
        let ssl_mode = match ssl_mode {
            Some(mode) => ssl_mode_of(mode)?,
            // Everybody can buy a certificate of those: only together with the host's name it says something.
            None if roots == Some(RootCertificates::System) => SslMode::VerifyFull,
            None => SslMode::Prefer,
        };
        agree(ssl_mode, roots.as_ref())?;
        let prepares_statements = match prepared {
            None | Some("on") => true,
            Some("off") => false,
            Some(_) => return Err(refused("prepared_statements must be on or off")),
        };
        Ok(Self { ssl_mode, roots, prepares_statements })
    }
}

/// Names the first option that the driver refuses by itself; none where it takes each of them. What may be a part of a
/// password is not repeated.
pub(super) fn refused_by_driver(options: &str) -> Option<ConnectError> {
    let mut is_after_password = false;
    for option in options.split('&').filter(|option| !option.is_empty()) {
        let name = option.split_once('=').map(|(name, _)| name).filter(|name| is_name(name));
        if let Err(error) = Config::from_str(&format!("postgres://db/a?{option}")) {
            return Some(match name.filter(|_| !is_after_password) {
                Some(name) if is_of_unknown_name(&error) => refused(&format!(
                    "{name} is no parameter of a PostgreSQL URL here: remove it, or correct its name"
                )),
                Some(name) => refused(&format!("the value of {name} is refused: correct it after the ?")),
                None => refused(
                    "a parameter after the ? is refused: write NAME=VALUE, with & between two, and an & of a password \
                     as %26",
                ),
            });
        }
        is_after_password |= name == Some("password");
    }
    None
}

/// Whether it may be the name of an option: a password seldom looks like one.
fn is_name(name: &str) -> bool {
    const MAX_LENGTH: usize = 32;
    name.len() <= MAX_LENGTH && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

/// The driver tells an unknown option from a refused value in its words only.
fn is_of_unknown_name(error: &tokio_postgres::Error) -> bool {
    error.source().is_some_and(|cause| cause.to_string().starts_with("unknown option"))
}

fn ssl_mode_of(mode: &str) -> Result<SslMode, ConnectError> {
    match mode {
        "disable" => Ok(SslMode::Disable),
        "prefer" => Ok(SslMode::Prefer),
        "require" => Ok(SslMode::Require),
        "verify-ca" => Ok(SslMode::VerifyCa),
        "verify-full" => Ok(SslMode::VerifyFull),
        _ => Err(refused("sslmode must be disable, prefer, require, verify-ca or verify-full")),
    }
}

fn agree(ssl_mode: SslMode, roots: Option<&RootCertificates>) -> Result<(), ConnectError> {
    match (ssl_mode, roots) {
        (SslMode::VerifyCa | SslMode::VerifyFull, None) => Err(refused(
            "sslmode=verify-ca and sslmode=verify-full need sslrootcert=FILE or sslrootcert=system",
        )),
        (SslMode::Prefer | SslMode::Require | SslMode::VerifyCa, Some(RootCertificates::System)) => {
            Err(refused("sslrootcert=system needs sslmode=verify-full"))
        }
        _ => Ok(()),
    }
}

fn decoded(value: &str) -> Result<String, ConnectError> {
    Ok(percent_decode_str(value).decode_utf8().map_err(|_| ConnectError::Url)?.into_owned())
}

fn refused(rule: &str) -> ConnectError {
    ConnectError::Option(rule.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(options: &str) -> OwnOptions {
        OwnOptions::take(options).unwrap().0
    }

    #[test]
    fn the_drivers_options_are_left_to_it() {
        let (own, others) =
            OwnOptions::take("connect_timeout=3&sslmode=require&prepared_statements=off&user=me").unwrap();
        let expected = OwnOptions { ssl_mode: SslMode::Require, roots: None, prepares_statements: false };
        assert_eq!((own, others.as_str()), (expected, "connect_timeout=3&user=me"));
    }

    #[test]
    fn tls_is_preferred_unless_said_otherwise() {
        assert_eq!(of("").ssl_mode, SslMode::Prefer);
        assert_eq!(
            of("sslrootcert=%2Fetc%2Froot.pem").roots,
            Some(RootCertificates::File("/etc/root.pem".into()))
        );
        assert_eq!(of("sslrootcert=system").ssl_mode, SslMode::VerifyFull);
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        for (options, part) in [
            ("sslmode=verify_full", "sslmode must be"),
            ("sslmode=verify-full", "need sslrootcert"),
            ("sslmode=require&sslrootcert=system", "needs sslmode=verify-full"),
            ("prepared_statements=no", "must be on or off"),
        ] {
            let refused = OwnOptions::take(options).unwrap_err().to_string();
            assert!(refused.contains(part), "{options}: {refused}");
        }
    }
}
