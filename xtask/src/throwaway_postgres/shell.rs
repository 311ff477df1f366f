//! A shell that starts and stops servers, as a user that PostgreSQL accepts.

use std::io;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::throwaway_postgres::binaries::on_path;

/// Creates a folder and prints its path. Then runs each line of the input and prints its exit code. When the input ends,
/// it runs `$at_end` to stop the servers. The input also ends when the parent process is killed.
const RUN_LINES: &str = r#"
trap '' HUP INT TERM
parent=${TMPDIR:-/tmp}
[ -w "$parent" ] || parent=/tmp
folder=$(mktemp -d "$parent/pointbook-postgres.XXXXXX") || exit 1
at_end=
end() {
    eval "$at_end" 2>/dev/null
    wait
    rm -rf "$folder"
}
trap end EXIT
printf '%s\n' "$folder"
while IFS= read -r line; do
    eval "$line" </dev/null 2>&1
    printf '\nended with %s\n' "$?"
done
"#;

/// The prefix of the output line that holds the exit code.
const EXIT_CODE_PREFIX: &str = "ended with ";

/// A running shell. Dropping it stops its servers and removes its folder.
pub struct Shell {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    folder: String,
}

impl Shell {
    /// Starts the shell as a user that PostgreSQL accepts. That user creates the folder.
    ///
    /// # Errors
    /// When this process cannot switch to another user, or the folder cannot be created.
    pub fn start() -> io::Result<Self> {
        let mut command = command_as_unprivileged_user()?;
        // The user of the servers may lack access to the current folder.
        command.args(["sh", "-c", RUN_LINES]).current_dir("/");
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = process.stdin.take();
        let output = process.stdout.take().ok_or_else(|| io::Error::other("the shell has no output"))?;
        let mut shell = Self { process, input, output: BufReader::new(output), folder: String::new() };
        shell.output.read_line(&mut shell.folder)?;
        shell.folder.truncate(shell.folder.trim_end().len());
        if shell.folder.is_empty() {
            return Err(io::Error::other("the shell could not create a folder in $TMPDIR or /tmp"));
        }
        Ok(shell)
    }

    /// The folder for all files of the servers. Lines use it as `$folder`.
    pub fn folder(&self) -> &str {
        &self.folder
    }

    /// Runs one line. Returns its output.
    ///
    /// # Errors
    /// When the line fails. The error contains the output.
    pub fn run(&mut self, line: &str) -> io::Result<String> {
        let failed = |reason: &str, output: &str| io::Error::other(format!("{line}: {reason}\n{output}"));
        if line.contains('\n') {
            return Err(failed("must be one line", ""));
        }
        let mut input = self.input.as_ref().ok_or_else(|| failed("the shell has no input", ""))?;
        writeln!(input, "{line}")?;
        let mut output = String::new();
        loop {
            let mut next = String::new();
            if self.output.read_line(&mut next)? == 0 {
                return Err(failed("the shell ended", &output));
            }
            match next.strip_prefix(EXIT_CODE_PREFIX).map(str::trim_end) {
                None => output.push_str(&next),
                Some("0") => return Ok(output),
                Some(code) => return Err(failed(&format!("exit code {code}"), &output)),
            }
        }
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        drop(self.input.take());
        // The exit code is that of the last line, which `run` has already reported.
        let _ = self.process.wait();
    }
}

/// The start of a command that runs as a user that PostgreSQL accepts. PostgreSQL refuses to run as root.
fn command_as_unprivileged_user() -> io::Result<Command> {
    if output_of("id", &["-u"]) != Some("0".to_owned()) {
        return Ok(Command::new("env"));
    }
    let ids =
        ["postgres", "nobody"].into_iter().find_map(|user| Some((user, output_of("id", &["-g", user])?)));
    let (user, group) = ids.ok_or_else(|| io::Error::other("this machine has no user postgres or nobody"))?;
    if !on_path().any(|folder| folder.join("setpriv").is_file()) {
        let mut command = Command::new("runuser");
        command.args(["-u", user, "--"]);
        return Ok(command);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid", user, "--regid", &group, "--clear-groups", "--"]);
    Ok(command)
}

/// The standard output of a program without trailing whitespace; `None` when the program fails.
fn output_of(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn run_returns_output_or_error_with_output() {
        let mut shell = Shell::start().unwrap();
        assert_eq!(shell.run("echo \"$folder\"").unwrap().trim(), shell.folder());
        let error = shell.run("echo no luck >&2; false").unwrap_err().to_string();
        assert!(error.contains("exit code 1\nno luck"), "{error}");
        assert_eq!(shell.run("true").unwrap().trim(), "");
        let error = shell.run("exit 3").unwrap_err().to_string();
        assert!(error.contains("the shell ended"), "{error}");
    }

    #[test]
    fn drop_stops_servers_and_removes_folder() {
        let mut shell = Shell::start().unwrap();
        // The child inherits the ignored signals of the shell, so it needs SIGKILL.
        shell.run("sleep 3600 & at_end=\"kill -KILL $!\"").unwrap();
        let pid = shell.run("echo $!").unwrap();
        let (folder, server) = (shell.folder().to_owned(), format!("/proc/{}", pid.trim()));
        assert!(Path::new(&folder).is_dir() && Path::new(&server).is_dir());
        drop(shell);
        assert!(!Path::new(&folder).exists() && !Path::new(&server).exists());
    }
}
