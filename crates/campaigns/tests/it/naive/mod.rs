//! A naive model of the campaign rules, to compare with the engine.
//!
//! The model keeps every past event and award in a list, and scans the lists for each question. It has no cache and no
//! index. It uses no code of the crate, so a mistake stays hidden only when both the engine and the model make it.
//!
//! The model leaves out repeated requests, and bonuses from the back office.

mod birthday;
pub(crate) mod calendar;
mod conditions;
pub(crate) mod data;
mod definition;
pub(crate) mod generators;
mod history;
mod limits;
mod model;

pub(crate) use self::model::Model;
