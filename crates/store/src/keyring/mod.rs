//! Master keys and data keys. A master key of the key file seals the data key of each tenant, and the data key seals values of
//! the tenant.
//!
//! Nothing here reads files or makes random bytes. Keys are erased from memory when they are dropped, and no error and no
//! `Debug` shows one.

mod associated_data;
mod cipher;
mod data_key;
mod key_file;
mod master_key;

pub use associated_data::AssociatedData;
pub use cipher::CipherError;
pub use data_key::{DataKey, SEALED_DATA_KEY_BYTES};
pub use key_file::{KeyFileProblem, MasterKeys};
pub use master_key::{MasterKey, MasterKeyId};
pub use zeroize::Zeroizing;
