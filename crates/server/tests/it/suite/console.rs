//! The console, by plain HTTP.

mod categories;
mod every_page;
mod member_points;
mod members;
mod operator;
mod orders;
mod products;
mod search;
mod session;
