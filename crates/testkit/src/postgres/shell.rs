//! A shell that starts servers and ends them, as a user whom they accept.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};

use super::binaries::on_path;

/// Makes a folder and prints it, then runs line after line of its input and says how each ended. When its
/// input ends, which happens when the test process ends, however it does, `$at_end` is run to end its servers.
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
pub(super) struct Shell {
    process: Child,
    output: BufReader<ChildStdout>,
    /// The folder of all that its servers keep; `$folder` in its lines.
    pub(super) folder: String,
}

impl Shell {
    pub(super) fn start() -> Self {
        let mut command = as_somebody();
        // The servers' user may not be allowed to see where the tests run.
        command.args(["sh", "-c", RUN_LINES]).current_dir("/");
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut shell = Self { process, output, folder: String::new() };
        let mut folder = String::new();
        shell.output.read_line(&mut folder).unwrap();
        assert!(!folder.is_empty(), "there is no room for a server");
        folder.trim_end().clone_into(&mut shell.folder);
        shell
    }

    /// Runs one line, and shows what it said when it fails.
    pub(super) fn run(&mut self, line: &str) {
        assert!(!line.contains('\n'), "{line:?} is no line");
        writeln!(self.process.stdin.as_mut().unwrap(), "{line}").unwrap();
        let (mut said, mut start) = (String::new(), 0);
        while !said[start..].starts_with(END) {
            start = said.len();
            assert!(self.output.read_line(&mut said).unwrap() > 0, "the shell ended in {line:?}: {said}");
        }
        assert_eq!(said[start + END.len()..].trim_end(), "0", "{line}\n{said}");
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        // Its exit code is that of the last line, and nothing is left to be done about it.
        let _ = self.process.wait();
    }
}

/// What a command begins with to run as a user that PostgreSQL accepts: it refuses root.
fn as_somebody() -> Command {
    if asked("id", &["-u"]) != Some("0".to_owned()) {
        return Command::new("env");
    }
    let user = ["postgres", "nobody"].into_iter().find(|user| asked("id", &["-u", user]).is_some());
    let user = user.unwrap();
    let has = |program: &str| on_path().any(|folder| folder.join(program).is_file());
    if has("setpriv") {
        let group = asked("id", &["-g", user]).unwrap();
        let mut command = Command::new("setpriv");
        command.args(["--reuid", user, "--regid", &group, "--clear-groups", "--"]);
        return command;
    }
    let mut command = Command::new("runuser");
    command.args(["-u", user, "--"]);
    command
}

/// What a program prints on success, without the end of the line.
fn asked(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim_end().to_owned())
}
