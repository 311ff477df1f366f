//! `pointbook copy`, in every direction.

mod again;
mod arrived;
mod bed;
mod refused;
