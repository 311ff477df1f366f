//! Finds the programs of PostgreSQL.

use std::ffi::OsString;
use std::fs::read_dir;
use std::path::{Path, PathBuf};
use std::{env, io};

/// Where Debian installs each major version, in a folder with its number.
const DEBIAN: &str = "/usr/lib/postgresql";

/// The programs that every server needs.
pub const SERVER: &[&str] = &["initdb", "postgres"];

/// Returns the folder that has all of these programs: `POINTBOOK_POSTGRES_BIN` if it is set, else the first match on the
/// `PATH`, else the newest version of Debian. Returns `None` when no folder has them all.
///
/// # Errors
/// When `POINTBOOK_POSTGRES_BIN` lacks one of the programs.
pub fn find(programs: &[&str]) -> io::Result<Option<PathBuf>> {
    let Some(given) = environment("POINTBOOK_POSTGRES_BIN").map(PathBuf::from) else {
        return Ok(on_path().find(|folder| holds(folder, programs)).or_else(|| newest_of_debian(programs)));
    };
    if holds(&given, programs) {
        return Ok(Some(given));
    }
    let given = given.display();
    Err(io::Error::other(format!("POINTBOOK_POSTGRES_BIN must name a folder with {programs:?}, got {given}")))
}

/// The folders of the `PATH`.
pub fn on_path() -> impl Iterator<Item = PathBuf> {
    let path = environment("PATH").unwrap_or_default();
    env::split_paths(&path).collect::<Vec<_>>().into_iter()
}

/// Reads an environment variable with which a developer configures tests and tasks.
#[expect(clippy::disallowed_methods, reason = "this is not the server, whose configuration alone reads it")]
pub fn environment(variable: &str) -> Option<OsString> {
    env::var_os(variable)
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
