//! Writes elements. Attribute values and texts are escaped here, and nowhere else.

use std::fmt::{self, Display, Write};

/// The name and the value of an attribute.
pub(crate) type Attribute<'a> = (&'static str, &'a dyn Display);

/// HTML or SVG that grows at its end.
#[derive(Debug, Default)]
pub(crate) struct Markup {
    text: String,
}

impl Markup {
    pub(crate) fn open(&mut self, tag: &'static str, attributes: &[Attribute<'_>]) {
        self.begin(tag, attributes);
        self.text.push('>');
    }

    pub(crate) fn close(&mut self, tag: &'static str) {
        self.text.push_str("</");
        self.text.push_str(tag);
        self.text.push('>');
    }

    /// An element of SVG without content.
    pub(crate) fn empty(&mut self, tag: &'static str, attributes: &[Attribute<'_>]) {
        self.begin(tag, attributes);
        self.text.push_str("/>");
    }

    /// An element that contains only text.
    pub(crate) fn leaf(&mut self, tag: &'static str, attributes: &[Attribute<'_>], text: &str) {
        self.open(tag, attributes);
        self.escape(&text);
        self.close(tag);
    }

    /// Adds what another [`Markup`] has written.
    pub(crate) fn raw(&mut self, markup: &str) {
        self.text.push_str(markup);
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }

    fn begin(&mut self, tag: &'static str, attributes: &[Attribute<'_>]) {
        self.text.push('<');
        self.text.push_str(tag);
        for (name, value) in attributes {
            self.text.push(' ');
            self.text.push_str(name);
            self.text.push_str("=\"");
            self.escape(value);
            self.text.push('"');
        }
    }

    fn escape(&mut self, value: &dyn Display) {
        // Writing to a string cannot fail.
        let _ = write!(Escaper(&mut self.text), "{value}");
    }
}

struct Escaper<'m>(&'m mut String);

impl Write for Escaper<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for found in text.chars() {
            match found {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                '\n' | '\t' => self.0.push(found),
                // XML allows no other control character, not even escaped.
                _ if found.is_control() => self.0.push(char::REPLACEMENT_CHARACTER),
                _ => self.0.push(found),
            }
        }
        Ok(())
    }
}

/// A coordinate or a length, with at most two decimals: a hundredth of a percent is less than a pixel, and long lines weigh less.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Length(pub(crate) f64);

impl Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let written = format!("{:.2}", self.0);
        let short = written.trim_end_matches('0').trim_end_matches('.');
        f.write_str(if short == "-0" { "0" } else { short })
    }
}

/// The same in percent of a place whose size only the browser knows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Percent(pub(crate) f64);

impl Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", Length(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_attributes_are_escaped() {
        let mut html = Markup::default();
        html.leaf("text", &[("class", &"a\" onload='b'")], "<b>&\u{0}\u{1b}\n");
        let expected = "<text class=\"a&quot; onload=&#39;b&#39;\">&lt;b&gt;&amp;\u{fffd}\u{fffd}\n</text>";
        assert_eq!(html.finish(), expected);
    }

    #[test]
    fn lengths_have_at_most_two_decimals() {
        let written = [0.0, -0.001, 1.0, 10.0, 1.004, 2.5, -3.162].map(|length| Length(length).to_string());
        assert_eq!(written, ["0", "0", "1", "10", "1", "2.5", "-3.16"]);
    }
}
