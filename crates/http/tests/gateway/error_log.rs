//! Of what is our fault, the log says whose request it was.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use pointbook_http::HttpLimits;
use serde_json::{Value, json};
use tracing::subscriber::DefaultGuard;

use crate::server::{Server, WAIT};

/// What this thread logs, from now until it is dropped.
struct Log {
    lines: Lines,
    _guard: DefaultGuard,
}

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Log {
    fn start() -> Self {
        let lines = Lines::default();
        let sink = lines.clone();
        let json = tracing_subscriber::fmt().json().with_writer(move || sink.clone());
        Self { lines, _guard: tracing::subscriber::set_default(json.finish()) }
    }

    /// Level and fields of the only line that is about a request.
    fn line(&self) -> (Value, Value) {
        let text = String::from_utf8(self.lines.0.lock().unwrap().clone()).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let mut lines = lines.filter(|line| line["fields"]["request_id"].is_string());
        let line = lines.next().expect("a line");
        assert_eq!(lines.next(), None);
        (line["level"].clone(), line["fields"].clone())
    }
}

/// What is logged about one request.
async fn logged(path: &str) -> (Value, Value) {
    let log = Log::start();
    let limits = HttpLimits { request_timeout_ms: 50, ..HttpLimits::default() };
    Server::with(limits).await.client().await.ask("GET", path, &["X-Request-Id: r-1"]).await;
    log.line()
}

#[tokio::test]
async fn a_failure_of_the_store_names_its_request_and_its_cause() {
    for (path, level, message, error) in [
        (
            "/api/v1/store/away",
            "WARN",
            "store unavailable",
            "the database is busy or out of reach: locked by somebody",
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
