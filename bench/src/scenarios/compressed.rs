//! Compressed responses, beside the same responses without compression.

use std::rc::Rc;

use anyhow::Result;

use super::queries::Filter;
use super::reads::{CATEGORIES, LIST};
use super::{READERS, Scenario, history};
use crate::data::{Dataset, TENANT};
use crate::load::in_turn;
use crate::measure::Side;
use crate::options::Options;
use crate::service::{Service, Target};
use crate::subject::{Subject, Use};

const PRODUCTS: u32 = 50_000;

pub(super) fn scenarios(_: &Options) -> Vec<Scenario> {
    let of_catalogue = |name, paths: fn(&Target) -> Result<Vec<String>>| {
        Scenario::new(name, move |subject: &Subject| {
            let service = subject.catalogue(PRODUCTS)?;
            let gets: Vec<_> =
                paths(&service.target)?.into_iter().map(|path| (service.target.clone(), path)).collect();
            Ok(sides(&service, &gets))
        })
    };
    vec![
        of_catalogue("compressed list, page 1", |_| Ok(vec![LIST.to_owned()])),
        of_catalogue("compressed categories", |_| Ok(vec![CATEGORIES.to_owned()])),
        of_catalogue("compressed lists, all filters together", |target| {
            let queries = Filter::Together.queries(target)?;
            Ok(queries.iter().map(|query| format!("{LIST}?{query}")).collect())
        }),
        Scenario::new("compressed history, ordinary user", |subject| {
            let service = Rc::new(subject.open(Dataset::Ledger, Use::Read)?.serve()?);
            let tokens = service.database()?.tokens.ordinary(TENANT);
            let target = |token| (service.target.with_token(TENANT, token), history::PATH.to_owned());
            Ok(sides(&service, &tokens.into_iter().map(target).collect::<Vec<_>>()))
        }),
    ]
}

fn sides(service: &Rc<Service>, gets: &[(Target, String)]) -> Vec<Side> {
    let side = |(label, headers)| {
        let requests = gets.iter().map(|(target, path)| target.get_with(path, headers)).collect();
        service.side(label, service.load(in_turn(requests), READERS))
    };
    let codings =
        [("plain", ""), ("gzip", "Accept-Encoding: gzip\r\n"), ("zstd", "Accept-Encoding: zstd\r\n")];
    codings.map(side).into()
}
