//! The console, by plain HTTP.

mod every_page;
mod member_points;
mod members;
mod operator;
mod search;
mod session;
