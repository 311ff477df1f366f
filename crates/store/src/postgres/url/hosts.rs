//! Checks the hosts of a URL, and decides which of them use TLS.

use std::net::IpAddr;

use tokio_postgres::Config;
use tokio_postgres::config::Host;

use super::SslMode;
use crate::postgres::error::ConnectError;

/// Whether all hosts are Unix sockets. They never use TLS, because no third party can read them.
pub(super) fn are_local(config: &Config) -> bool {
    config.get_hostaddrs().is_empty() && config.get_hosts().iter().all(is_socket)
}

/// Whether no connection leaves this machine.
pub(super) fn are_of_this_machine(config: &Config) -> bool {
    let addresses = config.get_hostaddrs();
    if !addresses.is_empty() {
        return addresses.iter().all(IpAddr::is_loopback);
    }
    config.get_hosts().iter().all(|host| match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => {
            name == "localhost" || name.parse().is_ok_and(|address: IpAddr| address.is_loopback())
        }
    })
}

/// Refuses combinations that the driver would misread.
pub(super) fn check(config: &Config, ssl_mode: SslMode) -> Result<(), ConnectError> {
    if config.get_hosts().iter().any(is_list) {
        let rule = "several hosts must be before the database name: postgres://HOST,HOST/NAME";
        return Err(ConnectError::Option(rule.to_owned()));
    }
    let has_sockets = config.get_hosts().iter().any(is_socket);
    if has_sockets && !config.get_hostaddrs().is_empty() {
        return Err(ConnectError::Option("a host that is a Unix socket must not have a hostaddr".to_owned()));
    }
    let needs_tls = matches!(ssl_mode, SslMode::Require | SslMode::VerifyCa | SslMode::VerifyFull);
    if has_sockets && needs_tls && !are_local(config) {
        let rule = "with sslmode=require, verify-ca or verify-full, all hosts or none must be Unix sockets";
        return Err(ConnectError::Option(rule.to_owned()));
    }
    Ok(())
}

/// Uses the address as the name of a server without a name. A certificate may be for an address.
pub(super) fn name_addresses(config: &mut Config) {
    if config.get_hosts().is_empty() {
        let addresses = config.get_hostaddrs().to_vec();
        for address in addresses {
            config.host(address.to_string());
        }
    }
}

fn is_socket(host: &Host) -> bool {
    matches!(host, Host::Unix(_))
}

/// Whether the name is a list. The driver reads an option `host=a,b` as one host with a comma in its name.
fn is_list(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => name.contains(','),
        Host::Unix(path) => path.as_os_str().as_encoded_bytes().contains(&b','),
    }
}

#[cfg(test)]
mod tests {
    use tokio_postgres::config;

    use crate::postgres::url::PostgresUrl;

    #[test]
    fn unix_socket_never_uses_tls() {
        for mode in ["require", "verify-ca&sslrootcert=/root.pem", "verify-full&sslrootcert=/root.pem"] {
            let url =
                PostgresUrl::parse(&format!("postgres://me@%2Frun%2Fpg/points?sslmode={mode}")).unwrap();
            assert_eq!(url.config().unwrap().get_ssl_mode(), config::SslMode::Disable, "{mode}");
            assert!(url.tls().is_ok(), "must not read the root certificates for {mode}");
        }
    }

    #[test]
    fn address_is_used_as_name_for_certificates() {
        let url = PostgresUrl::parse("postgres:///points?hostaddr=127.0.0.1,::1&sslmode=require").unwrap();
        let hosts = ["127.0.0.1", "::1"].map(|host| config::Host::Tcp(host.to_owned()));
        assert_eq!(url.config().unwrap().get_hosts(), hosts);
    }

    #[test]
    fn required_tls_refuses_mix_of_sockets_and_names() {
        for (url, part) in [
            ("postgres://%2Frun%2Fpg,db/points?sslmode=require", "all hosts or none must be Unix sockets"),
            ("postgres:///points?host=/run/pg,db", "several hosts must be before"),
            ("postgres:///points?host=db,/run/pg", "several hosts must be before"),
            ("postgres:///points?host=/run/pg&hostaddr=127.0.0.1", "must not have a hostaddr"),
        ] {
            let refused = PostgresUrl::parse(url).unwrap_err().to_string();
            assert!(refused.contains(part), "{refused}");
        }
        assert!(PostgresUrl::parse("postgres://%2Frun%2Fpg,db/points?sslmode=prefer").is_ok());
    }
}
