//! `pointbook keyring`: the master keys of the key file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand};
use pointbook_store::data_key::{DataKeyError, Resealing, check_data_key, reseal_data_key};
use pointbook_store::keyring::MasterKeys;
use pointbook_store::{Clock as _, ServedTenant, Service};
use serde_json::{Value, json};

use super::{
    CommandResult, Context, DatabaseClient, Exit, Failure, NoDatabase, acting, print, print_list, say,
};
use crate::config::configured_key_file;
use crate::key_file::KeyFileSecrets;
use crate::sources::SystemClock;
use crate::{key_file, secret_file};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Create a key file with one master key; never overwrites a file
    Init {
        #[command(flatten)]
        file: FileArgument,

        #[command(flatten)]
        no_database: NoDatabase,
    },
    /// Add a master key to the key file, and seal the data keys of all tenants with it
    ///
    /// Servers may keep running. When an earlier rotation was interrupted, the command completes it and adds no key.
    Rotate {
        #[command(flatten)]
        file: FileArgument,
    },
    /// Open the data key of every tenant, and list which master keys are in use
    Check {
        #[command(flatten)]
        file: FileArgument,

        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct FileArgument {
    #[arg(
        long,
        value_name = "FILE",
        help = "The key file [default: POINTBOOK_MASTER_KEY_FILE, or master_key.file]"
    )]
    file: Option<PathBuf>,
}

pub(crate) async fn run(command: Command, context: &Context) -> CommandResult {
    match command {
        Command::Init { file, no_database: _ } => init(&named(file.path()?)?),
        Command::Rotate { file } => rotate(file, context).await,
        Command::Check { file, json } => check(file, context, json).await,
    }
}

impl FileArgument {
    /// The path; empty when nothing names a file.
    fn path(self) -> Result<PathBuf, Failure> {
        self.file.map_or_else(configured_key_file, Ok)
    }
}

fn named(path: PathBuf) -> Result<PathBuf, Failure> {
    if path.as_os_str().is_empty() {
        let options = "--file, POINTBOOK_MASTER_KEY_FILE or master_key.file";
        return Err(Failure::input(format!("no key file is named: name it with {options}")));
    }
    Ok(path)
}

fn init(path: &Path) -> CommandResult {
    let key = key_file::new_key(SystemClock.now());
    key_file::create(path, &key)?;
    say("keep a copy of this file apart from the copies of the database: without it, sealed values are lost");
    print(format_args!("created {} with the master key {}\n", path.display(), key.id()))
}

/// Opens the database, and checks the key file. A missing database is reported first.
async fn open(
    file: FileArgument,
    context: &Context,
    client: DatabaseClient,
) -> Result<(PathBuf, Arc<Service>, MasterKeys), Failure> {
    let path = file.path()?;
    let service = context.open_with(client, Arc::new(KeyFileSecrets(path.clone()))).await?;
    let path = named(path)?;
    secret_file::warning(&path).iter().for_each(say);
    let keys = key_file::read(&path).map_err(key_file::invalid)?;
    Ok((path, service, keys))
}

/// Seals all data keys with the sealing master key. When that changes none, no rotation was interrupted: then it adds a master
/// key and seals them with that one.
async fn rotate(file: FileArgument, context: &Context) -> CommandResult {
    let (path, service, keys) = open(file, context, DatabaseClient::Command).await?;
    let mut pass = reseal_all(&service).await?;
    if pass.resealed > 0 {
        say("completed the rotation to the first key of the file: no key was added");
    } else {
        let key = key_file::new_key(service.clock.now());
        if key_file::add(&path, keys.sealing().id(), &key)? {
            print(format_args!("added the master key {} to {}\n", key.id(), path.display()))?;
        } else {
            say("another process has just added a master key: no other key was added");
        }
        pass = reseal_all(&service).await?;
    }
    let keys = key_file::read(&path).map_err(key_file::invalid)?;
    let Pass { sealed, resealed, wrong } = pass;
    print(format_args!(
        "{sealed} data keys are sealed with {}, {resealed} of them now\n",
        keys.sealing().id()
    ))?;
    found(wrong)
}

/// One pass over the tenants.
#[derive(Default)]
struct Pass {
    /// How many data keys are sealed with the sealing master key after the pass.
    sealed: usize,
    /// How many of them the pass has sealed.
    resealed: usize,
    /// A message for each data key that cannot be opened.
    wrong: Vec<String>,
}

async fn reseal_all(service: &Service) -> Result<Pass, Failure> {
    let mut pass = Pass::default();
    for served in service.directory().tenants() {
        match reseal_data_key(&acting(service, served)).await {
            Ok(Resealing::NoDataKey) => {}
            Ok(Resealing::Unchanged) => pass.sealed += 1,
            Ok(Resealing::Resealed) => (pass.sealed, pass.resealed) = (pass.sealed + 1, pass.resealed + 1),
            Err(error) => pass.wrong.push(of_tenant(served, error)?),
        }
    }
    Ok(pass)
}

/// The message for a data key that cannot be opened. Fails when the key file or the database is at fault.
fn of_tenant(served: &ServedTenant, error: DataKeyError) -> Result<String, Failure> {
    match error {
        DataKeyError::KeyFile(error) => Err(key_file::invalid(error)),
        DataKeyError::Store(error) => Err(error.into()),
        DataKeyError::NoMasterKey
        | DataKeyError::UnknownMasterKey(_)
        | DataKeyError::DoesNotOpen(_)
        | DataKeyError::Cipher(_) => Ok(format!("{}: {error}", served.name())),
    }
}

fn found(wrong: Vec<String>) -> CommandResult {
    if wrong.is_empty() { Ok(()) } else { Err(Failure { exit: Exit::FoundWrong, messages: wrong }) }
}

/// A master key of the key file, and how many data keys it seals.
struct Use {
    id: String,
    is_sealing: bool,
    data_keys: usize,
}

impl Use {
    fn state(&self) -> &'static str {
        match self {
            Self { is_sealing: true, .. } => "seals",
            Self { data_keys: 0, .. } => "unused",
            Self { .. } => "opens",
        }
    }
}

async fn check(file: FileArgument, context: &Context, json: bool) -> CommandResult {
    let (_, service, keys) = open(file, context, DatabaseClient::ReadOnly).await?;
    let (mut data_keys, mut wrong) = (BTreeMap::<String, usize>::new(), Vec::new());
    for served in service.directory().tenants() {
        match check_data_key(served).await {
            Ok(None) => {}
            Ok(Some(id)) => *data_keys.entry(id.to_string()).or_default() += 1,
            Err(error) => {
                if let DataKeyError::DoesNotOpen(id) = &error {
                    *data_keys.entry(id.clone()).or_default() += 1;
                }
                wrong.push(of_tenant(served, error)?);
            }
        }
    }
    let sealing = keys.sealing().id();
    let uses: Vec<Use> = keys
        .iter()
        .map(|key| Use {
            id: key.id().to_string(),
            is_sealing: key.id() == sealing,
            data_keys: data_keys.get(key.id().as_str()).copied().unwrap_or_default(),
        })
        .collect();
    print_list(&uses, json, to_json, ["KEY", "STATE", "DATA KEYS"], to_row)?;
    if wrong.is_empty() {
        for unused in uses.iter().filter(|used| used.state() == "unused") {
            say(format_args!(
                "{} seals no data key here: it may be removed, unless a backup or another database needs it",
                unused.id
            ));
        }
    }
    found(wrong)
}

fn to_row(used: &Use) -> [String; 3] {
    [used.id.clone(), used.state().to_owned(), used.data_keys.to_string()]
}

fn to_json(used: &Use) -> Value {
    json!({ "id": used.id, "state": used.state(), "data_keys": used.data_keys })
}
