//! TODO: tenants.

pub mod add;
pub mod change;
pub mod check_settings;
pub mod remove;
pub mod set_clock;
