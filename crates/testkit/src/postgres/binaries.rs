//! Finding what a PostgreSQL server is started with.

use std::env;
use std::fs::read_dir;
use std::path::{Path, PathBuf};

use super::given;

/// Where Debian keeps each version, in a folder of its number.
const DEBIAN: &str = "/usr/lib/postgresql";

/// What every server is started with.
pub(super) const SERVER: &[&str] = &["initdb", "postgres"];

/// The folder that holds all of these programs: as `POINTBOOK_POSTGRES_BIN` says, else on the `PATH`, else
/// the newest of Debian's.
pub(super) fn find(programs: &[&str]) -> Option<PathBuf> {
    if let Some(given) = given("POINTBOOK_POSTGRES_BIN") {
        let given = PathBuf::from(given);
        assert!(
            holds(&given, programs),
            "POINTBOOK_POSTGRES_BIN lacks one of {programs:?}: {}",
            given.display()
        );
        return Some(given);
    }
    on_path().find(|folder| holds(folder, programs)).or_else(|| newest_of_debian(programs))
}

/// The folders of the `PATH`.
pub(super) fn on_path() -> impl Iterator<Item = PathBuf> {
    let path = given("PATH").unwrap_or_default();
    env::split_paths(&path).collect::<Vec<_>>().into_iter()
}

fn holds(folder: &Path, programs: &[&str]) -> bool {
    programs.iter().all(|program| folder.join(program).is_file())
}

fn newest_of_debian(programs: &[&str]) -> Option<PathBuf> {
    let versions = read_dir(DEBIAN).ok()?.filter_map(|version| {
        let folder = version.ok()?.path();
        let number: u32 = folder.file_name()?.to_str()?.parse().ok()?;
        Some((number, folder.join("bin")))
    });
    versions.filter(|(_, folder)| holds(folder, programs)).max().map(|(_, folder)| folder)
}
