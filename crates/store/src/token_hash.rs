//! The hash of a token: what the database keeps in its place.

use pointbook_domain::TokenHash;
use sha2::{Digest, Sha256};

pub fn token_hash(text: &[u8]) -> TokenHash {
    TokenHash(Sha256::digest(text).into())
}
