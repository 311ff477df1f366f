//! Where the repository is.

use std::path::{Path, PathBuf};

/// The folder of the root `Cargo.toml`, wherever the command was started: a task is compiled in its own repository.
pub fn repository() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_path_buf()
}
