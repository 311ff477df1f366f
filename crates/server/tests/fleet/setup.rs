//! A database with a tenant, made by the commands that an operator has.

use std::collections::BTreeSet;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::instance::Instance;

/// The path of the tenant's base address.
pub(crate) const BASE_PATH: &str = "/fleet/api";

/// What a mug costs. There is no end of them.
pub(crate) const MUG_POINTS: i64 = 10;

/// For how long a server takes a token as good without asking.
pub(crate) const PRINCIPAL_MAX_AGE_SECONDS: u64 = 2;

/// A database, and a folder for files.
pub(crate) struct FleetSetup {
    database: String,
    folder: TempDir,
    /// A token of the super-user.
    pub(crate) back_office: String,
}

/// Somebody with points and a token.
pub(crate) struct Customer {
    pub(crate) user: String,
    pub(crate) token: String,
}

/// A row of the ledger by what it is there once for: user, type, source.
pub(crate) type Row = (String, String, String);

impl FleetSetup {
    /// Makes the schema, the tenant and its products.
    pub(crate) fn on(database: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut setup = Self { database: database.to_owned(), folder, back_office: String::new() };
        setup.succeed("migrate");
        setup.succeed("tenant add fleet --environment production --base-url http://fleet.example/fleet/api");
        setup.succeed("tenant set fleet rate_limit_writes_per_minute=0");
        setup.import("products", &format!("sku,title,regular_price\nmug,Mug,{MUG_POINTS}\n"));
        let token = setup.succeed("token issue --tenant fleet --super-user");
        token.trim().clone_into(&mut setup.back_office);
        let config = format!(
            "[log]\naccess = false\n[cache]\nprincipal_max_age_seconds = {PRINCIPAL_MAX_AGE_SECONDS}\n"
        );
        std::fs::write(setup.folder.path().join("fleet.toml"), config).unwrap();
        setup
    }

    /// The same, reached at another URL.
    pub(crate) fn at(self, database: &str) -> Self {
        Self { database: database.to_owned(), ..self }
    }

    /// A new customer with these points.
    pub(crate) fn customer(&self, user: &str, points: i64) -> Customer {
        let columns = "user_id,type,source_id,points,title,created_at";
        let row = format!("{user},code,opening,{points},Opening balance,2026-01-01T00:00:00Z");
        self.import("activities", &format!("{columns}\n{row}\n"));
        let token = self.succeed(&format!("token issue --tenant fleet --user {user}"));
        Customer { user: user.to_owned(), token: token.trim().to_owned() }
    }

    /// One more server.
    pub(crate) fn serve(&self) -> Instance {
        Instance::start(&mut self.command("serve --listen 127.0.0.1:0 --config fleet.toml"))
    }

    /// The rows of the ledger, each of which must be another one.
    pub(crate) fn rows(&self) -> BTreeSet<Row> {
        let exported = self.succeed("export activities --tenant fleet --format jsonl");
        let mut rows = BTreeSet::new();
        for line in exported.lines() {
            let row: Value = serde_json::from_str(line).unwrap();
            let text = |name: &str| row[name].as_str().unwrap().to_owned();
            assert!(rows.insert((text("user_id"), text("type"), text("source_id"))), "{line} twice");
        }
        rows
    }

    /// Every balance, day and piece of stock is what the ledger says.
    pub(crate) fn assert_audit_is_clean(&self) {
        self.succeed("audit");
    }

    /// What a command prints that must end well: a line of words without blanks in them.
    #[track_caller]
    pub(crate) fn succeed(&self, line: &str) -> String {
        let ended = self.command(line).output().unwrap();
        assert!(ended.status.success(), "{line}: {ended:?}");
        text(&ended).0
    }

    /// A command that works on the database.
    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = command(&self.database, line);
        command.current_dir(self.folder.path());
        command
    }

    fn import(&self, kind: &str, content: &str) {
        std::fs::write(self.folder.path().join("import.csv"), content).unwrap();
        self.succeed(&format!("import {kind} import.csv --tenant fleet"));
    }
}

/// The built program on a database.
pub(crate) fn command(database: &str, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pointbook"));
    command.args(["--database", database]).args(line.split(' ')).env_clear();
    command
}

/// What a command wrote to its standard output and error.
pub(crate) fn text(ended: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&ended.stdout), text(&ended.stderr))
}
