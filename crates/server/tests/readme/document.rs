//! Reads Markdown: code blocks and their headings.

/// A block of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Block<'d> {
    /// The heading above it that begins with `## `; empty before the first.
    pub(crate) section: &'d str,
    /// The language after the opening fence.
    pub(crate) language: &'d str,
    /// The line number of the first line of its content, from 1.
    pub(crate) line: usize,
    /// Its content, without the last line end.
    pub(crate) text: &'d str,
    /// Whether it directly follows another block.
    pub(crate) follows: bool,
}

const FENCE: &str = "```";

/// All code blocks, in order.
pub(crate) fn blocks(document: &str) -> Vec<Block<'_>> {
    let (mut blocks, mut section, mut follows, mut at) = (Vec::new(), "", false, 0);
    let lines = document.split_inclusive('\n').zip(1..);
    let mut open: Option<(&str, usize, usize)> = None;
    for (text, line) in lines {
        let end = at + text.len();
        match (open, text.strip_prefix(FENCE)) {
            (None, Some(language)) => open = Some((language.trim(), line + 1, end)),
            (None, None) => {
                section = if text.starts_with("## ") { text.trim() } else { section };
                follows = false;
            }
            (Some((language, line, from)), Some(_)) => {
                let text = document[from..at].trim_end_matches('\n');
                blocks.push(Block { section, language, line, text, follows });
                (open, follows) = (None, true);
            }
            (Some(_), None) => {}
        }
        at = end;
    }
    assert!(open.is_none(), "a block of code is not closed");
    blocks
}

#[test]
fn blocks_have_section_and_line() {
    let document = "# a\n```sh\nb\n```\n```text\nc\nd\n```\n## e\n\n```json\n```\n";
    let block = |section, language, line, text, follows| Block { section, language, line, text, follows };
    assert_eq!(
        blocks(document),
        [
            block("", "sh", 3, "b", false),
            block("", "text", 6, "c\nd", true),
            block("## e", "json", 12, "", false)
        ]
    );
}
