//! The databases that are written to: one through the server, a copy by the bare driver.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::super::{TENANT, data_folder, prepare};
use super::Kind;
use crate::pointbook::Pointbook;

/// Products in the catalogue beside the one that is ordered.
const PRODUCTS: u32 = 1_000;
/// Users of the scenario of many users.
pub(super) const WRITERS: usize = 10_000;
/// From one user to the next, so that neighbours in the database are not written together; as in `bare-commits`.
pub(super) const STRIDE: usize = 7_919;
/// Customers who order in turn.
pub(super) const BUYERS: usize = 256;
/// Whose history is read; they have 500 rows.
pub(super) const READER: &str = "user-50";
/// The product that is ordered: unlimited, for a point.
pub(super) const PRODUCT: &str = "ORDERED";

/// What users' ids begin with.
pub(super) fn prefix(kind: Kind) -> &'static str {
    match kind {
        Kind::ManyUsers => "writer-",
        Kind::OneUser => "single",
        Kind::Orders => "buyer-",
    }
}

/// Both databases, and who may write.
pub(super) struct Ground {
    pub(super) folder: PathBuf,
    pub(super) pointbook: Pointbook,
    pub(super) bare_database: PathBuf,
    pub(super) back_office: String,
    /// Customers' tokens by user.
    pub(super) tokens: HashMap<String, String>,
}

impl Ground {
    /// Copies the database of the reads, and adds users, points and a product.
    pub(super) fn prepare() -> Result<Self> {
        let (folder, template) = (data_folder()?, prepare(PRODUCTS)?);
        let (database, bare_database) = (folder.join("writes.db"), folder.join("writes-bare.db"));
        copy(&template, &database)?;
        let pointbook = Pointbook::new(&database);
        let import = |kind: &str, file: &str, text: String| {
            let file = folder.join(file);
            fs::write(&file, text)?;
            pointbook.quiet(&["import", kind, &file.to_string_lossy(), "--tenant", TENANT])?;
            Ok::<_, anyhow::Error>(fs::remove_file(file)?)
        };
        import("products", "ordered.csv", format!("sku,title,regular_price\n{PRODUCT},{PRODUCT},1\n"))?;
        import("users", "writers.csv", users())?;
        import("activities", "fortunes.csv", fortunes())?;
        let issue = |whose: &[&str]| {
            let words = [&["token", "issue", "--tenant", TENANT], whose].concat();
            Ok::<_, anyhow::Error>(pointbook.quiet(&words)?.trim().to_owned())
        };
        let back_office = issue(&["--super-user"])?;
        let customers = (0..BUYERS).map(|number| format!("buyer-{number}")).chain([READER.to_owned()]);
        let token = |user: String| Ok((user.clone(), issue(&["--user", &user])?));
        let tokens = customers.map(token).collect::<Result<_>>()?;
        copy(&database, &bare_database)?;
        Ok(Self { folder, pointbook, bare_database, back_office, tokens })
    }
}

fn users() -> String {
    let mut text = "user_id\nsingle\n".to_owned();
    for number in 0..WRITERS {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "writer-{number:05}");
    }
    text
}

fn fortunes() -> String {
    let mut text = "user_id,type,source_id,points,title,created_at\n".to_owned();
    for number in 0..BUYERS {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "buyer-{number},code,fortune,1000000000,Fortune,2026-01-01T00:00:00Z");
    }
    text
}

/// Copies a database that nobody has open, with the log that a killed server may have left.
fn copy(from: &Path, to: &Path) -> Result<()> {
    for suffix in ["db", "db-wal", "db-shm"] {
        let (source, target) = (from.with_extension(suffix), to.with_extension(suffix));
        if target.exists() {
            fs::remove_file(&target)?;
        }
        // The third file is an index of the second, made anew when it is missing.
        if source.exists() && suffix != "db-shm" {
            fs::copy(source, target)?;
        }
    }
    Ok(())
}
