//! The demo, served by the built program.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// The line after which the demo serves requests.
const READY: &str = "The demo is running";

/// A running demo. It is killed when the value is dropped.
pub(crate) struct Demo {
    child: Child,
    /// Host and port.
    pub(crate) authority: String,
    folder: TempDir,
}

impl Demo {
    /// Starts the demo on a free port. Without a URL it uses a new SQLite file.
    pub(crate) fn start(database: Option<&str>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let log = File::create(folder.path().join("stderr.log")).unwrap();
        let mut command = program(&folder);
        command.args(["demo", "--listen", "127.0.0.1:0"]);
        command.args(database.iter().flat_map(|url| ["--database", url]));
        let mut child = command.stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut text = String::new();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let ready = lines.any(|line| {
            let line = line.unwrap();
            text.push_str(&line);
            line.starts_with(READY)
        });
        let log = || std::fs::read_to_string(folder.path().join("stderr.log")).unwrap();
        assert!(ready, "the demo ended before it served: {text}{}", log());
        let (_, rest) = text.split_once("http://").unwrap();
        let authority = rest.split('/').next().unwrap().to_owned();
        Self { child, authority, folder }
    }

    /// The rows of an export of production, while the server runs.
    pub(crate) fn export(&self, kind: &str) -> String {
        export(&self.folder, "sqlite:pointbook-demo.db", kind)
    }

    pub(crate) fn base_url(&self) -> String {
        format!("http://{}/acme/api", self.authority)
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The built program, in this folder and with an empty environment.
pub(crate) fn program(folder: &TempDir) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pointbook"));
    command.current_dir(folder).env_clear();
    command
}

/// The rows of an export of the tenant `acme`.
pub(crate) fn export(folder: &TempDir, database: &str, kind: &str) -> String {
    let format: &[&str] = if kind == "categories" { &[] } else { &["--format", "jsonl"] };
    let mut command = program(folder);
    command.args(["--database", database, "export", kind, "--tenant", "acme"]).args(format);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}
