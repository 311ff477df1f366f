//! Sends several statements of one transaction without waiting in between, so that they take one round trip.

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, join, join_all};
use tokio_postgres::error::SqlState;

use crate::postgres::error::{Outcome, StoreFailure};

/// Runs two pieces of work concurrently on one connection. PostgreSQL executes their first statements in this order. Each
/// statement sees what was committed while earlier ones waited for locks.
pub(crate) fn both<A, B>(
    first: impl Future<Output = Outcome<A>>,
    second: impl Future<Output = Outcome<B>>,
) -> impl Future<Output = Outcome<(A, B)>> {
    // Boxed, because nested futures are large and would be moved on the stack.
    join(Box::pin(first), Box::pin(second)).map(|(first, second)| both_of(first, second))
}

/// Like [`both`], for a list. `join_all` polls in order only up to thirty futures.
pub(crate) async fn all<T>(work: Vec<BoxFuture<'_, Outcome<T>>>) -> Outcome<Vec<T>> {
    let none = Ok(Vec::with_capacity(work.len()));
    join_all(work).await.into_iter().fold(none, |before, outcome| {
        let (mut done, value) = both_of(before, outcome)?;
        done.push(value);
        Ok(done)
    })
}

/// The two results, or the failure that caused the other one.
pub(crate) fn both_of<A, B>(first: Outcome<A>, second: Outcome<B>) -> Outcome<(A, B)> {
    match (first, second) {
        (Ok(first), Ok(second)) => Ok((first, second)),
        (Err(failure), Ok(_)) | (Ok(_), Err(failure)) => Err(failure),
        (Err(first), Err(second)) => Err(if is_of_another_statement(&first) { second } else { first }),
    }
}

/// Whether a statement failed only because one before it had failed in the same transaction.
fn is_of_another_statement(failure: &StoreFailure) -> bool {
    failure.is_in(&[SqlState::IN_FAILED_SQL_TRANSACTION])
}
