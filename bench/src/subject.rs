//! The programs that are compared: this build, and perhaps another one.

use std::fs;
use std::path::Path;
use std::rc::Rc;
use std::time::UNIX_EPOCH;

use anyhow::{Context, Result, bail, ensure};
use xtask::operate::pointbook::{Pointbook, release_binary};
use xtask::operate::postgres::Postgres;

use crate::data::tokens::Tokens;
use crate::data::{self, Dataset, Home, TENANT};
use crate::options::Options;
use crate::service::{Service, Target};

const OURS: &str = "this build";

/// One of the programs that a run compares.
#[derive(Clone)]
pub(crate) struct Subject {
    pub(crate) label: &'static str,
    program: Program,
    /// How long a load lasts in each round.
    pub(crate) seconds: u32,
}

#[derive(Clone)]
enum Program {
    /// A build of pointbook, and the word of `--database`.
    Build { home: Home, database: Option<String> },
    /// A server that runs already.
    Server(Target),
}

/// Whether a scenario changes its data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    Read,
    Write,
}

/// A filled database, and the commands of the build that it belongs to.
pub(crate) struct Database {
    pub(crate) pointbook: Pointbook,
    pub(crate) tokens: Tokens,
    /// The server of the database. `None` for SQLite.
    pub(crate) postgres: Option<Postgres>,
    seconds: u32,
}

impl Subject {
    /// This build, and the program beside which the options put it.
    pub(crate) fn all(options: &Options) -> Result<Vec<Self>> {
        let Options { seconds, database, .. } = options;
        let build = |label, home| Self {
            label,
            program: Program::Build { home, database: database.clone() },
            seconds: *seconds,
        };
        let home =
            Home { binary: release_binary("pointbook"), folder: data::folder()?, stamp: String::new() };
        let mut subjects = vec![build(OURS, home)];
        if let Some(binary) = &options.beside {
            let is_shared = database.as_ref().is_some_and(|word| word != "postgres");
            ensure!(!is_shared, "--beside needs `--database postgres`: two builds cannot share one database");
            let folder = data::folder()?.join("beside");
            fs::create_dir_all(&folder)?;
            let binary =
                fs::canonicalize(binary).with_context(|| format!("--beside {}", binary.display()))?;
            subjects.push(build("the other build", Home { stamp: stamp(&binary)?, binary, folder }));
        }
        if let Some(target) = Target::of_options(options)? {
            let (label, program) = ("the other server", Program::Server(target));
            subjects.push(Self { label, program, seconds: *seconds });
        }
        Ok(subjects)
    }

    /// The same build on SQLite, when this one is on PostgreSQL.
    pub(crate) fn on_sqlite(&self) -> Option<Self> {
        let Program::Build { home, database: Some(_) } = &self.program else { return None };
        Some(Self { program: Program::Build { home: home.clone(), database: None }, ..self.clone() })
    }

    /// A server with a catalogue, which it has loaded, for requests of a customer.
    pub(crate) fn catalogue(&self, products: u32) -> Result<Rc<Service>> {
        if let Program::Server(target) = &self.program {
            let total = target.total("")?;
            ensure!(
                total == products,
                "it has {total} products instead of {products}: give it the same ones"
            );
            return Ok(Rc::new(Service::other(target.clone(), self.seconds)));
        }
        let database = self.open(Dataset::Catalogue(products), Use::Read)?;
        let service = database.serve()?.for_customer(TENANT, "user-0")?;
        service.target.total("")?;
        service.wait_until_idle()?;
        Ok(Rc::new(service))
    }

    /// Opens a dataset. What the scenario writes goes to a copy.
    ///
    /// # Errors
    /// When this is not a build of pointbook, or the dataset cannot be made.
    pub(crate) fn open(&self, dataset: Dataset, how: Use) -> Result<Rc<Database>> {
        let Program::Build { home, database } = &self.program else {
            bail!("this scenario compares only builds of pointbook");
        };
        let kept = dataset.prepare(home)?;
        let tokens = Tokens::read(&kept)?;
        let (pointbook, postgres) = match database {
            Some(word) => {
                let postgres = Postgres::open_by(word, home.binary.clone())?;
                let from = format!("sqlite:{}", kept.display());
                home.pointbook(&kept).quiet(&["copy", "--from", &from, "--to", &postgres.url])?;
                (postgres.pointbook(), Some(postgres))
            }
            None if how == Use::Write => {
                let copy = home.folder.join("copy.db");
                data::copy(&kept, &copy)?;
                (home.pointbook(&copy), None)
            }
            None => (home.pointbook(&kept), None),
        };
        Ok(Rc::new(Database { pointbook, tokens, postgres, seconds: self.seconds }))
    }

    /// The build on a database that does not exist yet.
    pub(crate) fn fresh(&self, name: &str) -> Result<Pointbook> {
        let Program::Build { home, .. } = &self.program else {
            bail!("this scenario compares only builds of pointbook");
        };
        let path = home.folder.join(name);
        data::remove(&path)?;
        Ok(home.pointbook(&path))
    }
}

impl Database {
    /// Starts the server.
    pub(crate) fn serve(self: &Rc<Self>) -> Result<Service> {
        self.serve_by(&self.pointbook)
    }

    /// Starts the server with other options, on the same database.
    pub(crate) fn serve_by(self: &Rc<Self>, pointbook: &Pointbook) -> Result<Service> {
        Ok(Service::of(pointbook.serve()?, self.clone(), self.seconds))
    }
}

/// Tells builds apart, because one may not read the database of a newer one.
fn stamp(binary: &Path) -> Result<String> {
    let file = fs::metadata(binary)?;
    let changed = file.modified()?.duration_since(UNIX_EPOCH)?;
    Ok(format!(" {} {}", file.len(), changed.as_secs()))
}
