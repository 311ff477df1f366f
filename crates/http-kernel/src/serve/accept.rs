use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpStream;

/// A connection and where it comes from.
pub(super) type Client = (TcpStream, SocketAddr);

/// How long to wait when the system has no connection to give, for want of file descriptors or
/// memory: until some are free again. Without a pause the loop would spin.
const PAUSE: Duration = Duration::from_millis(100);

/// Accepts until it succeeds; no error ends the listening.
pub(super) async fn accept<T, F>(mut accept: impl FnMut() -> F) -> T
where
    F: Future<Output = io::Result<T>>,
{
    loop {
        match accept().await {
            Ok(client) => return client,
            Err(error) if is_of_one_client(&error) => {}
            Err(error) => {
                tracing::error!(target: "pointbook_http::serve::accept", error = &error as &dyn std::error::Error, "cannot accept connections");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

/// Whether only the client in question is gone.
fn is_of_one_client(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset | ErrorKind::Interrupted)
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::future::ready;

    use tokio::time::Instant;

    use super::*;

    async fn accept_after(errors: &[ErrorKind]) -> Duration {
        let mut errors: VecDeque<ErrorKind> = errors.iter().copied().collect();
        let started = Instant::now();
        accept(|| ready(errors.pop_front().map_or(Ok(()), |kind| Err(kind.into())))).await;
        started.elapsed()
    }

    #[tokio::test(start_paused = true)]
    async fn want_of_descriptors_pauses_and_does_not_end_the_loop() {
        assert_eq!(accept_after(&[ErrorKind::Other, ErrorKind::OutOfMemory]).await, 2 * PAUSE);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_is_gone_costs_no_pause() {
        assert_eq!(accept_after(&[ErrorKind::ConnectionAborted]).await, Duration::ZERO);
    }
}
