//! A shell for commands of the documentation, in a new folder.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use tempfile::TempDir;

/// Shell functions in front of the real programs: each server listens on a free port, and requests go there. They wait for
/// servers in the background by their output.
const PRELUDE: &str = r#"
exec 2>&1
readonly DEMO_LOG="$PWD/demo.log"
# Until a demo runs.
DEMO=no-demo
# The address that a server names in its log; waits for it as long as the server lives.
address_in() {
    until grep -q "$2" "$1" 2> /dev/null; do
        kill -0 "$!" || { cat "$1"; return 1; }
    done
    grep -o 'http://[^/" ]*' "$1" | head -n 1
}
cargo() {
    case "$*" in
        "run --release -- demo") ;;
        "run --release -- audit "*) pointbook "${@:4}"; return ;;
        *) echo "unexpected: cargo $*"; return 1 ;;
    esac
    command pointbook demo --listen 127.0.0.1:0 > "$DEMO_LOG" 2> demo.err &
    DEMO=$(address_in "$DEMO_LOG" "The demo is running") || return 1
    # The lines about requests come when they like.
    grep "^created new database" demo.err
    sed "s,$DEMO,http://localhost:8080,g" "$DEMO_LOG"
}
# What sleeps here waits for a server, and curl does that.
sleep() { :; }
pointbook() {
    # In the background, `$!` is then the program itself.
    [ "$BASHPID" = "$$" ] || exec pointbook "${@//127.0.0.1:8081/127.0.0.1:0}"
    command pointbook "${@//127.0.0.1:8081/127.0.0.1:0}"
}
curl() {
    local arguments=("${@//http:\/\/localhost:8080/$DEMO}")
    if [[ "$*" = *localhost:8081* ]]; then
        local served
        served=$(address_in serve.log "listening on") || return 1
        arguments=("${arguments[@]//http:\/\/localhost:8081/$served}")
    fi
    command curl --noproxy '*' "${arguments[@]}" | sed "s,$DEMO,http://localhost:8080,g"
}
"#;

/// A marker on a separate line after the output of each part of the session.
const END: &str = "-- end of output --";

/// A shell and its child processes. All end when the value is dropped.
pub(crate) struct Session {
    shell: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    _folder: TempDir,
}

impl Session {
    /// Starts a shell in an empty folder, with the built program on its path.
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("bash");
        command.args(["--noprofile", "--norc"]).current_dir(folder.path());
        // A new process group, so that background processes can be killed with it.
        command.process_group(0).env("TMPDIR", folder.path()).env("PATH", path()).env("LC_ALL", "C");
        command.env("HOME", folder.path());
        command.env_remove("POINTBOOK_DATABASE").env_remove("POINTBOOK_CONFIG");
        let mut shell = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = shell.stdin.take().unwrap();
        let output = BufReader::new(shell.stdout.take().unwrap());
        let mut session = Self { shell, input, output, _folder: folder };
        assert_eq!(session.run(PRELUDE), "");
        session
    }

    /// Runs these lines. Returns their output, including the standard error.
    pub(crate) fn run(&mut self, lines: &str) -> String {
        write!(self.input, "{lines}\nprintf '\\n%s\\n' '{END}'\n").unwrap();
        self.input.flush().unwrap();
        let mut printed = String::new();
        loop {
            let start = printed.len();
            assert!(self.output.read_line(&mut printed).unwrap() > 0, "the shell ended: {printed}");
            if printed[start..].trim_end() == END {
                printed.truncate(start - 1);
                return printed;
            }
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let group = format!("-{}", self.shell.id());
        // The processes may have ended already.
        let _ = Command::new("kill").args(["-s", "KILL", "--", &group]).status();
        let _ = self.shell.wait();
    }
}

/// The PATH with the folder of the built program first.
#[expect(clippy::disallowed_methods, reason = "the shell finds its programs where this process does")]
fn path() -> String {
    let program = env!("CARGO_BIN_EXE_pointbook");
    let (folder, _) = program.rsplit_once('/').unwrap();
    format!("{folder}:{}", std::env::var("PATH").unwrap_or_default())
}
