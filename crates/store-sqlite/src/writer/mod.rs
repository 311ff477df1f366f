//! The one writer of a file.

mod lane;

pub(crate) use self::lane::Lane;
