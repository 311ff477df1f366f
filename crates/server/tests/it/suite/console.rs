//! The console, by plain HTTP.

mod every_page;
mod operator;
mod session;
