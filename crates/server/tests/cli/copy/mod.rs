//! `pointbook copy`, in every direction.

mod again;
mod arrived;
mod bed;
mod meanwhile;
mod refused;
mod serving;
