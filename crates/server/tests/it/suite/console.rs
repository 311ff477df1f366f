//! The console, by plain HTTP.

mod categories;
mod every_page;
mod operator;
mod orders;
mod products;
mod session;
