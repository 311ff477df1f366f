//! URLs that a client may follow or show, such as images.

/// Whether this is an absolute `http` or `https` URL. It checks the scheme, the host and that there is no control character.
pub fn is_web_url(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else { return false };
    let is_web = ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    is_web && has_host(authority) && !text.contains(char::is_control)
}

/// A name, an IPv4 address or an IPv6 address in brackets, with or without a port. Browsers read a backslash as a slash, so a
/// host with a backslash is another host to them.
fn has_host(authority: &str) -> bool {
    let is_odd = |character: char| character.is_whitespace() || "\\\"<>^`{|}".contains(character);
    let host = authority.rsplit('@').next().unwrap_or_default();
    let name = if host.starts_with('[') { host } else { host.split(':').next().unwrap_or_default() };
    !name.is_empty() && !authority.contains(is_odd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_web_url_is_absolute_and_has_a_host() {
        for good in [
            "https://images.example/t.png",
            "HTTP://images.example",
            "http://localhost:8080/a b/か.png?x=|{}#<",
            "https://user@[::1]:443/",
            "https://例え.jp/",
        ] {
            assert!(is_web_url(good), "{good}");
        }
        for bad in [
            "",
            "a.png",
            "/a.png",
            "//images.example/a.png",
            "javascript:alert(1)",
            "javascript://images.example/%0aalert(1)",
            "data:image/png;base64,AA==",
            "ftp://images.example/a.png",
            " https://images.example/a.png",
            "https:images.example",
            "https://",
            "https:///a.png",
            "https://:443/",
            "https://user@/a.png",
            "https://a b/",
            "https://evil.example\\@images.example/",
            "https://images.example/a\nb.png",
            "https://images.example/\u{7f}",
        ] {
            assert!(!is_web_url(bad), "{bad:?}");
        }
    }
}
