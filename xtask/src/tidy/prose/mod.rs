//! Plain words in documents and comments: words that `docs/glossary.md` bans, sentences that are too long, and comments
//! that repeat a name. A list has the number of each per room, and the numbers may only shrink.
//!
//! `cargo xtask tidy --list ROOM` shows what is counted, `cargo xtask tidy --lower` writes smaller numbers.

mod banned;
mod names;
mod sentences;
mod text;

use std::collections::BTreeMap;

use super::finding::Finding;
use super::tree::Tree;

const RULE: &str = "prose";

/// The allowed numbers, one `MEASURE NUMBER ROOM` per line. `#` starts a comment.
pub(super) const LIST: &str = "xtask/tidy-prose.txt";

/// One kind of finding that is counted.
struct Measure {
    name: &'static str,
    find: fn(&Tree) -> Vec<Finding>,
}

const MEASURES: &[Measure] = &[
    Measure { name: "words", find: banned::find },
    Measure { name: "sentences", find: sentences::find },
    Measure { name: "names", find: names::find },
];

/// A measure and a room.
type Key = (String, String);

/// Compares the counts with the list. A list with larger numbers is a finding too.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let (granted, mut findings) = read_list(tree.text(LIST).unwrap_or_default());
    let counted: BTreeMap<Key, usize> =
        found(tree).into_iter().map(|(key, places)| (key, places.len())).collect();
    let more = counted.iter().filter_map(|((measure, room), &count)| {
        let most = granted.get(&(measure.clone(), room.clone())).map_or(0, |entry| entry.number);
        let message = format!(
            "{measure}: {room} has {count}, at most {most} allowed: `cargo xtask tidy --list {room}` shows them"
        );
        (count > most).then(|| Finding::new(LIST, 1, RULE, message))
    });
    findings.extend(more);
    let fewer = granted.iter().filter(|(key, entry)| counted.get(*key).copied().unwrap_or(0) < entry.number);
    findings.extend(fewer.map(|((measure, room), entry)| {
        let message =
            format!("{measure}: {room} has fewer than {}: run `cargo xtask tidy --lower`", entry.number);
        Finding::new(LIST, entry.line, RULE, message)
    }));
    findings
}

/// The counted findings of one room, for `--list`.
pub(super) fn list(tree: &Tree, room: &str) -> Vec<Finding> {
    found(tree).into_iter().filter(|((_, found), _)| found == room).flat_map(|(_, places)| places).collect()
}

/// The list with smaller numbers where the counts shrank. No number grows, and no line is added.
pub(super) fn lowered(tree: &Tree) -> String {
    let counted = found(tree);
    let lower = |line: &str| {
        let Some((key, number)) = read_entry(line) else {
            return Some(line.to_owned());
        };
        let number = number.min(counted.get(&key).map_or(0, Vec::len));
        (number > 0).then(|| format!("{} {number} {}", key.0, key.1))
    };
    let lines: Vec<String> = tree.text(LIST).unwrap_or_default().lines().filter_map(lower).collect();
    lines.join("\n") + "\n"
}

fn found(tree: &Tree) -> BTreeMap<Key, Vec<Finding>> {
    let mut found: BTreeMap<Key, Vec<Finding>> = BTreeMap::new();
    for measure in MEASURES {
        for place in (measure.find)(tree) {
            found.entry((measure.name.to_owned(), room(place.path()))).or_default().push(place);
        }
    }
    found
}

/// The crate or the folder of a file. A file at the root is a room.
fn room(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').collect();
    match parts.as_slice() {
        ["crates", name, ..] => format!("crates/{name}"),
        ["docs", "adr", ..] => "docs/adr".to_owned(),
        [first, ..] => (*first).to_owned(),
        [] => String::new(),
    }
}

/// A line of the list.
struct Entry {
    line: usize,
    number: usize,
}

fn read_list(text: &str) -> (BTreeMap<Key, Entry>, Vec<Finding>) {
    let (mut entries, mut findings) = (BTreeMap::new(), Vec::new());
    let lines = text.lines().zip(1..).filter(|(text, _)| !text.is_empty() && !text.starts_with('#'));
    for (text, line) in lines {
        match read_entry(text) {
            Some((key, number)) if !entries.contains_key(&key) => {
                entries.insert(key, Entry { line, number });
            }
            _ => findings.push(Finding::new(LIST, line, RULE, "not `MEASURE NUMBER ROOM`, or there twice")),
        }
    }
    (entries, findings)
}

fn read_entry(line: &str) -> Option<(Key, usize)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [measure, number, room] = words.as_slice() else {
        return None;
    };
    let is_known = MEASURES.iter().any(|known| known.name == *measure);
    is_known
        .then(|| number.parse().ok())
        .flatten()
        .map(|number| (((*measure).to_owned(), (*room).to_owned()), number))
}

#[cfg(test)]
mod tests {
    use super::super::finding::printed;
    use super::*;

    /// A room with two banned words, and a list.
    fn tree(list: &str) -> Tree {
        Tree::of(&[("crates/a/src/b.rs", "// Nobody waits.\n// Whoever waits.\n"), (LIST, list)])
    }

    fn findings(list: &str) -> Vec<String> {
        printed(&check(&tree(list)))
    }

    #[test]
    fn listed_number_is_allowed() {
        assert!(findings("# why\nwords 2 crates/a\n").is_empty());
    }

    #[test]
    fn one_more_than_listed_is_found() {
        let expected = "xtask/tidy-prose.txt:1: prose: words: crates/a has 2, at most 1 allowed: \
                        `cargo xtask tidy --list crates/a` shows them";
        assert_eq!(findings("words 1 crates/a\n"), [expected]);
        assert_eq!(findings("").len(), 1);
    }

    #[test]
    fn number_above_the_count_is_found_and_lowered() {
        let expected =
            "xtask/tidy-prose.txt:1: prose: words: crates/a has fewer than 3: run `cargo xtask tidy --lower`";
        let list = "words 3 crates/a\nnames 1 crates/a\n# why\nwords 1 crates/gone\n";
        assert_eq!(findings(list).len(), 3);
        assert_eq!(findings("words 3 crates/a\n"), [expected]);
        assert_eq!(lowered(&tree(list)), "words 2 crates/a\n# why\n");
        assert_eq!(lowered(&tree("words 1 crates/a\n")), "words 1 crates/a\n", "it never grants more");
    }

    #[test]
    fn line_of_another_form_is_found() {
        assert_eq!(
            findings("words 2 crates/a\nwords many crates/a\ncommas 1 crates/a\nwords 2 crates/a\n").len(),
            3
        );
    }

    #[test]
    fn findings_of_a_room_are_listed() {
        let places = printed(&list(&tree(""), "crates/a"));
        assert_eq!(places.len(), 2);
        assert!(places[1].starts_with("crates/a/src/b.rs:2: words: `whoever`"), "{places:?}");
        assert!(list(&tree(""), "crates/b").is_empty());
    }

    #[test]
    fn rooms_are_crates_folders_and_files_of_the_root() {
        let rooms = ["crates/http/src/a.rs", "docs/adr/0001-a.md", "docs/api.md", "README.md"].map(room);
        assert_eq!(rooms, ["crates/http", "docs/adr", "docs", "README.md"]);
    }
}
