//! TODO: tenants.

pub mod check_settings;
pub mod manage;
pub mod set_clock;
