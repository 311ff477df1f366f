//! Overload: how much a server still serves, and how a flood of one tenant affects another one.
//!
//! The flood of reads is the most expensive one, a page of 7,200 rows. Cheap requests cannot overload the server here: the
//! load generator shares the processors with the server and needs longer for a request than the server.

use std::cell::Cell;
use std::rc::Rc;

use anyhow::Result;

use super::writes::activities_of_many;
use super::{READERS, Scenario, WRITERS, history};
use crate::data::ledger::LONG_PAGE;
use crate::data::{Dataset, OTHER_TENANT, TENANT};
use crate::load::{Load, in_turn};
use crate::measure::Side;
use crate::options::Options;
use crate::service::Service;
use crate::subject::{Subject, Use};

/// The rate of the flood, as a multiple of the peak.
const TIMES: f64 = 10.0;
/// Ten times as many clients as the writer needs for its peak.
const FLOODERS: u32 = 10 * WRITERS;
/// The rate of the other tenant, as a share of its peak without the flood.
const MODEST: f64 = 0.1;

pub(super) fn scenarios(_: &Options) -> Vec<Scenario> {
    vec![
        Scenario::new("overload, history pages of 7,200 rows", reads),
        Scenario::new("overload, activities", writes),
        Scenario::new("fairness between two tenants", fairness),
    ]
}

fn reads(subject: &Subject) -> Result<Vec<Side>> {
    let (service, load) = long_pages(subject)?;
    let peak = Rc::new(Cell::new(0.0));
    let (beyond, of_peak, flood) = (service.clone(), peak.clone(), load.clone());
    let at_peak = move || {
        let figures = service.drive(&load)?;
        peak.set(figures[0].1);
        Ok(figures)
    };
    let beyond = move || {
        let figures = beyond.drive(&at_rate(of_peak.get() * TIMES, &flood))?;
        // The server still serves accepted requests of closed connections.
        beyond.wait_until_idle()?;
        Ok(figures)
    };
    Ok(vec![Side::new("at the peak", at_peak), Side::new("at ten times the peak", beyond)])
}

/// A server with two tenants, and the most expensive reads of the first one.
fn long_pages(subject: &Subject) -> Result<(Rc<Service>, Load)> {
    let service = Rc::new(subject.open(Dataset::TwoTenants, Use::Read)?.serve()?);
    let page = service.target_of(TENANT, LONG_PAGE.user)?.get(history::PATH);
    let load = Load { may_fail: true, ..service.load(in_turn(vec![page]), READERS) };
    Ok((service, load))
}

/// The same load at a fixed rate, with enough connections for the requests of a quarter of a second.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between its bounds")]
fn at_rate(rate: f64, load: &Load) -> Load {
    Load { rate: Some(rate), connections: (rate / 4.0).clamp(128.0, 2_048.0) as u32, ..load.clone() }
}

fn writes(subject: &Subject) -> Result<Vec<Side>> {
    let service = Rc::new(subject.open(Dataset::Writes, Use::Write)?.serve()?);
    let side = |label, clients| {
        let service = service.clone();
        Side::new(label, move || {
            let load = service.load(activities_of_many(&service, TENANT, "")?, clients);
            service.drive(&Load { may_fail: true, ..load })
        })
    };
    Ok(vec![side("64 clients", WRITERS), side("640 clients", FLOODERS)])
}

/// One tenant sends 20 times its half of the long pages. Another one sends a tenth of the ordinary pages that it could have.
fn fairness(subject: &Subject) -> Result<Vec<Side>> {
    let (service, load) = long_pages(subject)?;
    let page = service.target_of(OTHER_TENANT, "user-0")?.get(history::PATH);
    let modest = service.load(in_turn(vec![page]), READERS);
    let peak = load.run(service.target.address)?.served;
    service.wait_until_idle()?;
    let rate = modest.run(service.target.address)?.served * MODEST;
    // The generator of the flood takes no time from the server.
    let flood = Load { is_idle: true, ..at_rate(peak * TIMES, &load) };
    Ok(service.sides_beside(&Load { rate: Some(rate), ..modest }, "beside the flood", flood))
}
