//! Files and functions stay short. The few longer ones are listed, and their numbers may only shrink.

use std::collections::BTreeMap;

use super::finding::Finding;
use super::functions::functions;
use super::source::Source;
use super::tree::Tree;

const RULE: &str = "ratchet";

/// The list of longer ones: `file NUMBER PATH` or `function NUMBER PATH NAME`. `#` starts a comment.
const LIST: &str = "xtask/tidy-ratchet.txt";

/// The most lines of a file, including its tests.
const FILE_LINES_MAX: usize = 350;

/// The most lines of a function, from `fn` to its closing brace.
const FUNCTION_LINES_MAX: usize = 40;

/// A file or a function as the list writes it: `file PATH` or `function PATH NAME`.
type Key = String;

/// The position of a file or function that is too long, its length and its limit.
struct Excess {
    path: String,
    line: usize,
    lines: usize,
    limit: usize,
}

/// Compares lengths with the list. A list with larger numbers is a finding too.
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
    let message = format!("{key} has {} lines, at most {granted} are allowed: split it", excess.lines);
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
                "not a line of this list, or listed twice: correct it",
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

/// A listed number above the real length would let a file grow again.
fn slack(entry: &Entry, excess: Option<&Excess>) -> Option<Finding> {
    let message = match excess {
        None => "no longer too long: remove this line".to_owned(),
        Some(excess) if excess.lines < entry.lines => format!("lower it: now only {} lines", excess.lines),
        Some(_) => return None,
    };
    Some(Finding::new(LIST, entry.line, RULE, message))
}

#[cfg(test)]
mod tests {
    use super::super::finding::printed;
    use super::*;

    /// The findings for a file with one function of this length, and a list.
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
        let expected = "crates/a/src/b.rs:1: ratchet: function crates/a/src/b.rs long has 41 lines, at most \
                        40 are allowed: split it";
        assert_eq!(findings(FUNCTION_LINES_MAX + 1, ""), [expected]);
    }

    #[test]
    fn file_above_the_limit_is_found() {
        let text = "fn a() {}\n".repeat(FILE_LINES_MAX + 1);
        let found = printed(&check(&Tree::of(&[("crates/a/src/b.rs", &text)])));
        assert_eq!(
            found,
            [
                "crates/a/src/b.rs:1: ratchet: file crates/a/src/b.rs has 351 lines, at most 350 are allowed: split it"
            ]
        );
    }

    #[test]
    fn listed_length_is_allowed_and_no_line_more() {
        let list = "function 50 crates/a/src/b.rs long\n";
        assert!(findings(50, list).is_empty());
        assert_eq!(findings(51, list).len(), 1);
    }

    #[test]
    fn number_above_the_length_is_found() {
        let found = findings(49, "function 50 crates/a/src/b.rs long\n");
        assert_eq!(found, ["xtask/tidy-ratchet.txt:1: ratchet: lower it: now only 49 lines"]);
    }

    #[test]
    fn unnecessary_entry_is_found() {
        let list = "# why\nfunction 50 crates/a/src/b.rs long\nfile 400 crates/gone.rs\n";
        assert_eq!(findings(9, list).len(), 2);
    }

    #[test]
    fn line_of_another_form_is_found() {
        assert_eq!(findings(9, "crates/a/src/b.rs 400\nfile many crates/a/src/b.rs\n").len(), 2);
    }
}
