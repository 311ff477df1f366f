//! A change of one product in a large catalogue: its cost, when it becomes visible, and its effect on readers.

use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use xtask::operate::http_client::{Answer, Connection};
use xtask::operate::numbers::Numbers;

use super::Scenario;
use super::reads::LIST;
use crate::data::tokens::BACK_OFFICE;
use crate::data::{Dataset, TENANT};
use crate::load::{Load, in_turn};
use crate::measure::{Figures, Side};
use crate::options::Options;
use crate::service::{Service, Target};
use crate::subject::{Subject, Use};

const PRODUCTS: u32 = 100_000;
/// The most changes of a round.
const CHANGES: u32 = 100;
/// How long a change may take to become visible.
const VISIBLE_TIMEOUT: Duration = Duration::from_secs(5);
/// How many requests readers send per second, over how many connections.
const READS_PER_SECOND: f64 = 4_000.0;
const READERS: u32 = 64;
/// How many products change per second beside readers.
const CHANGES_PER_SECOND: f64 = 4.0;

pub(super) fn scenarios(options: &Options) -> Vec<Scenario> {
    let of_size = |products: u32| {
        [
            Scenario::new(format!("catalogue write, {products} products"), move |subject| {
                changes(subject, products)
            }),
            Scenario::new(format!("catalogue write, readers beside, {products} products"), move |subject| {
                readers(subject, products)
            }),
        ]
    };
    options.sizes_or(PRODUCTS).into_iter().flat_map(of_size).collect()
}

fn open(subject: &Subject, products: u32) -> Result<Rc<Service>> {
    let database = subject.open(Dataset::Catalogue(products), Use::Write)?;
    let service = database.serve()?.for_customer(TENANT, "user-0")?;
    service.target.total("")?;
    service.wait_until_idle()?;
    Ok(Rc::new(service))
}

/// A product, its new price, and the request that changes it.
fn change(back_office: &Target, products: u32, numbers: &mut Numbers) -> (String, u32, Vec<u8>) {
    let (number, price) = (numbers.next(products), 1_000_000 + numbers.next(100_000_000));
    let body = json!({
        "sku": format!("SKU-{number:07}"), "title": format!("A changed thing {price}"), "regular_price": price,
        "description": "<p>Made anew.</p>", "categories": ["l3-4-2"],
    });
    let id = format!("P{number:07}");
    let put = back_office.send("PUT", &format!("/v1/manage/products/{id}"), &body.to_string());
    (id, price, put)
}

fn changes(subject: &Subject, products: u32) -> Result<Vec<Side>> {
    let (service, mut numbers) = (open(subject, products)?, Numbers::new(0x6368_616e));
    let back_office = service.target_of(TENANT, BACK_OFFICE)?;
    Ok(vec![Side::new("", move || {
        let turn = || {
            let (mut changer, begun) = (Changer::new(&service), Instant::now());
            for _ in 0..CHANGES {
                changer.change(change(&back_office, products, &mut numbers))?;
                if begun.elapsed().as_secs() >= service.seconds.into() {
                    break;
                }
            }
            // Work of the server after its responses counts too.
            service.wait_until_idle()?;
            Ok(changer)
        };
        let (changer, cpu_us, _) = service.cost(turn)?;
        Ok(changer.figures(cpu_us))
    })])
}

/// Changes products, and asks until the changes are visible.
struct Changer<'s> {
    service: &'s Service,
    connection: Connection,
    changes: f64,
    put_ms: f64,
    /// The most requests until a change was visible.
    requests_max: f64,
}

impl<'s> Changer<'s> {
    fn new(service: &'s Service) -> Self {
        let connection = Connection::new(service.target.address);
        Self { service, connection, changes: 0.0, put_ms: 0.0, requests_max: 0.0 }
    }

    fn change(&mut self, (id, price, put): (String, u32, Vec<u8>)) -> Result<()> {
        let begun = Instant::now();
        let answer = self.connection.exchange(&put)?;
        ensure!(answer.status == 200, "PUT of {id}: {}", answer.text());
        self.put_ms += begun.elapsed().as_secs_f64() * 1_000.0;
        self.changes += 1.0;
        let list = format!("{LIST}?filter[minPrice]={price}&filter[maxPrice]={price}");
        self.ask_until(&format!("{LIST}/{id}"), |shown| shown["data"]["regular_price"] == price)?;
        self.ask_until(&list, |shown| shown["data"][0]["id"] == *id)
    }

    fn ask_until(&mut self, path: &str, is_visible: impl Fn(&Value) -> bool) -> Result<()> {
        let (begun, get, mut requests) = (Instant::now(), self.service.target.get(path), 0.0);
        loop {
            requests += 1.0;
            let answer: Answer = self.connection.exchange(&get)?;
            if is_visible(&answer.json()?) {
                self.requests_max = self.requests_max.max(requests);
                return Ok(());
            }
            ensure!(begun.elapsed() < VISIBLE_TIMEOUT, "no change is visible in {path}: {}", answer.text());
        }
    }

    fn figures(&self, cpu_us: f64) -> Figures {
        vec![
            ("CPU ms of a change", cpu_us / 1_000.0 / self.changes),
            ("ms until its response", self.put_ms / self.changes),
            ("requests until it is visible", self.requests_max),
        ]
    }
}

fn readers(subject: &Subject, products: u32) -> Result<Vec<Side>> {
    let service = open(subject, products)?;
    let back_office = service.target_of(TENANT, BACK_OFFICE)?;
    let pages = (1..=200).map(|page| service.target.get(&format!("{LIST}?page[number]={page}"))).collect();
    let reads = Load { rate: Some(READS_PER_SECOND), ..service.load(in_turn(pages), READERS) };
    let put = move |number| {
        let seed = 0x7265_6164 + u64::try_from(number).unwrap_or_default();
        change(&back_office, products, &mut Numbers::new(seed)).2
    };
    let changes = Load { rate: Some(CHANGES_PER_SECOND), ..Load::new(Arc::new(put), 1, 0) };
    Ok(service.sides_beside(&reads, "beside changes", changes))
}
