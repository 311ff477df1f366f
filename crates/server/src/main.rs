//! The `pointbook` program. Its code is in the library, so that tests can start it in-process.

fn main() -> std::process::ExitCode {
    pointbook_server::cli::run()
}
