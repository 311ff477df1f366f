//! A naive reader of query strings, to compare with.

use super::{MAX_DEPTH, MAX_PAIRS};

/// The names from the outside in, and the value.
pub(super) type Leaf = (Vec<Vec<u8>>, Vec<u8>);

enum Tree {
    Scalar(Vec<u8>),
    Members(Vec<(Vec<u8>, Tree)>),
}

/// All values that are not empty, in order. `None` when the query string is refused.
pub(super) fn read(raw: &str) -> Option<Vec<Leaf>> {
    let pairs: Vec<&str> = raw.split('&').filter(|pair| !pair.is_empty()).collect();
    let mut parameters = Vec::new();
    for pair in &pairs {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let path = path_of(&decoded(name));
        if path.len() > MAX_DEPTH {
            return None;
        }
        set(&mut parameters, &path, trimmed(&decoded(value)));
    }
    let mut leaves = Vec::new();
    collect_leaves(&parameters, &[], &mut leaves);
    (pairs.len() <= MAX_PAIRS).then_some(leaves)
}

fn set(members: &mut Vec<(Vec<u8>, Tree)>, path: &[Vec<u8>], value: Vec<u8>) {
    let Some((name, inner)) = path.split_first() else { return };
    let name = if name.is_empty() { next_index(members) } else { name.clone() };
    let place = members.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
        members.push((name, Tree::Scalar(Vec::new())));
        members.len() - 1
    });
    let tree = &mut members[place].1;
    if inner.is_empty() {
        *tree = Tree::Scalar(value);
        return;
    }
    if let Tree::Scalar(_) = tree {
        *tree = Tree::Members(Vec::new());
    }
    if let Tree::Members(members) = tree {
        set(members, inner, value);
    }
}

fn next_index(members: &[(Vec<u8>, Tree)]) -> Vec<u8> {
    let index = |name: &[u8]| {
        let is_index = (1..=18).contains(&name.len()) && name.iter().all(u8::is_ascii_digit);
        is_index.then(|| String::from_utf8_lossy(name).parse::<u64>().unwrap())
    };
    let highest = members.iter().filter_map(|(name, _)| index(name)).max();
    highest.map_or(0, |highest| highest + 1).to_string().into_bytes()
}

fn path_of(name: &[u8]) -> Vec<Vec<u8>> {
    brackets(name).unwrap_or_else(|| vec![name.to_vec()])
}

fn brackets(name: &[u8]) -> Option<Vec<Vec<u8>>> {
    let place = |text: &[u8], bracket| text.iter().position(|&byte| byte == bracket);
    let opening = place(name, b'[').filter(|&opening| opening > 0)?;
    let (mut path, mut rest) = (vec![name[..opening].to_vec()], &name[opening..]);
    while !rest.is_empty() {
        let inner = rest.strip_prefix(b"[")?;
        let closing = place(inner, b']')?;
        path.push(inner[..closing].to_vec());
        rest = &inner[closing + 1..];
    }
    Some(path)
}

fn decoded(raw: &str) -> Vec<u8> {
    let (raw, mut decoded, mut at) = (raw.as_bytes(), Vec::new(), 0);
    while at < raw.len() {
        let digits = raw.get(at + 1..at + 3).and_then(|digits| std::str::from_utf8(digits).ok());
        let digits = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let escaped = digits.map(|digits| u8::from_str_radix(digits, 16).unwrap());
        let (byte, length) = match (raw[at], escaped) {
            (b'%', Some(byte)) => (byte, 3),
            (b'+', _) => (b' ', 1),
            (byte, _) => (byte, 1),
        };
        decoded.push(byte);
        at += length;
    }
    decoded
}

fn trimmed(value: &[u8]) -> Vec<u8> {
    let text = std::str::from_utf8(value).map(|text| text.trim().as_bytes());
    text.unwrap_or_else(|_| value.trim_ascii()).to_vec()
}

fn collect_leaves(members: &[(Vec<u8>, Tree)], outer: &[Vec<u8>], into: &mut Vec<Leaf>) {
    for (name, tree) in members {
        let path = [outer, std::slice::from_ref(name)].concat();
        match tree {
            Tree::Scalar(value) if value.is_empty() => {}
            Tree::Scalar(value) => into.push((path, value.clone())),
            Tree::Members(members) => collect_leaves(members, &path, into),
        }
    }
}
