//! The tags of a text, as the tokenizer of HTML finds them.

/// Elements whose content is text up to their end tag.
const RAW: &[&str] = &["iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp"];

/// A tag by its name, in the case that it was written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag<'h> {
    Start(&'h str),
    End(&'h str),
    /// A script that holds a comment may go on behind its end tag.
    Uncertain,
}

pub(super) struct Tags<'h> {
    rest: &'h str,
    /// How many attributes a tag had at most so far.
    most_attributes: usize,
}

impl<'h> Tags<'h> {
    pub(super) fn of(html: &'h str) -> Self {
        Self { rest: html, most_attributes: 0 }
    }

    /// The next tag. Comments, and the contents of scripts and the like, hold none.
    pub(super) fn next(&mut self) -> Option<Tag<'h>> {
        loop {
            self.skip_to("<")?;
            if let Some(comment) = self.rest.strip_prefix("!--") {
                self.rest = behind_comment(comment);
            } else if let Some(end) = self.rest.strip_prefix('/').filter(|end| begins_name(end)) {
                self.rest = end;
                let name = self.name();
                self.skip_attributes();
                return Some(Tag::End(name));
            } else if begins_name(self.rest) {
                if let Some(tag) = self.start() {
                    return Some(tag);
                }
            } else if self.rest.starts_with(['!', '?', '/']) {
                self.skip_to(">")?;
            }
        }
    }

    /// How many start tags there may be in the rest, wherever they stand.
    pub(super) fn starts_left(&self) -> usize {
        self.rest.split('<').skip(1).filter(|behind| begins_name(behind)).count()
    }

    pub(super) fn most_attributes(&self) -> usize {
        self.most_attributes
    }

    /// Whether a tag in the rest may have more attributes, wherever it begins.
    pub(super) fn has_tag_left_with_more_attributes_than(&self, most: usize) -> bool {
        self.rest.match_indices('<').any(|(at, _)| {
            let behind = self.rest.get(at + 1..).unwrap_or_default();
            let mut tag = Tags::of(behind.strip_prefix('/').unwrap_or(behind));
            if !begins_name(tag.rest) {
                return false;
            }
            tag.name();
            tag.skip_attributes_up_to(most + 1);
            tag.most_attributes > most
        })
    }

    /// A start tag; none for an element that is opened and closed, because its content is text.
    fn start(&mut self) -> Option<Tag<'h>> {
        let name = self.name();
        self.skip_attributes();
        let Some(raw) = RAW.iter().find(|raw| raw.eq_ignore_ascii_case(name)) else {
            return Some(Tag::Start(name));
        };
        let content = self.rest;
        self.skip_raw(raw);
        let content = content.get(..content.len() - self.rest.len()).unwrap_or(content);
        (*raw == "script" && content.contains("<!--")).then_some(Tag::Uncertain)
    }

    fn skip_to(&mut self, what: &str) -> Option<()> {
        let (_, rest) = self.rest.split_once(what)?;
        self.rest = rest;
        Some(())
    }

    fn name(&mut self) -> &'h str {
        let length = self.rest.find([' ', '\t', '\n', '\r', '\u{c}', '/', '>']).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(length);
        self.rest = rest;
        name
    }

    /// Goes behind the `>` of a tag. A quote counts only where a value begins.
    fn skip_attributes(&mut self) {
        self.skip_attributes_up_to(usize::MAX);
    }

    fn skip_attributes_up_to(&mut self, most: usize) {
        for count in 0..most {
            self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r', '\u{c}', '/']);
            if let Some(rest) = self.rest.strip_prefix('>') {
                self.rest = rest;
                return;
            }
            let Some(first) = self.rest.chars().next() else { return };
            self.most_attributes = self.most_attributes.max(count + 1);
            // An equals sign that comes first belongs to the name.
            let (_, behind) = self.rest.split_at(first.len_utf8());
            self.rest = behind.trim_start_matches(|char| !is_end_of_attribute(char));
            let behind = self.rest.trim_start_matches(is_space);
            if let Some(value) = behind.strip_prefix('=') {
                self.rest = behind_value(value.trim_start_matches(is_space));
            }
        }
    }

    /// Goes behind the end tag of an element whose content is text; to the end where it is missing.
    fn skip_raw(&mut self, name: &str) {
        while self.skip_to("</").is_some() {
            let is_end = self.rest.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name));
            let behind = self.rest.get(name.len()..).unwrap_or_default();
            if is_end && behind.starts_with(|char| is_space(char) || char == '/' || char == '>') {
                self.rest = behind;
                return self.skip_attributes();
            }
        }
        self.rest = "";
    }
}

fn begins_name(text: &str) -> bool {
    text.starts_with(|char: char| char.is_ascii_alphabetic())
}

fn is_space(char: char) -> bool {
    matches!(char, ' ' | '\t' | '\n' | '\r' | '\u{c}')
}

fn is_end_of_attribute(char: char) -> bool {
    is_space(char) || matches!(char, '/' | '>' | '=')
}

/// What is behind a value, quoted or not. The `>` of a tag without a value stays.
fn behind_value(value: &str) -> &str {
    let quote = value.chars().next().filter(|char| matches!(char, '"' | '\''));
    match quote {
        Some(quote) => {
            value.get(1..).and_then(|value| value.split_once(quote)).map_or("", |(_, behind)| behind)
        }
        None => value.trim_start_matches(|char| !is_space(char) && char != '>'),
    }
}

/// What is behind the comment that begins here.
fn behind_comment(comment: &str) -> &str {
    if let Some(behind) = comment.strip_prefix('>').or_else(|| comment.strip_prefix("->")) {
        return behind;
    }
    let is_end = |at: &usize| {
        let rest = comment.as_bytes().get(*at..).unwrap_or_default();
        rest.starts_with(b"-->") || rest.starts_with(b"--!>")
    };
    // Both kinds of ends are looked for at once, so that many comments take no more than one pass.
    let end = (0..comment.len()).find(is_end);
    end.and_then(|at| comment.get(at..)?.split_once('>')).map_or("", |(_, behind)| behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(html: &str) -> String {
        let mut tags = Tags::of(html);
        let mut found = Vec::new();
        while let Some(tag) = tags.next() {
            found.push(match tag {
                Tag::Start(name) => name.to_owned(),
                Tag::End(name) => format!("/{name}"),
                Tag::Uncertain => "?".to_owned(),
            });
        }
        found.join(" ")
    }

    #[test]
    fn tags_are_found_where_a_browser_finds_them() {
        for (html, expected) in [
            ("a<b>c</b>", "b /b"),
            ("<p\tclass=a><BR/>", "p BR"),
            ("<a title='>'><i title=\">\"><u title=a'>'><s ' >", "a i u s"),
            ("<a =\"><b>", "a b"),
            ("<a b = '><i>' c><u>", "a u"),
            ("<a b=><i>", "a i"),
            ("<a b='></a>", "a"),
            ("<a", "a"),
            ("<!-- <b> --><i><!--><u><!---><s><!--a--!><p><!-- <b>", "i u s p"),
            ("<!b <i>><u><?x <b>><s></ b <p>></>", "u s"),
            ("< b><1></1>", ""),
            ("<style><b></stylex></style ><i>", "i"),
            ("<TITLE></b></title/><i>", "i"),
            ("<script></script><b>", "b"),
            ("<script><!--</script><b>", "? b"),
            ("<textarea><b>", ""),
        ] {
            assert_eq!(tags(html), expected, "{html}");
        }
    }
}
