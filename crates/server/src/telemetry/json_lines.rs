//! Events as lines of JSON, with the same members as the lines of the access log.

use std::error::Error;
use std::fmt::{self, Debug, Write as _};

use pointbook_app::{Clock, with_causes};
use serde_json::Value;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use crate::sources::SystemClock;

/// Writes `time`, `level`, `message` and `target`, then the fields of the event beside them.
pub(super) struct JsonLines;

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
    use std::io;
    use std::sync::{Arc, Mutex};

    use tracing_subscriber::fmt;
    use tracing_subscriber::layer::SubscriberExt;

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
    fn an_event_is_a_flat_object_on_one_line() {
        let sink = Sink::default();
        let writer = {
            let sink = sink.clone();
            move || sink.clone()
        };
        let layer = fmt::layer().event_format(JsonLines).with_writer(writer);
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
            let error = pointbook_app::StoreError::Failed("disk\nfull".into());
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
