//! Finding what a PostgreSQL server is started with.

use std::env;
use std::fs::read_dir;
use std::path::{Path, PathBuf};

use super::given;

/// Where Debian keeps each version, in a folder of its number.
const DEBIAN: &str = "/usr/lib/postgresql";

/// The folder that holds `initdb` and `postgres`: as `POINTBOOK_POSTGRES_BIN` says, else on the `PATH`,
/// else the newest of Debian's.
pub(super) fn find() -> Option<PathBuf> {
    if let Some(given) = given("POINTBOOK_POSTGRES_BIN") {
        let given = PathBuf::from(given);
        assert!(is_whole(&given), "POINTBOOK_POSTGRES_BIN has no initdb and postgres: {}", given.display());
        return Some(given);
    }
    on_path().find(|folder| is_whole(folder)).or_else(newest_of_debian)
}

/// The folders of the `PATH`.
pub(super) fn on_path() -> impl Iterator<Item = PathBuf> {
    let path = given("PATH").unwrap_or_default();
    env::split_paths(&path).collect::<Vec<_>>().into_iter()
}

fn is_whole(folder: &Path) -> bool {
    ["initdb", "postgres"].iter().all(|binary| folder.join(binary).is_file())
}

fn newest_of_debian() -> Option<PathBuf> {
    let versions = read_dir(DEBIAN).ok()?.filter_map(|version| {
        let folder = version.ok()?.path();
        let number: u32 = folder.file_name()?.to_str()?.parse().ok()?;
        Some((number, folder.join("bin")))
    });
    versions.filter(|(_, folder)| is_whole(folder)).max().map(|(_, folder)| folder)
}
