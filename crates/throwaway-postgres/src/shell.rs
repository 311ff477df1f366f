//! A shell that starts servers and ends them, as a user whom they accept.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::binaries::on_path;

/// Makes a folder and prints it, then runs line after line of its input and says how each ended. When its
/// input ends, which happens when the process that holds it ends, however it does, `$at_end` is run to end its servers.
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

/// What stands before the exit code of a line, on a line of its own.
const END: &str = "ended with ";

/// A running shell. Its servers and its folder end with it.
pub struct Shell {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    folder: String,
}

impl Shell {
    /// Starts it as a user whom PostgreSQL accepts, in a folder that this user has made.
    ///
    /// # Errors
    /// When this user may not become another one, or there is no room for a folder.
    pub fn start() -> io::Result<Self> {
        let mut command = as_somebody()?;
        // The servers' user may not be allowed to see where this runs.
        command.args(["sh", "-c", RUN_LINES]).current_dir("/");
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = process.stdin.take();
        let output = process.stdout.take().ok_or_else(|| io::Error::other("a shell without output"))?;
        let mut shell = Self { process, input, output: BufReader::new(output), folder: String::new() };
        shell.output.read_line(&mut shell.folder)?;
        shell.folder.truncate(shell.folder.trim_end().len());
        if shell.folder.is_empty() {
            return Err(io::Error::other("there is no room for a server"));
        }
        Ok(shell)
    }

    /// The folder of all that its servers keep; `$folder` in its lines.
    pub fn folder(&self) -> &str {
        &self.folder
    }

    /// Runs one line; gives what it said.
    ///
    /// # Errors
    /// When it fails, with what it said.
    pub fn run(&mut self, line: &str) -> io::Result<String> {
        let failed = |how: &str, said: &str| io::Error::other(format!("{line}: {how}\n{said}"));
        if line.contains('\n') {
            return Err(failed("it is more than one line", ""));
        }
        let mut input = self.input.as_ref().ok_or_else(|| failed("the shell has no input", ""))?;
        writeln!(input, "{line}")?;
        let mut said = String::new();
        loop {
            let mut next = String::new();
            if self.output.read_line(&mut next)? == 0 {
                return Err(failed("the shell ended", &said));
            }
            match next.strip_prefix(END).map(str::trim_end) {
                None => said.push_str(&next),
                Some("0") => return Ok(said),
                Some(code) => return Err(failed(&format!("exit code {code}"), &said)),
            }
        }
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        drop(self.input.take());
        // Its exit code is that of the last line, and nothing is left to be done about it.
        let _ = self.process.wait();
    }
}

/// What a command begins with to run as a user that PostgreSQL accepts: it refuses root.
fn as_somebody() -> io::Result<Command> {
    if asked("id", &["-u"]) != Some("0".to_owned()) {
        return Ok(Command::new("env"));
    }
    let ids = ["postgres", "nobody"].into_iter().find_map(|user| Some((user, asked("id", &["-g", user])?)));
    let (user, group) = ids.ok_or_else(|| io::Error::other("there is no user postgres or nobody"))?;
    if !on_path().any(|folder| folder.join("setpriv").is_file()) {
        let mut command = Command::new("runuser");
        command.args(["-u", user, "--"]);
        return Ok(command);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid", user, "--regid", &group, "--clear-groups", "--"]);
    Ok(command)
}

/// What a program prints on success, without the end of the line.
fn asked(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn what_a_line_says_is_given_or_is_why_it_failed() {
        let mut shell = Shell::start().unwrap();
        assert_eq!(shell.run("echo \"$folder\"").unwrap().trim(), shell.folder());
        let error = shell.run("echo no luck >&2; false").unwrap_err().to_string();
        assert!(error.contains("exit code 1\nno luck"), "{error}");
        assert_eq!(shell.run("true").unwrap().trim(), "");
        let error = shell.run("exit 3").unwrap_err().to_string();
        assert!(error.contains("the shell ended"), "{error}");
    }

    #[test]
    fn its_servers_and_its_folder_end_with_it() {
        let mut shell = Shell::start().unwrap();
        // What the shell ignores, its servers ignore that do not say otherwise.
        shell.run("sleep 3600 & at_end=\"kill -KILL $!\"").unwrap();
        let pid = shell.run("echo $!").unwrap();
        let (folder, server) = (shell.folder().to_owned(), format!("/proc/{}", pid.trim()));
        assert!(Path::new(&folder).is_dir() && Path::new(&server).is_dir());
        drop(shell);
        assert!(!Path::new(&folder).exists() && !Path::new(&server).exists());
    }
}
