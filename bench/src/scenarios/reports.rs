//! Reports of ten million transactions: how fast the ledger is counted, and how soon the figures of an overview are there.

use std::rc::Rc;
use std::time::Instant;

use anyhow::Result;

use super::{Scenario, operators};
use crate::data::tokens::BACK_OFFICE;
use crate::data::{Dataset, TENANT};
use crate::load::in_turn;
use crate::measure::Side;
use crate::options::Options;
use crate::service::Service;
use crate::subject::{Database, Subject, Use};

const USERS: u32 = 20_000;
const ROWS_PER_USER: f64 = 500.0;

/// A quick run leaves out the ten million transactions.
pub(super) fn scenarios(options: &Options) -> Vec<Scenario> {
    if options.quick {
        return Vec::new();
    }
    vec![
        Scenario::new("counting a ledger", counting).once(),
        Scenario::new("overview figures", figures),
        Scenario::new("overview page", page),
    ]
}

fn counting(subject: &Subject) -> Result<Vec<Side>> {
    let database = subject.open(Dataset::Users(USERS), Use::Read)?;
    Ok(vec![Side::new("10M transactions", move || {
        let begun = Instant::now();
        count(&database, &["--rebuild"])?;
        Ok(vec![("transactions/s", f64::from(USERS) * ROWS_PER_USER / begun.elapsed().as_secs_f64())])
    })])
}

/// Counts the transactions that were not counted yet.
fn count(database: &Database, words: &[&str]) -> Result<()> {
    let report = ["report", "vintages", "--tenant", TENANT];
    database.pointbook.quiet(&[&report[..], words].concat()).map(drop)
}

fn counted(subject: &Subject) -> Result<Rc<Service>> {
    let database = subject.open(Dataset::Users(USERS), Use::Read)?;
    count(&database, &[])?;
    Ok(Rc::new(database.serve()?))
}

/// The reports of the overview: the last 28 days of the data.
fn figures(subject: &Subject) -> Result<Vec<Side>> {
    let service = counted(subject)?;
    let back_office = service.target_of(TENANT, BACK_OFFICE)?;
    let side = |report: &str| {
        let get = back_office.get(&format!("/v1/manage/reports/{report}?until=2026-05-31"));
        service.side(report, service.load(in_turn(vec![get]), 1))
    };
    Ok(vec![side("points"), side("members")])
}

/// The overview of the console, with all its figures and charts.
fn page(subject: &Subject) -> Result<Vec<Side>> {
    let service = counted(subject)?;
    let cookies = operators::sign_in(&service, 1)?;
    let get = operators::page(&service, &format!("/console/{TENANT}"), &cookies[0]);
    Ok(vec![service.side("", service.load(in_turn(vec![get]), 1))])
}
