//! From a listener to a server that runs, and to its end.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use pointbook_app::Service;
use pointbook_http::serve_metrics;
use pointbook_http_kernel::MetricsHandle;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};

use crate::background::{self, AbortOnDrop, spawn};
use crate::commands::{Exit, Failure};
use crate::config::Config;
use crate::sources::process_name;
use crate::telemetry::{self, LogLevels};
use crate::wiring;

/// Where a server is reached.
pub struct Listeners {
    pub requests: TcpListener,
    /// For metrics, when they are given out.
    pub metrics: Option<TcpListener>,
}

impl Listeners {
    /// Listens on the configured addresses.
    ///
    /// # Errors
    /// [`Failure`] names the address, its key and what is wrong.
    pub async fn bind(config: &Config) -> Result<Self, Failure> {
        let requests = bind(config.listen, "--listen or listen.address").await?;
        let metrics = match config.metrics_listen {
            Some(address) => Some(bind(address, "listen.metrics").await?),
            None => None,
        };
        Ok(Self { requests, metrics })
    }

    /// Where requests are answered; tells the port when the system chose it.
    ///
    /// # Errors
    /// When the system does not know.
    pub fn address(&self) -> Result<SocketAddr, Failure> {
        self.requests.local_addr().map_err(|error| unknown_address(&error))
    }
}

fn unknown_address(error: &io::Error) -> Failure {
    Failure::trouble("cannot tell the address that is listened on", error)
}

async fn bind(address: SocketAddr, key: &str) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).await.map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => Failure::failed(format!(
            "cannot listen on {address}: another program does; stop it or choose another address with {key}"
        )),
        _ => Failure::trouble(&format!("cannot listen on {address} (choose with {key})"), &error),
    })
}

/// Sets up logs and metrics. Before the database is opened, so that nothing is missed.
///
/// # Errors
/// [`Failure`] when something else in the process collects metrics.
pub fn start_telemetry(config: &Config) -> Result<LogLevels, Failure> {
    let levels = telemetry::start_logging(&config.log);
    // Without a listener nobody would ever fetch what piles up.
    config.metrics_listen.map(|_| collect_metrics()).transpose()?;
    Ok(levels)
}

fn collect_metrics() -> Result<MetricsHandle, Failure> {
    pointbook_http_kernel::install_metrics()
        .map_err(|error| Failure::trouble("cannot collect metrics", &error))
}

/// Serves until `shutdown` completes, then drains: readiness off, no new connections, running
/// requests to their end within the configured time.
///
/// # Errors
/// [`Failure`] when what serving needs cannot be set up.
pub async fn start(
    listeners: Listeners,
    config: &Config,
    service: Arc<Service>,
    shutdown: impl Future<Output = ()>,
) -> Result<(), Failure> {
    let address = listeners.address()?;
    let access_log = telemetry::access_log(&config.log)
        .map_err(|error| Failure::trouble("cannot start the access log", &error))?;
    let metrics = listeners.metrics.map(serve_metrics_of_process).transpose()?;
    let (process, docs) = (process_name(), config.docs.clone());
    let gateway = wiring::gateway(service.clone(), docs, config.http, access_log.clone(), &process)
        .with_trusted_proxies(config.trusted_proxies.clone());
    tracing::info!("listening on http://{address}");
    let background = background::start(&service, config, process);
    pointbook_http_kernel::serve(listeners.requests, Arc::new(gateway), shutdown).await;
    drop((background, metrics));
    if let Some(log) = access_log {
        log.close();
    }
    Ok(())
}

/// Gives metrics out until the end of the drain, so that it is seen too.
fn serve_metrics_of_process(listener: TcpListener) -> Result<AbortOnDrop, Failure> {
    let address = listener.local_addr().map_err(|error| unknown_address(&error))?;
    tracing::info!("metrics at http://{address}/metrics");
    Ok(spawn(serve_metrics(listener, collect_metrics()?, std::future::pending())))
}

/// Completes at the first SIGTERM or SIGINT. At the second one the process ends at once.
///
/// # Errors
/// [`Failure`] when the signals cannot be listened for.
pub fn stop_signal() -> Result<impl Future<Output = ()> + Send + 'static, Failure> {
    let listen = |kind| signal(kind).map_err(|error| Failure::trouble("cannot listen for signals", &error));
    let mut terminate = listen(SignalKind::terminate())?;
    let mut interrupt = listen(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
        tracing::info!("stopping; a second signal ends the process at once");
        tokio::spawn(async move {
            tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
            std::process::exit(i32::from(Exit::Trouble as u8));
        });
    })
}

/// From now on SIGHUP ends nothing: it reads the configuration anew, of which `log.level` is taken over at once.
/// Without a way to read one there is nothing to take over.
///
/// # Errors
/// [`Failure`] when the signal cannot be listened for.
pub fn reload_at_hangup(
    levels: LogLevels,
    read: impl Fn() -> Option<Result<Config, Failure>> + Send + 'static,
) -> Result<impl Drop, Failure> {
    let mut hangups = signal(SignalKind::hangup())
        .map_err(|error| Failure::trouble("cannot listen for signals", &error))?;
    Ok(spawn(async move {
        while hangups.recv().await.is_some() {
            match read() {
                None => tracing::warn!("SIGHUP: there is nothing to reload"),
                Some(Ok(config)) => take_over(&levels, &config.log.level),
                Some(Err(refused)) => {
                    let problems = refused.messages.join("; ");
                    tracing::error!("SIGHUP: the configuration is refused and stays as it was: {problems}");
                }
            }
        }
    }))
}

/// Says so once, at the more talkative of both levels: a change to or from a level without `info` is told too.
fn take_over(levels: &LogLevels, level: &str) {
    let say = || tracing::info!("SIGHUP: log.level is {level}; other keys are read at the start only");
    let is_heard_before = tracing::enabled!(tracing::Level::INFO);
    if is_heard_before {
        say();
    }
    levels.set(level);
    if !is_heard_before {
        say();
    }
}

/// A worker per core, each of which takes over what another is too busy for. A runtime of its own for each
/// core costs as much processor time per request at saturation (0.99 times, measured side by side), and
/// there a read of the database would hold up all other connections of its core.
///
/// # Errors
/// When the system gives no threads.
pub fn runtime() -> io::Result<Runtime> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    Builder::new_multi_thread().worker_threads(cores).enable_all().build()
}
