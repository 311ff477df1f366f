//! The project's own tasks, run as `cargo xtask COMMAND`: one file or folder per command.

mod check;
mod clients;
mod contract;
mod crash;
mod demo;
mod dist;
mod docs;
mod fuzz;
mod openapi;
mod realdata;
mod receivers;
mod tools;

use std::env;
use std::process::ExitCode;

/// One task: its name, its purpose, and its function, which gets the arguments after the name.
struct Command {
    name: &'static str,
    about: &'static str,
    run: fn(&[String]) -> anyhow::Result<()>,
}

/// All tasks. A new one is a module and a line here.
const COMMANDS: &[Command] = &[
    Command {
        name: "check",
        about: "runs the checks of every push, or all with --full, or the named ones",
        run: check::command,
    },
    Command {
        name: "crash",
        about: "kills the server while clients write, and looks for lost writes",
        run: crash::command,
    },
    Command {
        name: "fuzz",
        about: "looks for inputs on which a reader of bytes from outside fails",
        run: fuzz::command,
    },
    Command {
        name: "realdata",
        about: "imports real catalogues and a real ledger, and compares every figure",
        run: realdata::command,
    },
    Command {
        name: "openapi",
        about: "writes openapi.json, the collection of requests, and tables of documents",
        run: openapi::command,
    },
    Command {
        name: "clients",
        about: "generates, compiles and tests clients in other languages",
        run: clients::command,
    },
    Command {
        name: "receivers",
        about: "tries the example receivers of webhooks with the demo",
        run: receivers::command,
    },
    Command {
        name: "dist",
        about: "writes the files of a release: archives, packages, checksums, SBOM",
        run: dist::command,
    },
    Command {
        name: "docs",
        about: "builds the book of the documents with mdBook and checks every link",
        run: docs::command,
    },
];

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let Some((name, arguments)) = words.split_first() else {
        return usage();
    };
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        return usage();
    };
    match (command.run)(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{name}: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Lists the commands. The exit code 2 distinguishes a misspelt command from a failed task.
fn usage() -> ExitCode {
    eprintln!("usage: cargo xtask COMMAND\n");
    for command in COMMANDS {
        eprintln!("  {:<10} {}", command.name, command.about);
    }
    ExitCode::from(2)
}
