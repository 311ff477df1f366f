//! A reader of the elements that charts write. It panics when they are not balanced or not escaped.

use std::collections::BTreeMap;

/// An element, its attributes and the text directly inside it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Element {
    pub(crate) tag: String,
    pub(crate) attributes: BTreeMap<String, String>,
    pub(crate) text: String,
}

/// All elements in the order of their start tags.
pub(crate) fn elements(markup: &str) -> Vec<Element> {
    let (mut all, mut open): (Vec<Element>, Vec<usize>) = (Vec::new(), Vec::new());
    for piece in markup.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').unwrap_or_else(|| panic!("{piece} is not closed"));
        assert!(!text.contains('>') && !text.contains('"'), "{text} is not escaped");
        if let Some(name) = tag.strip_prefix('/') {
            let closed = open.pop().map(|at| all[at].tag.clone());
            assert_eq!(closed.as_deref(), Some(name), "{markup}");
            assert!(text.is_empty(), "{text} follows an element");
            continue;
        }
        all.push(Element { text: unescaped(text), ..start_tag(tag.trim_end_matches('/')) });
        if !tag.ends_with('/') {
            open.push(all.len() - 1);
        }
    }
    assert!(open.is_empty(), "{markup}");
    all
}

fn start_tag(tag: &str) -> Element {
    let (tag, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    let mut attributes = BTreeMap::new();
    while let Some((name, behind)) = rest.split_once("=\"") {
        let (value, behind) = behind.split_once('"').unwrap();
        let known = attributes.insert(name.trim().to_owned(), unescaped(value));
        assert!(known.is_none(), "{name} twice");
        rest = behind;
    }
    Element { tag: tag.to_owned(), attributes, text: String::new() }
}

fn unescaped(text: &str) -> String {
    let marks = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    marks.iter().fold(text.to_owned(), |text, (escaped, mark)| text.replace(escaped, mark))
}

/// The texts of all elements with this tag.
pub(crate) fn texts(markup: &str, tag: &str) -> Vec<String> {
    elements(markup).into_iter().filter(|element| element.tag == tag).map(|element| element.text).collect()
}
