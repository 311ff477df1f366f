//! The log of events and requests, written to the standard error.

use std::error::Error;
use std::fmt::{Debug, Write as _};
use std::io::IsTerminal;
use std::sync::Arc;
use std::{fmt, io};

use pointbook_http::kernel::{AccessLog, AccessLogFormat};
use pointbook_store::Clock;
use pointbook_store::database_health::with_causes;
use serde_json::Value;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, Registry, reload};

use crate::config::{LogConfig, LogFormat};
use crate::sources::SystemClock;

/// Starts to log events, and panics as events. Does nothing when the process has another logger already.
pub(crate) fn start_logging(config: &LogConfig) -> LogLevels {
    // Without this, the layer reports write errors on the standard error, and panics when that fails.
    let layer = tracing_subscriber::fmt::layer()
        .log_internal_errors(false)
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal());
    let layer = if is_json(config.format) { layer.event_format(JsonLines).boxed() } else { layer.boxed() };
    let levels: Targets = config.level.parse().unwrap_or_default();
    let (levels, handle) = reload::Layer::new(levels);
    let registry = tracing_subscriber::registry().with(layer.with_filter(levels));
    if registry.try_init().is_ok() {
        pointbook_http::kernel::log_panics();
    }
    LogLevels(handle)
}

/// Changes the log level while the process runs.
pub(crate) struct LogLevels(reload::Handle<Targets, Registry>);

impl LogLevels {
    /// Applies a value of `log.level`.
    pub(crate) fn set(&self, level: &str) {
        // This fails when the process has another logger: then there is no level to change.
        drop(self.0.reload(level.parse::<Targets>().unwrap_or_default()));
    }
}

/// Starts the access log. Returns `None` when the configuration turns it off. Fails when its thread cannot start.
pub(crate) fn access_log(config: &LogConfig) -> io::Result<Option<Arc<AccessLog>>> {
    if !config.access {
        return Ok(None);
    }
    let format = if is_json(config.format) { AccessLogFormat::Json } else { AccessLogFormat::Text };
    Ok(Some(Arc::new(AccessLog::start(Box::new(io::stderr()), format)?)))
}

fn is_json(format: LogFormat) -> bool {
    match format {
        LogFormat::Json => true,
        LogFormat::Text => false,
        LogFormat::Auto => !io::stderr().is_terminal(),
    }
}

/// Formats an event as a line of JSON: `time`, `level`, `message` and `target`, as in the access log, then the fields.
struct JsonLines;

impl<S, N> FormatEvent<S, N> for JsonLines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        _: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut members = Members::default();
        event.record(&mut members);
        let metadata = event.metadata();
        let (time, level) = (SystemClock.now(), metadata.level().as_str().to_ascii_lowercase());
        let (message, target) = (Value::from(members.message), Value::from(metadata.target()));
        writeln!(
            writer,
            "{{\"time\":\"{time}\",\"level\":\"{level}\",\"message\":{message},\"target\":{target}{}}}",
            members.others
        )
    }
}

#[derive(Default)]
struct Members {
    message: String,
    /// The other members, each with a comma before it.
    others: String,
}

impl Members {
    fn add(&mut self, field: &Field, value: impl Into<Value>) {
        let value = value.into();
        match (field.name(), value) {
            ("message", Value::String(message)) => self.message = message,
            // Writing to a string cannot fail.
            (name, value) => drop(write!(self.others, ",{}:{value}", Value::from(name))),
        }
    }
}

macro_rules! record {
    ($($name:ident: $type:ty),*) => {
        $(fn $name(&mut self, field: &Field, value: $type) {
            self.add(field, value);
        })*
    };
}

impl Visit for Members {
    record!(record_f64: f64, record_i64: i64, record_u64: u64, record_bool: bool, record_str: &str);

    fn record_error(&mut self, field: &Field, value: &(dyn Error + 'static)) {
        self.add(field, with_causes(value));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.add(field, format!("{value:?}"));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[derive(Clone, Default)]
    struct Sink(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn event_is_a_flat_json_object_on_one_line() {
        let sink = Sink::default();
        let writer = {
            let sink = sink.clone();
            move || sink.clone()
        };
        let layer = tracing_subscriber::fmt::layer().event_format(JsonLines).with_writer(writer);
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
            let error = pointbook_store::ports::StoreError::Failed("disk\nfull".into());
            let error: &dyn Error = &error;
            let none: Option<String> = None;
            tracing::warn!(target: "a::b", error, tenant = %"acme/\"x\"", count = 3, none, "it {}", "failed");
        });
        let line = String::from_utf8(sink.0.lock().unwrap().clone()).unwrap();
        let (time, rest) = line.split_at(r#"{"time":"2026-01-01T00:00:00.000000Z""#.len());
        assert!(time.starts_with(r#"{"time":""#) && time.ends_with("Z\""), "{time}");
        assert_eq!(
            rest,
            ",\"level\":\"warn\",\"message\":\"it failed\",\"target\":\"a::b\",\"error\":\"the database failed: \
             disk\\nfull\",\"tenant\":\"acme/\\\"x\\\"\",\"count\":3}\n"
        );
    }
}
