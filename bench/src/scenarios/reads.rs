//! Reads of the catalogue: the same request again and again, different queries with filters, and the last page.

use anyhow::{Context as _, Result};

use super::queries::{FILTERS, Filter};
use super::{READERS, Scenario};
use crate::load::in_turn;
use crate::measure::Side;
use crate::options::Options;
use crate::subject::Subject;

pub(super) const LIST: &str = "/v1/store/products";
pub(super) const CATEGORIES: &str = "/v1/store/categories";
const DETAIL: &str = "/v1/store/products/P0000500";
/// The default number of products on a page.
pub(super) const PAGE_SIZE: u32 = 15;

pub(super) fn scenarios(options: &Options) -> Vec<Scenario> {
    let of_size = |products: u32| {
        let name = |name: &str| format!("{name}, {products} products");
        let same = [("list, page 1", LIST), ("detail", DETAIL), ("categories", CATEGORIES)];
        let same =
            same.map(|(of, path)| Scenario::new(name(of), move |subject| again(subject, products, path)));
        let [list, detail, categories] = same.map(Scenario::of_interface);
        let unchanged = [("304 of a list", LIST), ("304 of a detail", DETAIL)];
        let unchanged = unchanged.map(|(of, path)| {
            Scenario::new(name(of), move |subject| unchanged_again(subject, products, path))
        });
        let filters = FILTERS.map(|filter| {
            Scenario::new(name(filter.name()), move |subject| different(subject, products, filter))
                .of_interface()
        });
        let deep =
            Scenario::new(name("last page"), move |subject| last_page(subject, products)).of_interface();
        let all = [list.also_on_postgres(), detail, categories];
        all.into_iter().chain(unchanged).chain(filters).chain([deep]).collect::<Vec<_>>()
    };
    options.sizes().into_iter().flat_map(of_size).collect()
}

fn again(subject: &Subject, products: u32, path: &str) -> Result<Vec<Side>> {
    let side = |subject: &Subject, label| {
        let service = subject.catalogue(products)?;
        let requests = in_turn(vec![service.target.get(path)]);
        Ok::<_, anyhow::Error>(service.side(label, service.load(requests, READERS)))
    };
    let on_sqlite = subject.on_sqlite().map(|subject| side(&subject, "on SQLite"));
    [side(subject, "")].into_iter().chain(on_sqlite).collect()
}

/// Requests of a client that already has the response.
fn unchanged_again(subject: &Subject, products: u32, path: &str) -> Result<Vec<Side>> {
    let service = subject.catalogue(products)?;
    let response = service.target.ask(path)?;
    let etag = response.header("etag").context("the response has no ETag")?;
    let requests = in_turn(vec![service.target.get_with(path, &format!("If-None-Match: {etag}\r\n"))]);
    Ok(vec![service.side("", service.load(requests, READERS))])
}

fn different(subject: &Subject, products: u32, filter: Filter) -> Result<Vec<Side>> {
    let service = subject.catalogue(products)?;
    let queries = filter.queries(&service.target)?;
    let requests = queries.iter().map(|query| service.target.get(&format!("{LIST}?{query}"))).collect();
    Ok(vec![service.side("", service.load(in_turn(requests), READERS))])
}

fn last_page(subject: &Subject, products: u32) -> Result<Vec<Side>> {
    let service = subject.catalogue(products)?;
    let side = |label, page| {
        let requests = in_turn(vec![service.target.get(&format!("{LIST}?page[number]={page}"))]);
        service.side(label, service.load(requests, READERS))
    };
    // The last full page.
    Ok(vec![side("page 1", 1), side("last page", products / PAGE_SIZE)])
}
