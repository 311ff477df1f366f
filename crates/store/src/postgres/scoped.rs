//! Futures that borrow from the caller as well as from the connection.

use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::future::BoxFuture;

/// The future of work on a connection that lives for `'c`. It also borrows from the caller for `'e`, which is longer. With a
/// plain boxed future, a closure could borrow from the connection only.
pub(crate) struct Scoped<'e, 'c, T> {
    future: BoxFuture<'c, T>,
    outlives: PhantomData<&'c &'e ()>,
}

impl<T> Future for Scoped<'_, '_, T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        self.future.as_mut().poll(context)
    }
}

/// Adds `scoped()` to futures, for the closures of `Access`: `move |database| async move { ... }.scoped()`.
pub(crate) trait IntoScoped<'c>: Future + Send + Sized + 'c {
    fn scoped<'e>(self) -> Scoped<'e, 'c, Self::Output> {
        Scoped { future: Box::pin(self), outlives: PhantomData }
    }
}

impl<'c, F: Future + Send + 'c> IntoScoped<'c> for F {}
