//! Searches of titles: each for the first time, and further pages of an earlier search.

use anyhow::Result;
use xtask::operate::numbers::Numbers;

use super::reads::{LIST, PAGE_SIZE};
use super::{READERS, Scenario};
use crate::data::words::{FREQUENCIES, Frequency, Words};
use crate::load::{Load, in_turn};
use crate::measure::Side;
use crate::options::Options;
use crate::subject::Subject;

/// How many connections send searches at once.
const SEARCHERS: u32 = 2;
/// More than a round of first searches takes.
const SECONDS_MAX: u32 = 60;
/// How many different pages follow a search.
const NEXT_PAGES: usize = 1_000;

pub(super) fn scenarios(options: &Options) -> Vec<Scenario> {
    let of_size = |products: u32| {
        let name =
            |what: &str, of: Frequency| format!("{what} {} of the titles, {products} products", of.percent());
        let first = FREQUENCIES.map(|of| {
            Scenario::new(name("search, first,", of), move |subject| first_searches(subject, products, of))
        });
        let next = [Frequency::Common, Frequency::Uncommon].map(|of| {
            Scenario::new(name("search, next page,", of), move |subject| next_pages(subject, products, of))
                .of_interface()
        });
        first.into_iter().chain(next).collect::<Vec<_>>()
    };
    options.sizes().into_iter().flat_map(of_size).collect()
}

fn first_searches(subject: &Subject, products: u32, frequency: Frequency) -> Result<Vec<Side>> {
    // Each search of a frequent word costs more.
    let count = if frequency == Frequency::Common { 32 } else { 96 };
    let (subject, mut service) = (subject.clone(), subject.catalogue(products)?);
    let mut words = Words::new().searches(frequency);
    Ok(vec![Side::new("", move || {
        if words.len() < count {
            // A new server has no kept results.
            (service, words) = (subject.catalogue(products)?, Words::new().searches(frequency));
        }
        let words = words.split_off(words.len() - count);
        let get = |word: &String| service.target.get(&format!("{LIST}?filter[title]={word}"));
        let requests = in_turn(words.iter().map(get).collect());
        service.drive(&Load { count: Some(count), ..Load::new(requests, SEARCHERS, SECONDS_MAX) })
    })])
}

/// Random pages of a search for a whole word.
fn next_pages(subject: &Subject, products: u32, frequency: Frequency) -> Result<Vec<Side>> {
    let service = subject.catalogue(products)?;
    let filter = format!("filter[title]={}", Words::new().searches(frequency)[0]);
    let pages = service.target.total(&filter)?.div_ceil(PAGE_SIZE).max(1);
    let mut numbers = Numbers::new(0x7061_6765);
    let page = |_| service.target.get(&format!("{LIST}?{filter}&page[number]={}", 1 + numbers.next(pages)));
    let requests = in_turn((0..NEXT_PAGES).map(page).collect());
    Ok(vec![service.side("", service.load(requests, READERS))])
}
