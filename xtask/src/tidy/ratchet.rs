//! Files and functions stay short; the few that are not are listed, and their numbers only ever shrink.

use std::collections::BTreeMap;

use super::finding::Finding;
use super::functions::functions;
use super::source::Source;
use super::tree::Tree;

const RULE: &str = "ratchet";

/// The list of what is still too long: `file NUMBER PATH` or `function NUMBER PATH NAME`, `#` starts a comment.
const LIST: &str = "xtask/tidy-ratchet.txt";

/// No file is longer than this, its tests included.
const FILE_LINES_MAX: usize = 350;

/// No function is longer than this, from `fn` to its closing brace.
const FUNCTION_LINES_MAX: usize = 40;

/// Something with a length: `file PATH` or `function PATH NAME`, as the list writes it.
type Key = String;

/// Where something too long stands, how long it is and how long it may be.
struct Excess {
    path: String,
    line: usize,
    lines: usize,
    limit: usize,
}

/// Compares what is too long with the list, both ways.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let excesses: BTreeMap<Key, Excess> = tree.sources().iter().flat_map(measure).collect();
    let (listed, mut findings) = read_list(tree.text(LIST).unwrap_or_default());
    let unlisted = excesses.iter().filter_map(|(key, excess)| {
        let granted = listed.get(key).map_or(excess.limit, |entry| entry.lines);
        (excess.lines > granted).then(|| too_long(key, excess, granted))
    });
    findings.extend(unlisted);
    findings.extend(listed.iter().filter_map(|(key, entry)| slack(entry, excesses.get(key))));
    findings
}

fn measure(source: &Source) -> Vec<(Key, Excess)> {
    let path = source.path();
    let file = (format!("file {path}"), 1, source.code().lines().count(), FILE_LINES_MAX);
    let functions = functions(source.code()).into_iter().map(|found| {
        (format!("function {path} {}", found.name), found.line, found.lines, FUNCTION_LINES_MAX)
    });
    let mut measured: Vec<_> = std::iter::once(file).chain(functions).collect();
    // Of two functions with one name the longer one comes last, and so stays in the map.
    measured.sort_by_key(|&(_, _, lines, _)| lines);
    let long = measured.into_iter().filter(|&(_, _, lines, limit)| lines > limit);
    long.map(|(key, line, lines, limit)| (key, Excess { path: path.to_owned(), line, lines, limit }))
        .collect()
}

fn too_long(key: &str, excess: &Excess, granted: usize) -> Finding {
    let message = format!("{key} has {} lines, {granted} are granted: split it", excess.lines);
    Finding::new(&excess.path, excess.line, RULE, message)
}

/// A line of the list.
struct Entry {
    line: usize,
    lines: usize,
}

fn read_list(text: &str) -> (BTreeMap<Key, Entry>, Vec<Finding>) {
    let mut entries = BTreeMap::new();
    let mut findings = Vec::new();
    let lines = text.lines().zip(1..).filter(|(text, _)| !text.is_empty() && !text.starts_with('#'));
    for (text, line) in lines {
        match read_entry(text) {
            Some((key, lines)) if !entries.contains_key(&key) => {
                entries.insert(key, Entry { line, lines });
            }
            _ => findings.push(Finding::new(
                LIST,
                line,
                RULE,
                "not a line of this list, or there twice: mend it",
            )),
        }
    }
    (entries, findings)
}

fn read_entry(text: &str) -> Option<(Key, usize)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        ["file", lines, path] => Some((format!("file {path}"), lines.parse().ok()?)),
        ["function", lines, path, name] => Some((format!("function {path} {name}"), lines.parse().ok()?)),
        _ => None,
    }
}

/// A number above the truth would let a file grow back.
fn slack(entry: &Entry, excess: Option<&Excess>) -> Option<Finding> {
    let message = match excess {
        None => "no longer too long: remove this line".to_owned(),
        Some(excess) if excess.lines < entry.lines => format!("{} is the truth now: lower it", excess.lines),
        Some(_) => return None,
    };
    Some(Finding::new(LIST, entry.line, RULE, message))
}

#[cfg(test)]
mod tests {
    use super::super::finding::printed;
    use super::*;

    /// A file of one function with so many lines, and a list.
    fn findings(lines: usize, list: &str) -> Vec<String> {
        let text = format!("fn long() {{\n{}}}\n", "    a();\n".repeat(lines - 2));
        printed(&check(&Tree::of(&[("crates/a/src/b.rs", &text), (LIST, list)])))
    }

    #[test]
    fn limits_themselves_are_allowed() {
        assert!(findings(FUNCTION_LINES_MAX, "# nothing\n").is_empty());
    }

    #[test]
    fn function_above_the_limit_is_found() {
        let expected = "crates/a/src/b.rs:1: ratchet: function crates/a/src/b.rs long has 41 lines, \
                        40 are granted: split it";
        assert_eq!(findings(FUNCTION_LINES_MAX + 1, ""), [expected]);
    }

    #[test]
    fn file_above_the_limit_is_found() {
        let text = "fn a() {}\n".repeat(FILE_LINES_MAX + 1);
        let found = printed(&check(&Tree::of(&[("crates/a/src/b.rs", &text)])));
        assert_eq!(
            found,
            ["crates/a/src/b.rs:1: ratchet: file crates/a/src/b.rs has 351 lines, 350 are granted: split it"]
        );
    }

    #[test]
    fn listed_length_is_granted_and_no_line_more() {
        let list = "function 50 crates/a/src/b.rs long\n";
        assert!(findings(50, list).is_empty());
        assert_eq!(findings(51, list).len(), 1);
    }

    #[test]
    fn number_above_the_truth_must_be_lowered() {
        let found = findings(49, "function 50 crates/a/src/b.rs long\n");
        assert_eq!(found, ["xtask/tidy-ratchet.txt:1: ratchet: 49 is the truth now: lower it"]);
    }

    #[test]
    fn entry_without_need_must_go() {
        let list = "# why\nfunction 50 crates/a/src/b.rs long\nfile 400 crates/gone.rs\n";
        assert_eq!(findings(9, list).len(), 2);
    }

    #[test]
    fn line_of_another_form_is_found() {
        assert_eq!(findings(9, "crates/a/src/b.rs 400\nfile many crates/a/src/b.rs\n").len(), 2);
    }
}
