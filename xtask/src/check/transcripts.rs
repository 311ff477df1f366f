//! Compares the transcripts of the black-box suite byte for byte: every database must give the same responses.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use xtask::operate::ci::in_ci;

use super::Skipped;
use crate::tools::target;

/// The set-up that the others are compared with.
const REFERENCE: &str = "sqlite";

/// The set-up in which the suite runs whole at every push.
const SECOND: &str = "postgres";

/// The set-up of which a push runs only what races.
const OF_RACES: &str = "serializable";

/// How the file of a test begins when the order of its requests is not fixed.
const LEFT_OUT: &[u8] = b"left out: ";

/// What is said when the suite ran on SQLite only.
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

/// Compares the transcripts of a push, in which one set-up runs a part of the suite.
pub(super) fn compare() -> Result<Skipped> {
    compare_in(&folder()?, &[OF_RACES], in_ci())
}

/// Compares the transcripts of all set-ups, in which the suite has run whole.
pub(super) fn compare_all() -> Result<Skipped> {
    compare_in(&folder()?, &[], in_ci())
}

/// The folder in which the suite writes: cargo's temporary folder, with a folder for each set-up.
fn folder() -> Result<PathBuf> {
    Ok(target()?.join("tmp/transcripts"))
}

/// `parts` are the set-ups that may lack tests.
fn compare_in(folder: &Path, parts: &[&str], in_ci: bool) -> Result<Skipped> {
    let expected = read(&folder.join(REFERENCE))?;
    let compared = expected.values().filter(|transcript| !transcript.starts_with(LEFT_OUT));
    ensure!(compared.count() > 0, "no test has a transcript: nothing was compared");
    if !folder.join(SECOND).exists() {
        ensure!(!in_ci, "{NO_SERVER}");
        return Ok(vec![NO_SERVER.to_owned()]);
    }
    for entry in fs::read_dir(folder)? {
        let other = entry?.file_name().to_string_lossy().into_owned();
        let found = read(&folder.join(&other))?;
        for (test, found) in &found {
            let expected =
                expected.get(test).with_context(|| format!("{test}: {REFERENCE} has no transcript of it"))?;
            if let Some(difference) = difference(expected, found) {
                bail!("{test}: not the same bytes in {other}\n{difference}");
            }
        }
        let missing = expected.keys().find(|test| !found.contains_key(*test));
        ensure!(
            missing.is_none() || parts.contains(&&*other),
            "{missing:?}: {other} has no transcript of it"
        );
    }
    Ok(Skipped::new())
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
    fn compared(setups: &[(&str, &[(&str, &str)])], parts: &[&str], in_ci: bool) -> Result<Skipped, String> {
        let folder = tempfile::tempdir().unwrap();
        for (setup, files) in setups {
            fs::create_dir(folder.path().join(setup)).unwrap();
            for (test, transcript) in *files {
                fs::write(folder.path().join(setup).join(test), transcript).unwrap();
            }
        }
        compare_in(folder.path(), parts, in_ci).map_err(|error| format!("{error:#}"))
    }

    fn error(setups: &[(&str, &[(&str, &str)])]) -> String {
        compared(setups, &[], false).unwrap_err()
    }

    #[test]
    fn equal_transcripts_pass_and_a_part_is_allowed_where_it_is_named() {
        let same: &[_] = &[("a", TRANSCRIPT), ("b", "left out: a race\n")];
        let all = [("sqlite", same), ("postgres", same), ("serializable", &same[..1])];
        assert_eq!(compared(&all[..2], &[], true), Ok(Skipped::new()));
        assert_eq!(compared(&all, &["serializable"], true), Ok(Skipped::new()));
        assert!(error(&all).starts_with("Some(\"b\"): serializable has no transcript"));
    }

    #[test]
    fn without_the_second_database_one_line_says_so_and_ci_fails() {
        let one: &[_] = &[("a", TRANSCRIPT)];
        for setups in [&[("sqlite", one)][..], &[("sqlite", one), ("serializable", one)]] {
            assert_eq!(compared(setups, &[], false), Ok(vec![NO_SERVER.to_owned()]));
            assert_eq!(compared(setups, &[], true), Err(NO_SERVER.to_owned()));
        }
    }

    #[test]
    fn first_difference_is_shown_with_its_request() {
        let other = TRANSCRIPT.replace("\":1", "\":2");
        let shown = error(&[("sqlite", &[("a", TRANSCRIPT)]), ("postgres", &[("a", &other)])]);
        assert!(shown.starts_with("a: not the same bytes in postgres\nafter GET /a\nexpected: "), "{shown}");
        assert!(shown.ends_with(r#"{\"total\":2}\n"#), "{shown}");
    }

    #[test]
    fn test_of_one_database_only_and_comparing_nothing_are_errors() {
        let (one, both): (&[_], &[_]) = (&[("a", TRANSCRIPT)], &[("a", TRANSCRIPT), ("b", TRANSCRIPT)]);
        assert!(error(&[("sqlite", both), ("postgres", one)]).contains("\"b\""));
        assert!(error(&[("sqlite", one), ("postgres", both)]).starts_with("b: sqlite"));
        let left_out: &[_] = &[("a", "left out: a race\n")];
        assert!(error(&[("sqlite", left_out), ("postgres", left_out)]).starts_with("no test has"));
        assert!(error(&[("postgres", one)]).starts_with("no transcripts in"));
    }
}
