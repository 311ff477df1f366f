//! How deep elements nest, counted in one pass.
//!
//! A parser of HTML takes time in proportion to elements times depth, so the depth is bounded before it parses. The count
//! is never below the real one, by more than what tables imply: an end tag closes the innermost element and no other.
//! Where end tags are left out, they are implied only as long as all tags stand where they belong.

mod kind;
mod tags;

use self::kind::Kind;
use self::tags::{Tag, Tags};

/// How many levels deep elements may nest.
pub const MAX_HTML_DEPTH: usize = 100;

/// How many attributes a tag may have: a parser compares each with all before it.
pub const MAX_HTML_ATTRIBUTES: usize = 100;

/// How many elements a parser may open again. It opens formatting again in the next block when a block ends before it,
/// so that a few hundred bytes would make as many elements in each block that follows.
const MAX_REOPENED: usize = 50_000;

/// How many elements may follow one whose content has rules different, such as `svg`.
const MAX_UNCERTAIN: usize = 500;

/// Whether elements may nest deeper than [`MAX_HTML_DEPTH`], a tag has more than [`MAX_HTML_ATTRIBUTES`], or formatting
/// that is left open multiplies.
pub fn is_too_complex(html: &str) -> bool {
    let (mut tags, mut open) = (Tags::of(html), Open::default());
    while let Some(tag) = tags.next() {
        match tag {
            Tag::Start(name) => match Kind::of(name) {
                Kind::Uncertain => return is_rest_too_complex(&tags),
                kind => open.start(name, kind),
            },
            Tag::End(name) => open.end(name),
            Tag::Uncertain => return is_rest_too_complex(&tags),
        }
        open.count_reopened();
        if open.elements.len() > MAX_HTML_DEPTH || open.reopened > MAX_REOPENED {
            return true;
        }
    }
    tags.most_attributes() > MAX_HTML_ATTRIBUTES
}

fn is_rest_too_complex(tags: &Tags<'_>) -> bool {
    tags.most_attributes() > MAX_HTML_ATTRIBUTES
        || tags.starts_left() > MAX_UNCERTAIN
        || tags.has_tag_left_with_more_attributes_than(MAX_HTML_ATTRIBUTES)
}

/// The elements that are open, the innermost last.
#[derive(Default)]
struct Open<'h> {
    elements: Vec<(&'h str, Kind)>,
    /// How many of them are formatting.
    formatting: usize,
    /// Whether a tag stood where a parser closes elements that the count may hold open, or the other way round.
    is_disorderly: bool,
    /// Whether a tag stood within formatting of a paragraph. It may have closed the paragraph, and the formatting with it.
    has_left_paragraph: bool,
    /// How many elements a parser may have opened again so far.
    reopened: usize,
}

impl<'h> Open<'h> {
    fn start(&mut self, name: &'h str, kind: Kind) {
        // Formatting that is open goes on in the next element, so its number would grow with each.
        if self.formatting == 0 {
            while self.elements.last().is_some_and(|(_, last)| kind.closes(*last)) {
                self.elements.pop();
            }
        }
        self.has_left_paragraph |= self.formatting > 0 && kind != Kind::Formatting && self.is_in_paragraph();
        // A parser closes items also through what stands in them, unless a list is between.
        let is_in_list = self.elements.last().is_none_or(|(_, last)| *last == Kind::List);
        self.is_disorderly |= kind.is_unruly() || (kind.is_item() && !is_in_list);
        if kind != Kind::Void {
            self.formatting += usize::from(kind == Kind::Formatting);
            self.elements.push((name, kind));
        }
    }

    fn is_in_paragraph(&self) -> bool {
        self.elements.iter().any(|(_, kind)| *kind == Kind::Paragraph)
    }

    /// After each tag a parser may open all open formatting again, unless all tags stand where they belong.
    fn count_reopened(&mut self) {
        if self.is_disorderly || self.has_left_paragraph {
            self.reopened += self.formatting;
        }
    }

    /// Closes the innermost element if it has this name. One that holds a block's items and paragraphs is closed with
    /// them.
    fn end(&mut self, name: &str) {
        let is_implied = |(open, kind): &(&str, Kind)| {
            !self.is_disorderly && kind.may_lack_end() && !open.eq_ignore_ascii_case(name)
        };
        let at = self.elements.iter().rposition(|element| !is_implied(element));
        let innermost = self.elements.len().saturating_sub(1);
        match at.and_then(|at| Some((at, self.elements.get(at)?))) {
            Some((at, (open, kind)))
                if open.eq_ignore_ascii_case(name)
                    && *kind != Kind::Form
                    && (at == innermost || kind.closes_implied()) =>
            {
                self.formatting -= usize::from(*kind == Kind::Formatting);
                self.elements.truncate(at);
            }
            _ => self.is_disorderly = true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(unit: &str, times: usize) -> String {
        unit.repeat(times)
    }

    #[test]
    fn a_hundred_levels_are_the_most() {
        for unit in ["<div>", "<b>", "<span class='a'>", "<DIV\n>", "<x-y/>", "<section><!-- </section> -->"]
        {
            assert!(!is_too_complex(&nested(unit, 100)), "{unit}");
            assert!(is_too_complex(&nested(unit, 101)), "{unit}");
        }
    }

    #[test]
    fn ordinary_html_is_as_long_as_it_likes() {
        for unit in [
            "<p>text",
            "<p>text</p>",
            "<br>",
            "<img src=\"a>b\" alt='<div>'>",
            "<div><p>text<ul><li>one<li>two</ul></div>",
            "<dl><dt>a<dd>b</dl>",
            "<table><tbody><tr><th>a</th></tr><tr><td><p>b</p></td></tr></tbody></table>",
            "<table><tr><td><b>a</b></td></tr></table>",
            "<style>p > b { color: red }</style><h2>a</h2>",
            "<script>if (a </div> b) '<div>'</script><i>a</i>",
            "<!-- <div> --><em><strong>a</strong></em>",
            "a < b, a <= b </> <3 <!doctype html> <?php echo '<div' ?>",
        ] {
            assert!(!is_too_complex(&nested(unit, 3_000)), "{unit}");
        }
    }

    /// What looks like an end and is none.
    #[test]
    fn ends_that_close_nothing_are_not_counted() {
        for unit in [
            "<ul><li>",
            "<div><!-- </div> -->",
            "<div title='</div>'>",
            "<div title=\"</div>\">",
            "<div title=a'</div>",
            "<div></ div>",
            "<div></span>",
            "<div><table><tr><td></div>",
            "<div><object></div>",
            "<div><button></div>",
            "<div><span></div>",
            "<span><li></span>",
            "<p><object></p>",
            "<b><p></b>",
            "<div><style></div></style>",
            "<div><textarea></div></textarea>",
            "<div><title></div></TITLE >",
            "<div><script><!--<script></script></div>--></script>",
            "<svg><desc></svg>",
            "<svg><style><!--</style></svg></desc>-->",
            "<select><style><!--</style></select>-->",
            "<template><div></template>",
            "<noscript><div></noscript>",
            "<td><rt></td>",
            "<td><optgroup></td>",
            "<th><rb></th>",
            "<td><dd></td><td><li></td>",
            "<div><span></div></span><dd></div><div><span></div></span><li></div>",
            "<table><table></table><dd></table><table><table></table><li></table>",
            "<li><div><li></li><dd></div></li><dd><div><dd></dd><li></div></dd>",
            "<form><table></form></table></form>",
        ] {
            assert!(is_too_complex(&nested(unit, 1_000)), "{unit}");
        }
    }

    /// A parser compares each attribute with all before it.
    #[test]
    fn a_hundred_attributes_are_the_most() {
        for (before, tag) in [("", "b"), ("", "/b"), ("", "style"), ("<svg><style>", "b"), ("<svg>", "/b")] {
            for separator in [" ", "/", "\n"] {
                let with = |count| {
                    let attributes = (0..count).map(|id| format!("{separator}a{id}='>'"));
                    let attributes = attributes.collect::<Vec<_>>().concat();
                    format!("{before}<{tag}{attributes}>")
                };
                assert!(!is_too_complex(&with(100)), "{before}{tag}");
                assert!(is_too_complex(&with(101)), "{before}{tag}");
            }
        }
    }

    /// Formatting that is left open is opened again in each paragraph.
    #[test]
    fn open_formatting_does_not_multiply() {
        let formatting = (0..90).map(|id| format!("<b id={id}>")).collect::<Vec<_>>().concat();
        assert!(is_too_complex(&format!("{formatting}{}", nested("<p>x", 1_000))));
        assert!(!is_too_complex(&format!("{formatting}{}", nested("<p>x</p>", 1_000))));
    }

    /// Each block opens all of it again, when the block around it ended.
    #[test]
    fn formatting_that_its_block_does_not_hold_does_not_multiply() {
        let formatting = (0..90).map(|id| format!("<b lang={id}>")).collect::<Vec<_>>().concat();
        let attack = |blocks| format!("<p>{formatting}</p>{}", nested("<p>x</p>", blocks));
        let elements = |html: &str| crate::html::clean(html).matches("<b lang").count();
        assert!(!is_too_complex(&attack(200)));
        assert_eq!(elements(&attack(200)), 90 * 201, "every block has them all");
        for blocks in [400, 7_000] {
            assert!(is_too_complex(&attack(blocks)), "{blocks}");
        }
        // A block that stands in the paragraph ends it, and each of its end tags takes the formatting away again.
        for unit in ["<div>x</div>", "<ul>x</ul>", "<h2>x</h2>", "<hr>x<p>x</p>"] {
            let blocks = nested(unit, 5_000);
            assert!(is_too_complex(&format!("<p>{formatting}{blocks}")), "{unit}");
        }
        let old = format!("<font color=red><b><i><table>{}", nested("<tr><td>x</td></tr>", 3_000));
        assert!(!is_too_complex(&old), "a long table within formatting");
    }

    /// Nor is what the parser closes and opens again.
    #[test]
    fn what_passes_is_cleaned_quickly() {
        for unit in ["<div>", "<ul><li>", "<table><tr><td>", "<b><p>", "<div></div>", "<p>x", "<a><table>"] {
            let longest = nested(unit, (64 << 10) / unit.len());
            if !is_too_complex(&longest) {
                assert!(crate::html::clean(&longest).len() < 1 << 20, "{unit}");
            }
        }
    }
}
