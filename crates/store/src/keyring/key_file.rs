//! The key file. Each line is an id, a space and 32 bytes in base64; the first key seals, and the others only open. Lines that
//! begin with `#` are comments.

use std::fmt;

use data_encoding::BASE64;
use zeroize::Zeroizing;

use crate::keyring::cipher::SecretKey;
use crate::keyring::{MasterKey, MasterKeyId};

/// The comment at the top of a new key file.
const HEADER: &str = "\
# The master keys of pointbook. Keep a copy of this file, apart from the copies of the database: without this file, the
# sealed values of the database are lost. A person who has both can open them.
#
# One key a line: an id, a space, and 32 random bytes in base64. The first key seals, and the others only open.
# `pointbook keyring rotate` adds a key. `pointbook keyring check` says which keys may be removed.
";

/// Why a key file is invalid. It names the line and never shows its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyFileProblem {
    /// From 1. `None` when the problem is not on one line.
    pub line: Option<usize>,
    pub problem: String,
}

impl fmt::Display for KeyFileProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.problem),
            None => f.write_str(&self.problem),
        }
    }
}

impl std::error::Error for KeyFileProblem {}

/// The keys of a key file. There is at least one.
#[derive(Debug, Clone)]
pub struct MasterKeys {
    sealing: MasterKey,
    /// The keys that only open.
    opening: Vec<MasterKey>,
}

impl MasterKeys {
    /// # Errors
    /// [`KeyFileProblem`] for the first invalid line, for a repeated id or key, and for a file without a key.
    pub fn parse(text: &str) -> Result<Self, KeyFileProblem> {
        let mut keys: Vec<(usize, MasterKey)> = Vec::new();
        for (line, content) in key_lines(text) {
            let refused = |problem: String| KeyFileProblem { line: Some(line), problem };
            let key = parse_key(content).map_err(|problem| refused(problem.to_owned()))?;
            if let Some((earlier, _)) = keys.iter().find(|(_, known)| known.id() == key.id()) {
                return Err(refused(format!("the id is the same as on line {earlier}")));
            }
            if let Some((earlier, _)) = keys.iter().find(|(_, known)| known.key == key.key) {
                return Err(refused(format!("the key is the same as on line {earlier}")));
            }
            keys.push((line, key));
        }
        let mut keys = keys.into_iter().map(|(_, key)| key);
        let no_key = || KeyFileProblem { line: None, problem: "it has no key".to_owned() };
        Ok(Self { sealing: keys.next().ok_or_else(no_key)?, opening: keys.collect() })
    }

    /// The key that seals data keys.
    pub fn sealing(&self) -> &MasterKey {
        &self.sealing
    }

    /// The key with this id.
    pub fn find(&self, id: &str) -> Option<&MasterKey> {
        self.iter().find(|key| key.id().as_str() == id)
    }

    /// All keys, the sealing one first.
    pub fn iter(&self) -> impl Iterator<Item = &MasterKey> {
        std::iter::once(&self.sealing).chain(&self.opening)
    }

    /// The content of a key file with one key.
    pub fn new_file(key: &MasterKey) -> Zeroizing<String> {
        Self::add_to(HEADER, key)
    }

    /// The content of a key file with one key more, which seals from now on. All other lines stay as they are.
    pub fn add_to(text: &str, key: &MasterKey) -> Zeroizing<String> {
        let comments = text.split_inclusive('\n').take_while(|line| is_comment(line));
        let (before, after) = text.split_at(comments.map(str::len).sum());
        let bytes = Zeroizing::new(BASE64.encode(key.key.bytes()));
        let gap = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
        Zeroizing::new([before, gap, key.id().as_str(), " ", &bytes, "\n", after].concat())
    }
}

/// The lines with keys, with their numbers from 1.
fn key_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).filter(|(_, line)| !is_comment(line))
}

fn is_comment(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}

fn parse_key(line: &str) -> Result<MasterKey, &'static str> {
    let mut words = line.split_whitespace();
    let (Some(id), Some(bytes), None) = (words.next(), words.next(), words.next()) else {
        return Err("a key is an id, a space and 32 bytes in base64");
    };
    let id = MasterKeyId::new(id).ok_or("the id must have 1 to 64 letters, digits, `-`, `_` or `.`")?;
    let decoded = BASE64.decode(bytes.as_bytes()).map(Zeroizing::new);
    let decoded = decoded.map_err(|_| "the key is not base64 with its padding")?;
    let mut bytes = Zeroizing::new([0; 32]);
    if decoded.len() != bytes.len() {
        return Err("the key must have 32 bytes");
    }
    bytes.copy_from_slice(&decoded);
    Ok(MasterKey::with_key(id, SecretKey::new(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 32 bytes with the values 1 and 2 in base64.
    const ONE: &str = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";
    const TWO: &str = "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=";

    fn key(id: &str, byte: u8) -> MasterKey {
        MasterKey::new(MasterKeyId::new(id).unwrap(), [byte; 32])
    }

    fn ids(keys: &MasterKeys) -> Vec<&str> {
        keys.iter().map(|key| key.id().as_str()).collect()
    }

    #[test]
    fn first_key_seals_and_all_keys_open() {
        let keys = MasterKeys::parse(&format!("# a comment\n\n  b {ONE}\r\n#\na\t{TWO}")).unwrap();
        assert_eq!(keys.sealing().id().as_str(), "b");
        assert_eq!(ids(&keys), ["b", "a"]);
        assert!(keys.find("a").unwrap().key == key("a", 2).key);
        assert!(keys.find("A").is_none());
    }

    #[test]
    fn invalid_file_is_refused_with_its_line_and_without_its_content() {
        let short = "AQEBAQ==";
        let rule = "a key is an id, a space and 32 bytes in base64";
        let id_rule = "the id must have 1 to 64 letters, digits, `-`, `_` or `.`";
        let base64 = "the key is not base64 with its padding";
        for (text, problem) in [
            (String::new(), "it has no key".to_owned()),
            ("# only\n\n".to_owned(), "it has no key".to_owned()),
            (format!("#\n{ONE}\n"), format!("line 2: {rule}")),
            (format!("a {ONE} b\n"), format!("line 1: {rule}")),
            (format!("a/b {ONE}\n"), format!("line 1: {id_rule}")),
            (format!("{} {ONE}\n", "a".repeat(65)), format!("line 1: {id_rule}")),
            (format!("a {}\n", &ONE[..43]), format!("line 1: {base64}")),
            (format!("a {ONE}\nb -{}\n", &ONE[1..]), format!("line 2: {base64}")),
            (format!("a {short}\n"), "line 1: the key must have 32 bytes".to_owned()),
            (format!("a {ONE}\n#\na {TWO}\n"), "line 3: the id is the same as on line 1".to_owned()),
            (format!("a {ONE}\nb {ONE}\n"), "line 2: the key is the same as on line 1".to_owned()),
        ] {
            assert_eq!(MasterKeys::parse(&text).unwrap_err().to_string(), problem, "{text}");
        }
    }

    #[test]
    fn new_file_has_one_key_and_an_added_key_comes_first() {
        let file = MasterKeys::new_file(&key("a", 1));
        assert!(file.starts_with("# ") && file.ends_with(&format!("\na {ONE}\n")), "{}", *file);
        let file = MasterKeys::add_to(&file, &key("b", 2));
        assert!(file.ends_with(&format!("\nb {TWO}\na {ONE}\n")), "{}", *file);
        assert_eq!(ids(&MasterKeys::parse(&file).unwrap()), ["b", "a"]);
    }

    #[test]
    fn added_key_leaves_all_other_lines() {
        let add = |text: &str| MasterKeys::add_to(text, &key("b", 2)).to_string();
        assert_eq!(add(&format!("# x\na {ONE}\n# y\n")), format!("# x\nb {TWO}\na {ONE}\n# y\n"));
        assert_eq!(add(&format!("a {ONE}")), format!("b {TWO}\na {ONE}"));
        assert_eq!(add("# x"), format!("# x\nb {TWO}\n"));
    }

    #[test]
    fn master_keys_are_not_printed() {
        let keys = MasterKeys::parse(&format!("a {ONE}\n")).unwrap();
        assert_eq!(format!("{keys:?}"), "MasterKeys { sealing: MasterKey(a), opening: [] }");
    }
}
