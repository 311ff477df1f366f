//! The HTML of descriptions: its limits, and its cleaning (ADR 0005).

mod nesting;

use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::LazyLock;

use ammonia::{Builder, clean_text};

pub use nesting::{MAX_HTML_ATTRIBUTES, MAX_HTML_DEPTH, is_too_complex};

/// The allowed schemes of a `cite`. ammonia checks the URLs of links and images.
const CITE_SCHEMES: [&str; 3] = ["http", "https", "mailto"];

static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut cleaner = Builder::default();
    cleaner.attribute_filter(|_, attribute, value| {
        (attribute != "cite" || is_harmless(value)).then_some(Cow::Borrowed(value))
    });
    cleaner
});

/// The rule that [`is_too_complex`] checks.
pub fn complexity_rule() -> String {
    format!(
        "must not nest elements deeper than {MAX_HTML_DEPTH} levels, give one more than {MAX_HTML_ATTRIBUTES} attributes, \
         or leave formatting elements open in many blocks"
    )
}

/// The longest cleaned HTML, in bytes. Ordinary HTML is shorter, even at its longest and with every character escaped.
const MAX_CLEAN_BYTES: usize = 1 << 20;

/// Safe HTML. If a few long tags would be repeated beyond `MAX_CLEAN_BYTES`, it is the escaped source.
pub fn clean(html: &str) -> String {
    let mut cleaned = Bounded(Vec::new());
    match CLEANER.clean(html).write_to(&mut cleaned) {
        Ok(()) => String::from_utf8_lossy(&cleaned.0).into_owned(),
        Err(_) => clean_text(html),
    }
}

/// At most [`MAX_CLEAN_BYTES`]. More is an error.
struct Bounded(Vec<u8>);

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > MAX_CLEAN_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether a URL is relative or has one of the schemes. It skips spaces and control characters, as browsers do.
fn is_harmless(url: &str) -> bool {
    let url: String = url.chars().filter(|char| *char > ' ').collect();
    let scheme = url.split(['/', '?', '#']).next().and_then(|first| first.split_once(':'));
    scheme.is_none_or(|(scheme, _)| CITE_SCHEMES.iter().any(|harmless| scheme.eq_ignore_ascii_case(harmless)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_that_is_cited_has_a_harmless_scheme() {
        for element in ["q", "blockquote", "del", "ins"] {
            let cited = |url: &str| clean(&format!("<{element} cite=\"{url}\">x</{element}>"));
            let bare = format!("<{element}>x</{element}>");
            for bad in [
                "javascript:alert(1)",
                "JavaScript:alert(1)",
                " \u{1}javascript:alert(1)",
                "java&#10;script:alert(1)",
                "java&Tab;script&colon;alert(1)",
                "&#x6A;avascript:alert(1)",
                "vbscript:msgbox(1)",
                "data:text/html,x",
                "file:///etc/passwd",
                ":x",
            ] {
                assert_eq!(cited(bad), bare, "{bad}");
            }
            for good in [
                "https://a.example/b?c=d:e",
                "HTTP://a.example",
                "mailto:a@b.example",
                "/a:b",
                "?a:b",
                "#a:b",
                "a/b:c",
                "",
            ] {
                assert_eq!(cited(good), format!("<{element} cite=\"{good}\">x</{element}>"), "{good}");
            }
        }
    }

    /// A tag of 30,000 bytes that is opened again in each of 4,000 blocks would make 120 MB.
    #[test]
    fn a_long_tag_that_is_repeated_without_end_is_shown_as_text() {
        let attack = |blocks: usize| {
            format!("<p><b title=\"{}\"></p>{}", "x".repeat(30_000), "<p>y</p>".repeat(blocks))
        };
        assert!(!is_too_complex(&attack(4_000)), "one element in each block is little");
        assert!(clean(&attack(10)).starts_with("<p><b title=\"xxx"));
        let text = clean(&attack(40));
        assert!(text.len() < MAX_CLEAN_BYTES && text.starts_with("&lt;p&gt;"), "{}", text.len());
        let longest = "\u{1f375}".repeat(65_536);
        assert_eq!(clean(&longest), longest, "the longest description fits");
    }

    #[test]
    fn what_runs_code_goes_and_what_shows_a_product_stays() {
        let stays = "<p>A <b>heavy</b> mug, <img src=\"https://a.example/m.webp\" alt=\"a mug\"></p>";
        assert_eq!(clean(stays), stays);
        assert_eq!(clean("<p onclick=\"x()\">a<script>x()</script></p>"), "<p>a</p>");
        assert_eq!(clean("<a href=\"javascript:x()\">a</a>"), "<a rel=\"noopener noreferrer\">a</a>");
    }
}
