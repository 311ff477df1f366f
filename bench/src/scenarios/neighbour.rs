//! One tenant does what costs the service the most, one thing after the other. What another tenant notices, that works as always.

use std::rc::Rc;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Result, anyhow};
use serde_json::{Value, json};
use xtask::operate::pointbook::pause;

use super::writes::activities_of_many;
use super::{Scenario, history, operators, reads, visitors};
use crate::data::members::{BUYERS, PRODUCT};
use crate::data::tokens::BACK_OFFICE;
use crate::data::{Dataset, FULL, OTHER_TENANT, TENANT};
use crate::load::{Load, Outcome, Requests, in_turn};
use crate::measure::{Figures, Side};
use crate::options::Options;
use crate::service::{Service, Target};
use crate::subject::{Subject, Use};

/// What the neighbour sends per second of each kind, and on how many connections.
const RATE: f64 = 50.0;
const CONNECTIONS: u32 = 8;
/// The other load begins so much earlier.
const BEFORE: Duration = Duration::from_millis(500);

const CAMPAIGNS: usize = 200;
/// A few less than a tenant may have.
const PICTURES: usize = 4_990;
/// The largest tree.
const CATEGORIES: usize = 10_000;
const OPERATORS: usize = 16;

pub(super) fn scenarios(_: &Options) -> Vec<Scenario> {
    vec![Scenario::new("neighbour", neighbour).also_on_postgres()]
}

fn neighbour(subject: &Subject) -> Result<Vec<Side>> {
    let database = subject.open(Dataset::Neighbours, Use::Write)?;
    let service = Rc::new(database.serve()?);
    let costly = Costly::prepare(&service)?;
    let sides = costly.loads(&service)?.into_iter().map(|(label, load)| {
        let service = service.clone();
        Side::new(label, move || beside(&service, Some(load.clone())))
    });
    let quiet = service.clone();
    Ok([Side::new("quiet", move || beside(&quiet, None))].into_iter().chain(sides).collect())
}

/// The usual work of the neighbour, beside a costly load.
fn beside(service: &Service, costly: Option<Load>) -> Result<Figures> {
    let address = service.target.address;
    let run = |load: Load| thread::spawn(move || load.run(address));
    let usual = usual(service)?;
    let costly = costly.map(|load| run(Load { seconds: service.seconds + 1, ..load }));
    pause(BEFORE);
    let running = usual.map(run);
    let mut figures = Figures::new();
    let mut errors = 0.0;
    for ([p50, p99], load) in COLUMNS.into_iter().zip(running) {
        let outcome = ended(load)?;
        figures.extend([(p50, outcome.p50_ms), (p99, outcome.p99_ms)]);
        errors += outcome.refused + outcome.failed;
    }
    figures.push(("errors/s", errors));
    let served = costly.map(ended).transpose()?.map_or(0.0, |outcome| outcome.responses);
    figures.push(("costly requests", served));
    service.wait_until_idle()?;
    Ok(figures)
}

fn ended(load: JoinHandle<Result<Outcome>>) -> Result<Outcome> {
    load.join().map_err(|_| anyhow!("a load panicked"))?
}

/// The 50th and the 99th percentile of each kind, in milliseconds.
const COLUMNS: [[&str; 2]; 4] = [
    ["list p50", "list p99"],
    ["history p50", "history p99"],
    ["activity p50", "activity p99"],
    ["order p50", "order p99"],
];

/// Lists, histories, activities and orders, at a fixed rate each.
fn usual(service: &Service) -> Result<[Load; 4]> {
    let user = service.target_of(OTHER_TENANT, "user-0")?;
    let order = |buyer: usize| {
        let target = service.target_of(OTHER_TENANT, &format!("buyer-{buyer}"))?;
        Ok(target.send("POST", "/v1/store/orders", &format!(r#"{{"product_id":"{PRODUCT}"}}"#)))
    };
    let orders = (0..BUYERS).map(order).collect::<Result<_>>()?;
    let requests: [Requests; 4] = [
        in_turn(vec![user.get(reads::LIST)]),
        in_turn(vec![user.get(history::PATH)]),
        activities_of_many(service, OTHER_TENANT, "")?,
        in_turn(orders),
    ];
    Ok(requests.map(|requests| Load {
        rate: Some(RATE),
        may_fail: true,
        ..service.load(requests, CONNECTIONS)
    }))
}

/// What the costly loads need.
struct Costly {
    cookies: Vec<String>,
}

impl Costly {
    /// Stores campaigns, pictures and sessions.
    fn prepare(service: &Service) -> Result<Self> {
        let (own, full) = (service.target_of(TENANT, BACK_OFFICE)?, service.target_of(FULL, BACK_OFFICE)?);
        let campaigns = (0..CAMPAIGNS).map(|number| put(&own, number, 0, &[])).collect::<Vec<_>>();
        let pictures = (0..PICTURES).map(|number| upload(&own, number)).collect::<Vec<_>>();
        // 8 MiB are full after some 130 of them. The rest is refused.
        let large = (0..CAMPAIGNS).map(|number| put(&full, number, 0, &many_members())).collect::<Vec<_>>();
        for requests in [campaigns, pictures, large] {
            let count = Some(requests.len());
            let load = Load { count, may_fail: true, ..Load::new(in_turn(requests), 4, 300) };
            load.run(service.target.address)?;
        }
        Ok(Self { cookies: operators::sign_in(service, OPERATORS)? })
    }

    fn loads(&self, service: &Service) -> Result<Vec<(String, Load)>> {
        let (own, full) = (service.target_of(TENANT, BACK_OFFICE)?, service.target_of(FULL, BACK_OFFICE)?);
        let flood = |label: &str, connections: u32, requests: Requests| {
            let load = Load { may_fail: true, is_idle: true, ..service.load(requests, connections) };
            (label.to_owned(), load)
        };
        let at_rate = |rate: f64, (label, load): (String, Load)| (label, Load { rate: Some(rate), ..load });
        let trees = || in_turn(["one", "two"].map(|label| tree(&own, label)).into());
        let change: Requests = {
            let own = own.clone();
            Arc::new(move |number| put(&own, number % CAMPAIGNS, number, &[]))
        };
        let refused = in_turn(vec![put(&full, CAMPAIGNS, 0, &many_members())]);
        let made_up = format!("pb_{}", "A".repeat(43));
        let cookies: Vec<String> =
            (0..60).map(|number| format!("console-t{number}-production={made_up}")).collect();
        let page = |path: &str, cookie: &str| in_turn(vec![operators::page(service, path, cookie)]);
        let sign_in = format!("/console/{TENANT}/sign-in");
        Ok(vec![
            flood("activities, 900 connections", 900, activities_of_many(service, TENANT, "")?),
            flood("trees of 10,000, 2 connections", 2, trees()),
            flood("trees of 10,000, 16 connections", 16, trees()),
            flood("campaigns, 16 connections", 16, change),
            flood("refused campaigns, 2 connections", 2, refused),
            flood("a stored picture, 64 connections", 64, in_turn(vec![upload(&own, 7)])),
            at_rate(
                2_000.0,
                flood("/console, 60 made-up cookies", 64, page("/console", &cookies.join("; "))),
            ),
            at_rate(
                2_500.0,
                flood(
                    "sign-in page, made-up cookie",
                    64,
                    page(&sign_in, &format!("console-{TENANT}-production={made_up}")),
                ),
            ),
            flood("16 operators", 16, visitors::console_pages(service, &self.cookies)?),
        ])
    }
}

/// A campaign. Another priority is another version.
fn put(target: &Target, number: usize, priority: usize, members: &[String]) -> Vec<u8> {
    let conditions = if members.is_empty() {
        json!({"source_prefixes": [format!("other-{number}")]})
    } else {
        json!({ "members": members })
    };
    let campaign = json!({
        "title": {"en": "Bonus"}, "priority": priority % 1_000, "conditions": conditions, "reward": {"percent": 50},
    });
    target.send("PUT", &format!("/v1/manage/campaigns/campaign-{number}"), &campaign.to_string())
}

/// Some 64 KiB.
fn many_members() -> Vec<String> {
    (0..900).map(|number| format!("{number:060}")).collect()
}

fn tree(target: &Target, label: &str) -> Vec<u8> {
    let leaf = |root: usize| move |leaf: usize| json!({"id": format!("{root}-{leaf}"), "label": format!("{label} {leaf}")});
    let root = |root: usize| {
        let children: Vec<Value> = (1..10).map(leaf(root)).collect();
        json!({"id": root.to_string(), "label": format!("{label} {root}"), "children": children})
    };
    let roots: Vec<Value> = (0..CATEGORIES / 10).map(root).collect();
    target.send("PUT", "/v1/manage/categories", &json!({ "categories": roots }).to_string())
}

/// The upload of a PNG of these pixels, of which no two are alike.
fn upload(target: &Target, number: usize) -> Vec<u8> {
    let chunk = |kind: &[u8; 4], data: &[u8]| {
        let length = u32::try_from(data.len()).unwrap_or_default();
        [&length.to_be_bytes(), &kind[..], data, &[0; 4]].concat()
    };
    let side = |pixels: usize| u32::try_from(pixels + 1).unwrap_or_default().to_be_bytes();
    let header = [&side(number % 100)[..], &side(number / 100), &[8, 6, 0, 0, 0]].concat();
    let chunks = [chunk(b"IHDR", &header), chunk(b"IDAT", &[7]), chunk(b"IEND", &[])].concat();
    target.send_bytes(
        "POST",
        "/v1/manage/pictures",
        "image/png",
        &[&b"\x89PNG\r\n\x1a\n"[..], &chunks].concat(),
    )
}
