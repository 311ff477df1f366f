//! Of what is our fault, the log says whose request it was.

use std::cell::RefCell;
use std::io;
use std::io::Write;
use std::sync::Once;

use pointbook_http::kernel::HttpLimits;
use serde_json::{Value, json};

use crate::server::{Server, WAIT};

thread_local! {
    /// What this thread logged: a test and its server have a thread of their own.
    static LOGGED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

struct ThisThread;

impl Write for ThisThread {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        LOGGED.with_borrow_mut(|logged| logged.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Logs for the whole process. Only for one thread would not do: who logs a line for the first time
/// decides for all threads whether anybody listens to it.
fn start_logging() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        let json = tracing_subscriber::fmt()
            .json()
            .with_max_level(tracing::Level::DEBUG)
            .with_writer(|| ThisThread)
            .finish();
        tracing::subscriber::set_global_default(json).unwrap();
        tracing::callsite::rebuild_interest_cache();
    });
}

/// Level and fields of the only line that is about a request.
fn logged_line() -> (Value, Value) {
    let text = String::from_utf8(LOGGED.take()).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut lines = lines.filter(|line| line["fields"]["request_id"].is_string());
    let line = lines.next().expect("a line");
    assert_eq!(lines.next(), None);
    (line["level"].clone(), line["fields"].clone())
}

/// What is logged about one request.
async fn logged(path: &str) -> (Value, Value) {
    start_logging();
    let limits = HttpLimits { request_timeout_ms: 50, ..HttpLimits::default() };
    Server::with(limits).await.client().await.ask("GET", path, &["X-Request-Id: r-1"]).await;
    logged_line()
}

#[tokio::test]
async fn a_failure_of_the_store_names_its_request_and_its_cause() {
    for (path, level, message, error) in [
        (
            "/api/v1/store/away",
            // For all such requests together, there is a line a minute.
            "DEBUG",
            "store unavailable",
            "the database is busy or out of reach: locked by another program",
        ),
        ("/api/v1/store/broken", "ERROR", "store failed", "the database failed: a broken disk"),
    ] {
        let (logged_level, fields) = logged(path).await;
        let tenant = "acme/production";
        let expected =
            json!({"message": message, "request_id": "r-1", "tenant": tenant, "path": path, "error": error});
        assert_eq!((logged_level, fields), (level.into(), expected));
    }
}

#[tokio::test]
async fn a_panic_and_a_timeout_name_their_request() {
    for (path, level, message) in
        [("/api/v1/panic", "ERROR", "handler panicked"), (WAIT, "WARN", "request timed out")]
    {
        let (logged_level, fields) = logged(path).await;
        let tenant = "acme/production";
        let expected = json!({"message": message, "request_id": "r-1", "tenant": tenant, "path": path});
        assert_eq!((logged_level, fields), (level.into(), expected));
    }
}
