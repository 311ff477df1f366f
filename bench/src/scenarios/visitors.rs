//! Documented reads beside members who look around in the shop, and beside operators who work in the console.

use std::rc::Rc;

use anyhow::{Result, ensure};
use xtask::operate::numbers::Numbers;

use super::reads::LIST;
use super::{Scenario, history, operators};
use crate::data::{Dataset, TENANT};
use crate::load::{Load, Requests, in_turn};
use crate::measure::Side;
use crate::options::Options;
use crate::service::Service;
use crate::subject::{Subject, Use};

const READS_PER_SECOND: f64 = 2_000.0;
const READERS: u32 = 64;
/// Visitors are slow, so a turn is longer than one of other loads.
const TIMES_SECONDS: u32 = 4;
/// How many pages are drawn, which the visitors ask for in turn.
const PAGES: usize = 1_000;

const SHOPPERS: usize = 32;
const SHOP: [&str; 6] =
    ["", "?page%5Bnumber%5D=2", "?filter%5Btitle%5D=thing", "/products/P0000001", "/points", "/orders"];

const OPERATORS: usize = 16;
const CONSOLE: [&str; 9] = [
    "",
    "/orders",
    "/members",
    "/members/user-1",
    "/products",
    "/products/P0000001",
    "/search?q=thing",
    "/reports/points",
    "/audit-log",
];

pub(super) fn scenarios(_: &Options) -> Vec<Scenario> {
    vec![
        Scenario::new(format!("reads beside {SHOPPERS} shoppers"), |subject| {
            let service = open(subject)?;
            let tokens = &service.database()?.tokens;
            let cookie = |token: &&str| format!("shop-{TENANT}-production={token}");
            let cookies: Vec<String> = tokens.ordinary(TENANT).iter().take(SHOPPERS).map(cookie).collect();
            sides(&service, "shop", &SHOP, &cookies)
        }),
        Scenario::new(format!("reads beside {OPERATORS} operators"), |subject| {
            let service = open(subject)?;
            let cookies = operators::sign_in(&service, OPERATORS)?;
            sides(&service, "console", &CONSOLE, &cookies)
        }),
    ]
}

/// Requests of operators with these cookies for pages of the console.
pub(super) fn console_pages(service: &Service, cookies: &[String]) -> Result<Requests> {
    pages_of(service, "console", &CONSOLE, cookies)
}

fn pages_of(service: &Service, folder: &str, pages: &[&str], cookies: &[String]) -> Result<Requests> {
    ensure!(!cookies.is_empty(), "nobody is signed in");
    let mut numbers = Numbers::new(0x7669_7369);
    let page = |number: usize| {
        let path = format!("/{folder}/{TENANT}{}", numbers.pick(pages));
        operators::page(service, &path, &cookies[number % cookies.len()])
    };
    Ok(in_turn((0..PAGES).map(page).collect()))
}

fn open(subject: &Subject) -> Result<Rc<Service>> {
    let database = subject.open(Dataset::Ledger, Use::Write)?;
    database.pointbook.quiet(&["tenant", "set", TENANT, "shop=true"])?;
    Ok(Rc::new(database.serve()?.for_customer(TENANT, "user-0")?))
}

/// Each visitor asks for a random page every second, on a connection that stays.
fn sides(service: &Rc<Service>, folder: &str, pages: &[&str], cookies: &[String]) -> Result<Vec<Side>> {
    let lists = (1..=50).map(|page| service.target.get(&format!("{LIST}?page[number]={page}")));
    let reads = in_turn(lists.chain([service.target.get(history::PATH)]).collect());
    let reads = Load {
        rate: Some(READS_PER_SECOND),
        seconds: TIMES_SECONDS * service.seconds,
        ..service.load(reads, READERS)
    };
    let (visitors, pages) = (u32::try_from(cookies.len())?, pages_of(service, folder, pages, cookies)?);
    let visits = Load { rate: Some(visitors.into()), ..Load::new(pages, visitors, 0) };
    Ok(service.sides_beside(&reads, "beside visitors", visits))
}
