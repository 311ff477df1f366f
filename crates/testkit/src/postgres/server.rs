//! Starting a PostgreSQL server from installed binaries.

use std::mem;
use std::path::Path;

use super::shell::Shell;

/// For a server whose data nobody wants back: what a power cut would lose is not kept.
const FORGETFUL: &str =
    "-c max_connections=400 -c fsync=off -c full_page_writes=off -c synchronous_commit=off";

/// Gives the URL of a server that may not answer yet, and ends with the process.
pub(super) fn start(binaries: &Path) -> String {
    let mut shell = Shell::start();
    init(&mut shell, binaries, "a", "");
    launch(&mut shell, binaries, "a", FORGETFUL);
    let url = format!("postgres://pointbook@{}/postgres", host(&shell, "a"));
    // The end of its input is the end of the process.
    mem::forget(shell);
    url
}

/// Makes the data folder of a server by this name.
pub(super) fn init(shell: &mut Shell, binaries: &Path, name: &str, options: &str) {
    let program = quoted(&binaries.join("initdb"));
    shell.run(&format!(
        "{program} --pgdata=\"$folder/{name}\" --username=pointbook --auth=trust --encoding=UTF8 --locale=C --no-sync {options}"
    ));
}

/// Starts the server of a data folder; it may not answer yet. Its process is `$pid_NAME`.
pub(super) fn launch(shell: &mut Shell, binaries: &Path, name: &str, options: &str) {
    let program = quoted(&binaries.join("postgres"));
    shell.run(&format!(
        "mkdir -p \"$folder/{name}.run\" && {{ {program} -D \"$folder/{name}\" -k \"$folder/{name}.run\" \
         -c listen_addresses= -c shared_buffers=64MB {options} >>\"$folder/{name}.log\" 2>&1 & }} && \
         pid_{name}=$! && at_end=\"$at_end kill -QUIT \\$pid_{name};\""
    ));
}

/// The folder of a server's socket, as a URL says it.
pub(super) fn host(shell: &Shell, name: &str) -> String {
    format!("{}/{name}.run", shell.folder).replace('/', "%2F")
}

/// A path as a word of the shell.
pub(super) fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}
