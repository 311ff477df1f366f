//! `pointbook demo`: serves a sample tenant.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use pointbook_domain::BaseUrl;
use pointbook_store::Clock as _;

use super::{CommandResult, Context, Failure, print, say};
use crate::config::{Config, database_of_environment, parse_address};
use crate::sources::SystemClock;
use crate::wiring::DatabaseUrl;
use crate::{demo, key_file, lifecycle};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The address to listen on: IP:PORT, or PORT on 127.0.0.1; port 0 chooses a free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080", value_parser = parse_address)]
    listen: SocketAddr,

    /// The URL for phones, emulators and other containers, such as `http://192.168.1.5:8080` [default: the address of
    /// --listen, or the base URL that `tenant set` gave the tenant]
    #[arg(long, value_name = "URL", value_parser = parse_root)]
    base_url: Option<String>,

    #[doc = "The database: sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/NAME [env: POINTBOOK_DATABASE, or \
             POINTBOOK_DATABASE_FILE with a file that holds it] [default: sqlite:pointbook-demo.db]"]
    // Replaces the global option, whose default is the database of a server.
    #[arg(long, value_name = "URL")]
    pub(crate) database: Option<String>,
}

const DEFAULT_URL: &str = "sqlite:pointbook-demo.db";

/// Reads the prefix that the base URLs of both tenants share. Also takes the base URL of either tenant.
fn parse_root(text: &str) -> Result<String, String> {
    let text = text.trim_end_matches('/');
    let root =
        ["/acme/api", "/acme-staging/api"].iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text);
    let checked = BaseUrl::parse(&format!("{root}/acme/api"));
    checked
        .map(|_| root.to_owned())
        .map_err(|rule| format!("must be http://HOST:PORT, optionally with a path: {rule}"))
}

/// Listens first, so that a port in use is reported before any file is created.
pub(crate) async fn run(arguments: Arguments) -> CommandResult {
    let Arguments { listen, base_url, database } = arguments;
    let context = Context::new(database.as_deref(), || database_of_environment(DEFAULT_URL));
    let database = context.database()?.to_string();
    let mut config = configuration(listen);
    let levels = lifecycle::start_telemetry(&config)?;
    let _reload = lifecycle::reload_at_hangup(levels, || None)?;
    let stop = lifecycle::stop_signal()?;
    let listeners = lifecycle::Listeners::bind(&config).await?;
    let address = listeners.address()?;
    if !address.ip().is_loopback() {
        say(format_args!(
            "pointbook: the demo's tokens are public: anyone who can connect to {address} can use them"
        ));
        if base_url.is_none() {
            say(
                "pointbook: links in responses use the base URL below: for a phone, an emulator or another container, add --base-url http://ADDRESS:PORT",
            );
        }
    }
    context.say_created()?;
    config.key_file = ensure_key_file(context.database()?)?;
    let service = context.open(&config).await?;
    let prepared = demo::prepare(&service, address, base_url.as_deref(), &database).await?;
    (config.docs, config.demo) = (Some(prepared.docs), Some(prepared.page));
    print(&prepared.text)?;
    lifecycle::start(listeners, &config, service, context.database()?, stop).await
}

/// The demo ignores the configuration of a server on the same machine. It logs requests, so that users see what an app sends, and
/// only warnings of other events.
fn configuration(listen: SocketAddr) -> Config {
    let mut config = Config { listen, ..Config::default() };
    // A receiver on this machine is the easiest one to try. The demo's tokens are public, so people on other machines must not
    // choose it.
    config.webhooks.allow_http_to_loopback = listen.ip().is_loopback();
    "warn".clone_into(&mut config.log.level);
    config
}

/// The key file of the demo, with the name of its database file. Creates a missing one, so that the demo can seal values.
fn ensure_key_file(database: &DatabaseUrl) -> Result<PathBuf, Failure> {
    let path = match database {
        DatabaseUrl::Sqlite(path) => path.with_extension("keys"),
        DatabaseUrl::Postgres(_) => PathBuf::from("pointbook-demo.keys"),
    };
    if !path.exists() {
        key_file::create(&path, &key_file::new_key(SystemClock.now()))?;
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use crate::cli::{Cli, Command};

    fn database(arguments: &[&str]) -> Option<String> {
        let cli = Cli::try_parse_from(arguments).unwrap();
        let Command::Demo(demo) = cli.command else { panic!("{arguments:?} is not a demo command") };
        demo.database
    }

    #[test]
    fn demo_uses_its_default_database_unless_one_is_given() {
        assert_eq!(database(&["pointbook", "demo"]), None);
        let given = Some("sqlite:a.db".to_owned());
        assert_eq!(database(&["pointbook", "demo", "--database", "sqlite:a.db"]), given);
        assert_eq!(database(&["pointbook", "--database", "sqlite:a.db", "demo"]), given);
    }

    #[tokio::test]
    async fn webhooks_reach_this_machine_only_when_the_demo_listens_on_loopback() {
        for (listen, is_reached) in
            [("127.0.0.1:0", true), ("[::1]:0", true), ("0.0.0.0:0", false), ("[::]:0", false)]
        {
            let config = super::configuration(listen.parse().unwrap());
            let checked = config.webhooks.outbox().unwrap().check("http://127.0.0.1:8080/").await;
            assert_eq!(checked.is_ok(), is_reached, "{listen}: {checked:?}");
        }
    }

    #[test]
    fn base_url_of_either_tenant_gives_the_common_prefix() {
        for text in ["http://10.0.2.2:8080", "http://10.0.2.2:8080/", "http://10.0.2.2:8080/acme/api"] {
            assert_eq!(super::parse_root(text).as_deref(), Ok("http://10.0.2.2:8080"), "{text}");
        }
        for bad in ["10.0.2.2:8080", "http://", "ftp://a"] {
            assert!(super::parse_root(bad).is_err(), "{bad}");
        }
    }
}
