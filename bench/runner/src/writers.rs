//! Users who write and order, and their products, in addition to the generated catalogue and ledger.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use pointbook_operate::pointbook::Pointbook;

use super::data::FEW_USERS;
use super::{BASE_PATH, TENANT};

/// The number of users in the scenario of many users.
pub(super) const WRITERS: usize = 10_000;
/// The step from one user to the next, so that neighbours in the database are not written together. As in `bare-commits`.
pub(super) const STRIDE: usize = 7_919;
/// The number of customers who order in turn.
pub(super) const BUYERS: usize = 256;
/// The product that all of them order: of unlimited stock, for one point. Each customer has another product, too.
pub(super) const PRODUCT: &str = "ORDERED";

/// The tokens of users who write and order.
pub(super) struct Writers {
    /// The folder for generated files.
    pub(super) folder: PathBuf,
    /// The tenant's part of all paths.
    pub(super) base_path: &'static str,
    pub(super) back_office: String,
    /// Tokens of buyers and ordinary users, by user id.
    pub(super) tokens: HashMap<String, String>,
}

impl Writers {
    /// Adds users, points and a product.
    pub(super) fn add(pointbook: &Pointbook, folder: &Path) -> Result<Self> {
        let import = |kind: &str, file: &str, text: String| {
            let file = folder.join(file);
            fs::write(&file, text)?;
            pointbook.quiet(&["import", kind, &file.to_string_lossy(), "--tenant", TENANT])?;
            Ok::<_, anyhow::Error>(fs::remove_file(file)?)
        };
        import("products", "ordered.csv", products())?;
        import("users", "writers.csv", users())?;
        import("activities", "fortunes.csv", opening_points())?;
        let back_office = issue(pointbook, TENANT, &["--super-user"])?;
        let buyers = (0..BUYERS).map(|number| format!("buyer-{number}"));
        let customers = buyers.chain((0..FEW_USERS).map(|number| format!("user-{number}")));
        let token = |user: String| Ok((user.clone(), issue(pointbook, TENANT, &["--user", &user])?));
        let tokens = customers.map(token).collect::<Result<_>>()?;
        Ok(Self { folder: folder.to_owned(), base_path: BASE_PATH, back_office, tokens })
    }

    /// Adds the users of another tenant who only get activities.
    pub(super) fn of_tenant(
        pointbook: &Pointbook,
        folder: &Path,
        tenant: &str,
        base_path: &'static str,
    ) -> Result<Self> {
        let file = folder.join("writers.csv");
        fs::write(&file, users())?;
        pointbook.quiet(&["import", "users", &file.to_string_lossy(), "--tenant", tenant])?;
        let back_office = issue(pointbook, tenant, &["--super-user"])?;
        Ok(Self { folder: folder.to_owned(), base_path, back_office, tokens: HashMap::new() })
    }
}

/// A new token for the back office of a tenant, or for a user.
pub(super) fn issue(pointbook: &Pointbook, tenant: &str, whose: &[&str]) -> Result<String> {
    let words = [&["token", "issue", "--tenant", tenant], whose].concat();
    Ok(pointbook.quiet(&words)?.trim().to_owned())
}

fn products() -> String {
    let mut text = format!("sku,title,regular_price\n{PRODUCT},{PRODUCT},1\n");
    for number in 0..BUYERS {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{PRODUCT}-{number},{PRODUCT},1");
    }
    text
}

fn users() -> String {
    let mut text = "user_id\nsingle\n".to_owned();
    for number in 0..WRITERS {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "writer-{number:05}");
    }
    text
}

fn opening_points() -> String {
    let mut text = "user_id,type,source_id,points,title,created_at\n".to_owned();
    for number in 0..BUYERS {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "buyer-{number},code,fortune,1000000000,Fortune,2026-01-01T00:00:00Z");
    }
    text
}
