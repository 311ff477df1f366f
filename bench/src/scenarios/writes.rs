//! Durable writes: activities and orders, and histories that are read beside them.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;

use super::{Scenario, WRITERS, history};
use crate::data::members::{BUYERS, PRODUCT, SINGLE, STRIDE, collector, product_of};
use crate::data::tokens::BACK_OFFICE;
use crate::data::{Dataset, TENANT};
use crate::load::{Requests, in_turn};
use crate::measure::Side;
use crate::options::Options;
use crate::service::Service;
use crate::subject::{Subject, Use};

/// How many clients write at once.
const CLIENTS: [u32; 3] = [1, 16, 64];
/// How many clients read histories while others write.
const READERS: [u32; 2] = [1, 16];
/// The user whose history is read. It has 500 rows.
const READER: &str = "user-50";

/// Makes the requests of one turn. Each turn needs new ones.
type Requested = fn(&Service) -> Result<Requests>;

pub(super) fn scenarios(_: &Options) -> Vec<Scenario> {
    let kinds: [(&str, Requested); 4] = [
        ("writes, activities of many users", |service| activities_of_many(service, TENANT, "")),
        ("writes, activities of one user", |service| activities(service, TENANT, |_| SINGLE.to_owned(), "")),
        ("writes, orders", |service| orders(service, TENANT, product_of)),
        ("writes, orders of one product", |service| orders(service, TENANT, |_| PRODUCT.to_owned())),
    ];
    let writes = kinds.map(|(name, requests)| {
        Scenario::new(name, move |subject: &Subject| by_clients(subject, requests)).also_on_postgres()
    });
    let beside = READERS.map(|readers| {
        Scenario::new(format!("writes, history read beside, readers: {readers}"), move |subject| {
            history_beside(subject, readers)
        })
    });
    writes.into_iter().chain(beside).collect()
}

fn by_clients(subject: &Subject, requests: Requested) -> Result<Vec<Side>> {
    let service = Rc::new(subject.open(Dataset::Writes, Use::Write)?.serve()?);
    let label = |clients| format!("{clients} client{}", if clients == 1 { "" } else { "s" });
    Ok(CLIENTS.map(|clients| side(&service, &label(clients), clients, requests)).into())
}

/// A side whose turns send new requests each.
pub(super) fn side(
    service: &Rc<Service>,
    label: &str,
    clients: u32,
    requests: impl Fn(&Service) -> Result<Requests> + 'static,
) -> Side {
    let service = service.clone();
    Side::new(label, move || service.drive(&service.load(requests(&service)?, clients)))
}

/// Activities of users in turn. `members` are more members of each body.
pub(super) fn activities_of_many(service: &Service, tenant: &str, members: &'static str) -> Result<Requests> {
    activities(service, tenant, collector, members)
}

fn activities(
    service: &Service,
    tenant: &str,
    user: fn(usize) -> String,
    members: &'static str,
) -> Result<Requests> {
    static TURN: AtomicUsize = AtomicUsize::new(0);
    let (turn, back_office) = (TURN.fetch_add(1, Ordering::Relaxed), service.target_of(tenant, BACK_OFFICE)?);
    Ok(Arc::new(move |number| {
        let body = format!(
            r#"{{"type":"code","source_id":"r{turn:06}-{number:08}","points":10,"title":"QR code scan","subtitle":"Item 12345"{members}}}"#
        );
        back_office.send("POST", &format!("/v1/manage/users/{}/activities", user(number)), &body)
    }))
}

/// Orders of the buyers in turn.
pub(super) fn orders(service: &Service, tenant: &str, product: fn(usize) -> String) -> Result<Requests> {
    let order = |number: usize| {
        let buyer = number * STRIDE % BUYERS;
        let target = service.target_of(tenant, &format!("buyer-{buyer}"))?;
        Ok(target.send("POST", "/v1/store/orders", &format!(r#"{{"product_id":"{}"}}"#, product(buyer))))
    };
    Ok(in_turn((0..BUYERS).map(order).collect::<Result<_>>()?))
}

fn history_beside(subject: &Subject, readers: u32) -> Result<Vec<Side>> {
    let service = Rc::new(subject.open(Dataset::Writes, Use::Write)?.serve()?);
    let page = service.target_of(TENANT, READER)?.get(history::PATH);
    let load = service.load(in_turn(vec![page]), readers);
    let (beside, reads) = (service.clone(), load.clone());
    let beside = Side::new("beside 64 writers", move || {
        let writes = beside.load(activities_of_many(&beside, TENANT, "")?, WRITERS);
        beside.drive_beside(&reads, &writes)
    });
    Ok(vec![service.side("alone", load), beside])
}
