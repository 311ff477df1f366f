//! The log: events and requests, both on the standard error.

mod json_lines;

use std::io::{self, IsTerminal};
use std::sync::Arc;

use pointbook_http_kernel::{AccessLog, AccessLogFormat};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, Registry, fmt, reload};

use crate::config::{LogConfig, LogFormat};
use json_lines::JsonLines;

/// Logs events from now on, and panics as events. Does nothing when something else in the process does so already.
pub(crate) fn start_logging(config: &LogConfig) -> LogLevels {
    // When it cannot write, the layer would say so on the standard error, and panic.
    let layer =
        fmt::layer().log_internal_errors(false).with_writer(io::stderr).with_ansi(io::stderr().is_terminal());
    let layer = if is_json(config.format) { layer.event_format(JsonLines).boxed() } else { layer.boxed() };
    let levels: Targets = config.level.parse().unwrap_or_default();
    let (levels, handle) = reload::Layer::new(levels);
    let registry = tracing_subscriber::registry().with(layer.with_filter(levels));
    if registry.try_init().is_ok() {
        pointbook_http_kernel::log_panics();
    }
    LogLevels(handle)
}

/// Changes what is logged while the process runs.
pub(crate) struct LogLevels(reload::Handle<Targets, Registry>);

impl LogLevels {
    /// Takes a value of `log.level`.
    pub(crate) fn set(&self, level: &str) {
        // It fails when something else in the process logs: then there is nothing to change.
        drop(self.0.reload(level.parse::<Targets>().unwrap_or_default()));
    }
}

/// Returns `None` when requests are not logged. Fails when the system has no thread for it.
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

/// Returns the text when it is a `log.level`: `LEVEL`, also with `MODULE=LEVEL` after it.
pub(crate) fn check_level(text: &str) -> Result<String, String> {
    let is_level = |part: &str| {
        let level = part.rsplit('=').next().unwrap_or_default();
        !level.is_empty() && level.parse::<LevelFilter>().is_ok()
    };
    if text.split(',').all(is_level) && text.parse::<Targets>().is_ok() {
        Ok(text.to_owned())
    } else {
        Err("must be off, error, warn, info, debug or trace, or by module: info,pointbook_http=debug"
            .to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::check_level;

    #[test]
    fn a_level_is_one_of_five_or_off_by_module() {
        for good in ["info", "off", "warn,pointbook_http=debug"] {
            assert_eq!(check_level(good).as_deref(), Ok(good));
        }
        for bad in ["", "loud", "info,", "info,pointbook_http", "pointbook_http=loud"] {
            assert!(check_level(bad).is_err(), "{bad}");
        }
    }
}
