//! The container image: its build and its command.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::commands::{expect_command, words};
use super::{ROOT, deployed};

const PROGRAM: &str = "/usr/local/bin/pointbook";

/// The argument of an instruction of the Dockerfile, with continued lines joined. Of several, the last one counts.
fn instruction(name: &str) -> String {
    let file = deployed("Dockerfile").replace("\\\n", " ");
    let found = file.lines().rev().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    found.unwrap_or_else(|| panic!("{name} is missing")).to_owned()
}

#[test]
fn the_compiler_is_the_one_of_the_repository() {
    let pinned = fs::read_to_string(format!("{ROOT}/rust-toolchain.toml")).unwrap();
    let version = pinned.lines().find_map(|line| line.strip_prefix("channel = ")).unwrap().trim_matches('"');
    assert!(deployed("Dockerfile").contains(&format!("\nARG RUST_VERSION={version}\n")), "{version}");
}

#[test]
fn the_image_serves_and_asks_itself_whether_it_is_ready() {
    assert_eq!(words(&instruction("ENTRYPOINT")), [PROGRAM]);
    expect_command(&words(&instruction("CMD")));
    let health = instruction("HEALTHCHECK");
    let health = words(health.split_once(" CMD ").unwrap().1);
    assert_eq!(health[0], PROGRAM);
    expect_command(&health[1..]);
    // The health check uses the configured address, which is all addresses of the container.
    let (address, port) = (instruction("ENV"), instruction("EXPOSE"));
    assert_eq!(address, format!("POINTBOOK_LISTEN_ADDRESS=0.0.0.0:{port}"));
    assert!(!instruction("USER").starts_with(['r', '0']));
}

#[test]
fn what_is_sent_to_the_builder_is_a_whole_workspace() {
    let folder = tempfile::tempdir().unwrap();
    let context = deployed("Dockerfile.dockerignore");
    let kept: Vec<&str> = context.lines().filter_map(|line| line.strip_prefix('!')).collect();
    assert!(context.lines().any(|line| line == "*") && kept.len() >= 4);
    for name in kept {
        copy(&Path::new(ROOT).join(name), &folder.path().join(name));
    }
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(["tree", "--locked", "--offline", "--package", env!("CARGO_PKG_NAME")])
        .current_dir(folder.path());
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let build = instruction("RUN");
    let (package, binary) = (env!("CARGO_PKG_NAME"), "pointbook");
    assert!(build.contains(&format!("cargo build --release --locked --package {package} --bin {binary} ")));
    assert!(build.contains(&format!(" target/release/{binary} /image{PROGRAM} ")));
}

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir(to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let name = entry.unwrap().file_name();
            copy(&from.join(&name), &to.join(&name));
        }
    } else {
        fs::copy(from, to).unwrap();
    }
}
