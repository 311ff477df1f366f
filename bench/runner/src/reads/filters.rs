//! Filters alone and together, all queries different.

use anyhow::Result;

use super::queries::{FILTERS, Filter};
use super::{ALL_SIZES, LARGE, MEDIUM, Served};
use crate::context::Bench;
use crate::pairs::Paired;
use crate::record::{Bound, Point};

/// The filters in the plot.
const PLOTTED: [Filter; 2] = [Filter::Together, Filter::Mixed];

pub(crate) fn names() -> Vec<String> {
    FILTERS.iter().map(|filter| filter.name().to_owned()).collect()
}

/// Measures each filter at a medium and a large size, and those of the plot at all sizes.
pub(crate) fn run(bench: &Bench) -> Result<()> {
    for products in bench.sizes(&ALL_SIZES) {
        let is_wanted = |filter: &Filter| {
            let is_of_size = [MEDIUM, LARGE].contains(&products)
                || PLOTTED.contains(filter)
                || bench.options.products.is_some();
            is_of_size && bench.wants(filter.name())
        };
        let wanted: Vec<Filter> = FILTERS.into_iter().filter(is_wanted).collect();
        if wanted.is_empty() {
            continue;
        }
        let served = Served::start(products)?;
        for filter in wanted {
            measure(bench, &served, products, filter)?;
        }
    }
    Ok(())
}

fn measure(bench: &Bench, served: &Served, products: u32, filter: Filter) -> Result<()> {
    let name = filter.name();
    let gets = filter.queries(served)?;
    let is_timed = products == MEDIUM && filter == Filter::Together;
    let figures = Paired { name, products, target: &served.target, gets: &gets, is_timed }.measure(bench)?;
    let scenario = format!("{name}, {products} products");
    match products {
        MEDIUM => {
            bench.judge(&scenario, "CPU at most 1.6 times the ceiling", figures.ratio(), Bound::AtMost(1.6));
        }
        LARGE => {
            bench.judge(&scenario, "CPU at most 6 times the ceiling", figures.ratio(), Bound::AtMost(6.0));
            bench.judge(&scenario, "CPU under 80 us", figures.cpu_us(), Bound::AtMost(80.0));
        }
        _ => {}
    }
    if PLOTTED.contains(&filter) {
        let cpu_us = figures.cpu_us().median;
        bench.record.borrow_mut().points.push(Point { series: name, products, cpu_us });
    }
    Ok(())
}

/// Requests for any server of the interface, with values from one of ours.
pub(crate) fn of_any_server(served: &Served) -> Result<Vec<(String, Vec<crate::requests::Get>)>> {
    FILTERS.into_iter().map(|filter| Ok((filter.name().to_owned(), filter.queries(served)?))).collect()
}
