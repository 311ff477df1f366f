//! A running instance of the program.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// Killed when it is let go.
pub(crate) struct Instance {
    child: Child,
    /// Host and port that it listens on.
    pub(crate) authority: String,
}

impl Instance {
    /// Starts `serve` and waits until it listens. What it says later is not kept.
    pub(crate) fn start(database: &str) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pointbook"));
        command.args(["--database", database, "serve", "--listen", "127.0.0.1:0"]).env_clear();
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        let authority = loop {
            line.clear();
            assert!(said.read_line(&mut line).unwrap() > 0, "ended before it listened");
            if let Some((_, rest)) = line.split_once("listening on http://") {
                break rest.split(['"', ' ', '\n']).next().unwrap().to_owned();
            }
        };
        std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
        Self { child, authority }
    }

    /// As `kill -9`: without a goodbye to anybody.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // It may have been killed already; there is nothing else to do then.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a command to its good end; gives its result without the end of the line.
pub(crate) fn run(database: &str, line: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pointbook"));
    let output = command.args(["--database", database]).args(line.split(' ')).env_clear().output().unwrap();
    assert!(output.status.success(), "{line}: {output:?}");
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}
