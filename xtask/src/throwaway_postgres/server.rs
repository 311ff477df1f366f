//! The shell lines that create and start a PostgreSQL server.

use std::io;
use std::path::Path;

use crate::throwaway_postgres::Shell;

/// Creates the data folder of a server with this name. Its superuser is `pointbook`.
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

/// Starts the server of a data folder. The server may not accept connections yet. Its process id is `$pid_NAME`.
/// `options` override the settings in this function.
///
/// # Errors
/// When the folder of the socket cannot be created.
pub fn launch(shell: &mut Shell, binaries: &Path, name: &str, options: &str) -> io::Result<()> {
    let program = quoted(&binaries.join("postgres"));
    // A server that a test suspended with SIGSTOP handles SIGQUIT only after SIGCONT.
    shell.run(&format!(
        "mkdir -p \"$folder/{name}.run\" && {{ {program} -D \"$folder/{name}\" -k \"$folder/{name}.run\" \
         -c listen_addresses= -c shared_buffers=64MB {options} >>\"$folder/{name}.log\" 2>&1 & }} && \
         pid_{name}=$! && at_end=\"$at_end kill -QUIT \\$pid_{name}; kill -CONT \\$pid_{name};\""
    ))?;
    Ok(())
}

/// The folder of a server's socket, percent-encoded for a database URL.
pub fn host(shell: &Shell, name: &str) -> String {
    format!("{}/{name}.run", shell.folder()).replace('/', "%2F")
}

/// Quotes a path as one word of the shell.
pub fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}
