//! The console, by plain HTTP.

mod campaigns;
mod every_page;
mod operator;
mod reports;
mod session;
