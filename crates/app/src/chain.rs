//! The hash of a ledger row: SHA-256 over its canonical form and the hash before.

use pointbook_domain::ledger::{ChainHash, LedgerRow};
use sha2::{Digest, Sha256};

/// The link of this row, after the row whose link is `before`.
pub fn link(row: &LedgerRow<'_>, before: &ChainHash) -> ChainHash {
    Sha256::digest(row.canonical_form(before)).into()
}
