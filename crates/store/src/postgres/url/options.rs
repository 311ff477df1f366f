//! The options of a URL that the driver does not know, or handles differently from PostgreSQL's own programs.

use std::error::Error;

use percent_encoding::percent_decode_str;

use crate::postgres::error::ConnectError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SslMode {
    Disable,
    Prefer,
    Require,
    /// TLS, and a trusted authority issued the server's certificate.
    VerifyCa,
    /// Like `VerifyCa`, and the certificate is for this host.
    VerifyFull,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RootCertificates {
    System,
    /// The path of a PEM file.
    File(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OwnOptions {
    pub(super) ssl_mode: SslMode,
    pub(super) roots: Option<RootCertificates>,
    pub(super) prepares_statements: bool,
}

impl OwnOptions {
    /// Takes pointbook's options out of the options of a URL. Also returns the remaining options, which are for the driver.
    pub(super) fn take(options: &str) -> Result<(Self, String), ConnectError> {
        let (mut ssl_mode, mut roots, mut prepares_statements) = (None, None, true);
        let mut others = Vec::new();
        for option in options.split('&') {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            match name {
                "sslmode" => ssl_mode = Some(ssl_mode_of(&decoded(value)?)?),
                "sslrootcert" => roots = Some(roots_of(decoded(value)?)),
                "prepared_statements" => prepares_statements = is_on(&decoded(value)?)?,
                _ => others.push(option),
            }
        }
        // Anyone can get a certificate from a public authority, so with system roots the host name must be verified.
        let of_system = roots == Some(RootCertificates::System);
        let default = if of_system { SslMode::VerifyFull } else { SslMode::Prefer };
        let ssl_mode = ssl_mode.unwrap_or(default);
        check_combination(ssl_mode, roots.as_ref())?;
        Ok((Self { ssl_mode, roots, prepares_statements }, others.join("&")))
    }
}

/// Names the option that the driver refuses. Leaves out a name that may be part of a password.
pub(super) fn refused_by_driver(options: &str, error: &tokio_postgres::Error) -> ConnectError {
    // Only the driver's message distinguishes an unknown option from an invalid value.
    let cause = error.source().map(ToString::to_string).unwrap_or_default();
    let name = cause.split('`').nth(1).filter(|name| is_name(name) && !is_after_password(options, name));
    refused(&match name {
        Some(name) if cause.starts_with("unknown option") => {
            format!("{name} is not a supported parameter of a PostgreSQL URL: remove it, or correct its name")
        }
        Some(name) => format!("the value of {name} is invalid: correct it after the ?"),
        None => "a parameter after the ? is invalid: write NAME=VALUE, separate two parameters by &, and write an & in a \
                 password as %26"
            .to_owned(),
    })
}

/// Whether this looks like the name of an option. A part of a password seldom does.
fn is_name(name: &str) -> bool {
    const MAX_LENGTH: usize = 32;
    name.len() <= MAX_LENGTH && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

/// Whether an option may be the rest of a password with an unencoded &.
fn is_after_password(options: &str, name: &str) -> bool {
    let mut before = options.split('&').take_while(|option| option.split('=').next() != Some(name));
    before.any(|option| option.starts_with("password"))
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

fn roots_of(root: String) -> RootCertificates {
    if root == "system" { RootCertificates::System } else { RootCertificates::File(root) }
}

fn is_on(prepared: &str) -> Result<bool, ConnectError> {
    match prepared {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(refused("prepared_statements must be on or off")),
    }
}

fn check_combination(ssl_mode: SslMode, roots: Option<&RootCertificates>) -> Result<(), ConnectError> {
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
    fn other_options_are_left_to_driver() {
        let (own, others) =
            OwnOptions::take("connect_timeout=3&sslmode=require&prepared_statements=off&user=me").unwrap();
        let expected = OwnOptions { ssl_mode: SslMode::Require, roots: None, prepares_statements: false };
        assert_eq!((own, others.as_str()), (expected, "connect_timeout=3&user=me"));
    }

    #[test]
    fn default_ssl_mode_is_prefer_or_verify_full_with_system_roots() {
        assert_eq!(of("").ssl_mode, SslMode::Prefer);
        assert_eq!(
            of("sslrootcert=%2Fetc%2Froot.pem").roots,
            Some(RootCertificates::File("/etc/root.pem".into()))
        );
        assert_eq!(of("sslrootcert=system").ssl_mode, SslMode::VerifyFull);
    }

    #[test]
    fn invalid_values_and_combinations_are_refused() {
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
