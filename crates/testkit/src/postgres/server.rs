//! A server that lives as long as the test process.

use std::io::{BufRead, BufReader};
use std::mem;
use std::path::Path;
use std::process::{Command, Stdio};

use super::binaries::on_path;

/// Starts a server in a folder of its own, prints the folder, and ends both when its input ends: that
/// happens when the test process ends, however it does. What a power cut would lose is not kept.
const SUPERVISE: &str = r#"
set -eu
trap '' INT
parent=${TMPDIR:-/tmp}
[ -w "$parent" ] || parent=/tmp
folder=$(mktemp -d "$parent/pointbook-postgres.XXXXXX")
trap 'rm -rf "$folder"' EXIT
"$1/initdb" --pgdata="$folder/data" --username=pointbook --auth=trust --encoding=UTF8 --locale=C --no-sync \
    >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
"$1/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= -c max_connections=400 -c shared_buffers=64MB \
    -c fsync=off -c full_page_writes=off -c synchronous_commit=off >>"$folder/log" 2>&1 &
echo "$folder"
cat >/dev/null
kill -QUIT $!
wait $! || true
"#;

/// Gives the URL of a server that may not answer yet.
pub(super) fn start(binaries: &Path) -> String {
    let mut command = as_somebody();
    // The server's user may not be allowed to see where the tests run.
    command.args(["sh", "-c", SUPERVISE, "sh"]).arg(binaries).current_dir("/");
    let mut supervisor = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut folder = String::new();
    BufReader::new(supervisor.stdout.take().unwrap()).read_line(&mut folder).unwrap();
    let folder = folder.trim_end();
    assert!(!folder.is_empty(), "PostgreSQL cannot be started");
    // The end of its input is the end of the process.
    mem::forget(supervisor);
    format!("postgres://pointbook@{}/postgres", folder.replace('/', "%2F"))
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
