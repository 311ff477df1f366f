//! Where a server listens, as people write it.

use std::net::{Ipv4Addr, SocketAddr};

/// What is accepted, for the option and the keys alike.
const RULE: &str = "must be an IP address and a port, such as 127.0.0.1:8080 or [::]:8080; localhost:8080 and 8080 are \
                    127.0.0.1:8080";

/// Reads `IP:PORT`, `localhost:PORT`, or a port of this machine alone. `:PORT` is refused: other programs take it for
/// all addresses, and a server that is open by mistake is worse than a refusal.
///
/// # Errors
/// The rule.
pub fn parse_address(text: &str) -> Result<SocketAddr, String> {
    let port = text.strip_prefix("localhost:").unwrap_or(text);
    // A number alone, without a sign.
    if port.bytes().all(|byte| byte.is_ascii_digit())
        && let Ok(port) = port.parse()
    {
        return Ok((Ipv4Addr::LOCALHOST, port).into());
    }
    text.parse().map_err(|_| RULE.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_alone_is_one_of_this_machine() {
        for (text, address) in [
            ("8080", "127.0.0.1:8080"),
            ("localhost:0", "127.0.0.1:0"),
            ("[::]:80", "[::]:80"),
            ("0.0.0.0:80", "0.0.0.0:80"),
        ] {
            assert_eq!(parse_address(text), Ok(address.parse().unwrap()), "{text}");
        }
        for bad in ["", ":8080", "localhost", "localhost:", "here:80", "65536", "+80", "127.0.0.1", "::1"] {
            assert_eq!(parse_address(bad), Err(RULE.to_owned()), "{bad}");
        }
    }
}
