//! `pointbook copy` between all kinds of databases.

mod again;
mod arrived;
mod feed;
mod fixture;
mod meanwhile;
mod refused;
mod serving;

pub(crate) use self::fixture::End;
pub(crate) use self::serving::wait_until;
