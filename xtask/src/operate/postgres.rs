//! A PostgreSQL server that lives as long as a task: with the settings that it comes with, so that what is committed
//! is on the disk. Or one that is there already.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::throwaway_postgres::{SERVER, Shell, find, host, init, launch, quoted};
use anyhow::{Context, Result, ensure};

use crate::operate::pointbook::{Pointbook, pause, release_binary};

/// What its folder is called.
const NAME: &str = "a";
/// For servers of tasks: the tables stay in memory. Real servers raise this default too.
const SHARED_BUFFERS: &str = "-c shared_buffers=1GB";
/// The role that owns the tables.
const OWNER: &str = "pointbook";
/// The role of a service that row-level security holds to one tenant.
const SERVICE: &str = "pointbook_service";
/// How long a server may take until it answers, and how often it is asked.
const START_TIMEOUT: Duration = Duration::from_mins(1);
const ASK_EVERY: Duration = Duration::from_millis(50);

/// A database of a server, with the tables of pointbook and nothing in them.
pub struct Postgres {
    /// How to connect to it.
    pub url: String,
    binary: PathBuf,
    started: Option<Started>,
}

impl Postgres {
    /// Takes the word that follows `--database`: `postgres` for a server that is started and thrown away, or the
    /// URL of an empty database.
    ///
    /// # Errors
    /// When PostgreSQL is not installed or does not start, or the tables cannot be added.
    pub fn open(word: &str) -> Result<Self> {
        Self::open_by(word, release_binary("pointbook"))
    }

    /// The same with the tables of another binary, which also serves them.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_by(word: &str, binary: PathBuf) -> Result<Self> {
        if word != "postgres" {
            let postgres = Self { url: word.to_owned(), binary, started: None };
            postgres.pointbook().quiet(&["migrate"])?;
            return Ok(postgres);
        }
        let started = Started::start()?;
        let postgres = Self { url: started.url_of(OWNER), binary, started: Some(started) };
        let (pointbook, began) = (postgres.pointbook(), Instant::now());
        while let Err(error) = pointbook.quiet(&["migrate"]) {
            ensure!(began.elapsed() < START_TIMEOUT, "PostgreSQL does not answer: {error:#}");
            pause(ASK_EVERY);
        }
        Ok(postgres)
    }

    /// The binary on this database.
    pub fn pointbook(&self) -> Pointbook {
        self.pointbook_on(self.url.clone())
    }

    /// The binary with another URL of this server.
    pub fn pointbook_on(&self, url: String) -> Pointbook {
        Pointbook::on(url).with_binary(self.binary.clone())
    }

    /// The URL for a role that is held to the rows of one tenant. None on a server that was given: its roles are
    /// its operator's.
    ///
    /// # Errors
    /// When the role cannot get its rights.
    pub fn service_url(&self) -> Result<Option<String>> {
        let Some(started) = &self.started else { return Ok(None) };
        self.pointbook().quiet(&["migrate", "--service-role", SERVICE])?;
        Ok(Some(started.url_of(SERVICE)))
    }

    /// The first of the server's processes, where it was started.
    pub fn process(&self) -> Option<u32> {
        Some(self.started.as_ref()?.process)
    }
}

/// A server that ends with this, or with the task.
struct Started {
    shell: Shell,
    /// The first of its processes.
    process: u32,
}

impl Started {
    fn start() -> Result<Self> {
        let binaries = find(SERVER)?.context(
            "no PostgreSQL found: install the server, or give its folder of binaries in POINTBOOK_POSTGRES_BIN",
        )?;
        let mut shell = Shell::start()?;
        init(&mut shell, &binaries, NAME, "")?;
        // The service's role is added before the server starts, which needs no other program.
        let postgres = quoted(&binaries.join("postgres"));
        shell.run(&format!(
            "echo 'CREATE ROLE {SERVICE} LOGIN' | {postgres} --single -D \"$folder/{NAME}\" postgres"
        ))?;
        launch(&mut shell, &binaries, NAME, SHARED_BUFFERS)?;
        let process = shell.run(&format!("echo $pid_{NAME}"))?.trim().parse()?;
        Ok(Self { shell, process })
    }

    fn url_of(&self, role: &str) -> String {
        format!("postgres://{role}@{}/postgres", host(&self.shell, NAME))
    }
}
