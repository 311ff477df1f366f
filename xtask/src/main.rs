//! The project's own tasks, run as `cargo xtask COMMAND`: one file or folder per command.

mod check;
mod clients;
mod contract;
mod crash;
mod demo;
mod dist;
mod docs;
mod openapi;
mod realdata;
mod tidy;
mod tools;

use std::env;
use std::process::ExitCode;

/// One task: the word that names it, what it is for, and what it does with the words after its name.
struct Command {
    name: &'static str,
    about: &'static str,
    run: fn(&[String]) -> anyhow::Result<()>,
}

/// Every task there is. A new one is a module and a line here.
const COMMANDS: &[Command] = &[
    Command {
        name: "check",
        about: "everything that must hold before a commit that matters",
        run: check::command,
    },
    Command {
        name: "crash",
        about: "kills the server while clients write, and looks for what was lost",
        run: crash::command,
    },
    Command {
        name: "realdata",
        about: "real catalogues and a real ledger, every figure compared",
        run: realdata::command,
    },
    Command {
        name: "openapi",
        about: "writes the description of the interface into openapi.json",
        run: openapi::command,
    },
    Command {
        name: "contract",
        about: "what tools of others say of the description, and of a server by it",
        run: contract::command,
    },
    Command {
        name: "clients",
        about: "clients in other languages, generated, compiled and tried",
        run: clients::command,
    },
    Command {
        name: "dist",
        about: "the files of a release: archives, packages, checksums, the list of what is inside",
        run: dist::command,
    },
    Command {
        name: "docs",
        about: "the book of the documents, built by mdBook, every link followed",
        run: docs::command,
    },
    Command { name: "tidy", about: "the rules of the house that no compiler knows", run: tidy::command },
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

/// Lists the commands; the exit code 2 tells a misspelt command from a task that failed.
fn usage() -> ExitCode {
    eprintln!("usage: cargo xtask COMMAND\n");
    for command in COMMANDS {
        eprintln!("  {:<10} {}", command.name, command.about);
    }
    ExitCode::from(2)
}
