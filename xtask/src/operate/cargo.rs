//! Calls of cargo.

use std::process::Command;

use crate::operate::root::repository;

/// What `cargo run` tells a program about its package. The build script of ring asks to run again when one of these changes, so a cargo
/// that inherits them compiles ring, and nearly every crate after it, once more for each program that calls it.
const OF_THE_CALLER: [&str; 7] = [
    "CARGO_MANIFEST_DIR",
    "CARGO_MANIFEST_LINKS",
    "CARGO_PKG_NAME",
    "CARGO_PKG_VERSION_MAJOR",
    "CARGO_PKG_VERSION_MINOR",
    "CARGO_PKG_VERSION_PATCH",
    "CARGO_PKG_VERSION_PRE",
];

/// Cargo in the root of the repository, as a shell would start it.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.args(arguments).current_dir(repository());
    for variable in OF_THE_CALLER {
        command.env_remove(variable);
    }
    command
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;

    #[test]
    fn what_build_scripts_read_of_the_caller_is_not_inherited() {
        let command = cargo(&["--version"]);
        let removed: Vec<_> =
            command.get_envs().filter(|(_, value)| value.is_none()).map(|(name, _)| name).collect();
        assert!(OF_THE_CALLER.iter().all(|name| removed.contains(&OsStr::new(name))), "{removed:?}");
    }
}
