//! The life of a server: listen, serve, reload, drain.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use pointbook_access::tokens::authenticate::Tokens;
use pointbook_console::Entrance;
use pointbook_http::kernel::{AccessLog, Face, MetricsHandle};
use pointbook_http::site::serve_metrics;
use pointbook_http::{Gateway, HttpState, Site, router};
use pointbook_shop::Home;
use pointbook_store::{Parts, Service};
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::background::{AbortOnDrop, spawn};
use crate::config::Config;
use crate::failure::{Exit, Failure};
use crate::pages::AllPages;
use crate::slices::{self, LISTED};
use crate::sources::{OsSecrets, UuidIds, process_name};
use crate::telemetry::LogLevels;
use crate::wiring::DatabaseUrl;
use crate::{background, measure, telemetry};

pub(crate) struct Listeners {
    requests: TcpListener,
    console: Option<TcpListener>,
    metrics: Option<TcpListener>,
}

impl Listeners {
    /// Listens on the configured addresses.
    pub(crate) async fn bind(config: &Config) -> Result<Self, Failure> {
        let requests = bind(config.listen, "--listen or listen.address").await?;
        let console = bind_optional(config.console_listen, "listen.console").await?;
        let metrics = bind_optional(config.metrics_listen, "listen.metrics").await?;
        Ok(Self { requests, console, metrics })
    }

    /// The address for requests, with the port that the system chose for port 0.
    pub(crate) fn address(&self) -> Result<SocketAddr, Failure> {
        address(&self.requests)
    }

    /// The same of the console, when it has its own address.
    fn console_address(&self) -> Result<Option<SocketAddr>, Failure> {
        self.console.as_ref().map(address).transpose()
    }

    /// The listeners for requests, with what each serves.
    fn faces(requests: TcpListener, console: Option<TcpListener>) -> Vec<(TcpListener, Face)> {
        match console {
            None => vec![(requests, Face::Whole)],
            Some(console) => vec![(requests, Face::WithoutConsole), (console, Face::Console)],
        }
    }
}

fn address(listener: &TcpListener) -> Result<SocketAddr, Failure> {
    let address = listener.local_addr();
    address.map_err(|error| Failure::trouble("cannot read the address of the listener", &error))
}

async fn bind_optional(address: Option<SocketAddr>, key: &str) -> Result<Option<TcpListener>, Failure> {
    match address {
        Some(address) => bind(address, key).await.map(Some),
        None => Ok(None),
    }
}

async fn bind(address: SocketAddr, key: &str) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).await.map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => Failure::failed(format!(
            "cannot listen on {address}: another program uses it; stop that program or choose another address with {key}"
        )),
        _ => Failure::trouble(&format!("cannot listen on {address} (set by {key})"), &error),
    })
}

/// Sets up logs and metrics. Call it before the database is opened, so that its events are logged.
pub(crate) fn start_telemetry(config: &Config) -> Result<LogLevels, Failure> {
    let levels = telemetry::start_logging(&config.log);
    // Without a listener, nothing would ever read the metrics, and they would fill the memory.
    config.metrics_listen.map(|_| collect_metrics()).transpose()?;
    Ok(levels)
}

fn collect_metrics() -> Result<MetricsHandle, Failure> {
    let handle = pointbook_http::kernel::install_metrics()
        .map_err(|error| Failure::trouble("cannot collect metrics", &error))?;
    measure::show_build();
    Ok(handle)
}

/// Serves until `shutdown` completes, then drains: `/readyz` returns 503, the server takes no new connections, and running
/// requests may finish within the configured time.
pub(crate) async fn start(
    listeners: Listeners,
    config: &Config,
    service: Arc<Service>,
    database: &DatabaseUrl,
    shutdown: impl Future<Output = ()>,
) -> Result<(), Failure> {
    let (address, console) = (listeners.address()?, listeners.console_address()?);
    let access_log = telemetry::access_log(&config.log)
        .map_err(|error| Failure::trouble("cannot start the access log", &error))?;
    // The server serves metrics until the drain ends, so that they show it.
    let metrics = listeners.metrics.map(serve_metrics_of_process).transpose()?;
    let (process, outbox) = (process_name(), config.webhooks.outbox()?);
    let parts = slices::parts(outbox.clone());
    let entrance = Entrance {
        openid: config.openid.client()?,
        origin: config.console_origin(console).ok_or_else(|| Failure::input("set listen.console_url"))?,
    };
    let gateway = gateway(service.clone(), config, access_log.clone(), parts, entrance, &process)
        .with_trusted_proxies(config.trusted_proxies.clone());
    if let Some(console) = console {
        tracing::info!("console at http://{console}/console");
    }
    tracing::info!("listening on http://{address}");
    let figures = metrics.as_ref().map(|_| measure::start(&service, database));
    let delivering = background::start_deliveries(&service, config, outbox, &process);
    let background = background::start(&service, config, database, process);
    let shutdown = delivering.stop_at(shutdown, time_of_last_deliveries(config));
    let faces = Listeners::faces(listeners.requests, listeners.console);
    pointbook_http::kernel::serve_faces(faces, Arc::new(gateway), shutdown).await;
    delivering.end().await;
    drop((background, figures, metrics));
    if let Some(log) = access_log {
        log.close();
    }
    Ok(())
}

/// How long requests to receivers may run after the signal to stop: as long as any request to a receiver, and less than the drain, so
/// that their results are stored before its end.
fn time_of_last_deliveries(config: &Config) -> Duration {
    let drain = Duration::from_millis(config.http.drain_timeout_ms);
    drain.saturating_sub(Duration::from_secs(1)).max(drain / 2).min(Duration::from_secs(15))
}

/// Builds the gateway to the API and the web pages. `process` is the name of this process.
fn gateway(
    service: Arc<Service>,
    config: &Config,
    access_log: Option<Arc<AccessLog>>,
    parts: Parts,
    entrance: Entrance,
    process: &str,
) -> Gateway {
    let (docs, demo, limits) = (config.docs.clone(), config.demo.clone(), config.http);
    let timeout = Duration::from_millis(limits.request_timeout_ms);
    let (ids, secrets) = (Arc::new(UuidIds), Arc::new(OsSecrets));
    let state = HttpState::new(Arc::new(Tokens), ids.clone(), secrets.clone(), parts.clone())
        .with_request_timeout(timeout);
    let operations = router(state, &LISTED);
    let home = Home { version: env!("CARGO_PKG_VERSION"), has_docs: docs.is_some(), demo };
    let pages = AllPages::new(service.clone(), ids, secrets, parts, home, entrance);
    let site = Site::new(service, operations).with_docs(docs);
    Gateway::new(site, limits, access_log, process).with_pages(pages)
}

fn serve_metrics_of_process(listener: TcpListener) -> Result<AbortOnDrop, Failure> {
    tracing::info!("metrics at http://{}/metrics", address(&listener)?);
    Ok(spawn(serve_metrics(listener, collect_metrics()?, measure::process, std::future::pending())))
}

fn listen_for(kind: SignalKind) -> Result<Signal, Failure> {
    signal(kind).map_err(|error| Failure::trouble("cannot listen for signals", &error))
}

/// Completes at the first SIGTERM or SIGINT. The second one ends the process at once.
pub(crate) fn stop_signal() -> Result<impl Future<Output = ()> + Send + 'static, Failure> {
    let mut terminate = listen_for(SignalKind::terminate())?;
    let mut interrupt = listen_for(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
        tracing::info!("stopping; a second signal ends the process at once");
        tokio::spawn(async move {
            tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
            std::process::exit(i32::from(Exit::Trouble as u8));
        });
    })
}

/// At SIGHUP, reads the configuration again and applies its `log.level`. `read` returns `None` when the server has no
/// configuration to reload.
pub(crate) fn reload_at_hangup(
    levels: LogLevels,
    read: impl Fn() -> Option<Result<Config, Failure>> + Send + 'static,
) -> Result<AbortOnDrop, Failure> {
    let mut hangups = listen_for(SignalKind::hangup())?;
    Ok(spawn(async move {
        while hangups.recv().await.is_some() {
            match read() {
                None => tracing::warn!("SIGHUP: this server has no configuration to reload"),
                Some(Ok(config)) => apply_level(&levels, &config.log.level),
                Some(Err(refused)) => {
                    let problems = refused.messages.join("; ");
                    tracing::error!("SIGHUP: the configuration is invalid and was not applied: {problems}");
                }
            }
        }
    }))
}

/// Sets the level and logs the change once. Logs before or after the change, because one of the levels may hide `info`.
fn apply_level(levels: &LogLevels, level: &str) {
    let say = || tracing::info!("SIGHUP: log.level is now {level}; a change of other keys needs a restart");
    let logs_info_before = tracing::enabled!(tracing::Level::INFO);
    if logs_info_before {
        say();
    }
    levels.set(level);
    if !logs_info_before {
        say();
    }
}
