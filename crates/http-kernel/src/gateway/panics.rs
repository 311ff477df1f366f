//! What the log says about a panic.

use std::panic::PanicHookInfo;

/// Sends panics of all threads to the log, in place of standard error. To be called once, by the
/// program.
pub fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let message = message(panic);
        tracing::error!(target: "pointbook_http::gateway::panics", { panic.location = place, panic.message = message }, "panicked");
    }));
}

/// The message, if it is a literal. A formatted one may hold what a client sent, so it stays out.
fn message(panic: &PanicHookInfo<'_>) -> &'static str {
    panic.payload().downcast_ref::<&'static str>().copied().unwrap_or("(formatted)")
}
