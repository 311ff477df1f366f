//! A PostgreSQL server that lives as long as a task: with the settings that it comes with, so that what is committed
//! is on the disk. Or one that is there already.

use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};

use anyhow::{Context, Result, ensure};

use crate::pointbook::{Pointbook, pause};

/// Where Debian keeps each version, in a folder of its number.
const DEBIAN: &str = "/usr/lib/postgresql";
/// Of a server that is started, for its tables to stay in memory; nobody leaves this one at its default.
const SHARED_BUFFERS: &str = "shared_buffers=1GB";
/// The role that owns the tables.
const OWNER: &str = "pointbook";
/// The role of a service that row-level security holds to one tenant.
const SERVICE: &str = "pointbook_service";
/// How long a server may take until it answers, and how often it is asked.
const START_TIMEOUT: Duration = Duration::from_mins(1);
const ASK_EVERY: Duration = Duration::from_millis(50);

/// A database of a server, with the tables of pointbook and nothing in them.
pub(crate) struct Postgres {
    /// How to connect to it.
    pub(crate) url: String,
    started: Option<Started>,
}

impl Postgres {
    /// Takes the word that follows `--database`: `postgres` for a server that is started and thrown away, or the
    /// URL of an empty database.
    pub(crate) fn open(word: &str) -> Result<Self> {
        if word != "postgres" {
            let postgres = Self { url: word.to_owned(), started: None };
            postgres.pointbook().quiet(&["migrate"])?;
            return Ok(postgres);
        }
        let started = Started::start()?;
        let postgres = Self { url: started.url_of(OWNER), started: Some(started) };
        let (pointbook, began) = (postgres.pointbook(), Instant::now());
        while let Err(error) = pointbook.quiet(&["migrate"]) {
            ensure!(began.elapsed() < START_TIMEOUT, "PostgreSQL does not answer: {error:#}");
            pause(ASK_EVERY);
        }
        Ok(postgres)
    }

    /// The release binary on this database.
    pub(crate) fn pointbook(&self) -> Pointbook {
        Pointbook::on(self.url.clone())
    }

    /// The URL for a role that is held to the rows of one tenant. None on a server that was given: its roles are
    /// its operator's.
    pub(crate) fn service_url(&self) -> Result<Option<String>> {
        let Some(started) = &self.started else { return Ok(None) };
        self.pointbook().quiet(&["migrate", "--service-role", SERVICE])?;
        Ok(Some(started.url_of(SERVICE)))
    }

    /// The first of the server's processes, where it was started.
    pub(crate) fn process(&self) -> Option<u32> {
        Some(self.started.as_ref()?.server.id())
    }
}

struct Started {
    folder: PathBuf,
    server: Child,
}

impl Started {
    /// In a folder of its own, which the server's user has made: PostgreSQL refuses root.
    fn start() -> Result<Self> {
        let binaries = find_binaries()?;
        let made = as_somebody("mktemp").args(["-d", "/tmp/pointbook-postgres.XXXXXX"]).output()?;
        ensure!(made.status.success(), "mktemp ended with {}", made.status);
        let folder = PathBuf::from(String::from_utf8(made.stdout)?.trim());
        let data = folder.join("data");
        let made = as_somebody(binaries.join("initdb"))
            .arg("-D")
            .arg(&data)
            .args(["--username", OWNER, "--auth=trust", "--encoding=UTF8", "--locale=C"])
            .stdout(Stdio::null())
            .status()?;
        ensure!(made.success(), "initdb ended with {made}");
        add_role(&binaries, &data)?;
        let server = as_somebody(binaries.join("postgres"))
            .arg("-D")
            .arg(&data)
            .arg("-k")
            .arg(&folder)
            .args(["-c", "listen_addresses=", "-c", SHARED_BUFFERS])
            .stdin(Stdio::null())
            .stderr(fs::File::create(folder.join("log"))?)
            .spawn()?;
        Ok(Self { folder, server })
    }

    fn url_of(&self, role: &str) -> String {
        format!("postgres://{role}@{}/postgres", self.folder.display().to_string().replace('/', "%2F"))
    }
}

impl Drop for Started {
    /// Nothing of it is kept, so nothing needs to be put in order.
    fn drop(&mut self) {
        // A server that has ended already is as good.
        let _ = Command::new("kill").args(["-QUIT", &self.server.id().to_string()]).status();
        let _ = self.server.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Adds the service's role before the server starts, which needs no other program.
fn add_role(binaries: &Path, data: &Path) -> Result<()> {
    let mut alone = as_somebody(binaries.join("postgres"))
        .args(["--single", "-D"])
        .arg(data)
        .arg("postgres")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()?;
    let mut input = alone.stdin.take().context("a server without input")?;
    writeln!(input, "CREATE ROLE {SERVICE} LOGIN")?;
    drop(input);
    let ended = alone.wait()?;
    ensure!(ended.success(), "the role was not added: {ended}");
    Ok(())
}

/// As the tests find them: in `POINTBOOK_POSTGRES_BIN`, else on the `PATH`, else the newest of Debian's.
#[expect(clippy::disallowed_methods, reason = "a task is not the server, whose configuration alone reads it")]
fn find_binaries() -> Result<PathBuf> {
    let given = env::var_os("POINTBOOK_POSTGRES_BIN").map(PathBuf::from);
    let path = env::var_os("PATH").unwrap_or_default();
    let mut folders = given.into_iter().chain(env::split_paths(&path)).chain(newest_of_debian());
    folders.find(|folder| ["initdb", "postgres"].iter().all(|binary| folder.join(binary).is_file())).context(
        "no PostgreSQL found: install the server, or give its folder of binaries in POINTBOOK_POSTGRES_BIN",
    )
}

fn newest_of_debian() -> Option<PathBuf> {
    let versions = fs::read_dir(DEBIAN).ok()?.filter_map(|version| {
        let folder = version.ok()?.path();
        let number: u32 = folder.file_name()?.to_str()?.parse().ok()?;
        Some((number, folder.join("bin")))
    });
    versions.max().map(|(_, folder)| folder)
}

/// A command, run as `postgres` where this is root.
fn as_somebody(program: impl AsRef<Path>) -> Command {
    let program = program.as_ref();
    let is_root = fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0);
    let mut command = Command::new(if is_root { Path::new("setpriv") } else { program });
    if is_root {
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]).arg(program);
    }
    // The server's user may not be allowed to see where this runs.
    command.current_dir("/");
    command
}
