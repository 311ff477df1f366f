//! Short answers go out in one piece.
//!
//! hyper hands over head and body as pieces. The system takes a list of pieces for a tenth of a microsecond longer than
//! one, which is more than copying a short answer takes.

use std::io::{self, IoSlice, Write};
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::AsyncWrite;

/// Up to so many bytes, pieces are copied together.
const SHORT_BYTES: usize = 2 * 1024;

/// Writes some of these pieces, as `poll_write_vectored` does.
pub(super) fn poll_write<S: AsyncWrite + Unpin>(
    stream: &mut S,
    cx: &mut Context<'_>,
    pieces: &[IoSlice<'_>],
) -> Poll<io::Result<usize>> {
    let stream = Pin::new(stream);
    if let [only] = pieces {
        return stream.poll_write(cx, only);
    }
    if pieces.iter().map(|piece| piece.len()).sum::<usize>() > SHORT_BYTES {
        return stream.poll_write_vectored(cx, pieces);
    }
    let mut joined = [0; SHORT_BYTES];
    let mut room = &mut joined[..];
    for piece in pieces {
        room.write_all(piece)?;
    }
    let length = SHORT_BYTES - room.len();
    stream.poll_write(cx, &joined[..length])
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use tokio::io::AsyncReadExt;

    use super::*;

    async fn written(pieces: &[&[u8]]) -> Vec<u8> {
        let (mut ours, mut theirs) = tokio::io::duplex(2 * SHORT_BYTES);
        let slices: Vec<_> = pieces.iter().map(|piece| IoSlice::new(piece)).collect();
        let written = poll_fn(|cx| poll_write(&mut ours, cx, &slices)).await.unwrap();
        let mut read = vec![0; written];
        theirs.read_exact(&mut read).await.unwrap();
        read
    }

    #[tokio::test]
    async fn pieces_arrive_in_their_order_whatever_their_length() {
        let long = [b'x'; SHORT_BYTES];
        for pieces in [&[&b"a"[..]][..], &[b"a", b"", b"bc"], &[&long], &[&long[1..], b"a"], &[b"a", &long]] {
            let all = pieces.concat();
            let written = written(pieces).await;
            assert!(!written.is_empty() && all.starts_with(&written));
            assert!(all.len() > SHORT_BYTES || written.len() == all.len());
        }
    }
}
