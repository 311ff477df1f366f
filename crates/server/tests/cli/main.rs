//! The program as an operator meets it: what it prints where, and how it ends.

mod audit;
mod config;
mod program;
mod serving;
mod tenants;
mod tokens;
mod usage;
