//! The auditor, against facts that are right and facts that are broken in one place.

mod awards;
mod facts;
mod lots;
mod orders;
mod rows;
mod totals;
