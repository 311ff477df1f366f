//! Histories: ordinary users, one user with many pages, and a ledger with many rows.

use std::rc::Rc;

use anyhow::Result;
use xtask::operate::numbers::Numbers;
use xtask::operate::pointbook::Pointbook;

use super::queries::shuffled;
use super::{READERS, Scenario};
use crate::data::ledger::{HEAVY, ONE_PAGE};
use crate::data::{Dataset, TENANT};
use crate::load::{Requests, in_turn};
use crate::measure::Side;
use crate::options::Options;
use crate::service::Service;
use crate::subject::{Database, Subject, Use};

pub(super) const PATH: &str = "/v1/user/point-history";
/// Users of 500 rows: 100,000 rows and 10,000,000.
const FEW: u32 = 200;
const MANY: u32 = 20_000;

pub(super) fn scenarios(options: &Options) -> Vec<Scenario> {
    let mut all = vec![
        Scenario::new("history, ordinary user", ordinary).also_on_postgres(),
        Scenario::new("history, 100,000 rows of one user", heavy),
    ];
    if !options.quick {
        all.push(Scenario::new("history, 10M rows in total", many_rows));
    }
    all
}

/// The newest pages of all users with a token, in random order.
pub(super) fn newest_pages(service: &Service, tenant: &str) -> Result<Requests> {
    let tokens = service.database()?.tokens.ordinary(tenant);
    let gets = tokens.into_iter().map(|token| service.target.with_token(tenant, token).get(PATH)).collect();
    Ok(in_turn(shuffled(gets, &mut Numbers::new(0x7573_6572))))
}

fn side(label: &str, service: Service) -> Result<Side> {
    let load = service.load(newest_pages(&service, TENANT)?, READERS);
    Ok(Rc::new(service).side(label, load))
}

fn ordinary(subject: &Subject) -> Result<Vec<Side>> {
    let database = subject.open(Dataset::Ledger, Use::Read)?;
    let mut sides = vec![side("", database.serve()?)?];
    for (label, pointbook) in on_postgres(&database)? {
        sides.push(side(label, database.serve_by(&pointbook)?)?);
    }
    Ok(sides)
}

/// Other ways to serve the same database of PostgreSQL.
fn on_postgres(database: &Database) -> Result<Vec<(&'static str, Pointbook)>> {
    let Some(postgres) = &database.postgres else { return Ok(Vec::new()) };
    let mark = if postgres.url.contains('?') { '&' } else { '?' };
    let unprepared = format!("{}{mark}prepared_statements=off", postgres.url);
    // On a server that was given, the operator grants the roles.
    let role = postgres.service_url()?.map(|url| ("as a role under row-level security", url));
    let all = role.into_iter().chain([("prepared_statements=off", unprepared)]);
    Ok(all.map(|(label, url)| (label, postgres.pointbook_on(url))).collect())
}

/// Compares pages of a user with many rows with the only page of another one. All pages have as many rows.
fn heavy(subject: &Subject) -> Result<Vec<Side>> {
    let service = Rc::new(subject.open(Dataset::Ledger, Use::Read)?.serve()?);
    let (one, many) = (service.target_of(TENANT, ONE_PAGE.user)?, service.target_of(TENANT, HEAVY.user)?);
    let page = |page: u32| many.get(&format!("{PATH}?page[number]={page}"));
    let last = HEAVY.last_full_page();
    let pages = [
        ("only page", one.get(PATH)),
        ("first page", page(1)),
        ("middle page", page(last / 2)),
        ("last full page", page(last)),
    ];
    let side = |(label, get)| {
        let (service, load) = (service.clone(), service.load(in_turn(vec![get]), READERS));
        Side::new(label, move || {
            // The server refuses requests when too many wait, and it still serves those of closed connections.
            service.wait_until_idle()?;
            service.drive(&load)
        })
    };
    Ok(pages.map(side).into())
}

fn many_rows(subject: &Subject) -> Result<Vec<Side>> {
    let serve = |users| subject.open(Dataset::Users(users), Use::Read)?.serve();
    Ok(vec![side("100,000 rows", serve(FEW)?)?, side("10,000,000 rows", serve(MANY)?)?])
}
