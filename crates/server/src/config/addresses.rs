//! The addresses of the server, and how they fit together.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use pointbook_access::sessions::ConsoleOrigin;

use super::Config;

impl Config {
    /// The origin at which browsers reach the console of a server that listens there. `None` when the system still has to
    /// choose a port, for all addresses of a machine, and when no URL names the address.
    pub(crate) fn console_origin(&self, listen: Option<SocketAddr>) -> Option<ConsoleOrigin> {
        match listen {
            Some(listen) if !self.console_url.is_separate() => {
                let is_known = listen.port() != 0 && !listen.ip().is_unspecified();
                if is_known { ConsoleOrigin::parse(&format!("http://{listen}")) } else { None }
            }
            _ => Some(self.console_url.clone()),
        }
    }

    /// What is wrong with the addresses together.
    pub(crate) fn address_problems(&self) -> Vec<String> {
        let addresses = [
            ("listen.address", Some(self.listen)),
            ("listen.metrics", self.metrics_listen),
            ("listen.console", self.console_listen),
        ];
        let set: Vec<_> = addresses.iter().filter_map(|(key, address)| Some((key, (*address)?))).collect();
        let pairs = set
            .iter()
            .enumerate()
            .flat_map(|(at, one)| set.iter().skip(at + 1).map(move |other| (one, other)));
        let mut problems: Vec<_> = pairs
            .filter(|((_, one), (_, other))| overlap(*one, *other))
            .map(|((key, one), (other_key, other))| {
                format!("{other_key} is {other}, and {key} is {one}: set another port for {other_key}")
            })
            .collect();
        if let Some(console) = self.console_listen
            && (console.port() != 0 || console.ip().is_unspecified())
            && self.console_origin(self.console_listen).is_none()
        {
            problems.push(format!("http://{console} is no URL for browsers: set listen.console_url"));
        }
        if self.console_url.is_separate() && self.console_listen.is_none() {
            problems.push(
                "listen.console_url is set, but listen.console is off: set listen.console to an address"
                    .to_owned(),
            );
        }
        problems
    }
}

/// Whether no two servers can listen at both addresses. `[::]` takes IPv4 connections, too.
fn overlap(one: SocketAddr, other: SocketAddr) -> bool {
    let takes =
        |all: SocketAddr, one: SocketAddr| all.ip().is_unspecified() && (all.is_ipv6() || one.is_ipv4());
    one.port() != 0
        && one.port() == other.port()
        && (one.ip() == other.ip() || takes(one, other) || takes(other, one))
}

/// The address to connect to on this machine for a server that listens on `listen`.
pub(crate) fn own_address(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}

/// An origin, or none for an empty string.
pub(super) fn console_url(text: &str) -> Result<ConsoleOrigin, String> {
    const RULE: &str = "must be http://HOST[:PORT] or https://HOST[:PORT], in lower case and without a path";
    if text.is_empty() {
        return Ok(ConsoleOrigin::default());
    }
    ConsoleOrigin::parse(text).ok_or_else(|| RULE.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn server_on_all_addresses_is_reached_by_loopback() {
        for (listen, own) in
            [("0.0.0.0:80", "127.0.0.1:80"), ("[::]:80", "[::1]:80"), ("10.0.0.1:80", "10.0.0.1:80")]
        {
            assert_eq!(own_address(listen.parse().unwrap()), own.parse().unwrap());
        }
    }

    fn config(listen: &str, console: &str) -> Config {
        let (listen, console_listen) = (listen.parse().unwrap(), console.parse().ok());
        Config { listen, console_listen, ..Config::default() }
    }

    #[test]
    fn addresses_that_overlap_are_a_problem() {
        for (listen, console, is_problem) in [
            ("127.0.0.1:80", "127.0.0.1:80", true),
            ("0.0.0.0:80", "127.0.0.1:80", true),
            ("10.0.0.1:80", "[::]:80", true),
            ("0.0.0.0:80", "[::1]:80", false),
            ("127.0.0.1:80", "127.0.0.2:80", false),
            ("127.0.0.1:80", "127.0.0.1:81", false),
            ("127.0.0.1:0", "127.0.0.1:0", false),
            ("127.0.0.1:80", "off", false),
        ] {
            let url = if console == "off" { "" } else { "https://console.example.com" };
            let config = Config { console_url: console_url(url).unwrap(), ..config(listen, console) };
            assert_eq!(config.address_problems().len(), usize::from(is_problem), "{listen} {console}");
        }
        for every in ["0.0.0.0:81", "[::]:81", "0.0.0.0:0"] {
            let problems = config("127.0.0.1:80", every).address_problems();
            assert!(problems.len() == 1 && problems[0].contains("set listen.console_url"), "{problems:?}");
        }
        assert!(
            config("127.0.0.1:80", "127.0.0.1:443").address_problems()[0].contains("set listen.console_url")
        );
        let both =
            Config { metrics_listen: "127.0.0.1:81".parse().ok(), ..config("127.0.0.1:80", "127.0.0.1:81") };
        let expected = "listen.console is 127.0.0.1:81, and listen.metrics is 127.0.0.1:81: set another port for listen.console";
        assert_eq!(both.address_problems(), [expected]);
    }

    #[test]
    fn the_origin_of_the_console_is_its_address_or_its_url() {
        let origin = |config: &Config| config.console_origin(config.console_listen);
        let parsed = ConsoleOrigin::parse;
        assert_eq!(origin(&config("127.0.0.1:80", "off")), Some(ConsoleOrigin::default()));
        assert_eq!(origin(&config("127.0.0.1:80", "10.0.0.1:81")), parsed("http://10.0.0.1:81"));
        assert_eq!(origin(&config("127.0.0.1:80", "127.0.0.1:0")), None);
        let url = console_url("https://console.example.com/").unwrap();
        let behind_proxy = Config { console_url: url, ..config("127.0.0.1:80", "127.0.0.1:0") };
        assert_eq!(origin(&behind_proxy), parsed("https://console.example.com"));
        let alone = Config { console_listen: None, ..behind_proxy };
        assert!(alone.address_problems()[0].contains("listen.console is off"));
        assert!(console_url("console.example.com").is_err());
    }
}
