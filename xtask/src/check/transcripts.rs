//! Compares the transcripts of the black-box suite byte for byte: every database must give the same responses.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::Skipped;
use crate::tools::target;

/// The set-up that the others are compared with.
const REFERENCE: &str = "sqlite";

/// How the file of a test begins when the order of its requests is not fixed.
const LEFT_OUT: &[u8] = b"left out: ";

/// What is printed when the suite ran on one database only.
const NO_SERVER: &str =
    "all of it, nothing was compared: install PostgreSQL, or name a server in POINTBOOK_TEST_POSTGRES";

/// How many bytes are printed around a difference.
const SHOWN_BYTES: usize = 160;

/// Removes the transcripts of a former run.
pub(super) fn clear() -> Result<()> {
    let folder = folder()?;
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    Ok(())
}

/// Compares the transcripts of all set-ups in which the suite has run.
pub(super) fn compare() -> Result<Skipped> {
    compare_in(&folder()?)
}

/// The folder in which the suite writes: cargo's temporary folder, with a folder for each set-up.
fn folder() -> Result<PathBuf> {
    Ok(target()?.join("tmp/transcripts"))
}

fn compare_in(folder: &Path) -> Result<Skipped> {
    let expected = read(&folder.join(REFERENCE))?;
    let compared = expected.values().filter(|transcript| !transcript.starts_with(LEFT_OUT));
    ensure!(compared.count() > 0, "no test has a transcript: nothing was compared");
    let mut others = Vec::new();
    for entry in fs::read_dir(folder)? {
        others.push(entry?.file_name().to_string_lossy().into_owned());
    }
    others.retain(|other| other != REFERENCE);
    for other in &others {
        let found = read(&folder.join(other))?;
        for (test, found) in &found {
            let expected =
                expected.get(test).with_context(|| format!("{test}: {REFERENCE} has no transcript of it"))?;
            let difference = difference(expected, found);
            ensure!(
                difference.is_none(),
                "{test}: not the same bytes in {other}\n{}",
                difference.unwrap_or_default()
            );
        }
        // With serializable transactions only a part of the suite runs at every push.
        let missing = expected.keys().find(|test| !found.contains_key(*test));
        ensure!(missing.is_none() || is_a_part(other), "{missing:?}: {other} has no transcript of it");
    }
    Ok(if others.is_empty() { vec![NO_SERVER.to_owned()] } else { Skipped::new() })
}

/// Whether a run in this set-up may have left tests out.
fn is_a_part(setup: &str) -> bool {
    setup == "serializable"
}

/// The transcript of each test of a set-up, by its name.
fn read(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut transcripts = BTreeMap::new();
    for entry in fs::read_dir(folder).with_context(|| format!("no transcripts in {}", folder.display()))? {
        let path = entry?.path();
        let test = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        transcripts.insert(test, fs::read(&path)?);
    }
    Ok(transcripts)
}

/// The request before the first difference, and both texts around it; `None` when the transcripts are equal.
fn difference(expected: &[u8], found: &[u8]) -> Option<String> {
    if expected == found {
        return None;
    }
    let at = expected.iter().zip(found).take_while(|(one, other)| one == other).count();
    let from = at.saturating_sub(SHOWN_BYTES / 2);
    let around = |transcript: &[u8]| {
        let to = transcript.len().min(from + SHOWN_BYTES);
        transcript.get(from..to).unwrap_or_default().escape_ascii().to_string()
    };
    let before = String::from_utf8_lossy(expected.get(..at).unwrap_or_default()).into_owned();
    let request = before.rsplit_once("--- request\n").and_then(|(_, request)| request.lines().next());
    let request = request.unwrap_or("the beginning");
    Some(format!("after {request}\nexpected: {}\n   found: {}", around(expected), around(found)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRANSCRIPT: &str = "--- request\nGET /a\n\n--- answer\n200\n\n{\"total\":1}\n";

    /// The outcome for a folder in which each set-up wrote these files.
    fn compared(setups: &[(&str, &[(&str, &str)])]) -> Result<Skipped, String> {
        let folder = tempfile::tempdir().unwrap();
        for (setup, files) in setups {
            fs::create_dir(folder.path().join(setup)).unwrap();
            for (test, transcript) in *files {
                fs::write(folder.path().join(setup).join(test), transcript).unwrap();
            }
        }
        compare_in(folder.path()).map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn equal_transcripts_pass_and_one_database_alone_is_told() {
        let same: &[_] = &[("a", TRANSCRIPT), ("b", "left out: a race\n")];
        assert_eq!(compared(&[("sqlite", same), ("postgres", same)]), Ok(Skipped::new()));
        assert_eq!(compared(&[("sqlite", same), ("serializable", &same[..1])]), Ok(Skipped::new()));
        assert_eq!(compared(&[("sqlite", same)]), Ok(vec![NO_SERVER.to_owned()]));
    }

    #[test]
    fn first_difference_is_shown_with_its_request() {
        let other = TRANSCRIPT.replace("\":1", "\":2");
        let shown =
            compared(&[("sqlite", &[("a", TRANSCRIPT)]), ("postgres", &[("a", &other)])]).unwrap_err();
        assert!(shown.starts_with("a: not the same bytes in postgres\nafter GET /a\nexpected: "), "{shown}");
        assert!(shown.ends_with(r#"{\"total\":2}\n"#), "{shown}");
    }

    #[test]
    fn test_of_one_database_only_and_comparing_nothing_are_errors() {
        let (one, both): (&[_], &[_]) = (&[("a", TRANSCRIPT)], &[("a", TRANSCRIPT), ("b", TRANSCRIPT)]);
        assert!(compared(&[("sqlite", both), ("postgres", one)]).unwrap_err().contains("\"b\""));
        assert!(compared(&[("sqlite", one), ("postgres", both)]).unwrap_err().starts_with("b: sqlite"));
        let left_out: &[_] = &[("a", "left out: a race\n")];
        assert!(compared(&[("sqlite", left_out), ("postgres", left_out)]).is_err());
        assert!(compared(&[("postgres", one)]).is_err());
    }
}
