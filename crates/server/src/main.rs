//! The `pointbook` program; everything it does is in the library, so that tests can start it in-process.

fn main() -> std::process::ExitCode {
    pointbook_server::commands::run_from_command_line()
}
