//! Durable writes and histories of a tenant whose points end, and of one with the same data whose points never do, on the same server.

use std::rc::Rc;

use anyhow::Result;

use super::history::newest_pages;
use super::writes::{activities_of_many, orders, side};
use super::{READERS, Scenario, WRITERS};
use crate::data::members::product_of;
use crate::data::{Dataset, ENDING, WITHOUT};
use crate::load::Requests;
use crate::measure::Side;
use crate::options::Options;
use crate::service::Service;
use crate::subject::{Subject, Use};

const SIDES: [(&str, &str); 2] = [("points never end", WITHOUT), ("points end", ENDING)];

/// Makes the requests of one turn for a tenant.
type Requested = fn(&Service, &str) -> Result<Requests>;

pub(super) fn scenarios(_: &Options) -> Vec<Scenario> {
    let writes: [(&str, Requested); 2] = [
        ("activities, points that end", |service, tenant| activities_of_many(service, tenant, "")),
        ("orders, points that end", |service, tenant| orders(service, tenant, product_of)),
    ];
    let writes = writes.map(|(name, requests)| {
        Scenario::new(name, move |subject: &Subject| writers(subject, requests)).also_on_postgres()
    });
    let history = Scenario::new("history, points that end", readers).also_on_postgres();
    writes.into_iter().chain([history]).collect()
}

fn writers(subject: &Subject, requests: Requested) -> Result<Vec<Side>> {
    let service = Rc::new(subject.open(Dataset::Expiry, Use::Write)?.serve()?);
    let side = |(label, tenant): (&str, &'static str)| {
        side(&service, label, WRITERS, move |service| requests(service, tenant))
    };
    Ok(SIDES.map(side).into())
}

fn readers(subject: &Subject) -> Result<Vec<Side>> {
    let service = Rc::new(subject.open(Dataset::Expiry, Use::Read)?.serve()?);
    let side =
        |(label, tenant)| Ok(service.side(label, service.load(newest_pages(&service, tenant)?, READERS)));
    SIDES.into_iter().map(side).collect()
}
