//! Finding what a PostgreSQL server is started with.

use std::ffi::OsString;
use std::fs::read_dir;
use std::path::{Path, PathBuf};
use std::{env, io};

/// Where Debian keeps each version, in a folder of its number.
const DEBIAN: &str = "/usr/lib/postgresql";

/// What every server is started with.
pub const SERVER: &[&str] = &["initdb", "postgres"];

/// The folder that holds all of these programs: as `POINTBOOK_POSTGRES_BIN` says, else on the `PATH`, else
/// the newest of Debian's.
///
/// # Errors
/// When the folder that was given lacks one of them.
pub fn find(programs: &[&str]) -> io::Result<Option<PathBuf>> {
    let Some(given) = environment("POINTBOOK_POSTGRES_BIN").map(PathBuf::from) else {
        return Ok(on_path().find(|folder| holds(folder, programs)).or_else(|| newest_of_debian(programs)));
    };
    if holds(&given, programs) {
        return Ok(Some(given));
    }
    let given = given.display();
    Err(io::Error::other(format!("POINTBOOK_POSTGRES_BIN lacks one of {programs:?}: {given}")))
}

/// The folders of the `PATH`.
pub fn on_path() -> impl Iterator<Item = PathBuf> {
    let path = environment("PATH").unwrap_or_default();
    env::split_paths(&path).collect::<Vec<_>>().into_iter()
}

/// What the environment says, where tests and tasks are told about their machine.
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
