//! The commands: one module each, with its arguments and its `run`.
//!
//! A command writes its result to the standard output and messages for people to the standard error.

mod arguments;
pub(crate) mod audit;
pub(crate) mod audit_log;
pub(crate) mod backup;
pub(crate) mod campaign;
pub(crate) mod check;
pub(crate) mod config;
mod context;
pub(crate) mod copy;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod events;
pub(crate) mod export;
pub(crate) mod healthcheck;
pub(crate) mod import;
pub(crate) mod jobs;
pub(crate) mod key;
pub(crate) mod keyring;
pub(crate) mod man;
pub(crate) mod operator;
mod output;
mod progress;
pub(crate) mod pull;
pub(crate) mod report;
pub(crate) mod serve;
pub(crate) mod tenant;
pub(crate) mod token;

pub(crate) use self::context::{Context, NoDatabase, acting, find_tenant, find_tenants};
pub(crate) use self::output::{CommandResult, print, say};
use self::output::{align, print_list, say_duration, table, visible, written};
use crate::failure::{Exit, Failure};
use crate::wiring::DatabaseClient;
