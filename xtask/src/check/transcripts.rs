//! Compares the transcripts of the black-box suite byte for byte: every database must give the same responses.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result, bail, ensure};

use super::Skipped;

/// The test targets, each with another database. The first one is the reference.
const TARGETS: [&str; 3] = ["it", "it_postgres", "it_postgres_serializable"];

/// The file of a target that could not run on this machine.
const SKIPPED: &str = "skipped";

/// How the file of a test begins when the order of its requests is not fixed.
const LEFT_OUT: &[u8] = b"left out: ";

/// What is printed when a target could not run.
const NO_SERVER: &str =
    "all of it, nothing was compared: install PostgreSQL, or name a server in POINTBOOK_TEST_POSTGRES";

/// How many bytes are printed around a difference.
const SHOWN_BYTES: usize = 160;

/// The transcript of each test, by its name.
type Transcripts = BTreeMap<String, Vec<u8>>;

/// Removes the transcripts of a former run.
pub(super) fn clear() -> Result<()> {
    let folder = folder()?;
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    Ok(())
}

/// Compares the transcripts that the tests have just written.
pub(super) fn compare() -> Result<Skipped> {
    compare_in(&folder()?)
}

/// The folder in which the tests write: cargo's temporary folder, below the target folder of this program.
fn folder() -> Result<PathBuf> {
    let program = env::current_exe()?;
    let target = program.ancestors().nth(2).context("this program is in no target folder")?;
    Ok(target.join("tmp/transcripts"))
}

fn compare_in(folder: &Path) -> Result<Skipped> {
    let has_run = |target: &&str| !folder.join(target).join(SKIPPED).exists();
    let [first, others @ ..] = TARGETS;
    if !others.iter().any(has_run) {
        return Ok(vec![NO_SERVER.to_owned()]);
    }
    let expected = read(folder, first)?;
    for other in others {
        compare_two((first, &expected), (other, &read(folder, other)?))?;
    }
    let left_out = expected.values().filter(|transcript| transcript.starts_with(LEFT_OUT)).count();
    ensure!(left_out < expected.len(), "every test is left out: nothing was compared");
    Ok(Skipped::new())
}

/// Reads the files of a target. A target without files has not run.
fn read(folder: &Path, target: &str) -> Result<Transcripts> {
    let folder = folder.join(target);
    let unread = || format!("{target} has written nothing into {}", folder.display());
    let mut transcripts = Transcripts::new();
    for entry in fs::read_dir(&folder).with_context(unread)? {
        let path = entry?.path();
        let test = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        transcripts.insert(test, fs::read(&path)?);
    }
    ensure!(!transcripts.is_empty(), unread());
    Ok(transcripts)
}

fn compare_two(first: (&str, &Transcripts), other: (&str, &Transcripts)) -> Result<()> {
    let tests: BTreeSet<&String> = first.1.keys().chain(other.1.keys()).collect();
    for test in tests {
        let transcript_in = |(target, transcript): (&str, &'_ Transcripts)| {
            transcript.get(test).cloned().with_context(|| format!("{test}: {target} has no transcript of it"))
        };
        let (expected, found) = (transcript_in(first)?, transcript_in(other)?);
        if let Some(difference) = difference(&expected, &found) {
            bail!(
                "{test}: not the same bytes\n{difference}",
                difference = difference.shown(first.0, other.0)
            );
        }
    }
    Ok(())
}

/// The first difference of two transcripts, with the bytes around it.
struct Difference {
    request: String,
    expected: String,
    found: String,
}

impl Difference {
    fn shown(&self, first: &str, other: &str) -> String {
        let width = first.len().max(other.len());
        let Self { request, expected, found } = self;
        format!("after {request}\n{first:>width$}: {expected}\n{other:>width$}: {found}")
    }
}

/// The first difference, or `None` when the transcripts are equal.
fn difference(expected: &[u8], found: &[u8]) -> Option<Difference> {
    if expected == found {
        return None;
    }
    let place = expected.iter().zip(found).take_while(|(one, other)| one == other).count();
    let from = place.saturating_sub(SHOWN_BYTES / 2);
    let around = |transcript: &[u8]| {
        let to = transcript.len().min(from + SHOWN_BYTES);
        transcript.get(from..to).unwrap_or_default().escape_ascii().to_string()
    };
    Some(Difference {
        request: last_request(expected.get(..place).unwrap_or_default()),
        expected: around(expected),
        found: around(found),
    })
}

/// The first line of the last request before a difference.
fn last_request(transcript: &[u8]) -> String {
    let transcript = String::from_utf8_lossy(transcript);
    let request = transcript.rsplit_once("--- request\n").map_or("the beginning", |(_, request)| request);
    request.lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRANSCRIPT: &str = "--- request\nGET /a\n\n--- answer\n200\n\n{\"total\":1}\n";

    /// The folder of a run in which each target wrote these files.
    fn written(targets: [&[(&str, &str)]; 3]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (target, files) in TARGETS.into_iter().zip(targets) {
            fs::create_dir(folder.path().join(target)).unwrap();
            for (test, transcript) in files {
                fs::write(folder.path().join(target).join(test), transcript).unwrap();
            }
        }
        folder
    }

    fn error(targets: [&[(&str, &str)]; 3]) -> String {
        format!("{:#}", compare_in(written(targets).path()).unwrap_err())
    }

    #[test]
    fn equal_transcripts_pass() {
        let same: &[_] = &[("a", TRANSCRIPT), ("b", "left out: a race\n")];
        assert_eq!(compare_in(written([same; 3]).path()).unwrap(), Skipped::new());
    }

    #[test]
    fn first_difference_is_shown_with_its_request() {
        let (same, other) = (("a", TRANSCRIPT), ("a", &*TRANSCRIPT.replace("\":1", "\":2")));
        let shown = error([&[same], &[same], &[other]]);
        assert!(shown.starts_with("a: not the same bytes\nafter GET /a\n"), "{shown}");
        let lines: Vec<_> = shown.lines().skip(2).collect();
        assert!(
            lines[0].starts_with("                      it: ") && lines[0].ends_with(r#"{\"total\":1}\n"#)
        );
        assert!(
            lines[1].starts_with("it_postgres_serializable: ") && lines[1].ends_with(r#"{\"total\":2}\n"#)
        );
        let longer = format!("{TRANSCRIPT}more");
        assert!(error([&[same], &[("a", &longer)], &[same]]).ends_with("\\nmore"));
    }

    #[test]
    fn test_that_ran_on_one_database_only_is_named() {
        let (a, b) = (("a", TRANSCRIPT), ("b", TRANSCRIPT));
        assert_eq!(error([&[a, b], &[a], &[a, b]]), "b: it_postgres has no transcript of it");
        assert_eq!(error([&[a], &[a], &[a, b]]), "b: it has no transcript of it");
    }

    #[test]
    fn comparing_nothing_is_an_error() {
        assert!(error([&[], &[], &[]]).starts_with("it has written nothing into "));
        assert!(error([&[("a", TRANSCRIPT)], &[], &[]]).starts_with("it_postgres has written nothing into "));
        let left_out: &[_] = &[("a", "left out: a race\n")];
        assert_eq!(error([left_out; 3]), "every test is left out: nothing was compared");
    }

    #[test]
    fn without_postgresql_nothing_is_compared_and_one_line_says_so() {
        let skipped: &[_] = &[("skipped", "")];
        let folder = written([&[("a", TRANSCRIPT)], skipped, skipped]);
        assert_eq!(compare_in(folder.path()).unwrap(), [NO_SERVER]);
        let one_only = written([&[("a", TRANSCRIPT)], &[("a", TRANSCRIPT)], skipped]);
        assert!(compare_in(one_only.path()).is_err());
    }
}
