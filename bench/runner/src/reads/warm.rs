//! The same request again and again: the list's first page, a product, the categories, and 304 responses.

use anyhow::{Context, Result};

use super::{ALL_SIZES, LARGE, MEDIUM, Served};
use crate::context::Bench;
use crate::pairs::Paired;
use crate::record::{Bound, Point};
use crate::requests::{Get, Target};

/// A scenario, and its limit relative to the ceiling.
struct Warm {
    name: &'static str,
    path: &'static str,
    is_unchanged: bool,
    target: &'static str,
    bound: f64,
}

const LIST: &str = "list, page 1";
const SCENARIOS: [Warm; 5] = [
    Warm {
        name: LIST,
        path: "/v1/store/products",
        is_unchanged: false,
        target: "CPU at most 1.15 times the ceiling",
        bound: 1.15,
    },
    Warm {
        name: "detail",
        path: "/v1/store/products/P0000500",
        is_unchanged: false,
        target: "CPU at most 1.10 times the ceiling",
        bound: 1.10,
    },
    Warm {
        name: "categories",
        path: "/v1/store/categories",
        is_unchanged: false,
        target: "CPU at most 1.10 times the ceiling",
        bound: 1.10,
    },
    Warm {
        name: "304 of a list",
        path: "/v1/store/products",
        is_unchanged: true,
        target: "CPU at most 1.05 times the ceiling of a 304",
        bound: 1.05,
    },
    Warm {
        name: "304 of a detail",
        path: "/v1/store/products/P0000500",
        is_unchanged: true,
        target: "CPU at most 1.05 times the ceiling of a 304",
        bound: 1.05,
    },
];

pub(crate) fn names() -> Vec<String> {
    SCENARIOS.iter().map(|scenario| scenario.name.to_owned()).collect()
}

/// Measures each scenario at a medium and a large size, and the list at all sizes.
pub(crate) fn run(bench: &Bench) -> Result<()> {
    for products in bench.sizes(&ALL_SIZES) {
        let is_wanted = |scenario: &&Warm| {
            let is_of_size = [MEDIUM, LARGE].contains(&products)
                || scenario.name == LIST
                || bench.options.products.is_some();
            is_of_size && bench.wants(scenario.name)
        };
        let wanted: Vec<&Warm> = SCENARIOS.iter().filter(is_wanted).collect();
        if wanted.is_empty() {
            continue;
        }
        let served = Served::start(products)?;
        for scenario in wanted {
            scenario.measure(bench, &served, products)?;
        }
    }
    Ok(())
}

impl Warm {
    fn measure(&self, bench: &Bench, served: &Served, products: u32) -> Result<()> {
        let gets = [self.get(&served.target, &served.token)?];
        let paired = Paired {
            name: self.name,
            products,
            target: &served.target,
            gets: &gets,
            is_timed: products == MEDIUM,
        };
        let figures = paired.measure(bench)?;
        let scenario = format!("{}, {products} products", self.name);
        bench.judge(&scenario, self.target, figures.ratio(), Bound::AtMost(self.bound));
        if self.name == LIST {
            let cpu_us = figures.cpu_us().median;
            bench.record.borrow_mut().points.push(Point { series: LIST, products, cpu_us });
        }
        Ok(())
    }

    fn get(&self, target: &Target, token: &str) -> Result<Get> {
        let mut get = Get::new(self.path, token);
        if self.is_unchanged {
            let answer = target.ask(&get)?;
            let etag = answer.header("etag").context("the response has no ETag")?;
            get.if_none_match = Some(etag.to_owned());
        }
        Ok(get)
    }
}

/// Requests for any server of the interface. 304 responses are left out, because `ETag` headers differ between servers.
pub(crate) fn of_any_server(token: &str) -> Vec<(String, Vec<Get>)> {
    let changed = SCENARIOS.iter().filter(|scenario| !scenario.is_unchanged);
    changed.map(|scenario| (scenario.name.to_owned(), vec![Get::new(scenario.path, token)])).collect()
}
