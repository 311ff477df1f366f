//! The lines of a shell that make a PostgreSQL server and start it.

use std::io;
use std::path::Path;

use crate::Shell;

/// Makes the data folder of a server by this name. Its first user is `pointbook`.
///
/// # Errors
/// When `initdb` fails.
pub fn init(shell: &mut Shell, binaries: &Path, name: &str, options: &str) -> io::Result<()> {
    let program = quoted(&binaries.join("initdb"));
    shell.run(&format!(
        "{program} --pgdata=\"$folder/{name}\" --username=pointbook --auth=trust --encoding=UTF8 --locale=C --no-sync {options}"
    ))?;
    Ok(())
}

/// Starts the server of a data folder; it may not answer yet. Its process is `$pid_NAME`. Options overrule what
/// is chosen here.
///
/// # Errors
/// When the folder of its socket cannot be made.
pub fn launch(shell: &mut Shell, binaries: &Path, name: &str, options: &str) -> io::Result<()> {
    let program = quoted(&binaries.join("postgres"));
    // One that was stopped gets no other signal before it goes on.
    shell.run(&format!(
        "mkdir -p \"$folder/{name}.run\" && {{ {program} -D \"$folder/{name}\" -k \"$folder/{name}.run\" \
         -c listen_addresses= -c shared_buffers=64MB {options} >>\"$folder/{name}.log\" 2>&1 & }} && \
         pid_{name}=$! && at_end=\"$at_end kill -QUIT \\$pid_{name}; kill -CONT \\$pid_{name};\""
    ))?;
    Ok(())
}

/// The folder of a server's socket, as a URL says it.
pub fn host(shell: &Shell, name: &str) -> String {
    format!("{}/{name}.run", shell.folder()).replace('/', "%2F")
}

/// A path as a word of the shell.
pub fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}
