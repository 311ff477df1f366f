//! The server of fixed responses, which is the ceiling for reads.

use std::fs;
use std::net::TcpListener;
use std::process::{Command, Stdio};

use anyhow::{Result, ensure};
use pointbook_operate::pointbook::{Server, release_binary};

use super::data;
use super::requests::{Get, Target};

/// How many responses the server gives in turn when requests differ.
const ANSWERS: usize = 64;

/// A server that responds with the same bytes as a target.
pub(super) struct Ceiling {
    pub(super) server: Server,
    /// The average size of a body in bytes.
    pub(super) body_bytes: usize,
}

impl Ceiling {
    /// Requests some of the responses from the target, and starts a server that gives them in turn.
    ///
    /// # Errors
    /// When most of them have no items, because such a measurement means nothing.
    pub(super) fn of(target: &Target, gets: &[Get]) -> Result<Self> {
        let folder = data::folder()?;
        let (mut files, mut body_bytes, mut empty) = (Vec::new(), 0, 0);
        for get in sample(gets) {
            let answer = target.ask(get)?;
            let file = folder.join(format!("answer-{}.http", files.len()));
            fs::write(&file, &answer.bytes)?;
            files.push(file);
            body_bytes += answer.body().len();
            let nothing = [&br#"{"data":[]"#[..], br#"{"data":{}"#];
            empty += usize::from(nothing.iter().any(|nothing| answer.body().starts_with(nothing)));
        }
        ensure!(empty * 2 <= files.len(), "{empty} of {} responses are empty", files.len());
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let mut command = Command::new(release_binary("fixed-body"));
        command.arg(address.to_string()).args(&files).stdout(Stdio::null());
        Ok(Self { server: Server::start(&mut command, address)?, body_bytes: body_bytes / files.len() })
    }
}

/// Requests at regular distances.
fn sample(gets: &[Get]) -> impl Iterator<Item = &Get> {
    gets.iter().step_by(gets.len().div_ceil(ANSWERS).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sample_is_bounded_and_taken_from_all_requests() {
        let gets: Vec<Get> = (0..1_000).map(|number| Get::new(format!("/{number}"), "t")).collect();
        let sampled: Vec<&Get> = sample(&gets).collect();
        assert_eq!((sampled.len(), sampled[1].path.as_str()), (63, "/16"));
        assert_eq!(sample(&gets[..3]).count(), 3);
    }
}
