//! Runs the built program in a new folder.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};

use tempfile::TempDir;

/// A new folder. The default database in it is `pointbook.db`.
pub(crate) struct Folder(TempDir);

/// The output stream of a command that has no reader.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Unread {
    Stdout,
    Stderr,
}

/// The exit code and the output of a command.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder whose database has the tenant `acme`, at `http://acme.example/api`.
    pub(crate) fn with_tenant() -> Self {
        let folder = Self::new();
        let line = "tenant add acme --environment production --base-url http://acme.example/api";
        folder.run(line).expect_code(0);
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: &str) {
        std::fs::write(self.path(name), content).unwrap();
    }

    /// Runs a command line. Splits it at spaces.
    pub(crate) fn run(&self, line: &str) -> Ended {
        self.run_words(&line.split(' ').collect::<Vec<_>>())
    }

    pub(crate) fn run_words(&self, words: &[&str]) -> Ended {
        end(&mut self.command(words), "")
    }

    pub(crate) fn run_with_input(&self, line: &str, input: &str) -> Ended {
        end(&mut self.command(&line.split(' ').collect::<Vec<_>>()), input)
    }

    pub(crate) fn run_with_variable(&self, line: &str, name: &str, value: &str) -> Ended {
        let words: Vec<&str> = line.split(' ').collect();
        end(self.command(&words).env(name, value), "")
    }

    /// Runs a command without a reader for one output stream. Returns the exit code and the content of
    /// the other stream.
    pub(crate) fn run_unread(&self, line: &str, unread: Unread) -> (i32, String) {
        let mut command = self.command(&line.split(' ').collect::<Vec<_>>());
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = match unread {
            Unread::Stdout => command.stdout(writer).output().unwrap(),
            Unread::Stderr => command.stderr(writer).output().unwrap(),
        };
        let read = [output.stdout, output.stderr].concat();
        (output.status.code().unwrap(), String::from_utf8(read).unwrap())
    }

    pub(crate) fn serve(&self, line: &str) -> Server {
        Server::start(&mut self.command(&line.split(' ').collect::<Vec<_>>()))
    }

    fn command(&self, words: &[&str]) -> Command {
        command(self.0.path(), words)
    }
}

fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pointbook"));
    command.args(words).current_dir(folder).env_clear();
    command
}

fn end(command: &mut Command, input: &str) -> Ended {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    Ended {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Ended {
    #[track_caller]
    pub(crate) fn expect_code(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:#?}");
        self
    }

    /// Asserts that the command refused its input, printed no result, and wrote one line with each of these parts.
    #[track_caller]
    pub(crate) fn expect_refusal(self, parts: &[&str]) {
        let ended = self.expect_code(2);
        assert_eq!(ended.stdout, "");
        let lines: Vec<&str> = ended.stderr.lines().collect();
        assert_eq!(lines.len(), parts.len(), "{lines:#?}");
        for (line, part) in lines.iter().zip(parts) {
            assert!(line.starts_with("pointbook: ") && line.contains(part), "{line:?} lacks {part:?}");
        }
    }
}

/// A running server. It is killed when the value is dropped.
pub(crate) struct Server {
    child: Child,
    stderr: BufReader<ChildStderr>,
    /// The standard error until the server listens.
    pub(crate) started: String,
    pub(crate) url: String,
    pub(crate) metrics_url: Option<String>,
    pub(crate) console_url: Option<String>,
}

impl Server {
    /// Starts a server and reads its standard error until it prints its address.
    fn start(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let (mut said, mut url) = (String::new(), None);
        while url.is_none() {
            assert!(stderr.read_line(&mut said).unwrap() > 0, "ended before it listened: {said}");
            url = address_after(&said, "listening on ");
        }
        let metrics_url = address_after(&said, "metrics at ");
        let console_url = address_after(&said, "console at ");
        Self { child, stderr, started: said, url: url.unwrap(), metrics_url, console_url }
    }

    /// Sends a signal by name.
    pub(crate) fn signal(&self, name: &str) {
        let process = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &process]).status().unwrap().success());
    }

    /// Reads the standard error until these words appear.
    pub(crate) fn wait_for(&mut self, words: &str) -> String {
        let mut said = String::new();
        while !said.contains(words) {
            assert!(self.stderr.read_line(&mut said).unwrap() > 0, "ended without {words:?}: {said}");
        }
        said.lines().last().unwrap_or_default().to_owned()
    }

    /// Waits for the end. Returns the rest of the standard error.
    pub(crate) fn end(mut self) -> (ExitStatus, String) {
        let mut said = String::new();
        self.stderr.read_to_string(&mut said).unwrap();
        (self.child.wait().unwrap(), said)
    }

    /// Sends a signal by name and waits for the end.
    pub(crate) fn stop(self, signal: &str) -> (ExitStatus, String) {
        self.signal(signal);
        self.end()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The URL that follows these words.
fn address_after(said: &str, words: &str) -> Option<String> {
    let (_, rest) = said.split_once(words)?;
    Some(rest.split(['"', ' ', '\n']).next()?.to_owned())
}

/// The whole response to a GET.
pub(crate) fn get(url: &str, headers: &str) -> String {
    let (authority, _) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    get_of_host(authority, url, headers)
}

pub(crate) fn get_of_host(host: &str, url: &str, headers: &str) -> String {
    send_to_host("GET", host, url, headers, "")
}

/// The whole response to a request.
pub(crate) fn send_to_host(method: &str, host: &str, url: &str, headers: &str, body: &str) -> String {
    let (authority, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut stream = TcpStream::connect(authority).unwrap();
    let length = if body.is_empty() { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
    let head =
        format!("{method} /{path} HTTP/1.1\r\nHost: {host}\r\n{headers}{length}Connection: close\r\n\r\n");
    write!(stream, "{head}{body}").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}
