//! A database with a tenant, created with the commands that operators use.

use std::collections::BTreeSet;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::instance::Instance;

/// The path of the tenant's base URL.
pub(crate) const BASE_PATH: &str = "/fleet/api";

/// The price of a mug. Its stock is unlimited.
pub(crate) const MUG_POINTS: i64 = 10;

/// How long a server accepts a token before it checks the database again.
pub(crate) const PRINCIPAL_MAX_AGE_SECONDS: u64 = 2;

/// A database, and a folder for files.
pub(crate) struct FleetSetup {
    database: String,
    folder: TempDir,
    /// A super-user token.
    pub(crate) back_office: String,
}

/// A customer with points and a token.
pub(crate) struct Customer {
    pub(crate) user: String,
    pub(crate) token: String,
}

/// The unique key of a ledger row: user, type, source.
pub(crate) type Row = (String, String, String);

impl FleetSetup {
    /// Creates the schema, the tenant and its products.
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

    /// The same database with another URL.
    pub(crate) fn at(self, database: &str) -> Self {
        Self { database: database.to_owned(), ..self }
    }

    /// Creates a customer with these points.
    pub(crate) fn customer(&self, user: &str, points: i64) -> Customer {
        let columns = "user_id,type,source_id,points,title,created_at";
        let row = format!("{user},code,opening,{points},Opening balance,2026-01-01T00:00:00Z");
        self.import("activities", &format!("{columns}\n{row}\n"));
        let token = self.succeed(&format!("token issue --tenant fleet --user {user}"));
        Customer { user: user.to_owned(), token: token.trim().to_owned() }
    }

    /// Starts another server.
    pub(crate) fn serve(&self) -> Instance {
        Instance::start(&mut self.command("serve --listen 127.0.0.1:0 --config fleet.toml"))
    }

    /// The rows of the ledger. Asserts that their keys are unique.
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

    /// Runs an audit, which must find no differences.
    pub(crate) fn assert_audit_is_clean(&self) {
        self.succeed("audit");
    }

    /// The output of a command line, which must succeed.
    #[track_caller]
    pub(crate) fn succeed(&self, line: &str) -> String {
        let ended = self.command(line).output().unwrap();
        assert!(ended.status.success(), "{line}: {ended:?}");
        text(&ended).0
    }

    /// Runs a command on the database.
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

/// The standard output and error of a command.
pub(crate) fn text(ended: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&ended.stdout), text(&ended.stderr))
}
